/* solvers/eigen/sturm.h - inside solvers/: checks that a list of the lowest values is complete */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_STURM_H
#define BF_SOLVERS_EIGEN_STURM_H
#include "solvers/eigen/pencil.h"

/* Counts the values of (K, M) below a number between two of the values found, the last pair that is not a
 * cluster: report->counted, count_at, below; *missing: the number of lower ones that are not in the list.
 * value[pairs] ascending, next: the one after them or NaN.  counted stays 0 if there is no such number, or
 * the growth of the factors makes the count unreliable.  Cost: bf_factors_inertia. */
bf_err bf_sturm_count(const bf_pencil *p, const bf_sparse *K, const bf_sparse *M, const double *value,
                      double next, bf_eigen_report *report, int64_t *missing);
#endif
