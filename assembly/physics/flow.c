/* assembly/physics/flow.c - cell Peclet numbers, fluxes by the flow across the boundary, and consumption by
 * the reaction, on the host
 *
 *     Pe = |v| h/(2 p D), h along the flow: kernels/supg.h; of an element the largest of its points
 *     inflow = - integral of c v.n where v.n < 0,  outflow = integral of c v.n elsewhere,  over the boundary
 *     consumed = integral of r c
 * Sums run over SLICES parts in order, the same for any number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "assembly/basis/shape.h"
#include "base/memory.h"
#include "kernels/supg.h"
#include <math.h>
#include <string.h>

enum { SLICES = 64 };

typedef struct bf_flow_table { /* of one block */
  const bf_model_block *block;
  double                N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3],
      dNv[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
} bf_flow_table;

static void fill_table(const bf_model_block *block, bf_flow_table *t)
{
  const bf_elem_type type = block->block->type;
  double             N[BF_NEN_MAX];
  t->block = block;
  for (int q = 0; q < block->stiffness.n; q++) {
    bf_shape(type, block->stiffness.xi[q], t->N[q], t->dN[q]);
    bf_shape(bf_elem_of_order(type, 1), block->stiffness.xi[q], N, t->dNv[q]);
  }
}

const double *bf_flow_at(const bf_model *m, const bf_model_block *b, bf_int e, int q)
{
  const size_t nv = (size_t)m->nv, nq = (size_t)b->stiffness.n;
  return b->flow ? b->flow + ((size_t)e * nq + (size_t)q) * nv
                 : m->C + (size_t)m->region[b->block->first + e] * nv;
}

static void nodes_of(const bf_model *m, const bf_int *node, int nen, double x[BF_NEN_MAX][3])
{
  for (int a = 0; a < nen; a++) memcpy(x[a], m->mesh->x + 3 * (size_t)node[a], sizeof x[a]);
}

/* w = J^-1 v by Cramer's rule */
static void pull(int dim, double J[3][3], const double v[3], double det, double w[3])
{
  if (dim == 2) {
    w[0] = (v[0] * J[1][1] - J[0][1] * v[1]) / det;
    w[1] = (J[0][0] * v[1] - v[0] * J[1][0]) / det;
    return;
  }
  for (int r = 0; r < 3; r++) {
    double c[3]; /* row r of the cofactors */
    for (int s = 0; s < 3; s++) {
      const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
      c[s] = J[s1][r1] * J[s2][r2] - J[s1][r2] * J[s2][r1];
    }
    w[r] = (c[0] * v[0] + c[1] * v[1] + c[2] * v[2]) / det;
  }
}

static double element_peclet(const bf_model *m, const bf_flow_table *t, bf_int e)
{
  const bf_block     *b    = t->block->block;
  const bf_elem_info *info = bf_elem(b->type);
  double              x[BF_NEN_MAX][3], J[3][3], most = 0.0;
  nodes_of(m, b->node + (size_t)e * (size_t)info->nnodes, info->nnodes, x);
  for (int q = 0; q < t->block->stiffness.n; q++) {
    const double *C    = bf_flow_at(m, t->block, e, q);
    const double  v[3] = {C[2], C[3], m->sdim == 3 ? C[4] : 0.0};
    const double  det =
        bf_shape_jacobian(b->type, m->sdim, (const double(*)[3])x, (const double(*)[3])t->dN[q], J);
    double w[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    pull(m->sdim, J, v, det, w);
    for (int a = 0; a < info->ncorners; a++)
      sum += fabs(w[0] * t->dNv[q][a][0] + w[1] * t->dNv[q][a][1] + w[2] * t->dNv[q][a][2]);
    most = fmax(most, bf_cell_peclet(info->order, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sum, C[0]));
  }
  return most;
}

bf_err bf_flow_peclets(const bf_model *m, double **out)
{
  bf_err         err = BF_OK;
  bf_flow_table *t   = NULL;
  BF_GO(BF_NEW_ARRAY(t, 1));
  BF_GO(BF_NEW_ARRAY(*out, m->mesh->nelem));
  for (int k = 0; k < m->nblocks; k++) {
    const bf_block *b = m->block[k].block;
    fill_table(&m->block[k], t);
#pragma omp parallel for schedule(static) if (b->n > 1024)
    for (bf_int e = 0; e < b->n; e++) (*out)[b->first + e] = element_peclet(m, t, e);
  }
done:
  bf_host_free(t);
  return err;
}

bf_err bf_flow_peclet(const bf_model *m, const bf_view *view, double *peclet)
{
  bf_err  err = BF_OK;
  double *all = NULL;
  BF_GO(bf_flow_peclets(m, &all));
  for (bf_int c = 0; c < view->ncells; c++) peclet[c] = all[view->elem[c]];
done:
  bf_host_free(all);
  return err;
}

/* ---- across the boundary ---- */

bf_err bf_flow_normal(const bf_model *m, const bf_face_set *set, bf_diags *diags, double **vn, double **speed)
{
  bf_err       err = BF_OK;
  double      *x = NULL, *f = NULL, *v = NULL, dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3], N[BF_NEN_MAX];
  uint8_t     *use = NULL;
  const int    nen = bf_elem(set->type)->nnodes, nq = set->rule.n;
  const size_t np = (size_t)set->n * (size_t)nq;
  BF_GO(BF_NEW_ARRAY(use, set->n));
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(f, np));
  BF_GO(BF_NEW_ARRAY(v, 3 * np));
  BF_GO(BF_NEW_ARRAY(*vn, np));
  BF_GO(BF_NEW_ARRAY(*speed, np));
  bf_model_points(m->mesh, set->type, set->node, 0, set->n, &set->rule, x);
  for (int k = 0; k < m->problem->nmaterials; k++)
    for (int c = 0; c < m->sdim; c++) {
      int here = 0;
      for (bf_int i = 0; i < set->n && !here; i++) here = m->region[set->parent[i]] == k;
      if (!here) break;
      const bf_quantity *velocity = &m->problem->material[k].velocity[c];
      for (bf_int i = 0; i < set->n; i++) use[i] = m->region[set->parent[i]] == k;
      const bf_err bad = bf_quantity_need(m, velocity, (int64_t)np, x, use, nq, f);
      if (bad == BF_E_MODEL && diags) goto done; /* E319; zeros */
      BF_NEED(bad == BF_OK, bad, "the velocity of material '%s' on the boundary",
              m->problem->material[k].name);
      for (size_t i = 0; i < np; i++)
        if (m->region[set->parent[i / (size_t)nq]] == k) v[3 * i + (size_t)c] = f[i];
    }
  for (int q = 0; q < nq; q++) bf_shape(set->type, set->rule.xi[q], N, dN[q]);
  for (bf_int e = 0; e < set->n; e++) {
    double at[BF_NEN_MAX][3], n[3];
    nodes_of(m, set->node + (size_t)e * (size_t)nen, nen, at);
    for (int q = 0; q < nq; q++) {
      const size_t  i = (size_t)e * (size_t)nq + (size_t)q;
      const double *w = v + 3 * i;
      bf_shape_normal(set->type, m->sdim, (const double(*)[3])at, (const double(*)[3])dN[q], n);
      (*vn)[i]    = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
      (*speed)[i] = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
  }
done:
  bf_host_free(use);
  bf_host_free(x);
  bf_host_free(f);
  bf_host_free(v);
  return err;
}

/* Weights w det J of the points of one face, with turn and thickness; c there from its nodes.
 */
static void face_points(const bf_model *m, const bf_numbering *num, const bf_face_set *set, bf_int e,
                        double (*N)[BF_NEN_MAX], double (*dN)[BF_NEN_MAX][3], const double *u, double *weight,
                        double *c)
{
  const int     nen  = bf_elem(set->type)->nnodes;
  const bf_int *node = set->node + (size_t)e * (size_t)nen;
  double        x[BF_NEN_MAX][3], J[3][3];
  nodes_of(m, node, nen, x);
  for (int q = 0; q < set->rule.n; q++) {
    weight[q] = m->thickness * bf_model_turn(m, nen, N[q], (const double(*)[3])x) * set->rule.w[q] *
                bf_shape_jacobian(set->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN[q], J);
    c[q] = 0.0;
    for (int a = 0; a < nen && u; a++) c[q] += N[q][a] * u[num->row[node[a]]];
  }
}

static bf_err through(const bf_model *m, const bf_numbering *num, const bf_face_set *set, const double *u,
                      bf_solution *out)
{
  bf_err  err = BF_OK;
  double *vn = NULL, *speed = NULL, N[BF_QUADRATURE_MAX][BF_NEN_MAX], dN[BF_QUADRATURE_MAX][BF_NEN_MAX][3];
  double  in[SLICES] = {0.0}, outward[SLICES] = {0.0};
  const int64_t n  = set->n;
  const int     nq = set->rule.n;
  BF_GO(bf_flow_normal(m, set, NULL, &vn, &speed));
  for (int q = 0; q < nq; q++) bf_shape(set->type, set->rule.xi[q], N[q], dN[q]);
#pragma omp parallel for schedule(static) if (n > 1024)
  for (int k = 0; k < SLICES; k++)
    for (bf_int e = (bf_int)(n * k / SLICES); e < (bf_int)(n * (k + 1) / SLICES); e++) {
      double weight[BF_QUADRATURE_MAX], c[BF_QUADRATURE_MAX];
      face_points(m, num, set, e, N, dN, u, weight, c);
      for (int q = 0; q < nq; q++) {
        const double s = weight[q] * c[q] * vn[(size_t)e * (size_t)nq + (size_t)q];
        *(vn[(size_t)e * (size_t)nq + (size_t)q] < 0.0 ? &in[k] : &outward[k]) += s;
      }
    }
  for (int k = 0; k < SLICES; k++) {
    out->inflow -= in[k];
    out->outflow += outward[k];
  }
done:
  bf_host_free(vn);
  bf_host_free(speed);
  return err;
}

/* integral of r c over one element */
static double used_up(const bf_model *m, const bf_numbering *num, const bf_flow_table *t, bf_int e,
                      const double *u)
{
  const bf_block *b    = t->block->block;
  const int       nen  = bf_elem(b->type)->nnodes;
  const bf_int   *node = b->node + (size_t)e * (size_t)nen;
  double          x[BF_NEN_MAX][3], J[3][3], sum = 0.0;
  nodes_of(m, node, nen, x);
  for (int q = 0; q < t->block->stiffness.n; q++) {
    double c = 0.0;
    for (int a = 0; a < nen; a++) c += t->N[q][a] * u[num->row[node[a]]];
    sum += bf_flow_at(m, t->block, e, q)[1] * c * m->thickness * t->block->stiffness.w[q] *
           bf_model_turn(m, nen, t->N[q], (const double(*)[3])x) *
           bf_shape_jacobian(b->type, m->sdim, (const double(*)[3])x, (const double(*)[3])t->dN[q], J);
  }
  return sum;
}

static int has_reaction(const bf_model *m)
{
  int any = 0;
  for (int k = 0; k < m->problem->nmaterials; k++)
    any |= !bf_quantity_is_zero(&m->problem->material[k].reaction);
  return any;
}

bf_err bf_flow_sums(const bf_model *m, const bf_numbering *num, const double *u, bf_solution *out)
{
  bf_err         err = BF_OK;
  bf_flow_table *t   = NULL;
  out->inflow = out->outflow = out->consumed = 0.0;
  for (int s = 0; s < m->nouter; s++) BF_GO(through(m, num, &m->outer[s], u, out));
  if (!has_reaction(m)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(t, 1));
  for (int i = 0; i < m->nblocks; i++) {
    const int64_t n            = m->block[i].block->n;
    double        part[SLICES] = {0.0};
    fill_table(&m->block[i], t);
#pragma omp parallel for schedule(static) if (n > 1024)
    for (int k = 0; k < SLICES; k++)
      for (bf_int e = (bf_int)(n * k / SLICES); e < (bf_int)(n * (k + 1) / SLICES); e++)
        part[k] += used_up(m, num, t, e, u);
    for (int k = 0; k < SLICES; k++) out->consumed += part[k];
  }
done:
  bf_host_free(t);
  return err;
}
