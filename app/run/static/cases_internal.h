/* app/run/static/cases_internal.h - data of load cases (private to cases.c and cases_recover.c) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_CASES_INTERNAL_H
#define BF_APP_RUN_STATIC_CASES_INTERNAL_H
#include "app/run/static/cases.h"

typedef struct bf_static_case {
  bf_problem   problem;
  bf_boundary *boundary; /* owned: conditions and loads of the problem */
  bf_load     *load;
  /* while the case is not selected; owned */
  bf_model       *model;
  double         *b, *x, *u;
  bf_solution     solution;
  bf_solve_report solve;
} bf_static_case;

struct bf_cases {
  int             n, nloaded, current;
  int            *loaded;        /* owned [nloaded]: cases without a sum */
  bf_static_case *item;          /* owned [n] */
  int             gathered;      /* 1: field has the data of the solutions' fields */
  int             nfields, nown; /* nown: those of a solution, before those of the envelope */
  bf_field       *field;         /* owned, with data */
  int             nnames;
  char          **name; /* owned: of envelope fields */
  int             nreactions;
  bf_reaction    *reaction;  /* owned: of all cases */
  bf_case_record *record;    /* owned [n] */
  double         *at;        /* owned [n]: 1, 2, ... */
  const char    **step_name; /* owned [n]; names are the deck's */
};

bf_model              *bf_static_case_model(const bf_job *job, int i);
const bf_solve_report *bf_static_case_solve(const bf_job *job, int i);
#endif
