/* kernels/matrix/bcsr.h - block compressed rows: one column number for a block of D x D values
 *
 * Node row i has the m = ptr[i+1] - ptr[i] blocks of the node columns j(ptr[i]), ..., ascending.  Columns are
 * in 32 bits, or in 16 bits from the first node of the row's block of BF_CSR16_ROWS nodes: j = rel + i - i %
 * BF_CSR16_ROWS.
 *
 * Full storage: the values of a node row are D rows of m*D, as in CSR: A(i*D + a, j(p)*D + b) is
 * val[ptr[i]*D*D + a*m*D + (p - ptr[i])*D + b], so neighbouring threads read neighbouring values and every
 * entry of x is used for D of them.
 *
 * Half storage (symmetric A): values of the blocks with j >= i alone, block after block, each row by row; the
 * diagonal block is stored in full, and BF_BCSR_PAD zeros follow the last one.  Row i begins with its l =
 * low[i+1] - low[i] blocks left of the diagonal; number from[low[i] + k] of the stored blocks is the
 * transposed of its k-th.  Block p right of them is the stored one number p - low[i+1].
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_BCSR_H
#define BF_KERNELS_MATRIX_BCSR_H
#include "kernels/matrix/matrix.h"

enum { BF_BCSR_PAD = 3 }; /* values read as vectors of four */

typedef struct bf_bcsr {
  bf_int   nrows; /* node rows = columns */
  int      ncomp; /* D */
  int      half;
  int64_t  nblocks, nlower; /* of all rows; of them left of the diagonal in half storage, else 0 */
  bf_prec  prec;
  int      paired; /* 1: (j, i) is stored wherever (i, j) is, which the product with the transpose needs */
  int64_t *ptr;    /* backend, owned [nrows + 1] */
  bf_int  *col;    /* backend, owned [nblocks]; NULL where there is rel */
  int16_t *rel;    /* backend, owned [nblocks]; NULL where there is col */
  int64_t *low;    /* backend, owned [nrows + 1], of half storage */
  bf_int  *from;   /* backend, owned [nlower], of half storage */
  void    *val;    /* backend, owned [(nblocks - nlower)*D*D], of half storage BF_BCSR_PAD more */
} bf_bcsr;

/* Node column of block p, which is in node row i. */
static inline BF_HD bf_int bf_bcsr_column(const bf_bcsr *A, bf_int i, int64_t p)
{
  return A->rel ? A->rel[p] + i - i % BF_CSR16_ROWS : A->col[p];
}

/* The first block of node row i that has values of its own. */
static inline BF_HD int64_t bf_bcsr_first(const bf_bcsr *A, bf_int i)
{
  return A->half ? A->ptr[i] + A->low[i + 1] - A->low[i] : A->ptr[i];
}

typedef struct bf_bcsr_block { /* value (a, b) is val[at + a*row + b*col] */
  int64_t at, row, col;
} bf_bcsr_block;

static inline BF_HD bf_bcsr_block bf_bcsr_block_of(const bf_bcsr *A, bf_int i, int64_t p)
{
  const int64_t D = A->ncomp, p0 = A->ptr[i];
  bf_bcsr_block B = {p0 * D * D + (p - p0) * D, (A->ptr[i + 1] - p0) * D, 1};
  if (A->half && p < bf_bcsr_first(A, i)) {
    B.at  = A->from[A->low[i] + p - p0] * D * D;
    B.row = 1;
    B.col = D;
  } else if (A->half) {
    B.at  = (p - A->low[i + 1]) * D * D;
    B.row = D;
  }
  return B;
}
#endif
