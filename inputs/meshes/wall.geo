// wall.geo - section of a tube of radii 1 and 2, axis y, height 0.5: 8 x 3 quad8
//   gmsh -2 wall.geo -o wall_quad8.msh
a = 1;
b = 2;
h = 0.5;
Point(1) = {a, 0, 0};
Point(2) = {b, 0, 0};
Point(3) = {b, h, 0};
Point(4) = {a, h, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 9;
Transfinite Curve {2, 4} = 4;
Transfinite Surface {1};
Recombine Surface {1};
Physical Surface("wall") = {1};
Physical Curve("inner") = {4};
Physical Curve("outer") = {2};
Physical Curve("bottom") = {1};
Physical Curve("top") = {3};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
