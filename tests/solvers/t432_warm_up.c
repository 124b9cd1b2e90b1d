/* tests/solvers/t432_warm_up.c - the small solves of a warm-up run, leave nothing and can be stopped
 *
 * usage: t432_warm_up <backend>
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/solver.h"
#include "tests/backend.h"

static int asked;

static int never(void *context)
{
  (void)context;
  asked++;
  return 0;
}
static int at_once(void *context)
{
  (void)context;
  asked++;
  return 1;
}

static void every_kind_of_body_is_warmed_up(void **state)
{
  (void)state;
  for (int ncomp = 1; ncomp <= 3; ncomp++)
    for (int lattice = 0; lattice < 2; lattice++) {
      if (!t_be->ops.on_device && ncomp == 1) continue; /* the same code with 10 times the rows */
      T_OK(bf_multigrid_warm_up(t_be, ncomp == 2 ? 2 : 3, ncomp, lattice, never, NULL));
    }
}

static void a_warm_up_ends_on_request(void **state)
{
  (void)state;
  asked = 0;
  T_OK(bf_multigrid_warm_up(t_be, 3, 1, 1, at_once, NULL));
  assert_int_equal(asked, 1);
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  assert_int_equal(bf_multigrid_warm_up(t_be, 3, 4, 1, never, NULL), BF_E_ARG);
  assert_int_equal(bf_multigrid_warm_up(NULL, 3, 1, 1, never, NULL), BF_E_ARG);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_body_is_warmed_up),
      cmocka_unit_test(a_warm_up_ends_on_request),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
