/* outputs/convergence.h - a study of convergence as a table
 *
 * convergence.csv: one line per level and quantity, with the columns degree, level, h, elements, unknowns,
 * iterations, seconds, quantity, value, error, observed_order; empty where a number is not known.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_CONVERGENCE_H
#define BF_CONVERGENCE_H
#include "base/err.h"

typedef struct bf_convergence_row {
  int     degree, level; /* of the elements; from 1 */
  double  h;             /* (measure / elements)^(1/dim), length */
  int64_t elements, unknowns, iterations;
  double  seconds;
  double *value; /* owned [nquantities] */
  double *
      error; /* owned [nquantities]: the value of a norm of the error, else |value - limit|; NaN: not known */
  double *order; /* owned [nquantities]: observed; NaN: not known */
} bf_convergence_row;

typedef struct bf_convergence {
  int                 nquantities, nrows;
  const char        **quantity; /* borrowed */
  bf_convergence_row *row;
} bf_convergence;

/* BF_E_FILE names a file that could not be written. */
bf_err bf_write_convergence(const bf_convergence *c, const char *path);
#endif
