/* tests/outputs/t271_vtkhdf.c - case.hdf read by HDF5: what VTK's reader requires, and the record of the
 * run */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/vtk/vtk_nodes.h"
#include "tests/outputs/samples.h"
#include <hdf5.h>

#define FOLDER BF_BINARY_DIR "/t271"

/* Opens a data set and checks its shape: rows, and ncomp > 1 columns. */
static hid_t open_set(hid_t file, const char *path, int64_t rows, int ncomp)
{
  hsize_t     dim[2] = {0, 1};
  const hid_t set    = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) fail_msg("no data set %s", path);
  const hid_t space = H5Dget_space(set);
  const int   rank  = H5Sget_simple_extent_ndims(space);
  if (rank != (ncomp > 1 ? 2 : 1)) fail_msg("%s has %d dimensions", path, rank);
  H5Sget_simple_extent_dims(space, dim, NULL);
  if (dim[0] != (hsize_t)rows || (ncomp > 1 && dim[1] != (hsize_t)ncomp))
    fail_msg("%s is %d x %d", path, (int)dim[0], (int)dim[1]);
  H5Sclose(space);
  return set;
}

static void expect_reals(hid_t file, const char *path, int64_t rows, int ncomp, const double *expected)
{
  const hid_t set  = open_set(file, path, rows, ncomp);
  double     *got  = bf_host_alloc((size_t)(rows * ncomp), sizeof *got);
  const hid_t type = H5Dget_type(set);
  assert_true(H5Tequal(type, H5T_NATIVE_DOUBLE) > 0);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  for (int64_t i = 0; i < rows * ncomp; i++)
    if (got[i] != expected[i] && !(isnan(got[i]) && isnan(expected[i])))
      fail_msg("%s[%d] is %.17g instead of %.17g", path, (int)i, got[i], expected[i]);
  H5Tclose(type);
  H5Dclose(set);
  bf_host_free(got);
}

/* Integers of any size; `type` is what the file must hold. */
static void expect_ints(hid_t file, const char *path, hid_t type, int64_t rows, const int64_t *expected)
{
  const hid_t set = open_set(file, path, rows, 1), in_file = H5Dget_type(set);
  int64_t    *got = bf_host_alloc((size_t)rows, sizeof *got);
  if (H5Tequal(type, in_file) <= 0) fail_msg("%s has another type", path);
  assert_true(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  for (int64_t i = 0; i < rows; i++)
    if (got[i] != expected[i])
      fail_msg("%s[%d] is %lld instead of %lld", path, (int)i, (long long)got[i], (long long)expected[i]);
  H5Tclose(in_file);
  H5Dclose(set);
  bf_host_free(got);
}

static void expect_texts(hid_t file, const char *path, int count, const char *const *expected)
{
  const hid_t set = open_set(file, path, count, 1), type = H5Dget_type(set);
  char       *got[8];
  assert_true(H5Tis_variable_str(type) > 0); /* VTK 9.1 refuses texts that are marked UTF-8 */
  assert_int_equal(H5Tget_cset(type), strncmp(path, "/VTKHDF", 7) == 0 ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  for (int i = 0; i < count; i++) {
    assert_string_equal(got[i], expected[i]);
    H5free_memory(got[i]);
  }
  H5Tclose(type);
  H5Dclose(set);
}

static void expect_attr_text(hid_t file, const char *path, const char *name, const char *expected)
{
  char        got[500] = "";
  const hid_t attr     = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);
  if (attr < 0) fail_msg("%s has no attribute %s", path, name);
  const hid_t type = H5Aget_type(attr);
  assert_true(H5Tis_variable_str(type) == 0);
  assert_true(H5Tget_size(type) < sizeof got);
  assert_true(H5Aread(attr, type, got) >= 0);
  if (strcmp(got, expected) != 0) fail_msg("%s: %s is '%s' instead of '%s'", path, name, got, expected);
  H5Tclose(type);
  H5Aclose(attr);
}

static double attr_real(hid_t file, const char *path, const char *name)
{
  double      got  = NAN;
  const hid_t attr = H5Aopen_by_name(file, path, name, H5P_DEFAULT, H5P_DEFAULT);
  if (attr < 0) fail_msg("%s has no attribute %s", path, name);
  assert_true(H5Aread(attr, H5T_NATIVE_DOUBLE, &got) >= 0);
  H5Aclose(attr);
  return got;
}

static void what_vtk_demands_of_the_group_is_there(void **state)
{
  (void)state;
  sample s;
  s_mixed(&s);
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/mixed.hdf", 0));
  const hid_t file = H5Fopen(FOLDER "/mixed.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);

  int64_t     version[2] = {0, 0};
  const hid_t v          = H5Aopen_by_name(file, "/VTKHDF", "Version", H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Aget_storage_size(v) == sizeof version);
  assert_true(H5Aread(v, H5T_NATIVE_INT64, version) >= 0);
  assert_int_equal(version[0], 1);
  assert_int_equal(version[1], 0);
  H5Aclose(v);
  const hid_t t = H5Aopen_by_name(file, "/VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT), type = H5Aget_type(t);
  assert_true(H5Tget_cset(type) == H5T_CSET_ASCII && H5Tis_variable_str(type) == 0);
  assert_int_equal(H5Tget_size(type), 16);
  H5Tclose(type);
  H5Aclose(t);
  expect_attr_text(file, "/VTKHDF", "Type", "UnstructuredGrid");
  H5Fclose(file);
  s_clear(&s);
}

static void expect_grid(hid_t file, const sample *s)
{
  const bf_view *v    = s->view;
  const int64_t  nids = v->ptr[v->ncells], np = v->npoints, nc = v->ncells;
  double        *x = bf_host_alloc((size_t)np * 3, sizeof *x);
  int64_t *ids = bf_host_alloc((size_t)nids, sizeof *ids), *types = bf_host_alloc((size_t)nc, sizeof *types);
  for (int64_t i = 0; i < np; i++) memcpy(x + 3 * i, s->mesh->x + 3 * v->node[i], 3 * sizeof *x);
  for (int64_t c = 0; c < nc; c++) {
    types[c] = bf_elem(v->type[c])->vtk;
    for (int64_t k = 0; k < v->ptr[c + 1] - v->ptr[c]; k++)
      ids[v->ptr[c] + k] = v->point[v->ptr[c] + bf_vtk_nodes(v->type[c])[k]];
  }
  expect_ints(file, "/VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1, &np);
  expect_ints(file, "/VTKHDF/NumberOfCells", H5T_NATIVE_INT64, 1, &nc);
  expect_ints(file, "/VTKHDF/NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &nids);
  expect_reals(file, "/VTKHDF/Points", np, 3, x);
  expect_ints(file, "/VTKHDF/Connectivity", H5T_NATIVE_INT64, nids, ids);
  expect_ints(file, "/VTKHDF/Offsets", H5T_NATIVE_INT64, nc + 1, v->ptr);
  expect_ints(file, "/VTKHDF/Types", H5T_NATIVE_UINT8, nc, types);
  expect_reals(file, "/VTKHDF/PointData/displacement", np, 3, s->value[0]);
  expect_reals(file, "/VTKHDF/PointData/temperature", np, 1, s->value[1]);
  expect_reals(file, "/VTKHDF/PointData/stress_nodal", np, 6, s->value[2]);
  expect_reals(file, "/VTKHDF/CellData/stress", nc, 6, s->value[3]);
  expect_reals(file, "/VTKHDF/CellData/material_id", nc, 1, s->value[4]);
  expect_texts(file, "/VTKHDF/FieldData/case", 1, &(const char *const){"a sample, 100 %"});
  expect_texts(file, "/VTKHDF/FieldData/status", 1, &(const char *const){"converged"});
  expect_texts(file, "/VTKHDF/FieldData/unit_stress", 1, &(const char *const){"Pa"});
  expect_reals(file, "/VTKHDF/FieldData/TimeValue", 1, 1, &(const double){0.0});
  expect_attr_text(file, "/VTKHDF/PointData/temperature", "unit", "degC");
  bf_host_free(x);
  bf_host_free(ids);
  bf_host_free(types);
}

static H5D_layout_t layout(hid_t file, const char *path, int *filters)
{
  const hid_t        set = H5Dopen2(file, path, H5P_DEFAULT), dcpl = H5Dget_create_plist(set);
  const H5D_layout_t l = H5Pget_layout(dcpl);
  *filters             = H5Pget_nfilters(dcpl);
  if (*filters == 2) {
    unsigned flags;
    size_t   n = 1;
    unsigned value;
    assert_int_equal(H5Pget_filter2(dcpl, 0, &flags, &n, &value, 0, NULL, NULL), H5Z_FILTER_SHUFFLE);
    assert_int_equal(H5Pget_filter2(dcpl, 1, &flags, &n, &value, 0, NULL, NULL), H5Z_FILTER_DEFLATE);
  }
  H5Pclose(dcpl);
  H5Dclose(set);
  return l;
}

static void a_grid_is_contiguous_or_compressed_and_the_same(void **state)
{
  (void)state;
  const bf_int cells[3] = {47, 47, 47}; /* two parts of points, connectivity and types */
  for (int round = 0; round < 3; round++) {
    sample s = {0};
    int    filters;
    if (round < 2) {
      s_mixed(&s);
    } else {
      T_OK(bf_mesh_box((const double[]){1, 1, 1}, cells, BF_HEX20, &s.mesh));
      T_OK(s_finish(&s, NULL));
    }
    T_OK(bf_write_vtkhdf(&s.r, FOLDER "/grid.hdf", round ? 1 : 0));
    const hid_t file = H5Fopen(FOLDER "/grid.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_grid(file, &s);
    const H5D_layout_t expected =
        round == 2 ? H5D_CHUNKED : H5D_CONTIGUOUS; /* small arrays stay contiguous */
    assert_int_equal(layout(file, "/VTKHDF/Points", &filters), expected);
    assert_int_equal(filters, round == 2 ? 2 : 0);
    assert_int_equal(layout(file, "/VTKHDF/Connectivity", &filters), expected);
    assert_int_equal(layout(file, "/VTKHDF/CellData/stress", &filters), expected);
    assert_int_equal(layout(file, "/VTKHDF/NumberOfPoints", &filters), H5D_CONTIGUOUS);
    H5Fclose(file);
    s_clear(&s);
  }
  remove(FOLDER "/grid.hdf");
}

static void the_record_holds_deck_mesh_and_matrix(void **state)
{
  (void)state;
  sample s;
  s_mixed(&s);
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/record.hdf", 0));
  const hid_t file = H5Fopen(FOLDER "/record.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(attr_real(file, "/bandfem", "format_version") == 1.0);
  expect_attr_text(file, "/bandfem", "title", "a sample, 100 %");
  expect_attr_text(file, "/bandfem", "physics", "elasticity");
  expect_attr_text(file, "/bandfem", "analysis", "static");
  expect_attr_text(file, "/bandfem", "status", "converged");
  expect_attr_text(file, "/bandfem/deck", "path", "sample.yaml");
  char  deck[100] = "";
  hid_t set = open_set(file, "/bandfem/deck/text", 1, 1), type = H5Dget_type(set);
  assert_int_equal(H5Tget_size(type), s.r.deck_length);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, deck) >= 0);
  assert_string_equal(deck, s.r.deck_text);
  H5Tclose(type);
  H5Dclose(set);
  memset(deck, 0, sizeof deck);
  set  = open_set(file, "/bandfem/deck/resolved", 1, 1);
  type = H5Dget_type(set);
  assert_int_equal(H5Tget_size(type), strlen(s.r.resolved_text));
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, deck) >= 0);
  assert_string_equal(deck, s.r.resolved_text);
  H5Tclose(type);
  H5Dclose(set);

  int64_t row[43], node[42], region[42];
  for (int i = 0; i < 43; i++) row[i] = s.row[i];
  for (int i = 0; i < 42; i++) {
    node[i]   = s.view->node[i];
    region[i] = s.view->region[i];
  }
  assert_true(node[41] == 1 && region[41] == 3); /* the copy of the split node */
  expect_ints(file, "/bandfem/mesh/permutation", H5T_NATIVE_INT32, 43, row);
  expect_ints(file, "/bandfem/mesh/point_node", H5T_NATIVE_INT32, 42, node);
  expect_ints(file, "/bandfem/mesh/point_region", H5T_NATIVE_INT32, 42, region);
  assert_true(attr_real(file, "/bandfem/mesh", "first_cell_element") == 1.0);
  assert_true(attr_real(file, "/bandfem/mesh", "elements") == 5.0);
  expect_ints(file, "/bandfem/mesh/groups/side/nodes", H5T_NATIVE_INT32, 3, (const int64_t[]){1, 2, 3});
  expect_ints(file, "/bandfem/mesh/groups/side/cells", H5T_NATIVE_INT32, 1, (const int64_t[]){0});
  assert_true(attr_real(file, "/bandfem/mesh/groups/side", "dim") == 2.0);
  assert_true(attr_real(file, "/bandfem/mesh/groups/side", "tag") == 7.0);
  const char *slash = "/bandfem/mesh/groups/tets%2Fand \"hexes\""; /* '/' would be a step of the path */
  expect_attr_text(file, slash, "name", "tets/and \"hexes\"");
  expect_ints(file, "/bandfem/mesh/groups/3:9/cells", H5T_NATIVE_INT32, 1, (const int64_t[]){3});

  expect_attr_text(file, "/bandfem/matrix", "format", "bdia");
  expect_attr_text(file, "/bandfem/matrix", "reorder", "rcm");
  assert_true(attr_real(file, "/bandfem/matrix", "nnz") == 81e9); /* more than int32 */
  assert_true(attr_real(file, "/bandfem/matrix", "half_bandwidth_after") == 40.0);
  assert_true(attr_real(file, "/bandfem/matrix", "fill") == 0.875);
  H5Fclose(file);
  s_clear(&s);
}

static void the_record_holds_solve_values_checks_and_times(void **state)
{
  (void)state;
  sample s;
  s_mixed(&s);
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/record.hdf", 0));
  const hid_t file  = H5Fopen(FOLDER "/record.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  const char *solve = "/bandfem/convergence/solve_1";
  expect_attr_text(file, solve, "method", "cg");
  expect_attr_text(file, solve, "preconditioner", "jacobi");
  expect_attr_text(file, solve, "reason", "converged");
  assert_true(attr_real(file, solve, "converged_to_rounding") == 1.0);
  assert_true(attr_real(file, solve, "backward_error") == 3e-17);
  assert_true(attr_real(file, solve, "estimated_condition") == 4e9);
  assert_true(attr_real(file, solve, "estimated_forward_error") == 1.2e-7);
  expect_ints(file, "/bandfem/convergence/solve_1/iteration", H5T_NATIVE_INT32, 4,
              (const int64_t[]){0, 1, 2, 3});
  expect_reals(file, "/bandfem/convergence/solve_1/residual", 4, 1, s.residual);
  expect_reals(file, "/bandfem/convergence/solve_1/true_residual", 4, 1, s.true_residual);
  expect_reals(file, "/bandfem/convergence/solve_1/seconds", 4, 1, s.seconds);

  expect_reals(file, "/bandfem/probes/tip/displacement", 3, 1, s.probe[0].value);
  expect_reals(file, "/bandfem/probes/tip/von_mises_nodal", 1, 1, s.probe[1].value);
  expect_reals(file, "/bandfem/probes/root/displacement", 3, 1, s.probe[2].value);
  expect_reals(file, "/bandfem/reactions/clamp", 3, 1, s.reaction[0].value);
  expect_reals(file, "/bandfem/reactions/clamp#2", 3, 1, s.reaction[1].value);
  expect_reals(file, "/bandfem/balance/force", 1, 1, &s.r.balance);

  expect_texts(file, "/bandfem/checks/quantity", 2, (const char *const[]){s.check[0].quantity, "gap(3)"});
  expect_texts(file, "/bandfem/checks/note", 2, (const char *const[]){s.check[0].note, ""});
  expect_reals(file, "/bandfem/checks/expected", 2, 1, (const double[]){-1.975e-3, NAN});
  expect_reals(file, "/bandfem/checks/got", 2, 1, (const double[]){-1.97e-3, INFINITY});
  expect_reals(file, "/bandfem/checks/tolerance", 2, 1, (const double[]){0.02, 0.0});
  expect_ints(file, "/bandfem/checks/relative", H5T_NATIVE_INT, 2, (const int64_t[]){1, 0});
  expect_ints(file, "/bandfem/checks/report", H5T_NATIVE_INT, 2, (const int64_t[]){0, 1});
  expect_ints(file, "/bandfem/checks/passed", H5T_NATIVE_INT, 2, (const int64_t[]){1, 0});

  expect_texts(file, "/bandfem/timing/name", 2, (const char *const[]){"read deck", "spmv"});
  expect_ints(file, "/bandfem/timing/calls", H5T_NATIVE_INT64, 2, (const int64_t[]){1, 2});
  expect_reals(file, "/bandfem/timing/seconds_min", 2, 1, (const double[]){0.001, 0.3});
  expect_reals(file, "/bandfem/timing/seconds_max", 2, 1, (const double[]){0.001, 0.5});
  expect_reals(file, "/bandfem/timing/seconds_avg", 2, 1, (const double[]){0.001, 0.4});
  expect_reals(file, "/bandfem/timing/bytes", 2, 1, (const double[]){0, 2e9});
  expect_reals(file, "/bandfem/timing/flops", 2, 1, (const double[]){0, 4e8});
  expect_attr_text(file, "/bandfem/timing", "verdict", "VALID");
  assert_true(attr_real(file, "/bandfem/timing", "device_triad_gb_per_s") == 10.0);
  expect_attr_text(file, "/bandfem/provenance", "version", "0.1.0");
  expect_attr_text(file, "/bandfem/provenance", "argv", "bandfem run \"a deck.yaml\"");
  H5Fclose(file);
  s_clear(&s);
}

static void a_result_with_nothing_but_a_mesh_is_enough_and_long_texts_fit(void **state)
{
  (void)state;
  sample s;
  s_curved(&s, BF_TRI6);
  char *argv = bf_host_alloc(100001, 1); /* attributes hold 64 KiB */
  memset(argv, 'a', 100000);
  const bf_text text = {"argv", argv};
  bf_result     r    = {.mesh = s.mesh, .view = s.view, .provenance = &text, .nprovenance = 1};
  T_OK(bf_write_vtkhdf(&r, FOLDER "/bare.hdf", 0));
  const hid_t file = H5Fopen(FOLDER "/bare.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_attr_text(file, "/bandfem", "status", "NOT CONVERGED: no solution was found");
  expect_texts(file, "/VTKHDF/FieldData/status", 1,
               &(const char *const){"NOT CONVERGED: no solution was found"});
  const hid_t set = open_set(file, "/bandfem/provenance/argv", 1, 1);
  assert_int_equal(H5Dget_storage_size(set), 100000);
  H5Dclose(set);
  assert_true(H5Lexists(file, "/bandfem/mesh/permutation", H5P_DEFAULT) == 0);
  assert_true(H5Lexists(file, "/bandfem/mesh/point_node", H5P_DEFAULT) == 0); /* point i is node i */
  H5Fclose(file);
  T_ERR(BF_E_ARG, bf_write_vtkhdf(&r, FOLDER "/bare.hdf", 10));
  T_ERR(BF_E_ARG, bf_write_vtkhdf(&r, FOLDER "/bare.hdf", -1));
  bf_host_free(argv);
  s_clear(&s);
}

static void points_and_cells_out_of_order_are_told(void **state)
{
  (void)state;
  sample  s;
  int64_t node[4] = {0, 2, 1, 3}, elem[4] = {1, 3, 2, 4};
  s_curved(&s, BF_TET4);
  s.view->node[1] = 2;
  s.view->node[2] = 1;
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/order.hdf", 0));
  hid_t file = H5Fopen(FOLDER "/order.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_ints(file, "/bandfem/mesh/point_node", H5T_NATIVE_INT32, 4, node);
  H5Fclose(file);
  s_clear(&s);
  s_mixed(&s);
  s.view->elem[1] = 3;
  s.view->elem[2] = 2;
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/order.hdf", 0));
  file = H5Fopen(FOLDER "/order.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_ints(file, "/bandfem/mesh/cell_element", H5T_NATIVE_INT32, 4, elem);
  H5Fclose(file);
  s_clear(&s);
}

static void a_run_that_did_not_converge_says_so(void **state)
{
  (void)state;
  sample      s;
  const char *words = "NOT CONVERGED: iteration limit after 3 iterations, relative residual 1.000e-09";
  s_curved(&s, BF_TET10);
  s.r.converged    = 0;
  s.history.reason = "iteration limit";
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/failed.hdf", 0));
  const hid_t file = H5Fopen(FOLDER "/failed.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_attr_text(file, "/bandfem", "status", words);
  assert_true(attr_real(file, "/bandfem", "converged") == 0.0);
  expect_texts(file, "/VTKHDF/FieldData/status", 1, &words);
  H5Fclose(file);
  s_clear(&s);
}

/* HDF5's printing of errors is the caller's again after a call, and nothing stays open in the library. */
static void the_library_is_left_as_it_was_found(void **state)
{
  (void)state;
  sample      s;
  H5E_auto2_t before, after;
  void       *data;
  s_curved(&s, BF_HEX8);
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  const ssize_t open = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
  T_OK(bf_write_vtkhdf(&s.r, FOLDER "/hex8.hdf", 0));
  T_ERR(BF_E_FILE, bf_write_vtkhdf(&s.r, FOLDER "/nowhere/hex8.hdf", 0));
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  assert_true(before == after && after != NULL);
  assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), open);
  s_clear(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_vtk_demands_of_the_group_is_there),
      cmocka_unit_test(a_grid_is_contiguous_or_compressed_and_the_same),
      cmocka_unit_test(the_record_holds_deck_mesh_and_matrix),
      cmocka_unit_test(the_record_holds_solve_values_checks_and_times),
      cmocka_unit_test(a_result_with_nothing_but_a_mesh_is_enough_and_long_texts_fit),
      cmocka_unit_test(points_and_cells_out_of_order_are_told),
      cmocka_unit_test(a_run_that_did_not_converge_says_so),
      cmocka_unit_test(the_library_is_left_as_it_was_found),
  };
  T_OK(bf_make_folder(FOLDER));
  return T_RUN(tests);
}
