/* assembly/slabs.c - see slabs.h: greedy colours over sets of point ranges
 *
 * The points (or rows) are cut into at most BITS ranges of equal length.  A slab's set has a bit for every
 * range it touches; it takes the first colour none of whose slabs has a bit in common with it.  Sets that are
 * disjoint mean points that are; the converse does not hold, which costs parallelism only.
 */
#include "assembly/slabs.h"
#include "base/memory.h"
#include <string.h>

enum { BITS = 4096, WORDS = BITS / 64 };

typedef struct bf_ranges {  /* which range a point is in */
  const bf_int *node, *row; /* row NULL: by point; else by the row of its node */
  int           shift;
} bf_ranges;

static bf_ranges ranges(const bf_numbering *num, const bf_view *view, int by_row)
{
  bf_ranges    r = {view->node, by_row ? num->row : NULL, 0};
  const bf_int n = by_row ? num->nrows : view->npoints;
  while (n > 0 && ((n - 1) >> r.shift) >= BITS) r.shift++;
  return r;
}

static inline int range_of(const bf_ranges *r, bf_int point)
{
  return (r->row ? r->row[r->node[point]] : point) >> r->shift;
}

/* Cells of each block by the lowest range of their points, equal ones in the view's order. */
static bf_err sort_cells(const bf_model *m, const bf_ranges *r, const bf_view *view, bf_int *order)
{
  bf_err    err    = BF_OK;
  uint16_t *lowest = NULL;
  bf_int   *at = NULL, c0 = 0;
  BF_GO(BF_NEW_ARRAY(lowest, view->ncells));
  BF_GO(BF_NEW_ARRAY(at, BITS + 1));
#pragma omp parallel for
  for (bf_int c = 0; c < view->ncells; c++) {
    int lo = BITS;
    for (int64_t i = view->ptr[c]; i < view->ptr[c + 1]; i++) {
      const int k = range_of(r, view->point[i]);
      if (k < lo) lo = k;
    }
    lowest[c] = (uint16_t)lo;
  }
  for (int b = 0; b < m->nblocks; b++) {
    const bf_int c1 = c0 + m->block[b].block->n;
    memset(at, 0, (BITS + 1) * sizeof *at);
    for (bf_int c = c0; c < c1; c++) at[lowest[c] + 1]++;
    for (int k = 0; k < BITS; k++) at[k + 1] += at[k];
    for (bf_int c = c0; c < c1; c++) order[c0 + at[lowest[c]]++] = c;
    c0 = c1;
  }
done:
  bf_host_free(lowest);
  bf_host_free(at);
  return err;
}

/* Slabs in the order of cells. */
static bf_err cut(const bf_model *m, const bf_view *view, bf_slabs *s)
{
  const bf_int most = view->ncells / BF_SLABS_TARGET, size = most > BF_SLAB_CELLS ? most : BF_SLAB_CELLS;
  bf_int       c0 = 0;
  BF_TRY(BF_NEW_ARRAY(s->slab, view->ncells / size + m->nblocks));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_int last = c0 + m->block[b].block->n;
    for (bf_int c1; c0 < last; c0 = c1) {
      c1              = last - c0 < size ? last : c0 + size;
      s->slab[s->n++] = (bf_slab){b, c0, c1};
    }
  }
  return BF_OK;
}

static void touch(const bf_slabs *s, const bf_ranges *r, const bf_view *view, uint64_t *set)
{
#pragma omp parallel for schedule(dynamic, 1)
  for (int k = 0; k < s->n; k++)
    for (bf_int i = s->slab[k].c0; i < s->slab[k].c1; i++) {
      const bf_int c = s->order ? s->order[i] : i;
      for (int64_t j = view->ptr[c]; j < view->ptr[c + 1]; j++) {
        const int bit = range_of(r, view->point[j]);
        set[(size_t)k * WORDS + (size_t)(bit >> 6)] |= (uint64_t)1 << (bit & 63);
      }
    }
}

/* colour[slab]; taken[colour]: union of the sets of a colour. */
static int greedy(int n, const uint64_t *set, uint64_t *taken, int *colour)
{
  int ncolours = 0;
  for (int k = 0; k < n; k++) {
    const uint64_t *mine = set + (size_t)k * WORDS;
    int             c    = 0;
    for (; c < ncolours; c++) {
      const uint64_t *theirs = taken + (size_t)c * WORDS;
      int             w      = 0;
      while (w < WORDS && !(mine[w] & theirs[w])) w++;
      if (w == WORDS) break;
    }
    if (c == ncolours) ncolours++;
    for (int w = 0; w < WORDS; w++) taken[(size_t)c * WORDS + (size_t)w] |= mine[w];
    colour[k] = c;
  }
  return ncolours;
}

static bf_err paint(const bf_ranges *r, const bf_view *view, bf_slabs *s)
{
  bf_err    err = BF_OK;
  uint64_t *set = NULL, *taken = NULL;
  int      *colour = NULL;
  bf_slab  *sorted = NULL;
  BF_GO(BF_NEW_ARRAY(set, (size_t)s->n * WORDS));
  BF_GO(BF_NEW_ARRAY(taken, (size_t)s->n * WORDS));
  BF_GO(BF_NEW_ARRAY(colour, s->n));
  BF_GO(BF_NEW_ARRAY(sorted, s->n));
  touch(s, r, view, set);
  s->ncolours = greedy(s->n, set, taken, colour);
  BF_GO(BF_NEW_ARRAY(s->first, s->ncolours + 1));
  for (int k = 0; k < s->n; k++) s->first[colour[k] + 1]++;
  for (int c = 0; c < s->ncolours; c++) s->first[c + 1] += s->first[c];
  for (int k = 0; k < s->n; k++) sorted[s->first[colour[k]]++] = s->slab[k];
  for (int c = s->ncolours; c > 0; c--) s->first[c] = s->first[c - 1];
  if (s->ncolours > 0) s->first[0] = 0;
  bf_host_free(s->slab);
  s->slab = sorted;
  sorted  = NULL;
done:
  bf_host_free(set);
  bf_host_free(taken);
  bf_host_free(colour);
  bf_host_free(sorted);
  return err;
}

static bf_err one(const bf_model *m, const bf_numbering *num, const bf_view *view, int by_row, bf_slabs **out)
{
  bf_err          err = BF_OK;
  bf_slabs       *s   = NULL;
  const bf_ranges r   = ranges(num, view, by_row);
  BF_GO(BF_NEW(s));
  if (by_row) {
    BF_GO(BF_NEW_ARRAY(s->order, view->ncells));
    BF_GO(sort_cells(m, &r, view, s->order));
  }
  BF_GO(cut(m, view, s));
  BF_GO(paint(&r, view, s));
  *out = s;
  s    = NULL;
done:
  bf_slabs_destroy(&s);
  return err;
}

bf_err bf_slabs_create(const bf_model *m, const bf_numbering *num, const bf_view *view, bf_slabs **out)
{
  bf_err    err = BF_OK;
  bf_slabs *s = NULL, *sorted = NULL;
  BF_CHECK(m && num && view && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(one(m, num, view, 0, &s));
  if (s->n < s->ncolours * BF_SLABS_ABREAST) BF_GO(one(m, num, view, 1, &sorted));
  if (sorted && sorted->ncolours < s->ncolours) {
    *out   = sorted;
    sorted = NULL;
  } else {
    *out = s;
    s    = NULL;
  }
done:
  bf_slabs_destroy(&s);
  bf_slabs_destroy(&sorted);
  return err;
}

void bf_slabs_destroy(bf_slabs **s)
{
  if (!s || !*s) return;
  bf_host_free((*s)->order);
  bf_host_free((*s)->slab);
  bf_host_free((*s)->first);
  bf_host_free(*s);
  *s = NULL;
}
