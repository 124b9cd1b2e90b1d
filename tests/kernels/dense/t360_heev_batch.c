/* tests/kernels/dense/t360_heev_batch.c - batched eigen-decompositions: residual and orthogonality, known
 * spectra, another method's values, planted failures usage: t360_heev_batch <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/kernels/dense/batch_case.h"
#include <omp.h>

static const bf_int size[] = {1, 2, 3, 5, 8, 9, 16, 31, 32, 33, 63, 64, 65};
enum { SIZES = sizeof size / sizeof *size, MAX = 65 };

static void t_put_real(t_batch *B, bf_int b, const double *A)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++) t_set(B, b, i, j, (t_cx){A[j * B->n + i], 0.0});
}
static void t_get_real(const t_batch *B, bf_int b, double *A)
{
  for (bf_int j = 0; j < B->n; j++)
    for (bf_int i = 0; i < B->n; i++) A[j * B->n + i] = t_at(B, b, i, j).re;
}
static double norm_of(bf_int count, const double *a)
{
  double most = 0.0, s = 0.0;
  for (bf_int i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  for (bf_int i = 0; i < count && most > 0.0; i++) s += a[i] / most * (a[i] / most);
  return most * sqrt(s);
}

typedef void family(bf_int n, double *a, uint64_t *seed); /* a[n][n] symmetric */

static void random_matrix(bf_int n, double *a, uint64_t *seed)
{
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = j; i < n; i++) a[j * n + i] = a[i * n + j] = t_uniform(seed) - 0.5;
}
static void zero_matrix(bf_int n, double *a, uint64_t *seed)
{
  (void)seed;
  for (bf_int i = 0; i < n * n; i++) a[i] = 0.0;
}
static void ones_matrix(bf_int n, double *a, uint64_t *seed)
{
  (void)seed;
  for (bf_int i = 0; i < n * n; i++) a[i] = 1.0;
}
static void graded_matrix(bf_int n, double *a, uint64_t *seed)
{
  random_matrix(n, a, seed);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++) a[j * n + i] *= pow(10.0, -8.0 * (i + j) / n);
}
static void indefinite_matrix(bf_int n, double *a, uint64_t *seed)
{
  random_matrix(n, a, seed);
  for (bf_int i = 0; i < n; i++) a[i * n + i] += (i % 2 ? -1.0 : 1.0) * pow(10.0, 6.0 * i / n);
}
static void tiny_matrix(bf_int n, double *a, uint64_t *seed)
{
  random_matrix(n, a, seed);
  for (bf_int i = 0; i < n * n; i++) a[i] *= 0x1p-900;
}
static void huge_matrix(bf_int n, double *a, uint64_t *seed)
{
  random_matrix(n, a, seed);
  for (bf_int i = 0; i < n * n; i++) a[i] *= 0x1p900;
}
static void wilkinson_matrix(bf_int n, double *a, uint64_t *seed) /* W21+: pairs equal to 1e-14 */
{
  (void)seed;
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = 0; i < n; i++)
      a[j * n + i] = i == j ? fabs(i - 0.5 * (n - 1)) : abs(i - j) == 1 ? 1.0 : 0.0;
}
static family *const families[] = {random_matrix,     zero_matrix, ones_matrix, graded_matrix,
                                   indefinite_matrix, tiny_matrix, huge_matrix, wilkinson_matrix};
enum { FAMILIES = sizeof families / sizeof *families };

/* err_D = ||A - V w V^T|| / (||A|| n) and err_Q = ||I - V^T V|| / n, in units of roundoff; A scaled. */
static void score(bf_int n, const double *a, const double *v, const double *w, double err[2])
{
  static double d[MAX * MAX], q[MAX * MAX];
  const double  norm = norm_of(n * n, a), s = norm > 0.0 ? norm : 1.0;
  for (bf_int i = 0; i < n; i++)
    for (bf_int j = 0; j < n; j++) {
      d[j * n + i] = a[j * n + i] / s;
      q[j * n + i] = i == j ? 1.0 : 0.0;
      for (bf_int k = 0; k < n; k++) {
        d[j * n + i] -= v[k * n + i] * (w[k] / s) * v[k * n + j];
        q[j * n + i] -= v[i * n + k] * v[j * n + k];
      }
    }
  err[0] = norm_of(n * n, d) / n / DBL_EPSILON;
  err[1] = norm_of(n * n, q) / n / DBL_EPSILON;
}

static void residual_and_orthogonality_are_at_roundoff(void **state)
{
  (void)state;
  static double A[FAMILIES][MAX * MAX], V[MAX * MAX], w[FAMILIES * MAX];
  bf_int        info[FAMILIES];
  uint64_t      seed = 1;
  for (int s = 0; s < t_orders_of(T_EIGEN, BF_D, size, SIZES, 37).count; s++) {
    const bf_int n = t_orders_of(T_EIGEN, BF_D, size, SIZES, 37).n[s];
    t_batch      B = t_batch_create(BF_D, n, FAMILIES);
    for (int f = 0; f < FAMILIES; f++) {
      families[f](n, A[f], &seed);
      t_put_real(&B, f, A[f]);
    }
    t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
    t_guards(&B);
    for (int f = 0; f < FAMILIES; f++) {
      double err[2];
      assert_int_equal(info[f], 0);
      t_get_real(&B, f, V);
      score(n, A[f], V, w + f * n, err);
      T_LE(err[0], 10.0);
      T_LE(err[1], 50.0);
      for (bf_int k = 1; k < n; k++) T_LE(w[f * n + k - 1], w[f * n + k]);
    }
    t_batch_destroy(&B);
  }
}

/* Largest |w - expected| in units of roundoff of the largest. */
static double eta(bf_int n, const double *w, const double *expect)
{
  double e = 0.0, most = 0.0;
  for (bf_int k = 0; k < n; k++) {
    e    = fmax(e, fabs(w[k] - expect[k]));
    most = fmax(most, fabs(expect[k]));
  }
  return most > 0.0 ? e / most / DBL_EPSILON : e;
}

static void known_spectra_are_met(void **state)
{
  (void)state;
  T_LONG;
  static double A[MAX * MAX], w[2 * MAX], laplace[MAX], clement[MAX];
  bf_int        info[2];
  for (int s = 0; s < SIZES; s++) {
    const bf_int n = size[s];
    const double h = acos(-1.0) / (n + 1);
    t_batch      B = t_batch_create(BF_D, n, 2);
    for (bf_int j = 0; j < n; j++) /* 2 -1 on a line: 2 - 2 cos(k h) */
      for (bf_int i = 0; i < n; i++) A[j * n + i] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
    t_put_real(&B, 0, A);
    for (bf_int j = 0; j < n; j++) /* Clement: n-1, n-3, ... , 1-n */
      for (bf_int i = 0; i < n; i++) {
        const bf_int k = i > j ? i : j;
        A[j * n + i]   = abs(i - j) == 1 ? sqrt((double)k * (n - k)) : 0.0;
      }
    t_put_real(&B, 1, A);
    for (bf_int k = 0; k < n; k++) {
      laplace[k] = 4.0 * pow(sin(0.5 * h * (k + 1)), 2);
      clement[k] = 2.0 * k - (n - 1);
    }
    t_heev(&B, &(bf_heev_how){.vectors = s % 2}, w, info);
    T_LE(eta(n, w, laplace), n <= 64 ? 20.0 : 40.0);
    T_LE(eta(n, w + n, clement), n <= 64 ? 20.0 : 40.0);
    t_batch_destroy(&B);
  }
}

/* Eigenvalues by cyclic Jacobi rotations (Golub and Van Loan, sec. 8.5), ascending: the other method. */
static void jacobi(bf_int n, double *a, double *w)
{
  for (int sweep = 0; sweep < 60; sweep++)
    for (bf_int p = 0; p < n; p++)
      for (bf_int q = p + 1; q < n; q++) {
        const double apq = a[q * n + p];
        if (apq == 0.0) continue;
        const double tau = (a[q * n + q] - a[p * n + p]) / (2.0 * apq),
                     t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + hypot(1.0, tau)), c = 1.0 / hypot(1.0, t),
                     sn = c * t;
        for (bf_int k = 0; k < n; k++) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - sn * y;
          a[q * n + k] = sn * x + c * y;
        }
        for (bf_int k = 0; k < n; k++) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - sn * y;
          a[k * n + q] = sn * x + c * y;
        }
      }
  for (bf_int k = 0; k < n; k++) {
    bf_int at = k;
    for (; at > 0 && w[at - 1] > a[k * n + k]; at--) w[at] = w[at - 1];
    w[at] = a[k * n + k];
  }
}

static void jacobi_rotations_find_the_same_values(void **state)
{
  (void)state;
  static double A[MAX * MAX], w[2 * MAX], other[MAX];
  bf_int        info[2];
  uint64_t      seed = 5;
  for (int s = 0; s < t_orders_of(T_EIGEN, BF_D, size, SIZES, 37).count; s++) {
    const bf_int n = t_orders_of(T_EIGEN, BF_D, size, SIZES, 37).n[s];
    t_batch      B = t_batch_create(BF_D, n, 2);
    for (int f = 0; f < 2; f++) {
      families[f ? 4 : 0](n, A, &seed);
      t_put_real(&B, f, A);
    }
    t_batch C = t_batch_create(BF_D, n, 2);
    memcpy(C.a, B.a, B.bytes);
    t_heev(&C, &(bf_heev_how){.vectors = 0}, w, info);
    assert_memory_equal(B.a, C.a, B.bytes); /* without vectors A stays */
    for (int f = 0; f < 2; f++) {
      t_get_real(&B, f, A);
      jacobi(n, A, other);
      T_LE(eta(n, w + f * n, other), 40.0);
    }
    t_batch_destroy(&B);
    t_batch_destroy(&C);
  }
}

/* Same vectors, same values, whatever stands above the diagonal. */
static void only_the_lower_triangle_is_read(void **state)
{
  (void)state;
  enum { N = 17 };
  static double A[N * N], w[2 * N];
  bf_int        info[2];
  uint64_t      seed = 6;
  t_batch       B    = t_batch_create(BF_D, N, 2);
  random_matrix(N, A, &seed);
  t_put_real(&B, 0, A);
  for (bf_int j = 1; j < N; j++)
    for (bf_int i = 0; i < j; i++) A[j * N + i] = NAN;
  t_put_real(&B, 1, A);
  t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
  assert_int_equal(info[1], 0);
  assert_memory_equal(w, w + N, N * sizeof *w);
  for (bf_int j = 0; j < N; j++)
    for (bf_int i = 0; i < N; i++) assert_true(t_at(&B, 0, i, j).re == t_at(&B, 1, i, j).re);
  t_batch_destroy(&B);
}

/* Planted matrices fail alone: the others keep the bits of a batch without them. */
static void a_matrix_that_is_not_finite_fails_alone(void **state)
{
  (void)state;
  enum { N = 9, COUNT = 65 };
  static double A[N * N], w[COUNT * N], clean[COUNT * N];
  bf_int        info[COUNT];
  uint64_t      seed = 7;
  t_batch       B = t_batch_create(BF_D, N, COUNT), C = t_batch_create(BF_D, N, COUNT);
  for (bf_int b = 0; b < COUNT; b++) {
    random_matrix(N, A, &seed);
    t_put_real(&C, b, A);
    if (b == 13) A[4] = NAN;
    if (b == 64) A[N * N - 1] = -INFINITY;
    t_put_real(&B, b, A);
  }
  t_heev(&C, &(bf_heev_how){.vectors = 1}, clean, info);
  t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
  t_guards(&B);
  for (bf_int b = 0; b < COUNT; b++) {
    const int bad = b == 13 || b == 64;
    assert_int_equal(info[b], bad ? N + 1 : 0);
    for (bf_int k = 0; k < N; k++) assert_true(bad ? isnan(w[b * N + k]) : w[b * N + k] == clean[b * N + k]);
    for (bf_int k = 0; k < N * N; k++) {
      const double x = t_at(&B, b, k % N, k / N).re;
      assert_true(bad ? isnan(x) : x == t_at(&C, b, k % N, k / N).re);
    }
  }
  t_batch_destroy(&B);
  t_batch_destroy(&C);
}

static void a_batch_of_none_and_of_very_many_are_batches(void **state)
{
  (void)state;
  T_LONG;
  enum { MANY = 65537 };
  double  *w = bf_host_alloc(2 * MANY, sizeof *w), none = 3.0;
  bf_int  *info = bf_host_alloc(MANY, sizeof *info), untouched = 77;
  bf_batch empty = {.type = BF_D, .n = 4, .ld = 4};
  T_OK(bf_heev_batch(t_be, &(bf_heev_how){.vectors = 1}, &empty, &none, &untouched, NULL));
  assert_true(none == 3.0 && untouched == 77);
  t_batch B = t_batch_create(BF_D, 2, MANY);
  for (bf_int b = 0; b < MANY; b++) {
    const double A[4] = {b, 1.0, 1.0, b};
    t_put_real(&B, b, A);
  }
  t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
  t_guards(&B);
  for (bf_int b = 0; b < MANY; b++) {
    assert_int_equal(info[b], 0);
    T_NEAR(w[2 * b], b - 1.0, 4.0 * DBL_EPSILON * (b + 1.0));
    T_NEAR(w[2 * b + 1], b + 1.0, 4.0 * DBL_EPSILON * (b + 1.0));
    T_NEAR(t_at(&B, b, 1, 1).re, sqrt(0.5), 4.0 * DBL_EPSILON * (b + 1.0)); /* over the gap */
  }
  t_batch_destroy(&B);
  bf_host_free(w);
  bf_host_free(info);
}

static void wrong_sizes_are_refused(void **state)
{
  (void)state;
  double   w[4];
  bf_int   info[2];
  double  *a    = t_to_backend(w, sizeof w);
  bf_batch A[5] = {{.type = BF_D, .n = 0, .ld = 1, .count = 1, .stride = 1, .a = a},
                   {.type = BF_D, .n = 2, .ld = 1, .count = 1, .stride = 4, .a = a},
                   {.type = BF_D, .n = 2, .ld = 2, .count = 2, .stride = 3, .a = a},
                   {.type = BF_D, .n = 2, .ld = 2, .count = 1, .stride = 4, .a = NULL},
                   {.type = (bf_scalar)4, .n = 2, .ld = 2, .count = 1, .stride = 4, .a = a}};
  for (int k = 0; k < 5; k++) {
    T_ERR(BF_E_ARG, bf_heev_batch(t_be, &(bf_heev_how){0}, &A[k], w, info, a));
    T_ERR(BF_E_ARG, bf_inverse_batch(t_be, &A[k], info, a));
  }
  t_be->ops.release(t_be, a);
}

/* Libraries inside must not take the program's threads away. */
static void the_number_of_threads_stays(void **state)
{
  (void)state;
  double    w[2];
  bf_int    info[1];
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  t_batch B = t_batch_create(BF_D, 2, 1);
  t_put_real(&B, 0, (const double[4]){2.0, 1.0, 1.0, 2.0});
  t_heev(&B, &(bf_heev_how){.vectors = 1}, w, info);
  assert_int_equal(omp_get_max_threads(), 3);
  T_NEAR(w[0], 1.0, 1e-14);
  omp_set_num_threads(before);
  t_batch_destroy(&B);
}

int main(int argc, char **argv)
{
  int code = t_backend_open(argc, argv);
  if (code == 0) code = t_batch_missing(t_be->ops.batch.heev != NULL, "heev_batch");
  if (code) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residual_and_orthogonality_are_at_roundoff),
      cmocka_unit_test(known_spectra_are_met),
      cmocka_unit_test(jacobi_rotations_find_the_same_values),
      cmocka_unit_test(only_the_lower_triangle_is_read),
      cmocka_unit_test(a_matrix_that_is_not_finite_fails_alone),
      cmocka_unit_test(a_batch_of_none_and_of_very_many_are_batches),
      cmocka_unit_test(wrong_sizes_are_refused),
      cmocka_unit_test(the_number_of_threads_stays),
  };
  return t_backend_close(T_RUN(tests));
}
