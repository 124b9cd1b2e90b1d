/* inputs/schema.c - every key of the deck language: the table for the reader, the messages and docs/deck.md
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/schema.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAT                       .physics = BF_ON_HEAT
#define ELASTICITY                 .physics = BF_ON_ELASTICITY
#define ADVECTION                  .physics = BF_ON_ADVECTION
#define WAVES                      .physics = BF_ON_WAVES
#define REQUIRED                   .required = 1
#define LATER                      .later = 1
#define VALUES(least_, most_)      .least = (least_), .most = (most_)
#define OR_VALUES(least_, most_)   VALUES(least_, most_), .one = 1
#define ROWS(rows_, least_, most_) VALUES(least_, most_), .rows = (rows_)

enum { MANY = 10000 };

/* clang-format off */
static const bf_key keys[] = {
  {"", "deck", BF_KEY_INT, REQUIRED, .range = "[1,1]", .hint = "this program reads deck version 1", .text = "version of the deck language; the first key of the file"},
  {"", "title", BF_KEY_TEXT, .preset = "", .text = "one-line title, copied into the results"},
  {"", "include", BF_KEY_NAME, VALUES(1, MANY), .one = 1, .text = "other files with parts of the deck, see below; paths are relative to the including file"},
  {"", "parameters", BF_KEY_VECTORS, OR_VALUES(1, MANY), .text = "numbers by name, for formulas and numbers of the deck, see below; a list of numbers is a sweep"},
  {"", "sweep", BF_KEY_CHOICE, .set = "sweep", .preset = "product", .text = "combination of parameters with several values"},
  {"", "units", BF_KEY_MAP, .preset = "{}", .text = "system of units"},
  {"", "mesh", BF_KEY_MAP, REQUIRED, .text = "a mesh file or a generated mesh"},
  {"", "physics", BF_KEY_CHOICE, REQUIRED, .set = "physics", .text = "equations to solve"},
  {"", "analysis", BF_KEY_MAP, .preset = "{}", .text = "type of analysis and its parameters"},
  {"", "discretization", BF_KEY_MAP, .preset = "{}", .text = "discretisation of the fields"},
  {"", "materials", BF_KEY_NAMED, REQUIRED, .text = "map of materials by name (names are free)"},
  {"", "axes", BF_KEY_ENTRIES, ELASTICITY, .set = "axes type", .text = "named axes for conditions, loads and results, see below; not with axisymmetric"},
  {"", "initial", BF_KEY_MAP, LATER, .text = "initial fields of a transient analysis"},
  {"", "boundary", BF_KEY_ENTRIES, .set = "boundary type", .text = "list of conditions on named parts of the boundary; a part without a condition is free or insulated"},
  {"", "loads", BF_KEY_ENTRIES, .set = "load type", .text = "list of loads in the body"},
  {"", "cases", BF_KEY_NAMED, .text = "load cases by name (static only): one matrix and preconditioner, several loads; the results are steps"},
  {"", "matrix", BF_KEY_MAP, .preset = "{}", .text = "numbering and storage of the matrix"},
  {"", "solver", BF_KEY_MAP, .preset = "{}", .text = "linear solver"},
  {"", "eigensolver", BF_KEY_MAP, WAVES, .preset = "{}", .text = "eigenvalue solver of modal and dispersion analyses"},
  {"", "device", BF_KEY_MAP, .preset = "{}", .text = "device and backend"},
  {"", "partition", BF_KEY_MAP, LATER, .text = "several processes"},
  {"", "output", BF_KEY_MAP, .preset = "{}", .text = "result files"},
  {"", "checks", BF_KEY_ENTRIES, .text = "list of assertions on the result; a failed check gives exit status 6"},

  {"units", "system", BF_KEY_CHOICE, .set = "units", .preset = "SI", .text = "label of the results and plausibility check of the values, see below; nothing is converted"},

  {"mesh", "file", BF_KEY_NAME, .text = "Gmsh file (.msh 2.2 or 4.1), path relative to the deck. A .geo is first meshed by the gmsh program into mesh.msh in the output folder (gmsh executes the commands in a .geo). Either `file` or `generate` is required"},
  {"mesh", "generate", BF_KEY_MAP, .text = "generated mesh: `box` or `rectangle`"},
  {"mesh", "scale", BF_KEY_NUMBER, .range = "(0,inf)", .preset = "1.0", .text = "scale factor of all coordinates"},
  {"mesh", "order", BF_KEY_CHOICE, .set = "mesh order", .preset = "from_file", .text = "order of the elements"},
  {"mesh.generate", "box", BF_KEY_MAP, .text = "3D; groups volume, x_min, x_max, y_min, y_max, z_min, z_max"},
  {"mesh.generate", "rectangle", BF_KEY_MAP, .text = "2D; groups surface, x_min, x_max, y_min, y_max"},
  {"mesh.generate.box", "size", BF_KEY_NUMBER, VALUES(3, 3), REQUIRED, .range = "(0,inf)", .unit = "m", .text = "edge lengths; one corner is the origin"},
  {"mesh.generate.box", "cells", BF_KEY_INT, VALUES(3, 3), REQUIRED, .range = "[1,100000]", .text = "number of cells in each direction"},
  {"mesh.generate.box", "element", BF_KEY_CHOICE, REQUIRED, .set = "box element", .text = "element type"},
  {"mesh.generate.rectangle", "size", BF_KEY_NUMBER, VALUES(2, 2), REQUIRED, .range = "(0,inf)", .unit = "m", .text = "edge lengths; one corner is the origin"},
  {"mesh.generate.rectangle", "cells", BF_KEY_INT, VALUES(2, 2), REQUIRED, .range = "[1,100000]", .text = "number of cells in each direction"},
  {"mesh.generate.rectangle", "element", BF_KEY_CHOICE, REQUIRED, .set = "rectangle element", .text = "element type"},

  {"analysis", "type", BF_KEY_CHOICE, .set = "analysis", .preset = "static", .text = "kind of analysis"},
  {"analysis", "t_end", BF_KEY_NUMBER, LATER, .unit = "s", .text = "end time"},
  {"analysis", "dt", BF_KEY_NUMBER, LATER, .unit = "s", .text = "time step"},
  {"analysis", "scheme", BF_KEY_TEXT, LATER, .text = "time integration scheme"},
  {"analysis", "adaptive", BF_KEY_MAP, LATER, .text = "adaptive step size"},
  {"analysis", "modes", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "(modal only, required) number of lowest modes"},
  {"analysis", "shift", BF_KEY_NUMBER, WAVES, .range = "[0,inf)", .unit = "Hz", .text = "(modal only, default 0) find the modes nearest to this frequency; a nonzero value needs shift_invert"},
  {"analysis", "mass", BF_KEY_CHOICE, WAVES, .set = "mass", .text = "(modal only, default consistent) mass matrix"},
  {"analysis", "normalization", BF_KEY_CHOICE, WAVES, .set = "normalization", .text = "(modal only, default mass) normalization of the mode shapes"},
  {"analysis", "bands", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "(dispersion only, required) number of lowest bands"},
  {"analysis", "lattice", BF_KEY_NUMBER, WAVES, ROWS(3, 2, 3), .unit = "m", .text = "(dispersion only, required) lattice vectors after `mesh.scale`, one per periodic direction, 1 to 3"},
  {"analysis", "points", BF_KEY_VECTORS, WAVES, VALUES(1, 3), .text = "(dispersion only, required) wave vectors by name, in the units of `k_units`"},
  {"analysis", "path", BF_KEY_NAME, WAVES, VALUES(2, 1000), .text = "(dispersion only, required) names of points; the path consists of the straight segments between them"},
  {"analysis", "samples", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "(dispersion only, default 20) wave vectors per segment, end point excluded"},
  {"analysis", "k_units", BF_KEY_CHOICE, WAVES, .set = "k units", .text = "(dispersion only, default reciprocal) units of `points`"},

  {"discretization", "method", BF_KEY_CHOICE, .set = "method", .preset = "fem", .text = "interpolation method"},
  {"discretization", "space", BF_KEY_CHOICE, .set = "space", .text = "required for elasticity in 2D and for bodies of revolution; otherwise given by the mesh"},
  {"discretization", "thickness", BF_KEY_NUMBER, .range = "(0,inf)", .unit = "m", .preset = "1.0", .text = "thickness of a plane body; not with axisymmetric"},
  {"discretization", "quadrature", BF_KEY_INT, .set = "auto", .range = "[1,8]", .preset = "auto", .text = "integration points per direction; auto: exact on elements of constant Jacobian"},
  {"discretization", "order", BF_KEY_INT, .range = "[1,3]", .text = "(gfem only, default 2) order; the unknowns are the same for every order; order 1 is bitwise equal to method fem"},
  {"discretization", "patch", BF_KEY_CHOICE, .set = "patch", .text = "(gfem only, default auto) nodes of the local polynomial fit"},
  {"discretization", "extra_rings", BF_KEY_INT, .range = "[0,2]", .text = "(gfem only, with patches of rings, default 0) number of additional rings, which widen the band"},
  {"discretization", "nitsche_gamma", BF_KEY_NUMBER, .range = "(0,inf)", .text = "(gfem only, default 30) penalty of Nitsche's method for prescribed values on curved sides"},
  {"discretization", "incompatible", BF_KEY_CHOICE, ELASTICITY, .set = "boolean", .preset = "false", .text = "incompatible modes of quad4 and hex8, which avoid locking in bending; not with axisymmetric"},
  {"discretization", "condense", BF_KEY_CHOICE, .set = "condense", .preset = "auto", .text = "static condensation of the center nodes of quad9 and hex27; the solution is the same"},
  {"discretization", "stabilization", BF_KEY_CHOICE, ADVECTION, .set = "stabilization", .preset = "supg", .text = "stabilization of advection-dominated flow"},

  {"materials.<name>", "group", BF_KEY_NAME, .text = "volume group (3D) or surface group (2D)"},
  {"materials.<name>", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "list of groups; `group` or `groups` is required"},
  {"materials.<name>", "E", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .range = "(0,inf)", .unit = "Pa", .text = "Young's modulus"},
  {"materials.<name>", "nu", BF_KEY_NUMBER, ELASTICITY, REQUIRED, .range = "(-1,0.5)", .code = 303, .hint = "0.5 would be incompressible", .text = "Poisson's ratio"},
  {"materials.<name>", "rho", BF_KEY_NUMBER, ELASTICITY, .range = "(0,inf)", .unit = "kg/m3", .text = "density; required by gravity, modal and dispersion"},
  {"materials.<name>", "k", BF_KEY_FORMULA, HEAT, REQUIRED, .range = "(0,inf)", .unit = "W/m/K", .text = "conductivity"},
  {"materials.<name>", "rho", BF_KEY_NUMBER, HEAT, .range = "(0,inf)", .unit = "kg/m3", .text = "density"},
  {"materials.<name>", "cp", BF_KEY_NUMBER, HEAT, LATER, .unit = "J/kg/K", .text = "heat capacity"},
  {"materials.<name>", "alpha", BF_KEY_NUMBER, ELASTICITY, .unit = "1/K", .text = "coefficient of thermal expansion; required by thermal loads"},
  {"materials.<name>", "diffusivity", BF_KEY_FORMULA, ADVECTION, REQUIRED, .range = "(0,inf)", .unit = "m2/s", .text = "diffusivity"},
  {"materials.<name>", "velocity", BF_KEY_FORMULA, VALUES(2, 3), ADVECTION, REQUIRED, .unit = "m/s", .text = "flow velocity; the mass balance requires a divergence-free velocity"},
  {"materials.<name>", "reaction", BF_KEY_FORMULA, ADVECTION, .preset = "0.0", .unit = "1/s", .text = "reaction rate; positive: consumption, negative: production"},

  {"axes[]", "name", BF_KEY_NAME, REQUIRED, .text = "name, for the keys `axes`: letters, digits and _"},
  {"axes[]", "type", BF_KEY_CHOICE, REQUIRED, .set = "axes type", .text = "kind of axes"},
  {"axes[]:cylindrical", "origin", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, .unit = "m", .text = "a point of the axis, after `mesh.scale`; default: the origin"},
  {"axes[]:cylindrical", "axis", BF_KEY_NUMBER, VALUES(3, 3), ELASTICITY, .text = "direction of the axis, of any length; default [0, 0, 1], which is the only one in the plane"},
  {"axes[]:rectangular", "x", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, REQUIRED, .text = "direction of x, of any length"},
  {"axes[]:rectangular", "xy", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, REQUIRED, .text = "a vector in the plane of x and y, on the side of y; z is normal to both"},

  {"boundary[]", "type", BF_KEY_CHOICE, REQUIRED, .set = "boundary type", .text = "type of the condition; determines the other keys"},
  {"boundary[]", "group", BF_KEY_NAME, .text = "boundary group"},
  {"boundary[]", "case", BF_KEY_NAME, OR_VALUES(1, MANY), .text = "load cases in which the condition acts; default: all"},
  {"boundary[]", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "list of groups; `group` or `groups` is required"},
  {"boundary[]:displacement", "x", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component in x; without it x is free"},
  {"boundary[]:displacement", "y", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component in y; without it y is free"},
  {"boundary[]:displacement", "z", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component in z; without it z is free"},
  {"boundary[]:displacement", "r", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component away from the axis of cylindrical `axes`; without it r is free"},
  {"boundary[]:displacement", "t", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component around the axis of cylindrical `axes`, a length and no angle; without it t is free"},
  {"boundary[]:displacement", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes`: rectangular ones have components x, y, z, cylindrical ones r, t, z; default: x, y, z of the mesh"},
  {"boundary[]:traction", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "Pa", .text = "force per area"},
  {"boundary[]:traction", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes` in which the components are; default: x, y, z"},
  {"boundary[]:pressure", "value", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .unit = "Pa", .text = "positive: acts against the outward normal"},
  {"boundary[]:force", "value", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, .unit = "N", .text = "total force on the groups together, as a uniform traction (force / area, on curved sides the integrated area); in a plane body on the whole thickness, axisymmetric: the integral of the radial and of the axial traction over the ring. `value` or `moment` is required"},
  {"boundary[]:force", "moment", BF_KEY_NUMBER, OR_VALUES(3, 3), ELASTICITY, .unit = "N m", .text = "total moment about `about`, as a traction w x (x - centroid) without resultant; 3 components, in the plane one number; not with axisymmetric"},
  {"boundary[]:force", "about", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, .unit = "m", .text = "point where the force acts and to which the moment refers, after `mesh.scale`; it may lie outside the body. Default: the centroid of the groups; not with axisymmetric"},
  {"boundary[]:force", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes` of `value` and `moment`; default: x, y, z. Cylindrical: uniform tractions along r, t and z of every point, whose integrals are `value`; no `moment`, no `about`"},
  {"boundary[]:spring", "value", BF_KEY_FORMULA, OR_VALUES(2, 3), ELASTICITY, REQUIRED, .range = "[0,inf)", .unit = "N/m3", .text = "stiffness per area: one number for all directions, or one per axis"},
  {"boundary[]:temperature", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "K or degC", .text = "prescribed temperature"},
  {"boundary[]:flux", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "W/m2", .text = "heat flux, positive into the body"},
  {"boundary[]:convection", "h", BF_KEY_FORMULA, HEAT, REQUIRED, .range = "[0,inf)", .unit = "W/m2/K", .text = "heat transfer coefficient"},
  {"boundary[]:convection", "ambient", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "K or degC", .text = "ambient temperature"},
  {"boundary[]:value", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3", .text = "prescribed concentration"},
  {"boundary[]:flux", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m2/s", .text = "diffusive flux, positive into the body"},
  {"boundary[]:convection", "h", BF_KEY_FORMULA, ADVECTION, REQUIRED, .range = "[0,inf)", .unit = "m/s", .text = "transfer coefficient; at an inflow the flow speed"},
  {"boundary[]:convection", "ambient", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3", .text = "ambient concentration"},
  {"boundary[]:bloch", "pairs", BF_KEY_NAME, WAVES, ROWS(13, 2, 2), REQUIRED, .text = "pairs of groups on opposite sides; every periodic side belongs to one pair"},
  {"boundary[]:bloch", "tolerance", BF_KEY_NUMBER, WAVES, .range = "(0,0.1]", .preset = "1.0e-6", .text = "tolerance of the node positions relative to the longest lattice vector (default 1.0e-6)"},

  {"loads[]", "type", BF_KEY_CHOICE, REQUIRED, .set = "load type", .text = "type of the load; determines the other keys"},
  {"loads[]", "group", BF_KEY_NAME, .text = "group of the body; for point_force a group of points"},
  {"loads[]", "case", BF_KEY_NAME, OR_VALUES(1, MANY), .text = "load cases in which the load acts; default: all"},
  {"loads[]", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "list of groups. Without `group` and `groups`, or with the word all: the whole body. point_force requires `group`, `groups` or `at`"},
  {"loads[]:gravity", "g", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "m/s2", .text = "acceleration; requires rho in every affected material"},
  {"loads[]:body_force", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "N/m3", .text = "force per volume"},
  {"loads[]:body_force", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes` in which the components are; default: x, y, z"},
  {"loads[]:heat_source", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "W/m3", .text = "heat source per volume"},
  {"loads[]:source", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3/s", .text = "mass source per volume"},
  {"loads[]:point_force", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "N", .text = "force on each point; in a plane body on the whole thickness"},
  {"loads[]:point_force", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes` in which the components are; default: x, y, z"},
  {"loads[]:point_force", "at", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, .unit = "m", .text = "position in the body after `mesh.scale`, instead of groups; the force is distributed to the nodes of the element at this position"},
  {"loads[]:thermal", "value", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .unit = "K or degC", .text = "temperature; at most one thermal load per element"},
  {"loads[]:thermal", "reference", BF_KEY_NUMBER, ELASTICITY, .preset = "0.0", .unit = "K or degC", .text = "temperature of zero strain (default 0)"},

  {"cases.<name>", "boundary", BF_KEY_ENTRIES, .set = "boundary type", .text = "conditions of this case, as in `boundary` of the deck, whose entries act in every case. All cases must prescribe values of the same unknowns; springs and convection belong to the deck"},
  {"cases.<name>", "loads", BF_KEY_ENTRIES, .set = "load type", .text = "loads of this case, as in `loads` of the deck"},
  {"cases.<name>", "sum", BF_KEY_VECTORS, .text = "factors by name of a case: the case is the sum of these, such as {weight: 1.35, wind: 1.5}"},
  {"cases.<name>", "envelope", BF_KEY_CHOICE, .set = "boolean", .preset = "true", .text = "the case counts in the envelope"},

  {"matrix", "format", BF_KEY_CHOICE, .set = "matrix format", .preset = "auto", .text = "storage format"},
  {"matrix", "storage", BF_KEY_CHOICE, .set = "storage", .preset = "auto", .text = "full or half storage of a symmetric matrix"},
  {"matrix", "values", BF_KEY_CHOICE, .set = "values", .preset = "fp64", .text = "precision of the stored entries; vectors and sums are always fp64"},
  {"matrix", "reorder", BF_KEY_CHOICE, .set = "reorder", .preset = "auto", .text = "numbering of the nodes"},

  {"solver", "method", BF_KEY_CHOICE, .set = "solver", .preset = "auto", .text = "solution method"},
  {"solver", "preconditioner", BF_KEY_CHOICE, .set = "preconditioner", .preset = "auto", .text = "preconditioner of the iterative solver"},
  {"solver", "rtol", BF_KEY_NUMBER, .range = "[2.3e-16,1)", .preset = "1.0e-8", .hint = "a tolerance below machine precision cannot be reached", .text = "relative tolerance: converged if the true residual |b - Ax| is at most rtol |b|"},
  {"solver", "atol", BF_KEY_NUMBER, .range = "[0,inf)", .preset = "0.0", .text = "absolute tolerance: converged if |b - Ax| is at most this"},
  {"solver", "max_iterations", BF_KEY_INT, .range = "[1,100000000]", .text = "iteration limit; default max(20000, 100 sqrt(n)) for n unknowns, with cg raised to the number estimated from its Ritz values, at most 20 n"},
  {"solver", "on_failure", BF_KEY_CHOICE, .set = "on failure", .preset = "stop", .text = "action if the solver does not converge"},
  {"solver", "monitor_every", BF_KEY_INT, .range = "[1,100000000]", .preset = "10", .text = "iterations between two log lines"},
  {"solver", "coarse", BF_KEY_TEXT, LATER, .text = "coarse space"},
  {"solver", "multigrid", BF_KEY_MAP, .text = "(multigrid only) how levels are made and visited"},
  {"solver", "block_size", BF_KEY_INT, .range = "[1,480]", .text = "(block_jacobi only, default 64) approximate number of unknowns per block; those of a node stay together"},
  {"solver", "block_parts", BF_KEY_CHOICE, .set = "block parts", .text = "(block_jacobi only, default couplings) method that divides the nodes into blocks"},
  {"solver", "block_values", BF_KEY_CHOICE, .set = "values", .text = "(block_jacobi only, default fp32) precision of the stored inverses; they are computed in fp64, sums are fp64"},

  {"solver.multigrid", "coarsening", BF_KEY_CHOICE, .set = "coarsening", .preset = "auto", .text = "how a level is made from the one above it"},
  {"solver.multigrid", "cycle", BF_KEY_CHOICE, .set = "cycle", .preset = "auto", .text = "order in which levels are visited"},
  {"solver.multigrid", "degree", BF_KEY_INT, .range = "[1,4]", .text = "degree of the smoother's polynomial; default 2, and 3 on the first level for nu > 0.4 or serendipity elements"},
  {"solver.multigrid", "coarsest", BF_KEY_INT, .range = "[1,16384]", .text = "unknowns of the coarsest level, at most; default 2000 on a GPU, 1000 on the CPU, of spectral 12288 and 4096"},
  {"solver.multigrid", "theta", BF_KEY_NUMBER, .range = "[0,1)", .preset = "0.02", .text = "(aggregates) couplings of at least this strength are strong"},
  {"solver.multigrid", "tau", BF_KEY_NUMBER, .range = "(0,1]", .text = "(spectral) eigenvectors with eigenvalues below this are kept, relative to the diagonal of the matrix; default 0.2, in elasticity 0.15"},

  {"eigensolver", "method", BF_KEY_CHOICE, WAVES, .set = "eigensolver", .preset = "auto", .text = "modal: iterative, or shift and invert with a factorisation; dispersion: full or reduced cell"},
  {"eigensolver", "preconditioner", BF_KEY_CHOICE, WAVES, .set = "mode preconditioner", .text = "(lobpcg only, default auto) preconditioner"},
  {"eigensolver", "block_size", BF_KEY_INT, WAVES, .range = "[1,480]", .text = "(block_jacobi only, default 192) approximate number of unknowns per block; those of a node stay together"},
  {"eigensolver", "rtol", BF_KEY_NUMBER, WAVES, .range = "[1.0e-14,1)", .preset = "1.0e-8", .text = "largest accepted residual of a mode (else E505). modal: |K x - lambda M x| relative to |lambda M x|, or at the level of rounding; dispersion: relative to the norms of the matrices"},
  {"eigensolver", "max_iterations", BF_KEY_INT, WAVES, .range = "[1,1000000]", .text = "(modal only, default 500) iteration limit"},
  {"eigensolver", "interior_modes", BF_KEY_INT, WAVES, .range = "[1,2000]", .text = "(dispersion with craig_bampton only, default 40) number of interior modes"},
  {"eigensolver", "batch", BF_KEY_INT, WAVES, .set = "auto", .range = "[1,100000]", .text = "(dispersion only, default auto) wave vectors per batched call; auto: as many as fit into memory"},

  {"device", "backend", BF_KEY_CHOICE, .set = "backend", .preset = "auto", .text = "device of assembly and solver"},
  {"device", "deterministic", BF_KEY_CHOICE, .set = "deterministic", .preset = "true", .text = "repeated runs give bitwise equal results"},
  {"device", "memory_limit", BF_KEY_NUMBER, .range = "(0,1]", .preset = "0.9", .text = "largest fraction of the free memory that a run may use"},
  {"device", "gpus", BF_KEY_TEXT, LATER, .text = "several GPUs"},

  {"output", "dir", BF_KEY_NAME, .preset = "out/<deck name>", .text = "output folder"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), ELASTICITY, .set = "field", .preset = "displacement, reaction, strain, stress, stress_nodal, von_mises, von_mises_max_ip, von_mises_nodal, error_estimate", .text = "result fields to write; material_id is always there"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), HEAT, .set = "field", .preset = "temperature, reaction, heat_flux, heat_flux_nodal, error_estimate", .text = "result fields to write; material_id is always there"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), ADVECTION, .set = "field", .preset = "concentration, reaction, flux, flux_nodal, cell_peclet", .text = "result fields to write; material_id is always there"},
  {"output", "formats", BF_KEY_CHOICE, VALUES(1, 2), .set = "file format", .preset = "vtkhdf, vtk", .text = "result files"},
  {"output", "axes", BF_KEY_NAME, ELASTICITY, .text = "name of `axes`: displacements, reactions, strains, stresses and mode shapes also in its components, as fields displacement_axes, stress_axes, ..."},
  {"output", "compression", BF_KEY_INT, .range = "[0,9]", .preset = "0", .text = "gzip level of the HDF5 file, 0 = none"},
  {"output", "probes", BF_KEY_NAMED, .text = "map of probe points by name (names are free)"},
  {"output", "every", BF_KEY_MAP, LATER, .text = "steps or time between outputs"},
  {"output", "refine", BF_KEY_INT, .range = "[0,16]", .preset = "0", .text = "plane problems, 2 or more: also write refined.vtk, with every cell divided into refine x refine and the fields evaluated between the nodes"},
  {"output", "csv", BF_KEY_CHOICE, .set = "boolean", .preset = "false", .text = "also write probes, reactions and checks as tables: probes.csv, reactions.csv, checks.csv"},
  {"output", "report", BF_KEY_CHOICE, .set = "boolean", .preset = "true", .text = "also write report.html, the run on one page for a browser"},
  {"output", "levels", BF_KEY_CHOICE, .set = "boolean", .preset = "false", .text = "(static only) with preconditioner multigrid also write the nodes of its first two coarse levels as fields: level_1, level_1_cell, level_2, level_2_cell, of planes level_1_planes, level_2_planes; see docs/outputs.md"},
  {"output", "flexibility", BF_KEY_NAME, WAVES, VALUES(1, 32), .text = "(static only) groups whose flexibility (influence) matrix is written: displacements per force, temperatures per heat flow, of the unknowns of their nodes that are not prescribed; flexibility.mtx, flexibility.csv and case.hdf"},
  {"output", "save_modes", BF_KEY_MAP, WAVES, .text = "(dispersion only) mode shapes to write; default: none"},
  {"output", "checkpoint", BF_KEY_MAP, LATER, .text = "restart files"},
  {"output.save_modes", "at", BF_KEY_NAME, WAVES, VALUES(1, 100), REQUIRED, .text = "points of `analysis.points`"},
  {"output.save_modes", "bands", BF_KEY_INT, WAVES, VALUES(1, 100), REQUIRED, .range = "[1,10000]", .text = "band numbers, from 1"},
  {"output.probes.<name>", "at", BF_KEY_NUMBER, VALUES(2, 3), REQUIRED, .unit = "m", .text = "position, after `mesh.scale`"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), ELASTICITY, .set = "field", .preset = "displacement", .text = "fields to record"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), HEAT, .set = "field", .preset = "temperature", .text = "fields to record"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), ADVECTION, .set = "field", .preset = "concentration", .text = "fields to record"},

  {"checks[]", "quantity", BF_KEY_QUANTITY, REQUIRED, .text = "quantity to check, see below"},
  {"checks[]", "case", BF_KEY_NAME, OR_VALUES(1, MANY), .text = "load cases and sums that are checked; default: each of them"},
  {"checks[]", "expect", BF_KEY_NUMBER, .text = "expected value; requires `rtol` or `atol`"},
  {"checks[]", "rtol", BF_KEY_NUMBER, .range = "(0,1)", .code = 116, .hint = "an rtol of 1 or more accepts 0 for every expected value", .text = "|got - expect| <= rtol |expect|"},
  {"checks[]", "atol", BF_KEY_NUMBER, .range = "(0,inf)", .text = "|got - expect| <= atol"},
  {"checks[]", "report", BF_KEY_CHOICE, .set = "boolean", .preset = "false", .text = "true: print the value without a check; no `expect`"},
  {"checks[]", "note", BF_KEY_TEXT, .preset = "", .text = "source of the expected value"},
};
/* clang-format on */

const bf_key *bf_schema_keys(int *count)
{
  *count = (int)(sizeof keys / sizeof *keys);
  return keys;
}

int bf_schema_fits(int row_physics, int physics)
{
  return row_physics == 0 || (row_physics & physics) != 0;
}

const bf_key *bf_schema_key(const char *section, const char *name, int physics)
{
  const bf_key *found = NULL;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(keys[i].name, name) != 0 || strcmp(keys[i].section, section) != 0) continue;
    if (bf_schema_fits(keys[i].physics, physics)) return &keys[i];
    found = &keys[i];
  }
  return found;
}

const char *bf_schema_physics(int mask)
{
  switch (mask) {
  case BF_ON_HEAT: return "heat";
  case BF_ON_ELASTICITY: return "elasticity";
  case BF_ON_ADVECTION: return "advection_diffusion";
  case BF_ON_HEAT | BF_ON_ELASTICITY: return "heat and elasticity";
  default: return "heat, elasticity and advection_diffusion";
  }
}

const char *bf_schema_below(const bf_key *key, char path[BF_SECTION_MAX])
{
  static const char *const tail[]  = {[BF_KEY_NAMED] = ".<name>", [BF_KEY_ENTRIES] = "[]"};
  const int                of_case = key->type == BF_KEY_ENTRIES && strncmp(key->section, "cases.", 6) == 0;
  const char *section = of_case ? "" : key->section; /* entries of a case are those of the deck */
  const char *end     = key->type == BF_KEY_NAMED || key->type == BF_KEY_ENTRIES ? tail[key->type] : "";
  snprintf(path, BF_SECTION_MAX, "%s%s%s%s", section, section[0] ? "." : "", key->name, end);
  return path;
}

bf_range bf_schema_range(const char *range)
{
  bf_range r = {-INFINITY, INFINITY, 1, 1};
  if (!range) return r;
  char *end;
  r.low_open  = range[0] == '(';
  r.low       = strtod(range + 1, &end);
  r.high      = strtod(end + 1, &end);
  r.high_open = *end == ')';
  return r;
}
