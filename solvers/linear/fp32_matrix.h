/* solvers/linear/fp32_matrix.h - inside solvers/: iterations with fp32 values of the matrix, as long as their
 * error is small
 *
 * With fp32 values the residual of the recurrence deviates from b - A x by d, A the fp64 matrix.  While ||d||
 * is below the tolerance it does not affect the result. A larger d must be removed by a second run, which for
 * elasticity costs as many iterations as the first.  So the first run is checked after 0, 1, 2, 4, 8, ...
 * iterations; at ||d|| > tol/10 it is discarded and fp64 values solve from the start vector.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_FP32_MATRIX_H
#define BF_SOLVERS_LINEAR_FP32_MATRIX_H
#include "solvers/linear/krylov_run.h"

/* Before the first run.  Estimates ||d|| of a first step of steepest descent; discards fp32 values or gives
 * the run its own vector beside the start vector.  Uses run->v[0], v[1].  Cost: two products. */
bf_err bf_fp32_try(bf_run *run);

/* Between iterations of the first run: *discard = 1 if ||d|| is too large.  Uses run->v[1].  Cost: one
 * product with fp64 values. */
bf_err bf_fp32_check(bf_run *run, int *discard);

/* The fp64 values are used from here on. */
bf_err bf_fp32_leave(bf_run *run);
#endif
