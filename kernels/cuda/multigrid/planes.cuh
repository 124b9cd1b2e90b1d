/* kernels/cuda/multigrid/planes.cuh - what the files of coarsening by planes share */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_MULTIGRID_PLANES_CUH
#define BF_KERNELS_CUDA_MULTIGRID_PLANES_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/multigrid/planes.h"
#include "kernels/multigrid/planes_point.h"
}

namespace bf
{

/* planes_gaps.cu */
std::remove_pointer_t<decltype(bf_mg_plane_ops::wraps)>     bf_cuda_planes_wraps;
std::remove_pointer_t<decltype(bf_mg_plane_ops::couplings)> bf_cuda_planes_couplings;
std::remove_pointer_t<decltype(bf_mg_plane_ops::gaps)>      bf_cuda_planes_gaps;
/* planes_galerkin.cu */
std::remove_pointer_t<decltype(bf_mg_plane_ops::galerkin)> bf_cuda_planes_galerkin;

/* call(std::integral_constant<int, D>) for D = 1, 2, 3 */
template <typename Call>
static void bf_planes_with_components(int D, Call call)
{
  if (D == 1)
    call(std::integral_constant<int, 1>());
  else if (D == 2)
    call(std::integral_constant<int, 2>());
  else
    call(std::integral_constant<int, 3>());
}

static inline int64_t bf_planes_nodes(const bf_int n[3])
{
  return (int64_t)n[0] * n[1] * n[2];
}
} // namespace bf
#endif
