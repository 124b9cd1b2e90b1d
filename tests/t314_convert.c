/* tests/t314_convert.c - every form of a matrix from compressed rows and back, bit by bit
 * usage: t314_convert <backend> */
#include "tests/backend.h"
#include "tests/reference/dense.h"
#include <math.h>

/* Every form there is: format, half. */
static const bf_matrix_form forms[] = {
    {.format = BF_FORMAT_BDIA},
    {.format = BF_FORMAT_BDIA, .half = 1},
    {.format = BF_FORMAT_DIA},
    {.format = BF_FORMAT_CSR},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Random entries, about `row` in each row, some rows empty; symmetric where asked; no zeros among them. */
static bf_sparse *random_sparse(bf_int n, int row, int symmetric, int near, uint64_t *seed)
{
  const int64_t count = (int64_t)n * row;
  bf_int       *r = calloc(2 * (size_t)count + 1, sizeof *r), *c = calloc(2 * (size_t)count + 1, sizeof *c);
  double       *v = calloc(2 * (size_t)count + 1, sizeof *v);
  bf_sparse    *S = NULL;
  int64_t       m = 0;
  for (int64_t k = 0; k < count; k++) {
    const bf_int i = (bf_int)(t_random(seed) % (uint64_t)n);
    bf_int       j = (bf_int)(t_random(seed) % (uint64_t)n);
    if (near) j = i + j % (2 * near + 1) - near;
    if (j < 0 || j >= n || i % 11 == 5 || j % 11 == 5) continue;
    r[m] = i, c[m] = j, v[m++] = 1.0 + t_uniform(seed);
    if (symmetric && i != j) {
      r[m] = j, c[m] = i, v[m] = v[m - 1];
      m++;
    }
  }
  T_OK(bf_sparse_from_triplets(n, n, m, r, c, v, &S));
  free(r);
  free(c);
  free(v);
  return S;
}

static void assert_same(const bf_sparse *A, const bf_sparse *B, int rounded)
{
  assert_int_equal(A->nrows, B->nrows);
  assert_int_equal(A->ncols, B->ncols);
  assert_int_equal(A->nnz, B->nnz);
  assert_memory_equal(A->ptr, B->ptr, ((size_t)A->nrows + 1) * sizeof *A->ptr);
  assert_memory_equal(A->col, B->col, (size_t)A->nnz * sizeof *A->col);
  for (int64_t p = 0; p < A->nnz; p++)
    assert_true((rounded ? (double)(float)A->val[p] : A->val[p]) == B->val[p]);
}

static void every_form_gives_back_what_it_was_made_of(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 6, 31, 33, 64, 130, 300, 515};
  uint64_t            seed   = 3;
  for (int k = 0; k < 8; k++)
    for (int f = 0; f < FORMS; f++)
      for (int v = 0; v < 8; v++) {
        bf_matrix_form form = forms[f];
        form.prec           = (bf_prec)(v & 1);
        form.ncomp          = v >> 1; /* 0 means 1 */
        const bf_int n      = size[k] * (form.ncomp ? form.ncomp : 1);
        bf_sparse   *S = random_sparse(n, 5, form.half, k % 2 ? 9 : 0, &seed), *B = NULL;
        bf_matrix   *A = NULL;
        T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
        T_OK(bf_matrix_check(A));
        assert_int_equal(A->nnz, S->nnz);
        assert_int_equal(A->format, form.format);
        T_OK(bf_matrix_to_sparse(A, &B));
        assert_same(S, B, v & 1);
        bf_sparse_destroy(&B);
        bf_sparse_destroy(&S);
        bf_matrix_destroy(&A);
      }
}

static void a_matrix_goes_from_every_form_to_every_form(void **state)
{
  (void)state;
  uint64_t   seed = 4;
  bf_sparse *S    = random_sparse(258, 6, 1, 20, &seed);
  for (int f = 0; f < FORMS; f++)
    for (int g = 0; g < FORMS; g++) {
      bf_matrix     *A = NULL, *B = NULL;
      bf_sparse     *C    = NULL;
      bf_matrix_form form = forms[f];
      form.ncomp          = 2;
      T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
      T_OK(bf_matrix_convert(A, &forms[g], &B));
      T_OK(bf_matrix_check(B));
      assert_int_equal(B->ncomp, 2);
      T_OK(bf_matrix_to_sparse(B, &C));
      assert_same(S, C, 0);
      bf_sparse_destroy(&C);
      bf_matrix_destroy(&A);
      bf_matrix_destroy(&B);
    }
  bf_sparse_destroy(&S);
}

static void the_dense_copy_is_the_matrix(void **state)
{
  (void)state;
  enum { N = 70 };
  static double want[N][N], a[N][N];
  uint64_t      seed = 6;
  bf_sparse    *S    = random_sparse(N, 5, 1, 0, &seed);
  for (bf_int i = 0; i < N; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) want[i][S->col[p]] = S->val[p];
  for (int f = 0; f < FORMS; f++) {
    bf_matrix *A = NULL;
    T_OK(bf_matrix_from_sparse(t_be, S, &forms[f], &A));
    T_OK(bf_matrix_to_dense(A, &a[0][0]));
    assert_memory_equal(a, want, sizeof a);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void a_form_that_does_not_fit_is_refused_with_the_reason(void **state)
{
  (void)state;
  bf_sparse *S = NULL, *wide = NULL;
  bf_matrix *A = NULL;
  T_OK(bf_sparse_from_triplets(4, 4, 2, (bf_int[]){0, 3}, (bf_int[]){2, 3}, (double[]){1.5, 2.0}, &S));
  T_OK(bf_sparse_create(4, 5, 0, &wide));
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA, .half = 1}, &A));
  T_CONTAINS(bf_err_message(), "row 0, for one, has 1.5 in column 2, and the transposed entry is 0");
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR, .half = 1}, &A));
  T_CONTAINS(bf_err_message(), "csr has no symmetric half");
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, wide, &(bf_matrix_form){.format = BF_FORMAT_CSR}, &A));
  T_CONTAINS(bf_err_message(), "4 rows and 5 columns");
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMATS}, &A));
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = 3}, &A));
  assert_null(A);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&wide);
}

static void no_memory_at_any_allocation_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  uint64_t      seed = 7;
  bf_sparse    *S    = random_sparse(40, 4, 1, 5, &seed);
  const int64_t live = bf_memory_live();
  for (int f = 0; f < 2 * FORMS; f++) {
    bf_matrix_form form = forms[f / 2];
    form.prec           = (bf_prec)(f % 2);
    for (int k = 1;; k++) {
      bf_matrix *A = NULL;
      bf_sparse *B = NULL;
      bf_memory_fail_at(k);
      bf_err err = bf_matrix_from_sparse(t_be, S, &form, &A);
      if (err == BF_OK) err = bf_matrix_to_sparse(A, &B);
      bf_memory_fail_at(0);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&B);
      assert_int_equal(bf_memory_live(), live);
      if (err == BF_OK) break;
      assert_int_equal(err, BF_E_MEMORY);
    }
  }
  bf_sparse_destroy(&S);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_gives_back_what_it_was_made_of),
      cmocka_unit_test(a_matrix_goes_from_every_form_to_every_form),
      cmocka_unit_test(the_dense_copy_is_the_matrix),
      cmocka_unit_test(a_form_that_does_not_fit_is_refused_with_the_reason),
      cmocka_unit_test(no_memory_at_any_allocation_is_an_error_and_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  if (code) return code;
  const int failed = T_RUN(tests);
  bf_backend_destroy(&t_be);
  return failed;
}
