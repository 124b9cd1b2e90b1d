/* tests/kernels/krylov/iteration_case.h - iterations of CG and BiCGStab, step by step, on a small dense
 * system */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_KRYLOV_ITERATION_CASE_H
#define BF_TESTS_KERNELS_KRYLOV_ITERATION_CASE_H
#include "kernels/matrix/matrix.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include <math.h>

enum { LIMIT = 400, VECTORS = 10 };
enum { X, R, P, Q, PH, RH, R0, T, DINV, B }; /* the vectors of an iteration; CG uses X R P Q DINV */

typedef struct bench { /* an iteration on the backend */
  bf_int            n, guard;
  int               jacobi;
  double           *v[VECTORS];
  bf_krylov_state  *st;
  bf_krylov_sample *history;
} bench;

static inline bench open_bench(bf_int n, bf_int guard, int jacobi, double rr_stop, int limit)
{
  bench           k     = {.n = n, .guard = guard, .jacobi = jacobi};
  bf_krylov_state start = {.rr_stop = rr_stop, .limit = limit};
  for (int i = 0; i < VECTORS; i++) T_OK(bf_vector_create(t_be, n, guard, &k.v[i]));
  k.st      = t_to_backend(&start, sizeof start);
  k.history = t_samples(LIMIT + 1);
  return k;
}

static inline void close_bench(bench *k)
{
  for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, k->guard, &k->v[i]);
  t_be->ops.release(t_be, k->st);
  t_be->ops.release(t_be, k->history);
}

static inline void put(const bench *k, int which, const double *h)
{
  T_OK(t_be->ops.copy(t_be, k->v[which], h, (size_t)k->n * sizeof *h, BF_TO_DEVICE));
}

static const double *dinv_of(const bench *k)
{
  return k->jacobi ? k->v[DINV] : NULL;
}

static inline double host_dot(bf_int n, const double *x, const double *y)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += (long double)x[i] * (long double)y[i];
  return (double)s;
}

typedef struct sys {
  bf_matrix *A;
  bf_int     n;
  double    *a, *u, *b; /* dense matrix, solution, A u */
} sys;

/* Symmetric positive definite for shift > 0 (diagonally dominant), or with half = 0 unsymmetric. */
static inline sys open_system(int half, double shift, uint64_t *seed)
{
  sys       S = {.n = 2 * 300};
  t_table  *t = t_table_of_kind(T_RANDOM_SEGMENTS, 300, seed);
  bf_bands *b = t_table_bands(t);
  S.a         = t_dense_random(t, 2, half, seed);
  for (size_t i = 0; i < (size_t)S.n; i++) {
    double sum = 0.0;
    for (size_t j = 0; j < (size_t)S.n; j++) sum += j == i ? 0.0 : fabs(S.a[i * (size_t)S.n + j]);
    S.a[i * (size_t)S.n + i] = sum + shift * (1.0 + 20.0 * t_uniform(seed));
  }
  T_OK(bf_matrix_create_bdia(t_be, b, 2, half, BF_FP64, 0, &S.A));
  t_matrix_put(S.A, S.a);
  S.u          = t_random_vector((size_t)S.n, seed);
  S.b          = malloc((size_t)S.n * sizeof *S.b);
  double *size = malloc((size_t)S.n * sizeof *size);
  t_dense_product(S.n, S.a, S.u, S.b, size);
  free(size);
  bf_bands_destroy(&b);
  t_table_free(t);
  return S;
}

static inline void close_system(sys *S)
{
  bf_matrix_destroy(&S->A);
  free(S->a);
  free(S->u);
  free(S->b);
}

static inline bench bench_on(const sys *S, const double *b, int jacobi, double rr_stop, int limit)
{
  bench k = open_bench(S->n, S->A->guard, jacobi, rr_stop, limit);
  put(&k, R, b); /* x = 0 */
  T_OK(bf_matrix_diagonal(S->A, k.v[DINV]));
  T_OK(BF_OP(t_be, vector.reciprocal, S->n, k.v[DINV], k.v[DINV]));
  return k;
}

static inline void cg_iterations(const bench *k, const sys *S, int begin, int count)
{
  if (begin) T_OK(BF_OP(t_be, krylov.cg_begin, k->n, k->v[R], dinv_of(k), k->v[P], k->st, k->history));
  for (int i = 0; i < count; i++) {
    T_OK(bf_matrix_spmv(S->A, k->v[P], k->v[Q], k->v[P], (double *)k->st));
    T_OK(
        BF_OP(t_be, krylov.cg_move, k->n, k->v[X], k->v[R], k->v[P], k->v[Q], dinv_of(k), k->st, k->history));
  }
}

static inline void bicgstab_iterations(const bench *k, const sys *S, int begin, int count)
{
  const double *dinv = dinv_of(k);
  double       *ph = k->v[dinv ? PH : P], *rh = k->v[dinv ? RH : R];
  if (begin)
    T_OK(BF_OP(t_be, krylov.bicgstab_begin, k->n, k->v[R], dinv, k->v[R0], k->v[P], ph, k->st, k->history));
  for (int i = 0; i < count; i++) {
    T_OK(bf_matrix_spmv(S->A, ph, k->v[Q], k->v[R0], (double *)k->st));
    T_OK(BF_OP(t_be, krylov.bicgstab_middle, k->n, k->v[R], k->v[Q], dinv, rh, k->st));
    T_OK(bf_matrix_spmv(S->A, rh, k->v[T], k->v[R], (double *)k->st));
    T_OK(BF_OP(t_be, krylov.bicgstab_move, k->n, k->v[X], k->v[R], k->v[P], ph, k->v[R0], rh, k->v[Q],
               k->v[T], dinv, k->st, k->history));
  }
}

typedef void (*method)(const bench *, const sys *, int, int);
static const method both[2] = {cg_iterations, bicgstab_iterations};
#endif
