/* solvers/linear/iteration_limit.h - inside solvers/: iteration limits from the size of the problem and from
 * Ritz values
 *
 * Every decision is a function of the unknowns and of the coefficients of the iteration, never of the clock.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_ITERATION_LIMIT_H
#define BF_SOLVERS_LINEAR_ITERATION_LIMIT_H
#include "solvers/linear/krylov_run.h"

/* First automatic limit: max(20000, 100 sqrt(n)). */
int bf_limit_first(bf_int n);

/* Iterations without progress that end a run as stagnation: 1000 + 4 sqrt(n). */
int bf_limit_patience(bf_int n);

/* CG with an automatic limit: when half of the allowed iterations of the chain of runs are done, the limit
 * grows to four times the estimate of bf_ritz_iterations from that half, if the smallest Ritz value of half
 * of these iterations is within 10 %; else it doubles.  At most max(first limit, 20 n).  *grown: the limit of
 * the state has to be set to run->host.limit.  Call with the last state read in run->host. */
bf_err bf_limit_grow(bf_run *run, int *grown);
#endif
