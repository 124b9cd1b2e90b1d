/* tests/solvers/solver_case.h - small systems given by a formula for their entries, in every format; a CPU
 * backend beside the tested one for the factorisation that they are compared with
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_SOLVER_CASE_H
#define BF_TESTS_SOLVERS_SOLVER_CASE_H
#include "kernels/matrix/host_csr.h"
#include "solvers/solver.h"
#include "tests/backend.h"
#include <math.h>

typedef double (*t_entry)(bf_int n, bf_int i, bf_int j);

/* Nonzeros of the formula, in compressed rows. */
static inline bf_sparse *t_sparse(bf_int n, t_entry a)
{
  bf_sparse *S   = NULL;
  int64_t    nnz = 0;
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) nnz += a(n, i, j) != 0.0;
  T_OK(bf_sparse_create(n, n, nnz, &S));
  nnz = 0;
  for (bf_int i = 0; i < n; i++) {
    for (bf_int j = 0; j < n; j++)
      if (a(n, i, j) != 0.0) S->col[nnz] = j, S->val[nnz++] = a(n, i, j);
    S->ptr[i + 1] = nnz;
  }
  return S;
}

typedef struct t_solution {
  bf_solve_report rep;
  double         *x; /* host [n] */
} t_solution;

static inline void t_solution_clear(t_solution *s)
{
  bf_solve_report_clear(&s->rep);
  free(s->x);
  s->x = NULL;
}

/* Solves on the backend of A; b and the start are host arrays, start NULL = 0. */
static inline bf_err t_solve(const bf_matrix *A, const bf_matrix *fast, const double *b, const double *start,
                             const bf_solve_options *opt, t_solution *s)
{
  bf_backend  *be    = A->be;
  const size_t bytes = (size_t)A->nrows * sizeof(double);
  double      *db = NULL, *dx = NULL;
  s->x = malloc(bytes);
  T_OK(bf_vector_create(be, A->nrows, A->guard, &db));
  T_OK(bf_vector_create(be, A->nrows, A->guard, &dx));
  T_OK(be->ops.copy(be, db, b, bytes, BF_TO_DEVICE));
  if (start) T_OK(be->ops.copy(be, dx, start, bytes, BF_TO_DEVICE));
  const bf_err err = bf_solve(A, fast, db, dx, opt, &s->rep);
  T_OK(be->ops.copy(be, s->x, dx, bytes, BF_TO_HOST));
  bf_vector_destroy(be, A->guard, &db);
  bf_vector_destroy(be, A->guard, &dx);
  return err;
}

static inline bf_solve_options t_options(bf_method method, bf_precond precond, double rtol)
{
  return (bf_solve_options){
      .method = method, .precond = precond, .rtol = rtol, .max_iterations = 3000, .monitor_every = 10};
}

/* By the factorisation, on a backend of its own. */
static inline t_solution t_direct(const bf_sparse *S, int ncomp, const double *b, const double *start)
{
  bf_backend            *cpu = NULL;
  bf_matrix             *A   = NULL;
  t_solution             s   = {.x = NULL};
  const bf_solve_options opt = t_options(BF_METHOD_DIRECT, BF_PRECOND_NONE, 1e-12);
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  T_OK(bf_matrix_from_sparse(cpu, S, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = ncomp}, &A));
  T_OK(t_solve(A, NULL, b, start, &opt, &s));
  bf_matrix_destroy(&A);
  bf_backend_destroy(&cpu);
  return s;
}

/* ---- formulas: a grid of NX points a row ---- */
enum { T_NX = 17 };

static inline double t_laplace(bf_int n, bf_int i, bf_int j)
{
  const bf_int d = i < j ? j - i : i - j, low = i < j ? i : j;
  (void)n;
  if (d == 0) return 4.0 + 0.01 * (i % 7);
  return (d == 1 && (low + 1) % T_NX != 0) || d == T_NX ? -1.0 : 0.0;
}
static inline double t_wind(bf_int n, bf_int i, bf_int j) /* Laplace and upwind convection along the rows */
{
  const double a = t_laplace(n, i, j);
  return i == j ? a + 2.0 : j == i - 1 && a != 0.0 ? a - 2.0 : a;
}
/* In a quick run so dominated by the diagonal that it takes few iterations. */
static inline double t_definite(bf_int n, bf_int i, bf_int j)
{
  return t_laplace(n, i, j) + (t_quick() && i == j ? 28.0 : 0.0);
}
static inline double t_windy(bf_int n, bf_int i, bf_int j)
{
  return t_wind(n, i, j) + (t_quick() && i == j ? 28.0 : 0.0);
}
static inline double t_saddle(bf_int n, bf_int i, bf_int j) /* symmetric, half of its eigenvalues negative */
{
  return i == j ? (i % 2 ? -4.5 : 4.5) : t_laplace(n, i, j);
}
static inline double t_neumann(bf_int n, bf_int i,
                               bf_int j) /* a chain held nowhere: constants are its kernel */
{
  const bf_int d = i < j ? j - i : i - j;
  return d == 0 ? (i == 0 || i == n - 1 ? 1.0 : 2.0) : d == 1 ? -1.0 : 0.0;
}
static inline double t_skew(bf_int n, bf_int i, bf_int j) /* x.Ax = 0 for every x; regular for even n */
{
  (void)n;
  return j == i + 1 ? 1.0 : j == i - 1 ? -1.0 : 0.0;
}
#endif
