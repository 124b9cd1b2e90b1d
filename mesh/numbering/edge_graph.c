/* mesh/numbering/edge_graph.c - the element-edge graph of the vertices, by two passes of a partition into
 * bins
 *
 * Every element edge {a < b} is written once into the bin of a (bins are ranges of vertices that fit the
 * cache); in a bin the edges are sorted by a, then b, and repeats dropped.  The remaining edges are also
 * written into the bin of b, so every bin can write its rows: smaller neighbours, then larger ones.  The
 * result is sorted, so it depends neither on the order of the elements nor on the number of threads. Cost: 8
 * bytes per element edge, each written once and read twice; no access outside a bin is random.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/orders.h"
#include "mesh/numbering/vertex_mesh.h"
#include <omp.h>
#include <stdlib.h>

enum {
  BIN_SHIFT = 13,
  SHORT_ROW = 12,
  SMALL_ROW = 64,
  SLOTS     = 128
}; /* SLOTS: of a hash table of a small row */

typedef struct pair {
  bf_int key, other;
} pair;

typedef struct bins { /* pairs by the bin of their key; chunk t of bin i is at[i*nt + t] .. at[i*nt + t+1] */
  int      nt;
  bf_int   nbins;
  int64_t *at;   /* owned [nbins*nt + 1] */
  pair    *pair; /* owned */
} bins;

static bf_err bins_begin(bins *B, bf_int nv, int nt)
{
  B->nt    = nt;
  B->nbins = (nv >> BIN_SHIFT) + 1;
  BF_TRY(BF_NEW_ARRAY(B->at, (size_t)B->nbins * (size_t)nt + 1));
  return BF_OK;
}

/* Turns the counts, stored one place ahead, into places; then allocates the pairs. */
static bf_err bins_place(bins *B)
{
  const size_t n = (size_t)B->nbins * (size_t)B->nt;
  for (size_t i = 0; i < n; i++) B->at[i + 1] += B->at[i];
  BF_TRY(BF_NEW_ARRAY(B->pair, (size_t)B->at[n]));
  return BF_OK;
}

/* Places were moved to their ends while filling: one back. */
static void bins_end(bins *B)
{
  for (size_t i = (size_t)B->nbins * (size_t)B->nt; i > 0; i--) B->at[i] = B->at[i - 1];
  B->at[0] = 0;
}

static void bins_free(bins *B)
{
  bf_host_free(B->at);
  bf_host_free(B->pair);
}

/* Chunk t of the edges of a block: counted (pair NULL) or placed.  Constants for the counts let the compiler
 * unroll. */
static inline void edges_of_chunk(const bf_cell_block *B, bins *to, int t, int nedges, int stride)
{
  const bf_elem_info *info = bf_elem(B->type);
  int                 e0[BF_EDGES_MAX], e1[BF_EDGES_MAX];
  for (int k = 0; k < nedges; k++) {
    e0[k] = info->edge[k][0];
    e1[k] = info->edge[k][1];
  }
  const bf_int lo = (bf_int)((int64_t)B->n * t / to->nt), hi = (bf_int)((int64_t)B->n * (t + 1) / to->nt);
  for (bf_int e = lo; e < hi; e++) {
    const bf_int *v = B->v + (size_t)e * (size_t)stride;
    for (int k = 0; k < nedges; k++) {
      const bf_int a = v[e0[k]], b = v[e1[k]], key = a < b ? a : b;
      int64_t     *at = &to->at[(size_t)(key >> BIN_SHIFT) * (size_t)to->nt + (size_t)t];
      if (to->pair)
        to->pair[(*at)++] = (pair){key, a < b ? b : a};
      else
        at[1]++;
    }
  }
}

static void chunk_of_cells(const bf_cells *c, bins *to, int t)
{
  for (int b = 0; b < c->nblocks; b++) {
    const bf_cell_block *B = &c->block[b];
    if (B->nc == 8 && B->stride == 8)
      edges_of_chunk(B, to, t, 12, 8);
    else if (B->nc == 4 && B->stride == 4 && bf_elem(B->type)->nedges == 6)
      edges_of_chunk(B, to, t, 6, 4);
    else
      edges_of_chunk(B, to, t, bf_elem(B->type)->nedges, B->stride);
  }
}

static int compare_int(const void *p, const void *q)
{
  const bf_int a = *(const bf_int *)p, b = *(const bf_int *)q;
  return (a > b) - (a < b);
}

/* Drops repeats from r[n], n <= SMALL_ROW; the new length. */
static bf_int drop_repeats(bf_int *r, bf_int n)
{
  bf_int slot[SLOTS], m = 0;
  for (int h = 0; h < SLOTS; h++) slot[h] = -1;
  for (bf_int i = 0; i < n; i++) {
    const bf_int b = r[i];
    uint32_t     h = ((uint32_t)b * 2654435769U) >> 25;
    while (slot[h] >= 0 && slot[h] != b) h = (h + 1) % SLOTS;
    if (slot[h] == b) continue;
    slot[h] = b;
    r[m++]  = b;
  }
  return m;
}

/* Sorts r[n] and drops repeats; the new length. */
static bf_int unique_row(bf_int *r, bf_int n)
{
  bf_int m = 0;
  if (n > SMALL_ROW) {
    qsort(r, (size_t)n, sizeof *r, compare_int);
    for (bf_int i = 0; i < n; i++)
      if (m == 0 || r[m - 1] != r[i]) r[m++] = r[i];
    return m;
  }
  if (n > SHORT_ROW) n = drop_repeats(r, n);
  for (bf_int i = 0; i < n; i++) {
    const bf_int b = r[i];
    bf_int       j = m;
    while (j > 0 && r[j - 1] > b) j--;
    if (j > 0 && r[j - 1] == b) continue;
    for (bf_int k = m; k > j; k--) r[k] = r[k - 1];
    r[j] = b;
    m++;
  }
  return m;
}

/* Sorts bin i by (key, other) without repeats, to the front of the bin; returns the number that remains. */
static int64_t unique_bin(bins *B, bf_int i, int64_t *count, bf_int *other)
{
  const int64_t lo = B->at[(size_t)i * (size_t)B->nt], hi = B->at[(size_t)(i + 1) * (size_t)B->nt];
  const bf_int  base  = (bf_int)((int64_t)i << BIN_SHIFT);
  pair         *p     = B->pair;
  int64_t       place = lo;
  for (int v = 0; v <= 1 << BIN_SHIFT; v++) count[v] = 0;
  for (int64_t k = lo; k < hi; k++) count[p[k].key - base]++;
  int64_t sum = 0;
  for (int v = 0; v <= 1 << BIN_SHIFT; v++) {
    const int64_t c = count[v];
    count[v]        = sum;
    sum += c;
  }
  for (int64_t k = lo; k < hi; k++) other[count[p[k].key - base]++] = p[k].other;
  for (int v = 0; v < 1 << BIN_SHIFT; v++) { /* row v now ends at count[v] */
    const int64_t begin = v > 0 ? count[v - 1] : 0;
    const bf_int  m     = unique_row(other + begin, (bf_int)(count[v] - begin));
    for (bf_int k = 0; k < m; k++) p[place++] = (pair){base + v, other[begin + k]};
  }
  return place - lo;
}

static bf_err unique_bins(bins *B, int64_t *left)
{
  bf_err   err   = BF_OK;
  int64_t *count = NULL;
  bf_int  *other = NULL;
  int64_t  most  = 0;
  for (bf_int i = 0; i < B->nbins; i++) {
    const int64_t n = B->at[(size_t)(i + 1) * (size_t)B->nt] - B->at[(size_t)i * (size_t)B->nt];
    most            = n > most ? n : most;
  }
  const size_t nt = (size_t)B->nt, width = (1 << BIN_SHIFT) + 1;
  BF_GO(BF_NEW_ARRAY(count, nt * width));
  BF_GO(BF_NEW_ARRAY(other, nt * (size_t)most));
#pragma omp parallel for schedule(dynamic, 1)
  for (bf_int i = 0; i < B->nbins; i++) {
    const size_t t = (size_t)omp_get_thread_num();
    left[i]        = unique_bin(B, i, count + t * width, other + t * (size_t)most);
  }
done:
  bf_host_free(count);
  bf_host_free(other);
  return err;
}

/* Chunk t of the edges left in `up`: into `low` by their larger vertex, counted or placed. */
static void chunk_of_bins(const bins *up, const int64_t *left, bins *low, int t)
{
  const bf_int lo = (bf_int)((int64_t)up->nbins * t / low->nt),
               hi = (bf_int)((int64_t)up->nbins * (t + 1) / low->nt);
  for (bf_int i = lo; i < hi; i++) {
    const pair *p = up->pair + up->at[(size_t)i * (size_t)up->nt];
    for (int64_t k = 0; k < left[i]; k++) {
      int64_t *at = &low->at[(size_t)(p[k].other >> BIN_SHIFT) * (size_t)low->nt + (size_t)t];
      if (low->pair)
        low->pair[(*at)++] = (pair){p[k].other, p[k].key};
      else
        at[1]++;
    }
  }
}

/* Rows of bin i: degrees into ptr[v + 1] (adj NULL), or the neighbours, ptr[v] moving to the row's end. */
static void rows_of_bin(const bins *up, const int64_t *left, const bins *low, bf_int i, int64_t *ptr,
                        bf_int *adj)
{
  const int64_t lo = low->at[(size_t)i * (size_t)low->nt], hi = low->at[(size_t)(i + 1) * (size_t)low->nt];
  const pair   *p = up->pair + up->at[(size_t)i * (size_t)up->nt];
  for (int64_t k = lo; k < hi; k++) {
    const pair q = low->pair[k];
    if (adj)
      adj[ptr[q.key]++] = q.other;
    else
      ptr[q.key + 1]++;
  }
  for (int64_t k = 0; k < left[i]; k++) {
    if (adj)
      adj[ptr[p[k].key]++] = p[k].other;
    else
      ptr[p[k].key + 1]++;
  }
}

bf_err bf_edge_graph(const bf_cells *cells, bf_graph **out)
{
  bf_err    err = BF_OK;
  bins      up = {0}, low = {0};
  int64_t  *left = NULL;
  bf_graph *g    = NULL;
  const int nt   = omp_get_max_threads();
  *out           = NULL;
  BF_GO(bins_begin(&up, cells->nv, nt));
  BF_GO(bins_begin(&low, cells->nv, nt));
  BF_GO(BF_NEW_ARRAY(left, up.nbins));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++) chunk_of_cells(cells, &up, t);
  BF_GO(bins_place(&up));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++) chunk_of_cells(cells, &up, t);
  bins_end(&up);
  BF_GO(unique_bins(&up, left));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++) chunk_of_bins(&up, left, &low, t);
  BF_GO(bins_place(&low));
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < nt; t++) chunk_of_bins(&up, left, &low, t);
  bins_end(&low);
  BF_GO(bf_graph_create(cells->nv, 2 * low.at[(size_t)low.nbins * (size_t)nt], &g));
#pragma omp parallel for schedule(dynamic, 1)
  for (bf_int i = 0; i < up.nbins; i++) rows_of_bin(&up, left, &low, i, g->ptr, NULL);
  for (bf_int v = 0; v < g->n; v++) g->ptr[v + 1] += g->ptr[v];
#pragma omp parallel for schedule(dynamic, 1)
  for (bf_int i = 0; i < up.nbins; i++) rows_of_bin(&up, left, &low, i, g->ptr, g->adj);
  for (bf_int v = g->n; v > 0; v--) g->ptr[v] = g->ptr[v - 1];
  g->ptr[0] = 0;
  *out      = g;
  g         = NULL;
done:
  bins_free(&up);
  bins_free(&low);
  bf_host_free(left);
  bf_graph_destroy(&g);
  return err;
}
