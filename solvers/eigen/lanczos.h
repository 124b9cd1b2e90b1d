/* solvers/eigen/lanczos.h - inside solvers/: the largest values of (K - shift M)^-1 M by Lanczos' method
 *
 *     V^T M V = 1,   C V_a = V_p H,   C = (K - shift M)^-1 M,   T = (H_a + H_a^T)/2,   T y = theta y
 *
 * V_p has p columns, of which the first a have been multiplied by C; the others belong to the current block,
 * which may shrink (band Lanczos, A. Ruhe, Math. Comp. 33 (1979) 680, doi 10.1090/S0025-5718-1979-0521282-9).
 * Every column is orthogonalised against all others, twice.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_LANCZOS_H
#define BF_SOLVERS_EIGEN_LANCZOS_H
#include "solvers/eigen/pencil.h"
#include "solvers/linear/band_factor.h"

typedef struct bf_lanczos {
  bf_pencil        *pencil;            /* borrowed */
  const bf_factors *F;                 /* borrowed: of K - shift M */
  int               want, most, block; /* pairs to find; columns of V; vectors at the start */
  bf_columns        V, MV, spare;      /* owned; spare: for restarts */
  double           *H, *T, *B;         /* owned: [most][most], likewise: T, then its vectors; [block][most] */
  double           *theta, *gap, *c;   /* owned [most]: Ritz values, their residuals; coefficients */
  int              *order;             /* owned [most]: Ritz pairs by falling |theta| */
  void             *work;              /* owned: of bf_heev_batch */
  int               a, p, ritz;        /* ritz: order of T at its last solution */
  int               seed;
  int               restarts;
  int64_t           solves;
} bf_lanczos;

/* Columns of V. */
int64_t bf_lanczos_columns(int want, int nstart);
/* nstart: start vectors for bf_lanczos_begin, beside the random ones. */
bf_err bf_lanczos_create(bf_pencil *p, int want, int nstart, bf_lanczos *out);
void   bf_lanczos_release(bf_lanczos *L);
/* Restarts V for these factors; start[nstart][rows]: host. */
bf_err bf_lanczos_begin(bf_lanczos *L, const bf_factors *F, int nstart, const double *start);
/* Iterates until the wanted pairs have residuals <= tol |theta|, or restarts reached the limit: *reason
 * CONVERGED, LIMIT or NAN.  theta[order[i]], i < want, are the values. */
bf_err bf_lanczos_run(bf_lanczos *L, double tol, const bf_eigen_options *opt, double start,
                      bf_eigen_reason *reason);
/* X = the `want` Ritz vectors in that order. */
bf_err bf_lanczos_vectors(bf_lanczos *L, const bf_columns *X);
#endif
