/* kernels/mirror.h - the inner loop of the product with half storage: tiles of a few nodes, all their planes
 * sorted by component (matrix.h), every value read once
 *
 *     y[i D + a]           += sum over k, b of v_kab[i] x[(i + off_k) D + b]
 *     y[(i + off_k) D + b] += sum over a of v_kab[i] x[i D + a]                       off_k > 0
 *
 * x and sums are fp64, values fp64 or fp32.  Order of the sums: tile by tile; in a tile groups of up to three
 * neighbouring diagonals, k first, then b, then a.  What a group gives to a mirrored row is summed over a,
 * then over the group, then added to y; what the tile's own rows get is summed over all k and added at its
 * end. Products are added unrounded where the processor can (fused), so AVX2 and AVX-512 give the same bits;
 * the plain loop rounds them.
 */
#ifndef BF_MIRROR_H
#define BF_MIRROR_H
#include "kernels/stream.h"

enum {
  BF_MIRROR_D    = 3,
  BF_MIRROR_PAST = 36 /* nodes from the first of a tile on that its sums may touch, at a target */
};

/* Where sums go: node r from the first on to y, if r + BF_MIRROR_PAST <= inside, else to `behind`, which is
 * the node `inside`.  A tile at r sets as many nodes from r + fresh on to 0, of those inside: so y comes into
 * the cache once, just ahead of its sums. */
typedef struct bf_mirror_rows {
  double *y, *behind;
  int64_t inside, fresh;
} bf_mirror_rows;

/* Whole tiles (bf_stream_tile), one after another from v on; off ascends from 0 or more; x, y of the first
 * node; x is read from there to tiles * tile + off[m-1] + 2. */
typedef void (*bf_mirror)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,
                          const bf_mirror_rows *to);

bf_mirror bf_cpu_mirror(bf_isa isa, int fp32, int D); /* D in 1 .. 3 */
#endif
