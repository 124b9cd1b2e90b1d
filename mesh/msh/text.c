/* mesh/msh/text.c - numbers, lines and binary values of a .msh file */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include "mesh/msh/internal.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bf_where bf_msh_where(const bf_msh *m, const char *at)
{
  bf_where where = {m->path, 0, 0};
  if (m->binary) return where;
  where.line = 1;
  for (const char *s = m->data; s < at && (s = memchr(s, '\n', (size_t)(at - s))) != NULL; s++) where.line++;
  return where;
}

const char *bf_msh_place(const bf_msh *m, const char *at, char *buf)
{
  if (m->binary)
    snprintf(buf, 40, "byte %lld", (long long)(at - m->data));
  else
    snprintf(buf, 40, "line %lld", (long long)bf_msh_where(m, at).line);
  return buf;
}

bf_err bf_msh_fail(bf_msh *m, int code, const char *fmt, ...)
{
  char    text[480], place[40];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  bf_msh_place(m, m->p, place);
  if (m->binary)
    bf_diag_add(m->diags, BF_ERROR, code, bf_msh_where(m, m->p), "%s (at %s)", text, place);
  else
    bf_diag_add(m->diags, BF_ERROR, code, bf_msh_where(m, m->p), "%s", text);
  return BF_FAIL(BF_E_MODEL, "%s, %s: %s", m->path, place, text);
}

static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static void skip_blanks(bf_msh *m)
{
  while (m->p < m->end && is_blank(*m->p)) m->p++;
}

void bf_msh_skip_space(bf_msh *m)
{
  while (m->p < m->end && (is_blank(*m->p) || *m->p == '\n')) m->p++;
}

/* A number ends at white space or the end of the file. */
static int ends_here(const bf_msh *m, const char *s)
{
  return bf_decimal_ends(s, m->end);
}

int bf_msh_int(bf_msh *m, int64_t *v)
{
  skip_blanks(m);
  const char *s = bf_decimal_int(m->p, m->end, v);
  if (!s || !ends_here(m, s)) return 0;
  m->p = s;
  return 1;
}

int bf_msh_real(bf_msh *m, double *v)
{
  skip_blanks(m);
  const char *s = bf_decimal_real(m->p, m->end, v);
  if (!s || !ends_here(m, s)) s = bf_decimal_word(m->p, m->end, v);
  if (!s) return 0;
  m->p = s;
  return 1;
}

int bf_msh_line_end(bf_msh *m)
{
  skip_blanks(m);
  if (m->p < m->end && *m->p != '\n') return 0;
  if (m->p < m->end) m->p++;
  return 1;
}

bf_err bf_msh_expected(bf_msh *m, int code, const char *what)
{
  int n = 0;
  if (m->p >= m->end && m->item)
    return bf_msh_fail(m, 201, "unexpected end of file, %s %lld of %lld: expected %s", m->item,
                       (long long)m->item_k, (long long)m->item_n, what);
  if (m->p >= m->end) return bf_msh_fail(m, 201, "unexpected end of file, expected %s", what);
  while (n < 30 && !ends_here(m, m->p + n) && m->p[n] >= ' ') n++;
  if (n == 0) return bf_msh_fail(m, code, "expected %s, found the end of the line", what);
  return bf_msh_fail(m, code, "expected %s, found '%.*s'", what, n, m->p);
}

bf_err bf_msh_row(bf_msh *m, const char *item, int64_t k, int64_t n)
{
  bf_msh_skip_space(m);
  m->item   = item;
  m->item_k = k;
  m->item_n = n;
  if (m->p >= m->end)
    return bf_msh_fail(m, 201, "unexpected end of file, %s %lld of %lld", item, (long long)k, (long long)n);
  if (*m->p != '$') return BF_OK;
  int len = 0;
  while (len < 30 && !ends_here(m, m->p + len)) len++;
  return bf_msh_fail(m, 213, "expected %lld %ss, found %.*s after %lld", (long long)n, item, len, m->p,
                     (long long)(k - 1));
}

bf_err bf_msh_section_end(bf_msh *m, const char *name, const char *item, int64_t n)
{
  char what[80];
  m->item = NULL;
  bf_msh_skip_space(m);
  const size_t len = strlen(name), rest = (size_t)(m->end - m->p);
  if (n >= 0)
    snprintf(what, sizeof what, "$End%s after %lld %s", name, (long long)n, item);
  else
    snprintf(what, sizeof what, "$End%s", name);
  if (rest < len + 4 || memcmp(m->p, "$End", 4) != 0 || memcmp(m->p + 4, name, len) != 0 ||
      !ends_here(m, m->p + 4 + len))
    return bf_msh_expected(m, 213, what);
  m->p += 4 + len;
  return BF_OK;
}

bf_err bf_msh_need_bytes(bf_msh *m, const char *item, int64_t k, int64_t of, int64_t bytes)
{
  if (m->end - m->p >= bytes) return BF_OK;
  return bf_msh_fail(m, 201, "unexpected end of file, %s %lld of %lld", item, (long long)k, (long long)of);
}

/* `bytes` of a binary file into v. */
static bf_err get_bytes(bf_msh *m, const char *what, void *v, size_t bytes)
{
  if ((size_t)(m->end - m->p) < bytes)
    return bf_msh_fail(m, 201, "unexpected end of file, expected %s", what);
  memcpy(v, m->p, bytes);
  m->p += bytes;
  return BF_OK;
}

bf_err bf_msh_get_int(bf_msh *m, const char *what, int *v)
{
  int64_t w;
  m->item = NULL;
  if (m->binary) return get_bytes(m, what, v, sizeof *v);
  bf_msh_skip_space(m);
  if (!bf_msh_int(m, &w) || w < -INT_MAX || w > INT_MAX) return bf_msh_expected(m, 213, what);
  *v = (int)w;
  return BF_OK;
}

bf_err bf_msh_get_size(bf_msh *m, const char *what, int64_t *v)
{
  m->item = NULL;
  if (m->binary) {
    uint64_t w = 0;
    BF_TRY(get_bytes(m, what, &w, sizeof w));
    *v = w > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)w;
    return BF_OK;
  }
  bf_msh_skip_space(m);
  if (!bf_msh_int(m, v)) {
    int digits = 0;
    while (m->p + digits < m->end && digits < 40 && is_digit(m->p[digits])) digits++;
    if (digits > 18) return bf_msh_fail(m, 213, "implausible %s: %.*s", what, digits, m->p);
    return bf_msh_expected(m, 213, what);
  }
  if (*v < 0) return bf_msh_fail(m, 213, "implausible %s: %lld", what, (long long)*v);
  return BF_OK;
}

bf_err bf_msh_get_real(bf_msh *m, const char *what, double *v)
{
  if (m->binary) return get_bytes(m, what, v, sizeof *v);
  bf_msh_skip_space(m);
  if (!bf_msh_real(m, v)) return bf_msh_expected(m, 213, what);
  return BF_OK;
}

/* A file truncated in its items has no section after them: counts the lines of items. */
static int64_t lines_to_the_end(const bf_msh *m)
{
  int64_t n = 0;
  if (memchr(m->p, '$', (size_t)(m->end - m->p))) return -1;
  for (const char *s = m->p; s < m->end; s++) {
    const char *stop = memchr(s, '\n', (size_t)(m->end - s));
    if (!stop) return n; /* the last line is incomplete */
    n += stop > s && s > m->p;
    s = stop;
  }
  return n;
}

bf_err bf_msh_plausible(bf_msh *m, const char *items, int64_t n, int64_t ascii, int64_t binary)
{
  const int64_t rest = m->end - m->p, each = m->binary ? binary : ascii;
  while (!m->binary && m->p > m->data && (is_blank(m->p[-1]) || m->p[-1] == '\n')) m->p--; /* its line */
  const int64_t lines = m->binary || n <= rest / each + 1 || n > INT_MAX ? -1 : lines_to_the_end(m);
  if (lines >= 0) {
    m->p = m->end;
    if (m->version == 22) /* a line is an item */
      return bf_msh_fail(m, 201, "unexpected end of file, %.*s %lld of %lld", (int)strlen(items) - 1, items,
                         (long long)(lines + 1), (long long)n);
    return bf_msh_fail(m, 201, "unexpected end of file, %lld %s were announced, %lld lines follow",
                       (long long)n, items, (long long)lines);
  }
  if (n < 0 || n > rest / each + 1)
    return bf_msh_fail(m, 213,
                       "implausible number of %s: %lld, but %lld bytes are left in the file (is it cut off?)",
                       items, (long long)n, (long long)rest);
  if (n > INT_MAX) return bf_msh_fail(m, 213, "%lld %s: at most %d", (long long)n, items, INT_MAX);
  return BF_OK;
}

void bf_msh_check_range(bf_msh *m, const char *at, const char *item, const int64_t given[2], int64_t low,
                        int64_t high)
{
  while (!m->binary && at < m->end && (is_blank(*at) || *at == '\n')) at++;
  if (given[0] == low && given[1] == high) return;
  bf_diag_add(m->diags, BF_WARNING, 220, bf_msh_where(m, at),
              "the header gives %s tags from %lld to %lld, the tags of the file go from %lld to %lld; the "
              "range of the header is ignored",
              item, (long long)given[0], (long long)given[1], (long long)low, (long long)high);
}
