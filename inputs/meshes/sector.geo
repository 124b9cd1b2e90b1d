// sector.geo - 30 degree sector of a thick tube, radii 1 and 2, from 20 to 50 degrees: 8 x 4 x 1 hex20
//   gmsh -3 sector.geo -o sector_hex20.msh
a = 1;
b = 2;
h = 0.5;
from = 20 * Pi / 180;
to = 50 * Pi / 180;
Point(1) = {0, 0, 0};
Point(2) = {a * Cos(from), a * Sin(from), 0};
Point(3) = {b * Cos(from), b * Sin(from), 0};
Point(4) = {b * Cos(to), b * Sin(to), 0};
Point(5) = {a * Cos(to), a * Sin(to), 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 9;
Transfinite Curve {2, 4} = 5;
Transfinite Surface {1};
Recombine Surface {1};
all[] = Extrude {0, 0, h} { Surface{1}; Layers{1}; Recombine; };
Physical Volume("tube") = {all[1]};
Physical Surface("bottom") = {1};
Physical Surface("top") = {all[0]};
Physical Surface("cut_a") = {all[2]}; // at 20 degrees
Physical Surface("outer") = {all[3]};
Physical Surface("cut_b") = {all[4]}; // at 50 degrees
Physical Surface("bore") = {all[5]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
