/* tests/solvers/t453_spectral_counts.c - counts of iterations with spectral aggregates where coefficients
 * jump usage: t453_spectral_counts <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/aggregation_case.h"

#define T_SPECTRAL(want, form, format, coarsest)                                                             \
  do {                                                                                                       \
    const int its_ = t_iterations_by((form), (format), BF_COARSENING_SPECTRAL, BF_CYCLE_V, (coarsest));      \
    T_LE((double)its_, (want) > 20 ? 1.1 * (want) : (want) + 2.0);                                           \
  } while (0)

static const t_body_form fibres   = {.cells = {18, 9, 9}, .D = 3, .nu = 0.3, .coefficient = t_fibres};
static const t_body_form channels = {.cells = {24, 24, 24}, .D = 1, .coefficient = t_channels};
static const t_body_form tets     = {
        .cells = {20, 10, 10}, .D = 3, .nu = 0.3, .tets = 1, .coefficient = t_fibres};

static void stiff_fibres_on_a_lattice(void **state)
{
  (void)state;
  T_SPECTRAL(21, &fibres, BF_FORMAT_BDIA, 0);
  T_SPECTRAL(21, &fibres, BF_FORMAT_BDIA, 500);
}

static void stiff_fibres_by_couplings(void **state)
{
  (void)state;
  T_SPECTRAL(21, &fibres, BF_FORMAT_CSR, 0);
  T_SPECTRAL(21, &fibres, BF_FORMAT_CSR, 400);
}

static void channels_on_a_lattice(void **state)
{
  (void)state;
  T_SPECTRAL(10, &channels, BF_FORMAT_BDIA, 0);
}

static void stiff_fibres_of_tetrahedra(void **state)
{
  (void)state;
  T_SPECTRAL(21, &tets, BF_FORMAT_CSR, 0);
}

/* Without jumps no eigenproblem is solved, and counts are those of smoothed aggregation. */
static void even_coefficients(void **state)
{
  (void)state;
  const t_body_form even = {.cells = {18, 9, 9}, .D = 3, .nu = 0.3};
  T_SPECTRAL(12, &even, BF_FORMAT_BDIA, 0);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_fibres_on_a_lattice), cmocka_unit_test(stiff_fibres_by_couplings),
      cmocka_unit_test(channels_on_a_lattice),     cmocka_unit_test(stiff_fibres_of_tetrahedra),
      cmocka_unit_test(even_coefficients),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
