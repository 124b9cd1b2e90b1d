// hot_disc.geo - quarter of a square plate, side 10, with a disc of radius 1 in the corner: tri6, finer at the disc
//   gmsh -2 hot_disc.geo -o hot_disc_tri6.msh
h = 0.07; // at the disc
H = 1.2;  // at the outer edges
Point(1) = {0, 0, 0, 2 * h};
Point(2) = {1, 0, 0, h};
Point(3) = {0, 1, 0, h};
Point(4) = {10, 0, 0, H};
Point(5) = {10, 10, 0, H};
Point(6) = {0, 10, 0, H};
Circle(1) = {2, 1, 3};
Line(2) = {1, 2};
Line(3) = {3, 1};
Line(4) = {2, 4};
Line(5) = {4, 5};
Line(6) = {5, 6};
Line(7) = {6, 3};
Curve Loop(1) = {2, 1, 3};
Curve Loop(2) = {4, 5, 6, 7, -1};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Physical Surface("disc") = {1};
Physical Surface("plate") = {2};
Physical Curve("sym_x") = {3, 7}; // on x = 0
Physical Curve("sym_y") = {2, 4}; // on y = 0
Mesh.ElementOrder = 2;
Mesh.MshFileVersion = 4.1;
