/* kernels/cuda/dense/eigen/hetrd_register.cuh - tridiagonal reduction of Hermitian matrices in registers, a
 * block per matrix
 *
 * Computes   S = H T H^H, H a product of reflectors I - tau v v^H. p = tau A v is computed from the
 *            unscaled column y: v = f (y - beta e), A v = f (A y - beta A e).
 * Source     LAPACK's zhetd2.
 * Layout     all of S: a warp has every WARPS-th column, a lane every 32nd row of them; the first
 *            SMEM_COLUMNS columns are in shared memory where registers do not suffice. One pass computes A
 *            - v w^H - w v^H of the previous step and p += A y; v, w, y by row in registers, by column from
 *            the warp's shared memory. Partial sums of p go through shared memory: every warp adds all of
 *            them (one barrier per column) or, with SPLIT, its own rows (two). A loop of PHASE steps skips
 *            the columns and rows finished before it, so that registers are indexed by constants.
 * Cost       2 n^3 multiply-adds (complex 4 times) and the excess within a phase.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HETRD_REGISTER_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HETRD_REGISTER_CUH
#include "kernels/cuda/dense/eigen/householder.cuh"

namespace bf
{

template <class T_, int CHUNKS_, int WARPS_, bool SPLIT_, int SMEM_COLUMNS_ = 0>
struct hetrd_shape {
  using T                     = T_;
  static constexpr int CHUNKS = CHUNKS_, WARPS = WARPS_, SMEM_COLUMNS = SMEM_COLUMNS_, N = 32 * CHUNKS,
                       COLS = N / WARPS, SMEM_PER_WARP = SMEM_COLUMNS / WARPS, PHASE = WARPS == 1 ? 8 : 16,
                       ACCS   = sizeof(T) == 8 && !is_complex<T> ? 2 : 1;
  static constexpr bool SPLIT = SPLIT_;
  static_assert(N % WARPS == 0 && SMEM_COLUMNS % WARPS == 0 && (!SPLIT || 32 % COLS == 0), "rows of a warp");
};

/* A column's factors for update and product: v, w, y in its row */
template <class T>
struct hetrd_row_factors {
  static constexpr int OF = vec16<T>::length;
  vec16<T>             p[(3 + OF - 1) / OF];

  __device__ __forceinline__ T &of(int k)
  {
    return p[k / OF].e[k % OF];
  }
};

/* reflector() without branches, so that independent instructions overlap */
template <class T>
__device__ __forceinline__ T reflector_branchless(T alpha, real_t<T> xx, T *tau, real_t<T> *beta)
{
  using R          = real_t<T>;
  const R    whole = xx + square_of(alpha), tiny = sizeof(R) == 8 ? R(1e-290) : R(1e-35);
  const bool none = (xx == 0 && imag_part(alpha) == 0) || whole < tiny; /* zero to roundoff */
  const R    x = none ? R(1) : whole, root = inverse_sqrt_branchless(x),
          r = real_part(alpha) >= 0 ? -root : root;
  const R b = x * r;
  *beta     = none ? real_part(alpha) : b;
  if constexpr (is_complex<T>) {
    const T q = {alpha.re - b, alpha.im};
    const R d = reciprocal_of(none ? R(1) : square_of(q));
    *tau      = {none ? R(0) : R(1) - alpha.re * r, none ? R(0) : -alpha.im * r};
    return {none ? R(0) : q.re * d, none ? R(0) : -q.im * d};
  } else {
    *tau = none ? R(0) : R(1) - alpha * r;
    return none ? R(0) : reciprocal_of(none ? R(1) : alpha - b);
  }
}

template <class S>
struct hetrd_register_smem { /* shared memory */
  using T                     = typename S::T;
  static constexpr int VECTOR = S::N * (int)sizeof(T) / 16, SEVERAL = S::WARPS > 1;
  hetrd_row_factors<T> factors[S::WARPS][S::COLS];
  vec16<T>             columns[(S::SMEM_COLUMNS * S::N * sizeof(T) + 15) / 16 + 1];
  vec16<T>             sums_buffer[SEVERAL * (S::SPLIT ? 1 : 2) * S::WARPS * VECTOR + 1];
  vec16<T>             first_buffer[SEVERAL * (S::SPLIT ? 1 : 2) * VECTOR + 1];
  vec16<T>             p_buffer[S::SPLIT * VECTOR + 1], y_buffer[S::SPLIT * VECTOR + 1];
  real_t<T>            dots[S::WARPS];

  __device__ __forceinline__ T *column(int j)
  {
    return reinterpret_cast<T *>(columns) + j * S::N;
  }
  __device__ __forceinline__ T *sums(int k)
  {
    return reinterpret_cast<T *>(sums_buffer) + (S::SPLIT ? 0 : k & 1) * S::WARPS * S::N;
  }
  __device__ __forceinline__ T *first(int k)
  {
    return reinterpret_cast<T *>(first_buffer) + (S::SPLIT ? 0 : k & 1) * S::N;
  }
  __device__ __forceinline__ T *p()
  {
    return reinterpret_cast<T *>(p_buffer);
  }
  __device__ __forceinline__ T *y()
  {
    return reinterpret_cast<T *>(y_buffer);
  }
};

template <class T>
struct hetrd_output { /* n, n, n - 1 numbers; reflectors to the columns of a, unless it is NULL */
  real_t<T> *d, *e;
  T         *tau, *a;
  int        lda;
};

template <class S>
struct hetrd_matrix {
  using T = typename S::T;
  using R = real_t<T>;
  T e[S::COLS - S::SMEM_PER_WARP][S::CHUNKS];
  T v[S::CHUNKS], w[S::CHUNKS], next_column[S::CHUNKS],
      w1; /* next_column: the column of this step, not updated */
  const int lane, warp;

  __device__ __forceinline__ hetrd_matrix()
      : lane((int)threadIdx.x & 31), warp(S::WARPS == 1 ? 0 : (int)threadIdx.x >> 5)
  {
  }

  /* S(i, j) = f(i, j), also for rows and columns beyond n, where it is 0 */
  template <class F>
  __device__ __forceinline__ void fill(hetrd_register_smem<S> &smem, F f)
  {
#pragma unroll
    for (int u = 0; u < S::COLS; u++)
#pragma unroll
      for (int c = 0; c < S::CHUNKS; c++) {
        const T x = f(lane + 32 * c, warp + S::WARPS * u);
        if (u < S::SMEM_PER_WARP)
          store_aligned(smem.column(warp + S::WARPS * u) + lane + 32 * c, x);
        else
          e[u < S::SMEM_PER_WARP ? 0 : u - S::SMEM_PER_WARP][c] = x;
      }
#pragma unroll
    for (int c = 0; c < S::CHUNKS; c++) {
      next_column[c] = f(lane + 32 * c, 0);
      v[c] = w[c] = from_real<T>(0);
    }
    w1 = from_real<T>(0);
  }

  /* Stores column k + 1, one of U .. U1 of its warp, for all warps; after the pass, whose loads would
   * wait for the stores */
  template <int C0, int U, int U1>
  __device__ __forceinline__ void publish_column(int k, hetrd_register_smem<S> &smem)
  {
    if (warp + S::WARPS * U == k + 1) {
      const T *smem_column = smem.column(k + 1) + lane;
#pragma unroll
      for (int c = C0; c < S::CHUNKS; c++) {
        const T x = U < S::SMEM_PER_WARP ? load_aligned(smem_column + 32 * c)
                                         : e[U < S::SMEM_PER_WARP ? 0 : U - S::SMEM_PER_WARP][c];
        if (S::WARPS == 1)
          next_column[c] = x;
        else
          store_aligned(smem.first(k) + lane + 32 * c, x);
      }
    }
    if constexpr (U < U1) publish_column<C0, U + 1, U1>(k, smem);
  }

  /* Step k, in phase P */
  template <int P>
  __device__ __forceinline__ void step(int n, int k, hetrd_register_smem<S> &smem, const hetrd_output<T> &out)
  {
    constexpr int C0 = S::PHASE * P / 32, U0 = S::PHASE * P / S::WARPS,
                  U1 = (S::PHASE * P + S::PHASE - 1) /
                       S::WARPS; /* column k + 1 is one of U0 .. U1 of its warp */
    const int of = (k + 1) & 31;
    T         y[S::CHUNKS], acc[S::ACCS][S::CHUNKS], p[S::CHUNKS];
    T        *sums = smem.sums(k), *first = smem.first(k);
    R         xx = 0, dot = 0;
#pragma unroll
    for (int c = C0; c < S::CHUNKS; c++) { /* column k after the earlier reflectors */
      const int i = lane + 32 * c;
      y[c]        = mulsub(v[c], w1, next_column[c] - w[c]);
      if (c > C0 || lane > of) xx += square_of(y[c]);
      if (c == C0 && lane < of) y[c] = from_real<T>(0);
      if (i % S::WARPS == warp) {
        hetrd_row_factors<T> f;
        f.of(0) = v[c], f.of(1) = w[c], f.of(2) = y[c];
        smem.factors[warp][i / S::WARPS] = f;
        if (S::SPLIT) store_aligned(smem.y() + i, y[c]);
      }
#pragma unroll
      for (int h = 0; h < S::ACCS; h++) acc[h][c] = from_real<T>(0);
    }
    __syncwarp();
    constexpr int XX_COLUMNS = (S::COLS - U0 + 1) / 2; /* columns during which xx is summed over the lanes */
    T             t, scale;
    R             beta;
#pragma unroll
    for (int u = U0; u < S::COLS; u++) {
#pragma unroll
      for (int q = 0; q < 5; q++)
        if (q * XX_COLUMNS / 5 == u - U0) xx += __shfl_xor_sync(~0u, xx, 1 << q);
      if (u - U0 == XX_COLUMNS - 1) scale = reflector_branchless(shfl(y[C0], of), xx, &t, &beta);
      hetrd_row_factors<T> f  = smem.factors[warp][u];
      T                    vj = conj(f.of(0)), wj = conj(f.of(1)), xj = f.of(2);
      if (S::WARPS * u < 32 * C0 && warp + S::WARPS * u <= k)
        vj = wj = xj = from_real<T>(0); /* not updated any more */
      T *smem_column = smem.column(warp + S::WARPS * u) + lane;
      T  q[S::CHUNKS];
#pragma unroll
      for (int c = C0; c < S::CHUNKS; c++) {
        const T before = u < S::SMEM_PER_WARP ? load_aligned(smem_column + 32 * c)
                                              : e[u < S::SMEM_PER_WARP ? 0 : u - S::SMEM_PER_WARP][c];
        q[c]           = mulsub(w[c], vj, mulsub(v[c], wj, before));
        if (u < S::SMEM_PER_WARP)
          store_aligned(smem_column + 32 * c, q[c]);
        else
          e[u < S::SMEM_PER_WARP ? 0 : u - S::SMEM_PER_WARP][c] = q[c];
        acc[u % S::ACCS][c] = muladd(q[c], xj, acc[u % S::ACCS][c]);
      }
    }
    publish_column<C0, U0, U1>(k, smem);
#pragma unroll
    for (int c = C0; c < S::CHUNKS; c++) {
      p[c] = acc[0][c];
#pragma unroll
      for (int h = 1; h < S::ACCS; h++) p[c] = p[c] + acc[h][c];
      if (S::WARPS > 1) store_aligned(sums + warp * S::N + lane + 32 * c, p[c]);
    }
    block_sync<S::WARPS>();
    R diagonal;
    T py;
    if constexpr (S::SPLIT) {
      const int r = warp * S::COLS + lane % S::COLS, part = lane / S::COLS;
      T         mine = from_real<T>(0);
#pragma unroll
      for (int m = 0; m < S::CHUNKS; m++)
        mine = mine + load_aligned(sums + (part * S::CHUNKS + m) * S::N + r);
#pragma unroll
      for (int c = C0; c < S::CHUNKS; c++) next_column[c] = load_aligned(first + lane + 32 * c);
      diagonal   = real_part(load_aligned(first + k + 1));
      const T yr = load_aligned(smem.y() + r);
#pragma unroll
      for (int o = S::COLS; o < 32; o *= 2) mine = mine + shfl_xor(mine, o);
      if (r <= k) mine = from_real<T>(0);
      if (part == 0) store_aligned(smem.p() + r, mine);
      dot = real_part(conj(mine) * yr);
#pragma unroll
      for (int o = 1; o < S::COLS; o *= 2) dot += __shfl_xor_sync(~0u, dot, o);
      if (lane == 0) smem.dots[warp] = dot;
    } else {
#pragma unroll
      for (int c = C0; c < S::CHUNKS; c++) {
        if (S::WARPS > 1) {
          next_column[c] = load_aligned(first + lane + 32 * c);
          p[c]           = load_aligned(sums + lane + 32 * c);
        }
#pragma unroll
        for (int q = 1; q < S::WARPS; q++) p[c] = p[c] + load_aligned(sums + q * S::N + lane + 32 * c);
        if (c == C0 && lane < of) p[c] = from_real<T>(0);
        dot += real_part(conj(p[c]) * y[c]);
      }
      diagonal = __shfl_sync(~0u, real_part(next_column[C0]), of);
      py       = shfl(p[C0], of);
      dot      = sum_warp(dot);
    }
    const T f        = t * scale;
    const R half_tau = R(-0.5) * square_of(t) * square_of(scale);
    if constexpr (S::SPLIT) {
      __syncthreads();
#pragma unroll
      for (int c = C0; c < S::CHUNKS; c++) p[c] = load_aligned(smem.p() + lane + 32 * c);
      py  = load_aligned(smem.p() + k + 1);
      dot = 0;
#pragma unroll
      for (int q = 0; q < S::WARPS; q++) dot += smem.dots[q];
    }
    const R half = half_tau * muladd(beta, muladd(beta, diagonal, R(-2) * real_part(py)), dot);
    w1 = conj(muladd(f, mulsub(from_real<T>(beta), from_real<T>(diagonal), py), from_real<T>(half)));
#pragma unroll
    for (int c = C0; c < S::CHUNKS; c++) {
      const int i = lane + 32 * c;
      if (c == C0 && lane < of) next_column[c] = from_real<T>(0);
      v[c] = c == C0 && lane == of ? from_real<T>(1) : y[c] * scale;
      w[c] = muladd(f, p[c] - times(next_column[c], beta), times(v[c], half));
      if (out.a && warp == k % S::WARPS && i > k && i < n) out.a[(size_t)k * out.lda + i] = v[c];
    }
    if (lane == 0 && warp == 0) {
      out.e[k]     = beta;
      out.tau[k]   = t;
      out.d[k + 1] = (diagonal - real_part(w1)) - real_part(w1);
    }
  }

  /* Steps from k on, from phase P on */
  template <int P>
  __device__ __forceinline__ void phases(int n, int k, hetrd_register_smem<S> &smem,
                                         const hetrd_output<T> &out)
  {
    const int end = min((P + 1) * S::PHASE - 1, n - 1);
#pragma unroll 1
    for (; k < end; k++) step<P>(n, k, smem, out);
    if constexpr ((P + 1) * S::PHASE < S::N)
      if (k < n - 1) phases<P + 1>(n, k, smem, out);
  }

  /* d, e, tau: S = H T H^H, n > 1; next_column holds column 0 */
  __device__ __forceinline__ void reduce(int n, hetrd_register_smem<S> &smem, const hetrd_output<T> &out)
  {
    if (lane == 0 && warp == 0) {
      out.d[0]     = real_part(next_column[0]);
      out.e[n - 1] = 0;
    }
    phases<0>(n, 0, smem, out);
  }
};

/* The same for S(i, j) = f(i, j), 0 beyond n */
template <class S, class F>
__device__ __forceinline__ void hetrd_register(int n, hetrd_register_smem<S> &smem,
                                               const hetrd_output<typename S::T> &out, F f)
{
  hetrd_matrix<S> m;
  m.fill(smem, f);
  m.reduce(n, smem, out);
}

} // namespace bf
#endif
