/* tests/outputs/t270_vtk.c - the legacy VTK file, byte by byte, and VTK's node order */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/vtk/vtk_nodes.h"
#include "tests/outputs/samples.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#define FOLDER BF_BINARY_DIR "/t270"

/* Corners between which VTK puts its mid-side nodes (figures of the classes vtkQuadraticEdge, -Triangle,
 * -Quad, -Tetra, -Hexahedron), in the order of the places after the corners. */
static const struct {
  bf_elem_type type;
  int          vtk, count, between[12][2]; /* nodes on edges */
} vtk_cell[] = {
    {BF_POINT1, 1, 0, {{0}}},
    {BF_LINE2, 3, 0, {{0}}},
    {BF_LINE3, 21, 1, {{0, 1}}},
    {BF_TRI3, 5, 0, {{0}}},
    {BF_TRI6, 22, 3, {{0, 1}, {1, 2}, {2, 0}}},
    {BF_QUAD4, 9, 0, {{0}}},
    {BF_QUAD8, 23, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {BF_QUAD9, 28, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {BF_TET4, 10, 0, {{0}}},
    {BF_TET10, 24, 6, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}},
    {BF_HEX8, 12, 0, {{0}}},
    {BF_HEX20,
     25,
     12,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}},
    {BF_HEX27,
     29,
     12,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}},
};

static void mid_side_nodes_stand_where_vtk_has_them(void **state)
{
  (void)state;
  assert_int_equal(sizeof vtk_cell / sizeof *vtk_cell, BF_ELEM_TYPES);
  for (size_t t = 0; t < sizeof vtk_cell / sizeof *vtk_cell; t++) {
    const bf_elem_info *e     = bf_elem(vtk_cell[t].type);
    const int          *order = bf_vtk_nodes(vtk_cell[t].type);
    double              xi[BF_NEN_MAX][3];
    bf_elem_nodes(vtk_cell[t].type, xi);
    assert_int_equal(e->vtk, vtk_cell[t].vtk);
    assert_int_equal(e->nnodes - e->ncorners, vtk_cell[t].count + (e->inner ? e->dim == 3 ? 7 : 1 : 0));
    for (int k = 0; k < e->ncorners; k++) assert_int_equal(order[k], k);
    for (int k = 0; k < vtk_cell[t].count; k++)
      for (int d = 0; d < 3; d++)
        T_NEAR(xi[order[e->ncorners + k]][d],
               0.5 * (xi[vtk_cell[t].between[k][0]][d] + xi[vtk_cell[t].between[k][1]][d]), 0.0);
  }
  /* vtkTriQuadraticHexahedron: faces -x +x -y +y -z +z, then the middle */
  static const int faces[7][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0},
                                  {0, 0, -1}, {0, 0, 1}, {0, 0, 0}};
  double           xi[BF_NEN_MAX][3];
  bf_elem_nodes(BF_HEX27, xi);
  for (int k = 0; k < 7; k++)
    for (int d = 0; d < 3; d++) T_NEAR(xi[bf_vtk_nodes(BF_HEX27)[20 + k]][d], faces[k][d], 0.0);
  assert_int_equal(bf_vtk_nodes(BF_QUAD9)[8], 8);
  assert_null(bf_vtk_nodes(BF_ELEM_TYPES));
}

/* A reader of the file's own: each `expect` must be at the cursor. */
typedef struct cursor {
  const char *at, *end;
} cursor;

static void expect(cursor *c, const char *text)
{
  const size_t n = strlen(text);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n) != 0)
    fail_msg("expected '%s', found '%.60s'", text, c->at);
  c->at += n;
}

static uint64_t big_endian(cursor *c, int bytes)
{
  uint64_t v = 0;
  assert_true(c->end - c->at >= bytes);
  for (int k = 0; k < bytes; k++) v = v << 8 | (unsigned char)*c->at++;
  return v;
}

static double real(cursor *c)
{
  const uint64_t v = big_endian(c, 8);
  double         x;
  memcpy(&x, &v, sizeof x);
  return x;
}

static void expect_reals(cursor *c, const double *x, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    const double got = real(c);
    if (got != x[i]) fail_msg("value %lld is %.17g instead of %.17g", (long long)i, got, x[i]);
  }
  expect(c, "\n");
}

static void expect_mesh(cursor *c, const bf_mesh *m, const bf_view *v)
{
  char line[100];
  snprintf(line, sizeof line, "POINTS %d double\n", (int)v->npoints);
  expect(c, line);
  for (bf_int i = 0; i < v->npoints; i++)
    for (int d = 0; d < 3; d++)
      if (real(c) != m->x[3 * v->node[i] + d]) fail_msg("point %d", (int)i);
  snprintf(line, sizeof line, "\nCELLS %d %d\n", (int)v->ncells, (int)(v->ptr[v->ncells] + v->ncells));
  expect(c, line);
  for (bf_int e = 0; e < v->ncells; e++) {
    const int nen = bf_elem(v->type[e])->nnodes;
    assert_int_equal(big_endian(c, 4), nen);
    for (int k = 0; k < nen; k++)
      assert_int_equal(big_endian(c, 4), v->point[v->ptr[e] + bf_vtk_nodes(v->type[e])[k]]);
  }
  snprintf(line, sizeof line, "\nCELL_TYPES %d\n", (int)v->ncells);
  expect(c, line);
  for (bf_int e = 0; e < v->ncells; e++) assert_int_equal(big_endian(c, 4), bf_elem(v->type[e])->vtk);
  expect(c, "\n");
}

static void every_byte_of_a_mixed_mesh_is_as_the_format_says(void **state)
{
  (void)state;
  sample s;
  size_t n;
  char   line[100];
  s_mixed(&s);
  T_OK(bf_make_folder(FOLDER));
  T_OK(bf_write_vtk(&s.r, FOLDER "/mixed.vtk"));
  char  *text = s_read(FOLDER "/mixed.vtk", &n);
  cursor c    = {text, text + n};
  expect(&c, "# vtk DataFile Version 3.0\na sample, 100 %\nBINARY\nDATASET UNSTRUCTURED_GRID\n");
  expect(&c, "FIELD FieldData 7\ncase 1 1 string\n\xcf" /* 11 and 15 in 6 bits */ "a sample, 100 %\n");
  expect(&c, "status 1 1 string\n\xc9"
             "converged\nTimeValue 1 1 double\n");
  expect_reals(&c, (const double[]){0.0}, 1);
  expect(&c, "unit_displacement 1 1 string\n\xc1m\nunit_temperature 1 1 string\n\xc4"
             "degC\n");
  expect(&c, "unit_stress_nodal 1 1 string\n\xc2Pa\nunit_stress 1 1 string\n\xc2Pa\n");
  expect_mesh(&c, s.mesh, s.view);
  assert_int_equal(s.view->npoints, 42); /* 43 nodes, two of them unused, one split */
  snprintf(line, sizeof line, "CELL_DATA %d\nFIELD FieldData 2\nstress 6 %d double\n", 4, 4);
  expect(&c, line);
  expect_reals(&c, s.value[3], 6 * 4);
  expect(&c, "material_id 1 4 double\n");
  expect_reals(&c, s.value[4], 4);
  expect(&c, "POINT_DATA 42\nFIELD FieldData 3\ndisplacement 3 42 double\n");
  expect_reals(&c, s.value[0], 3 * 42);
  expect(&c, "temperature 1 42 double\n");
  expect_reals(&c, s.value[1], 42);
  expect(&c, "stress_nodal 6 42 double\n");
  expect_reals(&c, s.value[2], 6 * 42);
  assert_ptr_equal(c.at, c.end);
  bf_host_free(text);
  s_clear(&s);
}

static void texts_of_every_length_carry_it(void **state)
{
  (void)state;
  enum { LONG = 20000 };
  char  *title = bf_host_alloc(LONG + 1, 1);
  size_t n;
  sample s;
  s_curved(&s, BF_TRI3);
  memset(title, 'x', LONG);
  const int           length[]  = {63, 64, 16383, 16384};
  const unsigned char head[][5] = {{1, 0xff}, {2, 0x80, 64}, {2, 0xbf, 0xff}, {4, 0x40, 0, 0x40, 0}};
  for (int k = 0; k < 4; k++) {
    title[length[k]] = '\0';
    s.r.title        = title;
    T_OK(bf_write_vtk(&s.r, FOLDER "/long.vtk"));
    title[length[k]] = 'x';
    char *text       = s_read(FOLDER "/long.vtk", &n);
    char *at         = strstr(text, "case 1 1 string\n");
    assert_non_null(at);
    at += 16;
    assert_memory_equal(at, head[k] + 1, head[k][0]);
    for (int i = 0; i < length[k]; i++) assert_int_equal(at[head[k][0] + i], 'x');
    assert_int_equal(at[head[k][0] + length[k]], '\n');
    assert_true(strcspn(text + 27, "\n") < 256); /* the second line, at most 256 bytes with its end */
    bf_host_free(text);
  }
  bf_host_free(title);
  s_clear(&s);
}

static void a_title_of_two_lines_stays_on_one_and_names_are_escaped(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_TRI3);
  s.r.title       = "first\nsecond";
  s.field[0].name = "a b%\"";
  T_OK(bf_write_vtk(&s.r, FOLDER "/names.vtk"));
  size_t n;
  char  *text = s_read(FOLDER "/names.vtk", &n);
  T_CONTAINS(text, "\nfirst second\nBINARY\n");
  for (size_t i = 0; i < n; i++) /* past the binary numbers */
    if (text[i] == '\0') text[i] = ' ';
  T_CONTAINS(text, "unit_a%20b%25%22 1 1 string\n");
  T_CONTAINS(text, "\na%20b%25%22 3 3 double\n");
  bf_host_free(text);
  s_clear(&s);
}

static void a_run_that_did_not_converge_says_so(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_TET10);
  s.r.converged    = 0;
  s.history.reason = "iteration limit";
  T_OK(bf_write_vtk(&s.r, FOLDER "/failed.vtk"));
  char *text = s_read(FOLDER "/failed.vtk", NULL);
  T_CONTAINS(text, "\nNOT CONVERGED: a sample, 100 %\nBINARY\n");
  T_CONTAINS(text, "NOT CONVERGED: iteration limit after 3 iterations, relative residual 1.000e-09\n");
  bf_host_free(text);
  s_clear(&s);
}

static void an_empty_view_is_a_file_without_cells(void **state)
{
  (void)state;
  bf_mesh   m = {.dim = 3};
  bf_view   v = {0};
  bf_result r = {.mesh = &m, .view = &v, .converged = 1};
  T_OK(bf_write_vtk(&r, FOLDER "/empty.vtk"));
  size_t      n;
  char       *text = s_read(FOLDER "/empty.vtk", &n);
  const char *tail = "POINTS 0 double\n\nCELLS 0 0\n\nCELL_TYPES 0\n\n";
  assert_string_equal(text + n - strlen(tail), tail);
  bf_host_free(text);
}

/* Two blocks of points and of cells (8 MiB each), with 1 and with 4 threads. */
static void blocks_join_and_threads_do_not_matter(void **state)
{
  (void)state;
  const bf_int cells[3] = {71, 71, 71};
  sample       s        = {0};
  size_t       n[2];
  char        *text[2];
  T_OK(bf_mesh_box((const double[]){1, 1, 1}, cells, BF_HEX8, &s.mesh));
  T_OK(s_finish(&s, NULL));
  for (int k = 0; k < 2; k++) {
#ifdef _OPENMP
    omp_set_num_threads(k ? 4 : 1);
#endif
    T_OK(bf_write_vtk(&s.r, FOLDER "/box.vtk"));
    text[k] = s_read(FOLDER "/box.vtk", &n[k]);
    remove(FOLDER "/box.vtk");
  }
  assert_int_equal(n[0], n[1]);
  assert_true(memcmp(text[0], text[1], n[0]) == 0);
  cursor c = {text[0], text[0] + n[0]};
  while (c.at < c.end && memcmp(c.at, "POINTS ", 7) != 0) c.at++;
  expect_mesh(&c, s.mesh, s.view);
  expect(&c, "CELL_DATA 357911\nFIELD FieldData 2\nstress 6 357911 double\n");
  expect_reals(&c, s.value[3], 6 * (int64_t)s.view->ncells);
  bf_host_free(text[0]);
  bf_host_free(text[1]);
  s_clear(&s);
}

static void more_cells_than_the_format_counts_are_refused(void **state)
{
  (void)state;
  bf_mesh      m     = {.dim = 3};
  bf_elem_type type  = BF_HEX8;
  int64_t      ptr[] = {0, INT32_MAX}; /* one more int for the count of points */
  bf_view      v     = {.ncells = 1, .type = &type, .ptr = ptr};
  bf_result    r     = {.mesh = &m, .view = &v, .converged = 1};
  T_ERR(BF_E_FILE, bf_write_vtk(&r, FOLDER "/huge.vtk"));
  T_CONTAINS(bf_err_message(), "cannot write '" FOLDER "/huge.vtk': its cells need 2147483648 ints");
}

static void what_cannot_be_shown_is_refused_by_name(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_QUAD4);
  s.field[1].ncomp = 2;
  T_ERR(BF_E_ARG, bf_write_vtk(&s.r, FOLDER "/bad.vtk"));
  T_CONTAINS(bf_err_message(), "'temperature' has 2 components");
  s.field[1].ncomp = 1;
  s.field[2].name  = "temperature";
  T_ERR(BF_E_ARG, bf_write_vtk(&s.r, FOLDER "/bad.vtk"));
  T_CONTAINS(bf_err_message(), "two fields have the name 'temperature'");
  s.field[2].name = "stress"; /* also on cells: allowed */
  T_OK(bf_write_vtk(&s.r, FOLDER "/good.vtk"));
  s.r.mesh = NULL;
  T_ERR(BF_E_ARG, bf_write_vtk(&s.r, FOLDER "/bad.vtk"));
  assert_null(s_read(FOLDER "/bad.vtk", NULL));
  s_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mid_side_nodes_stand_where_vtk_has_them),
      cmocka_unit_test(every_byte_of_a_mixed_mesh_is_as_the_format_says),
      cmocka_unit_test(texts_of_every_length_carry_it),
      cmocka_unit_test(a_title_of_two_lines_stays_on_one_and_names_are_escaped),
      cmocka_unit_test(a_run_that_did_not_converge_says_so),
      cmocka_unit_test(an_empty_view_is_a_file_without_cells),
      cmocka_unit_test(blocks_join_and_threads_do_not_matter),
      cmocka_unit_test(more_cells_than_the_format_counts_are_refused),
      cmocka_unit_test(what_cannot_be_shown_is_refused_by_name),
  };
  T_OK(bf_make_folder(FOLDER));
  return T_RUN(tests);
}
