/* tests/assembly/t202_quadrature.c - integration rules against closed-form integrals of monomials */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/quadrature.h"
#include "tests/test.h"
#include <math.h>

static int simplex(bf_elem_type t)
{
  return t == BF_TRI3 || t == BF_TRI6 || t == BF_TET4 || t == BF_TET10;
}

/* Integral of x^p y^q z^r: simplex p! q! r! / (p+q+r+d)!, box prod 2/(e+1) for even e, else 0. */
static double exact(bf_elem_type t, const int e[3])
{
  const int dim = bf_elem(t)->dim;
  double    f   = 1.0;
  if (simplex(t))
    return tgamma(e[0] + 1) * tgamma(e[1] + 1) * tgamma(e[2] + 1) / tgamma(e[0] + e[1] + e[2] + dim + 1);
  for (int i = 0; i < dim; i++) f *= e[i] % 2 ? 0.0 : 2.0 / (e[i] + 1);
  return f;
}

static double integrate(const bf_rule *r, const int e[3])
{
  double s = 0.0;
  for (int q = 0; q < r->n; q++)
    s += r->w[q] * pow(r->xi[q][0], e[0]) * pow(r->xi[q][1], e[1]) * pow(r->xi[q][2], e[2]);
  return s;
}

/* Largest error over the monomials of the degree: total on simplices, in each coordinate on boxes. */
static double worst(bf_elem_type t, const bf_rule *r, int degree)
{
  const int dim = bf_elem(t)->dim;
  double    m   = 0.0;
  for (int p = 0; p <= degree; p++)
    for (int q = 0; q <= (dim > 1 ? degree : 0); q++)
      for (int s = 0; s <= (dim > 2 ? degree : 0); s++) {
        const int e[3] = {p, q, s};
        if (simplex(t) && p + q + s > degree) continue;
        m = fmax(m, fabs(integrate(r, e) - exact(t, e)));
      }
  return m;
}

static void rule_of_p_points_is_exact_to_degree_2p_minus_1(void **state)
{
  (void)state;
  for (int t = 1; t < BF_ELEM_TYPES; t++)
    for (int p = 1; p <= bf_quadrature_max((bf_elem_type)t); p++) {
      bf_rule r;
      T_OK(bf_quadrature((bf_elem_type)t, p, BF_RULE_STIFFNESS, &r));
      T_LE(worst((bf_elem_type)t, &r, 2 * p - 1), 1e-14);
      T_OK(bf_quadrature((bf_elem_type)t, p, BF_RULE_MASS, &r));
      T_LE(worst((bf_elem_type)t, &r, 2 * p - 1), 1e-14);
    }
}

static void gauss_rule_of_p_points_is_not_exact_for_degree_2p(void **state)
{
  (void)state;
  for (int p = 1; p <= 8; p++) {
    const int e[3] = {2 * p, 0, 0};
    bf_rule   r;
    T_OK(bf_quadrature(BF_LINE2, p, BF_RULE_STIFFNESS, &r));
    assert_int_equal(r.n, p);
    assert_true(fabs(integrate(&r, e) - exact(BF_LINE2, e)) > 1e-6);
  }
}

static void auto_rules_have_the_documented_points_and_degrees(void **state)
{
  (void)state;
  static const struct {
    bf_elem_type t;
    int          n, degree, mass_n, mass_degree;
  } want[] = {{BF_LINE2, 2, 3, 2, 3},   {BF_LINE3, 3, 5, 3, 5},  {BF_TRI3, 1, 1, 3, 2},
              {BF_TRI6, 3, 2, 6, 4},    {BF_QUAD4, 4, 3, 4, 3},  {BF_QUAD8, 9, 5, 9, 5},
              {BF_TET4, 1, 1, 4, 2},    {BF_TET10, 4, 2, 14, 5}, {BF_HEX8, 8, 3, 8, 3},
              {BF_HEX20, 27, 5, 27, 5}, {BF_QUAD9, 9, 5, 9, 5},  {BF_HEX27, 27, 5, 27, 5}};
  for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
    bf_rule r;
    T_OK(bf_quadrature(want[k].t, 0, BF_RULE_STIFFNESS, &r));
    assert_int_equal(r.n, want[k].n);
    T_LE(worst(want[k].t, &r, want[k].degree), 1e-14);
    assert_true(worst(want[k].t, &r, want[k].degree + 1) > 1e-6); /* the degree is the rule's, not more */
    T_OK(bf_quadrature(want[k].t, 0, BF_RULE_MASS, &r));
    assert_int_equal(r.n, want[k].mass_n);
    T_LE(worst(want[k].t, &r, want[k].mass_degree), 1e-14);
  }
}

static void weights_are_positive_and_points_inside(void **state)
{
  (void)state;
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    for (int p = 0; p <= bf_quadrature_max((bf_elem_type)t); p++)
      for (int use = 0; use < 2; use++) {
        bf_rule r;
        T_OK(bf_quadrature((bf_elem_type)t, p, use ? BF_RULE_MASS : BF_RULE_STIFFNESS, &r));
        assert_in_range(r.n, 1, BF_QUADRATURE_MAX);
        for (int q = 0; q < r.n; q++) {
          const double *x = r.xi[q];
          assert_true(r.w[q] > 0.0);
          for (int i = 0; i < 3; i++)
            if (i >= bf_elem((bf_elem_type)t)->dim)
              assert_true(x[i] == 0.0);
            else
              assert_true(simplex((bf_elem_type)t) ? x[i] > 0.0 : fabs(x[i]) < 1.0);
          if (simplex((bf_elem_type)t)) assert_true(x[0] + x[1] + x[2] < 1.0);
        }
      }
}

static void loads_are_never_integrated_with_less_than_auto(void **state)
{
  (void)state;
  for (int t = 1; t < BF_ELEM_TYPES; t++) {
    bf_rule r;
    T_OK(bf_quadrature((bf_elem_type)t, 1, BF_RULE_MASS, &r));
    T_LE(worst((bf_elem_type)t, &r, 2 * bf_elem((bf_elem_type)t)->order), 1e-14);
    T_OK(bf_quadrature((bf_elem_type)t, 1, BF_RULE_STIFFNESS, &r));
    assert_int_equal(r.n, 1);
  }
}

static void points_out_of_range_are_refused(void **state)
{
  (void)state;
  bf_rule r;
  T_ERR(BF_E_ARG, bf_quadrature(BF_QUAD4, -1, BF_RULE_STIFFNESS, &r));
  T_ERR(BF_E_ARG, bf_quadrature(BF_QUAD4, 9, BF_RULE_STIFFNESS, &r));
  T_ERR(BF_E_ARG, bf_quadrature(BF_TET10, 5, BF_RULE_MASS, &r));
  T_ERR(BF_E_ARG, bf_quadrature(BF_HEX8, 5, BF_RULE_STIFFNESS, &r));
  T_CONTAINS(bf_err_message(), "hex8 takes 1 to 4");
  T_ERR(BF_E_ARG, bf_quadrature(BF_HEX8, 0, BF_RULE_STIFFNESS, NULL));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rule_of_p_points_is_exact_to_degree_2p_minus_1),
      cmocka_unit_test(gauss_rule_of_p_points_is_not_exact_for_degree_2p),
      cmocka_unit_test(auto_rules_have_the_documented_points_and_degrees),
      cmocka_unit_test(weights_are_positive_and_points_inside),
      cmocka_unit_test(loads_are_never_integrated_with_less_than_auto),
      cmocka_unit_test(points_out_of_range_are_refused),
  };
  return T_RUN(tests);
}
