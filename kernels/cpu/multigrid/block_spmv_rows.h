/* kernels/cpu/multigrid/block_spmv_rows.h - rows of a product with block rows, for one type of values
 *
 * Included by block_spmv.c with VALUE and NAME(f) the functions' names.  The orders of the blocks are
 * arguments that the callers give as constants, so that the loops over a block are unrolled.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

static inline __attribute__((always_inline)) void NAME(rows)(int br, int bc, const bf_block_rows *A,
                                                             int64_t i0, int64_t i1, bf_block_update how,
                                                             const double *b, const double *x, double *y)
{
  const VALUE *val = A->val;
  for (int64_t i = i0; i < i1; i++) {
    double sum[BF_BLOCK_ORDER] = {0.0};
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      const double *xj = x + (int64_t)A->col[k] * bc;
      const VALUE  *v  = val + k * br * bc;
      for (int c = 0; c < bc; c++)
        for (int a = 0; a < br; a++) sum[a] += (double)v[c * br + a] * xj[c];
    }
    for (int a = 0; a < br; a++) {
      const int64_t r = i * br + a;
      y[r]            = how == BF_BLOCK_SET ? sum[a] : how == BF_BLOCK_ADD ? y[r] + sum[a] : b[r] - sum[a];
    }
  }
}

static void NAME(some_rows)(const bf_block_rows *A, int64_t i0, int64_t i1, bf_block_update how,
                            const double *b, const double *x, double *y)
{
  switch (A->form.br * 8 + A->form.bc) {
  case 1 * 8 + 1: NAME(rows)(1, 1, A, i0, i1, how, b, x, y); break;
  case 1 * 8 + 3: NAME(rows)(1, 3, A, i0, i1, how, b, x, y); break;
  case 3 * 8 + 1: NAME(rows)(3, 1, A, i0, i1, how, b, x, y); break;
  case 2 * 8 + 2: NAME(rows)(2, 2, A, i0, i1, how, b, x, y); break;
  case 2 * 8 + 3: NAME(rows)(2, 3, A, i0, i1, how, b, x, y); break;
  case 3 * 8 + 2: NAME(rows)(3, 2, A, i0, i1, how, b, x, y); break;
  case 3 * 8 + 3: NAME(rows)(3, 3, A, i0, i1, how, b, x, y); break;
  case 3 * 8 + 6: NAME(rows)(3, 6, A, i0, i1, how, b, x, y); break;
  case 6 * 8 + 3: NAME(rows)(6, 3, A, i0, i1, how, b, x, y); break;
  case 6 * 8 + 6: NAME(rows)(6, 6, A, i0, i1, how, b, x, y); break;
  default: NAME(rows)(A->form.br, A->form.bc, A, i0, i1, how, b, x, y); break;
  }
}
