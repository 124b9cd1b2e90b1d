/* solvers/linear/backward_error.h - normwise backward error of an approximate solution in the diagonally
 * scaled norm
 *
 *     eta = ||R r|| / (||R A C|| ||C^-1 x|| + ||R b||),   r = b - A x,   all norms 2-norms
 *
 * eta is the size of the smallest relative change of the scaled A and b for which x is an exact solution.  By
 * default R = C = D, d_i = 1/sqrt|a_ii|.  If an a_ii is 0 or far smaller than the rest of its row, as in no
 * positive definite matrix, D is chosen so that every row of D A D has a 2-norm near 1.
 *
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), sec. 7.1 and 7.3,
 * doi:10.1137/1.9780898718027; Rigal and Gaches, J. ACM 14 (1967) 543, doi:10.1145/321406.321416.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_BACKWARD_ERROR_H
#define BF_SOLVERS_LINEAR_BACKWARD_ERROR_H
#include "solvers/solver.h"

typedef struct bf_accuracy {
  const bf_matrix *A;      /* borrowed, fp64 */
  double          *row;    /* backend, owned [n]: R */
  double          *column; /* backend, owned [n]: C^-1 */
  double          *t;      /* backend, owned [n], guard of A: scaled vectors */
  double          *sum;    /* backend, owned [1] */
  double           norm;   /* ||R A C||_2 or a lower bound */
} bf_accuracy;

/* R = C = D.  norm > 0: ||D A D||_2 with d_i = 1/sqrt|a_ii|, which the caller has, as the largest eigenvalue
 * of the matrix preconditioned by its diagonal.  norm 0: a lower bound by power iterations from a fixed
 * vector, so that eta is not underestimated.  Cost: norm > 0: none; norm 0: 13 products, or
 * up to 53 where a diagonal entry is 0 or far too small; 7 vectors, of which 3 are kept. */
bf_err bf_accuracy_create(const bf_matrix *A, double norm, bf_accuracy **out);

/* R and C from the caller: host arrays [n] of positive numbers. */
bf_err bf_accuracy_create_scaled(const bf_matrix *A, const double *row, const double *column,
                                 bf_accuracy **out);
void   bf_accuracy_destroy(bf_accuracy **acc);

/* *eta from b, x and r = b - A x in backend memory; 0 where r = 0, infinite where only r is not 0.  Cost: 6
 * passes over vectors. */
bf_err bf_accuracy_backward(const bf_accuracy *acc, const double *b, const double *x, const double *r,
                            double *eta);

/* 4u, u = 2^-53: the largest backward error of a solution that is converged to rounding. */
double bf_accuracy_limit(void);

/* (k + 1) u, k the longest row of A, or 4u: a bound of eta where r is nothing but the rounding of its own
 * evaluation.  Each r_i is a sum of k_i + 1 products, whose rounding error is at most lambda sqrt(k_i + 1) u
 * (|A| |x| + |b|)_i with probability 1 - 2 (k_i + 1) exp(-lambda^2 / 2) at least, lambda = 1 here, and || |R
 * A C| ||_2 <= sqrt(k) ||R A C||_2.  A solve that no correction improves has met what fp64 allows if eta is
 * below it.
 * Source: Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815, doi:10.1137/18M1226312. */
bf_err bf_accuracy_evaluation(const bf_matrix *A, double *limit);

/* Sets the report to "converged to rounding": reason, to_rounding, backward_error, condition (NaN: not
 * estimated), forward_error = condition * backward_error, and the sentence in report->text.  Uses
 * report->true_residual. */
void bf_accuracy_conclude(bf_solve_report *report, double backward_error, double condition);
#endif
