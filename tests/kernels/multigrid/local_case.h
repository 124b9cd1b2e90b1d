/* tests/kernels/multigrid/local_case.h - random elements of 2 to 4 nodes in five aggregates, for
 * local_problem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_MULTIGRID_LOCAL_CASE_H
#define BF_TESTS_KERNELS_MULTIGRID_LOCAL_CASE_H
#include "kernels/batch.h"
#include "kernels/multigrid/aggregates.h"
#include "kernels/multigrid/local_problem.h"
#include "tests/backend.h"
#include <math.h>
#include <string.h>

enum { NODES = 40, ELEMENTS = 60, COUNT = 5 };

typedef struct body { /* random elements of 2 to 4 nodes; nodes have 1 to 3 unknowns */
  bf_int        first[NODES + 1], aggregate[NODES], node[4 * ELEMENTS];
  int64_t       ptr[ELEMENTS + 1], at[ELEMENTS + 1];
  uint8_t       fixed[3 * NODES];
  double        diagonal[3 * NODES], root[3 * NODES], *K;
  bf_local_body open; /* backend memory, owned */
} body;

static inline bf_int order_of(const body *b, bf_int e)
{
  bf_int order = 0;
  for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
    order += b->first[b->node[k] + 1] - b->first[b->node[k]];
  return order;
}

/* K_e = sum of squares of three random vectors, each of sum 0: symmetric, singular. */
static inline void element(double *K, bf_int order, uint64_t *seed)
{
  double v[12];
  for (int r = 0; r < 3; r++) {
    double mean = 0.0;
    for (bf_int i = 0; i < order; i++) v[i] = t_uniform(seed) - 0.5, mean += v[i] / order;
    for (bf_int i = 0; i < order; i++)
      for (bf_int j = 0; j < order; j++) K[j * order + i] += (v[i] - mean) * (v[j] - mean);
  }
}

static inline body *new_body(uint64_t seed)
{
  body *b = calloc(1, sizeof *b);
  for (bf_int i = 0; i < NODES; i++) {
    b->first[i + 1] = b->first[i] + 1 + i % 3;
    b->aggregate[i] = i % 13 == 0 ? -1 : i * COUNT / NODES;
  }
  for (bf_int u = 0; u < b->first[NODES]; u++) {
    b->fixed[u]    = u % 17 == 4;
    b->diagonal[u] = 1.0 + t_uniform(&seed);
    b->root[u]     = 1.0 / sqrt(b->diagonal[u]);
  }
  for (bf_int e = 0; e < ELEMENTS; e++) {
    const int many    = 2 + e % 3;
    b->ptr[e + 1]     = b->ptr[e] + many;
    const bf_int from = (bf_int)(t_uniform(&seed) * (NODES - 9));
    for (int k = 0; k < many; k++) b->node[b->ptr[e] + k] = from + 3 * k;
    b->at[e + 1] = b->at[e] + (int64_t)order_of(b, e) * order_of(b, e);
  }
  b->K = calloc((size_t)b->at[ELEMENTS], sizeof *b->K);
  for (bf_int e = 0; e < ELEMENTS; e++) element(b->K + b->at[e], order_of(b, e), &seed);
  b->open = (bf_local_body){.n         = NODES,
                            .unknowns  = b->first[NODES],
                            .first     = t_to_backend(b->first, sizeof b->first),
                            .fixed     = t_to_backend(b->fixed, sizeof b->fixed),
                            .diagonal  = t_to_backend(b->diagonal, sizeof b->diagonal),
                            .root      = t_to_backend(b->root, sizeof b->root),
                            .aggregate = t_to_backend(b->aggregate, sizeof b->aggregate),
                            .count     = COUNT,
                            .E         = {.ne    = ELEMENTS,
                                          .most  = 12,
                                          .nodes = b->ptr[ELEMENTS],
                                          .ptr   = t_to_backend(b->ptr, sizeof b->ptr),
                                          .node  = t_to_backend(b->node, sizeof b->node),
                                          .at    = t_to_backend(b->at, sizeof b->at),
                                          .K     = t_to_backend(b->K, (size_t)b->at[ELEMENTS] * sizeof *b->K)}};
  return b;
}

static inline void free_body(body *b)
{
  const bf_local_body *o     = &b->open;
  const void          *all[] = {o->first, o->fixed,  o->diagonal, o->root, o->aggregate,
                                o->E.ptr, o->E.node, o->E.at,     o->E.K};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) t_be->ops.release(t_be, (void *)all[i]);
  free(b->K);
  free(b);
}

static inline int touches(const body *b, bf_int e, bf_int a)
{
  for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
    if (b->aggregate[b->node[k]] == a) return 1;
  return 0;
}

/* A row of a pattern on the host: its columns, their number. */
static inline bf_int row_of(const bf_block_rows *A, bf_int i, bf_int *col)
{
  int64_t at[2];
  t_to_host(at, A->ptr + i, sizeof at);
  if (at[1] > at[0]) t_to_host(col, A->col + at[0], (size_t)(at[1] - at[0]) * sizeof *col);
  T_OK(t_be->ops.sync(t_be));
  return (bf_int)(at[1] - at[0]);
}

static inline const bf_local_ops *local(void)
{
  return t_be->ops.mg_aggregates->local;
}

static inline void *allocated(size_t bytes)
{
  void *p = NULL;
  T_OK(t_be->ops.alloc(t_be, bytes, &p));
  return p;
}
#endif
