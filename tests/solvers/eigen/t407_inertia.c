/* tests/solvers/eigen/t407_inertia.c - counts of negative eigenvalues by the signs of pivots, against
 * LAPACK's eigenvalues usage: t407_inertia */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/band_factor.h"
#include "tests/solvers/eigen/eigen_case.h"

/* A symmetric band of half-width k, its values by t_noise, `shift` on the diagonal; dense copy for LAPACK. */
static bf_sparse *band(bf_int n, bf_int k, double shift, double **dense)
{
  bf_sparse *S  = NULL;
  int64_t    at = 0;
  *dense        = calloc((size_t)n * (size_t)n, sizeof **dense);
  T_OK(bf_sparse_create(n, n, (int64_t)n * (2 * k + 1), &S));
  for (bf_int i = 0; i < n; i++) {
    for (bf_int j = i - k < 0 ? 0 : i - k; j <= i + k && j < n; j++) {
      S->col[at] = j;
      S->val[at] = (*dense)[i * n + j] = t_noise(i, j) + (i == j ? shift : 0.0);
      at++;
    }
    S->ptr[i + 1] = at;
  }
  S->nnz = at;
  return S;
}

static int negative(bf_int n, double *a)
{
  double           *w   = malloc((size_t)n * sizeof *w);
  const bf_batch    A   = {.type = BF_D, .n = n, .ld = n, .count = 1, .a = a};
  const bf_heev_how how = {.vectors = 0, .uplo = BF_LOWER};
  size_t            bytes;
  bf_int            info, count = 0;
  T_OK(bf_batch_work(t_be, BF_HEEV, &A, &bytes));
  void *work = malloc(bytes + 1);
  T_OK(bf_heev_batch(t_be, &how, &A, w, &info, work));
  assert_int_equal(info, 0);
  for (bf_int i = 0; i < n; i++) count += w[i] < 0.0;
  free(w), free(work);
  return count;
}

static void pivots_have_the_signs_of_eigenvalues(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 2, 17, 63, 64, 65, 128, 200, 301}, half[] = {0, 1, 5, 63, 64, 65, 150};
  for (size_t s = 0; s < sizeof size / sizeof *size; s++)
    for (size_t h = 0; h < sizeof half / sizeof *half; h++)
      for (int d = -1; d <= 2; d++) {
        bf_band_inertia got;
        double         *dense;
        if (half[h] >= size[s]) continue;
        bf_sparse *S = band(size[s], half[h], 1.5 * d * sqrt(1.0 + half[h]), &dense);
        T_OK(bf_factors_inertia(t_be, S, 1, &got));
        assert_true(got.growth >= 0.5);
        if (got.growth < 1e8) assert_int_equal(got.negative, negative(size[s], dense));
        bf_sparse_destroy(&S);
        free(dense);
      }
}

static void a_pivot_of_zero_is_no_count(void **state)
{
  (void)state;
  double         *dense;
  bf_band_inertia got;
  bf_sparse      *S = band(3, 1, 0.0, &dense);
  S->val[0]         = 0.0;
  T_OK(bf_factors_inertia(t_be, S, 1, &got));
  assert_true(isinf(got.growth));
  bf_sparse_destroy(&S);
  free(dense);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pivots_have_the_signs_of_eigenvalues),
      cmocka_unit_test(a_pivot_of_zero_is_no_count),
  };
  if (bf_backend_create("cpu", NULL, &t_be) != BF_OK) return 1;
  return t_backend_close(T_RUN(tests));
}
