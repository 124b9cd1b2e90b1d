/* app/run/early_numbering.h - numbers the nodes of a large mesh in a thread beside the checks of the model
 *
 * The numbering depends on the mesh and the order of the deck only; its result is that of
 * bf_numbering_create, for any number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_EARLY_NUMBERING_H
#define BF_APP_RUN_EARLY_NUMBERING_H
#include "app/job.h"

/* Begins for a large mesh without center nodes, if the host has more than one thread. */
void bf_job_early_begin(bf_job *job);
/* Waits for the numbering: 1 and *num, the caller's; 0 if none was begun or it failed. */
int bf_job_early_take(bf_job *job, bf_numbering **num);
/* Waits and frees. */
void bf_job_early_end(bf_job *job);
#endif
