/* outputs/table.h - inside outputs/: lines of the tables at the end of a log */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_OUTPUTS_TABLE_H
#define BF_OUTPUTS_TABLE_H
#include "outputs/result.h"

typedef struct bf_printer {
  void (*line)(void *context, const char *text);
  void *context;
} bf_printer;

void bf_table_say(const bf_printer *p, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* "(1.5, 0, -2) N" or "1.5 K" */
const char *bf_table_vector(const double *v, int n, const char *unit, char out[160]);
/* Components at the level of rounding become 0. */
void bf_table_clean(const double *v, int n, double out[9]);
/* At most `most` modes, then the sum of the effective masses. */
void bf_table_modes(const bf_printer *p, const bf_modes_record *m, int most);
#endif
