/* tests/kernels/sparse/t352_many_blocks.c - the dots of a banded product stay right and repeatable when one
 * block cannot sum them usage: t352_many_blocks <backend>
 *
 * Up to 3.3 million rows: a device adds thousands of partial sums in one or several blocks.  Oracle: sums in
 * long double over the product the backend itself returned (products are checked in t310), relative to sum
 * |w_i y_i|. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include <float.h>
#include <math.h>

static const bf_int OFFSETS[] = {-40000, -201, -1, 0, 1, 201, 40000};
enum { NOFF = 7 };

/* n rows with seven diagonals of random values; half storage keeps four of them. */
static bf_matrix *banded(bf_int n, int half, bf_prec prec)
{
  bf_bands  *bands = NULL;
  bf_matrix *A = NULL, *A32 = NULL;
  uint64_t   seed = 5;
  T_OK(bf_bands_create(n, 1, NOFF, &bands));
  bands->row[0] = 0, bands->row[1] = n, bands->ptr[0] = 0, bands->ptr[1] = NOFF;
  memcpy(bands->off, OFFSETS, sizeof OFFSETS);
  T_OK(bf_matrix_create_bdia(t_be, bands, 1, half, BF_FP64, (int64_t)n * NOFF, &A));
  bf_bands_destroy(&bands);
  const bf_bdia *B = A->bdia;
  double        *v = calloc((size_t)B->nvalues, sizeof *v);
  for (int k = 0; k < B->ndiag; k++)
    for (bf_int i = 0; i < n; i++) {
      const int64_t col = (int64_t)i + B->off[k];
      if (col >= 0 && col < n) v[bf_bdia_at(B->seg, 1, k, i)] = t_uniform(&seed) - 0.5;
    }
  T_OK(t_be->ops.copy(t_be, B->values, v, (size_t)B->nvalues * sizeof *v, BF_TO_DEVICE));
  T_OK(t_be->ops.sync(t_be));
  free(v);
  if (prec == BF_FP64) return A;
  T_OK(bf_matrix_to_fp32(A, &A32));
  bf_matrix_destroy(&A);
  return A32;
}

static double *random_vector(bf_int n, uint64_t seed, double *host, bf_int guard)
{
  double *x = NULL;
  for (bf_int i = 0; i < n; i++) host[i] = t_uniform(&seed) - 0.3;
  T_OK(bf_vector_create(t_be, n, guard, &x));
  T_OK(t_be->ops.copy(t_be, x, host, (size_t)n * sizeof *host, BF_TO_DEVICE));
  return x;
}

static void near(double got, long double want, long double scale, const char *what, bf_int n)
{
  if (!(fabsl((long double)got - want) <= 64.0L * DBL_EPSILON * scale))
    fail_msg("%s of %d rows: %.17g instead of %.17Lg (scale %.3Lg)", what, n, got, want, scale);
}

static void sums_of(bf_int n, int half, bf_prec prec)
{
  bf_matrix *A    = banded(n, half, prec);
  double    *host = malloc((size_t)n * sizeof *host), *w = malloc((size_t)n * sizeof *w);
  double    *x = random_vector(n, 3, host, A->guard), *dw = random_vector(n, 4, w, A->guard), *y = NULL;
  double     got[2], again[2];
  void      *dot = NULL;
  T_OK(bf_vector_create(t_be, n, A->guard, &y));
  T_OK(t_be->ops.alloc(t_be, sizeof got, &dot));
  T_OK(bf_matrix_spmv(A, x, y, dw, dot));
  t_to_host(got, dot, sizeof got);
  t_to_host(host, y, (size_t)n * sizeof *host);
  T_OK(bf_matrix_spmv(A, x, y, dw, dot));
  t_to_host(again, dot, sizeof again);
  long double wy = 0.0L, yy = 0.0L, scale = 0.0L;
  for (bf_int i = 0; i < n; i++) {
    wy += (long double)w[i] * host[i];
    yy += (long double)host[i] * host[i];
    scale += fabsl((long double)w[i] * host[i]);
  }
  near(got[0], wy, scale, "w.y", n);
  near(got[1], yy, yy, "y.y", n);
  assert_memory_equal(got, again, sizeof got);
  t_be->ops.release(t_be, dot);
  bf_vector_destroy(t_be, A->guard, &y);
  bf_vector_destroy(t_be, A->guard, &dw);
  bf_vector_destroy(t_be, A->guard, &x);
  bf_matrix_destroy(&A);
  free(host);
  free(w);
}

/* Sizes below, at and above the changes of strategy of the CUDA backend (1536 and 4096 blocks of 512 or 1024
 * rows). */
static void dots_of_full_storage_are_right_at_every_size(void **state)
{
  (void)state;
  const bf_int sizes[] = {50000, 786432, 786433, 1572865, 2097152, 2097153, 3300017};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    T_ONE_OF(3);
    sums_of(sizes[i], 0, BF_FP64);
  }
  sums_of(2097153, 0, BF_FP32);
}

static void dots_of_half_storage_are_right_at_every_size(void **state)
{
  (void)state;
  const bf_int sizes[] = {50000, 786433, 1572865, 2097153, 3300017};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    T_ONE_OF(3);
    sums_of(sizes[i], 1, BF_FP64);
  }
  if (t_quick()) return;
  sums_of(1572865, 1, BF_FP32);
  sums_of(3300017, 1, BF_FP32);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dots_of_full_storage_are_right_at_every_size),
      cmocka_unit_test(dots_of_half_storage_are_right_at_every_size),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
