/* kernels/cuda/batch_lu_panel.cuh - one panel of LU by stages: NB columns of every matrix of a batch
 *
 * Computes   P A(k0:, k0:k0+NB) = L U by partial pivoting, in place, rows in their new order; what is left
 *            and right of the panel stays as it is.
 * Layout     a row is a thread's, all its NB columns in registers; threads beside each other have rows
 *            beside each other: columns are read and written coalesced, without shared memory on the way.
 * Cost       one barrier a column; a block has as many warps as there are rows left, and several blocks
 *            share a multiprocessor, so that one's chain of a column runs beneath another's.
 * Checked    t362, t366, t368.
 *
 * Rows never move: a row's place in LAPACK's order is a number beside it.  Each warp lays its best row out,
 * all of them choose the best of these after the barrier.  The loop over columns is a loop, so that its code
 * is short, and registers cannot be addressed by column: the update moves every row one place to the left
 * instead, for nothing.  After STEP columns as many places of a row are free: the columns done, which wait in
 * shared memory until then, come back to them, and the next loop is over rows shorter by STEP.
 */
#ifndef BF_BATCH_LU_PANEL_CUH
#define BF_BATCH_LU_PANEL_CUH
#include "kernels/cuda/batch.cuh"
#include "kernels/cuda/batch_pivot.cuh"

enum { LU_PANEL_WARPS = 16 };

/* A warp's best row in the column at hand. */
template <class T, int NB>
struct alignas(16) lu_claim {
  T        row[NB];
  T        reciprocal;
  int      place;
  unsigned low; /* of its key */
};

template <class T, int NB, int STEP>
struct lu_panel_room {
  int      claims, high, done, bytes;
  __host__ __device__ explicit lu_panel_room(int warps)
  {
    claims = 0;
    high   = claims + 2 * warps * (int)sizeof(lu_claim<T, NB>);
    done   = high + 2 * LU_PANEL_WARPS * (int)sizeof(unsigned);
    bytes  = done + 32 * warps * STEP * (int)sizeof(T);
  }
};

/* The upper half of a key, above 0 and growing with abs1(x), NaN the largest; and its lower half. */
static __device__ __forceinline__ unsigned lu_bits(float m)
{
  return (unsigned)__float_as_int(m);
}
static __device__ __forceinline__ unsigned lu_bits(double m)
{
  return (unsigned)__double2hiint(m);
}
template <class T>
static __device__ __forceinline__ unsigned lu_high(T x)
{
  if constexpr (is_complex<T>)
    return lu_bits(abs1(x)) + 1u;
  else
    return (lu_bits(x) & 0x7fffffffu) + 1u;
}
template <class T>
static __device__ __forceinline__ unsigned lu_low(T x)
{
  if constexpr (sizeof(real_t<T>) == 4)
    return 0;
  else
    return (unsigned)__double2loint(abs1(x));
}
/* Of such an upper half: whether the reciprocal (complex: its square too) is a plain number. */
template <class T>
static __device__ __forceinline__ bool lu_usual(unsigned high)
{
  constexpr bool     f   = sizeof(real_t<T>) == 4;
  constexpr unsigned low = f               ? (is_complex<T> ? 0x22000000u : 0x01000000u)
                           : is_complex<T> ? 0x21000000u
                                           : 0x01a00000u;
  constexpr unsigned top = f               ? (is_complex<T> ? 0x5d000000u : 0x7e000000u)
                           : is_complex<T> ? 0x5e000000u
                                           : 0x7e300000u;
  return high - low < top - low;
}

/* What brings m that is not lu_plain, both parts of a complex number too, to where reciprocals are exact. */
static __device__ __forceinline__ float lu_scale(float m)
{
  return m < 1.0f ? 0x1p90f : 0x1p-90f;
}
static __device__ __forceinline__ double lu_scale(double m)
{
  return m < 1.0 ? 0x1p600 : 0x1p-600;
}

/* Of several lanes with the same upper half the one with the largest lower half, of equal ones the first
 * place: as a mask of one bit. */
template <class R>
static __device__ __forceinline__ unsigned lu_settle(bool mine, unsigned low, int place)
{
  if constexpr (sizeof(R) == 8) {
    const unsigned most = __reduce_max_sync(~0u, mine ? low : 0);
    mine                = mine && low == most;
  }
  const unsigned first = __reduce_min_sync(~0u, mine ? (unsigned)place : ~0u);
  return __ballot_sync(~0u, mine && (unsigned)place == first);
}

template <class T, int NB, int STEP>
struct lu_panel_rows {
  T                a[NB];
  int              place, from, lane, w, warps, threads;
  int              zero; /* first column, from 1, without a pivot */
  lu_claim<T, NB> *claims;
  unsigned        *high;
  T               *done; /* [STEP][threads] */

  template <int NC>
  __device__ __forceinline__ unsigned claim(int j)
  {
    const unsigned hi   = place >= j ? lu_high(a[0]) : 0;
    const T        r    = lu_reciprocal(a[0]);
    const unsigned most = __reduce_max_sync(~0u, hi);
    unsigned       who  = __ballot_sync(~0u, hi == most);
    if ((who & (who - 1)) && most != 0) who = lu_settle<real_t<T>>(hi == most, lu_low(a[0]), place);
    if (lane != __ffs((int)who) - 1) return most;
    lu_claim<T, NB> *to = claims + (j & 1) * warps + w;
#pragma unroll
    for (int c = 0; c < NC; c += lu_vec<T>) {
      lu_packet<T> v;
#pragma unroll
      for (int e = 0; e < lu_vec<T>; e++) v.v[e] = a[c + e];
      lu_store(to->row + c, v);
    }
    to->reciprocal                     = r;
    to->place                          = place;
    to->low                            = lu_low(a[0]);
    high[(j & 1) * LU_PANEL_WARPS + w] = most;
    return most;
  }
  __device__ __forceinline__ const lu_claim<T, NB> *chosen(int j, unsigned &most) const
  {
    const lu_claim<T, NB> *s = claims + (j & 1) * warps;
    if (warps == 1) {
      __syncwarp();
      return s;
    }
    __syncthreads();
    const unsigned hi = lane < warps ? high[(j & 1) * LU_PANEL_WARPS + lane] : 0;
    most              = __reduce_max_sync(~0u, hi);
    unsigned who      = __ballot_sync(~0u, hi == most);
    if (who & (who - 1)) {
      const int o = lane < warps ? lane : 0;
      who         = lu_settle<real_t<T>>(hi == most, s[o].low, s[o].place);
    }
    return s + (__ffs((int)who) - 1);
  }
  /* Columns j0 .. j1-1 <= j0 + STEP - 1; a[0] is the column at hand, a[NC-1] the last one that matters. */
  template <int NC>
  __device__ __forceinline__ void columns(int j0, int j1)
  {
#pragma unroll 1
    for (int j = j0; j < j1; j++) {
      unsigned               most       = claim<NC>(j);
      const lu_claim<T, NB> *s          = chosen(j, most);
      const int              pivot      = s->place;
      T                      reciprocal = s->reciprocal, x = a[0];
      lu_packet<T>           u = lu_load(s->row);
      if (!lu_usual<T>(most)) { /* zero, or its reciprocal could overflow */
        const real_t<T> scale = lu_scale(abs1(u.v[0]));
        x                     = times(x, scale);
        reciprocal            = lu_reciprocal(times(u.v[0], scale));
        if (abs1(u.v[0]) == real_t<T>(0)) {
          reciprocal = lu_zero<T>();
          if (zero == 0) zero = j + 1;
        }
      }
      if (place == pivot) from = pivot;
      place                    = place == pivot ? j : place == j ? pivot : place;
      const bool on            = place > j;
      const T    l             = on ? x * reciprocal : lu_zero<T>();
      done[(j - j0) * threads] = on ? l : a[0];
#pragma unroll
      for (int c = 0; c < NC; c += lu_vec<T>) {
        if (c > 0) u = lu_load(s->row + c);
#pragma unroll
        for (int e = 0; e < lu_vec<T>; e++)
          if (c + e > 0) a[c + e - 1] = mulsub(l, u.v[e], a[c + e]);
      }
    }
#pragma unroll
    for (int i = 0; i < STEP; i++) a[NC - STEP + i] = done[i * threads];
  }
  template <int J>
  __device__ __forceinline__ void steps(int nb)
  {
    if constexpr (J < NB) {
      columns<NB - J>(J, min(nb, J + STEP));
      steps<J + STEP>(nb);
    }
  }
  /* Where column c lies after all steps. */
  static __device__ __forceinline__ constexpr int at(int c)
  {
    return NB - STEP - c / STEP * STEP + c % STEP;
  }
};

/* Entries of one row, a column after the other, of columns `ld` apart: WHOLE: a complex number at once. */
template <class T, bool WHOLE>
struct alignas(WHOLE ? sizeof(T) : sizeof(real_t<T>)) lu_entry {
  T v;
};
template <bool WHOLE, class T, int NB>
static __device__ __forceinline__ void lu_row_read(T (&x)[NB], const T *p, int64_t ld, int nb)
{
  const lu_entry<T, WHOLE> *q = reinterpret_cast<const lu_entry<T, WHOLE> *>(p);
  if (nb == NB) {
#pragma unroll
    for (int c = 0; c < NB; c++, q += ld) x[c] = q->v;
  } else {
#pragma unroll
    for (int c = 0; c < NB; c++, q += ld) x[c] = c < nb ? q->v : lu_zero<T>();
  }
}
/* The same of a row as it lies after all steps; 0 where all of it is finite. */
template <bool WHOLE, class ROWS, class T>
static __device__ __forceinline__ real_t<T> lu_row_write(const ROWS &me, T *p, int64_t ld, int nb)
{
  constexpr int       NB    = sizeof(me.a) / sizeof(T);
  lu_entry<T, WHOLE> *q     = reinterpret_cast<lu_entry<T, WHOLE> *>(p);
  real_t<T>           watch = 0;
#pragma unroll
  for (int c = 0; c < NB; c++, q += ld) {
    const T x = me.a[ROWS::at(c)];
    if (nb < NB && c >= nb) break;
    q->v  = {x};
    watch = muladd(real_part(x), real_t<T>(0), watch);
    if constexpr (is_complex<T>) watch = muladd(imaginary(x), real_t<T>(0), watch);
  }
  return watch;
}

/* perm[b * A.pitch + i], i >= k0: the row that came to place i. */
template <class T, int NB, int STEP, int REGS>
static __global__ void __maxnreg__(REGS)
    lu_panel_stage(const batch_view<T> A, int k0, int *ipiv, uint16_t *perm, int *info)
{
  extern __shared__ __align__(16) char room[];
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), m = A.order(b) - k0, t = (int)threadIdx.x;
  const int warps = (m + 31) / 32;
  if (t >= 32 * warps) return;
  const int                        nb = min(NB, m);
  const lu_panel_room<T, NB, STEP> at(warps);
  lu_panel_rows<T, NB, STEP>       me;
  const int64_t                    ld = A.ld;
  T                               *a  = A.matrix(b) + k0 * (ld + 1);
  const bool whole = is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) == 0;
  if (whole)
    lu_row_read<true>(me.a, a + min(t, m - 1), ld, nb);
  else
    lu_row_read<false>(me.a, a + min(t, m - 1), ld, nb);
  me.place   = t < m ? t : -1;
  me.from    = 0;
  me.zero    = 0;
  me.lane    = t & 31;
  me.w       = t >> 5;
  me.warps   = warps;
  me.threads = 32 * warps;
  me.claims  = (lu_claim<T, NB> *)(room + at.claims);
  me.high    = (unsigned *)(room + at.high);
  me.done    = (T *)(room + at.done) + t;
  me.template steps<0>(nb);
  real_t<T> watch = 0;
  if (t < m) {
    T *to                  = a + me.place;
    watch                  = whole ? lu_row_write<true>(me, to, ld, nb) : lu_row_write<false>(me, to, ld, nb);
    const int64_t first    = (int64_t)b * A.pitch + k0;
    perm[first + me.place] = (uint16_t)(k0 + t);
    if (me.place < nb) ipiv[first + me.place] = k0 + me.from + 1;
  }
  const bool bad = __syncthreads_or(!(watch == real_t<T>(0))) != 0;
  if (t != 0) return;
  const int before = k0 > 0 ? info[b] : 0;
  info[b]          = bad ? k0 + m + 1 : before == 0 && me.zero > 0 ? k0 + me.zero : before;
}

template <class T, int NB, int STEP, int REGS>
static cudaError_t lu_panel_launch(const batch_view<T> &A, int k0, int *ipiv, uint16_t *perm, int *info,
                                   cudaStream_t s)
{
  const int                        warps = (A.n - k0 + 31) / 32;
  const lu_panel_room<T, NB, STEP> at(warps);
  const auto                       kernel = lu_panel_stage<T, NB, STEP, REGS>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, at.bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count, 32 * warps, (size_t)at.bytes, s>>>(A, k0, ipiv, perm, info);
  return cudaGetLastError();
}

/* Panel k0 / NB of every matrix with more than k0 rows, at most 512 of them below. */
template <class T, int NB>
static cudaError_t lu_panel_of(const batch_view<T> &A, int k0, int *ipiv, uint16_t *perm, int *info,
                               cudaStream_t s)
{
  constexpr int words = NB * (int)sizeof(T) / 4;
  if constexpr (words > 64) {
    if (A.n - k0 <= 384) return lu_panel_launch<T, NB, 8, 160>(A, k0, ipiv, perm, info, s);
    return lu_panel_launch<T, NB, 8, 128>(A, k0, ipiv, perm, info, s);
  } else
    return lu_panel_launch < T, NB, 8,
           words <= 32     ? 64
           : is_complex<T> ? 96
                           : 128 > (A, k0, ipiv, perm, info, s);
}
#endif
