/* base/decimal.c - see decimal.h
 *
 * Up to 19 digits w and a power of ten within 10^+-27 are both exact in the 64-bit significand of the x87
 * format, so q = w * 10^e or w / 10^-e is correctly rounded to 64 bits, and rounding it again to 53 is right
 * unless q lies exactly on a tie (D. Goldberg, "What every computer scientist should know about
 * floating-point arithmetic", on double rounding).  Where w fits in 53 bits and the power is within 10^+-22,
 * one operation of doubles is right at once.  Everything else goes to strtod.
 */
#include "base/decimal.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

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

/* w * 10^e correctly rounded, or 0 if this way cannot promise it. */
static int exact(uint64_t w, int e, double *v)
{
  static const double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (w <= (1ULL << 53) && e >= -22 && e <= 22) {
    *v = e < 0 ? (double)w / ten[-e] : (double)w * ten[e];
    return 1;
  }
#if LDBL_MANT_DIG == 64
  static const long double wide[28] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                       1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                       1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  if (e < -27 || e > 27) return 0;
  const long double q = e < 0 ? (long double)w / wide[-e] : (long double)w * wide[e];
  uint64_t          significand;
  memcpy(&significand, &q, sizeof significand);
  if ((significand & 0x7ff) == 0x400) return 0;
  *v = (double)q;
  return 1;
#else
  return 0;
#endif
}

const char *bf_decimal_real(const char *s, const char *end, double *v)
{
  const int negative = s < end && *s == '-';
  uint64_t  w        = 0;
  int       digits = 0, e = 0, any = 0, power = 0, power_negative;
  if (s < end && (*s == '-' || *s == '+')) s++;
  for (; s < end && is_digit(*s) && digits < 20; s++, any = 1)
    if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
  if (s < end && *s == '.')
    for (s++; s < end && is_digit(*s) && digits < 20; s++, e--, any = 1)
      if (w || *s != '0') w = 10 * w + (uint64_t)(*s - '0'), digits++;
  if (any && s < end && (*s == 'e' || *s == 'E')) {
    s++;
    power_negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+')) s++;
    any = s < end && is_digit(*s);
    for (; s < end && is_digit(*s) && power < 10000; s++) power = 10 * power + (*s - '0');
    e += power_negative ? -power : power;
  }
  double value = 0.0;
  if (!any || digits > 19 || (s < end && is_digit(*s)) || (w && !exact(w, e, &value))) return NULL;
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
