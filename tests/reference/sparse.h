/* tests/reference/sparse.h - sparse matrices for tests, and their product in long double */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef T_SPARSE_H
#define T_SPARSE_H
#include "kernels/matrix/host_csr.h"
#include "tests/test.h"

/* About `row` random values in (1, 2) in each row, every eleventh row and column empty; near > 0: at most so
 * far from the diagonal.  symmetric: the same both ways. */
bf_sparse *t_sparse_random(bf_int n, int row, int symmetric, bf_int near, uint64_t *seed);
/* Diagonals at the offsets off[noff] in rows begin .. end-1, each entry there with probability `fill`; random
 * signs; every offset has its opposite, and symmetric the same value there. */
bf_sparse *t_sparse_diagonals(bf_int n, int noff, const bf_int *off, double fill, int symmetric,
                              uint64_t *seed);
/* A full first row and column beside a diagonal. */
bf_sparse *t_sparse_arrow(bf_int n);
/* y[i] = sum A x, size[i] = sum |A||x|, row i's terms added one after another in long double.  prec 1: with
 * the values rounded to float. */
void t_sparse_product(const bf_sparse *S, int prec, const double *x, double *y, double *size);
/* BF_OK's own comparison: same pattern, same bits; rounded: B has A's values as floats. */
void t_sparse_same(const bf_sparse *A, const bf_sparse *B, int rounded);
#endif
