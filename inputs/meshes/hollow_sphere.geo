// hollow_sphere.geo - upper half of a meridian section of a sphere, radii 1.8 and 6, axis x = 0: 10 quad8 along
// the radius, 12 around
//   gmsh -2 hollow_sphere.geo -o hollow_sphere_quad8.msh
Point(1) = {0, 0, 0};
Point(2) = {1.8, 0, 0};
Point(3) = {6, 0, 0};
Point(4) = {0, 6, 0};
Point(5) = {0, 1.8, 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 11;
Transfinite Curve {2, 4} = 13;
Transfinite Surface {1};
Recombine Surface {1};
Physical Surface("ring") = {1};
Physical Curve("equator") = {1};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
Mesh.MshFileVersion = 4.1;
