/* tests/kernels/sparse/t315_products.c - the product of every form is the long double one, row by row and bit
 * for bit again usage: t315_products <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include "tests/kernels/sparse/matrix_forms.h"
#include "tests/reference/sparse.h"
#include <math.h>

enum { MARGIN = 64 };

/* A vector with its zero guards and NaN for MARGIN entries beyond them. */
typedef struct vector {
  double *store, *x;
} vector;

static vector new_vector(bf_int n, bf_int guard, const double *host)
{
  const size_t all = (size_t)n + 2 * ((size_t)guard + MARGIN);
  double      *h   = malloc(all * sizeof *h);
  vector       v;
  for (size_t i = 0; i < all; i++) h[i] = i < MARGIN || i >= all - MARGIN ? NAN : 0.0;
  for (bf_int i = 0; i < n; i++) h[MARGIN + guard + i] = host ? host[i] : NAN;
  v.store = t_to_backend(h, all * sizeof *h);
  v.x     = v.store + MARGIN + guard;
  free(h);
  return v;
}

/* y and dots of one product into y[n], dot[2]. */
static void product(const bf_matrix *A, const double *x, const double *w, double *y, double dot[2])
{
  vector X = new_vector(A->nrows, A->guard, x), W = new_vector(A->nrows, 0, w),
         Y  = new_vector(A->nrows, A->guard, NULL);
  double *d = t_to_backend((double[2]){NAN, NAN}, 16);
  T_OK(bf_matrix_spmv(A, X.x, Y.x, w ? W.x : NULL, d));
  t_to_host(y, Y.x, (size_t)A->nrows * sizeof *y);
  t_to_host(dot, d, 16);
  t_be->ops.release(t_be, X.store);
  t_be->ops.release(t_be, W.store);
  t_be->ops.release(t_be, Y.store);
  t_be->ops.release(t_be, d);
}

/* |y - A x| <= (d + 2) u |A||x| in every row, d its entries; the dots; and the same bits again. */
static void check_product(const bf_sparse *S, const bf_matrix *A, uint64_t *seed)
{
  const size_t n = (size_t)S->nrows;
  double *x = calloc(n, 8), *w = calloc(n, 8), *y = calloc(n, 8), *z = calloc(n, 8), *want = calloc(n, 8),
         *size = calloc(n, 8);
  double      dot[2], again[2];
  long double wy = 0.0L, yy = 0.0L, ws = 0.0L;
  for (size_t i = 0; i < n; i++) {
    x[i] = 2.0 * t_uniform(seed) - 1.0;
    w[i] = 2.0 * t_uniform(seed) - 1.0;
  }
  t_sparse_product(S, A->prec == BF_FP32, x, want, size);
  product(A, x, w, y, dot);
  for (size_t i = 0; i < n; i++) {
    const double d = (double)(S->ptr[i + 1] - S->ptr[i]);
    if (!(fabs(y[i] - want[i]) <= (d + 2.0) * 0x1p-53 * size[i]))
      fail_msg("%s, n = %zu, row %zu: %.17g, reference %.17g", bf_format_word(A->format), n, i, y[i],
               want[i]);
    wy += (long double)w[i] * y[i];
    yy += (long double)y[i] * y[i];
    ws += fabsl((long double)w[i] * y[i]);
  }
  T_NEAR(dot[0], (double)wy, 1e-13 * (double)ws);
  T_NEAR(dot[1], (double)yy, 1e-13 * (double)yy);
  product(A, x, w, z, again);
  assert_memory_equal(y, z, n * sizeof *y);
  assert_memory_equal(dot, again, sizeof dot);
  product(A, x, NULL, z, again); /* without dots: the same rows */
  assert_memory_equal(y, z, n * sizeof *y);
  assert_true(isnan(again[0]) && isnan(again[1]));
  free(x);
  free(w);
  free(y);
  free(z);
  free(want);
  free(size);
}

static void check_forms(const bf_sparse *S, int symmetric, int ncomp, uint64_t *seed)
{
  for (int f = 0; f < T_PLAIN_FORMS; f++)
    for (int prec = 0; prec < 2; prec++) {
      bf_matrix_form form = t_plain_forms[f];
      bf_matrix     *A    = NULL;
      if (form.half && !symmetric) continue;
      T_ONE_OF(17);
      form.prec  = (bf_prec)prec;
      form.ncomp = ncomp;
      T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
      T_OK(bf_matrix_check(A));
      check_product(S, A, seed);
      bf_matrix_destroy(&A);
    }
}

static void check_random(const bf_int *size, int sizes, uint64_t seed)
{
  for (int k = 0; k < sizes; k++)
    for (int D = 1; D <= 3; D++) {
      const int  symmetric = k % 2;
      bf_sparse *S         = t_sparse_random(size[k] * D, 7, symmetric, k % 3 ? 0 : 10, &seed);
      check_forms(S, symmetric, D, &seed);
      bf_sparse_destroy(&S);
    }
}

/* A few sizes a test: what a checker of races can finish in a minute. */
static void every_form_multiplies_matrices_of_one_or_two_rows(void **state)
{
  (void)state;
  check_random((const bf_int[]){1, 2}, 2, 1);
}

static void every_form_multiplies_matrices_around_a_warp(void **state)
{
  (void)state;
  check_random((const bf_int[]){31, 32, 33}, 3, 8);
}

static void every_form_multiplies_matrices_around_two_warps(void **state)
{
  (void)state;
  check_random((const bf_int[]){63, 64, 65}, 3, 9);
}

static void every_form_multiplies_matrices_around_four_warps(void **state)
{
  (void)state;
  check_random((const bf_int[]){127, 128, 129}, 3, 10);
}

static void every_form_multiplies_matrices_of_several_blocks(void **state)
{
  (void)state;
  check_random((const bf_int[]){257, 1000}, 2, 11);
}

/* Several segments, several tiles of every kernel, a remainder that is neither empty nor everything. */
static void every_form_multiplies_diagonals_with_holes(void **state)
{
  (void)state;
  static const bf_int off[] = {1, 7, 90, 91, 92, 801, 2000, 4099};
  uint64_t            seed  = 2;
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int v = 0; v < 3; v++) {
      bf_sparse *S = t_sparse_diagonals(5000 + 31 * v, 8, off,
                                        v == 0   ? 1.0
                                        : v == 1 ? 0.97
                                                 : 0.3,
                                        symmetric, &seed);
      check_forms(S, symmetric, 1, &seed);
      bf_sparse_destroy(&S);
    }
}

/* One row far longer than the others: than a tile of COO, than a chunk of CSR. */
static void every_form_multiplies_a_matrix_with_one_full_row(void **state)
{
  (void)state;
  uint64_t   seed = 3;
  bf_sparse *S    = t_sparse_arrow(1500);
  check_forms(S, 1, 1, &seed);
  bf_sparse_destroy(&S);
  S = t_sparse_arrow(30000); /* not the formats that have a place for every column of the full row */
  for (int f = 0; f < T_PLAIN_FORMS; f++) {
    bf_matrix *A = NULL;
    if (t_plain_forms[f].format != BF_FORMAT_CSR && t_plain_forms[f].format != BF_FORMAT_CSR16 &&
        t_plain_forms[f].format != BF_FORMAT_HYB && t_plain_forms[f].format != BF_FORMAT_COO &&
        t_plain_forms[f].format != BF_FORMAT_HYBRID && t_plain_forms[f].format != BF_FORMAT_BCSR)
      continue;
    T_ONE_OF(2);
    T_OK(bf_matrix_from_sparse(t_be, S, &t_plain_forms[f], &A));
    check_product(S, A, &seed);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void every_form_multiplies_matrices_without_entries_or_at_the_corners(void **state)
{
  (void)state;
  uint64_t seed = 4;
  for (bf_int n = 1; n < 200; n += 66) {
    bf_sparse *S = NULL;
    T_OK(bf_sparse_from_triplets(n, n, 0, NULL, NULL, NULL, &S));
    check_forms(S, 1, 1, &seed);
    bf_sparse_destroy(&S);
    const bf_int row[] = {0, n - 1}, col[] = {n - 1, 0};
    T_OK(bf_sparse_from_triplets(n, n, 2, row, col, (double[]){3.0, 3.0}, &S));
    check_forms(S, 1, 1, &seed);
    bf_sparse_destroy(&S);
  }
}

/* Only rows with an entry in the column of a NaN are NaN; slots of bands are entries, if zero ones. */
static void a_nan_reaches_no_row_without_its_column(void **state)
{
  (void)state;
  enum { N = 333, AT = 40 };
  uint64_t   seed = 5;
  bf_sparse *S    = t_sparse_random(N, 4, 0, 0, &seed);
  double     x[N], y[N], dot[2];
  for (int i = 0; i < N; i++) x[i] = i == AT ? NAN : 1.0;
  for (int f = 0; f < T_PLAIN_FORMS; f++) {
    bf_matrix *A = NULL;
    if (t_plain_forms[f].half) continue;
    T_ONE_OF(3);
    T_OK(bf_matrix_from_sparse(t_be, S, &t_plain_forms[f], &A));
    if (!A->bdia) {
      product(A, x, NULL, y, dot);
      for (int i = 0; i < N; i++) {
        int has = 0;
        for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) has |= S->col[p] == AT;
        assert_int_equal(isnan(y[i]) != 0, has);
      }
    }
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void the_diagonal_and_the_constrained_matrix_are_right_in_every_form(void **state)
{
  (void)state;
  enum { N = 387 };
  uint64_t   seed = 6;
  bf_sparse *S    = t_sparse_random(N, 6, 1, 60, &seed);
  uint8_t    fixed[N];
  double     d[N], diag[N] = {0.0};
  int64_t    zeros = 0;
  for (int i = 0; i < N; i++) fixed[i] = t_uniform(&seed) < 0.3;
  for (bf_int i = 0; i < N; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++)
      if (S->col[p] == i) diag[i] = S->val[p];
  uint8_t *f_be = t_to_backend(fixed, sizeof fixed);
  double  *d_be = t_to_backend(d, sizeof d);
  for (int f = 0; f < T_PLAIN_FORMS; f++)
    for (int prec = 0; prec < 2; prec++)
      for (int D = 1; D <= 3; D += 2) {
        T_ONE_OF(5);
        bf_matrix_form form = t_plain_forms[f];
        bf_matrix     *A    = NULL;
        bf_sparse     *B    = NULL;
        form.prec           = (bf_prec)prec;
        form.ncomp          = D;
        T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
        T_OK(bf_matrix_diagonal(A, d_be));
        t_to_host(d, d_be, sizeof d);
        for (int i = 0; i < N; i++) assert_true(d[i] == (prec ? (double)(float)diag[i] : diag[i]));
        T_OK(bf_matrix_constrain(A, f_be));
        T_OK(bf_matrix_to_sparse(A, &B));
        for (bf_int i = 0; i < N; i++) {
          int64_t q = B->ptr[i];
          for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
            const bf_int j    = S->col[p];
            const int    gone = i != j && (fixed[i] || fixed[j]);
            const double want = gone ? 0.0 : prec ? (double)(float)S->val[p] : S->val[p];
            const int    has  = q < B->ptr[i + 1] && B->col[q] == j;
            if (!has) zeros++;
            assert_true(has ? B->val[q] == want : gone);
            q += has;
          }
          assert_int_equal(q, B->ptr[i + 1]);
        }
        bf_sparse_destroy(&B);
        bf_matrix_destroy(&A);
      }
  assert_true(zeros > 0); /* bands drop what became zero */
  t_be->ops.release(t_be, f_be);
  t_be->ops.release(t_be, d_be);
  bf_sparse_destroy(&S);
}

static void the_fp32_copy_multiplies_the_rounded_values(void **state)
{
  (void)state;
  uint64_t   seed = 7;
  bf_sparse *S    = t_sparse_random(700, 6, 1, 50, &seed);
  for (int f = 0; f < T_PLAIN_FORMS; f++) {
    bf_matrix *A = NULL, *B = NULL;
    T_OK(bf_matrix_from_sparse(t_be, S, &t_plain_forms[f], &A));
    T_OK(bf_matrix_to_fp32(A, &B));
    T_OK(bf_matrix_check(B));
    assert_int_equal(B->format, A->format);
    assert_true(bf_matrix_bytes(B) < bf_matrix_bytes(A));
    check_product(S, B, &seed);
    bf_matrix_destroy(&A);
    bf_matrix_destroy(&B);
  }
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_multiplies_matrices_of_one_or_two_rows),
      cmocka_unit_test(every_form_multiplies_matrices_around_a_warp),
      cmocka_unit_test(every_form_multiplies_matrices_around_two_warps),
      cmocka_unit_test(every_form_multiplies_matrices_around_four_warps),
      cmocka_unit_test(every_form_multiplies_matrices_of_several_blocks),
      cmocka_unit_test(every_form_multiplies_diagonals_with_holes),
      cmocka_unit_test(every_form_multiplies_a_matrix_with_one_full_row),
      cmocka_unit_test(every_form_multiplies_matrices_without_entries_or_at_the_corners),
      cmocka_unit_test(a_nan_reaches_no_row_without_its_column),
      cmocka_unit_test(the_diagonal_and_the_constrained_matrix_are_right_in_every_form),
      cmocka_unit_test(the_fp32_copy_multiplies_the_rounded_values),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
