/* kernels/cuda/device/scalar.cuh - scalar types of batched kernels: float, double, cplx<float>,
 * cplx<double>
 *
 * Layout     cplx has the layout of cuComplex but the alignment of its real type, as callers' arrays have.
 * Source     quotients of complex numbers: Smith, CACM 5 (1962).
 * Checked    every test of tests/kernels/dense/.
 * A template over T writes a + b, a * b, muladd, conj and gets the same arithmetic for all four types.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DEVICE_SCALAR_CUH
#define BF_KERNELS_CUDA_DEVICE_SCALAR_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

template <class R>
struct cplx {
  R re, im;
};

template <class T>
struct scalar_of {
  using real                    = T;
  static constexpr bool complex = false;
};
template <class R>
struct scalar_of<cplx<R>> {
  using real                    = R;
  static constexpr bool complex = true;
};
template <class T>
using real_t = typename scalar_of<T>::real;
template <class T>
inline constexpr bool is_complex = scalar_of<T>::complex;

#define BF_SCALAR static __host__ __device__ __forceinline__
#define BF_DEVICE static __device__ __forceinline__

BF_SCALAR float real_part(float a)
{
  return a;
}
BF_SCALAR double real_part(double a)
{
  return a;
}
template <class R>
BF_SCALAR R real_part(cplx<R> a)
{
  return a.re;
}

/* The scalar with this real part */
template <class T>
BF_SCALAR T from_real(real_t<T> r)
{
  if constexpr (is_complex<T>)
    return {r, 0};
  else
    return r;
}

template <class T>
BF_DEVICE T zero_of()
{
  return from_real<T>(0);
}

template <class R>
BF_SCALAR cplx<R> operator+(cplx<R> a, cplx<R> b)
{
  return {a.re + b.re, a.im + b.im};
}
template <class R>
BF_SCALAR cplx<R> operator-(cplx<R> a, cplx<R> b)
{
  return {a.re - b.re, a.im - b.im};
}
template <class R>
BF_SCALAR cplx<R> operator-(cplx<R> a)
{
  return {-a.re, -a.im};
}
template <class R>
BF_SCALAR cplx<R> operator*(cplx<R> a, cplx<R> b)
{
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* a b + c and c - a b, by fused operations */
BF_SCALAR float muladd(float a, float b, float c)
{
  return fmaf(a, b, c);
}
BF_SCALAR double muladd(double a, double b, double c)
{
  return fma(a, b, c);
}
template <class R>
BF_SCALAR cplx<R> muladd(cplx<R> a, cplx<R> b, cplx<R> c)
{
  return {muladd(-a.im, b.im, muladd(a.re, b.re, c.re)), muladd(a.im, b.re, muladd(a.re, b.im, c.im))};
}
template <class T>
BF_SCALAR T mulsub(T a, T b, T c)
{
  return muladd(-a, b, c);
}

BF_SCALAR float conj(float a)
{
  return a;
}
BF_SCALAR double conj(double a)
{
  return a;
}
template <class R>
BF_SCALAR cplx<R> conj(cplx<R> a)
{
  return {a.re, -a.im};
}

/* |re| + |im|, by which LAPACK compares pivots */
BF_SCALAR float abs1(float a)
{
  return fabsf(a);
}
BF_SCALAR double abs1(double a)
{
  return fabs(a);
}
template <class R>
BF_SCALAR R abs1(cplx<R> a)
{
  return abs1(a.re) + abs1(a.im);
}

/* x of a lane of the warp, or of a lane of its part of `width` lanes; x of the lane whose number differs
 * in the bits of o */
template <class T>
static __device__ __forceinline__ T shfl(T x, int lane, unsigned mask = ~0u, int width = 32)
{
  if constexpr (is_complex<T>)
    return {__shfl_sync(mask, x.re, lane, width), __shfl_sync(mask, x.im, lane, width)};
  else
    return __shfl_sync(mask, x, lane, width);
}
template <class T>
static __device__ __forceinline__ T shfl_xor(T x, int o)
{
  if constexpr (is_complex<T>)
    return {__shfl_xor_sync(~0u, x.re, o), __shfl_xor_sync(~0u, x.im, o)};
  else
    return __shfl_xor_sync(~0u, x, o);
}

/* |a|^2 */
template <class T>
BF_SCALAR real_t<T> square_of(T a)
{
  if constexpr (is_complex<T>)
    return a.re * a.re + a.im * a.im;
  else
    return a * a;
}
template <class T>
BF_SCALAR real_t<T> imag_part(T a)
{
  if constexpr (is_complex<T>)
    return a.im;
  else
    return 0;
}
template <class T>
BF_SCALAR T times(T x, real_t<T> s)
{
  if constexpr (is_complex<T>)
    return {x.re * s, x.im * s};
  else
    return x * s;
}

/* 0 * x is 0 for finite x only */
template <class T>
BF_SCALAR bool is_finite(T a)
{
  if constexpr (is_complex<T>)
    return is_finite(a.re) && is_finite(a.im);
  else
    return a * T(0) == T(0);
}

/* a / b; complex by Smith: no square overflows */
BF_SCALAR float divide(float a, float b)
{
  return a / b;
}
BF_SCALAR double divide(double a, double b)
{
  return a / b;
}
template <class R>
BF_SCALAR cplx<R> divide(cplx<R> a, cplx<R> b)
{
  if (abs1(b.re) >= abs1(b.im)) {
    const R q = b.im / b.re, d = muladd(b.im, q, b.re);
    return {muladd(a.im, q, a.re) / d, muladd(-a.re, q, a.im) / d};
  }
  const R q = b.re / b.im, d = muladd(b.re, q, b.im);
  return {muladd(a.re, q, a.im) / d, muladd(a.im, q, -a.re) / d};
}

} // namespace bf
#endif
