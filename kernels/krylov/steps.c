/* kernels/krylov/steps.c - see steps.h: fused if the backend supports it, otherwise step by step */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/krylov/steps.h"
#include "kernels/matrix/format.h"

static bf_err apply(const bf_operation *o, const double *r, double *z, double *dot)
{
  return o->apply(o->M, 0, r, z, dot);
}

/* z = M^-1 r overwrites q, which is not needed any more. */
static bf_err cg_step(const bf_matrix *A, const bf_cg_work *w)
{
  bf_backend  *be = A->be;
  const bf_int n  = A->nrows;
  BF_TRY(bf_matrix_spmv(A, w->p, w->q, w->p, w->state->dot));
  if (!w->precond) return BF_OP(be, krylov.cg_move, n, w->x, w->r, w->p, w->q, w->dinv, w->state, w->history);
  BF_TRY(BF_OP(be, krylov.cg_update, n, w->x, w->r, w->p, w->q, w->state));
  BF_TRY(apply(w->precond, w->r, w->q, &w->state->rz));
  BF_TRY(BF_OP(be, krylov.cg_direction, n, w->q, w->p, w->state, w->history));
  return BF_OK;
}

bf_err bf_cg_steps(const bf_matrix *A, const bf_cg_work *w, int count)
{
  bf_backend *be   = A->be;
  int         done = 0;
  if (be->ops.krylov.cg_steps && !w->precond) BF_TRY(be->ops.krylov.cg_steps(be, A, w, count, &done));
  for (; done < count; done++) BF_TRY(cg_step(A, w));
  return BF_OK;
}

int bf_bicgstab_has_early_alpha(const bf_matrix *A)
{
  return A->be->ops.krylov.bicgstab_early_alpha && A->nrows > 0 && bf_format_of(A->format)->bands &&
         bf_matrix_transposes_in_place(A);
}

bf_err bf_bicgstab_start(const bf_matrix *A, const bf_bicgstab_work *w)
{
  bf_backend  *be = A->be;
  const bf_int n  = A->nrows;
  BF_TRY(BF_OP(be, krylov.bicgstab_begin, n, w->r, w->dinv, w->r0, w->p, w->ph, w->state, w->history));
  if (!w->y0) return BF_OK;
  BF_TRY(bf_matrix_spmv_t(A, w->r0, w->y0));
  return be->ops.krylov.bicgstab_early_alpha(be, n, w->y0, w->ph, w->state);
}

bf_err bf_bicgstab_steps(const bf_matrix *A, const bf_bicgstab_work *w, int count)
{
  bf_backend  *be   = A->be;
  const bf_int n    = A->nrows;
  int          done = 0;
  if (be->ops.krylov.bicgstab_steps && !w->precond)
    BF_TRY(be->ops.krylov.bicgstab_steps(be, A, w, count, &done));
  for (; done < count; done++) {
    if (w->precond) BF_TRY(apply(w->precond, w->p, w->ph, NULL));
    BF_TRY(bf_matrix_spmv(A, w->ph, w->v, w->r0, w->state->dot));
    BF_TRY(BF_OP(be, krylov.bicgstab_middle, n, w->r, w->v, w->dinv, w->rh, w->state));
    if (w->precond) BF_TRY(apply(w->precond, w->r, w->rh, NULL));
    BF_TRY(bf_matrix_spmv(A, w->rh, w->t, w->r, w->state->dot));
    BF_TRY(BF_OP(be, krylov.bicgstab_move, n, w->x, w->r, w->p, w->ph, w->r0, w->rh, w->v, w->t, w->dinv,
                 w->state, w->history));
  }
  return BF_OK;
}
