/* kernels/cuda/batch_lu_stream.cuh - batch_lu.cuh where L does not fit into shared memory
 *
 * Finished panels lie in A, rows from the diagonal on in the order that the panel left, and are staged
 * through shared memory for every later panel: n^3/(96) scalars read again beside the 4 n^2 of reading,
 * writing and putting L into its last order at the end.  STAGES 2: the next block arrives while one is used.
 */
#ifndef BF_BATCH_LU_STREAM_CUH
#define BF_BATCH_LU_STREAM_CUH
#include "kernels/cuda/batch_lu.cuh"

template <class T, int W, int PW, int RPL, int TPW, int STAGES>
static __global__ void __launch_bounds__(32 * W) lu_stream(const batch_view<T> A, int *ipiv_of, int *info)
{
  extern __shared__ __align__(16) char room[];
  if ((int)blockIdx.x >= A.members()) return;
  const int                            b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const int64_t                        ld = A.ld;
  const lu_layout<T, PW, true, STAGES> at(n);
  lu_work<T, W, TPW>                   me(at.tiles, n);
  T        *a = A.matrix(b), *S = (T *)(room + at.l), *D = (T *)(room + at.diagonal), *U = (T *)(room + at.u);
  uint16_t *slot_of = (uint16_t *)(room + at.slot_of), *id = (uint16_t *)(room + at.id);
  int      *flags = (int *)(room + at.flags), *ipiv = ipiv_of + (int64_t)b * A.pitch;
  const auto block = [&](int q, int row) { return a + (int64_t)(q * LU_NB) * ld + row; };
  const auto fetch = [&](int q, T *to) { /* block q below its diagonal block */
                                         lu_stage(to, block(q, (q + 1) * LU_NB), ld, n - (q + 1) * LU_NB,
                                                  LU_NB, tid, 32 * W);
  };
  const auto fetch_diagonal = [&](int q) {
    if (tid < LU_NB * LU_NB)
      lu_copy(D + (q & 1) * LU_NB * lu_pitch<T> + tid % LU_NB * lu_pitch<T> + tid / LU_NB,
              block(q, q * LU_NB) + tid / LU_NB * ld + tid % LU_NB);
  };
  for (int i = tid; i < n; i += 32 * W) id[i] = (uint16_t)i;
  if (tid < 2) flags[tid] = 0;
  for (int p = 0, mine = 0; p < at.tiles; p++) {
    const int k0 = p * LU_NB, nb = min(LU_NB, n - k0), m = n - k0;
    T        *P = S + mine * at.stage;
    lu_stage(P, block(p, 0), ld, n, nb, tid, 32 * W);
    if (p > 0) fetch_diagonal(0);
    if (p > 1) fetch_diagonal(1);
    if (p > 0 && STAGES > 1) fetch(0, S + (mine ^ 1) * at.stage);
    lu_copied();
    __syncthreads();
    me.gather(id, P);
    if (p > 0) me.solve(0, D, U);
    __syncthreads();
    for (int q = 0; q < p; q++) { /* with two stages block q is in the other one where q is even */
      T *now = U + (q & 1) * LU_NB * lu_u_pitch<T>, *next = U + (~q & 1) * LU_NB * lu_u_pitch<T>;
      T *here  = S + (STAGES > 1 ? mine ^ 1 ^ (q & 1) : 0) * at.stage;
      T *there = S + (STAGES > 1 ? mine ^ (q & 1) : 0) * at.stage;
      if (STAGES == 1) {
        fetch(q, here);
        lu_copied();
        __syncthreads();
      } else if (q + 1 < p)
        fetch(q + 1, there);
      if (q + 2 < p) fetch_diagonal(q + 2);
      me.update(q, here - LU_NB * lu_pitch<T>, slot_of + q * n, now);
      if (q + 1 < p) me.solve(q + 1, D + (~q & 1) * LU_NB * lu_pitch<T>, next);
      me.write_u(now, block(p, q * LU_NB), ld, nb);
      lu_copied();
      __syncthreads();
    }
    me.put(p, P);
    __syncthreads();
    me.template factor<PW, RPL>(P, k0, (lu_candidate<T> *)(room + at.slots), id, slot_of + p * n, ipiv,
                                flags);
    __syncthreads();
    for (int r = tid; r < m; r += 32 * W)
#pragma unroll
      for (int c = 0; c < LU_NB; c++)
        if (c < nb) {
          const T v = P[r * lu_pitch<T> + c];
          me.watch(v);
          block(p, k0)[c * ld + r] = v;
        }
    if (STAGES > 1) mine ^= 1;
    __syncthreads();
  }
  for (int q = 0; q < at.tiles; q++) { /* L into its last order */
    const int k0 = q * LU_NB, nb = min(LU_NB, n - k0);
    lu_stage(S, block(q, k0), ld, n - k0, nb, tid, 32 * W);
    lu_copied();
    __syncthreads();
    for (int r = tid; r < n - k0; r += 32 * W) {
      const T *from = S + slot_of[q * n + id[k0 + r]] * lu_pitch<T>;
#pragma unroll
      for (int c = 0; c < LU_NB; c++)
        if (c < nb) block(q, k0)[c * ld + r] = from[c];
    }
    __syncthreads();
  }
  if (me.poison != 0) flags[1] = 1;
  __syncthreads();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int W, int PW, int RPL, int TPW, int STAGES>
static cudaError_t lu_stream_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const lu_layout<T, PW, true, STAGES> at(A.n);
  const auto                           kernel = lu_stream<T, W, PW, RPL, TPW, STAGES>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, at.bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, 32 * W, (size_t)at.bytes, s>>>(A, ipiv, info);
  return cudaGetLastError();
}
#endif
