/* tests/kernels/multigrid/t388_local_problem.c - Neumann matrices of aggregates against dense elimination
 * usage: t388_local_problem <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/multigrid/local_case.h"

static void lists_name_what_belongs_to_an_aggregate(void **state)
{
  (void)state;
  body          *b = new_body(1);
  bf_local_lists L;
  bf_int         unknown[3 * NODES], col[ELEMENTS + NODES], others[COUNT], number, at = 0;
  int64_t        uptr[COUNT + 1];
  T_OK(bf_local_lists_create(t_be, &b->open, &L));
  t_to_host(uptr, L.uptr, sizeof uptr);
  t_to_host(unknown, L.unknown, sizeof(bf_int) * (size_t)b->first[NODES]);
  t_to_host(others, L.others, sizeof others);
  T_OK(t_be->ops.sync(t_be));
  for (bf_int a = 0; a < COUNT; a++) {
    for (bf_int i = 0; i < NODES; i++)
      for (bf_int u = b->first[i]; u < b->first[i + 1]; u++)
        if (b->aggregate[i] == a && !b->fixed[u]) assert_int_equal(unknown[at++], u);
    assert_int_equal(at, uptr[a + 1]);
    number = row_of(L.element, a, col);
    for (bf_int e = 0, k = 0; e < ELEMENTS; e++)
      if (touches(b, e, a)) assert_int_equal(col[k++], e);
    uint8_t met[NODES] = {0};
    bf_int  want = 0, nodes = 0;
    for (bf_int k = 0; k < number; k++)
      for (int64_t q = b->ptr[col[k]]; q < b->ptr[col[k] + 1]; q++) met[b->node[q]] = 1;
    for (bf_int i = 0; i < NODES; i++)
      for (bf_int u = b->first[i]; met[i] && u < b->first[i + 1]; u++)
        want += b->aggregate[i] != a && !b->fixed[u];
    number = row_of(L.node, a, col);
    for (bf_int i = 0; i < NODES; i++)
      if (met[i]) assert_int_equal(col[nodes++], i);
    assert_int_equal(nodes, number);
    assert_int_equal(others[a], want);
  }
  bf_local_lists_clear(t_be, &L);
  free_body(b);
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
  enum { LD = 3 * NODES, MANY = 3 };
  const bf_int   which[MANY] = {3, 0, 4};
  const double   shift       = 1e-3;
  body          *b           = new_body(2);
  double        *s = calloc(MANY * LD * LD, sizeof *s), *want = calloc(LD * LD, sizeof *want);
  bf_int         info[MANY], sizes[MANY];
  size_t         bytes;
  bf_local_lists L;
  T_OK(bf_local_lists_create(t_be, &b->open, &L));
  const bf_local_batch C     = {.many  = MANY,
                                .ld    = LD,
                                .lds   = LD,
                                .which = t_to_backend(which, sizeof which),
                                .a     = allocated(MANY * LD * LD * sizeof *s),
                                .s     = t_to_backend(s, MANY * LD * LD * sizeof *s),
                                .sizes = allocated(sizeof info),
                                .info  = allocated(sizeof info)};
  const bf_batch       batch = {
            .type = BF_D, .n = LD, .ld = LD, .count = MANY, .stride = LD * LD, .a = C.a, .sizes = C.sizes};
  T_OK(local()->assemble(t_be, &b->open, &L, shift, &C));
  T_OK(bf_batch_work(t_be, BF_POTRF, &batch, &bytes));
  void *work = allocated(bytes);
  T_OK(bf_potrf_batch(t_be, BF_LOWER, &batch, C.info, work));
  T_OK(local()->schur(t_be, &L, &C));
  t_to_host(s, C.s, MANY * LD * LD * sizeof *s);
  t_to_host(info, C.info, sizeof info);
  t_to_host(sizes, C.sizes, sizeof sizes);
  T_OK(t_be->ops.sync(t_be));
  for (int k = 0; k < MANY; k++) {
    const bf_int m = schur(b, which[k], shift, want);
    assert_int_equal(info[k], 0);
    assert_int_equal(sizes[k], m);
    for (bf_int i = 0; i < m; i++)
      for (bf_int j = 0; j < m; j++) T_NEAR(s[k * LD * LD + j * LD + i], want[j * m + i], 1e-6);
  }
  void *all[] = {(void *)C.which, C.a, C.s, C.sizes, C.info, work};
  for (int i = 0; i < 6; i++) t_be->ops.release(t_be, all[i]);
  bf_local_lists_clear(t_be, &L);
  free(s), free(want), free_body(b);
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
