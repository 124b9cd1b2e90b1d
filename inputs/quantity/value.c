/* inputs/quantity/value.c - see quantity.h; recursive descent, one function per line of the grammar */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/quantity/reader.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, LENGTH_MAX = 2000 };

/* A value and a bound of its rounding errors (running error analysis: Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., section 3.3, doi:10.1137/1.9780898718027). */
typedef struct result {
  double value, error;
} result;

static bf_err sum(bf_qreader *r, result *a);

static bf_err quantity(bf_qreader *r, result *a)
{
  bf_qref     ref   = {.component = -1, .column = (int)(r->at - r->text) + 1};
  const char *first = r->at;
  BF_TRY(bf_qreader_name(r, &ref));
  *a = (result){1.0, 0.0};
  if (!r->lookup) return BF_OK;
  const char  *after = r->at;
  const bf_err err   = r->lookup(r->context, &ref, &a->value);
  r->at              = err == BF_OK ? after : first;
  return err;
}

static bf_err number(bf_qreader *r, result *a)
{
  const char *s      = r->at;
  size_t      n      = 0;
  int         digits = 0;
  for (; bf_qreader_digit(s[n]); n++) digits++;
  if (s[n] == '.')
    for (n++; bf_qreader_digit(s[n]); n++) digits++;
  BF_CHECK(digits > 0, BF_E_ARG,
           *s ? "expected a number, '(' or a quantity name" : "unexpected end of the quantity");
  if (s[n] == 'e' || s[n] == 'E') {
    const size_t m = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
    if (bf_qreader_digit(s[m]))
      for (n = m; bf_qreader_digit(s[n]); n++) {}
  }
  BF_CHECK(!bf_qreader_letter(s[n]) && s[n] != '.', BF_E_ARG, "this is not a number");
  *a = (result){strtod(s, NULL), 0.0};
  BF_CHECK(isfinite(a->value), BF_E_ARG, "number too large");
  r->at += n;
  return BF_OK;
}

static bf_err factor(bf_qreader *r, result *a)
{
  double sign = 1.0;
  for (;;) {
    if (bf_qreader_accept(r, '-'))
      sign = -sign;
    else if (!bf_qreader_accept(r, '+'))
      break;
  }
  if (bf_qreader_accept(r, '(')) {
    BF_CHECK(++r->depth <= DEPTH_MAX, BF_E_ARG, "brackets nested deeper than %d", DEPTH_MAX);
    BF_TRY(sum(r, a));
    BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing");
    r->depth--;
  } else if (bf_qreader_letter(*r->at)) {
    BF_TRY(quantity(r, a));
  } else {
    BF_TRY(number(r, a));
  }
  a->value *= sign;
  return BF_OK;
}

static void multiply(result *a, result b)
{
  const double v = a->value * b.value;
  a->error       = fabs(a->value) * b.error + fabs(b.value) * a->error + DBL_EPSILON * fabs(v);
  a->value       = v;
}

static void divide(result *a, result b)
{
  const double v = a->value / b.value;
  a->error       = (a->error + fabs(v) * b.error) / fabs(b.value) + DBL_EPSILON * fabs(v);
  a->value       = v;
}

static void add(result *a, double sign, result b)
{
  a->value += sign * b.value;
  a->error += b.error + DBL_EPSILON * fabs(a->value);
}

static bf_err product(bf_qreader *r, result *a)
{
  result next;
  BF_TRY(factor(r, a));
  for (;;) {
    const int times = bf_qreader_accept(r, '*');
    if (!times && !bf_qreader_accept(r, '/')) return BF_OK;
    BF_TRY(factor(r, &next));
    (times ? multiply : divide)(a, next);
  }
}

static bf_err sum(bf_qreader *r, result *a)
{
  result next;
  BF_TRY(product(r, a));
  for (;;) {
    const int plus = bf_qreader_accept(r, '+');
    if (!plus && !bf_qreader_accept(r, '-')) return BF_OK;
    BF_TRY(product(r, &next));
    add(a, plus ? 1.0 : -1.0, next);
  }
}

static bf_err whole(bf_qreader *r, result *a)
{
  BF_CHECK(strlen(r->text) <= LENGTH_MAX, BF_E_ARG, "quantity of more than %d characters", LENGTH_MAX);
  BF_TRY(sum(r, a));
  bf_qreader_skip_blanks(r);
  BF_CHECK(*r->at == '\0', BF_E_ARG, "expected an operator (+ - * /) or the end of the quantity");
  BF_CHECK(r->only_syntax || isfinite(a->value), BF_E_MODEL, "'%s' is %g", r->text, a->value);
  return BF_OK;
}

bf_err bf_check_quantity_eval(const char *text, bf_qlookup lookup, void *context, int *column, double *value)
{
  BF_CHECK(text && lookup && column && value, BF_E_ARG, "null argument");
  result       a   = {NAN, 0.0};
  bf_qreader   r   = {.text = text, .at = text, .lookup = lookup, .context = context};
  const bf_err err = whole(&r, &a);
  *value           = a.value;
  *column          = (int)(r.at - text) + 1;
  return err;
}

bf_err bf_quantity_check(const char *text, bf_qlookup seen, void *context, int *column)
{
  BF_CHECK(text && column, BF_E_ARG, "null argument");
  result       a;
  bf_qreader   r   = {.text = text, .at = text, .only_syntax = 1, .lookup = seen, .context = context};
  const bf_err err = whole(&r, &a);
  *column          = (int)(r.at - text) + 1;
  return err;
}

bf_err bf_quantity_try(const char *text, bf_qlookup lookup, void *context, double *value, double *error)
{
  BF_CHECK(text && lookup && value && error, BF_E_ARG, "null argument");
  result     a = {NAN, 0.0};
  bf_qreader r = {.text = text, .at = text, .only_syntax = 1, .lookup = lookup, .context = context};
  BF_TRY(whole(&r, &a));
  *value = a.value;
  *error = a.error;
  return BF_OK;
}
