/* app/run/warm_up.h - opens a device and loads its kernels in a thread while the host reads and numbers the
 * mesh
 *
 * Nothing depends on it: the job waits for it at its end only, and its errors are those of bf_job_backend.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_WARM_UP_H
#define BF_APP_RUN_WARM_UP_H
#include "app/job.h"

/* Begins, unless the deck wants the CPU or the program has no CUDA. */
void bf_job_warm_up_begin(bf_job *job);
/* The mesh is known: warms up the solver where the job is large and may use multigrid. */
void bf_job_warm_up_go(bf_job *job);
/* Waits for the end of the step in progress. */
void bf_job_warm_up_end(bf_job *job);
#endif
