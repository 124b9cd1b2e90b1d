/* assembly/model.h - a problem on a mesh: checks, matrix and right-hand side, fields of the solution
 *
 *     create (all checks without a matrix)  ->  assemble (on a backend)  ->  solve elsewhere  ->  recover
 * (fields, reactions, balance, on the host from the solution)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MODEL_H
#define BF_MODEL_H
#include "assembly/problem.h"
#include "base/log.h"
#include "base/timer.h"
#include "kernels/matrix/matrix.h"
#include "mesh/mesh.h"
#include "mesh/numbering.h"
#include "mesh/report.h"
#include "mesh/view.h"

typedef struct bf_model bf_model; /* opaque */

/* Names of the fields and conditions of a physics, units in SI. */
typedef struct bf_physics_words {
  const char *name;                                /* "heat" */
  const char *field, *field_unit;                  /* of the solution: "temperature", "K" */
  const char *force_unit;                          /* of nodal loads and reactions: "W" */
  const char *flux, *flux_nodal, *flux_unit;       /* in cells and at nodes: "heat_flux", .., "W/m2" */
  const char *load, *load_unit, *side, *side_unit; /* in cells and on sides: "heat_source", .., "flux", .. */
  const char *film_unit;                           /* of convection: "W/m2/K" */
  const char *substance;                           /* that flows: "heat"; of scalars */
  const char *balance, *level;                     /* "energy"; conditions that fix a level, of scalars */
  const char *phase;                               /* "recover: heat flux" */
} bf_physics_words;
const bf_physics_words *bf_physics_words_of(bf_physics physics);

/* Resolves groups, materials and conditions on the mesh.  Errors are added to diags with the deck's line:
 * E203 unknown or wrong-dimension group, E204 mesh without groups, E205/E206 elements with no or two
 * materials, E301 free rigid-body modes (named: "translation x", "rotation about z through (..)"; per
 * connected part) or no temperature level, E302 conflicting values on a shared node or two temperatures of an
 * element (both lines), E303 range of a material value, E304 missing rho for gravity or alpha for a thermal
 * load, E307 space missing or not fitting the mesh, E308 symmetry on sides that lie in no plane,
 * E309 faces or nodes that belong to no element (pressure, convection: or to two), E310 quadrature out of
 * range, E318 a moment that the groups of
 * a force cannot carry, E339 axes without directions, a node on the axis of a cylinder, E319 a formula or
 * table whose value is not finite, E313 a node across the axis of revolution, or moved off it, E314
 * incompatible modes that are not available, E315 condensation that is not possible, E316 entries without
 * effect on free vibrations, E210 to E212 periodic sides that do not match (mesh/periodic.h), E306 entries
 * that are invalid with them or with the analysis, E317 element spectra that do not exist, E107 a condition
 * or load of other physics; W311 cells whose Peclet number is above 1 without stabilisation, W312 a value
 * prescribed at an outflow, W313 an inflow without a condition; W327 nu > 0.49 on linear elements, W328 too
 * few integration points, W329 nodes of no element in a condition's group, W333 to W336 and N337 of
 * constraint_check.h.  Then BF_E_MODEL or BF_E_INPUT.  mesh, problem and diags are borrowed: assembly and
 * recovery report E319 and E303 of formulas there. Cost: a pass over the elements; formulas of E or k are
 * kept at the integration points (8 bytes each). */
bf_err bf_model_create(const bf_mesh *mesh, const bf_problem *problem, bf_diags *diags, bf_model **out);
/* The same, but with errors in the model *out is set too, with everything that could be resolved: only for
 * bf_setup_create and bf_model_destroy. */
bf_err bf_model_draft(const bf_mesh *mesh, const bf_problem *problem, bf_diags *diags, bf_model **out);
void   bf_model_destroy(bf_model **m);

const bf_mesh *bf_model_mesh(const bf_model *m);
int            bf_model_ncomp(const bf_model *m);                       /* components of a node: 1, 2, 3 */
int            bf_model_symmetric(const bf_model *m);                   /* 0: K is not symmetric */
int bf_model_prescribed(const bf_model *m, bf_int node, int component); /* 1: the value is prescribed */
/* 1: the unknowns of the node are not displacements along x, y, z (model/frames.h). */
int bf_model_turned(const bf_model *m, bf_int node);
/* Frames for a preconditioner, by node row: frame[nrows], index into T or -1, T[count][ncomp][ncomp]
 * borrowed; *frame is the caller's, NULL without frames. */
bf_err bf_model_frames(const bf_model *m, const bf_numbering *num, bf_int **frame, const double **T);
/* Nodes whose unknowns are eliminated element by element: 0, or the numbering is a condensed one. */
bf_int bf_model_condensed(const bf_model *m);
const bf_int *
bf_model_region(const bf_model *m); /* [nelem] material index, -1 for elements of lower dimension */

/* Expected iterations of CG with Jacobi on such a mesh, 0 if no node can be condensed; and the iterations
 * above which condensation saves time: docs/performance/condensation.md. */
double bf_condense_iterations(const bf_mesh *mesh, bf_physics physics);
enum { BF_CONDENSE_PAYS_HOST = 150, BF_CONDENSE_PAYS_DEVICE = 450 };

/* Couplings of node rows, diagonal included: those of the elements, or wider ones of generalised finite
 * elements. bf_model_widen sets the bands of the numbering to them (no change for isoparametric elements). */
bf_err bf_model_pattern(const bf_model *m, const bf_numbering *num, bf_graph **out);
bf_err bf_model_widen(const bf_model *m, bf_numbering *num);
void   bf_model_log(const bf_model *m, const bf_log *log); /* lines about the basis */
int bf_model_own_matrices(const bf_model *m); /* 1: element matrices are not those of the element batches */
int bf_model_on_backend(const bf_model   *m,
                        const bf_backend *be); /* 1: the backend computes element matrices */

/* A += K, b += loads, fluxes, tractions; then the constraints: rows and columns of prescribed unknowns become
 * zero, their diagonal stays, b is corrected, x0 = prescribed values (elsewhere 0, of advection noise:
 * flow_initial_guess.c).  b, x0: bf_vector_create with the matrix's guard.  Also keeps the data for recover.
 * Phases: "assembly: tables", "assembly: element matrices", "assembly: scatter", "assembly: loads",
 * "assembly: constraints", with bytes. */
bf_err bf_model_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, double *x0,
                         bf_phases *phases);

/* A += K (with convection and springs), b += loads: bf_model_assemble before its constraints. */
bf_err bf_model_assemble_free(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b,
                              bf_phases *phases);

/* Matrices of the elements of the mesh's dimension in backend memory, owned: element e has the node rows
 * node[k], ptr[e] <= k < ptr[e + 1], and the symmetric matrix K[k], at[e] <= k < at[e + 1], of all their
 * unknowns, without convection and springs; coefficient[e]: the mean of E or k.  ne 0: none, of condensed
 * nodes, generalised elements and advection.  nodes, most: ptr[ne], the largest order.  Cost: 8 bytes a
 * number. */
typedef struct bf_model_elements {
  bf_int   ne, most;
  int64_t  nodes;
  int64_t *ptr, *at;
  bf_int  *node;
  double  *K, *coefficient;
} bf_model_elements;
bf_err bf_model_elements_create(bf_model *m, const bf_numbering *num, bf_backend *be, bf_model_elements *out);
void   bf_model_elements_clear(bf_backend *be, bf_model_elements *e);

/* contrast: the largest over the least E or k of the elements at a sample of nodes; share: of nodes between
 * elements whose E or k differ by more than BF_MODEL_JUMP times.  1 and 0 for one constant material and for
 * advection. */
#define BF_MODEL_JUMP 30.0
bf_err bf_model_contrast(const bf_model *m, double *contrast, double *share);
/* Of the cell Peclet numbers |v| h / 2 D; 0 for other physics. */
bf_err bf_model_largest_peclet(const bf_model *m, double *most);

typedef struct bf_solution {
  /* fields: displacement | temperature | concentration, reaction, strain (tensor components: xy = half the
   * shear), stress, von_mises, von_mises_max_ip, stress_nodal, von_mises_nodal | heat_flux, heat_flux_nodal |
   * flux, flux_nodal, cell_peclet; error_estimate, material_id; spectrum_min, spectrum_max,
   * zero_energy_modes, critical_time_step if requested */
  int          nfields;
  bf_field    *field; /* owned [nfields], with their data */
  int          nreactions;
  bf_reaction *reaction;   /* owned: one per group named in a support (prescribed values, spring) */
  double       applied[3]; /* sum of all loads; axisymmetric: around the turn, where x cancels to 0 */
  double       reacted[3]; /* sum of all reactions */
  double
      balance; /* |applied + reacted| relative to the sum of |nodal loads|: balance.force | .energy | .mass */
  /* advection, kg/s: transported in and out by the flow across the boundary, consumed by the reaction; they
   * are part of the balance, which then is relative to the sum of all terms */
  double       inflow, outflow, consumed;
  double       moment_balance; /* elasticity: the same for moments about the centre; axisymmetric: 0 */
  bf_recovery  recovery;       /* patch_recovery.h; points 0 without patch recovery */
  int          nspectra;
  bf_spectrum *spectrum; /* owned: one for each type of element where problem->spectrum */
} bf_solution;

/* u: host, by scalar row of the numbering, [nrows*ncomp].  The backend computes nodal forces with
 * element_force. */
bf_err bf_model_recover(bf_model *m, const bf_numbering *num, bf_backend *be, const bf_view *view,
                        const double *u, bf_phases *phases, bf_solution *out);
void   bf_solution_clear(bf_solution *s);

/* The solution of a plane problem on a finer mesh, for pictures: every cell cut into n*n, point fields (but
 * nodal forces) by the shape functions, cell fields as they are.  *mesh, *fine and out are the caller's. */
bf_err bf_model_refine(const bf_model *m, const bf_view *view, const bf_solution *s, int n, bf_mesh **mesh,
                       bf_view **fine, bf_solution *out);

/* Value of a point field of the solution at a place (by the basis functions of the element that contains it;
 * tolerance outside: 1e-6 of the mesh's size): value[ncomp]. Cell fields: the cell's value. BF_E_MODEL if no
 * element contains it. */
bf_err bf_model_probe(const bf_model *m, const bf_view *view, const bf_field *field, const double at[3],
                      double value[9]);
/* Least or greatest value of a field's component (-1: the number itself, or the length of a vector) at the
 * points or cells of a group (NULL = all): of a group of elements their cells and the points of these, of a
 * smaller group the points at its nodes; a NaN has precedence. BF_E_MODEL for a group that does not exist, is
 * empty, or has no cells for a field in cells. */
bf_err bf_model_extreme(const bf_model *m, const bf_view *view, const bf_field *field, int component,
                        const char *group, int greatest, double *value);
/* Integral of a field's component over the elements of the mesh's dimension in a group (NULL = all), or over
 * the faces of a boundary group. */
bf_err bf_model_integral(const bf_model *m, const bf_view *view, const bf_field *field, int component,
                         const char *group, double *value);
#endif
