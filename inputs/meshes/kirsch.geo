// kirsch.geo - quarter of a square plate, sides 4, hole of radius 1 in the corner: two blocks of quad8, finer
// towards the hole
//   gmsh -2 kirsch.geo -o kirsch_quad8.msh
around = 10; // elements along each half of the hole
radial = 16;
grow   = 1.12;
s      = Sqrt(0.5);
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {s, s, 0};
Point(4) = {0, 1, 0};
Point(5) = {4, 0, 0};
Point(6) = {4, 4, 0};
Point(7) = {0, 4, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Line(3) = {2, 5};
Line(4) = {3, 6};
Line(5) = {4, 7};
Line(6) = {5, 6};
Line(7) = {6, 7};
Curve Loop(1) = {3, 6, -4, -1};
Curve Loop(2) = {4, 7, -5, -2};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve {1, 2, 6, 7} = around + 1;
Transfinite Curve {3, 4, 5} = radial + 1 Using Progression grow;
Transfinite Surface {1, 2};
Recombine Surface {1, 2};
Physical Surface("plate") = {1, 2};
Physical Curve("hole") = {1, 2};
Physical Curve("sym_x") = {5}; // on x = 0
Physical Curve("sym_y") = {3}; // on y = 0
Physical Curve("right") = {6};
Physical Curve("top") = {7};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
