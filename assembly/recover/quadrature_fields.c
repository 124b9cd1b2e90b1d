/* assembly/recover/quadrature_fields.c - see quadrature_fields.h; every loop ends in one over the lanes,
 * which compilers turn into vectors
 *
 *     grad u = (sum_a u_a (x) dN_a/dxi) J^-1,   strain = symmetric part,
 *     stress = factor C (strain - thermal strain),
 *     heat flux = -factor C grad T,         flux of a substance = v c - D grad c
 * hex8, in the monomials of its shape functions (c_0 has no part in gradients):
 *     v = c_0 + c_1 xi + c_2 eta + c_3 zeta + c_4 xi eta + c_5 eta zeta + c_6 xi zeta + c_7 xi eta zeta,
 *     dv/dxi = c_1 + c_4 eta + c_6 zeta + c_7 eta zeta   and so on: 3 products where 8 nodes take 8
 * with the thermal strain a = alpha (T - reference):
 * plane strain    (1+nu) a in xx and yy,  stress zz = nu (xx + yy) - E a
 * plane stress    a in xx and yy,         strain zz = -nu/(1-nu) (xx + yy) + (1+nu)/(1-nu) a
 * axisymmetric    hoop strain zz = u_r/r, r = sum_a N_a x_a;  a in xx, yy and zz
 * Shear strains in fields are tensor components, half the engineering shear that C takes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/quadrature_fields.h"
#include "assembly/basis/shape.h"
#include <string.h>

void bf_point_table_fill(const bf_model_block *block, bf_point_table *t)
{
  t->block = block;
  for (int q = 0; q < block->stiffness.n; q++)
    bf_shape(block->block->type, block->stiffness.xi[q], t->N[q], t->dN[q]);
  double       N[BF_NEN_MAX];
  const double centre[3] = {0.0, 0.0, 0.0};
  bf_shape(block->block->type, centre, N, t->dN0);
}

/* Inverse of J (2 x 2 or 3 x 3), 0 where det J is. */
static void invert2(bf_lane J[3][3], bf_lane I[3][3], bf_lane det)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    const double a = J[0][0][l], b = J[0][1][l], c = J[1][0][l], d = J[1][1][l];
    const double D = a * d - c * b, r = D != 0.0 ? 1.0 / D : 0.0;
    I[0][0][l] = d * r;
    I[0][1][l] = -b * r;
    I[1][0][l] = -c * r;
    I[1][1][l] = a * r;
    det[l]     = D;
  }
}

static void invert3(bf_lane J[3][3], bf_lane I[3][3], bf_lane det)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    const double a = J[0][0][l], b = J[0][1][l], c = J[0][2][l];
    const double d = J[1][0][l], e = J[1][1][l], f = J[1][2][l];
    const double g = J[2][0][l], h = J[2][1][l], i = J[2][2][l];
    const double A = e * i - f * h, B = f * g - d * i, C = d * h - e * g;
    const double D = a * A + b * B + c * C, r = D != 0.0 ? 1.0 / D : 0.0;
    I[0][0][l] = A * r;
    I[1][0][l] = B * r;
    I[2][0][l] = C * r;
    I[0][1][l] = (h * c - i * b) * r;
    I[1][1][l] = (i * a - g * c) * r;
    I[2][1][l] = (g * b - h * a) * r;
    I[0][2][l] = (b * f - c * e) * r;
    I[1][2][l] = (c * d - a * f) * r;
    I[2][2][l] = (a * e - b * d) * r;
    det[l]     = D;
  }
}

/* Nodal values to the coefficients c_0 .. c_7, in place. */
static void monomials(bf_lane *v)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    const double s0 = v[1][l] + v[0][l], d0 = v[1][l] - v[0][l], s1 = v[2][l] + v[3][l],
                 d1 = v[2][l] - v[3][l]; /* along xi at eta -1, 1, zeta -1 */
    const double s2 = v[5][l] + v[4][l], d2 = v[5][l] - v[4][l], s3 = v[6][l] + v[7][l],
                 d3 = v[6][l] - v[7][l]; /* zeta 1 */
    v[0][l]         = 0.125 * ((s0 + s1) + (s2 + s3));
    v[1][l]         = 0.125 * ((d0 + d1) + (d2 + d3));
    v[2][l]         = 0.125 * ((s1 - s0) + (s3 - s2));
    v[3][l]         = 0.125 * ((s2 + s3) - (s0 + s1));
    v[4][l]         = 0.125 * ((d1 - d0) + (d3 - d2));
    v[5][l]         = 0.125 * ((s3 - s2) - (s1 - s0));
    v[6][l]         = 0.125 * ((d2 + d3) - (d0 + d1));
    v[7][l]         = 0.125 * ((d3 - d2) - (d1 - d0));
  }
}

static void gradient_hex8(bf_lane *restrict c, const double xi[3], bf_lane *restrict g)
{
  const double x = xi[0], y = xi[1], z = xi[2];
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    g[0][l] = c[1][l] + c[4][l] * y + (c[6][l] + c[7][l] * y) * z;
    g[1][l] = c[2][l] + c[4][l] * x + (c[5][l] + c[7][l] * x) * z;
    g[2][l] = c[3][l] + c[6][l] * x + (c[5][l] + c[7][l] * x) * y;
  }
}

/* g[j] = sum_a v[a] dN_a/dxi_j */
static void gradient(int nen, bf_lane *restrict v, const double (*dN)[3], bf_lane *restrict g)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    double g0 = 0.0, g1 = 0.0, g2 = 0.0;
    for (int a = 0; a < nen; a++) {
      g0 += v[a][l] * dN[a][0];
      g1 += v[a][l] * dN[a][1];
      g2 += v[a][l] * dN[a][2];
    }
    g[0][l] = g0, g[1][l] = g1, g[2][l] = g2;
  }
}

/* s = sum_a v[a] N_a */
static void interpolate(int nen, bf_lane *restrict v, const double *N, double *restrict s)
{
#pragma omp simd
  for (int l = 0; l < BF_LANES; l++) {
    double sum = 0.0;
    for (int a = 0; a < nen; a++) sum += v[a][l] * N[a];
    s[l] = sum;
  }
}

/* s = f C e, n components */
static inline void multiply(int n, bf_lane *restrict C, bf_lane *restrict e, const double *restrict f,
                            bf_lane *restrict s)
{
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int l = 0; l < BF_LANES; l++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++) sum += C[i * n + j][l] * e[j][l];
      s[i][l] = f[l] * sum;
    }
}

/* Strain and stress from G[c][i] = du_c/dx_i, the thermal strain a and, in a body of revolution, the hoop
 * strain. */
static void elastic(const bf_model *m, bf_lane *C, const double *nu, const double *f, const double *a,
                    bf_lane G[3][3], const double *hoop, bf_lane *restrict strain, bf_lane *restrict stress)
{
  bf_lane e[6], s[6];
  if (m->nv == 6) {
    for (int l = 0; l < BF_LANES; l++) {
      e[0][l] = G[0][0][l], e[1][l] = G[1][1][l], e[2][l] = G[2][2][l];
      e[3][l] = G[0][1][l] + G[1][0][l], e[4][l] = G[1][2][l] + G[2][1][l], e[5][l] = G[0][2][l] + G[2][0][l];
    }
    for (int i = 0; i < 6; i++)
      for (int l = 0; l < BF_LANES; l++) strain[i][l] = (i < 3 ? 1.0 : 0.5) * e[i][l];
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < BF_LANES; l++) e[i][l] -= a[l];
    multiply(6, C, e, f, stress);
    return;
  }
  if (m->nv == 4) { /* xx yy zz xy */
    for (int l = 0; l < BF_LANES; l++) {
      e[0][l] = G[0][0][l], e[1][l] = G[1][1][l], e[2][l] = hoop[l], e[3][l] = G[0][1][l] + G[1][0][l];
    }
    for (int i = 0; i < 6; i++)
      for (int l = 0; l < BF_LANES; l++) {
        strain[i][l] = i > 3 ? 0.0 : (i < 3 ? 1.0 : 0.5) * e[i][l];
        if (i > 3) stress[i][l] = 0.0;
      }
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < BF_LANES; l++) e[i][l] -= a[l];
    multiply(4, C, e, f, stress);
    return;
  }
  const int deep = m->space == BF_SPACE_PLANE_STRAIN;
  for (int l = 0; l < BF_LANES; l++) {
    const double xx = G[0][0][l], yy = G[1][1][l], in = deep ? (1.0 + nu[l]) * a[l] : a[l];
    e[0][l] = xx - in, e[1][l] = yy - in, e[2][l] = G[0][1][l] + G[1][0][l];
    strain[0][l] = xx, strain[1][l] = yy, strain[3][l] = 0.5 * e[2][l];
    strain[2][l] = deep ? 0.0 : ((1.0 + nu[l]) * a[l] - nu[l] * (xx + yy)) / (1.0 - nu[l]);
  }
  multiply(3, C, e, f, s);
  for (int l = 0; l < BF_LANES; l++) {
    const double E = 2.0 * (1.0 + nu[l]) * f[l] * C[8][l]; /* C[8] = mu */
    stress[0][l] = s[0][l], stress[1][l] = s[1][l], stress[3][l] = s[2][l];
    stress[2][l] = deep ? nu[l] * (s[0][l] + s[1][l]) - E * a[l] : 0.0;
    strain[4][l] = strain[5][l] = stress[4][l] = stress[5][l] = 0.0;
  }
}

static void conduct(const bf_model *m, bf_lane *C, const double *f, bf_lane G[3][3], bf_lane *flux)
{
  bf_lane s[3] = {{0.0}};
  multiply(m->nv, C, G[0], f, s);
  for (int i = 0; i < 3; i++)
    for (int l = 0; l < BF_LANES; l++) flux[i][l] = i < m->nv ? -s[i][l] : 0.0;
}

/* Flux v c - D grad c of what the nodes hold in v[3], by diffusion and with the flow. */
static void carry(const bf_model *m, const bf_point_table *t, const bf_int elem[BF_LANES], int q,
                  bf_nodes *at, bf_lane *C, bf_lane G[3][3], bf_lane *flux)
{
  const bf_model_block *b  = t->block;
  const double         *xi = b->stiffness.xi[q];
  const size_t          nv = (size_t)m->nv, nq = (size_t)b->stiffness.n;
  bf_lane               c;
  if (b->block->type == BF_HEX8)
    for (int l = 0; l < BF_LANES; l++) {
      const double x = xi[0], y = xi[1], z = xi[2];
      bf_lane     *k = at->v[3];
      c[l]           = k[0][l] + k[1][l] * x + k[2][l] * y + k[3][l] * z + k[4][l] * x * y + k[5][l] * y * z +
             k[6][l] * x * z + k[7][l] * x * y * z;
    }
  else
    interpolate(bf_elem(b->block->type)->nnodes, at->v[3], t->N[q], c);
  for (int l = 0; l < BF_LANES; l++) {
    const double *of = b->flow ? b->flow + ((size_t)(elem[l] - b->block->first) * nq + (size_t)q) * nv : NULL;
    const double  D  = of ? of[0] : C[0][l];
    for (int i = 0; i < 3; i++)
      flux[i][l] = i < m->sdim ? (of ? of[2 + i] : C[2 + i][l]) * c[l] - D * G[0][i][l] : 0.0;
  }
}

/* Coordinates in v[0 .. sdim-1], unknowns in v[3 .. 3+ncomp-1]. */
static void fetch(const bf_model *m, const bf_numbering *num, const bf_block *k, const bf_int elem[BF_LANES],
                  const double *u, bf_nodes *out)
{
  const int nen = bf_elem(k->type)->nnodes, D = m->ncomp;
  for (int l = 0; l < BF_LANES; l++) {
    const bf_int *node = k->node + (size_t)(elem[l] - k->first) * (size_t)nen;
    for (int a = 0; a < nen; a++) {
      const double *x = m->mesh->x + 3 * (size_t)node[a], *v = u + (size_t)num->row[node[a]] * (size_t)D;
      for (int c = 0; c < m->sdim; c++) out->v[c][a][l] = x[c];
      for (int c = 0; c < D; c++) out->v[3 + c][a][l] = v[c];
    }
  }
  if (k->type != BF_HEX8) return;
  for (int c = 0; c < 3; c++) monomials(out->v[c]);
  for (int c = 0; c < D; c++) monomials(out->v[3 + c]);
}

BF_VECTOR void bf_points_jacobian(const bf_model *m, const bf_point_table *t, bf_nodes *at, int q,
                                  bf_lane D[6][3], bf_lane I[3][3], bf_lane det)
{
  static const double centre[3] = {0.0, 0.0, 0.0};
  const bf_elem_type  type      = t->block->block->type;
  const int           nen = bf_elem(type)->nnodes, dim = m->sdim;
  for (int c = 0; c < 3 + m->ncomp; c++) {
    if (c >= dim && c < 3) continue;
    if (type == BF_HEX8)
      gradient_hex8(at->v[c], q < 0 ? centre : t->block->stiffness.xi[q], D[c]);
    else
      gradient(nen, at->v[c], q < 0 ? t->dN0 : t->dN[q], D[c]);
  }
  (dim == 2 ? invert2 : invert3)(D, I, det);
}

BF_VECTOR void bf_points_gradient(const bf_model *m, const bf_point_table *t, bf_nodes *at, int q,
                                  bf_lane G[3][3], bf_lane det)
{
  bf_lane D[6][3], I[3][3];
  bf_points_jacobian(m, t, at, q, D, I, det);
  for (int c = 0; c < m->ncomp; c++)
    for (int i = 0; i < m->sdim; i++)
      if (m->sdim == 3)
        for (int l = 0; l < BF_LANES; l++)
          G[c][i][l] =
              D[3 + c][0][l] * I[0][i][l] + D[3 + c][1][l] * I[1][i][l] + D[3 + c][2][l] * I[2][i][l];
      else
        for (int l = 0; l < BF_LANES; l++)
          G[c][i][l] = D[3 + c][0][l] * I[0][i][l] + D[3 + c][1][l] * I[1][i][l];
}

/* value[element][point] of the block at point q, or `other` where there are none. */
static void values_at(const bf_point_table *t, const double *value, double other, const bf_int elem[BF_LANES],
                      int q, bf_lane f)
{
  const bf_int first = t->block->block->first;
  const size_t n     = (size_t)t->block->stiffness.n;
  for (int l = 0; l < BF_LANES; l++) f[l] = value ? value[(size_t)(elem[l] - first) * n + (size_t)q] : other;
}

void bf_points_factor(const bf_point_table *t, const bf_int elem[BF_LANES], int q, bf_lane f)
{
  values_at(t, t->block->factor, 1.0, elem, q, f);
}

BF_VECTOR void bf_points_fill(const bf_model *m, const bf_numbering *num, const bf_point_table *t,
                              const bf_int elem[BF_LANES], const double *u, bf_points *out)
{
  const bf_rule *rule = &t->block->stiffness;
  const int      nen  = bf_elem(t->block->block->type)->nnodes;
  bf_nodes       at;
  bf_modes       modes;
  bf_lane        C[36], nu;
  fetch(m, num, t->block->block, elem, u, &at);
  for (int l = 0; l < BF_LANES; l++) {
    const size_t region = (size_t)m->region[elem[l]];
    for (int i = 0; i < m->nC; i++) C[i][l] = m->C[region * (size_t)m->nC + (size_t)i];
    nu[l] = m->problem->material[region].nu;
  }
  if (m->problem->incompatible) bf_modes_fill(m, t, &at, elem, C, &modes);
  for (int q = 0; q < rule->n; q++) {
    bf_lane G[3][3], det, r, hoop, f, thermal;
    bf_points_gradient(m, t, &at, q, G, det);
    if (m->problem->incompatible) bf_modes_add(m, t, q, &modes, det, G);
    for (int l = 0; l < BF_LANES; l++) out->wdet[q][l] = rule->w[q] * det[l];
    if (bf_model_revolved(m)) {
      interpolate(nen, at.v[0], t->N[q], r);
      interpolate(nen, at.v[3], t->N[q], hoop);
      for (int l = 0; l < BF_LANES; l++) hoop[l] /= r[l], out->wdet[q][l] *= r[l];
    }
    bf_points_factor(t, elem, q, f);
    values_at(t, t->block->expansion, 0.0, elem, q, thermal);
    if (m->problem->physics == BF_ELASTICITY)
      elastic(m, C, nu, f, thermal, G, hoop, out->strain[q], out->value[q]);
    else if (m->problem->physics == BF_ADVECTION)
      carry(m, t, elem, q, &at, C, G, out->value[q]);
    else
      conduct(m, C, f, G, out->value[q]);
  }
}
