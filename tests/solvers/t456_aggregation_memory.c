/* tests/solvers/t456_aggregation_memory.c - each allocation of a coarsening by aggregates fails in turn
 * usage: t456_aggregation_memory <backend> */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/spectral.h"
#include "tests/no_memory.h"
#include "tests/solvers/body_case.h"

static const t_body_form fibres = {.cells = {6, 5, 5}, .D = 3, .nu = 0.3, .coefficient = t_fibres};

/* One coarsening after the other of the same stage. */
static void coarsen_without_memory(const bf_mg_stage *fine)
{
  const bf_mg_choice how = {.theta = 0.02, .tau = 0.2, .coarsest = 1};
  t_no_memory        t   = {0};
  for (int warm = 1; warm >= 0; warm--) /* the first time fills the scratch of the backend */
    while (warm || t_no_memory_next(&t)) {
      bf_mg_stage    coarse;
      bf_mg_transfer T;
      int            made;
      if (!warm) t_no_memory_begin(&t);
      const bf_err err = fine->local ? bf_mg_spectral(fine, &how, &made, &coarse, &T)
                                     : bf_mg_aggregates(fine, &how, &made, &coarse, &T);
      if (!warm) t_no_memory_end(&t, err);
      if (err == BF_OK) {
        assert_true(made);
        bf_mg_stage_release(&coarse);
        T.destroy(T.self);
      } else {
        assert_null(coarse.be);
        assert_null(T.self);
      }
      if (warm) break;
    }
  assert_true(t.failed > 20 || t_be->ops.on_device);
}

static void nothing_leaks_and_the_error_is_told(void **state)
{
  (void)state;
  for (int spectral = 0; spectral < 2; spectral++) {
    t_body                  B = t_body_new(&fibres);
    t_elements              E = t_elements_of(&fibres);
    bf_matrix              *A = NULL;
    bf_mg_stage             fine;
    int                     bad;
    const bf_multigrid_body body = {.x = B.x, .rigid = 1};
    T_OK(bf_matrix_from_sparse(t_be, B.A, &(bf_matrix_form){.format = BF_FORMAT_CSR, .ncomp = 3}, &A));
    T_OK(bf_mg_stage_first(A, &body, &fine, &bad));
    T_OK(bf_mg_stage_modes(&fine));
    T_OK(bf_mg_lambda(&fine, 15, &fine.lambda));
    bf_multigrid_elements given;
    T_OK(t_give_elements(&E, &given));
    if (spectral) T_OK(bf_mg_local_create(&fine, &given, &fine.local));
    bf_multigrid_elements_clear(t_be, &given);
    coarsen_without_memory(&fine);
    bf_mg_stage_release(&fine);
    bf_matrix_destroy(&A);
    t_elements_free(&E);
    t_body_free(&B);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_leaks_and_the_error_is_told),
  };
  const int code = t_backend_open(argc, argv);
  return code ? code : t_backend_close(T_RUN(tests));
}
