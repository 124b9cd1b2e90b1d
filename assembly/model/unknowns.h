/* assembly/model/unknowns.h - the free unknowns of named groups of a part */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_MODEL_UNKNOWNS_H
#define BF_ASSEMBLY_MODEL_UNKNOWNS_H
#include "assembly/model.h"

typedef struct bf_unknowns { /* groups in their order, in a group nodes ascending, of a node its components */
  bf_int  n;
  bf_int *node;       /* owned [n] */
  int    *component;  /* owned [n]: 0 x, 1 y, 2 z */
  int    *group;      /* owned [n]: of the list of names; of several groups the first */
  bf_int  prescribed; /* unknowns left out because their value is prescribed */
  bf_int  inner;      /* nodes left out because their unknowns are eliminated element by element */
} bf_unknowns;

/* Every unknown once.  E203, E309, W329 as for conditions, E107 for a model of generalised finite elements or
 * without symmetry; then BF_E_INPUT.  *out is cleared by bf_unknowns_clear. */
bf_err bf_model_unknowns(const bf_model *m, int ngroups, const bf_name *group, const char *what,
                         bf_diags *diags, bf_unknowns *out);
void   bf_unknowns_clear(bf_unknowns *u);
#endif
