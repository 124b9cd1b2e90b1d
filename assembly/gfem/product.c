/* assembly/gfem/product.c - M = A^T B by tiles of 4 x 8 sums; see product.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/product.h"
#include "assembly/basis/vector_units.h"
#include <stddef.h>

void bf_panel_row(int n, int depth, int row, double factor, const double *v, double *A)
{
  for (int p = 0; p < bf_panels(n); p++) {
    double   *to   = A + ((size_t)p * (size_t)depth + (size_t)row) * BF_PANEL;
    const int left = n - p * BF_PANEL;
    for (int j = 0; j < BF_PANEL; j++) to[j] = j < left ? factor * v[p * BF_PANEL + j] : 0.0;
  }
}

/* out[4][ld]: 8 columns of b by 4 columns of a */
static inline void tile(int k, const double *restrict a, const double *restrict b, size_t ld,
                        double *restrict out)
{
  double s0[BF_PANEL] = {0.0}, s1[BF_PANEL] = {0.0}, s2[BF_PANEL] = {0.0}, s3[BF_PANEL] = {0.0};
  for (int i = 0; i < k; i++, a += BF_PANEL, b += BF_PANEL) {
#pragma omp simd
    for (int j = 0; j < BF_PANEL; j++) {
      s0[j] += a[0] * b[j];
      s1[j] += a[1] * b[j];
      s2[j] += a[2] * b[j];
      s3[j] += a[3] * b[j];
    }
  }
#pragma omp simd
  for (size_t j = 0; j < BF_PANEL; j++) {
    out[j]          = s0[j];
    out[ld + j]     = s1[j];
    out[2 * ld + j] = s2[j];
    out[3 * ld + j] = s3[j];
  }
}

BF_VECTOR void bf_panel_product(int panels, int depth, int a0, int b0, int k, const double *A,
                                const double *B, int upper, double *M)
{
  const size_t ld = (size_t)panels * BF_PANEL, stride = (size_t)depth * BF_PANEL;
  for (int p = 0; p < panels; p++)
    for (int r = upper ? p : 0; r < panels; r++)
      for (int half = 0; half < BF_PANEL; half += 4)
        tile(k, A + (size_t)p * stride + (size_t)a0 * BF_PANEL + half,
             B + (size_t)r * stride + (size_t)b0 * BF_PANEL, ld,
             M + ((size_t)p * BF_PANEL + (size_t)half) * ld + (size_t)r * BF_PANEL);
}
