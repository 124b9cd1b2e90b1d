/* tests/inputs/t251_expression.c - formulas agree with libm and with our own arithmetic; mistakes have their
 * column
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "tests/test.h"
#include <math.h>
#include <omp.h>

static double value(const char *text, double x, double y, double z)
{
  bf_expression *e     = NULL;
  const double   at[3] = {x, y, z};
  double         f     = NAN;
  int            column;
  T_OK(bf_expression_create(text, &column, &e));
  T_OK(bf_expression_eval(e, 1, at, &f));
  bf_expression_destroy(&e);
  return f;
}

static void precedence_is_that_of_mathematics(void **state)
{
  (void)state;
  const struct {
    const char *text;
    double      value;
  } cases[] = {{"-2^2", -4.0},
               {"2^3^2", 512.0},
               {"2*-3", -6.0},
               {"1 - 2 - 3", -4.0},
               {"12/3/2", 2.0},
               {"2 + 3*4", 14.0},
               {"(2 + 3)*4", 20.0},
               {"1.5e1 + .5 + 2.", 17.5},
               {"1 < 2", 1.0},
               {"2 <= 1", 0.0},
               {"1 == 1 && 2 != 3 || 0", 1.0},
               {"0 > 1 ? 5 : 1 >= 1 ? 7 : 9", 7.0},
               {"if(1 < 0, 3, 4)", 4.0},
               {"min(3, 1, 2) + max(3, 9)", 10.0},
               {"sign(-3) + sign(0) + sign(7)*10", 9.0},
               {"  2\t*\n3  ", 6.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    T_NEAR(value(cases[i].text, 0, 0, 0), cases[i].value, 0.0);
}

static void functions_and_constants_are_those_of_libm(void **state)
{
  (void)state;
  const double x = 0.37, y = -0.21, z = 1.9;
  const struct {
    const char *text;
    double      value;
  } cases[] = {{"sin(x)", sin(x)},
               {"cos(y)", cos(y)},
               {"tan(x)", tan(x)},
               {"asin(y)", asin(y)},
               {"acos(x)", acos(x)},
               {"atan(z)", atan(z)},
               {"sinh(z)", sinh(z)},
               {"cosh(z)", cosh(z)},
               {"tanh(y)", tanh(y)},
               {"exp(y)", exp(y)},
               {"ln(z)", log(z)},
               {"log10(z)", log10(z)},
               {"sqrt(x)", sqrt(x)},
               {"abs(y)", fabs(y)},
               {"atan2(y, x)", atan2(y, x)},
               {"pi", acos(-1.0)},
               {"e", exp(1.0)},
               {"x - y*z", x - y * z},
               {"z^3", pow(z, 3.0)},
               {"e^(-x)*sin(2*pi*y)", exp(-x) * sin(2.0 * acos(-1.0) * y)}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    T_NEAR(value(cases[i].text, x, y, z), cases[i].value, 4e-16 * fmax(1.0, fabs(cases[i].value)));
}

/* Lengths around the chunk, against values computed here point by point. */
static void many_points_give_what_each_alone_gives(void **state)
{
  (void)state;
  const int64_t  sizes[] = {0, 1, 2, 31, 33, 2047, 2048, 2049, 10007};
  bf_expression *e       = NULL;
  uint64_t       seed    = 3;
  int            column;
  T_OK(bf_expression_create("x < 0.5 ? 3*x + y^2 - z : sin(x*y) + z", &column, &e));
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const int64_t n = sizes[s];
    double       *x = malloc((size_t)(3 * n + 3) * sizeof *x), *f = malloc((size_t)(n + 1) * sizeof *f);
    for (int64_t i = 0; i < 3 * n; i++) x[i] = t_uniform(&seed);
    f[n] = 123.0;
    T_OK(bf_expression_eval(e, n, x, f));
    for (int64_t i = 0; i < n; i++) {
      const double *p = x + 3 * i;
      T_NEAR(f[i], p[0] < 0.5 ? 3 * p[0] + p[1] * p[1] - p[2] : sin(p[0] * p[1]) + p[2], 1e-15);
    }
    assert_true(f[n] == 123.0);
    free(x);
    free(f);
  }
  bf_expression_destroy(&e);
}

static void the_number_of_threads_changes_nothing(void **state)
{
  (void)state;
  enum { N = 5000 };
  static double  x[3 * N], one[N], many[N];
  bf_expression *e       = NULL;
  uint64_t       seed    = 5;
  const int      threads = omp_get_max_threads();
  int            column;
  for (int i = 0; i < 3 * N; i++) x[i] = t_uniform(&seed);
  T_OK(bf_expression_create("sin(x)*exp(y) + x*y*z - min(x, y, z)", &column, &e));
  omp_set_num_threads(1);
  T_OK(bf_expression_eval(e, N, x, one));
  omp_set_num_threads(40); /* more than muParser's own limit of 16, which must not stay behind */
  T_OK(bf_expression_eval(e, N, x, many));
  assert_int_equal(omp_get_max_threads(), 40);
  omp_set_num_threads(threads);
  assert_memory_equal(one, many, sizeof one);
  bf_expression_destroy(&e);
}

static void each_thread_may_have_its_own_formula(void **state)
{
  (void)state;
  int wrong = 0;
#pragma omp parallel for num_threads(8) reduction(+ : wrong)
  for (int i = 0; i < 200; i++) {
    char           text[64];
    bf_expression *e     = NULL;
    const double   at[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    double         f[2];
    int            column;
    snprintf(text, sizeof text, i % 3 ? "x*%d + y" : "x*%d + 3 4", i);
    const bf_err err = bf_expression_create(text, &column, &e);
    if (i % 3 == 0) {
      wrong += err != BF_E_ARG || column != (int)strlen(text);
      continue;
    }
    wrong +=
        err != BF_OK || bf_expression_eval(e, 2, at, f) != BF_OK || f[0] != i + 2.0 || f[1] != 4.0 * i + 5.0;
    bf_expression_destroy(&e);
  }
  assert_int_equal(wrong, 0);
}

static void a_mistake_is_told_with_its_column(void **state)
{
  (void)state;
  const struct {
    const char *text;
    int         column;
    const char *words;
  } cases[] = {{"", 1, "empty"},
               {"   ", 3, "empty"},
               {"x + t", 5, "unknown name 't'"},
               {"sin(X)", 5, "unknown name 'X'"},
               {"2*foo", 3, "unknown name 'foo'"},
               {"_pi", 1, "unknown name"},
               {"rint(x)", 1, "unknown name"},
               {"log(x)", 1, "unknown name 'log'"},
               {"sin x", 1, "needs its argument in brackets"},
               {"x(2)", 1, "x is not a function"},
               {"x (2)", 1, "x is not a function"},
               {"2x", 2, "a letter follows the number 2"},
               {"2e", 2, "a letter follows the number 2"},
               {"0x10", 2, "a letter follows"},
               {"1..2", 3, "second point"},
               {"1.2.3", 4, "second point"},
               {".", 1, "a decimal point without digits"},
               {"1e999", 1, "too large"},
               {"x = 3", 3, "not an operator"},
               {"x := 3", 4, "not an operator"},
               {"x=3", 2, "not an operator"},
               {"!x", 1, "unexpected character"},
               {"x & y", 3, "unexpected character"},
               {"x # y", 3, "unexpected character"},
               {"x; y", 2, "unexpected character"},
               {"\"x\"", 1, "unexpected character"},
               {"x \xC3\xA4", 3, "ASCII"},
               {"x,y", 2, "outside a function"},
               {"1,5", 2, "outside a function"},
               {"(x + y", 1, "not closed"},
               {"2*(x + (y + 1)", 3, "not closed"},
               {"x)", 2, "without '('"},
               {"x +", 4, "unexpected end"},
               {"3 4", 3, "missing operator"},
               {"x y", 3, "missing operator"},
               {"(x)(y)", 4, ""},
               {"--x", 2, "expected a value"},
               {"x ** y", 4, "expected a value"},
               {"x*(y+)", 6, "instead of ')'"},
               {"sin(x, y)", 9, "too many"},
               {"atan2(x)", 8, "too few"},
               {"sin()", 5, "too few"},
               {"x < y ? 1", 1, "'?' needs"},
               {"(1, 2)", 3, "outside a function"},
               {"max(1, (2, 3))", 10, "outside a function"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bf_expression *e      = NULL;
    int            column = -1;
    const bf_err   err    = bf_expression_create(cases[i].text, &column, &e);
    if (err != BF_E_ARG) fail_msg("'%s' was taken", cases[i].text);
    assert_null(e);
    if (column != cases[i].column || !strstr(bf_err_message(), cases[i].words))
      fail_msg("'%s': column %d, expected %d: %s", cases[i].text, column, cases[i].column, bf_err_message());
  }
}

static void a_value_that_is_not_finite_names_the_point(void **state)
{
  (void)state;
  const double   at[6] = {1.0, 2.0, 3.0, 0.0, 5.0, 6.0};
  double         f[2];
  bf_expression *e = NULL;
  int            column;
  T_OK(bf_expression_create("1/x", &column, &e));
  T_ERR(BF_E_MODEL, bf_expression_eval(e, 2, at, f));
  T_CONTAINS(bf_err_message(), "'1/x' is inf at (0, 5, 6)");
  bf_expression_destroy(&e);
  T_OK(bf_expression_create("sqrt(x - 0.5)", &column, &e));
  T_ERR(BF_E_MODEL, bf_expression_eval(e, 2, at, f));
  T_CONTAINS(bf_err_message(), "nan at (0, 5, 6)");
  T_OK(bf_expression_eval(e, 1, at, f)); /* and the handle is still good */
  bf_expression_destroy(&e);
}

static void random_texts_do_no_harm(void **state)
{
  (void)state;
  static const char *const parts[] = {"x", "y", "(",   ")",  "+",   "-",     "*",  "/", "^",
                                      ",", "?", ":",   "<",  "==",  "2",     ".",  "e", "1e",
                                      " ", "=", "sin", "if", "min", "atan2", "&&", "!"};
  uint64_t                 seed    = 11;
  const int64_t            live    = bf_memory_live();
  int                      taken   = 0;
  for (int trial = 0; trial < 5000; trial++) {
    char           text[128] = "";
    const int      n         = 1 + (int)(t_random(&seed) % 10);
    bf_expression *e         = NULL;
    const double   at[3]     = {0.3, 0.4, 0.5};
    double         f;
    int            column = -1;
    for (int i = 0; i < n; i++) strcat(text, parts[t_random(&seed) % (sizeof parts / sizeof *parts)]);
    if (bf_expression_create(text, &column, &e) == BF_OK) {
      taken++;
      (void)bf_expression_eval(e, 1, at, &f);
    } else if (column < 1 || column > (int)strlen(text) + 1) {
      fail_msg("'%s': column %d", text, column);
    }
    bf_expression_destroy(&e);
  }
  assert_true(taken > 50);
  assert_int_equal(bf_memory_live(), live);
}

static void no_memory_is_said(void **state)
{
  (void)state;
  bf_expression *e = NULL;
  int            column;
  bf_memory_fail_at(1);
  T_ERR(BF_E_MEMORY, bf_expression_create("x", &column, &e));
  bf_memory_fail_at(0);
  assert_null(e);
  bf_expression_destroy(&e);
  bf_expression_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precedence_is_that_of_mathematics),
      cmocka_unit_test(functions_and_constants_are_those_of_libm),
      cmocka_unit_test(many_points_give_what_each_alone_gives),
      cmocka_unit_test(the_number_of_threads_changes_nothing),
      cmocka_unit_test(each_thread_may_have_its_own_formula),
      cmocka_unit_test(a_mistake_is_told_with_its_column),
      cmocka_unit_test(a_value_that_is_not_finite_names_the_point),
      cmocka_unit_test(random_texts_do_no_harm),
      cmocka_unit_test(no_memory_is_said),
  };
  return T_RUN(tests);
}
