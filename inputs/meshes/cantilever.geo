// cantilever.geo - beam 1.0 x 0.1 x 0.1 m, clamped at x = 0
//   gmsh -3 cantilever.geo -setnumber tets 0 -o cantilever_hex20.msh     20 x 2 x 2 serendipity hexahedra
//   gmsh -3 cantilever.geo -setnumber tets 1 -o cantilever_tet10.msh     quadratic tetrahedra of size 0.04 m
If (!Exists(tets))
  tets = 0;
EndIf
Point(1) = {0, 0, 0, 0.04};
Point(2) = {0, 0.1, 0, 0.04};
Point(3) = {0, 0.1, 0.1, 0.04};
Point(4) = {0, 0, 0.1, 0.04};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
If (tets)
  beam() = Extrude {1, 0, 0} { Surface{1}; };
Else
  Transfinite Curve {1:4} = 3;
  Transfinite Surface {1};
  Recombine Surface {1};
  beam() = Extrude {1, 0, 0} { Surface{1}; Layers{20}; Recombine; };
EndIf
Physical Volume("beam") = {beam(1)};
Physical Surface("clamp") = {1};
Physical Surface("tip") = {beam(0)};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
