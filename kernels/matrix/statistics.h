/* kernels/matrix/statistics.h - statistics of a sparse matrix in one pass, and its rows in another order
 *
 * On the host; the matrix is square.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_STATISTICS_H
#define BF_KERNELS_MATRIX_STATISTICS_H
#include "base/bands.h"
#include "base/graph.h"
#include "kernels/matrix/host_csr.h"

typedef struct bf_statistics {
  int64_t unpaired; /* entries (i, j) that are listed where (j, i) is not */
  int64_t unequal;  /* pairs i > j, one of them listed, with a_ij != a_ji, not listed = 0 */
  double
      asymmetry; /* max |a_ij - a_ji| over them / largest magnitude in rows i and j; 0: exactly symmetric */
  int skew;      /* a_ij = -a_ji exactly, all diagonal entries zero, not the zero matrix */
  int64_t zeros; /* entries that are listed and zero */
  bf_int  shortest, longest;            /* entries in a row */
  bf_int  empty_rows, empty_cols;       /* without an entry that is not zero */
  bf_int  empty_row, empty_col;         /* the first of them, from 0; -1 = none */
  bf_int  missing, zero;                /* diagonal entries that are not listed; listed and zero */
  bf_int  hole;                         /* the first row without a diagonal entry that is not zero; -1 */
  bf_int  positive, negative;           /* diagonal entries */
  bf_int  dominant, strictly;           /* rows with |a_ii| >= sum of the others, and > */
  double  largest, least;               /* max |a|, min |a| of nonzeros */
  double  gershgorin_lo, gershgorin_hi; /* of a symmetric matrix: bounds of its eigenvalues */
} bf_statistics;

/* Looks at every entry and its mirror image: O(nnz log(entries of a row)), a byte a column of memory. */
bf_err bf_sparse_statistics(const bf_sparse *S, bf_statistics *out);

/* Exactly symmetric, as required by half storage */
static inline int bf_statistics_symmetric(const bf_statistics *v)
{
  return v->unequal == 0;
}

/* Symmetric but for rounding: enough for CG. */
static inline int bf_statistics_nearly_symmetric(const bf_statistics *v)
{
  return v->asymmetry <= 0x1p-40;
}

/* Adjacency of nodes of D rows each: u and v are neighbours where S or S^T has a nonzero in their block. */
bf_err bf_sparse_graph(const bf_sparse *S, int D, bf_graph **out);
/* Pairs of nodes with an entry, diagonal ones and entries of value 0 included; mirror: also (j, i) of every
 * (i, j). */
bf_err bf_sparse_node_pattern(const bf_sparse *S, int D, int mirror, bf_graph **out);

/* P(k, l) = S(order[k], order[l]): order[k] is the row of S that becomes row k. */
bf_err bf_sparse_permute(const bf_sparse *S, const bf_int *order, bf_sparse **out);

/* The diagonals that have an entry, and the main one, in one segment. */
bf_err bf_sparse_bands(const bf_sparse *S, bf_bands **out);
#endif
