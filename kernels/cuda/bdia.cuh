/* kernels/cuda/bdia.cuh - how the product kernels of bDIA are told the matrix */
#ifndef BF_BDIA_CUH
#define BF_BDIA_CUH
#include "kernels/cuda/cuda_util.cuh"

enum { BDIA_TABLE = 128 }; /* offsets that fit in the kernel's parameters, in scalar rows */

struct bdia_args {        /* by value: constant memory on the device */
  int64_t              n; /* scalar rows */
  int                  nseg;
  bf_bdia_seg          seg; /* the segment, if there is one */
  const bf_bdia_seg   *segs;
  const bf_int        *off;
  const bf_bdia_lower *lower;
  const double        *x, *w;
  double              *y, *dot, *partial; /* y = A x; dot[0] = w.y, dot[1] = y.y where w is given */
  unsigned            *ticket;
  int                  table[BDIA_TABLE]; /* off[k]*D of that segment, if it fits */
};

bf_err bf_cuda_bdia_full(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);
bf_err bf_cuda_bdia_half(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);

/* Where w is given: room for the partial sums, and no more blocks than run at once: each walks over several
 * tiles and takes part in the sum over the grid once.  The end of a block, a fence and a ticket that the
 * whole block waits for, cost 7 % of the product when every tile had it (H200, 2026-11-20, 27 diagonals). */
static inline bf_err bdia_sums(bf_backend *be, bdia_args *g, int blocks_per_sm, unsigned *blocks)
{
  if (!g->w) return BF_OK;
  const unsigned most = (unsigned)(blocks_per_sm * bf_cuda_of(be)->sms);
  if (*blocks > most) *blocks = most;
  return bf_cuda_partials(be, 2 * (int64_t)*blocks, &g->partial);
}

/* The end of a product: w.y and y.y over the grid. */
static __device__ __forceinline__ void bdia_dots(double (&sum)[2], const bdia_args &g)
{
  if (!bf_grid_sum(sum, g.partial, g.ticket)) return;
  g.dot[0] = sum[0];
  g.dot[1] = sum[1];
}
#endif
