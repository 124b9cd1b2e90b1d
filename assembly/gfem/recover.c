/* assembly/gfem/recover.c - strains, stresses and heat fluxes with the shape functions of gfem.h
 *
 * cell value      mean over the integration points weighted by w det J; von_mises the mean of the points'
 * nodal value     of the shape functions at the node itself, mean over the elements of one material that
 *                 share it; von_mises_nodal of the mean tensor
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/von_mises.h"
#include "assembly/gfem/matrix.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { TENSOR = 6 };

/* strain (tensor components) and stress, or heat flux, of elem from grad u = g[ncomp][dim] and the thermal
 * strain. */
static void stress_of(const bf_model *m, bf_int elem, double factor, double thermal, double g[3][3],
                      double *strain, double *value)
{
  static const int   place[2][6] = {{0, 1, 3}, {0, 1, 2, 3, 4, 5}}; /* of a row of B in a tensor */
  const int          nv = m->nv, *to = place[m->sdim == 3];
  const bf_material *mat  = &m->problem->material[m->region[elem]];
  const double      *C    = m->C + (size_t)m->region[elem] * (size_t)(nv * nv);
  double             e[6] = {0.0}, s[6];
  memset(strain, 0, TENSOR * sizeof *strain);
  memset(value, 0, TENSOR * sizeof *value);
  for (int c = 0; c < m->ncomp; c++)
    for (int i = 0; i < m->sdim; i++) e[bf_gfem_strain(m, c, i)] += g[c][i];
  double t[6] = {0.0};
  if (thermal != 0.0) bf_thermal_stress(m, m->region[elem], t);
  for (int i = 0; i < nv; i++) {
    s[i] = -factor * thermal * t[i];
    for (int j = 0; j < nv; j++) s[i] += factor * C[i * nv + j] * e[j];
  }
  for (int i = 0; i < nv && m->ncomp == 1; i++) value[i] = -s[i];
  if (m->ncomp == 1) return;
  for (int i = 0; i < nv; i++) {
    strain[to[i]] = to[i] < 3 ? e[i] : 0.5 * e[i];
    value[to[i]]  = s[i];
  }
  if (m->space == BF_SPACE_PLANE_STRESS)
    strain[2] = thermal - mat->nu / (1.0 - mat->nu) * (e[0] + e[1] - 2.0 * thermal);
  else if (m->sdim == 2) /* C[8] is the shear modulus */
    value[2] = mat->nu * (s[0] + s[1]) - 2.0 * (1.0 + mat->nu) * factor * C[8] * thermal;
}

/* grad u of elem from d of its nodes. */
static void gradient(const bf_model *m, const bf_numbering *num, bf_int elem, const double *u,
                     const double *d, double g[3][3])
{
  const bf_int *node;
  const int     n = bf_gfem_nodes(bf_gfem_of(m), elem, &node), D = m->ncomp;
  memset(g, 0, 9 * sizeof g[0][0]);
  for (int a = 0; a < n; a++)
    for (int c = 0; c < D; c++) {
      const double v = u[(size_t)num->row[node[a]] * (size_t)D + (size_t)c];
      for (int i = 0; i < m->sdim; i++) g[c][i] += d[i * n + a] * v;
    }
}

/* *strain: thermal strain at the corners, [nelem][BF_GFEM_CORNERS]; NULL without thermal loads. */
static bf_err thermal_at_corners(const bf_model *m, double **strain)
{
  bf_err   err = BF_OK;
  uint8_t *in  = NULL;
  bf_int   count;
  *strain = NULL;
  BF_GO(BF_NEW_ARRAY(in, m->mesh->nelem));
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load *load = &m->problem->load[l];
    if (load->type != BF_LOAD_THERMAL) continue;
    if (!*strain) BF_GO(BF_NEW_ARRAY(*strain, BF_GFEM_CORNERS * (size_t)m->mesh->nelem));
    for (int i = 0; i < m->nblocks; i++) {
      const bf_block *B   = m->block[i].block;
      const int       nen = bf_elem(B->type)->nnodes;
      bf_load_elements(m, load, B, -1, in, &count);
      for (bf_int e = 0; e < B->n; e++) {
        double x[BF_CORNERS_MAX][3], T[BF_CORNERS_MAX];
        for (int a = 0; a < nen && in[e]; a++)
          memcpy(x[a], m->mesh->x + 3 * (size_t)B->node[(size_t)e * (size_t)nen + (size_t)a], sizeof x[a]);
        if (!in[e]) continue;
        BF_GO(bf_quantity_need(m, &load->value[0], nen, x[0], NULL, 1, T));
        const double alpha = m->problem->material[m->region[B->first + e]].alpha;
        for (int a = 0; a < nen; a++)
          (*strain)[BF_GFEM_CORNERS * (size_t)(B->first + e) + (size_t)a] = alpha * (T[a] - load->reference);
      }
    }
  }
done:
  bf_host_free(in);
  return err;
}

/* Means of a cell, and values at its corners into nodal[corners][width]. */
static void one_cell(const bf_model *m, const bf_numbering *num, const bf_model_block *b, bf_int e,
                     bf_int cell, const double *u, const double *factor, const double *thermal,
                     const bf_basis_targets *to, bf_gfem_work *w, double *nodal)
{
  const bf_int elem   = b->block->first + e;
  double       volume = 0.0, strain[TENSOR], value[TENSOR], g[3][3], x[3], sum[2 * TENSOR + 2] = {0.0};
  for (int q = 0; q < b->stiffness.n; q++) {
    const double F = b->factor ? b->factor[(size_t)e * (size_t)b->stiffness.n + (size_t)q] : 1.0;
    const double dV =
        b->stiffness.w[q] * bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, b->stiffness.xi[q], w->psi, w->d, x);
    gradient(m, num, elem, u, w->d, g);
    stress_of(m, elem, F, b->expansion ? b->expansion[(size_t)e * (size_t)b->stiffness.n + (size_t)q] : 0.0,
              g, strain, value);
    volume += dV;
    for (int k = 0; k < TENSOR; k++) {
      sum[k] += dV * value[k];
      sum[TENSOR + k] += dV * strain[k];
    }
    const double vm = bf_von_mises(value);
    sum[2 * TENSOR] += dV * vm;
    sum[2 * TENSOR + 1] = fmax(sum[2 * TENSOR + 1], vm);
  }
  for (int k = 0; k < to->width; k++) {
    to->value[(size_t)cell * (size_t)to->width + (size_t)k] = sum[k] / volume;
    if (to->strain) to->strain[(size_t)cell * (size_t)to->width + (size_t)k] = sum[TENSOR + k] / volume;
  }
  if (to->vm) to->vm[cell] = sum[2 * TENSOR] / volume;
  if (to->vm_max) to->vm_max[cell] = sum[2 * TENSOR + 1];
  for (int a = 0; a < bf_elem(b->block->type)->nnodes; a++) {
    const bf_int q = bf_gfem_of(m)->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, bf_elem(b->block->type)->corner[a], w->psi, w->d, x);
    gradient(m, num, elem, u, w->d, g);
    stress_of(m, elem, factor[q], thermal ? thermal[BF_GFEM_CORNERS * (size_t)elem + (size_t)a] : 0.0, g,
              strain, value);
    for (int k = 0; k < to->width; k++) nodal[a * to->width + k] = value[k];
  }
}

/* factor[entry] of the material's coefficient at the node. */
static bf_err factors(const bf_model *m, double *factor)
{
  bf_err                 err = BF_OK;
  const bf_gfem_entries *at  = &bf_gfem_of(m)->at;
  double                *x = NULL, *f = NULL;
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)at->n));
  BF_GO(BF_NEW_ARRAY(f, at->n));
  for (bf_int k = 0; k < m->problem->nmaterials; k++) {
    bf_int n = 0;
    for (bf_int q = 0; q < at->n; q++)
      if (at->region[q] == k)
        memcpy(x + 3 * (size_t)n++, m->mesh->x + 3 * (size_t)at->node[q], 3 * sizeof *x);
    BF_GO(bf_model_factor(m, k, n, x, f));
    n = 0;
    for (bf_int q = 0; q < at->n; q++)
      if (at->region[q] == k) factor[q] = f[n++];
  }
done:
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

/* Means at the points of the values of their cells, in the order of cells: the order of sums is fixed. */
static void average(const bf_view *view, const double *nodal, bf_int *count, const bf_basis_targets *to)
{
  const size_t w = (size_t)to->width;
  for (bf_int c = 0; c < view->ncells; c++)
    for (int64_t i = view->ptr[c]; i < view->ptr[c + 1]; i++) {
      const double *v = nodal + ((size_t)c * BF_GFEM_CORNERS + (size_t)(i - view->ptr[c])) * w;
      double       *s = to->nodal + (size_t)view->point[i] * w;
      for (size_t k = 0; k < w; k++) s[k] += v[k];
      count[view->point[i]]++;
    }
  for (bf_int p = 0; p < view->npoints; p++) {
    for (size_t k = 0; k < w && count[p]; k++) to->nodal[(size_t)p * w + k] /= count[p];
    if (to->vm_nodal) to->vm_nodal[p] = bf_von_mises(to->nodal + (size_t)p * w);
  }
}

bf_err bf_gfem_fields(const bf_model *m, const bf_numbering *num, const bf_view *view, const double *u,
                      const bf_basis_targets *to, bf_solution *out)
{
  (void)out;
  bf_err        err    = BF_OK;
  bf_gfem_work *work   = NULL;
  double       *factor = NULL, *nodal = NULL, *thermal = NULL;
  bf_int       *count = NULL;
  BF_GO(BF_NEW_ARRAY(factor, bf_gfem_of(m)->at.n));
  BF_GO(factors(m, factor));
  BF_GO(thermal_at_corners(m, &thermal));
  BF_GO(BF_NEW_ARRAY(count, view->npoints));
  BF_GO(BF_NEW_ARRAY(nodal, (size_t)view->ncells * BF_GFEM_CORNERS * (size_t)to->width));
  BF_GO(bf_gfem_works_create(m, omp_get_max_threads(), &work));
#pragma omp parallel for schedule(dynamic, 64)
  for (bf_int c = 0; c < view->ncells; c++) {
    int             i = 0;
    const bf_block *B;
    while (B = m->block[i].block, view->elem[c] < B->first || view->elem[c] >= B->first + B->n) i++;
    one_cell(m, num, &m->block[i], view->elem[c] - B->first, c, u, factor, thermal, to,
             &work[omp_get_thread_num()], nodal + (size_t)c * BF_GFEM_CORNERS * (size_t)to->width);
  }
  average(view, nodal, count, to);
done:
  bf_gfem_works_destroy(omp_get_max_threads(), &work);
  bf_host_free(factor);
  bf_host_free(thermal);
  bf_host_free(nodal);
  bf_host_free(count);
  return err;
}
