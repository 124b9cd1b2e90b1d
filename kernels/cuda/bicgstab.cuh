/* kernels/cuda/bicgstab.cuh - what the kernels of a BiCGStab iteration beside its products are told */
#ifndef BF_BICGSTAB_CUH
#define BF_BICGSTAB_CUH
#include "kernels/cuda/packets.cuh"

struct bf_bicgstab_move {
  int64_t             n;
  double             *x, *r, *p, *ph, *rh;
  const double       *r0, *v, *t, *dinv; /* dinv or NULL */
  bf_krylov_state    *state;
  double             *history;
  const double       *partial;  /* the product's two sums in parts partial[0], partial[2], ... and the next */
  int64_t             partials; /* 0: they are in state->dot */
  int                 kept;     /* pairs of a thread in shared memory */
  bf_packet          *packets;
  unsigned long long *number;
};

/* Fill the last three and launch. */
bf_err bf_cuda_bicgstab_middle_partials(bf_backend *be, bf_bicgstab_move *g);
bf_err bf_cuda_bicgstab_move_partials(bf_backend *be, bf_bicgstab_move *g);
#endif
