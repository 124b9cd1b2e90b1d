/* kernels/cuda/sparse/bdia_spmv_transposed.cu - y = A^T x, bDIA with every diagonal stored: shifted
 * indices, no copy
 *
 * Computes   y(j D + b) = sum_k sum_a V_{k,b}((j - off_k) D + a) x((j - off_k) D + a) over the segments
 *            that contain row j - off_k; summed in the order of segments, k, a.
 * Source     bDIA: a diagonal of the transpose is a diagonal of the matrix, shifted by its offset.
 * Layout     matrix/matrix.h. For one k and b adjacent rows j read adjacent values; the D values of a node
 *            are consecutive.
 * Cost       2 flops per stored value; the bytes of the product: bf_bdia_product_bytes.
 * Launch     256 threads, one scalar row per thread; a row outside the segment of a diagonal reads nothing.
 * Checked    tests/kernels/krylov/t341_spmv_t.c against the dense product.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { THREADS = 256 };

template <typename T, int D, bool ONE>
static __global__ void __launch_bounds__(THREADS)
    transposed(const __grid_constant__ bdia_args g, const T *__restrict__ values, bf_int reach)
{
  const int64_t r = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (r >= g.n) return;
  const bf_int j = (bf_int)(r / D), b = (bf_int)(r - (int64_t)j * D), n = (bf_int)(g.n / D);
  const bf_int last = min((int64_t)j + reach, (int64_t)n - 1);
  double       sum  = 0.0;
  for (int s = ONE ? 0 : bf_find_segment(g.segs, g.nseg, max(j - reach, 0)); s < g.nseg; s++) {
    const bf_bdia_seg seg = ONE ? g.seg : g.segs[s];
    if (seg.row0 > last) break;
    const T *v = values + seg.base + (int64_t)b * seg.ld;
#pragma unroll 4
    for (int k = 0; k < seg.ndiag; k++) {
      const int64_t i = (int64_t)j - (ONE ? g.table[k] / D : __ldg(g.off + seg.diag0 + k)) - seg.row0;
      if (i >= 0 && i < seg.nrows) {
        const T      *u = v + (int64_t)k * D * seg.ld + i * D;
        const double *x = g.x + ((int64_t)seg.row0 + i) * D;
#pragma unroll
        for (int a = 0; a < D; a++) sum += (double)__ldg(u + a) * __ldg(x + a);
      }
    }
  }
  g.y[r] = sum;
}

template <typename T>
static void launch(const bf_bdia *A, bool one, cudaStream_t stream, const bdia_args &g)
{
  const T       *v      = static_cast<const T *>(A->values);
  const unsigned blocks = bf_cuda_blocks(g.n, THREADS);
  auto          *kernel = A->ncomp == 1   ? (one ? transposed<T, 1, true> : transposed<T, 1, false>)
                          : A->ncomp == 2 ? (one ? transposed<T, 2, true> : transposed<T, 2, false>)
                                          : (one ? transposed<T, 3, true> : transposed<T, 3, false>);
  kernel<<<blocks, THREADS, 0, stream>>>(g, v, A->reach);
}

extern "C" bf_part_spmv   bf_cuda_bdia_spmv;
extern "C" bf_part_spmv_t bf_cuda_bdia_spmv_t;
bf_err                    bf_cuda_bdia_spmv_t(bf_backend *be, const bf_matrix *M, const double *x, double *y)
{
  const bf_bdia *A = M->bdia;
  BF_CHECK(A && A->ncomp >= 1 && A->ncomp <= 3, BF_E_ARG, "transposed bDIA product: 1 to 3 components");
  if (A->half) return bf_cuda_bdia_spmv(be, M, x, y, NULL, NULL); /* symmetric */
  if (A->nrows == 0) return BF_OK;
  bdia_args  g   = {};
  const bool one = bf_cuda_bdia_args_of(A, x, y, &g);
  if (A->prec == BF_FP64)
    launch<double>(A, one, bf_cuda_of(be)->stream, g);
  else
    launch<float>(A, one, bf_cuda_of(be)->stream, g);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
