/* tests/program/jobs/t571_inverse_job.c - bandfem inverse and solve --method inverse from within: one failed
 * allocation is an error with words, no leak, no file left */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "tests/program/jobs/command.h"
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER BF_BINARY_DIR "/t571"

static void remove_results(void)
{
  remove(FOLDER "/x.mtx");
  remove(FOLDER "/x.json");
}

/* For every k: the k-th allocation fails. */
static void sweep(int (*run)(int, char **), int argc, char **argv)
{
  const int64_t before = bf_memory_live();
  remove_results();
  bf_memory_fail_at(0);
  assert_int_equal(t_command(FOLDER, run, argc, argv), BF_EXIT_OK);
  const int64_t calls = bf_memory_calls();
  assert_int_equal(bf_memory_live(), before);
  assert_string_equal(t_said, "");
  assert_int_equal(access(FOLDER "/x.mtx", F_OK), 0);
  assert_int_equal(access(FOLDER "/x.json", F_OK), 0);
  for (int64_t k = 1; k <= calls; k++) {
    remove_results();
    bf_memory_fail_at(k);
    const int status = t_command(FOLDER, run, argc, argv);
    bf_memory_fail_at(0);
    if (bf_memory_live() != before)
      fail_msg("allocation %lld: %lld blocks are left", (long long)k, (long long)(bf_memory_live() - before));
    if (status != BF_EXIT_DEVICE || !strstr(t_said, "memory"))
      fail_msg("allocation %lld: status %d, '%s'", (long long)k, status, t_said);
    assert_int_equal(access(FOLDER "/x.json", F_OK), -1); /* the last file */
  }
  print_message("           %lld allocations\n", (long long)calls);
}

static void inverse_survives_every_failed_allocation(void **state)
{
  (void)state;
  char *words[] = {FOLDER "/a.mtx", "--out", FOLDER "/x.mtx", "--json", FOLDER "/x.json",
                   "--backend",     "cpu",   "--precision",   "fp64"};
  sweep(bf_cmd_inverse, 9, words);
  words[8] = "fp32";
  sweep(bf_cmd_inverse, 9, words);
}

static void solve_survives_every_failed_allocation(void **state)
{
  (void)state;
  char *words[] = {FOLDER "/a.mtx", "--out", FOLDER "/x.mtx", "--json", FOLDER "/x.json",
                   "--backend",     "cpu",   "--method",      "inverse"};
  sweep(bf_cmd_solve, 9, words);
}

static void an_unsymmetric_matrix_survives_every_failed_allocation(void **state)
{
  (void)state;
  char         *words[] = {FOLDER "/u.mtx", "--backend", "cpu"};
  const int64_t before  = bf_memory_live();
  bf_memory_fail_at(0);
  assert_int_equal(t_command(FOLDER, bf_cmd_inverse, 3, words), BF_EXIT_MODEL);
  const int64_t calls = bf_memory_calls();
  for (int64_t k = 1; k <= calls; k++) {
    bf_memory_fail_at(k);
    const int status = t_command(FOLDER, bf_cmd_inverse, 3, words);
    bf_memory_fail_at(0);
    assert_int_equal(bf_memory_live(), before);
    assert_true(t_said[0] != '\0' && (status == BF_EXIT_DEVICE || status == BF_EXIT_MODEL));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_survives_every_failed_allocation),
      cmocka_unit_test(solve_survives_every_failed_allocation),
      cmocka_unit_test(an_unsymmetric_matrix_survives_every_failed_allocation),
  };
  omp_set_num_threads(1); /* the k-th allocation is the same in every run */
  mkdir(FOLDER, 0777);
  FILE *f = fopen(FOLDER "/a.mtx", "wb");
  assert_non_null(f);
  fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n20 20 39\n");
  for (int i = 1; i <= 20; i++) fprintf(f, "%d %d 4\n", i, i);
  for (int i = 2; i <= 20; i++) fprintf(f, "%d %d -1\n", i, i - 1);
  assert_int_equal(fclose(f), 0);
  f = fopen(FOLDER "/u.mtx", "wb");
  assert_non_null(f);
  fprintf(f, "%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
  assert_int_equal(fclose(f), 0);
  return T_RUN(tests);
}
