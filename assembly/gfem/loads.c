/* assembly/gfem/loads.c - loads with the shape functions of gfem.h, by node on the host
 *
 *     f_J = sum_q w psi_J(x_q) f(x_q)      over elements, and over sides with their parents' psi
 * and the terms of Nitsche's method for a prescribed value g:  sum_q w (-T_c + (gamma C_11 / l) psi_c) g_c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/matrix.h"
#include "assembly/model/axes.h"
#include "assembly/model/robin.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

enum { CHUNK = 4096 };

bf_err bf_gfem_robin_values(const bf_model *m, const bf_gfem_sides *s, double **h)
{
  const bf_boundary *bc = &m->problem->boundary[s->set->boundary];
  const int64_t      np = (int64_t)s->n * s->rule.n;
  BF_TRY(BF_NEW_ARRAY(*h, np * m->ncomp));
  for (int c = 0; c < m->ncomp; c++) {
    const bf_quantity *q = bf_robin_value(bc, c);
    double            *v = *h + np * c;
    BF_TRY(bf_quantity_need(m, q, np, s->x, NULL, 1, v));
    for (int64_t i = 0; i < np; i++) {
      if (v[i] >= 0.0) continue;
      bf_diag_add(m->diags, BF_ERROR, 303, q->where,
                  "%s of %s is %g at (%g, %g, %g); it must not be negative",
                  bc->type == BF_BC_SPRING ? "value" : "h", bf_bc_name(bc->type), v[i], s->x[3 * i],
                  s->x[3 * i + 1], s->x[3 * i + 2]);
      return BF_FAIL(BF_E_MODEL, "the coefficient of %s is %g", bf_bc_name(bc->type), v[i]);
    }
  }
  return BF_OK;
}

int bf_gfem_is_robin(const bf_model *m, const bf_face_set *set)
{
  return bf_robin_value(&m->problem->boundary[set->boundary], 0) != NULL;
}

/* fe += weight psi v of n nodes. */
static void add_point(const bf_model *m, int n, const double *psi, double weight, const double *v, double *fe)
{
  for (int a = 0; a < n; a++)
    for (int c = 0; c < m->ncomp; c++) fe[a * m->ncomp + c] += weight * psi[a] * v[c];
}

typedef struct bf_volume { /* elements list[n] of a block under a load */
  const bf_load        *load;
  const bf_model_block *block;
  const bf_int         *list;
  bf_int                n;
  const double         *v; /* [ncomp][n][points] */
} bf_volume;

static bf_int element_of(const void *data, bf_int i)
{
  const bf_volume *s = data;
  return s->block->block->first + s->list[i];
}

static void volume_item(const bf_model *m, const void *data, bf_int i, bf_gfem_work *w, double *fe)
{
  const bf_volume *s = data;
  const bf_rule   *r = &s->block->mass;
  const bf_int    *node, elem = element_of(s, i);
  const int        n   = bf_gfem_nodes(bf_gfem_of(m), elem, &node);
  const double     rho = s->load->type == BF_LOAD_GRAVITY ? m->problem->material[m->region[elem]].rho : 1.0;
  for (int q = 0; q < r->n; q++) {
    double       at[3], value[3] = {0.0, 0.0, 0.0};
    const double det = bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, r->xi[q], w->psi, NULL, at);
    for (int c = 0; c < m->ncomp; c++) value[c] = s->v[((int64_t)c * s->n + i) * r->n + q];
    add_point(m, n, w->psi, rho * m->thickness * r->w[q] * det, value, fe);
  }
}

/* v[ncomp][np] from the directions of axes to x, y, z. */
static void to_global(const bf_model *m, const bf_axes *axes, int64_t np, const double *x, double *v)
{
  for (int64_t i = 0; i < np && axes; i++) {
    double e[3][3], t[3] = {0.0};
    for (int c = 0; c < m->ncomp; c++) t[c] = v[c * np + i];
    bf_axes_at(axes, x + 3 * i, 0.0, e);
    bf_axes_to_global((const double(*)[3])e, t);
    for (int c = 0; c < m->ncomp; c++) v[c * np + i] = t[c];
  }
}

/* Elements list[0 .. count-1] of block b under a load; scratch for CHUNK of them. */
static bf_err volume_chunk(const bf_model *m, const bf_load *load, const bf_model_block *b,
                           const bf_int *list, bf_int count, bf_int *nodes, double *x, double *v,
                           bf_gfem_work *works, double *f)
{
  const int     nen = bf_elem(b->block->type)->nnodes;
  const int64_t np  = (int64_t)count * b->mass.n;
  for (bf_int i = 0; i < count; i++)
    memcpy(nodes + (size_t)i * (size_t)nen, b->block->node + (size_t)list[i] * (size_t)nen,
           (size_t)nen * sizeof *nodes);
  bf_model_points(m->mesh, b->block->type, nodes, 0, count, &b->mass, x);
  for (int c = 0; c < m->ncomp; c++) BF_TRY(bf_quantity_need(m, &load->value[c], np, x, NULL, 1, v + c * np));
  to_global(m, load->axes, np, x, v);
  const bf_volume   all = {load, b, list, count, v};
  const bf_gfem_sum sum = {count, element_of, volume_item, &all};
  return bf_gfem_add_items(m, &sum, works, f);
}

static bf_err volume_load(const bf_model *m, const bf_load *load, const bf_model_block *b, bf_gfem_work *w,
                          double *f)
{
  bf_err       err  = BF_OK;
  uint8_t     *in   = NULL;
  bf_int      *list = NULL, *nodes = NULL, count = 0, n = 0;
  double      *x = NULL, *v = NULL;
  const size_t np = (size_t)CHUNK * (size_t)b->mass.n;
  BF_GO(BF_NEW_ARRAY(in, b->block->n));
  bf_load_elements(m, load, b->block, -1, in, &count);
  BF_GO(BF_NEW_ARRAY(list, count));
  for (bf_int e = 0; e < b->block->n; e++)
    if (in[e]) list[n++] = e;
  BF_GO(BF_NEW_ARRAY(nodes, (size_t)CHUNK * BF_GFEM_CORNERS));
  BF_GO(BF_NEW_ARRAY(x, 3 * np));
  BF_GO(BF_NEW_ARRAY(v, 3 * np));
  for (bf_int k = 0; k < count; k += CHUNK)
    BF_GO(volume_chunk(m, load, b, list + k, count - k < CHUNK ? count - k : CHUNK, nodes, x, v, w, f));
done:
  bf_host_free(in);
  bf_host_free(list);
  bf_host_free(nodes);
  bf_host_free(x);
  bf_host_free(v);
  return err;
}

/* v[ncomp][np]: load at the points of the sides. */
static bf_err side_values(const bf_model *m, const bf_gfem_sides *s, double *v)
{
  const bf_boundary *bc = &m->problem->boundary[s->set->boundary];
  const int64_t      nq = s->rule.n, np = (int64_t)s->n * nq;
  if (bc->type == BF_BC_TRACTION) {
    for (int c = 0; c < m->ncomp; c++)
      BF_TRY(bf_quantity_need(m, &bc->value[c], np, s->x, NULL, 1, v + c * np));
    to_global(m, bc->axes, np, s->x, v);
  } else if (bc->type == BF_BC_FORCE) {
    for (int64_t i = 0; i < np; i++) {
      double t[3];
      bf_total_force_at(&m->total[s->set->boundary], s->x + 3 * i, t);
      for (int c = 0; c < m->ncomp; c++) v[c * np + i] = t[c];
    }
  } else if (bc->type == BF_BC_PRESSURE) {
    BF_TRY(bf_quantity_need(m, &bc->value[0], np, s->x, NULL, 1, v));
    for (int64_t i = 0; i < np; i++) {
      const double  p = v[i];
      const double *N = s->normal + 3 * i;
      for (int c = 0; c < m->ncomp; c++) v[c * np + i] = -p * N[c];
    }
  } else if (bc->type == BF_BC_CONVECTION) {
    BF_TRY(bf_quantity_need(m, &bc->h, np, s->x, NULL, 1, v));
    BF_TRY(bf_quantity_need(m, &bc->ambient, np, s->x, NULL, 1, v + np));
    for (int64_t i = 0; i < np; i++) v[i] *= v[np + i];
  } else {
    BF_TRY(bf_quantity_need(m, &bc->value[0], np, s->x, NULL, 1, v));
  }
  return BF_OK;
}

typedef struct bf_loaded { /* faces under a load */
  const bf_gfem_sides *side;
  const double        *v; /* [ncomp][n][points] */
} bf_loaded;

static bf_int thermal_element(const void *data, bf_int i)
{
  return ((const bf_model_block *)data)->block->first + i;
}

/* fe += sum_q w B^T s, s the stress of the thermal strain */
static void thermal_item(const bf_model *m, const void *data, bf_int e, bf_gfem_work *w, double *fe)
{
  const bf_model_block *b = data;
  const bf_int         *node, elem = b->block->first + e;
  const int             n = bf_gfem_nodes(bf_gfem_of(m), elem, &node), nd = n * m->ncomp;
  double                s[6];
  bf_thermal_stress(m, m->region[elem], s);
  for (int q = 0; q < b->stiffness.n; q++) {
    const double strain = b->expansion[(size_t)e * (size_t)b->stiffness.n + (size_t)q];
    if (strain == 0.0) continue;
    const double weight = strain * bf_gfem_at_point(m, b, e, q, w);
    for (int k = 0; k < m->nv; k++)
      for (int j = 0; j < nd; j++) fe[j] += weight * s[k] * w->B[k * nd + j];
  }
}

static bf_err thermal_loads(const bf_model *m, bf_gfem_work *works, double *f)
{
  for (int i = 0; i < m->nblocks; i++) {
    const bf_gfem_sum sum = {m->block[i].block->n, thermal_element, thermal_item, &m->block[i]};
    if (m->block[i].expansion) BF_TRY(bf_gfem_add_items(m, &sum, works, f));
  }
  return BF_OK;
}

/* Element of the model with these nodes in this order, -1 = none. */
static bf_int element_with(const bf_model *m, int n, const bf_int *node)
{
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *B = m->block[b].block;
    for (bf_int e = 0; e < B->n && bf_elem(B->type)->nnodes == n; e++)
      if (memcmp(B->node + (size_t)e * (size_t)n, node, (size_t)n * sizeof *node) == 0) return B->first + e;
  }
  return -1;
}

/* A force at a node acts on it alone, as psi_J(x_K) = delta_JK; inside an element on all of its nodes. */
static bf_err point_loads(const bf_model *m, bf_gfem_work *w, double *f)
{
  for (int i = 0; i < m->npoints; i++) {
    const bf_point_load *p     = &m->point[i];
    double               xi[3] = {0.0}, x[3];
    const bf_int        *node  = p->node;
    int                  n     = p->n;
    w->psi[0]                  = p->share[0];
    if (p->n > 1) {
      const bf_int elem = element_with(m, p->n, p->node);
      BF_CHECK(elem >= 0, BF_E_ARG, "point force %d lies in no element", i);
      const bf_elem_info *el = bf_elem(bf_mesh_block_of(m->mesh, elem)->type);
      for (int a = 0; a < p->n; a++) /* the shares are the linear shape functions there */
        for (int d = 0; d < 3; d++) xi[d] += p->share[a] * el->corner[a][d];
      bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, xi, w->psi, NULL, x);
      n = bf_gfem_nodes(bf_gfem_of(m), elem, &node);
    }
    for (int a = 0; a < n; a++)
      for (int c = 0; c < m->ncomp; c++)
        f[(size_t)node[a] * (size_t)m->ncomp + (size_t)c] += w->psi[a] * p->force[c];
  }
  return BF_OK;
}

static bf_int parent_of(const void *data, bf_int i)
{
  const bf_loaded *s = data;
  return s->side->elem[i];
}

static void side_item(const bf_model *m, const void *data, bf_int i, bf_gfem_work *w, double *fe)
{
  const bf_loaded *s  = data;
  const int64_t    nq = s->side->rule.n;
  for (int q = 0; q < nq; q++) {
    double    weight, value[3] = {0.0, 0.0, 0.0};
    const int n = bf_gfem_side_point(m, s->side, i, q, w->psi, NULL, &weight);
    for (int c = 0; c < m->ncomp; c++) value[c] = s->v[((int64_t)c * s->side->n + i) * nq + q];
    add_point(m, n, w->psi, weight, value, fe);
  }
}

static bf_err side_load(const bf_model *m, const bf_face_set *set, bf_gfem_work *works, double *f)
{
  bf_err        err = BF_OK;
  bf_gfem_sides s   = {0};
  double       *v   = NULL;
  BF_GO(bf_gfem_sides_create(m, set, NULL, &s));
  BF_GO(BF_NEW_ARRAY(v, 3 * (size_t)s.n * (size_t)s.rule.n));
  BF_GO(side_values(m, &s, v));
  const bf_loaded   all = {&s, v};
  const bf_gfem_sum sum = {s.n, parent_of, side_item, &all};
  BF_GO(bf_gfem_add_items(m, &sum, works, f));
done:
  bf_gfem_sides_clear(&s);
  bf_host_free(v);
  return err;
}

static int is_volume(bf_load_type t)
{
  return t != BF_LOAD_THERMAL && t != BF_LOAD_POINT_FORCE;
}

bf_err bf_gfem_loads(const bf_model *m, int volumes, double *f)
{
  bf_err        err = BF_OK;
  bf_gfem_work *w   = NULL;
  BF_GO(bf_gfem_works_create(m, omp_get_max_threads(), &w));
  for (int l = 0; l < m->problem->nloads && volumes; l++)
    for (int i = 0; i < m->nblocks && is_volume(m->problem->load[l].type); i++)
      BF_GO(volume_load(m, &m->problem->load[l], &m->block[i], w, f));
  for (int i = 0; i < m->nsets; i++)
    if (m->problem->boundary[m->set[i].boundary].type != BF_BC_SPRING) BF_GO(side_load(m, &m->set[i], w, f));
  BF_GO(thermal_loads(m, w, f));
  BF_GO(point_loads(m, &w[0], f));
done:
  bf_gfem_works_destroy(omp_get_max_threads(), &w);
  return err;
}

bf_err bf_gfem_weak_given(const bf_model *m, const bf_gfem_sides *s, int c, double *g)
{
  const bf_boundary *bc = &m->problem->boundary[s->set->boundary];
  const int64_t      np = (int64_t)s->n * s->rule.n;
  for (int64_t i = 0; i < np; i++) g[i] = 0.0;
  if (bc->type == BF_BC_DISPLACEMENT || bc->type == BF_BC_TEMPERATURE)
    BF_TRY(bf_quantity_need(m, &bc->value[c], np, s->x, NULL, 1, g));
  return BF_OK;
}

/* f += Nitsche's terms of component c. */
static void weak_sides(const bf_model *m, const bf_gfem_sides *s, int c, const double *g, bf_gfem_work *w,
                       double *f)
{
  const int D = m->ncomp;
  for (bf_int i = 0; i < s->n; i++)
    for (int q = 0; q < s->rule.n; q++) {
      const bf_int *node;
      double        weight;
      const size_t  at = (size_t)i * (size_t)s->rule.n + (size_t)q;
      const int     n = bf_gfem_side_point(m, s, i, q, w->psi, w->d, &weight), nd = n * D;
      const double  penalty = bf_gfem_penalty(m, s, i, q);
      bf_gfem_nodes(bf_gfem_of(m), s->elem[i], &node);
      bf_gfem_B(m, n, w->d, w->B);
      bf_gfem_tractions(m, s->elem[i], s->factor[at], bf_gfem_normal(s, i, q), nd, w->B, w->T);
      for (int a = 0; a < nd; a++)
        f[(size_t)node[a / D] * (size_t)D + (size_t)(a % D)] +=
            weight * g[at] * ((a % D == c ? penalty * w->psi[a / D] : 0.0) - w->T[c * nd + a]);
    }
}

bf_err bf_gfem_weak_values(const bf_model *m, const bf_numbering *num, bf_backend *be, double *b)
{
  bf_err               err  = BF_OK;
  const bf_gfem_faces *face = &bf_gfem_of(m)->face;
  bf_gfem_sides        s    = {0};
  bf_gfem_work         w    = {0};
  double              *f = NULL, *g = NULL;
  if (face->ncurved == 0) return BF_OK;
  BF_GO(bf_gfem_work_create(m, &w));
  BF_GO(BF_NEW_ARRAY(f, (size_t)m->mesh->nnodes * (size_t)m->ncomp));
  for (int k = 0; k < face->nsets; k++) {
    int       comp[3];
    const int nc = bf_gfem_prescribed(m, &face->set[k], comp);
    BF_GO(bf_gfem_sides_create(m, &face->set[k], face->weak[k], &s));
    BF_GO(BF_NEW_ARRAY(g, (size_t)s.n * (size_t)s.rule.n));
    for (int i = 0; i < nc; i++) {
      BF_GO(bf_gfem_weak_given(m, &s, comp[i], g));
      weak_sides(m, &s, comp[i], g, &w, f);
    }
    bf_gfem_sides_clear(&s);
    bf_host_free(g);
    g = NULL;
  }
  BF_GO(bf_gfem_add_rows(m, num, be, f, b));
done:
  bf_gfem_sides_clear(&s);
  bf_gfem_work_clear(&w);
  bf_host_free(f);
  bf_host_free(g);
  return err;
}
