/* inputs/quantity/names.c - names and arguments of quantities: probe.NAME.FIELD, max(FIELD),
 * mode(3).frequency, ... */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/expression_gradient.h"
#include "inputs/quantity/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Letters, digits and _ beginning with a letter. */
static bf_err take_name(bf_qreader *r, const char *what, char name[BF_Q_NAME_MAX + 1])
{
  size_t n = 0;
  bf_qreader_skip_blanks(r);
  BF_CHECK(bf_qreader_letter(*r->at), BF_E_ARG, "the name of a %s is missing", what);
  while (bf_qreader_letter(r->at[n]) || bf_qreader_digit(r->at[n])) n++;
  BF_CHECK(n <= BF_Q_NAME_MAX, BF_E_ARG, "name of more than %d characters", BF_Q_NAME_MAX);
  memcpy(name, r->at, n);
  name[n] = '\0';
  r->at += n;
  return BF_OK;
}

/* A name, dim:tag, or text in quotes. */
static bf_err take_group(bf_qreader *r, char name[BF_Q_NAME_MAX + 1])
{
  bf_qreader_skip_blanks(r);
  const char  quote = *r->at;
  const char *first = r->at;
  size_t      n     = 0;
  if (quote == '"' || quote == '\'') {
    first++;
    while (first[n] && first[n] != quote) n++;
    BF_CHECK(first[n], BF_E_ARG, "the quoted name of a group is not closed");
    BF_CHECK(n > 0, BF_E_ARG, "the name of a group is missing");
    r->at = first + n + 1;
  } else if (bf_qreader_digit(quote)) {
    while (bf_qreader_digit(first[n])) n++;
    BF_CHECK(n == 1 && first[n] == ':' && bf_qreader_digit(first[n + 1]), BF_E_ARG,
             "a group without a name is written dim:tag, as in 2:17");
    for (n++; bf_qreader_digit(first[n]); n++) {}
    r->at = first + n;
  } else {
    return take_name(r, "group", name);
  }
  BF_CHECK(n <= BF_Q_NAME_MAX, BF_E_ARG, "name of more than %d characters", BF_Q_NAME_MAX);
  memcpy(name, first, n);
  name[n] = '\0';
  return BF_OK;
}

/* stress becomes stress_axes */
static bf_err in_axes(bf_qref *ref)
{
  const size_t n = strlen(ref->field), m = strlen("_axes");
  if (n > m && strcmp(ref->field + n - m, "_axes") == 0) return BF_OK;
  BF_CHECK(n + m <= BF_Q_NAME_MAX, BF_E_ARG, "name of more than %d characters", BF_Q_NAME_MAX);
  memcpy(ref->field + n, "_axes", m + 1);
  return BF_OK;
}

/* [.c], an axis; with tensors also two axes. */
static bf_err take_component(bf_qreader *r, int tensors, bf_qref *ref)
{
  static const char *const names[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
  char                     c[BF_Q_NAME_MAX + 1];
  static const char *const polar[] = {"rr", "tt", "zz", "rt", "tz", "rz", "tr", "zt", "zr"};
  ref->component                   = -1;
  if (!bf_qreader_accept(r, '.')) return BF_OK;
  const char *first = r->at;
  BF_TRY(take_name(r, "component", c));
  if (!c[1] && c[0] >= 'x' && c[0] <= 'z') ref->component = c[0] - 'x';
  for (int i = 0; i < 6 && tensors; i++)
    if (strcmp(c, names[i]) == 0) {
      ref->component = i;
      ref->tensor    = 1;
    }
  for (int i = 0; i < 9 && tensors; i++)
    if (ref->component < 0 && strcmp(c, polar[i]) == 0) {
      ref->component = i < 6 ? i : i - 3;
      ref->tensor = ref->polar = 1;
    }
  if (tensors && (strcmp(c, "r") == 0 || strcmp(c, "t") == 0)) {
    ref->component = c[0] == 't';
    ref->polar     = 1;
  }
  if (ref->component < 0) r->at = first;
  BF_CHECK(ref->component >= 0, BF_E_ARG, "unknown component '%s'; valid: x, y, z%s", c,
           tensors ? ", xx, yy, zz, xy, yz, xz, and in cylindrical axes r, t, rr, tt, rt, tz, rz" : "");
  return ref->polar ? in_axes(ref) : BF_OK;
}

static bf_err take_dot(bf_qreader *r, const char *before, const char *after)
{
  BF_CHECK(bf_qreader_accept(r, '.'), BF_E_ARG, "'.' and %s must follow '%s'", after, before);
  return BF_OK;
}

static bf_err probe(bf_qreader *r, bf_qref *ref)
{
  BF_TRY(take_dot(r, "probe", "the name of a probe"));
  BF_TRY(take_name(r, "probe", ref->name));
  BF_TRY(take_dot(r, ref->name, "the name of a field"));
  BF_TRY(take_name(r, "field", ref->field));
  return take_component(r, 1, ref);
}

static bf_err reaction(bf_qreader *r, bf_qref *ref)
{
  BF_TRY(take_dot(r, "reaction", "the name of a group"));
  BF_TRY(take_group(r, ref->group));
  return take_component(r, 0, ref);
}

static bf_err balance(bf_qreader *r, bf_qref *ref)
{
  BF_TRY(take_dot(r, "balance", "force, moment, energy or mass"));
  bf_qreader_skip_blanks(r);
  const char *first = r->at;
  BF_TRY(take_name(r, "balance", ref->name));
  const int known = strcmp(ref->name, "force") == 0 || strcmp(ref->name, "energy") == 0 ||
                    strcmp(ref->name, "moment") == 0 || strcmp(ref->name, "mass") == 0;
  if (!known) r->at = first;
  BF_CHECK(known, BF_E_ARG, "unknown balance '%s'; valid: force, moment, energy, mass", ref->name);
  return BF_OK;
}

/* "residual" or "truncation" after "band" */
static bf_err of_bands(bf_qreader *r, bf_qref *ref)
{
  char what[BF_Q_NAME_MAX + 1];
  BF_TRY(take_dot(r, "band", "residual or truncation"));
  const char *first = r->at;
  BF_TRY(take_name(r, "number", what));
  const int known = strcmp(what, "residual") == 0 || strcmp(what, "truncation") == 0;
  if (!known) r->at = first;
  BF_CHECK(known, BF_E_ARG, "unknown number 'band.%s'; valid: band.residual, band.truncation", what);
  snprintf(ref->field, sizeof ref->field, "band.%.100s", what);
  return BF_OK;
}

/* .PROPERTY[.c] of one mode or of all */
static bf_err property(bf_qreader *r, bf_qref *ref)
{
  static const char *const names[] = {"frequency", "residual", "orthogonality", "participation",
                                      "effective_mass"};
  enum { NAMES = 5, WITH_AXES = 3 };
  BF_TRY(take_dot(r, "mode", "a property"));
  bf_qreader_skip_blanks(r);
  const char *first = r->at;
  int         i     = 0;
  BF_TRY(take_name(r, "property of a mode", ref->name));
  while (i < NAMES && strcmp(ref->name, names[i]) != 0) i++;
  if (i == NAMES) r->at = first;
  BF_CHECK(i < NAMES, BF_E_ARG,
           "a mode has no '%s'; valid: frequency, residual, orthogonality, participation, effective_mass",
           ref->name);
  ref->kind = BF_Q_MODE;
  return i >= WITH_AXES ? take_component(r, 0, ref) : BF_OK;
}

/* min, max, integral; min and max of modes too */
static bf_err of_field(bf_qreader *r, bf_qref *ref)
{
  BF_CHECK(bf_qreader_accept(r, '('), BF_E_ARG, "'(' and the name of a field must follow");
  BF_TRY(take_name(r, "field", ref->field));
  if (strcmp(ref->field, "band") == 0) BF_TRY(of_bands(r, ref));
  if (strcmp(ref->field, "mode") == 0 && ref->kind != BF_Q_INTEGRAL) {
    ref->field[0] = '\0';
    ref->over     = ref->kind == BF_Q_MIN ? '<' : '>';
    BF_TRY(property(r, ref));
    BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing after the property of the modes");
    return BF_OK;
  }
  BF_TRY(take_component(r, 1, ref));
  if (bf_qreader_accept(r, ',')) BF_TRY(take_group(r, ref->group));
  BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing after the field and group");
  return BF_OK;
}

/* (N), from 1 */
static bf_err take_number(bf_qreader *r, const char *what, bf_qref *ref)
{
  BF_CHECK(bf_qreader_accept(r, '('), BF_E_ARG, "'(' and the number of a %s must follow", what);
  bf_qreader_skip_blanks(r);
  BF_CHECK(bf_qreader_digit(*r->at), BF_E_ARG, "the number of a %s is missing", what);
  for (; bf_qreader_digit(*r->at) && ref->number < 1000000; r->at++)
    ref->number = 10 * ref->number + (*r->at - '0');
  BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing after the number of a %s", what);
  return BF_OK;
}

/* (I, J), from 1 */
static bf_err flexibility(bf_qreader *r, bf_qref *ref)
{
  int *const to[] = {&ref->number, &ref->other};
  BF_CHECK(bf_qreader_accept(r, '('), BF_E_ARG, "'(' and the numbers of a row and a column must follow");
  for (int k = 0; k < 2; k++) {
    bf_qreader_skip_blanks(r);
    const char *first = r->at;
    BF_CHECK(bf_qreader_digit(*r->at), BF_E_ARG, "the number of a %s is missing", k ? "column" : "row");
    for (; bf_qreader_digit(*r->at) && *to[k] < 100000000; r->at++) *to[k] = 10 * *to[k] + (*r->at - '0');
    if (*to[k] < 1) r->at = first;
    BF_CHECK(*to[k] >= 1, BF_E_ARG, "rows and columns are numbered 1, 2, ...");
    BF_CHECK(bf_qreader_accept(r, k ? ')' : ','), BF_E_ARG,
             k ? "')' is missing after the number of a column"
               : "',' and the number of a column must follow");
  }
  return BF_OK;
}

static bf_err band(bf_qreader *r, bf_qref *ref)
{
  char what[BF_Q_NAME_MAX + 1];
  BF_TRY(take_number(r, "band", ref));
  BF_TRY(take_dot(r, "band(N)", "frequency"));
  const char *first = r->at;
  BF_TRY(take_name(r, "number", what));
  if (strcmp(what, "frequency") != 0) r->at = first;
  BF_CHECK(strcmp(what, "frequency") == 0, BF_E_ARG, "unknown number '%s' of a band; valid: frequency", what);
  BF_CHECK(bf_qreader_accept(r, '@'), BF_E_ARG, "'@' and the name of a point must follow");
  return take_name(r, "point", ref->name);
}

static bf_err gap(bf_qreader *r, bf_qref *ref)
{
  BF_TRY(take_number(r, "band", ref));
  if (!bf_qreader_accept(r, '.')) return BF_OK;
  const char *first = r->at;
  BF_TRY(take_name(r, "edge", ref->name));
  const int known = strcmp(ref->name, "low") == 0 || strcmp(ref->name, "high") == 0;
  if (!known) r->at = first;
  BF_CHECK(known, BF_E_ARG, "unknown edge '%s' of a gap; valid: low, high", ref->name);
  return BF_OK;
}

/* mode(N).PROPERTY[.c] */
static bf_err mode(bf_qreader *r, bf_qref *ref)
{
  const char *first = r->at;
  BF_TRY(take_number(r, "mode", ref));
  if (ref->number < 1) r->at = first;
  BF_CHECK(ref->number >= 1, BF_E_ARG, "modes are numbered 1, 2, ...");
  return property(r, ref);
}

/* sum(mode.PROPERTY[.c]) */
static bf_err of_modes(bf_qreader *r, bf_qref *ref)
{
  char word[BF_Q_NAME_MAX + 1];
  BF_CHECK(bf_qreader_accept(r, '('), BF_E_ARG, "'(' and mode. must follow");
  bf_qreader_skip_blanks(r);
  const char *first = r->at;
  BF_TRY(take_name(r, "property of modes", word));
  if (strcmp(word, "mode") != 0) r->at = first;
  BF_CHECK(strcmp(word, "mode") == 0, BF_E_ARG,
           "sum is available for modes only: sum(mode.effective_mass.x)");
  ref->over = '+';
  BF_TRY(property(r, ref));
  BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing after the property of the modes");
  return BF_OK;
}

/* One formula, in quotes or a number; its syntax is checked here. */
static bf_err take_formula(bf_qreader *r, bf_qref *ref)
{
  bf_gradient *compiled = NULL;
  int          column;
  bf_qreader_skip_blanks(r);
  const char *first  = r->at;
  const int   quoted = *first == '"' || *first == '\'';
  const char *end    = first + quoted;
  BF_CHECK(quoted || bf_qreader_digit(*first) || *first == '.' || *first == '-', BF_E_ARG,
           "expected a formula in quotes, such as \"sin(pi*x)\", or a number");
  BF_CHECK(ref->nformulas < BF_Q_FORMULAS, BF_E_ARG, "more than %d formulas", BF_Q_FORMULAS);
  while (*end && (quoted ? *end != *first : !strchr(",]) \t\r\n", *end))) end++;
  BF_CHECK(!quoted || *end, BF_E_ARG, "the quoted formula is not closed");
  first += quoted;
  const bf_err err = bf_gradient_create(first, (size_t)(end - first), &column, &compiled);
  bf_gradient_destroy(&compiled);
  if (err != BF_OK) r->at = first + column - 1;
  BF_TRY(err);
  ref->formula[ref->nformulas]  = first;
  ref->length[ref->nformulas++] = (int)(end - first);
  r->at                         = end + quoted;
  return BF_OK;
}

/* error.NORM(FIELD[.c], FORMULAS[, GROUP]) */
static bf_err error_norm(bf_qreader *r, bf_qref *ref)
{
  static const char *const names[] = {"L2", "H1", "H1_semi", "energy"};
  BF_TRY(take_dot(r, "error", "L2, H1, H1_semi or energy"));
  bf_qreader_skip_blanks(r);
  const char *first = r->at;
  BF_TRY(take_name(r, "norm", ref->name));
  const size_t n = strlen(ref->name), tail = strlen("_relative");
  ref->relative = n > tail && strcmp(ref->name + n - tail, "_relative") == 0;
  if (ref->relative) ref->name[n - tail] = '\0';
  int i = 0;
  while (i < 4 && strcmp(ref->name, names[i]) != 0) i++;
  if (i == 4) r->at = first;
  BF_CHECK(i < 4, BF_E_ARG,
           "unknown norm '%s'; valid: L2, H1, H1_semi, energy, and L2_relative, H1_relative, "
           "H1_semi_relative, energy_relative",
           ref->name);
  BF_CHECK(bf_qreader_accept(r, '('), BF_E_ARG, "'(' and the name of a field must follow");
  BF_TRY(take_name(r, "field", ref->field));
  BF_TRY(take_component(r, 0, ref));
  BF_CHECK(bf_qreader_accept(r, ','), BF_E_ARG, "',' and a formula in quotes must follow the field");
  if (bf_qreader_accept(r, '[')) {
    do BF_TRY(take_formula(r, ref));
    while (bf_qreader_accept(r, ','));
    BF_CHECK(bf_qreader_accept(r, ']'), BF_E_ARG, "']' is missing after the formulas");
  } else {
    BF_TRY(take_formula(r, ref));
  }
  if (bf_qreader_accept(r, ',')) BF_TRY(take_group(r, ref->group));
  BF_CHECK(bf_qreader_accept(r, ')'), BF_E_ARG, "')' is missing after the formulas and group");
  return BF_OK;
}

static bf_err plain(bf_qreader *r, bf_qref *ref)
{
  (void)r;
  (void)ref;
  return BF_OK;
}

static const struct {
  const char *word;
  bf_qkind    kind;
  bf_err (*rest)(bf_qreader *, bf_qref *);
} kinds[] = {{"probe", BF_Q_PROBE, probe},
             {"min", BF_Q_MIN, of_field},
             {"max", BF_Q_MAX, of_field},
             {"integral", BF_Q_INTEGRAL, of_field},
             {"reaction", BF_Q_REACTION, reaction},
             {"balance", BF_Q_BALANCE, balance},
             {"band", BF_Q_BAND, band},
             {"gap", BF_Q_GAP, gap},
             {"mode", BF_Q_MODE, mode},
             {"sum", BF_Q_MODE, of_modes},
             {"flexibility", BF_Q_FLEXIBILITY, flexibility},
             {"error_estimate", BF_Q_ERROR, plain},
             {"error", BF_Q_NORM, error_norm},
             {"iterations", BF_Q_ITERATIONS, plain},
             {"unknowns", BF_Q_UNKNOWNS, plain}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bf_err unknown(const char *word)
{
  const char *names[KINDS];
  for (int i = 0; i < KINDS; i++) names[i] = kinds[i].word;
  const char *near = bf_nearest(word, names, KINDS);
  return BF_FAIL(
      BF_E_ARG,
      "unknown quantity '%.60s'%s%s%s valid: probe, min, max, integral, reaction, balance, band, gap, "
      "mode, sum, flexibility, error_estimate, error, iterations, unknowns",
      word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";");
}

bf_err bf_qreader_name(bf_qreader *r, bf_qref *ref)
{
  const char *first = r->at;
  char        word[BF_Q_NAME_MAX + 1];
  int         i = 0;
  BF_TRY(take_name(r, "quantity", word));
  while (i < KINDS && strcmp(word, kinds[i].word) != 0) i++;
  if (i == KINDS) {
    r->at = first;
    return unknown(word);
  }
  ref->kind = kinds[i].kind;
  return kinds[i].rest(r, ref);
}
