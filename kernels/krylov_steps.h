/* kernels/krylov_steps.h - iterations of CG and BiCGStab, queued on the backend
 *
 * One call queues `count` iterations, whatever the format and the backend: with one fused operation where the
 * backend has it for this matrix (cg_steps, bicgstab_steps in backend.h), else product by product and step by
 * step.  Both ways the iterates are the same up to rounding, the scalars and the history are those of
 * krylov.h, and iterations queued past the end change nothing.  `begin` (cg_begin, bicgstab_begin) comes
 * first.
 */
#ifndef BF_KRYLOV_STEPS_H
#define BF_KRYLOV_STEPS_H
#include "kernels/matrix.h"

/* Vectors are backend memory with the matrix's guard, all of its rows. */
struct bf_cg_work {
  double          *x, *r, *p, *q;
  const double    *dinv; /* or NULL */
  bf_krylov_state *state;
  double          *history; /* [limit + 1] */
};

struct bf_bicgstab_work {
  double          *x, *r, *r0, *p, *v, *t;
  double          *ph, *rh; /* dinv p, dinv r; p and r themselves where dinv is NULL */
  const double    *dinv;
  bf_krylov_state *state;
  double          *history;
};

bf_err bf_cg_steps(const bf_matrix *A, const bf_cg_work *w, int count);
bf_err bf_bicgstab_steps(const bf_matrix *A, const bf_bicgstab_work *w, int count);
#endif
