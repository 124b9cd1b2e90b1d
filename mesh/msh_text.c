/* mesh/msh_text.c - numbers, lines and binary values of a .msh file
 *
 * Decimal numbers are read exactly: up to 19 digits w and a power of ten within 10^+-27 are both exact in the
 * 64-bit significand of the x87 format, so q = w * 10^e or w / 10^-e is correctly rounded to 64 bits, and
 * rounding it again to 53 is right unless q lies exactly on a tie (D. Goldberg, "What every computer
 * scientist should know about floating-point arithmetic", on double rounding).  Everything else goes to
 * strtod.
 */
#include "mesh/msh_internal.h"
#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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
  return s == m->end || is_blank(*s) || *s == '\n';
}

int bf_msh_int(bf_msh *m, int64_t *v)
{
  skip_blanks(m);
  const char *s        = m->p;
  const int   negative = s < m->end && *s == '-';
  int64_t     w        = 0;
  if (s < m->end && (*s == '-' || *s == '+')) s++;
  const char *digits = s;
  for (; s < m->end && is_digit(*s); s++) {
    if (w > (INT64_MAX - 9) / 10) return 0;
    w = 10 * w + (*s - '0');
  }
  if (s == digits || !ends_here(m, s)) return 0;
  *v   = negative ? -w : w;
  m->p = s;
  return 1;
}

/* w * 10^e correctly rounded, or 0 if this way cannot promise it. */
static int exact(uint64_t w, int e, double *v)
{
#if LDBL_MANT_DIG == 64
  static const long double ten[28] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                      1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                      1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  if (e < -27 || e > 27) return 0;
  const long double q = e < 0 ? (long double)w / ten[-e] : (long double)w * ten[e];
  uint64_t          significand;
  memcpy(&significand, &q, sizeof significand);
  if ((significand & 0x7ff) == 0x400) return 0;
  *v = (double)q;
  return 1;
#else
  static const double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (e < -22 || e > 22 || w > (1ULL << 53)) return 0;
  *v = e < 0 ? (double)w / ten[-e] : (double)w * ten[e];
  return 1;
#endif
}

/* The same by strtod, which wants a string: also nan and inf. */
static int by_strtod(bf_msh *m, double *v)
{
  char   word[400], *stop;
  size_t n = 0;
  while (n < sizeof word && !ends_here(m, m->p + n)) n++;
  if (n == 0 || n == sizeof word) return 0;
  memcpy(word, m->p, n);
  word[n] = '\0';
  *v      = strtod(word, &stop);
  if (stop != word + n) return 0;
  m->p += n;
  return 1;
}

int bf_msh_real(bf_msh *m, double *v)
{
  skip_blanks(m);
  const char *s        = m->p;
  const int   negative = s < m->end && *s == '-';
  uint64_t    w        = 0;
  int         digits = 0, e = 0, any = 0, power = 0, power_negative;
  if (s < m->end && (*s == '-' || *s == '+')) s++;
  for (; s < m->end && is_digit(*s) && digits < 20; s++, any = 1)
    if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
  if (s < m->end && *s == '.')
    for (s++; s < m->end && is_digit(*s) && digits < 20; s++, e--, any = 1)
      if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
  if (any && s < m->end && (*s == 'e' || *s == 'E')) {
    s++;
    power_negative = s < m->end && *s == '-';
    if (s < m->end && (*s == '-' || *s == '+')) s++;
    any = s < m->end && is_digit(*s);
    for (; s < m->end && is_digit(*s) && power < 10000; s++) power = 10 * power + (*s - '0');
    e += power_negative ? -power : power;
  }
  double value = 0.0;
  if (!any || digits > 19 || !ends_here(m, s) || (w && !exact(w, e, &value))) return by_strtod(m, v);
  *v   = negative ? -value : value;
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

/* A file cut off in its items has no section behind them: how many lines of items are there? */
static int64_t lines_to_the_end(const bf_msh *m)
{
  int64_t n = 0;
  if (memchr(m->p, '$', (size_t)(m->end - m->p))) return -1;
  for (const char *s = m->p; s < m->end; s++) {
    const char *stop = memchr(s, '\n', (size_t)(m->end - s));
    if (!stop) return n; /* the last line is not whole */
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
