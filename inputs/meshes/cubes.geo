// cubes.geo - cubic cell of 20 mm with a cube of 15 mm in its middle, hex20: one element across the matrix on either
// side, two across the cube; opposite sides are divided alike
//   gmsh -3 cubes.geo -o cubes_hex20.msh
a = 0.02;
s = 0.015;
x[] = {-a / 2, -s / 2, s / 2, a / 2};
n[] = {1, 2, 1};
For j In {0:3}
  For i In {0:3}
    Point(1 + i + 4 * j) = {x[i], x[j], -a / 2};
  EndFor
EndFor
For j In {0:3}
  For i In {0:2}
    Line(1 + i + 3 * j) = {1 + i + 4 * j, 2 + i + 4 * j};
    Line(21 + i + 3 * j) = {1 + j + 4 * i, 5 + j + 4 * i};
    Transfinite Curve {1 + i + 3 * j, 21 + i + 3 * j} = n[i] + 1;
  EndFor
EndFor
For j In {0:2}
  For i In {0:2}
    Curve Loop(1 + i + 3 * j) = {1 + i + 3 * j, 21 + j + 3 * (i + 1), -(1 + i + 3 * (j + 1)), -(21 + j + 3 * i)};
    Plane Surface(1 + i + 3 * j) = {1 + i + 3 * j};
  EndFor
EndFor
Transfinite Surface {1:9};
Recombine Surface {1:9};
low[] = {1:9};
For k In {0:2}
  next[] = {};
  For i In {0:8}
    up[] = Extrude {0, 0, x[k + 1] - x[k]} { Surface{low[i]}; Layers{n[k]}; Recombine; };
    next[] += up[0];
    If (k == 1 && i == 4)
      inside[] = {up[1]};
    Else
      outside[] += up[1];
    EndIf
  EndFor
  low[] = next[];
EndFor
e = a / 1000;
h = a / 2;
Physical Volume("matrix") = {outside[]};
Physical Volume("inclusion") = {inside[]};
Physical Surface("x_min") = {Surface In BoundingBox{-h - e, -h - e, -h - e, -h + e, h + e, h + e}};
Physical Surface("x_max") = {Surface In BoundingBox{h - e, -h - e, -h - e, h + e, h + e, h + e}};
Physical Surface("y_min") = {Surface In BoundingBox{-h - e, -h - e, -h - e, h + e, -h + e, h + e}};
Physical Surface("y_max") = {Surface In BoundingBox{-h - e, h - e, -h - e, h + e, h + e, h + e}};
Physical Surface("z_min") = {Surface In BoundingBox{-h - e, -h - e, -h - e, h + e, h + e, -h + e}};
Physical Surface("z_max") = {Surface In BoundingBox{-h - e, -h - e, h - e, h + e, h + e, h + e}};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
