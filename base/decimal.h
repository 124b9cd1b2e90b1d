/* base/decimal.h - fast and correctly rounded reading of decimal numbers
 *
 * Nothing is read at or after `end`. The caller checks what follows a number.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DECIMAL_H
#define BF_DECIMAL_H
#include "base/err.h"

/* An integer [+-]digits at s: returns the position after it, or NULL if there is none or it is too large for
 * *v. */
const char *bf_decimal_int(const char *s, const char *end, int64_t *v);

/* A number [+-]digits[.digits][e[+-]digits] at s, rounded as by strtod: returns the position after it, or
 * NULL if there is none or this fast method cannot guarantee the last bit; then call bf_decimal_word. */
const char *bf_decimal_real(const char *s, const char *end, double *v);

/* The word from s to a blank, a line end or `end`, by strtod: also nan, inf and hexadecimal; returns the
 * position after it, or NULL if the whole word is not a number or has 400 characters. */
const char *bf_decimal_word(const char *s, const char *end, double *v);

/* 1 if a word ends at s: a blank, a line end, or the end of the text? */
static inline int bf_decimal_ends(const char *s, const char *end)
{
  return s == end || *s == ' ' || (*s >= '\t' && *s <= '\r');
}
#endif
