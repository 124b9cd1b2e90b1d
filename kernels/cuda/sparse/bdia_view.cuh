/* kernels/cuda/sparse/bdia_view.cuh - how the product kernels of bDIA are told the matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_SPARSE_BDIA_VIEW_CUH
#define BF_KERNELS_CUDA_SPARSE_BDIA_VIEW_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/krylov/state.h"

namespace bf
{

enum { BDIA_TABLE = 128 }; /* offsets that fit in the kernel's parameters, in scalar rows */

/* What a product does with a row it has: nothing but the dots of the table; the first and the second of
 * BiCGStab (bicgstab_three_kernel.cu), which do nothing where the iteration has ended. */
enum { BDIA_PLAIN, BDIA_FIRST, BDIA_SECOND };

struct bdia_stab {               /* the vectors of the two */
  const bf_krylov_state *state;  /* NULL: plain */
  int                    second; /* 1: t = A M^-1 s and its sums in parts; 0: v = A M^-1 p, s in r's place */
  double                *r, *rh; /* s and M^-1 s are left here; rh is written with dinv only */
  const double          *r0, *dinv;
};

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
  int64_t  *left; /* host, or NULL: leave partial[2 * *left] as they are, pairs w.y and y.y of blocks */
  bdia_stab stab;
  int       table[BDIA_TABLE]; /* off[k]*D of that segment, if it fits */
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

/* Sums of a block. */
template <int AFTER>
static constexpr int bdia_count = AFTER == BDIA_SECOND ? 5 : 2;

/* What the row needs beside its y, for those who load it ahead. */
template <int AFTER>
static __device__ __forceinline__ double2 bdia_beside(const bdia_args &g, int64_t row)
{
  if (AFTER == BDIA_PLAIN) return make_double2(g.w ? __ldg(g.w + row) : 0.0, 0.0);
  if (AFTER == BDIA_FIRST) return make_double2(g.stab.r[row], g.stab.dinv ? g.stab.dinv[row] : 0.0);
  return make_double2(g.stab.r[row], g.stab.r0[row]);
}

/* A row has its y.  Second: t.s, t.t, s.s, r0.s, r0.t. */
template <int AFTER>
static __device__ __forceinline__ void bdia_row_with(const bdia_args &g, double alpha, int64_t row, double y,
                                                     double2 beside, double (&sum)[bdia_count<AFTER>])
{
  g.y[row] = y;
  if constexpr (AFTER == BDIA_FIRST) {
    const double s = beside.x - alpha * y;
    g.stab.r[row]  = s;
    if (g.stab.dinv) g.stab.rh[row] = beside.y * s;
  } else {
    sum[0] += beside.x * y;
    sum[1] += y * y;
  }
  if constexpr (AFTER == BDIA_SECOND) {
    sum[2] += beside.x * beside.x;
    sum[3] += beside.y * beside.x;
    sum[4] += beside.y * y;
  }
}

template <int AFTER>
static __device__ __forceinline__ void bdia_row(const bdia_args &g, double alpha, int64_t row, double y,
                                                double (&sum)[bdia_count<AFTER>])
{
  if constexpr (AFTER == BDIA_PLAIN) {
    g.y[row] = y;
    if (g.w) sum[0] += g.w[row] * y;
    sum[1] += y * y;
  } else
    bdia_row_with<AFTER>(g, alpha, row, y, bdia_beside<AFTER>(g, row), sum);
}

/* Rows row, which is even, and row + 1, as far as they are below end.  The vectors of an iteration begin at
 * even entries. */
template <int AFTER>
static __device__ __forceinline__ void bdia_two_rows(const bdia_args &g, double alpha, int64_t row,
                                                     int64_t end, double y0, double y1,
                                                     double (&sum)[bdia_count<AFTER>])
{
  if (AFTER == BDIA_PLAIN || row + 1 >= end) {
    if (row < end) bdia_row<AFTER>(g, alpha, row, y0, sum);
    if (row + 1 < end) bdia_row<AFTER>(g, alpha, row + 1, y1, sum);
    return;
  }
  double2      *r = reinterpret_cast<double2 *>(g.stab.r + row);
  const double2 s = *r;
  if constexpr (AFTER == BDIA_FIRST) {
    const double2 t = make_double2(s.x - alpha * y0, s.y - alpha * y1);
    *r              = t;
    if (g.stab.dinv) {
      const double2 d                               = *reinterpret_cast<const double2 *>(g.stab.dinv + row);
      *reinterpret_cast<double2 *>(g.stab.rh + row) = make_double2(d.x * t.x, d.y * t.y);
    }
  }
  if constexpr (AFTER == BDIA_SECOND) {
    const double2 r0 = *reinterpret_cast<const double2 *>(g.stab.r0 + row);
    sum[0] += s.x * y0 + s.y * y1;
    sum[1] += y0 * y0 + y1 * y1;
    sum[2] += s.x * s.x + s.y * s.y;
    sum[3] += r0.x * s.x + r0.y * s.y;
    sum[4] += r0.x * y0 + r0.y * y1;
  }
  *reinterpret_cast<double2 *>(g.y + row) = make_double2(y0, y1);
}

/* alpha of the first; false: the iteration has ended. */
template <int AFTER>
static __device__ __forceinline__ bool bdia_goes_on(const bdia_args &g, double *alpha)
{
  *alpha = AFTER == BDIA_FIRST ? g.stab.state->alpha : 0.0;
  return AFTER == BDIA_PLAIN || g.stab.state->status == BF_KRYLOV_RUNNING;
}

/* The dots of a product.  Up to BDIA_TICKETS blocks the last of them adds the partial sums.  With more, the
 * fence and the ticket, for which all threads of a block wait, cost 7 % of the product (H200, 2026-11-20, 27
 * diagonals); so blocks only leave their partial sums, and one more launch adds them. */
enum { BDIA_TICKETS = 1536 };
template <int AFTER>
static __device__ __forceinline__ void bdia_dots(double (&sum)[bdia_count<AFTER>], const bdia_args &g)
{
  constexpr int N = bdia_count<AFTER>;
  if (AFTER == BDIA_FIRST || (AFTER == BDIA_PLAIN && !g.w)) return;
  if (AFTER == BDIA_SECOND) {
    bf_block_sum(sum);
    for (int j = 0; j < N && threadIdx.x == 0; j++) g.partial[N * (size_t)blockIdx.x + j] = sum[j];
  } else if (g.left || gridDim.x > BDIA_TICKETS) {
    bf_block_sum(sum);
    if (threadIdx.x == 0)
      *reinterpret_cast<double2 *>(g.partial + 2 * (size_t)blockIdx.x) = make_double2(sum[0], sum[1]);
  } else if (bf_grid_sum(sum, g.partial, g.ticket)) {
    g.dot[0] = sum[0];
    g.dot[1] = sum[1];
  }
}

/* The matrix and the vectors of y = A x go to g, which was {}; true where one segment's offsets are in the
 * table. */
bool bf_cuda_bdia_describe(const bf_bdia *A, const double *x, double *y, bdia_args *g);

/* y = A x, not empty.  With `left` the sums stay in parts, from bf_cuda_partials, until the next who asks for
 * those. */
bf_err bf_cuda_bdia_product(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                            double *dot, int64_t *left);

/* The same with what BiCGStab does about it; the second leaves its sums in 5 * *left parts. */
bf_err bf_cuda_bdia_stabilise(bf_backend *be, const bf_bdia *A, const double *x, double *y,
                              const bdia_stab &stab, int64_t *left);

/* Kernel<..., AFTER> of the three. */
#define BDIA_AFTER(g, kernel)                                                                                \
  (!(g)->stab.state ? kernel(BDIA_PLAIN) : (g)->stab.second ? kernel(BDIA_SECOND) : kernel(BDIA_FIRST))

/* Before and after the launch of a product of `blocks` blocks: room for its partial sums; their sum. */
bf_err bf_cuda_bdia_sums(bf_backend *be, bdia_args *g, unsigned blocks);
bf_err bf_cuda_bdia_add(bf_backend *be, const bdia_args *g, unsigned blocks);

} // namespace bf
#endif
