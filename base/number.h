/* base/number.h - numbers from texts; the whole text must be a number */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_NUMBER_H
#define BF_NUMBER_H
#include "base/err.h"

/* Characters of a YAML 1.2 core number at s (sign, digits, point, exponent), 0 if there is none; *whole: no
 * point and no exponent. */
size_t bf_number_length(const char *s, int *whole);

/* The whole text as a number: 0 read, 1 not a number, 2 too large. */
int bf_text_number(const char *text, double *value);
#endif
