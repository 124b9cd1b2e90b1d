/* tests/kernels/dense/t373_large_spectra.c - batched eigen-decompositions of orders above 64: hard matrices,
 * LAPACK's values, batches of more matrices than are worked on at a time, values alone usage:
 * t373_large_spectra <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_hermitian.h"

enum { MAX = 257 };

/* Of some columns: ||A v - w v|| / (||A|| n u), |v_i^H v_j - [i = j]| / u; A and w scaled by f */
static void score(const t_batch *V, bf_int b, const t_cx *A, const void *w, double f, double err[2])
{
  const bf_int n = V->n, step = 1 + n / 7;
  t_cx        *r    = bf_host_alloc((size_t)n, sizeof *r);
  double       most = 0.0, apart = 0.0, norm;
  assert_non_null(r);
  for (bf_int j = 0; j < n; j += step) {
    for (bf_int i = 0; i < n; i++) {
      const double l = t_load(t_real_type(V->type), w, (int64_t)b * n + j).re * f;
      const t_cx   v = t_at(V, b, i, j);
      r[i]           = (t_cx){-l * v.re, -l * v.im};
      for (bf_int k = 0; k < n; k++) {
        const t_cx a = t_times(A[(int64_t)k * n + i], f), y = t_at(V, b, k, j);
        r[i].re += a.re * y.re - a.im * y.im;
        r[i].im += a.re * y.im + a.im * y.re;
      }
    }
    most = fmax(most, t_norm(n, r));
    for (bf_int c = 0; c < n; c++) {
      t_cx q = {c == j ? -1.0 : 0.0, 0.0};
      for (bf_int k = 0; k < n; k++) {
        const t_cx x = t_at(V, b, k, c), y = t_at(V, b, k, j);
        q.re += x.re * y.re + x.im * y.im;
        q.im += x.re * y.im - x.im * y.re;
      }
      apart = fmax(apart, hypot(q.re, q.im));
    }
  }
  norm   = t_norm((int64_t)n * n, A) * f;
  err[0] = most / (norm > 0.0 ? norm : 1.0) / n / t_u(V->type);
  err[1] = apart / t_u(V->type);
  bf_host_free(r);
}

static void hard_matrices_of_large_orders_decompose(void **state)
{
  (void)state;
  static const bf_int size[] = {65, 127, 129, 200, 257};
  static t_cx         A[T_MEMBERS][MAX * MAX];
  uint64_t            seed = 41;
  bf_backend         *host = NULL, *own = t_be;
  T_OK(bf_backend_create("cpu", NULL, &host));
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
      T_ONE_OF(7);
      const bf_int      n   = size[s];
      const bf_heev_how how = {.vectors = 1, .uplo = (s + (size_t)t) % 2 ? BF_UPPER : BF_LOWER};
      double *w = bf_host_alloc(3 * (size_t)T_MEMBERS * (size_t)n, sizeof *w), *l = w + T_MEMBERS * n,
             *only = l + T_MEMBERS * n, err[2];
      bf_int  info[T_MEMBERS];
      t_batch B = t_batch_create(t_types[t], n, T_MEMBERS), C = t_batch_create(t_types[t], n, T_MEMBERS);
      assert_non_null(w);
      for (int m = 0; m < T_MEMBERS; m++) t_fill(&B, m, t_members[m], A[m], &seed);
      memcpy(C.a, B.a, B.bytes);
      t_heev(&C, &(bf_heev_how){.uplo = how.uplo}, only, info);
      assert_memory_equal(B.a, C.a, B.bytes); /* without vectors A stays */
      t_be = host;
      t_heev(&C, &(bf_heev_how){.uplo = how.uplo}, l, info);
      t_be = own;
      t_heev(&B, &how, w, info);
      t_guards(&B);
      for (int m = 0; m < T_MEMBERS; m++) {
        const double f    = t_scale_of(n, A[m]);
        double       most = 0.0, apart = 0.0;
        assert_int_equal(info[m], 0);
        if (t_members[m] == t_subnormal) continue;
        score(&B, m, A[m], w, f, err);
        T_LE(err[0], 10.0);
        T_LE(err[1], 50.0);
        for (bf_int k = 0; k < n; k++) {
          const bf_scalar r = t_real_type(B.type);
          const double    x = t_load(r, w, m * n + k).re * f, y = t_load(r, l, m * n + k).re * f;
          most  = fmax(most, fabs(y));
          apart = fmax(apart, fmax(fabs(x - y), fabs(t_load(r, only, m * n + k).re * f - y)));
          if (k > 0) assert_true(t_load(r, w, m * n + k - 1).re * f <= x);
        }
        T_LE(apart, 80.0 * t_u(B.type) * most); /* of both */
      }
      t_batch_destroy(&B);
      t_batch_destroy(&C);
      bf_host_free(w);
    }
  bf_backend_destroy(&host);
}

/* Three matrices, one of them not finite, over and over: equal ones become equal bits, those of three alone.
 */
static void equal_matrices_become_equal_in_every_round(void **state)
{
  (void)state;
  T_LONG;
  enum { COUNT = 601, OF = 3 };
  static t_cx A[OF][MAX * MAX];
  uint64_t    seed = 42;
  static const struct {
    bf_scalar type;
    bf_int    n;
  } form[] = {{BF_S, 131}, {BF_Z, 70}, {BF_C, 50}};
  for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
    const bf_int n = form[f].n;
    t_batch      B = t_batch_create(form[f].type, n, COUNT), C = t_batch_create(form[f].type, n, OF);
    double      *w    = bf_host_alloc((size_t)COUNT * (size_t)n, sizeof *w);
    bf_int      *info = bf_host_alloc(COUNT, sizeof *info);
    assert_true(w && info);
    for (bf_int b = 0; b < COUNT; b++) {
      if (b < OF)
        t_fill(&B, b, b == 1 ? t_graded : t_plain, A[b], &seed);
      else
        t_put(&B, b, A[b % OF]);
      if (b % OF == 2) t_set(&B, b, n - 1, 3, (t_cx){(double)NAN, 0.0});
    }
    for (bf_int b = 0; b < OF; b++) {
      t_put(&C, b, A[b]);
      if (b == 2) t_set(&C, b, n - 1, 3, (t_cx){(double)NAN, 0.0});
    }
    t_heev(&C, &(bf_heev_how){.vectors = 1}, w, info);
    t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
    t_guards(&B);
    for (bf_int b = 0; b < COUNT; b++) {
      const bf_int of = b % OF;
      assert_int_equal(info[b], of == 2 ? n + 1 : 0);
      for (bf_int k = 0; k < n; k++) {
        const double x = t_load(t_real_type(B.type), w, (int64_t)b * n + k).re;
        assert_true(of == 2 ? isnan(x) : x == t_load(t_real_type(B.type), w, (int64_t)of * n + k).re);
      }
      if (of != 2) assert_true(t_same(&B, b, &C, of));
      if (of == 2) assert_true(isnan(t_at(&B, b, 0, n - 1).re));
    }
    bf_host_free(w);
    bf_host_free(info);
    t_batch_destroy(&B);
    t_batch_destroy(&C);
  }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {cmocka_unit_test(hard_matrices_of_large_orders_decompose),
                                     cmocka_unit_test(equal_matrices_become_equal_in_every_round)};
  code                            = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return code;
}
