/* tests/t343_stream.c - the loops under the CPU's bDIA product: every instruction set gives the same bits,
 * those of a plain loop
 */
#include "kernels/stream.h"
#include "tests/test.h"

enum { N = 203, RUNS = 7, SHIFT = 5 };

typedef struct data {
  double v[RUNS * BF_FAN][N], x[RUNS][N + 8], y[BF_FAN][N];
  float  f[RUNS * BF_FAN][N];
} data;

static data *made(void)
{
  data    *d    = calloc(1, sizeof *d);
  uint64_t seed = 12;
  assert_non_null(d);
  for (int k = 0; k < RUNS * BF_FAN; k++)
    for (int i = 0; i < N; i++) d->v[k][i] = d->f[k][i] = (float)(t_uniform(&seed) - 0.5);
  for (int k = 0; k < RUNS; k++)
    for (int i = 0; i < N + 8; i++) d->x[k][i] = t_uniform(&seed) - 0.5;
  for (int a = 0; a < BF_FAN; a++)
    for (int i = 0; i < N; i++) d->y[a][i] = t_uniform(&seed);
  return d;
}

/* v of fp64 and fp32 are the same numbers, so the plain loop is one. */
static void one_run_after_another_is_added_from_the_left(void **state)
{
  (void)state;
  for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
    for (int fp32 = 0; fp32 < 2; fp32++)
      for (int n = 0; n <= N - SHIFT; n += 11) {
        data         *d = made();
        const void   *v[RUNS];
        const double *x[RUNS];
        double        want[N];
        for (int k = 0; k < RUNS; k++) {
          v[k] = fp32 ? (const void *)(d->f[k] + k % SHIFT) : (const void *)(d->v[k] + k % SHIFT);
          x[k] = d->x[k] + k % 3;
        }
        memcpy(want, d->y[0], sizeof want);
        for (int i = 0; i < n; i++)
          for (int k = 0; k < RUNS; k++) want[i] += d->v[k][i + k % SHIFT] * x[k][i];
        bf_cpu_stream((bf_isa)isa, fp32)(n, RUNS, v, x, d->y[0]);
        assert_memory_equal(want, d->y[0], sizeof want);
        free(d);
      }
}

static void a_fan_adds_each_plane_to_its_target(void **state)
{
  (void)state;
  for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
    for (int fp32 = 0; fp32 < 2; fp32++)
      for (int D = 2; D <= BF_FAN; D++)
        for (int n = 0; n <= N; n += 29) {
          data         *d = made();
          const void   *v[RUNS * BF_FAN];
          const double *x[RUNS];
          double        want[BF_FAN][N], *y[BF_FAN] = {d->y[0], d->y[1], d->y[2]};
          for (int k = 0; k < RUNS * D; k++) v[k] = fp32 ? (const void *)d->f[k] : (const void *)d->v[k];
          for (int k = 0; k < RUNS; k++) x[k] = d->x[k] + k;
          memcpy(want, d->y, sizeof want);
          for (int a = 0; a < D; a++)
            for (int i = 0; i < n; i++)
              for (int k = 0; k < RUNS; k++) want[a][i] += d->v[k * D + a][i] * x[k][i];
          bf_cpu_fan((bf_isa)isa, fp32)(D, n, RUNS, v, x, y);
          assert_memory_equal(want, d->y, sizeof want);
          free(d);
        }
}

static void spread_repeats_a_component_for_the_rows_of_its_node(void **state)
{
  (void)state;
  for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
    for (int b = 0; b < 3; b++)
      for (int n = 0; n <= 60; n++) {
        data  *d = made();
        double X[200];
        for (int i = 0; i < 200; i++) X[i] = -7.0;
        bf_cpu_spread3((bf_isa)isa)(n, d->x[0] + b, X);
        for (int i = 0; i < 200; i++) assert_true(X[i] == (i < 3 * n ? d->x[0][i / 3 * 3 + b] : -7.0));
        free(d);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_run_after_another_is_added_from_the_left),
      cmocka_unit_test(a_fan_adds_each_plane_to_its_target),
      cmocka_unit_test(spread_repeats_a_component_for_the_rows_of_its_node),
  };
  return T_RUN(tests);
}
