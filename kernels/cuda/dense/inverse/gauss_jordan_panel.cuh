/* kernels/cuda/dense/inverse/gauss_jordan_panel.cuh - blocked Gauss-Jordan: panel of 16 columns in
 * registers
 *
 * Computes   for every column: the pivot from the unused rows, its scaled row p; t = the column over the
 *            pivot; all other rows subtract t p; the column becomes -t, and the reciprocal in the pivot
 *            row.
 * Source     N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Layout     one row per lane of the first warps of a block; rows do not move. The loop over columns is not
 *            unrolled, to keep the code in the instruction cache (unrolled it is several times slower).
 *            Registers cannot be indexed at run time, so the current column is always the first and the
 *            update shifts the rows by one register. A pivot is found by one integer reduction: high bits
 *            of |a| (complex: |re| + |im|) with the row below them, so it is the largest to 2^-11.
 * Cost       one barrier per column; each warp writes its candidate row and its reciprocal speculatively.
 * Checked    tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_PANEL_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_PANEL_CUH
#include "kernels/cuda/dense/inverse/gauss_jordan_layout.cuh"

namespace bf
{

/* All warps of a block execute it, those without a panel too, because racecheck compares the number of
 * barriers per thread. */
static __device__ __forceinline__ void gj_sync(void)
{
  asm volatile("bar.sync 1;" ::: "memory");
}

/* A key is the high bits of |a| and, in the low nine, 511 - row; below 512: 0, or so small that its
 * reciprocal overflows. */
enum : unsigned { GJ_KEY_MASK = 0x7ffffe00u, GJ_ZERO = 512u };
static __device__ __forceinline__ unsigned gj_key(float m)
{
  return __float_as_uint(m);
}
static __device__ __forceinline__ unsigned gj_key(double m)
{
  return (unsigned)__double2hiint(m);
}
template <class R>
static __device__ __forceinline__ unsigned gj_key(cplx<R> a)
{
  return gj_key(abs1(a));
}
static __device__ __forceinline__ unsigned gj_max_key(unsigned key)
{
  unsigned top;
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(top) : "r"(key));
  return top;
}

/* 1/x to one or two units in the last place where gj_reciprocal_safe */
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
/* Neither the number nor its reciprocal nor, for complex numbers, their squares leave the normal range. */
template <class T>
static __device__ __forceinline__ bool gj_reciprocal_safe(unsigned key)
{
  constexpr unsigned one  = sizeof(real_t<T>) == 4 ? 0x3f800000u : 0x3ff00000u,
                     most = sizeof(real_t<T>) == 4 ? (is_complex<T> ? 58u << 23 : 120u << 23)
                                                   : (is_complex<T> ? 500u << 20 : 1000u << 20);
  return key - (one - most) < 2 * most;
}

/* A panel in registers, a row per lane of at most TEAM warps */
template <class T, int TEAM>
struct gj_panel {
  static constexpr int V = panel_vec<T>;
  T                    a[GJ_NB];
  unsigned             bits; /* GJ_KEY_MASK until the row is a pivot */
  unsigned             mine; /* 1: it became a pivot in this panel */
  int                  lane, warp;

  __device__ __forceinline__ int row() const
  {
    return lane + 32 * warp;
  }
  /* Rows beyond n are arbitrary. */
  __device__ __forceinline__ void load(const T *w, int pitch, int n)
  {
    const T *p = w + min(row(), n - 1);
#pragma unroll
    for (int j = 0; j < GJ_NB; j++) a[j] = gj_get(p + j * pitch);
  }
  __device__ __forceinline__ void store(T *w, int pitch, int n) const
  {
    if (row() >= n) return;
    T *p = w + row();
#pragma unroll
    for (int j = 0; j < GJ_NB; j++) gj_put(p + j * pitch, a[j]);
  }
  __device__ __forceinline__ unsigned candidate_key() const
  {
    return (gj_key(a[0]) & bits) | (unsigned)(GJ_MAX_ORDER - 1 - row());
  }
  __device__ __forceinline__ void propose(T d, T *slot) const
  {
#pragma unroll
    for (int j = 0; j < GJ_NB; j += V) {
      panel_vec16<T> v;
#pragma unroll
      for (int e = 0; e < V; e++) v.v[e] = j + e == 0 ? d : a[j + e];
      store_panel_vec(slot + j, v);
    }
    gj_put(slot + GJ_NB, a[0]);
  }
  static __device__ __forceinline__ unsigned max_key(const unsigned *keys)
  {
    unsigned high = 0;
#pragma unroll
    for (int i = 0; i < gj_key_slots<TEAM>; i += 4) {
      const uint4 q = *reinterpret_cast<const uint4 *>(keys + i);
      high          = max(high, max(max(q.x, q.y), max(q.z, q.w)));
    }
    return high;
  }
  /* nb columns. Returns the number of the first without a pivot from 1, n+1 if it is not finite, or 0. */
  __device__ __forceinline__ int solve(int k0, int nb, const gj_block<T> &b, int *pivots)
  {
    unsigned key = candidate_key(), top = gj_max_key(key);
    T        d    = gj_reciprocal(a[0]);
    int      fail = 0;
    mine          = 0;
#pragma unroll 1
    for (int k = 0; k < nb; k++) {
      unsigned *keys  = b.keys + (k & 1) * gj_key_slots<TEAM>;
      T        *slots = b.slots + (k & 1) * TEAM * GJ_SLOT;
      if (key == top) {
        propose(d, slots + warp * GJ_SLOT);
        keys[warp] = key;
      }
      gj_sync();
      const unsigned high = max_key(keys);
      const int      at   = (int)(~high % GJ_MAX_ORDER);
      const T       *s    = slots + at / 32 * GJ_SLOT;
      if (high < GJ_ZERO && fail == 0) fail = k0 + k + 1;
      T t, u1;
      {
        const panel_vec16<T> v = load_panel_vec(s);
        d = v.v[0], u1 = V > 1 ? v.v[V > 1] : gj_get(s + 1);
      }
      if (!gj_reciprocal_safe<T>(high)) {
        const T x = gj_get(s + GJ_NB);
        if (!is_finite(x) && fail == 0) fail = b.n + 1;
        d = divide(from_real<T>(real_t<T>(1)), x);
      }
      t = a[0];
      if (key == high) {
        pivots[k]       = at;
        b.order[k0 + k] = at;
        bits            = 0;
        mine |= 1;
        t = from_real<T>(real_t<T>(-1));
#pragma unroll
        for (int j = 1; j < GJ_NB; j++) a[j] = zero_of<T>();
      }
      t    = -(t * d);
      a[0] = muladd(t, u1, a[1]);
      key  = candidate_key();
      top  = gj_max_key(key);
      d    = gj_reciprocal(a[0]);
#pragma unroll
      for (int j = 0; j < GJ_NB; j += V) {
        const panel_vec16<T> v = load_panel_vec(s + j);
#pragma unroll
        for (int e = 0; e < V; e++)
          if (j + e > 1) a[j + e - 1] = muladd(t, v.v[e], a[j + e]);
      }
      a[GJ_NB - 1] = t;
    }
#pragma unroll 1
    for (int k = nb; k < GJ_NB; k++) {
#pragma unroll
      for (int j = 1; j < GJ_NB; j++) a[j - 1] = a[j];
      a[GJ_NB - 1] = zero_of<T>();
    }
    return fail;
  }
  __device__ __forceinline__ void mark(unsigned *mask) const
  {
    const unsigned m = __ballot_sync(~0u, mine & 1);
    if (lane == 0) mask[warp] = m;
  }
};

} // namespace bf
#endif
