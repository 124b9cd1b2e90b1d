/* tests/kernels/multigrid/t459_local_vectors.c - vectors of aggregates: their number, the prolongator, coarse
 * element matrices and modes against dense products
 * usage: t459_local_vectors <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/multigrid/local_case.h"

/* Vectors with random entries: k[a] of them and columns of zeros up to BLOCK, T on the host by unknown and
 * column. */
enum { BLOCK = 3 };
typedef struct vectors {
  bf_int           k[COUNT], first[COUNT + 1];
  double          *T, *Z;
  double          *z[COUNT];
  bf_local_vectors open;
} vectors;

static vectors *new_vectors(const body *b)
{
  vectors *v    = calloc(1, sizeof *v);
  uint64_t seed = 7;
  int64_t  at   = 0, from[COUNT];
  for (bf_int a = 0; a < COUNT; a++) {
    v->k[a]         = 1 + a % 3;
    v->first[a + 1] = v->first[a] + BLOCK;
  }
  const bf_int nc = v->first[COUNT], n = b->first[NODES];
  v->T      = calloc((size_t)(n * nc), sizeof *v->T);
  double *Z = calloc((size_t)(n * nc), sizeof *Z);
  for (bf_int a = 0; a < COUNT; a++) {
    from[a] = at;
    for (bf_int e = 0; e < v->k[a]; e++)
      for (bf_int i = 0; i < NODES; i++)
        for (bf_int u = b->first[i]; b->aggregate[i] == a && u < b->first[i + 1]; u++)
          if (!b->fixed[u]) Z[at++] = v->T[u * nc + v->first[a] + e] = t_uniform(&seed) - 0.5;
  }
  v->Z = t_to_backend(Z, (size_t)(n * nc) * sizeof *Z);
  for (bf_int a = 0; a < COUNT; a++) v->z[a] = v->Z + from[a];
  v->open = (bf_local_vectors){.k     = t_to_backend(v->k, sizeof v->k),
                               .first = t_to_backend(v->first, sizeof v->first),
                               .z     = t_to_backend(v->z, sizeof v->z)};
  free(Z);
  return v;
}

static void free_vectors(vectors *v)
{
  t_be->ops.release(t_be, v->Z);
  t_be->ops.release(t_be, (void *)v->open.k);
  t_be->ops.release(t_be, (void *)v->open.first);
  t_be->ops.release(t_be, (void *)v->open.z);
  free(v->T);
  free(v);
}

/* K = sum of T^T K_e T over the elements whose smallest aggregate is a, order nc. */
static void projected(const body *b, const vectors *v, bf_int a, double *K)
{
  const bf_int nc = v->first[COUNT];
  memset(K, 0, (size_t)(nc * nc) * sizeof *K);
  for (bf_int e = 0; e < ELEMENTS; e++) {
    bf_int u[12], order = 0, least = -1;
    for (bf_int c = COUNT - 1; c >= 0; c--) least = touches(b, e, c) ? c : least;
    if (least != a) continue;
    for (int64_t k = b->ptr[e]; k < b->ptr[e + 1]; k++)
      for (bf_int w = b->first[b->node[k]]; w < b->first[b->node[k] + 1]; w++) u[order++] = w;
    for (bf_int i = 0; i < order * order; i++)
      for (bf_int x = 0; x < nc; x++)
        for (bf_int y = 0; y < nc; y++)
          K[x * nc + y] += v->T[u[i % order] * nc + x] * b->K[b->at[e] + i] * v->T[u[i / order] * nc + y];
  }
}

static void coarse_elements_are_projections(void **state)
{
  (void)state;
  body          *b  = new_body(3);
  vectors       *v  = new_vectors(b);
  const bf_int   nc = v->first[COUNT];
  bf_local_lists L;
  bf_block_rows *nodes = NULL;
  int64_t        total, at[COUNT + 1], optr[COUNT + 1] = {0};
  bf_int         most, owned[ELEMENTS], count          = 0, col[COUNT];
  double        *want = calloc((size_t)(nc * nc), sizeof *want), ones[ELEMENTS];
  T_OK(bf_local_lists_create(t_be, &b->open, &L));
  for (bf_int a = 0; a < COUNT; a++) {
    for (bf_int e = 0; e < ELEMENTS; e++) {
      bf_int least = -1;
      for (bf_int c = COUNT - 1; c >= 0; c--) least = touches(b, e, c) ? c : least;
      if (least == a) ones[count] = 1.0, owned[count++] = e;
    }
    optr[a + 1] = count;
  }
  bf_block_rows *own = NULL;
  T_OK(bf_block_rows_from_host(t_be, &(bf_block_form){COUNT, ELEMENTS, 1, 1, BF_FP64}, optr, owned, ones,
                               &own));
  T_OK(bf_block_rows_multiply(own, L.touched, &nodes));
  int64_t *dat = allocated(sizeof at);
  T_OK(local()->element_sizes(t_be, nodes, v->open.first, dat, &total, &most));
  t_to_host(at, dat, sizeof at);
  double *K = calloc((size_t)total, sizeof *K), *dK = allocated((size_t)total * sizeof *K);
  T_OK(local()->element_matrices(t_be, &b->open, &L, &v->open, own->ptr, own->col, nodes, dat, dK));
  t_to_host(K, dK, (size_t)total * sizeof *K);
  T_OK(t_be->ops.sync(t_be));
  for (bf_int a = 0; a < COUNT; a++) {
    const bf_int many = row_of(nodes, a, col);
    bf_int       x[3 * COUNT], order = 0;
    for (bf_int i = 0; i < many; i++)
      for (bf_int e = 0; e < BLOCK; e++) x[order++] = v->first[col[i]] + e;
    assert_int_equal(at[a + 1] - at[a], order * order);
    T_LE(order, most);
    projected(b, v, a, want);
    for (bf_int i = 0; i < order * order; i++)
      T_NEAR(K[at[a] + i], want[x[i % order] * nc + x[i / order]], 1e-12);
  }
  assert_int_equal(at[COUNT], total);
  t_be->ops.release(t_be, dat);
  t_be->ops.release(t_be, dK);
  bf_block_rows_destroy(&own);
  bf_block_rows_destroy(&nodes);
  bf_local_lists_clear(t_be, &L);
  free(K), free(want), free_vectors(v), free_body(b);
}

/* T by rows, and T^T D N. */
static void vectors_become_rows_and_modes(void **state)
{
  (void)state;
  body          *b = new_body(4);
  vectors       *v = new_vectors(b);
  const bf_int   n = b->first[NODES], nc = v->first[COUNT];
  bf_local_lists L;
  bf_block_rows *T = NULL;
  int64_t        nnz;
  double        *x = calloc((size_t)nc, sizeof *x), *y = calloc((size_t)n, sizeof *y),
         *N = calloc(2 * (size_t)n, sizeof *N), *coarse = calloc(2 * (size_t)nc, sizeof *coarse);
  uint64_t seed = 5;
  T_OK(bf_local_lists_create(t_be, &b->open, &L));
  int64_t *ptr = allocated(((size_t)n + 1) * sizeof *ptr);
  T_OK(local()->row_counts(t_be, n, 1, BLOCK, L.owner, v->open.first, ptr, &nnz));
  T_OK(bf_block_rows_create(t_be, &(bf_block_form){n, nc / BLOCK, 1, BLOCK, BF_FP64}, nnz, &T));
  T_OK(t_be->ops.copy(t_be, T->ptr, ptr, ((size_t)n + 1) * sizeof *ptr, BF_WITHIN));
  T_OK(local()->rows(t_be, &L, &v->open, T));
  for (bf_int c = 0; c < nc; c++) x[c] = t_uniform(&seed);
  for (bf_int i = 0; i < 2 * n; i++) N[i] = t_uniform(&seed);
  double *dx = t_to_backend(x, (size_t)nc * sizeof *x), *dy = allocated((size_t)n * sizeof *y),
         *dN = t_to_backend(N, 2 * (size_t)n * sizeof *N), *dc = allocated(2 * (size_t)nc * sizeof *x);
  T_OK(bf_block_rows_spmv(T, dx, dy));
  T_OK(local()->modes(t_be, &b->open, &L, &v->open, 2, dN, nc, dc));
  t_to_host(y, dy, (size_t)n * sizeof *y);
  t_to_host(coarse, dc, 2 * (size_t)nc * sizeof *coarse);
  T_OK(t_be->ops.sync(t_be));
  for (bf_int u = 0; u < n; u++) {
    double want = 0.0;
    for (bf_int c = 0; c < nc; c++) want += v->T[u * nc + c] * x[c];
    T_NEAR(y[u], want, 1e-14);
  }
  for (bf_int c = 0; c < 2 * nc; c++) {
    double want = 0.0;
    for (bf_int u = 0; u < n; u++) want += v->T[u * nc + c % nc] * b->diagonal[u] * N[c / nc * n + u];
    T_NEAR(coarse[c], want, 1e-13);
  }
  uint8_t *flag = allocated((size_t)nc), *host = calloc((size_t)nc, 1);
  T_OK(local()->padding(t_be, COUNT, &v->open, flag));
  t_to_host(host, flag, (size_t)nc);
  T_OK(t_be->ops.sync(t_be));
  for (bf_int c = 0; c < nc; c++) assert_int_equal(host[c], c % BLOCK >= v->k[c / BLOCK]);
  free(host);
  void *all[] = {ptr, dx, dy, dN, dc, flag};
  for (int i = 0; i < 6; i++) t_be->ops.release(t_be, all[i]);
  bf_block_rows_destroy(&T);
  bf_local_lists_clear(t_be, &L);
  free(x), free(y), free(N), free(coarse), free_vectors(v), free_body(b);
}

/* Below tau, one at least, `most` at most, none where there are no eigenvalues. */
static void vectors_are_counted(void **state)
{
  (void)state;
  enum { MANY = 5, M = 4 };
  const bf_int which[MANY] = {4, 2, 0, 1, 3}, sizes[MANY] = {4, 4, 0, 3, 4}, info[MANY] = {0, 0, 0, 0, 5};
  const double w[MANY][M] = {{0.0, 0.1, 0.2, 0.3},
                             {0.5, 0.6, 0.7, 0.8},
                             {NAN, NAN, NAN, NAN},
                             {0.0, 0.0, 0.0, NAN},
                             {NAN, NAN, NAN, NAN}};
  bf_int       k[MANY]    = {9, 9, 9, 9, 9};
  const bf_local_batch C  = {.many  = MANY,
                             .lds   = M,
                             .which = t_to_backend(which, sizeof which),
                             .w     = t_to_backend(w, sizeof w),
                             .sizes = t_to_backend(sizes, sizeof sizes),
                             .info  = t_to_backend(info, sizeof info)};
  bf_int              *dk = t_to_backend(k, sizeof k);
  T_OK(local()->choose(t_be, &C, 0.25, 2, 1, dk));
  t_to_host(k, dk, sizeof k);
  T_OK(t_be->ops.sync(t_be));
  assert_int_equal(k[4], 2);
  assert_int_equal(k[2], 1);
  assert_int_equal(k[0], 0);
  assert_int_equal(k[1], 2);
  assert_int_equal(k[3], 0);
  T_OK(local()->choose(t_be, &C, 0.15, 4, 3, dk));
  t_to_host(k, dk, sizeof k);
  T_OK(t_be->ops.sync(t_be));
  assert_int_equal(k[4], 3); /* 2 below tau */
  assert_int_equal(k[2], 3); /* none below tau */
  assert_int_equal(k[1], 3); /* all that there are */
  T_OK(local()->choose(t_be, &C, 0.25, 4, 2, dk));
  t_to_host(k, dk, sizeof k);
  T_OK(t_be->ops.sync(t_be));
  assert_int_equal(k[4], 4);
  assert_int_equal(k[1], 3); /* no fourth */
  void *all[] = {(void *)C.which, C.w, C.sizes, C.info, dk};
  for (int i = 0; i < 5; i++) t_be->ops.release(t_be, all[i]);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coarse_elements_are_projections),
      cmocka_unit_test(vectors_become_rows_and_modes),
      cmocka_unit_test(vectors_are_counted),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
