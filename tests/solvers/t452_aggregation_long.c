/* tests/solvers/t452_aggregation_long.c - counts of iterations with smoothed aggregation, larger bodies
 * usage: t452_aggregation_long <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/aggregation_case.h"

static void heat_in_cubes(void **state)
{
  (void)state;
  T_COUNT(9, (&(t_body_form){.cells = {40, 40, 40}, .D = 1}), BF_CYCLE_V);
}

static void stiff_fibres_need_more(void **state)
{
  (void)state;
  T_COUNT(61, (&(t_body_form){.cells = {32, 16, 16}, .D = 3, .nu = 0.3, .coefficient = t_fibres}),
          BF_CYCLE_V);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heat_in_cubes),
      cmocka_unit_test(stiff_fibres_need_more),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
