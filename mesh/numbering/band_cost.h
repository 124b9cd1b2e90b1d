/* mesh/numbering/band_cost.h - inside mesh/numbering/: diagonals of an order and the bytes they take */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MESH_NUMBERING_BAND_COST_H
#define BF_MESH_NUMBERING_BAND_COST_H
#include "mesh/numbering/vertex_mesh.h"

/* Diagonal storage is unsuitable for an order of more distinct diagonals; half of them are positive. */
enum { BF_DIAGONALS_MAX = 8192, BF_OFFSETS_MAX = BF_DIAGONALS_MAX / 2 - 1, BF_SLICE = 128 };

typedef struct bf_offsets { /* the distinct offsets > 0 of an order; a pattern is symmetric */
  bf_int n;                 /* BF_OFFSETS_MAX + 1 if there are more; then off is empty */
  int    stopped;
  bf_int reach;
  bf_int off[BF_OFFSETS_MAX]; /* ascending */
} bf_offsets;

/* pos: number of the cells' nodes -> 0 .. n-1.  A pass over the cells; exact, parallel.  reach: if it is
 * known (else -1), the pass ends where there are too many offsets. */
bf_err bf_offsets_find(const bf_cells *cells, const bf_int *pos, bf_int n, bf_int reach, bf_offsets *o);

/* Pairs of positions that share a cell, both directions, and the diagonal: the nonzeros of the pattern. */
bf_err bf_pairs_count(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, int64_t *nnz);
/* Of any pattern; pos NULL: the numbers themselves. */
bf_err bf_pairs_count_rows(const bf_cells *cells, const bf_int *pos, bf_int n, int64_t *nnz);

/* *word |= bits; `shared`: other threads may update the same word. */
static inline void bf_or_word(uint64_t *word, uint64_t bits, int shared)
{
  if (shared) {
#pragma omp atomic
    *word |= bits;
  } else {
    *word |= bits;
  }
}

/* One table of all offsets; slices of 128 rows, each with its own, merged while the bytes grow by at most 2 %
 * in all. */
bf_err bf_bands_one_table(bf_int n, const bf_offsets *o, bf_bands **out);
/* Segments cut[0] = 0, cut[1], .. cut[nseg] = n, each with its own table. */
bf_err bf_bands_cut(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_int nseg,
                    const bf_int *cut, bf_bands **out);
bf_err bf_bands_segments(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o,
                         bf_bands **out);
/* Bytes: 8 per slot, and 16 per offset and segment. */
double bf_bands_bytes(const bf_bands *b, int half);

/* The cheaper of the two for an order (NULL if stopped); *nnz = 0: counted.  Segments are tried where one
 * table is more than 5 % above 8 bytes per nonzero, and must save 2 %.  BF_CUT_IF_QUICK leaves out orders of
 * over 1025 diagonals: they rarely gain, and cost most. */
typedef enum { BF_CUT_NEVER, BF_CUT_IF_QUICK, BF_CUT } bf_cut;
bf_err bf_bands_choose(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_cut cut,
                       int64_t *nnz, bf_bands **out);
#endif
