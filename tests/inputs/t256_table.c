/* tests/inputs/t256_table.c - tables: values between the points, beyond them, and every mistake at its line
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/expression.h"
#include "base/memory.h"
#include "base/table.h"
#include "inputs/deck.h"
#include "tests/inputs/deck_case.h"
#include <math.h>

static bf_table *read_sound(t_folder *f, const char *text)
{
  bf_diags  d = {0};
  bf_table *t = NULL;
  T_OK(bf_table_read(t_folder_text(f, "t.csv", text), (bf_where){0}, &d, &t));
  if (!t) bf_diags_print(&d, 0, stderr);
  assert_non_null(t);
  assert_int_equal(d.count, 0);
  bf_diags_clear(&d);
  return t;
}

static double at(bf_table *t, double x, double y, double z)
{
  const double place[3] = {x, y, z};
  double       f        = NAN;
  T_OK(bf_table_eval(t, 1, place, &f));
  return f;
}

static void one_coordinate_is_interpolated_linearly(void **state)
{
  (void)state;
  t_folder f;
  t_folder_open(&f);
  bf_table *t = read_sound(&f, "x,k\n1.0,30\n0.0,10\n3.0,-5\n");
  assert_true(at(t, 0.0, 7, 7) == 10.0 && at(t, 1.0, 0, 0) == 30.0 && at(t, 3.0, 0, 0) == -5.0);
  T_NEAR(at(t, 0.25, 0, 0), 15.0, 1e-14);
  T_NEAR(at(t, 2.0, 0, 0), 12.5, 1e-14);
  bf_table_destroy(&t);
  t_folder_close(&f);
}

/* A function linear in each coordinate is met exactly, wherever it is asked for. */
static void a_trilinear_function_comes_back_exactly(void **state)
{
  (void)state;
  static const double g[3][4]    = {{-1.0, 0.5, 2.0, 2.5}, {0.0, 1.0, 5.0, 9.0}, {-3.0, -2.0, 1.0, 4.0}};
  char                text[4000] = "z ; x ; y ; value of f\n";
  uint64_t            seed       = 5;
  t_folder            f;
  t_folder_open(&f);
  for (int i = 0; i < 64; i++) { /* 13 has no divisor with 64: all points, in no order */
    const int    p = i * 13 % 64;
    const double x = g[0][p % 4], y = g[1][p / 4 % 4], z = g[2][p / 16];
    const size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "%.17g; %.17g;%.17g ;%.17g\n", z, x, y,
             (1 + 2 * x) * (3 - y) * (0.5 * z + 1));
  }
  bf_table *t = read_sound(&f, text);
  for (int i = 0; i < 200; i++) {
    const double x = -1.0 + 3.5 * t_uniform(&seed), y = 9.0 * t_uniform(&seed),
                 z = -3.0 + 7.0 * t_uniform(&seed);
    T_NEAR(at(t, x, y, z), (1 + 2 * x) * (3 - y) * (0.5 * z + 1), 1e-12);
  }
  bf_table_destroy(&t);
  t_folder_close(&f);
}

/* By the formula with weights, written down apart from the program's. */
static void two_coordinates_are_weighted_by_the_opposite_areas(void **state)
{
  (void)state;
  t_folder f;
  t_folder_open(&f);
  bf_table    *t = read_sound(&f, "y\tx\tq\n0\t0\t1\n0\t2\t5\n3\t0\t-7\n3\t2\t11\n");
  const double x = 0.7, y = 1.1;
  T_NEAR(at(t, x, y, 0), (1 * (2 - x) * (3 - y) + 5 * x * (3 - y) - 7 * (2 - x) * y + 11 * x * y) / 6, 1e-13);
  bf_table_destroy(&t);
  t_folder_close(&f);
}

static void the_end_values_hold_outside_and_the_farthest_point_is_kept(void **state)
{
  (void)state;
  enum { N = 20000 };
  static double x[3 * N], v[N];
  t_folder      f;
  t_folder_open(&f);
  bf_table *t = read_sound(&f, "x,y,k\n0,0,1\n0,1,2\n2,0,3\n2,1,4\n");
  assert_true(at(t, -1e-10, 0.5, 0) > 0.0 && t->farthest == 0.0); /* rounding is not outside */
  assert_true(at(t, -1.0, 0.0, 0) == 1.0 && at(t, 9.0, 9.0, 0) == 4.0 && at(t, 9.0, -1.0, 5) == 3.0);
  T_NEAR(t->farthest, 8.0, 0.0); /* y = 9 is 8 lengths of [0, 1] away, x = 9 only 3.5 of [0, 2] */
  t->farthest = 0.0;
  memset(t->farthest_at, 0, sizeof t->farthest_at);
  for (int i = 0; i < N; i++) x[3 * i] = i % 2000 / 100.0;
#pragma omp parallel for
  for (int i = 0; i < N; i += 100) (void)bf_table_eval(t, 100, x + 3 * i, v + i);
  T_NEAR(t->farthest_at[0], 19.99, 0.0);
  bf_table_destroy(&t);
  t_folder_close(&f);
}

static void a_table_is_evaluated_where_a_formula_would_be(void **state)
{
  (void)state;
  const double   x[6] = {0.5, 0, 0, 1.5, 0, 0};
  double         v[2];
  bf_expression *e = NULL;
  t_folder       f;
  t_folder_open(&f);
  bf_table *t = read_sound(&f, "x,k\n0,0\n2,4\n");
  T_OK(bf_expression_of_table(t, &e));
  T_OK(bf_expression_eval(e, 2, x, v));
  T_NEAR(v[0], 1.0, 1e-15);
  T_NEAR(v[1], 3.0, 1e-15);
  bf_expression_destroy(&e);
  assert_true(at(t, 1, 0, 0) == 2.0); /* the table is still there */
  bf_table_destroy(&t);
  t_folder_close(&f);
}

static void marks_comments_blank_lines_and_line_ends_do_not_matter(void **state)
{
  (void)state;
  static const char *const texts[] = {"x,k\n0,1\n1,3\n",
                                      "\xEF\xBB\xBFx,k\r\n0,1\r\n1,3\r\n",
                                      "x,k\n0,1\n1,3",
                                      "# a\n\n  # b\nx,k\n\n0,1\n# c\n1,3\n\n",
                                      "\"x\" , \"k (W/m/K)\"\n+0,\"1.\"\n1e0,.3e1\n",
                                      "x;k\n0;1\n1;3\n",
                                      "x\tk\n0\t1\n1\t3\n",
                                      "x,k\r0,1\r1,3\r"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    t_folder f;
    t_folder_open(&f);
    bf_table *t = read_sound(&f, texts[i]);
    assert_true(at(t, 0.5, 0, 0) == 2.0);
    bf_table_destroy(&t);
    t_folder_close(&f);
  }
}

static void every_mistake_is_told_at_its_place(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int         line, column;
    const char *said;
  } cases[] = {
      {"", 0, 0, "the table is empty"},
      {"# only\n\n", 0, 0, "the table is empty"},
      {"x,k\n", 0, 0, "the table has no rows"},
      {"x,k\n0,1\n", 0, 0, "at least two values of x, this one has 1"},
      {"0,1\n1,2\n", 1, 1, "the first line of a table names its columns"},
      {"x\n1\n", 1, 1, "1 to 3 columns of coordinates and one of values, not 1 columns"},
      {"x,y,z,k,l\n", 1, 1, "not 5 columns"},
      {"x,y\n0,1\n", 1, 3, "'y' is a coordinate"},
      {"x, r,k\n0,1,2\n", 1, 4, "column 'r' is not a coordinate"},
      {"x,x,k\n", 1, 3, "coordinate 'x' has two columns"},
      {"x,\n", 1, 3, "the last column has no name"},
      {"x;y,k\n", 1, 1, "not by several"},
      {"x,k\n0,1\n1,oops\n", 3, 3, "expected a number, got 'oops'"},
      {"x,k\n0,1\n1,\n", 3, 3, "expected a number, got ''"},
      {"x,k\n0,nan\n", 2, 3, "expected a number, got 'nan'"},
      {"x,k\n0,1\n-inf,2\n", 3, 1, "expected a number, got '-inf'"},
      {"x,k\n0,1e999\n", 2, 3, "1e999 is too large"},
      {"x,k\n0,0x10\n", 2, 3, "expected a number, got '0x10'"},
      {"x,k\n0,5,1,5\n", 2, 1, "expected 2 columns, got 4; the decimal point is '.'"},
      {"x;k\n0,5;1\n", 2, 1, "got '0,5'; the decimal point is '.'"},
      {"x,k\n0,1,\n", 2, 1, "expected 2 columns, got 3"},
      {"x,k\n0\n", 2, 1, "expected 2 columns, got 1"},
      {"x,k\n0,1\n1,2\n-0.0,3\n", 4, 1, "the point x = 0 is defined twice; first on line 2"},
      {"x,y,k\n0,0,1\n0,1,1\n1,0,1\n", 0, 0,
       "3 rows for 2 x 2 points; the first missing point is x = 1, y = 1"},
      {"y,x,k\n0,0,1\n0,1,1\n1,1,1\n2,0,1\n2,1,1\n", 0, 0,
       "5 rows for 3 x 2 points; the first missing point is y = 1, x = 0"},
      {"x,k\n\xC3\xA4\xC3\xB6,b\n", 2, 1, "expected a number"},
      {"x,y,k\n0,\xC3\xA4,b\n", 2, 3, "expected a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    t_folder  f;
    bf_diags  d = {0};
    bf_table *t = NULL;
    t_folder_open(&f);
    const char *path = t_folder_text(&f, "t.csv", cases[i].text);
    T_OK(bf_table_read(path, (bf_where){0}, &d, &t));
    assert_null(t);
    assert_true(d.errors > 0);
    T_CONTAINS(d.item[0].text, cases[i].said);
    assert_string_equal(d.item[0].file, path);
    assert_int_equal(d.item[0].code, 113);
    if (d.item[0].line != cases[i].line || d.item[0].column != cases[i].column)
      fail_msg("%s: at %d:%d", cases[i].said, (int)d.item[0].line, d.item[0].column);
    bf_diags_clear(&d);
    t_folder_close(&f);
  }
}

static void long_numbers_zero_bytes_and_great_files_are_refused(void **state)
{
  (void)state;
  t_folder  f;
  bf_diags  d         = {0};
  bf_table *t         = NULL;
  char      text[200] = "x,k\n0,";
  t_folder_open(&f);
  memset(text + 6, '1', 100);
  memcpy(text + 106, "e-90\n1,2\n", 10);
  T_OK(bf_table_read(t_folder_text(&f, "t.csv", text), (bf_where){0}, &d, &t));
  T_CONTAINS(d.item[0].text, "a number of more than 63 characters");
  T_OK(bf_table_read(t_folder_put(&f, "t.csv", "x,k\n0,1\0\n1,2\n", 14), (bf_where){0}, &d, &t));
  T_CONTAINS(d.item[1].text, "not a text file: byte 8 is zero");
  assert_int_equal(truncate(f.file[0], (off_t)BF_TABLE_BYTES_MAX + 1), 0);
  const int64_t calls = bf_memory_calls();
  T_OK(bf_table_read(f.file[0], (bf_where){"a.yaml", 3, 4}, &d, &t));
  T_CONTAINS(d.item[2].text, "larger than 64 MiB");
  assert_int_equal(d.item[2].line, 3);
  assert_true(bf_memory_calls() - calls < 5); /* only the message's */
  T_OK(bf_table_read(f.path, (bf_where){0}, &d, &t));
  T_CONTAINS(d.item[3].text, "directory");
  assert_null(t);
  bf_diags_clear(&d);
  t_folder_close(&f);
}

/* The deck with one value for k; "" or the first diagnostic. */
static const char *of_deck(t_folder *f, const char *k, char *out, size_t size, bf_deck **deck)
{
  char     text[600];
  bf_diags d = {0};
  snprintf(text, sizeof text,
           "deck: 1\nmesh: {file: a.msh}\nphysics: heat\nmaterials:\n  a: {group: a, k: %s}\n"
           "boundary:\n  - {group: b, type: convection, h: {table: h.csv}, ambient: {table: h.csv}}\n",
           k);
  const bf_err err = bf_deck_read(t_folder_text(f, "d.yaml", text), &d, deck);
  out[0]           = '\0';
  if (err != BF_OK)
    snprintf(out, size, "%s:%d:%d E%03d %s", d.item[0].file + strlen(f->path) + 1, (int)d.item[0].line,
             d.item[0].column, d.item[0].code, d.item[0].text);
  assert_true(err == BF_OK || d.errors == 1);
  bf_diags_clear(&d);
  return out;
}

static void a_deck_takes_a_table_where_a_formula_can_stand(void **state)
{
  (void)state;
  t_folder f;
  bf_deck *deck = NULL;
  char     out[600], *resolved = NULL;
  int      n;
  t_folder_open(&f);
  t_folder_text(&f, "h.csv", "y,h\n0,10\n1,0\n");
  t_folder_text(&f, "k.csv", "x,k\n0,10\n1,20\n");
  assert_string_equal(of_deck(&f, "{table: k.csv}", out, sizeof out, &deck), "");
  const bf_deck_table *t = bf_deck_tables(deck, &n);
  const bf_item       *k = bf_item_get(bf_deck_root(deck), "materials.a.k");
  assert_int_equal(n, 3);
  assert_true(t[0].first && t[1].first && !t[2].first && t[1].table == t[2].table); /* read once */
  assert_true(bf_item_is_formula(k) && isnan(bf_item_number(k)));
  assert_ptr_equal(bf_item_table(k), t[0].table);
  T_NEAR(at(bf_item_table(k), 0.5, 0, 0), 15.0, 1e-14);
  const bf_deck_instead instead = {t[0].file, "/elsewhere/k 2.csv"};
  T_OK(bf_deck_resolved(deck, &instead, 1, &resolved));
  T_CONTAINS(resolved, "k:\n      table: \"/elsewhere/k 2.csv\"\n");
  bf_host_free(resolved);
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void mistakes_about_a_table_are_told_in_the_deck_or_in_the_table(void **state)
{
  (void)state;
  static const char *const cases[][3] = {
      {"{table: none.csv}", "x,k\n0,1\n1,2\n", "d.yaml:5:28 E113 cannot read the table '"},
      {"{table: k.csv, at: 3}", "x,k\n0,1\n1,2\n", "d.yaml:5:35 E101 unknown key 'at' in 'k'; valid: table"},
      {"{tabel: k.csv}", "x,k\n0,1\n1,2\n", "d.yaml:5:21 E101 unknown key 'tabel' in 'k'; valid: table"},
      {"{}", "", "d.yaml:5:20 E103 'k': expected a number"},
      {"{table: [k.csv]}", "", "d.yaml:5:28 E103 'table': expected the name of a CSV file"},
      {"{table: k.csv}", "x,k\n0,1\n1,0\n", "k.csv:3:1 E105 'k' is 0 in the table, outside (0,inf)"},
      {"{table: k.csv}", "x,k\n0,1\n1,b\n", "k.csv:3:3 E113 expected a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    t_folder f;
    bf_deck *deck = NULL;
    char     out[600];
    t_folder_open(&f);
    t_folder_text(&f, "h.csv", "y,h\n0,10\n1,0\n");
    t_folder_text(&f, "k.csv", cases[i][1]);
    T_CONTAINS(of_deck(&f, cases[i][0], out, sizeof out, &deck), cases[i][2]);
    assert_null(deck);
    t_folder_close(&f);
  }
}

static void no_failing_allocation_leaks(void **state)
{
  (void)state;
  t_folder f;
  char     out[600];
  bf_deck *sound = NULL;
  t_folder_open(&f);
  t_folder_text(&f, "h.csv", "x,y,h\n0,0,10\n1,0,0\n0,1,1\n1,1,2\n");
  t_folder_text(&f, "k.csv", "x,k\n0,10\n1,20\n");
  assert_string_equal(of_deck(&f, "{table: k.csv}", out, sizeof out, &sound), "");
  bf_deck_destroy(&sound);
  t_deck_without_memory(&f, "d.yaml");
  t_folder_close(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_coordinate_is_interpolated_linearly),
      cmocka_unit_test(a_trilinear_function_comes_back_exactly),
      cmocka_unit_test(two_coordinates_are_weighted_by_the_opposite_areas),
      cmocka_unit_test(the_end_values_hold_outside_and_the_farthest_point_is_kept),
      cmocka_unit_test(a_table_is_evaluated_where_a_formula_would_be),
      cmocka_unit_test(marks_comments_blank_lines_and_line_ends_do_not_matter),
      cmocka_unit_test(every_mistake_is_told_at_its_place),
      cmocka_unit_test(long_numbers_zero_bytes_and_great_files_are_refused),
      cmocka_unit_test(a_deck_takes_a_table_where_a_formula_can_stand),
      cmocka_unit_test(mistakes_about_a_table_are_told_in_the_deck_or_in_the_table),
      cmocka_unit_test(no_failing_allocation_leaks),
  };
  return T_RUN(tests);
}
