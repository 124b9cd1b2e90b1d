/* tests/program/jobs/t522_no_memory.c - whole jobs in which one allocation fails: an error, words, no leak,
 * no file left
 *
 * usage: t522_no_memory [every]
 *
 * A formula is tried once more where a thread had no memory for it, and the bandwidth of the machine is left
 * out of the report: then the results are those of a good run.
 * `check` and `run` in this process, the k-th allocation of base/memory.h failing: for every k with the word
 * `every` (label long), else for about SAMPLES of them in each job.  What libraries allocate for themselves
 * (HDF5, muParser, libyaml) is outside of this.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "tests/program/jobs/command.h"
#include <dirent.h>
#include <omp.h>
#include <sys/stat.h>

#define FOLDER BF_BINARY_DIR "/t522"
#define OUT    FOLDER "/out"

enum { SAMPLES = 40, FILES = 7 };

static int every;

static const char *files[FILES] = {
    "case.vtk", "residuals.csv", "deck.resolved.yaml", "view.py",
    "case.hdf", "report.html",   "report.json"}; /* in the order they are written */
static const char *shown = OUT "/case.vtk";      /* the picture that is compared */

static const char elastic[] =
    "deck: 1\n"
    "title: a bar\n"
    "mesh: {generate: {box: {size: [1.0, 0.2, 0.2], cells: [3, 1, 1], element: "
    "hex8}}}\n"
    "physics: elasticity\n"
    "materials:\n  steel: {group: volume, E: '2.1e+11*(1 + x)', nu: 0.3, rho: 7850.0}\n"
    "loads:\n  - {type: gravity, g: [0.0, 0.0, -9.81]}\n"
    "boundary:\n  - {group: x_min, type: fixed}\n"
    "  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}\n"
    "output:\n  probes: {tip: {at: [1.0, 0.1, 0.1], fields: [displacement]}}\n"
    "checks:\n  - {quantity: reaction.x_min.z, report: true}\n"
    "  - {quantity: max(von_mises), report: true}\n";

static const char heat[] = "deck: 1\n"
                           "mesh: {file: plate.msh}\n"
                           "physics: heat\n"
                           "matrix: {values: fp32}\n"
                           "materials:\n  steel: {group: '2:12', k: '50 + x'}\n"
                           "boundary:\n  - {group: bottom, type: temperature, value: 20.0}\n"
                           "  - {group: right side, type: convection, h: 10.0, ambient: 5.0}\n"
                           "solver: {method: bicgstab}\n"
                           "checks:\n  - {quantity: max(temperature), expect: 20.0, rtol: 1.0e-6}\n";

/* No residuals are written: nothing is iterated. */
static const char waves[] =
    "deck: 1\n"
    "mesh: {generate: {rectangle: {size: [1.0, 1.0], cells: [4, 4], element: quad8}}}\n"
    "physics: elasticity\n"
    "discretization: {space: plane_strain}\n"
    "analysis: {type: dispersion, bands: 2, lattice: [[1.0, 0.0], [0.0, 1.0]], samples: 2,\n"
    "  points: {a: [0.1, 0.05], b: [0.2, 0.1]}, path: [a, b]}\n"
    "materials:\n  m: {group: surface, E: 1.0, nu: 0.3, rho: 1.0}\n"
    "boundary:\n  - {type: bloch, pairs: [[x_min, x_max], [y_min, y_max]]}\n"
    "eigensolver: {method: craig_bampton, interior_modes: 30}\n"
    "checks:\n  - {quantity: gap(1), report: true}\n";

/* A series of pictures, and no residuals. */
static const char modal[] =
    "deck: 1\n"
    "mesh: {generate: {rectangle: {size: [2.0, 1.0], cells: [4, 2], element: quad8}}}\n"
    "physics: elasticity\n"
    "discretization: {space: plane_stress}\n"
    "analysis: {type: modal, modes: 3}\n"
    "materials:\n  m: {group: surface, E: '1.0e+6*(1 + x)', nu: 0.3, rho: 1.0}\n"
    "boundary:\n  - {group: x_min, type: fixed}\n"
    "eigensolver: {method: METHOD}\n"
    "checks:\n  - {quantity: sum(mode.effective_mass.x), report: true}\n";

static void put(const char *path, const char *text, size_t n)
{
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static size_t get(const char *path, char *text, size_t room)
{
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  const size_t n = fread(text, 1, room - 1, f);
  fclose(f);
  text[n] = '\0';
  return n;
}

/* Removes what is in the folder of the results; 1 in present[] for files of their own names, the return value
 * counts all others. */
static int clean(int present[FILES])
{
  int            others = 0;
  char           path[600];
  struct dirent *e;
  DIR           *d = opendir(OUT);
  for (int i = 0; i < FILES; i++) present[i] = 0;
  while (d && (e = readdir(d)) != NULL) {
    if (e->d_name[0] == '.') continue;
    int known = strncmp(e->d_name, "case_0", 6) == 0; /* a step of the series, before its index */
    for (int i = 0; i < FILES; i++)
      if (strcmp(e->d_name, files[i]) == 0) known = present[i] = 1;
    others += !known;
    snprintf(path, sizeof path, "%s/%s", OUT, e->d_name);
    remove(path);
  }
  if (d) closedir(d);
  return others;
}

/* The sub-command; its messages on stderr are in t_said[]. */
static int job(const char *command, const char *deck)
{
  char     *words[] = {(char *)deck, "--quiet", "--out", OUT, "--backend", "cpu"};
  const int run     = strcmp(command, "run") == 0;
  return t_command(FOLDER, run ? bf_cmd_run : bf_cmd_check, run ? 6 : 2, words);
}

/* Files appear in the order they are written, the report last: only of a run that ended well. */
static void expect_no_seal(const int present[FILES], int nfiles, int64_t k)
{
  for (int i = 1; i < FILES; i++)
    if (present[i] && !present[i - 1 - (i == 2 && nfiles < FILES)])
      fail_msg("allocation %lld: %s alone", (long long)k, files[i]);
  if (present[FILES - 1]) fail_msg("allocation %lld: a report of a run that failed", (long long)k);
}

static char   picture[1 << 20], again[1 << 20]; /* case.vtk of a good run, and of one that recovered */
static size_t length;

/* The run recovered from the failed allocation: no message, all files are there, the numbers are the same. */
static void expect_recovered(const char *deck, int64_t k, int nfiles)
{
  int present[FILES], count = 0;
  if (t_said[0]) fail_msg("allocation %lld of %s: status 0, yet '%s'", (long long)k, deck, t_said);
  const size_t n = get(shown, again, sizeof again);
  assert_int_equal(clean(present), 0);
  for (int i = 0; i < FILES; i++) count += present[i];
  if (count != nfiles || (nfiles && (n != length || memcmp(again, picture, n) != 0)))
    fail_msg("allocation %lld of %s: status 0, but the results differ", (long long)k, deck);
}

static void sweep(const char *command, const char *deck, int nfiles)
{
  int           present[FILES], count = 0, recovered = 0;
  const int64_t before = bf_memory_live();
  clean(present);
  bf_memory_fail_at(0);
  assert_int_equal(job(command, deck), 0);
  const int64_t calls = bf_memory_calls(), step = every || calls < SAMPLES ? 1 : calls / SAMPLES;
  length = get(shown, picture, sizeof picture);
  assert_int_equal(clean(present), 0);
  for (int i = 0; i < FILES; i++) count += present[i];
  assert_int_equal(count, nfiles);
  assert_string_equal(t_said, "");
  for (int64_t k = 1; k <= calls; k += step) {
    bf_memory_fail_at(k);
    const int     status = job(command, deck);
    const int64_t made   = bf_memory_calls();
    bf_memory_fail_at(0);
    if (bf_memory_live() != before)
      fail_msg("allocation %lld of %s: %lld blocks are left", (long long)k, deck,
               (long long)(bf_memory_live() - before));
    if (status == BF_EXIT_OK) {
      assert_true(made >= k);
      expect_recovered(deck, k, nfiles);
      recovered++;
      continue;
    }
    const int others = clean(present);
    /* "open failed" is all that HDF5 reports */
    const int hdf = status == BF_EXIT_FILE && strstr(t_said, "HDF5: open failed");
    if (!hdf && (status != BF_EXIT_DEVICE || !strstr(t_said, "memory")))
      fail_msg("allocation %lld of %s: status %d: '%s'", (long long)k, deck, status, t_said);
    if (others) fail_msg("allocation %lld of %s: %d temporary files are left", (long long)k, deck, others);
    expect_no_seal(present, nfiles, k);
  }
  assert_int_equal(job(command, deck), 0);
  assert_string_equal(t_said, "");
  assert_int_equal(bf_memory_live(), before);
  assert_in_range(recovered, 0, 5);
  print_message("           %s %s: %lld allocations, %d made good\n", command, deck, (long long)calls,
                recovered);
}

static void check_of_a_generated_mesh_survives_every_failed_allocation(void **state)
{
  (void)state;
  sweep("check", FOLDER "/elastic.yaml", 0);
}

static void run_of_a_generated_mesh_survives_every_failed_allocation(void **state)
{
  (void)state;
  sweep("run", FOLDER "/elastic.yaml", FILES);
}

static void check_of_a_mesh_file_survives_every_failed_allocation(void **state)
{
  (void)state;
  sweep("check", FOLDER "/heat.yaml", 0);
}

static void run_of_a_mesh_file_survives_every_failed_allocation(void **state)
{
  (void)state;
  sweep("run", FOLDER "/heat.yaml", FILES);
}

static void waves_survive_every_failed_allocation(void **state)
{
  (void)state;
  sweep("check", FOLDER "/waves.yaml", 0);
  sweep("run", FOLDER "/waves.yaml", FILES - 1);
}

static void vibrations(const char *method)
{
  char        text[sizeof modal + 16];
  const char *at = strstr(modal, "METHOD");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - modal), modal, method, at + strlen("METHOD"));
  put(FOLDER "/modal.yaml", text, strlen(text));
  files[0] = "case.vtk.series";
  shown    = OUT "/case_0002.vtk";
  sweep("check", FOLDER "/modal.yaml", 0);
  sweep("run", FOLDER "/modal.yaml", FILES - 1);
  files[0] = "case.vtk";
  shown    = OUT "/case.vtk";
}

static void vibrations_survive_every_failed_allocation(void **state)
{
  (void)state;
  vibrations("lobpcg");
  vibrations("shift_invert");
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(check_of_a_generated_mesh_survives_every_failed_allocation),
      cmocka_unit_test(run_of_a_generated_mesh_survives_every_failed_allocation),
      cmocka_unit_test(check_of_a_mesh_file_survives_every_failed_allocation),
      cmocka_unit_test(run_of_a_mesh_file_survives_every_failed_allocation),
      cmocka_unit_test(waves_survive_every_failed_allocation),
      cmocka_unit_test(vibrations_survive_every_failed_allocation),
  };
  static char mesh[1 << 16];
  every = argc > 1 && strcmp(argv[1], "every") == 0;
  omp_set_num_threads(1); /* the k-th allocation is the same in every run */
  mkdir(FOLDER, 0777);
  put(FOLDER "/elastic.yaml", elastic, sizeof elastic - 1);
  put(FOLDER "/heat.yaml", heat, sizeof heat - 1);
  put(FOLDER "/waves.yaml", waves, sizeof waves - 1);
  put(FOLDER "/plate.msh", mesh, get(BF_SOURCE_DIR "/tests/meshes/plate_1_41b.msh", mesh, sizeof mesh));
  return T_RUN(tests);
}
