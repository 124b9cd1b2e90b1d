/* kernels/cuda/dense/lu/blocked_partition.cuh - LU by stages: where an order is cut into head, panels and
 * tail
 *
 *     n = head + panels of NB columns + tail, 64 columns at most
 *
 * Without a head an order a few above 64 and a multiple of NB has a panel and its strips for a few columns.
 * Source     docs/design-notes/batched-lu.md, "From 96 to 97, from 128 to 129".
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PARTITION_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_PARTITION_CUH
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

enum { LU_FINAL = 64 };

/* The last order with a head, as measured */
template <class T>
inline constexpr int leading_max_order = std::is_same_v<T, double>        ? 128
                                         : std::is_same_v<T, cplx<float>> ? 256
                                                                          : 512;

/* Of order n: how many columns go before the panels, 8 or 16 or none, so that what is left behind these is
 * nearly 64 and not a few more than 32; what holds for n then holds for n less those. */
template <class T, int NB>
static __host__ __device__ __forceinline__ int leading_count(int n)
{
  const int some = NB == 32 && n <= leading_max_order<T> ? ((n - LU_FINAL) % NB + 7) / 8 * 8 : 0;
  return some <= 16 ? some : 0;
}

/* What there may be in a batch, or in a bucket of one: heads of 8, of 16; the largest order without its head
 */
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

/* Where what is left behind panels of NB columns has at most 64 */
template <int NB>
static __host__ __device__ __forceinline__ int final64_start(int n)
{
  return (n - LU_FINAL + NB - 1) / NB * NB;
}

/* Whether strips bring what is behind so many panels up to date (blocked_final64_laswp.cuh), else
 * blocked_final64.cuh does: z always, d and c behind an even number, s never; as measured. */
template <class T, int NB>
static __host__ __device__ __forceinline__ bool final64_is_updated(int panels)
{
  return NB == 32 && (sizeof(T) == 16 || (sizeof(T) == 8 && panels % 2 == 0));
}

/* Whether the tail takes the last two panels (blocked_final64_update2.cuh): s behind an even number */
template <class T, int NB>
static __host__ __device__ __forceinline__ bool final64_takes_two(int panels)
{
  return NB == 32 && sizeof(T) == 4 && panels % 2 == 0;
}

} // namespace bf
#endif
