/* kernels/band.h - a band matrix to be factored, as LAPACK stores it, in fp64
 *
 *     general     A(i,j) = ab[j*ld + kl + ku + i - j],  -ku <= i - j <= kl,  ld = 2 kl + ku + 1 (with fill)
 *     symmetric   A(i,j) = ab[j*ld + i - j],              0 <= i - j <= kl,  ld = kl + 1, kl = ku
 *
 * The operations are entries of the backend's table (backend.h): band_factor, band_solve, band_inertia.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BAND_H
#define BF_BAND_H
#include "base/err.h"

typedef struct bf_band {
  bf_int  n, kl, ku;
  int     spd;   /* 1: symmetric storage, Cholesky; 0: LU with row exchanges */
  int64_t ld;    /* as above */
  double *ab;    /* backend memory, borrowed [ld*n]; the factors after band_factor */
  bf_int *pivot; /* backend memory, borrowed [n]; of LU, else NULL */
} bf_band;

typedef struct bf_band_report { /* outcome of the factorisation, on the host */
  bf_int info;    /* 0, or 1..n: spd: the leading minor of order `info` is not positive; LU: pivot `info` is
                     exactly 0 */
  bf_int weakest; /* column, from 0, of the smallest |pivot|; for info > 0: info - 1 */
  double rcond;   /* estimate of 1 / (||A||_1 ||A^-1||_1); 0 for info > 0 */
} bf_band_report;

/* A = L D L^T without exchanges, for symmetric, possibly indefinite A: by Sylvester's law of inertia D
 * has as many negative entries as A negative eigenvalues. The factors are those of a matrix within n u
 * growth max|a_ii| of A, so the count is exact unless an eigenvalue is that close to 0. */
typedef struct bf_band_inertia {
  bf_int negative;
  double growth; /* largest diagonal of |L||D||L^T| over that of |A|; infinite for a pivot 0 or not finite */
} bf_band_inertia;

/* Shape without memory */
static inline bf_band bf_band_shape(bf_int n, bf_int kl, bf_int ku, int spd)
{
  const int64_t ld = spd ? (int64_t)kl + 1 : 2 * (int64_t)kl + ku + 1;
  return (bf_band){.n = n, .kl = kl, .ku = ku, .spd = spd, .ld = ld, .ab = NULL, .pivot = NULL};
}
static inline int64_t bf_band_bytes(const bf_band *B)
{
  return B->ld * B->n * 8 + (B->spd ? 0 : 4 * (int64_t)B->n);
}
/* Index of A(i,j) in ab */
static inline int64_t bf_band_at(const bf_band *B, bf_int i, bf_int j)
{
  return j * B->ld + (B->spd ? 0 : (int64_t)B->kl + B->ku) + i - j;
}
#endif
