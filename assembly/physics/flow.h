/* assembly/physics/flow.h - inside assembly/: the coefficients of advection, Peclet numbers, fluxes across
 * the boundary
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_PHYSICS_FLOW_H
#define BF_ASSEMBLY_PHYSICS_FLOW_H
#include "assembly/model/internal.h"

/* block->flow where one of the block's materials has a formula; E303. */
bf_err bf_flow_fill(const bf_model *m, bf_model_block *b, bf_diags *diags);
/* W311, W312, W313; E303 for a velocity without a value on the boundary.  Sets m->outer. */
bf_err bf_flow_check(bf_model *m, bf_diags *diags);

/* D, r, v of element e of the block at point q of its rule. */
const double *bf_flow_at(const bf_model *m, const bf_model_block *b, bf_int e, int q);

/* Cell Peclet numbers by element number, the caller's; cell_peclet of the cells of a view. */
bf_err bf_flow_peclets(const bf_model *m, double **out);
bf_err bf_flow_peclet(const bf_model *m, const bf_view *view, double *peclet);

/* (*vn)[n*nq] = v.n of the parent's material at the points of a set's faces, (*speed) = |v|; the caller's,
 * also on failure.  E303 for a velocity without a value, unless diags is NULL. */
bf_err bf_flow_normal(const bf_model *m, const bf_face_set *set, bf_diags *diags, double **vn,
                      double **speed);

/* inflow, outflow, consumed; u by row of the numbering. */
bf_err bf_flow_sums(const bf_model *m, const bf_numbering *num, const double *u, bf_solution *out);

/* flow_initial_guess.c: x0 = prescribed values, and random values elsewhere; by row of the numbering. */
bf_err bf_flow_start(const bf_model *m, const bf_numbering *num, bf_backend *be, double *x0);
#endif
