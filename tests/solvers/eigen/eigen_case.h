/* tests/solvers/eigen/eigen_case.h - small pencils K x = lambda M x by formulas, LAPACK's values of them, and
 * the checks that every result has to pass
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_SOLVERS_EIGEN_CASE_H
#define BF_TESTS_SOLVERS_EIGEN_CASE_H
#include "solvers/eigen.h"
#include "tests/no_memory.h"
#include "tests/solvers/solver_case.h"

typedef struct t_pencil {
  const char *name;
  bf_int      n;
  t_entry     K, M;
  int         zeros; /* values that are 0 */
} t_pencil;

static inline double t_unit(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i == j;
}
static inline double t_chain(bf_int n, bf_int i, bf_int j) /* 2 - 2 cos(k pi/(n+1)) */
{
  (void)n;
  return i == j ? 2.0 : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
}
static inline double t_chain_mass(bf_int n, bf_int i, bf_int j) /* linear elements */
{
  (void)n;
  return i == j ? 4.0 / 6.0 : i - j == 1 || j - i == 1 ? 1.0 / 6.0 : 0.0;
}
static inline double t_free_mass(bf_int n, bf_int i, bf_int j)
{
  return i == j ? (i == 0 || i == n - 1 ? 2.0 / 6.0 : 4.0 / 6.0) : t_chain_mass(n, i, j);
}
static inline double t_three(bf_int n, bf_int i, bf_int j) /* three chains: every value three times */
{
  return i % 3 == j % 3 ? t_chain(n / 3, i / 3, j / 3) : 0.0;
}
static inline double t_three_free(bf_int n, bf_int i, bf_int j)
{
  return i % 3 == j % 3 ? t_neumann(n / 3, i / 3, j / 3) : 0.0;
}
static inline double t_eight(bf_int n, bf_int i, bf_int j) /* eight chains */
{
  return i % 8 == j % 8 ? t_chain(n / 8, i / 8, j / 8) : 0.0;
}
static inline double t_few(bf_int n, bf_int i, bf_int j) /* diagonal: 1, 2, 3, each many times */
{
  (void)n;
  return i == j ? 1.0 + i % 3 : 0.0;
}
static inline double t_levels(bf_int n, bf_int i, bf_int j) /* diagonal, in no order, each twice */
{
  return i == j ? 1.0 + (double)(i * 7 % n / 2) : 0.0;
}
static inline double t_weights(bf_int n, bf_int i, bf_int j)
{
  (void)n;
  return i == j ? 1.0 + 0.5 * (i % 3) : 0.0;
}
static inline double t_noise(bf_int i, bf_int j) /* symmetric, in (-1, 1) */
{
  uint64_t s = 77 + (uint64_t)(i < j ? i : j) * 1009 + (uint64_t)(i < j ? j : i) * 9176;
  (void)t_random(&s), (void)t_random(&s);
  return 2.0 * t_uniform(&s) - 1.0;
}
static inline double t_full_k(bf_int n, bf_int i, bf_int j) /* full, positive definite, far from diagonal */
{
  return i == j ? (double)n + i + t_noise(i, j) : t_noise(i, j);
}
static inline double t_full_m(bf_int n, bf_int i, bf_int j)
{
  return i == j ? 0.3 * n + t_noise(i + 500, j + 500) : 0.3 * t_noise(i + 500, j + 500);
}
static inline int t_fixed(bf_int i)
{
  return i % 7 == 3;
}
static inline double t_fixed_k(bf_int n, bf_int i, bf_int j)
{
  return i == j && t_fixed(i) ? 3.7 : t_fixed(i) || t_fixed(j) ? 0.0 : t_laplace(n, i, j);
}
static inline double t_fixed_m(bf_int n, bf_int i, bf_int j)
{
  return t_fixed(i) || t_fixed(j) ? 0.0 : t_chain_mass(n, i, j);
}
static inline double t_bent(bf_int n, bf_int i,
                            bf_int j) /* the chain's square: a beam, values from 1e-7 on */
{
  double s = 0.0;
  for (bf_int k = i - 1; k <= i + 1; k++)
    if (k >= 0 && k < n) s += t_chain(n, i, k) * t_chain(n, k, j);
  return s;
}
static inline double t_bent_free(bf_int n, bf_int i, bf_int j) /* neither held nor turned: two zeros */
{
  double s = 0.0;
  for (bf_int k = 1; k < n - 1; k++) {
    const double a = i == k                     ? -2.0
                     : i - k == 1 || k - i == 1 ? 1.0
                                                : 0.0,
                 b = j == k                     ? -2.0
                     : j - k == 1 || k - j == 1 ? 1.0
                                                : 0.0;
    s += a * b;
  }
  return s;
}

static const t_pencil t_pencils[] = {
    {"chain", 60, t_chain, t_unit, 0},
    {"chain, mass", 61, t_chain, t_chain_mass, 0},
    {"free chain", 64, t_neumann, t_free_mass, 1},
    {"grid", T_NX * 12, t_laplace, t_unit, 0},
    {"three chains", 66, t_three, t_unit, 0},
    {"three free chains", 66, t_three_free, t_unit, 3},
    {"diagonal", 50, t_levels, t_weights, 0},
    {"full", 48, t_full_k, t_full_m, 0},
    {"held", T_NX * 6, t_fixed_k, t_fixed_m, 0},
    {"beam", 90, t_bent, t_unit, 0},
    {"free beam", 80, t_bent_free, t_unit, 2},
    {"eight chains", 96, t_eight, t_unit, 0},
    {"one", 1, t_laplace, t_unit, 0},
};
enum { T_PENCILS = sizeof t_pencils / sizeof *t_pencils };

static inline bf_int t_massive(const t_pencil *p)
{
  bf_int n = 0;
  for (bf_int i = 0; i < p->n; i++) n += p->M(p->n, i, i) > 0.0;
  return n;
}

/* All values of the rows that have mass, ascending, by dsygv; free() them. */
static inline double *t_values(const t_pencil *p)
{
  const bf_int n = t_massive(p);
  const size_t N = (size_t)n;
  double      *a = calloc(N * N, sizeof *a), *b = calloc(N * N, sizeof *b), *w = calloc(N, sizeof *w);
  bf_backend  *cpu = NULL;
  size_t       bytes;
  bf_int       info = 1, r = 0;
  for (bf_int i = 0; i < p->n; i++) {
    bf_int c = 0;
    if (!(p->M(p->n, i, i) > 0.0)) continue;
    for (bf_int j = 0; j < p->n; j++) {
      if (!(p->M(p->n, j, j) > 0.0)) continue;
      a[r * n + c] = p->K(p->n, i, j), b[r * n + c] = p->M(p->n, i, j);
      c++;
    }
    r++;
  }
  const bf_batch A      = {.type = BF_D, .n = n, .ld = n, .count = 1, .a = a},
                 B      = {.type = BF_D, .n = n, .ld = n, .count = 1, .a = b};
  const bf_heev_how how = {.vectors = 0, .uplo = BF_LOWER};
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  T_OK(bf_batch_work(cpu, BF_HEGV, &A, &bytes));
  void *work = malloc(bytes + 1);
  T_OK(bf_hegv_batch(cpu, &how, &A, &B, w, &info, work));
  assert_int_equal(info, 0);
  bf_backend_destroy(&cpu);
  free(work), free(a), free(b);
  return w;
}

typedef bf_err (*t_eigensolver)(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt,
                                double *X, bf_eigen_report *report);

typedef struct t_modes {
  bf_eigen_report rep;
  double         *X; /* [pairs][n] */
} t_modes;

static inline void t_modes_clear(t_modes *m)
{
  bf_eigen_report_clear(&m->rep);
  free(m->X);
  m->X = NULL;
}

/* Runs on t_be with both matrices in a form. */
static inline bf_err t_vibrate(const t_pencil *p, t_eigensolver solver, const bf_matrix_form *form,
                               const bf_eigen_options *opt, t_modes *out)
{
  bf_sparse *SK = t_sparse(p->n, p->K), *SM = t_sparse(p->n, p->M);
  bf_matrix *K = NULL, *M = NULL;
  T_OK(bf_matrix_from_sparse(t_be, SK, form, &K));
  T_OK(bf_matrix_from_sparse(t_be, SM, form, &M));
  out->X           = calloc((size_t)opt->pairs * (size_t)p->n, sizeof *out->X);
  const bf_err err = solver(K, M, opt, out->X, &out->rep);
  bf_matrix_destroy(&K);
  bf_matrix_destroy(&M);
  bf_sparse_destroy(&SK);
  bf_sparse_destroy(&SM);
  return err;
}

/* The lowest values against LAPACK's, vectors against the matrices, the report against both. */
static inline void t_expect_lowest(const t_pencil *p, const bf_eigen_options *opt, const t_modes *m)
{
  const bf_int n   = p->n;
  double      *all = t_values(p);
  const double top = all[t_massive(p) - 1];
  if (m->rep.reason != BF_EIGEN_CONVERGED) fail_msg("%s, %d pairs: %s", p->name, opt->pairs, m->rep.text);
  assert_int_equal(m->rep.converged, opt->pairs);
  for (int k = 0; k < opt->pairs; k++) T_LE(m->rep.orthogonality[k], 1e-11);
  assert_int_equal(m->rep.zeros, p->zeros < opt->pairs ? p->zeros : opt->pairs);
  for (int k = 0; k < opt->pairs; k++) {
    const double *x  = m->X + (size_t)k * (size_t)n;
    const double  v  = m->rep.value[k];
    double        r2 = 0.0, m2 = 0.0, x2 = 0.0, xMx = 0.0, xKx = 0.0;
    T_NEAR(v, all[k], 1e-13 * top + 10.0 * opt->rtol * opt->rtol * top);
    assert_int_equal(m->rep.ok[k], 1);
    for (bf_int i = 0; i < n; i++) {
      double kx = 0.0, mx = 0.0;
      for (bf_int j = 0; j < n; j++) kx += p->K(n, i, j) * x[j], mx += p->M(n, i, j) * x[j];
      if (!(p->M(n, i, i) > 0.0)) assert_true(x[i] == 0.0);
      xMx += x[i] * mx, xKx += x[i] * kx, r2 += (kx - v * mx) * (kx - v * mx), m2 += mx * mx,
          x2 += x[i] * x[i];
    }
    T_NEAR(xMx, 1.0, 1e-11);
    T_NEAR(xKx, v, 1e-12 * top);
    T_LE(m->rep.residual[k], fmax(opt->rtol, 1e-13));
    T_LE(sqrt(r2), 1.001 * (opt->rtol * fabs(v) * sqrt(m2) + 2e-14 * top * sqrt(x2)));
  }
  if (opt->pairs < t_massive(p))
    T_NEAR(m->rep.next, all[opt->pairs], 1e-3 * fabs(all[opt->pairs]) + 1e-12 * top);
  else
    assert_true(isnan(m->rep.next));
  if (m->rep.counted) {
    int64_t below = 0;
    for (bf_int k = 0; k < t_massive(p); k++) below += all[k] < m->rep.count_at;
    assert_true(m->rep.below == below);
  }
  free(all);
}
#endif
