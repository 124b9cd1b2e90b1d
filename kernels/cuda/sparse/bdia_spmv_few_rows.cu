/* kernels/cuda/sparse/bdia_spmv_few_rows.cu - y = A x for few rows: the warps of a block share the
 * diagonals of its rows
 *
 * Computes   as bdia_spmv_full.cu and bdia_spmv_half.cu, D = 1, one segment; a row's sum is that of WARPS
 *            partial sums, the w-th over the diagonals w, w + WARPS, ...
 * Source     with a thread per row, 15600 rows are 61 blocks of 256 for 132 multiprocessors, and the 101
 *            loads of a row are issued one after another; here the few loads of a thread are all in flight
 *            at once.
 * Layout     matrix/matrix.h. The matrix stays in L2; values are read through L1, where half storage finds
 *            most of its second reads.
 * Cost       bf_bdia_product_bytes from L2; latency-bound.
 * Launch     32 R rows and WARPS warps per block; programmatic dependent launch (saves 0.3 us). H200,
 *            2026-11-22, d = 101, in a graph, n = 15600 and 30000: half 9.3 and 9.4 us by
 *            bdia_spmv_half.cu, 2.7 and 4.1 here; full 23 and 23 by bdia_spmv_full.cu, 3.1 and 5.3 here.
 * Checked    tests/kernels/sparse/t310_bdia.c against the dense product, t354_band_shapes.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/programmatic_launch.cuh"
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

/* Rows per multiprocessor; stored diagonals; blocks per multiprocessor up to which more warps share the
 * diagonals */
enum { MAX_ROWS = 500, MIN_DIAGONALS = 4, FEW_BLOCKS = 2 };

template <typename T, bool HALF, int R, int WARPS, int EPILOGUE>
static __global__ void __launch_bounds__(32 * WARPS)
    bdia_few_rows(const __grid_constant__ bdia_args g, const T *values)
{
  __shared__ double part[WARPS][32 * R];
  const int         warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x & 31;
  const int64_t     first = (int64_t)blockIdx.x * 32 * R, ld = g.seg.ld;
  const T          *v[R];
  const double     *x[R];
  double            y[R], sum[bdia_nsums<EPILOGUE>] = {}, alpha;
#pragma unroll
  for (int j = 0; j < R; j++) { /* rows past the end are copies of the last */
    const int64_t row = min(first + lane + 32 * j, g.n - 1);
    v[j]              = values + g.seg.base + row;
    x[j]              = g.x + row;
  }
  pdl_wait();
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
#pragma unroll
  for (int j = 0; j < R; j++) y[j] = HALF && warp == 0 ? (double)*v[j] * x[j][0] : 0.0;
#pragma unroll(HALF ? 5 : 8)
  for (int k = HALF + warp; k < g.seg.ndiag; k += WARPS) {
    const int     o  = g.table[k];
    const int64_t at = k * ld;
#pragma unroll
    for (int j = 0; j < R; j++) {
      y[j] += (double)v[j][at] * x[j][o];
      if (HALF) y[j] += (double)v[j][at - o] * x[j][-o];
    }
  }
#pragma unroll
  for (int j = 0; j < R; j++) part[warp][lane + 32 * j] = y[j];
  __syncthreads();
  pdl_trigger(); /* the dependent kernel may start; it waits in pdl_wait */
  const int64_t row = first + threadIdx.x;
  if (threadIdx.x < 32 * R && row < g.n) {
    double s = 0.0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) s += part[w][threadIdx.x];
    bdia_store_row<EPILOGUE>(g, alpha, row, s, sum);
  }
  bdia_dots<EPILOGUE>(sum, g);
}

template <typename T, bool HALF, int R, int WARPS>
static bf_err launch(bf_backend *be, bdia_args *g, const void *values, unsigned blocks)
{
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
#define FEW_ROWS(epilogue) bdia_few_rows<T, HALF, R, WARPS, epilogue>
  BF_TRY(BF_CUDA(pdl_launch(BDIA_BY_EPILOGUE(g, FEW_ROWS), blocks, 32 * WARPS, 0, bf_cuda_of(be)->stream, *g,
                            static_cast<const T *>(values))));
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

template <typename T>
static bf_err choose(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  if (!A->half) return launch<T, false, 1, 13>(be, g, A->values, bf_cuda_blocks(g->n, 32));
  const unsigned blocks = bf_cuda_blocks(g->n, 64);
  const bool     few    = blocks <= FEW_BLOCKS * (unsigned)bf_cuda_of(be)->sms;
  return (few ? launch<T, true, 2, 17> : launch<T, true, 2, 10>)(be, g, A->values, blocks);
}

bool bf_cuda_bdia_has_few_rows(const bf_backend *be, const bf_bdia *A)
{
  return A->ncomp == 1 && A->nseg == 1 && A->ndiag >= MIN_DIAGONALS &&
         A->nrows <= MAX_ROWS * bf_cuda_of(be)->sms;
}

bf_err bf_cuda_bdia_few_rows(bf_backend *be, const bf_bdia *A, bdia_args *g)
{
  return (A->prec == BF_FP64 ? choose<double> : choose<float>)(be, A, g);
}

} // namespace bf
