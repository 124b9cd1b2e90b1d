/* mesh/numbering/row_segments.c - one table of offsets for all rows, or runs of rows with a table each
 *
 * Slices of 128 rows begin as segments; the two neighbours whose union costs least are merged while the bytes
 * stay within 2 % of the least reached.  A segment's bytes: (8 rows + 16) (1 + number of its offsets).  A
 * pattern is symmetric, so a row i with an entry at -k finds k in the table of row i-k, as half storage
 * needs.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/vertex_mesh.h"
#include <omp.h>
#include <string.h>

enum { WORD = 64, QUICK = 512 }; /* with more offsets segments are tried only at the end of the search */

typedef struct segment { /* linked in row order; rows = 0: merged into the one before */
  bf_int rows, noff, prev, next, version;
} segment;

typedef struct merge { /* of segment `left` with its next; outdated if a version has changed */
  double growth;
  bf_int left, version_left, version_right;
} merge;

typedef struct segments {
  const bf_offsets *o;
  bf_int            n, count; /* positions, slices */
  size_t            words;    /* of a set of offset numbers */
  uint64_t         *set;      /* owned [count][2*words]: offsets > 0, then < 0, by number in o->off */
  segment          *seg;      /* owned [count] */
  merge            *heap;     /* owned, least growth first */
  int64_t           nheap;
} segments;

static int64_t count_bits(const uint64_t *set, size_t words)
{
  int64_t n = 0;
  for (size_t w = 0; w < words; w++)
    for (uint64_t x = set[w]; x; x &= x - 1) n++;
  return n;
}

static double bytes_of(bf_int rows, int64_t noff)
{
  return (8.0 * rows + 16.0) * (double)(noff + 1);
}

/* ---- offsets of each slice ---- */

static inline void slice_cells(const segments *S, const bf_cell_block *B, bf_int lo, bf_int hi,
                               const bf_int *pos, const uint16_t *number, int several)
{
  const size_t width = 2 * S->words;
  for (bf_int e = lo; e < hi; e++) {
    const bf_int *v = B->v + (size_t)e * (size_t)B->stride;
    for (int i = 0; i < B->nc; i++)
      for (int j = 0; j < B->nc; j++) {
        const bf_int p = pos[v[i]], k = pos[v[j]] - p;
        if (k <= 0) continue;
        const size_t   at    = number[k] / WORD;
        const uint64_t bit   = (uint64_t)1 << number[k] % WORD;
        uint64_t      *above = S->set + (size_t)(p / BF_SLICE) * width + at,
                 *below      = S->set + (size_t)((p + k) / BF_SLICE) * width + S->words + at;
        bf_or_word(above, bit, several);
        bf_or_word(below, bit, several);
      }
  }
}

static bf_err find_slices(segments *S, const bf_cells *c, const bf_int *pos)
{
  bf_err    err    = BF_OK;
  const int nt     = omp_get_max_threads();
  uint16_t *number = NULL;
  BF_GO(BF_NEW_ARRAY(number, (size_t)S->o->reach + 1));
  for (bf_int k = 0; k < S->o->n; k++) number[S->o->off[k]] = (uint16_t)k;
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++)
    for (int b = 0; b < c->nblocks; b++) {
      const int64_t n = c->block[b].n;
      slice_cells(S, &c->block[b], (bf_int)(n * t / nt), (bf_int)(n * (t + 1) / nt), pos, number, nt > 1);
    }
done:
  bf_host_free(number);
  return err;
}

/* ---- merging ---- */

static int before(const merge *a, const merge *b)
{
  return a->growth < b->growth || (a->growth <= b->growth && a->left < b->left);
}

static void heap_push(segments *S, merge m)
{
  int64_t i = S->nheap++;
  while (i > 0 && before(&m, &S->heap[(i - 1) / 2])) {
    S->heap[i] = S->heap[(i - 1) / 2];
    i          = (i - 1) / 2;
  }
  S->heap[i] = m;
}

static merge heap_pop(segments *S)
{
  const merge top = S->heap[0], m = S->heap[--S->nheap];
  int64_t     i = 0, child;
  while ((child = 2 * i + 1) < S->nheap) {
    if (child + 1 < S->nheap && before(&S->heap[child + 1], &S->heap[child])) child++;
    if (!before(&S->heap[child], &m)) break;
    S->heap[i] = S->heap[child];
    i          = child;
  }
  S->heap[i] = m;
  return top;
}

static int64_t union_count(const segments *S, bf_int a, bf_int b)
{
  const size_t    width = 2 * S->words;
  const uint64_t *x = S->set + (size_t)a * width, *y = S->set + (size_t)b * width;
  int64_t         n = 0;
  for (size_t w = 0; w < width; w++)
    for (uint64_t u = x[w] | y[w]; u; u &= u - 1) n++;
  return n;
}

static void offer(segments *S, bf_int left)
{
  const segment *a = &S->seg[left];
  if (a->next < 0) return;
  const segment *b      = &S->seg[a->next];
  const double   growth = bytes_of(a->rows + b->rows, union_count(S, left, a->next)) -
                        bytes_of(a->rows, a->noff) - bytes_of(b->rows, b->noff);
  heap_push(S, (merge){growth, left, a->version, b->version});
}

static void join(segments *S, bf_int left)
{
  const size_t width = 2 * S->words;
  segment     *a     = &S->seg[left];
  const bf_int right = a->next;
  segment     *b     = &S->seg[right];
  for (size_t w = 0; w < width; w++) S->set[(size_t)left * width + w] |= S->set[(size_t)right * width + w];
  a->rows += b->rows;
  a->noff = (bf_int)count_bits(S->set + (size_t)left * width, width);
  a->version++;
  a->next = b->next;
  b->rows = 0;
  b->version++;
  if (a->next >= 0) S->seg[a->next].prev = left;
}

static bf_err merge_slices(segments *S)
{
  const size_t width = 2 * S->words;
  double       total = 0.0;
  BF_TRY(BF_NEW_ARRAY(S->seg, S->count));
  BF_TRY(BF_NEW_ARRAY(S->heap, 3 * (size_t)S->count + 1));
  for (bf_int s = 0; s < S->count; s++) {
    const bf_int rows = S->n - s * BF_SLICE < BF_SLICE ? S->n - s * BF_SLICE : BF_SLICE;
    S->seg[s]         = (segment){rows, (bf_int)count_bits(S->set + (size_t)s * width, width), s - 1,
                          s + 1 < S->count ? s + 1 : -1, 0};
    total += bytes_of(rows, S->seg[s].noff);
  }
  for (bf_int s = 0; s < S->count; s++) offer(S, s);
  double least = total;
  while (S->nheap > 0) {
    const merge m = heap_pop(S);
    segment    *a = &S->seg[m.left];
    if (a->rows == 0 || a->version != m.version_left || a->next < 0 ||
        S->seg[a->next].version != m.version_right)
      continue;
    if (total + m.growth > 1.02 * least) break;
    total += m.growth;
    least = total < least ? total : least;
    join(S, m.left);
    offer(S, m.left);
    if (a->prev >= 0) offer(S, a->prev);
  }
  return BF_OK;
}

/* ---- the result ---- */

static bf_err to_bands(const segments *S, bf_bands **out)
{
  const size_t width = 2 * S->words;
  bf_int       nseg  = 0;
  int64_t      noff  = 0;
  bf_bands    *b     = NULL;
  for (bf_int s = 0; s >= 0; s = S->seg[s].next) {
    nseg++;
    noff += 1 + count_bits(S->set + (size_t)s * width, width);
  }
  BF_TRY(bf_bands_create(S->n, nseg, noff, &b));
  nseg = 0;
  noff = 0;
  for (bf_int s = 0; s >= 0; s = S->seg[s].next) {
    const uint64_t *above = S->set + (size_t)s * width, *below = above + S->words;
    for (bf_int k = S->o->n - 1; k >= 0; k--)
      if (below[k / WORD] >> k % WORD & 1) b->off[noff++] = -S->o->off[k];
    b->off[noff++] = 0;
    for (bf_int k = 0; k < S->o->n; k++)
      if (above[k / WORD] >> k % WORD & 1) b->off[noff++] = S->o->off[k];
    b->row[nseg + 1] = b->row[nseg] + S->seg[s].rows;
    b->ptr[++nseg]   = noff;
  }
  *out = b;
  return BF_OK;
}

bf_err bf_bands_segments(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o,
                         bf_bands **out)
{
  bf_err   err = BF_OK;
  segments S   = {.o = o, .n = n, .count = (n - 1) / BF_SLICE + 1, .words = (size_t)o->n / WORD + 1};
  *out         = NULL;
  BF_GO(BF_NEW_ARRAY(S.set, (size_t)S.count * 2 * S.words));
  BF_GO(find_slices(&S, cells, pos));
  BF_GO(merge_slices(&S));
  BF_GO(to_bands(&S, out));
done:
  bf_host_free(S.set);
  bf_host_free(S.seg);
  bf_host_free(S.heap);
  return err;
}

/* Slices from cut to cut into the first of them. */
static void join_cut(segments *S, bf_int nseg, const bf_int *cut)
{
  const size_t width = 2 * S->words;
  for (bf_int s = 0; s < nseg; s++) {
    const bf_int first = cut[s] / BF_SLICE, end = (cut[s + 1] + BF_SLICE - 1) / BF_SLICE;
    for (bf_int k = first + 1; k < end; k++)
      for (size_t w = 0; w < width; w++) S->set[(size_t)first * width + w] |= S->set[(size_t)k * width + w];
    S->seg[first].rows = cut[s + 1] - cut[s];
    S->seg[first].next = s + 1 < nseg ? end : -1;
  }
}

bf_err bf_bands_cut(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_int nseg,
                    const bf_int *cut, bf_bands **out)
{
  bf_err   err = BF_OK;
  segments S   = {.o = o, .n = n, .count = (n - 1) / BF_SLICE + 1, .words = (size_t)o->n / WORD + 1};
  *out         = NULL;
  BF_GO(BF_NEW_ARRAY(S.set, (size_t)S.count * 2 * S.words));
  BF_GO(BF_NEW_ARRAY(S.seg, S.count));
  BF_GO(find_slices(&S, cells, pos));
  join_cut(&S, nseg, cut);
  BF_GO(to_bands(&S, out));
done:
  bf_host_free(S.set);
  bf_host_free(S.seg);
  return err;
}

bf_err bf_bands_one_table(bf_int n, const bf_offsets *o, bf_bands **out)
{
  bf_bands *b = NULL;
  BF_TRY(bf_bands_create(n, 1, 2 * (int64_t)o->n + 1, &b));
  b->row[1] = n;
  b->ptr[1] = 2 * (int64_t)o->n + 1;
  for (bf_int k = 0; k < o->n; k++) {
    b->off[o->n - 1 - k] = -o->off[k];
    b->off[o->n + 1 + k] = o->off[k];
  }
  *out = b;
  return BF_OK;
}

double bf_bands_bytes(const bf_bands *b, int half)
{
  int64_t noff = 0;
  for (int64_t k = 0; k < b->ptr[b->nseg]; k++) noff += !half || b->off[k] >= 0;
  return 8.0 * (double)bf_bands_slots(b, half) + 16.0 * (double)noff;
}

bf_err bf_bands_choose(const bf_cells *cells, const bf_int *pos, bf_int n, const bf_offsets *o, bf_cut cut,
                       int64_t *nnz, bf_bands **out)
{
  bf_err    err = BF_OK;
  bf_bands *one = NULL, *several = NULL;
  *out = NULL;
  if (o->stopped) return BF_OK;
  BF_GO(bf_bands_one_table(n, o, &one));
  if (*nnz == 0) BF_GO(bf_pairs_count(cells, pos, n, o, nnz));
  if (n > BF_SLICE && (cut == BF_CUT || (cut == BF_CUT_IF_QUICK && o->n <= QUICK)) &&
      bf_bands_bytes(one, 0) > 1.05 * 8.0 * (double)*nnz)
    BF_GO(bf_bands_segments(cells, pos, n, o, &several));
  if (several && bf_bands_bytes(several, 0) < 0.98 * bf_bands_bytes(one, 0)) {
    *out    = several;
    several = NULL;
  } else {
    *out = one;
    one  = NULL;
  }
done:
  bf_bands_destroy(&one);
  bf_bands_destroy(&several);
  return err;
}
