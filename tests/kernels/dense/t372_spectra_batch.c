/* tests/kernels/dense/t372_spectra_batch.c - batched eigen-decompositions of hard matrices of all types to
 * order 33, mixed in one batch: residual, orthogonality, LAPACK's values, the same bits alone; what may be
 * left off the diagonal usage: t372_spectra_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_hermitian.h"

static const bf_int size[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};
enum { SIZES = sizeof size / sizeof *size, MAX = 33 };

/* ||A V - V diag(w)|| / (||A|| n u), ||1 - V^H V|| / (n u); A and w scaled by f */
static void score(const t_batch *V, bf_int b, const t_cx *A, const void *w, double f, double err[2])
{
  static t_cx  R[MAX * MAX], Q[MAX * MAX], C[MAX * MAX];
  const bf_int n = V->n;
  for (bf_int k = 0; k < n * n; k++) C[k] = t_times(A[k], f);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      const double l = t_load(t_real_type(V->type), w, (int64_t)b * n + j).re * f;
      const t_cx   v = t_at(V, b, i, j);
      t_cx         r = {-l * v.re, -l * v.im}, q = {i == j ? -1.0 : 0.0, 0.0};
      for (bf_int k = 0; k < n; k++) {
        const t_cx a = C[k * n + i], y = t_at(V, b, k, j), x = t_at(V, b, k, i);
        r.re += a.re * y.re - a.im * y.im;
        r.im += a.re * y.im + a.im * y.re;
        q.re += x.re * y.re + x.im * y.im;
        q.im += x.re * y.im - x.im * y.re;
      }
      R[j * n + i] = r;
      Q[j * n + i] = q;
    }
  const double norm = t_norm((int64_t)n * n, C);
  err[0]            = t_norm((int64_t)n * n, R) / (norm > 0.0 ? norm : 1.0) / n / t_u(V->type);
  err[1]            = t_norm((int64_t)n * n, Q) / n / t_u(V->type);
}

static void hard_matrices_decompose_in_one_batch(void **state)
{
  (void)state;
  static t_cx A[T_MEMBERS][MAX * MAX];
  uint64_t    seed = 31;
  bf_backend *host = NULL, *own = t_be;
  T_OK(bf_backend_create("cpu", NULL, &host));
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++)
      for (int u = 0; u < 2; u++) {
        T_ONE_OF(7);
        const bf_int      n   = size[s];
        const bf_heev_how how = {.vectors = 1, .uplo = u ? BF_UPPER : BF_LOWER};
        double            w[T_MEMBERS * MAX], l[T_MEMBERS * MAX], alone[MAX], err[2];
        bf_int            info[T_MEMBERS], one;
        t_batch B = t_batch_create(t_types[t], n, T_MEMBERS), C = t_batch_create(t_types[t], n, T_MEMBERS);
        for (int m = 0; m < T_MEMBERS; m++) t_fill(&B, m, t_members[m], A[m], &seed);
        memcpy(C.a, B.a, B.bytes);
        t_heev(&B, &how, w, info);
        t_guards(&B);
        t_be = host;
        t_heev(&C, &(bf_heev_how){.uplo = how.uplo}, l, (bf_int[T_MEMBERS]){0});
        t_be = own;
        for (int m = 0; m < T_MEMBERS; m++) {
          const double f    = t_scale_of(n, A[m]);
          double       most = 0.0, apart = 0.0;
          assert_int_equal(info[m], 0);
          score(&B, m, A[m], w, f, err);
          if (t_members[m] != t_subnormal) T_LE(err[0], 10.0); /* its values are rounded to what there is */
          T_LE(err[1], 50.0);
          for (bf_int k = 0; k < n; k++) {
            const double x = t_load(t_real_type(B.type), w, m * n + k).re,
                         y = t_load(t_real_type(B.type), l, m * n + k).re;
            most           = fmax(most, fabs(y) * f);
            apart          = fmax(apart, fabs(x - y) * f);
            if (k > 0) assert_true(t_load(t_real_type(B.type), w, m * n + k - 1).re <= x);
          }
          if (t_members[m] != t_subnormal) T_LE(apart, 20.0 * t_u(B.type) * most);
          if (t_quick() && m > 0) continue;
          t_batch X = t_batch_create(B.type, n, 1);
          t_put(&X, 0, A[m]);
          t_heev(&X, &how, alone, &one);
          assert_true(t_same(&B, m, &X, 0));
          for (bf_int k = 0; k < n; k++)
            assert_true(t_load(t_real_type(B.type), w, m * n + k).re ==
                        t_load(t_real_type(B.type), alone, k).re);
          t_batch_destroy(&X);
        }
        t_batch_destroy(&B);
        t_batch_destroy(&C);
      }
  bf_backend_destroy(&host);
}

/* What the caller allows is kept to; too few sweeps end in n+2 with what is left, and NaN, or are not needed.
 */
static void tolerance_and_sweeps_are_kept_to(void **state)
{
  (void)state;
  static t_cx A[MAX * MAX];
  uint64_t    seed = 32;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 1; s < SIZES; s++)
      for (int k = 0; k < 3; k++) {
        T_ONE_OF(11);
        const bf_int      n   = size[s];
        bf_int           *lb  = t_to_backend(&(bf_int){-9}, sizeof *lb), left, info;
        const bf_heev_how how = {.vectors = 1,
                                 .tolerance =
                                     k < 2 ? pow(10.0, -2 - k * (t_is_single(t_types[t]) ? 1 : 3)) : 0.0,
                                 .sweeps = k < 2 ? 0 : 1,
                                 .left   = lb};
        const double      u   = t_u(t_types[t]);
        double            w[MAX], err[2];
        t_batch           B = t_batch_create(t_types[t], n, 1);
        t_fill(&B, 0, t_plain, A, &seed);
        t_heev(&B, &how, w, &info);
        t_home(&left, lb, sizeof left);
        if (k < 2) assert_int_equal(info, 0);
        if (k == 2 && n >= 8 && n <= 32 && t_be->ops.on_device) assert_int_equal(info, n + 2);
        if (info != 0) {
          assert_int_equal(info, n + 2);
          assert_in_range(left, 1, n * (n - 1) / 2);
          assert_true(isnan(t_load(t_real_type(B.type), w, 0).re) && isnan(t_at(&B, 0, n - 1, 0).re));
        } else {
          assert_int_equal(left, 0);
          score(&B, 0, A, w, 1.0, err);
          T_LE(err[0] * u * n, how.tolerance + 10.0 * u * n);
          T_LE(err[1] * u * n, how.tolerance * n + 50.0 * u * n);
        }
        t_batch_destroy(&B);
      }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {cmocka_unit_test(hard_matrices_decompose_in_one_batch),
                                     cmocka_unit_test(tolerance_and_sweeps_are_kept_to)};
  code                            = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return code;
}
