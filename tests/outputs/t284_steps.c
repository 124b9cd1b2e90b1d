/* tests/outputs/t284_steps.c - results with steps: a series of legacy files, VTKHDF with Steps, the record of
 * modes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/record.h"
#include "tests/outputs/samples.h"

#define FOLDER BF_BINARY_DIR "/samples_steps"

enum { STEPS = 3 };

typedef struct stepped {
  sample  s;
  double *by_step; /* owned: displacement of all steps, values of step k are the sample's plus 1000 k */
  double  at[STEPS], frequency[STEPS];
  bf_step_number  number;
  bf_steps        steps;
  bf_modes_record modes;
  double          residual[STEPS], orthogonality[STEPS], participation[2 * STEPS], mass[2 * STEPS];
} stepped;

static void open_steps(stepped *t)
{
  *t = (stepped){0};
  s_mixed(&t->s);
  const size_t n = 3 * (size_t)t->s.view->npoints;
  T_OK(BF_NEW_ARRAY(t->by_step, STEPS * n));
  for (int k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < n; i++) t->by_step[(size_t)k * n + i] = t->s.value[0][i] + 1000.0 * k;
    t->at[k]                = k + 1;
    t->frequency[k]         = 10.5 * (k + 1);
    t->residual[k]          = 1e-9 * (k + 1);
    t->orthogonality[k]     = 1e-14 * (k + 1);
    t->participation[2 * k] = t->participation[2 * k + 1] = 0.5 * k;
    t->mass[2 * k]                                        = 0.25 * k * k;
    t->mass[2 * k + 1]                                    = 0.125 * k;
  }
  t->s.field[0].data    = t->by_step;
  t->s.field[0].by_step = 1;
  t->number             = (bf_step_number){"frequency_hz", t->frequency};
  t->steps              = (bf_steps){STEPS, t->at, 1, &t->number};
  t->modes              = (bf_modes_record){.n              = STEPS,
                                            .preconditioner = "jacobi",
                                            .naxes          = 2,
                                            .axis           = {"x", "y"},
                                            .method         = "lobpcg",
                                            .mass           = "consistent",
                                            .normalization  = "mass",
                                            .iterations     = 12,
                                            .rigid          = 1,
                                            .frequency_hz   = t->frequency,
                                            .residual       = t->residual,
                                            .orthogonality  = t->orthogonality,
                                            .participation  = t->participation,
                                            .effective_mass = t->mass,
                                            .total_mass     = {2.0, 1.0},
                                            .mass_unit      = "kg"};
  t->s.r.steps          = &t->steps;
  t->s.r.modes          = &t->modes;
}

static void close_steps(stepped *t)
{
  bf_host_free(t->by_step);
  s_clear(&t->s);
}

static void a_series_is_a_file_for_each_step_and_an_index_that_names_them(void **state)
{
  (void)state;
  stepped t;
  open_steps(&t);
  T_OK(bf_make_folder(FOLDER));
  T_OK(bf_write_vtk_series(&t.s.r, FOLDER "/case.vtk.series"));
  char *index = s_read(FOLDER "/case.vtk.series", NULL);
  T_CONTAINS(index, "\"file-series-version\": \"1.0\"");
  T_CONTAINS(index, "\"name\": \"case_0000.vtk\"");
  T_CONTAINS(index, "\"name\": \"case_0002.vtk\"");
  T_CONTAINS(index, "\"time\": 3");
  assert_null(strstr(index, "case_0003.vtk"));
  bf_host_free(index);
  for (int k = 0; k < STEPS; k++) {
    char   path[4096];
    size_t length;
    snprintf(path, sizeof path, FOLDER "/case_%04d.vtk", k);
    char *text = s_read(path, &length);
    assert_non_null(text);
    bf_host_free(text);
  }
  close_steps(&t);
}

/* Where the mesh begins. */
static size_t points_at(const char *text, size_t n)
{
  static const char word[] = "\nPOINTS ";
  for (size_t i = 0; i + sizeof word <= n; i++)
    if (memcmp(text + i, word, sizeof word - 1) == 0) return i;
  fail_msg("no POINTS");
  return 0;
}

static void a_step_of_a_series_is_the_steady_file_with_its_values_and_numbers(void **state)
{
  (void)state;
  stepped t;
  size_t  n[2];
  open_steps(&t);
  T_OK(bf_make_folder(FOLDER));
  T_OK(bf_write_vtk_series(&t.s.r, FOLDER "/case.vtk.series"));
  bf_result r          = t.s.r;
  r.steps              = NULL;
  t.s.field[0].by_step = 0;
  t.s.field[0].data    = t.by_step + 3 * (size_t)t.s.view->npoints; /* step 1 */
  T_OK(bf_write_vtk(&r, FOLDER "/steady.vtk"));
  char        *steady = s_read(FOLDER "/steady.vtk", &n[0]), *step = s_read(FOLDER "/case_0001.vtk", &n[1]);
  const size_t head = strlen("frequency_hz 1 1 double\n") + sizeof(double) + 1;
  assert_int_equal(n[0] + head, n[1]);
  const size_t at = points_at(steady, n[0]);
  assert_int_equal(at + head, points_at(step, n[1]));
  assert_memory_equal(steady + at, step + at + head, n[0] - at);
  bf_host_free(steady);
  bf_host_free(step);
  close_steps(&t);
}

static void what_does_not_fit_together_is_refused(void **state)
{
  (void)state;
  stepped t;
  open_steps(&t);
  T_OK(bf_make_folder(FOLDER));
  T_ERR(BF_E_ARG, bf_write_vtk(&t.s.r, FOLDER "/bad.vtk"));        /* a file is not a series */
  T_ERR(BF_E_ARG, bf_write_vtk_series(&t.s.r, FOLDER "/bad.vtk")); /* nor the name of one */
  T_ERR(BF_E_ARG, bf_write_vtk_series(&t.s.r, ".vtk.series"));
  T_ERR(BF_E_FILE, bf_write_vtk_series(&t.s.r, FOLDER "/nowhere/case.vtk.series"));
  t.steps.n = 0;
  T_ERR(BF_E_ARG, bf_write_vtkhdf(&t.s.r, FOLDER "/bad.hdf", 0));
  t.steps.n   = STEPS;
  t.s.r.steps = NULL; /* a field by step without steps */
  T_ERR(BF_E_ARG, bf_write_vtkhdf(&t.s.r, FOLDER "/bad.hdf", 0));
  T_ERR(BF_E_ARG, bf_write_vtk_series(&t.s.r, FOLDER "/bad.vtk.series"));
  close_steps(&t);
}

static void expect_doubles(hid_t file, const char *path, hsize_t count, const double *expected)
{
  double      got[4 * STEPS + 1000];
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0) fail_msg("no data set %s", path);
  const hid_t space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  for (hsize_t i = 0; i < count; i++)
    if (got[i] != expected[i]) fail_msg("%s[%d] is %g instead of %g", path, (int)i, got[i], expected[i]);
  H5Sclose(space);
  H5Dclose(set);
}

/* The mesh once; every array of PointData, CellData and FieldData has its offsets. */
static void steps_say_where_each_array_begins(void **state)
{
  (void)state;
  stepped t;
  open_steps(&t);
  T_OK(bf_make_folder(FOLDER));
  T_OK(bf_write_vtkhdf(&t.s.r, FOLDER "/steps.hdf", 0));
  T_OK(bf_write_vtkhdf(&t.s.r, FOLDER "/packed.hdf", 4));
  const hid_t  file = H5Fopen(FOLDER "/steps.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  const double np = t.s.view->npoints, zero[2 * STEPS] = {0}, one[2 * STEPS] = {1, 1, 1, 1, 1, 1};
  expect_doubles(file, "/VTKHDF/Steps/Values", STEPS, t.at);
  expect_doubles(file, "/VTKHDF/Steps/NumberOfParts", STEPS, one);
  const char *mesh[] = {"PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"};
  char        path[256];
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "/VTKHDF/Steps/%s", mesh[i]);
    expect_doubles(file, path, STEPS, zero);
  }
  expect_doubles(file, "/VTKHDF/Steps/PointDataOffsets/displacement", STEPS, (const double[]){0, np, 2 * np});
  expect_doubles(file, "/VTKHDF/Steps/PointDataOffsets/temperature", STEPS, zero);
  expect_doubles(file, "/VTKHDF/Steps/CellDataOffsets/material_id", STEPS, zero);
  expect_doubles(file, "/VTKHDF/Steps/FieldDataOffsets/frequency_hz", STEPS, (const double[]){0, 1, 2});
  expect_doubles(file, "/VTKHDF/Steps/FieldDataOffsets/TimeValue", STEPS, (const double[]){0, 1, 2});
  expect_doubles(file, "/VTKHDF/Steps/FieldDataOffsets/status", STEPS, zero);
  expect_doubles(file, "/VTKHDF/Steps/FieldDataSizes/unit_stress", (hsize_t)2 * STEPS, one);
  expect_doubles(file, "/VTKHDF/FieldData/frequency_hz", STEPS, t.frequency);
  expect_doubles(file, "/VTKHDF/PointData/displacement", STEPS * 3 * (hsize_t)t.s.view->npoints, t.by_step);
  static const char *const data[][2] = {{"/VTKHDF/PointData", "/VTKHDF/Steps/PointDataOffsets"},
                                        {"/VTKHDF/CellData", "/VTKHDF/Steps/CellDataOffsets"},
                                        {"/VTKHDF/FieldData", "/VTKHDF/Steps/FieldDataOffsets"}};
  for (int i = 0; i < 3; i++) {
    H5G_info_t  arrays, offsets;
    const hid_t a = H5Gopen2(file, data[i][0], H5P_DEFAULT), b = H5Gopen2(file, data[i][1], H5P_DEFAULT);
    assert_true(H5Gget_info(a, &arrays) >= 0 && H5Gget_info(b, &offsets) >= 0);
    assert_int_equal(arrays.nlinks, offsets.nlinks);
    H5Gclose(a);
    H5Gclose(b);
  }
  H5Fclose(file);
  close_steps(&t);
}

static void the_record_and_the_report_hold_the_modes(void **state)
{
  (void)state;
  stepped t;
  open_steps(&t);
  T_OK(bf_make_folder(FOLDER));
  T_OK(bf_write_vtkhdf(&t.s.r, FOLDER "/modes.hdf", 0));
  const hid_t file = H5Fopen(FOLDER "/modes.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_doubles(file, "/bandfem/modes/frequency_hz", STEPS, t.frequency);
  expect_doubles(file, "/bandfem/modes/residual", STEPS, t.residual);
  expect_doubles(file, "/bandfem/modes/orthogonality", STEPS, t.orthogonality);
  expect_doubles(file, "/bandfem/modes/participation", (hsize_t)2 * STEPS, t.participation);
  expect_doubles(file, "/bandfem/modes/effective_mass", (hsize_t)2 * STEPS, t.mass);
  H5Fclose(file);
  T_OK(bf_write_report(&t.s.r, FOLDER "/report.json"));
  char *text = s_read(FOLDER "/report.json", NULL);
  T_CONTAINS(text, "\"frequency_hz\": [10.5, 21, 31.5]");
  T_CONTAINS(text, "\"total_mass\": [2, 1]");
  T_CONTAINS(text, "\"rigid\": 1");
  bf_host_free(text);
  close_steps(&t);
}

typedef struct lines {
  char text[8000];
} lines;

static void keep(void *context, const char *text)
{
  lines *l = context;
  strncat(l->text, text, sizeof l->text - strlen(l->text) - 2);
  strcat(l->text, "\n");
}

static void the_table_has_a_line_for_each_mode_and_the_sum_of_their_masses(void **state)
{
  (void)state;
  stepped t;
  lines   l = {""};
  open_steps(&t);
  bf_table_print(&t.s.r, keep, &l);
  T_CONTAINS(l.text, "mode               frequency Hz   residual  orthogonality     mass x     mass y\n");
  T_CONTAINS(l.text, "  21    2.0e-09        2.0e-14    12.50 %    12.50 %\n");
  T_CONTAINS(l.text, "62.50 %    37.50 %\n"); /* (0 + 1/4 + 1)/2 and (0 + 1/8 + 1/4)/1 */
  close_steps(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_series_is_a_file_for_each_step_and_an_index_that_names_them),
      cmocka_unit_test(a_step_of_a_series_is_the_steady_file_with_its_values_and_numbers),
      cmocka_unit_test(what_does_not_fit_together_is_refused),
      cmocka_unit_test(steps_say_where_each_array_begins),
      cmocka_unit_test(the_record_and_the_report_hold_the_modes),
      cmocka_unit_test(the_table_has_a_line_for_each_mode_and_the_sum_of_their_masses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
