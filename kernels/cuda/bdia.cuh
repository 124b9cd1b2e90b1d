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
  int64_t *left; /* host, or NULL: leave partial[2 * *left] as they are, pairs w.y and y.y of blocks */
  int      table[BDIA_TABLE]; /* off[k]*D of that segment, if it fits */
};

/* Two neighbouring values with one load, past the caches: 16 bytes, or 8 for fp32. */
static __device__ __forceinline__ double2 bdia_stream_pair(const double *p)
{
  return __ldcs(reinterpret_cast<const double2 *>(p));
}
static __device__ __forceinline__ double2 bdia_stream_pair(const float *p)
{
  const float2 v = __ldcs(reinterpret_cast<const float2 *>(p));
  return make_double2((double)v.x, (double)v.y);
}

/* The products of one matrix, the table of g filled where one segment's offsets fit in it (`one`).  small,
 * band, grid: D = 1, one; for the matrices that is_small, is_band, is_grid tell. */
bf_err bf_cuda_bdia_full(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);
bf_err bf_cuda_bdia_half(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);
bf_err bf_cuda_bdia_small(bf_backend *be, const bf_bdia *A, bdia_args *g); /* few rows, full or half */
bf_err bf_cuda_bdia_band(bf_backend *be, const bf_bdia *A, bdia_args *g);  /* half, offsets 0, 1, ..., H */
bf_err bf_cuda_bdia_grid(bf_backend *be, const bf_bdia *A,
                         bdia_args *g); /* half, offsets of a grid's 27 points */
bool   bf_cuda_bdia_is_small(const bf_backend *be, const bf_bdia *A);
bool   bf_cuda_bdia_is_band(const bf_bdia *A);
bool   bf_cuda_bdia_is_grid(const bf_backend *be, const bf_bdia *A, const double *x);

/* The dots of a product.  Up to BDIA_TICKETS blocks the last of them adds the partial sums.  With more, the
 * fence and the ticket, for which all threads of a block wait, cost 7 % of the product (H200, 2026-11-20, 27
 * diagonals); so blocks only leave their partial sums, and one more launch adds them. */
enum { BDIA_TICKETS = 1536 };
static __device__ __forceinline__ void bdia_dots(double (&sum)[2], const bdia_args &g)
{
  if (g.left || gridDim.x > BDIA_TICKETS) {
    bf_block_sum(sum);
    if (threadIdx.x == 0)
      *reinterpret_cast<double2 *>(g.partial + 2 * (size_t)blockIdx.x) = make_double2(sum[0], sum[1]);
  } else if (bf_grid_sum(sum, g.partial, g.ticket)) {
    g.dot[0] = sum[0];
    g.dot[1] = sum[1];
  }
}

/* g = the matrix; true where one segment's offsets are in the table. */
bool bf_cuda_bdia_describe(const bf_bdia *A, bdia_args *g);

/* y = A x, not empty.  With `left` the sums stay in parts, from bf_cuda_partials, until the next who asks for
 * those. */
bf_err bf_cuda_bdia_product(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                            double *dot, int64_t *left);

/* Before and after the launch of a product of `blocks` blocks: room for its partial sums; their sum. */
bf_err bf_cuda_bdia_sums(bf_backend *be, bdia_args *g, unsigned blocks);
bf_err bf_cuda_bdia_add(bf_backend *be, const bdia_args *g, unsigned blocks);
#endif
