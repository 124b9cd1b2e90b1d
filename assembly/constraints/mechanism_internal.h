/* assembly/constraints/mechanism_internal.h - inside assembly/: the data of bf_mechanisms */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_MECHANISM_INTERNAL_H
#define BF_ASSEMBLY_CONSTRAINTS_MECHANISM_INTERNAL_H
#include "assembly/constraints/mechanism.h"
#include "assembly/constraints/nullspace.h"

typedef struct bf_frame { /* of a body */
  double centre[3], half[3], length;
  bf_int nelem, first, part; /* elements, the lowest of them, the part it lies in */
} bf_frame;

struct bf_mechanisms {
  const bf_model  *m;      /* borrowed */
  const bf_bodies *bodies; /* borrowed */
  bf_int           n;      /* bodies */
  int              d;      /* unknowns of a body: 6, in the plane 3 */
  const int       *axis;   /* [d]: which components of a motion they are */
  bf_frame        *frame;  /* owned [n] */
  bf_nullspace    *N;      /* owned; NULL = too many bodies */
  bf_int          *count;  /* owned [nparts]: null vectors by part; NULL before the solve */
};

void bf_mechanisms_frame(const bf_mechanisms *M, bf_int body, bf_motions *frame);
#endif
