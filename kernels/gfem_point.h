/* kernels/gfem_point.h - monomials of a fit with their derivatives, and the geometry of an element at a
 * point: one source, compiled for both backends
 *
 *     b_a = prod_i xi_i^(e_ai),  by degree, then x first;     J[s][r] = sum_v x_v[s] dN_v/dxi_r
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_GFEM_POINT_H
#define BF_KERNELS_GFEM_POINT_H
#include "kernels/gfem.h"

#ifndef BF_HD
#ifdef __CUDACC__
#define BF_HD __host__ __device__
#else
#define BF_HD
#endif
#endif

/* b[terms] and d[dim][terms], d[i] its derivatives along xi_i, at xi[dim]. */
static inline BF_HD void bf_fit_monomials(int dim, int order, int terms, const double *xi, double *b,
                                          double *d)
{
  int at = 0;
  for (int k = 0; k <= order; k++)
    for (int i = k; i >= 0; i--)
      for (int j = k - i; j >= (dim == 2 ? k - i : 0); j--, at++) {
        const int e[3] = {i, j, k - i - j};
        double    p[3] = {1.0, 1.0, 1.0}, slope[3] = {0.0, 0.0, 0.0}; /* xi^e and its derivative */
        for (int c = 0; c < dim; c++) {
          for (int m = 1; m < e[c]; m++) p[c] *= xi[c]; /* xi^(e-1) */
          slope[c] = e[c] > 0 ? e[c] * p[c] : 0.0;
          if (e[c] > 0) p[c] *= xi[c];
        }
        b[at] = dim == 2 ? p[0] * p[1] : p[0] * p[1] * p[2];
        for (int c = 0; c < dim; c++) {
          double v = slope[c];
          for (int o = 0; o < dim; o++) v *= o == c ? 1.0 : p[o];
          d[c * terms + at] = v;
        }
      }
}

/* inv[r][s] = d xi_r / d x_s of J[s][r], both with stride 3; returns det J. */
static inline BF_HD double bf_fit_invert(int dim, const double J[9], double inv[9])
{
  double det;
  if (dim == 2) {
    det            = J[0] * J[4] - J[1] * J[3];
    const double f = 1.0 / det;
    inv[0]         = f * J[4];
    inv[1]         = -f * J[1];
    inv[3]         = -f * J[3];
    inv[4]         = f * J[0];
    return det;
  }
  for (int r = 0; r < 3; r++)
    for (int s = 0; s < 3; s++) {
      const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
      inv[3 * r + s] = J[3 * s1 + r1] * J[3 * s2 + r2] - J[3 * s1 + r2] * J[3 * s2 + r1]; /* cofactor */
    }
  det = J[0] * inv[0] + J[3 * 1] * inv[1] + J[3 * 2] * inv[2];
  for (int i = 0; i < 9; i++) inv[i] /= det;
  return det;
}

/* Place x[dim] of a point, d xi/d x with stride 3, and det J, from N[nen], dN[nen][dim] and the corners
 * X[nen][3]. */
static inline BF_HD double bf_fit_geometry(int dim, int nen, const double *N, const double *dN,
                                           const double *X, double x[3], double inv[9])
{
  double J[9] = {0.0};
  x[0] = x[1] = x[2] = 0.0;
  for (int v = 0; v < nen; v++)
    for (int s = 0; s < dim; s++) {
      x[s] += N[v] * X[3 * v + s];
      for (int r = 0; r < dim; r++) J[3 * s + r] += X[3 * v + s] * dN[v * dim + r];
    }
  return bf_fit_invert(dim, J, inv);
}

/* Weights of corner v at a point: psi and its derivatives are the sums over the corners of value C and of
 * slope C.  value[terms] and slope[terms][dim], NULL = not needed:
 *     value_a = N b_a,     slope_as = dN/dx_s b_a + N db_a/dx_s */
static inline BF_HD void bf_fit_weights(int dim, int order, int terms, double N, const double *dN,
                                        const double *x, const double inv[9], const double *X, double h,
                                        double *value, double *slope)
{
  const double r     = 1.0 / h;
  double       xi[3] = {0.0}, b[BF_FIT_TERMS] = {0.0}, d[3 * BF_FIT_TERMS] = {0.0};
  for (int s = 0; s < dim; s++) xi[s] = (x[s] - X[s]) * r;
  bf_fit_monomials(dim, order, terms, xi, b, d);
  for (int a = 0; a < terms && value; a++) value[a] = N * b[a];
  for (int s = 0; s < dim && slope; s++) {
    double g = 0.0;
    for (int i = 0; i < dim; i++) g += dN[i] * inv[3 * i + s];
    for (int a = 0; a < terms; a++) slope[a * dim + s] = g * b[a] + N * r * d[s * terms + a];
  }
}

/* Row of B for component i and direction k: xx yy xy, or xx yy zz xy yz xz; GRAD: the direction. */
static inline BF_HD int bf_fit_strain_row(int dim, int ncomp, int i, int k)
{
  return ncomp == 1 ? k : i == k ? i : dim == 2 ? 2 : i + k == 1 ? 3 : i + k == 3 ? 4 : 5;
}
#endif
