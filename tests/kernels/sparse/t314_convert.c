/* tests/kernels/sparse/t314_convert.c - every form of a matrix from compressed rows and back, bit by bit
 * usage: t314_convert <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "tests/backend.h"
#include "tests/kernels/sparse/matrix_forms.h"
#include "tests/no_memory.h"
#include "tests/reference/sparse.h"
#include <math.h>

static void every_form_gives_back_what_it_was_made_of(void **state)
{
  (void)state;
  static const bf_int size[] = {1, 6, 31, 33, 64, 130, 300, 515};
  uint64_t            seed   = 3;
  for (int k = 0; k < 8; k++)
    for (int f = 0; f < T_PLAIN_FORMS; f++)
      for (int v = 0; v < 8; v++) {
        T_ONE_OF(11);
        bf_matrix_form form = t_plain_forms[f];
        form.prec           = (bf_prec)(v & 1);
        form.ncomp          = v >> 1; /* 0 means 1 */
        const bf_int n      = size[k] * (form.ncomp ? form.ncomp : 1);
        bf_sparse   *S = t_sparse_random(n, 5, form.half, k % 2 ? 9 : 0, &seed), *B = NULL;
        bf_matrix   *A = NULL;
        T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
        T_OK(bf_matrix_check(A));
        assert_int_equal(A->nnz, S->nnz);
        assert_int_equal(A->format, form.format);
        T_OK(bf_matrix_to_sparse(A, &B));
        t_sparse_same(S, B, v & 1);
        bf_sparse_destroy(&B);
        bf_sparse_destroy(&S);
        bf_matrix_destroy(&A);
      }
}

static void a_matrix_goes_from_every_form_to_every_form(void **state)
{
  (void)state;
  uint64_t   seed = 4;
  bf_sparse *S    = t_sparse_random(258, 6, 1, 20, &seed);
  for (int f = 0; f < T_PLAIN_FORMS; f++)
    for (int g = 0; g < T_PLAIN_FORMS; g++) {
      T_ONE_OF(7);
      bf_matrix     *A = NULL, *B = NULL;
      bf_sparse     *C    = NULL;
      bf_matrix_form form = t_plain_forms[f];
      form.ncomp          = 2;
      T_OK(bf_matrix_from_sparse(t_be, S, &form, &A));
      T_OK(bf_matrix_convert(A, &t_plain_forms[g], &B));
      T_OK(bf_matrix_check(B));
      assert_int_equal(B->ncomp, 2);
      T_OK(bf_matrix_to_sparse(B, &C));
      t_sparse_same(S, C, 0);
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
  bf_sparse    *S    = t_sparse_random(N, 5, 1, 0, &seed);
  for (bf_int i = 0; i < N; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) want[i][S->col[p]] = S->val[p];
  for (int f = 0; f < T_PLAIN_FORMS; f++) {
    bf_matrix *A = NULL;
    T_OK(bf_matrix_from_sparse(t_be, S, &t_plain_forms[f], &A));
    T_OK(bf_matrix_to_dense(A, &a[0][0]));
    assert_memory_equal(a, want, sizeof a);
    bf_matrix_destroy(&A);
  }
  bf_sparse_destroy(&S);
}

static void a_form_that_does_not_fit_is_refused_with_the_reason(void **state)
{
  (void)state;
  bf_sparse *S = NULL, *wide = NULL, *far = NULL;
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
  /* 33023 columns right of the first row of its block of 256: one too many, though row 255 is nearer */
  T_OK(bf_sparse_from_triplets(40000, 40000, 1, (bf_int[]){255}, (bf_int[]){32768}, (double[]){1.0}, &far));
  T_ERR(BF_E_ARG, bf_matrix_from_sparse(t_be, far, &(bf_matrix_form){.format = BF_FORMAT_CSR16}, &A));
  T_CONTAINS(bf_err_message(), "half-bandwidth of 32513");
  assert_null(A);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&far);
  bf_sparse_destroy(&wide);
}

static void columns_fit_sixteen_bits_up_to_the_last_place(void **state)
{
  (void)state;
  const bf_int row[] = {255, 33023, 33024, 0}, col[] = {32767, 0, 256, 32767};
  bf_sparse   *S = NULL, *B = NULL;
  bf_matrix   *A = NULL;
  T_OK(bf_sparse_from_triplets(40000, 40000, 4, row, col, (double[]){1, 2, 3, 4}, &S));
  T_OK(bf_matrix_from_sparse(t_be, S, &(bf_matrix_form){.format = BF_FORMAT_CSR16}, &A));
  T_OK(bf_matrix_check(A));
  T_OK(bf_matrix_to_sparse(A, &B));
  t_sparse_same(S, B, 0);
  bf_sparse_destroy(&S);
  bf_sparse_destroy(&B);
  bf_matrix_destroy(&A);
}

static void no_memory_at_any_allocation_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  T_LONG;
  uint64_t   seed = 7;
  bf_sparse *S    = t_sparse_random(40, 4, 1, 5, &seed);
  for (int f = 0; f < 2 * T_PLAIN_FORMS; f++) {
    bf_matrix_form form = t_plain_forms[f / 2];
    form.prec           = (bf_prec)(f % 2);
    t_no_memory t       = {0};
    while (t_no_memory_next(&t)) {
      bf_matrix *A = NULL;
      bf_sparse *B = NULL;
      t_no_memory_begin(&t);
      bf_err err = bf_matrix_from_sparse(t_be, S, &form, &A);
      if (err == BF_OK) err = bf_matrix_to_sparse(A, &B);
      t_no_memory_end(&t, err);
      bf_matrix_destroy(&A);
      bf_sparse_destroy(&B);
    }
    assert_true(t.failed > 3);
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
      cmocka_unit_test(columns_fit_sixteen_bits_up_to_the_last_place),
      cmocka_unit_test(no_memory_at_any_allocation_is_an_error_and_leaks_nothing),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
