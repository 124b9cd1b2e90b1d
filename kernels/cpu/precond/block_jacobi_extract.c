/* kernels/cpu/precond/block_jacobi_extract.c - the entries of diagonal blocks out of a matrix, one function a
 * part
 *
 * Each passes over the stored entries once and writes those whose row and column are in one block; no two
 * entries have one place, so the order does not matter.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/precond/block_put.h"

/* The D rows of a node of a segment; half storage: also the mirror image of what is right of the block at 0.
 */
static void node_rows(const bf_bdia *A, const bf_bdia_seg *S, bf_int i, const bf_block_map *m)
{
  const int     D    = A->ncomp;
  const bf_int  node = S->row0 + i;
  const int64_t from = bf_bdia_at(S, D, 0, (int64_t)i * D);
  for (int p = 0; p < S->ndiag * D; p++) {
    const bf_int off = A->off[S->diag0 + p / D], other = node + off, col = other * D + p % D;
    if (other < 0 || other >= A->nrows) continue;
    for (int a = 0; a < D; a++) {
      const double v = bf_cpu_value(A->values, A->prec, from + p * S->ld + a * S->apart);
      bf_block_put(m, node * D + a, col, v);
      if (A->half && off > 0) bf_block_put(m, col, node * D + a, v);
    }
  }
}

/* Slots of no nonzero hold 0; where a remainder has the entry, it is written after. */
bf_err bf_cpu_bdia_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_bdia *A = M->bdia;
  (void)be;
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
#pragma omp parallel for schedule(static) if ((int64_t)S->ndiag * A->ncomp * S->nrows > BF_CPU_SMALL)
    for (bf_int i = 0; i < S->nrows; i++) node_rows(A, S, i, m);
  }
  return BF_OK;
}

bf_err bf_cpu_csr_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_csr *A = M->csr;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++)
      bf_block_put(m, i, A->col ? A->col[p] : A->rel[p] + i - i % BF_CSR16_ROWS,
                   bf_cpu_value(A->val, A->prec, p));
  return BF_OK;
}

bf_err bf_cpu_ell_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_ell *A = M->ell;
  (void)be;
#pragma omp parallel for schedule(static) if (A->width * A->ld > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = i; p < A->width * A->ld && A->col[p] >= 0; p += A->ld)
      bf_block_put(m, i, A->col[p], bf_cpu_value(A->val, A->prec, p));
  return BF_OK;
}

bf_err bf_cpu_coo_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_coo *A = M->coo;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (int64_t p = 0; p < A->nnz; p++)
    bf_block_put(m, A->row[p], A->col[p], bf_cpu_value(A->val, A->prec, p));
  return BF_OK;
}

bf_err bf_cpu_rest_blocks(bf_backend *be, const bf_matrix *M, const bf_block_map *m)
{
  const bf_rest *A = M->rest;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int k = 0; k < A->nlist; k++)
    for (int64_t p = A->ptr[k]; p < A->ptr[k + 1]; p++)
      bf_block_put(m, A->row[k], A->col[p], bf_cpu_value(A->val, A->prec, p));
  return BF_OK;
}
