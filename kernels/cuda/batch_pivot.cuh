/* kernels/cuda/batch_pivot.cuh - pivots of a panel whose rows lie in registers: keys, reciprocals, 16 bytes
 * at a time, and the factorisation of one panel of 16 columns
 *
 * Computes   P A = L U of m x 16 entries by partial pivoting: LAPACK's pivots, the first of equal ones too.
 * Layout     row-major in shared memory, `pitch` scalars a row; a row belongs to a lane of one of `PW` warps.
 * Cost       one exchange through shared memory for each column, one barrier where PW > 1.
 * Checked    t362, t366.
 *
 * Rows stay in their registers; a row's place in LAPACK's order is a number beside it.  The loop over columns
 * is a loop, so that its code is short, and registers cannot be addressed by column: the update moves every
 * row one place to the left instead, for nothing.
 */
#ifndef BF_BATCH_PIVOT_CUH
#define BF_BATCH_PIVOT_CUH
#include "kernels/cuda/scalar.cuh"

enum { LU_NB = 16 }; /* columns of a panel, rows and columns of a tile */

/* Scalars in 16 bytes, and the pitch of rows of 16: no two lanes of a quarter-warp meet in a bank when each
 * reads 16 bytes of its own row. */
template <class T>
inline constexpr int lu_vec = 16 / (int)sizeof(T);
template <class T>
inline constexpr int lu_pitch = LU_NB + (sizeof(T) == 4   ? 4
                                         : sizeof(T) == 8 ? 2
                                                          : 1);

template <class T>
struct alignas(16) lu_packet {
  T v[lu_vec<T>];
};
template <class T>
static __device__ __forceinline__ lu_packet<T> lu_load(const T *p)
{
  lu_packet<T> r;
  *reinterpret_cast<uint4 *>(&r) = *reinterpret_cast<const uint4 *>(p);
  return r;
}
template <class T>
static __device__ __forceinline__ void lu_store(T *p, const lu_packet<T> &r)
{
  *reinterpret_cast<uint4 *>(p) = *reinterpret_cast<const uint4 *>(&r);
}

template <class T>
static __device__ __forceinline__ T lu_zero()
{
  return from_real<T>(real_t<T>(0));
}

/* 1/x to rounding where lu_plain(abs1(x)); else anything. */
static __device__ __forceinline__ float lu_reciprocal(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
static __device__ __forceinline__ double lu_reciprocal(double x)
{
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(y, fma(-x, y, 1.0), y);
  return fma(y, fma(-x, y, 1.0), y);
}
template <class R>
static __device__ __forceinline__ cplx<R> lu_reciprocal(cplx<R> x)
{
  const R q = lu_reciprocal(muladd(x.re, x.re, x.im * x.im));
  return {x.re * q, -x.im * q};
}
template <class T>
static __device__ __forceinline__ bool lu_plain(real_t<T> m)
{
  if constexpr (sizeof(real_t<T>) == 4)
    return is_complex<T> ? m > 1e-18f && m < 1e18f : m > 2e-38f && m < 4e37f;
  else
    return is_complex<T> ? m > 1e-150 && m < 1e150 : m > 1e-300 && m < 1e300;
}
template <class T>
static __device__ __noinline__ T lu_quotient(T a, T p)
{
  return divide(a, p);
}

/* Grows with m >= 0; above 0; NaN is the largest. */
static __device__ __forceinline__ uint64_t lu_key(float m)
{
  return (uint64_t)(__float_as_uint(m) + 1u) << 32;
}
static __device__ __forceinline__ uint64_t lu_key(double m)
{
  return (uint64_t)__double_as_longlong(m) + 1;
}

/* A warp's best row in the column at hand, for all to see. */
template <class T>
struct alignas(16) lu_candidate {
  T        row[LU_NB];
  T        reciprocal;
  uint64_t key;
  int      place;
};

template <int PW>
static __device__ __forceinline__ void lu_panel_sync()
{
  if constexpr (PW == 1)
    __syncwarp();
  else
    asm volatile("bar.sync 1, %0;" ::"n"(PW * 32) : "memory");
}

/* The lane that holds the largest key of the warp; of equal ones the first place. */
template <class R>
static __device__ __forceinline__ int lu_winner(uint64_t key, int place)
{
  const unsigned hi = (unsigned)(key >> 32), most = __reduce_max_sync(~0u, hi);
  bool           mine = hi == most;
  unsigned       who  = __ballot_sync(~0u, mine);
  if (who & (who - 1)) {
    if constexpr (sizeof(R) == 8) {
      const unsigned lo = mine ? (unsigned)key : 0, lowest = __reduce_max_sync(~0u, lo);
      mine = mine && lo == lowest;
    }
    const unsigned first = __reduce_min_sync(~0u, mine ? (unsigned)place : ~0u);
    who                  = __ballot_sync(~0u, mine && (unsigned)place == first);
  }
  return __ffs((int)who) - 1;
}

/* A panel: rows lane + 32 (w + PW i); place -1: no such row; live: bit i while row i is no pivot. */
template <class T, int PW, int RPL>
struct lu_panel {
  T        a[RPL][LU_NB];
  int      place[RPL];
  unsigned live;
  int      w, lane;

  __device__ __forceinline__ int row(int i) const
  {
    return lane + 32 * (w + PW * i);
  }
  __device__ __forceinline__ void load_row(int i, const T *P)
  {
#pragma unroll
    for (int c = 0; c < LU_NB; c += lu_vec<T>) {
      const lu_packet<T> v = lu_load(P + c);
#pragma unroll
      for (int e = 0; e < lu_vec<T>; e++) a[i][c + e] = v.v[e];
    }
  }
  template <int NC>
  __device__ __forceinline__ void store_row(int i, T *P) const
  {
#pragma unroll
    for (int c = 0; c < NC; c += lu_vec<T>) {
      lu_packet<T> v;
#pragma unroll
      for (int e = 0; e < lu_vec<T>; e++) v.v[e] = a[i][c + e];
      lu_store(P + c, v);
    }
  }

  /* The warp's candidate into its slot. */
  template <int NC>
  __device__ __forceinline__ void propose(lu_candidate<T> *slot)
  {
    uint64_t key = 0;
    int      at = 0x7fffffff, best = 0;
    T        v = a[0][0];
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      const bool     on = live >> i & 1;
      const uint64_t k  = on ? lu_key(abs1(a[i][0])) : 0;
      const int      s  = on ? place[i] : 0x7fffffff;
      if (i == 0 || k > key || (k == key && s < at)) {
        key = k, at = s, best = i;
        v = a[i][0];
      }
    }
    const T   reciprocal = lu_reciprocal(v);
    const int winner     = lu_winner<real_t<T>>(key, at);
    if (lane != winner) return;
#pragma unroll
    for (int i = 0; i < RPL; i++)
      if (RPL == 1 || best == i) store_row<NC>(i, slot->row);
    slot->reciprocal = reciprocal;
    slot->key        = key;
    slot->place      = at;
  }

  /* Columns j0 .. j1-1; a[i][0] is the column at hand, a[i][NC-1] the last one that matters. */
  template <int NC>
  __device__ __forceinline__ void columns(int j0, int j1, T *P, lu_candidate<T> *slots, int *ipiv, int k0,
                                          int *info)
  {
#pragma unroll 1
    for (int j = j0; j < j1; j++) {
      lu_candidate<T> *s = slots + (j & 1) * PW;
      propose<NC>(s + w);
      lu_panel_sync<PW>();
      if constexpr (PW > 1) {
        uint64_t key = s[0].key;
        int      at = s[0].place, best = 0;
#pragma unroll
        for (int o = 1; o < PW; o++) {
          const uint64_t k = s[o].key;
          const int      x = s[o].place;
          if (k > key || (k == key && x < at)) key = k, at = x, best = o;
        }
        s += best;
      }
      T u[NC];
#pragma unroll
      for (int c = 0; c < NC; c += lu_vec<T>) {
        const lu_packet<T> v = lu_load(s->row + c);
#pragma unroll
        for (int e = 0; e < lu_vec<T>; e++) u[c + e] = v.v[e];
      }
      T          reciprocal = s->reciprocal;
      const int  pivot      = s->place;
      const bool first      = w == 0 && lane == 0;
      if (first) ipiv[j] = k0 + pivot + 1;
      if (!lu_plain<T>(abs1(u[0]))) { /* zero, or its reciprocal could overflow */
        reciprocal = from_real<T>(real_t<T>(1));
        if (abs1(u[0]) == real_t<T>(0)) {
          reciprocal = lu_zero<T>();
          if (first && *info == 0) *info = k0 + j + 1;
        } else {
#pragma unroll
          for (int i = 0; i < RPL; i++)
            if ((live >> i & 1) && place[i] != pivot) a[i][0] = lu_quotient(a[i][0], u[0]);
        }
      }
#pragma unroll
      for (int i = 0; i < RPL; i++) {
        if (place[i] == pivot) live &= ~(1u << i);
        place[i]      = place[i] == pivot ? j : place[i] == j ? pivot : place[i];
        const bool on = live >> i & 1;
        const T    l  = on ? a[i][0] * reciprocal : lu_zero<T>();
        if (place[i] >= 0) P[row(i) * lu_pitch<T> + j] = on ? l : a[i][0];
#pragma unroll
        for (int c = 1; c < NC; c++) a[i][c - 1] = mulsub(l, u[c], a[i][c]);
      }
    }
  }

  /* m rows at P, nb <= 16 columns, become L and U, every row at its place; id[place] is the row's number in
   * the matrix and slot_of[number] its place in this panel. */
  __device__ __forceinline__ void factor(T *P, int m, int nb, lu_candidate<T> *slots, uint16_t *id,
                                         uint16_t *slot_of, int *ipiv, int k0, int *info)
  {
    live = 0;
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      const bool in = row(i) < m;
      place[i]      = in ? row(i) : -1;
      if (in) live |= 1u << i;
      load_row(i, P + (in ? row(i) : 0) * lu_pitch<T>);
    }
    columns<LU_NB>(0, nb < LU_NB / 2 ? nb : LU_NB / 2, P, slots, ipiv, k0, info);
    columns<LU_NB / 2>(LU_NB / 2, nb, P, slots, ipiv, k0, info);
    int number[RPL];
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      number[i] = place[i] >= 0 ? id[row(i)] : 0;
      if (place[i] >= 0 && place[i] != row(i)) load_row(i, P + row(i) * lu_pitch<T>);
    }
    lu_panel_sync<PW>();
#pragma unroll
    for (int i = 0; i < RPL; i++) {
      if (place[i] < 0) continue;
      slot_of[number[i]] = (uint16_t)place[i];
      if (place[i] == row(i)) continue;
      store_row<LU_NB>(i, P + place[i] * lu_pitch<T>);
      id[place[i]] = (uint16_t)number[i];
    }
  }
};
#endif
