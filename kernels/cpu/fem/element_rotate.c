/* kernels/cpu/fem/element_rotate.c - element matrices in the frames of their nodes
 *
 * Computes   K_ab <- T_a^T K_ab T_b, T = 1 where a node has no frame (elements.h).
 * Cost       4 D^3 flops and 16 D^2 bytes for each block with a frame; 4 nen bytes for other elements.
 * Checked    tests/kernels/fem/t658_rotate.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/rotate_block.h"

bf_err bf_cpu_element_rotate(bf_backend *be, bf_int ne, int nen, const bf_node_frames *F, const bf_int *conn,
                             double *Ke)
{
  (void)be;
  BF_TRY(bf_node_frames_check(ne, nen, F, conn, Ke));
  const int D = F->ncomp, nd = nen * D;
#pragma omp parallel for schedule(static) if (ne > 1024)
  for (bf_int e = 0; e < ne; e++) {
    const double *T[BF_ELEMENT_NODES];
    double       *K   = Ke + (int64_t)e * nd * nd;
    int           any = 0;
    for (int a = 0; a < nen; a++) {
      const bf_int f = F->frame[conn[(int64_t)e * nen + a]];
      T[a]           = f < 0 ? NULL : F->T + (int64_t)f * D * D;
      any |= f >= 0;
    }
    for (int a = 0; any && a < nen; a++)
      for (int b = a; b < nen; b++)
        if (T[a] || T[b]) bf_rotate_block(D, nd, a, b, T[a], T[b], K);
  }
  return BF_OK;
}
