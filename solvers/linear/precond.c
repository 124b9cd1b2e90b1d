/* solvers/linear/precond.c - see precond.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/precond.h"
#include "base/timer.h"
#include "solvers/linear/band_factor.h"
#include <math.h>

static bf_err jacobi(bf_run *run, bf_int guard, bf_preparation *M)
{
  const bf_matrix *A = run->exact;
  BF_TRY(bf_vector_create(A->be, A->nrows, guard, &M->dinv));
  BF_TRY(bf_matrix_diagonal(A, run->r));
  BF_TRY(BF_OP(A->be, vector.reciprocal, A->nrows, run->r, M->dinv));
  run->dinv = M->dinv;
  return BF_OK;
}

static bf_err apply_blocks(const void *B, int transposed, const double *r, double *z, double *dot)
{
  return bf_blocks_apply(B, transposed, r, z, dot);
}

static bf_err block_jacobi(const bf_matrix *A, bf_run *run, bf_preparation *M)
{
  const bf_solve_options *opt = run->opt;
  const double            t0  = bf_seconds();
  BF_CHECK(opt->parts, BF_E_ARG, "block_jacobi needs parts: none are given");
  bf_blocks *B = opt->closed ? opt->closed->blocks : NULL;
  if (!B) BF_TRY(bf_blocks_create(A, opt->parts, opt->block_values, opt->method == BF_METHOD_CG, &B));
  if (opt->closed)
    opt->closed->blocks = B;
  else
    M->blocks = B;
  run->report->blocks =
      (bf_blocks_report){.count        = B->count,
                         .smallest     = B->smallest,
                         .largest      = B->largest,
                         .singular     = B->singular,
                         .singular_row = B->singular_row,
                         .condition    = B->condition,
                         .bytes   = bf_blocks_forecast(B->nrows, B->count, B->largest, B->prec, 0).storage,
                         .values  = B->prec == BF_FP32 ? "fp32" : "fp64",
                         .seconds = bf_seconds() - t0};
  M->operation = (bf_operation){apply_blocks, B};
  run->precond = &M->operation;
  return BF_OK;
}

/* Where there is no hierarchy the diagonal takes its place: report->multigrid.failure. */
static bf_err multigrid(const bf_matrix *A, bf_run *run, bf_preparation *M)
{
  const bf_solve_options *opt       = run->opt;
  const int               symmetric = opt->method == BF_METHOD_CG || bf_matrix_half(A);
  bf_multigrid           *kept      = opt->kept ? *opt->kept : NULL;
  if (kept) {
    run->report->multigrid         = kept->report;
    run->report->multigrid.seconds = 0.0;
  } else {
    BF_TRY(bf_multigrid_create(A, &opt->multigrid, opt->body, symmetric, &run->report->multigrid,
                               &M->multigrid));
    kept = M->multigrid;
  }
  if (!kept) return run->dinv ? BF_OK : jacobi(run, A->guard, M);
  if (opt->kept) {
    *opt->kept   = kept;
    M->multigrid = NULL;
  }
  kept->watch  = run->state;
  M->served    = kept;
  M->operation = (bf_operation){bf_multigrid_apply, kept};
  run->precond = &M->operation;
  run->dinv    = NULL;
  return BF_OK;
}

static int trial(const bf_run *run)
{
  const int kept = run->opt->kept && *run->opt->kept;
  return run->opt->precond == BF_PRECOND_AUTO && run->opt->method != BF_METHOD_BICG && !kept ? run->opt->trial
                                                                                             : 0;
}

bf_err bf_precondition(const bf_matrix *A, bf_run *run, bf_preparation *M)
{
  const int closed = run->opt->method == BF_METHOD_DIRECT || run->opt->method == BF_METHOD_INVERSE;
  if (closed || run->opt->precond == BF_PRECOND_NONE) return BF_OK;
  run->trial = trial(run);
  switch (run->opt->precond) {
  case BF_PRECOND_BLOCK_JACOBI: return block_jacobi(A, run, M);
  case BF_PRECOND_MULTIGRID: return multigrid(A, run, M);
  case BF_PRECOND_AUTO:
    if (run->trial > 0 || run->opt->method == BF_METHOD_BICG) return jacobi(run, A->guard, M);
    return multigrid(A, run, M);
  default: return jacobi(run, A->guard, M);
  }
}

/* Iterations that the mean rate of the second half of the history leaves until the tolerance; smallest
 * residuals take the place of single ones, which go up and down. */
static double expected(const bf_run *run)
{
  const bf_solve_report *rep = run->report;
  const int              n = rep->nhistory - 1, half = n / 2;
  const double           target = run->tol / (rep->norm_b > 0.0 ? rep->norm_b : 1.0);
  double                 before = INFINITY, now;
  for (int i = 0; i <= half; i++) before = fmin(before, rep->history[i]);
  now = before;
  for (int i = half + 1; i <= n; i++) now = fmin(now, rep->history[i]);
  if (now <= target) return 0.0;
  return now < before ? log(now / target) / (log(before / now) / (n - half)) : INFINITY;
}

bf_err bf_precondition_switch(bf_run *run, bf_preparation *M)
{
  const int made = run->trial;
  run->trial     = 0;
  if (expected(run) <= made) return BF_OK;
  BF_TRY(multigrid(run->exact, run, M));
  if (run->precond) run->report->multigrid.switched = run->report->iterations;
  if (run->precond) run->replaced = 0;
  return BF_OK;
}

void bf_kept_clear(bf_kept *kept)
{
  bf_factors_destroy(&kept->factors);
  bf_blocks_destroy(&kept->blocks);
}

void bf_precondition_end(const bf_matrix *A, bf_preparation *M)
{
  if (M->served) M->served->watch = NULL;
  bf_vector_destroy(A->be, A->guard, &M->dinv);
  bf_blocks_destroy(&M->blocks);
  bf_multigrid_destroy(&M->multigrid);
}
