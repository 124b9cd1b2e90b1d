/* assembly/constraints/nullspace.h - null space of sparse equations between small blocks of unknowns
 *
 *     sum_k  row_k . x_k = 0,      x_k of d <= 6 components, each equation with one or two blocks
 *
 * Multifrontal QR factorisation: blocks are eliminated in the order of an upper bound of their degree; the
 * equations of a block and its neighbours are made upper triangular by Givens rotations, its own d columns
 * with column pivoting.  Columns whose pivot is not above the tolerance are free: one null vector each, in
 * which blocks that are eliminated later are 0.  Orthogonal transformations of the equations themselves (and
 * not of their normal equations) keep small singular values apart from rounding errors.
 * Source: J. W. H. Liu, The multifrontal method for sparse matrix solution, SIAM Review 34 (1992) 82,
 * doi 10.1137/1034004; A. George, M. T. Heath, Solution of sparse linear least squares problems using Givens
 * rotations, Linear Algebra Appl. 34 (1980) 69, doi 10.1016/0024-3795(80)90159-7.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_CONSTRAINTS_NULLSPACE_H
#define BF_ASSEMBLY_CONSTRAINTS_NULLSPACE_H
#include "base/err.h"

typedef struct bf_nullspace bf_nullspace; /* opaque */

/* n blocks of d components, no equations. */
bf_err bf_nullspace_create(bf_int n, int d, bf_nullspace **out);
void   bf_nullspace_destroy(bf_nullspace **at);

/* An equation of block i alone, row[d]. */
void bf_nullspace_hold(bf_nullspace *N, bf_int i, const double *row);
/* An equation of blocks i and j, row[2 d].  Equations of one pair must be consecutive. */
bf_err bf_nullspace_join(bf_nullspace *N, bf_int i, bf_int j, const double *row);

/* Eliminates all blocks. *complete = 0: abandoned, as it would take more than about `flops` operations or
 * `bytes` of memory; then there is no result. The equations are overwritten. */
bf_err bf_nullspace_solve(bf_nullspace *N, double tolerance, double flops, double bytes, int *complete);

/* After a complete elimination: number of null vectors; the block that vector k moves first; vector k,
 * x[n][d]. */
bf_int bf_nullspace_count(const bf_nullspace *N);
bf_int bf_nullspace_block(const bf_nullspace *N, bf_int k);
void   bf_nullspace_vector(const bf_nullspace *N, bf_int k, double *x);
#endif
