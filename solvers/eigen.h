/* solvers/eigen.h - eigenvalues of K x = lambda M x near the lowest or a shift, two methods
 *
 *     K symmetric, positive semi-definite;  M symmetric, positive definite on the rows that have mass
 *
 * A row of M with a diagonal of 0 is zero and takes no part (a prescribed unknown: K has only its diagonal
 * there); the vectors are 0 there. Vectors have X^T M X = 1, values ascend; the rigid-body modes of a free
 * body are values that are 0 to rounding.
 *
 * A pair has converged where
 *
 *     ||K x - lambda M x|| <= rtol |lambda| ||M x||      or      <= 100 u ||K|| ||x||,
 *
 * the second is the rounding level of fp64: it applies to lambda = 0, and to thin bodies with ratios of
 * eigenvalues above 1e8. ||K||, ||M|| are replaced by the largest diagonals, lower bounds of them. Repeated
 * runs give the same bits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_EIGEN_H
#define BF_EIGEN_H
#include "base/partition/partition.h"
#include "kernels/krylov/steps.h"
#include "kernels/matrix/matrix.h"
#include "solvers/solver.h"

typedef struct bf_eigen_progress {
  int    iteration, limit;
  int    converged, pairs;
  double residual; /* the largest of the wanted pairs, over |lambda| ||M x||; rtol where they converge */
  double seconds;
} bf_eigen_progress;

/* Preconditioner of LOBPCG: the diagonal of K, inverses of its blocks, the factors of K (of K + s M with a
 * small s where nothing holds the body; made and applied on the CPU, wherever the vectors are), or a
 * multigrid cycle.  The diagonal costs nothing and leaves it as many steps as sqrt(lambda_max/lambda_k)
 * tells; blocks of 200 take it to a third, factors and multigrid to ten or twenty. */
typedef enum {
  BF_EIGEN_JACOBI,
  BF_EIGEN_BLOCK_JACOBI,
  BF_EIGEN_DIRECT,
  BF_EIGEN_MULTIGRID,
  BF_EIGEN_PRECONDS
} bf_eigen_precond;
const char *bf_eigen_precond_name(bf_eigen_precond p); /* "jacobi", ... */

typedef struct bf_eigen_options {
  int                      pairs;          /* 1 .. rows that have mass */
  double                   rtol;           /* > 0 */
  int                      max_iterations; /* lobpcg: steps; shift_invert: restarts */
  double                   shift; /* shift_invert: the values nearest to it; 0: the lowest.  lobpcg: 0 */
  int                      guard; /* lobpcg: vectors beside the wanted ones; 0: a choice by pairs */
  bf_eigen_precond         help;  /* lobpcg */
  const bf_partition      *parts; /* of block_jacobi: the nodes */
  bf_multigrid_options     multigrid;
  const bf_multigrid_body *body;    /* of multigrid, or NULL */
  const bf_operation      *precond; /* lobpcg: another one, symmetric and positive definite, or NULL */
  const double *near_null; /* host [nnear][rows]: motions that have no energy or nearly none; or NULL */
  int           nnear;
  void (*monitor)(void *context, const bf_eigen_progress *p); /* may be NULL */
  void *context;
} bf_eigen_options;

typedef enum {
  BF_EIGEN_CONVERGED,
  BF_EIGEN_LIMIT,      /* of iterations */
  BF_EIGEN_STAGNATION, /* residuals above the tolerance that no longer decrease */
  BF_EIGEN_SINGULAR,   /* no factors: K - shift M is singular wherever it was tried */
  BF_EIGEN_NAN,
  BF_EIGEN_MISSED /* the pairs have converged, but the inertia count shows others below them */
} bf_eigen_reason;

typedef struct bf_eigen_report {
  bf_eigen_reason reason;
  char            text[400]; /* in words, with remedies */
  int             pairs, converged;
  int             iterations;       /* lobpcg: steps; shift_invert: restarts */
  int64_t         products, solves; /* with K; shift_invert: with the factors */
  double         *value;            /* owned [pairs]: lambda, ascending */
  double         *residual; /* owned [pairs]: ||K x - lambda M x|| / ((||K|| + |lambda| ||M||) ||x||) */
  double         *relative; /* owned [pairs]: ||K x - lambda M x|| / (|lambda| ||M x||) */
  uint8_t        *ok;       /* owned [pairs]: has converged */
  double *orthogonality;    /* owned [pairs]: of mode j the largest |x_i^T M x_j - (1 or 0)| over all i */
  int     zeros;            /* values that are 0 to rounding: |lambda| <= 1e-13 sum K_ii / sum M_ii */
  double  next;             /* the value after the last (approximately), NaN where there is none */
  int     cut;   /* the last and the next are one cluster: they differ by 1e-5 of the last or less */
  double  shift; /* shift_invert: of the factors in the end */
  int counted; /* shift_invert: 1 = the inertia of the factors at `count_at` gives the number of values below
                */
  double  count_at;
  int64_t below;   /* values below count_at, by the signs of the pivots */
  int64_t missing; /* of these, not among the pairs: if the reason is MISSED */
  double  seconds;
} bf_eigen_report;

/* LOBPCG: X[pairs][rows], host, out.  Works on the backend of K and M; block of pairs + guard vectors. Cost
 * per step: a product with K, one with M and one with the preconditioner for every pair not converged, and
 * about 20 b^2 n flops for b vectors; memory for bf_lobpcg_vectors.  Not converging is no error:
 * report->reason. Source: A. V. Knyazev, Toward the optimal preconditioned eigensolver: LOBPCG, SIAM J. Sci.
 * Comput. 23 (2001) 517, doi 10.1137/S1064827500366124; U. Hetmaniuk, R. Lehoucq, Basis selection in LOBPCG,
 * J. Comput. Phys. 218 (2006) 324, doi 10.1016/j.jcp.2006.02.007; J. A. Duersch, M. Shao, C. Yang, M. Gu, A
 * robust and efficient implementation of LOBPCG, SIAM J. Sci. Comput. 40 (2018) C655, doi 10.1137/17M1129830.
 */
bf_err bf_lobpcg(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                 bf_eigen_report *report);

/* Lanczos' method with (K - shift M)^-1 M by a band factorisation, thick restarts and full
 * orthogonalisation: for thin bodies, where LOBPCG converges slowly, and for interior values. Only on the
 * CPU: BF_E_UNSUPPORTED elsewhere.  If shift is 0 and K is singular, a small negative shift is chosen.  Cost:
 * a factorisation (bf_direct_forecast), about 3 pairs solutions with it, and memory for
 * bf_shift_invert_vectors. Source: R. G. Grimes, J. G. Lewis, H. D. Simon, A shifted block Lanczos algorithm
 * for solving sparse symmetric generalized eigenproblems, SIAM J. Matrix Anal. Appl. 15 (1994) 228,
 * doi 10.1137/S0895479888151111; K. Wu, H. Simon, Thick-restart Lanczos method for large symmetric eigenvalue
 * problems, SIAM J. Matrix Anal. Appl. 22 (2000) 602, doi 10.1137/S0895479898334605. */
bf_err bf_shift_invert(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                       bf_eigen_report *report);
/* The same with matrices of the host, nodes of ncomp rows. */
bf_err bf_shift_invert_sparse(const bf_sparse *K, const bf_sparse *M, int ncomp, const bf_eigen_options *opt,
                              double *X, bf_eigen_report *report);

/* Number of vectors of the order of the matrices that the methods allocate beside X. */
int64_t bf_lobpcg_vectors(int pairs, int guard);
int64_t bf_shift_invert_vectors(int pairs, int nnear);

void        bf_eigen_report_clear(bf_eigen_report *report);
const char *bf_eigen_reason_name(bf_eigen_reason reason); /* "converged", "iteration limit", ... */

/* Participation of the motions R[nr][rows] in the vectors X[nx][rows], host arrays, with X^T M X = 1:
 * part[nx][nr] = x_i^T M r_j, the participation factors, and whole[nr] = r_j^T M r_j.  Their squares are
 * effective masses (and moments of inertia), whose sum over all modes is `whole`. Prescribed unknowns
 * contribute to neither. Cost: nr products. */
bf_err bf_eigen_participation(const bf_matrix *M, int nr, const double *R, int nx, const double *X,
                              double *part, double *whole);
#endif
