/* kernels/multigrid/jump.h - how much the diagonal of a lattice changes from a node to the next: one text for
 * both backends */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_JUMP_H
#define BF_KERNELS_MULTIGRID_JUMP_H
#include "kernels/krylov/state.h" /* BF_HD */

/* The largest of d_i/d_j and d_j/d_i over the next node in each direction, at least 1.  row: node ncomp + c,
 * node = i + n[0] (j + n[1] k).  Entries that are not positive or have a flag do not count. */
static inline BF_HD double bf_mg_jump(const bf_int *n, int ncomp, const double *d, const uint8_t *flag,
                                      int64_t row)
{
  const int64_t node = row / ncomp, place[3] = {node % n[0], node / n[0] % n[1], node / n[0] / n[1]};
  const int64_t step[3] = {1, n[0], (int64_t)n[0] * n[1]};
  double        most    = 1.0;
  if (flag[row] || !(d[row] > 0.0)) return most;
  for (int a = 0; a < 3; a++) {
    const int64_t next = row + step[a] * ncomp;
    if (place[a] + 1 >= n[a] || flag[next] || !(d[next] > 0.0)) continue;
    const double q = d[row] > d[next] ? d[row] / d[next] : d[next] / d[row];
    most           = q > most ? q : most;
  }
  return most;
}
#endif
