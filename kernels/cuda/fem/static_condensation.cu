/* kernels/cuda/fem/static_condensation.cu - condensed element matrices, and forces of them
 *
 * Computes   S = Kbb - Kbi X,  g = -Kbi Kii^-1 f,  X = Kii^-1 Kib  (kernels/elements.h); where K is symmetric
 *            entry (i, j) and entry (j, i) are one sum, so S is symmetric to the last bit.
 *            Forces without S: fe = K (u, -Kii^-1 Kib u).
 * Source     block elimination of the interior unknowns; docs/theory/elements.md, Static condensation.
 * Layout     shared memory, of each element of a group: its last ni rows [ni][nd], which end in Kii^-1; for
 *            unsymmetric K the columns Kbi [nb][ni]; X [ni][nb]; Kii^-1 f [ni].
 * Cost       8 (nd^2 + nb^2) bytes an element, 2 nb^2 ni flops: the memory decides (hex27 of a solid: 101
 *            KB); forces 8 nd^2 bytes.
 * Launch     256 threads a block on a group of elements, so many that each thread has a few entries of S;
 *            forces: a warp an element, a row of K at a time.
 * Checked    tests/kernels/fem/t323_schur.c against elimination one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

enum { SCHUR_THREADS = 256, SCHUR_ENTRIES = 8 /* of S, per thread */, SCHUR_SHARED = 24 << 10 };

struct shared_offsets { /* offsets of an element's parts in shared memory, in doubles */
  int rows, columns, X, y, all;
};

static __host__ __device__ __forceinline__ shared_offsets shared_offsets_of(int nd, int ni, bool symmetric)
{
  const int nb = nd - ni, columns = ni * nd, X = columns + (symmetric ? 0 : nb * ni), y = X + ni * nb;
  return {0, columns, X, y, (y + ni) | 1};
}

/* t / n of small numbers */
static __device__ __forceinline__ int divide(int t, float per_n)
{
  return (int)(((float)t + 0.5f) * per_n);
}

/* NI: ni, or 0 if it is only known at run time */
template <int NI, bool SYMMETRIC>
static __global__ void __launch_bounds__(SCHUR_THREADS) condense(bf_schur C, int group)
{
  extern __shared__ double shared[];
  const int                nd = C.nd, ni = NI ? NI : C.ni, nb = nd - ni, tail = ni * nd;
  const bf_int             first = (bf_int)blockIdx.x * group;
  const int                count = min(group, C.ne - first);
  const shared_offsets     at    = shared_offsets_of(nd, ni, SYMMETRIC);
  const double            *K     = C.K + (int64_t)first * nd * nd;
  for (int t = (int)threadIdx.x; t < count * tail; t += SCHUR_THREADS) {
    const int e = t / tail, k = t - e * tail;
    shared[e * at.all + k] = K[(int64_t)e * nd * nd + nb * nd + k];
  }
  for (int t = (int)threadIdx.x; t < count * nb * ni && !SYMMETRIC; t += SCHUR_THREADS) {
    const int e = t / (nb * ni), k = t - e * nb * ni, i = k / ni;
    shared[e * at.all + at.columns + k] = K[((int64_t)e * nd + i) * nd + nb + (k - i * ni)];
  }
  __syncthreads();
  for (int t = (int)threadIdx.x; t < count * ni * (nb + 1); t += SCHUR_THREADS) {
    const int     e = t / (ni * (nb + 1)), k = t - e * ni * (nb + 1), r = k / (nb + 1), j = k - r * (nb + 1);
    double       *own = shared + e * at.all, sum = 0.0;
    const double *f = C.f + (int64_t)(first + e) * ni;
#pragma unroll
    for (int l = 0; l < ni; l++) sum += own[r * nd + nb + l] * (j < nb ? own[l * nd + j] : C.f ? f[l] : 0.0);
    own[j < nb ? at.X + r * nb + j : at.y + r] = sum;
  }
  for (int t = (int)threadIdx.x; C.inverse && t < count * ni * ni; t += SCHUR_THREADS) {
    const int e = t / (ni * ni), k = t - e * ni * ni, r = k / ni;
    C.inverse[(int64_t)first * ni * ni + t] = shared[e * at.all + r * nd + nb + (k - r * ni)];
  }
  __syncthreads();
  for (int t = (int)threadIdx.x; C.f && t < count * nb; t += SCHUR_THREADS) {
    const int     e = t / nb, i = t - e * nb;
    const double *own = shared + e * at.all;
    double        sum = 0.0;
#pragma unroll
    for (int k = 0; k < ni; k++)
      sum += (SYMMETRIC ? own[k * nd + i] : own[at.columns + i * ni + k]) * own[at.y + k];
    C.g[(int64_t)first * nb + t] = -sum;
  }
  const float per_nb = 1.0f / (float)nb, per_all = 1.0f / (float)(nb * nb);
  for (int t = (int)threadIdx.x; t < count * nb * nb; t += SCHUR_THREADS) {
    const int     e = divide(t, per_all), p = t - e * nb * nb, i = divide(p, per_nb), j = p - i * nb;
    const int     a = SYMMETRIC ? min(i, j) : i, b = SYMMETRIC ? max(i, j) : j;
    const double *own = shared + e * at.all;
    double        s   = __ldcs(K + ((int64_t)e * nd + i) * nd + j);
#pragma unroll
    for (int k = 0; k < ni; k++)
      s -= (SYMMETRIC ? own[k * nd + a] : own[at.columns + a * ni + k]) * own[at.X + k * nb + b];
    C.S[(int64_t)first * nb * nb + t] = s;
  }
}

template <bool SYMMETRIC>
static auto kernel_of(int ni)
{
  return ni == 1   ? condense<1, SYMMETRIC>
         : ni == 2 ? condense<2, SYMMETRIC>
         : ni == 3 ? condense<3, SYMMETRIC>
                   : condense<0, SYMMETRIC>;
}

BF_CUDA_DECLARE(element.schur, schur);
bf_err bf_cuda_schur(bf_backend *be, const bf_schur *C)
{
  BF_TRY(bf_schur_check(C));
  BF_CHECK(C->S || C->ne == 0, BF_E_ARG, "no room for S");
  if (C->ne == 0) return BF_OK;
  const int    nb = C->nd - C->ni, most = SCHUR_THREADS * SCHUR_ENTRIES / (nb * nb);
  const size_t bytes = (size_t)shared_offsets_of(C->nd, C->ni, C->symmetric).all * sizeof(double);
  int          group = (int)(SCHUR_SHARED / bytes);
  group              = group > most ? most : group;
  group              = group < 1 ? 1 : group > C->ne ? (int)C->ne : group;
  (C->symmetric ? kernel_of<true>(C->ni)
                : kernel_of<false>(C->ni))<<<bf_cuda_blocks(C->ne, group), SCHUR_THREADS,
                                             bytes *(size_t)group, bf_cuda_of(be)->stream>>>(*C, group);
  return BF_CUDA_LAUNCHED(be);
}

enum { FORCE_WARPS = 4 };

static __device__ __forceinline__ double warp_dot(int n, const double *__restrict__ row, const double *v,
                                                  int lane)
{
  double s = 0.0;
  for (int j = lane; j < n; j += 32) s += __ldcs(row + j) * v[j];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  return s;
}

/* A warp owns an element; v: what K is multiplied by, z = Kib u. */
static __global__ void __launch_bounds__(FORCE_WARPS * 32)
    condensed_force(bf_schur C, const bf_int *__restrict__ conn, int ncomp, const double *__restrict__ u,
                    double *__restrict__ fe)
{
  __shared__ double vs[FORCE_WARPS][BF_SCHUR_MOST], zs[FORCE_WARPS][BF_SCHUR_INNER];
  const int         lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
  const bf_int      e  = (bf_int)blockIdx.x * FORCE_WARPS + warp;
  const int         nd = C.nd, ni = C.ni, nb = nd - ni, nodes = nb / ncomp;
  if (e >= C.ne) return;
  const double *K = C.K + (int64_t)e * nd * nd;
  double       *v = vs[warp], *z = zs[warp];
  for (int j = lane; j < nb; j += 32)
    v[j] = u[(int64_t)conn[(int64_t)e * nodes + j / ncomp] * ncomp + j % ncomp];
  __syncwarp();
  for (int k = 0; k < ni; k++) {
    const double s = warp_dot(nb, K + (nb + k) * nd, v, lane);
    if (lane == 0) z[k] = s;
  }
  __syncwarp();
  if (lane < ni) {
    double s = 0.0;
    for (int l = 0; l < ni; l++) s -= K[(nb + lane) * nd + nb + l] * z[l];
    v[nb + lane] = s;
  }
  __syncwarp();
  for (int i = 0; i < nb; i++) {
    const double s = warp_dot(nd, K + i * nd, v, lane);
    if (lane == 0) fe[(int64_t)e * nb + i] = s;
  }
}

BF_CUDA_DECLARE(element.schur_force, schur_force);
bf_err bf_cuda_schur_force(bf_backend *be, const bf_schur *C, const bf_int *conn, int ncomp, const double *u,
                           double *fe)
{
  BF_TRY(bf_schur_check_force(C, conn, ncomp, u, fe));
  if (C->ne == 0) return BF_OK;
  condensed_force<<<bf_cuda_blocks(C->ne, FORCE_WARPS), FORCE_WARPS * 32, 0, bf_cuda_of(be)->stream>>>(
      *C, conn, ncomp, u, fe);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
