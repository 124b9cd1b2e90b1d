/* assembly/setup/steps.h - inside assembly/: the steps of bf_setup_create */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_SETUP_STEPS_H
#define BF_ASSEMBLY_SETUP_STEPS_H
#include "assembly/model/internal.h"
#include "assembly/setup/setup.h"

/* New field, every value `fill`; *data borrowed from it. */
bf_err bf_setup_add(bf_setup *s, const char *name, const char *unit, int ncomp, int on_cells, int64_t count,
                    double fill, double **data);

/* The group of a name in a condition or a load, of dimension 0 .. hi, or NULL; no message. */
const bf_group *bf_setup_group(const bf_model *m, const bf_name *name, int hi);

/* take[nelem] = 1 for the elements of load l. */
void bf_setup_load_elements(const bf_model *m, int l, uint8_t *take);

bf_err bf_setup_values(const bf_model *m, bf_setup *s); /* values.c: at cells */
bf_err bf_setup_loads(const bf_model *m, bf_setup *s);  /* loads.c: nodal_load, total */
#endif
