/* kernels/cuda/dense/eigen/stedc_secular.cuh - divide and conquer: roots of the secular equation
 *
 * Computes   the roots of f(x) = 1 + rho sum_j z_j^2 / (s_j - x), s ascending, rho > 0, ||z|| = 1: the
 *            eigenvalues of diag(s) + rho z z^T.
 * Source     R.-C. Li, LAPACK Working Note 89 (1994): the model with fixed weight of the nearer pole,
 *            within a bracket; M. Gu, S. Eisenstat, SIAM J. Matrix Anal. 16 (1995): stopping criterion, for
 *            sums of k / L terms.
 * Layout     a root is s_base + tau, so that s_j - x = (s_j - s_base) - tau has no cancellation; L lanes of
 *            a warp add the terms of one root.
 * Cost       about 6 k flops per root and iteration.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_SECULAR_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_SECULAR_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

template <class R>
__device__ __forceinline__ R unit_roundoff()
{
  return sizeof(R) == 8 ? R(1.1102230246251565e-16) : R(5.9604645e-08);
}
template <class R>
__device__ __forceinline__ R square(R x)
{
  return x * x;
}

/* 1/x to one or two units in the last place; x normal */
__device__ __forceinline__ double reciprocal_of(double x)
{
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = fma(-x, y, 1.0); /* 2^-20 */
  return fma(y, fma(e, e, e), y);
}
__device__ __forceinline__ float reciprocal_of(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
template <class R>
__device__ __forceinline__ R root_of(R x)
{
  return x > R(1e-30) ? x * rsqrt(x) : sqrt(x);
}
template <class R>
__device__ __forceinline__ R sum_lanes(R x, int lanes)
{
  for (int o = 1; o < lanes; o *= 2) x += __shfl_xor_sync(~0u, x, o);
  return x;
}

template <class R>
struct secular_value {
  R f, slope, bound; /* f, its derivative; rounding error of f */
};

enum { SECULAR_AHEAD = 8 }; /* independent terms in flight */

/* At s_base + tau; lane l of L adds every L-th term. */
template <class R>
__device__ secular_value<R> secular_at(const R *s, const R *z, int k, R base, R tau, R rhoinv, int l, int L)
{
  R f = 0, size = 0, slope = 0;
  for (int j0 = l; j0 < k; j0 += SECULAR_AHEAD * L)
#pragma unroll
    for (int u = 0; u < SECULAR_AHEAD; u++) {
      const int  j  = j0 + u * L;
      const bool in = j < k;
      const R    zj = in ? z[j] : R(0), t = zj * reciprocal_of(in ? (s[j] - base) - tau : R(1)), p = zj * t;
      f += p;
      size += fabs(p);
      slope = muladd(t, t, slope);
    }
  secular_value<R> v;
  v.f     = rhoinv + sum_lanes(f, L);
  v.slope = sum_lanes(slope, L);
  v.bound = (R(8) + R(k) / R(4 * L)) * sum_lanes(size, L) + R(2) * rhoinv + fabs(tau) * v.slope;
  return v;
}

template <class R>
struct secular_root {
  int  i, lo, hi, base; /* the root; the two poles of the model; the pole that tau is relative to */
  bool last;            /* the root above all poles */
  R    lb, ub, tau;     /* lb <= tau <= ub */
};

/* Bracket and first approximation from f at the middle of the interval: c = 1/rho + the terms of the
 * other poles */
template <class R>
__device__ void secular_start(secular_root<R> &r, const R *s, const R *z, R rho, R c)
{
  const R del = s[r.hi] - s[r.lo], z1 = square(z[r.lo]), z2 = square(z[r.hi]);
  if (!r.last) {
    const R    mid = del / 2, w = c - z1 / mid + z2 / (del - mid);
    const bool deflated_count = w > 0;
    const R a = deflated_count ? c * del + z1 + z2 : c * del - z1 - z2, b = (deflated_count ? z1 : z2) * del;
    const R q = root_of(fabs(deflated_count ? a * a - 4 * b * c : a * a + 4 * b * c));
    r.base    = deflated_count ? r.lo : r.hi;
    r.lb      = deflated_count ? R(0) : -mid;
    r.ub      = deflated_count ? mid : R(0);
    r.tau     = deflated_count ? (a > 0 ? 2 * b / (a + q) : (a - q) / (2 * c))
                               : (a < 0 ? 2 * b / (a - q) : -(a + q) / (2 * c));
  } else {
    const R    mid = rho / 2, w = c - z1 / (del + mid) - z2 / mid;
    const R    a = -c * del + z1 + z2, b = z2 * del, q = root_of(fabs(a * a + 4 * b * c));
    const bool far = w <= 0 && c <= z1 / (del + rho) + z2 / rho;
    r.base         = r.hi;
    r.lb           = w <= 0 ? mid : R(0);
    r.ub           = w <= 0 ? rho : mid;
    r.tau          = far ? rho : a < 0 ? 2 * b / (q - a) : (a + q) / (2 * c);
  }
  if (!(r.tau > r.lb && r.tau < r.ub)) r.tau = r.last && r.tau >= r.ub ? r.ub : (r.lb + r.ub) / 2;
}

/* The step of the model with poles lo and hi and f's value and slope at tau */
template <class R>
__device__ R secular_step(const secular_root<R> &r, const R *s, const R *z, const secular_value<R> &v)
{
  const R base = s[r.base], d1 = (s[r.lo] - base) - r.tau, d2 = (s[r.hi] - base) - r.tau;
  const R slope = v.slope, a = (d1 + d2) * v.f - d1 * d2 * slope, b = d1 * d2 * v.f;
  R       c, up, down;
  if (!r.last) {
    c         = r.base == r.lo ? v.f - d2 * slope - (s[r.lo] - s[r.hi]) * square(z[r.lo] * reciprocal_of(d1))
                               : v.f - d1 * slope - (s[r.hi] - s[r.lo]) * square(z[r.hi] * reciprocal_of(d2));
    const R q = root_of(fabs(a * a - 4 * b * c));
    up        = a <= 0 ? a - q : 2 * b;
    down      = a <= 0 ? 2 * c : a + q;
  } else {
    const R above = square(z[r.hi] * reciprocal_of(d2));
    c             = fabs(v.f - d1 * (slope - above) - d2 * above);
    const R q     = root_of(fabs(a * a - 4 * b * c));
    up            = a >= 0 ? a + q : 2 * b;
    down          = a >= 0 ? 2 * c : a - q;
  }
  const R eta = up * reciprocal_of(down);
  return v.f * eta < 0 ? eta : -v.f * reciprocal_of(slope); /* also if the model gives no number */
}

/* Root i of k poles, if `on`; all lanes of a warp call it. False if it did not converge. */
template <class R>
__device__ bool secular_find(const R *s, const R *z, int k, int i, R rho, int *base, R *tau, int l, int L,
                             bool on)
{
  secular_root<R> r      = {i, 0, 1, 0, i == k - 1, 0, 0, 0};
  bool            active = on && k > 1, fine = true;
  R               rhoinv = 1, c = 0, previous = 0;
  int             slow_steps = 0;
  if (on && k == 1) r.tau = rho * square(z[0]);
  if (active) {
    r.lo       = r.last ? k - 2 : i;
    r.hi       = r.lo + 1;
    rhoinv     = reciprocal_of(rho);
    const R at = r.last ? s[r.hi] : s[r.lo], mid = r.last ? rho / 2 : (s[r.hi] - s[r.lo]) / 2;
    for (int j0 = l; j0 < k; j0 += SECULAR_AHEAD * L)
#pragma unroll
      for (int u = 0; u < SECULAR_AHEAD; u++) {
        const int  j  = j0 + u * L;
        const bool in = j < k && j != r.lo && j != r.hi;
        c             = muladd(square(in ? z[j] : R(0)), reciprocal_of(in ? (s[j] - at) - mid : R(1)), c);
      }
  }
  c = sum_lanes(c, L) + rhoinv;
  if (active) secular_start(r, s, z, rho, c);
  for (int step = 0; step < 100 && __any_sync(~0u, active); step++) {
    const secular_value<R> v =
        secular_at(s, z, active ? k : 0, active ? s[r.base] : R(0), r.tau, rhoinv, l, L);
    if (!active) continue;
    if (!(fabs(v.f) > unit_roundoff<R>() * v.bound)) {
      fine   = v.f == v.f;
      active = false;
      continue;
    }
    r.lb = v.f < 0 ? fmax(r.lb, r.tau) : r.lb;
    r.ub = v.f < 0 ? r.ub : fmin(r.ub, r.tau);
    if (r.ub - r.lb <= unit_roundoff<R>() * fmin(fabs(r.lb), fabs(r.ub))) {
      active = false;
      continue;
    }
    R next     = r.tau + secular_step(r, s, z, v);
    slow_steps = step > 0 && fabs(v.f) > fabs(previous) / 10 ? slow_steps + 1 : 0;
    previous   = v.f;
    if (!(next > r.lb && next < r.ub) || slow_steps > 3) {
      next       = (r.lb + r.ub) / 2;
      slow_steps = 0;
    }
    active = next != r.tau;
    r.tau  = next;
  }
  if (on && l == 0) {
    *base = r.base;
    *tau  = r.tau;
  }
  return fine && !active;
}

/* Threshold for deflation of poles first .. last with rho z z^T; the matrix is scaled to 1. */
template <class R>
__device__ __forceinline__ R negligible(R first, R last, R rho)
{
  return unit_roundoff<R>() * fmax(R(8) * fmax(fmax(fabs(first), fabs(last)), rho), R(1));
}

} // namespace bf
#endif
