/* tests/outputs/t273_atomic.c - every writer leaves a whole file or the old one, and reports the error of the
 * system */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "tests/outputs/samples.h"
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER BF_BINARY_DIR "/t273"

static bf_err write_hdf(const bf_result *r, const char *path)
{
  return bf_write_vtkhdf(r, path, 0);
}
static bf_err write_compressed(const bf_result *r, const char *path)
{
  return bf_write_vtkhdf(r, path, 9);
}

static const struct {
  const char *name;
  bf_err (*write)(const bf_result *r, const char *path);
} writer[] = {{"vtk", bf_write_vtk},
              {"hdf", write_hdf},
              {"compressed hdf", write_compressed},
              {"report", bf_write_report},
              {"residuals", bf_write_residuals}};
enum { WRITERS = sizeof writer / sizeof *writer };

/* A mesh whose arrays are larger than the buffers of the writers and of HDF5. */
static void large_sample(sample *s)
{
  const bf_int cells[3] = {14, 14, 14};
  *s                    = (sample){0};
  T_OK(bf_mesh_box((const double[]){1, 1, 1}, cells, BF_HEX20, &s->mesh));
  T_OK(s_finish(s, NULL));
}

/* Temporary files in the folder; they are removed, so that one failure is not many. */
static int leftovers(void)
{
  glob_t    g;
  const int found = glob(FOLDER "/*.part", 0, NULL, &g) == 0 ? (int)g.gl_pathc : 0;
  for (int k = 0; k < found; k++) remove(g.gl_pathv[k]);
  globfree(&g);
  return found;
}

static void put_file(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void expect_file(const char *path, const char *text)
{
  char *got = s_read(path, NULL);
  assert_non_null(got);
  assert_string_equal(got, text);
  bf_host_free(got);
}

static void a_full_disk_keeps_the_old_file(void **state)
{
  (void)state;
  const char *path = FOLDER "/full";
  sample      s;
  large_sample(&s);
  signal(SIGXFSZ, SIG_IGN); /* past the limit write() answers EFBIG */
  for (int w = 0; w < WRITERS; w++) {
    size_t size;
    T_OK(writer[w].write(&s.r, path));
    bf_host_free(s_read(path, &size));
    for (int part = 0; part <= 8; part++) {
      struct rlimit old, limit;
      put_file(path, "old");
      assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
      limit          = old;
      limit.rlim_cur = part < 8 ? (rlim_t)part * size / 8 : size - 1;
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
      const bf_err err = writer[w].write(&s.r, path);
      assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
      if (err != BF_E_FILE)
        fail_msg("%s within %d/8 of its size: %s", writer[w].name, part, bf_err_name(err));
      assert_string_equal(bf_err_message(), "cannot write '" FOLDER "/full': File too large");
      expect_file(path, "old");
      assert_int_equal(leftovers(), 0);
    }
    T_OK(writer[w].write(&s.r, path)); /* and afterwards all is well again */
  }
  s_clear(&s);
}

static void an_unwritable_folder_is_an_error_in_the_systems_words(void **state)
{
  (void)state;
  const char *folder = FOLDER "/locked", *path = FOLDER "/locked/case";
  sample      s;
  const int   root = geteuid() == 0;
  s_curved(&s, BF_HEX8);
  chmod(folder, 0755);
  T_OK(bf_make_folder(folder));
  put_file(path, "old");
  for (int w = 0; w < WRITERS; w++) {
    assert_int_equal(chmod(folder, 0555), 0);
    if (root) assert_int_equal(seteuid(65534), 0);
    const bf_err err = writer[w].write(&s.r, path);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(err, BF_E_FILE);
    assert_string_equal(bf_err_message(), "cannot write '" FOLDER "/locked/case': Permission denied");
    expect_file(path, "old");
  }
  s_clear(&s);
}

static void a_missing_folder_a_folder_and_a_device_are_refused(void **state)
{
  (void)state;
  sample      s;
  struct stat st;
  s_curved(&s, BF_HEX8);
  for (int w = 0; w < WRITERS; w++) {
    T_ERR(BF_E_FILE, writer[w].write(&s.r, FOLDER "/nowhere/case"));
    T_CONTAINS(bf_err_message(), "cannot write '" FOLDER "/nowhere/case': No such file or directory");
    T_ERR(BF_E_FILE, writer[w].write(&s.r, FOLDER));
    T_CONTAINS(bf_err_message(), "it is a folder");
    T_ERR(BF_E_FILE, writer[w].write(&s.r, "/dev/full"));
    T_CONTAINS(bf_err_message(), "cannot write '/dev/full': it is not a regular file");
    T_ERR(BF_E_ARG, writer[w].write(&s.r, ""));
    T_ERR(BF_E_ARG, writer[w].write(&s.r, NULL));
    T_ERR(BF_E_ARG, writer[w].write(NULL, FOLDER "/case"));
  }
  assert_int_equal(stat("/dev/full", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  s_clear(&s);
}

static void a_new_file_has_the_rights_of_the_user(void **state)
{
  (void)state;
  struct stat  st;
  bf_result    r    = {.converged = 1};
  const mode_t mask = umask(027);
  T_OK(bf_write_report(&r, FOLDER "/rights.json"));
  umask(mask);
  assert_int_equal(stat(FOLDER "/rights.json", &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
  remove(FOLDER "/rights.json");
}

static void a_failed_allocation_leaves_nothing(void **state)
{
  (void)state;
  const char *path = FOLDER "/memory";
  sample      s;
  s_mixed(&s);
  const int64_t before = bf_memory_live();
  for (int w = 0; w < WRITERS; w++) {
    int failed = 0;
    put_file(path, "old");
    for (int64_t k = 1; k < 1000; k++) {
      bf_memory_fail_at(k);
      const bf_err err = writer[w].write(&s.r, path);
      bf_memory_fail_at(0);
      assert_int_equal(bf_memory_live(), before);
      assert_int_equal(leftovers(), 0);
      if (err == BF_OK) break;
      if (err != BF_E_MEMORY && err != BF_E_FILE) fail_msg("%s", bf_err_trace());
      expect_file(path, "old");
      failed++;
    }
    assert_in_range(failed, 3, 100); /* name, temporary name, buffer, ... */
  }
  s_clear(&s);
}

static void folders_are_made_with_all_above(void **state)
{
  (void)state;
  struct stat st;
  rmdir(FOLDER "/a/b/c");
  rmdir(FOLDER "/a/b");
  rmdir(FOLDER "/a");
  T_OK(bf_make_folder(FOLDER "/a/b//c/"));
  assert_int_equal(stat(FOLDER "/a/b/c", &st), 0);
  assert_true(S_ISDIR(st.st_mode));
  T_OK(bf_make_folder(FOLDER "/a/b/c"));
  T_OK(bf_make_folder("/"));
  put_file(FOLDER "/file", "old");
  T_ERR(BF_E_FILE, bf_make_folder(FOLDER "/file"));
  T_CONTAINS(bf_err_message(), "cannot create folder '" FOLDER "/file': a file has this name");
  T_ERR(BF_E_FILE, bf_make_folder(FOLDER "/file/below"));
  T_ERR(BF_E_FILE, bf_make_folder("/proc/bandfem/out"));
  T_CONTAINS(bf_err_message(), "cannot create folder '/proc/bandfem'");
  T_ERR(BF_E_ARG, bf_make_folder(""));
}

static void pieces_small_and_large_come_in_order(void **state)
{
  (void)state;
  enum { LARGE = 3 << 20 };
  bf_atomic_file *f     = NULL;
  char           *large = bf_host_alloc(LARGE, 1);
  size_t          n;
  for (int i = 0; i < LARGE; i++) large[i] = (char)(i % 251);
  T_OK(bf_atomic_file_create(FOLDER "/pieces", &f));
  for (int i = 0; i < 300000; i++) bf_atomic_file_print(f, "%06d\n", i);
  bf_atomic_file_write(f, large, LARGE);
  bf_atomic_file_write(f, "end", 3);
  T_OK(bf_atomic_file_status(f));
  T_OK(bf_atomic_file_commit(f));
  bf_atomic_file_destroy(&f);
  char *text = s_read(FOLDER "/pieces", &n);
  assert_int_equal(n, 7 * 300000 + LARGE + 3);
  for (int i = 0; i < 300000; i++) assert_int_equal(strtol(text + 7 * i, NULL, 10), i);
  assert_memory_equal(text + 7 * 300000, large, LARGE);
  assert_string_equal(text + 7 * 300000 + LARGE, "end");
  bf_host_free(text);
  bf_host_free(large);
  remove(FOLDER "/pieces");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_full_disk_keeps_the_old_file),
      cmocka_unit_test(an_unwritable_folder_is_an_error_in_the_systems_words),
      cmocka_unit_test(a_missing_folder_a_folder_and_a_device_are_refused),
      cmocka_unit_test(a_new_file_has_the_rights_of_the_user),
      cmocka_unit_test(a_failed_allocation_leaves_nothing),
      cmocka_unit_test(folders_are_made_with_all_above),
      cmocka_unit_test(pieces_small_and_large_come_in_order),
  };
  T_OK(bf_make_folder(FOLDER));
  (void)leftovers(); /* of an earlier run that was killed */
  return T_RUN(tests);
}
