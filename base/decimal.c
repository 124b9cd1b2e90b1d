/* base/decimal.c - see decimal.h
 *
 * Let w be the first 19 digits and 10^e their unit.  In this order:
 *   w < 2^53, |e| <= 22: one operation of doubles is correctly rounded.
 *   |e| <= 27: w and 10^|e| are exact in the 64-bit significand of the x87 format, so q = w * 10^e or
 *     w / 10^-e is correctly rounded to 64 bits; rounding it again to 53 is correct unless q lies exactly on
 * a tie. further: 10^|e| = 10^r * 10^(27 k), the second factor rounded; with two more roundings q is off by
 * less than 3 units of its last place, so rounding to 53 bits is correct unless q lies that close to a tie.
 * Everything else, 0.4 % of the far ones and denormal results, goes to strtod.
 * Source: W. D. Clinger, How to read floating point numbers accurately, PLDI (1990) 92,
 * doi 10.1145/93542.93557 (the last two); D. Goldberg, What every computer scientist should know about
 * floating-point arithmetic, ACM Comput. Surv. 23 (1991) 5, doi 10.1145/103162.103163 (double rounding).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 100000 }; /* powers of ten that make every number 0 or too large */

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

const char *bf_decimal_int(const char *s, const char *end, int64_t *v)
{
  const int negative = s < end && *s == '-';
  int64_t   w        = 0;
  if (s < end && (*s == '-' || *s == '+')) s++;
  const char *digits = s;
  for (; s < end && is_digit(*s); s++) {
    if (w > (INT64_MAX - 9) / 10) return NULL;
    w = 10 * w + (*s - '0');
  }
  if (s == digits) return NULL;
  *v = negative ? -w : w;
  return s;
}

/* w * 10^e correctly rounded; returns 0 if this method cannot guarantee it. */
static int exact(uint64_t w, int e, double *v)
{
  static const double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (w <= (1ULL << 53) && e >= -22 && e <= 22) {
    *v = e < 0 ? (double)w / ten[-e] : (double)w * ten[e];
    return 1;
  }
#if LDBL_MANT_DIG == 64
  static const long double wide[27] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,
                                       1e9L,  1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L,
                                       1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L};
  static const long double far[13]  = {1e0L,   1e27L,  1e54L,  1e81L,  1e108L, 1e135L, 1e162L,
                                       1e189L, 1e216L, 1e243L, 1e270L, 1e297L, 1e324L};
  const int                k = (e < 0 ? -e : e) / 27, r = (e < 0 ? -e : e) % 27;
  if (k > 12) return 0;
  const long double q = e < 0 ? (long double)w / wide[r] / far[k] : (long double)w * wide[r] * far[k];
  uint64_t          significand;
  memcpy(&significand, &q, sizeof significand);
  const int past_tie = (int)(significand & 0x7ff) - 0x400;
  if (past_tie == 0 || (k > 0 && past_tie >= -4 && past_tie <= 4)) return 0;
  if (!(q > 2.2251e-308L && q < 1.797e308L)) return 0; /* normal doubles */
  *v = (double)q;
  return 1;
#else
  return 0;
#endif
}

/* A number between w and w + 1, times 10^e, truncated after its 19th digit: determined if both bounds round
 * to the same value. */
static int between(uint64_t w, int e, double *v)
{
  double above;
  return exact(w, e, v) && exact(w + 1, e, &above) && *v == above;
}

const char *bf_decimal_real(const char *s, const char *end, double *v)
{
  const int negative = s < end && *s == '-';
  uint64_t  w        = 0;
  int       digits = 0, e = 0, any = 0, power = 0, power_negative;
  if (s < end && (*s == '-' || *s == '+')) s++;
  for (; s < end && is_digit(*s) && digits < 19; s++, any = 1)
    if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
  const char *more = s;
  for (; s < end && is_digit(*s); s++) e += e < FAR;
  int cut = s > more;
  if (s < end && *s == '.') {
    for (s++; s < end && is_digit(*s) && digits<19; s++, e -= e> - FAR, any = 1)
      if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
    more = s;
    while (s < end && is_digit(*s)) s++;
    cut |= s > more;
  }
  if (any && s < end && (*s == 'e' || *s == 'E')) {
    s++;
    power_negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+')) s++;
    any = s < end && is_digit(*s);
    for (; s < end && is_digit(*s) && power < 10000; s++) power = 10 * power + (*s - '0');
    e += power_negative ? -power : power;
  }
  double value = 0.0;
  if (!any || (s < end && is_digit(*s)) || (w && !(cut ? between : exact)(w, e, &value))) return NULL;
  *v = negative ? -value : value;
  return s;
}

const char *bf_decimal_word(const char *s, const char *end, double *v)
{
  char   word[400], *stop;
  size_t n = 0;
  while (n < sizeof word && !bf_decimal_ends(s + n, end)) n++;
  if (n == 0 || n == sizeof word) return NULL;
  memcpy(word, s, n);
  word[n] = '\0';
  *v      = strtod(word, &stop);
  return stop == word + n ? s + n : NULL;
}
