/* solvers/eigen/pencil.h - inside solvers/: K x = lambda M x on a backend, its operations for all methods,
 * and the small projected dense problems
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_EIGEN_PENCIL_H
#define BF_SOLVERS_EIGEN_PENCIL_H
#include "kernels/multivector.h"
#include "solvers/eigen.h"

typedef struct bf_pencil {
  const bf_matrix *K, *M; /* borrowed */
  bf_backend      *be;    /* borrowed: theirs */
  bf_int           n, guard;
  bf_int           massive;  /* rows that have mass */
  uint8_t         *has;      /* owned [n], host: 1 = has mass */
  double           k, m;     /* largest diagonals of K and M on these rows */
  double           typical;  /* sum of K's over the sum of M's */
  int64_t          products; /* with K, so far */
} bf_pencil;

/* BF_E_ARG: matrices of different size, a negative diagonal of M, a diagonal of K that is not positive in a
 * row with mass, or values that are not finite. */
bf_err bf_pencil_create(const bf_matrix *K, const bf_matrix *M, bf_pencil *out);
void   bf_pencil_clear(bf_pencil *p);
bf_err bf_pencil_check(const bf_pencil *p, const bf_eigen_options *opt);

/* Y_j = A X_j for columns x0 .. x0+count-1 of X into those of Y from y0. */
bf_err bf_columns_product(const bf_matrix *A, const bf_columns *X, int x0, int count, const bf_columns *Y,
                          int y0);
/* Column j of X = the host's v[n], 0 on rows without mass; NULL: numbers in (-1, 1) that depend on the row
 * and `seed` alone. */
bf_err bf_pencil_start(const bf_pencil *p, const double *v, int seed, const bf_columns *X, int j);

/* ---- S^T K S c = w S^T M S c on the backend ---- */
typedef struct bf_ritz {
  bf_backend *be; /* borrowed */
  int         most;
  void       *A, *B, *w, *info, *work; /* backend, owned */
} bf_ritz;
bf_err bf_ritz_create(bf_backend *be, int most, bf_ritz *out);
void   bf_ritz_release(bf_ritz *r);
/* Of the first k columns; w[k] host, out, ascending; r->A[k][k] then contains the vectors, by columns, for
 * columns_combine.  *info: of bf_hegv_batch. */
bf_err bf_ritz_solve(bf_ritz *r, int k, const bf_columns *S, const bf_columns *KS, const bf_columns *MS,
                     double *w, bf_int *info);

/* ---- the result: X, its residuals and the report ---- */
/* value[pairs] and the first `pairs` columns of X; host: X's copy, out.  next: NaN where not known. */
bf_err bf_eigen_finish(bf_pencil *p, const bf_eigen_options *opt, const bf_columns *X, const double *value,
                       double next, double *host, bf_eigen_report *report);
bf_err bf_eigen_report_create(int pairs, bf_eigen_report *report);
/* Sets report->text from its other fields; how: the method, "LOBPCG of 14 vectors". */
void bf_eigen_explain(const bf_eigen_options *opt, const char *how, bf_eigen_report *report);

/* Residual at which a pair has converged, given ||M x||, ||x||. */
double bf_eigen_goal(const bf_pencil *p, double rtol, double value, double mx, double x);
#endif
