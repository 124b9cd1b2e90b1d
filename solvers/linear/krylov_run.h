/* solvers/linear/krylov_run.h - inside solvers/: one run of an iteration from a given residual, and the
 * reading of its state by the host
 *
 * bf_solve sets up a bf_run and calls bf_cg_run, bf_bicg_run or bf_bicgstab_run; all queue iterations and
 * read the state every few of them.  x and r are updated in place, r by the recurrence.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_KRYLOV_RUN_H
#define BF_SOLVERS_LINEAR_KRYLOV_RUN_H
#include "kernels/krylov/steps.h"
#include "solvers/linear/ritz_values.h"
#include "solvers/solver.h"

enum { BF_RUN_VECTORS = 7 };
enum { BF_LOOK_MAX = 1024 }; /* most iterations between two readings of the state by the host */

typedef struct bf_run {
  const bf_matrix        *exact;  /* borrowed: the fp64 matrix of the true residual */
  const bf_matrix        *A;      /* borrowed: the matrix of the iterations: exact, or with fp32 values */
  const double           *b;      /* borrowed, backend: right-hand side */
  double                  tol;    /* required norm of the true residual */
  bf_matrix              *At;     /* owned by bf_solve: its transpose for BiCG, or NULL: by index shift */
  const bf_solve_options *opt;    /* borrowed */
  bf_solve_report        *report; /* borrowed: history grows here */
  double                 *sum;    /* borrowed, backend: the solution, but for x where x is another vector */
  double                 *x, *r;  /* borrowed, backend: what this run adds to, and its residual */
  double                 *correction; /* owned by bf_solve, backend: x from the first correction on */
  const double           *dinv;       /* borrowed, backend, or NULL */
  const bf_operation     *precond;    /* borrowed, or NULL */
  int                     trial; /* auto: iterations with Jacobi until bf_precondition_switch; 0: decided */
  double           *v[BF_RUN_VECTORS]; /* owned by bf_solve: work vectors, as many as the method needs */
  bf_krylov_state  *state;             /* owned by bf_solve, backend */
  bf_krylov_sample *history;           /* owned by bf_solve, backend [BF_KRYLOV_SAMPLES]: of this run */
  bf_krylov_sample *samples;        /* owned by bf_solve, host [room]: from the start of this chain of runs */
  int               chain;          /* iterations of the previous runs whose direction is continued */
  int               room;           /* entries of samples and of the report's histories */
  int               limit;          /* iterations of the whole solve; an automatic limit can grow */
  int               judged;         /* limit of the chain at the last decision of bf_limit_grow */
  int               replaced;       /* CG: r was replaced by a true residual close to it, p is kept */
  int               rounded_values; /* the solve began with fp32 values */
  int               discard;        /* the run with fp32 values is discarded (fp32_matrix.h) */
  int               near;           /* the deviation of the last run shows the level of rounding */
  double            change;         /* ||x|| / ||sum|| of the last run, where they differ; else infinite */
  double            energy, gain;   /* CG: decrease of the energy by all runs, by the last */
  int               stalled;        /* the last correction gained less than a factor 2 */
  double            evaluation;     /* stalled: bf_accuracy_evaluation */
  bf_ritz_ends      ritz;           /* CG: of the longest run; 0 without one */
  double            start;          /* bf_seconds() at the start of the solve */
  bf_krylov_state   host;           /* the state read last */
} bf_run;

/* CG: the energy to which the decreases by the next run are compared: a restarted run has its own vector for
 * the correction, whose rounding errors are relative to the energy of the correction. */
double bf_run_energy(const bf_run *run);

/* Sets the state for a run that stops at ||r|| <= stop or when the solve has made run->limit iterations. */
bf_err bf_run_begin(bf_run *run, double stop);

/* Queues iterations through `steps` and reads the state every few of them until the status is not RUNNING;
 * adds to the report's history and calls the monitor.  An automatic limit grows by iteration_limit.h. The
 * times of reading depend on the clock, iterates and status do not.
 *
 * fp32 values are checked after 1, 2, 4, 8, ... iterations (fp32_matrix.h). */
bf_err bf_run_iterate(bf_run *run, bf_err (*steps)(bf_run *run, int count));

/* After the last run: passes the last iteration to the monitor, unless done. */
void bf_run_show_end(const bf_run *run);

/* An iteration has a multigrid cycle. */
int bf_run_costly(const bf_run *run);

/* Memory for `entries` samples and entries of the report's histories.  BF_E_MEMORY. */
bf_err bf_run_reserve(bf_run *run, int entries);

/* r is the start residual; on return run->host is the last state. */
bf_err bf_cg_run(bf_run *run, double stop);
bf_err bf_bicg_run(bf_run *run, double stop);
bf_err bf_bicgstab_run(bf_run *run, double stop);

/* solve.c: a separate vector for a correction of x, so that its rounding errors are relative to its size.
 */
bf_err bf_run_separate(bf_run *run);

/* solve.c: r = b - A x and its norm; x needs the guard of A; dot: backend, one number. */
bf_err bf_run_true_residual(const bf_matrix *A, const double *b, const double *x, double *r, double *dot,
                            double *norm);

/* bicg.c: the transpose where products with it need a copy, else NULL */
bf_err bf_bicg_transpose(const bf_matrix *A, bf_matrix **out);

/* stop_reason.c: report->text, if it has none */
void bf_solve_explain(bf_run *run);
#endif
