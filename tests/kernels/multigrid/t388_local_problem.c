/* tests/kernels/multigrid/t388_local_problem.c - Neumann matrices of aggregates against dense elimination
 * usage: t388_local_problem <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/batch.h"
#include "kernels/multigrid/local_problem.h"
#include "tests/backend.h"
#include <math.h>

enum { NODES = 40, ELEMENTS = 60, COUNT = 5 };

typedef struct body { /* random elements of 2 to 4 nodes; nodes have 1 to 3 unknowns */
  bf_int        first[NODES + 1], aggregate[NODES], node[4 * ELEMENTS];
  int64_t       ptr[ELEMENTS + 1], at[ELEMENTS + 1];
  uint8_t       fixed[3 * NODES];
  double        diagonal[3 * NODES], *K;
  bf_local_body open;
} body;

static bf_int order_of(const body *b, bf_int e)
{
  bf_int order = 0;
  for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
    order += b->first[b->node[k] + 1] - b->first[b->node[k]];
  return order;
}

/* K_e = sum of squares of three random vectors, each of sum 0: symmetric, singular. */
static void element(double *K, bf_int order, uint64_t *seed)
{
  double v[12];
  for (int r = 0; r < 3; r++) {
    double mean = 0.0;
    for (bf_int i = 0; i < order; i++) v[i] = t_uniform(seed) - 0.5, mean += v[i] / order;
    for (bf_int i = 0; i < order; i++)
      for (bf_int j = 0; j < order; j++) K[j * order + i] += (v[i] - mean) * (v[j] - mean);
  }
}

static body *new_body(uint64_t seed)
{
  body *b = calloc(1, sizeof *b);
  for (bf_int i = 0; i < NODES; i++) {
    b->first[i + 1] = b->first[i] + 1 + i % 3;
    b->aggregate[i] = i % 13 == 0 ? -1 : i * COUNT / NODES;
  }
  for (bf_int u = 0; u < b->first[NODES]; u++) {
    b->fixed[u]    = u % 17 == 4;
    b->diagonal[u] = 1.0 + t_uniform(&seed);
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
  b->open = (bf_local_body){
      NODES, b->first, b->fixed, b->diagonal, b->aggregate, COUNT, {ELEMENTS, b->ptr, b->node, b->at, b->K}};
  return b;
}

static int touches(const body *b, bf_int e, bf_int a)
{
  for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
    if (b->aggregate[b->node[k]] == a) return 1;
  return 0;
}

static void lists_name_what_belongs_to_an_aggregate(void **state)
{
  (void)state;
  body          *b = new_body(1);
  bf_local_lists L;
  T_OK(bf_local_lists_create(&b->open, &L));
  for (bf_int a = 0; a < COUNT; a++) {
    int64_t at = L.uptr[a], e0 = L.eptr[a];
    for (bf_int i = 0; i < NODES; i++)
      for (bf_int u = b->first[i]; u < b->first[i + 1]; u++)
        if (b->aggregate[i] == a && !b->fixed[u]) assert_int_equal(L.unknown[at++], u);
    assert_int_equal(at, L.uptr[a + 1]);
    for (bf_int e = 0; e < ELEMENTS; e++)
      if (touches(b, e, a)) assert_int_equal(L.element[e0++], e);
    assert_int_equal(e0, L.eptr[a + 1]);
  }
  for (bf_int e = 0; e < ELEMENTS; e++) {
    bf_int least = -1;
    for (bf_int a = COUNT - 1; a >= 0; a--) least = touches(b, e, a) ? a : least;
    assert_int_equal(L.owner[e], least);
  }
  bf_local_lists_clear(&L);
  free(b->K);
  free(b);
}

/* The Schur complement of aggregate a by elimination of one other unknown after the other. */
static bf_int schur(const body *b, bf_int a, double shift, double *S)
{
  const bf_int n = b->first[NODES];
  double      *N = calloc((size_t)n * (size_t)n, sizeof *N), mean = 0.0;
  bf_int       c = 0, own[3 * NODES], m = 0;
  uint8_t      is[3 * NODES] = {0}; /* 1: own, 2: other */
  for (bf_int e = 0; e < ELEMENTS; e++) {
    bf_int u[12], order = 0;
    if (!touches(b, e, a)) continue;
    for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
      for (bf_int v = b->first[b->node[k]]; v < b->first[b->node[k] + 1]; v++) {
        is[v]      = b->fixed[v] ? 0 : b->aggregate[b->node[k]] == a ? 1 : 2;
        u[order++] = v;
      }
    for (bf_int i = 0; i < order; i++)
      for (bf_int j = 0; j < order; j++)
        if (!b->fixed[u[i]] && !b->fixed[u[j]]) N[u[i] * n + u[j]] += b->K[b->at[e] + i * order + j];
  }
  for (bf_int u = 0; u < n; u++) c += is[u] == 2;
  for (bf_int u = 0; u < n; u++) mean += is[u] == 2 ? N[u * n + u] / c : 0.0;
  for (bf_int u = 0; u < n; u++)
    if (is[u] == 2) N[u * n + u] += 1e-8 * N[u * n + u] + 1e-10 * mean;
  for (bf_int u = 0; u < n; u++) {
    if (is[u] != 2) continue;
    for (bf_int i = 0; i < n; i++)
      for (bf_int j = 0; j < n; j++)
        if (i != u && j != u && is[i] && is[j]) N[i * n + j] -= N[i * n + u] * N[u * n + j] / N[u * n + u];
    for (bf_int i = 0; i < n; i++) N[i * n + u] = N[u * n + i] = 0.0;
  }
  for (bf_int i = 0; i < NODES; i++)
    for (bf_int u = b->first[i]; u < b->first[i + 1]; u++)
      if (b->aggregate[i] == a && !b->fixed[u]) own[m++] = u;
  for (bf_int i = 0; i < m; i++)
    for (bf_int j = 0; j < m; j++)
      S[j * m + i] =
          N[own[i] * n + own[j]] / sqrt(b->diagonal[own[i]] * b->diagonal[own[j]]) + (i == j ? shift : 0.0);
  free(N);
  return m;
}

static void the_factor_holds_the_schur_complement(void **state)
{
  (void)state;
  enum { LD = 3 * NODES };
  const bf_int which[3] = {3, 0, 4};
  const double shift    = 1e-3;
  body        *b        = new_body(2);
  double      *a = calloc(3 * LD * LD, sizeof *a), *s = calloc(3 * LD * LD, sizeof *s),
         *want = calloc(LD * LD, sizeof *want);
  bf_int         sizes[3], info[3];
  size_t         bytes;
  bf_local_lists L;
  T_OK(bf_local_lists_create(&b->open, &L));
  T_OK(bf_local_assemble(&b->open, &L, 3, which, shift, LD, a));
  for (int k = 0; k < 3; k++)
    sizes[k] = L.others[which[k]] + (bf_int)(L.uptr[which[k] + 1] - L.uptr[which[k]]);
  void *da = t_to_backend(a, 3 * LD * LD * sizeof *a), *ds = t_to_backend(sizes, sizeof sizes),
       *di = t_to_backend(info, sizeof sizes), *work = NULL;
  const bf_batch batch = {
      .type = BF_D, .n = LD, .ld = LD, .count = 3, .stride = LD * LD, .a = da, .sizes = ds};
  T_OK(bf_batch_work(t_be, BF_POTRF, &batch, &bytes));
  T_OK(t_be->ops.alloc(t_be, bytes, &work));
  T_OK(bf_potrf_batch(t_be, BF_LOWER, &batch, di, work));
  t_to_host(a, da, 3 * LD * LD * sizeof *a);
  t_to_host(info, di, sizeof info);
  bf_local_schur(&L, 3, which, LD, a, LD, s);
  for (int k = 0; k < 3; k++) {
    const bf_int m = schur(b, which[k], shift, want);
    assert_int_equal(info[k], 0);
    assert_int_equal(m, L.uptr[which[k] + 1] - L.uptr[which[k]]);
    for (bf_int i = 0; i < m; i++)
      for (bf_int j = 0; j < m; j++) T_NEAR(s[k * LD * LD + j * LD + i], want[j * m + i], 1e-6);
  }
  t_be->ops.release(t_be, da);
  t_be->ops.release(t_be, ds);
  t_be->ops.release(t_be, di);
  t_be->ops.release(t_be, work);
  bf_local_lists_clear(&L);
  free(a), free(s), free(want), free(b->K), free(b);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_name_what_belongs_to_an_aggregate),
      cmocka_unit_test(the_factor_holds_the_schur_complement),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
