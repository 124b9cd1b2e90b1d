/* kernels/cuda/gfem/support.cu - the rows that elements of generalised finite elements couple
 *
 * Computes   conn[e] = the distinct rows of the patches of an element's corners, ascending; the rest of its
 *            places repeat the first.
 * Source     the rank of a row is the number of smaller distinct rows: no sort, no order of threads.
 * Layout     gfem.h. Shared memory: the rows of the patches, each repeated for each corner, and a copy in
 *            which only the first of equal rows is left.
 * Cost       n^2/2 + n^2 comparisons per element, n = nodes of its patches: 36 and 100 on quadrilaterals of
 *            order 2 and 3; 4 n bytes read, 4 width written.
 * Launch     one warp per element, up to 4 warps per block.
 * Checked    tests/assembly/gfem/t675_gfem_backend.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { WARPS = 4, SHARED = 48 << 10 };

/* Rows of the patches of corners[nen] into row; returns their number, or -1 if they are more than `most`. */
static __device__ __forceinline__ int gather_rows(const bf_gfem_fits &F, const bf_int *corners, int nen,
                                                  int most, int lane, bf_int *row)
{
  int n = 0;
  for (int v = 0; v < nen; v++) {
    const bf_int  q  = corners[v];
    const int64_t p0 = F.ptr[q];
    const int     ns = (int)(F.ptr[q + 1] - p0);
    if (n + ns + 1 > most) return -1;
    for (int j = lane; j <= ns; j += 32) row[n + j] = F.row[j < ns ? F.other[p0 + j] : q];
    n += ns + 1;
  }
  return n;
}

static __global__ void __launch_bounds__(WARPS * 32)
    support(bf_gfem_fits F, bf_gfem_batch B, bf_int *__restrict__ conn, int *violation)
{
  extern __shared__ bf_int rows[];
  const int                lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
  const bf_int             e = (bf_int)blockIdx.x * (bf_int)(blockDim.x >> 5) + warp;
  if (e >= B.ne) return; /* the whole warp */
  bf_int       *row = rows + (size_t)warp * 2 * B.patches, *once = row + B.patches;
  const bf_int *corners = B.corner + (int64_t)(B.elem ? B.elem[e] : e) * B.nen;
  const int     n       = gather_rows(F, corners, B.nen, B.patches, lane, row);
  if (n < 0) {
    *violation = 1;
    return;
  }
  __syncwarp();
  int distinct = 0;
  for (int i = lane; i < n; i += 32) {
    bool first = true;
    for (int j = 0; j < i && first; j++) first = row[j] != row[i];
    once[i] = first ? row[i] : INT32_MAX;
    distinct += first;
  }
  for (int o = 16; o > 0; o >>= 1) distinct += __shfl_xor_sync(~0u, distinct, o);
  __syncwarp();
  if (distinct > B.width) {
    if (lane == 0) *violation = 1;
    return;
  }
  bf_int *to    = conn + (int64_t)e * B.width;
  bf_int  least = INT32_MAX;
  for (int i = lane; i < n; i += 32) {
    const bf_int mine = once[i];
    if (mine == INT32_MAX) continue;
    int rank = 0;
    for (int j = 0; j < n; j++) rank += once[j] < mine;
    to[rank] = mine;
    least    = min(least, mine);
  }
  for (int o = 16; o > 0; o >>= 1) least = min(least, __shfl_xor_sync(~0u, least, o));
  for (int k = distinct + lane; k < B.width; k += 32) to[k] = least;
}

BF_CUDA_DECLARE(gfem.support, gfem_support);
bf_err bf_cuda_gfem_support(bf_backend *be, const bf_gfem_fits *F, const bf_gfem_batch *B, bf_int *conn)
{
  BF_TRY(bf_gfem_batch_check(F, B, 0));
  if (B->ne == 0) return BF_OK;
  const size_t each  = 2 * (size_t)B->patches * sizeof(bf_int);
  int          warps = (int)(SHARED / each);
  warps              = warps > WARPS ? WARPS : warps; /* at least 1: BF_FIT_PATCHES */
  bf_cuda *cu        = bf_cuda_of(be);
  cu->watch          = true;
  support<<<bf_cuda_blocks(B->ne, warps), (unsigned)warps * 32, each *(size_t)warps, cu->stream>>>(
      *F, *B, conn, cu->violation);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
