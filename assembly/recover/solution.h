/* assembly/recover/solution.h - inside assembly/: adds fields to a bf_solution */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_RECOVER_SOLUTION_H
#define BF_ASSEMBLY_RECOVER_SOLUTION_H
#include "assembly/model.h"

enum { BF_RECOVER_FIELDS = 24 }; /* largest number of fields in a solution */

/* New zeroed field of count*ncomp values at the end of out->field; *data borrowed from it. */
bf_err bf_recover_add(bf_solution *out, const char *name, const char *unit, int ncomp, int on_cells,
                      bf_int count, double **data);

/* The same that changes by step: data[times][count*ncomp]. */
bf_err bf_recover_add_times(bf_solution *out, const char *name, const char *unit, int ncomp, int on_cells,
                            bf_int count, int times, double **data);
#endif
