/* base/expression.h - a formula in x, y, z, or a table, evaluated at many points
 *
 * Operators + - * / ^ ( ) comparisons ?: and the functions sin cos tan asin acos atan atan2 sinh cosh tanh
 * exp ln log10 sqrt abs min max sign if; constants pi and e.  Implemented with muParser.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_EXPRESSION_H
#define BF_EXPRESSION_H
#include "base/err.h"
#include "base/table.h"

typedef struct bf_expression bf_expression; /* opaque; use from one thread at a time */

/* Compiles text. On a syntax error: BF_E_ARG, message in bf_err_message(), *column = position in text from 1.
 */
bf_err bf_expression_create(const char *text, int *column, bf_expression **out);
bf_err bf_expression_of_table(bf_table       *t,
                              bf_expression **out); /* t is borrowed; several expressions may share it */
void   bf_expression_destroy(bf_expression **e);

/* f[i] = value at x[3*i .. 3*i+2], i < n.  A value that is not finite: BF_E_MODEL naming the point. */
bf_err bf_expression_eval(const bf_expression *e, int64_t n, const double *x, double *f);
#endif
