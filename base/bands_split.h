/* base/bands_split.h - which entries of a pattern lie on full diagonals, and which are a remainder
 *
 * The split that moves the fewest bytes among {one table of offsets, segments with a table each} x {every
 * offset, the dense ones and a remainder}; a more complex one must save 2 %.  An offset is dense where its
 * slots cost less than its entries would in the remainder (at `value_bytes` + 8 each; half storage keeps two
 * of them for one slot): filled over a half of a slice of 128 rows, full storage in fp64.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BANDS_SPLIT_H
#define BF_BANDS_SPLIT_H
#include "base/bands.h"
#include "base/graph.h"

typedef struct bf_split_options {
  int ncomp;       /* a pair is a block of ncomp x ncomp values */
  int half;        /* bands of a symmetric matrix in half storage: offsets >= 0 alone are listed */
  int value_bytes; /* 8 or 4 */
  int remainder;   /* 0: every entry lies on a listed diagonal */
} bf_split_options;

/* The pairs of g (diagonal included or not) on the bands' diagonals and the others; rest has g's rows, most
 * of them empty, and with half both (i, j) and (j, i).  half needs a symmetric g.
 * Cost: a few passes over g; 4 bytes a pair of `rest`, 8 bytes a row and thread. */
bf_err bf_bands_split(const bf_graph *g, const bf_split_options *want, bf_bands **bands, bf_graph **rest);
#endif
