/* kernels/cpu/mirror.c - see mirror.h: one text compiled for three instruction sets, chosen at run time
 *
 * AVX-512 takes whole blocks in registers; the others spell them out entry by entry.  A core's prefetcher
 * cannot follow that many runs, so each asks for its own cache lines some way ahead.
 */
#include "kernels/mirror.h"

#ifndef AHEAD
#define AHEAD 4096
#endif
enum {
  LINE   = 64,                  /* bytes of a cache line */
  LAST   = BF_MIRROR_GROUP - 1, /* nodes before a block that give to targets in it */
  PLANES = BF_MIRROR_GROUP * BF_MIRROR_D
};

typedef struct mirror_run { /* the arguments of bf_mirror */
  int64_t            n;
  const void *const *v;
  const double      *here, *there;
  double            *y, *t;
} mirror_run;

typedef double products[PLANES][LAST * BF_MIRROR_D];
typedef enum { NOWHERE, OWN, OTHER } mirrored; /* t: not asked for, y itself, another part of it */

typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
typedef float  half __attribute__((vector_size(32), aligned(4), may_alias));

#define DOUBLES(p) (*(const wide *)(p))
#define FLOATS(p)  __builtin_convertvector(*(const half *)(p), wide)
#define SHUFFLE    __builtin_shufflevector

/* From a, b, c the lanes l of vector q for which (8 q + l) mod 3 is 0, 1, 2. */
#define THIRDS(a, b, c, q) THIRDS##q(a, b, c)
#define THIRDS0(a, b, c)   MIDDLE(SHUFFLE(a, b, 0, 9, 2, 3, 12, 5, 6, 15), c)
#define THIRDS1(a, b, c)   FIRST(MIDDLE(a, b), c)
#define THIRDS2(a, b, c)   SHUFFLE(FIRST(a, b), c, 0, 9, 2, 3, 12, 5, 6, 15)
#define FIRST(a, b)        SHUFFLE(a, b, 8, 1, 2, 11, 4, 5, 14, 7)
#define MIDDLE(a, b)       SHUFFLE(a, b, 0, 1, 10, 3, 4, 13, 6, 7)

#define WHOLE NAME(blocks)
#define VALUE double
#define ISA
#define NAME(f) f##_fp64
#include "kernels/cpu/mirror_loop.h"
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/mirror_loop.h"
#undef NAME
#undef VALUE

#if defined __x86_64__
#undef ISA
#define ISA     __attribute__((target("avx2")))
#define VALUE   double
#define NAME(f) f##_fp64_avx2
#include "kernels/cpu/mirror_loop.h"
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/mirror_loop.h"
#undef NAME
#undef VALUE

#undef WHOLE
#define WHOLE NAME(wide)
#undef ISA
#define ISA     __attribute__((target("avx512f")))
#define VALUE   double
#define LOAD    DOUBLES
#define NAME(f) f##_fp64_avx512
#include "kernels/cpu/mirror_wide.h"

#include "kernels/cpu/mirror_loop.h"
#undef NAME
#undef VALUE
#undef LOAD
#define VALUE   float
#define LOAD    FLOATS
#define NAME(f) f##_fp32_avx512
#include "kernels/cpu/mirror_wide.h"

#include "kernels/cpu/mirror_loop.h"
#endif

#define ALL(type)                                                                                            \
  {                                                                                                          \
    {mirror11##type, mirror12##type, mirror13##type}, {mirror21##type, mirror22##type, mirror23##type},      \
        {mirror31##type, mirror32##type, mirror33##type},                                                    \
  }

bf_mirror bf_cpu_mirror(bf_isa isa, int fp32, int D, int G)
{
#if defined __x86_64__
  static const bf_mirror all[2][BF_ISAS][BF_MIRROR_D][BF_MIRROR_GROUP] = {
      {ALL(_fp64), ALL(_fp64_avx2), ALL(_fp64_avx512)}, {ALL(_fp32), ALL(_fp32_avx2), ALL(_fp32_avx512)}};
#else
  static const bf_mirror all[2][BF_ISAS][BF_MIRROR_D][BF_MIRROR_GROUP] = {
      {ALL(_fp64), ALL(_fp64), ALL(_fp64)}, {ALL(_fp32), ALL(_fp32), ALL(_fp32)}};
#endif
  return all[fp32][isa][D - 1][G - 1];
}
