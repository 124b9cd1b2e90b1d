/* kernels/cpu/multigrid/mis2.c - aggregates of a graph of strong couplings, and their members
 *
 * Computes  roots: independent set at distance two; their neighbours join them; the rest joins the strongest
 *           neighbour's aggregate in three sweeps; what is left are aggregates of their own.
 * Source    Bell, Dalton, Olson, SIAM J. Sci. Comput. 34 (2012) C123, doi 10.1137/110838844
 * Cost      4 to 8 rounds of two passes over the graph.
 * Checked   tests/kernels/multigrid/t386_aggregates.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/multigrid/aggregate_node.h"
#include <string.h>

enum { SWEEPS = 3 };

/* key[i] with the state of every node; near is work of the same length. */
static void find_roots(const bf_mg_graph *G, const uint8_t *live, uint64_t *key, uint64_t *near)
{
  const bf_int n    = G->n;
  int64_t      open = 1;
#pragma omp parallel for schedule(static) if (G->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) key[i] = bf_mg_key(live[i] ? BF_MG_UNDECIDED : BF_MG_OUT, i);
  while (open > 0) {
    open = 0;
#pragma omp parallel for schedule(static) if (G->nnz > BF_CPU_SMALL)
    for (bf_int i = 0; i < n; i++) near[i] = bf_mg_largest(G, i, key);
#pragma omp parallel for schedule(static) reduction(+ : open) if (G->nnz > BF_CPU_SMALL)
    for (bf_int i = 0; i < n; i++) {
      if (key[i] >> 62 != BF_MG_UNDECIDED) continue;
      const int state = bf_mg_decide(key[i], bf_mg_largest(G, i, near));
      key[i]          = bf_mg_key(state, i);
      open += state == BF_MG_UNDECIDED;
    }
  }
}

/* Aggregate of a root or of a neighbour of one, else -1. */
static bf_int of_root(const bf_mg_graph *G, bf_int i, const uint64_t *key, const bf_int *number)
{
  bf_int most = -1;
  for (int64_t k = G->ptr[i]; k < G->ptr[i + 1]; k++) {
    const bf_int j = G->col[k];
    if (key[j] >> 62 == BF_MG_ROOT && number[j] > most) most = number[j];
  }
  return most;
}

bf_err bf_cpu_mg_aggregate(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, bf_int *aggregate,
                           bf_int *count)
{
  const bf_int n = G->n;
  double      *scratch;
  bf_int       found = 0;
  BF_TRY(bf_cpu_scratch(be, 3 * (int64_t)n, &scratch));
  uint64_t *key = (uint64_t *)scratch, *near = key + n;
  bf_int   *next = (bf_int *)(near + n);
  find_roots(G, live, key, near);
  for (bf_int i = 0; i < n; i++)
    if (key[i] >> 62 == BF_MG_ROOT) next[i] = found++;
#pragma omp parallel for schedule(static) if (G->nnz > BF_CPU_SMALL)
  for (bf_int i = 0; i < n; i++) aggregate[i] = live[i] ? of_root(G, i, key, next) : -1;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
#pragma omp parallel for schedule(static) if (G->nnz > BF_CPU_SMALL)
    for (bf_int i = 0; i < n; i++)
      next[i] = live[i] && aggregate[i] < 0 ? bf_mg_join(G, i, aggregate) : aggregate[i];
    memcpy(aggregate, next, (size_t)n * sizeof *next);
  }
  for (bf_int i = 0; i < n; i++)
    if (live[i] && aggregate[i] < 0) aggregate[i] = found++;
  *count = found;
  return BF_OK;
}

bf_err bf_cpu_mg_members(bf_backend *be, bf_int n, bf_int count, const bf_int *aggregate, int64_t *ptr,
                         bf_int *node)
{
  double *scratch;
  BF_TRY(bf_cpu_scratch(be, count, &scratch));
  int64_t *next = (int64_t *)scratch;
  memset(ptr, 0, ((size_t)count + 1) * sizeof *ptr);
  for (bf_int i = 0; i < n; i++) {
    BF_CHECK(aggregate[i] >= -1 && aggregate[i] < count, BF_E_ARG, "node %d: aggregate %d of %d", (int)i,
             (int)aggregate[i], (int)count);
    if (aggregate[i] >= 0) ptr[aggregate[i] + 1]++;
  }
  bf_cpu_row_sums(count, ptr);
  memcpy(next, ptr, (size_t)count * sizeof *next);
  for (bf_int i = 0; i < n; i++)
    if (aggregate[i] >= 0) node[next[aggregate[i]]++] = i;
  return BF_OK;
}
