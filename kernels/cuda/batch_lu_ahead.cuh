/* kernels/cuda/batch_lu_ahead.cuh - LU with partial pivoting of orders 97 .. 128: a block factors a matrix
 * from the left, panel by panel of 16 columns; some warps factor panels, the others do all that is between
 * them
 *
 *     update warps, panel p                                              panel warps
 *       C = A(:, p), rows in the order that panel p-2 left               factor panel p-1
 *       for q < p-1: U(q, p) = L(q, q)^-1 C(q);  C(t) -= L(t, q) U(q, p), t > q
 *       wait for panel p-1; C in its order; the same for q = p-1; hand C(p ..) over
 *       C = A(:, p+1) ...                                                factor panel p
 *
 * In L the diagonal blocks are replaced by minus their inverses once they have been written, so that a step's
 * solve is a product too.
 * Source     left-looking panels, delayed interchanges: paper 003; ideas kept and dropped, with their times,
 * in docs/performance/batched-lu.md. Checked    t362, t366.
 */
#ifndef BF_BATCH_LU_AHEAD_CUH
#define BF_BATCH_LU_AHEAD_CUH
#include "kernels/cuda/batch_ahead_work.cuh"

/* L in shared memory.  PW warps for panels with RPL rows a lane, UW update warps with TPW tiles each;
 * registers for BLOCKS blocks on a multiprocessor. */
template <class T, int PW, int RPL, int UW, int TPW, int BLOCKS>
static __global__ void __launch_bounds__(32 * (PW + UW), BLOCKS)
    lu_ahead(const batch_view<T> A, int *ipiv_of, int *info)
{
  constexpr int     W = PW + UW;
  extern __shared__ __align__(16) char room[];
  if ((int)blockIdx.x >= A.members()) return;
  const int                 b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const int64_t             ld = A.ld;
  const ahead_layout<T, PW> at(n);
  ahead_work<T, UW, TPW>    me(tid - 32 * PW, at.tiles, n);
  T        *a = A.matrix(b), *L = (T *)(room + at.l), *raw = (T *)(room + at.raw), *U = (T *)(room + at.u);
  uint16_t *slot_of = (uint16_t *)(room + at.slot_of), *id = (uint16_t *)(room + at.id);
  int      *flags = (int *)(room + at.flags);
  for (int i = tid; i < n; i += 32 * W) id[i] = (uint16_t)i;
  if (tid < 2) flags[tid] = 0;
  __syncthreads();
  if (tid < 32 * PW) {
    for (int p = 0; p < at.tiles; p++) {
      ahead_wait<AHEAD_READY, 32 * W>();
      ahead_factor<T, PW, RPL>(tid, n, p, L + at.panel(p), (lu_candidate<T> *)(room + at.slots),
                               id + at.order(p), id + at.order(p + 1), slot_of + p * n,
                               ipiv_of + (int64_t)b * A.pitch, flags);
      ahead_wait<AHEAD_DONE, 32 * W>();
    }
  } else {
    constexpr int one   = LU_NB * lu_u_pitch<T>;
    const auto    fetch = [&](int p) {
      if (p < at.tiles) lu_stage(raw, a + p * LU_NB * ld, ld, n, min(LU_NB, n - p * LU_NB), me.tid, 32 * UW);
    };
    fetch(0);
    for (int p = 0; p < at.tiles; p++) {
      T        *column = a + p * LU_NB * ld;
      const int nb = min(LU_NB, n - p * LU_NB), last = p - 1;
      bf_copies_done();
      if (p > 1) me.invert(L + at.panel(p - 2), U, a + (p - 2) * LU_NB * (ld + 1), ld);
      me.sync();
      if (p > 1) {
        me.gather(0, id + at.order(last), raw);
        me.template solve<true>(0, L, U);
        me.sync();
        for (int q = 0; q < last; q++) {
          T *now = U + (q & 1) * one;
          me.update(q, L + at.panel(q), slot_of + q * n, now);
          if (q + 1 < last) me.template solve<true>(q + 1, L + at.panel(q + 1), U + (~q & 1) * one);
          me.write_u(now, column + q * LU_NB, ld, nb);
          me.sync();
        }
        me.scatter(last, raw);
        me.sync();
      }
      if (p > 0) ahead_wait<AHEAD_DONE, 32 * W>();
      me.gather(p > 0 ? last : 0, id + at.order(p), raw);
      if (p > 0) {
        me.template solve<false>(last, L + at.panel(last), U);
        me.sync();
        me.update(last, L + at.panel(last), slot_of + last * n, U);
      }
      me.hand_over(p, L + at.panel(p));
      ahead_wait<AHEAD_READY, 32 * W>();
      if (p > 0) me.write_u(U, column + last * LU_NB, ld, nb);
      me.sync();
      fetch(p + 1);
    }
    ahead_wait<AHEAD_DONE, 32 * W>();
  }
  __syncthreads();
  me.write_l(room, at, a, ld, tid, W, 2);
  if (me.poison != 0) flags[1] = 1;
  __syncthreads();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int PW, int RPL, int UW, int TPW, int BLOCKS>
static cudaError_t lu_ahead_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const ahead_layout<T, PW> at(A.n);
  const auto                kernel = lu_ahead<T, PW, RPL, UW, TPW, BLOCKS>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, at.bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, 32 * (PW + UW), (size_t)at.bytes, s>>>(A, ipiv, info);
  return cudaGetLastError();
}
#endif
