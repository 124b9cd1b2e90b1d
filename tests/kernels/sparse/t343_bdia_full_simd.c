/* tests/kernels/sparse/t343_bdia_full_simd.c - the loops under the CPU's bDIA product: every instruction set
 * gives the same bits, those of a plain loop
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_full_simd.h"
#include "tests/test.h"

enum { N = 96, DIAGONALS = 5, TILES = 3, REACH = 40, SHIFT = 5 };

typedef struct data {
  double v[DIAGONALS * TILES * N + SHIFT], x[2 * REACH * 3 + TILES * N + 8], y[3][2 * N];
  float  f[DIAGONALS * TILES * N + SHIFT];
} data;

static data *made(void)
{
  data    *d    = calloc(1, sizeof *d);
  uint64_t seed = 12;
  assert_non_null(d);
  for (size_t i = 0; i < sizeof d->v / 8; i++) d->v[i] = d->f[i] = (float)(t_uniform(&seed) - 0.5);
  for (size_t i = 0; i < sizeof d->x / 8; i++) d->x[i] = t_uniform(&seed) - 0.5;
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 2 * N; i++) d->y[a][i] = t_uniform(&seed);
  return d;
}

/* v of fp64 and fp32 are the same numbers, so the plain loop is one. */
static const void *values(const data *d, int fp32)
{
  return fp32 ? (const void *)(d->f + SHIFT) : (const void *)(d->v + SHIFT);
}

static void tiles_are_added_plane_by_plane_from_the_left(void **state)
{
  (void)state;
  static const bf_int off[DIAGONALS] = {-REACH, -3, 0, 1, REACH - 1};
  for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
    for (int fp32 = 0; fp32 < 2; fp32++)
      for (int D = 1; D <= 3; D++)
        for (int tiles = 0; tiles <= TILES; tiles++) {
          data         *d  = made();
          const int     ld = bf_bdia_tile_nodes(D) * D;
          const double *x  = d->x + REACH * D;
          double        want[TILES * N], y[TILES * N];
          for (int r = 0; r < TILES * N; r++) want[r] = y[r] = -1.0;
          for (int r = 0; r < tiles * ld; r++) {
            want[r] = 0.0;
            for (int p = 0; p < DIAGONALS * D; p++)
              want[r] += d->v[SHIFT + (r / ld * DIAGONALS * D + p) * ld + r % ld] *
                         x[(r / D + off[p / D]) * D + p % D];
          }
          bf_cpu_bdia_full_tiles((bf_isa)isa, fp32, D)(tiles, DIAGONALS, off, values(d, fp32), x, y);
          assert_memory_equal(want, y, sizeof y);
          free(d);
        }
}

/* Tiles one after another, or all rows in one. */
static void a_fan_adds_each_plane_to_its_target(void **state)
{
  (void)state;
  for (int isa = 0; isa <= (int)bf_cpu_isa(); isa++)
    for (int kind = 0; kind < 12; kind++)
      for (int skip = 0; skip < 32; skip += 5)
        for (int n = 0; n <= N; n += 7) {
          const int fp32 = kind % 2, D = kind / 2 % 3 + 1, ld = kind < 6 ? 8 * D : 2 * N, step = (D + 1) * ld;
          data     *d = made();
          double    want[3][2 * N], *y[3] = {d->y[0], d->y[1], d->y[2]};
          const bf_planes p = {.v = values(d, fp32), .skip = skip % ld, .ld = ld, .step = step};
          memcpy(want, d->y, sizeof want);
          for (int a = 0; a < D; a++)
            for (int i = 0, r = skip % ld; i < n; i++, r++)
              want[a][i] += d->v[SHIFT + r / ld * step + a * ld + r % ld] * d->x[3 + i];
          bf_cpu_fan((bf_isa)isa, fp32, D)(n, &p, d->x + 3, y);
          assert_memory_equal(want, d->y, sizeof want);
          free(d);
        }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles_are_added_plane_by_plane_from_the_left),
      cmocka_unit_test(a_fan_adds_each_plane_to_its_target),
  };
  return T_RUN(tests);
}
