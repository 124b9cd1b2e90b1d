/* app/precond/levels.h - output.levels: the nodes of the first coarse levels of multigrid as fields */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_PRECOND_LEVELS_H
#define BF_APP_PRECOND_LEVELS_H
#include "app/job.h"

/* After the solve, where the deck asks for levels: lines of the log, or W510 where there are none. */
void bf_job_levels_done(bf_job *job, bf_method method, bf_precond precond);
/* Adds the fields; r->view is set. */
bf_err bf_job_level_fields(const bf_job *job, bf_result_store *s, bf_result *r);
#endif
