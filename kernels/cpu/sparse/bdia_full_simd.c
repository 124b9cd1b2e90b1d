/* kernels/cpu/sparse/bdia_full_simd.c - see bdia_full_simd.h: one source compiled for three instruction
 * sets, chosen at run time
 *
 * The sums of a tile stay in registers for all its planes. The loop over the diagonals is short and all its
 * loads advance by the same step, so hardware prefetchers follow without software prefetch, which would
 * take their request slots.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_full_simd.h"
#include <stddef.h>

enum {
  WIDE      = 8, /* doubles of a vector */
  D_MAX     = 3,
  V_MAX     = 4, /* vectors of a plane of a tile */
  TILES_FAR = 32 /* distance of the software prefetch, in tiles */
};

typedef double wide __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef float  half __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));

#define DOUBLES(p) (*(const wide *)(p))
#define FLOATS(p)  __builtin_convertvector(*(const half *)(p), wide)
#define SHUFFLE    __builtin_shufflevector

/* X[b V + q]: vector q of component b of eight nodes from z on, for each row of a node: nodes 0 0 0 1 1 1 2 2
 * | 2 3 3 3 4 4 4 5 | 5 5 6 6 6 7 7 7 with D = 3, which reads up to one entry after the last node. */
#define SPREAD(D, V, z, X)                                                                                   \
  do {                                                                                                       \
    if ((D) == 1) (X)[0] = DOUBLES(z);                                                                       \
    for (int b_ = 0; (D) == 2 && b_ < 2; b_++) {                                                             \
      const wide l = DOUBLES(z), h = DOUBLES((z) + 8);                                                       \
      (X)[b_ * (V)] = b_ ? SHUFFLE(l, l, 1, 1, 3, 3, 5, 5, 7, 7) : SHUFFLE(l, l, 0, 0, 2, 2, 4, 4, 6, 6);    \
      (X)[b_ * (V) + 1] =                                                                                    \
          b_ ? SHUFFLE(h, h, 1, 1, 3, 3, 5, 5, 7, 7) : SHUFFLE(h, h, 0, 0, 2, 2, 4, 4, 6, 6);                \
    }                                                                                                        \
    for (int b_ = 0; (D) == 3 && b_ < 3; b_++) {                                                             \
      const wide l = DOUBLES((z) + b_), m_ = DOUBLES((z) + b_ + 6), n_ = DOUBLES((z) + b_ + 14),             \
                 h      = DOUBLES((z) + b_ + 15);                                                            \
      (X)[b_ * (V)]     = SHUFFLE(l, l, 0, 0, 0, 3, 3, 3, 6, 6);                                             \
      (X)[b_ * (V) + 1] = SHUFFLE(m_, n_, 0, 3, 3, 3, 6, 6, 6, 9);                                           \
      (X)[b_ * (V) + 2] = SHUFFLE(h, h, 0, 0, 3, 3, 3, 6, 6, 6);                                             \
    }                                                                                                        \
  } while (0)

/* Loads a byte of a cache line that is about to be read as one vector. */
static inline __attribute__((always_inline)) void touch(const void *line)
{
  (void)((const volatile char *)line)[32];
}

#define VALUE   double
#define LOAD    DOUBLES
#define IN_TURN DOUBLES
#define ISA
#define NAME(f) f##_fp64
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#if defined __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp64_avx2
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#define ISA     __attribute__((target("avx512f")))
#define NAME(f) f##_fp64_avx512
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef IN_TURN
#undef NAME
#define IN_TURN(p) (touch(p), *(const volatile wide *)(p))
#define NAME(f)    f##_fp64_amd
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#endif
#undef VALUE
#undef LOAD
#undef IN_TURN

#define VALUE   float
#define LOAD    FLOATS
#define IN_TURN FLOATS
#define ISA
#define NAME(f) f##_fp32
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#if defined __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#define ISA     __attribute__((target("avx512f")))
#define NAME(f) f##_fp32_avx512
#include "kernels/cpu/sparse/bdia_full_simd_loop.h"
#undef ISA
#undef NAME
#endif

#if defined __x86_64__
#define ALL(f, D)                                                                                            \
  {                                                                                                          \
    {f##D##_fp64, f##D##_fp64_avx2, f##D##_fp64_avx512, f##D##_fp64_amd},                                    \
    {                                                                                                        \
      f##D##_fp32, f##D##_fp32_avx2, f##D##_fp32_avx512                                                      \
    }                                                                                                        \
  }
#else
#define ALL(f, D)                                                                                            \
  {                                                                                                          \
    {f##D##_fp64},                                                                                           \
    {                                                                                                        \
      f##D##_fp32                                                                                            \
    }                                                                                                        \
  }
#endif

bf_isa bf_cpu_isa(void)
{
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512f")) return __builtin_cpu_is("amd") ? BF_ISA_AVX512_AMD : BF_ISA_AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return BF_ISA_AVX2;
#endif
  return BF_ISA_PLAIN;
}

bf_bdia_full_tiles bf_cpu_bdia_full_tiles(bf_isa isa, int fp32, int D)
{
  static const bf_bdia_full_tiles all[D_MAX][2][BF_ISAS] = {ALL(stream, 1), ALL(stream, 2), ALL(stream, 3)};
  return all[D - 1][fp32][bf_isa_of(isa, fp32)];
}

bf_fan bf_cpu_fan(bf_isa isa, int fp32, int D)
{
  static const bf_fan all[D_MAX][2][BF_ISAS] = {ALL(fan, 1), ALL(fan, 2), ALL(fan, 3)};
  return all[D - 1][fp32][bf_isa_of(isa, fp32)];
}
