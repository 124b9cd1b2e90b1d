/* assembly/gfem/shape.c - polynomials of a patch, and the shape functions of an element; see gfem.h
 *
 *     psi_J = sum_v N_v phi^v_J,     grad psi_J = sum_v (phi^v_J grad N_v + N_v grad phi^v_J)
 *     xi = (x - x_v) / h_v,  so that  grad b_a = (1/h_v) db_a/dxi
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/basis/vector_units.h"
#include "assembly/gfem/gfem.h"
#include <string.h>

int bf_gfem_terms(int dim, int order)
{
  return dim == 2 ? (order + 1) * (order + 2) / 2 : (order + 1) * (order + 2) * (order + 3) / 6;
}

void bf_gfem_polynomials(int dim, int order, const double *x, double *b, double (*d)[BF_GFEM_TERMS])
{
  double p[3][BF_GFEM_ORDER_MAX + 1] = {{1.0}, {1.0}, {1.0}};
  int    at                          = 0;
  for (int i = 0; i < dim; i++)
    for (int k = 1; k <= order; k++) p[i][k] = p[i][k - 1] * x[i];
  for (int degree = 0; degree <= order; degree++)
    for (int i = degree; i >= 0; i--)
      for (int j = degree - i; j >= (dim == 2 ? degree - i : 0); j--, at++) {
        const int k = degree - i - j;
        b[at]       = p[0][i] * p[1][j] * p[2][k];
        if (!d) continue;
        d[0][at] = i > 0 ? i * p[0][i - 1] * p[1][j] * p[2][k] : 0.0;
        d[1][at] = j > 0 ? j * p[0][i] * p[1][j - 1] * p[2][k] : 0.0;
        if (dim == 3) d[2][at] = k > 0 ? k * p[0][i] * p[1][j] * p[2][k - 1] : 0.0;
      }
}

int bf_gfem_points(const bf_problem *p, bf_elem_type type)
{
  if (p->quadrature > 0) return p->quadrature;
  return type == BF_QUAD4 ? p->order + 2 : p->order + 1;
}

enum { LANES = 8 };

/* s[k][j] = sum_a w[a][k] C[a][j] of LANES columns; K = 1, 3 or 4 of them. */
static inline void lanes(int nb, int K, const double (*w)[4], const double *restrict C, int np,
                         double (*restrict s)[LANES])
{
  double s0[LANES] = {0.0}, s1[LANES] = {0.0}, s2[LANES] = {0.0}, s3[LANES] = {0.0};
  for (int a = 0; a < nb; a++, C += np) {
#pragma omp simd
    for (int j = 0; j < LANES; j++) {
      s0[j] += w[a][0] * C[j];
      if (K > 1) s1[j] += w[a][1] * C[j];
      if (K > 1) s2[j] += w[a][2] * C[j];
      if (K > 3) s3[j] += w[a][3] * C[j];
    }
  }
#pragma omp simd
  for (int j = 0; j < LANES; j++) {
    s[0][j] = s0[j];
    s[1][j] = s1[j];
    s[2][j] = s2[j];
    s[3][j] = s3[j];
  }
}

/* The same for fewer columns. */
static void few(int nb, const double (*w)[4], const double *C, int np, double (*s)[LANES])
{
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < np; j++) {
      s[k][j] = 0.0;
      for (int a = 0; a < nb; a++) s[k][j] += w[a][k] * C[a * np + j];
    }
}

/* Adds N_v phi^v and, unless d is NULL, its derivatives. */
BF_VECTOR static void add_corner(const bf_gfem *g, bf_int q, const double *at, const double *x, double N,
                                 const double *dN, const bf_int *local, int n, double *psi, double *d)
{
  const int     nb = g->nb, dim = g->dim, np = (int)(g->patch.ptr[q + 1] - g->patch.ptr[q]) + 1;
  const double *C = g->C + (size_t)nb * (size_t)(g->patch.ptr[q] + q);
  double        b[BF_GFEM_TERMS], db[3][BF_GFEM_TERMS], w[BF_GFEM_TERMS][4], xi[3], s[4][LANES];
  const double  r = 1.0 / g->h[q];
  for (int i = 0; i < dim; i++) xi[i] = (x[i] - at[i]) * r;
  bf_gfem_polynomials(dim, g->order, xi, b, db);
  for (int a = 0; a < nb; a++) {
    w[a][0] = N * b[a];
    for (int i = 0; i < dim; i++) w[a][i + 1] = dN[i] * b[a] + N * r * db[i][a];
    if (dim == 2) w[a][3] = 0.0;
  }
  for (int j0 = 0; j0 < np; j0 += LANES) { /* the last lanes overlap those before */
    const int from = j0 + LANES <= np || np < LANES ? j0 : np - LANES;
    if (np < LANES)
      few(nb, (const double(*)[4])w, C, np, s);
    else if (!d)
      lanes(nb, 1, (const double(*)[4])w, C + from, np, s);
    else if (dim == 2)
      lanes(nb, 3, (const double(*)[4])w, C + from, np, s);
    else
      lanes(nb, 4, (const double(*)[4])w, C + from, np, s);
    for (int j = j0; j < j0 + LANES && j < np; j++) {
      const bf_int l = local[j];
      psi[l] += s[0][j - from];
      if (!d) continue;
      d[l] += s[1][j - from];
      d[n + l] += s[2][j - from];
      if (dim == 3) d[2 * n + l] += s[3][j - from];
    }
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
  if (d) memset(d, 0, (size_t)g->dim * (size_t)n * sizeof *d);
  for (int a = 0; a < nen; a++) {
    const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    add_corner(g, q, X[a], x, N[a], G[a], local, n, psi, d);
    local += g->patch.ptr[q + 1] - g->patch.ptr[q] + 1;
  }
  return det;
}

void bf_gfem_on_side(const bf_mesh *mesh, bf_int elem, bf_elem_type type, const bf_int *node, const double *s,
                     double xi[3])
{
  const bf_elem_info *el = bf_elem(bf_mesh_block_of(mesh, elem)->type);
  int                 nen;
  const bf_int       *own = bf_mesh_elem_nodes(mesh, elem, &nen);
  double              N[BF_NEN_MAX];
  bf_shape(type, s, N, NULL);
  for (int i = 0; i < 3; i++) xi[i] = 0.0;
  for (int b = 0; b < bf_elem(type)->nnodes; b++)
    for (int a = 0; a < nen; a++)
      for (int i = 0; i < 3 && own[a] == node[b]; i++) xi[i] += N[b] * el->corner[a][i];
}
