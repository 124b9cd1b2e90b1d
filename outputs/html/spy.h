/* outputs/html/spy.h - a picture of the couplings of the nodes before and after numbering (private)
 *
 * A pixel is a block of rows and columns: the more couplings fall into it, the darker it is (logarithmic).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HTML_SPY_H
#define BF_HTML_SPY_H
#include "base/err.h"

enum { BF_SPY_SIDE = 320 }; /* most pixels of a side */

typedef struct bf_spy {
  int64_t   rows[2];  /* in the order of the file; of the solver */
  uint32_t *count[2]; /* owned [side][side] */
  int       side[2];
  int       every; /* 1: all elements were counted; else every so many */
} bf_spy;

bf_err bf_spy_create(int64_t rows_before, int64_t rows_after, bf_spy **out);
void   bf_spy_destroy(bf_spy **spy);
/* One coupling, in picture 0 (before) or 1 (after) */
void bf_spy_add(bf_spy *spy, int picture, int64_t row, int64_t column);
/* Both pictures beside each other: *png is the caller's. */
bf_err bf_spy_png(const bf_spy *spy, uint8_t **png, size_t *bytes);
#endif
