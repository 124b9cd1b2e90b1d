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

/* Is the whole matrix one tile of one segment?  Addresses are then one product away from the node. */
static inline bool bf_planes_one_tile(const bf_lattice *A)
{
  return A->nseg == 1 && A->one.row0 == 0 && A->one.ld >= (int64_t)A->one.nrows * A->D;
}

/* Where the blocks (node, node + off) of one neighbour are in such a matrix: entry (a, b) of the block of
 * node i is p[i * node + a * row + b * column]; p is NULL where they are not stored. */
struct bf_plane_view {
  const double *p;
  int64_t       node, row, column;
};
static __device__ __forceinline__ bf_plane_view bf_planes_view(const bf_lattice &A, int D, int point,
                                                               bf_int off)
{
  const bool    turned = A.half && off < 0;
  const int     slot   = A.one_slot[turned ? BF_LATTICE_POINTS - 1 - point : point];
  const int64_t node   = A.one.apart == 1 ? D : 1,
                first  = A.one.base + slot * A.one.ld * D + (turned ? off * node : 0);
  return {slot < 0 ? nullptr : A.values + first, node, turned ? A.one.ld : A.one.apart,
          turned ? A.one.apart : A.one.ld};
}

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
