/* inputs/parameters.h - named numbers of a deck; private to inputs/ */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_PARAMETERS_H
#define BF_PARAMETERS_H
#include "inputs/tree.h"

/* Reads the section before the deck is checked; E103, E105. */
bf_err bf_parameters_read(bf_deck *d, bf_diags *diags);

typedef enum { BF_PARAMETERS_NUMBER, BF_PARAMETERS_FORMULA, BF_PARAMETERS_QUANTITY } bf_parameter_use;
/* Replaces the parameters in a value; without x, y, z it becomes a number (not of a quantity). */
bf_err bf_parameters_apply(bf_deck *d, bf_item *it, bf_parameter_use use);

void bf_parameters_check_use(const bf_deck *d, bf_diags *diags); /* W117 */
void bf_parameters_clear(bf_deck *d);
#endif
