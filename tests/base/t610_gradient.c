/* tests/base/t610_gradient.c - formulas with their gradient: values as muParser has them, derivatives as libm
 * and as central differences have them
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "base/expression_gradient.h"
#include "tests/test.h"
#include <math.h>

static const double PI = 3.14159265358979323846;

static void at(const char *text, double x, double y, double z, double v[4])
{
  bf_gradient *g    = NULL;
  const double p[3] = {x, y, z};
  int          column;
  T_OK(bf_gradient_create(text, strlen(text), &column, &g));
  bf_gradient_eval(g, p, v);
  bf_gradient_destroy(&g);
}

static double by_muparser(const char *text, const double p[3])
{
  bf_expression *e = NULL;
  double         f = NAN;
  int            column;
  T_OK(bf_expression_create(text, &column, &e));
  T_OK(bf_expression_eval(e, 1, p, &f));
  bf_expression_destroy(&e);
  return f;
}

/* every operator and function, and every pair of neighbours in the order of precedence */
static const char *const texts[] = {"-2^2",
                                    "2^3^2",
                                    "2^-x^2",
                                    "-x^2*y",
                                    "-(-x)",
                                    "2*-x",
                                    "1 - x - y",
                                    "x/y/z",
                                    "x - y*z^2/3",
                                    "1 < 2 == 1",
                                    "x < y && y < z || z < 0",
                                    "0 || 1 && 0",
                                    "x + 1 < y*3",
                                    "x > y ? 5 : x >= y ? 7 : 9",
                                    "x < y ? x : y < z ? y*z : z",
                                    "x != y",
                                    "x == x ? x^2 : 1/0",
                                    "if(x < 0, sqrt(x), x^3)",
                                    "min(x, y, z) + max(x*2, y) - min(z)",
                                    "sign(x - y) + abs(x - y)",
                                    "sin(x)*cos(y) + tan(z/3)",
                                    "asin(x) + acos(x/2) + atan(y)",
                                    "atan2(y, x)",
                                    "sinh(x) + cosh(y) - tanh(z)",
                                    "exp(-x^2 - y^2)",
                                    "ln(1 + x^2) + log10(3 + z)",
                                    "sqrt(x^2 + y^2 + z^2)",
                                    "x^y",
                                    "(1 + x)^(y*z)",
                                    "x^0.5",
                                    "pi*x + e^y",
                                    "1.5e-1*x + .5 + 2.",
                                    " 2\t*\nx ",
                                    "3*sin(pi*x)^2"};
enum { TEXTS = sizeof texts / sizeof *texts };
static const double points[][3] = {{0.37, 0.21, 1.9}, {0.9, 0.91, 0.3}, {0.05, 0.6, 0.7}};

static void values_are_those_of_muparser(void **state)
{
  (void)state;
  for (int i = 0; i < TEXTS; i++)
    for (int k = 0; k < 3; k++) {
      double       v[4];
      const double f = by_muparser(texts[i], points[k]);
      at(texts[i], points[k][0], points[k][1], points[k][2], v);
      if (!(fabs(v[0] - f) <= 4e-15 * (1.0 + fabs(f)))) fail_msg("%s: %.17g, not %.17g", texts[i], v[0], f);
    }
}

/* (f(x + h) - f(x - h)) / 2h = f'(x) + O(h^2) */
static void gradients_are_those_of_central_differences(void **state)
{
  (void)state;
  const double h = 1e-6;
  for (int i = 0; i < TEXTS; i++)
    for (int k = 0; k < 3; k++) {
      double v[4];
      at(texts[i], points[k][0], points[k][1], points[k][2], v);
      for (int d = 0; d < 3; d++) {
        double a[3] = {points[k][0], points[k][1], points[k][2]}, b[3] = {a[0], a[1], a[2]};
        a[d] -= h;
        b[d] += h;
        const double slope = (by_muparser(texts[i], b) - by_muparser(texts[i], a)) / (2.0 * h);
        if (!(fabs(v[1 + d] - slope) <= 1e-7 * (1.0 + fabs(slope))))
          fail_msg("%s: derivative %d is %.12g, difference %.12g", texts[i], d, v[1 + d], slope);
      }
    }
}

/* where differences do not reach: to the last bits, and at singular points */
static void derivatives_are_exact(void **state)
{
  (void)state;
  double v[4];
  at("sin(pi*x)*exp(y)", 0.3, 0.2, 0.0, v);
  T_NEAR(v[1], PI * cos(PI * 0.3) * exp(0.2), 1e-15);
  T_NEAR(v[2], sin(PI * 0.3) * exp(0.2), 1e-15);
  T_NEAR(v[3], 0.0, 0.0);
  at("x^2 + y^3", 0.0, 0.0, 0.0, v); /* 0^1, 0^2 */
  T_NEAR(v[1], 0.0, 0.0);
  T_NEAR(v[2], 0.0, 0.0);
  at("x^1", 0.0, 0.0, 0.0, v);
  T_NEAR(v[1], 1.0, 0.0);
  at("x^0", 0.0, 0.0, 0.0, v);
  T_NEAR(v[0], 1.0, 0.0);
  T_NEAR(v[1], 0.0, 0.0);
  at("(-2)^3*x", 1.0, 0.0, 0.0, v); /* a negative base to a constant power */
  T_NEAR(v[1], -8.0, 0.0);
  at("sqrt(x)", 0.0, 0.0, 0.0, v); /* the value is finite, the slope is not */
  T_NEAR(v[0], 0.0, 0.0);
  assert_true(isinf(v[1]));
  assert_true(v[2] == 0.0);
  at("sqrt(x^2*0)", 0.4, 0.0, 0.0, v); /* a constant has no derivative, also at a singular point */
  T_NEAR(v[1], 0.0, 0.0);
}

static void mistakes_have_their_column(void **state)
{
  (void)state;
  bf_gradient *g = NULL;
  int          column;
  T_ERR(BF_E_ARG, bf_gradient_create("1 + sinus(x)", 12, &column, &g));
  T_CONTAINS(bf_err_message(), "unknown name 'sinus'");
  assert_int_equal(column, 5);
  assert_null(g);
  T_ERR(BF_E_ARG, bf_gradient_create("x + ", 4, &column, &g));
  T_OK(bf_gradient_create("x + 1)))", 5, &column, &g)); /* the first five characters alone */
  assert_string_equal(bf_gradient_text(g), "x + 1");
  bf_gradient_destroy(&g);
  char long_text[2048] = "x";
  for (int i = 0; i < 300; i++) strcat(long_text, "^(x");
  T_ERR(BF_E_ARG, bf_gradient_create(long_text, strlen(long_text), &column, &g)); /* brackets */
  strcpy(long_text, "x");
  for (int i = 0; i < 400; i++) strcat(long_text, "^x");
  T_ERR(BF_E_ARG, bf_gradient_create(long_text, strlen(long_text), &column, &g));
  T_CONTAINS(bf_err_message(), "256 values");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_muparser),
      cmocka_unit_test(gradients_are_those_of_central_differences),
      cmocka_unit_test(derivatives_are_exact),
      cmocka_unit_test(mistakes_have_their_column),
  };
  return T_RUN(tests);
}
