/* solvers/linear/precond.c - see precond.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/precond.h"
#include "base/timer.h"

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
  BF_TRY(bf_blocks_create(A, opt->parts, opt->block_values, opt->method == BF_METHOD_CG, &M->blocks));
  const bf_blocks *B = M->blocks;
  run->report->blocks =
      (bf_blocks_report){.count        = B->count,
                         .smallest     = B->smallest,
                         .largest      = B->largest,
                         .singular     = B->singular,
                         .singular_row = B->singular_row,
                         .condition    = B->condition,
                         .bytes        = bf_blocks_forecast(B->nrows, B->count, B->largest, B->prec, 0).held,
                         .values       = B->prec == BF_FP32 ? "fp32" : "fp64",
                         .seconds      = bf_seconds() - t0};
  M->operation = (bf_operation){apply_blocks, B};
  run->precond = &M->operation;
  return BF_OK;
}

bf_err bf_precondition(const bf_matrix *A, bf_run *run, bf_preparation *M)
{
  const int closed = run->opt->method == BF_METHOD_DIRECT || run->opt->method == BF_METHOD_INVERSE;
  if (closed || run->opt->precond == BF_PRECOND_NONE) return BF_OK;
  return run->opt->precond == BF_PRECOND_JACOBI ? jacobi(run, A->guard, M) : block_jacobi(A, run, M);
}

void bf_precondition_end(const bf_matrix *A, bf_preparation *M)
{
  bf_vector_destroy(A->be, A->guard, &M->dinv);
  bf_blocks_destroy(&M->blocks);
}
