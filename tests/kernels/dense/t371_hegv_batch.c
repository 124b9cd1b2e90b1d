/* tests/kernels/dense/t371_hegv_batch.c - batched pairs of matrices: LAPACK's values, residual and
 * orthogonality up to 512, several sizes behind pointers, pairs that fail alone usage: t371_hegv_batch
 * <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"

static bf_backend *host; /* LAPACK */

static bf_scalar real_type(bf_scalar type)
{
  return t_is_single(type) ? BF_S : BF_D;
}

/* Random A, definite B for every matrix of the case. */
static void fill(t_batch *A, t_batch *B, uint64_t *seed)
{
  t_cx *a = bf_host_alloc((size_t)A->n * (size_t)A->n, sizeof *a);
  assert_non_null(a);
  for (bf_int b = 0; b < A->count; b++) {
    const bf_int n = t_order(A, b);
    t_definite_matrix(A->type, n, a, seed);
    for (bf_int i = 0; i < n; i++) a[(int64_t)i * (n + 1)].re -= 0.5 * n;
    t_put(A, b, a);
    t_definite_matrix(A->type, n, a, seed);
    t_put(B, b, a);
  }
  bf_host_free(a);
}

static t_batch copy_of(const t_batch *A)
{
  t_batch C = *A;
  C.a       = bf_host_alloc(A->bytes, 1);
  assert_non_null(C.a);
  memcpy(C.a, A->a, A->bytes);
  if (A->sizes) {
    C.sizes = bf_host_alloc((size_t)A->count, sizeof *C.sizes);
    assert_non_null(C.sizes);
    memcpy(C.sizes, A->sizes, (size_t)A->count * sizeof *C.sizes);
  }
  return C;
}

/* The same by LAPACK. */
static void by_host(const t_batch *A, const t_batch *B, const bf_heev_how *how, void *w, bf_int *info)
{
  bf_backend *own = t_be;
  t_batch     a = copy_of(A), b = copy_of(B);
  t_be = host;
  t_hegv(&a, &b, how, w, info);
  t_be = own;
  t_batch_destroy(&a);
  t_batch_destroy(&b);
}

/* y = op(A) x for matrix b of a case, all of it read */
static t_cx row_times(const t_batch *A, bf_int b, bf_int i, const t_cx *x)
{
  t_cx s = {0.0, 0.0};
  for (bf_int k = 0; k < t_order(A, b); k++) {
    const t_cx a = t_at(A, b, i, k);
    s.re += a.re * x[k].re - a.im * x[k].im;
    s.im += a.re * x[k].im + a.im * x[k].re;
  }
  return s;
}

/* Some columns: ||A v - w B v|| / (||A|| n u), and v_j^H B v_j - 1 and v_j^H B v_0, over n u */
static void score(const t_batch *A, const t_batch *B, const t_batch *V, bf_int b, const void *w, double norm,
                  double err[2])
{
  const bf_int n = t_order(A, b);
  t_cx        *v = bf_host_alloc(3 * (size_t)n, sizeof *v), *first = v + n, *r = first + n;
  assert_non_null(v);
  err[0] = err[1] = 0.0;
  for (bf_int i = 0; i < n; i++) first[i] = t_at(V, b, i, 0);
  for (bf_int j = 0; j < n; j += 1 + n / 9) {
    const double l   = t_load(real_type(A->type), w, (int64_t)b * A->n + j).re;
    t_cx         own = {-1.0, 0.0}, other = {0.0, 0.0};
    for (bf_int i = 0; i < n; i++) v[i] = t_at(V, b, i, j);
    for (bf_int i = 0; i < n; i++) {
      const t_cx p = row_times(A, b, i, v), q = row_times(B, b, i, v);
      r[i] = (t_cx){p.re - l * q.re, p.im - l * q.im};
      own.re += v[i].re * q.re + v[i].im * q.im;
      other.re += first[i].re * q.re + first[i].im * q.im;
      other.im += first[i].re * q.im - first[i].im * q.re;
    }
    err[0] = fmax(err[0], t_norm(n, r) / norm / n / t_u(A->type));
    err[1] = fmax(err[1], fabs(own.re) / n / t_u(A->type));
    if (j > 0) err[1] = fmax(err[1], hypot(other.re, other.im) / n / t_u(A->type));
  }
  bf_host_free(v);
}

static void pairs_decompose_as_lapack_says(void **state)
{
  (void)state;
  static const struct {
    bf_int n, count;
  } cases[]     = {{1, 3},  {4, 33},  {6, 9},   {16, 5},  {17, 5},  {32, 3}, {50, 3},
                   {64, 2}, {100, 2}, {129, 1}, {256, 1}, {300, 1}, {512, 1}};
  uint64_t seed = 21;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++)
      for (int u = 0; u < 2; u++) {
        const bf_int      n = cases[s].n, count = cases[s].count;
        const bf_heev_how how = {.vectors = 1, .uplo = u ? BF_UPPER : BF_LOWER}, values = {.uplo = how.uplo};
        if (n > 129 && ((s + (size_t)t) % 2 == (size_t)u || t == (n == 256 ? 0 : 1)))
          continue; /* n^3 on the host */
        if (t_quick() && (n > (t_quick() == 2 ? 50 : 129) || (s + (size_t)t) % 2 != (size_t)u)) continue;
        T_ONE_OF(1);
        t_batch A = t_batch_create(t_types[t], n, count), B = t_batch_create(t_types[t], n, count);
        double *w = bf_host_alloc(3 * (size_t)n * (size_t)count, sizeof *w), *l = w + n * count,
               *only = l + n * count, err[2];
        bf_int *info = bf_host_alloc((size_t)count, sizeof *info);
        assert_true(w && info);
        fill(&A, &B, &seed);
        t_batch V = copy_of(&A), M = copy_of(&B), C = copy_of(&A), D = copy_of(&B);
        by_host(&A, &B, &values, l, info);
        t_hegv(&V, &M, &how, w, info);
        t_guards(&V);
        t_guards(&M);
        for (bf_int b = 0; b < count; b++) assert_int_equal(info[b], 0);
        t_hegv(&C, &D, &values, only, info);
        for (bf_int b = 0; b < count; b++) {
          double most = 0.0, apart = 0.0, norm = 0.0;
          assert_int_equal(info[b], 0);
          assert_true(t_same(&A, b, &C, b)); /* without vectors A stays */
          for (bf_int k = b * n; k < (b + 1) * n; k++) {
            const double x = t_load(real_type(A.type), w, k).re, y = t_load(real_type(A.type), l, k).re;
            most  = fmax(most, fabs(y));
            apart = fmax(apart, fmax(fabs(x - y), fabs(t_load(real_type(A.type), only, k).re - y)));
          }
          T_LE(apart, 40.0 * t_u(A.type) * fmax(most, 1.0));
          for (bf_int j = 0; j < n; j++)
            for (bf_int i = 0; i < n; i++) {
              const t_cx x = t_at(&A, b, i, j);
              norm += x.re * x.re + x.im * x.im;
            }
          score(&A, &B, &V, b, w, sqrt(norm), err);
          T_LE(err[0], 10.0);
          T_LE(err[1], 50.0);
        }
        bf_host_free(w);
        bf_host_free(info);
        t_batch_destroy(&A);
        t_batch_destroy(&B);
        t_batch_destroy(&C);
        t_batch_destroy(&D);
        t_batch_destroy(&V);
        t_batch_destroy(&M);
      }
}

/* Pairs of several sizes behind pointers, some of them bad: the good ones are what they are alone. */
static void a_pair_fails_alone(void **state)
{
  (void)state;
  enum { N = 40, COUNT = 9 };
  static const bf_int size[COUNT]   = {40, 3, 0, 17, 33, 5, 41, 8, 40};
  static const bf_int expect[COUNT] = {0, 0, 0, 18, 0, 2, -1, 9, 0};
  uint64_t            seed          = 22;
  for (int t = 0; t < T_TYPES; t++) {
    T_ONE_OF(1);
    const bf_heev_how how = {.vectors = 1, .uplo = t % 2 ? BF_UPPER : BF_LOWER};
    double            w[COUNT * N], alone[N];
    bf_int            info[COUNT], one;
    t_batch           A = t_batch_create(t_types[t], N, COUNT), B = t_batch_create(t_types[t], N, COUNT);
    A.array = B.array = 1;
    A.sizes           = bf_host_alloc(COUNT, sizeof *A.sizes);
    assert_non_null(A.sizes);
    for (int b = 0; b < COUNT; b++) A.sizes[b] = size[b] > N ? 0 : size[b];
    B.sizes = A.sizes;
    fill(&A, &B, &seed);
    A.sizes[6] = 41;
    t_set(&A, 3, how.uplo == BF_LOWER ? 9 : 2, how.uplo == BF_LOWER ? 2 : 9, (t_cx){(double)NAN, 0.0});
    t_set(&B, 3, 4, 4, (t_cx){-1.0, 0.0}); /* not finite is reported first */
    t_set(&B, 5, 1, 1, (t_cx){-1.0, 0.0});
    t_set(&B, 7, 3, 3, (t_cx){(double)INFINITY, 0.0});
    t_batch        V = copy_of(&A), M = copy_of(&B);
    const bf_batch a  = t_start(&V);
    bf_batch       m  = t_start(&M);
    bf_int        *ib = t_workspace(sizeof info);
    void          *wb = t_workspace(sizeof w), *work = t_work(BF_HEGV, &a);
    t_be->ops.release(t_be, (void *)m.sizes);
    m.sizes = a.sizes;
    T_OK(bf_hegv_batch(t_be, &how, &a, &m, wb, ib, work));
    m.sizes = NULL;
    t_finish(&M, &m);
    t_finish(&V, &a);
    t_home(info, ib, sizeof info);
    t_home(w, wb, sizeof w);
    t_be->ops.release(t_be, work);
    A.sizes[6] = V.sizes[6] = M.sizes[6] = 0; /* no entry of it may have changed */
    t_guards(&V);
    t_guards(&M);
    for (bf_int b = 0; b < COUNT; b++) {
      const bf_int n = A.sizes[b];
      assert_int_equal(info[b], expect[b]);
      if (n == 0) continue;
      if (expect[b] != 0) {
        assert_true(isnan(t_load(real_type(A.type), w, b * N).re) && isnan(t_at(&V, b, n - 1, n - 1).re));
        continue;
      }
      t_batch X = t_batch_create(A.type, n, 1), Y = t_batch_create(A.type, n, 1);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n; i++) {
          t_set(&X, 0, i, j, t_at(&A, b, i, j));
          t_set(&Y, 0, i, j, t_at(&B, b, i, j));
        }
      t_hegv(&X, &Y, &how, alone, &one);
      assert_int_equal(one, 0);
      assert_true(t_same(&V, b, &X, 0));
      for (bf_int k = 0; k < n; k++)
        assert_true(t_load(real_type(A.type), w, b * N + k).re == t_load(real_type(A.type), alone, k).re);
      t_batch_destroy(&X);
      t_batch_destroy(&Y);
    }
    B.sizes = NULL;
    t_batch_destroy(&A);
    t_batch_destroy(&B);
    t_batch_destroy(&V);
    t_batch_destroy(&M);
  }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.hegv != NULL, "hegv_batch");
  if (code) return code;
  if (bf_backend_create("cpu", NULL, &host) != BF_OK) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_decompose_as_lapack_says),
                                     cmocka_unit_test(a_pair_fails_alone)};
  code                            = T_RUN(tests);
  bf_backend_destroy(&host);
  bf_backend_destroy(&t_be);
  return code;
}
