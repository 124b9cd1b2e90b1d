/* tests/reference/dense.h - dense matrices as the slow, obvious oracle of banded and sparse ones
 *
 * A table has[s][off] gives the node diagonals of each run of rows; from it come the bands of
 * a matrix and a dense matrix a[n*D][n*D] (row-major) that is nonzero in exactly those places.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef T_DENSE_H
#define T_DENSE_H
#include "kernels/matrix/matrix.h"
#include "tests/test.h"

typedef struct t_table {
  bf_int         n, nseg;
  bf_int        *row; /* [nseg + 1] */
  unsigned char *has; /* [nseg][2n - 1]: has[s*(2n-1) + n-1 + off] */
} t_table;

typedef enum { T_ONE_BAND, T_THREE_BANDS, T_RANDOM_SEGMENTS, T_TABLE_KINDS } t_table_kind;

t_table  *t_table_new(bf_int n, bf_int nseg, const bf_int *row); /* diagonal only */
void      t_table_free(t_table *t);
bf_int    t_table_segment(const t_table *t, bf_int i);
int       t_table_has(const t_table *t, bf_int s, bf_int off);
void      t_table_put(t_table *t, bf_int s, bf_int off);
void      t_table_mirror(t_table *t); /* adds -k to the segment of row i+k for every row i that has k */
bf_bands *t_table_bands(const t_table *t);
t_table  *t_table_of_kind(t_table_kind kind, bf_int n, uint64_t *seed);
/* Table of the node pairs of elements conn[ne][nen], with a cut at every `slice` rows (0 = none). */
t_table *t_table_of_elements(bf_int n, bf_int ne, int nen, const bf_int *conn, bf_int slice);

/* Random values in (-1, 1) where the table has slots.  half: symmetric, from the offsets >= 0. */
double *t_dense_random(const t_table *t, int D, int half, uint64_t *seed);
void    t_dense_round(size_t n, double *a); /* to the nearest float */
/* y = A x, size = |A| |x|, in long double */
void t_dense_product(bf_int n, const double *a, const double *x, double *y, double *size);
int  t_dense_entries(bf_int n, const double *a, bf_int i); /* of row i that are not 0 */
/* Adds element matrices Ke[ne][nen*D][nen*D]. */
void t_dense_assemble(bf_int n, int D, bf_int ne, int nen, const bf_int *conn, const double *Ke, double *a);

/* Values of a matrix by the formulas of matrix/matrix.h, from the dense one. */
void t_matrix_put(const bf_matrix *A, const double *a);

/* w[n], ascending: the eigenvalues of a symmetric a[n][n], which is used up, by Jacobi's method. */
void t_symmetric_values(bf_int n, double *a, double *w);

double *t_random_vector(size_t n, uint64_t *seed);
/* Vector of the backend with guard zones, and back. */
double *t_vector(bf_backend *be, bf_int n, bf_int guard, const double *host);
#endif
