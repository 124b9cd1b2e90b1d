/* kernels/cpu/sparse/bdia_full_simd.h - the inner loops of the bDIA product with every value read by its row:
 * tiles of a few nodes, all their planes (matrix/matrix.h)
 *
 *     y[i] = sum over diagonals k of U_k[i] x[i + off_k],   terms added from the left, k first, then b
 *
 * x and sums are fp64, values fp64 or fp32.  The order of the additions does not depend on the instruction
 * set.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_SPARSE_BDIA_FULL_SIMD_H
#define BF_KERNELS_CPU_SPARSE_BDIA_FULL_SIMD_H
#include "base/err.h"

/* Nodes of a tile of values: planes of 32, 32, 24 rows, a multiple of the cache line. */
static inline int bf_bdia_tile_nodes(int D)
{
  return D == 1 ? 32 : D == 2 ? 16 : 8;
}

/* Whole tiles, one after another from v on; x, y of the first node; x is read at off[k] .. too. */
typedef void (*bf_bdia_full_tiles)(int64_t tiles, int m, const bf_int *off, const void *v, const double *x,
                                   double *y);

/* A diagonal transposed: y_a[r] += v_a[skip + r] x[r], r < n, where v_a, the D planes, are divided into
 * tiles of ld rows, `step` values apart; v: plane 0 in the tile of the first row. */
typedef struct bf_planes {
  const void *v;
  int64_t     skip, ld, step;
} bf_planes;
typedef void (*bf_fan)(int64_t n, const bf_planes *p, const double *x, double *const *y);

/* Instruction sets this was compiled for; bf_cpu_isa: the widest that this processor supports; wider
 * ones must not be requested. AMD: AVX-512 of AMD processors, where loading each cache line once into a
 * register is up to a fifth slower than loading it twice (docs/design-notes/cpu.md); on Intel processors
 * two loads are slower. For fp32 values both use one loop: bf_isa_of. */
typedef enum bf_isa {
  BF_ISA_PLAIN,
  BF_ISA_AVX2, /* and FMA */
  BF_ISA_AVX512,
  BF_ISA_AVX512_AMD,
  BF_ISAS
} bf_isa;
static inline bf_isa bf_isa_of(bf_isa isa, int fp32)
{
  return fp32 && isa == BF_ISA_AVX512_AMD ? BF_ISA_AVX512 : isa;
}
bf_isa             bf_cpu_isa(void);
bf_bdia_full_tiles bf_cpu_bdia_full_tiles(bf_isa isa, int fp32, int D); /* D in 1 .. 3 */
bf_fan             bf_cpu_fan(bf_isa isa, int fp32, int D);
#endif
