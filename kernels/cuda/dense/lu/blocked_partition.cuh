/* kernels/cuda/dense/lu/blocked_partition.cuh - blocked LU: partition of an order into leading columns,
 * panels and final block
 *
 *     n = leading columns + panels of NB columns + final block of at most 64 columns
 *
 * Leading columns avoid an extra panel and its trailing update for a few columns above 64 plus a multiple
 * of NB.
 * Source     docs/design-notes/batched-lu.md, "From 96 to 97, from 128 to 129".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PARTITION_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PARTITION_CUH
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

enum { LU_FINAL = 64 };

/* The largest order with leading columns, as measured */
template <class T>
inline constexpr int leading_max_order = std::is_same_v<T, double>        ? 128
                                         : std::is_same_v<T, cplx<float>> ? 256
                                                                          : 512;

/* Number of leading columns of order n: 8, 16 or 0, so that the final block has nearly 64 columns and
 * not a few more than 32; all else is computed for n minus this number. */
template <class T, int NB>
static __host__ __device__ __forceinline__ int leading_count(int n)
{
  const int some = NB == 32 && n <= leading_max_order<T> ? ((n - LU_FINAL) % NB + 7) / 8 * 8 : 0;
  return some <= 16 ? some : 0;
}

/* For a batch or a bucket: whether some matrices have 8 or 16 leading columns; the largest order without
 * them */
struct lu_partition {
  bool has8, has16;
  int  n;

  bool has_leading() const
  {
    return has8 || has16;
  }
};
template <int NB, class T>
static lu_partition lu_partition_of(const batch_view<T> &A)
{
  lu_partition partition = {};
  for (int n = A.n; n > 0 && bucket_order(n) == bucket_order(A.n); n--) {
    const int leading = leading_count<T, NB>(n);
    partition         = {partition.has8 || leading == 8, partition.has16 || leading == 16,
                 n - leading > partition.n ? n - leading : partition.n};
    if (!A.sizes) break;
  }
  return partition;
}

/* First column of the final block, which has at most 64 columns */
template <int NB>
static __host__ __device__ __forceinline__ int final64_start(int n)
{
  return (n - LU_FINAL + NB - 1) / NB * NB;
}

/* Whether the final block is updated by the trailing update (then blocked_final64_laswp.cuh factors it)
 * or by blocked_final64.cuh: z always, d and c after an even number of panels, s never; as measured */
template <class T, int NB>
static __host__ __device__ __forceinline__ bool final64_is_updated(int panels)
{
  return NB == 32 && (sizeof(T) == 16 || (sizeof(T) == 8 && panels % 2 == 0));
}

/* Whether the final block is updated by the last two panels at once (blocked_final64_update2.cuh): s
 * after an even number */
template <class T, int NB>
static __host__ __device__ __forceinline__ bool final64_takes_two(int panels)
{
  return NB == 32 && sizeof(T) == 4 && panels % 2 == 0;
}

} // namespace bf
#endif
