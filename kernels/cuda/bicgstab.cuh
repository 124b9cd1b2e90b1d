/* kernels/cuda/bicgstab.cuh - what the kernels of a BiCGStab iteration beside its products are told */
#ifndef BF_BICGSTAB_CUH
#define BF_BICGSTAB_CUH
#include "kernels/cuda/bdia.cuh"
#include "kernels/cuda/packets.cuh"

struct bf_bicgstab_move {
  int64_t             n;
  double             *x, *r, *p, *ph, *rh, *t;
  const double       *r0, *v, *dinv; /* dinv or NULL */
  bf_krylov_state    *state;
  double             *history;
  const double       *partial;  /* the product's two sums in parts partial[0], partial[2], ... and the next */
  int64_t             partials; /* 0: they are in state->dot */
  int                 kept;     /* pairs of a thread in shared memory */
  bf_packet          *packets;
  unsigned long long *number;
};

/* Fill the last three and launch.  ahead: the second product and the move in one, bicgstab_ahead.cu, for the
 * matrices that is_ahead tells; the first product's r0.v in parts. */
bf_err bf_cuda_bicgstab_middle_partials(bf_backend *be, bf_bicgstab_move *g);
bf_err bf_cuda_bicgstab_move_partials(bf_backend *be, bf_bicgstab_move *g);
bf_err bf_cuda_bicgstab_ahead(bf_backend *be, const bf_bdia *A, bf_bicgstab_move *g);
bool   bf_cuda_bicgstab_is_ahead(const bf_backend *be, const bf_bdia *A);
#endif
