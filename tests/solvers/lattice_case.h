/* tests/solvers/lattice_case.h - small dense matrices of a lattice of nodes with random couplings, and what
 * multigrid makes of them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_LATTICE_CASE_H
#define BF_TESTS_SOLVERS_LATTICE_CASE_H
#include "kernels/matrix/host_csr.h"
#include "solvers/linear/multigrid/multigrid.h"
#include "tests/backend.h"
#include <math.h>

typedef struct t_lattice {
  bf_int   n[3];
  int      D, half;
  bf_int   rows; /* scalar */
  double  *a;    /* [rows][rows] */
  uint8_t *fixed;
} t_lattice;

static inline bf_int t_lattice_node(const bf_int n[3], bf_int i, bf_int j, bf_int k)
{
  return i + n[0] * (j + n[1] * k);
}
static inline void t_lattice_place(const bf_int n[3], bf_int node, bf_int x[3])
{
  x[0] = node % n[0];
  x[1] = node / n[0] % n[1];
  x[2] = node / n[0] / n[1];
}
static inline int t_lattice_joined(const bf_int n[3], bf_int u, bf_int v)
{
  bf_int x[3], y[3];
  t_lattice_place(n, u, x);
  t_lattice_place(n, v, y);
  return abs(x[0] - y[0]) <= 1 && abs(x[1] - y[1]) <= 1 && abs(x[2] - y[2]) <= 1;
}

/* Blocks between neighbours are -along[a] I and a random part, unsymmetric where half is 0; the diagonal of A
 * exceeds the sum of its row.  Unknowns with fixed[] have no other entry. */
static inline t_lattice t_lattice_random(const bf_int n[3], int D, int half, const double along[3],
                                         const uint8_t *fixed, uint64_t seed)
{
  const bf_int nodes = n[0] * n[1] * n[2];
  uint64_t     state = seed * 2 + 1;
  t_lattice    L     = {.n = {n[0], n[1], n[2]}, .D = D, .half = half, .rows = nodes * D};
  const size_t rows  = L.rows > 0 ? (size_t)L.rows : 1;
  L.a                = calloc(rows * rows, sizeof *L.a);
  L.fixed            = calloc(rows, 1);
  assert_true(L.a && L.fixed);
  if (fixed) memcpy(L.fixed, fixed, rows);
  for (size_t r = 0; r < rows; r++)
    for (size_t c = half ? r : 0; c < rows; c++) {
      const bf_int u = (bf_int)r / D, v = (bf_int)c / D;
      bf_int       x[3], y[3];
      if (!t_lattice_joined(n, u, v) || r == c) continue;
      t_lattice_place(n, u, x);
      t_lattice_place(n, v, y);
      double w = 1.0;
      for (int a = 0; a < 3; a++)
        if (x[a] != y[a]) w *= along[a];
      const double random = 0.2 * t_uniform(&state) - 0.1;
      const double value  = u != v && (int)r % D == (int)c % D ? -w * (1.0 + random) : w * random;
      if (L.fixed[r] || L.fixed[c]) continue;
      L.a[r * rows + c] = value;
      if (half) L.a[c * rows + r] = value;
    }
  for (size_t r = 0; r < rows; r++) {
    double sum = 0.01;
    for (size_t c = 0; c < rows; c++) sum += fabs(L.a[r * rows + c]);
    L.a[r * rows + r] = L.fixed[r] ? 3.0 : sum;
    L.fixed[r] |= sum == 0.01; /* all its neighbours are */
  }
  return L;
}

static inline void t_lattice_free(t_lattice *L)
{
  free(L->a);
  free(L->fixed);
}

static inline bf_matrix *t_lattice_matrix(const t_lattice *L)
{
  bf_sparse           *S    = NULL;
  bf_matrix           *A    = NULL;
  int64_t              nnz  = 0;
  const size_t         rows = (size_t)L->rows;
  const bf_matrix_form form = {.format = BF_FORMAT_BDIA, .half = L->half, .ncomp = L->D};
  for (size_t k = 0; k < rows * rows; k++) nnz += L->a[k] != 0.0;
  T_OK(bf_sparse_create(L->rows, L->rows, nnz, &S));
  nnz = 0;
  for (bf_int r = 0; r < L->rows; r++) {
    for (bf_int c = 0; c < L->rows; c++)
      if (L->a[(size_t)r * rows + (size_t)c] != 0.0)
        S->col[nnz] = c, S->val[nnz++] = L->a[(size_t)r * rows + (size_t)c];
    S->ptr[r + 1] = nnz;
  }
  T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
  bf_sparse_destroy(&S);
  return A;
}

/* The first stage of A on this lattice. */
static inline bf_mg_stage t_lattice_stage(const bf_matrix *A, const bf_int n[3])
{
  bf_mg_stage s   = {.be = NULL};
  int         bad = 0;
  T_OK(bf_mg_stage_first(A, NULL, &s, &bad));
  assert_false(bad);
  for (int a = 0; a < 3; a++) s.grid[a] = n[a];
  return s;
}

/* P of a transfer from nc to n unknowns: dense [n][nc], column by column from unit vectors; with `restricted`
 * by rows from P^T. */
static inline double *t_transfer_dense(const bf_mg_transfer *T, bf_int n, bf_int nc, int restricted)
{
  const bf_int from = restricted ? n : nc, to = restricted ? nc : n;
  double      *p = calloc((size_t)n * (size_t)nc, sizeof *p), *x = calloc((size_t)from, sizeof *x);
  double      *y = calloc((size_t)to, sizeof *y);
  assert_true(p && x && y);
  for (bf_int c = 0; c < from; c++) {
    for (bf_int r = 0; r < from; r++) x[r] = r == c;
    memset(y, 0, (size_t)to * sizeof *y);
    double *bx = t_to_backend(x, (size_t)from * sizeof *x), *by = t_to_backend(y, (size_t)to * sizeof *y);
    T_OK(restricted ? T->restricted(T->self, bx, by) : T->prolong(T->self, bx, by));
    t_to_host(y, by, (size_t)to * sizeof *y);
    for (bf_int r = 0; r < to; r++)
      if (restricted)
        p[(size_t)c * (size_t)nc + (size_t)r] = y[r];
      else
        p[(size_t)r * (size_t)nc + (size_t)c] = y[r];
    t_be->ops.release(t_be, bx);
    t_be->ops.release(t_be, by);
  }
  free(x);
  free(y);
  return p;
}
#endif
