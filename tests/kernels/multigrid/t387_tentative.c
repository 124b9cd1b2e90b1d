/* tests/kernels/multigrid/t387_tentative.c - near-null space on aggregates, filtered matrix, smoothing
 * usage: t387_tentative <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/batch.h"
#include "kernels/multigrid/aggregates.h"
#include "kernels/multigrid/hash_noise.h"
#include "tests/kernels/multigrid/block_case.h"
#include "tests/reference/dense.h"

typedef struct basis { /* on the host */
  bf_int   n, count;
  int      D, nq;
  double  *modes;     /* [nq][n D], or NULL */
  uint8_t *fixed;     /* [n D] */
  bf_int  *aggregate; /* [n] */
} basis;

typedef struct result { /* on the host */
  double  *t;           /* dense [n D][count nq] */
  double  *modes;       /* [nq][count nq] */
  uint8_t *phantom;
} result;

static void *fresh(size_t bytes)
{
  void *p = NULL;
  T_OK(t_be->ops.alloc(t_be, bytes, &p));
  return p;
}

static result tentative(const basis *h)
{
  const bf_mg_aggregate_ops *ops = t_be->ops.mg_aggregates;
  const size_t n = (size_t)h->n, N = n * (size_t)h->D, q = (size_t)h->nq, c = (size_t)h->count, m = c * q;
  double      *modes     = h->modes ? t_to_backend(h->modes, q * N * sizeof(double)) : NULL;
  uint8_t     *fixed     = t_to_backend(h->fixed, N);
  bf_int      *aggregate = t_to_backend(h->aggregate, n * sizeof(bf_int)), *node = fresh(n * sizeof(bf_int));
  int64_t     *ptr = fresh((c + 1) * sizeof(int64_t)), *rows = fresh((n + 1) * sizeof(int64_t)), nnz = 0;
  double      *gram = fresh(c * q * q * 8), *V = fresh(c * q * q * 8), *w = fresh(m * 8),
         *M = fresh(c * q * q * 8), *R = fresh(q * m * 8);
  uint8_t       *phantom = fresh(m);
  bf_int        *info    = fresh(c * sizeof(bf_int));
  bf_block_rows *T       = NULL;
  size_t         bytes   = 0;
  T_OK(ops->members(t_be, h->n, h->count, aggregate, ptr, node));
  const bf_mg_basis B = {h->n, h->D, h->nq, modes, fixed, aggregate, h->count, ptr, node};
  T_OK(ops->gram(t_be, &B, gram, V));
  const bf_batch batch = {
      .type = BF_D, .n = h->nq, .ld = h->nq, .count = h->count, .stride = (int64_t)(q * q), .a = V};
  const bf_heev_how how = {.vectors = 1, .uplo = BF_LOWER};
  T_OK(bf_batch_work(t_be, BF_HEEV, &batch, &bytes));
  void *work = fresh(bytes);
  T_OK(bf_heev_batch(t_be, &how, &batch, w, info, work));
  T_OK(ops->factor(t_be, &B, gram, V, w, M, R, phantom));
  T_OK(ops->tentative_rows(t_be, h->n, aggregate, rows, &nnz));
  T_OK(bf_block_rows_create(t_be, &(bf_block_form){h->n, h->count, h->D, h->nq, BF_FP64}, nnz, &T));
  T_OK(t_be->ops.copy(t_be, T->ptr, rows, (n + 1) * sizeof(int64_t), BF_WITHIN));
  T_OK(ops->tentative(t_be, &B, M, T));
  t_rows_check(T);
  result r = {t_rows_dense(T), malloc(q * m * 8), malloc(m)};
  t_to_host(r.modes, R, q * m * 8);
  t_to_host(r.phantom, phantom, m);
  void *all[] = {modes, fixed, aggregate, node, ptr, rows, gram, V, w, M, R, phantom, info, work};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) t_be->ops.release(t_be, all[k]);
  bf_block_rows_destroy(&T);
  return r;
}

static void result_free(result *r)
{
  free(r->t);
  free(r->modes);
  free(r->phantom);
}

/* T^T T is 1 on the diagonal (0 for phantoms), T R are the modes on unknowns that are not fixed and have an
 * aggregate. */
static void check(const basis *h, const result *r, double within)
{
  const size_t N = (size_t)h->n * (size_t)h->D, m = (size_t)h->count * (size_t)h->nq;
  for (size_t a = 0; a < m; a++)
    for (size_t b = a; b < m; b++) {
      double s = 0.0;
      for (size_t i = 0; i < N; i++) s += r->t[i * m + a] * r->t[i * m + b];
      T_NEAR(s, a == b && !r->phantom[a] ? 1.0 : 0.0, within);
    }
  for (int j = 0; j < h->nq; j++)
    for (size_t i = 0; i < N; i++) {
      const int    out  = h->fixed[i] || h->aggregate[i / (size_t)h->D] < 0;
      const double mode = h->modes ? h->modes[(size_t)j * N + i] : (int)(i % (size_t)h->D) == j ? 1.0 : 0.0;
      double       s    = 0.0;
      for (size_t a = 0; a < m; a++) s += r->t[i * m + a] * r->modes[(size_t)j * m + a];
      T_NEAR(s, out ? 0.0 : mode, within);
    }
}

/* Nodes in rows of `per` an aggregate along a line that is bent, `far` away from the origin. */
static basis bent(bf_int n, int D, bf_int per, double far, int fixed_every)
{
  basis        h = {.n = n, .count = (n + per - 1) / per, .D = D, .nq = D == 3 ? 6 : D == 2 ? 3 : 1};
  const size_t N = (size_t)n * (size_t)D;
  h.modes        = calloc((size_t)h.nq * N, sizeof *h.modes);
  h.fixed        = calloc(N, 1);
  h.aggregate    = calloc((size_t)n, sizeof *h.aggregate);
  for (bf_int i = 0; i < n; i++) {
    const double x[3] = {far + 0.01 * i, far + 0.02 * (i * 7 % 5), -far + 0.03 * (i * 5 % 3)};
    h.aggregate[i]    = i / per;
    for (int c = 0; c < D; c++) {
      const size_t r = (size_t)(i * D + c);
      h.fixed[r]     = fixed_every > 0 && (int)r % fixed_every == 0;
      for (int m = 0; m < h.nq; m++) h.modes[(size_t)m * N + r] = bf_near_null_value(D, x, c, m);
    }
  }
  return h;
}

static void basis_free(basis *h)
{
  free(h->modes);
  free(h->fixed);
  free(h->aggregate);
}

static int phantoms(const basis *h, const result *r)
{
  int count = 0;
  for (int a = 0; a < h->count * h->nq; a++) count += r->phantom[a];
  return count;
}

static void columns_are_orthonormal_and_reproduce_the_modes(void **state)
{
  (void)state;
  for (int D = 1; D <= 3; D++)
    for (int fixed_every = 0; fixed_every <= 11; fixed_every += 11) {
      basis  h = bent(83, D, 9, 0.5, fixed_every);
      result r = tentative(&h);
      check(&h, &r, 1e-11);
      if (fixed_every == 0) assert_int_equal(phantoms(&h, &r), D == 3 ? 1 : 0); /* the last: two nodes */
      result_free(&r);
      basis_free(&h);
    }
}

static void constants_need_no_modes(void **state)
{
  (void)state;
  basis h = bent(50, 3, 7, 0.0, 5);
  free(h.modes);
  h.modes  = NULL;
  h.nq     = 3;
  result r = tentative(&h);
  check(&h, &r, 1e-14);
  assert_int_equal(phantoms(&h, &r), 0);
  result_free(&r);
  basis_free(&h);
}

/* One node alone turns nowhere, two nodes not about their line. */
static void dependent_combinations_are_phantoms(void **state)
{
  (void)state;
  basis  one = bent(12, 3, 1, 0.3, 0), two = bent(12, 3, 2, 0.3, 0);
  result r = tentative(&one), s = tentative(&two);
  assert_int_equal(phantoms(&one, &r), 12 * 3);
  assert_int_equal(phantoms(&two, &s), 6 * 1);
  check(&one, &r, 1e-11);
  check(&two, &s, 1e-11);
  result_free(&r), result_free(&s);
  basis_free(&one), basis_free(&two);
}

/* An aggregate of 1/3000 of the distance from the origin still turns. */
static void small_aggregates_far_away_keep_their_rotations(void **state)
{
  (void)state;
  basis  h = bent(45, 3, 9, 100.0, 0);
  result r = tentative(&h);
  assert_int_equal(phantoms(&h, &r), 0);
  check(&h, &r, 1e-5);
  result_free(&r);
  basis_free(&h);
}

static void nodes_without_an_aggregate_have_empty_rows(void **state)
{
  (void)state;
  basis h = bent(60, 2, 6, 0.2, 0);
  for (int i = 0; i < 60; i += 7) h.aggregate[i] = -1;
  result r = tentative(&h);
  check(&h, &r, 1e-11);
  result_free(&r);
  basis_free(&h);
}

/* ---- filtered matrix and smoothing ---- */

static bf_block_rows *strong_part(const bf_block_rows *A, double theta)
{
  const bf_mg_aggregate_ops *ops      = t_be->ops.mg_aggregates;
  float                     *strength = fresh((size_t)A->nnz * sizeof(float));
  bf_mg_graph                G        = {.n = A->form.nrows};
  bf_block_rows             *F        = NULL;
  G.ptr                               = fresh(((size_t)G.n + 1) * sizeof(int64_t));
  T_OK(ops->strengths(t_be, A, strength));
  T_OK(ops->strong_count(t_be, A, strength, theta, G.ptr, &G.nnz));
  T_OK(bf_block_rows_create(t_be, &A->form, G.nnz, &F));
  G.col      = F->col;
  G.strength = fresh((size_t)G.nnz * sizeof(float));
  T_OK(ops->strong_fill(t_be, A, strength, theta, &G));
  T_OK(t_be->ops.copy(t_be, F->ptr, G.ptr, ((size_t)G.n + 1) * sizeof(int64_t), BF_WITHIN));
  T_OK(ops->filter(t_be, A, strength, theta, F));
  t_be->ops.release(t_be, strength);
  t_be->ops.release(t_be, G.ptr);
  t_be->ops.release(t_be, G.strength);
  return F;
}

/* Random blocks, of three sizes, and a diagonal that is larger. */
static t_blocks uneven(bf_int n, int D, uint64_t *seed)
{
  t_blocks b = t_blocks_of(n, n, D, D, t_near, seed);
  for (bf_int i = 0; i < n; i++)
    for (int64_t k = b.ptr[i]; k < b.ptr[i + 1]; k++) {
      const double size = b.col[k] == i ? 1.0 : (i + b.col[k]) % 3 == 0 ? 1e-2 : 1.0;
      for (int e = 0; e < D * D; e++) b.val[k * D * D + e] *= size;
      for (int c = 0; c < D && b.col[k] == i; c++) b.val[k * D * D + c * D + c] = 8.0;
    }
  return b;
}

static void weak_blocks_go_to_the_diagonal(void **state)
{
  (void)state;
  uint64_t seed = 21;
  for (int D = 1; D <= 6; D++) {
    t_blocks       b = uneven(40, D, &seed);
    bf_block_rows *A = t_rows_of(&b), *F = strong_part(A, 0.02);
    const size_t   N = 40 * (size_t)D;
    double        *a = t_blocks_dense(&b), *f = t_rows_dense(F);
    int            weak = 0;
    t_rows_check(F);
    for (size_t i = 0; i < N; i++) {
      double lump = 0.0;
      for (size_t j = 0; j < N; j++) {
        const size_t u = i / (size_t)D, v = j / (size_t)D;
        double       s = 0.0, di = 0.0, dj = 0.0;
        for (size_t x = 0; x < (size_t)D; x++)
          for (size_t y = 0; y < (size_t)D; y++) {
            s += pow(a[(u * (size_t)D + x) * N + v * (size_t)D + y], 2);
            di += pow(a[(u * (size_t)D + x) * N + u * (size_t)D + y], 2);
            dj += pow(a[(v * (size_t)D + x) * N + v * (size_t)D + y], 2);
          }
        const int strong = u == v || sqrt(s) / sqrt(sqrt(di) * sqrt(dj)) >= 0.02;
        if (!strong && i % (size_t)D == j % (size_t)D) lump += a[i * N + j];
        if (i != j) assert_true(f[i * N + j] == (strong ? a[i * N + j] : 0.0));
        weak += !strong;
      }
      T_NEAR(f[i * N + i], a[i * N + i] + lump, 1e-14);
    }
    assert_true(weak > 0);
    free(a), free(f);
    bf_block_rows_destroy(&A);
    bf_block_rows_destroy(&F);
    t_blocks_free(&b);
  }
}

/* A diagonal entry that the weak couplings would take away stays. */
static void the_filtered_diagonal_stays_positive(void **state)
{
  (void)state;
  const int64_t  ptr[4] = {0, 3, 6, 9};
  const bf_int   col[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  const double   val[9] = {1, -0.95, -0.3, -0.95, 1e6, -1, -0.3, -1, 1e6};
  bf_block_rows *A      = NULL, *F;
  T_OK(bf_block_rows_from_host(t_be, &(bf_block_form){3, 3, 1, 1, BF_FP64}, ptr, col, val, &A));
  F         = strong_part(A, 0.02);
  double *f = t_rows_dense(F);
  T_NEAR(f[0], 1.0, 0.0);
  T_NEAR(f[4], 1e6 - 1.95, 1e-9);
  free(f);
  bf_block_rows_destroy(&A);
  bf_block_rows_destroy(&F);
}

/* Rows of no block, of one and of two. */
static int five(bf_int i, bf_int j)
{
  return i % 11 != 4 && (i / 5 == j || (i % 7 == 2 && i / 6 == j));
}

static void smoothing_is_that_of_the_dense_matrices(void **state)
{
  (void)state;
  static const int order[4][2] = {{1, 1}, {2, 3}, {3, 6}, {6, 6}};
  uint64_t         seed        = 22;
  for (int o = 0; o < 4; o++) {
    const int      D = order[o][0], q = order[o][1];
    const size_t   N = 55 * (size_t)D, m = 11 * (size_t)q;
    t_blocks       b = uneven(55, D, &seed), t = t_blocks_of(55, 11, D, q, five, &seed);
    bf_block_rows *A = t_rows_of(&b), *T = t_rows_of(&t), *P = NULL;
    uint8_t       *fixed = calloc(N, 1);
    double        *a = t_blocks_dense(&b), *td = t_blocks_dense(&t), *d = malloc(N * sizeof *d);
    for (size_t i = 0; i < N; i++) fixed[i] = i % 9 == 2, d[i] = i == 8 ? -3.0 : a[i * N + i];
    const bf_mg_smoothing S = {
        .weight = 0.3, .diagonal = t_to_backend(d, N * sizeof *d), .fixed = t_to_backend(fixed, N)};
    T_OK(bf_block_rows_multiply(A, T, &P));
    T_OK(t_be->ops.mg_aggregates->smooth(t_be, &S, T, P));
    double *p = t_rows_dense(P);
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < m; j++) {
        double s = 0.0;
        for (size_t k = 0; k < N; k++) s += a[i * N + k] * td[k * m + j];
        const double want = fixed[i] ? 0.0 : td[i * m + j] - 0.3 / (d[i] > 0.0 ? d[i] : 1.0) * s;
        T_NEAR(p[i * m + j], want, 1e-13);
      }
    t_be->ops.release(t_be, (void *)S.diagonal);
    t_be->ops.release(t_be, (void *)S.fixed);
    free(fixed), free(a), free(td), free(d), free(p);
    bf_block_rows_destroy(&A);
    bf_block_rows_destroy(&T);
    bf_block_rows_destroy(&P);
    t_blocks_free(&b);
    t_blocks_free(&t);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_orthonormal_and_reproduce_the_modes),
      cmocka_unit_test(constants_need_no_modes),
      cmocka_unit_test(dependent_combinations_are_phantoms),
      cmocka_unit_test(small_aggregates_far_away_keep_their_rotations),
      cmocka_unit_test(nodes_without_an_aggregate_have_empty_rows),
      cmocka_unit_test(weak_blocks_go_to_the_diagonal),
      cmocka_unit_test(the_filtered_diagonal_stays_positive),
      cmocka_unit_test(smoothing_is_that_of_the_dense_matrices),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
