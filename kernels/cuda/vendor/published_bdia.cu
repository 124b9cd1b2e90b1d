/* kernels/cuda/vendor/published_bdia.cu - the kernels published with bDIA; see kernels/vendor.h
 *
 * Computes   y(i) = sum_k values(i + ld k) x(i + k - d/2), k = 0 .. d-1.
 * Source     "Efficient Sparse Matrix-vector Multiplication and CG Solver Optimization on GPU", section 3.4
 *            and figure 7: a block first copies the THREADS + d - 1 entries of x it needs to shared memory.
 *            The plain form reads x from global memory.
 * Layout     diagonals contiguous, ld apart.
 * Cost       8 d bytes per row and x, y.
 * Launch     one thread per row.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/vendor.h"

namespace bf
{

enum { THREADS = 256 };

template <typename T, bool SHARED>
static __global__ void __launch_bounds__(THREADS)
    paper(int n, int d, int64_t ld, const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
  extern __shared__ unsigned char raw[];
  T                              *part  = reinterpret_cast<T *>(raw);
  const int                       first = (int)blockIdx.x * THREADS, i = first + (int)threadIdx.x;
  if (SHARED) {
    for (int k = (int)threadIdx.x; k < THREADS + d - 1; k += THREADS) {
      const int j = first + k - d / 2;
      part[k]     = j >= 0 && j < n ? x[j] : (T)0;
    }
    __syncthreads();
  }
  if (i >= n) return;
  T sum = 0;
  for (int k = 0; k < d; k++) sum += values[i + ld * k] * (SHARED ? part[threadIdx.x + k] : x[i + k - d / 2]);
  y[i] = sum;
}

extern "C" bf_err bf_peer_paper(bf_backend *be, const bf_bdia *A, int shared, const void *x, void *y)
{
  BF_CHECK(be && A && x && y && be->ops.on_device, BF_E_ARG, "null argument");
  const int d = A->ndiag;
  BF_CHECK(A->nseg == 1 && A->ncomp == 1 && !A->half && A->off[d - 1] - A->off[0] == d - 1 &&
               d == 2 * A->reach + 1,
           BF_E_ARG, "not one full symmetric band");
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  const unsigned     blocks = bf_cuda_blocks(A->nrows, THREADS);
  const size_t       item = A->prec == BF_FP64 ? 8 : 4, room = shared ? (size_t)(THREADS + d - 1) * item : 0;
  const int64_t      ld = A->seg[0].ld;
  if (A->prec == BF_FP64)
    (shared ? paper<double, true> : paper<double, false>)<<<blocks, THREADS, room, stream>>>(
        A->nrows, d, ld, static_cast<const double *>(A->values) + A->seg[0].base,
        static_cast<const double *>(x), static_cast<double *>(y));
  else
    (shared ? paper<float, true> : paper<float, false>)<<<blocks, THREADS, room, stream>>>(
        A->nrows, d, ld, static_cast<const float *>(A->values) + A->seg[0].base,
        static_cast<const float *>(x), static_cast<float *>(y));
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
