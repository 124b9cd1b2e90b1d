/* kernels/cuda/batch_lu.cuh - LU with partial pivoting of orders 33 .. 128: a block factors a matrix from the
 * left, panel by panel of 16 columns
 *
 *     for panel p:   C = A(:, p), rows in the order of now           16 x 16 tiles in the warps' registers
 *         for q < p: U(q, p) = L(q, q)^-1 C(q);  C(t) -= L(t, q) U(q, p), t > q         one barrier a step
 *         C(p ..) = L(p .., p) U(p, p) with pivots: one warp or several, rows in registers
 *
 * The tile q of C is block row q of U once the steps before q are done, so nothing is looked for, no row
 * waits idle, and U leaves for memory at once: only L is kept, half a matrix.  L(:, q) stays in the order of
 * rows that panel q left; slot_of[q][row's number in A] finds a row in it, and L is put in its last order
 * when it is written.  A matrix is read and written once.
 * Source: left-looking panels, delayed interchanges: paper 003; kept and dropped ideas with their times:
 * docs/performance/batched-lu.md.
 * Checked    t362, t366.
 */
#ifndef BF_BATCH_LU_CUH
#define BF_BATCH_LU_CUH
#include "kernels/cuda/batch.cuh"
#include "kernels/cuda/batch_tile.cuh"
#include "kernels/cuda/bulk.cuh"

/* Bytes of shared memory, from 0: each piece a multiple of 16 bytes. */
struct lu_room {
  int                     bytes = 0;
  __host__ __device__ int take(int size)
  {
    const int at = bytes;
    bytes += (size + 15) / 16 * 16;
    return at;
  }
};

template <class T, int PW>
struct lu_layout {
  int tiles, stage; /* scalars of a stage: all rows of a panel */
  int l, raw, u, slots, slot_of, id, flags, bytes;

  __host__ __device__ explicit lu_layout(int n)
  {
    lu_room room;
    tiles   = (n + LU_NB - 1) / LU_NB;
    stage   = LU_NB * tiles * lu_pitch<T>;
    l       = room.take(LU_NB * (tiles * (tiles + 1) / 2) * lu_pitch<T> * (int)sizeof(T));
    raw     = room.take(stage * (int)sizeof(T));
    u       = room.take(2 * LU_NB * lu_u_pitch<T> * (int)sizeof(T));
    slots   = room.take(2 * PW * (int)sizeof(lu_candidate<T>));
    slot_of = room.take(tiles * n * 2);
    id      = room.take(LU_NB * tiles * 2);
    flags   = room.take(8);
    bytes   = room.bytes;
  }
  /* Panel q of L, rows from 16 q. */
  __device__ __forceinline__ int panel(int q) const
  {
    return LU_NB * (q * tiles - q * (q - 1) / 2) * lu_pitch<T>;
  }
};

template <int W>
static __device__ __forceinline__ void lu_sync()
{
  if constexpr (W == 1)
    __syncwarp();
  else
    __syncthreads();
}

/* nb columns from a, m rows of each, into rows of S, by threads tid, tid + threads .. */
template <class T>
static __device__ __forceinline__ void lu_stage(T *S, const T *a, int64_t ld, int m, int nb, int tid,
                                                int threads)
{
  for (int r = tid; r < m; r += threads) {
    const T *from = a + r;
    T       *to   = S + r * lu_pitch<T>;
    if (nb == LU_NB) {
#pragma unroll
      for (int c = 0; c < LU_NB; c++, from += ld) bf_copy_parts<(int)sizeof(real_t<T>)>(to + c, from);
    } else
      for (int c = 0; c < nb; c++, from += ld) bf_copy_parts<(int)sizeof(real_t<T>)>(to + c, from);
  }
}

/* What both kernels share: a thread's part in the panel at hand. */
template <class T, int W, int TPW>
struct lu_work {
  lu_tile<T> acc[TPW]; /* tiles w + W i */
  uint16_t   own[TPW][2];
  int        w, lane, g, t, tiles, n;
  real_t<T>  poison = 0; /* NaN once something not finite was written */

  __device__ __forceinline__ lu_work(int tiles_, int n_)
      : w(W == 1 ? 0 : (int)threadIdx.x >> 5), lane((int)threadIdx.x & 31), g(lane >> 2), t(lane & 3),
        tiles(tiles_), n(n_)
  {
  }
  __device__ __forceinline__ void watch(T v)
  {
    poison = muladd(real_part(v), real_t<T>(0), poison);
    if constexpr (is_complex<T>) poison = muladd(v.im, real_t<T>(0), poison);
  }
  /* The panel's rows from S, which has them by their number in A, in the order of now.  Rows from n on and
   * columns beyond the matrix become anything: nothing of them reaches others. */
  __device__ __forceinline__ void gather(const uint16_t *id, const T *S)
  {
#pragma unroll
    for (int i = 0; i < TPW; i++)
#pragma unroll
      for (int r = 0; r < 2; r++) {
        const int first = 16 * (w + W * i), x = first + g + 8 * r;
        own[i][r] = id[x < n ? x : first < n ? first : 0];
        acc[i].load(r, S + own[i][r] * lu_pitch<T>, t);
      }
  }
  /* Tile q becomes -U(q) in U. */
  __device__ __forceinline__ void solve(int q, const T *diagonal, T *U)
  {
    if (q % W != w) return;
#pragma unroll
    for (int i = 0; i < TPW; i++)
      if (w + W * i == q) lu_tile_store(acc[i], U, lu_u_pitch<T>, g, t);
    lu_solve_unit(diagonal, U, lane);
  }
  /* Tiles after q: C -= L(q) U(q), rows of L by their slots. */
  __device__ __forceinline__ void update(int q, const T *L, const uint16_t *slot_of, const T *U)
  {
    const T *L0[TPW], *L1[TPW];
    unsigned mask = 0;
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int tile = w + W * i;
      if (tile > q && tile < tiles) mask |= 1u << i;
      L0[i] = L + slot_of[own[i][0]] * lu_pitch<T>;
      L1[i] = L + slot_of[own[i][1]] * lu_pitch<T>;
    }
    lu_tile<T>::updates(acc, L0, L1, mask, U, g, t);
  }
  /* -U as the solve left it to A. */
  __device__ __forceinline__ void write_u(const T *U, T *A, int64_t ld, int nb)
  {
    const int r = (int)threadIdx.x % LU_NB, c0 = (int)threadIdx.x / LU_NB;
    A += c0 * ld + r;
    for (int c = c0; c < nb; c += 2 * W, A += 2 * W * ld) {
      const T v = -U[r * lu_u_pitch<T> + c];
      watch(v);
      *A = v;
    }
  }
  /* Tiles from p on to the panel's rows. */
  __device__ __forceinline__ void put(int p, T *P)
  {
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int tile = w + W * i;
      if (tile >= p && tile < tiles)
        lu_tile_store(acc[i], P + 16 * (tile - p) * lu_pitch<T>, lu_pitch<T>, g, t);
    }
  }
  template <int PW, int RPL>
  __device__ __forceinline__ void factor(T *P, int k0, lu_candidate<T> *slots, uint16_t *id,
                                         uint16_t *slot_of, int *ipiv, int *info)
  {
    if (w >= PW) return;
    const int     m = n - k0, nb = m < LU_NB ? m : LU_NB;
    constexpr int HALF = (RPL + 1) / 2;
    if (HALF < RPL && m <= 32 * PW * HALF) {
      lu_panel<T, PW, HALF> panel;
      panel.w = w, panel.lane = lane;
      panel.factor(P, m, nb, slots, id + k0, slot_of, ipiv + k0, k0, info);
    } else {
      lu_panel<T, PW, RPL> panel;
      panel.w = w, panel.lane = lane;
      panel.factor(P, m, nb, slots, id + k0, slot_of, ipiv + k0, k0, info);
    }
  }
};

/* L in shared memory.  W warps, PW of them for a panel with RPL rows a lane, TPW tiles a warp. */
template <class T, int W, int PW, int RPL, int TPW>
static __global__ void __launch_bounds__(32 * W) lu_chip(const batch_view<T> A, int *ipiv_of, int *info)
{
  extern __shared__ __align__(16) char room[];
  if ((int)blockIdx.x >= A.members()) return;
  const int              b = A.member((int)blockIdx.x), n = A.order(b), tid = (int)threadIdx.x;
  const int64_t          ld = A.ld;
  const lu_layout<T, PW> at(n);
  lu_work<T, W, TPW>     me(at.tiles, n);
  T         *a = A.matrix(b), *L = (T *)(room + at.l), *raw = (T *)(room + at.raw), *U = (T *)(room + at.u);
  uint16_t  *slot_of = (uint16_t *)(room + at.slot_of), *id = (uint16_t *)(room + at.id);
  int       *flags = (int *)(room + at.flags), *ipiv = ipiv_of + (int64_t)b * A.pitch;
  const auto fetch = [&](int k0) {
    if (k0 < n) lu_stage(raw, a + k0 * ld, ld, n, min(LU_NB, n - k0), tid, 32 * W);
  };
  for (int i = tid; i < n; i += 32 * W) id[i] = (uint16_t)i;
  if (tid < 2) flags[tid] = 0;
  fetch(0);
  for (int p = 0; p < at.tiles; p++) {
    const int k0 = p * LU_NB, nb = min(LU_NB, n - k0);
    T        *P = L + at.panel(p);
    bf_copies_done();
    lu_sync<W>();
    me.gather(id, raw);
    if (p > 0) me.solve(0, L, U);
    lu_sync<W>();
    fetch(k0 + LU_NB);
    for (int q = 0; q < p; q++) {
      T *now = U + (q & 1) * LU_NB * lu_u_pitch<T>, *next = U + (~q & 1) * LU_NB * lu_u_pitch<T>;
      me.update(q, L + at.panel(q), slot_of + q * n, now);
      if (q + 1 < p) me.solve(q + 1, L + at.panel(q + 1), next);
      me.write_u(now, a + k0 * ld + q * LU_NB, ld, nb);
      lu_sync<W>();
    }
    me.put(p, P);
    lu_sync<W>();
    me.template factor<PW, RPL>(P, k0, (lu_candidate<T> *)(room + at.slots), id, slot_of + p * n, ipiv,
                                flags);
  }
  lu_sync<W>();
  for (int q = 0, item = 0; q < at.tiles; q++)
    for (int y0 = LU_NB * q; y0 < n; y0 += 32, item++) {
      const int y = y0 + me.lane;
      if (item % W != me.w || y >= n) continue;
      const T *from = L + at.panel(q) + slot_of[q * n + id[y]] * lu_pitch<T>;
      T       *to   = a + (int64_t)(LU_NB * q) * ld + y;
#pragma unroll
      for (int c = 0; c < LU_NB; c++)
        if (LU_NB * q + c < n) {
          const T v = from[c];
          me.watch(v);
          to[c * ld] = v;
        }
    }
  if (me.poison != 0) flags[1] = 1;
  lu_sync<W>();
  if (tid == 0) info[b] = flags[1] ? n + 1 : flags[0];
}

template <class T, int W, int PW, int RPL, int TPW>
static cudaError_t lu_chip_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const lu_layout<T, PW> at(A.n);
  const auto             kernel = lu_chip<T, W, PW, RPL, TPW>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, at.bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, 32 * W, (size_t)at.bytes, s>>>(A, ipiv, info);
  return cudaGetLastError();
}
#endif
