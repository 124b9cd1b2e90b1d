/* kernels/cuda/device/reciprocal.cuh - reciprocals and reciprocal square roots to rounding, and the ranges
 * in which they are valid
 *
 * Source     PTX ISA, rcp.approx and rsqrt.approx; Newton's iteration.
 * Cost       two or three fused multiply-adds per Newton step.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t369_hard_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_RECIPROCAL_CUH
#define BF_KERNELS_CUDA_DEVICE_RECIPROCAL_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

/* high_bits: order of magnitudes. reciprocal_safe: the reciprocal needs no scaling; otherwise
 * safe_power_of_two is a power of 2 that makes it safe. For complex numbers the squares are included. */
BF_DEVICE unsigned high_bits(float size)
{
  return __float_as_uint(size);
}
BF_DEVICE unsigned high_bits(double size)
{
  return (unsigned)__double2hiint(size);
}
template <class R>
struct reciprocal_range {
  static constexpr bool     wide = sizeof(R) == 8;
  static constexpr unsigned low = wide ? 0x00200000u : 0x01000000u, high = wide ? 0x7fc00000u : 0x7e000000u;
};
template <class R>
struct reciprocal_range<cplx<R>> { /* 2^-508 .. 2^508, 2^-60 .. 2^60 */
  static constexpr bool     wide = sizeof(R) == 8;
  static constexpr unsigned low = wide ? 0x20300000u : 0x21800000u, high = wide ? 0x5fb00000u : 0x5d800000u;
};
template <class T>
BF_DEVICE bool reciprocal_safe(unsigned top)
{
  return top - reciprocal_range<T>::low < reciprocal_range<T>::high - reciprocal_range<T>::low;
}
template <class R>
BF_DEVICE R safe_power_of_two(unsigned top)
{
  using P      = reciprocal_range<R>;
  const R tiny = P::wide ? (R)0x1p-200 : (R)0x1p-64, huge = P::wide ? (R)0x1p200 : (R)0x1p64;
  return top < P::low ? huge : top >= P::high ? tiny : (R)1;
}

/* 1/x to rounding where reciprocal_safe(x); otherwise undefined */
BF_DEVICE float reciprocal(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
BF_DEVICE double reciprocal(double x)
{
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  double e = fma(-x, y, 1.0);
  e        = fma(e, e, e);
  y        = fma(y, e, y);
  return fma(y, fma(-x, y, 1.0), y);
}
BF_DEVICE float inverse_power_of_two(float x) /* 1 over the power of 2 in x > 0 */
{
  return __uint_as_float(0x7f000000u - (__float_as_uint(x) & 0x7f800000u));
}
BF_DEVICE double inverse_power_of_two(double x)
{
  return __hiloint2double(0x7fe00000 - (__double2hiint(x) & 0x7ff00000), 0);
}
template <class R>
BF_DEVICE cplx<R> reciprocal(cplx<R> x)
{
  const R s = inverse_power_of_two(fmax(abs1(x.re), abs1(x.im))), a = x.re * s, b = x.im * s;
  const R q = reciprocal(muladd(a, a, b * b)) * s;
  return {a * q, -b * q};
}
/* The same where reciprocal_safe(x) */
template <class R>
BF_DEVICE R reciprocal_unscaled(R x)
{
  return reciprocal(x);
}
template <class R>
BF_DEVICE cplx<R> reciprocal_unscaled(cplx<R> x)
{
  const R q = reciprocal(muladd(x.re, x.re, x.im * x.im));
  return {x.re * q, -x.im * q};
}

/* 1/sqrt(d), and sqrt(d) from it, for d > 0, to rounding */
BF_DEVICE double inverse_sqrt(double d)
{
  return rsqrt(d);
}
BF_DEVICE float inverse_sqrt(float d)
{
  const float y = rsqrtf(d);
  return fmaf(0.5f * y, fmaf(-d * y, y, 1.0f), y);
}
/* 1/sqrt(d) of finite d > 0 without branches */
BF_DEVICE double inverse_sqrt_branchless(double d)
{
  const bool   tiny = __double2hiint(d) < 0x01000000; /* includes what rsqrt.approx.ftz treats as 0 */
  const double x    = d * __hiloint2double(tiny ? 0x4ff00000 : 0x3ff00000, 0); /* 2^256 or 1 */
  double       y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = fma(-(x * y), y, 1.0);
  return fma(fma(e, 0.375, 0.5), y * e, y) * __hiloint2double(tiny ? 0x47f00000 : 0x3ff00000, 0); /* 2^128 */
}
BF_DEVICE float inverse_sqrt_branchless(float d)
{
  return inverse_sqrt(d);
}
template <class R>
BF_DEVICE R sqrt_from_inverse(R d, R inverse)
{
  const R y = d * inverse;
  return muladd(R(0.5) * inverse, mulsub(y, y, d), y);
}

} // namespace bf
#endif
