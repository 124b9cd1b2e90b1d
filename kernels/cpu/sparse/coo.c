/* kernels/cpu/sparse/coo.c - COO: product by runs of entries, diagonal, constraints
 *
 *     y[i] (+)= sum over entries p with row[p] = i of val[p] x[col[p]], in the order of p
 *
 * A run of CHUNK entries owns the rows that start in it, to their ends, so that every row is summed by one
 * thread in one order; a row that extends over many runs is not shared.
 * Cost       2 nnz flops; 16 bytes (fp64) or 12 (fp32) per nonzero, x and y once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

static void run(const bf_coo *A, int64_t p, int64_t p1, int add, const double *x, double *y)
{
  while (p > 0 && p < p1 && A->row[p] == A->row[p - 1]) p++; /* belongs to the previous run */
  while (p < p1) {
    const bf_int i   = A->row[p];
    double       sum = 0.0;
    for (; p < A->nnz && A->row[p] == i; p++) sum += bf_cpu_value(A->val, A->prec, p) * x[A->col[p]];
    y[i] = add ? y[i] + sum : sum;
  }
}

static bf_err product(bf_backend *be, const bf_coo *A, int add, const double *x, double *y, const double *w,
                      double *dot)
{
  const int64_t nc = bf_cpu_chunks(A->nnz);
  if (!add) BF_TRY(be->ops.zero(be, y, (size_t)A->nrows * sizeof *y));
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t end = (c + 1) * BF_CPU_CHUNK;
    run(A, c * BF_CPU_CHUNK, end < A->nnz ? end : A->nnz, add, x, y);
  }
  return w ? bf_cpu_dots(be, A->nrows, w, y, dot) : BF_OK;
}

bf_err bf_cpu_coo_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                       double *dot)
{
  return product(be, M->coo, 0, x, y, w, dot);
}

bf_err bf_cpu_coo_spmv_add(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                           double *dot)
{
  return product(be, M->coo, 1, x, y, w, dot);
}

bf_err bf_cpu_coo_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_coo *A = M->coo;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t p = 0; p < A->nnz; p++)
    if (A->row[p] == A->col[p]) d[A->row[p]] = bf_cpu_value(A->val, A->prec, p);
  return BF_OK;
}

bf_err bf_cpu_coo_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_coo *A = M->coo;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t p = 0; p < A->nnz; p++)
    if (A->row[p] != A->col[p] && (fixed[A->row[p]] || fixed[A->col[p]])) bf_cpu_clear(A->val, A->prec, p);
  return BF_OK;
}
