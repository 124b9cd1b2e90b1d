// A brick of hexahedra and, apart from it, a cube of tetrahedra.  Written in every format by: sh make.sh
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1};
Box(2) = {3, 0, 0, 1, 1, 1};
bricks() = Boundary{ Volume{1}; };
Transfinite Curve {1:12} = 2;
Transfinite Curve {9:12} = 3;
Transfinite Surface {1:6}; Recombine Surface {1:6};
Transfinite Volume {1};
Transfinite Curve {13:24} = 2;
Physical Volume("brick", 1) = {1};
Physical Volume(2) = {2}; // no name
Physical Volume("both", 3) = {1, 2};
Physical Surface("clamp", 1) = {1};
Physical Surface("far", 2) = {8};
