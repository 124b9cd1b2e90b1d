/* tests/kernels/dense/t359_pairs_batch.c - batched eigen-decompositions of all types, from either triangle,
 * and of pairs of matrices: residual, orthogonality, what is not read usage: t359_pairs_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"

static const bf_int size[] = {1, 2, 3, 5, 8, 9, 16, 31, 32, 33, 63, 64, 65};
enum { SIZES = sizeof size / sizeof *size, MAX = 65 };

static t_cx times(t_cx a, t_cx b)
{
  return (t_cx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ||A V - B V diag(w)|| / (||A|| n u) and ||I - V^H B V|| / (n u); B = NULL: 1 */
static void score_any(const t_batch *V, bf_int n, const t_cx *A, const t_cx *B, const void *w, double err[2])
{
  const int64_t all = (int64_t)n * n;
  t_cx         *AV = bf_host_alloc((size_t)all, sizeof *AV), *BV = bf_host_alloc((size_t)all, sizeof *BV);
  assert_true(AV && BV);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      t_cx a = {0.0, 0.0}, b = {0.0, 0.0};
      for (bf_int k = 0; k < n; k++) {
        const t_cx v = t_at(V, 0, k, j), p = times(A[k * n + i], v), q = B ? times(B[k * n + i], v) : v;
        a.re += p.re;
        a.im += p.im;
        if (B || k == i) b.re += q.re, b.im += q.im;
      }
      const double l = t_load(t_is_single(V->type) ? BF_S : BF_D, w, j).re;
      AV[j * n + i]  = (t_cx){a.re - l * b.re, a.im - l * b.im};
      BV[j * n + i]  = b;
    }
  err[0] = t_norm(all, AV) / t_norm(all, A) / n / t_u(V->type);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      t_cx s = {i == j ? -1.0 : 0.0, 0.0};
      for (bf_int k = 0; k < n; k++) {
        const t_cx v = t_at(V, 0, k, i), p = times((t_cx){v.re, -v.im}, BV[j * n + k]);
        s.re += p.re;
        s.im += p.im;
      }
      AV[j * n + i] = s;
    }
  err[1] = t_norm(all, AV) / n / t_u(V->type);
  bf_host_free(AV);
  bf_host_free(BV);
}

/* The matrix of one triangle: what stands in the other is NaN, and so are imaginary parts of the diagonal. */
static void hide(t_batch *B, bf_uplo uplo)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++)
      if (uplo == BF_LOWER ? i < j : i > j)
        t_set(B, 0, i, j, (t_cx){(double)NAN, (double)NAN});
      else if (i == j)
        t_set(B, 0, i, j, (t_cx){t_at(B, 0, i, j).re, (double)NAN});
}

static void all_types_decompose_from_either_triangle(void **state)
{
  (void)state;
  static t_cx A[MAX * MAX];
  uint64_t    seed = 8;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_EIGEN, t_types[t], size, SIZES, 37).count; s++)
      for (int u = 0; u < 2; u++) {
        if (t_quick() && u == s % 2) continue;
        T_ONE_OF(1);
        const bf_int      n   = t_orders_of(T_EIGEN, t_types[t], size, SIZES, 37).n[s];
        const bf_heev_how how = {.vectors = 1, .uplo = u ? BF_UPPER : BF_LOWER};
        double            w[MAX], err[2];
        bf_int            info;
        t_batch           B = t_batch_create(t_types[t], n, 1);
        t_definite_matrix(t_types[t], n, A, &seed);
        for (bf_int i = 0; i < n; i++) A[i * n + i].re -= 0.5 * n;
        t_put(&B, 0, A);
        t_get(&B, 0, A);
        hide(&B, how.uplo);
        t_heev(&B, &how, w, &info);
        assert_int_equal(info, 0);
        score_any(&B, n, A, NULL, w, err);
        T_LE(err[0], 10.0);
        T_LE(err[1], 50.0);
        for (bf_int j = 0; j < n; j++) { /* the largest component is real and positive */
          double most = 0.0, at = 0.0;
          for (bf_int i = 0; i < n; i++) {
            const t_cx v = t_at(&B, 0, i, j);
            most         = fmax(most, hypot(v.re, v.im));
          }
          for (bf_int i = 0; i < n; i++) {
            const t_cx v = t_at(&B, 0, i, j);
            if (fabs(v.im) <= 8 * t_u(t_types[t]) && v.re >= most * (1 - 8 * t_u(t_types[t]))) at = v.re;
          }
          assert_true(at > 0.0);
        }
        t_batch_destroy(&B);
      }
}

/* Larger orders, each kernel of the device once; every other one falls apart into two. */
static void larger_orders_decompose(void **state)
{
  (void)state;
  static const bf_int large[] = {100, 129, 256, 300, 512};
  uint64_t            seed    = 10;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof large / sizeof *large; s++) {
      if (t_quick() && (s % 4 != (size_t)t || (t_quick() == 2 && large[s] > 129))) continue;
      const bf_int      n   = large[s];
      const bf_heev_how how = {.vectors = 1, .uplo = s % 2 ? BF_UPPER : BF_LOWER};
      if (n > 256 && t != (n == 300 ? BF_C : BF_Z)) continue; /* the host takes n^3 */
      t_cx   *A = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
      double *w = bf_host_alloc((size_t)n, sizeof *w), err[2];
      bf_int  info;
      t_batch B = t_batch_create(t_types[t], n, 1);
      assert_true(A && w);
      t_definite_matrix(t_types[t], n, A, &seed);
      for (bf_int j = 0; j < n; j++)
        for (bf_int i = 0; i < n && s % 2; i++)
          if ((i ^ j) & 1) A[j * n + i] = (t_cx){0.0, 0.0}; /* even and odd rows apart */
      t_put(&B, 0, A);
      t_get(&B, 0, A);
      t_heev(&B, &how, w, &info);
      t_guards(&B);
      assert_int_equal(info, 0);
      score_any(&B, n, A, NULL, w, err);
      T_LE(err[0], 10.0);
      T_LE(err[1], 50.0);
      for (bf_int k = 1; k < n; k++) {
        const bf_scalar real = t_is_single(t_types[t]) ? BF_S : BF_D;
        assert_true(t_load(real, w, k - 1).re <= t_load(real, w, k).re);
      }
      t_batch_destroy(&B);
      bf_host_free(A);
      bf_host_free(w);
    }
}

static void pairs_of_matrices_decompose(void **state)
{
  (void)state;
  static t_cx A[MAX * MAX], M[MAX * MAX];
  uint64_t    seed = 9;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < SIZES; s++) {
      T_ONE_OF(5);
      const bf_int      n   = size[s];
      const bf_heev_how how = {.vectors = 1, .uplo = s % 2 ? BF_UPPER : BF_LOWER};
      double            w[MAX], err[2];
      bf_int            info;
      t_batch           V = t_batch_create(t_types[t], n, 1), B = t_batch_create(t_types[t], n, 1);
      for (int bad = 0; bad < 2; bad++) {
        t_definite_matrix(t_types[t], n, A, &seed);
        t_definite_matrix(t_types[t], n, M, &seed);
        if (bad) M[(n / 2) * (n + 1)].re = -1.0;
        t_put(&V, 0, A);
        t_put(&B, 0, M);
        t_get(&V, 0, A);
        t_get(&B, 0, M);
        hide(&V, how.uplo);
        hide(&B, how.uplo);
        t_hegv(&V, &B, &how, w, &info);
        t_guards(&V);
        t_guards(&B);
        assert_int_equal(info, bad ? n / 2 + 1 : 0);
        if (bad) {
          assert_true(isnan(t_load(t_is_single(t_types[t]) ? BF_S : BF_D, w, n - 1).re) &&
                      isnan(t_at(&V, 0, 0, 0).re));
          continue;
        }
        score_any(&V, n, A, M, w, err);
        T_LE(err[0], 10.0);
        T_LE(err[1], 50.0);
      }
      t_batch_destroy(&V);
      t_batch_destroy(&B);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  const struct CMUnitTest heev[] = {cmocka_unit_test(all_types_decompose_from_either_triangle),
                                    cmocka_unit_test(larger_orders_decompose)};
  const struct CMUnitTest hegv[] = {cmocka_unit_test(pairs_of_matrices_decompose)};
  code                           = T_RUN(heev);
  if (t_be->ops.batch.hegv) code |= T_RUN(hegv);
  bf_backend_destroy(&t_be);
  return code;
}
