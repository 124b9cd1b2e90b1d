/* kernels/cuda/sparse/bdia_spmv_half.cu - y = A x, symmetric bDIA with the diagonals of offsets >= 0 stored
 *
 * Computes   y(r) = sum_k sum_b U_{k,b}(r) x((node + off_k) D + b)
 *                 + sum_{k: off_k > 0} sum_b U_{k,a}((node - off_k) D + b) x((node - off_k) D + b)
 *            for r = node D + a: the second sum gathers the transposed entries where their rows store
 *            them. No scatter, no atomics.
 * Source     the definition; the distribution of the work is this project's.
 * Layout     matrix/matrix.h. Plane (k, a) read at (node - off) D + b is contiguous in b: for the second sum
 *            thread r takes the role of column component b, reads one x and D coalesced values, and adds
 *            to D sums, one a row component; the D threads of a node exchange these at the end through
 *            shared memory.
 * Cost       4 flops a stored value off the diagonal; values are read twice, once from memory and once,
 *            off_k rows later, from L2 (default policy, no streaming loads): memory traffic is
 *            bf_bdia_product_bytes while reach times the stored bytes of a row stays well under the L2
 *            cache.
 * Launch     D = 1: 256 threads of 2 rows 32 apart (fp32: 4); else 128 D threads for 128 node rows.
 *            D = 1 has 64 registers a thread: with 32, and twice the threads on the way, it is slower.
 *            H200, 2026-11-20, 27-point 200^3: fp64 1 row, 32 registers 308 us, 2 rows 296, 4 rows 283 (not
 *            faster at 128^3 nor with dots); fp32 2 rows 268, 4 rows 201. Blocks of rows of
 *            several planes of a grid, which find U_k(i - off) in L1 or shared memory, gain a few per cent
 *            with the best shape and lose with others: not done.
 * Checked    tests/kernels/sparse/t310_bdia.c against the dense product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { SCALAR_THREADS = 256, TILE = 128 };

/* D = 1: rows of a thread, 32 apart; diagonals per step of its loop; blocks per multiprocessor, which
 * limits the registers */
template <typename T, bool ONE>
struct shape {
  static constexpr bool wide          = sizeof(T) == sizeof(double);
  static constexpr int  rows          = ONE ? (wide ? 2 : 4) : (wide ? 1 : 2);
  static constexpr int  steps         = wide ? 3 : 1;
  static constexpr int  blocks_per_sm = ONE ? 4 : 5;
};

/* D = 1. Rows past the end of the segment are copies of its last row. In one segment U_k(i - off) for i
 * < off reads the end of the previous plane, times a guard zero of x; with several segments each lower
 * entry states the rows it applies to. */
template <typename T, bool ONE, int EPILOGUE>
static __device__ __forceinline__ void warp_rows(const bdia_args &g, const T *__restrict__ values,
                                                 int64_t first, double alpha,
                                                 double (&sum)[bdia_nsums<EPILOGUE>])
{
  constexpr int     ROWS = shape<T, ONE>::rows;
  const int         lane = (int)threadIdx.x & 31;
  const bf_bdia_seg seg  = ONE ? g.seg : g.segs[bf_find_segment(g.segs, g.nseg, (bf_int)first)];
  const int64_t     end  = (int64_t)seg.row0 + seg.nrows;
  const T          *v[ROWS];
  const double     *x[ROWS];
  double            y[ROWS];
  int64_t           row[ROWS];
#pragma unroll
  for (int j = 0; j < ROWS; j++) {
    row[j] = min(first + lane + 32 * j, end - 1);
    v[j]   = values + seg.base + (row[j] - seg.row0);
    x[j]   = g.x + row[j];
    y[j]   = ONE ? (double)*v[j] * x[j][0] : 0.0;
  }
  if (ONE) {
#pragma unroll(shape <T, ONE>::steps)
    for (int k = 1; k < seg.ndiag; k++) {
      const int o = g.table[k];
#pragma unroll
      for (int j = 0; j < ROWS; j++) {
        v[j] += seg.ld;
        y[j] += (double)__ldg(v[j]) * __ldg(x[j] + o) + (double)__ldg(v[j] - o) * __ldg(x[j] - o);
      }
    }
  } else {
#pragma unroll 4
    for (int k = 0; k < seg.ndiag; k++) {
      const int64_t o = __ldg(g.off + seg.diag0 + k);
#pragma unroll
      for (int j = 0; j < ROWS; j++) {
        y[j] += (double)__ldg(v[j]) * __ldg(x[j] + o);
        v[j] += seg.ld;
      }
    }
#pragma unroll 2
    for (int l = 0; l < seg.nlower; l++) {
      const bf_bdia_lower e = g.lower[seg.lower0 + l];
#pragma unroll
      for (int j = 0; j < ROWS; j++)
        if (row[j] >= e.row_lo && row[j] < e.row_hi)
          y[j] += (double)__ldg(values + e.base + (row[j] - e.off - e.src0)) * __ldg(x[j] - e.off);
    }
  }
#pragma unroll
  for (int j = 0; j < ROWS; j++) {
    const int64_t r = first + lane + 32 * j;
    if (r < end) bdia_store_row<EPILOGUE>(g, alpha, r, y[j], sum);
  }
}

/* A warp owns 32 * rows consecutive rows of one segment. */
template <typename T, bool ONE, int EPILOGUE>
static __global__ void __launch_bounds__(SCALAR_THREADS, shape<T, ONE>::blocks_per_sm)
    half_scalar(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  constexpr int rows  = 32 * shape<T, ONE>::rows;
  const int64_t first = ((int64_t)blockIdx.x * (SCALAR_THREADS / 32) + threadIdx.x / 32) * rows;
  double        sum[bdia_nsums<EPILOGUE>] = {}, alpha;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
  if (first < g.n) warp_rows<T, ONE, EPILOGUE>(g, values, first, alpha, sum);
  bdia_dots<EPILOGUE>(sum, g);
}

/* D = 2, 3. A block owns 128 node rows of one segment, thread t the scalar row t of them: component a of
 * its node for stored entries, component b for transposed ones. */
template <typename T, int D, bool ONE, int EPILOGUE>
static __global__ void __launch_bounds__(TILE *D, D == 2 ? 6 : 4)
    half_block(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  __shared__ double exchange[D][TILE * D];
  const int64_t     first                     = (int64_t)blockIdx.x * TILE * D;
  double            sum[bdia_nsums<EPILOGUE>] = {}, alpha;
  const int         t                         = (int)threadIdx.x;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
  const bf_bdia_seg seg   = ONE ? g.seg : g.segs[bf_find_segment(g.segs, g.nseg, (bf_int)(first / D))];
  const int64_t     begin = (int64_t)seg.row0 * D, end = begin + (int64_t)seg.nrows * D;
  const int64_t     r    = min(first + t, end - 1);
  const bf_int      node = (bf_int)(r / D);
  const T          *v    = values + seg.base + (r - begin);
  const double     *x = g.x + (int64_t)node * D, *xr = g.x + r;
  double            y = 0.0, low[D];
#pragma unroll
  for (int a = 0; a < D; a++) low[a] = 0.0;
#pragma unroll 2
  for (int k = 0; k < seg.ndiag; k++) {
    const int o = ONE ? g.table[k] : __ldg(g.off + seg.diag0 + k) * D;
#pragma unroll
    for (int b = 0; b < D; b++) y += (double)__ldg(v + b * seg.ld) * __ldg(x + o + b);
    if (ONE && k > 0) {
      const double xo = __ldg(xr - o);
#pragma unroll
      for (int a = 0; a < D; a++) low[a] += (double)__ldg(v + a * seg.ld - o) * xo;
    }
    v += D * seg.ld;
  }
  if (!ONE)
    for (int l = 0; l < seg.nlower; l++) {
      const bf_bdia_lower e = g.lower[seg.lower0 + l];
      if (node < e.row_lo || node >= e.row_hi) continue;
      const int64_t o  = (int64_t)e.off * D;
      const double  xo = __ldg(xr - o);
      const T      *u  = values + e.base + (r - o - (int64_t)e.src0 * D);
#pragma unroll
      for (int a = 0; a < D; a++) low[a] += (double)__ldg(u + a * e.ld) * xo;
    }
#pragma unroll
  for (int a = 0; a < D; a++) exchange[a][t] = low[a];
  __syncthreads();
  const int a0 = t % D;
#pragma unroll
  for (int b = 0; b < D; b++) y += exchange[a0][t - a0 + b];
  if (first + t < end) bdia_store_row<EPILOGUE>(g, alpha, r, y, sum);
  bdia_dots<EPILOGUE>(sum, g);
}

template <typename T, bool ONE>
static bf_err launch(bf_backend *be, int D, bdia_args *g, const void *values)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const T           *v      = static_cast<const T *>(values);
  const unsigned     blocks = bf_cuda_blocks(g->n, D > 1 ? TILE * D : SCALAR_THREADS * shape<T, ONE>::rows);
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
#define SCALAR(epilogue) half_scalar<T, ONE, epilogue>
#define BLOCK2(epilogue) half_block<T, 2, ONE, epilogue>
#define BLOCK3(epilogue) half_block<T, 3, ONE, epilogue>
  auto *kernel = D == 1   ? BDIA_BY_EPILOGUE(g, SCALAR)
                 : D == 2 ? BDIA_BY_EPILOGUE(g, BLOCK2)
                          : BDIA_BY_EPILOGUE(g, BLOCK3);
  kernel<<<blocks, D == 1 ? (int)SCALAR_THREADS : TILE * D, 0, stream>>>(*g, v);
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

bf_err bf_cuda_bdia_half(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one)
{
  const bool wide = A->prec == BF_FP64;
  if (one)
    return (wide ? launch<double, true> : launch<float, true>)(be, A->ncomp, g, A->values);
  else
    return (wide ? launch<double, false> : launch<float, false>)(be, A->ncomp, g, A->values);
}

} // namespace bf
