/* kernels/matrix/bloch_sum.c - see bloch_sum.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/bloch_sum.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static const double TURN = 6.28318530717958647692;

static bf_err new_term(bf_shifted *A, const int s[3], int *term)
{
  BF_CHECK(A->nterms < BF_SHIFTS_MAX, BF_E_ARG, "more than %d translations of the lattice", BF_SHIFTS_MAX);
  BF_TRY(BF_NEW_ARRAY(A->term[A->nterms], (size_t)A->n * (size_t)A->n));
  memcpy(A->shift[A->nterms], s, sizeof A->shift[0]);
  *term = A->nterms++;
  return BF_OK;
}

bf_err bf_shifted_create(bf_int n, bf_shifted **out)
{
  bf_err      err = BF_OK;
  bf_shifted *A   = NULL;
  int         term;
  BF_CHECK(n > 0 && out, BF_E_ARG, "a matrix of %d unknowns", (int)n);
  *out = NULL;
  BF_GO(BF_NEW(A));
  A->n = n;
  BF_GO(new_term(A, (const int[3]){0}, &term));
  *out = A;
  A    = NULL;
done:
  bf_shifted_destroy(&A);
  return err;
}

void bf_shifted_destroy(bf_shifted **A)
{
  if (!A || !*A) return;
  for (int t = 0; t < (*A)->nterms; t++) bf_host_free((*A)->term[t]);
  bf_host_free(*A);
  *A = NULL;
}

static int find_term(const bf_shifted *A, int x, int y, int z)
{
  for (int t = 0; t < A->nterms; t++)
    if (A->shift[t][0] == x && A->shift[t][1] == y && A->shift[t][2] == z) return t;
  return -1;
}

bf_err bf_shifted_add(bf_shifted *A, bf_int m, const bf_int *row, const int *shift, const double *Ke)
{
  for (bf_int a = 0; a < m; a++) {
    BF_CHECK(row[a] < A->n, BF_E_ARG, "row %d of a matrix of %d", (int)row[a], (int)A->n);
    for (bf_int b = 0; b < m && row[a] >= 0; b++) {
      int s[3];
      if (row[b] < 0) continue;
      for (int i = 0; i < 3; i++) s[i] = shift[3 * b + i] - shift[3 * a + i];
      int t = find_term(A, s[0], s[1], s[2]);
      if (t < 0) BF_TRY(new_term(A, s, &t));
      A->term[t][(size_t)row[b] * (size_t)A->n + (size_t)row[a]] += Ke[(size_t)a * (size_t)m + (size_t)b];
    }
  }
  return BF_OK;
}

bf_err bf_shifted_gather(bf_shifted *A, const bf_sparse *S, const bf_cell_rows *rows)
{
  BF_CHECK(S->nrows == rows->nrows && A->n == rows->n, BF_E_ARG, "%d rows of a matrix, %d of the cell",
           (int)S->nrows, (int)rows->nrows);
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const bf_int j = S->col[p], a = rows->unknown[i], b = rows->unknown[j];
      const int   *si = rows->shift + 3 * (size_t)i, *sj = rows->shift + 3 * (size_t)j;
      const int    s[3] = {sj[0] - si[0], sj[1] - si[1], sj[2] - si[2]};
      if (a < 0 || b < 0) continue;
      int t = find_term(A, s[0], s[1], s[2]);
      if (t < 0) BF_TRY(new_term(A, s, &t));
      A->term[t][(size_t)b * (size_t)A->n + (size_t)a] += S->val[p];
    }
  return BF_OK;
}

void bf_cell_rows_clear(bf_cell_rows *rows)
{
  bf_host_free(rows->unknown);
  bf_host_free(rows->shift);
  bf_host_free(rows->paired);
  *rows = (bf_cell_rows){0};
}

void bf_shifted_phase(const int s[3], const double kappa[3], double phase[2])
{
  double turns = 0.0;
  for (int i = 0; i < 3; i++) turns += kappa[i] * s[i];
  turns -= nearbyint(turns); /* exact: phases of integer multiples of 2 pi are 1 */
  phase[0] = cos(TURN * turns);
  phase[1] = sin(TURN * turns);
}

double bf_shifted_defect(const bf_shifted *A)
{
  const size_t n       = (size_t)A->n;
  double       largest = 0.0, defect = 0.0;
  for (int t = 0; t < A->nterms; t++) {
    const int     u = find_term(A, -A->shift[t][0], -A->shift[t][1], -A->shift[t][2]);
    const double *a = A->term[t], *b = u >= 0 ? A->term[u] : NULL;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every term has values */
        const double x = a[j * n + i], y = b ? b[i * n + j] : 0.0;
        largest = fmax(largest, fabs(x));
        defect  = fmax(defect, fabs(x - y));
      }
  }
  return largest > 0.0 ? defect / largest : 0.0;
}

void bf_shifted_at(const bf_shifted *A, const double kappa[3], double *z, int64_t ld)
{
  const int64_t n = A->n;
  double        c[BF_SHIFTS_MAX][2];
  for (int t = 0; t < A->nterms; t++) bf_shifted_phase(A->shift[t], kappa, c[t]);
  for (int64_t j = 0; j < n; j++) {
    double *to = z + 2 * j * ld;
    memset(to + 2 * j, 0, 2 * (size_t)(n - j) * sizeof *to);
    for (int t = 0; t < A->nterms; t++) {
      const double *from = A->term[t] + j * n, re = c[t][0], im = c[t][1];
      for (int64_t i = j; i < n; i++) {
        to[2 * i] += re * from[i];
        to[2 * i + 1] += im * from[i];
      }
    }
  }
}

void bf_shifted_times(bf_int n, const double *z, int64_t ld, const double *x, double *y)
{
  memset(y, 0, 2 * (size_t)n * sizeof *y);
  for (int64_t j = 0; j < n; j++) {
    const double *a = z + 2 * j * ld, xr = x[2 * j], xi = x[2 * j + 1];
    double        re = a[2 * j] * xr, im = a[2 * j] * xi; /* the diagonal is real */
    for (int64_t i = j + 1; i < n; i++) {
      const double ar = a[2 * i], ai = a[2 * i + 1];
      y[2 * i] += ar * xr - ai * xi;
      y[2 * i + 1] += ar * xi + ai * xr;
      re += ar * x[2 * i] + ai * x[2 * i + 1];
      im += ar * x[2 * i + 1] - ai * x[2 * i];
    }
    y[2 * j] += re;
    y[2 * j + 1] += im;
  }
}
