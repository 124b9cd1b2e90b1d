/* mesh/lattice.c - reciprocal vectors: b = 2 pi (A A^T)^-1 A, A the lattice vectors in rows; see periodic.h
 *
 * Source: Kittel, Introduction to Solid State Physics, 8th ed., ch. 2.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/periodic.h"
#include <math.h>

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bf_err bf_lattice_reciprocal(const bf_lattice *L, double b[3][3])
{
  static const double LEAST = 1e-8; /* sine of an angle between vectors, about */
  double              q[3][3], size[3];
  BF_CHECK(L && b && L->n >= 1 && L->n <= 3, BF_E_ARG, "a lattice has 1 to 3 vectors");
  for (int i = 0; i < L->n; i++) { /* b_i is the part of a_i orthogonal to all others: Gram-Schmidt, last */
    int order[3], n = 0;
    for (int j = 0; j < L->n; j++)
      if (j != i) order[n++] = j;
    order[n++] = i;
    for (int k = 0; k < n; k++) {
      const double *a = L->a[order[k]];
      for (int d = 0; d < 3; d++) q[k][d] = a[d];
      for (int pass = 0; pass < 2; pass++)
        for (int l = 0; l < k; l++) {
          const double c = dot(q[k], q[l]) / dot(q[l], q[l]);
          for (int d = 0; d < 3; d++) q[k][d] -= c * q[l][d];
        }
      size[k] = sqrt(dot(q[k], q[k]));
      BF_CHECK(isfinite(size[k]) && size[k] > LEAST * sqrt(dot(a, a)), BF_E_ARG,
               "lattice vector %d is zero or depends linearly on the others", order[k] + 1);
    }
    for (int d = 0; d < 3; d++) b[i][d] = 6.28318530717958647692 * q[n - 1][d] / (size[n - 1] * size[n - 1]);
  }
  for (int i = L->n; i < 3; i++)
    for (int d = 0; d < 3; d++) b[i][d] = 0.0;
  return BF_OK;
}
