/* kernels/krylov_steps.c - see krylov_steps.h: fused where the backend can, else step by step */
#include "kernels/krylov_steps.h"

bf_err bf_cg_steps(const bf_matrix *A, const bf_cg_work *w, int count)
{
  bf_backend  *be   = A->be;
  const bf_int n    = A->nrows;
  int          done = 0;
  if (be->ops.cg_steps) BF_TRY(be->ops.cg_steps(be, A, w, count, &done));
  for (; done < count; done++) {
    BF_TRY(bf_matrix_spmv(A, w->p, w->q, w->p, w->state->dot));
    BF_TRY(BF_OP(be, cg_move, n, w->x, w->r, w->p, w->q, w->dinv, w->state, w->history));
  }
  return BF_OK;
}

bf_err bf_bicgstab_steps(const bf_matrix *A, const bf_bicgstab_work *w, int count)
{
  bf_backend  *be   = A->be;
  const bf_int n    = A->nrows;
  int          done = 0;
  if (be->ops.bicgstab_steps) BF_TRY(be->ops.bicgstab_steps(be, A, w, count, &done));
  for (; done < count; done++) {
    BF_TRY(bf_matrix_spmv(A, w->ph, w->v, w->r0, w->state->dot));
    BF_TRY(BF_OP(be, bicgstab_middle, n, w->r, w->v, w->dinv, w->rh, w->state));
    BF_TRY(bf_matrix_spmv(A, w->rh, w->t, w->r, w->state->dot));
    BF_TRY(BF_OP(be, bicgstab_move, n, w->x, w->r, w->p, w->ph, w->r0, w->rh, w->v, w->t, w->dinv, w->state,
                 w->history));
  }
  return BF_OK;
}
