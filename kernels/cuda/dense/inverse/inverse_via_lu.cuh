/* kernels/cuda/dense/inverse/inverse_via_lu.cuh - batched inverses of orders from 161 (s: 257; d, c: 193)
 * to 512 by LU of a copy
 *
 * Computes   P A = L U of a copy in the workspace, X = U^-1 L^-1, A^-1 = X P to A; A is not changed if that
 *            fails.
 * Source     LAPACK's getrf and getri; lu_blocked.cuh, getri.cuh.
 * Layout     a limited number of members at a time. work: copies with leading dimension ld; orders, list
 *            and its length; info; ipiv; workspace of LU; workspace of getri.
 * Cost       2 n^3 flops (complex 8); besides LU and getri, A is read once and its copy written.
 * Launch     per round: copy, LU, getri, store.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_VIA_LU_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_VIA_LU_CUH
#include "kernels/cuda/dense/inverse/getri.cuh"

namespace bf
{

/* Columns and threads of a copying block; copies at once */
enum { INVERSE_LU_COLUMNS = 16, INVERSE_LU_THREADS = 256, INVERSE_LU_MAX_COPIES = 4096 };

template <class T>
struct inverse_via_lu_workspace {
  T     *copy;
  int   *order, *list, *list_size, *info, *ipiv;
  void  *lu, *getri;
  int    n, ld, count;
  size_t bytes;

  inverse_via_lu_workspace(void *work, int n_, int count_)
      : n(n_), ld((n_ + 7) / 8 * 8), count(count_ < INVERSE_LU_MAX_COPIES ? count_ : INVERSE_LU_MAX_COPIES),
        bytes(0)
  {
    const auto reserve = [&](size_t size) {
      const size_t at = bytes;
      bytes += (size + 255) / 256 * 256;
      return work ? static_cast<char *>(work) + at : NULL;
    };
    const size_t many = (size_t)count;
    copy              = reinterpret_cast<T *>(reserve(many * (size_t)n * (size_t)ld * sizeof(T)));
    order             = reinterpret_cast<int *>(reserve(many * sizeof(int)));
    list              = reinterpret_cast<int *>(reserve(many * sizeof(int)));
    list_size         = reinterpret_cast<int *>(reserve(sizeof(int)));
    info              = reinterpret_cast<int *>(reserve(many * sizeof(int)));
    ipiv              = reinterpret_cast<int *>(reserve(many * (size_t)n * sizeof(int)));
    lu                = reserve(lu_dispatch_work<T>(n, count));
    getri             = reserve(getri_workspace<T>::bytes(n, count));
  }
  batch_view<T> view(bool sizes, int count_now) const
  {
    return {copy,
            NULL,
            (int64_t)n * ld,
            n,
            ld,
            count_now,
            n,
            sizes ? order : NULL,
            sizes ? list : NULL,
            sizes ? list_size : NULL};
  }
};

/* The k-th copy is member first + k of A. */
template <class T>
static __global__ void __launch_bounds__(INVERSE_LU_THREADS)
    inverse_via_lu_copy(const batch_view<T> A, int first, const batch_view<T> C, int *order, int *list,
                        int *list_size, int column_blocks)
{
  const int k = (int)blockIdx.x / column_blocks, part = (int)blockIdx.x - k * column_blocks,
            lane      = (int)threadIdx.x & 31;
  const int remaining = A.members() - first;
  if (part == 0 && threadIdx.x == 0) {
    if (k == 0) *list_size = max(0, min(remaining, C.count));
    list[k] = k, order[k] = k < remaining ? A.order(A.member(first + k)) : 0;
  }
  if (k >= remaining) return;
  const int  b = A.member(first + k), n = A.order(b);
  const T   *a       = A.matrix(b);
  T         *c       = C.matrix(k);
  const bool aligned = (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0;
  for (int j = part * INVERSE_LU_COLUMNS + (int)threadIdx.x / 32; j < min(n, (part + 1) * INVERSE_LU_COLUMNS);
       j += INVERSE_LU_THREADS / 32) {
    const T *from = a + (int64_t)j * A.ld;
    T       *to   = c + (int64_t)j * C.ld;
    T        x[16];
#pragma unroll
    for (int e = 0; e < 16; e++)
      if (lane + 32 * e < n) x[e] = load(from + lane + 32 * e, aligned);
#pragma unroll
    for (int e = 0; e < 16; e++)
      if (lane + 32 * e < n) store(to + lane + 32 * e, x[e], true);
  }
}
template <class T>
static __global__ void __launch_bounds__(GETRI_PERMUTE_THREADS)
    inverse_via_lu_store(const batch_view<T> A, int first, const batch_view<T>       C,
                         const int *__restrict__ done, int *__restrict__ info, void *work, int column_blocks)
{
  const getri_workspace<T> W(work, C.n, C.count);
  const int                k = (int)blockIdx.x / column_blocks, part = (int)blockIdx.x - k * column_blocks;
  if (first + k >= A.members()) return;
  const int b = A.member(first + k);
  if (part == 0 && threadIdx.x == 0) info[b] = done[k];
  if (done[k] == 0)
    getri_permute_columns(W, k, C.n, A.order(b), part * GETRI_PERMUTE_COLUMNS, A.matrix(b), A.ld);
}

template <class T>
size_t inverse_via_lu_work(int n, int count)
{
  return inverse_via_lu_workspace<T>(NULL, n, count).bytes;
}

template <class T>
cudaError_t inverse_via_lu(const batch_view<T> &A, int *info, void *work, cudaStream_t s)
{
  const inverse_via_lu_workspace<T> W(work, A.n, A.count);
  const int                         column_blocks = (A.n + INVERSE_LU_COLUMNS - 1) / INVERSE_LU_COLUMNS;
  cudaError_t                       e             = cudaSuccess;
  for (int first = 0; e == cudaSuccess && first < A.count; first += W.count) {
    const int           count_now = A.count - first < W.count ? A.count - first : W.count;
    const batch_view<T> C         = W.view(A.sizes != NULL, count_now);
    inverse_via_lu_copy<T><<<(unsigned)count_now *(unsigned)column_blocks, INVERSE_LU_THREADS, 0, s>>>(
        A, first, C, W.order, W.list, W.list_size, column_blocks);
    e = lu_dispatch(C, W.ipiv, W.info, W.lu, s);
    if (e == cudaSuccess)
      e = getri_tuning<T>::select(
          bucket_order(A.n), [](auto) { return cudaErrorInvalidValue; },
          [&](auto shape) {
            return getri_left_looking_compute<decltype(shape)>(C, W.ipiv, true, W.info, W.getri, s);
          });
    if (e == cudaSuccess)
      inverse_via_lu_store<T><<<(unsigned)count_now *(unsigned)column_blocks, GETRI_PERMUTE_THREADS, 0, s>>>(
          A, first, C, W.info, info, W.getri, column_blocks);
    if (e == cudaSuccess) e = cudaGetLastError();
  }
  return e;
}

} // namespace bf
#endif
