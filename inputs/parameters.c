/* inputs/parameters.c - `parameters:` named numbers in the formulas and numbers of a deck
 *
 * A name is replaced by its value before a text is checked: `-F/2*x` with F = 500 is `-(500)/2*x`, and a text
 * without x, y, z becomes a number.  Values of a parameter are numbers or formulas of the parameters before
 * it.  A list is a sweep; one run uses one value, the deck by itself the first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/parameters.h"
#include "base/expression.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 60, TEXT_MOST = 4000 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char others[]  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

const bf_parameter *bf_deck_parameters(const bf_deck *d, int *n)
{
  *n = d->nparameters;
  return d->parameter;
}

int bf_deck_zips(const bf_deck *d)
{
  return bf_item_is(bf_item_get(d->root, "sweep"), "zip");
}

int bf_deck_runs(const bf_deck *d)
{
  const int zip  = bf_deck_zips(d);
  int       runs = 1;
  for (int i = 0; i < d->nparameters; i++)
    if (d->parameter[i].n > 1) runs = zip ? d->parameter[i].n : runs * d->parameter[i].n;
  return runs;
}

static bf_parameter *find(const bf_deck *d, const char *name, size_t n)
{
  for (int i = 0; i < d->nparameters; i++)
    if (strlen(d->parameter[i].name) == n && strncmp(d->parameter[i].name, name, n) == 0)
      return &d->parameter[i];
  return NULL;
}

/* 1: the name at `at` is not a parameter where it stands: part of a.b, a function, a group in a quantity. */
static int elsewhere(const char *text, size_t at, size_t n, int quantity)
{
  size_t before = at, after = at + n;
  while (before > 0 && text[before - 1] == ' ') before--;
  after += strspn(text + after, " ");
  const char left = before > 0 ? text[before - 1] : '\0', right = text[after];
  if (left == '.' || right == '.' || right == '(') return 1;
  return quantity && (left == ',' || left == '@' || (left == '(' && (right == ',' || right == ')')));
}

/* 1: the quoted text at `at` of a quantity is a formula of an error norm: error.L2(FIELD, "..") or [".."]. */
static int of_norm(const char *text, size_t at)
{
  int norm = 0, commas = 0, bracket = 0;
  for (size_t i = 0; i < at; i++) {
    if (strncmp(text + i, "error.", 6) == 0) norm = 1, commas = bracket = 0;
    if (text[i] == '"' || text[i] == '\'') {
      const char *end = strchr(text + i + 1, text[i]);
      if (end && end < text + at) i = (size_t)(end - text);
      continue;
    }
    if (text[i] == ')') norm = 0;
    commas += text[i] == ',';
    bracket += (text[i] == '[') - (text[i] == ']');
  }
  return norm && (bracket > 0 || commas == 1);
}

/* out: text with the values of the parameters; the number of replacements, or -1 if it is too long. */
static int replace(const bf_deck *d, const char *text, int quantity, int *place, char out[TEXT_MOST])
{
  size_t to     = 0;
  int    n      = 0;
  char   inside = '\0'; /* the quote around a formula of an error norm */
  for (size_t at = 0; text[at];) {
    const int mark = quantity && (text[at] == '"' || text[at] == '\''), ends = mark && text[at] == inside,
              begins = mark && !inside && of_norm(text, at);
    if (ends || begins) inside = ends ? '\0' : text[at];
    const int quote = mark && !inside && !ends, number = text[at] >= '0' && text[at] <= '9';
    size_t    run = 1;
    if (quote && strchr(text + at + 1, text[at]))
      run = (size_t)(strchr(text + at + 1, text[at]) - text - (long)at) + 1;
    if (number) run = bf_number_length(text + at, &(int){0});
    if (run == 0) run = 1;
    if (!quote && strchr(letters, text[at])) run = strspn(text + at, others);
    bf_parameter *p = !quote && !number && strchr(letters, text[at]) ? find(d, text + at, run) : NULL;
    char          value[48];
    if (p && elsewhere(text, at, run, quantity && !inside)) p = NULL;
    if (p) snprintf(value, sizeof value, "(%.17g)", p->value);
    const size_t m = p ? strlen(value) : run;
    if (to + m + 1 > TEXT_MOST) return -1;
    memcpy(out + to, p ? value : text + at, m);
    to += m;
    if (p)
      p->used = 1, n++;
    else if (!quote && !inside && !number && (run > 1 || strchr(letters, text[at])) && run == 1 &&
             strchr("xyz", text[at]))
      *place = 1;
    at += run;
  }
  out[to] = '\0';
  return n;
}

/* *value of a formula without x, y, z; 0 if it has none. */
static int evaluate(const char *text, double *value)
{
  bf_expression *e       = NULL;
  const double   zero[3] = {0.0, 0.0, 0.0};
  int            column, ok;
  ok = bf_expression_create(text, &column, &e) == BF_OK && bf_expression_eval(e, 1, zero, value) == BF_OK &&
       isfinite(*value);
  bf_expression_destroy(&e);
  return ok;
}

static bf_err set_text(bf_item *it, const char *text)
{
  char *copy = bf_host_strdup(text);
  BF_CHECK(copy, BF_E_MEMORY, "no memory for the deck");
  if (it->written)
    bf_host_free(it->text);
  else
    it->written = it->text;
  it->text        = copy;
  it->text_column = 0;
  return BF_OK;
}

bf_err bf_parameters_apply(bf_deck *d, bf_item *it, bf_parameter_use use)
{
  char   text[TEXT_MOST], number[40];
  int    place = 0;
  double value, known;
  if (!d || d->nparameters == 0 || it->kind != BF_ITEM_VALUE || bf_text_number(it->text, &known) == 0)
    return BF_OK;
  if (replace(d, it->text, use == BF_PARAMETERS_QUANTITY, &place, text) <= 0) return BF_OK;
  if (use == BF_PARAMETERS_QUANTITY || (use == BF_PARAMETERS_FORMULA && place)) return set_text(it, text);
  if (place || !evaluate(text, &value)) return BF_OK; /* the message shows the text of the deck */
  snprintf(number, sizeof number, "%.17g", value);
  return set_text(it, number);
}

/* ---- the section ---- */

/* E105: a name that formulas have already, or cannot have. */
static int name_is_valid(bf_item *it, bf_diags *diags)
{
  static const char *const taken[] = {"x",     "y",    "z",    "t",     "e",    "pi",   "sin",  "cos", "tan",
                                      "asin",  "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "ln",
                                      "log10", "sqrt", "abs",  "min",   "max",  "sign", "if"};
  const size_t             n       = strlen(it->key);
  int bad = n == 0 || n > NAME_MOST || strspn(it->key, others) != n || !strchr(letters, it->key[0]);
  for (size_t i = 0; i < sizeof taken / sizeof *taken && !bad; i++)
    bad = strcmp(taken[i], it->key) == 0 ? 2 : 0;
  if (bad)
    bf_diag_add(diags, BF_ERROR, 105, it->key_where,
                bad == 2
                    ? "parameter '%.60s': formulas use this name already; choose another"
                    : "parameter '%.60s': a name consists of letters, digits and _ and begins with a letter",
                it->key);
  return !bad;
}

/* The number of one value, which becomes its text. */
static bf_err take_value(bf_deck *d, bf_item *it, const char *name, bf_diags *diags, double *value)
{
  BF_TRY(bf_parameters_apply(d, it, BF_PARAMETERS_NUMBER));
  *value = NAN;
  if (it->kind == BF_ITEM_VALUE && bf_text_number(it->text, value) == 0 && isfinite(*value)) return BF_OK;
  if (it->kind == BF_ITEM_VALUE && it->text[0] && evaluate(it->text, value)) { /* 2*pi */
    char number[40];
    snprintf(number, sizeof number, "%.17g", *value);
    return set_text(it, number);
  }
  it->faulty = 1;
  bf_diag_add(diags, BF_ERROR, 103, it->where,
              "parameter '%.60s': expected a number, a formula of the parameters before it, or a list of "
              "these%s%.60s%s",
              name, it->kind == BF_ITEM_VALUE ? ", got '" : "", it->kind == BF_ITEM_VALUE ? it->text : "",
              it->kind == BF_ITEM_VALUE ? "'" : "");
  return BF_OK;
}

/* Values of a list stand beside those of other lists, so they cannot depend on them: E106. */
static bf_err take_entry(bf_deck *d, bf_item *it, const char *name, bf_diags *diags, double *value)
{
  const bf_parameter *swept = NULL;
  uint8_t             before[BF_PARAMETERS_MAX];
  for (int i = 0; i < d->nparameters && i < BF_PARAMETERS_MAX; i++) {
    before[i]            = (uint8_t)d->parameter[i].used;
    d->parameter[i].used = 0;
  }
  const bf_err err = take_value(d, it, name, diags, value);
  for (int i = 0; i < d->nparameters && i < BF_PARAMETERS_MAX; i++) {
    if (d->parameter[i].used && d->parameter[i].n > 1) swept = &d->parameter[i];
    d->parameter[i].used |= before[i];
  }
  if (swept)
    bf_diag_add(diags, BF_ERROR, 106, it->where,
                "a value of the list '%.60s' uses '%.60s', which has several values itself", name,
                swept->name);
  return err;
}

static bf_err take(bf_deck *d, bf_item *it, bf_diags *diags)
{
  const int     list = it->kind == BF_ITEM_LIST, n = list ? it->count : 1;
  bf_parameter *grown, *p;
  if (!name_is_valid(it, diags)) return BF_OK;
  if (n == 0) bf_diag_add(diags, BF_ERROR, 103, it->where, "parameter '%.60s': the list is empty", it->key);
  if (n == 0) return BF_OK;
  grown = bf_host_realloc(d->parameter, (size_t)d->nparameters + 1, sizeof *grown);
  BF_CHECK(grown, BF_E_MEMORY, "no memory for the deck");
  d->parameter = grown;
  p            = &grown[d->nparameters];
  *p           = (bf_parameter){.name = it->key, .where = it->key_where, .list = list};
  BF_TRY(BF_NEW_ARRAY(p->values, n));
  p->n = n;
  for (int i = 0; i < n; i++) {
    const bf_err err = list ? take_entry(d, it->child[i], it->key, diags, &p->values[i])
                            : take_value(d, it, it->key, diags, &p->values[i]);
    if (err != BF_OK) bf_host_free(p->values);
    BF_TRY(err);
  }
  p->value = p->values[0];
  d->nparameters++; /* known to those after it */
  return BF_OK;
}

bf_err bf_parameters_read(bf_deck *d, bf_diags *diags)
{
  bf_item *map = bf_item_child(d->root, "parameters");
  if (!map || map->kind != BF_ITEM_MAP) return BF_OK; /* E103 follows */
  for (int i = 0; i < map->count; i++) BF_TRY(take(d, map->child[i], diags));
  return BF_OK;
}

void bf_parameters_check_use(const bf_deck *d, bf_diags *diags)
{
  const bf_item *file = bf_item_get(d->root, "mesh.file");
  const size_t   n    = file && file->text ? strlen(file->text) : 0;
  if (n > 4 && strcmp(file->text + n - 4, ".geo") == 0) return; /* gmsh gets all of them */
  for (int i = 0; i < d->nparameters; i++)
    if (!d->parameter[i].used)
      bf_diag_add(diags, BF_WARNING, 117, d->parameter[i].where, "parameter '%s' is not used",
                  d->parameter[i].name);
}

void bf_parameters_clear(bf_deck *d)
{
  for (int i = 0; i < d->nparameters; i++) bf_host_free(d->parameter[i].values);
  bf_host_free(d->parameter);
}
