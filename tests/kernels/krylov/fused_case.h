/* tests/kernels/krylov/fused_case.h - one run of CG (STAB 0) or BiCGStab (STAB 1, defined before) queued as a
 * whole (krylov/steps.h), and its matrices */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_KRYLOV_FUSED_CASE_H
#define BF_TESTS_KERNELS_KRYLOV_FUSED_CASE_H
#include "kernels/krylov/steps.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include <math.h>

enum { LIMIT = 60, SHOWN = 5, X = 0, R, P, Q, R0, T, PH, RH, DINV, Y0, VECTORS };

/* ---- matrices: blocks of D x D on node diagonals, values that fp32 holds exactly ---- */

typedef struct shape {
  const char *name;
  bf_int      nodes;
  int         D;
  bf_int      off[8]; /* positive offsets, ascending, ended by 0 */
  bf_int      run;    /* or all of 1 .. run */
} shape;

/* Few rows: what a checker of races can follow.  Beyond the chip: a diagonal too far or too many rows for it.
 */
static const shape shapes[] = {
    {"one row", 1, 1, {0}, 0},
    {"two rows", 2, 1, {1, 0}, 0},
    {"one block's rows", 33, 1, {1, 5, 0}, 0},
    {"windows over several blocks", 701, 1, {0}, 20},
    {"two components", 601, 2, {1, 2, 9, 40, 0}, 0},
    {"three components", 403, 3, {1, 30, 31, 0}, 0},
    {"band of the publication, shorter", 17003, 1, {0}, 50},
    {"far diagonals", 20011, 1, {1, 26, 27, 28, 700, 701, 0}, 0},
    {"two components, beyond the chip", 4301, 2, {1, 7, 4200, 0}, 0},
    {"three components, beyond the chip", 3001, 3, {1, 2900, 0}, 0},
    {"beyond the chip", 67001, 1, {1, 8300, 0}, 0},
    {"a band, beyond the chip", 140001, 1, {0}, 2},
    {"threes, beyond the chip", 67010, 1, {1, 8299, 8300, 8301, 0}, 0},
};
enum { SEVERAL = 2, WINDOWS = 3, MANY = 6, BEYOND = 8, SHAPES = sizeof shapes / sizeof *shapes };

/* The shapes [first, last) of a claim. */
typedef struct range {
  int first, last;
} range;
static const range one_or_two = {0, SEVERAL}, few = {SEVERAL, MANY}, many = {MANY, BEYOND},
                   too_many = {BEYOND, SHAPES};

/* claim##_on_##of##_rows: a claim about some of the shapes is a test. */
#define ON_ROWS(claim, of)                                                                                   \
  static void claim##_on_##of##_rows(void **state)                                                           \
  {                                                                                                          \
    (void)state;                                                                                             \
    claim(of);                                                                                               \
  }
#define ON_ALL_ROWS(claim) ON_ROWS(claim, few) ON_ROWS(claim, many) ON_ROWS(claim, too_many)
#define TESTS(claim)                                                                                         \
  cmocka_unit_test(claim##_on_few_rows), cmocka_unit_test(claim##_on_many_rows),                             \
      cmocka_unit_test(claim##_on_too_many_rows)

static double value(int64_t i, int64_t j, int unsymmetric)
{
  const int64_t lo = unsymmetric ? i : i < j ? i : j, hi = unsymmetric ? j : i < j ? j : i;
  uint64_t      h = (uint64_t)lo * 0x9E3779B97F4A7C15u ^ (uint64_t)hi * 0xC2B2AE3D27D4EB4Fu;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  return ((double)(h >> 56) - 128.0) / 128.0; /* 8 bits */
}

/* Rows dominated by the diagonal where `shift` > 0. */
static bf_sparse *make(const shape *s, int unsymmetric, double shift)
{
  bf_int off[128];
  int    count = 0;
  for (bf_int k = 1; k <= s->run; k++) off[count++] = k;
  for (int k = 0; s->off[k] > 0; k++) off[count++] = s->off[k];
  const bf_int n    = s->nodes * s->D;
  const size_t most = (size_t)n * (size_t)((2 * count + 1) * s->D);
  bf_int      *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col);
  double      *val = malloc(most * sizeof *val);
  int64_t      nnz = 0;
  for (bf_int i = 0; i < n; i++) {
    double  sum  = 0.0;
    int64_t diag = 0;
    for (int k = -count; k <= count; k++) {
      const bf_int node = i / s->D + (k < 0 ? -off[-k - 1] : k > 0 ? off[k - 1] : 0);
      if (node < 0 || node >= s->nodes) continue;
      for (int b = 0; b < s->D; b++, nnz++) {
        row[nnz] = i;
        col[nnz] = node * s->D + b;
        val[nnz] = value(i, col[nnz], unsymmetric);
        if (col[nnz] == i)
          diag = nnz;
        else
          sum += fabs(val[nnz]);
      }
    }
    val[diag] = ceil(4.0 * sum) / 4.0 + shift * (1.0 + (double)(i % 5));
  }
  bf_sparse *S = NULL;
  T_OK(bf_sparse_from_triplets(n, n, nnz, row, col, val, &S));
  free(row);
  free(col);
  free(val);
  return S;
}

static bf_matrix *on_backend(const bf_sparse *S, bf_format format, int D, int half, bf_prec prec)
{
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(
      t_be, S, &(bf_matrix_form){.format = format, .half = half, .prec = prec, .ncomp = D}, &A));
  return A;
}

/* ---- an iteration on the backend ---- */

typedef struct bench {
  const bf_matrix  *A;
  bf_int            n;
  int               jacobi;
  double           *v[VECTORS];
  bf_krylov_state  *st;
  bf_krylov_sample *history;
} bench;

static void right_side(bf_int n, double *b)
{
  for (bf_int i = 0; i < n; i++) b[i] = 1.0 + 0.5 * cos(0.37 * (double)i);
}

static bf_bicgstab_work stabilised(const bench *k)
{
  double *const *v = k->v;
  return (bf_bicgstab_work){.x       = v[X],
                            .r       = v[R],
                            .r0      = v[R0],
                            .p       = v[P],
                            .v       = v[Q],
                            .t       = v[T],
                            .ph      = v[k->jacobi ? PH : P],
                            .rh      = v[k->jacobi ? RH : R],
                            .y0      = bf_bicgstab_has_early_alpha(k->A) ? v[Y0] : NULL,
                            .dinv    = k->jacobi ? v[DINV] : NULL,
                            .state   = k->st,
                            .history = k->history};
}

static void begin(const bench *k)
{
  const double *dinv = k->jacobi ? k->v[DINV] : NULL;
  if (STAB) {
    const bf_bicgstab_work w = stabilised(k);
    T_OK(bf_bicgstab_start(k->A, &w));
  } else
    T_OK(BF_OP(t_be, krylov.cg_begin, k->n, k->v[R], dinv, k->v[P], k->st, k->history));
}

static bench open_bench(const bf_matrix *A, int jacobi, double reduction, int limit)
{
  bench   k = {.A = A, .n = A->nrows, .jacobi = jacobi};
  double *b = malloc((size_t)k.n * sizeof *b), rr = 0.0;
  right_side(k.n, b);
  for (bf_int i = 0; i < k.n; i++) rr += b[i] * b[i];
  for (int i = 0; i < VECTORS; i++) T_OK(bf_vector_create(t_be, k.n, A->guard, &k.v[i]));
  T_OK(t_be->ops.copy(t_be, k.v[R], b, (size_t)k.n * sizeof *b, BF_TO_DEVICE));
  T_OK(bf_matrix_diagonal(A, k.v[DINV]));
  T_OK(BF_OP(t_be, vector.reciprocal, k.n, k.v[DINV], k.v[DINV]));
  const bf_krylov_state start = {.rr_stop = reduction * reduction * rr, .limit = limit};
  k.st                        = t_to_backend(&start, sizeof start);
  k.history                   = t_samples(LIMIT + 1);
  begin(&k);
  free(b);
  return k;
}

static void close_bench(bench *k)
{
  for (int i = 0; i < VECTORS; i++) bf_vector_destroy(t_be, k->A->guard, &k->v[i]);
  t_be->ops.release(t_be, k->st);
  t_be->ops.release(t_be, k->history);
}

static void steps(const bench *k, int count)
{
  double *const         *v = k->v;
  const bf_bicgstab_work w = stabilised(k);
  if (STAB)
    T_OK(bf_bicgstab_steps(k->A, &w, count));
  else
    T_OK(bf_cg_steps(
        k->A, &(bf_cg_work){v[X], v[R], v[P], v[Q], k->jacobi ? v[DINV] : NULL, k->st, k->history, NULL},
        count));
}

/* ---- for the plain iteration ---- */

static void product(const bf_sparse *S, const long double *x, long double *y)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    y[i] = 0.0L;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) y[i] += (long double)S->val[p] * x[S->col[p]];
  }
}

static long double dot(bf_int n, const long double *x, const long double *y)
{
  long double s = 0.0L;
  for (bf_int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

static void inverse_diagonal(const bf_sparse *S, int jacobi, long double *d)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    d[i] = 1.0L;
    for (int64_t p = S->ptr[i]; jacobi && p < S->ptr[i + 1]; p++)
      if (S->col[p] == i) d[i] = 1.0L / (long double)S->val[p];
  }
}
#endif
