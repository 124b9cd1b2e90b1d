/* kernels/cpu/sparse/coo_sort.c - COO sorted by row and column; COO to CSR
 *
 * Two stable counting sorts, by column and then by row: linear in the number of entries. Duplicates are
 * then adjacent in input order and are added in it, in fp64.
 * Cost       8 bytes per entry for the order by column and 4 for its rows, besides the result.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/cpu/sparse/counting_sort.h"
#include "kernels/matrix/transpose.h"

/* Entries by row, then column: the row and the index of every entry q of the order by column */
typedef struct sorted {
  int      chunks;
  int64_t *order, *first; /* [nnz]: entry at place q by column; [chunks * nrows] */
  bf_int  *row;           /* [nnz]: of that entry */
} sorted;

static void clear(sorted *s)
{
  bf_host_free(s->order);
  bf_host_free(s->first);
  bf_host_free(s->row);
}

/* ptr[nrows + 1] = where rows begin. */
static bf_err sort_by_place(const bf_coo_arrays *A, int64_t *ptr, sorted *s)
{
  bf_err    err    = BF_OK;
  const int chunks = bf_cpu_counting_chunks(A->nnz, A->ncols);
  int64_t  *first = NULL, *columns = NULL;
  s->chunks = bf_cpu_counting_chunks(A->nnz, A->nrows);
  BF_GO(BF_NEW_ARRAY(s->order, A->nnz));
  BF_GO(BF_NEW_ARRAY(s->row, A->nnz));
  BF_GO(BF_NEW_ARRAY(s->first, (int64_t)s->chunks * A->nrows));
  BF_GO(BF_NEW_ARRAY(first, (int64_t)chunks * A->ncols));
  BF_GO(BF_NEW_ARRAY(columns, (int64_t)A->ncols + 1));
  BF_GO(bf_cpu_count(A->nnz, A->col, A->ncols, chunks, first, columns, "column"));
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (int c = 0; c < chunks; c++) {
    int64_t      *next = first + (int64_t)c * A->ncols;
    const int64_t end  = bf_cpu_chunk_begin(A->nnz, chunks, c + 1);
    for (int64_t p = bf_cpu_chunk_begin(A->nnz, chunks, c); p < end; p++) {
      const int64_t q = next[A->col[p]]++;
      s->order[q]     = p;
      s->row[q]       = A->row[p];
    }
  }
  BF_GO(bf_cpu_count(A->nnz, s->row, A->nrows, s->chunks, s->first, ptr, "row"));
done:
  bf_host_free(first);
  bf_host_free(columns);
  return err;
}

/* Assigns every entry its position; row may be NULL. */
static void move_to_place(const bf_coo_arrays *A, const sorted *s, bf_int *row, bf_int *col, void *val)
{
#pragma omp parallel for schedule(static) if (s->chunks > 1)
  for (int c = 0; c < s->chunks; c++) {
    int64_t      *next = s->first + (int64_t)c * A->nrows;
    const int64_t end  = bf_cpu_chunk_begin(A->nnz, s->chunks, c + 1);
    for (int64_t q = bf_cpu_chunk_begin(A->nnz, s->chunks, c); q < end; q++) {
      const int64_t at = next[s->row[q]]++, p = s->order[q];
      if (row) row[at] = s->row[q];
      col[at] = A->col[p];
      bf_cpu_move_value(A->prec, val, at, A->val, p);
    }
  }
}

bf_err bf_cpu_coo_sort(bf_backend *be, const bf_coo_arrays *A, bf_coo_arrays *B)
{
  (void)be;
  bf_err   err = BF_OK;
  sorted   s   = {0};
  int64_t *ptr = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (int64_t)A->nrows + 1));
  BF_GO(sort_by_place(A, ptr, &s));
  move_to_place(A, &s, B->row, B->col, B->val);
done:
  bf_host_free(ptr);
  clear(&s);
  return err;
}

static double value_at(const bf_csr_arrays *B, int64_t p)
{
  return B->prec == BF_FP64 ? ((const double *)B->val)[p] : (double)((const float *)B->val)[p];
}

static void put_value(bf_csr_arrays *B, int64_t p, double v)
{
  if (B->prec == BF_FP64)
    ((double *)B->val)[p] = v;
  else
    ((float *)B->val)[p] = (float)v;
}

/* Adds equal columns of row i, which are adjacent; returns the number of remaining entries. */
static int64_t add_up_row(bf_csr_arrays *B, bf_int i)
{
  int64_t at = B->ptr[i];
  for (int64_t p = B->ptr[i]; p < B->ptr[i + 1]; at++) {
    const bf_int column = B->col[p];
    double       sum    = value_at(B, p++);
    for (; p < B->ptr[i + 1] && B->col[p] == column; p++) sum += value_at(B, p);
    B->col[at] = column;
    put_value(B, at, sum);
  }
  return at - B->ptr[i];
}

bf_err bf_cpu_coo_to_csr(bf_backend *be, const bf_coo_arrays *A, bf_csr_arrays *B)
{
  (void)be;
  bf_err  err  = BF_OK;
  sorted  s    = {0};
  bf_int *left = NULL;
  BF_GO(BF_NEW_ARRAY(left, A->nrows));
  BF_GO(sort_by_place(A, B->ptr, &s));
  move_to_place(A, &s, NULL, B->col, B->val);
#pragma omp parallel for schedule(static) if (A->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) left[i] = (bf_int)add_up_row(B, i);
  int64_t at = 0;
  for (bf_int i = 0; i < A->nrows; i++) { /* compacts the rows */
    const int64_t from = B->ptr[i];
    B->ptr[i]          = at;
    for (int64_t p = from; p < from + left[i]; p++, at++) {
      B->col[at] = B->col[p];
      bf_cpu_move_value(B->prec, B->val, at, B->val, p);
    }
  }
  B->ptr[A->nrows] = B->nnz = at;
done:
  bf_host_free(left);
  clear(&s);
  return err;
}
