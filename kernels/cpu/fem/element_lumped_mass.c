/* kernels/cpu/fem/element_lumped_mass.c - lumped masses of elements, and element matrices scaled by them
 *
 * Computes   d_a = M_aa sum_bc M_bc / sum_b M_bb; K_ij / sqrt(d_i d_j) (elements.h).
 * Source     Hinton, Rock, Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976): diagonal scaling.
 * Cost       nen^2 values read, nen written; nd^2 read and written.
 * Checked    tests/kernels/fem/t324_pencil.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include <math.h>

bf_err bf_cpu_element_lump(bf_backend *be, bf_int ne, int nen, const double *M, double *d)
{
  (void)be;
  BF_TRY(bf_element_pencil_check(ne, nen, 1, M, d));
#pragma omp parallel for schedule(static) if (ne > 1024)
  for (bf_int e = 0; e < ne; e++) {
    const double *Me   = M + (size_t)e * (size_t)(nen * nen);
    double        mass = 0.0, trace = 0.0;
    for (int k = 0; k < nen * nen; k++) mass += Me[k];
    for (int a = 0; a < nen; a++) trace += Me[a * (nen + 1)];
    for (int a = 0; a < nen; a++) d[(size_t)e * (size_t)nen + (size_t)a] = Me[a * (nen + 1)] * mass / trace;
  }
  return BF_OK;
}

bf_err bf_cpu_element_pencil(bf_backend *be, bf_int ne, int nen, int ncomp, const double *d, double *K)
{
  const int nd = nen * ncomp;
  (void)be;
  BF_TRY(bf_element_pencil_check(ne, nen, ncomp, d, K));
#pragma omp parallel for schedule(static) if (ne > 256)
  for (bf_int e = 0; e < ne; e++) {
    double *Ke = K + (size_t)e * (size_t)nd * (size_t)nd, s[3 * BF_ELEMENT_NODES];
    for (int i = 0; i < nd; i++) s[i] = 1.0 / sqrt(d[(size_t)e * (size_t)nen + (size_t)(i / ncomp)]);
    for (int i = 0; i < nd; i++)
      for (int j = 0; j < nd; j++) Ke[i * nd + j] *= s[i] * s[j];
  }
  return BF_OK;
}
