/* base/expression.c - see expression.h: own scanner, muParser for the arithmetic
 *
 * The text is first read token by token (scan), so that errors in names, numbers, brackets and characters are
 * reported with their column; muParser finds the others (a missing operator, the number of arguments).
 *
 * Properties of muParser 2.3 that this file accounts for:
 *  - "x = 3" assigns to x and "1, 5" has two values: the scan rejects both;
 *  - error texts are in one static buffer: only their token is read, inside a critical section;
 *  - bulk evaluation calls omp_set_num_threads(at most 16) for the whole program: restored afterwards.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "base/memory.h"
#include <math.h>
#include <muParserDLL.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 2048, LENGTH_MAX = 4000, DEPTH_MAX = 200, NAME_MAX_ = 31 };

struct bf_expression {
  bf_table        *table;        /* borrowed; NULL: a formula */
  muParserHandle_t parser;       /* owned */
  double           at[3][CHUNK]; /* coordinates by component; muParser has pointers to them */
  char             text[LENGTH_MAX + 1];
};

static double sign_of(double v)
{
  return (v > 0.0) - (v < 0.0);
}
static double choose(double condition, double yes, double no)
{
  return condition != 0.0 ? yes : no;
}
static double least(const double *v, muInt_t n)
{
  double m = v[0];
  for (muInt_t i = 1; i < n; i++) m = v[i] < m || isnan(v[i]) ? v[i] : m;
  return m;
}
static double most(const double *v, muInt_t n)
{
  double m = v[0];
  for (muInt_t i = 1; i < n; i++) m = v[i] > m || isnan(v[i]) ? v[i] : m;
  return m;
}

static const struct {
  const char *name;
  muFun1_t    f;
} functions[] = {{"sin", sin},   {"cos", cos},   {"tan", tan},   {"asin", asin},   {"acos", acos},
                 {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh},   {"exp", exp},
                 {"ln", log},    {"sqrt", sqrt}, {"abs", fabs},  {"log10", log10}, {"sign", sign_of}};

static const char *const function_names[] = {"sin",  "cos",  "tan", "asin",  "acos", "atan", "sinh",
                                             "cosh", "tanh", "exp", "ln",    "sqrt", "abs",  "log10",
                                             "sign", "min",  "max", "atan2", "if"};
static const char *const value_names[]    = {"x", "y", "z", "pi", "e"};

static int among(const char *word, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, names[i]) == 0) return 1;
  return 0;
}
static int letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static int digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Length of the number at s (digits, point, exponent), 0 if there is none. */
static size_t number_length(const char *s)
{
  size_t n = 0, digits = 0;
  for (; digit(s[n]); n++) digits++;
  if (s[n] == '.')
    for (n++; digit(s[n]); n++) digits++;
  if (digits == 0) return 0;
  if (s[n] == 'e' || s[n] == 'E') {
    const size_t m = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
    if (digit(s[m]))
      for (n = m; digit(s[n]); n++) {}
  }
  return n;
}

static bf_err scan_number(const char *s, size_t *i)
{
  const size_t n = number_length(s + *i);
  char         copy[64];
  BF_CHECK(n > 0, BF_E_ARG, "a decimal point without digits is not a number");
  BF_CHECK(n < sizeof copy, BF_E_ARG, "number of more than %d characters", (int)sizeof copy - 1);
  memcpy(copy, s + *i, n);
  copy[n] = '\0';
  BF_CHECK(isfinite(strtod(copy, NULL)), BF_E_ARG, "number %s is too large", copy);
  *i += n; /* on the letter, in case of an error */
  BF_CHECK(!letter(s[*i]), BF_E_ARG, "a letter follows the number %s; write '*' between them", copy);
  BF_CHECK(s[*i] != '.', BF_E_ARG, "second point in the number %s", copy);
  return BF_OK;
}

static bf_err scan_name(const char *s, size_t *i, int *function)
{
  size_t n = 0, after;
  char   name[NAME_MAX_ + 1];
  while (letter(s[*i + n]) || digit(s[*i + n])) n++;
  const size_t kept = n < NAME_MAX_ ? n : NAME_MAX_;
  memcpy(name, s + *i, kept);
  name[kept] = '\0';
  for (after = *i + n; strchr(" \t\r\n", s[after]) && s[after]; after++) {}
  const int is_function = among(name, function_names, sizeof function_names / sizeof *function_names);
  BF_CHECK(is_function || among(name, value_names, sizeof value_names / sizeof *value_names), BF_E_ARG,
           "unknown name '%s'; known are x, y, z, pi, e and the functions sin cos tan asin acos atan atan2 "
           "sinh cosh tanh exp ln log10 sqrt abs min max sign if",
           name);
  BF_CHECK(!is_function || s[after] == '(', BF_E_ARG, "function %s needs its argument in brackets", name);
  BF_CHECK(is_function || s[after] != '(', BF_E_ARG, "%s is not a function; write '*' before the bracket",
           name);
  *i += n;
  *function = is_function;
  return BF_OK;
}

/* Operators of one or two characters; brackets are the caller's. */
static bf_err scan_operator(const char *s, size_t *i)
{
  const char c = s[*i], next = s[*i + 1];
  size_t     n = 1;
  if ((c == '<' || c == '>') && next == '=') n = 2;
  if ((c == '=' || c == '!') && next == '=') n = 2;
  if ((c == '&' || c == '|') && next == c) n = 2;
  BF_CHECK(c != '=' || n == 2, BF_E_ARG, "'=' is not an operator of formulas; use '==' to compare");
  BF_CHECK(strchr("+-*/^<>?:,", c) || n == 2, BF_E_ARG,
           (c & 0x80) ? "unexpected character outside ASCII in the formula" : "unexpected character '%c'", c);
  *i += n;
  return BF_OK;
}

/* Reads the whole text; on failure *at is the offending character. */
static bf_err scan(const char *s, size_t *at)
{
  size_t open[DEPTH_MAX], i = 0;
  int    call[DEPTH_MAX]; /* the bracket contains a function's arguments */
  int    depth = 0, tokens = 0, after_function = 0;
  *at = 0;
  while (s[i]) {
    *at = i;
    if (strchr(" \t\r\n", s[i])) {
      i++;
      continue;
    }
    tokens++;
    if (s[i] == '(') {
      BF_CHECK(depth < DEPTH_MAX, BF_E_ARG, "brackets nested deeper than %d", DEPTH_MAX);
      call[depth]   = after_function;
      open[depth++] = i++;
    } else if (s[i] == ')') {
      BF_CHECK(depth-- > 0, BF_E_ARG, "')' without '('");
      i++;
    } else if (digit(s[i]) || s[i] == '.') {
      const bf_err err = scan_number(s, &i);
      *at              = i;
      if (err != BF_OK) return err;
    } else if (letter(s[i])) {
      BF_TRY(scan_name(s, &i, &after_function));
      continue;
    } else {
      BF_CHECK(s[i] != ',' || (depth > 0 && call[depth - 1]), BF_E_ARG,
               "',' outside a function's arguments; a decimal point is '.'");
      BF_TRY(scan_operator(s, &i));
    }
    after_function = 0;
  }
  BF_CHECK(tokens > 0, BF_E_ARG, "the formula is empty");
  if (depth > 0) *at = open[depth - 1];
  BF_CHECK(depth == 0, BF_E_ARG, "'(' is not closed");
  return BF_OK;
}

static const char *words_of(int code)
{
  switch (code) {
  case 0: return "expected a value instead of an operator";
  case 2: return "unexpected end of the formula";
  case 4: return "expected a value instead of ','";
  case 5:
  case 6:
  case 8: return "missing operator before this";
  case 7: return "expected a value instead of ')'";
  case 14: return "too many arguments";
  case 15: return "too few arguments";
  case 32: return "':' without '?', or '?' without a condition";
  case 33: return "'?' needs ':' and a second value";
  default: return "this is not a formula";
  }
}

/* muParser's position is that of the token or of its end. */
static bf_err explain(muParserHandle_t parser, const char *text, int *column)
{
  const int    code = mupGetErrorCode(parser), pos = mupGetErrorPos(parser), n = (int)strlen(text);
  int          at = pos < 0 ? 0 : pos > n ? n : pos;
  char         token[32];
  const size_t size = sizeof token;
#pragma omp critical(bf_muparser_error)
  {
    strncpy(token, mupGetErrorToken(parser), size - 1);
    token[size - 1] = '\0';
  }
  const int m = (int)strlen(token);
  if (m > 0 && strncmp(text + at, token, (size_t)m) != 0 && at >= m &&
      strncmp(text + at - m, token, (size_t)m) == 0)
    at -= m;
  *column = at + 1;
  return BF_FAIL(BF_E_ARG, "%s", words_of(code));
}

static void define(bf_expression *e)
{
  static const char *const axis[] = {"x", "y", "z"};
  mupClearFun(e->parser);
  mupClearConst(e->parser);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    mupDefineFun1(e->parser, functions[i].name, functions[i].f, 1);
  mupDefineFun2(e->parser, "atan2", atan2, 1);
  mupDefineFun3(e->parser, "if", choose, 1);
  mupDefineMultFun(e->parser, "min", least, 1);
  mupDefineMultFun(e->parser, "max", most, 1);
  mupDefineConst(e->parser, "pi", 3.14159265358979323846);
  mupDefineConst(e->parser, "e", 2.71828182845904523536);
  for (int d = 0; d < 3; d++) mupDefineBulkVar(e->parser, axis[d], e->at[d]);
}

bf_err bf_expression_create(const char *text, int *column, bf_expression **out)
{
  bf_err         err = BF_OK;
  bf_expression *e   = NULL;
  size_t         at  = 0;
  int            count;
  BF_CHECK(text && column && out, BF_E_ARG, "null argument");
  *out    = NULL;
  *column = 1;
  BF_CHECK(strlen(text) <= LENGTH_MAX, BF_E_ARG, "formula of more than %d characters", LENGTH_MAX);
  err     = scan(text, &at);
  *column = (int)at + 1;
  BF_GO(err);
  BF_GO(BF_NEW(e));
  e->parser = mupCreate(muBASETYPE_FLOAT);
  BF_NEED(e->parser, BF_E_MEMORY, "no memory for a formula");
  memcpy(e->text, text, strlen(text) + 1); /* its length was checked */
  define(e);
  mupSetExpr(e->parser, text);
  if (!mupError(e->parser)) mupEvalMulti(e->parser, &count); /* compiles; the values at 0 do not matter */
  if (mupError(e->parser)) BF_GO(explain(e->parser, text, column));
  *out = e;
  e    = NULL;
done:
  bf_expression_destroy(&e);
  return err;
}

bf_err bf_expression_of_table(bf_table *t, bf_expression **out)
{
  BF_CHECK(t && out, BF_E_ARG, "null argument");
  BF_TRY(BF_NEW(*out));
  (*out)->table = t;
  return BF_OK;
}

void bf_expression_destroy(bf_expression **e)
{
  if (!e || !*e) return;
  if ((*e)->parser) mupRelease((*e)->parser);
  bf_host_free(*e);
  *e = NULL;
}

bf_err bf_expression_eval(const bf_expression *e, int64_t n, const double *x, double *f)
{
  BF_CHECK(e && n >= 0 && (n == 0 || (x && f)), BF_E_ARG, "null argument");
  if (e->table) return bf_table_eval(e->table, n, x, f);
  bf_expression *work    = (bf_expression *)(uintptr_t)e; /* its coordinates are scratch */
  const int      threads = omp_get_max_threads();
  int            failed  = 0;
  for (int64_t first = 0; first < n && !failed; first += CHUNK) {
    const int m = n - first < CHUNK ? (int)(n - first) : CHUNK;
    for (int i = 0; i < m; i++)
      for (int d = 0; d < 3; d++) work->at[d][i] = x[3 * (first + i) + d];
    mupEvalBulk(e->parser, f + first, m);
    failed = mupError(e->parser);
  }
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
  BF_CHECK(!failed, BF_E_INTERNAL, "muParser could not evaluate '%s'", e->text);
  for (int64_t i = 0; i < n; i++)
    BF_CHECK(isfinite(f[i]), BF_E_MODEL, "formula '%s' is %g at (%g, %g, %g)", e->text, f[i], x[3 * i],
             x[3 * i + 1], x[3 * i + 2]);
  return BF_OK;
}
