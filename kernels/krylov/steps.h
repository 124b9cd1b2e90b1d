/* kernels/krylov/steps.h - iterations of CG and BiCGStab, queued on the backend
 *
 * One call queues `count` iterations for any format and backend: by one fused operation if the backend has
 * it for this matrix (cg_steps, bicgstab_steps in backend.h), otherwise product by product and step by
 * step. Both give the same iterates up to rounding; the scalars and the history are those of state.h, and
 * iterations queued past the end change nothing: p stays the last direction. `begin` (cg_begin,
 * bicgstab_begin) comes first.
 *
 * A preconditioner is the diagonal dinv, or an operation of the caller between the steps; at most one of
 * the two.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_KRYLOV_STEPS_H
#define BF_KERNELS_KRYLOV_STEPS_H
#include "kernels/matrix/matrix.h"

/* z = M^-1 r, or M^-T r, queued; dot != NULL: also *dot = r.z (backend).  z is not r. */
typedef struct bf_operation {
  bf_err (*apply)(const void *M, int transposed, const double *r, double *z, double *dot);
  const void *M; /* borrowed */
} bf_operation;

/* Vectors are backend memory with the matrix's guard, all of its rows. */
struct bf_cg_work {
  double             *x, *r, *p, *q;
  const double       *dinv; /* or NULL */
  bf_krylov_state    *state;
  bf_krylov_sample   *history; /* [limit + 1] */
  const bf_operation *precond; /* or NULL; M^-1 r is made in q */
};

struct bf_bicgstab_work {
  double             *x, *r, *r0, *p, *v, *t;
  double             *ph, *rh; /* M^-1 p, M^-1 r; p and r themselves without a preconditioner */
  double             *y0;      /* if bf_bicgstab_has_early_alpha and there is no operation; otherwise NULL */
  const double       *dinv;
  bf_krylov_state    *state;
  bf_krylov_sample   *history;
  const bf_operation *precond;
};

bf_err bf_cg_steps(const bf_matrix *A, const bf_cg_work *w, int count);

/* BiCGStab: r0.v is computed from y0 = A^T r0 before v, so that s is formed together with v: three
 * kernels per iteration instead of four. For matrices and backends that support it (banded matrices on a
 * device). start: bicgstab_begin, y0 and the first alpha. */
int    bf_bicgstab_has_early_alpha(const bf_matrix *A);
bf_err bf_bicgstab_start(const bf_matrix *A, const bf_bicgstab_work *w);
bf_err bf_bicgstab_steps(const bf_matrix *A, const bf_bicgstab_work *w, int count);
#endif
