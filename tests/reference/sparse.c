/* tests/reference/sparse.c - see sparse.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/sparse.h"

typedef struct triplets {
  bf_int *row, *col;
  double *val;
  int64_t n, room;
} triplets;

static void add(triplets *t, bf_int i, bf_int j, double v)
{
  if (t->n == t->room) {
    t->room = 2 * t->room + 1024;
    t->row  = realloc(t->row, (size_t)t->room * sizeof *t->row);
    t->col  = realloc(t->col, (size_t)t->room * sizeof *t->col);
    t->val  = realloc(t->val, (size_t)t->room * sizeof *t->val);
    assert_true(t->row && t->col && t->val);
  }
  t->row[t->n]   = i;
  t->col[t->n]   = j;
  t->val[t->n++] = v;
}

static bf_sparse *finish(triplets *t, bf_int n)
{
  bf_sparse *S = NULL;
  T_OK(bf_sparse_from_triplets(n, n, t->n, t->row, t->col, t->val, &S));
  free(t->row);
  free(t->col);
  free(t->val);
  return S;
}

bf_sparse *t_sparse_random(bf_int n, int row, int symmetric, bf_int near, uint64_t *seed)
{
  triplets t = {0};
  for (int64_t k = 0; k < (int64_t)n * row; k++) {
    const bf_int i = (bf_int)(t_random(seed) % (uint64_t)n);
    bf_int       j = (bf_int)(t_random(seed) % (uint64_t)n);
    if (near) j = i + j % (2 * near + 1) - near;
    if (j < 0 || j >= n || i % 11 == 5 || j % 11 == 5) continue;
    const double v = 1.0 + t_uniform(seed);
    add(&t, i, j, v);
    if (symmetric && i != j) add(&t, j, i, v);
  }
  return finish(&t, n);
}

bf_sparse *t_sparse_diagonals(bf_int n, int noff, const bf_int *off, double fill, int symmetric,
                              uint64_t *seed)
{
  triplets t = {0};
  for (bf_int i = 0; i < n; i++) add(&t, i, i, 4.0 + t_uniform(seed));
  for (int k = 0; k < noff; k++)
    for (bf_int i = 0; i + off[k] < n; i++) {
      if (t_uniform(seed) >= fill) continue;
      const double v = 2.0 * t_uniform(seed) - 1.0, w = 2.0 * t_uniform(seed) - 1.0;
      add(&t, i, i + off[k], v);
      add(&t, i + off[k], i, symmetric ? v : w);
    }
  return finish(&t, n);
}

bf_sparse *t_sparse_arrow(bf_int n)
{
  triplets t = {0};
  for (bf_int i = 0; i < n; i++) {
    add(&t, i, i, 2.0 + 1.0 / (1.0 + i));
    if (i == 0) continue;
    add(&t, 0, i, 1.0 / (3.0 + i));
    add(&t, i, 0, 1.0 / (3.0 + i));
  }
  return finish(&t, n);
}

void t_sparse_product(const bf_sparse *S, int prec, const double *x, double *y, double *size)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    long double s = 0.0L, m = 0.0L;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const double      v = prec ? (double)(float)S->val[p] : S->val[p];
      const long double t = (long double)v * (long double)x[S->col[p]];
      s += t;
      m += t < 0.0L ? -t : t;
    }
    y[i]    = (double)s;
    size[i] = (double)m;
  }
}

void t_sparse_same(const bf_sparse *A, const bf_sparse *B, int rounded)
{
  assert_int_equal(A->nrows, B->nrows);
  assert_int_equal(A->ncols, B->ncols);
  assert_int_equal(A->nnz, B->nnz);
  assert_memory_equal(A->ptr, B->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr);
  assert_memory_equal(A->col, B->col, (size_t)A->nnz * sizeof *A->col);
  for (int64_t p = 0; p < A->nnz; p++)
    assert_true((rounded ? (double)(float)A->val[p] : A->val[p]) == B->val[p]);
}
