/* kernels/cpu/multigrid/aggregates.c - strengths of couplings, the filtered matrix, the smoothed prolongator
 *
 * Checked  tests/kernels/multigrid/t386_aggregates.c, t387_tentative.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/local.h"
#include "kernels/multigrid/aggregate_node.h"
#include <string.h>

static bf_err strengths(bf_backend *be, const bf_block_rows *A, float *strength)
{
  const bf_int  n   = A->form.nrows;
  const int64_t D   = A->form.br;
  const double *val = A->val;
  double       *norm;
  BF_TRY(bf_cpu_scratch(be, n, &norm));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) norm[i] = bf_mg_diagonal_norm(A, i);
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++)
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      const bf_int j = A->col[k];
      strength[k]    = j == i ? 0.0F : bf_mg_strength(bf_mg_norm((int)D, val + k * D * D), norm[i], norm[j]);
    }
  return BF_OK;
}

static bf_err strong_count(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                           int64_t *ptr, int64_t *nnz)
{
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++) {
    int64_t count = 0;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      count += A->col[k] == i || bf_mg_is_strong(strength[k], theta);
    ptr[i + 1] = count;
  }
  *nnz = bf_cpu_row_sums(A->form.nrows, ptr);
  return BF_OK;
}

static bf_err strong_fill(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                          bf_mg_graph *G)
{
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++) {
    int64_t at = G->ptr[i];
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
      if (A->col[k] == i || bf_mg_is_strong(strength[k], theta)) {
        G->col[at]        = A->col[k];
        G->strength[at++] = strength[k];
      }
  }
  return BF_OK;
}

static bf_err live_nodes(bf_backend *be, bf_int n, int ncomp, const uint8_t *fixed, uint8_t *live,
                         bf_int *count)
{
  (void)be;
  bf_int found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found) if (n > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) {
    int held = fixed != NULL;
    for (int c = 0; c < ncomp && held; c++) held = fixed[(int64_t)i * ncomp + c] != 0;
    live[i] = (uint8_t)!held;
    found += !held;
  }
  *count = found;
  return BF_OK;
}

static bf_err filter(bf_backend *be, const bf_block_rows *A, const float *strength, double theta,
                     bf_block_rows *F)
{
  (void)be;
  const int     D   = A->form.br;
  const size_t  one = (size_t)(D * D) * sizeof(double);
  const double *val = A->val;
  double       *out = F->val;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->form.nrows; i++) {
    double  lump[BF_BLOCK_ORDER] = {0.0};
    int64_t at = F->ptr[i], own = -1;
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
      if (A->col[k] == i) own = at;
      if (A->col[k] == i || bf_mg_is_strong(strength[k], theta))
        memcpy(out + at++ * D * D, val + k * D * D, one);
      else
        for (int c = 0; c < D; c++) lump[c] += val[k * D * D + c * D + c];
    }
    for (int c = 0; c < D && own >= 0; c++) {
      double *d = out + own * D * D + c * D + c;
      *d        = bf_mg_lumped(*d, lump[c]);
    }
  }
  return BF_OK;
}

static bf_err smooth(bf_backend *be, const bf_mg_smoothing *S, const bf_block_rows *T, bf_block_rows *P)
{
  (void)be;
  const int     D = P->form.br, nq = P->form.bc;
  const double *t = T->val;
  double       *p = P->val;
#pragma omp parallel for schedule(static) if (P->nnz > BF_CPU_SMALL / 8)
  for (bf_int i = 0; i < P->form.nrows; i++)
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      const int64_t own = bf_mg_own_block(T->ptr, T->col, i, P->col[k]);
      for (int c = 0; c < D; c++) {
        const int64_t r = (int64_t)i * D + c;
        const double  d = S->diagonal[r], w = d > 0.0 ? S->weight / d : S->weight;
        for (int e = 0; e < nq; e++) {
          double *v = p + (k * nq + e) * D + c;
          *v        = (own >= 0 ? t[(own * nq + e) * D + c] : 0.0) - w * *v;
          if (S->fixed && S->fixed[r]) *v = 0.0;
        }
      }
    }
  return BF_OK;
}

const bf_mg_aggregate_ops bf_cpu_mg_aggregates = {
    .rows           = &bf_cpu_block_rows,
    .local          = &bf_cpu_local,
    .strengths      = strengths,
    .strong_count   = strong_count,
    .strong_fill    = strong_fill,
    .live           = live_nodes,
    .aggregate      = bf_cpu_mg_aggregate,
    .members        = bf_cpu_mg_members,
    .gram           = bf_cpu_mg_gram,
    .factor         = bf_cpu_mg_factor,
    .tentative_rows = bf_cpu_mg_tentative_rows,
    .tentative      = bf_cpu_mg_tentative,
    .filter         = filter,
    .smooth         = smooth,
};
