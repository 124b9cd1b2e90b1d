/* kernels/cuda/batch_lu_strip.cuh - LU by stages: columns right of a panel or of two
 *
 * Computes   C = A(:, c0 .. c0+W-1), rows in the order that the panels left;
 *            U12 = L11^-1 C1;  C2 -= L21 U12.
 * Layout     a block owns W columns of a matrix.  LAPACK's exchanges of K columns bring K rows to the top,
 *            and what lay there to the places they left: below, a place keeps its row or gets one of those
 *            K.  So the pivots' rows are gathered into shared memory first, every other place is read from
 *            where its row lies, tile by tile, into registers, and written; the top, which some of them come
 *            from, is written last.  After two panels the columns of the first still stand as it left them:
 *            its row of L for place i is at perm[1][i].
 * Source     delayed interchanges: paper 003.
 * Checked    t362, t366, t368.
 */
#ifndef BF_BATCH_LU_STRIP_CUH
#define BF_BATCH_LU_STRIP_CUH
#include "kernels/cuda/batch_lu_panel.cuh"
#include "kernels/cuda/batch_mma.cuh"
#include "kernels/cuda/batch_pivot.cuh"
#include "kernels/cuda/lanes.cuh"

/* A scalar of A; WIDE: complex ones have their full alignment. */
template <bool WIDE, class T>
static __device__ __forceinline__ T strip_get(const T *p)
{
  if constexpr (WIDE && is_complex<T>)
    return load_whole(p);
  else
    return *p;
}
template <bool WIDE, class T>
static __device__ __forceinline__ void strip_put(T *p, T x)
{
  if constexpr (WIDE && is_complex<T>)
    store_whole(p, x);
  else
    *p = x;
}

/* Addresses formed from x are formed anew: kept from an earlier use they would take registers. */
static __device__ __forceinline__ void strip_forget(int64_t &x)
{
  asm volatile("" : "+l"(x));
}

/* 16 rows of W columns in a warp's registers: a lane has rows row(lane, 0 and 1) */
template <class T, int W>
struct strip_tile {
  using R                   = real_t<T>;
  static constexpr int ROWS = 16, PARTS = is_complex<T> ? 2 : 1;
  R                    c[PARTS][W / 8][4];

  static __device__ __forceinline__ int row(int lane, int i)
  {
    return (lane >> 2) + 8 * i;
  }
  /* f(entry, which of the rows, column) for the lane's entries */
  template <class F>
  __device__ __forceinline__ void each(int lane, F f)
  {
#pragma unroll
    for (int h = 0; h < W / 8; h++)
#pragma unroll
      for (int e = 0; e < 4; e++) {
        const int j = 8 * h + 2 * (lane & 3) + (e & 1);
        if constexpr (is_complex<T>) {
          T x = {c[0][h][e], c[1][h][e]};
          f(x, e >> 1, j);
          c[0][h][e] = x.re, c[1][h][e] = x.im;
        } else
          f(c[0][h][e], e >> 1, j);
      }
  }
  /* C -= L U; L: column-major, rows at `at`; U: row-major */
  template <bool WIDE, int K, int P>
  __device__ __forceinline__ void update(const T *L, int64_t ld, const int (&at)[2], const T *U, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int k = 0; k < K; k += 8) {
      mma_real<R> re[4], im[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const T l = strip_get<WIDE>(L + (k + t + 4 * (i >> 1)) * ld + at[i & 1]);
        re[i]     = mma_part(-real_part(l));
        im[i]     = mma_part(-imaginary(l));
      }
#pragma unroll
      for (int h = 0; h < W / 8; h++) {
        mma_real<R> x[2], y[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const T u = strip_get<true>(U + (k + t + 4 * i) * P + 8 * h + g);
          x[i]      = mma_part(real_part(u));
          y[i]      = mma_part(imaginary(u));
        }
        mma(c[0][h], re, x);
        if constexpr (is_complex<T>) {
          mma(c[1][h], re, y);
          mma(c[0][h], im, {-y[0], -y[1]});
          mma(c[1][h], im, x);
        }
      }
    }
  }
};

/* Rows of U in shared memory: tensor cores' reads of 4 rows and 8 columns meet in no bank. */
template <class T, int W>
inline constexpr int strip_pitch = W + (sizeof(T) == 4    ? 8
                                        : sizeof(T) == 16 ? 2
                                                          : 4);

template <class T, int NB, int W, int PANELS>
struct strip_room {
  alignas(16) T u[PANELS][NB * strip_pitch<T, W>];
  alignas(16) T l[PANELS][NB * NB]; /* diagonal blocks of L11, column-major */
};

/* B rows of U := their solution with a diagonal block of L, a thread a column. */
template <int B, int NB, int P, class T>
static __device__ __forceinline__ void strip_solve(const T *L, T *U)
{
  constexpr int V = lu_vec<T>;
  T             x[B];
#pragma unroll
  for (int i = 0; i < B; i++) x[i] = U[i * P];
#pragma unroll
  for (int j = 0; j < B - 1; j++) {
#pragma unroll
    for (int i = (j + 1) / V * V; i < B; i += V) {
      const lu_packet<T> l = lu_load(L + j * NB + i);
#pragma unroll
      for (int e = 0; e < V; e++)
        if (i + e > j) x[i + e] = mulsub(l.v[e], x[j], x[i + e]);
    }
  }
#pragma unroll
  for (int i = 1; i < B; i++) U[i * P] = x[i];
}

/* NB rows of U := L^-1 U by blocks of B rows */
template <class SHAPE, int P, class T>
static __device__ __forceinline__ void strip_upper(const T *L, T *U, int tid)
{
  constexpr int NB = SHAPE::NB, W = SHAPE::W, B = SHAPE::B;
#pragma unroll
  for (int r0 = 0; r0 < NB; r0 += B) {
    if (tid < W) strip_solve<B, NB, P>(L + r0 * (NB + 1), U + r0 * P + tid);
    __syncthreads();
    const int rest = NB - r0 - B;
    if (rest == 0) break;
    for (int k = tid; k < rest * W; k += 32 * SHAPE::WARPS) {
      const int i = r0 + B + k % rest, j = k / rest;
      T         x = U[i * P + j];
#pragma unroll
      for (int m = r0; m < r0 + B; m++) x = mulsub(L[m * NB + i], U[m * P + j], x);
      U[i * P + j] = x;
    }
    __syncthreads();
  }
}

/* Where a block works: a: its columns, `last` of them; panel: those of the panels, which begin at row k0. */
template <class T>
struct strip_place {
  const T        *panel;
  T              *a;
  int64_t         ld;
  int             n, k0, last;
  const uint16_t *perm[2];

  /* Where the row of place i lies in A, after one panel or two of NB columns */
  template <int NB, int PANELS>
  __device__ __forceinline__ int origin(int i) const
  {
    if (PANELS == 2 && i >= k0 + NB) i = perm[1][i];
    return perm[0][i];
  }
};

template <class SHAPE, int PANELS, bool WIDE, class T>
static __device__ __forceinline__ void strip_columns(strip_room<T, SHAPE::NB, SHAPE::W, PANELS> &S,
                                                     const strip_place<T> &at, int *info)
{
  constexpr int NB = SHAPE::NB, W = SHAPE::W, THREADS = 32 * SHAPE::WARPS, P = strip_pitch<T, W>;
  using tile     = strip_tile<T, W>;
  const int  tid = (int)threadIdx.x, lane = tid & 31, w = tid >> 5, mine = tid % NB, k0 = at.k0, n = at.n;
  tile       C;
  const auto fetch = [&](int r0) {
    const T *from[2];
    int64_t  step = at.ld;
    strip_forget(step);
#pragma unroll
    for (int i = 0; i < 2; i++)
      from[i] = at.a + at.template origin<NB, PANELS>(min(r0 + tile::row(lane, i), n - 1));
    C.each(lane, [&](T &x, int i, int j) {
      if (j < at.last) x = strip_get<WIDE>(from[i] + j * step);
    });
  };
  int r0 = k0 + PANELS * NB + w * tile::ROWS;
  if (r0 < n) fetch(r0);
#pragma unroll
  for (int q = 0; q < PANELS; q++) {
    const int row = k0 + NB * q + mine, from = at.template origin<NB, PANELS>(row);
    for (int j = tid / NB; j < W; j += THREADS / NB)
      S.u[q][mine * P + j] = strip_get<WIDE>(at.a + min(j, at.last - 1) * at.ld + from);
    for (int j = tid / NB; j < NB; j += THREADS / NB)
      S.l[q][j * NB + mine] = strip_get<WIDE>(at.panel + (NB * q + j) * at.ld + row);
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < PANELS; q++) {
    if (q > 0) { /* the second panel's rows of U: less the first one's share, a quarter a warp */
      static_assert(PANELS == 1 || (SHAPE::WARPS == 4 && NB == 32), "quarters of 16 rows and W / 2 columns");
      strip_tile<T, W / 2> D;
      T                   *U = S.u[q] + (w >> 1) * (W / 2);
      int                  row[2], rows[2];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        row[i]  = 16 * (w & 1) + tile::row(lane, i);
        rows[i] = at.perm[1][k0 + NB + row[i]];
      }
      D.each(lane, [&](T &x, int i, int j) { x = U[row[i] * P + j]; });
      D.template update<WIDE, NB, P>(at.panel, at.ld, rows, S.u[0] + (w >> 1) * (W / 2), lane);
      D.each(lane, [&](T &x, int i, int j) { U[row[i] * P + j] = x; });
      __syncthreads();
    }
    strip_upper<SHAPE, P>(S.l[q], S.u[q], tid);
  }
  while (r0 < n) {
    int row[2], rows[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
      row[i]  = min(r0 + tile::row(lane, i), n - 1);
      rows[i] = PANELS == 2 ? at.perm[1][row[i]] : row[i];
    }
    int64_t step = at.ld;
    strip_forget(step);
    C.template update<WIDE, NB, P>(at.panel, step, rows, S.u[0], lane);
    if (PANELS == 2) {
      strip_forget(step);
      C.template update<WIDE, NB, P>(at.panel + NB * step, step, row, S.u[PANELS - 1], lane);
    }
    strip_forget(step);
    C.each(lane, [&](T &x, int i, int j) {
      if (j < at.last && r0 + tile::row(lane, i) < n) strip_put<WIDE>(at.a + j * step + row[i], x);
    });
    r0 += SHAPE::WARPS * tile::ROWS;
    if (r0 < n) fetch(r0);
  }
  __syncthreads();
  real_t<T> poison = 0;
#pragma unroll
  for (int q = 0; q < PANELS; q++)
    for (int j = tid / NB; j < at.last; j += THREADS / NB) {
      const T x = S.u[q][mine * P + j];
      poison    = with(x, poison);
      strip_put<WIDE>(at.a + j * at.ld + k0 + NB * q + mine, x);
    }
  if (poison != 0) *info = n + 1;
}

/* Columns right of the panels that begin at k0 and before c1, W in a block; perm[q][b * A.pitch + place]: the
 * order of rows that panel q left. */
template <class SHAPE, int PANELS, class T>
static __global__ void __launch_bounds__(32 * SHAPE::WARPS, SHAPE::BLOCKS)
    lu_strip(const batch_view<T> A, const uint16_t *perm0, const uint16_t *perm1, int *info, int k0,
             bool pairs, int strips)
{
  extern __shared__ __align__(16) char room[];
  auto     &S  = *reinterpret_cast<strip_room<T, SHAPE::NB, SHAPE::W, PANELS> *>(room);
  const int k  = (int)blockIdx.x / strips,
            c0 = k0 + PANELS * SHAPE::NB + ((int)blockIdx.x - k * strips) * SHAPE::W;
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b), tail = lu_tail_start<SHAPE::NB>(n), next = k0 + 2 * SHAPE::NB;
  const int c1 = PANELS == 1 && pairs && next < tail ? next : n; /* first of a pair: the second's columns */
  if (c0 >= c1 || k0 + PANELS * SHAPE::NB >= tail) return;
  const int64_t        ld = A.ld, first = (int64_t)b * A.pitch;
  T                   *a  = A.matrix(b);
  const strip_place<T> at = {
      a + k0 * ld, a + c0 * ld, ld, n, k0, min(SHAPE::W, c1 - c0), {perm0 + first, perm1 + first}};
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0)
    strip_columns<SHAPE, PANELS, true>(S, at, info + b);
  else
    strip_columns<SHAPE, PANELS, false>(S, at, info + b);
}

template <class SHAPE, int PANELS, class T>
static cudaError_t lu_strip_launch(const batch_view<T> &A, const uint16_t *perm0, const uint16_t *perm1,
                                   int *info, int k0, bool pairs, int c1, cudaStream_t s)
{
  const auto        kernel = lu_strip<SHAPE, PANELS, T>;
  constexpr int     bytes  = sizeof(strip_room<T, SHAPE::NB, SHAPE::W, PANELS>);
  const int         strips = (c1 - k0 - PANELS * SHAPE::NB + SHAPE::W - 1) / SHAPE::W;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count *(unsigned)strips, 32 * SHAPE::WARPS, bytes, s>>>(A, perm0, perm1, info, k0,
                                                                               pairs, strips);
  return cudaGetLastError();
}
#endif
