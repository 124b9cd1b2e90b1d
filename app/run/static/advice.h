/* app/run/static/advice.h - advice after a failed solve: other methods and preconditioners, as keys of the
 * deck or options
 *
 * The advice does not name the method in use and is acyclic: from bicgstab to cg (symmetric) or bicg, from
 * bicg to cg (symmetric) or direct, from cg to direct.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_ADVICE_H
#define BF_APP_RUN_STATIC_ADVICE_H
#include "solvers/solver.h"

typedef struct bf_advice {
  const bf_solve_report *report; /* borrowed */
  bf_method              method; /* that was used */
  bf_precond             precond;
  int                    symmetric;   /* 1: the matrix is symmetric up to rounding */
  int                    limit_given; /* 1: the user gave max_iterations */
  int                    options;     /* 1: as options, "--method direct" */
  bf_direct_cost         direct;      /* of factors; band < 0: not known */
  size_t                 available;   /* bytes of host memory; 0: not known */
} bf_advice;

/* 1: the advice uses bf_advice.direct, which costs an ordering of the matrix. */
int bf_advice_direct(const bf_solve_report *report, bf_method method);

/* "; try ..." with the most promising method first, or an empty text. */
void bf_advice_text(const bf_advice *a, char *text, size_t size);
#endif
