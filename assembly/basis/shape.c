/* assembly/basis/shape.c - shape functions: Lagrange on simplices; multilinear, serendipity and biquadratic
 * or triquadratic on quads and hexahedra
 *
 * Simplex, barycentric L_0 = 1 - xi - eta - zeta, L_1 = xi, ...:
 *     order 1  N_a = L_a;      order 2  corner L_a (2 L_a - 1), edge ab 4 L_a L_b.
 * Box [-1,1]^d, node a at s in {-1,0,1}^d:
 *     order 1  N_a = prod_i (1 + s_i xi_i)/2
 *     order 2  corner N_a = prod_i (1 + s_i xi_i)/2 (sum_i s_i xi_i - (d-1)),
 *              edge along m (s_m = 0)  N_a = (1 - xi_m^2) prod_{i != m} (1 + s_i xi_i)/2
 *     quad9, hex27        N_a = prod_i (s_i = 0: 1 - xi_i^2, else s_i xi_i (1 + s_i xi_i)/2).
 * Source: O. C. Zienkiewicz, R. L. Taylor, J. Z. Zhu, The Finite Element Method, 6th ed. (2005), ch. 4.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
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

/* One node of a box element at s: N = f_0 f_1 f_2 t with one-dimensional factors f_i, their derivatives g_i
 * and h_i; t: the corner's linear term, with derivatives c s_j. */
typedef struct box_factors {
  double f[3], g[3], h[3], t, c;
} box_factors;

static box_factors box_node(const bf_elem_info *el, const double *s, const double *xi)
{
  const int   dim = el->dim, products = el->inner;
  box_factors b = {.f = {1.0, 1.0, 1.0}, .t = (double)(1 - dim), .c = 1.0}; /* t = sum_i s_i xi_i - (d-1) */
  for (int i = 0; i < dim; i++) {
    if (s[i] == 0.0) {
      b.f[i] = 1.0 - xi[i] * xi[i];
      b.g[i] = -2.0 * xi[i];
      b.h[i] = -2.0;
      b.c    = 0.0; /* not a corner */
    } else if (products) {
      b.f[i] = 0.5 * (s[i] * xi[i] + xi[i] * xi[i]);
      b.g[i] = 0.5 * s[i] + xi[i];
      b.h[i] = 1.0;
    } else {
      b.f[i] = 0.5 * (1.0 + s[i] * xi[i]);
      b.g[i] = 0.5 * s[i];
    }
    b.t += s[i] * xi[i];
  }
  if (el->order == 1 || products || b.c == 0.0) b.t = 1.0, b.c = 0.0; /* no linear term */
  return b;
}

/* Product of the factors, those of the directions i and j replaced. */
static double product(const box_factors *b, int i, double fi, int j, double fj)
{
  double p = 1.0;
  for (int k = 0; k < 3; k++) p *= k == i ? fi : k == j ? fj : b->f[k];
  return p;
}

static void box_value(const bf_elem_info *el, const double *s, const double *xi, double *N, double *dN)
{
  const box_factors b = box_node(el, s, xi);
  const double      p = b.f[0] * b.f[1] * b.f[2];
  *N                  = p * b.t;
  if (!dN) return;
  for (int j = 0; j < 3; j++) dN[j] = 0.0;
  for (int j = 0; j < el->dim; j++) dN[j] = product(&b, j, b.g[j], -1, 0.0) * b.t + p * b.c * s[j];
}

/* d_i d_j (p t) = p_ij t + p_i t_j + p_j t_i */
static double box_second(const bf_elem_info *el, const double *s, const double *xi, int i, int j)
{
  const box_factors b  = box_node(el, s, xi);
  const double      pi = product(&b, i, b.g[i], -1, 0.0), pj = product(&b, j, b.g[j], -1, 0.0);
  const double      pij = i == j ? product(&b, i, b.h[i], -1, 0.0) : product(&b, i, b.g[i], j, b.g[j]);
  return pij * b.t + pi * b.c * s[j] + pj * b.c * s[i];
}

static int is_simplex(bf_elem_type type)
{
  return type == BF_TRI3 || type == BF_TRI6 || type == BF_TET4 || type == BF_TET10;
}

void bf_shape(bf_elem_type type, const double xi[3], double *N, double (*dN)[3])
{
  const bf_elem_info *el = bf_elem(type);
  if (is_simplex(type)) {
    simplex(el, xi, N, dN);
    return;
  }
  if (el->dim == 0) {
    N[0] = 1.0;
    if (dN) memset(dN[0], 0, sizeof dN[0]);
    return;
  }
  double s[BF_NEN_MAX][3]; /* position of the nodes in {-1,0,1}^d */
  bf_elem_nodes(type, s);
  for (int a = 0; a < el->nnodes; a++) box_value(el, s[a], xi, &N[a], dN ? dN[a] : NULL);
}

/* d_i d_j N_a: of a corner 4 G_i G_j, of edge pq 4 (G_pi G_qj + G_qi G_pj), G = grad L */
static double simplex_second(const bf_elem_info *el, int a, int i, int j)
{
  const int edge = a >= el->ncorners;
  const int p = edge ? el->edge[a - el->ncorners][0] : a, q = edge ? el->edge[a - el->ncorners][1] : a;
  double    G[4][3] = {{-1.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  if (el->order == 1) return 0.0;
  return edge ? 4.0 * (G[p][i] * G[q][j] + G[q][i] * G[p][j]) : 4.0 * G[p][i] * G[q][j];
}

void bf_shape_second(bf_elem_type type, const double xi[3], double (*ddN)[6])
{
  static const int    pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  const bf_elem_info *el         = bf_elem(type);
  double              s[BF_NEN_MAX][3];
  bf_elem_nodes(type, s);
  for (int a = 0; a < el->nnodes; a++)
    for (int h = 0; h < 6; h++) {
      const int i = pair[h][0], j = pair[h][1];
      ddN[a][h] = i >= el->dim || j >= el->dim ? 0.0
                  : is_simplex(type)           ? simplex_second(el, a, i, j)
                                               : box_second(el, s[a], xi, i, j);
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
  } else { /* the interior is on the left of t, the outside on its right */
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
