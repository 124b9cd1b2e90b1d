/* tests/program/jobs/t572_bench_serial.c - the serial program that bandfem bench syinv compares with: its
 * bits for any number of threads, and the difference of two results */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/syinv_serial.h"
#include "kernels/backend.h"
#include "kernels/syinv.h"
#include "tests/no_memory.h"
#include <math.h>
#include <omp.h>

static float *matrix(bf_int n)
{
  const size_t N = (size_t)n;
  uint64_t     s = UINT64_C(88172645463325252) + (uint64_t)n;
  float       *A = bf_host_alloc(N * N, sizeof *A);
  assert_non_null(A);
  for (size_t j = 0; j < N; j++)
    for (size_t i = j; i < N; i++)
      A[j * N + i] = A[i * N + j] = (float)(t_uniform(&s) - 0.5) + (i == j ? (float)n : 0.0F);
  return A;
}

static void the_bits_are_those_of_the_cpu_backend_for_any_number_of_threads(void **state)
{
  const int    asked = omp_get_max_threads();
  bf_backend  *cpu   = NULL;
  bf_syinv_how how   = {.method = BF_SYINV_BORDER};
  (void)state;
  T_OK(bf_backend_create("cpu", NULL, &cpu));
  for (bf_int n = 1; n < 300; n = 2 * n + 1) {
    const size_t    bytes = (size_t)n * (size_t)n * sizeof(float);
    float          *want  = matrix(n);
    size_t          room;
    bf_syinv_report report;
    void           *work;
    T_OK(bf_syinv_work(cpu, &how, BF_S, n, &room));
    work = bf_host_alloc(room, 1);
    assert_non_null(work);
    T_OK(bf_syinv(cpu, &how, BF_S, n, n, want, work, &report));
    for (int threads = 1; threads <= 3; threads++) {
      float *got = matrix(n);
      omp_set_num_threads(threads);
      T_OK(bf_bench_serial_border(n, got));
      omp_set_num_threads(asked);
      assert_memory_equal(got, want, bytes);
      bf_host_free(got);
    }
    bf_host_free(work);
    bf_host_free(want);
  }
  bf_backend_destroy(&cpu);
}

static void the_difference_is_the_root_mean_square(void **state)
{
  const float x[4] = {1.0F, 2.0F, 3.0F, 4.0F}, y[4] = {1.0F, 2.0F, 0.0F, 0.0F};
  double      relative;
  (void)state;
  T_NEAR(bf_bench_difference(4, x, y, &relative), 2.5, 1e-15);
  T_NEAR(relative, sqrt(5.0), 1e-15);
  assert_true(bf_bench_difference(4, x, x, &relative) == 0.0);
}

static void a_failed_allocation_is_an_error(void **state)
{
  t_no_memory t = {0};
  (void)state;
  while (t_no_memory_next(&t)) {
    float *A = matrix(5);
    t_no_memory_begin(&t);
    t_no_memory_end(&t, bf_bench_serial_border(5, A));
    bf_host_free(A);
  }
  assert_int_equal(t.failed, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bits_are_those_of_the_cpu_backend_for_any_number_of_threads),
      cmocka_unit_test(the_difference_is_the_root_mean_square),
      cmocka_unit_test(a_failed_allocation_is_an_error),
  };
  return T_RUN(tests);
}
