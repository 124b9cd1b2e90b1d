// Two squares side by side: quadrilaterals on the left, triangles on the right; groups that overlap.
// Written in every format by: sh make.sh
SetFactory("Built-in");
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {2, 0, 0};
Point(4) = {2, 1, 0}; Point(5) = {1, 1, 0}; Point(6) = {0, 1, 0};
Point(7) = {0.5, 0.5, 0}; // centre of the arc
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Circle(5) = {5, 7, 6}; Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6}; Curve Loop(2) = {2, 3, 4, -7};
Plane Surface(1) = {1}; Plane Surface(2) = {2};
Transfinite Curve {1, 7, 5, 6} = 3;
Transfinite Curve {2, 3, 4} = 3;
Transfinite Surface {1}; Recombine Surface {1};
Physical Surface("left part", 11) = {1};
Physical Surface("all", 12) = {1, 2};
Physical Curve("bottom", 3) = {1, 2};
Physical Curve("right side", 4) = {3};
Physical Curve("round", 3000000) = {5};
Physical Curve("outside", 7) = {1, 2, 3, 4, 5, 6};
Physical Point("corner", 5) = {1};
