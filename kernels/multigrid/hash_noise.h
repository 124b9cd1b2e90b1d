/* kernels/multigrid/hash_noise.h - numbers that depend on an index alone, and the motions without energy: one
 * text for both backends
 *
 *     noise(i, c) = 2 u - 1,  u = mix64(i + 2^60 c + 2^50 salt) / 2^64 to 53 bits       (SplitMix64)
 *
 * Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
 * 453, doi 10.1145/2660193.2660195.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_HASH_NOISE_H
#define BF_KERNELS_MULTIGRID_HASH_NOISE_H
#include "base/err.h"
#include "kernels/krylov/state.h" /* BF_HD */

static inline BF_HD uint64_t bf_mix64(uint64_t z)
{
  z += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static inline BF_HD double bf_hash_noise(int64_t i, int c, int salt)
{
  const uint64_t key = (uint64_t)i + ((uint64_t)c << 60) + ((uint64_t)salt << 50);
  return 2.0 * ((double)(bf_mix64(key) >> 11) * 0x1p-53) - 1.0;
}

/* Vectors of the near-null space: a constant per component, and with coordinates the rotations. */
static inline BF_HD int bf_near_null_count(int ncomp, int coordinates)
{
  return !coordinates || ncomp == 1 ? ncomp : ncomp == 2 ? 3 : 6;
}

/* Component c of vector m at x[3] (or NULL): translations, then rotations about z, x, y. */
static inline BF_HD double bf_near_null_value(int ncomp, const double *x, int c, int m)
{
  if (m < ncomp) return m == c ? 1.0 : 0.0;
  if (!x) return 0.0;
  const int rotation = m - ncomp; /* 0: about z, 1: about x, 2: about y */
  if (rotation == 0) return c == 0 ? -x[1] : c == 1 ? x[0] : 0.0;
  if (rotation == 1) return c == 1 ? -x[2] : c == 2 ? x[1] : 0.0;
  return c == 2 ? -x[0] : c == 0 ? x[2] : 0.0;
}
#endif
