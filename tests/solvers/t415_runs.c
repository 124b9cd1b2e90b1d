/* tests/solvers/t415_runs.c - the runs of a solve: history, energy, fp32 values, interruptions
 * usage: t415_runs <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/timer.h"
#include "kernels/krylov/steps.h"
#include "tests/kernels/krylov/krylov_case.h"
#include "tests/reference/dense.h"
#include "tests/solvers/verdict_case.h"

/* ---- history ---- */

/* r.r of `count` iterations of CG from x = 0 without preconditioner, one by one, and the decrease of the
 * energy. */
static double step_by_step(const bf_matrix *A, const double *b, int count, double *rr)
{
  const bf_int    n  = A->nrows;
  bf_krylov_state st = {.limit = count};
  double         *v[4];
  for (int i = 0; i < 4; i++) T_OK(bf_vector_create(t_be, n, A->guard, &v[i]));
  T_OK(t_be->ops.copy(t_be, v[1], b, (size_t)n * sizeof *b, BF_TO_DEVICE));
  bf_krylov_state  *state = t_to_backend(&st, sizeof st);
  bf_krylov_sample *ring  = t_samples(BF_KRYLOV_SAMPLES);
  T_OK(BF_OP(t_be, krylov.cg_begin, n, v[1], NULL, v[2], state, ring));
  for (int i = 0; i <= count; i++) {
    st    = t_state(state);
    rr[i] = st.rr;
    if (i < count)
      T_OK(bf_cg_steps(
          A, &(bf_cg_work){.x = v[0], .r = v[1], .p = v[2], .q = v[3], .state = state, .history = ring}, 1));
  }
  assert_int_equal(st.iteration, count);
  t_be->ops.release(t_be, ring), t_be->ops.release(t_be, state);
  for (int i = 0; i < 4; i++) bf_vector_destroy(t_be, A->guard, &v[i]);
  return st.energy + st.gained;
}

static void linger(void *context, const bf_progress *p) /* the next check follows after a single iteration */
{
  if (p->iteration % *(const int *)context != 0) return;
  for (const double end = bf_seconds() + 0.03; bf_seconds() < end;) {}
}

static void a_history_longer_than_the_ring_of_samples_is_complete(void **state)
{
  (void)state;
  T_LONG;
  enum { n = 400 };
  int        often = 1700;
  double    *b     = unit(n, n - 1);
  t_case     c     = {.n      = n,
                      .a      = beam,
                      .format = BF_FORMAT_BDIA,
                      .opt    = automatic(BF_METHOD_CG, BF_PRECOND_NONE, 2e-4),
                      .b      = b};
  t_solution s     = solve(&c);
  int        first = 1;
  while (isnan(s.rep.true_history[first])) first++; /* iterations of the first run */
  assert_true(first > BF_KRYLOV_SAMPLES + 100);
  double    *rr = calloc((size_t)first + 1, sizeof *rr);
  bf_sparse *S  = t_sparse(n, beam);
  bf_matrix *A  = NULL;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
  step_by_step(A, b, first, rr);
  for (int i = 0; i <= first; i++) assert_true(s.rep.history[i] == sqrt(rr[i]));
  c.opt.monitor       = linger; /* other checks of the host */
  c.opt.monitor_every = 100;
  c.opt.context       = &often;
  t_solution t        = solve(&c);
  assert_int_equal(t.rep.iterations, s.rep.iterations);
  assert_int_equal(t.rep.limit, s.rep.limit);
  assert_string_equal(t.rep.text, s.rep.text);
  assert_memory_equal(t.rep.history, s.rep.history, (size_t)s.rep.nhistory * sizeof(double));
  assert_memory_equal(t.x, s.x, n * sizeof(double));
  t_solution_clear(&s);
  t_solution_clear(&t);
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(rr), free(b);
}

static void the_energy_decreases_by_the_sum_of_alpha_rho(void **state)
{
  (void)state;
  enum { n = 60 };
  uint64_t   seed = 5;
  double    *b = t_random_vector(n, &seed), rr[61], work = 0.0;
  bf_sparse *S = t_sparse(n, bar);
  bf_matrix *A = NULL;
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA}, &A));
  for (int i = 0; i < n; i++) /* b.A^-1 b: element by element, the force squared */
  {
    double force = 0.0;
    for (int j = i; j < n; j++) force += b[j];
    work += force * force;
  }
  T_NEAR(step_by_step(A, b, n, rr) / work, 1.0,
         1e-12); /* ||x||_A^2, Hestenes and Stiefel 1952, theorem 6:1 */
  bf_matrix_destroy(&A);
  bf_sparse_destroy(&S);
  free(b);
}

/* ---- fp32 values ---- */

static double laplace_third(bf_int n, bf_int i, bf_int j)
{
  return t_laplace(n, i, j) / 3.0;
}
static double wind_third(bf_int n, bf_int i, bf_int j)
{
  return t_wind(n, i, j) / 3.0;
}

static void fp32_values_cost_hardly_an_iteration(void **state)
{
  (void)state;
  T_LONG;
  static const struct {
    t_entry   a;
    bf_int    n;
    bf_method method;
    double    rtol, most;
  } cases[] = {
      {laplace_third, 289, BF_METHOD_CG, 1e-2, 1.15},
      {laplace_third, 289, BF_METHOD_CG, 1e-4, 1.15},
      {laplace_third, 289, BF_METHOD_CG, 1e-9, 1.15},
      {bar_third, 300, BF_METHOD_CG, 1e-4, 1.15},
      {bar_third, 300, BF_METHOD_CG, 1e-10, 1.15},
      {beam_third, 120, BF_METHOD_CG, 1e-2, 2.0}, /* discarded late, at the check after 256 iterations */
      {beam_third, 120, BF_METHOD_CG, 1e-8, 1.15},
      {contrast, 300, BF_METHOD_CG, 1e-8, 1.15},
      {wind_third, 289, BF_METHOD_BICGSTAB, 1e-4, 1.15},
      {wind_third, 289, BF_METHOD_BICGSTAB, 1e-9, 1.15},
      {wind_third, 289, BF_METHOD_BICG, 1e-5, 1.15},
      {wind_third, 289, BF_METHOD_BICG, 1e-9, 1.15},
  };
  int used = 0, left = 0;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    uint64_t   seed = 12;
    double    *b    = t_random_vector((size_t)cases[k].n, &seed);
    t_case     c    = {.n      = cases[k].n,
                       .a      = cases[k].a,
                       .format = BF_FORMAT_BDIA,
                       .b      = b,
                       .opt    = automatic(cases[k].method, BF_PRECOND_JACOBI, cases[k].rtol)};
    t_solution s    = solve(&c), t;
    char       text[80];
    c.fp32 = 1;
    t      = solve(&c);
    assert_int_equal(s.rep.reason, BF_KRYLOV_CONVERGED);
    assert_int_equal(t.rep.reason, BF_KRYLOV_CONVERGED);
    assert_true(t.rep.true_residual <= cases[k].rtol || t.rep.to_rounding);
    T_LE(t.rep.iterations, cases[k].most * s.rep.iterations + 1.0);
    assert_in_range(t.rep.fp32_iterations, 0, t.rep.iterations);
    used += t.rep.fp32_iterations == t.rep.iterations, left += t.rep.fp32_iterations < t.rep.iterations;
    snprintf(text, sizeof text, "(%d with fp32 values, %d with fp64 values)", t.rep.fp32_iterations,
             t.rep.iterations - t.rep.fp32_iterations);
    if (!t.rep.to_rounding) T_CONTAINS(t.rep.text, text);
    t_solution_clear(&s);
    t_solution_clear(&t);
    free(b);
  }
  assert_true(used >= 3 && left >= 3);
}

/* ---- interruptions ---- */

typedef struct looks {
  int made, end;
} looks;

static int once(void *context) /* requests the end at one check only */
{
  looks *l = context;
  return ++l->made == l->end;
}

static void an_interruption_is_final_with_fp32_values_too(void **state)
{
  (void)state;
  T_LONG_CHAINS;
  enum { n = 289 };
  uint64_t seed = 12;
  double  *b    = t_random_vector(n, &seed);
  for (int m = 0; m < 3; m++)
    for (int fp32 = 0; fp32 < 2; fp32++) {
      looks  l          = {0, 3};
      t_case c          = {.n      = n,
                           .a      = laplace_third,
                           .format = BF_FORMAT_BDIA,
                           .fp32   = fp32,
                           .b      = b,
                           .opt    = automatic((bf_method)m, BF_PRECOND_JACOBI, 1e-4)};
      c.opt.interrupted = once;
      c.opt.context     = &l;
      t_solution s      = solve(&c);
      assert_int_equal(s.rep.reason, BF_KRYLOV_INTERRUPTED);
      assert_int_equal(l.made, 3);
      assert_true(s.rep.iterations > 0 && s.rep.true_residual > 1e-4 && s.rep.true_residual < 1.0);
      T_CONTAINS(s.rep.text, "interrupted: true residual ");
      t_solution_clear(&s);
    }
  free(b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_history_longer_than_the_ring_of_samples_is_complete),
      cmocka_unit_test(the_energy_decreases_by_the_sum_of_alpha_rho),
      cmocka_unit_test(fp32_values_cost_hardly_an_iteration),
      cmocka_unit_test(an_interruption_is_final_with_fp32_values_too),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
