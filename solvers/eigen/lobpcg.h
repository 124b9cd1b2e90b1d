/* solvers/eigen/lobpcg.h - inside solvers/: the block S = [X P W] of LOBPCG with its products
 *
 * X: the b Ritz vectors.  P: the previous directions of the active ones. W: their preconditioned residuals.
 * All columns are M-orthonormal to rounding; K S and M S are stored too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_LOBPCG_H
#define BF_SOLVERS_EIGEN_LOBPCG_H
#include "solvers/eigen/lobpcg_precond.h"

typedef struct bf_lobpcg_work {
  bf_pencil              *p;         /* borrowed */
  const bf_eigen_options *opt;       /* borrowed */
  const bf_operation     *precond;   /* borrowed; NULL: the diagonal */
  int                     b, np, nw; /* columns of X, P, W */
  bf_columns              S, KS, MS; /* owned: [3 b] */
  bf_columns              T;         /* owned: [2 b] */
  bf_ritz                 R;         /* owned: order 3 b */
  double                 *dinv;      /* owned, backend: 1/diagonal, where there is no preconditioner */
  void                   *small;     /* owned, backend: [3 b][3 b] */
  double                 *G, *C;     /* owned, host: [3 b][3 b] */
  double                 *value;     /* owned, host [3 b]: Ritz values */
  double                 *before;    /* owned, host [b] */
  int                    *active;    /* owned [b]: columns of X with a column in W, ascending */
  int                     nactive;
} bf_lobpcg_work;

bf_err bf_lobpcg_create(bf_pencil *p, const bf_eigen_options *opt, const bf_operation *precond, int b,
                        bf_lobpcg_work *out);
void   bf_lobpcg_release(bf_lobpcg_work *w);

/* Start: X from the given vectors and random ones, M-orthonormal. */
bf_err bf_lobpcg_start(bf_lobpcg_work *w);
/* Recomputes K X and M X from X. */
bf_err bf_lobpcg_refresh(bf_lobpcg_work *w);
/* W from the residuals of the active columns, orthonormal to X and P; nw = 0: all are dependent. */
bf_err bf_lobpcg_search(bf_lobpcg_work *w);
/* Ritz pairs of S: new X, P and value; without P if S is nearly dependent. *info: not 0 if that fails too. */
bf_err bf_lobpcg_project(bf_lobpcg_work *w, bf_int *info);
/* Columns first .. first+count-1 of S, K S, M S times C[count][kept] of the host. */
bf_err bf_lobpcg_turn(bf_lobpcg_work *w, int first, int count, int kept, const double *C);
#endif
