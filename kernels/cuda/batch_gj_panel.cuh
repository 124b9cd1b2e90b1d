/* kernels/cuda/batch_gj_panel.cuh - a panel of 16 columns to its Gauss-Jordan form, in registers
 *
 * Computes   for every column: the pivot from the rows not yet used, its row p scaled, t = the column over
 *            the pivot taken from all others times p; the column's place gets -t, the pivot's its reciprocal.
 * Layout     rows are lanes of the first warps of a block, R rows a lane; rows do not move.
 * Cost       one barrier a column: each warp proposes its best row and its reciprocal before
 *            it is known which is wanted.
 * Checked    tests/t361_inverse_batch.c.
 *
 * The loop over the columns of a panel is a loop so that its code stays in the instruction cache: unrolled it
 * runs several times slower.  Registers cannot be addressed by column, so the column at hand is always the
 * first and every update moves the rows by one place.  A pivot is found by one integer reduction: the high
 * bits of |a| (complex: |re| + |im|) with the row below them, so it is the largest to 2^-11.
 */
#ifndef BF_BATCH_GJ_PANEL_CUH
#define BF_BATCH_GJ_PANEL_CUH
#include "kernels/cuda/batch_gj.cuh"

/* All warps of a block, those without a panel too: racecheck compares how many barriers a thread has passed.
 */
static __device__ __forceinline__ void gj_sync(void)
{
  asm volatile("bar.sync 1;" ::: "memory");
}

/* A key is the high bits of |a| and, in the low nine, 511 - row; below 512: 0, or so small that its
 * reciprocal overflows by far. */
enum : unsigned { GJ_BITS = 0x7ffffe00u, GJ_ZERO = 512u };
static __device__ __forceinline__ unsigned gj_high(float m)
{
  return __float_as_uint(m);
}
static __device__ __forceinline__ unsigned gj_high(double m)
{
  return (unsigned)__double2hiint(m);
}
template <class R>
static __device__ __forceinline__ unsigned gj_high(cplx<R> a)
{
  return gj_high(abs1(a));
}
static __device__ __forceinline__ unsigned gj_top(unsigned key)
{
  unsigned top;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(top) : "r"(key));
  return top;
}

/* 1/x to a unit or two in the last place where the key of x is plain */
static __device__ __forceinline__ float gj_reciprocal(float x)
{
  float y;
  asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
static __device__ __forceinline__ double gj_reciprocal(double x)
{
  double y;
  asm volatile("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = fma(-x, y, 1.0);
  return fma(y, fma(e, e, e), y);
}
template <class R>
static __device__ __forceinline__ cplx<R> gj_reciprocal(cplx<R> x)
{
  const R q = gj_reciprocal(muladd(x.re, x.re, x.im * x.im));
  return {x.re * q, -x.im * q};
}
/* Neither the number nor its reciprocal nor, complex, their squares leave the normal range. */
template <class T>
static __device__ __forceinline__ bool gj_plain(unsigned key)
{
  constexpr unsigned one  = sizeof(real_t<T>) == 4 ? 0x3f800000u : 0x3ff00000u,
                     most = sizeof(real_t<T>) == 4 ? (is_complex<T> ? 58u << 23 : 120u << 23)
                                                   : (is_complex<T> ? 500u << 20 : 1000u << 20);
  return key - (one - most) < 2 * most;
}

/* A panel in registers: a[r] is row lane + 32 (R warp + r), of TEAM warps at most. */
template <class T, int R, int TEAM>
struct gj_panel {
  static constexpr int V = lu_vec<T>;
  T                    a[R][GJ_NB];
  unsigned             bits[R]; /* GJ_BITS until the row is a pivot */
  unsigned             mine;    /* bit r: it became one in this panel */
  int                  lane, warp;

  __device__ __forceinline__ int row(int r) const
  {
    return lane + 32 * (R * warp + r);
  }
  /* Rows beyond n may be anything. */
  __device__ __forceinline__ void load(const T *w, int pitch, int n)
  {
#pragma unroll
    for (int r = 0; r < R; r++) {
      const T *p = w + min(row(r), n - 1);
#pragma unroll
      for (int j = 0; j < GJ_NB; j++) a[r][j] = gj_get(p + j * pitch);
    }
  }
  __device__ __forceinline__ void store(T *w, int pitch, int n) const
  {
#pragma unroll
    for (int r = 0; r < R; r++)
      if (row(r) < n) {
        T *p = w + row(r);
#pragma unroll
        for (int j = 0; j < GJ_NB; j++) gj_put(p + j * pitch, a[r][j]);
      }
  }
  __device__ __forceinline__ unsigned best() const
  {
    unsigned key = 0;
#pragma unroll
    for (int r = 0; r < R; r++)
      key = max(key, (gj_high(a[r][0]) & bits[r]) | (unsigned)(GJ_MOST - 1 - row(r)));
    return key;
  }
  /* The reciprocal of the candidate, before it is known whether anybody wants it. */
  __device__ __forceinline__ T reciprocal(unsigned key) const
  {
    T x = a[0][0];
#pragma unroll
    for (int r = 1; r < R; r++)
      if (key % GJ_MOST == (unsigned)(GJ_MOST - 1 - row(r))) x = a[r][0];
    return gj_reciprocal(x);
  }
  __device__ __forceinline__ void propose(unsigned key, T d, T *slot) const
  {
#pragma unroll
    for (int r = 0; r < R; r++)
      if (R == 1 || key % GJ_MOST == (unsigned)(GJ_MOST - 1 - row(r))) {
#pragma unroll
        for (int j = 0; j < GJ_NB; j += V) {
          lu_packet<T> v;
#pragma unroll
          for (int e = 0; e < V; e++) v.v[e] = j + e == 0 ? d : a[r][j + e];
          lu_store(slot + j, v);
        }
        gj_put(slot + GJ_NB, a[r][0]);
      }
  }
  static __device__ __forceinline__ unsigned highest(const unsigned *keys)
  {
    unsigned high = 0;
#pragma unroll
    for (int i = 0; i < gj_ring<TEAM>; i += 4) {
      const uint4 q = *reinterpret_cast<const uint4 *>(keys + i);
      high          = max(high, max(max(q.x, q.y), max(q.z, q.w)));
    }
    return high;
  }
  /* nb columns; the number of the first without a pivot from 1, n+1 where it is not finite, or 0. */
  __device__ __forceinline__ int solve(int k0, int nb, const gj_block<T> &b, int *pivots)
  {
    unsigned key = best(), top = gj_top(key);
    T        d    = reciprocal(key);
    int      fail = 0;
    mine          = 0;
#pragma unroll 1
    for (int k = 0; k < nb; k++) {
      unsigned *keys  = b.keys + (k & 1) * gj_ring<TEAM>;
      T        *slots = b.slots + (k & 1) * TEAM * GJ_SLOT;
      if (key == top) {
        propose(key, d, slots + warp * GJ_SLOT);
        keys[warp] = key;
      }
      gj_sync();
      const unsigned high = highest(keys);
      const int      at   = (int)(~high % GJ_MOST);
      const T       *s    = slots + at / (32 * R) * GJ_SLOT;
      if (high < GJ_ZERO && fail == 0) fail = k0 + k + 1;
      T t[R], u1;
      {
        const lu_packet<T> v = lu_load(s);
        d = v.v[0], u1 = V > 1 ? v.v[V > 1] : gj_get(s + 1);
      }
      if (!gj_plain<T>(high)) {
        const T x = gj_get(s + GJ_NB);
        if (!is_finite(x) && fail == 0) fail = b.n + 1;
        d = divide(from_real<T>(real_t<T>(1)), x);
      }
#pragma unroll
      for (int r = 0; r < R; r++) t[r] = a[r][0];
      if (key == high) {
        pivots[k]       = at;
        b.order[k0 + k] = at;
#pragma unroll
        for (int r = 0; r < R; r++)
          if (R == 1 || at == row(r)) {
            bits[r] = 0;
            mine |= 1u << r;
            t[r] = from_real<T>(real_t<T>(-1));
#pragma unroll
            for (int j = 1; j < GJ_NB; j++) a[r][j] = lu_zero<T>();
          }
      }
#pragma unroll
      for (int r = 0; r < R; r++) {
        t[r]    = -(t[r] * d);
        a[r][0] = muladd(t[r], u1, a[r][1]);
      }
      key = best();
      top = gj_top(key);
      d   = reciprocal(key);
#pragma unroll
      for (int j = 0; j < GJ_NB; j += V) {
        const lu_packet<T> v = lu_load(s + j);
#pragma unroll
        for (int e = 0; e < V; e++)
#pragma unroll
          for (int r = 0; r < R; r++)
            if (j + e > 1) a[r][j + e - 1] = muladd(t[r], v.v[e], a[r][j + e]);
      }
#pragma unroll
      for (int r = 0; r < R; r++) a[r][GJ_NB - 1] = t[r];
    }
#pragma unroll 1
    for (int k = nb; k < GJ_NB; k++)
#pragma unroll
      for (int r = 0; r < R; r++) {
#pragma unroll
        for (int j = 1; j < GJ_NB; j++) a[r][j - 1] = a[r][j];
        a[r][GJ_NB - 1] = lu_zero<T>();
      }
    return fail;
  }
  __device__ __forceinline__ void mark(unsigned *mask) const
  {
#pragma unroll
    for (int r = 0; r < R; r++) {
      const unsigned m = __ballot_sync(~0u, mine >> r & 1);
      if (lane == 0) mask[R * warp + r] = m;
    }
  }
};
#endif
