/* inputs/schema_words.c - every word a choice may have, with its meaning */
#include "inputs/schema.h"
#include <string.h>

#define HEAT       .physics = BF_ON_HEAT
#define ELASTICITY .physics = BF_ON_ELASTICITY
#define ADVECTION  .physics = BF_ON_ADVECTION
#define WAVES      .physics = BF_ON_WAVES
#define LATER      .later = 1

/* clang-format off */
static const bf_word words[] = {
  {"boolean", "true", .text = "yes"},
  {"boolean", "false", .text = "no"},
  {"deterministic", "true", .text = "sums in a fixed order"},
  {"deterministic", "false", LATER, .text = "sums in any order"},
  {"auto", "auto", .text = "decided by the program"},

  {"units", "SI", .text = "m, kg, s, K, N, Pa, W"},
  {"units", "mm-N-MPa-t", .text = "mm, t, s, N, MPa, mW, K"},

  {"mesh order", "from_file", .text = "as the mesh has them"},
  {"mesh order", "1", .text = "linear: mid-side nodes are dropped"},
  {"mesh order", "2", .text = "quadratic: edges without mid-side node get one in their middle; gmsh makes a `.geo` quadratic itself, on its curves"},
  {"box element", "hex8", .text = "linear hexahedron"},
  {"box element", "hex20", .text = "quadratic hexahedron, nodes on its edges"},
  {"box element", "hex27", .text = "quadratic hexahedron, nodes also in the middle of its faces and its own"},
  {"box element", "tet4", .text = "six linear tetrahedra a cell"},
  {"box element", "tet10", .text = "six quadratic tetrahedra a cell"},
  {"rectangle element", "quad4", .text = "linear quadrilateral"},
  {"rectangle element", "quad8", .text = "quadratic quadrilateral, nodes on its edges"},
  {"rectangle element", "quad9", .text = "quadratic quadrilateral, one more node in its middle"},
  {"rectangle element", "tri3", .text = "two linear triangles a cell"},
  {"rectangle element", "tri6", .text = "two quadratic triangles a cell"},

  {"physics", "heat", .text = "heat conduction: -div(k grad T) = source"},
  {"physics", "elasticity", .text = "linear elasticity, small displacements"},
  {"physics", "advection_diffusion", .text = "a substance carried by a flow: v grad c - div(D grad c) + r c = source"},
  {"analysis", "static", .text = "equilibrium, steady state"},
  {"analysis", "transient", LATER, .text = "in time"},
  {"analysis", "modal", WAVES, .text = "free vibrations (heat: of a membrane or another scalar wave, k the stiffness and rho the mass)"},
  {"analysis", "dispersion", WAVES, .text = "frequencies of waves in a periodic medium, from one cell of it (heat: scalar waves, k the stiffness and rho the density)"},
  {"k units", "reciprocal", .text = "fractions of the reciprocal lattice vectors, one for each lattice vector"},
  {"k units", "rad_per_length", .text = "the wave vector itself, rad/m"},
  {"mass", "consistent", .text = "by the shape functions: frequencies from above where the geometry is met"},
  {"mass", "lumped", .text = "a diagonal matrix: nothing to store, frequencies usually from below"},
  {"normalization", "mass", .text = "phi M phi = 1"},
  {"normalization", "max", .text = "the largest component is 1"},
  {"eigensolver", "auto", .text = "modal: shift_invert on the CPU where its factors are cheap, else lobpcg; dispersion: direct up to 512 unknowns of a cell, else craig_bampton"},
  {"eigensolver", "lobpcg", .text = "modal: locally optimal block preconditioned conjugate gradients, on both backends"},
  {"eigensolver", "shift_invert", .text = "modal: Lanczos's method on a factorisation of the band: thin bodies; on the CPU, and its memory is forecast"},
  {"eigensolver", "direct", .text = "dispersion: all unknowns of the cell, as dense matrices"},
  {"eigensolver", "craig_bampton", .text = "dispersion: unknowns of the periodic sides, and modes of the interior held there"},
  {"mode preconditioner", "auto", .text = "direct where its factors are cheap; else on the GPU block_jacobi with blocks of 480 to 48000 unknowns; else jacobi"},
  {"mode preconditioner", "jacobi", .text = "the diagonal of the stiffness"},
  {"mode preconditioner", "block_jacobi", .text = "inverses of its diagonal blocks of neighbouring nodes (fp32): fewer steps, on both backends"},
  {"mode preconditioner", "direct", .text = "factors of the band, as of shift_invert: some ten steps; the CPU makes and applies them, beside a GPU too, and their memory is forecast"},
  {"method", "fem", .text = "isoparametric finite elements"},
  {"method", "gfem", .text = "generalised finite elements on tri3 and quad4 in the plane: higher order on the same nodes, a wider band"},
  {"stabilization", "supg", .text = "test functions that lean upstream: streamline upwind Petrov-Galerkin"},
  {"stabilization", "none", .text = "Galerkin's method; W311 where it may oscillate"},
  {"condense", "auto", .text = "where it pays: fewer unknowns and iterations against the elimination; the log says where not"},
  {"condense", "on", .text = "E315 where it cannot be done"},
  {"condense", "off", .text = "every node has a row of the matrix"},
  {"patch", "auto", .text = "rings"},
  {"patch", "rings", .text = "rings of elements around a node, as many as the fit needs"},
  {"patch", "compact", .text = "the nearest nodes, as many as the fit needs"},
  {"space", "3d", .text = "solid"},
  {"space", "plane_stress", ELASTICITY, .text = "thin plate, no stress across"},
  {"space", "plane_strain", ELASTICITY, .text = "long body, no strain across"},
  {"space", "axisymmetric", .text = "body of revolution: x the radius, y the axis; forces and heat are those of the whole turn"},

  {"boundary type", "fixed", ELASTICITY, .text = "all displacement components are 0"},
  {"boundary type", "displacement", ELASTICITY, .text = "the components that are given; at least one"},
  {"boundary type", "symmetry", ELASTICITY, .text = "no displacement along the normal of a flat side that is parallel to two axes"},
  {"boundary type", "traction", ELASTICITY, .text = "force per area"},
  {"boundary type", "pressure", ELASTICITY, .text = "force per area along the normal"},
  {"boundary type", "spring", ELASTICITY, .text = "elastic support: a force -value u on the body for each area; it holds the body in these directions"},
  {"boundary type", "bloch", WAVES, .text = "periodic up to a phase, u(r+R) = u(r) exp(i k.R); of analysis dispersion"},
  {"boundary type", "temperature", HEAT, .text = "prescribed temperature"},
  {"boundary type", "flux", HEAT, .text = "heat per area and time"},
  {"boundary type", "convection", HEAT, .text = "flux h (ambient - T) into the body"},
  {"boundary type", "insulated", HEAT, .text = "no flux; the same as saying nothing"},
  {"boundary type", "value", ADVECTION, .text = "prescribed concentration"},
  {"boundary type", "flux", ADVECTION, .text = "mass per area and time by diffusion; what the flow carries is beside it"},
  {"boundary type", "convection", ADVECTION, .text = "flux h (ambient - c) into the body by diffusion: transfer at a surface, or an inflow that mixes"},
  {"boundary type", "outflow", ADVECTION, .text = "no flux by diffusion, the flow carries out what there is; the same as saying nothing"},
  {"load type", "gravity", ELASTICITY, .text = "rho g"},
  {"load type", "body_force", ELASTICITY, .text = "force per volume"},
  {"load type", "point_force", ELASTICITY, .text = "force on points of the mesh, or at a place in the body"},
  {"load type", "thermal", ELASTICITY, .text = "thermal strain alpha (value - reference) in every direction; needs alpha in every material it acts on"},
  {"load type", "heat_source", HEAT, .text = "heat per volume"},
  {"load type", "source", ADVECTION, .text = "mass per volume and time"},

  {"matrix format", "auto", .text = "the least expected time of a product; the log prints the table"},
  {"matrix format", "bdia", .text = "banded diagonals"},
  {"matrix format", "csr", .text = "compressed rows"},
  {"matrix format", "csr16", .text = "compressed rows, short indices"},
  {"matrix format", "hybrid", .text = "diagonals and a remainder"},
  {"matrix format", "ell", .text = "padded rows"},
  {"matrix format", "hyb", .text = "padded rows and a remainder"},
  {"matrix format", "dia", .text = "plain diagonals"},
  {"matrix format", "coo", .text = "triplets"},
  {"storage", "auto", .text = "by the expected time of a product"},
  {"storage", "full", .text = "both triangles"},
  {"storage", "symmetric", .text = "diagonal and upper triangle"},
  {"values", "fp64", .text = "double precision"},
  {"values", "fp32", .text = "single precision, corrected to the full tolerance"},
  {"reorder", "auto", .text = "the candidate with the fewest diagonals"},
  {"reorder", "file", .text = "as in the mesh"},
  {"reorder", "lexicographic", .text = "sorted by coordinates"},
  {"reorder", "rcm", .text = "reverse Cuthill-McKee"},
  {"reorder", "levels", .text = "level sets from a side of the body"},

  {"solver", "auto", .text = "cg for symmetric matrices, else bicgstab"},
  {"solver", "cg", .text = "conjugate gradients"},
  {"solver", "bicgstab", .text = "stabilised bi-conjugate gradients"},
  {"solver", "bicg", .text = "bi-conjugate gradients: smoother than bicgstab's where that breaks down"},
  {"solver", "direct", .text = "Cholesky or LU of the equilibrated band with iterative refinement; on the CPU, its memory is forecast"},
  {"preconditioner", "none", .text = "nothing"},
  {"preconditioner", "jacobi", .text = "the diagonal"},
  {"preconditioner", "auto", .text = "decided by the program"},
  {"preconditioner", "block_jacobi", .text = "inverses of diagonal blocks of neighbouring nodes"},
  {"preconditioner", "schwarz", LATER, .text = "overlapping subdomains"},
  {"preconditioner", "spectral_sa", LATER, .text = "smoothed aggregation"},
  {"block parts", "couplings", .text = "parts grown along the strongest couplings of the matrix, in linear time"},
  {"block parts", "metis", .text = "METIS's parts of the node graph: about equal, few edges between them; about 1e5 nodes a second"},
  {"on failure", "stop", .text = "results are marked as not converged, exit status 5"},
  {"on failure", "warn", .text = "results are marked as not converged, a warning, and the run goes on"},
  {"backend", "auto", .text = "the GPU if one can be used, else the CPU; the log says which"},
  {"backend", "cpu", .text = "all cores"},
  {"backend", "cuda", .text = "the GPU, or an error"},
  {"file format", "vtkhdf", .text = "case.hdf: mesh, fields and the whole record of the run"},
  {"file format", "vtk", .text = "case.vtk: legacy binary, opens everywhere"},

  {"field", "displacement", ELASTICITY, .ncomp = 3, .text = "m, at nodes"},
  {"field", "reaction", ELASTICITY, .ncomp = 3, .text = "N, at nodes: force of the supports on the body, springs too"},
  {"field", "strain", ELASTICITY, .ncomp = 6, .text = "in cells"},
  {"field", "stress", ELASTICITY, .ncomp = 6, .text = "Pa, in cells"},
  {"field", "von_mises", ELASTICITY, .ncomp = 1, .text = "Pa, in cells"},
  {"field", "von_mises_max_ip", ELASTICITY, .ncomp = 1, .text = "Pa, largest integration point of a cell"},
  {"field", "stress_nodal", ELASTICITY, .ncomp = 6, .text = "Pa, at nodes, recovered within a material: from patches inside it, elsewhere the mean of the elements' fits"},
  {"field", "von_mises_nodal", ELASTICITY, .ncomp = 1, .text = "Pa, of the stress at nodes"},
  {"field", "error_estimate", WAVES, .ncomp = 1, .text = "part of an element in the estimated error of the solution in the energy norm, relative to that of the whole body; the root of the sum of squares is the quantity error_estimate; not with method gfem"},
  {"field", "temperature", HEAT, .ncomp = 1, .text = "at nodes"},
  {"field", "reaction", HEAT, .ncomp = 1, .text = "W, at nodes: heat that enters where the temperature is prescribed"},
  {"field", "heat_flux", HEAT, .ncomp = 3, .text = "W/m2, in cells"},
  {"field", "heat_flux_nodal", HEAT, .ncomp = 3, .text = "W/m2, at nodes, recovered within a material"},
  {"field", "mode_shape", ELASTICITY, .ncomp = 3, .text = "at nodes: of modal a step for each mode; of dispersion mode_shape_re and mode_shape_im, a step for each wave vector and band of `save_modes`"},
  {"field", "mode_shape", HEAT, .ncomp = 1, .text = "the same of a scalar wave"},
  {"field", "modal_strain_energy", WAVES, .ncomp = 1, .text = "J/m3, of modal: strain energy of a mode over the volume, in cells"},
  {"field", "concentration", ADVECTION, .ncomp = 1, .text = "kg/m3, at nodes"},
  {"field", "reaction", ADVECTION, .ncomp = 1, .text = "kg/s, at nodes: what enters by diffusion where the concentration is prescribed"},
  {"field", "flux", ADVECTION, .ncomp = 3, .text = "kg/m2/s, in cells: with the flow and by diffusion, v c - D grad c"},
  {"field", "flux_nodal", ADVECTION, .ncomp = 3, .text = "kg/m2/s, at nodes, recovered within a material"},
  {"field", "cell_peclet", ADVECTION, .ncomp = 1, .text = "|v| h/(2 D) in cells, h the distance of the nodes along the flow"},
  {"field", "element_spectrum", .ncomp = 1, .text = "the fields below that the physics and the materials allow: eigenvalues of the matrix of every element, W332 where it has motions without energy beside the rigid ones"},
  {"field", "spectrum_min", .ncomp = 1, .text = "N/m or W/K, smallest eigenvalue of the element's matrix that is not 0"},
  {"field", "spectrum_max", .ncomp = 1, .text = "N/m or W/K, its largest"},
  {"field", "zero_energy_modes", .ncomp = 1, .text = "how many are 0: 6, in the plane 3, 1 of scalars and bodies of revolution; more are hourglass modes"},
  {"field", "critical_time_step", ELASTICITY, .ncomp = 1, .text = "s, 2 / highest frequency of the element with its mass lumped: the smallest of all is safe for the central difference method; needs rho"},
  {"field", "material_id", .ncomp = 1, .text = "number of the material, in cells"},
};
/* clang-format on */

const bf_word *bf_schema_words(int *count)
{
  *count = (int)(sizeof words / sizeof *words);
  return words;
}

const bf_word *bf_schema_word(const char *set, const char *word, int physics)
{
  const bf_word *found = NULL;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i].word, word) != 0 || strcmp(words[i].set, set) != 0) continue;
    if (bf_schema_fits(words[i].physics, physics)) return &words[i];
    found = &words[i];
  }
  return found;
}
