/* assembly/recover/patch_recovery.c - samples of all cells, and the cells of each point: see patch_recovery.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/patch_recovery.h"
#include "assembly/basis/shape.h"
#include "assembly/recover/recover.h"
#include "base/incidence.h"
#include "base/memory.h"
#include <string.h>

/* Rule of the samples of a type: one order less than the elements'. */
static bf_err sample_rule(bf_elem_type type, bf_rule *r)
{
  const bf_elem_info *el  = bf_elem(type);
  const int           box = el->ncorners > el->dim + 1;
  return bf_quadrature(type, el->order == 1 ? 1 : box ? 2 : 0, BF_RULE_STIFFNESS, r);
}

static bf_err table_fill(const bf_model_block *b, bf_sample_table *t)
{
  const bf_elem_type type = b->block->type, linear = bf_elem_of_order(type, 1);
  const int          nen = bf_elem(type)->nnodes;
  double             node[BF_NEN_MAX][3], T[BF_NEN_MAX][BF_QUADRATURE_MAX];
  bf_rule            r;
  bf_elem_nodes(type, node);
  BF_TRY(sample_rule(type, &r));
  if (r.n == 1 || !bf_recover_fit(linear, &b->stiffness, r.n, (const double(*)[3])r.xi, t->S)) {
    BF_TRY(bf_quadrature(type, 1, BF_RULE_STIFFNESS, &r));
    bf_recover_mean(&b->stiffness, r.n, t->S);
  }
  t->n     = r.n;
  t->order = bf_elem(type)->order;
  for (int s = 0; s < r.n; s++) bf_shape(type, r.xi[s], t->N[s], NULL);
  if (!bf_recover_fit(linear, &r, nen, (const double(*)[3])node, T)) bf_recover_mean(&r, nen, T);
  for (int a = 0; a < nen; a++) memcpy(t->T[a], T[a], sizeof t->T[a]);
  bf_recover_extrapolation(type, &b->stiffness, nen, (const double(*)[3])node, t->P);
  return BF_OK;
}

int64_t bf_patches_bytes(bf_elem_type type, int nq, int width)
{
  bf_rule   r;
  const int ns   = sample_rule(type, &r) == BF_OK ? r.n : 0;
  const int poly = bf_elem(type)->order == 2 ? BF_PATCH_POLY : 0; /* about a corner node for an element */
  return 8 * ((int64_t)ns * (3 + width) + (int64_t)nq * (1 + width) + poly) + 4 * bf_elem(type)->nnodes;
}

int bf_patches_block(const bf_patches *p, bf_int cell)
{
  int b = 0;
  while (cell >= p->cell0[b + 1]) b++;
  return b;
}

/* Cells of each point, ascending. */
static bf_err incidence(bf_patches *p)
{
  const bf_item_list cells = {.n = p->view->ncells, .ptr = p->view->ptr, .node = p->view->point};
  return bf_incidence_create(p->view->npoints, &cells, cells.n > 0, &p->ptr, &p->item);
}

bf_err bf_patches_create(const bf_model *m, const bf_view *view, int width, bf_patches **out)
{
  bf_err      err = BF_OK;
  bf_patches *p   = NULL;
  size_t      ns = 0, nq = 0;
  BF_GO(BF_NEW_ARRAY(p, 1));
  p->m     = m;
  p->view  = view;
  p->width = width;
  BF_GO(BF_NEW_ARRAY(p->table, m->nblocks));
  BF_GO(BF_NEW_ARRAY(p->cell0, m->nblocks + 1));
  BF_GO(BF_NEW_ARRAY(p->s0, m->nblocks));
  BF_GO(BF_NEW_ARRAY(p->q0, m->nblocks));
  for (int b = 0; b < m->nblocks; b++) {
    const size_t n = (size_t)m->block[b].block->n;
    BF_GO(table_fill(&m->block[b], &p->table[b]));
    p->cell0[b + 1] = p->cell0[b] + m->block[b].block->n;
    p->s0[b]        = ns;
    p->q0[b]        = nq;
    ns += n * (size_t)p->table[b].n;
    nq += n * (size_t)m->block[b].stiffness.n;
  }
  BF_GO(BF_NEW_ARRAY(p->x, 3 * ns));
  BF_GO(BF_NEW_ARRAY(p->v, (size_t)width * ns));
  BF_GO(BF_NEW_ARRAY(p->det, nq));
  BF_GO(BF_NEW_ARRAY(p->value, (size_t)width * nq + BF_LANES)); /* the last lanes may be read past the end */
  BF_GO(BF_NEW_ARRAY(p->by, view->npoints));
  BF_GO(incidence(p));
  *out = p;
  p    = NULL;
done:
  bf_patches_destroy(&p);
  return err;
}

void bf_patches_destroy(bf_patches **p)
{
  if (!p || !*p) return;
  bf_host_free((*p)->table);
  bf_host_free((*p)->cell0);
  bf_host_free((*p)->s0);
  bf_host_free((*p)->q0);
  bf_host_free((*p)->x);
  bf_host_free((*p)->v);
  bf_host_free((*p)->det);
  bf_host_free((*p)->value);
  bf_host_free((*p)->ptr);
  bf_host_free((*p)->item);
  bf_host_free((*p)->by);
  bf_host_free(*p);
  *p = NULL;
}

static void keep_points(bf_patches *to, int block, const bf_points *p, const bf_int *cell, int n)
{
  const bf_rule *rule = &to->m->block[block].stiffness;
  for (int l = 0; l < n; l++) {
    const size_t at  = to->q0[block] + (size_t)(cell[l] - to->cell0[block]) * (size_t)rule->n;
    double      *det = to->det + at, *value = to->value + at * (size_t)to->width;
    for (int q = 0; q < rule->n; q++) det[q] = p->wdet[q][l] / rule->w[q];
    for (int k = 0; k < to->width; k++)
      for (int q = 0; q < rule->n; q++) value[k * rule->n + q] = p->value[q][k][l];
  }
}

BF_VECTOR void bf_patches_store(bf_patches *to, int block, const bf_points *p, const bf_int *cell, int n)
{
  const bf_sample_table *t    = &to->table[block];
  const bf_mesh         *mesh = to->m->mesh;
  const int              nq = to->m->block[block].stiffness.n, w = to->width;
  const int              nen = bf_elem(to->m->block[block].block->type)->nnodes;
  for (int s = 0; s < t->n; s++) {
    double v[BF_TENSOR][BF_LANES];
    for (int k = 0; k < w; k++)
#pragma omp simd
      for (int l = 0; l < BF_LANES; l++) {
        double sum = 0.0;
        for (int q = 0; q < nq; q++) sum += t->S[s][q] * p->value[q][k][l];
        v[k][l] = sum;
      }
    for (int l = 0; l < n; l++) {
      const size_t  at    = to->s0[block] + (size_t)(cell[l] - to->cell0[block]) * (size_t)t->n + (size_t)s;
      const bf_int *point = to->view->point + to->view->ptr[cell[l]];
      for (int k = 0; k < w; k++) to->v[at * (size_t)w + (size_t)k] = v[k][l];
      double x[3] = {0.0};
      for (int a = 0; a < nen; a++) {
        const double *node = mesh->x + 3 * (size_t)to->view->node[point[a]];
        for (int i = 0; i < 3; i++) x[i] += t->N[s][a] * node[i];
      }
      memcpy(to->x + 3 * at, x, sizeof x);
    }
  }
  keep_points(to, block, p, cell, n);
}
