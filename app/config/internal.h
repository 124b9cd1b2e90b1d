/* app/config/internal.h - shared by the files that fill the configuration (private to app/config/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_CONFIG_INTERNAL_H
#define BF_CONFIG_INTERNAL_H
#include "app/config.h"

/* Zeroed array of count elements, freed by bf_run_config_clear. */
bf_err bf_config_array(bf_run_config *config, int count, size_t size, void **p);

/* The number of an item, or `otherwise` without the item. */
double bf_config_real(const bf_item *it, double otherwise);
int    bf_config_int(const bf_item *it, int otherwise);

/* The texts of a list, with and without their locations. */
bf_err bf_config_names(bf_run_config *config, const bf_item *list, int *n, const bf_name **name);
bf_err bf_config_texts(bf_run_config *config, const bf_item *list, int *n, const char *const **text);

bf_err bf_config_axes(const bf_item *root, bf_run_config *config); /* axes.c: before the problem */
/* The axes that `axes` of an entry names, or NULL; *where (unless NULL) of the name. */
const bf_axes *bf_config_axes_of(const bf_run_config *config, const bf_item *entry, bf_where *where);
bf_err         bf_config_problem(const bf_item *root, bf_run_config *config); /* problem.c */
bf_err         bf_config_cases(const bf_item *root, bf_run_config *config);   /* cases.c: load cases */
bf_err         bf_config_waves(const bf_item *root, bf_run_config *config); /* waves.c: analysis dispersion */
bf_err         bf_config_output(const bf_item *root, bf_run_config *config); /* output.c: output and checks */
void bf_config_solvers(const bf_item *root, bf_run_config *config); /* solvers.c: matrix and solvers */
#endif
