/* app/run/static/advice.h - what may solve a system that a method has not solved, in words of the deck or of
 * the command line
 *
 * An advice never names what was in use, and never leads in a circle: from bicgstab to cg (symmetric) or
 * bicg, from bicg to cg (symmetric) or direct, from cg to direct.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_ADVICE_H
#define BF_APP_RUN_STATIC_ADVICE_H
#include "solvers/solver.h"

typedef struct bf_advice {
  const bf_solve_report *report; /* borrowed */
  bf_method              method; /* that was used */
  bf_precond             precond;
  int                    symmetric;   /* the matrix is, up to rounding */
  int                    limit_given; /* max_iterations is the user's */
  int                    options;     /* words of the command line: "--method direct" */
  bf_direct_cost         direct;      /* of factors; band < 0: not known */
  size_t                 available;   /* bytes of host memory; 0: not known */
} bf_advice;

/* Is there a reason to ask for bf_advice.direct?  It costs an ordering of the matrix. */
int bf_advice_wants_direct(const bf_solve_report *report, bf_method method);

/* "; try ..." with the methods in the order of their prospects, or an empty text. */
void bf_advice_text(const bf_advice *a, char *text, size_t size);
#endif
