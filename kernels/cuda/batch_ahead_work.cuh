/* kernels/cuda/batch_ahead_work.cuh - batch_lu_ahead.cuh: shared memory, barriers, and what an update warp
 * does with the tiles of the panel at hand
 */
#ifndef BF_BATCH_AHEAD_WORK_CUH
#define BF_BATCH_AHEAD_WORK_CUH
#include "kernels/cuda/batch_lu.cuh"

template <class T, int PW>
struct ahead_layout {
  int tiles, stage; /* scalars of a stage: all rows of a panel */
  int l, raw, u, slots, slot_of, id, flags, bytes;

  __host__ __device__ explicit ahead_layout(int n)
  {
    lu_room room;
    tiles   = (n + LU_NB - 1) / LU_NB;
    stage   = LU_NB * tiles * lu_pitch<T>;
    l       = room.take(LU_NB * (tiles * (tiles + 1) / 2) * lu_pitch<T> * (int)sizeof(T));
    raw     = room.take(stage * (int)sizeof(T));
    u       = room.take(2 * LU_NB * lu_u_pitch<T> * (int)sizeof(T));
    slots   = room.take(2 * PW * (int)sizeof(lu_candidate<T>));
    slot_of = room.take(tiles * n * 2);
    id      = room.take(2 * LU_NB * tiles * 2);
    flags   = room.take(8);
    bytes   = room.bytes;
  }
  /* Panel q of L, rows from 16 q. */
  __device__ __forceinline__ int panel(int q) const
  {
    return LU_NB * (q * tiles - q * (q - 1) / 2) * lu_pitch<T>;
  }
  __device__ __forceinline__ int order(int p) const /* of id: as panel p finds it */
  {
    return (p & 1) * LU_NB * tiles;
  }
};

/* Barriers: 1 is the panel warps' own (batch_pivot.cuh).  READY and DONE take turns and both groups wait at
 * each: who hands something over would have nothing to do before the other one has come, or finds it there.
 */
enum { AHEAD_READY = 2, AHEAD_DONE = 3, AHEAD_UPDATE = 4 };
template <int BARRIER, int THREADS>
static __device__ __forceinline__ void ahead_wait()
{
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "n"(THREADS) : "memory");
}
/* An update warp's part in the panel at hand: tiles w + UW i. */
template <class T, int UW, int TPW>
struct ahead_work {
  lu_tile<T> acc[TPW];
  uint16_t   own[TPW][2];
  int        tid, w, lane, g, t, tiles, n;
  real_t<T>  poison = 0; /* NaN once something not finite was written */

  __device__ __forceinline__ ahead_work(int tid_, int tiles_, int n_)
      : tid(tid_), w(UW == 1 ? 0 : tid >> 5), lane(tid & 31), g(lane >> 2), t(lane & 3), tiles(tiles_), n(n_)
  {
  }
  __device__ __forceinline__ void sync() const
  {
    if constexpr (UW == 1)
      __syncwarp();
    else
      ahead_wait<AHEAD_UPDATE, UW * 32>();
  }
  __device__ __forceinline__ void watch(T v)
  {
    poison = muladd(real_part(v), real_t<T>(0), poison);
    if constexpr (is_complex<T>) poison = muladd(v.im, real_t<T>(0), poison);
  }
  /* Tiles from `first` on in the order of id, from S, which has rows by their number in A.  Rows from n on
   * and columns beyond the matrix become anything: nothing of them reaches others. */
  __device__ __forceinline__ void gather(int first, const uint16_t *id, const T *S)
  {
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int tile = w + UW * i;
      if (tile < first || tile >= tiles) continue;
#pragma unroll
      for (int r = 0; r < 2; r++) {
        const int x = LU_NB * tile + g + 8 * r;
        own[i][r]   = id[x < n ? x : LU_NB * tile];
        acc[i].load(r, S + own[i][r] * lu_pitch<T>, t);
      }
    }
  }
  /* Back to rows by number. */
  __device__ __forceinline__ void scatter(int first, T *S) const
  {
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int tile = w + UW * i;
      if (tile < first || tile >= tiles) continue;
#pragma unroll
      for (int r = 0; r < 2; r++)
        if (LU_NB * tile + g + 8 * r < n) acc[i].store(r, S + own[i][r] * lu_pitch<T>, t);
    }
  }
  __device__ __forceinline__ void put(int i, T *P, int pitch) const
  {
    acc[i].store(0, P + g * pitch, t);
    acc[i].store(1, P + (g + 8) * pitch, t);
  }
  /* Tiles from p on to the panel's rows. */
  __device__ __forceinline__ void hand_over(int p, T *P) const
  {
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int tile = w + UW * i;
      if (tile >= p && tile < tiles) put(i, P + LU_NB * (tile - p) * lu_pitch<T>, lu_pitch<T>);
    }
  }
  /* Tile q becomes -U(q) in U: by L(q, q) itself, or by its inverse, negative. */
  template <bool INVERSE>
  __device__ __forceinline__ void solve(int q, const T *diagonal, T *U) const
  {
    if (q % UW != w) return;
#pragma unroll
    for (int i = 0; i < TPW; i++)
      if (w + UW * i == q) put(i, U, lu_u_pitch<T>);
    if constexpr (INVERSE) {
      lu_tile<T> x[1];
      const T   *row[2][1] = {{diagonal + g * lu_pitch<T>}, {diagonal + (g + 8) * lu_pitch<T>}};
#pragma unroll
      for (int r = 0; r < 2; r++)
#pragma unroll
        for (int j = 0; j < 4; j++) x[0].c[r][j] = lu_zero<T>();
      __syncwarp();
      lu_tile<T>::template updates<0, true>(x, row[0], row[1], 1u, U, g, t);
      __syncwarp();
      x[0].store(0, U + g * lu_u_pitch<T>, t);
      x[0].store(1, U + (g + 8) * lu_u_pitch<T>, t);
    } else
      lu_solve_here(diagonal, U, lane);
  }
  /* The diagonal block of a finished panel to A, then minus the inverse of its L in its place. */
  __device__ __forceinline__ void invert(T *diagonal, T *U, T *A, int64_t ld)
  {
    if (w != 0) return;
    const int r = lane % LU_NB;
    A += lane / LU_NB * ld + r;
#pragma unroll
    for (int c = lane / LU_NB; c < LU_NB; c += 2, A += 2 * ld) {
      const T v = diagonal[r * lu_pitch<T> + c];
      watch(v);
      *A                       = v;
      U[r * lu_u_pitch<T> + c] = from_real<T>(real_t<T>(r == c));
    }
    lu_solve_here(diagonal, U, lane);
    __syncwarp();
#pragma unroll
    for (int c = lane / LU_NB; c < LU_NB; c += 2) diagonal[r * lu_pitch<T> + c] = U[r * lu_u_pitch<T> + c];
  }
  /* Tiles after q: C -= L(q) U(q), rows of L by their slots.  What becomes of others is of no use to anybody:
   * they go along, since leaving them out is a branch for every tile (which z has, for its registers). */
  __device__ __forceinline__ void update(int q, const T *L, const uint16_t *slot_of, const T *U)
  {
    constexpr int HALF = sizeof(T) == 16 ? 0 : TPW / 2;
    const T      *L0[TPW], *L1[TPW];
    unsigned      mask = 0;
#pragma unroll
    for (int i = 0; i < TPW; i++) {
      const int  tile = w + UW * i;
      const bool on   = tile > q && tile < tiles;
      if (on) mask |= 1u << i;
      L0[i] = L + (on ? slot_of[own[i][0]] * lu_pitch<T> : 0);
      L1[i] = L + (on ? slot_of[own[i][1]] * lu_pitch<T> : 0);
    }
    if (mask == 0) return;
    if (HALF == 0 || (mask & ((1u << HALF) - 1)) != 0)
      lu_tile<T>::template updates<0, true>(acc, L0, L1, mask, U, g, t);
    else
      lu_tile<T>::template updates<HALF, true>(acc, L0, L1, mask, U, g, t);
  }
  /* -U as the solve left it to A. */
  __device__ __forceinline__ void write_u(const T *U, T *A, int64_t ld, int nb)
  {
    const int r = tid % LU_NB, c0 = tid / LU_NB;
    A += c0 * ld + r;
    for (int c = c0; c < nb; c += 2 * UW, A += 2 * UW * ld) {
      const T v = -U[r * lu_u_pitch<T> + c];
      watch(v);
      *A = v;
    }
  }
  /* L in its last order to A, all but the diagonal blocks of the first panels, which invert has written. */
  template <class LAYOUT>
  __device__ __forceinline__ void write_l(const char *room, const LAYOUT &at, T *a, int64_t ld, int thread,
                                          int warps, int left)
  {
    const T        *L       = (const T *)(room + at.l);
    const uint16_t *slot_of = (const uint16_t *)(room + at.slot_of);
    const uint16_t *id      = (const uint16_t *)(room + at.id) + at.order(tiles);
    for (int q = 0, item = 0; q < tiles; q++)
      for (int y0 = LU_NB * (q < tiles - left ? q + 1 : q); y0 < n; y0 += 32, item++) {
        const int y = y0 + (thread & 31);
        if (item % warps != thread >> 5 || y >= n) continue;
        const T *from = L + at.panel(q) + slot_of[q * n + id[y]] * lu_pitch<T>;
        T       *to   = a + (int64_t)(LU_NB * q) * ld + y;
#pragma unroll
        for (int c = 0; c < LU_NB; c++, to += ld)
          if (LU_NB * q + c < n) {
            const T v = from[c];
            watch(v);
            *to = v;
          }
      }
  }
};

/* A panel of which the update warps still read the order of rows that it found. */
template <class T, int PW, int RPL>
struct ahead_panel : lu_panel<T, PW, RPL> {
  /* m rows at P, nb <= 16 columns, from row and column k0 of the matrix on, become L and U, every row at its
   * place.  before[place in the matrix] is a row's number in A, after gets it from row k0 - 16 on;
   * slot_of[number]: its place in this panel. */
  __device__ __forceinline__ void factor(T *P, int m, int nb, lu_candidate<T> *slots, const uint16_t *before,
                                         uint16_t *after, uint16_t *slot_of, int *ipiv, int k0, int *info)
  {
    this->live = 0;
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      const bool in  = this->row(i) < m;
      this->place[i] = in ? this->row(i) : -1;
      if (in) this->live |= 1u << i;
      this->load_row(i, P + (in ? this->row(i) : 0) * lu_pitch<T>);
    }
    this->template columns<LU_NB>(0, nb < LU_NB / 2 ? nb : LU_NB / 2, P, slots, ipiv + k0, k0, info);
    this->template columns<LU_NB / 2>(LU_NB / 2, nb, P, slots, ipiv + k0, k0, info);
    if (this->w == 0 && this->lane < LU_NB && k0 > 0)
      after[k0 - LU_NB + this->lane] = before[k0 - LU_NB + this->lane];
#pragma unroll
    for (int i = 0; i < RPL; i++)
      if (this->place[i] >= 0 && this->place[i] != this->row(i))
        this->load_row(i, P + this->row(i) * lu_pitch<T>);
    lu_panel_sync<PW>();
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      const int to = this->place[i];
      if (to < 0) continue;
      const uint16_t number = before[k0 + this->row(i)];
      after[k0 + to]        = number;
      slot_of[number]       = (uint16_t)to;
      if (to != this->row(i)) this->template store_row<LU_NB>(i, P + to * lu_pitch<T>);
    }
  }
};

/* The panel warps' part. */
template <class T, int PW, int RPL>
static __device__ __forceinline__ void ahead_factor(int tid, int n, int p, T *P, lu_candidate<T> *slots,
                                                    const uint16_t *before, uint16_t *after,
                                                    uint16_t *slot_of, int *ipiv, int *info)
{
  const int     k0 = p * LU_NB, m = n - k0, nb = m < LU_NB ? m : LU_NB;
  constexpr int HALF = (RPL + 1) / 2;
  if (HALF < RPL && m <= 32 * PW * HALF) {
    ahead_panel<T, PW, HALF> panel;
    panel.w = tid >> 5, panel.lane = tid & 31;
    panel.factor(P, m, nb, slots, before, after, slot_of, ipiv, k0, info);
  } else {
    ahead_panel<T, PW, RPL> panel;
    panel.w = tid >> 5, panel.lane = tid & 31;
    panel.factor(P, m, nb, slots, before, after, slot_of, ipiv, k0, info);
  }
}
#endif
