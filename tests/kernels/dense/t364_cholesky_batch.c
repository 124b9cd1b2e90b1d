/* tests/kernels/dense/t364_cholesky_batch.c - batched Cholesky of all types: residuals in both triangles,
 * known factors, solutions in one call, matrices that are not definite usage: t364_cholesky_batch <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_family.h"
#include "tests/kernels/dense/batch_score.h"

static const bf_int size[] = {1,  2,  3,  4,  5,   8,   9,   16,  17,  31,  32,  33,  48,
                              63, 64, 65, 96, 127, 128, 129, 160, 190, 255, 256, 384, 512};
enum { SIZES = sizeof size / sizeof *size, COUNT = 4 };

static void definite_tiny(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_definite_matrix(type, n, a, seed);
  for (int64_t i = 0; i < (int64_t)n * n; i++) t_scale_entry(a + i, t_scale(type, -1));
}
/* D A D with powers of two: condition far above 1/u, factors as good as those of A */
static void definite_graded(bf_scalar type, bf_int n, t_cx *a, uint64_t *seed)
{
  t_definite_matrix(type, n, a, seed);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      t_scale_entry(a + (int64_t)j * n + i, ldexp(1.0, -(20 * i / n) - 20 * j / n));
}
static t_matrix_of *const families[COUNT] = {t_definite_matrix, definite_tiny, definite_graded,
                                             t_lehmer_matrix};

/* Fills matrix b; the triangle that is not of `uplo` becomes NaN. */
static void plant(t_batch *B, bf_int b, bf_uplo uplo, t_cx *A)
{
  const bf_int n = B->n;
  t_put(B, b, A);
  t_get(B, b, A);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      if (uplo == BF_LOWER ? i < j : i > j) t_set(B, b, i, j, (t_cx){(double)NAN, (double)NAN});
}

/* ||A - L L^H||_F / (||A||_F n u); L from the triangle of `uplo`, which alone was written */
static double residual(const t_batch *B, bf_int b, bf_uplo uplo, const t_cx *A, t_cx *L)
{
  const bf_int n = B->n;
  t_column     c = t_column_create(n);
  t_long       s = 0;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) {
      t_cx x = uplo == BF_LOWER ? t_at(B, b, i, j) : t_at(B, b, j, i);
      if (uplo == BF_UPPER) x.im = -x.im;
      if (i < j && !isnan(x.re)) fail_msg("n=%d: the other triangle was written", (int)n);
      L[(int64_t)j * n + i] = i < j ? (t_cx){0.0, 0.0} : x;
    }
  for (bf_int j = 0; j < n; j++) {
    for (bf_int i = 0; i < n; i++) {
      c.re[i] = i < j ? 0 : (t_long)A[(int64_t)j * n + i].re;
      c.im[i] = i < j ? 0 : (t_long)A[(int64_t)j * n + i].im;
    }
    for (bf_int k = 0; k <= j; k++) {
      const t_cx x = L[(int64_t)k * n + j];
      t_subtract(&c, j, n, t_is_complex(B->type), L + (int64_t)k * n, (t_cx){x.re, -x.im});
    }
    s += 2 * t_square(&c, n) - c.re[j] * c.re[j] - c.im[j] * c.im[j];
  }
  t_column_destroy(&c);
  return (double)(sqrtl(s) / (t_long)t_norm((int64_t)n * n, A)) / n / t_u(B->type);
}

static void residuals_are_at_roundoff_in_either_triangle(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_CHOLESKY, t_types[t], size, SIZES, 512).count; s++) {
      const bf_int  n    = t_orders_of(T_CHOLESKY, t_types[t], size, SIZES, 512).n[s];
      const size_t  all  = (size_t)n * (size_t)n;
      const bf_uplo uplo = s % 2 ? BF_UPPER : BF_LOWER;
      t_cx         *A = bf_host_alloc(all * COUNT, sizeof *A), *L = bf_host_alloc(all, sizeof *L);
      bf_int        info[COUNT];
      t_batch       B = t_batch_create(t_types[t], n, COUNT);
      assert_true(A && L);
      for (int b = 0; b < COUNT; b++) {
        families[b](t_types[t], n, A + all * (size_t)b, &seed);
        plant(&B, b, uplo, A + all * (size_t)b);
      }
      t_potrf(&B, uplo, info);
      t_guards(&B);
      for (int b = 0; b < (n > 256 ? 1 : COUNT); b++) {
        const double e = residual(&B, b, uplo, A + all * (size_t)b, L);
        if (info[b] != 0 || !(e <= 1.0))
          fail_msg("type %d n=%d uplo %d family %d: info %d, %g", (int)t_types[t], (int)n, (int)uplo, b,
                   (int)info[b], e);
      }
      t_batch_destroy(&B);
      bf_host_free(A);
      bf_host_free(L);
    }
}

/* A(i,j) = min(i,j) + 1 is L L^T with ones; complex: D A D^H, D = diag(i^k), is D L. */
static void known_factors_are_met(void **state)
{
  (void)state;
  for (int t = 0; t < T_TYPES; t++)
    for (int s = 0; s < t_orders_of(T_CHOLESKY, t_types[t], size, SIZES, 129).count && size[s] <= 129; s++)
      for (int upper = 0; upper < 2; upper++) {
        if (t_quick() && upper == s % 2) continue; /* the other one is above */
        const bf_int n = t_orders_of(T_CHOLESKY, t_types[t], size, SIZES, 129).n[s];
        bf_int       info[1];
        t_batch      B = t_batch_create(t_types[t], n, 1);
        for (bf_int j = 0; j < n; j++)
          for (bf_int i = 0; i < n; i++) {
            const double x = (i < j ? i : j) + 1.0;
            const int    k = t_is_complex(t_types[t]) ? (i - j + 4 * n) % 4 : 0;
            t_set(&B, 0, i, j, (t_cx){k == 0 ? x : k == 2 ? -x : 0.0, k == 1 ? x : k == 3 ? -x : 0.0});
          }
        t_potrf(&B, upper ? BF_UPPER : BF_LOWER, info);
        assert_int_equal(info[0], 0);
        for (bf_int j = 0; j < n; j++)
          for (bf_int i = j; i < n; i++) {
            const t_cx x = upper ? t_at(&B, 0, j, i) : t_at(&B, 0, i, j);
            T_NEAR(fabs(x.re) + fabs(x.im), 1.0, 4.0 * n * t_u(t_types[t]));
          }
        t_batch_destroy(&B);
      }
}

/* B = A^-1 B and the factors, in one call. */
static void posv(t_batch *A, t_batch *X, bf_int nrhs, bf_uplo uplo, bf_int *info)
{
  const bf_batch a = t_start(A), x = t_start(X);
  bf_int        *ib   = t_workspace((size_t)A->count * sizeof *info);
  void          *work = t_work(BF_POSV, &a);
  bf_batch_rhs   rhs  = {.nrhs = nrhs, .ld = x.ld, .stride = x.stride, .b = x.a, .array = x.array};
  T_OK(bf_posv_batch(t_be, uplo, &a, &rhs, ib, work));
  t_finish(A, &a);
  t_finish(X, &x);
  t_home(info, ib, (size_t)A->count * sizeof *info);
  t_be->ops.release(t_be, work);
}

static void systems_are_solved_in_one_call(void **state)
{
  (void)state;
  static const bf_int some[] = {1, 2, 5, 8, 16, 31, 32, 33, 64, 65, 100, 129, 200};
  uint64_t            seed   = 2;
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof some / sizeof *some; s++) {
      T_ONE_OF(5);
      const bf_int  n = some[s], nrhs = s % 2 ? 1 : 3;
      const bf_uplo uplo = s % 2 ? BF_UPPER : BF_LOWER;
      const size_t  all  = (size_t)n * (size_t)n;
      t_cx         *A    = bf_host_alloc(all * COUNT, sizeof *A), b[200], x[200];
      bf_int        info[COUNT];
      t_batch       B = t_batch_create(t_types[t], n, COUNT),
              X = t_batch_create(t_types[t], n > nrhs ? n : nrhs, COUNT), Y = X;
      assert_non_null(A);
      for (int k = 0; k < COUNT; k++) {
        t_definite_matrix(t_types[t], n, A + all * (size_t)k, &seed);
        if (k == 2) A[all * 2 + (size_t)(n / 2) * (size_t)(n + 1)].re = -1.0; /* not definite */
        plant(&B, k, uplo, A + all * (size_t)k);
        for (bf_int r = 0; r < nrhs; r++)
          for (bf_int i = 0; i < n; i++)
            t_set(&X, k, i, r, (t_cx){t_uniform(&seed), t_is_complex(t_types[t])});
      }
      Y.a = bf_host_alloc(X.bytes, 1);
      assert_non_null(Y.a);
      memcpy(Y.a, X.a, X.bytes);
      posv(&B, &X, nrhs, uplo, info);
      t_guards(&B);
      for (int k = 0; k < COUNT; k++) {
        assert_int_equal(info[k], k == 2 ? n / 2 + 1 : 0);
        for (bf_int r = 0; r < nrhs; r++) {
          for (bf_int i = 0; i < n; i++) {
            x[i] = t_at(&X, k, i, r);
            b[i] = t_at(&Y, k, i, r);
            if (k == 2) assert_true(x[i].re == b[i].re && x[i].im == b[i].im);
            t_set(&X, k, i, r, b[i]);
          }
          if (k != 2) T_LE(t_solve_error(t_types[t], n, 'N', A + all * (size_t)k, x, b), 10.0);
        }
      }
      assert_memory_equal(X.a, Y.a, X.bytes);
      t_batch_destroy(&B);
      t_batch_destroy(&X);
      bf_host_free(Y.a);
      bf_host_free(A);
    }
}

static void what_is_not_definite_or_finite_fails_alone(void **state)
{
  (void)state;
  enum { MANY = 33 };
  static const bf_int some[] = {2, 3, 7, 16, 31, 33, 65, 130, 200};
  for (int t = 0; t < T_TYPES; t++)
    for (size_t s = 0; s < sizeof some / sizeof *some; s++) {
      if (t_quick() && some[s] > 65) continue;
      T_ONE_OF(3);
      const bf_int n    = some[s];
      uint64_t     seed = 3;
      bf_int       info[MANY], clean[MANY];
      t_cx        *A = bf_host_alloc((size_t)n * (size_t)n, sizeof *A);
      t_batch      B = t_batch_create(t_types[t], n, MANY), C = t_batch_create(t_types[t], n, MANY);
      assert_non_null(A);
      for (bf_int b = 0; b < MANY; b++) {
        t_definite_matrix(t_types[t], n, A, &seed);
        plant(&C, b, BF_LOWER, A);
        if (b == 3) A[(n - 1) * (n + 1)].re = -0.5;
        if (b == 4) A[0].re = 0.0;
        if (b == 9) A[n - 1].re = (double)NAN; /* last row, first column */
        if (b == 32) A[(n / 2) * (n + 1)].re = (double)INFINITY;
        plant(&B, b, BF_LOWER, A);
      }
      t_potrf(&C, BF_LOWER, clean);
      t_potrf(&B, BF_LOWER, info);
      t_guards(&B);
      for (bf_int b = 0; b < MANY; b++) {
        const int expect = b == 3 ? n : b == 4 ? 1 : b == 9 || b == 32 ? n + 1 : 0;
        if (info[b] != expect)
          fail_msg("type %d n=%d matrix %d: info %d", (int)t_types[t], (int)n, (int)b, (int)info[b]);
        assert_int_equal(clean[b], 0);
        for (bf_int j = 0; j < n && expect == 0; j++)
          for (bf_int i = j; i < n; i++) {
            const t_cx x = t_at(&B, b, i, j), y = t_at(&C, b, i, j);
            assert_true(x.re == y.re && x.im == y.im);
          }
      }
      t_batch_destroy(&B);
      t_batch_destroy(&C);
      bf_host_free(A);
    }
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.potrf != NULL, "potrf_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residuals_are_at_roundoff_in_either_triangle),
      cmocka_unit_test(known_factors_are_met),
      cmocka_unit_test(systems_are_solved_in_one_call),
      cmocka_unit_test(what_is_not_definite_or_finite_fails_alone),
  };
  return t_backend_close(T_RUN(tests));
}
