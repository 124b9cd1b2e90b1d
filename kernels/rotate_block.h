/* kernels/rotate_block.h - one block of an element matrix in the frames of its nodes: one text for both
 * backends
 *
 *     B <- T_a^T B T_b,      symmetric matrices: the block of (b, a) is the transpose, to the last bit
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_ROTATE_BLOCK_H
#define BF_KERNELS_ROTATE_BLOCK_H
#include "base/err.h"
#include "kernels/krylov/state.h" /* BF_HD */

/* Nodes a <= b of Ke[nd][nd]; Ta, Tb: rows of T, NULL = 1; not both NULL. */
static inline BF_HD void bf_rotate_block(int D, int nd, int a, int b, const double *Ta, const double *Tb,
                                         double *Ke)
{
  double    B[9], C[9];
  const int i0 = a * D, j0 = b * D;
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      double sum = 0.0; /* C = B T_b */
      for (int k = 0; k < D; k++)
        sum += Ke[(int64_t)(i0 + i) * nd + j0 + k] * (Tb ? Tb[k * D + j] : (k == j ? 1.0 : 0.0));
      C[i * D + j] = sum;
    }
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      double sum = 0.0; /* B = T_a^T C */
      for (int k = 0; k < D; k++) sum += (Ta ? Ta[k * D + i] : (k == i ? 1.0 : 0.0)) * C[k * D + j];
      B[i * D + j] = sum;
    }
  for (int i = 0; i < D; i++)
    for (int j = a == b ? i : 0; j < D; j++) {
      Ke[(int64_t)(i0 + i) * nd + j0 + j] = B[i * D + j];
      Ke[(int64_t)(j0 + j) * nd + i0 + i] = B[i * D + j];
    }
}
#endif
