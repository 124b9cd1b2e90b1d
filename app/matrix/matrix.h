/* app/matrix/matrix.h - bandfem matrix: the matrix of a deck as files, pictures and spectrum */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_MATRIX_MATRIX_H
#define BF_APP_MATRIX_MATRIX_H
#include "app/analysis.h"

typedef enum { BF_STAGE_ELEMENT, BF_STAGE_ASSEMBLED, BF_STAGE_CONSTRAINED } bf_stage;

typedef struct bf_export {
  bf_stage    stage;
  int         chosen;                              /* rows: 1 as the solver numbers them, 0 by the file */
  const char *matrix, *rhs, *mass, *gather, *rows; /* files; NULL: not asked for */
  const char *spy, *diagonals;                     /* pictures */
  int         spectrum;
  bf_sparse  *S;      /* owned: the matrix of the solver, in its rows, phantom rows included */
  double     *b;      /* owned: right-hand side of the same rows */
  bf_int     *row_of; /* owned [2][nkept]: rows of the solver in the order of the file, as the solver */
  bf_int      nkept;  /* unknowns */
} bf_export;

int bf_cmd_matrix(int argc, char **argv); /* exit status */

/* export.c: rows of the solver in both orders */
bf_err bf_export_rows(bf_export *x, const bf_job *job);
/* out(k, l) = S(row[k], row[l]) for the n rows listed, without zeros off the diagonal */
bf_err bf_export_select(const bf_sparse *S, bf_int n, const bf_int *row, bf_sparse **out);
bf_err bf_export_files(const bf_export *x, bf_job *job);

/* picture.c: zeros and nonzeros of A in both orders, side by side; slots of the diagonals of the plan, stored
 * zeros too.  BF_E_MODEL where the plan has no diagonals. */
bf_err bf_export_spy(const char *path, const bf_sparse *file, const bf_sparse *chosen);
bf_err bf_export_diagonals(const char *path, const bf_job *job, const bf_sparse *S);
#endif
