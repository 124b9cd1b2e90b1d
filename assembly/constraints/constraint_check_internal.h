/* assembly/constraints/constraint_check_internal.h - inside assembly/: data of a part, shared by the steps of
 * bf_rigid_check */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_INTERNAL_H
#define BF_ASSEMBLY_CONSTRAINTS_CONSTRAINT_CHECK_INTERNAL_H
#include "assembly/constraints/constraint_check.h"
#include "assembly/constraints/mechanism.h"
#include "assembly/model/internal.h"

typedef struct bf_part {
  double     lo[3], hi[3];
  bf_int     nelem, first; /* elements, and the lowest of them */
  int        level;        /* scalars: something fixes the temperature or concentration */
  bf_motions motion;
  /* supports that are only springs or convection (weak_supports.c) */
  int    nweak;      /* number of motions that prescribed values leave free; of scalars 1 */
  double weak[6][6]; /* these motions */
  double S[6][6];    /* energy of the springs, N/m: v.S v; of scalars S[0][0], W/K */
  int    by;         /* the condition with the stiffest point, -1 = none */
  double stiffest;
} bf_part;

/* ---- texts (constraint_check_text.c) ---- */
/* "the model", or "part 2 of 3 (120 elements, in group 'left')" */
void bf_rigid_part_name(const bf_model *m, const bf_part *p, bf_int k, bf_int nparts, char *text,
                        size_t size);
/* The line of the deck to which a message on missing supports refers. */
bf_where bf_rigid_where(const bf_model *m);
/* E301 for free motions of a whole part. */
int  bf_rigid_report_motions(const bf_model *m, const char *what, const bf_motions *M, bf_diags *diags);
void bf_rigid_report_mechanism(const bf_model *m, bf_mechanism *o, bf_severity severity, int code,
                               bf_diags *diags);

/* ---- weak supports (weak_supports.c) ---- */
/* The stiffness k at the points x of a set, with their integration weights, in direction c. */
void bf_weak_add(bf_part *p, int by, const double x[3], int c, double k, double weight);
/* E301 and W336 for constrained parts in which only springs (for a level: convection) that are too soft
 * resist some motion. Cost: if there are such parts a pass over nodes and elements. */
bf_err bf_weak_check(const bf_model *m, const bf_int *part, bf_int nparts, bf_part *p, bf_diags *diags);
#endif
