/* solvers/eigen.h - the lowest vibrations: K x = lambda M x, two ways
 *
 *     K symmetric, positive semi-definite;  M symmetric, positive definite on the rows that have mass
 *
 * A row of M with a diagonal of 0 is zero and belongs to no vibration (a held unknown: K has its diagonal
 * there and nothing else); the vectors are 0 there.  Vectors come out with X^T M X = 1, values ascending; a
 * body that moves freely has its motions as values that are 0 to rounding.
 *
 * A pair has converged where
 *
 *     ||K x - lambda M x|| <= rtol |lambda| ||M x||      or      <= 100 u ||K|| ||x||,
 *
 * the second being as small as doubles allow: all there is for lambda = 0, and where a thin body's stiffest
 * motion is 1e8 times its softest or more.  ||K||, ||M|| are the largest diagonals, which they are at least.
 * Repeated runs give the same bits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_EIGEN_H
#define BF_EIGEN_H
#include "base/partition.h"
#include "kernels/krylov/steps.h"
#include "kernels/matrix/matrix.h"

typedef struct bf_eigen_progress {
  int    iteration, limit;
  int    converged, pairs;
  double residual; /* the largest of the wanted pairs, over |lambda| ||M x||; rtol where they converge */
  double seconds;
} bf_eigen_progress;

/* What helps LOBPCG: the diagonal of K, inverses of its blocks, or the factors of K (of K + s M with a small
 * s where nothing holds the body; made and applied on the CPU, wherever the vectors are).  The diagonal costs
 * nothing and leaves it as many steps as sqrt(lambda_max/lambda_k) tells; blocks of 200 take it to a third,
 * factors to ten or twenty. */
typedef enum { BF_EIGEN_JACOBI, BF_EIGEN_BLOCK_JACOBI, BF_EIGEN_DIRECT, BF_EIGEN_PRECONDS } bf_eigen_precond;
const char *bf_eigen_precond_name(bf_eigen_precond p); /* "jacobi", ... */

typedef struct bf_eigen_options {
  int                 pairs;          /* 1 .. rows that have mass */
  double              rtol;           /* > 0 */
  int                 max_iterations; /* lobpcg: steps; shift_invert: restarts */
  double              shift;          /* shift_invert: the values nearest to it; 0: the lowest.  lobpcg: 0 */
  int                 guard;          /* lobpcg: vectors beside the wanted ones; 0: a choice by pairs */
  bf_eigen_precond    help;           /* lobpcg */
  const bf_partition *parts;          /* of block_jacobi: the nodes */
  const bf_operation *precond;        /* lobpcg: another one, symmetric and positive definite, or NULL */
  const double       *near_null; /* host [nnear][rows]: motions that have no energy or nearly none; or NULL */
  int                 nnear;
  void (*monitor)(void *context, const bf_eigen_progress *p); /* may be NULL */
  void *context;
} bf_eigen_options;

typedef enum {
  BF_EIGEN_CONVERGED,
  BF_EIGEN_LIMIT,      /* of iterations */
  BF_EIGEN_STAGNATION, /* residuals above the tolerance that fall no more */
  BF_EIGEN_SINGULAR,   /* no factors: K - shift M is singular wherever it was tried */
  BF_EIGEN_NAN,
  BF_EIGEN_MISSED /* the pairs have converged, but a count finds others below them */
} bf_eigen_reason;

typedef struct bf_eigen_report {
  bf_eigen_reason reason;
  char            text[400]; /* in words, with what to try */
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
  int     cut;              /* the last and the next are one cluster: apart by 1e-5 of the last or less */
  double  shift;            /* shift_invert: of the factors in the end */
  int     counted;          /* shift_invert: 1 = factors at `count_at` say how many values lie below */
  double  count_at;
  int64_t below;   /* values below count_at, by the signs of the pivots */
  int64_t missing; /* of these, not among the pairs: where the reason is MISSED */
  double  seconds;
} bf_eigen_report;

/* LOBPCG: X[pairs][rows], host, out.  Works on the backend of K and M; block of pairs + guard vectors.  Cost
 * a step: a product with K, one with M and one with the preconditioner for every pair not converged, and
 * about 20 b^2 n flops for b vectors; memory for bf_lobpcg_vectors.  Not converging is no error:
 * report->reason. Source: A. Knyazev, SIAM J. Sci. Comput. 23 (2001) 517; U. Hetmaniuk and R. Lehoucq, J.
 * Comput. Phys. 218 (2006) 324 (bases that stay regular); J. Duersch et al., SIAM J. Sci. Comput. 40 (2018)
 * C655. */
bf_err bf_lobpcg(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                 bf_eigen_report *report);

/* Lanczos' method with (K - shift M)^-1 M by a band factorisation, thick restarts and full
 * orthogonalisation: for thin bodies, whose values LOBPCG finds slowly, and for values in the middle.  On the
 * CPU alone: BF_E_UNSUPPORTED elsewhere.  shift 0 where K is singular: a small negative one is chosen.  Cost:
 * a factorisation (bf_direct_forecast), about 3 pairs solutions with it, and memory for
 * bf_shift_invert_vectors. Source: R. Grimes, J. Lewis and H. Simon, SIAM J. Matrix Anal. Appl. 15 (1994)
 * 228; K. Wu and H. Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602. */
bf_err bf_shift_invert(const bf_matrix *K, const bf_matrix *M, const bf_eigen_options *opt, double *X,
                       bf_eigen_report *report);
/* The same with matrices of the host, nodes of ncomp rows. */
bf_err bf_shift_invert_sparse(const bf_sparse *K, const bf_sparse *M, int ncomp, const bf_eigen_options *opt,
                              double *X, bf_eigen_report *report);

/* Vectors of as many rows as the matrices that the methods hold at once, beside X. */
int64_t bf_lobpcg_vectors(int pairs, int guard);
int64_t bf_shift_invert_vectors(int pairs, int nnear);

void        bf_eigen_report_clear(bf_eigen_report *report);
const char *bf_eigen_reason_name(bf_eigen_reason reason); /* "converged", "iteration limit", ... */

/* How much of the motions R[nr][rows] is in the vectors X[nx][rows], host arrays, with X^T M X = 1:
 * part[nx][nr] = x_i^T M r_j, the participation factors, and whole[nr] = r_j^T M r_j.  Their squares are
 * effective masses (and moments of inertia), which add up to the whole over all vibrations.  Held unknowns
 * have no part in either.  Cost: nr products. */
bf_err bf_eigen_participation(const bf_matrix *M, int nr, const double *R, int nx, const double *X,
                              double *part, double *whole);
#endif
