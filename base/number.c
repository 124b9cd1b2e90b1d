/* base/number.c - see number.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include <math.h>
#include <stdlib.h>

static int digit(char c)
{
  return c >= '0' && c <= '9';
}

size_t bf_number_length(const char *s, int *whole)
{
  size_t n = s[0] == '-' || s[0] == '+', digits = 0;
  *whole = 1;
  for (; digit(s[n]); n++) digits++;
  if (s[n] == '.') {
    *whole = 0;
    for (n++; digit(s[n]); n++) digits++;
  }
  if (digits == 0) return 0;
  if (s[n] == 'e' || s[n] == 'E') {
    const size_t m = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
    if (!digit(s[m])) return n;
    *whole = 0;
    for (n = m; digit(s[n]); n++) {}
  }
  return n;
}

int bf_text_number(const char *text, double *value)
{
  int          whole;
  const size_t n = bf_number_length(text, &whole);
  if (n == 0 || text[n]) return 1;
  *value = strtod(text, NULL);
  return isfinite(*value) ? 0 : 2;
}
