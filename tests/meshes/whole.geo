// Two bricks side by side, as gmsh fills them: hex27 and quad9.  Written by: sh make.sh
Point(1) = {0, 0, 0, 1};
l() = Extrude {2, 0, 0} { Point{1}; Layers{2}; };
s() = Extrude {0, 1, 0} { Curve{l(1)}; Layers{1}; Recombine; };
v() = Extrude {0, 0, 0.5} { Surface{s(1)}; Layers{1}; Recombine; };
Physical Volume("brick", 1) = {v(1)};
Physical Surface("bottom", 2) = {s(1)};
Physical Surface("top", 3) = {v(0)};
