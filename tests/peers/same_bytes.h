/* tests/peers/same_bytes.h - what a product in bDIA has to move and next to nothing else: the values in the
 * order of their places, an addition for each, x once and y once
 *
 * A bound from below for the time of a product, whatever this machine's memory gives at the moment.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAME_BYTES_H
#define SAME_BYTES_H
#include "kernels/matrix/matrix.h"

enum { SUMS = 16 }; /* side by side, so that no addition waits for the one before */

#define DEFINE_TILE(type)                                                                                    \
  static inline double same_bytes_##type(int64_t n, const type *v)                                           \
  {                                                                                                          \
    type    sum[SUMS] = {0}, all = 0;                                                                        \
    int64_t i = 0;                                                                                           \
    for (; i + SUMS <= n; i += SUMS)                                                                         \
      for (int j = 0; j < SUMS; j++) sum[j] += v[i + j];                                                     \
    for (; i < n; i++) all += v[i];                                                                          \
    for (int j = 0; j < SUMS; j++) all += sum[j];                                                            \
    return (double)all;                                                                                      \
  }
DEFINE_TILE(double)
DEFINE_TILE(float)
#undef DEFINE_TILE

/* y[r] = x[r] + the values of the tile of row r */
static inline void same_bytes(const bf_bdia *A, const double *x, double *y)
{
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S    = &A->seg[s];
    const int64_t      rows = (int64_t)S->nrows * A->ncomp, room = S->ld * S->ndiag * A->ncomp,
                  tiles = (rows + S->ld - 1) / S->ld, first = (int64_t)S->row0 * A->ncomp;
#pragma omp parallel for schedule(static)
    for (int64_t t = 0; t < tiles; t++) {
      const int64_t at = S->base + t * room, r0 = first + t * S->ld, left = rows - t * S->ld;
      const double  all = A->prec == BF_FP32 ? same_bytes_float(room, (const float *)A->values + at)
                                             : same_bytes_double(room, (const double *)A->values + at);
      for (int64_t r = r0; r < r0 + (left < S->ld ? left : S->ld); r++) y[r] = x[r] + all;
    }
  }
}
#endif
