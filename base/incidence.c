/* base/incidence.c - see incidence.h: counting sort; the items are cut into chunks, each with its own counts
 *
 * count[c][v] is the number of items of chunk c at node v, and after the sum over chunks and nodes the place
 * of the chunk's next item at v.  The order of the items is that of a serial counting sort.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/incidence.h"
#include "base/memory.h"
#include <omp.h>

typedef struct sorter {
  const bf_item_list *list;
  int                 nlists, chunks;
  bf_int              n;
  int64_t             nitems;
} sorter;

static void nodes_of(const bf_item_list *l, bf_int e, int64_t *from, int64_t *to)
{
  *from = l->ptr ? l->ptr[e] : (int64_t)e * l->stride;
  *to   = l->ptr ? l->ptr[e + 1] : *from + l->count;
}

/* Counts the items of chunk c at each node, or places them; returns the largest node. */
static bf_int pass(const sorter *S, int c, bf_int *count, const int64_t *ptr, bf_int *item)
{
  const int64_t lo = S->nitems * c / S->chunks, hi = S->nitems * (c + 1) / S->chunks;
  int64_t       first   = 0; /* number of items of the lists before */
  bf_int        largest = -1;
  for (int k = 0; k < S->nlists; k++) {
    const bf_item_list *l     = &S->list[k];
    const int64_t       begin = lo > first ? lo - first : 0, end = hi - first < l->n ? hi - first : l->n;
    for (int64_t e = begin; e < end; e++) {
      int64_t i, to;
      for (nodes_of(l, (bf_int)e, &i, &to); i < to; i++) {
        const bf_int v = l->node[i];
        largest        = v > largest ? v : largest;
        if (v < 0 || v >= S->n) continue;
        if (item) item[ptr[v] + count[v]] = l->first + (bf_int)e;
        count[v]++;
      }
    }
    first += l->n;
  }
  return largest;
}

/* Counts to places within the items at a node; ptr[v + 1] = number of items at v. */
static void sum_chunks(const sorter *S, bf_int *count, int64_t *ptr)
{
#pragma omp parallel for schedule(static)
  for (bf_int v = 0; v < S->n; v++) {
    bf_int sum = 0;
    for (int c = 0; c < S->chunks; c++) {
      bf_int      *at   = &count[(size_t)c * (size_t)S->n + (size_t)v];
      const bf_int here = *at;
      *at               = sum;
      sum += here;
    }
    ptr[v + 1] = sum;
  }
  for (bf_int v = 0; v < S->n; v++) ptr[v + 1] += ptr[v];
}

/* One chunk per thread, and as many as have counts of at most half the incidences. */
static int chunks_of(const sorter *S)
{
  int64_t incidences = 0, most = omp_get_max_threads();
  for (int k = 0; k < S->nlists; k++) {
    const bf_item_list *l = &S->list[k];
    incidences += l->ptr ? l->ptr[l->n] - l->ptr[0] : (int64_t)l->n * l->count;
  }
  const int64_t fit = S->n > 0 ? incidences / (2 * (int64_t)S->n) : 1;
  most              = fit < most ? fit : most;
  return most > 1 ? (int)most : 1;
}

/* BF_E_ARG with the first item that has a node above nnodes - 1. */
static bf_err out_of_range(const sorter *S)
{
  for (int k = 0; k < S->nlists; k++)
    for (bf_int e = 0; e < S->list[k].n; e++) {
      int64_t i, to;
      for (nodes_of(&S->list[k], e, &i, &to); i < to; i++)
        BF_CHECK(S->list[k].node[i] < S->n, BF_E_ARG, "item %d has node %d of %d", S->list[k].first + e,
                 S->list[k].node[i], S->n);
    }
  return BF_OK;
}

bf_err bf_incidence_create(bf_int nnodes, const bf_item_list *list, int nlists, int64_t **ptr, bf_int **item)
{
  bf_err   err   = BF_OK;
  bf_int  *count = NULL, *sorted = NULL, largest = -1;
  int64_t *at = NULL;
  sorter   S  = {.list = list, .nlists = nlists, .n = nnodes};
  BF_CHECK(nnodes >= 0 && nlists >= 0 && (list || nlists == 0) && ptr && item, BF_E_ARG, "null argument");
  for (int k = 0; k < nlists; k++) S.nitems += list[k].n;
  S.chunks = chunks_of(&S);
  BF_GO(BF_NEW_ARRAY(count, (size_t)S.chunks * (size_t)nnodes));
  BF_GO(BF_NEW_ARRAY(at, (size_t)nnodes + 1));
#pragma omp parallel for schedule(static, 1) reduction(max : largest)
  for (int c = 0; c < S.chunks; c++) {
    const bf_int found = pass(&S, c, count + (size_t)c * (size_t)nnodes, NULL, NULL);
    largest            = found > largest ? found : largest;
  }
  if (largest >= nnodes) BF_GO(out_of_range(&S));
  sum_chunks(&S, count, at);
  BF_GO(BF_NEW_ARRAY(sorted, at[nnodes]));
#pragma omp parallel for schedule(static, 1)
  for (int c = 0; c < S.chunks; c++) pass(&S, c, count + (size_t)c * (size_t)nnodes, at, sorted);
  *ptr   = at;
  *item  = sorted;
  at     = NULL;
  sorted = NULL;
done:
  bf_host_free(count);
  bf_host_free(at);
  bf_host_free(sorted);
  return err;
}
