/* app/config/solvers.c - fills the configuration from the deck: matrix, solver, eigensolver */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"

static void matrix(const bf_item *section, bf_matrix_config *matrix)
{
  static const struct {
    const char *word;
    bf_order    order;
  } orders[]            = {{"file", BF_ORDER_FILE},
                           {"lexicographic", BF_ORDER_LEXICOGRAPHIC},
                           {"rcm", BF_ORDER_RCM},
                           {"levels", BF_ORDER_LEVELS}};
  const bf_item *format = bf_item_get(section, "format"), *storage = bf_item_get(section, "storage");
  const bf_item *reorder = bf_item_get(section, "reorder");
  matrix->format_auto    = 1;
  matrix->format_where   = bf_item_where(format);
  for (int f = 0; f < BF_FORMATS; f++)
    if (bf_item_is(format, bf_format_word((bf_format)f))) {
      matrix->format_auto = 0;
      matrix->format      = (bf_format)f;
    }
  matrix->storage       = bf_item_is(storage, "full")        ? BF_STORAGE_FULL
                          : bf_item_is(storage, "symmetric") ? BF_STORAGE_SYMMETRIC
                                                             : BF_STORAGE_AUTO;
  matrix->storage_where = bf_item_where(storage);
  matrix->values        = bf_item_is(bf_item_get(section, "values"), "fp32") ? BF_FP32 : BF_FP64;
  matrix->reorder       = BF_ORDER_AUTO;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (bf_item_is(reorder, orders[i].word)) matrix->reorder = orders[i].order;
}

static bf_block_config blocks(const bf_item *section)
{
  return (bf_block_config){.size  = bf_config_int(bf_item_get(section, "block_size"), BF_BLOCK_SIZE_AUTO),
                           .metis = bf_item_is(bf_item_get(section, "block_parts"), "metis"),
                           .values =
                               bf_item_is(bf_item_get(section, "block_values"), "fp64") ? BF_FP64 : BF_FP32};
}

/* section: NULL where the deck has none */
static bf_multigrid_options multigrid(const bf_item *section)
{
  bf_multigrid_options o = {.theta = BF_MULTIGRID_THETA};
  if (!section) return o;
  o.degree   = bf_config_int(bf_item_get(section, "degree"), 0);
  o.coarsest = bf_config_int(bf_item_get(section, "coarsest"), 0);
  o.theta    = bf_config_real(bf_item_get(section, "theta"), o.theta);
  o.tau      = bf_config_real(bf_item_get(section, "tau"), o.tau);
  for (int k = 0; k < BF_COARSENINGS; k++)
    if (bf_item_is(bf_item_get(section, "coarsening"), bf_coarsening_name((bf_coarsening)k)))
      o.coarsening = (bf_coarsening)k;
  for (int k = 0; k < BF_CYCLES; k++)
    if (bf_item_is(bf_item_get(section, "cycle"), bf_cycle_name((bf_cycle)k))) o.cycle = (bf_cycle)k;
  return o;
}

static void solver(const bf_item *section, bf_solver_config *solver)
{
  const bf_item *method = bf_item_get(section, "method"), *precond = bf_item_get(section, "preconditioner");
  solver->method_auto  = 1;
  solver->method_where = bf_item_where(method);
  for (int m = 0; m < BF_METHODS; m++)
    if (bf_item_is(method, bf_method_name((bf_method)m))) {
      solver->method_auto = 0;
      solver->method      = (bf_method)m;
    }
  solver->precond       = BF_PRECOND_JACOBI; /* auto */
  solver->precond_where = bf_item_where(precond);
  for (int p = 0; p < BF_PRECONDS; p++)
    if (bf_item_is(precond, bf_precond_name((bf_precond)p))) solver->precond = (bf_precond)p;
  solver->blocks         = blocks(section);
  solver->multigrid      = multigrid(bf_item_get(section, "multigrid"));
  solver->rtol           = bf_config_real(bf_item_get(section, "rtol"), 0.0);
  solver->atol           = bf_config_real(bf_item_get(section, "atol"), 0.0);
  solver->max_iterations = bf_config_int(bf_item_get(section, "max_iterations"), BF_ITERATIONS_AUTO);
  solver->monitor_every  = bf_config_int(bf_item_get(section, "monitor_every"), 1);
  solver->warn_only      = bf_item_is(bf_item_get(section, "on_failure"), "warn");
}

static const char *const eigen_methods[] = {"auto", "lobpcg", "shift_invert", "direct", "craig_bampton"};

const char *bf_eigen_method_word(bf_eigen_method method)
{
  return eigen_methods[method];
}

static void eigensolver(const bf_item *section, bf_eigensolver_config *solver)
{
  const bf_item *method = bf_item_get(section, "method"), *precond = bf_item_get(section, "preconditioner");
  const bf_item *interior = bf_item_get(section, "interior_modes"), *batch = bf_item_get(section, "batch");
  solver->method_where = bf_item_where(method);
  for (size_t m = 0; m < sizeof eigen_methods / sizeof *eigen_methods; m++)
    if (bf_item_is(method, eigen_methods[m])) solver->method = (bf_eigen_method)m;
  solver->precond_auto  = 1;
  solver->precond_where = bf_item_where(precond);
  for (int p = 0; p < BF_EIGEN_PRECONDS; p++)
    if (bf_item_is(precond, bf_eigen_precond_name((bf_eigen_precond)p))) {
      solver->precond_auto = 0;
      solver->precond      = (bf_eigen_precond)p;
    }
  solver->blocks               = blocks(section);
  solver->rtol                 = bf_config_real(bf_item_get(section, "rtol"), 0.0);
  solver->max_iterations       = bf_config_int(bf_item_get(section, "max_iterations"), 0);
  solver->interior_modes       = bf_config_int(interior, 0);
  solver->interior_modes_where = bf_item_where(interior);
  solver->batch                = bf_item_is(batch, "auto") ? 0 : bf_config_int(batch, 0);
}

void bf_config_solvers(const bf_item *root, bf_run_config *config)
{
  matrix(bf_item_get(root, "matrix"), &config->matrix);
  solver(bf_item_get(root, "solver"), &config->solver);
  eigensolver(bf_item_get(root, "eigensolver"), &config->eigensolver);
}
