/* tests/solvers/t451_aggregation_counts.c - counts of iterations with smoothed aggregation
 * usage: t451_aggregation_counts <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/aggregation_case.h"

static void an_elastic_bar_of_hexahedra(void **state)
{
  (void)state;
  T_COUNT(12, (&(t_body_form){.cells = {32, 16, 16}, .D = 3, .nu = 0.3}), BF_CYCLE_V);
}

static void an_elastic_bar_of_tetrahedra(void **state)
{
  (void)state;
  T_COUNT(15, (&(t_body_form){.cells = {24, 12, 12}, .D = 3, .nu = 0.3, .tets = 1}), BF_CYCLE_V);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_elastic_bar_of_hexahedra),
      cmocka_unit_test(an_elastic_bar_of_tetrahedra),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
