/* tests/inputs/t280_mtx.c - Matrix Market files that are right: every layout, field, symmetry, and every way
 * to write them */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/inputs/folder.h"
#include "tests/inputs/mtx_text.h"
#include "tests/no_memory.h"

/* The whole matrix, dense and row by row; entries are summed. */
static void expect_dense(bf_mtx *A, const double *want)
{
  double a[64] = {0};
  T_OK(bf_mtx_expand(A));
  assert_in_range((int64_t)A->nrows * A->ncols, 1, 64);
  for (int64_t k = 0; k < A->nentries; k++) a[A->row[k] * A->ncols + A->col[k]] += A->val[k];
  for (int i = 0; i < A->nrows * A->ncols; i++)
    if (a[i] != want[i]) fail_msg("entry (%d, %d) is %g, not %g", i / A->ncols, i % A->ncols, a[i], want[i]);
  bf_mtx_destroy(&A);
}

static const double general[] = {2, 0, -1.5, 0, 0, 3e5, 4, 0, -0.25};

static void a_general_coordinate_file_in_any_order(void **state)
{
  (void)state;
  bf_mtx *A = t_mtx("%%MatrixMarket matrix coordinate real general\n% made by hand\n3 3 5\n"
                    "3 3 -0.25\n1 1 2\n2 3 3e5\n1 3 -1.5\n3 1 4.0\n");
  assert_int_equal(A->nrows, 3);
  assert_int_equal(A->ncols, 3);
  assert_int_equal(A->listed, 5);
  assert_int_equal(A->size_line, 3);
  assert_int_equal(A->layout, BF_MTX_COORDINATE);
  assert_int_equal(A->symmetry, BF_MTX_GENERAL);
  expect_dense(A, general);
}

static void repeated_entries_are_summed(void **state)
{
  (void)state;
  bf_mtx *A = t_mtx("%%MatrixMarket matrix coordinate real general\n3 3 7\n"
                    "3 3 -0.25\n1 1 1\n2 3 3e5\n1 3 -1.5\n3 1 5\n1 1 1\n3 1 -1\n");
  expect_dense(A, general);
}

static void blank_lines_comments_tabs_and_blanks_may_stand_anywhere(void **state)
{
  (void)state;
  expect_dense(
      t_mtx("%%MatrixMarket\tmatrix  coordinate real general  \n\n%\n%% %\n \t 3\t3 5\t\n\n  3 3\t-0.25 \n"
            "% between\n\t1 1 2\n \n2 3 3e5\n\n1 3 -1.5\n3 1 4.0\n\n% behind\n\n"),
      general);
}

static void lines_may_end_as_on_windows_and_old_macintoshes(void **state)
{
  (void)state;
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate real general\r\n% c\r\n\r\n3 3 5\r\n"
                     "3 3 -0.25\r\n1 1 2\r\n2 3 3e5 \r\n1 3 -1.5\r\n3 1 4.0\r\n"),
               general);
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate real general\r% c\r\r3 3 5\r"
                     "3 3 -0.25\r1 1 2\r2 3 3e5 \r1 3 -1.5\r3 1 4.0\r"),
               general);
}

static void the_last_line_needs_no_end_but_that_is_told(void **state)
{
  (void)state;
  const char *text = "%%MatrixMarket matrix coordinate real general\n3 3 5\n"
                     "3 3 -0.25\n1 1 2\n2 3 3e5\n1 3 -1.5\n3 1 4";
  bf_diags    d    = {0};
  bf_mtx     *A    = NULL;
  T_OK(t_mtx_try(text, strlen(text), &d, &A));
  expect_dense(A, general);
  assert_int_equal(d.count, 1);
  assert_int_equal(d.item[0].code, 227);
  assert_int_equal(d.item[0].line, 7);
  assert_string_equal(d.item[0].text, "the file does not end with a newline and may be truncated");
  bf_diags_clear(&d);
}

static void the_banner_is_read_in_any_case_and_behind_a_byte_order_mark(void **state)
{
  (void)state;
  expect_dense(t_mtx("\xef\xbb\xbf%%matrixmarket MATRIX Coordinate REAL General\n3 3 5\n"
                     "3 3 -0.25\n1 1 2\n2 3 3e5\n1 3 -1.5\n3 1 4\n"),
               general);
}

static void numbers_may_be_written_in_every_decimal_way(void **state)
{
  (void)state;
  const double want[] = {0.5, 5, 100, -0.001, 1e-300, 12345678901234567890.0};
  expect_dense(t_mtx("%%MatrixMarket matrix array real general\n6 "
                     "1\n+.5\n5.\n1E+2\n-1.e-3\n1e-300\n12345678901234567890\n"),
               want);
}

static void whole_numbers_and_patterns(void **state)
{
  (void)state;
  const double whole[] = {2, -7, 0, 1000000}, ones[] = {0, 1, 1, 0, 0, 1};
  bf_mtx *A = t_mtx("%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 +2\n1 2 -7\n2 2 1000000\n");
  assert_int_equal(A->field, BF_MTX_INTEGER);
  expect_dense(A, whole);
  A = t_mtx("%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 2\n1 3\n2 3\n");
  assert_int_equal(A->field, BF_MTX_PATTERN);
  assert_null(A->val);
  expect_dense(A, ones);
}

static void a_symmetric_file_lists_its_lower_triangle(void **state)
{
  (void)state;
  const double want[] = {4, -1, 0, -1, 5, 2, 0, 2, 6}, ones[] = {1, 1, 0, 1, 0, 1, 0, 1, 1};
  bf_mtx      *A =
      t_mtx("%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n3 2 2\n2 2 5\n3 3 6\n");
  assert_int_equal(A->nentries, 5);
  T_OK(bf_mtx_expand(A));
  assert_int_equal(A->nentries, 7);
  assert_int_equal(A->listed, 5);
  expect_dense(A, want); /* expands once more: nothing changes */
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 4\n1 1\n2 1\n3 2\n3 3\n"),
               ones);
}

static void a_skew_symmetric_file_lists_what_is_below_the_diagonal(void **state)
{
  (void)state;
  const double want[] = {0, -1, 0, 1, 0, 3, 0, -3, 0};
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n3 2 -3\n"), want);
  expect_dense(t_mtx("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n0\n-3\n"), want);
}

static void repeated_entries_of_a_symmetric_file_have_the_same_sum_on_both_sides(void **state)
{
  (void)state;
  bf_mtx *A =
      t_mtx("%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n2 1 0.1\n1 1 1\n2 1 0.2\n2 1 0.3\n");
  T_OK(bf_mtx_expand(A));
  double lower = 0.0, upper = 0.0;
  for (int64_t k = 0; k < A->nentries; k++) {
    if (A->row[k] > A->col[k]) lower += A->val[k];
    if (A->row[k] < A->col[k]) upper += A->val[k];
  }
  assert_memory_equal(&lower, &upper, sizeof lower);
  assert_true(lower == 0.1 + 0.2 + 0.3);
  bf_mtx_destroy(&A);
}

static void an_array_lists_column_by_column(void **state)
{
  (void)state;
  const double want[] = {1, 3, 5, 2, 4, 0}, symmetric[] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
  bf_mtx      *A = t_mtx("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n0\n");
  assert_null(A->row);
  assert_int_equal(A->listed, 6);
  T_OK(bf_mtx_expand(A));
  assert_int_equal(A->nentries, 5); /* without the zero */
  expect_dense(A, want);
  expect_dense(t_mtx("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"), symmetric);
}

static void a_matrix_may_have_no_entries(void **state)
{
  (void)state;
  const double zero[4] = {0};
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate real general\n2 2 0\n"), zero);
  expect_dense(t_mtx("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 0"), zero);
  expect_dense(t_mtx("%%MatrixMarket matrix array real skew-symmetric\n1 1\n"), zero);
}

static void vectors_come_from_either_layout(void **state)
{
  (void)state;
  double  x[3];
  bf_mtx *A = t_mtx("%%MatrixMarket matrix array real general\n3 1\n1.5\n0\n-2\n");
  T_OK(bf_mtx_vector(A, x));
  assert_true(x[0] == 1.5 && x[1] == 0.0 && x[2] == -2.0);
  T_OK(bf_mtx_expand(A));
  x[1] = 9.0;
  T_OK(bf_mtx_vector(A, x));
  assert_true(x[0] == 1.5 && x[1] == 0.0 && x[2] == -2.0);
  bf_mtx_destroy(&A);
  A = t_mtx("%%MatrixMarket matrix coordinate real general\n3 1 3\n3 1 -2\n1 1 1\n1 1 0.5\n");
  T_OK(bf_mtx_vector(A, x));
  assert_true(x[0] == 1.5 && x[1] == 0.0 && x[2] == -2.0);
  bf_mtx_destroy(&A);
  A = t_mtx("%%MatrixMarket matrix array real general\n1 3\n1\n2\n3\n");
  T_ERR(BF_E_ARG, bf_mtx_vector(A, x));
  bf_mtx_destroy(&A);
}

static void a_file_is_read_as_its_bytes_are(void **state)
{
  (void)state;
  t_folder    f;
  bf_diags    d    = {0};
  bf_mtx     *A    = NULL;
  const char *text = "%%MatrixMarket matrix coordinate real general\n3 3 5\n"
                     "3 3 -0.25\n1 1 2\n2 3 3e5\n1 3 -1.5\n3 1 4\n";
  t_folder_open(&f);
  T_OK(bf_mtx_read(t_folder_text(&f, "a.mtx", text), &d, &A));
  expect_dense(A, general);
  bf_diags_clear(&d);
  t_folder_close(&f);
}

/* Random values of 15 to 17 digits and all powers come back as strtod reads them. */
static void values_are_read_to_the_last_bit(void **state)
{
  (void)state;
  enum { N = 20000 };
  char    *text = malloc(64 * N), *s = text, word[40];
  double  *want = malloc(N * sizeof *want);
  uint64_t seed = 5;
  s += sprintf(s, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", N, N, N);
  for (int i = 0; i < N; i++) {
    const uint64_t bits = t_random(&seed) % 0x7ff0000000000000ull;
    double         x;
    memcpy(&x, &bits, sizeof x);
    if (i % 2) x = (t_uniform(&seed) - 0.5) * 1e3;
    snprintf(word, sizeof word, "%.*e", 14 + i % 3, x);
    want[i] = strtod(word, NULL);
    s += sprintf(s, "%d %d %s\n", N - i, i + 1, word);
  }
  bf_mtx *A = t_mtx(text);
  assert_memory_equal(A->val, want, N * sizeof *want);
  for (int i = 0; i < N; i++) assert_true(A->row[i] == N - i - 1 && A->col[i] == i);
  bf_mtx_destroy(&A);
  free(text);
  free(want);
}

static void every_failed_allocation_is_an_error_and_leaves_nothing(void **state)
{
  (void)state;
  const char *text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 -3\n";
  t_no_memory t    = {0};
  while (t_no_memory_next(&t)) {
    bf_diags d = {0};
    bf_mtx  *M = NULL;
    t_no_memory_begin(&t);
    bf_err err = t_mtx_try(text, strlen(text), &d, &M);
    if (err == BF_OK) err = bf_mtx_expand(M);
    t_no_memory_end(&t, err);
    assert_int_equal(d.count, 0);
    bf_mtx_destroy(&M);
  }
  assert_in_range(t.failed, 3, 19);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_general_coordinate_file_in_any_order),
      cmocka_unit_test(repeated_entries_are_summed),
      cmocka_unit_test(blank_lines_comments_tabs_and_blanks_may_stand_anywhere),
      cmocka_unit_test(lines_may_end_as_on_windows_and_old_macintoshes),
      cmocka_unit_test(the_last_line_needs_no_end_but_that_is_told),
      cmocka_unit_test(the_banner_is_read_in_any_case_and_behind_a_byte_order_mark),
      cmocka_unit_test(numbers_may_be_written_in_every_decimal_way),
      cmocka_unit_test(whole_numbers_and_patterns),
      cmocka_unit_test(a_symmetric_file_lists_its_lower_triangle),
      cmocka_unit_test(a_skew_symmetric_file_lists_what_is_below_the_diagonal),
      cmocka_unit_test(repeated_entries_of_a_symmetric_file_have_the_same_sum_on_both_sides),
      cmocka_unit_test(an_array_lists_column_by_column),
      cmocka_unit_test(a_matrix_may_have_no_entries),
      cmocka_unit_test(vectors_come_from_either_layout),
      cmocka_unit_test(a_file_is_read_as_its_bytes_are),
      cmocka_unit_test(values_are_read_to_the_last_bit),
      cmocka_unit_test(every_failed_allocation_is_an_error_and_leaves_nothing),
  };
  return T_RUN(tests);
}
