/* kernels/cpu/mirror.c - see mirror.h: one text compiled for three instruction sets, chosen at run time
 *
 * What a value costs a core beside its line of memory decides here: the reads that run ahead of the sums hide
 * the memory only as far as the instructions between them fit into the processor.  So products are added
 * fused, components are apart, neighbouring diagonals share what they read and write, with their shifts made
 * in registers, and the one run of values is asked for far ahead, into the second level.
 */
#include "kernels/mirror.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

enum {
  WIDE    = 8,             /* doubles of a vector */
  GROUP   = 3,             /* neighbouring diagonals at once */
  SOME    = 6,             /* vectors of a tile and of the two nodes behind it, at most */
  NODES   = 32,            /* of a tile, at most */
  LONG    = NODES + GROUP, /* entries of a component */
  ENTRIES = BF_MIRROR_D * LONG,
  AHEAD   = 32768, /* bytes that values are asked for ahead: 4 and 8 KiB are the worst there are */
  SOON    = 8,     /* tiles that y is, to be set to 0 */
  TILES   = 4,     /* tiles that x and sums are, where */
  GONE    = 32768  /* so many values lie between two diagonals: they may have left the cache */
};

/* How many of the m diagonals are neighbours of the first, with it. */
static inline int neighbours(int m, const bf_int *off)
{
  int g = 1;
  while (g < GROUP && g < m && off[g] == off[0] + g) g++;
  return g;
}

static inline double *target(int D, const bf_mirror_rows *to, int64_t r)
{
  return r + BF_MIRROR_PAST <= to->inside ? to->y + r * D : to->behind + (r - to->inside) * D;
}

/* The tile at r is about to be added: sets the nodes to 0 that it is the one to do. */
static inline __attribute__((always_inline)) void set_zero(int D, const bf_mirror_rows *to, int64_t r)
{
  const int     n    = bf_stream_tile(D) * D;
  const int64_t left = (to->inside - r - to->fresh) * D;
  double       *y    = to->y + (r + to->fresh) * D;
  if (left >= n)
    for (int l = 0; l < n; l += WIDE) {
      __builtin_prefetch(y + SOON * n + l, 1, 2);
      for (int i = 0; i < WIDE; i++) y[l + i] = 0.0;
    }
  else
    for (int i = 0; i < left; i++) y[i] = 0.0;
}

#define ALL_TILES(D)                                                                                         \
  ISA static void NAME(mirror##D)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,   \
                                  const bf_mirror_rows *to)                                                  \
  {                                                                                                          \
    const int64_t n = bf_stream_tile(D), room = (int64_t)m * (D) * (D)*n;                                    \
    for (int64_t t = 0; t < tiles; t++) {                                                                    \
      set_zero(D, to, t *n);                                                                                 \
      NAME(tile)(D, m, off, (const VALUE *)v + t * room, x + t * n * (D), t * n, to);                        \
    }                                                                                                        \
  }

#define ISA
#define MULADD(a, b, c) ((a) * (b) + (c))
#define VALUE           double
#define NAME(f)         f##_fp64
#include "kernels/cpu/mirror_loop.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32
#include "kernels/cpu/mirror_loop.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#undef NAME
#undef VALUE
#undef MULADD
#undef ISA

#if defined __x86_64__
#define ISA             __attribute__((target("avx2,fma")))
#define MULADD(a, b, c) __builtin_fma(a, b, c)
#define VALUE           double
#define NAME(f)         f##_fp64_avx2
#include "kernels/cpu/mirror_loop.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#undef NAME
#undef VALUE
#define VALUE   float
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/mirror_loop.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
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
#include "kernels/cpu/mirror_shuffle.h"
#define VALUE   double
#define LOAD(p) (*(const volatile wide *)(p))
#define NAME(f) f##_fp64_avx512
#include "kernels/cpu/mirror_wide.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#undef NAME
#undef VALUE
#undef LOAD
#define VALUE   float
#define LOAD(p) ((wide)_mm512_cvtps_pd((__m256) * (const volatile half *)(p)))
#define NAME(f) f##_fp32_avx512
#include "kernels/cpu/mirror_wide.h"
ALL_TILES(1)
ALL_TILES(2)
ALL_TILES(3)
#endif

#define ALL(type)                                                                                            \
  {                                                                                                          \
    mirror1##type, mirror2##type, mirror3##type                                                              \
  }

bf_mirror bf_cpu_mirror(bf_isa isa, int fp32, int D)
{
#if defined __x86_64__
  static const bf_mirror all[2][BF_ISAS][BF_MIRROR_D] = {{ALL(_fp64), ALL(_fp64_avx2), ALL(_fp64_avx512)},
                                                         {ALL(_fp32), ALL(_fp32_avx2), ALL(_fp32_avx512)}};
#else
  static const bf_mirror all[2][BF_ISAS][BF_MIRROR_D] = {{ALL(_fp64), ALL(_fp64), ALL(_fp64)},
                                                         {ALL(_fp32), ALL(_fp32), ALL(_fp32)}};
#endif
  return all[fp32][isa][D - 1];
}
