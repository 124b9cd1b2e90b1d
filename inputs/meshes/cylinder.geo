// cylinder.geo - square cell of side 20 mm with a cylinder of radius r in its middle, tri6; opposite sides have
// their nodes opposite each other
//   gmsh -2 cylinder.geo -o cylinder_tri6.msh                        r = 8 mm
//   gmsh -2 cylinder.geo -setnumber r 0.00597082 -o cylinder_28_tri6.msh   28 % of the area
DefineConstant[ r = 0.008, h = 0.00125 ];
a = 0.02;
Point(1) = {-a / 2, -a / 2, 0, h};
Point(2) = {a / 2, -a / 2, 0, h};
Point(3) = {a / 2, a / 2, 0, h};
Point(4) = {-a / 2, a / 2, 0, h};
Point(5) = {0, 0, 0, h};
Point(6) = {r, 0, 0, h};
Point(7) = {0, r, 0, h};
Point(8) = {-r, 0, 0, h};
Point(9) = {0, -r, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};
Curve Loop(1) = {1, 2, -3, -4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {2};
Point{5} In Surface{2};
Periodic Curve {3} = {1} Translate {0, a, 0};
Periodic Curve {2} = {4} Translate {a, 0, 0};
Physical Surface("matrix") = {1};
Physical Surface("inclusion") = {2};
Physical Curve("x_min") = {4};
Physical Curve("x_max") = {2};
Physical Curve("y_min") = {1};
Physical Curve("y_max") = {3};
Mesh.ElementOrder = 2;
Mesh.SecondOrderLinear = 0;
Mesh.MshFileVersion = 4.1;
