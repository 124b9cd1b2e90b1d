/* kernels/cpu/fem/element_advection.c - the TRANSPORT form (kernels/elements.h), one element at a time by one
 * thread
 *
 *     Ke[a][b] = sum_q c_q (D g_a . g_b + W_a (s_b + r N_b) - tau s_a D l_b),     g = grad N,  s = v . g,
 *     W = N + tau s,                                                              l = lap N
 *     fe = Ke u by the same sums,        loads  fe[a] = sum_q c_q W_a f
 *
 * Second derivatives in space, with i = dxi/dx, G = i i^T (contravariant metric) and H = d2/dxi dxi:
 *     lap N_a = L_a - grad N_a . sum_b x_b L_b,   L_a = sum_rs G[r][s] H[r][s] N_a
 * (both terms of the chain rule; the second vanishes where the map is affine); in a body of revolution
 * + dN_a/dr / r.
 *
 * Source   Hughes and Brooks, as in kernels/supg.h; the chain rule twice.
 * Cost     nq * nen^2 * 10 flops a matrix.
 * Checked  tests/assembly/physics/t213_transport.c
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/fem/element_point.h"
#include "kernels/supg.h"

typedef struct spot { /* an integration point of one element */
  double c, tau, D, r;
  double g[3][NEN], s[NEN], W[NEN], l[NEN]; /* l: D lap N */
} spot;

/* l = D lap N at point q */
static void laplacian(const bf_element_batch *E, const point_tables *T, int q, double x[3][NEN],
                      double inv[3][3], spot *p)
{
  const int dim = E->rdim, nh   = BF_DDN(dim);
  double    metric[6], curve[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < T->np; a++) p->l[a] = 0.0;
  if (E->ddN) {
    static const int row[2][6] = {{0, 1, 0, 0, 0, 0}, {0, 1, 2, 0, 1, 0}};
    static const int col[2][6] = {{0, 1, 1, 0, 0, 0}, {0, 1, 2, 1, 2, 2}};
    for (int h = 0; h < nh; h++) {
      const int i = row[dim == 3][h], j = col[dim == 3][h];
      metric[h] =
          (i == j ? 1.0 : 2.0) * (inv[i][0] * inv[j][0] + inv[i][1] * inv[j][1] + inv[i][2] * inv[j][2]);
    }
    const double *dd = E->ddN + (size_t)q * (size_t)(E->nen * nh);
    for (int a = 0; a < E->nen; a++) {
      for (int h = 0; h < nh; h++) p->l[a] += metric[h] * dd[a * nh + h];
      for (int k = 0; k < 3; k++) curve[k] += x[k][a] * p->l[a];
    }
    for (int a = 0; a < E->nen; a++)
      p->l[a] -= p->g[0][a] * curve[0] + p->g[1][a] * curve[1] + p->g[2][a] * curve[2];
  }
  const double per_r = E->revolved ? 1.0 / radius(T, q, x) : 0.0;
  for (int a = 0; a < E->nen; a++) p->l[a] = p->D * (p->l[a] + per_r * p->g[0][a]);
}

/* Everything at point q; second: including l */
static void at_spot(const bf_element_batch *E, const point_tables *T, bf_int e, int q, double x[3][NEN],
                    int second, spot *p)
{
  const double *C =
      E->Cq ? E->Cq + ((size_t)e * (size_t)E->nq + (size_t)q) * (size_t)E->nv : coefficients(E, e);
  const double v[3] = {C[2], E->sdim > 1 ? C[3] : 0.0, E->sdim > 2 ? C[4] : 0.0};
  double       J[3][3], inv[3][3], along[3], sum = 0.0;
  jacobian(T->np, T->dN[q], x, J);
  const double det = measure(E, J);
  inverse(E->rdim, J, det, inv);
  p->c = point_weight(E, T, q, x, det);
  p->D = C[0];
  p->r = C[1];
  for (int i = 0; i < 3; i++) along[i] = inv[i][0] * v[0] + inv[i][1] * v[1] + inv[i][2] * v[2];
  for (int k = 0; k < E->nvert && E->supg; k++) {
    const double *dNv = E->dNv + ((size_t)q * (size_t)E->nvert + (size_t)k) * (size_t)E->rdim;
    double        d   = 0.0;
    for (int i = 0; i < E->rdim; i++) d += along[i] * dNv[i];
    sum += fabs(d);
  }
  p->tau = bf_supg_tau(E->supg, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sum, p->D, p->r);
  for (int a = 0; a < T->np; a++) {
    const double d[3] = {T->dN[q][0][a], T->dN[q][1][a], T->dN[q][2][a]};
    for (int k = 0; k < 3; k++) p->g[k][a] = inv[0][k] * d[0] + inv[1][k] * d[1] + inv[2][k] * d[2];
    p->s[a] = along[0] * d[0] + along[1] * d[1] + along[2] * d[2];
    p->W[a] = T->N[q][a] + p->tau * p->s[a];
  }
  if (second) laplacian(E, T, q, x, inv, p);
}

/* Whether second derivatives are needed */
static int has_second(const bf_element_batch *E)
{
  return E->supg && (E->ddN || E->revolved);
}

void bf_cpu_transport_matrix(const bf_element_batch *E, const point_tables *T, bf_int e, double *Ke)
{
  const int nen = E->nen, second   = has_second(E);
  double    x[3][NEN], K[NEN][NEN] = {{0.0}}, f[NEN];
  spot      p;
  load_nodes(E, e, x);
  for (int q = 0; q < E->nq; q++) {
    at_spot(E, T, e, q, x, second, &p);
    for (int b = 0; b < T->np; b++) f[b] = p.s[b] + p.r * T->N[q][b];
    for (int a = 0; a < nen; a++) {
      const double cD = p.c * p.D, g0 = cD * p.g[0][a], g1 = cD * p.g[1][a], g2 = cD * p.g[2][a];
      const double W = p.c * p.W[a], s = p.c * p.tau * p.s[a];
      for (int b = 0; b < T->np; b++)
        K[a][b] += (g0 * p.g[0][b] + g1 * p.g[1][b] + g2 * p.g[2][b]) + W * f[b];
      for (int b = 0; b < T->np && second; b++) K[a][b] -= s * p.l[b];
    }
  }
  for (int a = 0; a < nen; a++) memcpy(Ke + a * nen, K[a], (size_t)nen * sizeof *Ke);
}

void bf_cpu_transport_force(const bf_element_batch *E, const point_tables *T, bf_int e, const double *u,
                            double *fe)
{
  const bf_int *conn = E->conn + (size_t)e * (size_t)E->nen;
  const int     nen = E->nen, second = has_second(E);
  double        x[3][NEN], ue[NEN];
  spot          p;
  load_nodes(E, e, x);
  for (int a = 0; a < nen; a++) ue[a] = u[conn[a]];
  for (int a = 0; a < nen; a++) fe[a] = 0.0;
  for (int q = 0; q < E->nq; q++) {
    double du[3] = {0.0, 0.0, 0.0}, rest = 0.0, lap = 0.0;
    at_spot(E, T, e, q, x, second, &p);
    for (int b = 0; b < nen; b++) {
      for (int k = 0; k < 3; k++) du[k] += p.g[k][b] * ue[b];
      rest += (p.s[b] + p.r * T->N[q][b]) * ue[b];
      if (second) lap += p.l[b] * ue[b];
    }
    for (int a = 0; a < nen; a++)
      fe[a] += p.c * (p.D * (p.g[0][a] * du[0] + p.g[1][a] * du[1] + p.g[2][a] * du[2]) + p.W[a] * rest -
                      p.tau * p.s[a] * lap);
  }
}

void bf_cpu_transport_source(const bf_element_batch *E, const point_tables *T, bf_int e,
                             const bf_element_source *f, double *fe)
{
  double x[3][NEN];
  spot   p;
  load_nodes(E, e, x);
  for (int a = 0; a < E->nen; a++) fe[a] = 0.0;
  for (int q = 0; q < E->nq; q++) {
    at_spot(E, T, e, q, x, 0, &p);
    const double value = p.c * f->value[e * f->stride_e + q * f->stride_q];
    for (int a = 0; a < E->nen; a++) fe[a] += value * p.W[a];
  }
}
