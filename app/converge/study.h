/* app/converge/study.h - a study of convergence: its options, quantities and results (private to
 * app/converge/) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CONVERGE_STUDY_H
#define BF_APP_CONVERGE_STUDY_H
#include "app/analysis.h"
#include "outputs/convergence.h"

enum { BF_STUDY_QUANTITIES = 64, BF_STUDY_LEVELS = 10, BF_STUDY_DEGREES = 2 };

typedef struct bf_study {
  int         levels, all, ndegrees;
  int         degree[BF_STUDY_DEGREES]; /* of --order: mesh.order; none: the deck's */
  int         nwanted;
  const char *wanted[BF_STUDY_QUANTITIES]; /* of --quantity */

  char  *text[BF_STUDY_QUANTITIES];    /* owned: the quantities of the table */
  char  *label[BF_STUDY_QUANTITIES];   /* owned: with the load case */
  int    of_case[BF_STUDY_QUANTITIES]; /* number of the load case */
  int    is_error[BF_STUDY_QUANTITIES];
  double limit[BF_STUDY_QUANTITIES]; /* of the last degree: by extrapolation, else of the finest mesh */
  int    extrapolated[BF_STUDY_QUANTITIES];
  bf_convergence table;
} bf_study;

/* quantities.c: the quantities of the study, from the checks of an open job and --quantity; an error with a
 * message for the user in BF_E_INPUT */
bf_err bf_study_quantities(bf_study *s, bf_job *job);
/* Adds the row of a solved and recovered job. */
bf_err bf_study_add(bf_study *s, bf_job *job, int level, double seconds);
void   bf_study_clear(bf_study *s);

/* orders.c: errors and orders of the rows first .. nrows-1, which are one degree */
void bf_study_orders(bf_study *s, int first);
/* The order p of v_i = limit + c h_i^p through three values, and the limit; 0: there is none. */
int bf_study_extrapolate(const double h[3], const double v[3], double *order, double *limit);
/* table.c: these rows, a table per quantity */
void bf_study_print(const bf_study *s, int first, const char *elements, const bf_log *log);
#endif
