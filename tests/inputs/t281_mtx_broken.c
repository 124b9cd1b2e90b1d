/* tests/inputs/t281_mtx_broken.c - Matrix Market files that are wrong: one error each, at its place, in these
 * words
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/inputs/mtx_text.h"

#define REAL    "%%MatrixMarket matrix coordinate real general\n"
#define SYMM    "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW    "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define ARRAY   "%%MatrixMarket matrix array real general\n"
#define THE_FORM                                                                                             \
  "'%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric'"

static void what_is_no_matrix_market_file_is_told_by_what_it_looks_like(void **state)
{
  (void)state;
  t_mtx_refused("", 221, 1, 1, "the file is empty, not a Matrix Market file");
  t_mtx_refused("\n \n", 221, 1, 1, "the file has only blanks, it is not a Matrix Market file");
  t_mtx_refused("3 3 1\n1 1 2\n", 221, 1, 1,
                "banner missing: the first line must be " THE_FORM ", found '3 3 1'");
  t_mtx_refused("% a comment\n3 3 1\n", 221, 1, 1,
                "banner missing: the first line must be " THE_FORM ", found '% a comment'");
  t_mtx_refused("%MatrixMarket matrix coordinate real general\n", 221, 1, 1,
                "the banner begins with '%MatrixMarket'; did you mean '%%MatrixMarket'?");
  t_mtx_refused("%%MatrixMarkt matrix coordinate real general\n", 221, 1, 1,
                "the banner begins with '%%MatrixMarkt'; did you mean '%%MatrixMarket'?");
  t_mtx_refused("version https://git-lfs.github.com/spec/v1\n", 221, 1, 1,
                "not a Matrix Market file (first line 'version https://git-lfs.github.com/spec/v1'); looks "
                "like a Git LFS "
                "pointer: fetch the file with 'git lfs pull'");
  t_mtx_refused(
      "<html>\n", 221, 1, 1,
      "not a Matrix Market file (first line '<html>'); looks like a web page or XML, not the file itself");
  t_mtx_refused("\x1f\x8b\x08\x01rest", 221, 1, 1,
                "not a Matrix Market file (first line '?\?\?\?rest'); looks compressed: unpack it with "
                "gunzip (a .tar.gz "
                "with tar xzf)");
  t_mtx_refused("$MeshFormat\n2.2 0 8\n", 221, 1, 1,
                "not a Matrix Market file (first line '$MeshFormat'); looks like a Gmsh mesh: use it as "
                "mesh.file of a deck");
}

static void wrong_words_of_the_banner_have_their_place(void **state)
{
  (void)state;
  t_mtx_refused("%%MatrixMarket matrix coordinat real general\n", 222, 1, 23,
                "unknown layout 'coordinat'; did you mean 'coordinate'? valid: coordinate, array");
  t_mtx_refused("%%MatrixMarket matrix coordinate double general\n", 222, 1, 34,
                "unknown field 'double'; valid: real, integer, pattern");
  t_mtx_refused(
      "%%MatrixMarket matrix coordinate real symetric\n", 222, 1, 39,
      "unknown symmetry 'symetric'; did you mean 'symmetric'? valid: general, symmetric, skew-symmetric");
  t_mtx_refused(
      "%%MatrixMarket matrix coordinate real skew\n", 222, 1, 39,
      "unknown symmetry 'skew'; did you mean 'skew-symmetric'? valid: general, symmetric, skew-symmetric");
  t_mtx_refused("%%MatrixMarket matrx coordinate real general\n", 222, 1, 16,
                "unknown object 'matrx'; did you mean 'matrix'? valid: matrix");
  t_mtx_refused("%%MatrixMarket matrix coordinate\r\n", 222, 1, 33,
                "the banner ends before its field; valid: real, integer, pattern");
  t_mtx_refused("%%MatrixMarket", 222, 1, 15, "the banner ends before its object; valid: matrix");
  t_mtx_refused("%%MatrixMarket matrix array real general 3 3\n", 222, 1, 42,
                "expected the end of the line after the banner, found '3'");
}

static void kinds_of_matrices_that_are_not_solved_are_refused_by_name(void **state)
{
  (void)state;
  t_mtx_refused("%%MatrixMarket matrix coordinate complex general\n", 222, 1, 34,
                "complex matrices are not supported: bandfem solves real systems");
  t_mtx_refused("%%MatrixMarket matrix coordinate complex hermitian\n", 222, 1, 34,
                "complex matrices are not supported: bandfem solves real systems");
  t_mtx_refused("%%MatrixMarket matrix coordinate real Hermitian\n", 222, 1, 39,
                "hermitian matrices are not supported: they are complex; a real one is 'symmetric'");
  t_mtx_refused("%%MatrixMarket vector array real general\n", 222, 1, 16,
                "'vector' is not supported: a vector is a 'matrix array real general' of one column");
  t_mtx_refused("%%MatrixMarket matrix array pattern general\n", 222, 1, 29,
                "an array lists values, it cannot be a 'pattern'");
  t_mtx_refused("%%MatrixMarket matrix coordinate pattern skew-symmetric\n", 222, 1, 42,
                "a 'pattern' has no signs, it cannot be 'skew-symmetric'");
}

static void the_size_line_is_checked_before_memory_is_asked_for(void **state)
{
  (void)state;
  t_mtx_refused(
      REAL, 223, 2, 1,
      "expected the size line 'rows columns entries', found the end of the file, which may be truncated");
  t_mtx_refused(ARRAY "% nothing", 223, 2, 10,
                "expected the size line 'rows columns', found the end of the file, which may be truncated");
  t_mtx_refused(REAL "3\n", 223, 2, 2, "expected the number of columns, found the end of the line");
  t_mtx_refused(REAL "3 x 4\n", 223, 2, 3, "expected the number of columns, found 'x'");
  t_mtx_refused(REAL "3.0 3 4\n", 223, 2, 1, "expected the number of rows, found '3.0'");
  t_mtx_refused(REAL "3 3 4 5\n", 223, 2, 7,
                "expected the end of the line after rows, columns and entries, found '5'");
  t_mtx_refused(ARRAY "3 3 4\n", 223, 2, 5, "expected the end of the line after rows and columns, found '4'");
  t_mtx_refused(REAL "0 3 4\n", 223, 2, 1, "0 rows: at least 1");
  t_mtx_refused(REAL "3 -1 4\n", 223, 2, 3, "-1 columns: at least 1");
  t_mtx_refused(REAL "3 3 -4\n", 223, 2, 5, "-4 entries: at least 0");
  t_mtx_refused(REAL "99999999999 3 4\n", 223, 2, 1, "99999999999 rows: at most 2147483583");
  t_mtx_refused(REAL "3 99999999999999999999999 4\n", 223, 2, 3,
                "99999999999999999999999 columns: at most 2147483583");
  t_mtx_refused(REAL "3 3 99999999999999999999999\n", 223, 2, 5,
                "99999999999999999999999 entries: at most 144115188075855871");
  t_mtx_refused(REAL "3 3 99999999999\n1 1 1\n", 225, 2, 5,
                "the size line announces 99999999999 entries, the file has 1; it may be truncated");
  t_mtx_refused(ARRAY "2000000000 2000000000\n1\n", 225, 2, 12,
                "the size line announces 4000000000000000000 entries, the file has 1; it may be truncated");
  t_mtx_refused(SYMM "3 4 1\n1 1 1\n", 223, 2, 3, "a 'symmetric' matrix is square, this one is 3 x 4");
}

static void indices_outside_the_matrix_have_their_place(void **state)
{
  (void)state;
  t_mtx_refused(REAL "4 4 2\n1 1 1\n2 9999 1\n", 224, 4, 3, "column 9999 > 4: the matrix has 4 columns");
  t_mtx_refused(REAL "4 4 2\n1 1 1\n5 1 1\n", 224, 4, 1, "row 5 > 4: the matrix has 4 rows");
  t_mtx_refused(REAL "4 4 1\n 0 1 1\n", 224, 3, 2, "row 0: rows count from 1");
  t_mtx_refused(REAL "4 4 1\n1\t00 1\n", 224, 3, 3, "column 0: columns count from 1");
  t_mtx_refused(REAL "4 4 1\n1 -3 1\n", 224, 3, 3, "column -3: columns count from 1");
  t_mtx_refused(REAL "4 4 1\n1 99999999999999999999 1\n", 224, 3, 3,
                "column 99999999999999999999 > 4: the matrix has 4 columns");
  t_mtx_refused(REAL "4 4 1\n1 4294967297 1\n", 224, 3, 3, "column 4294967297 > 4: the matrix has 4 columns");
  t_mtx_refused(REAL "4 4 1\n1.0 2 1\n", 224, 3, 1, "expected the row of an entry, found '1.0'");
  t_mtx_refused(REAL "4 4 1\nx 2 1\n", 224, 3, 1, "expected the row of an entry, found 'x'");
  t_mtx_refused(REAL "4 4 1\n1      \n", 224, 3, 8,
                "expected the column of an entry, found the end of the line");
}

static void values_that_are_no_finite_numbers_have_their_place(void **state)
{
  (void)state;
  t_mtx_refused(REAL "4 4 1\n1 1 nan\n", 224, 3, 5, "the value 'nan' is not finite");
  t_mtx_refused(REAL "4 4 1\n1 1 -Inf\n", 224, 3, 5, "the value '-Inf' is not finite");
  t_mtx_refused(REAL "4 4 1\n1 1 1e999\n", 224, 3, 5, "the value 1e999 is too large");
  t_mtx_refused(REAL "4 4 1\n1 1 1,5\n", 224, 3, 5,
                "expected a value (the decimal point is '.'), found '1,5'");
  t_mtx_refused(REAL "4 4 1\n1 1 0x1p3\n", 224, 3, 5, "expected a value, found '0x1p3'");
  t_mtx_refused(REAL "4 4 1\n1 1 1d5\n", 224, 3, 5, "expected a value, found '1d5'");
  t_mtx_refused(REAL "4 4 1\n1 1  \n", 224, 3, 6, "expected a value, found the end of the line");
  t_mtx_refused(REAL "4 4 1\n1 1 1 2\n", 224, 3, 7,
                "expected the end of the line after row, column and value, found '2'");
  t_mtx_refused(PATTERN "4 4 1\n1 1 1\n", 224, 3, 5,
                "expected the end of the line after row and column (a 'pattern' has no values), found '1'");
  t_mtx_refused(INTEGER "4 4 1\n1 1 1.5\n", 224, 3, 5,
                "expected a whole number (the banner says 'integer'), found '1.5'");
  t_mtx_refused(INTEGER "4 4 1\n1 1 one\n", 224, 3, 5,
                "expected a whole number (the banner says 'integer'), found 'one'");
  t_mtx_refused(ARRAY "2 1\n1 2\n", 224, 3, 3,
                "expected the end of the line after a value (an array has one per line), found '2'");
}

static void entries_of_the_wrong_triangle_have_their_place(void **state)
{
  (void)state;
  t_mtx_refused(
      SYMM "3 3 2\n1 1 1\n 2 3 1\n", 224, 4, 2,
      "entry (2, 3) above the diagonal in a 'symmetric' file, which lists the lower triangle only; if both "
      "triangles are listed, the banner must say 'general'");
  t_mtx_refused(
      SKEW "3 3 1\n1 3 1\n", 224, 3, 1,
      "entry (1, 3) above the diagonal in a 'skew-symmetric' file, which lists the lower triangle only; if "
      "both triangles are listed, the banner must say 'general'");
  t_mtx_refused(SKEW "3 3 1\n2 2 0\n", 224, 3, 1,
                "diagonal entry (2, 2) in a 'skew-symmetric' file: it is zero and must not be listed");
}

static void too_few_or_too_many_entries_are_counted(void **state)
{
  (void)state;
  t_mtx_refused(REAL "3 3 3\n1 1 1.000000000\n\n% c\n2 2 1.000000000\n", 225, 2, 5,
                "the size line announces 3 entries, the file has 2; it may be truncated");
  t_mtx_refused(REAL "3 3 1\n", 225, 2, 5,
                "the size line announces 1 entry, the file has 0; it may be truncated");
  t_mtx_refused(ARRAY "3 1\n1.0000000\n2\n", 225, 2, 3,
                "the size line announces 3 entries, the file has 2; it may be truncated");
  t_mtx_refused(REAL "3 3 1\n1 1 1\n\n2 2 2\n3 3 3\n", 225, 5, 1,
                "line 2 announces 1 entry, the file has 3: this is the first additional one");
  t_mtx_refused(REAL "3 3 2\n1 1 1\n2 2 2\n%\n3 3", 225, 6, 1,
                "line 2 announces 2 entries, the file has 3: this is the first additional one");
}

static void enough_lines_that_are_too_short_are_not_called_too_few(void **state)
{
  (void)state;
  t_mtx_refused(REAL "3 3 3\n1 1\n2 2\n3 3\n", 224, 3, 4, "expected a value, found the end of the line");
  t_mtx_refused(REAL "3 3 3\n1\n2\n3\n", 224, 3, 2,
                "expected the column of an entry, found the end of the line");
}

static void files_cut_off_anywhere_are_refused_or_whole(void **state)
{
  (void)state;
  static const char whole[] =
      "\xef\xbb\xbf%%MatrixMarket matrix coordinate real symmetric\r\n% c\r\n3 3 3\r\n"
      "1 1 1.5e0\r\n2 2 2.5\r\n3 1 -12.25\r\n";
  int accepted = 0;
  for (size_t n = 0; n < sizeof whole; n++) {
    bf_diags d = {0};
    bf_mtx  *A = NULL;
    if (t_mtx_try(whole, n, &d, &A) == BF_OK)
      accepted++;
    else
      assert_int_equal(d.errors, 1);
    bf_mtx_destroy(&A);
    bf_diags_clear(&d);
  }
  assert_int_equal(accepted, 7); /* a number cut off at its end, "-1", "-12", "-12.", ..., is one still */
}

static void bytes_that_are_no_text_have_their_place(void **state)
{
  (void)state;
  static const char zero[] = REAL "2 2 1\n1 1\0 1\n";
  t_mtx_refused_bytes(zero, sizeof zero - 1, 224, 3, 3, "expected the column of an entry, found '1?'");
  t_mtx_refused(REAL "2 2 1\n1 1 \xc3\xa4 1\n", 224, 3, 5, "expected a value, found '?\?'");
  t_mtx_refused("%%MatrixMarket matrix coordinate real general\n% \xc3\xa4\n2 2 1\n1 \xc3\xa4\xc3\xa4 1\n",
                224, 4, 3, "expected the column of an entry, found '?\?\?\?'");
  t_mtx_refused(REAL "2 2 1\n1 1 1 \xc3\xa4 x\n", 224, 3, 7,
                "expected the end of the line after row, column and value, found '?\?'");
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
  (void)state;
  bf_diags d = {0};
  bf_mtx  *A = NULL;
  T_ERR(BF_E_MODEL, bf_mtx_read("nowhere/a.mtx", &d, &A));
  T_ERR(BF_E_MODEL, bf_mtx_read(".", &d, &A));
  T_ERR(BF_E_MODEL, bf_mtx_read("/dev/null", &d, &A));
  assert_string_equal(d.item[0].text, "cannot open 'nowhere/a.mtx': No such file or directory");
  assert_string_equal(d.item[1].text, "cannot open '.': Is a directory");
  assert_string_equal(d.item[2].text, "cannot open '/dev/null': not a regular file");
  assert_int_equal(d.item[0].code, 221);
  bf_diags_clear(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_matrix_market_file_is_told_by_what_it_looks_like),
      cmocka_unit_test(wrong_words_of_the_banner_have_their_place),
      cmocka_unit_test(kinds_of_matrices_that_are_not_solved_are_refused_by_name),
      cmocka_unit_test(the_size_line_is_checked_before_memory_is_asked_for),
      cmocka_unit_test(indices_outside_the_matrix_have_their_place),
      cmocka_unit_test(values_that_are_no_finite_numbers_have_their_place),
      cmocka_unit_test(entries_of_the_wrong_triangle_have_their_place),
      cmocka_unit_test(too_few_or_too_many_entries_are_counted),
      cmocka_unit_test(enough_lines_that_are_too_short_are_not_called_too_few),
      cmocka_unit_test(files_cut_off_anywhere_are_refused_or_whole),
      cmocka_unit_test(bytes_that_are_no_text_have_their_place),
      cmocka_unit_test(a_file_that_cannot_be_read_is_named),
  };
  return T_RUN(tests);
}
