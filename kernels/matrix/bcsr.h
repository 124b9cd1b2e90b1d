/* kernels/matrix/bcsr.h - block compressed rows: one column number for a block of D x D values
 *
 * Node row i has the m = ptr[i+1] - ptr[i] blocks of the node columns j(ptr[i]), ..., ascending.  Its values
 * are D rows of m*D, as in CSR: A(i*D + a, j(p)*D + b) is val[ptr[i]*D*D + a*m*D + (p - ptr[i])*D + b], so
 * neighbouring threads read neighbouring values and every entry of x is used for D of them.  Columns are in
 * 32 bits, or in 16 bits from the first node of the row's block of BF_CSR16_ROWS nodes:
 * j = rel + i - i % BF_CSR16_ROWS.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_BCSR_H
#define BF_KERNELS_MATRIX_BCSR_H
#include "kernels/matrix/matrix.h"

typedef struct bf_bcsr {
  bf_int   nrows; /* node rows = columns */
  int      ncomp; /* D */
  int64_t  nblocks;
  bf_prec  prec;
  int      paired; /* 1: (j, i) is stored wherever (i, j) is, which the product with the transpose needs */
  int64_t *ptr;    /* backend, owned [nrows + 1] */
  bf_int  *col;    /* backend, owned [nblocks]; NULL where there is rel */
  int16_t *rel;    /* backend, owned [nblocks]; NULL where there is col */
  void    *val;    /* backend, owned [nblocks*D*D] */
} bf_bcsr;
#endif
