/* mesh/jacobian.c - det J = det(sum_a x_a dN_a/dxi) at nodes and quadrature points: see jacobian.h
 *
 * Shape functions on simplices, with barycentric L_i: L_i, or L_i (2 L_i - 1) and 4 L_i L_j; on [-1,1]^d:
 * prod (1 + s_i x_i) / 2^d, or serendipity, or in quad9 and hex27 Lagrange's product of (x^2 + s_i x)/2 and
 * 1 - x^2 (Zienkiewicz and Taylor, The Finite Element Method, vol. 1, ch. "Standard and hierarchical element
 * shape functions").  Independent of the shape functions of assembly/, as a check of them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/jacobian.h"
#include <math.h>
#include <string.h>

/* N = c * f * prod over d of p_d; its gradient by the product rule, f and p_d with derivatives df, dp. */
static void product_gradient(int dim, double c, const double p[3], const double dp[3], double f,
                             const double df[3], double grad[3])
{
  for (int d = 0; d < dim; d++) {
    double all = c, others = c;
    for (int k = 0; k < dim; k++) {
      all *= p[k];
      if (k != d) others *= p[k];
    }
    grad[d] = all * df[d] + others * dp[d] * f;
  }
}

static void cube_gradients(const bf_elem_info *e, bf_elem_type type, const double xi[3],
                           double grad[BF_NEN_MAX][3])
{
  const int lagrange = e->inner;
  double    node[BF_NEN_MAX][3];
  bf_elem_nodes(type, node);
  for (int a = 0; a < e->nnodes; a++) {
    const double *s = node[a];
    double        p[3], dp[3], df[3] = {0, 0, 0}, f = 1.0, c = 1.0;
    for (int d = 0; d < e->dim; d++) {
      const int mid = s[d] == 0.0; /* between two corners along d */
      p[d]  = mid ? 1.0 - xi[d] * xi[d] : lagrange ? xi[d] * xi[d] + s[d] * xi[d] : 1.0 + s[d] * xi[d];
      dp[d] = mid ? -2.0 * xi[d] : lagrange ? 2.0 * xi[d] + s[d] : s[d];
      c *= mid ? 1.0 : 0.5;
    }
    if (e->order == 2 && !lagrange && a < e->ncorners) {
      f = 1.0 - (double)e->dim;
      for (int d = 0; d < e->dim; d++) {
        f += s[d] * xi[d];
        df[d] = s[d];
      }
    }
    product_gradient(e->dim, c, p, dp, f, df, grad[a]);
  }
}

static void simplex_gradients(const bf_elem_info *e, const double xi[3], double grad[BF_NEN_MAX][3])
{
  double L[4] = {1.0, 0, 0, 0}, dL[4][3] = {{0}};
  for (int d = 0; d < e->dim; d++) {
    L[0] -= xi[d];
    L[d + 1]     = xi[d];
    dL[0][d]     = -1.0;
    dL[d + 1][d] = 1.0;
  }
  for (int a = 0; a < e->nnodes; a++)
    for (int d = 0; d < e->dim; d++) {
      const int *edge = e->edge[a < e->ncorners ? 0 : a - e->ncorners];
      grad[a][d]      = a >= e->ncorners ? 4.0 * (L[edge[0]] * dL[edge[1]][d] + L[edge[1]] * dL[edge[0]][d])
                        : e->order == 2  ? (4.0 * L[a] - 1.0) * dL[a][d]
                                         : dL[a][d];
    }
}

static int is_simplex(const bf_elem_info *e)
{
  return e->dim >= 2 && e->ncorners == e->dim + 1;
}

void bf_jacobian_gradients(bf_elem_type type, const double xi[3], double grad[BF_NEN_MAX][3])
{
  const bf_elem_info *e = bf_elem(type);
  memset(grad, 0, BF_NEN_MAX * sizeof *grad);
  if (is_simplex(e))
    simplex_gradients(e, xi, grad);
  else
    cube_gradients(e, type, xi, grad);
}

/* Quadrature points after the nodes: Gauss products with 2 or 3 points per direction (det J of the cubes has
 * degree 2, or 5, in each), one point for linear simplices, degree 2 in 3 points for tri6, degree 3 in 5 for
 * tet10 (A. H. Stroud, Approximate Calculation of Multiple Integrals (1971), T_n:2-1 and T_3:3-1). */
static int quadrature(const bf_elem_info *e, double xi[27][3], double w[27])
{
  const double g2[2] = {-sqrt(1.0 / 3.0), sqrt(1.0 / 3.0)}, w2[2] = {1.0, 1.0};
  const double g3[3] = {-sqrt(0.6), 0.0, sqrt(0.6)}, w3[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  int          n = 0;
  memset(xi, 0, 27 * sizeof *xi);
  if (!is_simplex(e)) {
    const int     m = e->order + 1;
    const double *g = m == 2 ? g2 : g3, *v = m == 2 ? w2 : w3;
    for (int k = 0; k < (e->dim > 2 ? m : 1); k++)
      for (int j = 0; j < (e->dim > 1 ? m : 1); j++)
        for (int i = 0; i < m; i++, n++) {
          const int at[3] = {i, j, k};
          w[n]            = 1.0;
          for (int d = 0; d < e->dim; d++) {
            xi[n][d] = g[at[d]];
            w[n] *= v[at[d]];
          }
        }
    return n;
  }
  const double volume = e->dim == 2 ? 0.5 : 1.0 / 6.0, far = e->dim == 2 ? 2.0 / 3.0 : 0.5;
  if (e->order == 1 || e->dim == 3) {
    for (int d = 0; d < e->dim; d++) xi[n][d] = 1.0 / (e->dim + 1);
    w[n++] = e->order == 1 ? volume : -0.8 * volume;
  }
  if (e->order == 2)
    for (int a = 0; a <= e->dim; a++, n++) {
      for (int d = 0; d < e->dim; d++) xi[n][d] = a == d + 1 ? far : 1.0 / 6.0;
      w[n] = (e->dim == 2 ? 1.0 / 3.0 : 0.45) * volume;
    }
  return n;
}

void bf_jacobian_rule(bf_elem_type type, bf_jacobian *rule)
{
  const bf_elem_info *e = bf_elem(type);
  double              node[BF_NEN_MAX][3], xi[27][3], w[27];
  rule->info    = e;
  rule->npoints = 0;
  rule->nodes   = is_simplex(e) && e->order == 1 ? 0 : e->nnodes;
  bf_elem_nodes(type, node);
  for (int a = 0; a < rule->nodes; a++) {
    rule->weight[rule->npoints] = 0.0;
    bf_jacobian_gradients(type, node[a], rule->grad[rule->npoints++]);
  }
  const int n = quadrature(e, xi, w);
  for (int q = 0; q < n; q++) {
    rule->weight[rule->npoints] = w[q];
    bf_jacobian_gradients(type, xi[q], rule->grad[rule->npoints++]);
  }
  double centre[3] = {0, 0, 0};
  for (int a = 0; a < e->ncorners; a++)
    for (int d = 0; d < 3; d++) centre[d] += e->corner[a][d] / e->ncorners;
  bf_jacobian_gradients(type, centre, rule->centre_grad);
  for (int a = 0; a < e->nnodes; a++)
    for (int d = 0; d < 3; d++) rule->from_centre[a][d] = node[a][d] - centre[d];
  rule->volume = 0.0;
  for (int p = 0; p < rule->npoints; p++) rule->volume += rule->weight[p];
  rule->lebesgue = 0.0;
  for (int p = 0; p < rule->npoints; p++)
    for (int d = 0; d < e->dim; d++) {
      double sum = 0.0;
      for (int a = 0; a < e->nnodes; a++) sum += fabs(rule->grad[p][a][d]);
      rule->lebesgue = fmax(rule->lebesgue, sum);
    }
}

/* J[3 d + i] = dx_i/dxi_d of an element with its nodes at x[nen][3] */
static void jacobian_at(const double grad[BF_NEN_MAX][3], const double x[BF_NEN_MAX][3], int nen, double J[9])
{
  double a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0, c0 = 0, c1 = 0, c2 = 0; /* in registers */
  for (int a = 0; a < nen; a++) {
    const double *g = grad[a], *p = x[a];
    a0 += g[0] * p[0], a1 += g[0] * p[1], a2 += g[0] * p[2];
    b0 += g[1] * p[0], b1 += g[1] * p[1], b2 += g[1] * p[2];
    c0 += g[2] * p[0], c1 += g[2] * p[1], c2 += g[2] * p[2];
  }
  const double all[9] = {a0, a1, a2, b0, b1, b2, c0, c1, c2};
  memcpy(J, all, sizeof all);
}

static double det_of(const double J[9], int dim)
{
  if (dim == 3)
    return J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
           J[2] * (J[3] * J[7] - J[4] * J[6]);
  if (dim == 2) return J[0] * J[4] - J[1] * J[3];
  return sqrt(J[0] * J[0] + J[1] * J[1] + J[2] * J[2]);
}

static void gather(const double *x, const bf_int *node, int nen, double at[BF_NEN_MAX][3])
{
  for (int a = 0; a < nen; a++) memcpy(at[a], x + 3 * (size_t)node[a], sizeof at[a]);
}

void bf_jacobian_dets(const bf_jacobian *rule, const double *x, const bf_int *node, double *det)
{
  double at[BF_NEN_MAX][3], J[9];
  gather(x, node, rule->info->nnodes, at);
  for (int p = 0; p < rule->npoints; p++) {
    jacobian_at(rule->grad[p], (const double(*)[3])at, rule->info->nnodes, J);
    det[p] = det_of(J, rule->info->dim);
  }
}

double bf_jacobian_affine(const bf_jacobian *rule, const double *x, const bf_int *node, double *spread)
{
  const bf_elem_info *info = rule->info;
  double              at[BF_NEN_MAX][3], J[9], middle[3] = {0, 0, 0}, far = 0.0, part = 1.0, most = 1.0;
  gather(x, node, info->nnodes, at);
  jacobian_at(rule->centre_grad, (const double(*)[3])at, info->nnodes, J);
  for (int a = 0; a < info->ncorners; a++)
    for (int i = 0; i < 3; i++) middle[i] += at[a][i] / info->ncorners;
  for (int a = 0; a < info->nnodes; a++) {
    const double *s = rule->from_centre[a];
    double        r = 0.0;
    for (int i = 0; i < 3; i++) {
      const double d = at[a][i] - (middle[i] + s[0] * J[i] + s[1] * J[3 + i] + s[2] * J[6 + i]);
      r += d * d;
    }
    far = fmax(far, r);
  }
  const double change = rule->lebesgue * sqrt(far); /* of each column of J, at most */
  for (int d = 0; d < info->dim; d++) {
    const double length =
        sqrt(J[3 * d] * J[3 * d] + J[3 * d + 1] * J[3 * d + 1] + J[3 * d + 2] * J[3 * d + 2]);
    part *= length;
    most *= length + change;
  }
  *spread = most - part;
  return det_of(J, info->dim);
}
