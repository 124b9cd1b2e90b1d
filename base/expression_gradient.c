/* base/expression_gradient.c - see expression_gradient.h
 *
 * Recursive descent writes a program for a stack of dual numbers.  Grammar, with the precedences of muParser
 * (prLOR < prLAND < prCMP < prADD_SUB < prMUL_DIV = prINFIX < prPOW):
 *
 *     choice  = or [ ? choice : choice ]
 *     or      = and { || and },  and = compare { && compare },  compare = sum { (<|<=|>|>=|==|!=) sum }
 *     sum     = product { (+|-) product },  product = sign { (*|/) sign }
 *     sign    = (+|-) sign | power,  power = atom [ ^ signed power ]
 *     atom    = number | x | y | z | pi | e | function ( choice {, choice} ) | ( choice )
 *
 * bf_expression_create has checked the syntax before, so that messages exist once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression_gradient.h"
#include "base/expression.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 256, LENGTH_MAX = 4000 };

typedef struct dual {
  double v, d[3];
} dual;

typedef enum code {
  CONSTANT,
  AXIS,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  POWER,
  NEGATE,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  EQUAL,
  UNEQUAL,
  AND,
  OR,
  CHOOSE, /* condition yes no */
  MIN,
  MAX,
  ATAN2,
  SIN, /* functions of one argument */
  COS,
  TAN,
  ASIN,
  ACOS,
  ATAN,
  SINH,
  COSH,
  TANH,
  EXP,
  LN,
  LOG10,
  SQRT,
  ABS,
  SIGN
} code;

typedef struct step {
  code   op;
  double value; /* of CONSTANT */
  int    axis;  /* of AXIS */
} step;

struct bf_gradient {
  int   n;
  step *step; /* owned [n] */
  char  text[LENGTH_MAX + 1];
};

typedef struct writer {
  const char  *at;
  bf_gradient *g;
  int          depth, deepest;
} writer;

static bf_err choice(writer *w);
static bf_err sign(writer *w);

/* Values on the stack that an operation takes. */
static int takes(code op)
{
  if (op <= AXIS) return 0;
  if (op == CHOOSE) return 3;
  return op == NEGATE || op >= SIN ? 1 : 2;
}

static void emit(writer *w, step s)
{
  w->g->step[w->g->n++] = s; /* at most one step for each character of the text */
  w->depth += 1 - takes(s.op);
  if (w->depth > w->deepest) w->deepest = w->depth;
}

static void emit_op(writer *w, code op)
{
  emit(w, (step){.op = op});
}

static void skip_blanks(writer *w)
{
  while (*w->at && strchr(" \t\r\n", *w->at)) w->at++;
}

static int take(writer *w, const char *sign)
{
  const size_t n = strlen(sign);
  skip_blanks(w);
  if (strncmp(w->at, sign, n) != 0) return 0;
  w->at += n;
  return 1;
}

static const struct {
  const char *name;
  code        op;
} functions[] = {{"sin", SIN},   {"cos", COS},   {"tan", TAN},     {"asin", ASIN}, {"acos", ACOS},
                 {"atan", ATAN}, {"sinh", SINH}, {"cosh", COSH},   {"tanh", TANH}, {"exp", EXP},
                 {"ln", LN},     {"sqrt", SQRT}, {"abs", ABS},     {"sign", SIGN}, {"log10", LOG10},
                 {"min", MIN},   {"max", MAX},   {"atan2", ATAN2}, {"if", CHOOSE}};

static bf_err arguments(writer *w, code op)
{
  int n = 0;
  BF_CHECK(take(w, "("), BF_E_INTERNAL, "function without '('");
  do {
    BF_TRY(choice(w));
    if (++n >= 2 && (op == MIN || op == MAX)) emit_op(w, op);
  } while (take(w, ","));
  BF_CHECK(take(w, ")"), BF_E_INTERNAL, "')' is missing after arguments");
  if (op == MIN || op == MAX) return BF_OK;
  BF_CHECK(n == takes(op), BF_E_INTERNAL, "%d arguments of a function of %d", n, takes(op));
  emit_op(w, op);
  return BF_OK;
}

static bf_err name(writer *w)
{
  char   word[32];
  size_t n = 0;
  while (n + 1 < sizeof word &&
         strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", w->at[n]) && w->at[n]) {
    word[n] = w->at[n];
    n++;
  }
  word[n] = '\0';
  w->at += n;
  if (n == 1 && word[0] >= 'x' && word[0] <= 'z') {
    emit(w, (step){.op = AXIS, .axis = word[0] - 'x'});
    return BF_OK;
  }
  if (strcmp(word, "pi") == 0 || strcmp(word, "e") == 0) {
    emit(w, (step){.op = CONSTANT, .value = n == 2 ? 3.14159265358979323846 : 2.71828182845904523536});
    return BF_OK;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(word, functions[i].name) == 0) return arguments(w, functions[i].op);
  return BF_FAIL(BF_E_INTERNAL, "the gradient of '%s' is not known", word);
}

static bf_err atom(writer *w)
{
  skip_blanks(w);
  if (take(w, "(")) {
    BF_TRY(choice(w));
    BF_CHECK(take(w, ")"), BF_E_INTERNAL, "')' is missing");
    return BF_OK;
  }
  if ((*w->at >= '0' && *w->at <= '9') || *w->at == '.') {
    char *after;
    emit(w, (step){.op = CONSTANT, .value = strtod(w->at, &after)});
    w->at = after;
    return BF_OK;
  }
  return name(w);
}

static bf_err power(writer *w)
{
  BF_TRY(atom(w));
  if (!take(w, "^")) return BF_OK;
  BF_TRY(sign(w)); /* of the right operand; its own powers first */
  emit_op(w, POWER);
  return BF_OK;
}

static bf_err sign(writer *w)
{
  int minus = 0;
  for (;;) {
    if (take(w, "-"))
      minus = !minus;
    else if (!take(w, "+"))
      break;
  }
  BF_TRY(power(w));
  if (minus) emit_op(w, NEGATE);
  return BF_OK;
}

static bf_err product(writer *w)
{
  BF_TRY(sign(w));
  for (;;) {
    const int times = take(w, "*");
    if (!times && !take(w, "/")) return BF_OK;
    BF_TRY(sign(w));
    emit_op(w, times ? MULTIPLY : DIVIDE);
  }
}

static bf_err sum(writer *w)
{
  BF_TRY(product(w));
  for (;;) {
    const int plus = take(w, "+");
    if (!plus && !take(w, "-")) return BF_OK;
    BF_TRY(product(w));
    emit_op(w, plus ? ADD : SUBTRACT);
  }
}

static bf_err compare(writer *w)
{
  static const struct {
    const char *sign;
    code        op;
  } signs[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
               {"!=", UNEQUAL},    {"<", LESS},           {">", GREATER}};
  BF_TRY(sum(w));
  for (;;) {
    int i = 0;
    while (i < 6 && !take(w, signs[i].sign)) i++;
    if (i == 6) return BF_OK;
    BF_TRY(sum(w));
    emit_op(w, signs[i].op);
  }
}

static bf_err conjunction(writer *w)
{
  BF_TRY(compare(w));
  while (take(w, "&&")) {
    BF_TRY(compare(w));
    emit_op(w, AND);
  }
  return BF_OK;
}

static bf_err choice(writer *w)
{
  BF_TRY(conjunction(w));
  while (take(w, "||")) {
    BF_TRY(conjunction(w));
    emit_op(w, OR);
  }
  if (!take(w, "?")) return BF_OK;
  BF_TRY(choice(w));
  BF_CHECK(take(w, ":"), BF_E_INTERNAL, "':' is missing");
  BF_TRY(choice(w));
  emit_op(w, CHOOSE);
  return BF_OK;
}

bf_err bf_gradient_create(const char *text, size_t n, int *column, bf_gradient **out)
{
  bf_err         err    = BF_OK;
  bf_expression *syntax = NULL;
  bf_gradient   *g      = NULL;
  BF_CHECK(text && column && out, BF_E_ARG, "null argument");
  *out    = NULL;
  *column = 1;
  BF_CHECK(n <= LENGTH_MAX, BF_E_ARG, "formula of more than %d characters", LENGTH_MAX);
  BF_GO(BF_NEW(g));
  memcpy(g->text, text, n);
  BF_GO(BF_NEW_ARRAY(g->step, n + 1));
  BF_GO(bf_expression_create(g->text, column, &syntax));
  writer w = {.at = g->text, .g = g};
  BF_GO(choice(&w));
  skip_blanks(&w);
  BF_NEED(!*w.at, BF_E_INTERNAL, "text remains after a formula: '%.20s'", w.at);
  BF_NEED(w.deepest <= STACK, BF_E_ARG, "formula with more than %d values at a time", STACK);
  *out = g;
  g    = NULL;
done:
  bf_expression_destroy(&syntax);
  bf_gradient_destroy(&g);
  return err;
}

void bf_gradient_destroy(bf_gradient **g)
{
  if (!g || !*g) return;
  bf_host_free((*g)->step);
  bf_host_free(*g);
  *g = NULL;
}

const char *bf_gradient_text(const bf_gradient *g)
{
  return g->text;
}

/* f(a) with f'(a) = slope; a constant has no derivative, whatever the slope. */
static dual chain(double f, double slope, dual a)
{
  dual r = {.v = f};
  for (int i = 0; i < 3; i++) r.d[i] = a.d[i] != 0.0 ? slope * a.d[i] : 0.0;
  return r;
}

static dual raise(dual a, dual b)
{
  dual         r        = {.v = pow(a.v, b.v)};
  const double by_base  = b.v != 0.0 ? b.v * pow(a.v, b.v - 1.0) : 0.0,
               by_power = r.v != 0.0 ? r.v * log(a.v) : 0.0;
  for (int i = 0; i < 3; i++)
    r.d[i] = (a.d[i] != 0.0 ? by_base * a.d[i] : 0.0) + (b.d[i] != 0.0 ? by_power * b.d[i] : 0.0);
  return r;
}

static dual function(code op, dual a)
{
  const double v = a.v;
  switch (op) {
  case NEGATE: return chain(-v, -1.0, a);
  case SIN: return chain(sin(v), cos(v), a);
  case COS: return chain(cos(v), -sin(v), a);
  case TAN: return chain(tan(v), 1.0 + tan(v) * tan(v), a);
  case ASIN: return chain(asin(v), 1.0 / sqrt(1.0 - v * v), a);
  case ACOS: return chain(acos(v), -1.0 / sqrt(1.0 - v * v), a);
  case ATAN: return chain(atan(v), 1.0 / (1.0 + v * v), a);
  case SINH: return chain(sinh(v), cosh(v), a);
  case COSH: return chain(cosh(v), sinh(v), a);
  case TANH: return chain(tanh(v), 1.0 - tanh(v) * tanh(v), a);
  case EXP: return chain(exp(v), exp(v), a);
  case LN: return chain(log(v), 1.0 / v, a);
  case LOG10: return chain(log10(v), 1.0 / (v * 2.30258509299404568402), a);
  case SQRT: return chain(sqrt(v), 0.5 / sqrt(v), a);
  case ABS: return chain(fabs(v), (v > 0.0) - (v < 0.0), a);
  default: return (dual){.v = (v > 0.0) - (v < 0.0)}; /* SIGN */
  }
}

static dual combine(code op, dual a, dual b)
{
  dual r = {.v = 0.0};
  switch (op) {
  case ADD:
  case SUBTRACT: {
    const double s = op == ADD ? 1.0 : -1.0;
    r.v            = a.v + s * b.v;
    for (int i = 0; i < 3; i++) r.d[i] = a.d[i] + s * b.d[i];
    return r;
  }
  case MULTIPLY:
    r.v = a.v * b.v;
    for (int i = 0; i < 3; i++) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
    return r;
  case DIVIDE:
    r.v = a.v / b.v;
    for (int i = 0; i < 3; i++) r.d[i] = (a.d[i] - r.v * b.d[i]) / b.v;
    return r;
  case POWER: return raise(a, b);
  case LESS: r.v = a.v < b.v; return r;
  case LESS_EQUAL: r.v = a.v <= b.v; return r;
  case GREATER: r.v = a.v > b.v; return r;
  case GREATER_EQUAL: r.v = a.v >= b.v; return r;
  case EQUAL: r.v = a.v == b.v; return r;
  case UNEQUAL: r.v = a.v != b.v; return r;
  case AND: r.v = a.v != 0.0 && b.v != 0.0; return r;
  case OR: r.v = a.v != 0.0 || b.v != 0.0; return r;
  case MIN: return b.v < a.v || isnan(b.v) ? b : a;
  case MAX: return b.v > a.v || isnan(b.v) ? b : a;
  default: { /* ATAN2 */
    const double s = a.v * a.v + b.v * b.v;
    r.v            = atan2(a.v, b.v);
    for (int i = 0; i < 3; i++) r.d[i] = (b.v * a.d[i] - a.v * b.d[i]) / s;
    return r;
  }
  }
}

void bf_gradient_eval(const bf_gradient *g, const double x[3], double v[4])
{
  dual s[STACK];
  int  n = 0;
  for (int i = 0; i < g->n; i++) {
    const step *p = &g->step[i];
    const int   k = takes(p->op);
    n -= k;
    if (p->op == CONSTANT)
      s[n] = (dual){.v = p->value};
    else if (p->op == AXIS) {
      s[n]            = (dual){.v = x[p->axis]};
      s[n].d[p->axis] = 1.0;
    } else if (k == 1)
      s[n] = function(p->op, s[n]);
    else if (k == 2)
      s[n] = combine(p->op, s[n], s[n + 1]);
    else
      s[n] = s[n].v != 0.0 ? s[n + 1] : s[n + 2];
    n++;
  }
  v[0] = s[0].v;
  for (int i = 0; i < 3; i++) v[i + 1] = s[0].d[i];
}
