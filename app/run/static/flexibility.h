/* app/run/static/flexibility.h - output.flexibility: the flexibility (influence) matrix of named groups
 *
 *     F = C^T K^-1 C,   K with its constraints, the columns of C unit loads of the free unknowns of the
 * groups
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_RUN_STATIC_FLEXIBILITY_H
#define BF_APP_RUN_STATIC_FLEXIBILITY_H
#include "app/analysis.h"
#include "assembly/model/unknowns.h"
#include "solvers/linear/unit_solutions.h"

struct bf_flexibility {
  bf_unknowns    unknowns;
  int            made, failed;       /* the matrix is there; a column did not converge */
  double        *F;                  /* owned [n][n] */
  int64_t       *tag;                /* owned [n]: node as the mesh numbers it */
  double        *place;              /* owned [n][3] */
  const char   **component, **group; /* owned [n], texts borrowed */
  char           unit[32];
  bf_unit_report report;
};

/* The unknowns, a line of the log, E401 where the matrix does not fit; E111 where no unknown is free. */
void bf_static_flexibility_targets(bf_job *job);
/* The matrix, once the system of the deck is solved; E509 where a column does not converge. */
bf_err bf_static_flexibility(bf_job *job);
/* Row and column from 1 are in the matrix. */
int bf_static_flexibility_has(const bf_job *job, int row, int column);
/* For the writers; NULL: there is no matrix. */
const bf_flexibility_record *bf_static_flexibility_record(const bf_job *job, bf_flexibility_record *store);
#endif
