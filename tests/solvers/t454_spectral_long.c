/* tests/solvers/t454_spectral_long.c - counts of iterations with spectral aggregates, larger bodies
 * usage: t454_spectral_long <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/aggregation_case.h"

#define T_SPECTRAL(want, form, format, coarsest)                                                             \
  do {                                                                                                       \
    const int its_ = t_iterations_by((form), (format), BF_COARSENING_SPECTRAL, BF_CYCLE_V, (coarsest));      \
    T_LE((double)its_, (want) > 20 ? 1.1 * (want) : (want) + 2.0);                                           \
  } while (0)

static void stiff_fibres(void **state)
{
  (void)state;
  T_SPECTRAL(21, (&(t_body_form){.cells = {24, 12, 12}, .D = 3, .nu = 0.3, .coefficient = t_fibres}),
             BF_FORMAT_BDIA, 0);
  T_SPECTRAL(22, (&(t_body_form){.cells = {48, 24, 24}, .D = 3, .nu = 0.3, .coefficient = t_fibres}),
             BF_FORMAT_BDIA, 0);
}

static void channels(void **state)
{
  (void)state;
  T_SPECTRAL(10, (&(t_body_form){.cells = {30, 30, 30}, .D = 1, .coefficient = t_channels}), BF_FORMAT_BDIA,
             0);
  T_SPECTRAL(23, (&(t_body_form){.cells = {56, 56, 56}, .D = 1, .coefficient = t_channels}), BF_FORMAT_BDIA,
             0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_fibres),
      cmocka_unit_test(channels),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
