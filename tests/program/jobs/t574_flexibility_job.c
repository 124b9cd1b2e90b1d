/* tests/program/jobs/t574_flexibility_job.c - runs with output.flexibility from within: the matrix in
 * case.hdf stores the same values, bit for bit, as flexibility.mtx and the rows of flexibility.csv; one
 * failed allocation is an error with words, no leak, no report */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "inputs/mtx.h"
#include "tests/program/jobs/command.h"
#include <hdf5.h>
#include <omp.h>
#include <sys/stat.h>

#define FOLDER BF_BINARY_DIR "/t574"
#define OUT    FOLDER "/out"

enum { ROWS = 6, SAMPLES = 60 };

static const char deck[] =
    "deck: 1\n"
    "mesh: {generate: {rectangle: {size: [1.0, 0.5], cells: [4, 2], element: quad4}}}\n"
    "physics: elasticity\n"
    "discretization: {space: plane_stress}\n"
    "materials:\n  m: {group: surface, E: 2.0e+5, nu: 0.3}\n"
    "boundary:\n  - {group: x_min, type: fixed}\n"
    "  - {group: x_max, type: traction, value: [0.0, 1.0]}\n"
    "output: {formats: [FORMAT], flexibility: [x_max]}\n"
    "checks:\n  - {quantity: 'flexibility(1, 1)', report: true}\n";

static void write_deck(const char *name, const char *format)
{
  const char *at = strstr(deck, "FORMAT");
  FILE       *f  = fopen(name, "wb");
  assert_non_null(f);
  fprintf(f, "%.*s%s%s", (int)(at - deck), deck, format, at + strlen("FORMAT"));
  assert_int_equal(fclose(f), 0);
}

static int job(const char *name)
{
  char *words[] = {(char *)name, "--quiet", "--out", OUT, "--backend", "cpu"};
  return t_command(FOLDER, bf_cmd_run, 6, words);
}

static void read_set(hid_t file, const char *name, hid_t type, void *to)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  assert_true(set >= 0);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
  H5Dclose(set);
}

static void texts_of(hid_t file, const char *name, char *text[ROWS])
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  read_set(file, name, type, text);
  H5Tclose(type);
}

static void the_hdf_file_has_the_bits_of_the_matrix_file_and_its_rows(void **state)
{
  bf_diags diags = {0};
  bf_mtx  *M     = NULL;
  double   F[ROWS][ROWS], place[ROWS][3];
  int64_t  node[ROWS];
  char    *component[ROWS], *group[ROWS], line[200];
  (void)state;
  write_deck(FOLDER "/hdf.yaml", "vtkhdf");
  assert_int_equal(job(FOLDER "/hdf.yaml"), 0);
  const hid_t file = H5Fopen(OUT "/case.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  read_set(file, "/bandfem/flexibility/matrix", H5T_NATIVE_DOUBLE, F);
  read_set(file, "/bandfem/flexibility/place", H5T_NATIVE_DOUBLE, place);
  read_set(file, "/bandfem/flexibility/node", H5T_NATIVE_INT64, node);
  texts_of(file, "/bandfem/flexibility/component", component);
  texts_of(file, "/bandfem/flexibility/group", group);
  H5Fclose(file);
  T_OK(bf_mtx_read(OUT "/flexibility.mtx", &diags, &M));
  assert_int_equal(M->nrows, ROWS);
  assert_int_equal(M->symmetry, BF_MTX_SYMMETRIC);
  const double *v = M->val;
  for (int j = 0; j < ROWS; j++)
    for (int i = j; i < ROWS; i++, v++) {
      assert_memory_equal(&F[i][j], v, sizeof(double));
      assert_memory_equal(&F[j][i], v, sizeof(double));
    }
  bf_mtx_destroy(&M);
  bf_diags_clear(&diags);
  FILE *f = fopen(OUT "/flexibility.csv", "rb");
  assert_non_null(f);
  assert_non_null(fgets(line, sizeof line, f));
  assert_string_equal(line, "row,node,component,group,x,y,z\n");
  for (int i = 0; i < ROWS; i++) {
    char want[200];
    snprintf(want, sizeof want, "%d,%lld,%s,%s,%.17g,%.17g,%.17g\n", i + 1, (long long)node[i], component[i],
             group[i], place[i][0], place[i][1], place[i][2]);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, want);
    assert_string_equal(component[i], i % 2 ? "y" : "x");
    assert_string_equal(group[i], "x_max");
    T_NEAR(place[i][0], 1.0, 1e-15);
    free(component[i]);
    free(group[i]);
  }
  assert_null(fgets(line, sizeof line, f));
  fclose(f);
}

static void every_failed_allocation_is_an_error(void **state)
{
  const int64_t before = bf_memory_live();
  (void)state;
  write_deck(FOLDER "/vtk.yaml", "vtk");
  bf_memory_fail_at(0);
  assert_int_equal(job(FOLDER "/vtk.yaml"), 0);
  const int64_t calls = bf_memory_calls(), step = calls < SAMPLES ? 1 : calls / SAMPLES;
  for (int64_t k = 1; k <= calls; k += step) {
    remove(OUT "/report.json");
    bf_memory_fail_at(k);
    const int status = job(FOLDER "/vtk.yaml");
    bf_memory_fail_at(0);
    if (bf_memory_live() != before)
      fail_msg("allocation %lld: %lld blocks are left", (long long)k, (long long)(bf_memory_live() - before));
    if (status == BF_EXIT_OK) continue; /* made good: a formula is tried once more */
    if (status != BF_EXIT_DEVICE || !strstr(t_said, "memory"))
      fail_msg("allocation %lld: status %d: '%s'", (long long)k, status, t_said);
    if (access(OUT "/report.json", F_OK) == 0)
      fail_msg("allocation %lld: a report of a run that failed", (long long)k);
  }
  print_message("           %lld allocations\n", (long long)calls);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hdf_file_has_the_bits_of_the_matrix_file_and_its_rows),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  omp_set_num_threads(1); /* the k-th allocation is the same in every run */
  mkdir(FOLDER, 0777);
  return T_RUN(tests);
}
