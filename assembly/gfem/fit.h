/* assembly/gfem/fit.h - inside assembly/: the weighted moments of a patch, for its growth and its fit */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_GFEM_FIT_H
#define BF_ASSEMBLY_GFEM_FIT_H
#include "assembly/gfem/gfem.h"

enum { BF_GFEM_FREE = BF_GFEM_TERMS - 1 }; /* polynomials without the constant */

/* h of entry q with n other entries around it: the largest distance. */
double bf_gfem_size(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n);

/* Row B[nb-1] of the polynomials without the constant at entry `other`, and its weight 1/r^2 (r in units of
 * h). */
double bf_gfem_row(const bf_model *m, const bf_gfem *g, bf_int q, bf_int other, double h, double *B);

/* M[nb-1][nb-1] = sum_J w_J B_J^T B_J over the n others, those with in[j] only unless in is NULL. */
void bf_gfem_moments(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *other, bf_int n,
                     const uint8_t *in, double *M);
#endif
