/* kernels/cuda/batch_reduce_chip.cuh - Hermitian matrices in shared memory to real tridiagonal form, a block
 * each
 *
 * Computes   S = H T H^H, H a product of reflectors I - tau v v^H.
 * Source     LAPACK's zhetd2.
 *            p = tau A v from the column y as it stands: v = f (y - beta e), A v = f (A y - beta A e).
 * Layout     S: whole, or its lower triangle by columns without gaps.  Every warp has v, w of the last step
 *            in its own copy, so a step has one barrier: column by column  A <- A - v w^H - w v^H  and
 *            p += A v_new  in one pass, partial p by warp.  Of a triangle an entry is used for its row and
 *            for its column, whose sums are added up over the lanes of a warp.
 * Cost       4/3 n^3 multiplications and additions, of a whole matrix 2 n^3.
 * Checked    tests/t360_heev_batch.c, t359_pairs_batch.c, t373_large_spectra.c.
 */
#ifndef BF_BATCH_REDUCE_CHIP_CUH
#define BF_BATCH_REDUCE_CHIP_CUH
#include "kernels/cuda/batch_reflect.cuh"

/* Where column j begins, so that entry (i, j) is i behind it. */
struct chip_square {
  int                                     ld;
  static constexpr int                    DOWN = 0; /* are there sums down columns */
  __host__ __device__ __forceinline__ int column(int j) const
  {
    return j * ld;
  }
};
struct chip_triangle {
  int                                     n;
  static constexpr int                    DOWN = 1;
  __host__ __device__ __forceinline__ int column(int j) const
  {
    return j * (2 * n - 1 - j) / 2;
  }
};

/* Scalars of shared memory: of vectors, of partial sums. */
template <int WARPS>
inline constexpr int chip_vectors = 3 * WARPS;
template <class AT, int WARPS>
inline constexpr int chip_part = 2 * (WARPS + AT::DOWN);

/* Columns behind k of S:  S -= v w^H + w v^H  of the step before;  acc = S x by the columns of this warp. */
template <class T, int CHUNKS, int WARPS>
__device__ __forceinline__ void chip_columns(T *S, const chip_square &at, int n, int j, int c0, const T *pv,
                                             const T *pw, const T *x, const T *v, const T *w, T *acc)
{
  constexpr int AT_ONCE = CHUNKS * (int)sizeof(T) <= 32 ? 4 : CHUNKS * (int)sizeof(T) <= 64 ? 2 : 1;
  const int     lane    = threadIdx.x & 31;
  T             e[AT_ONCE][CHUNKS], xj[AT_ONCE], wj[AT_ONCE], vj[AT_ONCE];
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++) {
    const int to = j + u * WARPS, jc = min(to, n - 1);
    xj[u] = to < n ? own(x + jc) : from_real<T>(0);
    wj[u] = conj(own(pw + jc));
    vj[u] = conj(own(pv + jc));
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      e[u][c]     = c >= c0 && i < n && to < n ? own(S + at.column(to) + i) : from_real<T>(0);
    }
  }
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++)
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c, to = j + u * WARPS;
      const T   q = mulsub(w[c], vj[u], mulsub(v[c], wj[u], e[u][c]));
      if (c >= c0 && i < n && to < n) own(S + at.column(to) + i, q);
      acc[c] = muladd(q, xj[u], acc[c]);
    }
}
template <class T, int CHUNKS, int WARPS>
__device__ __forceinline__ void chip_pass(T *S, const chip_square &at, int n, int k, const T *pv, const T *pw,
                                          const T *x, const T *v, const T *w, const T *, T *acc, T *)
{
  constexpr int AT_ONCE = CHUNKS * (int)sizeof(T) <= 32 ? 4 : CHUNKS * (int)sizeof(T) <= 64 ? 2 : 1;
  const int     warp = threadIdx.x >> 5, c0 = (k + 1) >> 5;
  int           j = k + 1 + warp;
  chip_columns<T, CHUNKS, WARPS>(S, at, n, j, c0, pv, pw, x, v, w, acc);
  for (j += AT_ONCE * WARPS; j < n; j += AT_ONCE * WARPS)
    chip_columns<T, CHUNKS, WARPS>(S, at, n, j, c0, pv, pw, x, v, w, acc);
}

/* The same of the lower triangle; y: this lane's rows of x; sums down columns into `down`. */
template <class T, int CHUNKS, int WARPS>
__device__ __forceinline__ void chip_pass(T *S, const chip_triangle &at, int n, int k, const T *pv,
                                          const T *pw, const T *x, const T *v, const T *w, const T *y, T *acc,
                                          T *down)
{
  constexpr int AT_ONCE = sizeof(T) == 16 ? 2 : 4;
  const int     lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int j = k + 1 + warp * AT_ONCE; j < n; j += AT_ONCE * WARPS) {
    T  xj[AT_ONCE], wj[AT_ONCE], vj[AT_ONCE], dot[AT_ONCE];
    T *from[AT_ONCE];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) {
      const int jc = j + u < n ? j + u : j;
      xj[u]        = own(x + jc);
      wj[u]        = conj(own(pw + jc));
      vj[u]        = conj(own(pv + jc));
      dot[u]       = from_real<T>(0);
      from[u]      = S + at.column(jc) + lane;
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      if (32 * (c + 1) <= j || 32 * c >= n) continue;
      const int i = lane + 32 * c;
      T         e[AT_ONCE];
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++)
        e[u] = i >= j + u && i < n && j + u < n ? own(from[u] + 32 * c) : from_real<T>(0);
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        if (!(i >= j + u && i < n && j + u < n)) continue;
        const T q = mulsub(w[c], vj[u], mulsub(v[c], wj[u], e[u]));
        own(from[u] + 32 * c, q);
        acc[c] = muladd(q, xj[u], acc[c]);
        if (i != j + u) dot[u] = muladd(conj(q), y[c], dot[u]);
      }
    }
    const T mine = sum_columns<T, AT_ONCE>(dot, 32);
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++)
      if (lane == lane_of_column<AT_ONCE>(u) && j + u < n) own(down + j + u, mine);
  }
}

/* d, e, tau: S = H T H^H; the reflectors into the columns of A where they are wanted. */
template <class T, int CHUNKS, int WARPS, class AT>
__device__ void chip_reduce(T *S, const AT &at, int n, T *vectors, T *part, real_t<T> *d, real_t<T> *e,
                            T *tau, T *a, int lda)
{
  using R        = real_t<T>;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  T        *pv = vectors + (size_t)warp * 3 * n, *pw = pv + n, *x = pw + n;
  T         v[CHUNKS] = {}, w[CHUNKS] = {}, y[CHUNKS], w1 = from_real<T>(0);
  for (int i = lane; i < n; i += 32) pv[i] = pw[i] = from_real<T>(0);
#pragma unroll
  for (int c = 0; c < CHUNKS; c++) {
    const int i = lane + 32 * c;
    y[c]        = i < n ? own(S + at.column(0) + i) : from_real<T>(0);
  }
  for (int k = 0; k < n - 1; k++) {
    T acc[CHUNKS] = {}, alpha = from_real<T>(0);
    R xx = 0;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) { /* column k as the reflectors before left it */
      const int i = lane + 32 * c;
      y[c]        = mulsub(v[c], w1, y[c] - w[c]);
      if (i == k && warp == 0) d[k] = real_part(y[c]);
      if (i == k + 1) alpha = y[c];
      if (i >= k + 2 && i < n) xx += square_of(y[c]);
      if (i <= k || i >= n) y[c] = from_real<T>(0);
      if (i < n) own(x + i, y[c]);
    }
    __syncwarp();
    T      *sums = part + (size_t)(k & 1) * (WARPS + AT::DOWN) * n, *down = sums + (size_t)WARPS * n;
    T       t;
    R       beta;
    const T scale =
        reflector(of_lane(alpha, (k + 1) & 31), sum_warp(xx), &t, &beta); /* used behind the pass */
    chip_pass<T, CHUNKS, WARPS>(S, at, n, k, pv, pw, x, v, w, y, acc, down);
#pragma unroll
    for (int c = 0; c < CHUNKS; c++)
      if (lane + 32 * c < n) own(sums + warp * n + lane + 32 * c, acc[c]);
    __syncthreads();
    T first[CHUNKS], a1 = from_real<T>(0), p1 = a1; /* column k + 1, its diagonal; A y there */
    R dot = 0;
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      T         p = from_real<T>(0);
      first[c]    = p;
      if (i > k && i < n) {
        first[c] = own(S + at.column(k + 1) + i);
#pragma unroll
        for (int q = 0; q < WARPS + AT::DOWN; q++) p = p + own(sums + q * n + i);
      }
      acc[c] = p;
      dot += real_part(conj(p) * y[c]);
      if (i == k + 1) {
        a1 = first[c];
        p1 = p;
      }
    }
    dot          = sum_warp(dot);
    const T f    = t * scale;
    const R a11  = __shfl_sync(~0u, real_part(a1), (k + 1) & 31);
    const T py   = of_lane(p1, (k + 1) & 31);
    const R part = muladd(beta, muladd(beta, a11, R(-2) * real_part(py)), dot),
            half = R(-0.5) * square_of(t) * (square_of(scale) * part);
    w1           = conj(muladd(f, mulsub(from_real<T>(beta), from_real<T>(a11), py), from_real<T>(half)));
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
      const int i = lane + 32 * c;
      v[c]        = i == k + 1 ? from_real<T>(1) : y[c] * scale;
      w[c]        = muladd(f, acc[c] - times(first[c], beta), times(v[c], half));
      y[c]        = first[c];
      if (i < n) {
        own(pv + i, v[c]);
        own(pw + i, w[c]);
      }
      if (a && warp == k % WARPS && i > k && i < n) a[(size_t)k * lda + i] = v[c];
    }
    if (threadIdx.x == 0) {
      e[k]   = beta;
      tau[k] = t;
    }
  }
#pragma unroll
  for (int c = 0; c < CHUNKS; c++)
    if (lane + 32 * c == n - 1 && warp == 0) {
      d[n - 1] = real_part(mulsub(v[c], w1, y[c] - w[c]));
      e[n - 1] = 0;
    }
}
#endif
