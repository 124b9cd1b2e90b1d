/* inputs/schema.c - every key of the deck language: the table behind reader, messages and docs/deck.md */
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
  {"", "title", BF_KEY_TEXT, .preset = "", .text = "one line about the problem, copied into the results"},
  {"", "include", BF_KEY_NAME, VALUES(1, MANY), .one = 1, .text = "other files with parts of the deck, see below; paths relative to the file that names them"},
  {"", "units", BF_KEY_MAP, .preset = "{}", .text = "what the numbers are measured in"},
  {"", "mesh", BF_KEY_MAP, REQUIRED, .text = "a mesh file or a generated mesh"},
  {"", "physics", BF_KEY_CHOICE, REQUIRED, .set = "physics", .text = "what is solved for"},
  {"", "analysis", BF_KEY_MAP, .preset = "{}", .text = "what is asked of the physics"},
  {"", "discretization", BF_KEY_MAP, .preset = "{}", .text = "how the fields are approximated"},
  {"", "materials", BF_KEY_NAMED, REQUIRED, .text = "a map of free names, one for each material"},
  {"", "initial", BF_KEY_MAP, LATER, .text = "fields at the start of a transient"},
  {"", "boundary", BF_KEY_ENTRIES, .set = "boundary type", .text = "a list of conditions on named parts of the boundary; a part without one is free or insulated"},
  {"", "loads", BF_KEY_ENTRIES, .set = "load type", .text = "a list of loads inside the body"},
  {"", "matrix", BF_KEY_MAP, .preset = "{}", .text = "how the matrix is numbered and stored"},
  {"", "solver", BF_KEY_MAP, .preset = "{}", .text = "how the equations are solved"},
  {"", "eigensolver", BF_KEY_MAP, WAVES, .preset = "{}", .text = "how the modes of modal and dispersion are found"},
  {"", "device", BF_KEY_MAP, .preset = "{}", .text = "where the work is done"},
  {"", "partition", BF_KEY_MAP, LATER, .text = "several processes"},
  {"", "output", BF_KEY_MAP, .preset = "{}", .text = "what is written, and where"},
  {"", "checks", BF_KEY_ENTRIES, .text = "a list of assertions on the result; a failing one gives exit status 6"},

  {"units", "system", BF_KEY_CHOICE, .set = "units", .preset = "SI", .text = "a label for the results and a check of the values, see below; nothing is converted"},

  {"mesh", "file", BF_KEY_NAME, .text = "Gmsh file (.msh 2.2 or 4.1), path relative to the deck; a .geo is meshed first by the gmsh program, into mesh.msh in the folder of the results (gmsh runs what a .geo says); this or `generate`"},
  {"mesh", "generate", BF_KEY_MAP, .text = "a generated mesh: `box` or `rectangle`"},
  {"mesh", "scale", BF_KEY_NUMBER, .range = "(0,inf)", .preset = "1.0", .text = "factor on all coordinates"},
  {"mesh", "order", BF_KEY_CHOICE, .set = "mesh order", .preset = "from_file", .text = "order of the elements"},
  {"mesh.generate", "box", BF_KEY_MAP, .text = "3D, groups volume, x_min, x_max, y_min, y_max, z_min, z_max"},
  {"mesh.generate", "rectangle", BF_KEY_MAP, .text = "2D, groups surface, x_min, x_max, y_min, y_max"},
  {"mesh.generate.box", "size", BF_KEY_NUMBER, VALUES(3, 3), REQUIRED, .range = "(0,inf)", .unit = "m", .text = "lengths of the sides; one corner is the origin"},
  {"mesh.generate.box", "cells", BF_KEY_INT, VALUES(3, 3), REQUIRED, .range = "[1,100000]", .text = "cells in each direction"},
  {"mesh.generate.box", "element", BF_KEY_CHOICE, REQUIRED, .set = "box element", .text = "what a cell is filled with"},
  {"mesh.generate.rectangle", "size", BF_KEY_NUMBER, VALUES(2, 2), REQUIRED, .range = "(0,inf)", .unit = "m", .text = "lengths of the sides; one corner is the origin"},
  {"mesh.generate.rectangle", "cells", BF_KEY_INT, VALUES(2, 2), REQUIRED, .range = "[1,100000]", .text = "cells in each direction"},
  {"mesh.generate.rectangle", "element", BF_KEY_CHOICE, REQUIRED, .set = "rectangle element", .text = "what a cell is filled with"},

  {"analysis", "type", BF_KEY_CHOICE, .set = "analysis", .preset = "static", .text = "kind of analysis"},
  {"analysis", "t_end", BF_KEY_NUMBER, LATER, .unit = "s", .text = "end of a transient"},
  {"analysis", "dt", BF_KEY_NUMBER, LATER, .unit = "s", .text = "time step"},
  {"analysis", "scheme", BF_KEY_TEXT, LATER, .text = "time stepping"},
  {"analysis", "adaptive", BF_KEY_MAP, LATER, .text = "step control"},
  {"analysis", "modes", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "of modal, required: number of modes, the lowest ones"},
  {"analysis", "shift", BF_KEY_NUMBER, WAVES, .range = "[0,inf)", .unit = "Hz", .text = "of modal, by default 0: the modes nearest to this frequency; others than 0 need shift_invert"},
  {"analysis", "mass", BF_KEY_CHOICE, WAVES, .set = "mass", .text = "of modal, by default consistent: the mass matrix"},
  {"analysis", "normalization", BF_KEY_CHOICE, WAVES, .set = "normalization", .text = "of modal, by default mass: the size of the mode shapes"},
  {"analysis", "bands", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "of dispersion, required: bands of the diagram, the lowest ones"},
  {"analysis", "lattice", BF_KEY_NUMBER, WAVES, ROWS(3, 2, 3), .unit = "m", .text = "of dispersion, required: periods of the medium after `mesh.scale`, a vector for each periodic direction, 1 to 3"},
  {"analysis", "points", BF_KEY_VECTORS, WAVES, VALUES(1, 3), .text = "of dispersion, required: wave vectors by name, in the units of `k_units`"},
  {"analysis", "path", BF_KEY_NAME, WAVES, VALUES(2, 1000), .text = "of dispersion, required: names of points; the diagram follows the straight legs between them"},
  {"analysis", "samples", BF_KEY_INT, WAVES, .range = "[1,10000]", .text = "of dispersion, by default 20: wave vectors a leg, its last end not counted"},
  {"analysis", "k_units", BF_KEY_CHOICE, WAVES, .set = "k units", .text = "of dispersion, by default reciprocal: units of `points`"},

  {"discretization", "method", BF_KEY_CHOICE, .set = "method", .preset = "fem", .text = "interpolation"},
  {"discretization", "space", BF_KEY_CHOICE, .set = "space", .text = "2D elasticity must say which, a body of revolution always; otherwise by the mesh"},
  {"discretization", "thickness", BF_KEY_NUMBER, .range = "(0,inf)", .unit = "m", .preset = "1.0", .text = "of a plane body; not with axisymmetric"},
  {"discretization", "quadrature", BF_KEY_INT, .set = "auto", .range = "[1,8]", .preset = "auto", .text = "integration points a direction; auto: exact on elements of constant Jacobian"},
  {"discretization", "order", BF_KEY_INT, .range = "[1,3]", .text = "of method gfem, by default 2; the unknowns are the same at every order; 1 is method fem to the bit"},
  {"discretization", "patch", BF_KEY_CHOICE, .set = "patch", .text = "of method gfem, by default auto: which nodes a polynomial is fitted to"},
  {"discretization", "extra_rings", BF_KEY_INT, .range = "[0,2]", .text = "of method gfem with patches of rings, by default 0: further rings, a wider band on purpose"},
  {"discretization", "nitsche_gamma", BF_KEY_NUMBER, .range = "(0,inf)", .text = "of method gfem, by default 30: penalty where values are prescribed on curved sides"},
  {"discretization", "incompatible", BF_KEY_CHOICE, ELASTICITY, .set = "boolean", .preset = "false", .text = "incompatible modes: quad4 and hex8 that bend; not with axisymmetric"},
  {"discretization", "condense", BF_KEY_CHOICE, .set = "condense", .preset = "auto", .text = "static condensation: the unknowns in the middle of quad9 and hex27, eliminated element by element; the solution is the same"},
  {"discretization", "stabilization", BF_KEY_CHOICE, ADVECTION, .set = "stabilization", .preset = "supg", .text = "what keeps the solution from oscillating where the flow is faster than diffusion"},

  {"materials.<name>", "group", BF_KEY_NAME, .text = "one volume group (3D) or surface group (2D)"},
  {"materials.<name>", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "a list of them; `group` or `groups` is required"},
  {"materials.<name>", "E", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .range = "(0,inf)", .unit = "Pa", .text = "Young's modulus"},
  {"materials.<name>", "nu", BF_KEY_NUMBER, ELASTICITY, REQUIRED, .range = "(-1,0.5)", .code = 303, .hint = "0.5 would be incompressible", .text = "Poisson's ratio"},
  {"materials.<name>", "rho", BF_KEY_NUMBER, ELASTICITY, .range = "(0,inf)", .unit = "kg/m3", .text = "density; gravity, modal and dispersion need it"},
  {"materials.<name>", "k", BF_KEY_FORMULA, HEAT, REQUIRED, .range = "(0,inf)", .unit = "W/m/K", .text = "conductivity"},
  {"materials.<name>", "rho", BF_KEY_NUMBER, HEAT, .range = "(0,inf)", .unit = "kg/m3", .text = "density"},
  {"materials.<name>", "cp", BF_KEY_NUMBER, HEAT, LATER, .unit = "J/kg/K", .text = "heat capacity"},
  {"materials.<name>", "alpha", BF_KEY_NUMBER, ELASTICITY, .unit = "1/K", .text = "thermal expansion; a thermal load needs it"},
  {"materials.<name>", "diffusivity", BF_KEY_FORMULA, ADVECTION, REQUIRED, .range = "(0,inf)", .unit = "m2/s", .text = "diffusivity"},
  {"materials.<name>", "velocity", BF_KEY_FORMULA, VALUES(2, 3), ADVECTION, REQUIRED, .unit = "m/s", .text = "velocity of the flow; free of divergence if the mass is to be in balance"},
  {"materials.<name>", "reaction", BF_KEY_FORMULA, ADVECTION, .preset = "0.0", .unit = "1/s", .text = "rate at which the substance is used up; negative: made"},

  {"boundary[]", "type", BF_KEY_CHOICE, REQUIRED, .set = "boundary type", .text = "kind of condition; decides the further keys"},
  {"boundary[]", "group", BF_KEY_NAME, .text = "one group of the boundary"},
  {"boundary[]", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "a list of them; `group` or `groups` is required"},
  {"boundary[]:displacement", "x", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component; without it the body is free in x"},
  {"boundary[]:displacement", "y", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component in y"},
  {"boundary[]:displacement", "z", BF_KEY_FORMULA, ELASTICITY, .unit = "m", .text = "component in z"},
  {"boundary[]:traction", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "Pa", .text = "force per area on the body"},
  {"boundary[]:pressure", "value", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .unit = "Pa", .text = "positive pushes against the outward normal"},
  {"boundary[]:spring", "value", BF_KEY_FORMULA, OR_VALUES(2, 3), ELASTICITY, REQUIRED, .range = "[0,inf)", .unit = "N/m3", .text = "force per area and displacement: one number for every direction, or one for each axis"},
  {"boundary[]:temperature", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "K or degC", .text = "prescribed temperature"},
  {"boundary[]:flux", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "W/m2", .text = "positive into the body"},
  {"boundary[]:convection", "h", BF_KEY_FORMULA, HEAT, REQUIRED, .range = "[0,inf)", .unit = "W/m2/K", .text = "heat transfer coefficient"},
  {"boundary[]:convection", "ambient", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "K or degC", .text = "temperature far away"},
  {"boundary[]:value", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3", .text = "prescribed concentration"},
  {"boundary[]:flux", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m2/s", .text = "by diffusion, positive into the body"},
  {"boundary[]:convection", "h", BF_KEY_FORMULA, ADVECTION, REQUIRED, .range = "[0,inf)", .unit = "m/s", .text = "transfer coefficient; the speed of the flow where it enters"},
  {"boundary[]:convection", "ambient", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3", .text = "concentration outside"},
  {"boundary[]:bloch", "pairs", BF_KEY_NAME, WAVES, ROWS(13, 2, 2), REQUIRED, .text = "groups of opposite sides, two and two; every periodic side is in one of them"},
  {"boundary[]:bloch", "tolerance", BF_KEY_NUMBER, WAVES, .range = "(0,0.1]", .preset = "1.0e-6", .text = "how far nodes may be from their places, relative to the longest lattice vector (default 1.0e-6)"},

  {"loads[]", "type", BF_KEY_CHOICE, REQUIRED, .set = "load type", .text = "kind of load; decides the further keys"},
  {"loads[]", "group", BF_KEY_NAME, .text = "one group of the body; of point_force: of points"},
  {"loads[]", "groups", BF_KEY_NAME, VALUES(1, MANY), .text = "a list of them; without both, or with the word all: the whole body (point_force: needs them, or `at`)"},
  {"loads[]:gravity", "g", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "m/s2", .text = "acceleration; needs rho in every material it acts on"},
  {"loads[]:body_force", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "N/m3", .text = "force per volume"},
  {"loads[]:heat_source", "value", BF_KEY_FORMULA, HEAT, REQUIRED, .unit = "W/m3", .text = "heat per volume and time"},
  {"loads[]:source", "value", BF_KEY_FORMULA, ADVECTION, REQUIRED, .unit = "kg/m3/s", .text = "mass per volume and time"},
  {"loads[]:point_force", "value", BF_KEY_FORMULA, VALUES(2, 3), ELASTICITY, REQUIRED, .unit = "N", .text = "force on each point; of a plane body: on its whole thickness"},
  {"loads[]:point_force", "at", BF_KEY_NUMBER, VALUES(2, 3), ELASTICITY, .unit = "m", .text = "a place in the body, after `mesh.scale`, instead of groups; the element there shares the force between its nodes"},
  {"loads[]:thermal", "value", BF_KEY_FORMULA, ELASTICITY, REQUIRED, .unit = "K or degC", .text = "temperature; an element has one at most"},
  {"loads[]:thermal", "reference", BF_KEY_NUMBER, ELASTICITY, .preset = "0.0", .unit = "K or degC", .text = "temperature without strain (default 0)"},

  {"matrix", "format", BF_KEY_CHOICE, .set = "matrix format", .preset = "auto", .text = "storage format"},
  {"matrix", "storage", BF_KEY_CHOICE, .set = "storage", .preset = "auto", .text = "all of a symmetric matrix or half"},
  {"matrix", "values", BF_KEY_CHOICE, .set = "values", .preset = "fp64", .text = "precision of the stored entries; vectors and sums are always fp64"},
  {"matrix", "reorder", BF_KEY_CHOICE, .set = "reorder", .preset = "auto", .text = "numbering of the nodes"},

  {"solver", "method", BF_KEY_CHOICE, .set = "solver", .preset = "auto", .text = "iterative method"},
  {"solver", "preconditioner", BF_KEY_CHOICE, .set = "preconditioner", .preset = "jacobi", .text = "what the iteration is helped with"},
  {"solver", "rtol", BF_KEY_NUMBER, .range = "[2.3e-16,1)", .preset = "1.0e-8", .hint = "a tolerance below machine precision cannot be reached", .text = "stop when the true residual |b - Ax| / |b| is below"},
  {"solver", "atol", BF_KEY_NUMBER, .range = "[0,inf)", .preset = "0.0", .text = "... or |b - Ax| is below"},
  {"solver", "max_iterations", BF_KEY_INT, .range = "[1,100000000]", .text = "iteration limit; by default max(20000, 100 sqrt(n)) for n unknowns, and with cg as many as its Ritz values ask for, up to 20 n"},
  {"solver", "on_failure", BF_KEY_CHOICE, .set = "on failure", .preset = "stop", .text = "when it does not converge"},
  {"solver", "monitor_every", BF_KEY_INT, .range = "[1,100000000]", .preset = "10", .text = "iterations between two lines of the log"},
  {"solver", "coarse", BF_KEY_TEXT, LATER, .text = "coarse space"},
  {"solver", "block_size", BF_KEY_INT, .range = "[1,480]", .text = "of block_jacobi, by default 64: unknowns of a block, about; those of a node stay together"},
  {"solver", "block_parts", BF_KEY_CHOICE, .set = "block parts", .text = "of block_jacobi, by default couplings: how the nodes are divided into blocks"},
  {"solver", "block_values", BF_KEY_CHOICE, .set = "values", .text = "of block_jacobi, by default fp32: precision of the stored inverses; they are computed in fp64, sums are fp64 too"},

  {"eigensolver", "method", BF_KEY_CHOICE, WAVES, .set = "eigensolver", .preset = "auto", .text = "of modal: iteration, or one on a factorisation; of dispersion: the whole cell, or fewer unknowns"},
  {"eigensolver", "preconditioner", BF_KEY_CHOICE, WAVES, .set = "mode preconditioner", .text = "of lobpcg, by default auto: what it is helped with"},
  {"eigensolver", "block_size", BF_KEY_INT, WAVES, .range = "[1,480]", .text = "of block_jacobi, by default 192: unknowns of a block, about; those of a node stay together"},
  {"eigensolver", "rtol", BF_KEY_NUMBER, WAVES, .range = "[1.0e-14,1)", .preset = "1.0e-8", .text = "E505 where a mode's residual is above; of modal |K x - lambda M x| over |lambda M x|, or what rounding leaves of it; of dispersion over norms of the matrices"},
  {"eigensolver", "max_iterations", BF_KEY_INT, WAVES, .range = "[1,1000000]", .text = "of modal, by default 500: give up after"},
  {"eigensolver", "interior_modes", BF_KEY_INT, WAVES, .range = "[1,2000]", .text = "of dispersion with craig_bampton, by default 40: modes of the interior that are kept"},
  {"eigensolver", "batch", BF_KEY_INT, WAVES, .set = "auto", .range = "[1,100000]", .text = "of dispersion, by default auto: wave vectors solved in one call; auto: as many as fit"},

  {"device", "backend", BF_KEY_CHOICE, .set = "backend", .preset = "auto", .text = "where the matrix is assembled and solved"},
  {"device", "deterministic", BF_KEY_CHOICE, .set = "deterministic", .preset = "true", .text = "the same run gives the same bits"},
  {"device", "memory_limit", BF_KEY_NUMBER, .range = "(0,1]", .preset = "0.9", .text = "fraction of the free memory a run may use"},
  {"device", "gpus", BF_KEY_TEXT, LATER, .text = "several GPUs"},

  {"output", "dir", BF_KEY_NAME, .preset = "out/<deck name>", .text = "folder of the results"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), ELASTICITY, .set = "field", .preset = "displacement, reaction, strain, stress, stress_nodal, von_mises, von_mises_max_ip, von_mises_nodal, error_estimate", .text = "result fields to write; material_id is always there"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), HEAT, .set = "field", .preset = "temperature, reaction, heat_flux, heat_flux_nodal, error_estimate", .text = "result fields to write; material_id is always there"},
  {"output", "fields", BF_KEY_CHOICE, VALUES(1, 32), ADVECTION, .set = "field", .preset = "concentration, reaction, flux, flux_nodal, cell_peclet", .text = "result fields to write; material_id is always there"},
  {"output", "formats", BF_KEY_CHOICE, VALUES(1, 2), .set = "file format", .preset = "vtkhdf, vtk", .text = "result files"},
  {"output", "compression", BF_KEY_INT, .range = "[0,9]", .preset = "0", .text = "gzip level of the HDF5 file, 0 = none"},
  {"output", "probes", BF_KEY_NAMED, .text = "a map of free names, one for each point to be watched"},
  {"output", "every", BF_KEY_MAP, LATER, .text = "steps or time between outputs"},
  {"output", "refine", BF_KEY_INT, .range = "[0,16]", .preset = "0", .text = "2 and more, plane problems: refined.vtk too, every cell cut into refine x refine with the fields between the nodes"},
  {"output", "csv", BF_KEY_CHOICE, .set = "boolean", .preset = "false", .text = "probes, reactions and checks as tables too: probes.csv, reactions.csv, checks.csv"},
  {"output", "save_modes", BF_KEY_MAP, WAVES, .text = "of dispersion: which mode shapes are written; none without it"},
  {"output", "checkpoint", BF_KEY_MAP, LATER, .text = "restart files"},
  {"output.save_modes", "at", BF_KEY_NAME, WAVES, VALUES(1, 100), REQUIRED, .text = "points of `analysis.points`"},
  {"output.save_modes", "bands", BF_KEY_INT, WAVES, VALUES(1, 100), REQUIRED, .range = "[1,10000]", .text = "numbers of bands, from 1"},
  {"output.probes.<name>", "at", BF_KEY_NUMBER, VALUES(2, 3), REQUIRED, .unit = "m", .text = "place, after `mesh.scale`"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), ELASTICITY, .set = "field", .preset = "displacement", .text = "fields to be recorded there"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), HEAT, .set = "field", .preset = "temperature", .text = "fields to be recorded there"},
  {"output.probes.<name>", "fields", BF_KEY_CHOICE, VALUES(1, 32), ADVECTION, .set = "field", .preset = "concentration", .text = "fields to be recorded there"},

  {"checks[]", "quantity", BF_KEY_QUANTITY, REQUIRED, .text = "what is looked at, see below"},
  {"checks[]", "expect", BF_KEY_NUMBER, .text = "what it should be; with `rtol` or `atol`"},
  {"checks[]", "rtol", BF_KEY_NUMBER, .range = "(0,1)", .code = 116, .hint = "rtol of 1 and more accepts 0 whatever is expected", .text = "|got - expect| <= rtol |expect|"},
  {"checks[]", "atol", BF_KEY_NUMBER, .range = "(0,inf)", .text = "|got - expect| <= atol"},
  {"checks[]", "report", BF_KEY_CHOICE, .set = "boolean", .preset = "false", .text = "true: only print it, no `expect`"},
  {"checks[]", "note", BF_KEY_TEXT, .preset = "", .text = "where the expected value comes from"},
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
  static const char *const tail[] = {[BF_KEY_NAMED] = ".<name>", [BF_KEY_ENTRIES] = "[]"};
  const char *end = key->type == BF_KEY_NAMED || key->type == BF_KEY_ENTRIES ? tail[key->type] : "";
  snprintf(path, BF_SECTION_MAX, "%s%s%s%s", key->section, key->section[0] ? "." : "", key->name, end);
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
