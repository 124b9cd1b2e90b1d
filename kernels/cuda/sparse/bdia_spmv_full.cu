/* kernels/cuda/sparse/bdia_spmv_full.cu - y = A x, bDIA with every diagonal stored
 *
 * Computes   y(r) = sum_k sum_b V_{k,b}(r) x((node + off_k) D + b), r = node D + a; summed in the order of
 *            k, b.
 * Source     bDIA: banded sparse matrix-vector product by diagonals; here with several bands, row segments
 *            and D x D blocks.
 * Layout     matrix/matrix.h. Plane (k, b) of a segment is contiguous in r, so a warp reads adjacent
 *            values; x is read through L1, with guard zeros for columns outside the matrix.
 * Cost       2 flops per stored value; every value is read once (streaming: it does not displace x in L2),
 *            x and y once: bf_bdia_product_bytes.
 * Launch     128 threads, two rows per thread with one 16-byte load (8 for fp32) per diagonal, several
 *            diagonals in flight by unrolling. A warp's rows are in one segment, because segments are cut
 *            at multiples of 128 node rows. H200, 2026-11-20, 27 diagonals, 200^3 rows: two rows 32 apart 7
 *            to 12 % slower, four rows 40 %. 2026-11-22, 9 diagonals per step against 6, with twice the
 *            registers: n = 4e6, d = 27 211 and 234 us, fp32 114 and 128.
 * Checked    tests/kernels/sparse/t310_bdia.c against the dense product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { THREADS = 128, ROWS = 2, WARP_ROWS = 32 * ROWS };

/* Blocks per multiprocessor, which limits the registers; diagonals per step */
template <int D, bool ONE>
struct full_shape {
  static constexpr bool plain         = ONE && D == 1;
  static constexpr int  blocks_per_sm = plain ? 8 : 10;
  static constexpr int  steps         = D > 1 ? 2 : plain ? 9 : 6;
};

/* A warp owns WARP_ROWS consecutive rows, a thread two adjacent ones (the pair starts at an even
 * position of a plane, so its load is aligned). Rows past the end of the segment are computed as copies
 * of its last row and not stored, so that no load needs a test. */
template <typename T, int D, bool ONE, int EPILOGUE>
static __global__ void __launch_bounds__(THREADS, full_shape<D, ONE>::blocks_per_sm)
    bdia_full(const __grid_constant__ bdia_args g, const T *__restrict__ values)
{
  const int64_t first = ((int64_t)blockIdx.x * (THREADS / 32) + threadIdx.x / 32) * WARP_ROWS;
  double        sum[bdia_nsums<EPILOGUE>] = {}, alpha;
  if (!bdia_running<EPILOGUE>(g, &alpha)) return;
  if (first < g.n) {
    const bf_bdia_seg seg   = ONE ? g.seg : g.segs[bf_find_segment(g.segs, g.nseg, (bf_int)(first / D))];
    const bf_int     *off   = g.off + seg.diag0;
    const int64_t     begin = (int64_t)seg.row0 * D, end = begin + (int64_t)seg.nrows * D;
    const int64_t     r = first + 2 * (threadIdx.x & 31), r0 = min(r, end - 1), r1 = min(r + 1, end - 1);
    const double     *x0 = g.x + r0 / D * D, *x1 = g.x + r1 / D * D;
    const T          *v  = values + seg.base + ((r0 - begin) & ~(int64_t)1);
    double            y0 = 0.0, y1 = 0.0;
#pragma unroll(full_shape <D, ONE>::steps)
    for (int k = 0; k < seg.ndiag; k++) {
      const int o = ONE ? g.table[k] : __ldg(off + k) * D;
#pragma unroll
      for (int b = 0; b < D; b++) {
        const double2 a = bdia_load_pair_streaming(v);
        y0 += a.x * __ldg(x0 + o + b);
        y1 += a.y * __ldg(x1 + o + b);
        v += seg.ld;
      }
    }
    if constexpr (full_shape<D, ONE>::plain) {
      bdia_store_two_rows<EPILOGUE>(g, alpha, r, end, y0, y1, sum);
    } else { /* with fewer registers */
      if (r < end) bdia_store_row<EPILOGUE>(g, alpha, r, y0, sum);
      if (r + 1 < end) bdia_store_row<EPILOGUE>(g, alpha, r + 1, y1, sum);
    }
  }
  bdia_dots<EPILOGUE>(sum, g);
}

template <typename T, int D>
static void launch_rows(bool one, unsigned blocks, cudaStream_t stream, const bdia_args *g, const T *v)
{
#define ONE_SEGMENT(epilogue) bdia_full<T, D, true, epilogue>
#define SEGMENTS(epilogue)    bdia_full<T, D, false, epilogue>
  auto *kernel = one ? BDIA_BY_EPILOGUE(g, ONE_SEGMENT) : BDIA_BY_EPILOGUE(g, SEGMENTS);
  kernel<<<blocks, THREADS, 0, stream>>>(*g, v);
}

template <typename T>
static void launch(int D, bool one, unsigned blocks, cudaStream_t stream, const bdia_args *g,
                   const void *values)
{
  const T *v = static_cast<const T *>(values);
  if (D == 1)
    launch_rows<T, 1>(one, blocks, stream, g, v);
  else if (D == 2)
    launch_rows<T, 2>(one, blocks, stream, g, v);
  else
    launch_rows<T, 3>(one, blocks, stream, g, v);
}

bf_err bf_cuda_bdia_full(bf_backend *be, const bf_bdia *A, bdia_args *g, bool one)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(g->n, THREADS * ROWS);
  BF_TRY(bf_cuda_bdia_partials(be, g, blocks));
  if (A->prec == BF_FP64)
    launch<double>(A->ncomp, one, blocks, stream, g, A->values);
  else
    launch<float>(A->ncomp, one, blocks, stream, g, A->values);
  return bf_cuda_bdia_add_partials(be, g, blocks);
}

} // namespace bf
