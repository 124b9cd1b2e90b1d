/* kernels/cpu/fem/scatter.c - element matrices and vectors into rows, each added up by one thread in one
 * order
 *
 * For each row the incidence list names the places (element, local node) where it occurs, ascending; the
 * row's owner walks them.  No atomics, no colouring, and no dependence on the number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/fem/scatter.h"
#include "kernels/cpu/backend/cpu.h"
#include <omp.h>

/* ---- incidence ---- */

/* Counting sort; each thread owns a run of rows and scans all of conn for them. */
static void fill_rows(bf_int row0, bf_int row1, int64_t n, const bf_int *conn, bf_int *next, bf_int *item)
{
  for (int64_t k = 0; k < n; k++) {
    const bf_int r = conn[k];
    if (r >= row0 && r < row1) item[next[r]++] = (bf_int)k;
  }
}

bf_err bf_cpu_incidence(bf_backend *be, bf_int ne, int nen, const bf_int *conn, bf_int nrows, bf_int *ptr,
                        bf_int *item)
{
  (void)be;
  const int64_t n   = (int64_t)ne * nen;
  int64_t       bad = -1;
  BF_CHECK(ne >= 0 && nen >= 1 && nrows >= 0 && n < INT32_MAX, BF_E_ARG, "ne=%d nen=%d nrows=%d", (int)ne,
           nen, (int)nrows);
  for (bf_int r = 0; r <= nrows; r++) ptr[r] = 0;
  for (int64_t k = 0; k < n && bad < 0; k++) {
    if (conn[k] < 0 || conn[k] >= nrows)
      bad = k;
    else
      ptr[conn[k]]++;
  }
  BF_CHECK(bad < 0, BF_E_ARG, "element %lld: row %d of %d", (long long)(bad / nen), (int)conn[bad],
           (int)nrows);
  bf_int sum = 0;
  for (bf_int r = 0; r < nrows; r++) { /* ptr[r] = start of row r */
    const bf_int count = ptr[r];
    ptr[r]             = sum;
    sum += count;
  }
#pragma omp parallel if (n > BF_CPU_SMALL)
  {
    const int64_t T = omp_get_num_threads(), t = omp_get_thread_num();
    fill_rows((bf_int)(nrows * t / T), (bf_int)(nrows * (t + 1) / T), n, conn, ptr, item);
  }
  for (bf_int r = nrows; r > 0; r--) ptr[r] = ptr[r - 1]; /* now ptr[r] is the end of row r: move up */
  ptr[0] = 0;
  return BF_OK;
}

/* ---- matrices ---- */

/* Adds block (local node item, b) to row i of the remainder; 0 where it has no such pair. */
static int rest_block(const bf_rest *R, const bf_scatter *s, bf_int i, bf_int item, int b, bf_int j)
{
  const int     D = s->D, nd = s->nen * D;
  const int64_t k = bf_find_position(R->row, R->nlist, 1, i * D);
  if (k < 0) return 0;
  const int64_t p0 = R->ptr[k], m = (R->ptr[k + 1] - p0) / D, q = bf_find_position(R->col + p0, m, D, j * D);
  if (q < 0) return 0;
  const double *K   = bf_scatter_block(s, item, b);
  double       *val = (double *)R->val + p0;
  for (int a = 0; a < D; a++)
    for (int c = 0; c < D; c++) val[a * m * D + q * D + c] += K[a * nd + c];
  return 1;
}

/* Adds row i; column node that has no place, or -1. */
static bf_int bdia_row(const bf_bdia *A, const bf_rest *R, const bf_bdia_seg *S, const bf_scatter *s,
                       bf_int i)
{
  const int     D = s->D, nd = s->nen * D;
  const bf_int *off = A->off + S->diag0;
  double       *v   = (double *)A->values + bf_bdia_at(S, D, 0, (int64_t)(i - S->row0) * D);
  for (bf_int p = s->ptr[i]; p < s->ptr[i + 1]; p++) {
    const bf_int *conn = s->conn + s->item[p] / s->nen * (int64_t)s->nen;
    for (int b = 0; b < s->nen; b++) {
      if (A->half && conn[b] < i) { /* where it has no place at all, its transposed finds that out */
        if (R) rest_block(R, s, i, s->item[p], b, conn[b]);
        continue;
      }
      const int64_t k = bf_find_position(off, S->ndiag, 1, conn[b] - i);
      if (k < 0) {
        if (R && rest_block(R, s, i, s->item[p], b, conn[b])) continue;
        return conn[b];
      }
      const double *K = bf_scatter_block(s, s->item[p], b);
      for (int c = 0; c < D; c++)
        for (int a = 0; a < D; a++) v[(k * D + c) * S->ld + a * S->apart] += K[a * nd + c];
    }
  }
  return -1;
}

static void bdia_rows(const bf_bdia *A, const bf_rest *R, const bf_scatter *s, bf_int row0, bf_int row1,
                      _Atomic int64_t *bad)
{
  for (int g = 0; g < A->nseg; g++) {
    const bf_bdia_seg *S  = &A->seg[g];
    const bf_int       i1 = row1 < S->row0 + S->nrows ? row1 : S->row0 + S->nrows;
    for (bf_int i = row0 > S->row0 ? row0 : S->row0; i < i1; i++) {
      const bf_int col = bdia_row(A, R, S, s, i);
      if (col >= 0) bf_scatter_note(bad, i, col);
    }
  }
}

bf_err bf_cpu_bdia_scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                           const bf_int *conn, const double *Ke)
{
  bf_bdia *A = M->bdia;
  bf_rest *R = M->rest;
  (void)be;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  const bf_scatter s   = {.D = A->ncomp, .nen = nen, .ptr = ptr, .item = item, .conn = conn, .Ke = Ke};
  _Atomic int64_t  bad = INT64_MAX;
#pragma omp parallel if (A->nrows > 256)
  {
    const int64_t T = omp_get_num_threads(), t = omp_get_thread_num(), n = A->nrows;
    bdia_rows(A, R, &s, (bf_int)(n * t / T), (bf_int)(n * (t + 1) / T), &bad);
  }
  BF_TRY(bf_scatter_status(bad));
  return BF_OK;
}

/* Place of node column j among the m of a row whose entries begin at p0, -1 if it has none. */
static int64_t find_column(const bf_csr *A, bf_int row, int64_t p0, int64_t m, int D, bf_int j)
{
  if (!A->rel) return bf_find_position(A->col + p0, m, D, j * D);
  const bf_int base = row - row % BF_CSR16_ROWS;
  int64_t      at   = 0;
  for (int64_t n = m, half = n / 2; n > 1; n -= half, half = n / 2)
    at += A->rel[p0 + (at + half) * D] + base <= j * D ? half : 0;
  return m > 0 && A->rel[p0 + at * D] + base == j * D ? at : -1;
}

static bf_int csr_row(const bf_csr *A, const bf_scatter *s, bf_int i)
{
  const int     D = s->D, nd = s->nen * D;
  const int64_t p0 = A->ptr[(int64_t)i * D], m = (A->ptr[(int64_t)i * D + 1] - p0) / D; /* m node columns */
  double       *val = (double *)A->val + p0;
  for (bf_int p = s->ptr[i]; p < s->ptr[i + 1]; p++) {
    const bf_int *conn = s->conn + s->item[p] / s->nen * (int64_t)s->nen;
    for (int b = 0; b < s->nen; b++) {
      const int64_t k = find_column(A, i * D, p0, m, D, conn[b]);
      if (k < 0) return conn[b];
      const double *K = bf_scatter_block(s, s->item[p], b);
      for (int a = 0; a < D; a++)
        for (int c = 0; c < D; c++) val[a * m * D + k * D + c] += K[a * nd + c];
    }
  }
  return -1;
}

bf_err bf_cpu_csr_scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                          const bf_int *conn, const double *Ke)
{
  bf_csr   *A = M->csr;
  const int D = M->ncomp;
  (void)be;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  const bf_scatter s   = {.D = D, .nen = nen, .ptr = ptr, .item = item, .conn = conn, .Ke = Ke};
  _Atomic int64_t  bad = INT64_MAX;
#pragma omp parallel for schedule(static) if (A->nrows > 256)
  for (bf_int i = 0; i < A->nrows / D; i++) {
    const bf_int col = csr_row(A, &s, i);
    if (col >= 0) bf_scatter_note(&bad, i, col);
  }
  BF_TRY(bf_scatter_status(bad));
  return BF_OK;
}

/* ---- vectors ---- */

bf_err bf_cpu_vector_scatter(bf_backend *be, bf_int nrows, int D, const bf_int *ptr, const bf_int *item,
                             int nen, const double *fe, double *b)
{
  (void)be;
  (void)nen; /* an item counts local nodes through all elements, as fe does */
#pragma omp parallel for schedule(static) if (nrows > BF_CPU_SMALL)
  for (bf_int r = 0; r < nrows; r++)
    for (bf_int p = ptr[r]; p < ptr[r + 1]; p++)
      for (int c = 0; c < D; c++) b[(int64_t)r * D + c] += fe[(int64_t)item[p] * D + c];
  return BF_OK;
}
