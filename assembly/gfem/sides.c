/* assembly/gfem/sides.c - sides of elements with the shape functions of their parents, for loads, Robin
 * conditions and Nitsche's terms; see gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/gfem/matrix.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

void bf_gfem_sides_clear(bf_gfem_sides *s)
{
  bf_host_free(s->face);
  bf_host_free(s->elem);
  bf_host_free(s->x);
  bf_host_free(s->normal);
  bf_host_free(s->factor);
  bf_host_free(s->w);
  bf_host_free(s->size);
  memset(s, 0, sizeof *s);
}

/* Factors of the sides whose parent has material k; x, f: scratch for all points. */
static bf_err factors_of(const bf_model *m, bf_gfem_sides *s, bf_int k, double *x, double *f)
{
  const size_t nq = (size_t)s->rule.n;
  int64_t      n  = 0;
  for (bf_int i = 0; i < s->n; i++)
    if (m->region[s->elem[i]] == k) {
      memcpy(x + 3 * n, s->x + 3 * nq * (size_t)i, 3 * nq * sizeof *x);
      n += (int64_t)nq;
    }
  BF_TRY(bf_model_factor(m, k, n, x, f));
  n = 0;
  for (bf_int i = 0; i < s->n; i++)
    if (m->region[s->elem[i]] == k) {
      memcpy(s->factor + nq * (size_t)i, f + n, nq * sizeof *f);
      n += (int64_t)nq;
    }
  return BF_OK;
}

/* Places, normals and weights of side i, and its size. */
static void geometry(const bf_model *m, bf_gfem_sides *s, bf_int i)
{
  const bf_elem_info *el = bf_elem(s->set->type);
  const bf_int       *v  = s->set->node + (size_t)el->nnodes * (size_t)s->face[i];
  double              N[BF_NEN_MAX], dN[BF_NEN_MAX][3], X[BF_NEN_MAX][3], J[3][3], area = 0.0;
  for (int a = 0; a < el->nnodes; a++) memcpy(X[a], m->mesh->x + 3 * (size_t)v[a], sizeof X[a]);
  for (int q = 0; q < s->rule.n; q++) {
    const size_t at = (size_t)i * (size_t)s->rule.n + (size_t)q;
    bf_shape(s->set->type, s->rule.xi[q], N, dN);
    for (int a = 0; a < el->nnodes; a++)
      for (int d = 0; d < 3; d++) s->x[3 * at + (size_t)d] += N[a] * X[a][d];
    const double w = s->rule.w[q] * bf_shape_jacobian(s->set->type, m->sdim, (const double(*)[3])X,
                                                      (const double(*)[3])dN, J);
    bf_shape_normal(s->set->type, m->sdim, (const double(*)[3])X, (const double(*)[3])dN, s->normal + 3 * at);
    s->w[at] = m->thickness * w;
    area += w;
  }
  s->size[i] = m->sdim == 2 ? area : sqrt(s->set->type == BF_TRI3 ? 2.0 * area : area);
}

bf_err bf_gfem_sides_create(const bf_model *m, const bf_face_set *set, const uint8_t *take, bf_gfem_sides *s)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL;
  memset(s, 0, sizeof *s);
  s->set = set;
  BF_GO(bf_quadrature(set->type, bf_gfem_points(m->problem, set->type), BF_RULE_STIFFNESS, &s->rule));
  for (bf_int i = 0; i < set->n; i++) s->n += !take || take[i];
  const size_t np = (size_t)s->rule.n * (size_t)s->n;
  BF_GO(BF_NEW_ARRAY(s->face, s->n));
  BF_GO(BF_NEW_ARRAY(s->elem, s->n));
  BF_GO(BF_NEW_ARRAY(s->x, 3 * np));
  BF_GO(BF_NEW_ARRAY(s->normal, 3 * np));
  BF_GO(BF_NEW_ARRAY(s->w, np));
  BF_GO(BF_NEW_ARRAY(s->size, s->n));
  BF_GO(BF_NEW_ARRAY(s->factor, np));
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(f, np));
  bf_int n = 0;
  for (bf_int i = 0; i < set->n; i++)
    if (!take || take[i]) s->face[n++] = i;
  for (bf_int i = 0; i < s->n; i++) {
    s->elem[i] = set->parent[s->face[i]];
    geometry(m, s, i);
  }
  for (bf_int k = 0; k < m->problem->nmaterials; k++) BF_GO(factors_of(m, s, k, x, f));
done:
  bf_host_free(x);
  bf_host_free(f);
  if (err != BF_OK) bf_gfem_sides_clear(s);
  return err;
}

int bf_gfem_side_point(const bf_model *m, const bf_gfem_sides *s, bf_int i, int q, double *psi, double *d,
                       double *w)
{
  const bf_int *node;
  double        xi[3], x[3];
  bf_gfem_on_side(m->mesh, s->elem[i], s->set->type,
                  s->set->node + (size_t)bf_elem(s->set->type)->nnodes * (size_t)s->face[i], s->rule.xi[q],
                  xi);
  bf_gfem_shape(m->mesh, bf_gfem_of(m), s->elem[i], xi, psi, d, x);
  *w = s->w[(size_t)i * (size_t)s->rule.n + (size_t)q];
  return bf_gfem_nodes(bf_gfem_of(m), s->elem[i], &node);
}

int bf_gfem_prescribed(const bf_model *m, const bf_face_set *set, int comp[3])
{
  const bf_boundary *bc = &m->problem->boundary[set->boundary];
  int                n  = 0;
  for (int c = 0; c < m->ncomp; c++)
    if (bc->type != BF_BC_DISPLACEMENT || bc->given[c]) comp[n++] = c;
  return n;
}

void bf_gfem_tractions(const bf_model *m, bf_int elem, double factor, const double *normal, int nd,
                       const double *B, double *T)
{
  const int     nv      = m->nv;
  const double *C       = m->C + (size_t)m->region[elem] * (size_t)(nv * nv);
  double        N[3][6] = {{0.0}};
  for (int c = 0; c < m->ncomp; c++)
    for (int i = 0; i < m->sdim; i++) N[c][bf_gfem_strain(m, c, i)] = normal[i];
  memset(T, 0, (size_t)(m->ncomp * nd) * sizeof *T);
  for (int c = 0; c < m->ncomp; c++)
    for (int k = 0; k < nv; k++) {
      double s = 0.0;
      for (int i = 0; i < nv; i++) s += N[c][i] * C[i * nv + k];
      for (int j = 0; j < nd; j++) T[c * nd + j] += factor * s * B[k * nd + j];
    }
}
