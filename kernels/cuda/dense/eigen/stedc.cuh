/* kernels/cuda/dense/eigen/stedc.cuh - divide and conquer for the symmetric tridiagonal eigenproblem, a
 * block per matrix
 *
 * Computes   T = Q diag(d) Q^T, d ascending, by Cuppen's divide and conquer from the blocks of order 8 of
 *            stedc_leaves.cuh upwards. Entries below roundoff of the largest entry of T (1e-16, fp32: 6e-8)
 *            are neglected.
 * Source     J. Cuppen, Numer. Math. 36 (1981); M. Gu, S. Eisenstat, SIAM J. Matrix Anal. 16 (1995), 172.
 * Layout     Q[c*ld + r], the blocks of a level on its diagonal, their columns in the order of d; a level
 *            reads one array and writes the other. All merges of a level are processed together: index c
 *            stands for row, column or root c of merge c >> lg. Vectors of the merged problem are computed
 *            for `panel` roots at a time; a column stores which half of the rows is nonzero, and the other
 *            half is not read.
 * Cost       about 4/3 n^3 multiply-adds.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_CUH
#include "kernels/cuda/dense/eigen/stedc_back_multiply.cuh"
#include "kernels/cuda/dense/eigen/stedc_deflate.cuh"
#include "kernels/cuda/dense/eigen/stedc_leaves.cuh"

namespace bf
{

/* The listed rotations on the rows of Q, and the roots; false if one did not converge */
template <class R>
__device__ bool stedc_roots(const stedc_smem<R> &m, const stedc_level &v, R *Q, int ld)
{
  for (int r = threadIdx.x; r < v.n; r += blockDim.x) {
    if (v.unpaired(r)) continue;
    const int o = v.first(r);
    for (int q = o; q < o + m.rotations[r >> v.lg]; q++) {
      R      *a = Q + (size_t)m.rp[q] * ld + r, *b = Q + (size_t)m.rq[q] * ld + r;
      const R x = *a, y = *b;
      *a = m.cs[q] * x + m.sn[q] * y;
      *b = m.cs[q] * y - m.sn[q] * x;
    }
  }
  const int L    = stedc_lanes(v);
  bool      fine = true;
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int  c = c0 + threadIdx.x / L, o = v.first(c);
    const bool in = c < v.n && !v.unpaired(c);
    const int  k  = in ? m.undeflated[c >> v.lg] : 0;
    const bool on = c - o < k;
    fine &= secular_find(m.s + o, m.z + o, on ? k : 0, c - o, in ? coupling(m, v, c) : R(1), m.base + c,
                         m.tau + c, threadIdx.x & (L - 1), L, on);
  }
  return fine;
}

/* z for which the computed roots are exact, by the product formula */
template <class R>
__device__ void stedc_weights(const stedc_smem<R> &m, const stedc_level &v)
{
  const int L = stedc_lanes(v), l = threadIdx.x & (L - 1);
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int c = c0 + threadIdx.x / L, o = v.first(c),
              k = c < v.n && !v.unpaired(c) ? m.undeflated[c >> v.lg] : 0, j = c - o;
    const R   *s = m.s + o, *tau = m.tau + o;
    const int *base = m.base + o;
    R          w    = 1;
    if (j < k) {
      const R sj = s[j];
      if (l == 0) w = (sj - s[base[j]]) - tau[j];
#pragma unroll 4
      for (int i = l; i < k; i += L)
        if (i != j) w *= ((sj - s[base[i]]) - tau[i]) * reciprocal_of(sj - s[i]);
    }
    for (int a = 1; a < L; a *= 2) w *= __shfl_xor_sync(~0u, w, a);
    if (j < k && l == 0) m.zh[c] = copysign(sqrt(fabs(w)), m.z[c]);
  }
}

/* 1 / length of each vector, and its position pos; the new d is stored in cs, whose rotations are
 * finished */
template <class R>
__device__ void stedc_sort_roots(const stedc_smem<R> &m, const stedc_level &v)
{
  const int L = stedc_lanes(v), l = threadIdx.x & (L - 1);
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int  c = c0 + threadIdx.x / L, o = v.first(c), i = c - o;
    const bool in = c < v.n && !v.unpaired(c);
    const int  k = in ? m.undeflated[c >> v.lg] : 0, count = in ? v.end(c) - o : 0;
    const R   *s = m.s + o, *tau = m.tau + o;
    const int *base = m.base + o;
    R          me = 0, q = 0;
    int        r = 0;
    if (i < k) {
#pragma unroll 4
      for (int j = l; j < k; j += L) q += square(m.zh[o + j] * reciprocal_of((s[j] - s[base[i]]) - tau[i]));
      me = s[base[i]] + tau[i];
    } else if (in)
      me = m.deflated[o + i - k];
#pragma unroll 4
    for (int j = l; j < count; j += L) {
      const R x = j < k ? s[base[j]] + tau[j] : m.deflated[o + j - k];
      r += x < me || (x == me && j < i);
    }
    q = sum_lanes(q, L);
    r = sum_lanes(r, L);
    if (l != 0 || c >= v.n) continue;
    if (i < k) m.inv[c] = R(1) / sqrt(q);
    if (in) m.pos[c] = o + r;
    m.cs[in ? o + r : c] = in ? me : m.d[c];
  }
}

/* CW columns of a panel for a lane's row: the sum over the listed columns of Q */
template <class R, int CW>
__device__ __forceinline__ void stedc_multiply_row(const R *Qr, int ld, const R *U, int lpanel,
                                                   const int *list, int count, R *acc)
{
#pragma unroll 4
  for (int q = 0; q < count; q++) {
    const int e = list[q];
    const R   a = Qr[(size_t)(e & 0xffff) * ld], *u = U + ((e >> 16) << lpanel);
#pragma unroll
    for (int x = 0; x < CW; x++) acc[x] += a * u[x];
  }
}

/* Columns p0 .. p0 + panel-1 of every merge: a warp takes 32 rows and 1 << lcw columns at a time. */
template <class R>
__device__ void stedc_multiply_panel(const stedc_smem<R> &m, const stedc_level &v, const R *Q, R *Q2, int ld,
                                     const R *U, int p0, int lpanel)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const int blocks = (v.n + 31) / 32;
  const int lcw    = lpanel < 2 ? lpanel : lpanel >= 3 && (blocks << (lpanel - 3)) >= warps ? 3 : 2;
  for (int job = warp; job < blocks << (lpanel - lcw); job += warps) {
    const int cg = job & ((1 << (lpanel - lcw)) - 1), r = (job >> (lpanel - lcw)) * 32 + lane;
    if (r >= v.n || v.unpaired(r)) continue;
    const int o = v.first(r), i0 = p0 + (cg << lcw), g = r >> v.lg, k = m.undeflated[g];
    if (o + i0 >= v.n) continue;
    const bool top  = r < v.middle(r);
    const int *list = (top ? m.upper : m.lower) + o, count = i0 >= k ? 0
                                                             : top   ? m.upper_count[g]
                                                                     : m.lower_count[g];
    const R   *Ur     = U + ((size_t)o << lpanel) + (cg << lcw);
    R          acc[8] = {};
    if (lcw == 3)
      stedc_multiply_row<R, 8>(Q + r, ld, Ur, lpanel, list, count, acc);
    else if (lcw == 2)
      stedc_multiply_row<R, 4>(Q + r, ld, Ur, lpanel, list, count, acc);
    else if (lcw == 1)
      stedc_multiply_row<R, 2>(Q + r, ld, Ur, lpanel, list, count, acc);
    else
      stedc_multiply_row<R, 1>(Q + r, ld, Ur, lpanel, list, count, acc);
#pragma unroll
    for (int x = 0; x < 8; x++) {
      const int i = i0 + x;
      if (x < 1 << lcw && o + i < v.end(r))
        Q2[(size_t)m.pos[o + i] * ld + r] = i < k ? acc[x] : Q[(size_t)m.deflated_column[o + i - k] * ld + r];
    }
  }
}

template <bool TILES, class R>
__device__ void stedc_vectors(const stedc_smem<R> &m, const stedc_level &v, const R *Q, R *Q2, int ld, R *U,
                              int lpanel)
{
  const bool tiles = TILES && v.lg >= STEDC_MMA_LOG2;
  lpanel           = min(lpanel, v.lg);
  for (int p0 = 0; p0 < 1 << v.lg; p0 += 1 << lpanel) {
    __syncthreads();
    for (int x = threadIdx.x; x < v.n << lpanel; x += blockDim.x) {
      const int c = x >> lpanel, o = v.first(c), i = p0 + (x & ((1 << lpanel) - 1));
      const int k = v.unpaired(c) ? 0 : m.undeflated[c >> v.lg];
      if (c - o < k && i < k)
        U[tiles ? (c << lpanel) + stedc_swizzle(x & ((1 << lpanel) - 1), c, lpanel) : x] =
            m.zh[c] * reciprocal_of((m.s[c] - m.s[o + m.base[o + i]]) - m.tau[o + i]) * m.inv[o + i];
    }
    __syncthreads();
    if constexpr (TILES) {
      if (tiles) stedc_multiply_tiles(m, v, Q, Q2, ld, U, p0, lpanel);
    }
    if (!tiles) stedc_multiply_panel(m, v, Q, Q2, ld, U, p0, lpanel);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    m.d[c] = m.cs[c];
    if (v.unpaired(c))
      for (int r = v.first(c); r < v.n; r++) Q2[(size_t)c * ld + r] = Q[(size_t)c * ld + r];
  }
}

/* m.d, m.e: T, scaled to about 1; Q, Q2: n columns of ld; U: n << lpanel; sums are divided as for a
 * block of `threads`; fp64 products by TILES or by rows. Returns the array that holds Q; m.d is then
 * ascending. *fine is false in threads whose root did not converge. */
template <bool TILES, class R>
__device__ R *stedc(int n, const stedc_smem<R> &m, R *Q, R *Q2, int ld, R *U, int lpanel, int threads,
                    bool *fine)
{
  *fine = stedc_leaves(n, m.d, m.e, m.cs, Q, ld, Q2);
  for (stedc_level v = {n, STEDC_LEAF_LOG2 + 1, threads}; 1 << (v.lg - 1) < n; v.lg++) {
    const int half = 1 << (v.lg - 1);
    for (int x = threadIdx.x; x < n * half; x += blockDim.x) { /* zeros that rotations read */
      const int c = x >> (v.lg - 1), i = x & (half - 1),
                r = c < v.middle(c) ? v.middle(c) + i : v.first(c) + i;
      if (r < n && !v.unpaired(c)) Q[(size_t)c * ld + r] = 0;
    }
    __syncthreads();
    stedc_sort_poles(m, v, Q, ld);
    __syncthreads();
    stedc_find_deflation(m, v);
    __syncthreads();
    stedc_deflate(m, v);
    __syncthreads();
    *fine &= stedc_roots(m, v, Q, ld);
    __syncthreads();
    stedc_weights(m, v);
    __syncthreads();
    stedc_sort_roots(m, v);
    stedc_vectors<TILES && sizeof(R) == 8>(m, v, Q, Q2, ld, U, lpanel);
    __syncthreads();
    R *swap = Q;
    Q       = Q2;
    Q2      = swap;
  }
  return Q;
}

} // namespace bf
#endif
