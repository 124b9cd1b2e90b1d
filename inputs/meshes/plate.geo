// plate.geo - square plate 10 x 10 x 1, 8 x 8 x 3 serendipity hexahedra; its lower edges are a group
//   gmsh -3 plate.geo -o plate_hex20.msh
Point(1) = {0, 0, 0};
Point(2) = {10, 0, 0};
Point(3) = {10, 10, 0};
Point(4) = {0, 10, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1:4} = 9;
Transfinite Surface {1};
Recombine Surface {1};
plate() = Extrude {0, 0, 1} { Surface{1}; Layers{3}; Recombine; };
Physical Volume("plate") = {plate(1)};
Physical Curve("edges") = {1:4};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
