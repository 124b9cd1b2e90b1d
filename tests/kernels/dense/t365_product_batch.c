/* tests/kernels/dense/t365_product_batch.c - products of batched matrices with vectors: all types,
 * transpositions, triangles, entries in half the precision, vectors at given places usage: t365_product_batch
 * <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

static const bf_int size[] = {1,  2,  3,  4,  5,  7,   8,   15,  16,  31, 32,
                              33, 48, 63, 64, 65, 100, 128, 129, 256, 300};
enum { SIZES = sizeof size / sizeof *size, COUNT = 11 };

typedef struct t_case {
  bf_scalar entries, vectors;
  bf_int    n;
  char      op; /* 'N' 'T' 'C', or a triangle: 'L' 'U' */
  double    alpha, beta;
  int       places; /* 1: vectors at given places, not in order */
} t_case;

/* op(A)(i,k) of matrix b, in the entries' type; a triangle's diagonal is real. */
static t_cx entry(const t_case *c, const t_batch *B, bf_int b, bf_int i, bf_int k)
{
  const int swap = c->op == 'T' || c->op == 'C' || (c->op == 'L' && k > i) || (c->op == 'U' && k < i);
  t_cx      a    = swap ? t_at(B, b, k, i) : t_at(B, b, i, k);
  if (c->op == 'C' || (swap && c->op != 'T')) a.im = -a.im;
  if ((c->op == 'L' || c->op == 'U') && i == k) a.im = 0.0;
  return a;
}

static int64_t place(const t_case *c, bf_int b)
{
  return c->places ? (int64_t)((b * 7) % COUNT) * (c->n + 2) + 1 : (int64_t)b * (c->n + 2);
}

static void run(const t_case *c, t_batch *B, const void *x, void *y, size_t bytes)
{
  const bf_batch  A = t_start(B);
  int64_t         first[COUNT];
  bf_batch_vector u = {.type = c->vectors, .v = t_to_backend(x, bytes), .stride = c->n + 2},
                  v = {.type = c->vectors, .v = t_to_backend(y, bytes), .stride = c->n + 2};
  for (bf_int b = 0; b < COUNT; b++) first[b] = place(c, b);
  if (c->places) u.first = v.first = t_to_backend(first, sizeof first);
  if (c->op == 'L' || c->op == 'U')
    T_OK(bf_symv_batch(t_be, c->op == 'L' ? BF_LOWER : BF_UPPER, c->alpha, &A, &u, c->beta, &v));
  else
    T_OK(bf_gemv_batch(t_be,
                       c->op == 'N'   ? BF_NO_TRANS
                       : c->op == 'T' ? BF_TRANS
                                      : BF_CONJ_TRANS,
                       c->alpha, &A, &u, c->beta, &v));
  t_home(y, v.v, bytes);
  t_be->ops.release(t_be, u.v);
  t_be->ops.release(t_be, (void *)u.first);
  t_finish(B, &A);
}

/* Every component against a sum in long double: within n u of the sum of magnitudes. */
static void check(const t_case *c, uint64_t *seed)
{
  const bf_int n     = c->n;
  const size_t total = (size_t)(n + 2) * COUNT + 2, bytes = total * bf_scalar_bytes(c->vectors);
  char        *x = bf_host_alloc(bytes, 1), *y = bf_host_alloc(bytes, 1), *y0 = bf_host_alloc(bytes, 1);
  t_cx        *A = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
  t_batch      B = t_batch_create(c->entries, n, COUNT);
  assert_true(x && y && y0 && A);
  for (bf_int b = 0; b < COUNT; b++) {
    t_random_matrix(c->entries, n, A, seed);
    for (bf_int j = 0; j < n; j++) /* the other triangle is not read, nor a diagonal's imaginary part */
      for (bf_int i = 0; i < n; i++)
        if ((c->op == 'L' && i < j) || (c->op == 'U' && i > j)) A[j * n + i].re = (double)NAN;
    for (bf_int i = 0; i < n && (c->op == 'L' || c->op == 'U') && t_is_complex(c->entries); i++)
      A[i * (n + 1)].im = (double)NAN;
    t_put(&B, b, A);
  }
  memset(y, 0xff, bytes);
  for (size_t i = 0; i < total; i++)
    t_store(c->vectors, x, (int64_t)i, (t_cx){t_uniform(seed) - 0.5, t_uniform(seed) - 0.5});
  for (bf_int b = 0; b < COUNT; b++)
    for (bf_int i = 0; i < n && c->beta != 0.0; i++)
      t_store(c->vectors, y, place(c, b) + i, (t_cx){t_uniform(seed) - 0.5, 0.25});
  memcpy(y0, y, bytes);
  run(c, &B, x, y, bytes);
  t_guards(&B);
  for (bf_int b = 0; b < COUNT; b++)
    for (bf_int i = 0; i < n; i++) {
      const t_cx was = c->beta != 0.0 ? t_load(c->vectors, y0, place(c, b) + i) : (t_cx){0.0, 0.0},
                 got = t_load(c->vectors, y, place(c, b) + i);
      t_long re = (t_long)c->beta * (t_long)was.re, im = (t_long)c->beta * (t_long)was.im,
             size_of = fabsl(re) + fabsl(im);
      for (bf_int k = 0; k < n; k++) {
        const t_cx   a = entry(c, &B, b, i, k), v = t_load(c->vectors, x, place(c, b) + k);
        const t_long f = (t_long)c->alpha;
        re += f * ((t_long)a.re * (t_long)v.re - (t_long)a.im * (t_long)v.im);
        im += f * ((t_long)a.re * (t_long)v.im + (t_long)a.im * (t_long)v.re);
        size_of += fabsl(f) * (fabsl((t_long)a.re) + fabsl((t_long)a.im)) *
                   (fabsl((t_long)v.re) + fabsl((t_long)v.im));
      }
      const t_long e = hypotl((t_long)got.re - re, (t_long)got.im - im);
      if (!(e <= (n + 2) * (t_long)t_u(c->vectors) * size_of))
        fail_msg("types %d %d n=%d op %c matrix %d row %d: %Lg of %Lg", (int)c->entries, (int)c->vectors,
                 (int)n, c->op, (int)b, (int)i, e, size_of);
      t_store(c->vectors, y, place(c, b) + i, t_load(c->vectors, y0, place(c, b) + i));
    }
  if (c->beta != 0.0) assert_memory_equal(y, y0, bytes); /* nothing else was written */
  bf_host_free(x);
  bf_host_free(y);
  bf_host_free(y0);
  bf_host_free(A);
  t_batch_destroy(&B);
}

static void products_are_the_sums(void **state)
{
  (void)state;
  static const bf_scalar types[][2] = {{BF_S, BF_S}, {BF_D, BF_D}, {BF_C, BF_C},
                                       {BF_Z, BF_Z}, {BF_S, BF_D}, {BF_C, BF_Z}};
  static const char      ops[]      = "NTCLU";
  uint64_t               seed       = 1;
  for (int t = 0; t < 6; t++)
    for (int s = 0; s < SIZES; s++)
      for (int k = 0; k < 5; k++) {
        T_ONE_OF(11);
        const t_case c = {.entries = types[t][0],
                          .vectors = types[t][1],
                          .n       = size[s],
                          .op      = ops[k],
                          .alpha   = (s + k) % 2 ? 1.0 : -0.75,
                          .beta    = (s + k) % 3 ? 0.0 : 0.5,
                          .places  = (s + k) % 2};
        check(&c, &seed);
      }
}

/* A matrix has the same product alone and among others of other sizes; sizes out of range leave y. */
static void several_sizes_are_multiplied_as_if_alone(void **state)
{
  (void)state;
  enum { N = 70, MANY = 200 };
  uint64_t seed = 2;
  for (int triangle = 0; triangle < 2; triangle++) {
    t_batch B = t_batch_create(BF_D, N, MANY);
    double *x = bf_host_alloc(N * MANY, sizeof *x), *y = bf_host_alloc(N * MANY, sizeof *y), one[N];
    t_cx   *A = bf_host_alloc(N * N, sizeof *A);
    B.sizes   = bf_host_alloc(MANY, sizeof *B.sizes);
    B.array   = 1;
    assert_true(x && y && A && B.sizes);
    for (bf_int b = 0; b < MANY; b++) {
      B.sizes[b] = (bf_int)(t_random(&seed) % (N + 1));
      t_random_matrix(BF_D, N, A, &seed);
      t_put(&B, b, A);
    }
    for (int i = 0; i < N * MANY; i++) x[i] = t_uniform(&seed), y[i] = 7.0;
    const bf_int odd  = B.sizes[3];
    B.sizes[3]        = N + 1;
    bf_batch        D = t_start(&B);
    bf_batch_vector u = {.type = BF_D, .v = t_to_backend(x, N * MANY * sizeof *x), .stride = N},
                    v = {.type = BF_D, .v = t_to_backend(y, N * MANY * sizeof *y), .stride = N};
    T_OK(triangle ? bf_symv_batch(t_be, BF_LOWER, 1.0, &D, &u, 0.0, &v)
                  : bf_gemv_batch(t_be, BF_NO_TRANS, 1.0, &D, &u, 0.0, &v));
    t_to_host(y, v.v, N * MANY * sizeof *y);
    t_finish(&B, &D);
    B.sizes[3] = odd;
    for (bf_int i = 0; i < N; i++) assert_true(y[3 * N + i] == 7.0);
    for (bf_int b = 0; b < MANY; b++) {
      if (t_quick() && b % 16 != 3) continue;
      const bf_int n = b == 3 ? 0 : B.sizes[b];
      for (bf_int i = n; i < N; i++) assert_true(y[b * N + i] == 7.0);
      if (n == 0) continue;
      double         *a = t_to_backend(B.a + t_place(&B, b), (size_t)(B.ld * n) * sizeof *a);
      const bf_batch  E = {.type = BF_D, .n = n, .ld = B.ld, .count = 1, .a = a};
      bf_batch_vector p = {.type = BF_D, .v = (double *)u.v + b * N},
                      q = {.type = BF_D, .v = (double *)v.v + b * N};
      T_OK(triangle ? bf_symv_batch(t_be, BF_LOWER, 1.0, &E, &p, 0.0, &q)
                    : bf_gemv_batch(t_be, BF_NO_TRANS, 1.0, &E, &p, 0.0, &q));
      t_to_host(one, q.v, (size_t)n * sizeof *one);
      assert_memory_equal(one, y + b * N, (size_t)n * sizeof *one);
      t_be->ops.release(t_be, a);
    }
    t_be->ops.release(t_be, u.v);
    t_be->ops.release(t_be, v.v);
    bf_host_free(x);
    bf_host_free(y);
    bf_host_free(A);
    t_batch_destroy(&B);
  }
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  double               *p = t_workspace(64);
  const bf_batch        A = {.type = BF_D, .n = 2, .ld = 2, .count = 2, .stride = 4, .a = p};
  bf_batch_vector       x = {.type = BF_D, .v = p, .stride = 2}, y = {.type = BF_D, .v = p + 4, .stride = 2};
  const bf_batch_vector other = {.type = BF_S, .v = p, .stride = 2},
                        tight = {.type = BF_D, .v = p + 4, .stride = 1};
  T_ERR(BF_E_ARG, bf_gemv_batch(t_be, (bf_trans)3, 1.0, &A, &x, 0.0, &y));
  T_ERR(BF_E_ARG, bf_gemv_batch(t_be, BF_TRANS, 1.0, &A, &x, 0.0, &x));
  T_ERR(BF_E_ARG, bf_gemv_batch(t_be, BF_TRANS, 1.0, &A, &other, 0.0, &other));
  T_ERR(BF_E_ARG, bf_gemv_batch(t_be, BF_TRANS, 1.0, &A, &x, 0.0, &tight));
  T_ERR(BF_E_ARG, bf_gemv_batch(t_be, BF_TRANS, 1.0, NULL, &x, 0.0, &y));
  T_ERR(BF_E_ARG, bf_symv_batch(t_be, (bf_uplo)2, 1.0, &A, &x, 0.0, &y));
  t_be->ops.release(t_be, p);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.gemv != NULL, "gemv_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_the_sums),
      cmocka_unit_test(several_sizes_are_multiplied_as_if_alone),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return t_backend_close(T_RUN(tests));
}
