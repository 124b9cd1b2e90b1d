/* kernels/cuda/fem/element_rotate.cu - element matrices in the frames of their nodes
 *
 * Computes   K_ab <- T_a^T K_ab T_b, T = 1 where a node has no frame (kernels/elements.h).
 * Source     O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method 1, 5th ed. (2000), sec. 1.8.
 * Layout     Ke[ne][nd][nd] and conn[ne][nen] as in kernels/elements.h; no shared memory.
 * Cost       4 D^3 flops and 16 D^2 bytes for each block with a frame, 4 nen bytes for other elements.
 * Launch     128 threads for 4 elements, a warp per element, a lane per pair of nodes.
 * Checked    tests/kernels/fem/t658_rotate.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/rotate_block.h"

namespace bf
{

enum { ROTATE_WARPS = 4 };

/* A warp owns an element, a lane owns pairs of nodes a <= b: no two lanes write the same entry. */
static __global__ void __launch_bounds__(ROTATE_WARPS * 32)
    rotate(bf_int ne, int nen, int D, const bf_int *__restrict__ frame, const double *__restrict__ T,
           const bf_int *__restrict__ conn, double *__restrict__ Ke)
{
  const int    lane = (int)threadIdx.x & 31;
  const bf_int e    = (bf_int)blockIdx.x * ROTATE_WARPS + ((int)threadIdx.x >> 5);
  if (e >= ne) return;
  const bf_int own = lane < nen ? frame[conn[(int64_t)e * nen + lane]] : -1; /* nen is at most 27 */
  if (__ballot_sync(~0u, own >= 0) == 0) return;
  const int nd = nen * D, pairs = nen * nen;
  double   *K = Ke + (int64_t)e * nd * nd;
  for (int k0 = 0; k0 < pairs; k0 += 32) {
    const int    k = k0 + lane, a = k < pairs ? k / nen : 0, b = k < pairs ? k % nen : 0;
    const bf_int fa = __shfl_sync(~0u, own, a), fb = __shfl_sync(~0u, own, b);
    if (k >= pairs || a > b || (fa < 0 && fb < 0)) continue;
    bf_rotate_block(D, nd, a, b, fa < 0 ? nullptr : T + (int64_t)fa * D * D,
                    fb < 0 ? nullptr : T + (int64_t)fb * D * D, K);
  }
}

BF_CUDA_DECLARE(element.rotate, element_rotate);
bf_err bf_cuda_element_rotate(bf_backend *be, bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn,
                              double *Ke)
{
  BF_TRY(bf_node_frames_check(ne, nen, F, conn, Ke));
  if (ne == 0) return BF_OK;
  rotate<<<bf_cuda_blocks(ne, ROTATE_WARPS), ROTATE_WARPS * 32, 0, bf_cuda_of(be)->stream>>>(
      ne, nen, F->ncomp, F->frame, F->T, conn, Ke);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
