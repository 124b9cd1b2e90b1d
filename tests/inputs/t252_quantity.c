/* tests/inputs/t252_quantity.c - the language of checks: arithmetic, names, columns of mistakes */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/depends.h"
#include "tests/test.h"
#include <math.h>

typedef struct record { /* what the lookup was asked */
  bf_qref ref[16];
  int     count;
  double  value;
  int     fail_at; /* the k-th call fails */
} record;

static bf_err note(void *context, const bf_qref *ref, double *value)
{
  record *r = context;
  if (r->count < 16) r->ref[r->count] = *ref;
  r->count++;
  BF_CHECK(r->count != r->fail_at, BF_E_INPUT, "no such thing");
  *value = r->value;
  return BF_OK;
}

static double value(const char *text, double each)
{
  record r = {.value = each};
  double v = NAN;
  int    column;
  T_OK(bf_check_quantity_eval(text, note, &r, &column, &v));
  return v;
}

static bf_qref only(const char *text)
{
  record r = {.value = 1.0};
  double v;
  int    column;
  T_OK(bf_check_quantity_eval(text, note, &r, &column, &v));
  assert_int_equal(r.count, 1);
  return r.ref[0];
}

static void arithmetic_is_that_of_mathematics(void **state)
{
  (void)state;
  const double q = 3.0;
  T_NEAR(value("1 + 2*3", q), 7.0, 0.0);
  T_NEAR(value("(1 + 2)*3", q), 9.0, 0.0);
  T_NEAR(value("12/3/2", q), 2.0, 0.0);
  T_NEAR(value("5 - 3 - 1", q), 1.0, 0.0);
  T_NEAR(value("-2 * -(3 - 1)", q), 4.0, 0.0);
  T_NEAR(value("--4 + +1", q), 5.0, 0.0);
  T_NEAR(value(" 1.5e+1 + .5 - 2.", q), 13.5, 0.0);
  T_NEAR(value("unknowns*2 - iterations/6", q), 5.5, 0.0);
  T_NEAR(value("max(temperature)-min(temperature)+1", q), 1.0, 0.0);
  T_NEAR(value("reaction.clamp.z/1e4", q), 3.0e-4, 1e-18);
}

static void each_quantity_is_taken_apart(void **state)
{
  (void)state;
  bf_qref q = only("probe.tip_1.stress_nodal.xy");
  assert_int_equal(q.kind, BF_Q_PROBE);
  assert_string_equal(q.name, "tip_1");
  assert_string_equal(q.field, "stress_nodal");
  assert_int_equal(q.component, 3);
  assert_int_equal(q.tensor, 1);
  q = only("probe.p.displacement.y");
  assert_int_equal(q.component, 1);
  assert_int_equal(q.tensor, 0);
  q = only("probe.x.temperature");
  assert_string_equal(q.name, "x");
  assert_int_equal(q.component, -1);
  q = only("max(stress_nodal.xy, \"left side\")");
  assert_int_equal(q.kind, BF_Q_MAX);
  assert_int_equal(q.component, 3);
  assert_string_equal(q.group, "left side");
  q = only("min(temperature, 2:17)");
  assert_string_equal(q.group, "2:17");
  q = only("min( displacement.x )");
  assert_int_equal(q.kind, BF_Q_MIN);
  assert_int_equal(q.component, 0);
  q = only("max(von_mises)");
  assert_int_equal(q.kind, BF_Q_MAX);
  assert_string_equal(q.field, "von_mises");
  q = only("integral(stress.zz, bar)");
  assert_int_equal(q.kind, BF_Q_INTEGRAL);
  assert_int_equal(q.component, 2);
  assert_string_equal(q.group, "bar");
  q = only("integral(temperature)");
  assert_string_equal(q.group, "");
  q = only("integral(temperature,'left side, upper')");
  assert_string_equal(q.group, "left side, upper");
  q = only("reaction.clamp.x");
  assert_int_equal(q.kind, BF_Q_REACTION);
  assert_string_equal(q.group, "clamp");
  assert_int_equal(q.component, 0);
  q = only("reaction.\"a.b c-d\".z");
  assert_string_equal(q.group, "a.b c-d");
  assert_int_equal(q.component, 2);
  q = only("2 * reaction.2:17");
  assert_string_equal(q.group, "2:17");
  assert_int_equal(q.component, -1);
  assert_int_equal(q.column, 5);
  q = only("balance.moment");
  assert_int_equal(q.kind, BF_Q_BALANCE);
  assert_string_equal(q.name, "moment");
  q = only("flexibility( 3 ,12)");
  assert_int_equal(q.kind, BF_Q_FLEXIBILITY);
  assert_int_equal(q.number, 3);
  assert_int_equal(q.other, 12);
  assert_int_equal(only("error_estimate").kind, BF_Q_ERROR);
  assert_int_equal(only("iterations").kind, BF_Q_ITERATIONS);
  assert_int_equal(only("unknowns").kind, BF_Q_UNKNOWNS);
}

static void a_mistake_is_told_with_its_column(void **state)
{
  (void)state;
  const struct {
    const char *text;
    int         column;
    const char *words;
  } cases[] = {{"", 1, "unexpected end"},
               {"1 +", 4, "unexpected end"},
               {"1 + * 2", 5, "expected a number"},
               {"(1 + 2", 7, "')' is missing"},
               {"1 + 2)", 6, "expected an operator"},
               {"3 4", 3, "expected an operator"},
               {"1.2.3", 1, "not a number"},
               {"2x", 1, "not a number"},
               {"1e999", 1, "too large"},
               {"probe", 6, "must follow 'probe'"},
               {"probe.tip", 10, "must follow 'tip'"},
               {"probe.tip.displacement.w", 24, "unknown component 'w'"},
               {"reaction.a.xx", 12, "unknown component 'xx'"},
               {"reaction.'a", 10, "not closed"},
               {"reaction.''", 10, "missing"},
               {"reaction.17", 10, "dim:tag"},
               {"balance.charge", 9, "valid: force, moment, energy, mass"},
               {"max temperature", 5, "'('"},
               {"max(temperature", 16, "')' is missing"},
               {"max(temperature, )", 18, "the name of a group is missing"},
               {"integral(temperature, )", 23, "name of a group"},
               {"gap 3", 5, "'(' and the number of a band"},
               {"gap()", 5, "the number of a band is missing"},
               {"gap(3", 6, "')' is missing"},
               {"gap(3).middle", 8, "valid: low, high"},
               {"flexibility", 12, "'(' and the numbers of a row and a column"},
               {"flexibility(", 13, "the number of a row is missing"},
               {"flexibility(2", 14, "',' and the number of a column"},
               {"flexibility(2, 0)", 16, "numbered 1, 2, ..."},
               {"flexibility(2, 1", 17, "')' is missing"},
               {"band(2)", 8, "'.' and frequency must follow"},
               {"band(2).residual@x", 9, "valid: frequency"},
               {"band(2).frequency", 18, "'@' and the name of a point"},
               {"max(band.width)", 10, "valid: band.residual, band.truncation"},
               {"1 + maxx(a)", 5, "did you mean 'max'"},
               {"1 ; 2", 3, "expected an operator"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int          column = -1;
    const bf_err err    = bf_quantity_check(cases[i].text, NULL, NULL, &column);
    if (err != BF_E_ARG) fail_msg("'%s' was taken", cases[i].text);
    if (column != cases[i].column || !strstr(bf_err_message(), cases[i].words))
      fail_msg("'%s': column %d, expected %d: %s", cases[i].text, column, cases[i].column, bf_err_message());
  }
}

static void deep_and_long_texts_are_refused(void **state)
{
  (void)state;
  static char text[5000];
  int         column;
  memset(text, '(', 1500);
  T_ERR(BF_E_ARG, bf_quantity_check(text, NULL, NULL, &column));
  T_CONTAINS(bf_err_message(), "nested deeper");
  memset(text, '-', 1900);
  text[1900] = '1';
  T_OK(bf_quantity_check(text, NULL, NULL, &column));
  memset(text, '-', 4000);
  T_ERR(BF_E_ARG, bf_quantity_check(text, NULL, NULL, &column));
  T_CONTAINS(bf_err_message(), "more than 2000 characters");
}

static void an_error_of_the_lookup_is_passed_on_with_its_place(void **state)
{
  (void)state;
  record r = {.value = 1.0, .fail_at = 2};
  double v;
  int    column;
  T_ERR(BF_E_INPUT, bf_check_quantity_eval("iterations + max(q) + unknowns", note, &r, &column, &v));
  assert_int_equal(column, 14);
  assert_int_equal(r.count, 2);
}

static void a_result_that_is_not_finite_is_an_error(void **state)
{
  (void)state;
  record r = {.value = 0.0};
  double v;
  int    column;
  T_ERR(BF_E_MODEL, bf_check_quantity_eval("1/iterations", note, &r, &column, &v));
  T_OK(bf_quantity_check("1/(1 - 1)", NULL, NULL, &column)); /* syntax alone computes nothing */
}

static void random_texts_do_no_harm(void **state)
{
  (void)state;
  static const char *const parts[] = {"probe", ".",  "a", "max", "(",   ")",          "+",        "-",
                                      "*",     "/",  "1", "e5",  " ",   ",",          "integral", "reaction",
                                      "'",     "\"", "x", "xx",  "2:1", "iterations", "balance"};
  uint64_t                 seed    = 23;
  int                      taken   = 0;
  for (int trial = 0; trial < 50000; trial++) {
    char      text[160] = "";
    const int n         = 1 + (int)(t_random(&seed) % 8);
    int       column    = -1;
    for (int i = 0; i < n; i++) strcat(text, parts[t_random(&seed) % (sizeof parts / sizeof *parts)]);
    taken += bf_quantity_check(text, NULL, NULL, &column) == BF_OK;
    if (column < 1 || column > (int)strlen(text) + 1) fail_msg("'%s': column %d", text, column);
  }
  assert_true(taken > 100);
}

static void a_text_that_its_quantities_do_not_change_is_found(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int         quantities, varies;
  } cases[] = {{"3 * (1 - 2)", 0, 0},
               {"iterations", 1, 1},
               {"max(u.x) - max(u.x)", 2, 0},
               {"max(u.x) - max(u.y)", 2, 1},
               {"max(u.x, left) - max(u.x, right)", 2, 1},
               {"max(u.x) - min(u.x)", 2, 1},
               {"mode(1).frequency - mode(2).frequency", 2, 1},
               {"flexibility(1, 2) - flexibility(1, 3)", 2, 1},
               {"flexibility(1, 2) - flexibility(2, 1)", 2, 0}, /* the matrix is symmetric */
               {"0 * unknowns", 1, 0},
               {"unknowns * (2 - 1 - 1)", 1, 0},
               {"unknowns / unknowns", 2, 0},
               {"(iterations + unknowns) - unknowns - iterations", 4, 0},
               {"(iterations + unknowns) / (unknowns + iterations) + 1", 4, 0},
               {"0 * unknowns + iterations", 2, 1},
               {"iterations * 1e-30", 1, 1},
               {"iterations / 1e300", 1, 1},
               {"iterations + 1e20", 1, 1},
               {"iterations * 1e-30 + 1", 1, 0},
               {"(iterations * unknowns) / unknowns - 1", 3, 1},
               {"1 / (unknowns - unknowns)", 2, 1}}; /* never finite: E111 of the run */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bf_qdepends on;
    T_OK(bf_quantity_depends(cases[i].text, &on));
    if (on.quantities != cases[i].quantities || on.varies != cases[i].varies)
      fail_msg("%s: %d quantities, varies %d", cases[i].text, on.quantities, on.varies);
  }
  bf_qdepends on;
  T_ERR(BF_E_ARG, bf_quantity_depends("1 +", &on));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_that_of_mathematics),
      cmocka_unit_test(each_quantity_is_taken_apart),
      cmocka_unit_test(a_text_that_its_quantities_do_not_change_is_found),
      cmocka_unit_test(a_mistake_is_told_with_its_column),
      cmocka_unit_test(deep_and_long_texts_are_refused),
      cmocka_unit_test(an_error_of_the_lookup_is_passed_on_with_its_place),
      cmocka_unit_test(a_result_that_is_not_finite_is_an_error),
      cmocka_unit_test(random_texts_do_no_harm),
  };
  return T_RUN(tests);
}
