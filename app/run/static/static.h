/* app/run/static/static.h - parts of the static analysis (private to app/run/static/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_STATIC_H
#define BF_APP_RUN_STATIC_STATIC_H
#include "app/analysis.h"
#include "assembly/error_norm.h"

bf_err bf_static_condense(bf_job *job); /* condensation.c: condense: auto becomes off where it costs more */
/* choose_solver.c: the method that solver.method selects; auto: after the plan the final one */
bf_method bf_static_method(const bf_job *job);
int       bf_static_may_factor(const bf_job *job); /* 1: auto may become direct: the band is to be computed */
bf_err bf_static_choose_method(bf_job *job); /* plan.direct_chosen and a line of the log, with plan.direct */
bf_solve_options bf_static_options(const bf_job *job); /* solve.c: of the deck */
/* choose_solver.c: auto becomes jacobi, multigrid or a trial with jacobi; a line of the log says why */
bf_err bf_static_choose_preconditioner(const bf_job *job, bf_solve_options *opt);
bf_err bf_static_solve(bf_job *job); /* solve.c */
/* inverse.c, method inverse alone: E105 above the largest order; E401 where the inverse does not fit the
 * backend */
bf_err bf_static_inverse_order(bf_job *job);
bf_err bf_static_inverse_fits(bf_job *job);
bf_err bf_static_recover(bf_job *job); /* solve.c */
/* quantities.c: a field by its name; BF_E_INPUT with the list of the fields */
bf_err           bf_static_field(const bf_job *job, const char *name, const bf_field **out);
bf_error_request bf_static_norm(const bf_qref *ref); /* of an error norm, without its formulas */
bf_err           bf_static_quantity(const bf_job *job, const bf_qref *ref, double *value); /* quantities.c */
int              bf_static_unsolved(bf_job *job); /* unsolved.c: E501, E502 */
void             bf_static_result(const bf_job *job, bf_result_store *store, bf_result *r); /* result.c */
bf_err           bf_static_peaks(bf_job *job); /* peaks.c: largest values with place, material and notes */
void             bf_static_spectra_done(bf_job *job); /* element_spectra.c: W332 of hourglass modes */
#endif
