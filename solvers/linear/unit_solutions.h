/* solvers/linear/unit_solutions.h - F = C^T A^-1 C, the columns of C unit vectors: entries of the inverse of
 * a symmetric matrix, as the flexibility (influence) matrix of chosen unknowns
 *
 * Three routes to the same matrix:
 *   INVERSE   the dense inverse of the rows that are coupled to others (linear/inverse.h), entries taken out
 *   FACTORS   one band factorisation (direct.c), a solution and refinements per column; on the CPU backend
 *   ITERATIONS  bf_solve per column
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SOLVERS_LINEAR_UNIT_SOLUTIONS_H
#define BF_SOLVERS_LINEAR_UNIT_SOLUTIONS_H
#include "solvers/solver.h"

typedef enum { BF_UNIT_INVERSE, BF_UNIT_FACTORS, BF_UNIT_ITERATIONS } bf_unit_route;

/* INVERSE up to this order of the coupled rows: n^3 flops and 32 n^2 bytes, at most 134 MB. */
enum { BF_UNIT_DENSE = 2048 };

typedef struct bf_unit_report {
  bf_unit_route    route;
  bf_int           order;      /* INVERSE: of the dense matrix */
  bf_krylov_status reason;     /* CONVERGED, or why a column failed */
  bf_int           column;     /* the column that failed, from 0; -1: none, or all at once */
  char             text[600];  /* the reason in words, where it failed */
  int64_t          iterations; /* of all columns */
  double           residual; /* largest ||e - A x|| of a column; INVERSE: of inverse.residual, in its units */
  double           asymmetry; /* max |F_ij - F_ji| / max |F_ij| before the mean is taken; INVERSE: 0 */
  bf_inverse_report inverse;  /* of INVERSE, else all 0 */
  double            seconds;
} bf_unit_report;

/* The route that fits: INVERSE for method INVERSE and up to BF_UNIT_DENSE rows, FACTORS for method DIRECT,
 * else ITERATIONS. */
bf_unit_route bf_unit_route_of(bf_method method, bf_int rows);
const char   *bf_unit_route_name(bf_unit_route route); /* "inverse", "factors", "iterations" */

/* Bytes of the host that the route takes beside F, for a matrix of `rows` rows. */
int64_t bf_unit_bytes(bf_unit_route route, bf_int rows, bf_int m);

/* F[m][m], host, symmetric to the bit: entry (i, j) is that of A^-1 at (row[i], row[j]), m different rows.
 * A: fp64, symmetric; A_fast and opt as for bf_solve (INVERSE: A_fast is not used).  A column that does not
 * converge is no error: report->reason, F is undefined then.  BF_E_UNSUPPORTED: FACTORS on a device. */
bf_err bf_unit_solutions(const bf_matrix *A, const bf_matrix *A_fast, const bf_solve_options *opt,
                         bf_unit_route route, bf_int m, const bf_int *row, double *F, bf_unit_report *report);
#endif
