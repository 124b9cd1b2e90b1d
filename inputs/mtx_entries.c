/* inputs/mtx_entries.c - the body of a Matrix Market file: one entry per line
 *
 * Fast path: a digit where a number is expected, followed by the end of the line; everything else is parsed
 * again for an error message.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include "inputs/mtx_internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char whole_number[] = "a whole number (the banner says 'integer')";

/* An index from 1 at t->p; 0 if there is none: `value` then reports the error. */
static inline int64_t index_at(bf_mtx_text *t)
{
  const char *s = t->p, *end = t->end;
  int64_t     w = 0;
  while (s < end && bf_mtx_blank(*s)) s++;
  for (; s < end && (unsigned char)(*s - '0') < 10 && w < INT32_MAX; s++) w = 10 * w + (*s - '0');
  if (w == 0 || !bf_mtx_word_end(t, s)) return 0;
  t->p = s;
  return w;
}

/* Reports the index w before t->p if it exceeds `most`, else what is at t->p instead of an index. */
static bf_err wrong_index(bf_mtx_text *t, const char *what, int64_t w, bf_int most)
{
  char    word[BF_MTX_WORD];
  int64_t v;
  if (w > most) { /* its first character */
    const char *s = t->p;
    while (s > t->begin && !bf_mtx_blank(s[-1]) && s[-1] != '\n' && s[-1] != '\r') s--;
    return bf_mtx_fail(t, s, 224, "%s %lld > %d: the matrix has %d %ss", what, (long long)w, most, most,
                       what);
  }
  bf_mtx_skip_blanks(t);
  const char *s = bf_decimal_int(t->p, t->end, &v);
  int         n = 0;
  while (!bf_mtx_word_end(t, t->p + n) && t->p[n] >= '0' && t->p[n] <= '9') n++;
  if (n > 0 && bf_mtx_word_end(t, t->p + n) && (!s || v > most))
    return bf_mtx_fail(t, t->p, 224, "%s %s > %d: the matrix has %d %ss", what, bf_mtx_word(t, t->p, word),
                       most, most, what);
  if (s && bf_mtx_word_end(t, s) && v <= 0)
    return bf_mtx_fail(t, t->p, 224, "%s %lld: %ss count from 1", what, (long long)v, what);
  snprintf(word, sizeof word, "the %s of an entry", what);
  return bf_mtx_expected(t, 224, word);
}

/* A value that the fast path could not read completely. */
static bf_err slow_value(bf_mtx_text *t, const bf_mtx *A, double *v)
{
  char word[BF_MTX_WORD];
  bf_mtx_skip_blanks(t);
  const char *s = bf_decimal_word(t->p, t->end, v);
  (void)bf_mtx_word(t, t->p, word);
  if (A->field == BF_MTX_INTEGER && (!s || strpbrk(word, "xX"))) return bf_mtx_expected(t, 224, whole_number);
  if (!s || !bf_mtx_word_end(t, s) || strpbrk(word, "xX"))
    return bf_mtx_expected(t, 224, strchr(word, ',') ? "a value (the decimal point is '.')" : "a value");
  if (isinf(*v) && strpbrk(word, "123456789"))
    return bf_mtx_fail(t, t->p, 224, "the value %s is too large", word);
  if (!isfinite(*v)) return bf_mtx_fail(t, t->p, 224, "the value '%s' is not finite", word);
  t->p = s;
  return BF_OK;
}

/* The value of an entry and the end of its line. */
static inline bf_err value_at(bf_mtx_text *t, const bf_mtx *A, double *v)
{
  const char *s;
  while (t->p < t->end && bf_mtx_blank(*t->p)) t->p++;
  const char *at = t->p;
  s              = bf_decimal_real(at, t->end, v);
  if (s && bf_mtx_word_end(t, s))
    t->p = s;
  else
    BF_TRY(slow_value(t, A, v));
  if (A->field != BF_MTX_INTEGER) return BF_OK;
  for (s = at + (*at == '-' || *at == '+'); s < t->p; s++)
    if (*s < '0' || *s > '9') {
      t->p = at;
      return bf_mtx_expected(t, 224, whole_number);
    }
  return BF_OK;
}

static bf_err too_few(const bf_mtx_text *t, const bf_mtx *A, int64_t have)
{
  return bf_mtx_fail(t, t->count_at, 225,
                     "the size line announces %lld entr%s, the file has %lld; it may be truncated",
                     (long long)A->listed, A->listed == 1 ? "y" : "ies", (long long)have);
}

/* After the last entry: only comments. */
static bf_err the_end(bf_mtx_text *t, const bf_mtx *A)
{
  const int cut = t->end > t->begin && t->end[-1] != '\n' && t->end[-1] != '\r';
  if (!bf_mtx_next_line(t)) {
    if (cut && A->listed > 0)
      bf_diag_add(t->diags, BF_NOTE, 227, (bf_where){t->path, bf_mtx_line_of(t, t->end), 0},
                  "the file does not end with a newline and may be truncated");
    return BF_OK;
  }
  return bf_mtx_fail(t, t->p, 225,
                     "line %lld announces %lld entr%s, the file has %lld: this is the first additional one",
                     (long long)A->size_line, (long long)A->listed, A->listed == 1 ? "y" : "ies",
                     (long long)(A->listed + bf_mtx_lines_left(*t)));
}

/* After the last number of an entry: blanks, and the line's end. */
static inline bf_err entry_end(bf_mtx_text *t, const bf_mtx *A)
{
  bf_mtx_skip_blanks(t);
  if (t->p == t->end) return BF_OK;
  if (*t->p == '\n') {
    t->p++;
    return BF_OK;
  }
  if (*t->p == '\r') {
    bf_mtx_skip_line(t);
    return BF_OK;
  }
  return bf_mtx_expected(
      t, 224,
      A->layout == BF_MTX_ARRAY    ? "the end of the line after a value (an array has one per line)"
      : A->field == BF_MTX_PATTERN ? "the end of the line after row and column (a 'pattern' has no values)"
                                   : "the end of the line after row, column and value");
}

/* Files that list one triangle only. */
static bf_err wrong_triangle(const bf_mtx_text *t, const bf_mtx *A, const char *line, int64_t i, int64_t j)
{
  while (bf_mtx_blank(*line)) line++;
  if (i == j)
    return bf_mtx_fail(
        t, line, 224,
        "diagonal entry (%lld, %lld) in a 'skew-symmetric' file: it is zero and must not be listed",
        (long long)i, (long long)j);
  return bf_mtx_fail(t, line, 224,
                     "entry (%lld, %lld) above the diagonal in a '%s' file, which lists the lower triangle "
                     "only; if both triangles are listed, the banner must say 'general'",
                     (long long)i, (long long)j, bf_mtx_symmetry_name(A->symmetry));
}

static bf_err read_coordinates(bf_mtx_text *t, bf_mtx *A)
{
  const int sign = A->symmetry == BF_MTX_GENERAL ? 0 : A->symmetry == BF_MTX_SYMMETRIC ? 1 : 2;
  for (int64_t k = 0; k < A->listed; k++) {
    if (!bf_mtx_next_line(t)) return too_few(t, A, k);
    const char   *line = t->p;
    const int64_t i    = index_at(t);
    if (i < 1 || i > A->nrows) return wrong_index(t, "row", i, A->nrows);
    const int64_t j = index_at(t);
    if (j < 1 || j > A->ncols) return wrong_index(t, "column", j, A->ncols);
    if (sign && (j > i || (sign == 2 && j == i))) return wrong_triangle(t, A, line, i, j);
    A->row[k] = (bf_int)(i - 1);
    A->col[k] = (bf_int)(j - 1);
    if (A->val) BF_TRY(value_at(t, A, &A->val[k]));
    BF_TRY(entry_end(t, A));
  }
  return the_end(t, A);
}

static bf_err read_array(bf_mtx_text *t, bf_mtx *A)
{
  for (int64_t k = 0; k < A->listed; k++) {
    if (!bf_mtx_next_line(t)) return too_few(t, A, k);
    BF_TRY(value_at(t, A, &A->val[k]));
    BF_TRY(entry_end(t, A));
  }
  return the_end(t, A);
}

bf_err bf_mtx_entries(bf_mtx_text *t, bf_mtx *A)
{
  bf_mtx_skip_line(t);
  return A->layout == BF_MTX_ARRAY ? read_array(t, A) : read_coordinates(t, A);
}
