/* solvers/fp32.h - inside solvers/: iterations with fp32 values of the matrix, as long as they do no harm
 *
 * With fp32 values the residual of the recurrence deviates from b - A x by d, A the fp64 matrix.  While ||d|| is
 * far below the tolerance it changes nothing that is asked for.  A larger d has to be removed by further
 * iterations, often more than were saved: its components are new to the Krylov space.  So from
 * ||d|| > tol/100 on the fp64 values take over.  Decisions are made at fixed numbers of iterations.
 */
#ifndef BF_FP32_H
#define BF_FP32_H
#include "solvers/krylov_run.h"

/* Before the first run: ||d|| of a first step of steepest descent.  Leaves run->v[0], v[1] undefined.  Cost: two
 * products. */
bf_err bf_fp32_try(bf_run *run);

/* Between iterations of the first run: ||d||.  Uses run->v[1].  Cost: one fp64 product. */
bf_err bf_fp32_check(bf_run *run);

/* The iteration goes on with the fp64 values, if it has others. */
bf_err bf_fp32_leave(bf_run *run);
#endif
