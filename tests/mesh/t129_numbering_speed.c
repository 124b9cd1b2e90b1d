/* tests/mesh/t129_numbering_speed.c - a million vertices on one core: 100^3 hexahedra, nodes and elements
 * shuffled
 *
 * The requirement is 1.5 s; processor time is compared, so that other programs on the machine count little,
 * with a factor of 3 for slow ones.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/timer.h"
#include "mesh/numbering.h"
#include "tests/shuffle.h"
#include <omp.h>
#include <time.h>

static const double REQUIRED = 1.5, SLACK = 3.0;

static void number_in_time(void (*map)(double x[3]), const char *name, const char *order)
{
  const double  size[3] = {1.0, 1.0, 1.0};
  const bf_int  n[3]    = {100, 100, 100};
  bf_mesh      *m       = NULL;
  bf_numbering *num     = NULL;
  T_OK(bf_mesh_box(size, n, BF_HEX8, &m));
  t_shuffle(m, 1);
  if (map) t_map(m, map);
  omp_set_num_threads(1);
  const double  wall = bf_seconds();
  const clock_t cpu  = clock();
  T_OK(bf_numbering_create(m, BF_ORDER_AUTO, &num));
  const double seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
  print_message("%s: %d vertices in %.3f s (%.3f s by the clock on the wall)\n", name, (int)num->nrows,
                seconds, bf_seconds() - wall);
  for (int i = 0; i < num->ntries; i++)
    if (num->tries[i].chosen) {
      T_CONTAINS(num->tries[i].name, order);
      assert_int_equal(num->tries[i].diagonals, 27);
    }
  assert_int_equal(num->nnz, 301LL * 301 * 301); /* 3 * 101 - 2 pairs an axis */
  T_OK(bf_numbering_check(num));
  T_LE(seconds, REQUIRED * SLACK);
  bf_numbering_destroy(&num);
  bf_mesh_destroy(&m);
}

static void a_million_vertices_of_a_curved_block(void **state)
{
  (void)state;
  number_in_time(t_curve_3d, "curved", "levels");
}

static void a_million_vertices_of_a_straight_block(void **state)
{
  (void)state;
  number_in_time(NULL, "straight", "lexicographic");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_million_vertices_of_a_curved_block),
      cmocka_unit_test(a_million_vertices_of_a_straight_block),
  };
  return T_RUN(tests);
}
