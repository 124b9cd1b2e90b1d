/* tests/mesh/t121_graph.c - adjacency from items, connected parts, reverse Cuthill-McKee */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/graph.h"
#include "tests/no_memory.h"
#include "tests/test.h"
#include <omp.h>

/* Items of 0 to 6 random nodes out of n, some of them negative. */
typedef struct items {
  bf_int  nitems;
  int64_t ptr[401];
  bf_int  node[2400];
} items;

static void random_items(items *it, bf_int n, bf_int nitems, uint64_t seed)
{
  uint64_t state = seed;
  it->nitems     = nitems;
  it->ptr[0]     = 0;
  for (bf_int e = 0; e < nitems; e++) {
    it->ptr[e + 1] = it->ptr[e];
    for (int k = (int)(t_random(&state) % 7); k > 0; k--)
      it->node[it->ptr[e + 1]++] = (bf_int)(t_random(&state) % (uint64_t)(n + 1)) - 1;
  }
}

/* adjacent[i*n + j] by the definition. */
static uint8_t *adjacency(const items *it, bf_int n, int diagonal)
{
  uint8_t *a = bf_host_alloc((size_t)n, (size_t)n);
  assert_non_null(a);
  for (bf_int e = 0; e < it->nitems; e++)
    for (int64_t j = it->ptr[e]; j < it->ptr[e + 1]; j++)
      for (int64_t k = it->ptr[e]; k < it->ptr[e + 1]; k++) {
        const bf_int p = it->node[j], q = it->node[k];
        if (p >= 0 && q >= 0 && (p != q || diagonal)) a[(size_t)p * (size_t)n + (size_t)q] = 1;
      }
  return a;
}

static void items_give_their_adjacency(void **state)
{
  (void)state;
  static const bf_int sizes[] = {1, 2, 31, 64, 97, 300};
  static items        it;
  for (int s = 0; s < 6; s++)
    for (int diagonal = 0; diagonal < 2; diagonal++) {
      const bf_int n = sizes[s];
      bf_graph    *g = NULL;
      random_items(&it, n, s == 2 ? 400 : n, (uint64_t)s + 5);
      T_OK(bf_graph_from_items(n, it.nitems, it.ptr, it.node, diagonal, &g));
      T_OK(bf_graph_check(g));
      uint8_t *a     = adjacency(&it, n, diagonal);
      int64_t  count = 0;
      for (bf_int i = 0; i < n; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
          assert_int_equal(a[(size_t)i * (size_t)n + (size_t)g->adj[k]], 1);
      for (size_t i = 0; i < (size_t)n * (size_t)n; i++) count += a[i];
      assert_int_equal(count, g->ptr[n]);
      bf_host_free(a);
      bf_graph_destroy(&g);
      assert_null(g);
    }
}

static void a_node_of_many_items_is_no_problem(void **state)
{
  (void)state;
  enum { N = 3000 };
  int64_t  *ptr  = bf_host_alloc(N, sizeof *ptr);
  bf_int   *node = bf_host_alloc(N, 2 * sizeof *node);
  bf_graph *g    = NULL;
  assert_true(ptr && node);
  for (bf_int e = 0; e < N - 1; e++) { /* a star */
    node[2 * e]     = 0;
    node[2 * e + 1] = N - 1 - e;
    ptr[e + 1]      = 2 * (e + 1);
  }
  T_OK(bf_graph_from_items(N, N - 1, ptr, node, 0, &g));
  T_OK(bf_graph_check(g));
  assert_int_equal(g->ptr[1], N - 1);
  assert_int_equal(g->ptr[N], 2 * (N - 1));
  bf_graph_destroy(&g);
  bf_host_free(ptr);
  bf_host_free(node);
}

static void wrong_items_are_refused(void **state)
{
  (void)state;
  const int64_t ptr[2]  = {0, 2};
  const bf_int  node[2] = {0, 5};
  bf_graph     *g       = NULL;
  T_ERR(BF_E_ARG, bf_graph_from_items(5, 1, ptr, node, 0, &g));
  assert_null(g);
  T_CONTAINS(bf_err_message(), "item 0 has node 5 of 5");
  T_OK(bf_graph_from_items(0, 0, NULL, NULL, 1, &g));
  T_OK(bf_graph_check(g));
  bf_graph_destroy(&g);
}

static void a_broken_graph_is_found(void **state)
{
  (void)state;
  bf_graph *g = NULL;
  T_OK(bf_graph_create(3, 4, &g));
  const int64_t ptr[4] = {0, 2, 3, 4};
  const bf_int  adj[4] = {1, 2, 0, 0};
  memcpy(g->ptr, ptr, sizeof ptr);
  memcpy(g->adj, adj, sizeof adj);
  T_OK(bf_graph_check(g));
  g->adj[1] = 3;
  T_ERR(BF_E_ARG, bf_graph_check(g));
  g->adj[1] = 1;
  T_ERR(BF_E_ARG, bf_graph_check(g));
  g->adj[1] = 2;
  g->ptr[1] = 4;
  T_ERR(BF_E_ARG, bf_graph_check(g));
  bf_graph_destroy(&g);
  T_ERR(BF_E_ARG, bf_graph_create(-1, 0, &g));
  assert_null(g);
}

/* ---- grids, with numbers shuffled ---- */

/* nx x ny grid graph (5 points); node (i, j) is p[j*nx + i]. */
static bf_graph *grid(bf_int nx, bf_int ny, const bf_int *p)
{
  bf_graph    *g    = NULL;
  const bf_int n    = nx * ny;
  int64_t     *ptr  = bf_host_alloc(2 * (size_t)n + 1, sizeof *ptr);
  bf_int      *node = bf_host_alloc(2 * (size_t)n, 2 * sizeof *node), e = 0;
  assert_true(ptr && node);
  for (bf_int j = 0; j < ny; j++)
    for (bf_int i = 0; i < nx; i++)
      for (int d = 0; d < 2; d++) {
        if (d == 0 ? i + 1 == nx : j + 1 == ny) continue;
        node[2 * e]     = p[j * nx + i];
        node[2 * e + 1] = p[j * nx + i + (d == 0 ? 1 : nx)];
        e++;
      }
  for (bf_int k = 0; k <= e; k++) ptr[k] = 2 * k;
  T_OK(bf_graph_from_items(n, e, ptr, node, 0, &g));
  bf_host_free(ptr);
  bf_host_free(node);
  return g;
}

static void shuffle(bf_int *p, bf_int n, uint64_t seed)
{
  uint64_t state = seed;
  for (bf_int i = 0; i < n; i++) p[i] = i;
  for (bf_int i = n - 1; i > 0; i--) {
    const bf_int j = (bf_int)(t_random(&state) % (uint64_t)(i + 1)), t = p[i];
    p[i] = p[j];
    p[j] = t;
  }
}

static bf_int bandwidth(const bf_graph *g, const bf_int *order)
{
  bf_int  reach = 0;
  bf_int *pos   = bf_host_alloc((size_t)g->n, sizeof *pos);
  assert_non_null(pos);
  for (bf_int k = 0; k < g->n; k++) pos[k] = -1;
  for (bf_int k = 0; k < g->n; k++) {
    assert_in_range(order[k], 0, g->n - 1);
    assert_int_equal(pos[order[k]], -1); /* a permutation */
    pos[order[k]] = k;
  }
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
      const bf_int d = abs(pos[i] - pos[g->adj[k]]);
      reach          = d > reach ? d : reach;
    }
  bf_host_free(pos);
  return reach;
}

static void rcm_of_a_shuffled_grid_is_about_as_wide_as_the_grid(void **state)
{
  (void)state;
  static bf_int p[40 * 60], order[40 * 60];
  for (uint64_t seed = 1; seed < 6; seed++) {
    shuffle(p, 40 * 60, seed);
    bf_graph *g = grid(40, 60, p);
    T_OK(bf_graph_rcm(g, order));
    const bf_int reach = bandwidth(g, order);
    assert_in_range(reach, 40, 48); /* 40 is the least possible, fronts from a corner are diagonals */
    bf_graph_destroy(&g);
  }
}

static void rcm_gives_a_full_band_its_width_back(void **state)
{
  (void)state;
  enum { N = 400 };
  static bf_int  p[N], order[N], file[N], node[N * 12];
  static int64_t ptr[N + 1];
  for (bf_int width = 1; width <= 11; width += 2) { /* item i: nodes i .. i+width of the band, renamed */
    shuffle(p, N, (uint64_t)width);
    bf_graph *g = NULL;
    int64_t   n = 0;
    for (bf_int i = 0; i + width < N; i++) {
      for (bf_int k = 0; k <= width; k++) node[n++] = p[i + k];
      ptr[i + 1] = n;
    }
    T_OK(bf_graph_from_items(N, N - width, ptr, node, 0, &g));
    T_OK(bf_graph_rcm(g, order));
    assert_int_equal(bandwidth(g, order), width);
    for (bf_int i = 0; i < N; i++) file[i] = i;
    assert_true(bandwidth(g, file) > 10 * width);
    bf_graph_destroy(&g);
  }
}

static void parts_are_found_in_order_of_their_first_vertex(void **state)
{
  (void)state;
  enum { N = 500, STRANDS = 7 };
  static bf_int part[N], seen[STRANDS], order[N];
  int64_t       ptr[N + 1];
  bf_int        node[2 * N], e = 0, nparts;
  bf_graph     *g = NULL;
  ptr[0]          = 0;
  for (bf_int i = 0; i + STRANDS < N; i++) { /* i is joined to i + 7: seven strands */
    node[2 * e]     = i + STRANDS;
    node[2 * e + 1] = i;
    ptr[e + 1]      = 2 * (int64_t)(e + 1);
    e++;
  }
  T_OK(bf_graph_from_items(N, e, ptr, node, 0, &g));
  T_OK(bf_graph_components(g, part, &nparts));
  assert_int_equal(nparts, STRANDS);
  for (bf_int i = 0; i < N; i++) assert_int_equal(part[i], i % STRANDS);
  T_OK(bf_graph_rcm(g, order)); /* its parts in the same order */
  assert_int_equal(bandwidth(g, order), 1);
  for (bf_int k = 1; k < N; k++) assert_true(part[order[k]] >= part[order[k - 1]]);
  for (bf_int k = 0; k < N; k++) seen[part[order[k]]]++;
  for (int s = 0; s < STRANDS; s++) assert_in_range(seen[s], N / STRANDS, N / STRANDS + 1);
  bf_graph_destroy(&g);
}

static void the_largest_numbers_first_make_one_part_too(void **state)
{
  (void)state;
  static bf_int p[900], part[900];
  bf_int        nparts;
  for (uint64_t seed = 1; seed < 4; seed++) {
    shuffle(p, 900, seed);
    bf_graph *g = grid(30, 30, p);
    T_OK(bf_graph_components(g, part, &nparts));
    assert_int_equal(nparts, 1);
    for (bf_int i = 0; i < 900; i++) assert_int_equal(part[i], 0);
    bf_graph_destroy(&g);
  }
}

static void the_graph_does_not_depend_on_threads(void **state)
{
  (void)state;
  static items it;
  const int    nt = omp_get_max_threads();
  bf_graph    *a = NULL, *b = NULL;
  random_items(&it, 300, 400, 77);
  omp_set_num_threads(1);
  T_OK(bf_graph_from_items(300, it.nitems, it.ptr, it.node, 1, &a));
  omp_set_num_threads(5);
  T_OK(bf_graph_from_items(300, it.nitems, it.ptr, it.node, 1, &b));
  omp_set_num_threads(nt);
  assert_memory_equal(a->ptr, b->ptr, 301 * sizeof *a->ptr);
  assert_memory_equal(a->adj, b->adj, (size_t)a->ptr[300] * sizeof *a->adj);
  bf_graph_destroy(&a);
  bf_graph_destroy(&b);
}

static void no_allocation_failure_leaks(void **state)
{
  (void)state;
  static items  it;
  static bf_int order[300];
  random_items(&it, 300, 400, 77);
  t_no_memory t = {0};
  while (t_no_memory_next(&t)) {
    bf_graph *g = NULL;
    t_no_memory_begin(&t);
    bf_err err = bf_graph_from_items(300, it.nitems, it.ptr, it.node, 1, &g);
    if (err == BF_OK) err = bf_graph_rcm(g, order);
    t_no_memory_end(&t, err);
    bf_graph_destroy(&g);
  }
  assert_true(t.failed > 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_give_their_adjacency),
      cmocka_unit_test(a_node_of_many_items_is_no_problem),
      cmocka_unit_test(wrong_items_are_refused),
      cmocka_unit_test(a_broken_graph_is_found),
      cmocka_unit_test(rcm_of_a_shuffled_grid_is_about_as_wide_as_the_grid),
      cmocka_unit_test(rcm_gives_a_full_band_its_width_back),
      cmocka_unit_test(parts_are_found_in_order_of_their_first_vertex),
      cmocka_unit_test(the_largest_numbers_first_make_one_part_too),
      cmocka_unit_test(the_graph_does_not_depend_on_threads),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return T_RUN(tests);
}
