/* assembly/gfem/sides.c - sides of elements with the shape functions of their parents, for loads, Robin
 * conditions and Nitsche's terms; see gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
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

bf_err bf_gfem_sides_create(const bf_model *m, const bf_face_set *set, const uint8_t *take, bf_gfem_sides *s)
{
  bf_err  err = BF_OK;
  double *x = NULL, *f = NULL;
  memset(s, 0, sizeof *s);
  s->set = set;
  BF_GO(bf_quadrature(BF_LINE2, bf_gfem_points(m->problem, BF_LINE2), BF_RULE_STIFFNESS, &s->rule));
  for (bf_int i = 0; i < set->n; i++) s->n += !take || take[i];
  const size_t nq = (size_t)s->rule.n, np = nq * (size_t)s->n;
  BF_GO(BF_NEW_ARRAY(s->face, s->n));
  BF_GO(BF_NEW_ARRAY(s->elem, s->n));
  BF_GO(BF_NEW_ARRAY(s->x, 3 * np));
  BF_GO(BF_NEW_ARRAY(s->normal, 3 * (size_t)s->n));
  BF_GO(BF_NEW_ARRAY(s->factor, np));
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(f, np));
  bf_int n = 0;
  for (bf_int i = 0; i < set->n; i++)
    if (!take || take[i]) s->face[n++] = i;
  for (bf_int i = 0; i < s->n; i++) {
    const bf_int *v = set->node + 2 * (size_t)s->face[i];
    const double *a = m->mesh->x + 3 * (size_t)v[0], *b = m->mesh->x + 3 * (size_t)v[1];
    double       *N = s->normal + 3 * (size_t)i;
    s->elem[i]      = set->parent[s->face[i]];
    N[2]            = hypot(b[0] - a[0], b[1] - a[1]);
    N[0]            = (b[1] - a[1]) / N[2]; /* the interior lies to the left of a -> b */
    N[1]            = (a[0] - b[0]) / N[2];
    for (size_t q = 0; q < nq; q++)
      for (size_t d = 0; d < 3; d++) {
        const double t                     = s->rule.xi[q][0];
        s->x[3 * (nq * (size_t)i + q) + d] = 0.5 * (1.0 - t) * a[d] + 0.5 * (1.0 + t) * b[d];
      }
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
  bf_gfem_on_side(m->mesh, s->elem[i], s->set->node + 2 * (size_t)s->face[i], s->rule.xi[q][0], xi);
  bf_gfem_shape(m->mesh, bf_gfem_of(m), s->elem[i], xi, psi, d, x);
  *w = m->thickness * s->rule.w[q] * 0.5 * s->normal[3 * (size_t)i + 2];
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
  const int     nv = m->nv, heat = m->ncomp == 1;
  const double *C       = m->C + (size_t)m->region[elem] * (size_t)(nv * nv);
  const double  N[2][3] = {{normal[0], heat ? normal[1] : 0.0, heat ? 0.0 : normal[1]},
                           {0.0, normal[1], normal[0]}}; /* strain order xx yy xy; gradients x y */
  memset(T, 0, (size_t)(m->ncomp * nd) * sizeof *T);
  for (int c = 0; c < m->ncomp; c++)
    for (int k = 0; k < nv; k++) {
      double s = 0.0;
      for (int i = 0; i < nv; i++) s += N[c][i] * C[i * nv + k];
      for (int j = 0; j < nd; j++) T[c * nd + j] += factor * s * B[k * nd + j];
    }
}
