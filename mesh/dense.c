/* mesh/dense.c - the diagonals that are well filled, segment by segment, and the node pairs left over
 *
 * A diagonal of a segment of n rows costs 8 n bytes in a band, an entry outside the bands 16 (value, column,
 * row): a diagonal filled over half is worth a place.  Half storage finds the entry (i, i-k) where row i-k
 * has its k; so that both storages leave over the same pairs, a segment also gets -k where one of its rows is
 * met by the k of another.
 */
#include "base/memory.h"
#include "mesh/numbering_internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct table { /* offsets of a segment, ascending once sorted */
  bf_int *off;
  bf_int  n, capacity;
} table;

typedef struct splitter {
  const bf_graph *g;
  bf_int          nseg;
  const bf_int   *cut;
  table          *seg;   /* owned [nseg] */
  bf_int         *of;    /* owned [n]: segment of a row */
  bf_int         *count; /* owned [2n]: of offset k at k + n - 1; 0 between uses */
} splitter;

static bf_err put(table *t, bf_int off)
{
  if (t->n == t->capacity) {
    const bf_int more  = 2 * t->capacity + 32;
    bf_int      *grown = bf_host_realloc(t->off, (size_t)more, sizeof *grown);
    BF_CHECK(grown, BF_E_MEMORY, "no memory for %d offsets", more);
    t->off      = grown;
    t->capacity = more;
  }
  t->off[t->n++] = off;
  return BF_OK;
}

static int compare_int(const void *p, const void *q)
{
  const bf_int a = *(const bf_int *)p, b = *(const bf_int *)q;
  return (a > b) - (a < b);
}

static int has(const table *t, bf_int off)
{
  return bsearch(&off, t->off, (size_t)t->n, sizeof off, compare_int) != NULL;
}

/* The offsets of segment s that over half of its rows have. */
static bf_err find_dense(splitter *S, bf_int s)
{
  const bf_int lo = S->cut[s], hi = S->cut[s + 1];
  bf_int      *count = S->count + S->g->n - 1;
  for (bf_int i = lo; i < hi; i++)
    for (int64_t k = S->g->ptr[i]; k < S->g->ptr[i + 1]; k++) {
      const bf_int off = S->g->adj[k] - i;
      if (++count[off] == (hi - lo) / 2 + 1 || off == 0) {
        if (off != 0 || i == lo) BF_TRY(put(&S->seg[s], off));
      }
    }
  for (bf_int i = lo; i < hi; i++)
    for (int64_t k = S->g->ptr[i]; k < S->g->ptr[i + 1]; k++) count[S->g->adj[k] - i] = 0;
  qsort(S->seg[s].off, (size_t)S->seg[s].n, sizeof *S->seg[s].off, compare_int);
  return BF_OK;
}

/* count[off] = value for the offsets of segment s. */
static void mark(splitter *S, bf_int s, bf_int value)
{
  for (bf_int k = 0; k < S->seg[s].n; k++) S->count[S->seg[s].off[k] + S->g->n - 1] = value;
}

/* off into its place in the table. */
static bf_err insert(table *t, bf_int off)
{
  BF_TRY(put(t, off));
  for (bf_int at = t->n - 1; at > 0 && t->off[at - 1] > t->off[at]; at--) {
    const bf_int x = t->off[at];
    t->off[at]     = t->off[at - 1];
    t->off[at - 1] = x;
  }
  return BF_OK;
}

/* Segments get the mirror image of what others have in common with them; *grew: once more. */
static bf_err mirror(splitter *S, int *grew)
{
  const bf_int *in = S->count + S->g->n - 1;
  *grew            = 0;
  for (bf_int s = 0; s < S->nseg; s++) {
    mark(S, s, 1);
    for (bf_int i = S->cut[s]; i < S->cut[s + 1]; i++)
      for (int64_t k = S->g->ptr[i]; k < S->g->ptr[i + 1]; k++) {
        const bf_int j = S->g->adj[k], t = S->of[j];
        if (!in[j - i] || (t == s ? in[i - j] : has(&S->seg[t], i - j))) continue;
        BF_TRY(insert(&S->seg[t], i - j));
        if (t == s) mark(S, s, 1);
        *grew = 1;
      }
    mark(S, s, 0);
  }
  return BF_OK;
}

static bf_err to_bands(const splitter *S, bf_bands **out)
{
  int64_t   noff = 0;
  bf_bands *b    = NULL;
  for (bf_int s = 0; s < S->nseg; s++) noff += S->seg[s].n;
  BF_TRY(bf_bands_create(S->g->n, S->nseg, noff, &b));
  for (bf_int s = 0; s < S->nseg; s++) {
    memcpy(b->off + b->ptr[s], S->seg[s].off, (size_t)S->seg[s].n * sizeof *b->off);
    b->ptr[s + 1] = b->ptr[s] + S->seg[s].n;
    b->row[s + 1] = S->cut[s + 1];
  }
  *out = b;
  return BF_OK;
}

/* The pairs in no band: counted (r NULL), or written. */
static int64_t left_over(splitter *S, bf_graph *r)
{
  const bf_int *in = S->count + S->g->n - 1;
  int64_t       n  = 0;
  for (bf_int s = 0; s < S->nseg; s++) {
    mark(S, s, 1);
    for (bf_int i = S->cut[s]; i < S->cut[s + 1]; i++) {
      for (int64_t k = S->g->ptr[i]; k < S->g->ptr[i + 1]; k++) {
        if (in[S->g->adj[k] - i]) continue;
        if (r) r->adj[n] = S->g->adj[k];
        n++;
      }
      if (r) r->ptr[i + 1] = n;
    }
    mark(S, s, 0);
  }
  return n;
}

bf_err bf_bands_dense(const bf_graph *g, bf_int nseg, const bf_int *cut, bf_bands **bands, bf_graph **rest)
{
  bf_err    err = BF_OK;
  int       grew;
  splitter  S = {g, nseg, cut, NULL, NULL, NULL};
  bf_bands *b = NULL;
  BF_GO(BF_NEW_ARRAY(S.seg, nseg));
  BF_GO(BF_NEW_ARRAY(S.of, g->n));
  BF_GO(BF_NEW_ARRAY(S.count, 2 * (size_t)g->n));
  for (bf_int s = 0; s < nseg; s++) {
    for (bf_int i = cut[s]; i < cut[s + 1]; i++) S.of[i] = s;
    BF_GO(find_dense(&S, s));
  }
  do BF_GO(mirror(&S, &grew));
  while (grew);
  BF_GO(to_bands(&S, &b));
  BF_GO(bf_graph_create(g->n, left_over(&S, NULL), rest));
  left_over(&S, *rest);
  *bands = b;
  b      = NULL;
done:
  for (bf_int s = 0; s < nseg && S.seg; s++) bf_host_free(S.seg[s].off);
  bf_host_free(S.seg);
  bf_host_free(S.of);
  bf_host_free(S.count);
  bf_bands_destroy(&b);
  return err;
}
