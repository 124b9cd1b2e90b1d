/* app/run/modal/modal.h - parts of the modal analysis (private to app/run/modal/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_MODAL_MODAL_H
#define BF_APP_RUN_MODAL_MODAL_H
#include "app/analysis.h"

/* modal.c: methods that `auto` selects once the plan has the cost of the factors */
int              bf_modal_shift_invert(const bf_job *job);
bf_eigen_precond bf_modal_precond(const bf_job *job);   /* of LOBPCG */
const char      *bf_modal_mass_word(const bf_job *job); /* the word of the deck */
bf_err           bf_modal_mass(bf_job *job);            /* modes.c: the mass matrix */
bf_err           bf_modal_solve(bf_job *job); /* modes.c: modes, frequencies, effective masses; W320, W321 */
bf_err           bf_modal_recover(bf_job *job);
int              bf_modal_unsolved(bf_job *job); /* modes.c: E505 */
bf_err           bf_modal_quantity(const bf_job *job, const bf_qref *ref, double *value);
void             bf_modal_result(const bf_job *job, bf_result_store *store, bf_result *r);
#endif
