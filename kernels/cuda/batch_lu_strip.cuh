/* kernels/cuda/batch_lu_strip.cuh - LU by stages: columns right of a panel, and rows left of it
 *
 *     lu_strip:  C = A(:, c0 .. c0+W-1), rows in the order that the panel left;  U12 = L11^-1 C1;  C2 -= L21
 * U12 lu_last:   what lies left of panels, below the diagonal blocks: rows in their last order, all at once
 *
 * A block owns W columns of a matrix.  LAPACK's exchanges of a panel of NB columns bring NB rows to its top,
 * and what lay there to the places they left: below, a place keeps its row or gets one of those NB.  So the
 * NB rows of the top are kept in shared memory, the pivots' rows are gathered into it, and the rest is read
 * where it lies, tile by tile, into registers, and written back there. Source: delayed interchanges: paper
 * 003. Checked    t362, t366.
 */
#ifndef BF_BATCH_LU_STRIP_CUH
#define BF_BATCH_LU_STRIP_CUH
#include "kernels/cuda/batch.cuh"
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

/* W columns of rows in a warp's registers: 32 RPL rows, a row a lane: s, c */
template <class T, int W, int RPL>
struct strip_tile {
  static constexpr int ROWS = 32 * RPL, HELD = RPL;
  T                    c[RPL][W];

  static __device__ __forceinline__ int row(int lane, int i)
  {
    return lane + 32 * i;
  }
  /* f(entry, row in the tile, column) for the lane's entries */
  template <class F>
  __device__ __forceinline__ void each(int lane, F f)
  {
#pragma unroll
    for (int j = 0; j < W; j++)
#pragma unroll
      for (int i = 0; i < RPL; i++) f(c[i][j], i, j);
  }
  /* C -= L U; L: column-major, rows at `at`; U: row-major */
  template <bool WIDE, int K, int P>
  __device__ __forceinline__ void update(const T *L, int64_t ld, const int (&at)[RPL], const T *U, int)
  {
    constexpr int V = lu_vec<T>, STEP = 8;
    T             l[STEP][RPL], next[STEP][RPL];
    const auto    fetch = [&](int k0) {
#pragma unroll
      for (int k = 0; k < STEP; k++)
#pragma unroll
        for (int i = 0; i < RPL; i++) next[k][i] = strip_get<WIDE>(L + (k0 + k) * ld + at[i]);
    };
    fetch(0);
#pragma unroll 1
    for (int k0 = 0; k0 < K; k0 += STEP) {
#pragma unroll
      for (int k = 0; k < STEP; k++)
#pragma unroll
        for (int i = 0; i < RPL; i++) l[k][i] = next[k][i];
      if (k0 + STEP < K) fetch(k0 + STEP);
#pragma unroll
      for (int k = 0; k < STEP; k++)
#pragma unroll
        for (int j = 0; j < W; j += V) {
          const lu_packet<T> u = lu_load(U + (k0 + k) * P + j);
#pragma unroll
          for (int e = 0; e < V; e++)
#pragma unroll
            for (int i = 0; i < RPL; i++) c[i][j + e] = mulsub(l[k][i], u.v[e], c[i][j + e]);
        }
    }
  }
};

/* Addresses formed from x are formed anew: kept from an earlier use they would take registers. */
static __device__ __forceinline__ void strip_forget(int64_t &x)
{
  asm volatile("" : "+l"(x));
}

/* N entries as tensor cores take them: d as they are, s as a sum of two of 11 bits. */
template <class R, int N>
struct strip_operand {
  double                          x[N];
  __device__ __forceinline__ void set(int i, double v)
  {
    x[i] = v;
  }
  __device__ __forceinline__ strip_operand minus() const
  {
    strip_operand m;
#pragma unroll
    for (int i = 0; i < N; i++) m.x[i] = -x[i];
    return m;
  }
};
template <int N>
struct strip_operand<float, N> {
  unsigned                        hi[N], lo[N];
  __device__ __forceinline__ void set(int i, float v)
  {
    hi[i] = (__float_as_uint(v) + 0x1000u) & 0xffffe000u;
    lo[i] = __float_as_uint(v - __uint_as_float(hi[i]));
  }
  __device__ __forceinline__ strip_operand minus() const
  {
    strip_operand m;
#pragma unroll
    for (int i = 0; i < N; i++) m.hi[i] = hi[i] ^ 0x80000000u, m.lo[i] = lo[i] ^ 0x80000000u;
    return m;
  }
};

/* 16 x 8 += 16 x 8 times 8 x 8 */
static __device__ __forceinline__ void strip_mma(double (&c)[4], const strip_operand<double, 4> &a,
                                                 const strip_operand<double, 2> &b)
{
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a.x[0]), "d"(a.x[1]), "d"(a.x[2]), "d"(a.x[3]), "d"(b.x[0]), "d"(b.x[1]));
}
static __device__ __forceinline__ void strip_mma(float (&c)[4], const unsigned (&a)[4],
                                                 const unsigned (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
static __device__ __forceinline__ void strip_mma(float (&c)[4], const strip_operand<float, 4> &a,
                                                 const strip_operand<float, 2> &b)
{
  strip_mma(c, a.lo, b.hi);
  strip_mma(c, a.hi, b.lo);
  strip_mma(c, a.hi, b.hi);
}

/* 16 rows by tensor cores */
template <class T, int W>
struct strip_tile<T, W, 0> {
  using R                   = real_t<T>;
  static constexpr int ROWS = 16, HELD = 2, PARTS = is_complex<T> ? 2 : 1;
  R                    c[PARTS][W / 8][4];

  static __device__ __forceinline__ int row(int lane, int i)
  {
    return (lane >> 2) + 8 * i;
  }
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
  template <bool WIDE, int K, int P>
  __device__ __forceinline__ void update(const T *L, int64_t ld, const int (&at)[2], const T *U, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int k = 0; k < K; k += 8) {
      strip_operand<R, 4> re, im;
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const T l = strip_get<WIDE>(L + (k + t + 4 * (i >> 1)) * ld + at[i & 1]);
        re.set(i, -real_part(l));
        if constexpr (is_complex<T>) im.set(i, -l.im);
      }
#pragma unroll
      for (int h = 0; h < W / 8; h++) {
        strip_operand<R, 2> x, y;
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const T u = strip_get<true>(U + (k + t + 4 * i) * P + 8 * h + g);
          x.set(i, real_part(u));
          if constexpr (is_complex<T>) y.set(i, u.im);
        }
        strip_mma(c[0][h], re, x);
        if constexpr (is_complex<T>) {
          strip_mma(c[1][h], re, y);
          strip_mma(c[0][h], im, y.minus());
          strip_mma(c[1][h], im, x);
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

template <class T, int NB, int W>
struct strip_room {
  alignas(16) T u[NB * strip_pitch<T, W>];
  alignas(16) T top[NB * strip_pitch<T, W>];
  alignas(16) T l[NB * NB]; /* L11, column-major */
};

/* Rows r0 .. r0+B-1 of U := their solution with L11's diagonal block, a thread a column. */
template <int B, class T, int NB, int W>
static __device__ __forceinline__ void strip_solve(strip_room<T, NB, W> &S, int r0, int column)
{
  constexpr int V = lu_vec<T>, P = strip_pitch<T, W>;
  T             x[B];
  T            *U = S.u + r0 * P + column;
  const T      *L = S.l + r0 * (NB + 1);
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

/* U := L11^-1 U by blocks of B rows */
template <int B, int WARPS, class T, int NB, int W>
static __device__ __forceinline__ void strip_upper(strip_room<T, NB, W> &S, int tid)
{
  constexpr int P = strip_pitch<T, W>;
#pragma unroll
  for (int r0 = 0; r0 < NB; r0 += B) {
    if (tid < W) strip_solve<B>(S, r0, tid);
    __syncthreads();
    const int rest = NB - r0 - B;
    if (rest == 0) break;
    for (int k = tid; k < rest * W; k += 32 * WARPS) {
      const int i = r0 + B + k % rest, j = k / rest;
      T         x = S.u[i * P + j];
#pragma unroll
      for (int m = r0; m < r0 + B; m++) x = mulsub(S.l[m * NB + i], S.u[m * P + j], x);
      S.u[i * P + j] = x;
    }
    __syncthreads();
  }
}

/* A block's columns: `last` of them from a on, of a matrix of order n whose panel begins at row and column
 * k0. */
template <class SHAPE, bool WIDE, class T>
static __device__ __forceinline__ void strip_columns(strip_room<T, SHAPE::NB, SHAPE::W> &S, const T *panel,
                                                     T *a, int64_t ld, int n, int k0, int last,
                                                     const uint16_t *perm, int *info)
{
  constexpr int NB = SHAPE::NB, W = SHAPE::W, THREADS = 32 * SHAPE::WARPS, P = strip_pitch<T, W>;
  using tile         = strip_tile<T, W, SHAPE::RPL>;
  constexpr int HELD = tile::HELD;
  const int     tid = (int)threadIdx.x, lane = tid & 31, mine = tid % NB;
  tile          C;
  const auto    fetch = [&](int r0) {
    const T *from[HELD];
    int64_t  step = ld;
    strip_forget(step);
#pragma unroll
    for (int i = 0; i < HELD; i++) from[i] = a + min(r0 + tile::row(lane, i), n - 1);
    C.each(lane, [&](T &x, int i, int j) {
      if (j < last) x = strip_get<WIDE>(from[i] + j * step);
    });
  };
  int r0 = k0 + NB + (tid >> 5) * tile::ROWS;
  if (r0 < n) fetch(r0);
  const int from = perm[k0 + mine];
  for (int j = tid / NB; j < W; j += THREADS / NB) {
    const T *column     = a + (int64_t)min(j, last - 1) * ld;
    S.u[mine * P + j]   = strip_get<WIDE>(column + from);
    S.top[mine * P + j] = strip_get<WIDE>(column + k0 + mine);
  }
  for (int j = tid / NB; j < NB; j += THREADS / NB)
    S.l[j * NB + mine] = strip_get<WIDE>(panel + (int64_t)j * ld + k0 + mine);
  __syncthreads();
  strip_upper<SHAPE::B, SHAPE::WARPS>(S, tid);
  real_t<T> poison = 0;
  for (int j = tid / NB; j < last; j += THREADS / NB) {
    const T x = S.u[mine * P + j];
    poison    = with(x, poison);
    strip_put<WIDE>(a + (int64_t)j * ld + k0 + mine, x);
  }
  if (poison != 0) *info = n + 1;
  while (r0 < n) {
    int at[HELD], place[HELD];
#pragma unroll
    for (int i = 0; i < HELD; i++) {
      at[i]    = min(r0 + tile::row(lane, i), n - 1);
      place[i] = perm[at[i]];
    }
    C.each(lane, [&](T &x, int i, int j) {
      if (place[i] != at[i]) x = S.top[(place[i] - k0) * P + j];
    });
    int64_t step = ld;
    strip_forget(step);
    C.template update<WIDE, NB, P>(panel, step, at, S.u, lane);
    strip_forget(step);
    C.each(lane, [&](T &x, int i, int j) {
      if (j < last && r0 + tile::row(lane, i) < n) strip_put<WIDE>(a + j * step + at[i], x);
    });
    r0 += SHAPE::WARPS * tile::ROWS;
    if (r0 < n) fetch(r0);
  }
}

/* All columns right of the panel at k0, W in a block; perm[b * A.pitch + place]: the panel's order of rows.
 */
template <class SHAPE, class T>
static __global__ void __launch_bounds__(32 * SHAPE::WARPS, SHAPE::BLOCKS)
    lu_strip(const batch_view<T> A, const uint16_t *perm, int *info, int k0, int strips)
{
  extern __shared__ __align__(16) char room[];
  auto                                &S = *reinterpret_cast<strip_room<T, SHAPE::NB, SHAPE::W> *>(room);
  const int k = (int)blockIdx.x / strips, c0 = k0 + SHAPE::NB + ((int)blockIdx.x - k * strips) * SHAPE::W;
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b);
  if (c0 >= n) return;
  const int64_t ld = A.ld;
  T            *a = A.matrix(b), *panel = a + k0 * ld;
  const int     last = min(SHAPE::W, n - c0);
  a += c0 * ld;
  perm += (int64_t)b * A.pitch;
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(panel) & (sizeof(T) - 1)) == 0)
    strip_columns<SHAPE, true>(S, panel, a, ld, n, k0, last, perm, info + b);
  else
    strip_columns<SHAPE, false>(S, panel, a, ld, n, k0, last, perm, info + b);
}

template <class SHAPE, class T>
static cudaError_t lu_strip_launch(const batch_view<T> &A, const uint16_t *perm, int *info, int k0,
                                   cudaStream_t s)
{
  const auto        kernel = lu_strip<SHAPE, T>;
  constexpr int     bytes  = sizeof(strip_room<T, SHAPE::NB, SHAPE::W>);
  const int         strips = (A.n - k0 - SHAPE::NB + SHAPE::W - 1) / SHAPE::W;
  const cudaError_t e      = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count *(unsigned)strips, 32 * SHAPE::WARPS, bytes, s>>>(A, perm, info, k0, strips);
  return cudaGetLastError();
}

/* Panel p's columns below its diagonal block: rows in the order of all panels after it.
 * perm[panel][b][place]. A thread owns a row, HOLD columns at a time. */
template <class T, int NB, int HOLD>
static __global__ void lu_last(const batch_view<T> A, const uint16_t *perm, int64_t panel_pitch, int panels)
{
  const int k = (int)blockIdx.x / panels, p = (int)blockIdx.x - k * panels;
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b), below = (p + 1) * NB, row = below + (int)threadIdx.x;
  if (below >= n) return;
  const int64_t ld = A.ld;
  perm += (int64_t)b * A.pitch;
  int from = row;
  if (row < n)
    for (int q = (n - 1) / NB; q > p; q--)
      if (from >= q * NB) from = perm[q * panel_pitch + from];
  T *a = A.matrix(b) + (int64_t)(p * NB) * ld;
  for (int c = 0; c < NB; c += HOLD, a += HOLD * ld) {
    T x[HOLD];
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++) x[j] = a[j * ld + from];
    __syncthreads();
    if (row < n && from != row)
#pragma unroll
      for (int j = 0; j < HOLD; j++) a[j * ld + row] = x[j];
  }
}

template <int NB, class T>
static cudaError_t lu_last_launch(const batch_view<T> &A, const uint16_t *perm, int64_t panel_pitch,
                                  cudaStream_t s)
{
  const int panels = (A.n - 1) / NB; /* the last one has no rows below */
  if (panels < 1) return cudaSuccess;
  lu_last<T, NB, 16><<<(unsigned)A.count *(unsigned)panels, (unsigned)(A.n - NB + 31) / 32 * 32, 0, s>>>(
      A, perm, panel_pitch, panels);
  return cudaGetLastError();
}
#endif
