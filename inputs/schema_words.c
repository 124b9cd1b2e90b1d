/* inputs/schema_words.c - every word of a choice, with its meaning */
/* SPDX-License-Identifier: BSD-3-Clause */
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

  {"sweep", "product", .text = "every value with every other one; the last parameter changes fastest"},
  {"sweep", "zip", .text = "the first values of all, the second values, and so on; the lists have one length"},

  {"units", "SI", .text = "m, kg, s, K, N, Pa, W"},
  {"units", "mm-N-MPa-t", .text = "mm, t, s, N, MPa, mW, K"},

  {"mesh order", "from_file", .text = "as in the mesh file"},
  {"mesh order", "1", .text = "linear: mid-side nodes are removed"},
  {"mesh order", "2", .text = "quadratic: edges without a mid-side node get one at their midpoint; for a `.geo` gmsh creates the quadratic mesh on the curved geometry"},
  {"box element", "hex8", .text = "linear hexahedron"},
  {"box element", "hex20", .text = "quadratic hexahedron with mid-edge nodes"},
  {"box element", "hex27", .text = "quadratic hexahedron with mid-edge, face center and center nodes"},
  {"box element", "tet4", .text = "six linear tetrahedra per cell"},
  {"box element", "tet10", .text = "six quadratic tetrahedra per cell"},
  {"rectangle element", "quad4", .text = "linear quadrilateral"},
  {"rectangle element", "quad8", .text = "quadratic quadrilateral with mid-edge nodes"},
  {"rectangle element", "quad9", .text = "quadratic quadrilateral with mid-edge nodes and a center node"},
  {"rectangle element", "tri3", .text = "two linear triangles per cell"},
  {"rectangle element", "tri6", .text = "two quadratic triangles per cell"},

  {"physics", "heat", .text = "heat conduction: -div(k grad T) = source"},
  {"physics", "elasticity", .text = "linear elasticity, small displacements"},
  {"physics", "advection_diffusion", .text = "transport of a substance by a flow: v grad c - div(D grad c) + r c = source"},
  {"analysis", "static", .text = "equilibrium, steady state"},
  {"analysis", "transient", LATER, .text = "time-dependent"},
  {"analysis", "modal", WAVES, .text = "free vibrations (heat: scalar waves, such as a membrane, with stiffness k and mass rho)"},
  {"analysis", "dispersion", WAVES, .text = "frequencies of waves in a periodic medium, computed on one cell (heat: scalar waves with stiffness k and density rho)"},
  {"k units", "reciprocal", .text = "fractions of the reciprocal lattice vectors, one per lattice vector"},
  {"k units", "rad_per_length", .text = "Cartesian wave vector, rad/m"},
  {"mass", "consistent", .text = "integral of the shape functions: upper bounds of the frequencies if the mesh represents the geometry exactly"},
  {"mass", "lumped", .text = "diagonal mass matrix: least memory, frequencies usually too low"},
  {"normalization", "mass", .text = "phi^T M phi = 1"},
  {"normalization", "max", .text = "the largest component is 1"},
  {"eigensolver", "auto", .text = "modal: shift_invert on the CPU if the factorisation is cheap, else lobpcg; dispersion: direct up to 512 unknowns per cell, else craig_bampton"},
  {"eigensolver", "lobpcg", .text = "modal: locally optimal block preconditioned conjugate gradients, on both backends"},
  {"eigensolver", "shift_invert", .text = "modal: Lanczos method with shift and invert by a band factorisation; suited to thin bodies; CPU only; its memory is forecast"},
  {"eigensolver", "direct", .text = "dispersion: all unknowns of the cell, dense matrices"},
  {"eigensolver", "craig_bampton", .text = "dispersion: Craig-Bampton reduction to the unknowns of the periodic sides and the modes of the interior with fixed sides"},
  {"mode preconditioner", "auto", .text = "direct if the factorisation is cheap; else block_jacobi with blocks of 480 on the GPU for at most 48000 unknowns; else jacobi"},
  {"mode preconditioner", "jacobi", .text = "diagonal of the stiffness matrix"},
  {"mode preconditioner", "block_jacobi", .text = "inverses of diagonal blocks of neighbouring nodes (fp32): fewer steps, on both backends"},
  {"mode preconditioner", "direct", .text = "band factorisation as for shift_invert: about ten steps; computed and applied on the CPU, also with a GPU; its memory is forecast"},
  {"mode preconditioner", "multigrid", .text = "one multigrid cycle: about ten steps, on both backends"},
  {"method", "fem", .text = "isoparametric finite elements"},
  {"method", "gfem", .text = "generalised finite elements on tri3 and quad4 in the plane: higher order with the same nodes and a wider band"},
  {"stabilization", "supg", .text = "SUPG: upstream-weighted test functions (streamline upwind Petrov-Galerkin)"},
  {"stabilization", "none", .text = "Galerkin's method; W311 if oscillations are possible"},
  {"condense", "auto", .text = "condense if the predicted gain exceeds the cost of the elimination; the log gives the decision"},
  {"condense", "on", .text = "always condense; E315 if this is not possible"},
  {"condense", "off", .text = "no condensation"},
  {"patch", "auto", .text = "same as rings"},
  {"patch", "rings", .text = "rings of elements around the node, as many as the fit requires"},
  {"patch", "compact", .text = "nearest nodes, as many as the fit requires"},
  {"space", "3d", .text = "three-dimensional body"},
  {"space", "plane_stress", ELASTICITY, .text = "thin plate: no stress normal to the plane"},
  {"space", "plane_strain", ELASTICITY, .text = "long body: no strain normal to the plane"},
  {"space", "axisymmetric", .text = "body of revolution: x is the radius, y the axis; forces and heat flows are those of the whole turn"},

  {"boundary type", "fixed", ELASTICITY, .text = "all displacement components are 0"},
  {"boundary type", "displacement", ELASTICITY, .text = "prescribed components; at least one"},
  {"boundary type", "symmetry", ELASTICITY, .text = "zero normal displacement on a flat side parallel to two axes"},
  {"boundary type", "force", ELASTICITY, .text = "total force and moment on faces, lines or points"},
  {"boundary type", "traction", ELASTICITY, .text = "force per area"},
  {"boundary type", "pressure", ELASTICITY, .text = "force per area against the outward normal"},
  {"boundary type", "spring", ELASTICITY, .text = "elastic support: force per area -value u; supports the body in these directions"},
  {"boundary type", "bloch", WAVES, .text = "(dispersion only) Bloch condition: periodic up to a phase, u(r+R) = u(r) exp(i k.R)"},
  {"boundary type", "temperature", HEAT, .text = "prescribed temperature"},
  {"boundary type", "flux", HEAT, .text = "heat flux per area"},
  {"boundary type", "convection", HEAT, .text = "flux h (ambient - T) into the body"},
  {"boundary type", "insulated", HEAT, .text = "no flux; the same as no condition"},
  {"boundary type", "value", ADVECTION, .text = "prescribed concentration"},
  {"boundary type", "flux", ADVECTION, .text = "diffusive mass flux per area; transport by the flow is not included"},
  {"boundary type", "convection", ADVECTION, .text = "diffusive flux h (ambient - c) into the body: transfer at a surface, or an inflow with mixing"},
  {"boundary type", "outflow", ADVECTION, .text = "no diffusive flux; the flow transports the substance out; the same as no condition"},
  {"load type", "gravity", ELASTICITY, .text = "weight, rho g"},
  {"load type", "body_force", ELASTICITY, .text = "force per volume"},
  {"load type", "point_force", ELASTICITY, .text = "force at points of the mesh or at a position in the body"},
  {"load type", "thermal", ELASTICITY, .text = "thermal strain alpha (value - reference) in every direction; requires alpha in every affected material"},
  {"load type", "heat_source", HEAT, .text = "heat source per volume"},
  {"load type", "source", ADVECTION, .text = "mass source per volume"},

  {"matrix format", "auto", .text = "lowest predicted time of a matrix-vector product; the log prints the table"},
  {"matrix format", "bdia", .text = "bDIA: full diagonals in bands"},
  {"matrix format", "csr", .text = "compressed sparse rows"},
  {"matrix format", "csr16", .text = "compressed sparse rows with 16-bit column indices"},
  {"matrix format", "bcsr", .text = "compressed rows of blocks, one block per pair of nodes"},
  {"matrix format", "hybrid", .text = "bDIA for dense diagonals, compressed rows for the remainder"},
  {"matrix format", "ell", .text = "ELLPACK: padded rows"},
  {"matrix format", "hyb", .text = "padded rows, and triplets for the remainder"},
  {"matrix format", "dia", .text = "classical diagonal storage"},
  {"matrix format", "coo", .text = "coordinate format: triplets"},
  {"storage", "auto", .text = "lowest predicted time of a product"},
  {"storage", "full", .text = "both triangles"},
  {"storage", "symmetric", .text = "diagonal and upper triangle"},
  {"values", "fp64", .text = "double precision"},
  {"values", "fp32", .text = "single precision with refinement to the full tolerance"},
  {"reorder", "auto", .text = "candidate with the lowest predicted time of a product"},
  {"reorder", "file", .text = "order of the mesh file"},
  {"reorder", "lexicographic", .text = "sorted by coordinates"},
  {"reorder", "rcm", .text = "reverse Cuthill-McKee"},
  {"reorder", "levels", .text = "level sets, starting at a side of the body"},

  {"solver", "auto", .text = "cg for symmetric matrices, else bicgstab; on the CPU, with preconditioner auto, direct where the factors of a narrow band are expected to take less time"},
  {"solver", "cg", .text = "conjugate gradients"},
  {"solver", "bicgstab", .text = "stabilized biconjugate gradients"},
  {"solver", "bicg", .text = "biconjugate gradients: an alternative if bicgstab breaks down"},
  {"solver", "direct", .text = "Cholesky or LU factorisation of the equilibrated band with iterative refinement; CPU only; its memory is forecast"},
  {"solver", "inverse", .text = "dense inverse of the symmetric matrix, at most 32768 unknowns, with a bound of the error of the solution; its memory is forecast"},
  {"preconditioner", "none", .text = "no preconditioner"},
  {"preconditioner", "jacobi", .text = "diagonal of the matrix"},
  {"preconditioner", "auto", .text = "jacobi or multigrid by the expected time; jacobi gives way to multigrid if it converges more slowly than expected"},
  {"preconditioner", "block_jacobi", .text = "inverses of diagonal blocks of neighbouring nodes"},
  {"preconditioner", "schwarz", LATER, .text = "overlapping subdomains"},
  {"preconditioner", "spectral_sa", LATER, .text = "smoothed aggregation"},
  {"preconditioner", "multigrid", .text = "one cycle over coarser and coarser levels: the number of iterations hardly grows with the mesh"},
  {"coarsening", "auto", .text = "planes where the matrix is that of a lattice of nodes, spectral where the stiffness of an elastic body jumps by more than 1e5, else aggregates; quadratic elements to their vertices first"},
  {"coarsening", "planes", .text = "planes of the lattice; levels in bDIA"},
  {"coarsening", "aggregates", .text = "smoothed aggregation of strongly coupled nodes with rigid-body modes"},
  {"coarsening", "spectral", .text = "aggregates with low eigenvectors of their own stiffness, where coefficients jump; holds all element matrices in memory while levels are made"},
  {"cycle", "auto", .text = "v with planes alone or spectral aggregates, else w"},
  {"cycle", "v", .text = "each level once"},
  {"cycle", "w", .text = "each level twice as often as the one above it"},
  {"block parts", "couplings", .text = "parts grown along the strongest couplings of the matrix, linear time"},
  {"block parts", "metis", .text = "METIS partition of the node graph: parts of about equal size, few cut edges; about 1e5 nodes per second"},
  {"on failure", "stop", .text = "write the results marked as not converged; exit status 5"},
  {"on failure", "warn", .text = "write the results marked as not converged, warn, and continue"},
  {"backend", "auto", .text = "GPU if available, else CPU; the log gives the choice"},
  {"backend", "cpu", .text = "CPU, all cores"},
  {"backend", "cuda", .text = "GPU; an error if none is available"},
  {"file format", "vtkhdf", .text = "case.hdf: mesh, fields and the complete record of the run"},
  {"file format", "vtk", .text = "case.vtk: legacy binary format, readable by every VTK version"},

  {"field", "displacement", ELASTICITY, .ncomp = 3, .text = "m, at nodes"},
  {"field", "reaction", ELASTICITY, .ncomp = 3, .text = "N, at nodes: force of the supports on the body, including springs"},
  {"field", "strain", ELASTICITY, .ncomp = 6, .text = "1, in cells"},
  {"field", "stress", ELASTICITY, .ncomp = 6, .text = "Pa, in cells"},
  {"field", "von_mises", ELASTICITY, .ncomp = 1, .text = "Pa, in cells"},
  {"field", "von_mises_max_ip", ELASTICITY, .ncomp = 1, .text = "Pa, largest value of the integration points of a cell"},
  {"field", "stress_nodal", ELASTICITY, .ncomp = 6, .text = "Pa, at nodes, recovered within a material: by patches inside it, elsewhere the mean of the element fits"},
  {"field", "von_mises_nodal", ELASTICITY, .ncomp = 1, .text = "Pa, of the stress at nodes"},
  {"field", "error_estimate", WAVES, .ncomp = 1, .text = "in cells: contribution of an element to the estimated error in the energy norm, relative to the energy norm of the whole body; the root of the sum of squares is the quantity error_estimate; not with method gfem"},
  {"field", "temperature", HEAT, .ncomp = 1, .text = "at nodes"},
  {"field", "reaction", HEAT, .ncomp = 1, .text = "W, at nodes: heat flow into the body at prescribed temperatures"},
  {"field", "heat_flux", HEAT, .ncomp = 3, .text = "W/m2, in cells"},
  {"field", "heat_flux_nodal", HEAT, .ncomp = 3, .text = "W/m2, at nodes, recovered within a material"},
  {"field", "mode_shape", ELASTICITY, .ncomp = 3, .text = "at nodes; modal: one step per mode, kg^-1/2 or, with normalization: max, 1; dispersion: mode_shape_re and mode_shape_im, one step per wave vector and band of `save_modes`"},
  {"field", "mode_shape", HEAT, .ncomp = 1, .text = "the same for a scalar wave"},
  {"field", "modal_strain_energy", WAVES, .ncomp = 1, .text = "1/(m3 s2) or, with normalization: max, Pa/m2, in cells (modal only): strain energy density of a mode"},
  {"field", "concentration", ADVECTION, .ncomp = 1, .text = "kg/m3, at nodes"},
  {"field", "reaction", ADVECTION, .ncomp = 1, .text = "kg/s, at nodes: diffusive mass flow into the body at prescribed concentrations"},
  {"field", "flux", ADVECTION, .ncomp = 3, .text = "kg/m2/s, in cells: total flux v c - D grad c"},
  {"field", "flux_nodal", ADVECTION, .ncomp = 3, .text = "kg/m2/s, at nodes, recovered within a material"},
  {"field", "cell_peclet", ADVECTION, .ncomp = 1, .text = "1, in cells: |v| h/(2 D), h the node distance along the flow"},
  {"field", "element_spectrum", .ncomp = 1, .text = "all of the following fields that are available for the physics and the materials: eigenvalues of every element matrix; W332 if there are hourglass modes"},
  {"field", "spectrum_min", .ncomp = 1, .text = "N/m or W/K, smallest nonzero eigenvalue of the element matrix"},
  {"field", "spectrum_max", .ncomp = 1, .text = "N/m or W/K, largest eigenvalue of the element matrix"},
  {"field", "zero_energy_modes", .ncomp = 1, .text = "1, number of zero eigenvalues: 6 in space, 3 in the plane, 1 for scalars and bodies of revolution; more indicate hourglass modes"},
  {"field", "critical_time_step", ELASTICITY, .ncomp = 1, .text = "s, 2 / highest angular frequency of the element with lumped mass; the central difference method is stable with the smallest value of all elements; requires rho"},
  {"field", "material_id", .ncomp = 1, .text = "index of the material, in cells"},
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
