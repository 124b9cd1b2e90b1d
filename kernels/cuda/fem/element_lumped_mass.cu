/* kernels/cuda/fem/element_lumped_mass.cu - lumped masses of elements, and element matrices scaled by them
 *
 * Computes   d_a = M_aa sum_bc M_bc / sum_b M_bb; K_ij / sqrt(d_i d_j) (kernels/elements.h).
 * Source     Hinton, Rock, Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976): diagonal scaling.
 * Layout     as in kernels/elements.h; 1/sqrt(d) of a block's elements in shared memory.
 * Cost       lump: 8 nen (nen + 1) bytes per element; pencil: 16 nd^2 bytes; memory-bound.
 * Launch     lump: a warp per element; pencil: 256 threads for a group of elements, about 8 entries each.
 * Checked    tests/kernels/fem/t324_pencil.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { LUMP_WARPS = 4, PENCIL_THREADS = 256, PENCIL_ENTRIES = 8, PENCIL_VALUES = 1024 };

static __device__ __forceinline__ double warp_sum(double s)
{
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  return s;
}

/* A warp owns an element. */
static __global__ void __launch_bounds__(LUMP_WARPS * 32)
    lump(bf_int ne, int nen, const double *__restrict__ M, double *__restrict__ d)
{
  const int    lane = (int)threadIdx.x & 31;
  const bf_int e    = (bf_int)blockIdx.x * LUMP_WARPS + ((int)threadIdx.x >> 5);
  if (e >= ne) return;
  const double *Me   = M + (int64_t)e * nen * nen;
  double        mass = 0.0, trace = 0.0;
  for (int k = lane; k < nen * nen; k += 32) mass += Me[k];
  for (int a = lane; a < nen; a += 32) trace += Me[a * (nen + 1)];
  mass  = warp_sum(mass);
  trace = warp_sum(trace);
  for (int a = lane; a < nen; a += 32) d[(int64_t)e * nen + a] = Me[a * (nen + 1)] * mass / trace;
}

/* A block owns a group of elements. */
static __global__ void __launch_bounds__(PENCIL_THREADS)
    scale(bf_int ne, int nen, int ncomp, int group, const double *__restrict__ d, double *__restrict__ K)
{
  __shared__ double s[PENCIL_VALUES];
  const bf_int      first = (bf_int)blockIdx.x * group;
  const int         count = ne - first < group ? (int)(ne - first) : group, nd = nen * ncomp;
  for (int t = (int)threadIdx.x; t < count * nen; t += PENCIL_THREADS)
    s[t] = 1.0 / sqrt(d[(int64_t)first * nen + t]);
  __syncthreads();
  double *Kg = K + (int64_t)first * nd * nd;
  for (int t = (int)threadIdx.x; t < count * nd * nd; t += PENCIL_THREADS) {
    const int     e = t / (nd * nd), k = t - e * nd * nd, i = k / nd, j = k - i * nd;
    const double *se = s + e * nen;
    Kg[t] *= se[i / ncomp] * se[j / ncomp];
  }
}

BF_CUDA_DECLARE(element.lump, element_lump);
bf_err bf_cuda_element_lump(bf_backend *be, bf_int ne, int nen, const double *M, double *d)
{
  BF_TRY(bf_element_pencil_check(ne, nen, 1, M, d));
  if (ne == 0) return BF_OK;
  lump<<<bf_cuda_blocks(ne, LUMP_WARPS), LUMP_WARPS * 32, 0, bf_cuda_of(be)->stream>>>(ne, nen, M, d);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(element.pencil, element_pencil);
bf_err bf_cuda_element_pencil(bf_backend *be, bf_int ne, int nen, int ncomp, const double *d, double *K)
{
  BF_TRY(bf_element_pencil_check(ne, nen, ncomp, d, K));
  if (ne == 0) return BF_OK;
  const int nd = nen * ncomp, most = PENCIL_VALUES / nen,
            wanted = PENCIL_THREADS * PENCIL_ENTRIES / (nd * nd);
  const int group  = wanted < 1 ? 1 : wanted > most ? most : wanted;
  scale<<<bf_cuda_blocks(ne, group), PENCIL_THREADS, 0, bf_cuda_of(be)->stream>>>(ne, nen, ncomp, group, d,
                                                                                  K);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
