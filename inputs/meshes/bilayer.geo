// bilayer.geo - one period of a layered medium along x: two layers of 5 mm, a strip of one element in y, quad8
//   gmsh -2 bilayer.geo -o bilayer_quad8.msh
d = 0.005;
n = 12; // elements a layer
For i In {0:2}
  Point(1 + i) = {i * d, 0, 0};
  Point(4 + i) = {i * d, d / n, 0};
  Line(5 + i)  = {1 + i, 4 + i};
EndFor
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 5};
Line(4) = {5, 6};
Curve Loop(1) = {1, 6, -3, -5};
Curve Loop(2) = {2, 7, -4, -6};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve {1:4} = n + 1;
Transfinite Curve {5:7} = 2;
Transfinite Surface {1, 2};
Recombine Surface {1, 2};
Physical Surface("steel") = {1};
Physical Surface("epoxy") = {2};
Physical Curve("x_min") = {5};
Physical Curve("x_max") = {7};
Physical Curve("y_min") = {1, 2};
Physical Curve("y_max") = {3, 4};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
