/* inputs/depends.h - tests whether the quantity of a check depends on the result */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DEPENDS_H
#define BF_DEPENDS_H
#include "inputs/quantity.h"

typedef struct bf_qdepends {
  int quantities; /* in the text, repetitions counted */
  int varies;     /* 0: the value of the text is constant */
} bf_qdepends;

/* Evaluates the text for BF_Q_TRIALS sets of values of its quantities: pseudo-random numbers of both signs
 * and sizes from 1e-9 to 1e9, equal for equal quantities.  It varies if two of its values differ by more than
 * their rounding errors.  A text that is not finite for most sets varies, too: a value that is not finite is
 * an error of the run (E111).  BF_E_ARG for what bf_quantity_check refuses. */
enum { BF_Q_TRIALS = 16 };
bf_err bf_quantity_depends(const char *text, bf_qdepends *out);
#endif
