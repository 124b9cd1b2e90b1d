/* kernels/cuda/krylov/cg.cuh - parameters of the kernel that updates x, r and p of CG */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_KRYLOV_CG_CUH
#define BF_KERNELS_CUDA_KRYLOV_CG_CUH
#include "kernels/cuda/device/grid_reduce_flagged.cuh"

namespace bf
{

struct bf_cg_move {
  int64_t             n;
  double             *x, *r, *p;
  const double       *q, *dinv; /* dinv or NULL */
  bf_krylov_state    *state;
  bf_krylov_sample   *history;
  const double       *partial; /* partial sums of p.q: partial[0], partial[stride], ... of the product */
  int64_t             partials, stride; /* 0: p.q is in state->dot[0] */
  int                 cached;           /* pairs of a thread in shared memory */
  bf_flagged         *reduce_slots;
  unsigned long long *sequence;
};

/* Fills the last three members and launches. */
bf_err bf_cuda_cg_move_partials(bf_backend *be, bf_cg_move *g);

} // namespace bf
#endif
