/* base/decimal.h - decimal numbers in files of many: fast, and exact to the last bit
 *
 * Nothing is read at or behind `end`.  What may follow a number is the caller's affair.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DECIMAL_H
#define BF_DECIMAL_H
#include "base/err.h"

/* An integer [+-]digits at s: the character behind it, or NULL where there is none or it is too large for
 * *v. */
const char *bf_decimal_int(const char *s, const char *end, int64_t *v);

/* A number [+-]digits[.digits][e[+-]digits] at s, as strtod rounds it: the character behind it, or NULL where
 * there is none or this fast way cannot promise the last bit: then ask bf_decimal_word. */
const char *bf_decimal_real(const char *s, const char *end, double *v);

/* The word from s to a blank, a line end or `end`, by strtod: also nan, inf and hexadecimal; the character
 * behind it, or NULL where it is not a number as a whole or has 400 characters. */
const char *bf_decimal_word(const char *s, const char *end, double *v);

/* Does a word end at s: a blank, a line end, or the end of the text? */
static inline int bf_decimal_ends(const char *s, const char *end)
{
  return s == end || *s == ' ' || (*s >= '\t' && *s <= '\r');
}
#endif
