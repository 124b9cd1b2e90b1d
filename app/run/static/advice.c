/* app/run/static/advice.c - see advice.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/advice.h"
#include "app/job.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* 1: another method or preconditioner may converge. */
static int another(const bf_solve_report *r)
{
  return r->reason == BF_KRYLOV_LIMIT || r->reason == BF_KRYLOV_INDEFINITE ||
         r->reason == BF_KRYLOV_BREAKDOWN || r->reason == BF_KRYLOV_STAGNATION ||
         r->reason == BF_KRYLOV_DIVERGED;
}

int bf_advice_direct(const bf_solve_report *report, bf_method method)
{
  return another(report) && method != BF_METHOD_DIRECT && method != BF_METHOD_INVERSE;
}

typedef struct list {
  char  *text;
  size_t size;
  int    count;
} list;

static void add(list *l, const char *format, ...)
{
  const size_t at = strlen(l->text);
  va_list      args;
  char         word[160];
  va_start(args, format);
  vsnprintf(word, sizeof word, format, args);
  va_end(args);
  snprintf(l->text + at, l->size - at, "%s%s", l->count++ ? ", or " : "; try ", word);
}

static void add_choice(list *l, const bf_advice *a, const char *key, const char *value)
{
  add(l, a->options ? "--%s %s" : "%s: %s", key, value);
}

static void add_direct(list *l, const bf_advice *a)
{
  char         bytes[24], available[24];
  const double needed = (double)a->direct.band + (double)a->direct.beside;
  if (a->direct.band < 0) return;
  bf_bytes_text(needed, bytes);
  bf_bytes_text((double)a->available, available);
  if (a->available == 0 || needed <= (double)a->available)
    add(l, a->options ? "--method direct (%s, on the CPU)" : "method: direct (%s, on the CPU)", bytes);
  else if (l->count == 0)
    snprintf(l->text, l->size, "; method direct needs %s, %s are available", bytes, available);
}

void bf_advice_text(const bf_advice *a, char *text, size_t size)
{
  const bf_solve_report *r    = a->report;
  list                   l    = {text, size, 0};
  const int              stab = a->method == BF_METHOD_BICGSTAB, cg = a->method == BF_METHOD_CG;
  text[0] = '\0';
  if (!another(r) || a->method == BF_METHOD_DIRECT || a->method == BF_METHOD_INVERSE) return;
  if (r->reason == BF_KRYLOV_LIMIT) {
    if (a->precond == BF_PRECOND_NONE) add_choice(&l, a, "preconditioner", "jacobi");
    if (a->precond == BF_PRECOND_JACOBI) add_choice(&l, a, "preconditioner", "block_jacobi");
    if (a->limit_given)
      add(&l, a->options ? "--max-iterations above %d" : "solver.max_iterations above %d", r->limit);
  }
  if (!cg && a->symmetric) add_choice(&l, a, "method", "cg");
  if (stab && !a->symmetric && r->reason != BF_KRYLOV_LIMIT) add_choice(&l, a, "method", "bicg");
  add_direct(&l, a);
}
