// lame.geo - quarter of a ring, radii 1 and 2: 8 x 12 quad8
//   gmsh -2 lame.geo -o lame_quad8.msh
a = 1;
b = 2;
Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0};
Point(3) = {b, 0, 0};
Point(4) = {0, b, 0};
Point(5) = {0, a, 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 9;
Transfinite Curve {2, 4} = 13;
Transfinite Surface {1};
Recombine Surface {1};
Physical Surface("ring") = {1};
Physical Curve("inner") = {4};
Physical Curve("outer") = {2};
Physical Curve("sym_x") = {3}; // on x = 0
Physical Curve("sym_y") = {1}; // on y = 0
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
