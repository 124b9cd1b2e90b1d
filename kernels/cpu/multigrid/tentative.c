/* kernels/cpu/multigrid/tentative.c - near-null space on aggregates: Gram matrices, combinations, T
 *
 * Checked  tests/kernels/multigrid/t387_tentative.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/multigrid/aggregate_node.h"

enum { SQUARE = BF_MG_MODES_MOST * BF_MG_MODES_MOST };

bf_err bf_cpu_mg_gram(bf_backend *be, const bf_mg_basis *B, double *gram, double *scaled)
{
  (void)be;
  const int nq = B->nq;
#pragma omp parallel for schedule(dynamic, 64) if (B->n > BF_CPU_SMALL / 8)
  for (bf_int a = 0; a < B->count; a++) {
    double *g = gram + (int64_t)a * nq * nq, *s = scaled + (int64_t)a * nq * nq;
    for (int l = 0; l < nq; l++)
      for (int j = 0; j <= l; j++) g[l * nq + j] = g[j * nq + l] = bf_mg_gram_entry(B, a, j, l);
    for (int l = 0; l < nq; l++)
      for (int j = 0; j < nq; j++) s[l * nq + j] = bf_mg_scaled(nq, g, j, l);
  }
  return BF_OK;
}

bf_err bf_cpu_mg_factor(bf_backend *be, const bf_mg_basis *B, const double *gram, const double *vectors,
                        const double *values, double *combine, double *modes, uint8_t *phantom)
{
  (void)be;
  const int     nq = B->nq;
  const int64_t m  = (int64_t)B->count * nq;
#pragma omp parallel for schedule(static) if (B->n > BF_CPU_SMALL / 8)
  for (bf_int a = 0; a < B->count; a++) {
    const int64_t at = (int64_t)a * nq * nq;
    const double *g = gram + at, *V = vectors + at, *w = values + (int64_t)a * nq;
    for (int e = 0; e < nq; e++) {
      const int64_t column = (int64_t)a * nq + e;
      phantom[column]      = !(w[e] > BF_MG_RANK);
      for (int j = 0; j < nq; j++) {
        combine[at + e * nq + j] = bf_mg_combine(nq, g, V, w, j, e);
        modes[j * m + column]    = bf_mg_coarse_mode(nq, g, V, w, e, j);
      }
    }
  }
  return BF_OK;
}

bf_err bf_cpu_mg_tentative_rows(bf_backend *be, bf_int n, const bf_int *aggregate, int64_t *ptr, int64_t *nnz)
{
  (void)be;
  ptr[0] = 0;
  for (bf_int i = 0; i < n; i++) ptr[i + 1] = ptr[i] + (aggregate[i] >= 0);
  *nnz = ptr[n];
  return BF_OK;
}

bf_err bf_cpu_mg_tentative(bf_backend *be, const bf_mg_basis *B, const double *combine, bf_block_rows *T)
{
  (void)be;
  const int nq = B->nq, D = B->ncomp;
#pragma omp parallel for schedule(static) if (B->n > BF_CPU_SMALL / 8)
  for (bf_int i = 0; i < B->n; i++) {
    const bf_int a = B->aggregate[i];
    if (a < 0) continue;
    const double *M   = combine + (int64_t)a * nq * nq;
    double       *v   = (double *)T->val + T->ptr[i] * D * nq;
    T->col[T->ptr[i]] = a;
    for (int e = 0; e < nq; e++)
      for (int c = 0; c < D; c++) {
        double sum = 0.0;
        for (int j = 0; j < nq; j++) sum += bf_mg_mode(B, j, (int64_t)i * D + c) * M[e * nq + j];
        v[e * D + c] = sum;
      }
  }
  return BF_OK;
}
