/* kernels/cuda/dense/common/mma_16x8x8.cuh - tensor-core products c += a b of 16 x 8 by 8 x 8 tiles, fp64
 * and fp32
 *
 * Computes   fp64 directly; an fp32 number is hi + lo with 11 significant bits each (TF32), a b = lo hi +
 *            hi lo + hi hi.
 * Source     Ootomo, Yokota, Int. J. High Perform. Comput. Appl. 36 (2022) 475; PTX ISA, mma.m16n8k8.
 * Layout     lane (g, t), g = lane / 4, t = lane % 4, holds entries (g, t), (g + 8, t), (g, t + 4), (g + 8,
 *            t + 4) of a; (t, g), (t + 4, g) of b; (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1) of c.
 * Cost       one mma instruction (fp64) or three (fp32) for 2048 flops.
 * Error      of a product of fp32 numbers 2^-22; a non-finite operand gives a non-finite sum.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_MMA_16X8X8_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_MMA_16X8X8_CUH
#include "kernels/cuda/device/scalar.cuh"

namespace bf
{

struct tf32_pair {
  uint32_t hi, lo; /* bits; tensor cores ignore the bits of lo below its 11 */
};
/* The operand type of the tensor cores for real type R */
template <class R>
using mma_real = std::conditional_t<sizeof(R) == 8, double, tf32_pair>;

/* Real type of the accumulators. WIDE: fp64 for fp32 numbers; exact, one instruction instead of three
 * and no splitting, but twice the registers per accumulator. */
template <class T, bool WIDE>
using mma_sum = std::conditional_t<WIDE, double, real_t<T>>;

BF_DEVICE double mma_operand(double x)
{
  return x;
}
BF_DEVICE tf32_pair mma_operand(float x)
{
  const uint32_t hi = (__float_as_uint(x) + 0x1000u) & 0xffffe000u; /* round to nearest */
  return {hi, __float_as_uint(x - __uint_as_float(hi))};
}
/* As mma_operand, but hi is truncated as the tensor cores truncate x: one operation less; lo is up to
 * twice as large and has the sign of x. */
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
