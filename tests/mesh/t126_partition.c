/* tests/mesh/t126_partition.c - parts of a graph: by METIS, and grown along couplings */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/partition/partition.h"
#include "tests/no_memory.h"
#include "tests/test.h"

/* nx times ny points, each a neighbour of those beside it; with loops where `loops`. */
static bf_graph *grid(bf_int nx, bf_int ny, int loops)
{
  bf_graph *g = NULL;
  T_OK(bf_graph_create(nx * ny, 5 * (int64_t)nx * ny, &g));
  int64_t at = 0;
  for (bf_int v = 0; v < nx * ny; v++) {
    if (v >= nx) g->adj[at++] = v - nx;
    if (v % nx > 0) g->adj[at++] = v - 1;
    if (loops) g->adj[at++] = v;
    if (v % nx < nx - 1) g->adj[at++] = v + 1;
    if (v + nx < nx * ny) g->adj[at++] = v + nx;
    g->ptr[v + 1] = at;
  }
  T_OK(bf_graph_check(g));
  return g;
}

static void parts_cover_the_graph_and_are_about_equal(void **state)
{
  (void)state;
  static const bf_int counts[] = {1, 2, 3, 7, 25, 100, 833, 2499, 2500, 4000};
  bf_graph           *g        = grid(50, 50, 1);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    bf_partition *p = NULL, *q = NULL;
    T_OK(bf_partition_create(g, counts[c], 2500, &p));
    T_OK(bf_partition_check(p));
    assert_int_equal(p->n, 2500);
    assert_true(p->count <= counts[c]);
    if (counts[c] <= 500)
      assert_int_equal(p->count, counts[c]); /* parts of a vertex or two: some stay empty */
    if (counts[c] >= 2500) assert_int_equal(p->count, 2500);
    bf_int most = 0;
    for (bf_int k = 0; k < p->count; k++)
      most = p->ptr[k + 1] - p->ptr[k] > most ? p->ptr[k + 1] - p->ptr[k] : most;
    if (counts[c] <= 100) T_LE(most, 1.05 * 2500.0 / counts[c] + 3.0);
    T_OK(bf_partition_create(g, counts[c], 2500, &q)); /* the same again */
    assert_int_equal(p->count, q->count);
    assert_memory_equal(p->vertex, q->vertex, 2500 * sizeof(bf_int));
    bf_partition_destroy(&p);
    bf_partition_destroy(&q);
  }
  bf_graph_destroy(&g);
}

static void parts_of_a_grid_cut_few_edges(void **state)
{
  (void)state;
  enum { SIDE = 64, PARTS = 64 }; /* squares of 8 x 8 would cut 2 * 7 * 64 of the 8064 edges */
  bf_graph     *g = grid(SIDE, SIDE, 0);
  bf_partition *p = NULL;
  bf_int        part[SIDE * SIDE], cut = 0;
  T_OK(bf_partition_create(g, PARTS, SIDE * SIDE, &p));
  for (bf_int k = 0; k < p->count; k++)
    for (bf_int i = p->ptr[k]; i < p->ptr[k + 1]; i++) part[p->vertex[i]] = k;
  for (bf_int v = 0; v < g->n; v++)
    for (int64_t k = g->ptr[v]; k < g->ptr[v + 1]; k++) cut += part[v] < part[g->adj[k]];
  T_LE(cut, 1.3 * 2 * 7 * 64);
  bf_partition_destroy(&p);
  bf_graph_destroy(&g);
}

static void a_part_above_the_limit_is_cut_in_pieces(void **state)
{
  (void)state;
  bf_graph     *g = grid(30, 10, 0);
  bf_partition *p = NULL;
  T_OK(bf_partition_create(g, 2, 40, &p));
  T_OK(bf_partition_check(p));
  assert_true(p->count >= 8 && p->count <= 9);
  for (bf_int k = 0; k < p->count; k++) assert_true(p->ptr[k + 1] - p->ptr[k] <= 40);
  bf_partition_destroy(&p);
  bf_graph_destroy(&g);
}

static void what_is_no_graph_or_no_number_of_parts_is_refused(void **state)
{
  (void)state;
  bf_graph     *g = grid(10, 10, 0), *none = NULL;
  bf_partition *p = NULL;
  T_ERR(BF_E_ARG, bf_partition_create(g, 0, 10, &p));
  T_ERR(BF_E_ARG, bf_partition_create(g, 3, 0, &p));
  g->adj[0] = 55; /* an edge in one direction */
  T_ERR(BF_E_ARG, bf_partition_create(g, 3, 100, &p));
  T_CONTAINS(bf_err_message(), "not the other way round");
  assert_null(p);
  T_OK(bf_graph_create(0, 0, &none));
  T_OK(bf_partition_create(none, 4, 10, &p));
  assert_int_equal(p->count, 0);
  bf_partition_destroy(&p);
  bf_graph_destroy(&none);
  bf_graph_destroy(&g);
}

static void a_failed_allocation_of_a_partition_leaves_nothing(void **state)
{
  (void)state;
  bf_graph   *g = grid(20, 20, 0);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_partition *p = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_partition_create(g, 5, 400, &p));
    assert_int_equal(p != NULL, t.last);
    bf_partition_destroy(&p);
  }
  assert_true(t.failed > 0);
  bf_graph_destroy(&g);
}

/* Couplings of a grid of nx points a row: `along` between neighbours of a row, `across` between rows. */
static float *couplings(const bf_graph *g, bf_int nx, float along, float across)
{
  float *c = malloc((size_t)g->ptr[g->n] * sizeof *c + 1);
  for (bf_int v = 0; v < g->n; v++)
    for (int64_t k = g->ptr[v]; k < g->ptr[v + 1]; k++) c[k] = g->adj[k] / nx == v / nx ? along : across;
  return c;
}

static void grown_parts_cover_the_graph_and_have_the_size(void **state)
{
  (void)state;
  static const bf_int sizes[] = {1, 2, 7, 64, 100, 2500, 4000};
  bf_graph           *g       = grid(50, 50, 1);
  float              *c       = couplings(g, 50, 1.0F, 1.0F);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    bf_partition *p = NULL, *q = NULL;
    bf_int        large = 0;
    T_OK(bf_partition_grow(g, c, sizes[s], 5000, &p));
    T_OK(bf_partition_check(p));
    assert_int_equal(p->n, 2500);
    for (bf_int k = 0; k < p->count; k++) {
      const bf_int have = p->ptr[k + 1] - p->ptr[k];
      assert_true(have <= sizes[s] + sizes[s] / 8);
      large += 2 * have > sizes[s];
    }
    T_LE(0.9 * p->count, large);
    T_OK(bf_partition_grow(g, c, sizes[s], 5000, &q)); /* the same again */
    assert_int_equal(p->count, q->count);
    assert_memory_equal(p->vertex, q->vertex, 2500 * sizeof(bf_int));
    bf_partition_destroy(&p);
    bf_partition_destroy(&q);
  }
  free(c);
  bf_graph_destroy(&g);
}

static void strong_couplings_stay_within_grown_parts(void **state)
{
  (void)state;
  enum { NX = 16, NY = 60 };
  bf_graph     *g = grid(NX, NY, 0);
  float        *c = couplings(g, NX, 1.0F, 1e-3F);
  bf_partition *p = NULL;
  bf_int        part[NX * NY];
  T_OK(bf_partition_grow(g, c, 4 * NX, 512, &p));
  for (bf_int k = 0; k < p->count; k++)
    for (bf_int i = p->ptr[k]; i < p->ptr[k + 1]; i++) part[p->vertex[i]] = k;
  for (bf_int v = 0; v < NX * NY; v++)
    if ((v + 1) % NX != 0) assert_int_equal(part[v], part[v + 1]);
  assert_int_equal(p->count, NY / 4);
  free(c);
  bf_partition_destroy(&p);
  bf_graph_destroy(&g);
}

/* Vertices without any edge share parts, and a part above the limit is cut. */
static void lonely_vertices_share_grown_parts(void **state)
{
  (void)state;
  bf_graph     *g = NULL;
  float         none[1];
  bf_partition *p = NULL;
  T_OK(bf_graph_create(1000, 0, &g));
  T_OK(bf_partition_grow(g, none, 64, 512, &p));
  T_OK(bf_partition_check(p));
  assert_int_equal(p->count, (1000 + 71) / 72);
  bf_partition_destroy(&p);
  T_ERR(BF_E_ARG, bf_partition_grow(g, none, 0, 10, &p));
  T_ERR(BF_E_ARG, bf_partition_grow(g, none, 20, 10, &p));
  bf_graph_destroy(&g);
}

static void a_failed_allocation_of_grown_parts_leaves_nothing(void **state)
{
  (void)state;
  bf_graph   *g = grid(20, 20, 0);
  float      *c = couplings(g, 20, 1.0F, 0.5F);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_partition *p = NULL;
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_partition_grow(g, c, 30, 400, &p));
    bf_partition_destroy(&p);
  }
  assert_true(t.failed > 3);
  free(c);
  bf_graph_destroy(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_cover_the_graph_and_are_about_equal),
      cmocka_unit_test(parts_of_a_grid_cut_few_edges),
      cmocka_unit_test(a_part_above_the_limit_is_cut_in_pieces),
      cmocka_unit_test(what_is_no_graph_or_no_number_of_parts_is_refused),
      cmocka_unit_test(a_failed_allocation_of_a_partition_leaves_nothing),
      cmocka_unit_test(grown_parts_cover_the_graph_and_have_the_size),
      cmocka_unit_test(strong_couplings_stay_within_grown_parts),
      cmocka_unit_test(lonely_vertices_share_grown_parts),
      cmocka_unit_test(a_failed_allocation_of_grown_parts_leaves_nothing),
  };
  return T_RUN(tests);
}
