/* assembly/model/robin.h - inside assembly/: Robin conditions: flux or force proportional to the unknown
 *
 *     convection  h (T - ambient) out of the body,      spring  -k_c u_c on the body, for each direction c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_ROBIN_H
#define BF_ASSEMBLY_MODEL_ROBIN_H
#include "assembly/model/internal.h"

/* h, or k in direction c (of a plane problem 0 or 1); NULL for other conditions. */
const bf_quantity *bf_robin_value(const bf_boundary *bc, int c);
/* 1: the same value in every direction. */
int bf_robin_is_uniform(const bf_boundary *bc);

/* Checks all values: E303 for a negative number, or a formula that is negative on a face; E311 for a formula
 * without a value.  Needs the sets. */
bf_err bf_robin_check(const bf_model *m, bf_diags *diags);

/* Integration points of a set's faces and the coefficient there: (*x)[np][3], (*f)[np], np = n * rule.n, the
 * caller's.  BF_E_MODEL if the formula has no value. */
bf_err bf_robin_points(const bf_model *m, const bf_face_set *set, const bf_quantity *k, double **x,
                       double **f);

/* Integration weights at the same points, w[np]: det J, thickness and turn included. */
void bf_robin_weights(const bf_model *m, const bf_face_set *set, double *w);

/* MASS batches of a set, appended to bs: one where the value is the same in every direction, else one for
 * each direction with a value. */
enum { BF_FILM_BATCHES = 3 }; /* of a set, at most */
bf_err bf_robin_batches(const bf_model *m, const bf_numbering *num, bf_batches *bs, const bf_face_set *set,
                        double *formula_bytes);

/* force[n][3] of the springs on the body at each face of the set, in N; u by row of the numbering, on the
 * host. */
bf_err bf_spring_forces(const bf_model *m, const bf_numbering *num, const bf_face_set *set, const double *u,
                        double *force);
#endif
