/* tests/solvers/verdict_case.h - chains, bars and beams of springs on which the verdicts of the iterations
 * are tested
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_VERDICT_CASE_H
#define BF_TESTS_SOLVERS_VERDICT_CASE_H
#include "tests/solvers/solver_case.h"

static inline bf_int apart(bf_int i, bf_int j)
{
  return i < j ? j - i : i - j;
}

static inline double bar(bf_int n, bf_int i, bf_int j) /* held at the left end, free at the right one */
{
  return i == n - 1 && j == n - 1 ? 1.0 : apart(i, j) == 0 ? 2.0 : apart(i, j) == 1 ? -1.0 : 0.0;
}

/* L^T L with L x = x_i - 2 x_{i-1} + x_{i-2}: a beam clamped at the left end; condition about n^4. */
static inline double beam(bf_int n, bf_int i, bf_int j)
{
  static const double L[3] = {1.0, -2.0, 1.0}; /* L_{k,k-m} */
  double              s    = 0.0;
  for (bf_int k = i > j ? i : j; k < n && k <= i + 2 && k <= j + 2; k++) s += L[k - i] * L[k - j];
  return s;
}

/* Multiplied by a number that fp32 does not hold. */
static inline double beam_third(bf_int n, bf_int i, bf_int j)
{
  return beam(n, i, j) / 3.0;
}
static inline double bar_third(bf_int n, bf_int i, bf_int j)
{
  return bar(n, i, j) / 3.0;
}
static inline double contrast(bf_int n, bf_int i, bf_int j) /* springs of 1e-2 and 1e2 in turn */
{
  const bf_int low  = i < j ? i : j;
  const double k[2] = {1e-2, 1e2};
  return apart(i, j) == 0   ? k[i % 2] + (i + 1 < n ? k[(i + 1) % 2] : 0.0)
         : apart(i, j) == 1 ? -k[(low + 1) % 2]
                            : 0.0;
}

typedef struct t_case {
  bf_int           n;
  t_entry          a;
  bf_format        format;
  int              fp32;
  bf_solve_options opt;
  const double    *b, *start; /* host */
} t_case;

static inline t_solution solve(const t_case *c)
{
  bf_sparse *S = t_sparse(c->n, c->a);
  bf_matrix *A = NULL, *fast = NULL;
  t_solution s = {.x = NULL};
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = c->format}, &A));
  if (c->fp32) T_OK(bf_matrix_to_fp32(A, &fast));
  T_OK(t_solve(A, fast, c->b, c->start, &c->opt, &s));
  assert_int_equal(s.rep.nhistory, s.rep.iterations + 1);
  bf_matrix_destroy(&fast);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  return s;
}

static inline bf_solve_options automatic(bf_method method, bf_precond precond, double rtol)
{
  bf_solve_options opt = t_options(method, precond, rtol);
  opt.max_iterations   = BF_ITERATIONS_AUTO;
  return opt;
}

static inline double *unit(bf_int n, bf_int at)
{
  double *b = calloc((size_t)n, sizeof *b);
  b[at]     = 1.0;
  return b;
}

/* Deflection of the beam under a unit load at its end: L^T y = b, y_i = n - i; L x = y, in long double. */
static inline void deflection(bf_int n, double factor, long double *x)
{
  for (bf_int i = 0; i < n; i++)
    x[i] = (long double)(n - i) / (long double)factor + (i > 0 ? 2.0L * x[i - 1] : 0.0L) -
           (i > 1 ? x[i - 2] : 0.0L);
}
#endif
