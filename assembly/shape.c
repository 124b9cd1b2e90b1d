/* assembly/shape.c - shape functions: Lagrange on simplices, multilinear and serendipity on quads and
 * hexahedra
 *
 * Simplex, barycentric L_0 = 1 - xi - eta - zeta, L_1 = xi, ...:
 *     order 1  N_a = L_a;      order 2  corner L_a (2 L_a - 1), edge ab 4 L_a L_b.
 * Box [-1,1]^d, node a at s in {-1,0,1}^d:
 *     order 1  N_a = prod_i (1 + s_i xi_i)/2
 *     order 2  corner N_a = prod_i (1 + s_i xi_i)/2 (sum_i s_i xi_i - (d-1)),
 *              edge along m (s_m = 0)  N_a = (1 - xi_m^2) prod_{i != m} (1 + s_i xi_i)/2.
 * Source: Zienkiewicz, Taylor and Zhu, The Finite Element Method (6th ed.), ch. 4.
 */
#include "assembly/shape.h"
#include <math.h>
#include <string.h>

static void simplex(const bf_elem_info *el, const double *xi, double *N, double (*dN)[3])
{
  const int dim     = el->dim;
  double    L[4]    = {1.0, 0.0, 0.0, 0.0};
  double    G[4][3] = {{0.0}}; /* dL_a/dxi_j */
  for (int j = 0; j < dim; j++) {
    L[j + 1] = xi[j];
    L[0] -= xi[j];
    G[0][j]     = -1.0;
    G[j + 1][j] = 1.0;
  }
  for (int a = 0; a < el->nnodes; a++) {
    if (a >= el->ncorners) { /* edge */
      const int p = el->edge[a - el->ncorners][0], q = el->edge[a - el->ncorners][1];
      N[a] = 4.0 * L[p] * L[q];
      for (int j = 0; j < 3 && dN; j++) dN[a][j] = 4.0 * (G[p][j] * L[q] + L[p] * G[q][j]);
    } else if (el->order == 2) {
      N[a] = L[a] * (2.0 * L[a] - 1.0);
      for (int j = 0; j < 3 && dN; j++) dN[a][j] = (4.0 * L[a] - 1.0) * G[a][j];
    } else {
      N[a] = L[a];
      for (int j = 0; j < 3 && dN; j++) dN[a][j] = G[a][j];
    }
  }
}

/* One node of a box element at s: product of one-dimensional factors f_i, times the corner's linear term. */
static void box_node(const bf_elem_info *el, const double *s, const double *xi, double *N, double *dN)
{
  const int dim = el->dim, quadratic = el->order == 2;
  double    f[3] = {1.0, 1.0, 1.0}, g[3] = {0.0, 0.0, 0.0}; /* factors and their derivatives */
  double    t = (double)(1 - dim), c = 1.0;                 /* sum_i s_i xi_i - (d-1); is this a corner? */
  for (int i = 0; i < dim; i++) {
    if (s[i] == 0.0) {
      f[i] = 1.0 - xi[i] * xi[i];
      g[i] = -2.0 * xi[i];
      c    = 0.0;
    } else {
      f[i] = 0.5 * (1.0 + s[i] * xi[i]);
      g[i] = 0.5 * s[i];
    }
    t += s[i] * xi[i];
  }
  if (!quadratic || c == 0.0) t = 1.0, c = 0.0; /* no linear term */
  const double p = f[0] * f[1] * f[2];
  *N             = p * t;
  if (!dN) return;
  for (int j = 0; j < 3; j++) dN[j] = 0.0;
  for (int j = 0; j < dim; j++) {
    double q = g[j];
    for (int i = 0; i < dim; i++) q *= i == j ? 1.0 : f[i];
    dN[j] = q * t + p * c * s[j];
  }
}

void bf_shape(bf_elem_type type, const double xi[3], double *N, double (*dN)[3])
{
  const bf_elem_info *el = bf_elem(type);
  switch (type) {
  case BF_TRI3:
  case BF_TRI6:
  case BF_TET4:
  case BF_TET10: simplex(el, xi, N, dN); return;
  default: break;
  }
  if (el->dim == 0) {
    N[0] = 1.0;
    if (dN) memset(dN[0], 0, sizeof dN[0]);
    return;
  }
  for (int a = 0; a < el->nnodes; a++) {
    double s[3] = {0.0, 0.0, 0.0};
    if (a < el->ncorners)
      memcpy(s, el->corner[a], sizeof s);
    else
      for (int i = 0; i < el->dim; i++)
        s[i] = 0.5 *
               (el->corner[el->edge[a - el->ncorners][0]][i] + el->corner[el->edge[a - el->ncorners][1]][i]);
    box_node(el, s, xi, &N[a], dN ? dN[a] : NULL);
  }
}

static double det3(double J[3][3])
{
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
         J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

double bf_shape_jacobian(bf_elem_type type, int sdim, const double (*x)[3], const double (*dN)[3],
                         double J[3][3])
{
  const bf_elem_info *el = bf_elem(type);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double s = 0.0;
      for (int a = 0; a < el->nnodes && j < el->dim; a++) s += x[a][i] * dN[a][j];
      J[i][j] = s;
    }
  if (el->dim == 3) return det3(J);
  if (el->dim == 2 && sdim == 2) return J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (el->dim == 2) { /* area: |J_1 x J_2| */
    const double n0 = J[1][0] * J[2][1] - J[2][0] * J[1][1], n1 = J[2][0] * J[0][1] - J[0][0] * J[2][1],
                 n2 = J[0][0] * J[1][1] - J[1][0] * J[0][1];
    return sqrt(n0 * n0 + n1 * n1 + n2 * n2);
  }
  if (el->dim == 1) return sqrt(J[0][0] * J[0][0] + J[1][0] * J[1][0] + J[2][0] * J[2][0]);
  return 1.0;
}

void bf_shape_normal(bf_elem_type type, int sdim, const double (*x)[3], const double (*dN)[3], double n[3])
{
  double J[3][3];
  bf_shape_jacobian(type, sdim, x, dN, J);
  if (sdim == 3) { /* t1 x t2 */
    n[0] = J[1][0] * J[2][1] - J[2][0] * J[1][1];
    n[1] = J[2][0] * J[0][1] - J[0][0] * J[2][1];
    n[2] = J[0][0] * J[1][1] - J[1][0] * J[0][1];
  } else { /* the interior lies left of t: right of it is out */
    n[0] = J[1][0];
    n[1] = -J[0][0];
    n[2] = 0.0;
  }
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int d = 0; d < 3; d++) n[d] = length > 0.0 ? n[d] / length : 0.0;
}

double bf_shape_gradient(bf_elem_type type, const double (*x)[3], const double (*dN)[3], double (*g)[3])
{
  const bf_elem_info *el = bf_elem(type);
  double              J[3][3];
  const double        det = bf_shape_jacobian(type, el->dim, x, dN, J);
  double              I[3][3]; /* inverse of J: dxi_j/dx_i = I[j][i] */
  memset(I, 0, sizeof I);
  memset(g, 0, (size_t)el->nnodes * sizeof *g);
  if (det == 0.0 || !isfinite(det)) return det;
  if (el->dim == 3) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        I[j][i] = (J[a][c] * J[b][d] - J[a][d] * J[b][c]) / det; /* cofactor of J[i][j] */
      }
  } else if (el->dim == 2) {
    I[0][0] = J[1][1] / det;
    I[0][1] = -J[0][1] / det;
    I[1][0] = -J[1][0] / det;
    I[1][1] = J[0][0] / det;
  } else {
    I[0][0] = 1.0 / det;
  }
  for (int a = 0; a < el->nnodes; a++)
    for (int i = 0; i < el->dim; i++)
      for (int j = 0; j < el->dim; j++) g[a][i] += dN[a][j] * I[j][i];
  return det;
}
