/* kernels/cpu/multigrid/block_product.c - block rows: C = A B by rows
 *
 *     C_i = sum_k A_ik B_k,  k ascending
 *
 * Source   Gustavson, ACM Trans. Math. Softw. 4 (1978) 250, doi 10.1145/355791.355796
 * Layout   every thread has two integers for each column of B: the last row of C that met it, and its place.
 * Cost     two passes over the blocks of B that the rows of A name; rows are sorted by insertion, long ones
 *          by qsort.
 * Checked  tests/kernels/multigrid/t385_block_rows.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/multigrid.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 64, ROWS = 64 }; /* sorted by insertion; of one piece of work */

int64_t bf_cpu_row_sums(bf_int nrows, int64_t *ptr)
{
  ptr[0] = 0;
  for (bf_int i = 0; i < nrows; i++) ptr[i + 1] += ptr[i];
  return ptr[nrows];
}

/* Two tables of a thread. */
static bf_err tables(bf_backend *be, bf_int ncols, int *threads, bf_int **first)
{
  double *scratch;
  *threads = omp_get_max_threads();
  BF_TRY(bf_cpu_scratch(be, (int64_t)*threads * ncols, &scratch));
  *first = (bf_int *)scratch;
  return BF_OK;
}

bf_err bf_cpu_block_product_count(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                  int64_t *ptr, int64_t *nnz)
{
  const bf_int n = A->form.nrows, m = B->form.ncols;
  int          threads;
  bf_int      *all;
  BF_TRY(tables(be, m, &threads, &all));
#pragma omp parallel num_threads(threads) if (A->nnz > BF_CPU_SMALL / 8)
  {
    bf_int *met = all + (int64_t)omp_get_thread_num() * 2 * m;
    memset(met, 0xff, (size_t)m * sizeof *met);
#pragma omp for schedule(dynamic, ROWS)
    for (bf_int i = 0; i < n; i++) {
      int64_t count = 0;
      for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
        for (int64_t q = B->ptr[A->col[k]]; q < B->ptr[A->col[k] + 1]; q++)
          if (met[B->col[q]] != i) {
            met[B->col[q]] = i;
            count++;
          }
      ptr[i + 1] = count;
    }
  }
  *nnz = bf_cpu_row_sums(n, ptr);
  return BF_OK;
}

static int ascending(const void *a, const void *b)
{
  const bf_int x = *(const bf_int *)a, y = *(const bf_int *)b;
  return (x > y) - (x < y);
}

static void sort(int64_t n, bf_int *c)
{
  if (n > SHORT) {
    qsort(c, (size_t)n, sizeof *c, ascending);
    return;
  }
  for (int64_t p = 1; p < n; p++) {
    const bf_int v = c[p];
    int64_t      q = p;
    for (; q > 0 && c[q - 1] > v; q--) c[q] = c[q - 1];
    c[q] = v;
  }
}

/* c += a b of orders br x m and m x bc, columns */
static inline __attribute__((always_inline)) void add_product(int br, int m, int bc, const double *a,
                                                              const double *b, double *c)
{
  for (int j = 0; j < bc; j++)
    for (int l = 0; l < m; l++)
      for (int i = 0; i < br; i++) c[j * br + i] += a[l * br + i] * b[j * m + l];
}

static inline __attribute__((always_inline)) void fill_row(int br, int m, int bc, const bf_block_rows *A,
                                                           const bf_block_rows *B, bf_block_rows *C, bf_int i,
                                                           const bf_int *place)
{
  const double *a = A->val, *b = B->val;
  double       *c = (double *)C->val + C->ptr[i] * br * bc;
  memset(c, 0, (size_t)(C->ptr[i + 1] - C->ptr[i]) * (size_t)(br * bc) * sizeof *c);
  for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
    for (int64_t q = B->ptr[A->col[k]]; q < B->ptr[A->col[k] + 1]; q++)
      add_product(br, m, bc, a + k * br * m, b + q * m * bc, c + (int64_t)place[B->col[q]] * br * bc);
}

static void fill_row_of_orders(const bf_block_rows *A, const bf_block_rows *B, bf_block_rows *C, bf_int i,
                               const bf_int *place)
{
  const int br = A->form.br, m = A->form.bc, bc = B->form.bc;
  switch (br * 64 + m * 8 + bc) {
  case 1 * 64 + 1 * 8 + 1: fill_row(1, 1, 1, A, B, C, i, place); break;
  case 1 * 64 + 3 * 8 + 1: fill_row(1, 3, 1, A, B, C, i, place); break;
  case 3 * 64 + 3 * 8 + 1: fill_row(3, 3, 1, A, B, C, i, place); break;
  case 2 * 64 + 2 * 8 + 3: fill_row(2, 2, 3, A, B, C, i, place); break;
  case 3 * 64 + 2 * 8 + 3: fill_row(3, 2, 3, A, B, C, i, place); break;
  case 3 * 64 + 3 * 8 + 3: fill_row(3, 3, 3, A, B, C, i, place); break;
  case 3 * 64 + 3 * 8 + 6: fill_row(3, 3, 6, A, B, C, i, place); break;
  case 6 * 64 + 3 * 8 + 6: fill_row(6, 3, 6, A, B, C, i, place); break;
  case 6 * 64 + 6 * 8 + 6: fill_row(6, 6, 6, A, B, C, i, place); break;
  default: fill_row(br, m, bc, A, B, C, i, place); break;
  }
}

bf_err bf_cpu_block_product_fill(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                 bf_block_rows *C)
{
  const bf_int n = A->form.nrows, m = B->form.ncols;
  int          threads;
  bf_int      *all;
  BF_TRY(tables(be, m, &threads, &all));
#pragma omp parallel num_threads(threads) if (A->nnz > BF_CPU_SMALL / 8)
  {
    bf_int *met = all + (int64_t)omp_get_thread_num() * 2 * m, *place = met + m;
    memset(met, 0xff, (size_t)m * sizeof *met);
#pragma omp for schedule(dynamic, ROWS)
    for (bf_int i = 0; i < n; i++) {
      bf_int *col   = C->col + C->ptr[i];
      int64_t count = 0;
      for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
        for (int64_t q = B->ptr[A->col[k]]; q < B->ptr[A->col[k] + 1]; q++)
          if (met[B->col[q]] != i) {
            met[B->col[q]] = i;
            col[count++]   = B->col[q];
          }
      sort(count, col);
      for (int64_t p = 0; p < count; p++) place[col[p]] = (bf_int)p;
      fill_row_of_orders(A, B, C, i, place);
    }
  }
  return BF_OK;
}
