/* app/run/sweep.h - runs of a deck for every value of its parameters (private to app/run/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_SWEEP_H
#define BF_APP_RUN_SWEEP_H
#include "app/job.h"

/* One run of the sweep: calls bf_sweep_take before it closes the job; returns the exit status. */
typedef int (*bf_run_one)(bf_job *job, void *sweep, int run);
void bf_sweep_take(void *context, int run, bf_job *job, double seconds);

/* of: the options of the command line; deck: with its lists; dir: output folder.  *exit: the last exit status
 * that is not 0. */
bf_err bf_sweep_run(const bf_job *of, const bf_deck *deck, const char *dir, bf_run_one one, int *exit);
#endif
