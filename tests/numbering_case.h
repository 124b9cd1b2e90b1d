/* tests/numbering_case.h - what every numbering must satisfy, by brute force */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_NUMBERING_CASE_H
#define BF_TEST_NUMBERING_CASE_H
#include "mesh/numbering.h"
#include "tests/no_memory.h"
#include "tests/shuffle.h"

static inline int t_has_offset(const bf_bands *b, bf_int row, bf_int off)
{
  bf_int s = 0;
  while (b->row[s + 1] <= row) s++;
  for (int64_t k = b->ptr[s]; k < b->ptr[s + 1]; k++)
    if (b->off[k] == off) return 1;
  return 0;
}

/* Node pairs by brute force: for each node the nodes of its elements, marked. */
static inline int64_t t_count_pairs(const bf_mesh *m)
{
  int64_t  count = 0;
  bf_int  *mark  = bf_host_alloc((size_t)m->nnodes, sizeof *mark);
  bf_int **list  = bf_host_alloc((size_t)m->nnodes, sizeof *list); /* elements of a node, [0] their number */
  assert_true(mark && list);
  for (bf_int e = 0; e < m->nelem; e++) {
    int           n;
    const bf_int *node = bf_mesh_elem_nodes(m, e, &n);
    if (bf_elem(bf_mesh_block_of(m, e)->type)->dim != m->dim) continue;
    for (int k = 0; k < n; k++) {
      bf_int     **l      = &list[node[k]];
      const bf_int len    = *l ? (*l)[0] : 0;
      bf_int      *longer = bf_host_realloc(*l, (size_t)len + 2, sizeof *longer);
      assert_non_null(longer);
      if (longer != *l) *l = longer;
      longer[0]       = len + 1;
      longer[len + 1] = e;
    }
  }
  for (bf_int i = 0; i < m->nnodes; i++)
    for (bf_int j = 1; list[i] && j <= list[i][0]; j++) {
      int           n;
      const bf_int *node = bf_mesh_elem_nodes(m, list[i][j], &n);
      for (int k = 0; k < n; k++) {
        count += mark[node[k]] != i + 1;
        mark[node[k]] = i + 1;
      }
    }
  for (bf_int i = 0; i < m->nnodes; i++) bf_host_free(list[i]);
  bf_host_free(list);
  bf_host_free(mark);
  return count;
}

static inline int t_joined(const bf_graph *g, bf_int i, bf_int j)
{
  for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
    if (g->adj[k] == j) return 1;
  return 0;
}

/* Every pair is in a band or left over, never both; half storage finds it in its own row or as a mirror
 * image. */
static inline void t_split_is_valid(const bf_split *split, const bf_graph *g)
{
  for (int half = 0; half < 2; half++) {
    int64_t left = 0;
    for (bf_int i = 0; i < g->n; i++)
      for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
        const bf_int j = g->adj[k], from = half && j < i ? j : i;
        const int    in = t_has_offset(split[half].bands, from, half ? abs(j - i) : j - i);
        assert_int_equal(in, !t_joined(split[half].rest, i, j));
        left += !in;
      }
    assert_true(left == split[half].rest->ptr[g->n]);
  }
}

static inline void t_rows_are_valid(const bf_mesh *m, const bf_numbering *n, int64_t pairs)
{
  bf_graph *g    = NULL;
  uint8_t  *used = bf_host_alloc((size_t)m->nnodes, 1);
  bf_int    unused, reach = 0;
  assert_non_null(used);
  bf_mesh_used_nodes(m, m->dim, used, &unused);
  const bf_int phantoms = bf_numbering_phantoms(n);
  assert_int_equal(n->nrows - phantoms, m->nnodes - unused);
  for (bf_int i = 0; i < m->nnodes; i++) assert_int_equal(n->row[i] >= 0, used[i]);
  T_OK(bf_numbering_pattern(m, n, &g));
  T_OK(bf_graph_check(g));
  assert_int_equal(g->n, n->nrows);
  assert_true(n->nnz == pairs);
  assert_true(n->nnz + phantoms == g->ptr[g->n]);
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
      const bf_int off = g->adj[k] - i;
      reach            = abs(off) > reach ? abs(off) : reach;
      if (n->bands) assert_true(t_has_offset(n->bands, i, off));
    }
  if (n->split[0].bands) t_split_is_valid(n->split, g);
  assert_int_equal(reach, n->reach);
  bf_graph_destroy(&g);
  bf_host_free(used);
}

/* The numbering and those that follow it. */
static inline void t_is_valid(const bf_mesh *m, const bf_numbering *n)
{
  const int64_t pairs = t_count_pairs(m);
  T_OK(bf_numbering_check(n));
  for (const bf_numbering *k = n; k; k = k->next) t_rows_are_valid(m, k, pairs);
}

static inline const bf_try *t_chosen(const bf_numbering *n)
{
  for (int i = 0; i < n->ntries; i++)
    if (n->tries[i].chosen) return &n->tries[i];
  fail();
  return NULL;
}

/* No allocation of m's numbering may fail unnoticed, or leave a block behind. */
static inline void t_numbering_without_memory(const bf_mesh *m)
{
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_numbering *n = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_numbering_create(m, BF_ORDER_AUTO, &n));
    assert_int_equal(n != NULL, t.last);
    bf_numbering_destroy(&n);
  }
  assert_true(t.failed > 10);
}
#endif
