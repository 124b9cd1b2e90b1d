/* base/expression_gradient.h - a formula in x, y, z with its exact gradient, by dual numbers
 *
 *     (f, f_x, f_y, f_z):  every operation applies its own rule of differentiation, as
 *     (a b)' = a' b + a b',  (sin a)' = a' cos a,  (a^b)' = a^b (b' ln a + b a'/a)
 *
 * Source: A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed. (2008), chapter 3,
 * doi:10.1137/1.9780898717761.  The language is that of expression.h.  Comparisons and sign have the
 * derivative 0; abs, min, max and conditions have that of the branch in use, also where two branches meet.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_EXPRESSION_GRADIENT_H
#define BF_EXPRESSION_GRADIENT_H
#include "base/err.h"

typedef struct bf_gradient bf_gradient; /* opaque; several threads may evaluate one */

/* Compiles the first n characters of text.  On a syntax error: BF_E_ARG, message in bf_err_message(),
 * *column = position in text from 1. */
bf_err      bf_gradient_create(const char *text, size_t n, int *column, bf_gradient **out);
void        bf_gradient_destroy(bf_gradient **g);
const char *bf_gradient_text(const bf_gradient *g);

/* v[4] = f, df/dx, df/dy, df/dz at x[3]; values that are not finite are the caller's to find. */
void bf_gradient_eval(const bf_gradient *g, const double x[3], double v[4]);
#endif
