/* inputs/mtx_text.c - places, lines, words and errors of Matrix Market files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/mtx_internal.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* The beginning and the number of the line that contains `at`; line ends as in diag.c. */
static const char *line_begin(const bf_mtx_text *t, const char *at, int64_t *number)
{
  const char *begin = t->begin;
  *number           = 1;
  for (const char *s = t->begin; s < at; s++) {
    if (*s != '\n' && !(*s == '\r' && (s + 1 == t->end || s[1] != '\n'))) continue;
    begin = s + 1;
    (*number)++;
  }
  return begin;
}

int64_t bf_mtx_line_of(const bf_mtx_text *t, const char *at)
{
  int64_t number;
  (void)line_begin(t, at, &number);
  return number;
}

bf_err bf_mtx_fail(const bf_mtx_text *t, const char *at, int code, const char *fmt, ...)
{
  char        text[600];
  bf_where    where  = {.file = t->path};
  int64_t     column = 1;
  const char *begin  = line_begin(t, at, &where.line);
  va_list     args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  for (const char *s = begin; s < at; s++) column += (*s & 0xC0) != 0x80;
  where.column = column < INT_MAX ? (int)column : 0;
  bf_diag_add(t->diags, BF_ERROR, code, where, "%s", text);
  return BF_FAIL(BF_E_MODEL, "%s, line %lld: %s", t->path, (long long)where.line, text);
}

const char *bf_mtx_word(const bf_mtx_text *t, const char *s, char word[BF_MTX_WORD])
{
  int n = 0;
  for (; n < BF_MTX_WORD - 1 && !bf_mtx_word_end(t, s + n); n++)
    word[n] = s[n] > ' ' && s[n] < 127 ? s[n] : '?';
  word[n] = '\0';
  return word;
}

bf_err bf_mtx_expected(bf_mtx_text *t, int code, const char *what)
{
  char word[BF_MTX_WORD];
  bf_mtx_skip_blanks(t);
  if (t->p == t->end)
    return bf_mtx_fail(t, t->p, code, "expected %s, found the end of the file, which may be truncated", what);
  if (bf_mtx_line_end(t, t->p))
    return bf_mtx_fail(t, t->p, code, "expected %s, found the end of the line", what);
  return bf_mtx_fail(t, t->p, code, "expected %s, found '%s'", what, bf_mtx_word(t, t->p, word));
}

void bf_mtx_skip_blanks(bf_mtx_text *t)
{
  while (t->p < t->end && bf_mtx_blank(*t->p)) t->p++;
}

void bf_mtx_skip_line(bf_mtx_text *t)
{
  while (!bf_mtx_line_end(t, t->p)) t->p++;
  if (t->p < t->end && *t->p == '\r') t->p++;
  if (t->p < t->end && *t->p == '\n') t->p++;
}

int bf_mtx_next_line(bf_mtx_text *t)
{
  for (;;) {
    bf_mtx_skip_blanks(t);
    if (t->p == t->end) return 0;
    if (*t->p != '%' && !bf_mtx_line_end(t, t->p)) return 1;
    bf_mtx_skip_line(t);
  }
}

int64_t bf_mtx_lines_left(bf_mtx_text t)
{
  int64_t n = 0;
  for (; bf_mtx_next_line(&t); bf_mtx_skip_line(&t)) n++;
  return n;
}
