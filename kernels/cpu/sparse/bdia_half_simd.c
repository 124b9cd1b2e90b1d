/* kernels/cpu/sparse/bdia_half_simd.c - see bdia_half_simd.h: one source compiled for three instruction
 * sets and, for AVX-512, two ways to load a value, chosen at run time
 *
 * The number of instructions per value decides here: loads run ahead of the sums only as far as the
 * instructions between them fit into the reorder buffer. So products use fused multiply-add, components are
 * separate, adjacent diagonals share loads and stores, with their shifts made in registers, the first
 * off-diagonal adds to sums that are in registers anyway, and values are prefetched far ahead into L2. On
 * AMD processors an fp64 value is loaded twice, each time as memory operand of the instruction that needs
 * it: one register less is occupied until the line arrives, and two loads of a line do not run ahead of the
 * prefetcher as one does.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_half_simd.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

enum {
  WIDE    = 8,             /* doubles of a vector */
  GROUP   = 3,             /* adjacent diagonals at once */
  SOME    = 6,             /* vectors of a tile and of the two nodes after it, at most */
  NODES   = 32,            /* of a tile, at most */
  LONG    = NODES + GROUP, /* entries of a component */
  ENTRIES = BF_HALF_TILES_D * LONG,
  AHEAD   = 32768, /* prefetch distance of fp64 values in bytes; 4 and 8 KiB are the slowest */
  AHEAD32 = 24576, /* of fp32 values */
  VECTORS = 1024   /* of x and y, in entries */
};

/* How many of the m diagonals are neighbours of the first, with it. */
static inline int neighbours(int m, const bf_int *off)
{
  int g = 1;
  while (g < GROUP && g < m && off[g] == off[0] + g) g++;
  return g;
}

/* Prefetches x of the last diagonal and y of later tiles into L2: with fp32 values they are up to a
 * fifth of all bytes. No gain with fp64 values. */
static inline void ask_vectors(int D, const double *x, const double *y)
{
  for (int i = 0; i < D * bf_bdia_tile_nodes(D); i += WIDE) {
    __builtin_prefetch(x + i + VECTORS, 0, 2);
    __builtin_prefetch(y + i + VECTORS, 0, 2);
  }
}

/* The current tile is the ring's first: entries stored after the ring's end are added to the rows from
 * here on. */
static inline __attribute__((always_inline)) void wrap_around(int D, bf_ring *ring)
{
  double *behind = ring->sum + ring->size * D;
  for (int i = 0; i < BF_HALF_TILES_PAST * D; i++) ring->sum[i] += behind[i], behind[i] = 0.0;
}

#define ISA
#define MULADD(a, b, c) ((a) * (b) + (c))
#define VALUE           double
#define NAME(f)         f##_fp64
#include "kernels/cpu/sparse/bdia_half_simd_scalar.h"
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/sparse/bdia_half_simd_scalar.h"
#undef NAME
#undef VALUE
#undef MULADD
#undef ISA

#if defined __x86_64__
#define ISA             __attribute__((target("avx2,fma")))
#define MULADD(a, b, c) __builtin_fma(a, b, c)
#define VALUE           double
#define NAME(f)         f##_fp64_avx2
#include "kernels/cpu/sparse/bdia_half_simd_scalar.h"
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/sparse/bdia_half_simd_scalar.h"
#undef NAME
#undef VALUE
#undef MULADD
#undef ISA

typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef float  half __attribute__((vector_size(32), aligned(4), may_alias));

#define ISA             __attribute__((target("avx512f")))
#define MULADD(a, b, c) ((wide)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define DOUBLES(p)      (*(const wide *)(p))
#define SHUFFLE         __builtin_shufflevector
#include "kernels/cpu/sparse/bdia_half_simd_shuffle.h"

/* Eight values at their place: as doubles, times x, times x and added to a sum.  In assembler because a
 * compiler would read them once for both uses, or move the read. */
ISA static inline __attribute__((always_inline)) wide doubles_at(const half *v)
{
  wide d;
  __asm__ volatile("vcvtps2pd %1, %0" : "=v"(d) : "m"(*v));
  return d;
}

ISA static inline __attribute__((always_inline)) wide times_at(wide x, const wide *v)
{
  wide product;
  __asm__ volatile("vmulpd %1, %2, %0" : "=v"(product) : "m"(*v), "v"(x));
  return product;
}

ISA static inline __attribute__((always_inline)) wide add_at(wide sum, wide x, const wide *v)
{
  __asm__ volatile("vfmadd231pd %1, %2, %0" : "+v"(sum) : "m"(*v), "v"(x));
  return sum;
}

#define VECTOR         wide
#define TIMES(x, v)    ((v) * (x))
#define ADD(sum, x, v) MULADD(v, x, sum)
#define VALUE          double
#define READ(p)        (*(const volatile wide *)(p))
#define NAME(f)        f##_fp64_avx512
#include "kernels/cpu/sparse/bdia_half_simd_avx512.h"
#undef NAME
#undef VALUE
#undef READ
#define VALUE   float
#define READ(p) doubles_at((const half *)(p))
#define NAME(f) f##_fp32_avx512
#include "kernels/cpu/sparse/bdia_half_simd_avx512.h"
#undef NAME
#undef VALUE
#undef READ
#undef ADD
#undef TIMES
#undef VECTOR

#define VECTOR  wide *
#define TIMES   times_at
#define ADD     add_at
#define VALUE   double
#define READ(p) ((const wide *)(p))
#define NAME(f) f##_fp64_amd
#include "kernels/cpu/sparse/bdia_half_simd_avx512.h"
#endif

#define ALL(type)                                                                                            \
  {                                                                                                          \
    half1##type, half2##type, half3##type                                                                    \
  }

bf_bdia_half_tiles bf_cpu_bdia_half_tiles(bf_isa isa, int fp32, int D)
{
#if defined __x86_64__
  static const bf_bdia_half_tiles all[2][BF_ISAS][BF_HALF_TILES_D] = {
      {ALL(_fp64), ALL(_fp64_avx2), ALL(_fp64_avx512), ALL(_fp64_amd)},
      {ALL(_fp32), ALL(_fp32_avx2), ALL(_fp32_avx512)}};
#else
  static const bf_bdia_half_tiles all[2][BF_ISAS][BF_HALF_TILES_D] = {{ALL(_fp64)}, {ALL(_fp32)}};
#endif
  return all[fp32][bf_isa_of(isa, fp32)][D - 1];
}
