/* kernels/cuda/sparse/bdia_view.cuh - parameters and common functions of the bDIA product kernels
 *
 * Computes   what follows y = A x in each row: dot products, the vector operations of BiCGStab
 *            (bicgstab_three_kernel.cu), or the step of a smoother (multigrid/ops.h).
 * Source     see the kernels.
 * Layout     bdia_args is passed by value and lies in constant memory.
 * Cost       see the kernels; a sum is 16 bytes per block.
 * Checked    tests/kernels/sparse/t310_bdia.c, tests/kernels/krylov/t346_fused_bicgstab.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_SPARSE_BDIA_VIEW_CUH
#define BF_KERNELS_CUDA_SPARSE_BDIA_VIEW_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/krylov/state.h"
extern "C" {
#include "kernels/multigrid/step_row.h"
}

namespace bf
{

enum { BDIA_TABLE = 128 }; /* offsets that fit in the kernel's parameters, in scalar rows */

/* Epilogue of a row: the dot products of the table; the first and the second product of BiCGStab
 * (bicgstab_three_kernel.cu), which do nothing after the iteration has ended; the step of a smoother, which
 * stores no y */
enum { BDIA_EPILOGUE_DOT, BDIA_EPILOGUE_S, BDIA_EPILOGUE_T, BDIA_EPILOGUE_STEP };

struct bdia_bicgstab {           /* the vectors of the last two */
  const bf_krylov_state *state;  /* NULL: plain */
  int                    second; /* 1: t = A M^-1 s and its partial sums; 0: v = A M^-1 p, s replaces r */
  double                *r, *rh; /* receive s and M^-1 s; rh is written with dinv only */
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
  double              *y, *dot, *partial; /* y = A x; dot[0] = w.y, dot[1] = y.y if w is not NULL */
  unsigned            *ticket;
  int64_t *nparts; /* host, or NULL: number of blocks whose sums w.y and y.y stay in partial[2 * *nparts] */
  bdia_bicgstab bicgstab;
  bf_mg_step    step;              /* step.b NULL: none */
  int           table[BDIA_TABLE]; /* off[k]*D of that segment, if it fits */
};

/* Two adjacent values in one streaming load: 16 bytes, or 8 for fp32 */
static __device__ __forceinline__ double2 bdia_load_pair_streaming(const double *p)
{
  return __ldcs(reinterpret_cast<const double2 *>(p));
}
static __device__ __forceinline__ double2 bdia_load_pair_streaming(const float *p)
{
  const float2 v = __ldcs(reinterpret_cast<const float2 *>(p));
  return make_double2((double)v.x, (double)v.y);
}

/* The products of a matrix. The table of g is filled if the offsets of a single segment fit in it
 * (`one`). small, band, grid: D = 1 and `one`; for matrices that satisfy is_small, is_band, is_grid. */
bf_err bf_cuda_bdia_full(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);
bf_err bf_cuda_bdia_half(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one);
bf_err bf_cuda_bdia_few_rows(bf_backend *be, const bf_bdia *A, bdia_args *g); /* few rows, full or half */
bf_err bf_cuda_bdia_band(bf_backend *be, const bf_bdia *A, bdia_args *g);     /* half, offsets 0, 1, ..., H */
bf_err bf_cuda_bdia_stencil27(bf_backend *be, const bf_bdia *A,
                              bdia_args *g); /* half, offsets of a grid's 27 points */
bf_err bf_cuda_bdia_small(bf_backend *be, const bf_bdia *A, bdia_args *g); /* half, D > 1, few rows */
bool   bf_cuda_bdia_is_small(const bf_backend *be, const bf_bdia *A);
bool   bf_cuda_bdia_has_few_rows(const bf_backend *be, const bf_bdia *A);
bool   bf_cuda_bdia_is_band(const bf_bdia *A);
bool   bf_cuda_bdia_is_stencil27(const bf_backend *be, const bf_bdia *A, const double *x);

/* Sums per block */
template <int EPILOGUE>
static constexpr int bdia_nsums = EPILOGUE == BDIA_EPILOGUE_T ? 5 : 2;

/* Data of the row besides y, for kernels that load it ahead */
template <int EPILOGUE>
static __device__ __forceinline__ double2 bdia_load_row(const bdia_args &g, int64_t row)
{
  if (EPILOGUE == BDIA_EPILOGUE_DOT) return make_double2(g.w ? __ldg(g.w + row) : 0.0, 0.0);
  if (EPILOGUE == BDIA_EPILOGUE_STEP) return make_double2(0.0, 0.0);
  if (EPILOGUE == BDIA_EPILOGUE_S)
    return make_double2(g.bicgstab.r[row], g.bicgstab.dinv ? g.bicgstab.dinv[row] : 0.0);
  return make_double2(g.bicgstab.r[row], g.bicgstab.r0[row]);
}

/* Epilogue of a row with value y. Second product: t.s, t.t, s.s, r0.s, r0.t. */
template <int EPILOGUE>
static __device__ __forceinline__ void bdia_store_loaded_row(const bdia_args &g, double alpha, int64_t row,
                                                             double y, double2 loaded,
                                                             double (&sum)[bdia_nsums<EPILOGUE>])
{
  if constexpr (EPILOGUE == BDIA_EPILOGUE_STEP) {
    bf_mg_step_row(&g.step, row, y);
    return;
  }
  g.y[row] = y;
  if constexpr (EPILOGUE == BDIA_EPILOGUE_S) {
    const double s    = loaded.x - alpha * y;
    g.bicgstab.r[row] = s;
    if (g.bicgstab.dinv) g.bicgstab.rh[row] = loaded.y * s;
  } else {
    sum[0] += loaded.x * y;
    sum[1] += y * y;
  }
  if constexpr (EPILOGUE == BDIA_EPILOGUE_T) {
    sum[2] += loaded.x * loaded.x;
    sum[3] += loaded.y * loaded.x;
    sum[4] += loaded.y * y;
  }
}

template <int EPILOGUE>
static __device__ __forceinline__ void bdia_store_row(const bdia_args &g, double alpha, int64_t row, double y,
                                                      double (&sum)[bdia_nsums<EPILOGUE>])
{
  if constexpr (EPILOGUE == BDIA_EPILOGUE_DOT) {
    g.y[row] = y;
    if (g.w) sum[0] += g.w[row] * y;
    sum[1] += y * y;
  } else
    bdia_store_loaded_row<EPILOGUE>(g, alpha, row, y, bdia_load_row<EPILOGUE>(g, row), sum);
}

/* Rows row, which is even, and row + 1, as far as they are below end. The vectors of an iteration are
 * aligned to 16 bytes. */
template <int EPILOGUE>
static __device__ __forceinline__ void bdia_store_two_rows(const bdia_args &g, double alpha, int64_t row,
                                                           int64_t end, double y0, double y1,
                                                           double (&sum)[bdia_nsums<EPILOGUE>])
{
  if (EPILOGUE == BDIA_EPILOGUE_DOT || EPILOGUE == BDIA_EPILOGUE_STEP || row + 1 >= end) {
    if (row < end) bdia_store_row<EPILOGUE>(g, alpha, row, y0, sum);
    if (row + 1 < end) bdia_store_row<EPILOGUE>(g, alpha, row + 1, y1, sum);
    return;
  }
  double2      *r = reinterpret_cast<double2 *>(g.bicgstab.r + row);
  const double2 s = *r;
  if constexpr (EPILOGUE == BDIA_EPILOGUE_S) {
    const double2 t = make_double2(s.x - alpha * y0, s.y - alpha * y1);
    *r              = t;
    if (g.bicgstab.dinv) {
      const double2 d = *reinterpret_cast<const double2 *>(g.bicgstab.dinv + row);
      *reinterpret_cast<double2 *>(g.bicgstab.rh + row) = make_double2(d.x * t.x, d.y * t.y);
    }
  }
  if constexpr (EPILOGUE == BDIA_EPILOGUE_T) {
    const double2 r0 = *reinterpret_cast<const double2 *>(g.bicgstab.r0 + row);
    sum[0] += s.x * y0 + s.y * y1;
    sum[1] += y0 * y0 + y1 * y1;
    sum[2] += s.x * s.x + s.y * s.y;
    sum[3] += r0.x * s.x + r0.y * s.y;
    sum[4] += r0.x * y0 + r0.y * y1;
  }
  *reinterpret_cast<double2 *>(g.y + row) = make_double2(y0, y1);
}

/* alpha of the first product; false: the iteration has ended */
template <int EPILOGUE>
static __device__ __forceinline__ bool bdia_running(const bdia_args &g, double *alpha)
{
  *alpha = EPILOGUE == BDIA_EPILOGUE_S ? g.bicgstab.state->alpha : 0.0;
  return EPILOGUE == BDIA_EPILOGUE_DOT || EPILOGUE == BDIA_EPILOGUE_STEP ||
         g.bicgstab.state->status == BF_KRYLOV_RUNNING;
}

/* The dot products. Up to BDIA_TICKETS blocks the last block adds the partial sums. With more blocks the
 * fence and the ticket, for which all threads of a block wait, cost 7 % of the product (H200,
 * 2026-11-20, 27 diagonals); then blocks only store their partial sums, and one more launch adds them. */
enum { BDIA_TICKETS = 1536 };
template <int EPILOGUE>
static __device__ __forceinline__ void bdia_dots(double (&sum)[bdia_nsums<EPILOGUE>], const bdia_args &g)
{
  constexpr int N = bdia_nsums<EPILOGUE>;
  if (EPILOGUE == BDIA_EPILOGUE_S || EPILOGUE == BDIA_EPILOGUE_STEP ||
      (EPILOGUE == BDIA_EPILOGUE_DOT && !g.w))
    return;
  if (EPILOGUE == BDIA_EPILOGUE_T) {
    bf_block_sum(sum);
    for (int j = 0; j < N && threadIdx.x == 0; j++) g.partial[N * (size_t)blockIdx.x + j] = sum[j];
  } else if (g.nparts || gridDim.x > BDIA_TICKETS) {
    bf_block_sum(sum);
    if (threadIdx.x == 0)
      *reinterpret_cast<double2 *>(g.partial + 2 * (size_t)blockIdx.x) = make_double2(sum[0], sum[1]);
  } else if (bf_grid_sum(sum, g.partial, g.ticket)) {
    g.dot[0] = sum[0];
    g.dot[1] = sum[1];
  }
}

/* Sets the matrix and the vectors of y = A x in g, which was {}; true if one segment's offsets are in
 * the table */
bool bf_cuda_bdia_args_of(const bf_bdia *A, const double *x, double *y, bdia_args *g);

/* y = A x, not empty. With `nparts` the partial sums stay in the memory of bf_cuda_partials until its next
 * request. */
bf_err bf_cuda_bdia_product(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                            double *dot, int64_t *nparts);

/* The same with the epilogues of BiCGStab; the second product leaves its sums in 5 * *nparts parts. */
bf_err bf_cuda_bdia_bicgstab(bf_backend *be, const bf_bdia *A, const double *x, double *y,
                             const bdia_bicgstab &bicgstab, int64_t *nparts);

/* A step of a smoother with y = A v. */
bf_err bf_cuda_bdia_step(bf_backend *be, const bf_bdia *A, const double *v, const bf_mg_step &step);

/* Kernel<..., EPILOGUE> by epilogue */
#define BDIA_BY_EPILOGUE(g, kernel)                                                                          \
  ((g)->step.b            ? kernel(BDIA_EPILOGUE_STEP)                                                       \
   : !(g)->bicgstab.state ? kernel(BDIA_EPILOGUE_DOT)                                                        \
   : (g)->bicgstab.second ? kernel(BDIA_EPILOGUE_T)                                                          \
                          : kernel(BDIA_EPILOGUE_S))

/* Before and after the launch of a product of `blocks` blocks: memory for its partial sums; their sum */
bf_err bf_cuda_bdia_partials(bf_backend *be, bdia_args *g, unsigned blocks);
bf_err bf_cuda_bdia_add_partials(bf_backend *be, const bdia_args *g, unsigned blocks);

} // namespace bf
#endif
