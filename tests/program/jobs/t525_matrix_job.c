/* tests/program/jobs/t525_matrix_job.c - bandfem solve and info from within: the table of formats is that of
 * the matrices made, and one failed allocation is an error with words, no leak, no file left */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
#include "tests/program/jobs/command.h"
#include <fcntl.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER BF_BINARY_DIR "/t525"

/* A five-point matrix with an unsymmetric part and some entries far from the diagonal, m x m nodes. */
static void write_matrix(const char *path, int m, double skew)
{
  FILE     *f     = fopen(path, "wb");
  const int n     = m * m;
  int       count = 0;
  assert_non_null(f);
  for (int put = 0; put < 2; put++) {
    if (put) fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, count);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int    near = j == i + m || j == i - m || (j == i + 1 && j % m) || (j == i - 1 && i % m);
        const int    far  = (i + j == n - 1 && i % 7 == 0) || (i + j == n - 1 && j % 7 == 0);
        const double v    = i == j ? 5.0 : near ? -1.0 + (j > i ? skew : -skew) : -0.25;
        if (i != j && !near && !far) continue;
        count += !put;
        if (put) fprintf(f, "%d %d %g\n", i + 1, j + 1, v);
      }
  }
  assert_int_equal(fclose(f), 0);
}

static void open_job(bf_mtx_job *job, const char *path, bf_prec prec)
{
  *job = (bf_mtx_job){.opt = {.path       = path,
                              .components = 1,
                              .backend    = "cpu",
                              .method     = BF_MTX_AUTO,
                              .format     = BF_MTX_AUTO,
                              .storage    = BF_MTX_AUTO,
                              .order      = BF_MTX_AUTO,
                              .prec       = (int)prec}};
  T_OK(bf_mtx_open(job));
  T_OK(bf_mtx_plan(job));
}

static void the_table_of_formats_is_that_of_the_matrices_made(void **state)
{
  (void)state;
  bf_backend *be = NULL;
  T_OK(bf_backend_create("cpu", NULL, &be));
  for (int what = 0; what < 4; what++) {
    bf_mtx_job job;
    int        made = 0, halves = 0;
    open_job(&job, what % 2 ? FOLDER "/skewed.mtx" : FOLDER "/even.mtx", what / 2 ? BF_FP32 : BF_FP64);
    for (int i = 0; i < job.candidates.count; i++) {
      const bf_candidate  *c    = &job.candidates.item[i];
      const bf_sparse     *S    = job.numbering[c->layout].S;
      const bf_matrix_form wide = {c->format, c->half, BF_FP64, 1};
      bf_matrix           *A = NULL, *F = NULL;
      if (c->why_not) {
        assert_true(c->half && what % 2);
        T_ERR(BF_E_ARG, bf_matrix_from_sparse(be, S, &wide, &A));
        continue;
      }
      T_OK(bf_matrix_from_sparse(be, S, &wide, &A));
      T_OK(bf_matrix_to_fp32(A, &F));
      assert_int_equal(c->bytes, bf_matrix_bytes(A) + (what / 2 ? bf_matrix_bytes(F) : 0));
      assert_int_equal(c->product, bf_matrix_product_bytes(what / 2 ? F : A));
      made++;
      halves += c->half;
      bf_matrix_destroy(&A);
      bf_matrix_destroy(&F);
    }
    assert_int_equal(made, what % 2 ? 11 : 15);
    assert_int_equal(halves, what % 2 ? 0 : 4);
    bf_mtx_close(&job);
  }
  bf_backend_destroy(&be);
}

/* Of the formats that auto takes; the others are there to compare. */
static void what_is_chosen_is_expected_to_be_the_fastest(void **state)
{
  (void)state;
  bf_mtx_job job;
  open_job(&job, FOLDER "/even.mtx", BF_FP64);
  assert_false(job.rates.on_device);
  for (int i = 0; i < job.candidates.count; i++) {
    const bf_candidate *c = &job.candidates.item[i];
    if (c->why_not) continue;
    assert_true(c->seconds > 0.0);
    if (c->format == BF_FORMAT_BDIA || c->format == BF_FORMAT_HYBRID || c->format == BF_FORMAT_CSR ||
        c->format == BF_FORMAT_CSR16)
      assert_true(job.candidates.item[job.chosen].seconds <= c->seconds);
  }
  bf_mtx_close(&job);
}

/* For every k: the k-th allocation fails. */
static void sweep(int (*run)(int, char **), int argc, char **argv)
{
  const int64_t before = bf_memory_live();
  bf_memory_fail_at(0);
  assert_int_equal(t_command(FOLDER, run, argc, argv), BF_EXIT_OK);
  const int64_t calls = bf_memory_calls();
  assert_int_equal(bf_memory_live(), before);
  assert_string_equal(t_said, "");
  for (int64_t k = 1; k <= calls; k++) {
    remove(FOLDER "/x.mtx");
    bf_memory_fail_at(k);
    const int status = t_command(FOLDER, run, argc, argv);
    bf_memory_fail_at(0);
    if (bf_memory_live() != before)
      fail_msg("allocation %lld: %lld blocks are left", (long long)k, (long long)(bf_memory_live() - before));
    if (status != BF_EXIT_DEVICE || !strstr(t_said, "memory"))
      fail_msg("allocation %lld: status %d, '%s'", (long long)k, status, t_said);
    assert_int_equal(access(FOLDER "/x.mtx", F_OK), -1);
  }
  print_message("           %lld allocations\n", (long long)calls);
}

static void solve_survives_every_failed_allocation(void **state)
{
  (void)state;
  char *words[] = {FOLDER "/skewed.mtx", "--out", FOLDER "/x.mtx", "--backend", "cpu"};
  char *more[]  = {FOLDER "/even.mtx", "--out",  FOLDER "/x.mtx", "--backend",    "cpu",
                   "--method",         "direct", "--rhs",         FOLDER "/b.mtx"};
  sweep(bf_cmd_solve, 5, words);
  sweep(bf_cmd_solve, 9, more);
}

static void info_survives_every_failed_allocation(void **state)
{
  (void)state;
  char *words[] = {FOLDER "/even.mtx"};
  sweep(bf_cmd_info, 1, words);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_of_formats_is_that_of_the_matrices_made),
      cmocka_unit_test(what_is_chosen_is_expected_to_be_the_fastest),
      cmocka_unit_test(solve_survives_every_failed_allocation),
      cmocka_unit_test(info_survives_every_failed_allocation),
  };
  omp_set_num_threads(1); /* the k-th allocation is the same in every run */
  mkdir(FOLDER, 0777);
  write_matrix(FOLDER "/even.mtx", 6, 0.0);
  write_matrix(FOLDER "/skewed.mtx", 6, 0.3);
  FILE *f = fopen(FOLDER "/b.mtx", "wb");
  assert_non_null(f);
  fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n36 1 1\n7 1 2.5\n");
  assert_int_equal(fclose(f), 0);
  return T_RUN(tests);
}
