/* assembly/gfem/shape.c - polynomials of a patch, and the shape functions of an element; see gfem.h
 *
 *     psi_J = sum_v N_v phi^v_J,     grad psi_J = sum_v (phi^v_J grad N_v + N_v grad phi^v_J)
 *     xi = (x - x_v) / h_v,  so that  grad b_a = (1/h_v) db_a/dxi
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/gfem.h"
#include <string.h>

int bf_gfem_terms(int order)
{
  return (order + 1) * (order + 2) / 2;
}

void bf_gfem_polynomials(int order, double x, double y, double *b, double (*d)[BF_GFEM_TERMS])
{
  double px[BF_GFEM_ORDER_MAX + 1] = {1.0}, py[BF_GFEM_ORDER_MAX + 1] = {1.0};
  int    at = 0;
  for (int k = 1; k <= order; k++) {
    px[k] = px[k - 1] * x;
    py[k] = py[k - 1] * y;
  }
  for (int k = 0; k <= order; k++)
    for (int i = k; i >= 0; i--, at++) {
      const int j = k - i;
      b[at]       = px[i] * py[j];
      if (!d) continue;
      d[0][at] = i > 0 ? i * px[i - 1] * py[j] : 0.0;
      d[1][at] = j > 0 ? j * px[i] * py[j - 1] : 0.0;
    }
}

int bf_gfem_points(const bf_problem *p, bf_elem_type type)
{
  if (p->quadrature > 0) return p->quadrature;
  return type == BF_TRI3 || type == BF_LINE2 ? p->order + 1 : p->order + 2;
}

/* Adds N_v phi^v and its derivatives. */
static void add_corner(const bf_gfem *g, bf_int q, const double *at, const double *x, double N,
                       const double *dN, const bf_int *local, int n, double *psi, double *d)
{
  const int     nb = g->nb, np = (int)(g->patch.ptr[q + 1] - g->patch.ptr[q]) + 1;
  const double *C = g->C + (size_t)nb * (size_t)(g->patch.ptr[q] + q);
  double        b[BF_GFEM_TERMS], db[2][BF_GFEM_TERMS], w[3][BF_GFEM_TERMS];
  const double  r = 1.0 / g->h[q];
  bf_gfem_polynomials(g->order, (x[0] - at[0]) * r, (x[1] - at[1]) * r, b, db);
  for (int a = 0; a < nb; a++) {
    w[0][a] = N * b[a];
    w[1][a] = dN[0] * b[a] + N * r * db[0][a];
    w[2][a] = dN[1] * b[a] + N * r * db[1][a];
  }
  for (int j = 0; j < np; j++) {
    double s[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < nb; a++) {
      const double c = C[a * np + j];
      s[0] += w[0][a] * c;
      s[1] += w[1][a] * c;
      s[2] += w[2][a] * c;
    }
    psi[local[j]] += s[0];
    d[local[j]] += s[1];
    d[n + local[j]] += s[2];
  }
}

double bf_gfem_shape(const bf_mesh *mesh, const bf_gfem *g, bf_int elem, const double xi[3], double *psi,
                     double *d, double x[3])
{
  const bf_elem_type type  = bf_mesh_block_of(mesh, elem)->type;
  const int          n     = (int)(g->eptr[elem + 1] - g->eptr[elem]);
  const bf_int      *local = g->local + g->lptr[elem], *node;
  int                nen;
  double             N[BF_NEN_MAX], dN[BF_NEN_MAX][3], G[BF_NEN_MAX][3], X[BF_NEN_MAX][3];
  node = bf_mesh_elem_nodes(mesh, elem, &nen);
  bf_shape(type, xi, N, dN);
  for (int i = 0; i < 3; i++) x[i] = 0.0;
  for (int a = 0; a < nen; a++)
    for (int i = 0; i < 3; i++) {
      X[a][i] = mesh->x[3 * (size_t)node[a] + (size_t)i];
      x[i] += N[a] * X[a][i];
    }
  const double det = bf_shape_gradient(type, (const double(*)[3])X, (const double(*)[3])dN, G);
  memset(psi, 0, (size_t)n * sizeof *psi);
  memset(d, 0, 2 * (size_t)n * sizeof *d);
  for (int a = 0; a < nen; a++) {
    const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    add_corner(g, q, X[a], x, N[a], G[a], local, n, psi, d);
    local += g->patch.ptr[q + 1] - g->patch.ptr[q] + 1;
  }
  return det;
}

void bf_gfem_on_side(const bf_mesh *mesh, bf_int elem, const bf_int node[2], double s, double xi[3])
{
  const bf_elem_info *el = bf_elem(bf_mesh_block_of(mesh, elem)->type);
  int                 nen;
  const bf_int       *own = bf_mesh_elem_nodes(mesh, elem, &nen);
  for (int i = 0; i < 3; i++) xi[i] = 0.0;
  for (int a = 0; a < nen; a++)
    for (int i = 0; i < 3; i++)
      xi[i] += (own[a] == node[0]   ? 0.5 * (1.0 - s)
                : own[a] == node[1] ? 0.5 * (1.0 + s)
                                    : 0.0) *
               el->corner[a][i];
}
