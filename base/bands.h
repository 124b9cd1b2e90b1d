/* base/bands.h - the diagonals of each segment of rows: the data a banded matrix takes from a numbering
 *
 * Rows 0 .. nrows-1 (rows of *nodes*; a node has D components) are cut into segments of consecutive rows;
 * each has its own ascending list of offsets j - i of the nonzeros.  A band is a run of consecutive offsets.
 * One segment with one run is the single band of bDIA as first published; one segment with several runs is
 * the usual case.
 * Source: Y. Wang, J. Ren, R. Tian, Efficient sparse matrix-vector multiplication and CG solver optimization
 * on GPU, Computer Science 40(3) (2013) 46-49 (the format bDIA, section 3.1); several bands and segments
 * extend it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_BANDS_H
#define BF_BANDS_H
#include "base/err.h"

typedef struct bf_bands {
  bf_int  nrows;
  bf_int  nseg;
  bf_int *row; /* owned [nseg + 1]: segment s has rows row[s] .. row[s+1]-1; all but the last cut at multiples
                  of 128 */
  int64_t *ptr; /* owned [nseg + 1] */
  bf_int
      *off; /* owned [ptr[nseg]]: offsets of segment s are off[ptr[s] .. ptr[s+1]), ascending, 0 among them */
} bf_bands;

bf_err bf_bands_create(bf_int nrows, bf_int nseg, int64_t noff, bf_bands **out);
void   bf_bands_destroy(bf_bands **b);
bf_err bf_bands_check(const bf_bands *b);

/* The same segments, each with all offsets from its least to its largest: the single band of the publication.
 */
bf_err bf_bands_single(const bf_bands *b, bf_bands **out);

/* One segment that lists every offset of any segment: classical diagonal storage. */
bf_err bf_bands_union(const bf_bands *b, bf_bands **out);

bf_int bf_bands_reach(const bf_bands *b); /* max |offset| */

/* Node diagonals stored: sum over segments of rows x offsets (half: offsets >= 0 only). */
int64_t bf_bands_slots(const bf_bands *b, int half);

/* 1 if segment s of b lists the offset; the segment of row i.  Cost: O(log). */
int    bf_bands_has(const bf_bands *b, bf_int s, bf_int off);
bf_int bf_bands_segment(const bf_bands *b, bf_int i);
#endif
