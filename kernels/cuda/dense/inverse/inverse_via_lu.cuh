/* kernels/cuda/dense/inverse/inverse_via_lu.cuh - batches: A^-1 of orders from 161 (S: 257; D, C: 193) to 512
 * from the factors of a copy
 *
 * Computes   P A = L U of a copy in the workspace, X = U^-1 L^-1 beside it, A^-1 = X P to A, which stays
 *            as it was where that fails.
 * Layout     some members at a time, by their number among those.  work: copies, by columns of ld; orders,
 *            list and number of those that there are; info; ipiv; what LU needs; what getri needs.
 * Cost       2 n^3 flops (complex 8); beside LU and getri A is read once and its copy written.
 * Source     lu_blocked.cuh, getri.cuh.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_VIA_LU_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_VIA_LU_CUH
#include "kernels/cuda/dense/inverse/getri.cuh"

namespace bf
{

/* Columns and threads of a block that copies; copies at once */
enum { INVERSE_LU_COLUMNS = 16, INVERSE_LU_THREADS = 256, INVERSE_LU_MOST = 4096 };

template <class T>
struct inverse_lu_room {
  T     *copy;
  int   *order, *list, *live, *info, *ipiv;
  void  *lu, *getri;
  int    n, ld, count;
  size_t bytes;

  inverse_lu_room(void *work, int n_, int count_)
      : n(n_), ld((n_ + 7) / 8 * 8), count(count_ < INVERSE_LU_MOST ? count_ : INVERSE_LU_MOST), bytes(0)
  {
    const auto take = [&](size_t size) {
      const size_t at = bytes;
      bytes += (size + 255) / 256 * 256;
      return work ? static_cast<char *>(work) + at : NULL;
    };
    const size_t many = (size_t)count;
    copy              = reinterpret_cast<T *>(take(many * (size_t)n * (size_t)ld * sizeof(T)));
    order             = reinterpret_cast<int *>(take(many * sizeof(int)));
    list              = reinterpret_cast<int *>(take(many * sizeof(int)));
    live              = reinterpret_cast<int *>(take(sizeof(int)));
    info              = reinterpret_cast<int *>(take(many * sizeof(int)));
    ipiv              = reinterpret_cast<int *>(take(many * (size_t)n * sizeof(int)));
    lu                = take(lu_mid_work<T>(n, count));
    getri             = take(getri_room<T>::bytes(n, count));
  }
  batch_view<T> view(bool sizes, int some) const
  {
    return {copy,
            NULL,
            (int64_t)n * ld,
            n,
            ld,
            some,
            n,
            sizes ? order : NULL,
            sizes ? list : NULL,
            sizes ? live : NULL};
  }
};

/* The k-th of the copies is member first + k of A. */
template <class T>
static __global__ void __launch_bounds__(INVERSE_LU_THREADS)
    inverse_lu_take(const batch_view<T> A, int first, const batch_view<T> C, int *order, int *list, int *live,
                    int parts)
{
  const int k = (int)blockIdx.x / parts, part = (int)blockIdx.x - k * parts, lane = (int)threadIdx.x & 31;
  const int left = A.members() - first;
  if (part == 0 && threadIdx.x == 0) {
    if (k == 0) *live = max(0, min(left, C.count));
    list[k] = k, order[k] = k < left ? A.order(A.member(first + k)) : 0;
  }
  if (k >= left) return;
  const int  b = A.member(first + k), n = A.order(b);
  const T   *a    = A.matrix(b);
  T         *c    = C.matrix(k);
  const bool wide = (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0;
  for (int j = part * INVERSE_LU_COLUMNS + (int)threadIdx.x / 32; j < min(n, (part + 1) * INVERSE_LU_COLUMNS);
       j += INVERSE_LU_THREADS / 32) {
    const T *from = a + (int64_t)j * A.ld;
    T       *to   = c + (int64_t)j * C.ld;
    T        x[16];
#pragma unroll
    for (int e = 0; e < 16; e++)
      if (lane + 32 * e < n) x[e] = load(from + lane + 32 * e, wide);
#pragma unroll
    for (int e = 0; e < 16; e++)
      if (lane + 32 * e < n) store(to + lane + 32 * e, x[e], true);
  }
}
template <class T>
static __global__ void __launch_bounds__(GETRI_END_THREADS)
    inverse_lu_give(const batch_view<T> A, int first, const batch_view<T> C, const int *__restrict__ done,
                    int *__restrict__ info, void *work, int parts)
{
  const getri_room<T> W(work, C.n, C.count);
  const int           k = (int)blockIdx.x / parts, part = (int)blockIdx.x - k * parts;
  if (first + k >= A.members()) return;
  const int b = A.member(first + k);
  if (part == 0 && threadIdx.x == 0) info[b] = done[k];
  if (done[k] == 0) getri_columns(W, k, C.n, A.order(b), part * GETRI_END_COLUMNS, A.matrix(b), A.ld);
}

template <class T>
size_t inverse_lu_work(int n, int count)
{
  return inverse_lu_room<T>(NULL, n, count).bytes;
}

template <class T>
cudaError_t inverse_lu(const batch_view<T> &A, int *info, void *work, cudaStream_t s)
{
  const inverse_lu_room<T> W(work, A.n, A.count);
  const int                parts = (A.n + INVERSE_LU_COLUMNS - 1) / INVERSE_LU_COLUMNS;
  cudaError_t              e     = cudaSuccess;
  for (int first = 0; e == cudaSuccess && first < A.count; first += W.count) {
    const int           some = A.count - first < W.count ? A.count - first : W.count;
    const batch_view<T> C    = W.view(A.sizes != NULL, some);
    inverse_lu_take<T><<<(unsigned)some *(unsigned)parts, INVERSE_LU_THREADS, 0, s>>>(A, first, C, W.order,
                                                                                      W.list, W.live, parts);
    e = lu_mid(C, W.ipiv, W.info, W.lu, s);
    if (e == cudaSuccess)
      e = getri_shapes<T>::by(
          batch_edge(A.n), [](auto) { return cudaErrorInvalidValue; },
          [&](auto shape) {
            return getri_strips_made<decltype(shape)>(C, W.ipiv, true, W.info, W.getri, s);
          });
    if (e == cudaSuccess)
      inverse_lu_give<T><<<(unsigned)some *(unsigned)parts, GETRI_END_THREADS, 0, s>>>(A, first, C, W.info,
                                                                                       info, W.getri, parts);
    if (e == cudaSuccess) e = cudaGetLastError();
  }
  return e;
}

} // namespace bf
#endif
