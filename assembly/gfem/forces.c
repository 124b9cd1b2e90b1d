/* assembly/gfem/forces.c - nodal forces of a solution with the shape functions of gfem.h, on the host
 *
 *     f_J = sum_q w  B_J^T C B u        of elements,     sum_q w  h psi_J (psi u)     of Robin conditions
 * and the force on the body by a curved side under Nitsche's method:  sum_q w (T u - (gamma C_11 / l)(u -
 * g)).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/matrix.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>

static void unknowns_of(const bf_model *m, const bf_numbering *num, bf_int elem, const double *u, double *ue)
{
  const bf_int *node;
  const int     n = bf_gfem_nodes(bf_gfem_of(m), elem, &node), D = m->ncomp;
  for (int a = 0; a < n; a++)
    for (int c = 0; c < D; c++) ue[a * D + c] = u[(size_t)num->row[node[a]] * (size_t)D + (size_t)c];
}

typedef struct bf_inside { /* elements of a block and a solution */
  const bf_numbering   *num;
  const bf_model_block *block;
  const double         *u;
} bf_inside;

static bf_int element_of(const void *data, bf_int i)
{
  const bf_inside *s = data;
  return s->block->block->first + i;
}

/* fe += B^T s of an element. */
static void element_force(const bf_model *m, const void *data, bf_int e, bf_gfem_work *w, double *fe)
{
  const bf_inside *in = data;
  const bf_int    *node, elem = element_of(in, e);
  const int        n = bf_gfem_nodes(bf_gfem_of(m), elem, &node), nd = n * m->ncomp, nv = m->nv;
  const double    *C = m->C + (size_t)m->region[elem] * (size_t)(nv * nv);
  unknowns_of(m, in->num, elem, in->u, w->ue);
  for (int q = 0; q < in->block->stiffness.n; q++) {
    const double weight    = bf_gfem_at_point(m, in->block, e, q, w);
    double       strain[6] = {0.0}, s[6];
    for (int k = 0; k < nv; k++)
      for (int j = 0; j < nd; j++) strain[k] += w->B[k * nd + j] * w->ue[j];
    for (int k = 0; k < nv; k++) {
      s[k] = 0.0;
      for (int i = 0; i < nv; i++) s[k] += weight * C[k * nv + i] * strain[i];
    }
    for (int k = 0; k < nv; k++)
      for (int j = 0; j < nd; j++) fe[j] += w->B[k * nd + j] * s[k];
  }
}

static bf_err robin_forces(const bf_model *m, const bf_numbering *num, const bf_face_set *set,
                           const double *u, double *ue, bf_gfem_work *w, double *f)
{
  bf_err        err = BF_OK;
  bf_gfem_sides s   = {0};
  double       *h   = NULL;
  BF_GO(bf_gfem_sides_create(m, set, NULL, &s));
  BF_GO(bf_gfem_robin_values(m, &s, &h));
  for (bf_int i = 0; i < s.n; i++) {
    const bf_int *node;
    const int     n = bf_gfem_nodes(bf_gfem_of(m), s.elem[i], &node);
    unknowns_of(m, num, s.elem[i], u, ue);
    for (int q = 0; q < s.rule.n; q++) {
      double    weight;
      const int D = m->ncomp;
      bf_gfem_side_point(m, &s, i, q, w->psi, NULL, &weight);
      for (int c = 0; c < D; c++) {
        double v = 0.0;
        for (int a = 0; a < n; a++) v += w->psi[a] * ue[a * D + c];
        v *= weight * h[((size_t)c * (size_t)s.n + (size_t)i) * (size_t)s.rule.n + (size_t)q];
        for (int a = 0; a < n; a++) f[(size_t)node[a] * (size_t)D + (size_t)c] += w->psi[a] * v;
      }
    }
  }
done:
  bf_gfem_sides_clear(&s);
  bf_host_free(h);
  return err;
}

/* inside, robin [nnodes*ncomp] += nodal forces of K and of Robin conditions; robin may be NULL where there
 * are none. */
static bf_err forces(const bf_model *m, const bf_numbering *num, const double *u, double *inside,
                     double *robin)
{
  bf_err        err = BF_OK;
  bf_gfem_work *w   = NULL;
  BF_GO(bf_gfem_works_create(m, omp_get_max_threads(), &w));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_inside   in  = {num, &m->block[b], u};
    const bf_gfem_sum sum = {m->block[b].block->n, element_of, element_force, &in};
    BF_GO(bf_gfem_add_items(m, &sum, w, inside));
  }
  for (int i = 0; i < m->nsets && robin; i++)
    if (bf_gfem_is_robin(m, &m->set[i])) BF_GO(robin_forces(m, num, &m->set[i], u, w[0].ue, &w[0], robin));
done:
  bf_gfem_works_destroy(omp_get_max_threads(), &w);
  return err;
}

/* on_weak_side[nnodes] = 1 for nodes whose shape functions do not vanish on a side under Nitsche's method. */
static void weak_nodes(const bf_model *m, uint8_t *on_weak_side)
{
  const bf_gfem_faces *f = &bf_gfem_of(m)->face;
  for (int s = 0; s < f->nsets; s++)
    for (bf_int i = 0; i < f->set[s].n; i++) {
      const bf_int *node;
      const int     n = bf_gfem_nodes(bf_gfem_of(m), f->set[s].parent[i], &node);
      for (int a = 0; a < n && f->weak[s][i]; a++) on_weak_side[node[a]] = 1;
    }
}

static int has_robin(const bf_model *m)
{
  int any = 0;
  for (int i = 0; i < m->nsets; i++) any |= bf_gfem_is_robin(m, &m->set[i]);
  return any;
}

/* Reactions also at nodes where values are imposed weakly. */
bf_err bf_gfem_nodal_forces(const bf_model *m, const bf_numbering *num, bf_backend *be,
                            const struct bf_batches *bs, const double *u, bf_phases *phases,
                            bf_nodal_forces *f)
{
  (void)be, (void)bs;
  bf_err       err          = BF_OK;
  uint8_t     *on_weak_side = NULL;
  const double t0           = bf_seconds();
  const size_t D = (size_t)m->ncomp, all = (size_t)m->mesh->nnodes * D;
  BF_GO(BF_NEW_ARRAY(f->inside, all));
  BF_GO(BF_NEW_ARRAY(f->reaction, all));
  BF_GO(BF_NEW_ARRAY(on_weak_side, m->mesh->nnodes));
  if (has_robin(m)) BF_GO(BF_NEW_ARRAY(f->robin, all));
  BF_GO(forces(m, num, u, f->inside, f->robin));
  weak_nodes(m, on_weak_side);
  for (size_t i = 0; i < all; i++)
    if (m->fixed[i] || on_weak_side[i / D])
      f->reaction[i] = f->inside[i] + (f->robin ? f->robin[i] : 0.0) - m->f_ext[i];
  bf_phase_add(phases, "recover: reactions", bf_seconds() - t0, 0.0, 0.0);
done:
  bf_host_free(on_weak_side);
  return err;
}

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

/* take[i] = 1 for the weak faces of set s in the group; returns their number. */
static bf_int of_group(const bf_model *m, const bf_group *group, int s, uint8_t *take)
{
  const bf_gfem_faces *f     = &bf_gfem_of(m)->face;
  bf_int               count = 0;
  for (bf_int i = 0; i < f->set[s].n; i++) {
    take[i] = f->weak[s][i] && bsearch(&f->set[s].elem[i], group->elem, (size_t)group->nelem,
                                       sizeof *group->elem, ascending) != NULL;
    count += take[i];
  }
  return count;
}

/* sum += sum_q w (T u - penalty (u - g)) of component c. */
static void weak_sum(const bf_model *m, const bf_numbering *num, const bf_gfem_sides *s, int c,
                     const double *g, const double *u, double *ue, bf_gfem_work *w, double *sum)
{
  const int D = m->ncomp;
  for (bf_int i = 0; i < s->n; i++) {
    unknowns_of(m, num, s->elem[i], u, ue);
    for (int q = 0; q < s->rule.n; q++) {
      double       weight, t = 0.0, v = 0.0;
      const size_t at = (size_t)i * (size_t)s->rule.n + (size_t)q;
      const int    n = bf_gfem_side_point(m, s, i, q, w->psi, w->d, &weight), nd = n * D;
      bf_gfem_B(m, n, w->d, w->B);
      bf_gfem_tractions(m, s->elem[i], s->factor[at], bf_gfem_normal(s, i, q), nd, w->B, w->T);
      for (int a = 0; a < nd; a++) t += w->T[c * nd + a] * ue[a];
      for (int a = 0; a < n; a++) v += w->psi[a] * ue[a * D + c];
      *sum += weight * (t - bf_gfem_penalty(m, s, i, q) * (v - g[at]));
    }
  }
}

bf_err bf_gfem_weak_reaction(const bf_model *m, const bf_numbering *num, const bf_group *group,
                             const double *u, int *any, double sum[3])
{
  bf_err               err  = BF_OK;
  const bf_gfem_faces *f    = &bf_gfem_of(m)->face;
  uint8_t             *take = NULL;
  double              *g = NULL, *ue = NULL;
  bf_gfem_sides        side = {0};
  bf_gfem_work         w    = {0};
  *any                      = 0;
  if (f->ncurved == 0 || group->dim != m->sdim - 1) return BF_OK;
  BF_GO(bf_gfem_work_create(m, &w));
  BF_GO(BF_NEW_ARRAY(ue, (size_t)bf_gfem_of(m)->most * (size_t)m->ncomp));
  for (int s = 0; s < f->nsets; s++) {
    int       comp[3];
    const int nc = bf_gfem_prescribed(m, &f->set[s], comp);
    BF_GO(BF_NEW_ARRAY(take, f->set[s].n));
    const bf_int count = of_group(m, group, s, take);
    *any |= count > 0;
    BF_GO(bf_gfem_sides_create(m, &f->set[s], take, &side));
    BF_GO(BF_NEW_ARRAY(g, (size_t)side.n * (size_t)side.rule.n));
    for (int k = 0; k < nc && count > 0; k++) {
      BF_GO(bf_gfem_weak_given(m, &side, comp[k], g));
      weak_sum(m, num, &side, comp[k], g, u, ue, &w, &sum[comp[k]]);
    }
    bf_gfem_sides_clear(&side);
    bf_host_free(g);
    bf_host_free(take);
    g    = NULL;
    take = NULL;
  }
done:
  bf_gfem_sides_clear(&side);
  bf_gfem_work_clear(&w);
  bf_host_free(take);
  bf_host_free(g);
  bf_host_free(ue);
  return err;
}
