/* kernels/cpu/sparse/bdia_half_simd.h - the inner loop of the product with half storage: tiles of a few
 * nodes, all their planes sorted by component (matrix/matrix.h), every value read once
 *
 *     y[i D + a]           += sum over k, b of v_kab[i] x[(i + off_k) D + b]
 *     y[(i + off_k) D + b] += sum over a of v_kab[i] x[i D + a]                       off_k > 0
 *
 * x and sums are fp64, values fp64 or fp32. Sums for later rows are stored in a ring, which stays in L1
 * except for the rows between distant diagonals; y is written once, when its rows are complete. Order of
 * the sums: tile by tile; in a tile the main diagonal, the first off-diagonal, then groups of up to three
 * adjacent ones, k first, then b, then a. Contributions of a group to a mirrored row are summed over a,
 * then over the group, then added to the ring; those to the tile's own rows are summed over all k, with the
 * mirrored part of the first off-diagonal, and added at the end of the tile. Fused multiply-add is used if
 * available, so AVX2 and AVX-512 give the same bits; the scalar loop rounds products.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_SPARSE_BDIA_HALF_SIMD_H
#define BF_KERNELS_CPU_SPARSE_BDIA_HALF_SIMD_H
#include "kernels/cpu/sparse/bdia_full_simd.h"

enum {
  BF_HALF_TILES_D    = 3,
  BF_HALF_TILES_PAST = 36, /* nodes from the first of a tile on that its sums may access, per diagonal */
  BF_HALF_TILES_WRAP = 128 /* least number of nodes of a ring beyond the largest offset */
};

/* The sum of node r from the first on is at (at + r) mod size, or, near the end, up to PAST nodes after
 * it: those are added to the first ones when the position wraps around. size: a multiple of 32. */
typedef struct bf_ring {
  double *sum; /* [size + PAST][D] */
  int64_t size, at;
} bf_ring;

/* Complete tiles (bf_bdia_tile_nodes), consecutive from v on; off ascends from 0 or more; x, y of the first
 * node; x is read from there to tiles * tile + off[m-1] + 2. y of the tiles is set, their entries of the
 * ring are set to 0, and `at` advances. */
typedef void (*bf_bdia_half_tiles)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,
                                   double *y, bf_ring *ring);

bf_bdia_half_tiles bf_cpu_bdia_half_tiles(bf_isa isa, int fp32, int D); /* D in 1 .. 3 */
#endif
