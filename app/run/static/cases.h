/* app/run/static/cases.h - load cases of a static analysis: one matrix, several right-hand sides, sums,
 * envelope
 *
 * The job holds the data of one case at a time: model, b, x, u, solution, solve.  bf_static_case_select
 * exchanges them.  A case without `sum` is loaded: it is assembled and solved.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_CASES_H
#define BF_APP_RUN_STATIC_CASES_H
#include "app/job.h"

/* job->problem becomes that of the first loaded case; NULL cases where the deck has none. */
bf_err bf_static_cases_prepare(bf_job *job);
/* The models of the other cases; E338 where a case prescribes other unknowns. */
bf_err bf_static_cases_models(bf_job *job);
bf_err bf_static_cases_assemble(bf_job *job); /* A, and b and x of every loaded case */
/* u and solution of every case, fields of all of them and the envelope; fields_of: of the selected case */
bf_err bf_static_cases_recover(bf_job *job, bf_err (*fields_of)(bf_job *job));

int         bf_static_cases_count(const bf_job *job);  /* cases and sums; 1 without cases */
int         bf_static_cases_loaded(const bf_job *job); /* loaded cases */
void        bf_static_case_select(bf_job *job, int i); /* by the order of the deck; no effect without cases */
void        bf_static_case_select_loaded(bf_job *job, int i);
const char *bf_static_case_name(const bf_job *job);          /* of the selected one; NULL without cases */
const bf_problem *bf_static_case_problem(const bf_job *job); /* its conditions and loads */
int               bf_static_case_checks(const bf_job *job, int i, int check); /* 1: the check is for case i */
int               bf_static_case_converged(const bf_job *job, int i);
int               bf_static_case_failed(const bf_job *job, int i); /* a loaded one that was solved in vain */

/* Fields of all cases, by step, and of the envelope; their number */
int bf_static_cases_fields(const bf_job *job, const bf_field **field);
/* Envelope field of a name, or NULL */
const bf_field *bf_static_cases_envelope(const bf_job *job, const char *name);
/* Steps, reactions and records of all cases */
void bf_static_cases_result(const bf_job *job, bf_result_store *s, bf_result *r);
/* Bytes beside those of one case: on the backend per byte of a right-hand side and solution; host results */
int64_t bf_static_cases_more(const bf_job *job);    /* cases beyond the first */
void    bf_static_cases_summary(const bf_job *job); /* lines of bandfem check */
#endif
