/* kernels/cuda/dense/common/mma_16x8x8.cuh - products of tensor cores in any precision of batches: c += a b
 * of 16 x 8 by 8 x 8 tiles
 *
 * Computes   fp64 as it is; an fp32 number as hi + lo of 11 bits each (TF32), a b as lo hi + hi lo + hi hi.
 * Layout     a lane, g = lane / 4 and t = lane % 4, holds of a the entries (g, t), (g + 8, t), (g, t + 4),
 *            (g + 8, t + 4), of b (t, g), (t + 4, g), of c (g, 2t), (g, 2t + 1), (g + 8, 2t),
 *            (g + 8, 2t + 1).
 * Error      of a product of fp32 numbers 2^-22; numbers that are not finite make sums that are not.
 * Source     Ootomo, Yokota, Int. J. High Perform. Comput. Appl. 36 (2022) 475; PTX ISA, mma.m16n8k8.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_MMA_16X8X8_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_MMA_16X8X8_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

struct tf32_pair {
  uint32_t hi, lo; /* bits; the tensor cores drop what lo has below its 11 */
};
/* What a real number is to the tensor cores. */
template <class R>
using mma_real = std::conditional_t<sizeof(R) == 8, double, tf32_pair>;

/* The real type of T's products: WIDE: of fp32 numbers fp64, exact, one instruction instead of three and no
 * parts to be formed, but twice the registers of a sum */
template <class T, bool WIDE>
using mma_sum = std::conditional_t<WIDE, double, real_t<T>>;

BF_DEVICE double mma_operand(double x)
{
  return x;
}
BF_DEVICE tf32_pair mma_operand(float x)
{
  const uint32_t hi = (__float_as_uint(x) + 0x1000u) & 0xffffe000u; /* to nearest */
  return {hi, __float_as_uint(x - __uint_as_float(hi))};
}
/* The same with hi cut, as the tensor cores read x itself: an operation less, lo up to twice as large, of
 * x's sign. */
BF_DEVICE double mma_operand_truncated(double x)
{
  return x;
}
BF_DEVICE tf32_pair mma_operand_truncated(float x)
{
  const uint32_t bits = __float_as_uint(x);
  return {bits, __float_as_uint(x - __uint_as_float(bits & 0xffffe000u))};
}
BF_DEVICE tf32_pair operator-(tf32_pair x)
{
  return {x.hi ^ 0x80000000u, x.lo ^ 0x80000000u};
}

BF_DEVICE void mma(double (&c)[4], const double (&a)[4], const double (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
BF_DEVICE void mma_tf32(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
BF_DEVICE void mma(float (&c)[4], const tf32_pair (&a)[4], const tf32_pair (&b)[2])
{
  const uint32_t high[4] = {a[0].hi, a[1].hi, a[2].hi, a[3].hi}, h[2] = {b[0].hi, b[1].hi};
  mma_tf32(c, {a[0].lo, a[1].lo, a[2].lo, a[3].lo}, h);
  mma_tf32(c, high, {b[0].lo, b[1].lo});
  mma_tf32(c, high, h);
}

} // namespace bf
#endif
