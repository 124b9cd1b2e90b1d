/* tests/assembly/physics/t213_transport.c - the TRANSPORT form on every element type against its definition,
 * with derivatives in space by differences, and against identities; the stabilisation parameter; exact nodes
 * on a line
 *
 * usage: t213_transport <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/assembly/physics/transport_case.h"

static void near_all(int n, const double *a, const double *b, double tol, const char *what_)
{
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= tol * size))
      fail_msg("%s: entry %d: %.17g instead of %.17g (largest %.3g)", what_, i, a[i], b[i], size);
}

/* Every type, with and without stabilisation, coefficients by material and by point; bodies of revolution. */
typedef void check(const batch *b, const char *name);
static void  each(uint64_t seed, check *check_body)
{
  for (int t = 0; t < TYPES; t++)
    for (int turned = 0; turned <= (bf_elem(types[t])->dim == 2); turned++)
      for (int supg = 0; supg < 2; supg++)
        for (int by_point = 0; by_point < 2; by_point++) {
          T_ONE_OF(7);
          batch *b = make(types[t], supg, turned, by_point, 0,
                          bf_elem(types[t])->ncorners == bf_elem(types[t])->dim + 1 ? 0.1 : 0.25, &seed);
          check_body(b, bf_elem(types[t])->name);
          free(b);
        }
}

static void matrix_of(const batch *b, const char *name)
{
  double  K[27 * 27];
  double *h = result(b, MATRIX, NULL, 0);
  for (int e = 0; e < NE; e++) {
    define(b, e, K);
    near_all(b->E.nen * b->E.nen, h + e * b->E.nen * b->E.nen, K, 1e-9, name);
  }
  free(h);
}

static void matrices_are_the_definition(void **state)
{
  (void)state;
  each(1, matrix_of);
}

static void forces_of(const batch *b, const char *name)
{
  uint64_t  seed = 7;
  const int nen  = b->E.nen;
  double    u[NE * 27 + 1], f[27];
  for (int i = 0; i < NE * 27 + 1; i++) u[i] = t_uniform(&seed) - 0.3;
  double *K = result(b, MATRIX, NULL, 0), *h = result(b, FORCE, u, NE * 27 + 1);
  for (int e = 0; e < NE; e++) {
    for (int i = 0; i < nen; i++) {
      f[i] = 0.0;
      for (int j = 0; j < nen; j++) f[i] += K[(e * nen + i) * nen + j] * u[b->conn[e * nen + j]];
    }
    near_all(nen, h + e * nen, f, 1e-12, name);
  }
  free(K);
  free(h);
}

static void forces_are_the_matrix_times_u(void **state)
{
  (void)state;
  each(2, forces_of);
}

static void loads_of(const batch *b, const char *name)
{
  uint64_t  seed = 9;
  const int nen  = b->E.nen;
  double    v[NE * 64], f[27];
  for (int i = 0; i < NE * 64; i++) v[i] = t_uniform(&seed) - 0.3;
  double *h = result(b, SOURCE, v, NE * 64);
  for (int e = 0; e < NE; e++) {
    for (int i = 0; i < nen; i++) f[i] = 0.0;
    for (int q = 0; q < b->E.nq; q++) {
      const point p = at(b, e, q);
      for (int i = 0; i < nen; i++) f[i] += p.c * v[e * b->E.nq + q] * (p.N[i] + p.tau * p.s[i]);
    }
    near_all(nen, h + e * nen, f, 1e-12, name);
  }
  free(h);
}

static void loads_take_the_same_test_functions(void **state)
{
  (void)state;
  each(3, loads_of);
}

/* sum_a W_a = 1 whatever tau: the columns' sums are what the flow and the reaction do to N_b. */
static void columns_of(const batch *b, const char *name)
{
  const int nen = b->E.nen;
  double   *h   = result(b, MATRIX, NULL, 0);
  for (int e = 0; e < NE; e++) {
    double got[27] = {0.0}, want[27] = {0.0};
    for (int q = 0; q < b->E.nq; q++) {
      const point p = at(b, e, q);
      for (int j = 0; j < nen; j++) want[j] += p.c * (p.s[j] + p.r * p.N[j]);
    }
    for (int i = 0; i < nen; i++)
      for (int j = 0; j < nen; j++) got[j] += h[(e * nen + i) * nen + j];
    near_all(nen, got, want, 1e-11, name);
  }
  free(h);
}

static void stabilisation_makes_no_mass(void **state)
{
  (void)state;
  each(4, columns_of);
}

static void the_most_integration_points_fit(void **state)
{
  (void)state;
  uint64_t seed = 5;
  batch   *b    = make(BF_HEX20, 1, 0, 1, 4, 0.2, &seed);
  assert_int_equal(b->E.nq, 64);
  matrix_of(b, "hex20 with 64 points");
  forces_of(b, "hex20 with 64 points");
  free(b);
}

static void without_flow_and_reaction_it_is_conduction(void **state)
{
  (void)state;
  uint64_t seed = 6;
  for (int t = 2; t < TYPES; t++) {
    batch *b = make(types[t], 1, 0, 0, 0, 0.25, &seed);
    for (int i = 0; i < NMAT * b->E.nv; i++) b->C[i] = i % b->E.nv == 0 ? 1.7 : 0.0;
    double *h = result(b, MATRIX, NULL, 0), I[9] = {0.0};
    for (int s = 0; s < b->E.sdim; s++) I[s * b->E.sdim + s] = 1.7;
    batch heat  = *b;
    heat.E.form = BF_FORM_GRAD;
    heat.E.nv   = b->E.sdim;
    heat.E.w = heat.rule.w, heat.E.N = heat.N, heat.E.dN = heat.dN, memset(heat.mat, 0, sizeof heat.mat);
    memcpy(heat.C, I, sizeof(double) * (size_t)(heat.E.nv * heat.E.nv));
    heat.E.dNv = heat.E.ddN = NULL;
    double *k               = result(&heat, MATRIX, NULL, 0);
    near_all(NE * b->E.nen * b->E.nen, h, k, 1e-12, bf_elem(types[t])->name);
    free(h);
    free(k);
    free(b);
  }
}

/* a u' - D u'' = 0 on n equal elements, u(0) = 0, u(1) = 1: nodes by the tridiagonal system of the elements.
 */
static void line_of(int n, double Pe, int supg, double *u)
{
  uint64_t seed = 1;
  batch   *b    = make(BF_LINE2, supg, 0, 0, 0, 0.0, &seed);
  double   lo[256], di[256], up[256], rhs[256];
  for (int e = 0; e < NE; e++) b->x[3 * b->conn[2 * e]] = 0.0, b->x[3 * b->conn[2 * e + 1]] = 1.0 / n;
  for (int m = 0; m < NMAT; m++)
    b->C[3 * m] = 1.0 / (2.0 * n * Pe), b->C[3 * m + 1] = 0.0, b->C[3 * m + 2] = 1.0;
  double *K = result(b, MATRIX, NULL, 0);
  for (int i = 1; i < n; i++) {
    lo[i] = K[2], di[i] = K[3] + K[0], up[i] = K[1];
    rhs[i] = i == n - 1 ? -up[i] : 0.0;
  }
  for (int i = 2; i < n; i++) {
    const double f = lo[i] / di[i - 1];
    di[i] -= f * up[i - 1];
    rhs[i] -= f * rhs[i - 1];
  }
  u[0] = 0.0, u[n] = 1.0;
  for (int i = n - 1; i > 0; i--) u[i] = (rhs[i] - (i == n - 1 ? 0.0 : up[i] * u[i + 1])) / di[i];
  free(K);
  free(b);
}

static void nodes_of_a_line_are_exact(void **state)
{
  (void)state;
  const double Pe[] = {0.01, 0.0999, 0.1001, 0.5, 1.0, 5.0, 40.0};
  double       u[256];
  for (size_t k = 0; k < sizeof Pe / sizeof *Pe; k++)
    for (int n = 5; n <= 80; n *= 4) {
      line_of(n, Pe[k], 1, u);
      for (int i = 0; i <= n; i++) {
        const double a = 2.0 * n * Pe[k]; /* v/D */
        T_NEAR(u[i], (exp(a * (1.0 * i / n - 1.0)) - exp(-a)) / (1.0 - exp(-a)), 1e-11);
      }
    }
}

static void galerkin_oscillates_above_a_peclet_number_of_one(void **state)
{
  (void)state;
  double u[256];
  for (int high = 0; high < 2; high++) {
    int down = 0;
    line_of(21, high ? 5.0 : 0.9, 0, u);
    for (int i = 1; i <= 21; i++) down += u[i] < u[i - 1];
    if (high)
      assert_true(down > 5);
    else
      assert_int_equal(down, 0);
  }
}

static void tau_has_its_limits_and_no_step(void **state)
{
  (void)state;
  for (double Pe = 1e-9; Pe < 1e9; Pe *= 3.7)
    for (int p = 1; p <= 2; p++)
      for (int r = 0; r < 2; r++) {
        const double speed = 2.5, h = 0.3, D = speed * h / (2.0 * p * Pe), sum = 2.0 * speed / h;
        T_NEAR(bf_cell_peclet(p, speed, sum, D), Pe, 1e-13 * Pe);
        if (Pe > 1e-3) { /* below, the reference itself cancels */
          const double want = reference_tau(p, speed, h, D, 4.0 * r);
          T_NEAR(bf_supg_tau(p, speed, sum, D, 4.0 * r), want, 2e-12 * want);
        }
      }
  T_NEAR(bf_supg_tau(1, 1e-8, 2e-8 / 0.5, 3.0, 0.0), 0.25 / 36.0, 1e-15); /* h^2/12 D */
  T_NEAR(bf_supg_tau(1, 1.0, 4.0, 1e-300, 0.0), 0.25, 1e-16);             /* h/2 v */
  assert_true(bf_supg_tau(1, 0.0, 0.0, 1.0, 0.0) == 0.0);
  assert_true(bf_supg_tau(0, 1.0, 4.0, 1.0, 0.0) == 0.0);
}

static void what_it_cannot_do_is_refused(void **state)
{
  (void)state;
  uint64_t                seed = 8;
  batch                  *b    = make(BF_QUAD4, 1, 0, 0, 0, 0.1, &seed);
  bf_element_batch        E    = on(b), bad;
  const bf_element_source s    = {.value = E.x};
  double                 *out  = t_to_backend(b->x, sizeof b->x);
  T_ERR(BF_E_ARG, BF_OP(t_be, element.stress, &E, 0, NE, &s, out));
  bad        = E;
  bad.factor = E.x;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.matrix, &bad, 0, NE, out));
  bad     = E;
  bad.dNv = NULL;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.source, &bad, 0, NE, &s, out));
  bad    = E;
  bad.nv = 2;
  T_ERR(BF_E_ARG, BF_OP(t_be, element.force, &bad, 0, NE, E.x, out));
  T_ERR(BF_E_ARG, BF_OP(t_be, element.matrix, &E, 0, NE + 1, out));
  T_OK(BF_OP(t_be, element.matrix, &E, 1, 1, out));
  t_be->ops.release(t_be, out);
  off(&E);
  free(b);
}

static void runs_repeat_to_the_bit(void **state)
{
  (void)state;
  uint64_t seed = 10;
  batch   *b    = make(BF_HEX20, 1, 0, 1, 0, 0.2, &seed);
  double  *h = result(b, MATRIX, NULL, 0), *k = result(b, MATRIX, NULL, 0);
  assert_memory_equal(h, k, NE * 400 * sizeof *h);
  free(h);
  free(k);
  free(b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_the_definition),
      cmocka_unit_test(forces_are_the_matrix_times_u),
      cmocka_unit_test(loads_take_the_same_test_functions),
      cmocka_unit_test(stabilisation_makes_no_mass),
      cmocka_unit_test(the_most_integration_points_fit),
      cmocka_unit_test(without_flow_and_reaction_it_is_conduction),
      cmocka_unit_test(nodes_of_a_line_are_exact),
      cmocka_unit_test(galerkin_oscillates_above_a_peclet_number_of_one),
      cmocka_unit_test(tau_has_its_limits_and_no_step),
      cmocka_unit_test(what_it_cannot_do_is_refused),
      cmocka_unit_test(runs_repeat_to_the_bit),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
