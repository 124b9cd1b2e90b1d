/* tests/kernels/multigrid/t386_aggregates.c - strong couplings and aggregates against slow definitions
 * usage: t386_aggregates <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/aggregate_node.h"
#include "tests/kernels/multigrid/block_case.h"

typedef struct graph { /* on the host: strength[n][n], 0 where there is no strong coupling */
  bf_int   n;
  float   *strength;
  uint8_t *live;
} graph;

/* A symmetric matrix of n nodes on a ring of rows of 12: neighbours near and a few far, some weak, nodes 5
 * and n - 3 alone. */
static t_blocks ring(bf_int n, int D, int fixed_every, uint64_t *seed)
{
  double      *a   = calloc((size_t)n * (size_t)n, sizeof *a);
  t_blocks     b   = {.form = {n, n, D, D, BF_FP64}};
  int64_t      nnz = 0;
  const size_t N = (size_t)n, one = (size_t)(D * D);
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < i; j++) {
      const bf_int d    = i - j;
      const int    near = d == 1 || d == 11 || d == 12 || d == 13,
                alone   = i == 5 || j == 5 || i == n - 3 || j == n - 3;
      const int held    = fixed_every > 0 && (i % fixed_every == 0 || j % fixed_every == 0);
      if (held || alone || (!near && t_uniform(seed) > 0.01)) continue;
      a[(size_t)i * N + (size_t)j] = a[(size_t)j * N + (size_t)i] =
          t_uniform(seed) < 0.3 ? 1e-3 : 0.1 + t_uniform(seed);
    }
  for (bf_int i = 0; i < n; i++) a[(size_t)i * N + (size_t)i] = 4.0;
  for (size_t e = 0; e < N * N; e++) nnz += a[e] != 0.0;
  b.ptr = calloc(N + 1, sizeof *b.ptr);
  b.col = calloc((size_t)nnz, sizeof *b.col);
  b.val = calloc((size_t)nnz * one, sizeof *b.val);
  nnz   = 0;
  for (bf_int i = 0; i < n; i++) {
    for (bf_int j = 0; j < n; j++) {
      const double w = a[(size_t)i * N + (size_t)j];
      if (w == 0.0) continue;
      for (int x = 0; x < D; x++)
        for (int y = 0; y < D; y++) {
          /* of the pair, the same from both sides */
          const int    lo = i < j ? x : y, hi = i < j ? y : x;
          const double v =
              i == j ? (x == y ? w : 0.1) : -w * (x == y ? 1.0 : 0.01 * (double)(1 + lo - 2 * hi));
          b.val[(nnz * D + y) * D + x] = v;
        }
      b.col[nnz++] = j;
    }
    b.ptr[i + 1] = nnz;
  }
  free(a);
  return b;
}

static double norm(const t_blocks *b, int64_t k)
{
  const int D = b->form.br;
  double    s = 0.0;
  for (int e = 0; e < D * D; e++) s += b->val[k * D * D + e] * b->val[k * D * D + e];
  return sqrt(s);
}

static graph definition(const t_blocks *b, double theta, int fixed_every)
{
  const bf_int n = b->form.nrows;
  graph g = {.n = n, .strength = calloc((size_t)n * (size_t)n, sizeof(float)), .live = calloc((size_t)n, 1)};
  double *diag = calloc((size_t)n, sizeof *diag);
  for (bf_int i = 0; i < n; i++) {
    g.live[i] = !(fixed_every > 0 && i % fixed_every == 0);
    for (int64_t k = b->ptr[i]; k < b->ptr[i + 1]; k++)
      if (b->col[k] == i) diag[i] = norm(b, k);
  }
  for (bf_int i = 0; i < n; i++)
    for (int64_t k = b->ptr[i]; k < b->ptr[i + 1]; k++) {
      const bf_int j = b->col[k];
      const double s = norm(b, k) / sqrt(diag[i] * diag[j]);
      if (j != i && s >= theta) g.strength[(size_t)i * (size_t)n + (size_t)j] = (float)s;
    }
  free(diag);
  return g;
}

static void graph_free(graph *g)
{
  free(g->strength);
  free(g->live);
}

/* Roots one after the other, in the order of the hash: a node is one where none is at distance two. */
static void roots_of(const graph *g, uint8_t *root)
{
  const size_t n    = (size_t)g->n;
  uint8_t     *done = calloc(n, 1), *near = calloc(n, 1);
  for (size_t step = 0; step < n; step++) {
    size_t best = n;
    for (size_t i = 0; i < n; i++)
      if (!done[i] && g->live[i] && (best == n || bf_mg_key(1, (bf_int)i) > bf_mg_key(1, (bf_int)best)))
        best = i;
    if (best == n) break;
    done[best] = 1;
    memset(near, 0, n);
    for (size_t j = 0; j < n; j++)
      if (j == best || g->strength[best * n + j] > 0.0F)
        for (size_t k = 0; k < n; k++) near[k] |= k == j || g->strength[j * n + k] > 0.0F;
    int taken = 0;
    for (size_t k = 0; k < n; k++) taken |= near[k] && root[k];
    root[best] = !taken;
  }
  free(done);
  free(near);
}

static bf_int aggregates_of(const graph *g, bf_int *aggregate)
{
  const size_t n    = (size_t)g->n;
  uint8_t     *root = calloc(n, 1);
  bf_int      *next = calloc(n, sizeof *next), count = 0;
  roots_of(g, root);
  for (size_t i = 0; i < n; i++) aggregate[i] = -1;
  for (size_t i = 0; i < n; i++) {
    if (!root[i]) continue;
    for (size_t j = 0; j < n; j++)
      if (g->live[j] && (j == i || g->strength[i * n + j] > 0.0F)) aggregate[j] = count;
    count++;
  }
  for (int sweep = 0; sweep < 3; sweep++) {
    memcpy(next, aggregate, n * sizeof *next);
    for (size_t i = 0; i < n; i++) {
      float best = 0.0F;
      for (size_t j = 0; j < n && g->live[i] && aggregate[i] < 0; j++) {
        const float s = g->strength[i * n + j];
        if (aggregate[j] < 0 || s < best || !(s > 0.0F)) continue;
        if (s > best || aggregate[j] < next[i]) next[i] = aggregate[j];
        best = s;
      }
    }
    memcpy(aggregate, next, n * sizeof *next);
  }
  for (size_t i = 0; i < n; i++)
    if (g->live[i] && aggregate[i] < 0) aggregate[i] = count++;
  free(root);
  free(next);
  return count;
}

/* The couplings that the backend finds; owned by the caller. */
static bf_mg_graph found(const bf_block_rows *A, double theta, float **strength)
{
  const bf_mg_aggregate_ops *ops = t_be->ops.mg_aggregates;
  bf_mg_graph                G   = {.n = A->form.nrows};
  void                      *p;
  T_OK(t_be->ops.alloc(t_be, (size_t)A->nnz * sizeof(float), &p));
  *strength = p;
  T_OK(ops->strengths(t_be, A, *strength));
  T_OK(t_be->ops.alloc(t_be, ((size_t)G.n + 1) * sizeof(int64_t), &p));
  G.ptr = p;
  T_OK(ops->strong_count(t_be, A, *strength, theta, G.ptr, &G.nnz));
  T_OK(t_be->ops.alloc(t_be, (size_t)G.nnz * sizeof(bf_int), &p));
  G.col = p;
  T_OK(t_be->ops.alloc(t_be, (size_t)G.nnz * sizeof(float), &p));
  G.strength = p;
  T_OK(ops->strong_fill(t_be, A, *strength, theta, &G));
  return G;
}

static void found_free(bf_mg_graph *G, float *strength)
{
  t_be->ops.release(t_be, G->ptr);
  t_be->ops.release(t_be, G->col);
  t_be->ops.release(t_be, G->strength);
  t_be->ops.release(t_be, strength);
}

static void compare_graphs(const bf_mg_graph *G, const graph *g)
{
  const size_t n   = (size_t)g->n;
  int64_t     *ptr = malloc((n + 1) * sizeof *ptr), edges = 0;
  bf_int      *col = malloc((size_t)G->nnz * sizeof *col);
  float       *s   = malloc((size_t)G->nnz * sizeof *s);
  t_to_host(ptr, G->ptr, (n + 1) * sizeof *ptr);
  t_to_host(col, G->col, (size_t)G->nnz * sizeof *col);
  t_to_host(s, G->strength, (size_t)G->nnz * sizeof *s);
  for (size_t e = 0; e < n * n; e++) edges += g->strength[e] > 0.0F;
  assert_int_equal(G->nnz, edges + (int64_t)n);
  for (size_t i = 0; i < n; i++)
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
      const size_t j = (size_t)col[k];
      if (i == j)
        assert_true(s[k] == 0.0F);
      else
        T_NEAR((double)s[k], (double)g->strength[i * n + j], 1e-6);
      if (i != j) assert_true(g->strength[i * n + j] > 0.0F);
      if (k > ptr[i]) assert_true(col[k] > col[k - 1]);
    }
  free(ptr), free(col), free(s);
}

/* Aggregates of the backend are those of the definition; members are in order. */
static void compare(bf_int n, int D, double theta, int fixed_every, uint64_t seed)
{
  const bf_mg_aggregate_ops *ops = t_be->ops.mg_aggregates;
  t_blocks                   b   = ring(n, D, fixed_every, &seed);
  bf_block_rows             *A   = t_rows_of(&b);
  graph                      g   = definition(&b, theta, fixed_every);
  float                     *strength;
  bf_mg_graph                G     = found(A, theta, &strength);
  const size_t               bytes = (size_t)n * sizeof(bf_int);
  uint8_t                   *fixed = calloc((size_t)(n * D), 1);
  bf_int *want = malloc(bytes), *got = malloc(bytes), *node = malloc(bytes), count = -1, nlive = -1;
  for (bf_int r = 0; r < n * D; r++) fixed[r] = fixed_every > 0 && (r / D % fixed_every == 0 || r % 13 == 0);
  for (bf_int i = 0; i < n && D == 1; i++) fixed[i] = !g.live[i];
  compare_graphs(&G, &g);
  void *dfixed = t_to_backend(fixed, (size_t)(n * D)), *dlive, *dagg, *dptr, *dnode;
  T_OK(t_be->ops.alloc(t_be, (size_t)n, &dlive));
  T_OK(t_be->ops.alloc(t_be, bytes, &dagg));
  T_OK(t_be->ops.alloc(t_be, bytes, &dnode));
  T_OK(ops->live(t_be, n, D, dfixed, dlive, &nlive));
  T_OK(ops->aggregate(t_be, &G, dlive, dagg, &count));
  const bf_int expected = aggregates_of(&g, want);
  t_to_host(got, dagg, bytes);
  assert_int_equal(count, expected);
  assert_memory_equal(got, want, bytes);
  bf_int alive = 0;
  for (bf_int i = 0; i < n; i++) alive += g.live[i];
  assert_int_equal(nlive, alive);
  T_OK(t_be->ops.alloc(t_be, ((size_t)count + 1) * sizeof(int64_t), &dptr));
  T_OK(ops->members(t_be, n, count, dagg, dptr, dnode));
  int64_t *ptr = malloc(((size_t)count + 1) * sizeof *ptr);
  t_to_host(ptr, dptr, ((size_t)count + 1) * sizeof *ptr);
  assert_int_equal(ptr[0], 0);
  assert_int_equal(ptr[count], alive);
  t_to_host(node, dnode, (size_t)alive * sizeof *node);
  for (bf_int a = 0; a < count; a++)
    for (int64_t m = ptr[a]; m < ptr[a + 1]; m++) {
      assert_int_equal(want[node[m]], a);
      if (m > ptr[a]) assert_true(node[m] > node[m - 1]);
    }
  free(want), free(got), free(node), free(fixed), free(ptr);
  t_be->ops.release(t_be, dfixed);
  t_be->ops.release(t_be, dlive);
  t_be->ops.release(t_be, dagg);
  t_be->ops.release(t_be, dptr);
  t_be->ops.release(t_be, dnode);
  found_free(&G, strength);
  graph_free(&g);
  bf_block_rows_destroy(&A);
  t_blocks_free(&b);
}

static void aggregates_are_those_of_the_definition(void **state)
{
  (void)state;
  compare(60, 1, 0.02, 0, 3);
  compare(173, 1, 0.02, 0, 4);
  compare(173, 2, 0.02, 9, 5);
  compare(240, 3, 0.1, 17, 6);
  compare(240, 3, 0.0, 17, 7);
  compare(97, 6, 0.02, 5, 8);
}

static void without_strong_couplings_every_node_is_alone(void **state)
{
  (void)state;
  compare(64, 1, 10.0, 0, 9);
  compare(64, 3, 10.0, 4, 10);
}

static void no_live_node_has_no_aggregate(void **state)
{
  (void)state;
  compare(40, 1, 0.02, 1, 11);
}

static void strengths_of_both_sides_are_equal(void **state)
{
  (void)state;
  uint64_t       seed = 12;
  t_blocks       b    = ring(150, 3, 0, &seed);
  bf_block_rows *A    = t_rows_of(&b);
  float         *d, *s = malloc((size_t)A->nnz * sizeof *s);
  bf_mg_graph    G = found(A, 0.0, &d);
  t_to_host(s, d, (size_t)A->nnz * sizeof *s);
  for (bf_int i = 0; i < 150; i++)
    for (int64_t k = b.ptr[i]; k < b.ptr[i + 1]; k++)
      for (int64_t q = b.ptr[b.col[k]]; q < b.ptr[b.col[k] + 1]; q++)
        if (b.col[q] == i) assert_true(s[k] == s[q]);
  free(s);
  found_free(&G, d);
  bf_block_rows_destroy(&A);
  t_blocks_free(&b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aggregates_are_those_of_the_definition),
      cmocka_unit_test(without_strong_couplings_every_node_is_alone),
      cmocka_unit_test(no_live_node_has_no_aggregate),
      cmocka_unit_test(strengths_of_both_sides_are_equal),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
