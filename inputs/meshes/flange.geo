// flange with hub, ribs and eight bolt holes: gmsh -3 -algo hxt -setnumber h 0.010 flange.geo -o flange_tet4.msh; h: element size in m
SetFactory("OpenCASCADE");
DefineConstant[ h = {0.004, Name "h"} ];
Cylinder(1) = {0,0,0, 0,0,0.02, 0.1};
Cylinder(2) = {0,0,0, 0,0,0.12, 0.045};
For i In {0:3}
  Box(10+i) = {0,-0.006,0.01, 0.09,0.012,0.07};
  Rotate {{0,0,1},{0,0,0}, i*Pi/2} { Volume{10+i}; }
EndFor
BooleanUnion(20) = { Volume{1}; Delete; }{ Volume{2,10:13}; Delete; };
For i In {0:7}
  Cylinder(30+i) = {0.075*Cos(Pi/8+i*Pi/4),0.075*Sin(Pi/8+i*Pi/4),-0.01, 0,0,0.05, 0.008};
EndFor
Cylinder(40) = {0,0,-0.01, 0,0,0.2, 0.03};
BooleanDifference(50) = { Volume{20}; Delete; }{ Volume{30:37,40}; Delete; };
Physical Volume("body") = {50};
e = 1e-6;
t() = Surface In BoundingBox{-1,-1,0.12-e, 1,1,0.12+e};
Physical Surface("top") = {t()};
holes() = {};
For i In {0:7}
  x = 0.075*Cos(Pi/8+i*Pi/4); y = 0.075*Sin(Pi/8+i*Pi/4);
  s() = Surface In BoundingBox{x-0.0081,y-0.0081,-e, x+0.0081,y+0.0081,0.02+e};
  holes() += s();
EndFor
Physical Surface("bolts") = {holes()};
Mesh.MeshSizeMax = h; Mesh.MeshSizeMin = h;
