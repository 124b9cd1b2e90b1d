/* tests/peers/grid_matrix.h - the same system for every program of a comparison: a cube of m^3 points, D
 * unknowns each
 *
 *     A = L (x) (I + 0.3 J),   b[i] = 1 + (i mod 7) / 10
 *
 * L is the 27-point matrix of trilinear elements for -div grad, u = 0 around the cube, J all ones (D x D).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GRID_MATRIX_H
#define GRID_MATRIX_H
#include <stdint.h>

/* L of two points that differ by dx, dy, dz in -1 .. 1 */
static inline double grid_entry(int dx, int dy, int dz)
{
  static const double value[4] = {8.0 / 3.0, 0.0, -1.0 / 6.0, -1.0 / 12.0};
  return value[(dx != 0) + (dy != 0) + (dz != 0)];
}

/* Row r: columns and values, at most 27 D; entries of value 0 too, as an assembly has them.  Returns their
 * number. */
static inline int grid_row(int m, int D, int64_t r, int32_t *col, double *val)
{
  const int64_t i = r / D;
  const int     a = (int)(r % D), x = (int)(i % m), y = (int)(i / m % m), z = (int)(i / m / m);
  int           n = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        if (x + dx < 0 || x + dx >= m || y + dy < 0 || y + dy >= m || z + dz < 0 || z + dz >= m) continue;
        for (int b = 0; b < D; b++) {
          col[n]   = (int32_t)((i + ((int64_t)dz * m + dy) * m + dx) * D + b);
          val[n++] = grid_entry(dx, dy, dz) * (a == b ? 1.3 : 0.3);
        }
      }
  return n;
}

static inline double grid_b(int64_t r)
{
  return 1.0 + (double)(r % 7) / 10.0;
}
#endif
