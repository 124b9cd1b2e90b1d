// le10.geo - NAFEMS LE10: quarter of an elliptic plate with an elliptic hole, 0.6 thick: 4 x 8 x 4 hex20
//   gmsh -3 le10.geo -o le10_hex20.msh
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {3.25, 0, 0};
Point(4) = {0, 2.75, 0};
Point(5) = {0, 1, 0};
Line(1) = {2, 3};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {4, 5};
Ellipse(4) = {5, 1, 2, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 5;
Transfinite Curve {2, 4} = 9;
Transfinite Surface {1};
Recombine Surface {1};
low[] = Extrude {0, 0, 0.3} { Surface{1}; Layers{2}; Recombine; };
high[] = Extrude {0, 0, 0.3} { Surface{low[0]}; Layers{2}; Recombine; };
Physical Volume("plate") = {low[1], high[1]};
Physical Surface("top") = {high[0]};
Physical Surface("sym_y") = {low[2], high[2]}; // on y = 0
Physical Surface("outer") = {low[3], high[3]};
Physical Surface("sym_x") = {low[4], high[4]}; // on x = 0
rim[] = Boundary { Surface{low[0]}; };
Physical Curve("rim") = {rim[1]}; // of the outer side, half way up
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
