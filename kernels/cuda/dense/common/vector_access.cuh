/* kernels/cuda/dense/common/vector_access.cuh - rows of panels of 16 columns in shared memory: 16-byte
 * accesses, reciprocals of pivots
 *
 * Layout     row-major, panel_pitch scalars per row.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t364_cholesky_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_VECTOR_ACCESS_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_VECTOR_ACCESS_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

enum { PANEL_NB = 16 }; /* columns of a panel, rows and columns of a tile */

/* Scalars in 16 bytes, and the pitch of rows of 16: no bank conflicts when each lane of a quarter-warp
 * reads 16 bytes of its own row */
template <class T>
inline constexpr int panel_vec = 16 / (int)sizeof(T);
template <class T>
inline constexpr int panel_pitch = PANEL_NB + (sizeof(T) == 4   ? 4
                                               : sizeof(T) == 8 ? 2
                                                                : 1);

template <class T>
struct alignas(16) panel_vec16 {
  T v[panel_vec<T>];
};
template <class T>
static __device__ __forceinline__ panel_vec16<T> load_panel_vec(const T *p)
{
  panel_vec16<T> r;
  *reinterpret_cast<uint4 *>(&r) = *reinterpret_cast<const uint4 *>(p);
  return r;
}
template <class T>
static __device__ __forceinline__ void store_panel_vec(T *p, const panel_vec16<T> &r)
{
  *reinterpret_cast<uint4 *>(p) = *reinterpret_cast<const uint4 *>(&r);
}

/* 1/x to rounding where key_reciprocal_safe (pivot_key.cuh); otherwise undefined */
static __device__ __forceinline__ float panel_reciprocal(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
}
static __device__ __forceinline__ double panel_reciprocal(double x)
{
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(y, fma(-x, y, 1.0), y);
  return fma(y, fma(-x, y, 1.0), y);
}
template <class R>
static __device__ __forceinline__ cplx<R> panel_reciprocal(cplx<R> x)
{
  const R q = panel_reciprocal(muladd(x.re, x.re, x.im * x.im));
  return {x.re * q, -x.im * q};
}

} // namespace bf
#endif
