/* assembly/recover/incompatible_amplitudes.c - amplitudes of the incompatible modes of BF_LANES elements, and
 * their contribution to the gradient of u
 *
 *     a = -Kaa^-1 Kau u,      Kaa = sum_q c_q Ba^T C Ba,      Kau u = sum_q c_q Ba^T C (B u)
 *
 * Ba: strains of the modes, whose gradients physics/incompatible_modes.c gives.
 * Source: E. L. Wilson, R. L. Taylor, W. P. Doherty, J. Ghaboussi, Incompatible displacement models, in:
 * Numerical and Computer Methods in Structural Mechanics (1973) 43-57; R. L. Taylor, P. J. Beresford,
 * E. L. Wilson, A non-conforming element for stress analysis, Int. J. Numer. Meth. Engng 10 (1976) 1211-1219,
 * doi 10.1002/nme.1620100602 (element QM6).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/quadrature_fields.h"
#include <string.h>

/* Engineering strain of the gradient G, xx yy zz xy yz xz or xx yy xy. */
static void strain_of(int nv, bf_lane G[3][3], bf_lane *e)
{
  for (int l = 0; l < BF_LANES; l++) {
    e[0][l] = G[0][0][l], e[1][l] = G[1][1][l];
    if (nv == 3)
      e[2][l] = G[0][1][l] + G[1][0][l];
    else {
      e[2][l] = G[2][2][l], e[3][l] = G[0][1][l] + G[1][0][l];
      e[4][l] = G[1][2][l] + G[2][1][l], e[5][l] = G[0][2][l] + G[2][0][l];
    }
  }
}

/* Strains of all modes at point q: b[j] for mode i, component c, j = i*ncomp + c. */
static void strains_of_modes(const bf_model *m, const bf_point_table *t, int q, bf_modes *modes, bf_lane det,
                             bf_lane b[BF_MODES_MAX][6])
{
  bf_lane G[3][3];
  for (int i = 0; i < m->sdim; i++)
    for (int c = 0; c < m->ncomp; c++) {
      memset(G, 0, sizeof G);
      for (int s = 0; s < m->sdim; s++)
        for (int l = 0; l < BF_LANES; l++)
          G[c][s][l] = -2.0 * t->block->stiffness.xi[q][i] / det[l] * modes->centre[i][s][l];
      strain_of(m->nv, G, b[i * m->ncomp + c]);
    }
}

/* a = -A \ r, each lane a symmetric positive definite system of order n. */
static void solve(int n, bf_lane A[BF_MODES_MAX][BF_MODES_MAX], bf_lane *r, bf_lane *a)
{
  for (int p = 0; p < n; p++)
    for (int i = p + 1; i < n; i++)
      for (int l = 0; l < BF_LANES; l++) {
        const double f = A[i][p][l] / A[p][p][l];
        for (int j = p + 1; j < n; j++) A[i][j][l] -= f * A[p][j][l];
        r[i][l] -= f * r[p][l];
      }
  for (int i = n - 1; i >= 0; i--)
    for (int l = 0; l < BF_LANES; l++) {
      double s = -r[i][l];
      for (int j = i + 1; j < n; j++) s -= A[i][j][l] * a[j][l];
      a[i][l] = s / A[i][i][l];
    }
}

/* A += c Ba^T C Ba, r += c Ba^T C e of one point. */
static void add_point(int n, int nv, bf_lane *C, bf_lane weight, bf_lane b[BF_MODES_MAX][6], bf_lane *e,
                      bf_lane A[BF_MODES_MAX][BF_MODES_MAX], bf_lane *r)
{
  for (int j = 0; j < n; j++) {
    bf_lane s[6];
    for (int v = 0; v < nv; v++)
      for (int l = 0; l < BF_LANES; l++) {
        double sum = 0.0;
        for (int w = 0; w < nv; w++) sum += C[v * nv + w][l] * b[j][w][l];
        s[v][l] = weight[l] * sum;
      }
    for (int v = 0; v < nv; v++)
      for (int l = 0; l < BF_LANES; l++) {
        r[j][l] += s[v][l] * e[v][l];
        for (int k = 0; k < n; k++) A[j][k][l] += s[v][l] * b[k][v][l];
      }
  }
}

void bf_modes_fill(const bf_model *m, const bf_point_table *t, bf_nodes *at, const bf_int elem[BF_LANES],
                   bf_lane *C, bf_modes *out)
{
  const int n = m->sdim * m->ncomp;
  bf_lane   D[6][3], I[3][3], G[3][3], det, weight, e[6], b[BF_MODES_MAX][6];
  bf_lane   A[BF_MODES_MAX][BF_MODES_MAX], r[BF_MODES_MAX];
  memset(A, 0, sizeof A);
  memset(r, 0, sizeof r);
  bf_points_jacobian(m, t, at, -1, D, I, det);
  for (int i = 0; i < m->sdim; i++)
    for (int s = 0; s < m->sdim; s++)
      for (int l = 0; l < BF_LANES; l++) out->centre[i][s][l] = det[l] * I[i][s][l];
  for (int q = 0; q < t->block->stiffness.n; q++) {
    bf_points_gradient(m, t, at, q, G, det);
    bf_points_factor(t, elem, q, weight);
    for (int l = 0; l < BF_LANES; l++) weight[l] *= t->block->stiffness.w[q] * det[l];
    strain_of(m->nv, G, e);
    strains_of_modes(m, t, q, out, det, b);
    add_point(n, m->nv, C, weight, b, e, A, r);
  }
  solve(n, A, r, out->a);
}

void bf_modes_add(const bf_model *m, const bf_point_table *t, int q, bf_modes *modes, bf_lane det,
                  bf_lane G[3][3])
{
  for (int i = 0; i < m->sdim; i++)
    for (int c = 0; c < m->ncomp; c++)
      for (int s = 0; s < m->sdim; s++)
        for (int l = 0; l < BF_LANES; l++)
          G[c][s][l] -= 2.0 * t->block->stiffness.xi[q][i] / det[l] * modes->centre[i][s][l] *
                        modes->a[i * m->ncomp + c][l];
}
