/* mesh/numbering/band_cost.c - the distinct offsets and the nonzeros of an order, by passes over the cells
 *
 * Most cells of a structured mesh have the same differences of positions as a cell before. A small hash table
 * of such shapes recognises them in one comparison. The result does not depend on the table: the pairs of a
 * shape that is not in it are processed one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/numbering/band_cost.h"
#include "base/memory.h"
#include "mesh/numbering/vertex_mesh.h"
#include <omp.h>
#include <string.h>

enum { SHAPES = 256, SHAPES_SHIFT = 24, WORD = 64, NO_SHAPE = 0x80 }; /* bytes 0x80: differences of no cell */

typedef struct shape { /* of a cell: differences to its first node */
  bf_int   d[BF_NEN_MAX];
  uint64_t mask[BF_NEN_MAX]; /* of node k: bits of the offsets to those of larger position */
} shape;

typedef struct scan { /* of one thread */
  shape    *shape;    /* [SHAPES] */
  uint64_t *bits;     /* [words of n]: offsets seen */
  bf_int    n, reach;
  int       reach_known;
} scan;

static inline uint32_t shape_hash(const bf_int *d, int nc)
{
  uint32_t h = 0;
  for (int k = 1; k < nc; k++) h = (h ^ (uint32_t)d[k]) * 2654435769U;
  return h >> SHAPES_SHIFT;
}

/* Differences of cell v to its first node, into d; 1 if the slot of the shape contains the same. */
static inline int known_shape(const shape *table, const bf_int *v, const bf_int *pos, int nc, bf_int *d,
                              uint32_t *at)
{
  const bf_int p0   = pos[v[0]];
  int          same = 1;
  d[0]              = 0;
  for (int k = 1; k < nc; k++) d[k] = pos[v[k]] - p0;
  *at = shape_hash(d, nc);
  for (int k = 1; k < nc; k++) same &= table[*at].d[k] == d[k];
  return same;
}

/* Offsets of cells lo .. hi-1 into s->bits; past BF_OFFSETS_MAX of them only the reach. */
static inline void scan_cells(const bf_cell_block *B, bf_int lo, bf_int hi, const bf_int *pos, int nc,
                              size_t stride, scan *s)
{
  bf_int   d[BF_NEN_MAX];
  uint32_t at;
  for (bf_int e = lo; e < hi; e++) {
    if (known_shape(s->shape, B->v + (size_t)e * stride, pos, nc, d, &at)) continue;
    if (s->reach_known && s->n > BF_OFFSETS_MAX) return;
    bf_int least = 0, most = 0;
    for (int k = 1; k < nc; k++) {
      least = d[k] < least ? d[k] : least;
      most  = d[k] > most ? d[k] : most;
    }
    s->reach = most - least > s->reach ? most - least : s->reach;
    if (s->n > BF_OFFSETS_MAX) continue;
    memcpy(s->shape[at].d, d, (size_t)nc * sizeof *d);
    for (int i = 0; i < nc; i++)
      for (int j = 0; j < i; j++) {
        const bf_int k = d[i] < d[j] ? d[j] - d[i] : d[i] - d[j];
        if (k == 0) continue;
        uint64_t      *word = &s->bits[k / WORD];
        const uint64_t bit  = (uint64_t)1 << k % WORD;
        s->n += !(*word & bit);
        *word |= bit;
      }
  }
}

static void scan_chunk(const bf_cells *c, const bf_int *pos, int t, int nt, scan *s)
{
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B  = &c->block[b];
    const bf_int         lo = (bf_int)((int64_t)B->n * t / nt), hi = (bf_int)((int64_t)B->n * (t + 1) / nt);
    memset(s->shape, NO_SHAPE, SHAPES * sizeof *s->shape);
    if (B->nc == 8 && B->stride == 8)
      scan_cells(B, lo, hi, pos, 8, 8, s);
    else if (B->nc == 4 && B->stride == 4)
      scan_cells(B, lo, hi, pos, 4, 4, s);
    else
      scan_cells(B, lo, hi, pos, B->nc, (size_t)B->stride, s);
  }
}

static int threads_for(const bf_cells *c)
{
  int64_t n = 0;
  for (int b = 0; b < c->nblocks; b++) n += c->block[b].n;
  return n < 20000 ? 1 : omp_get_max_threads();
}

bf_err bf_offsets_find(const bf_cells *cells, const bf_int *pos, bf_int n, bf_int reach, bf_offsets *o)
{
  bf_err       err   = BF_OK;
  const int    nt    = threads_for(cells);
  const size_t words = (size_t)n / WORD + 1;
  scan        *s     = NULL;
  shape       *table = NULL;
  uint64_t    *bits  = NULL;
  o->n = o->stopped = o->reach = 0;
  BF_GO(BF_NEW_ARRAY(s, nt));
  BF_GO(BF_NEW_ARRAY(table, (size_t)nt * SHAPES));
  BF_GO(BF_NEW_ARRAY(bits, (size_t)nt * words));
#pragma omp parallel for schedule(static, 1) num_threads(nt)
  for (int t = 0; t < nt; t++) {
    s[t] = (scan){table + t * SHAPES, bits + (size_t)t * words, 0, 0, reach >= 0};
    scan_chunk(cells, pos, t, nt, &s[t]);
  }
  for (int t = 0; t < nt; t++) {
    o->reach = s[t].reach > o->reach ? s[t].reach : o->reach;
    o->stopped |= s[t].n > BF_OFFSETS_MAX;
    for (size_t w = 0; w < words && t > 0; w++) bits[w] |= bits[(size_t)t * words + w];
  }
  for (size_t w = 0; w < words && !o->stopped; w++)
    for (int k = 0; k < WORD && bits[w] >> k && !o->stopped; k++) {
      if (!(bits[w] >> k & 1)) continue;
      if (o->n == BF_OFFSETS_MAX)
        o->stopped = 1;
      else
        o->off[o->n++] = (bf_int)(w * WORD) + k;
    }
  if (o->stopped) o->n = BF_OFFSETS_MAX + 1;
  if (reach >= 0) o->reach = reach;
done:
  bf_host_free(s);
  bf_host_free(table);
  bf_host_free(bits);
  return err;
}

/* ---- nonzeros ---- */

static bf_int index_of(const bf_offsets *o, bf_int k)
{
  bf_int lo = 0, hi = o->n - 1;
  while (lo < hi) {
    const bf_int mid = (lo + hi) / 2;
    if (o->off[mid] < k)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* row[p] gets a bit for each offset to a larger position that shares a cell with p (at most 64 offsets). */
static inline void mask_cells(const bf_cell_block *B, bf_int lo, bf_int hi, const bf_int *pos, int nc,
                              size_t stride, const bf_offsets *o, shape *table, uint64_t *row, int several)
{
  bf_int   d[BF_NEN_MAX];
  uint32_t at;
  for (bf_int e = lo; e < hi; e++) {
    const bf_int *v = B->v + (size_t)e * stride;
    if (!known_shape(table, v, pos, nc, d, &at)) {
      memcpy(table[at].d, d, (size_t)nc * sizeof *d);
      for (int i = 0; i < nc; i++) {
        table[at].mask[i] = 0;
        for (int j = 0; j < nc; j++)
          if (d[j] > d[i]) table[at].mask[i] |= (uint64_t)1 << index_of(o, d[j] - d[i]);
      }
    }
    for (int k = 0; k < nc; k++) bf_or_word(&row[pos[v[k]]], table[at].mask[k], several);
  }
}

static int64_t count_bits(uint64_t x)
{
  x -= x >> 1 & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return (int64_t)(x * 0x0101010101010101U >> 56);
}

static bf_err count_by_masks(const bf_cells *c, const bf_int *pos, bf_int n, const bf_offsets *o,
                             int64_t *nnz)
{
  bf_err    err   = BF_OK;
  const int nt    = threads_for(c);
  shape    *table = NULL;
  uint64_t *row   = NULL;
  int64_t   upper = 0;
  BF_GO(BF_NEW_ARRAY(table, (size_t)nt * SHAPES));
  BF_GO(BF_NEW_ARRAY(row, n));
#pragma omp parallel for schedule(static, 1) num_threads(nt)
  for (int t = 0; t < nt; t++)
    for (int b = 0; b < c->nblocks; b++) {
      const bf_cell_block *B  = &c->block[b];
      shape               *my = table + t * SHAPES;
      const bf_int         lo = (bf_int)((int64_t)B->n * t / nt), hi = (bf_int)((int64_t)B->n * (t + 1) / nt);
      memset(my, NO_SHAPE, SHAPES * sizeof *my);
      if (B->nc == 8 && B->stride == 8)
        mask_cells(B, lo, hi, pos, 8, 8, o, my, row, nt > 1);
      else if (B->nc == 4 && B->stride == 4)
        mask_cells(B, lo, hi, pos, 4, 4, o, my, row, nt > 1);
      else
        mask_cells(B, lo, hi, pos, B->nc, (size_t)B->stride, o, my, row, nt > 1);
    }
#pragma omp parallel for schedule(static) reduction(+ : upper)
  for (bf_int i = 0; i < n; i++) upper += count_bits(row[i]);
  *nnz = n + 2 * upper;
done:
  bf_host_free(table);
  bf_host_free(row);
  return err;
}

bf_err bf_pairs_count(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, int64_t *nnz)
{
  if (!o->stopped && o->n <= WORD) return count_by_masks(cells, pos, n, o, nnz);
  return bf_pairs_count_rows(cells, pos, n, nnz);
}
