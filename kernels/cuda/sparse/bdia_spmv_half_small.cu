/* kernels/cuda/sparse/bdia_spmv_half_small.cu - y = A x, symmetric bDIA of two or three components with few
 * rows
 *
 * Computes   as bdia_spmv_half.cu.
 * Source     own.
 * Layout     matrix/matrix.h, one segment, D = 2, 3.
 * Cost       as bdia_spmv_half.cu; the time is that of a few dependent reads, not of the memory
 *            traffic.
 * Launch     a block owns 32 node rows; SLICES groups of 32 D threads share the diagonals, so that a
 *            thread has 2 of 14.  H200, 2026-11-24: bdia_spmv_half.cu takes 13 us for any matrix of
 *            less than 2e4 rows.
 * Checked    tests/kernels/sparse/t310_bdia.c, tests/solvers/t431_smoother_steps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { NODES = 32, SLICES = 7, MIN_DIAGONALS = 4, BLOCKS_PER_SM = 3 };

/* Thread t of a slice owns scalar row t of the block: component a of its node for stored entries, component b
 * for transposed ones. */
template <typename T, int D, int EPILOGUE>
static __global__ void __launch_bounds__(NODES *D *SLICES)
    half_small(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  constexpr int     ROWS = NODES * D;
  __shared__ double part[SLICES][D + 1][ROWS];
  const int         t = (int)threadIdx.x % ROWS, slice = (int)threadIdx.x / ROWS;
  const int64_t     first = (int64_t)blockIdx.x * ROWS, r = min(first + t, g.n - 1), ld = g.seg.ld;
  const T          *v = values + g.seg.base + r;
  const double     *x = g.x + r / D * D, *xr = g.x + r;
  double            y = 0.0, low[D], sum[bdia_nsums<EPILOGUE>] = {}, alpha;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
#pragma unroll
  for (int a = 0; a < D; a++) low[a] = 0.0;
#pragma unroll 2
  for (int k = slice; k < g.seg.ndiag; k += SLICES) {
    const int o = g.table[k];
    const T  *u = v + k * D * ld;
#pragma unroll
    for (int b = 0; b < D; b++) y += (double)__ldg(u + b * ld) * __ldg(x + o + b);
    if (k == 0) continue;
    const double xo = __ldg(xr - o);
#pragma unroll
    for (int a = 0; a < D; a++) low[a] += (double)__ldg(u + a * ld - o) * xo;
  }
  part[slice][D][t] = y;
#pragma unroll
  for (int a = 0; a < D; a++) part[slice][a][t] = low[a];
  __syncthreads();
  if (slice == 0 && first + t < g.n) {
    const int a0 = t % D;
    y            = 0.0;
#pragma unroll
    for (int s = 0; s < SLICES; s++) {
      y += part[s][D][t];
#pragma unroll
      for (int b = 0; b < D; b++) y += part[s][a0][t - a0 + b];
    }
    bdia_store_row<EPILOGUE>(g, alpha, r, y, sum);
  }
  bdia_dots<EPILOGUE>(sum, g);
}

template <typename T, int D>
static bf_err launch(bf_backend *be, bdia_args *g, const void *values)
{
  const unsigned blocks = bf_cuda_blocks(g->n, NODES * D);
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
#define HALF_SMALL(epilogue) half_small<T, D, epilogue>
  auto *kernel = BDIA_BY_EPILOGUE(g, HALF_SMALL);
  kernel<<<blocks, NODES * D * SLICES, 0, bf_cuda_of(be)->stream>>>(*g, static_cast<const T *>(values));
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

bool bf_cuda_bdia_is_small(const bf_backend *be, const bf_bdia *A)
{
  return A->half && A->ncomp > 1 && A->nseg == 1 && A->ndiag >= MIN_DIAGONALS &&
         A->nrows <= (bf_int)NODES * BLOCKS_PER_SM * bf_cuda_of(be)->sms;
}

bf_err bf_cuda_bdia_small(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  if (A->prec == BF_FP64)
    return (A->ncomp == 2 ? launch<double, 2> : launch<double, 3>)(be, g, A->values);
  else
    return (A->ncomp == 2 ? launch<float, 2> : launch<float, 3>)(be, g, A->values);
}

} // namespace bf
