/* kernels/cpu/stream.c - see stream.h: one text compiled for three instruction sets, chosen at run time
 *
 * Rows go by blocks whose sums stay in registers while all m runs pass, so y is read and written once.  A
 * core's prefetcher cannot follow that many runs, so each asks for its own cache lines some way ahead.
 */
#include "kernels/stream.h"

#ifndef AHEAD
#define AHEAD 1024
#endif
enum {
  WIDE  = 8,
  BLOCK = 4 * WIDE,
  LINE  = 64
}; /* doubles of a vector and of a block; bytes of a cache line */

typedef double wide __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef float  half __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));

#define DOUBLES(p) (*(const wide *)(p))
#define FLOATS(p)  __builtin_convertvector(*(const half *)(p), wide)

#define VALUE double
#define LOAD  DOUBLES
#define ISA
#define NAME(f) f##_fp64
#include "kernels/cpu/spread_loop.h"
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#if defined __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp64_avx2
#include "kernels/cpu/spread_loop.h"
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#define ISA     __attribute__((target("avx512f")))
#define NAME(f) f##_fp64_avx512
#include "kernels/cpu/spread_loop.h"
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#endif
#undef VALUE
#undef LOAD

#define VALUE float
#define LOAD  FLOATS
#define ISA
#define NAME(f) f##_fp32
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#if defined __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#define ISA     __attribute__((target("avx512f")))
#define NAME(f) f##_fp32_avx512
#include "kernels/cpu/stream_loop.h"
#undef ISA
#undef NAME
#endif

#if defined __x86_64__
#define ALL(f)                                                                                               \
  {                                                                                                          \
    f, f##_avx2, f##_avx512                                                                                  \
  }
#else
#define ALL(f)                                                                                               \
  {                                                                                                          \
    f, f, f                                                                                                  \
  }
#endif

bf_isa bf_cpu_isa(void)
{
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512f")) return BF_ISA_AVX512;
  if (__builtin_cpu_supports("avx2")) return BF_ISA_AVX2;
#endif
  return BF_ISA_PLAIN;
}

bf_stream bf_cpu_stream(bf_isa isa, int fp32)
{
  static const bf_stream all[2][BF_ISAS] = {ALL(stream_fp64), ALL(stream_fp32)};
  return all[fp32][isa];
}

bf_fan bf_cpu_fan(bf_isa isa, int fp32)
{
  static const bf_fan all[2][BF_ISAS] = {ALL(fan_fp64), ALL(fan_fp32)};
  return all[fp32][isa];
}

bf_spread bf_cpu_spread3(bf_isa isa)
{
  static const bf_spread all[BF_ISAS] = ALL(spread3_fp64);
  return all[isa];
}
