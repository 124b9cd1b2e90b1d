/* kernels/cuda/sparse/bcsr.cuh - block compressed rows on the device: operations by file, types of a kernel,
 * sums of a node row */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_SPARSE_BCSR_CUH
#define BF_KERNELS_CUDA_SPARSE_BCSR_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/matrix/bcsr.h"
}

namespace bf
{

extern "C" {
bf_part_spmv      bf_cuda_bcsr_spmv_half;
bf_part_diagonal  bf_cuda_bcsr_diagonal;
bf_part_constrain bf_cuda_bcsr_constrain;
bf_part_blocks    bf_cuda_bcsr_blocks;
bf_part_scatter   bf_cuda_bcsr_scatter;
}

/* call(columns, values, D as a type) with the types they have. */
template <typename Call>
static void bf_bcsr_with_types(const bf_bcsr *A, Call call)
{
  bf_cuda_with_values(A->val, A->prec, [&](auto *v) {
    const auto by_size = [&](auto *c) {
      if (A->ncomp == 1) call(c, v, std::integral_constant<int, 1>());
      if (A->ncomp == 2) call(c, v, std::integral_constant<int, 2>());
      if (A->ncomp == 3) call(c, v, std::integral_constant<int, 3>());
    };
    if (A->rel)
      by_size(A->rel);
    else
      by_size(A->col);
  });
}

/* Neighbouring threads of a node row, such that a mean row has at most `rounds` scalar columns for each. */
static inline int bf_bcsr_lanes(const bf_bcsr *A, int rounds)
{
  int lanes = 2;
  while (lanes < 32 && (int64_t)A->nrows * lanes * rounds < A->nblocks * A->ncomp) lanes *= 2;
  return lanes;
}

/* call(L as a type) for L = lanes, one of 2, 4, 8, 16, 32. */
template <typename Call>
static void bf_bcsr_with_lanes(int lanes, Call call)
{
  switch (lanes) {
  case 2: call(std::integral_constant<int, 2>()); break;
  case 4: call(std::integral_constant<int, 4>()); break;
  case 8: call(std::integral_constant<int, 8>()); break;
  case 16: call(std::integral_constant<int, 16>()); break;
  default: call(std::integral_constant<int, 32>()); break;
  }
}

/* sum[a] of L neighbouring lanes, in the first of them. */
template <int D, int L>
static __device__ __forceinline__ void bf_bcsr_sum_lanes(double (&sum)[D])
{
#pragma unroll
  for (int o = L / 2; o > 0; o >>= 1)
#pragma unroll
    for (int a = 0; a < D; a++) sum[a] += __shfl_down_sync(~0u, sum[a], o, L);
}

/* y = sum on node row i; its terms of w.y and y.y are added to dot if there is w. */
template <int D>
static __device__ __forceinline__ void bf_bcsr_store(const double (&sum)[D], int64_t i, double *y,
                                                     const double *w, double (&dot)[2])
{
#pragma unroll
  for (int a = 0; a < D; a++) {
    y[i * D + a] = sum[a];
    if (!w) continue;
    dot[0] += w[i * D + a] * sum[a];
    dot[1] += sum[a] * sum[a];
  }
}

} // namespace bf
#endif
