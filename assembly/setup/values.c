/* assembly/setup/values.c - surface and volume loads at the centre of their cells; see setup.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/model/axes.h"
#include "assembly/model/robin.h"
#include "assembly/setup/steps.h"
#include "base/memory.h"
#include <string.h>

enum { PIECE = 4096 }; /* elements per batch */

typedef struct bf_middle { /* elements of one type and their centres */
  bf_elem_type  type;
  bf_int        n;
  const bf_int *node; /* [n][nen] */
  bf_rule       rule; /* one point */
} bf_middle;

static bf_middle middle(bf_elem_type type, bf_int n, const bf_int *node)
{
  bf_middle k = {.type = type, .n = n, .node = node, .rule = {.n = 1, .w = {1.0}}};
  for (int a = 0; a < bf_elem(type)->ncorners; a++)
    for (int d = 0; d < 3; d++) k.rule.xi[0][d] += bf_elem(type)->corner[a][d] / bf_elem(type)->ncorners;
  return k;
}

/* to[elem[e]*width + c] += times[e] * quantity at the middle of element e, for those with elem[e] >= 0;
 * times NULL = 1.  A value that is not finite is E319. */
static bf_err add(const bf_model *m, const bf_middle *k, const bf_int *elem, const bf_quantity *q,
                  const double *times, double *to, int width, int c)
{
  bf_err       err = BF_OK;
  double      *x = NULL, *f = NULL;
  uint8_t     *use  = NULL;
  const bf_int most = k->n < PIECE ? k->n : PIECE;
  if (bf_quantity_is_zero(q)) return BF_OK;
  BF_GO(BF_NEW_ARRAY(use, most));
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)most));
  BF_GO(BF_NEW_ARRAY(f, most));
  for (bf_int e0 = 0; e0 < k->n; e0 += PIECE) {
    const bf_int e1 = k->n - e0 < PIECE ? k->n : e0 + PIECE;
    bf_model_points(m->mesh, k->type, k->node, e0, e1, &k->rule, x);
    for (bf_int e = e0; e < e1; e++) use[e - e0] = elem[e] >= 0;
    err = bf_quantity_need(m, q, e1 - e0, x, use, 1, f);
    if (err == BF_E_MODEL) { /* E319 */
      err = BF_OK;
      goto done;
    }
    BF_GO(err);
    for (bf_int e = e0; e < e1; e++)
      if (elem[e] >= 0)
        to[(size_t)elem[e] * (size_t)width + (size_t)c] += (times ? times[e] : 1.0) * f[e - e0];
  }
done:
  bf_host_free(use);
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

/* ... of a vector in axes: to[3*elem[e] ..] += sum_k q_k e_k; axes NULL: x y z */
static bf_err add_vector(const bf_model *m, const bf_middle *k, const bf_int *elem, const bf_quantity *q,
                         const bf_axes *axes, const double *times, double *to)
{
  bf_err  err = BF_OK;
  double *x = NULL, *by = NULL;
  for (int c = 0; c < m->ncomp && !axes; c++) BF_GO(add(m, k, elem, &q[c], times, to, 3, c));
  if (!axes) goto done;
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)k->n));
  BF_GO(BF_NEW_ARRAY(by, k->n));
  bf_model_points(m->mesh, k->type, k->node, 0, k->n, &k->rule, x);
  for (int c = 0; c < m->ncomp; c++)
    for (int d = 0; d < m->ncomp; d++) {
      const int before = m->diags->errors;
      for (bf_int e = 0; e < k->n; e++) {
        double E[3][3];
        bf_axes_at(axes, x + 3 * (size_t)e, 0.0, E);
        by[e] = (times ? times[e] : 1.0) * E[c][d];
      }
      BF_GO(add(m, k, elem, &q[c], by, to, 3, d));
      if (m->diags->errors > before) goto done;
    }
done:
  bf_host_free(x);
  bf_host_free(by);
  return err;
}

/* -n_c at the centre of the faces of a set. */
static void inward(const bf_model *m, const bf_middle *k, int c, double *times)
{
  const size_t nen = (size_t)bf_elem(k->type)->nnodes;
  double       N[BF_NEN_MAX], dN[BF_NEN_MAX][3], x[BF_NEN_MAX][3], n[3];
  bf_shape(k->type, k->rule.xi[0], N, dN);
  for (bf_int e = 0; e < k->n; e++) {
    for (size_t a = 0; a < nen; a++)
      memcpy(x[a], m->mesh->x + 3 * (size_t)k->node[(size_t)e * nen + a], sizeof x[a]);
    bf_shape_normal(k->type, m->sdim, (const double(*)[3])x, (const double(*)[3])dN, n);
    times[e] = -n[c];
  }
}

/* Traction of a force at the centre of the faces; 0 in a draft where it could not be resolved. */
static bf_err forces_of(const bf_model *m, const bf_middle *k, const bf_face_set *set, double *to)
{
  double *x = NULL, t[3];
  if (!m->total) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(x, 3 * (size_t)k->n));
  bf_model_points(m->mesh, k->type, k->node, 0, k->n, &k->rule, x);
  for (bf_int e = 0; e < k->n; e++) {
    bf_total_force_at(&m->total[set->boundary], x + 3 * (size_t)e, t);
    for (size_t c = 0; c < 3; c++) to[3 * (size_t)set->elem[e] + c] += t[c];
  }
  bf_host_free(x);
  return BF_OK;
}

static bf_err faces_of(const bf_model *m, const bf_face_set *set, double *field[3])
{
  bf_err             err   = BF_OK;
  const bf_boundary *bc    = &m->problem->boundary[set->boundary];
  const bf_middle    k     = middle(set->type, set->n, set->node);
  double            *times = NULL;
  if (bc->type == BF_BC_TRACTION) {
    BF_TRY(add_vector(m, &k, set->elem, bc->value, bc->axes, NULL, field[0]));
  } else if (bc->type == BF_BC_FORCE) {
    BF_TRY(forces_of(m, &k, set, field[0]));
  } else if (bc->type == BF_BC_PRESSURE) {
    const int before = m->diags->errors;
    BF_GO(BF_NEW_ARRAY(times, set->n));
    for (int c = 0; c < m->ncomp && m->diags->errors == before; c++) {
      inward(m, &k, c, times);
      BF_GO(add(m, &k, set->elem, &bc->value[0], times, field[0], 3, c));
    }
  } else if (bc->type == BF_BC_FLUX) {
    BF_TRY(add(m, &k, set->elem, &bc->value[0], NULL, field[0], 1, 0));
  } else if (bc->type == BF_BC_SPRING) {
    for (int c = 0; c < m->ncomp; c++)
      BF_TRY(add(m, &k, set->elem, bf_robin_value(bc, c), NULL, field[1], 3, c));
  } else if (bc->type == BF_BC_CONVECTION) {
    BF_TRY(add(m, &k, set->elem, &bc->h, NULL, field[1], 1, 0));
    BF_TRY(add(m, &k, set->elem, &bc->ambient, NULL, field[2], 1, 0));
  }
done:
  bf_host_free(times);
  return err;
}

/* Fields of the faces: field[0] traction or flux, [1] spring stiffness or h, [2] ambient. */
static bf_err surface(const bf_model *m, bf_setup *s)
{
  const bf_physics_words *words = &m->physics->words;
  int                     flow = 0, convection = 0, spring = 0;
  double                 *field[3] = {NULL, NULL, NULL};
  for (int i = 0; i < m->nsets; i++) {
    const bf_bc_type type = m->problem->boundary[m->set[i].boundary].type;
    convection |= type == BF_BC_CONVECTION;
    spring |= type == BF_BC_SPRING;
    flow |= type == BF_BC_TRACTION || type == BF_BC_PRESSURE || type == BF_BC_FORCE || type == BF_BC_FLUX;
  }
  const bf_int n     = m->mesh->nelem;
  const int    width = m->ncomp == 1 ? 1 : 3;
  if (flow) BF_TRY(bf_setup_add(s, words->side, words->side_unit, width, 1, n, 0.0, &field[0]));
  if (spring) BF_TRY(bf_setup_add(s, "spring_stiffness", "N/m3", 3, 1, n, 0.0, &field[1]));
  if (convection) BF_TRY(bf_setup_add(s, "convection_h", words->film_unit, 1, 1, n, 0.0, &field[1]));
  if (convection) BF_TRY(bf_setup_add(s, "ambient", words->field_unit, 1, 1, n, 0.0, &field[2]));
  for (int i = 0; i < m->nsets; i++) BF_TRY(faces_of(m, &m->set[i], field));
  return BF_OK;
}

/* One load on one block: elem[] are its elements' numbers, -1 for the others; times their rho. */
static bf_err volume_of(const bf_model *m, int l, const bf_block *b, const uint8_t *take, bf_int *elem,
                        double *times, double *to, int width)
{
  const bf_load  *load    = &m->problem->load[l];
  const bf_middle k       = middle(b->type, b->n, b->node);
  const int       gravity = load->type == BF_LOAD_GRAVITY;
  for (bf_int e = 0; e < b->n; e++) {
    const bf_int region = m->region[b->first + e];
    elem[e]             = take[b->first + e] ? b->first + e : -1;
    times[e]            = !gravity ? 1.0 : region >= 0 ? m->problem->material[region].rho : 0.0;
  }
  const int ncomp = load->type == BF_LOAD_THERMAL ? 1 : m->ncomp;
  if (ncomp > 1) return add_vector(m, &k, elem, load->value, load->axes, times, to);
  for (int c = 0; c < ncomp; c++) BF_TRY(add(m, &k, elem, &load->value[c], times, to, width, c));
  return BF_OK;
}

static int is_volume_load(bf_load_type type)
{
  return type == BF_LOAD_GRAVITY || type == BF_LOAD_BODY_FORCE || type == BF_LOAD_HEAT_SOURCE ||
         type == BF_LOAD_SOURCE;
}

/* One field of all volume loads, or of all temperatures. */
static bf_err volume(const bf_model *m, int thermal, bf_setup *s)
{
  bf_err      err   = BF_OK;
  const int   width = m->ncomp == 1 || thermal ? 1 : 3;
  const char *name  = thermal ? "thermal_temperature" : m->physics->words.load;
  const char *unit  = thermal ? "K" : m->physics->words.load_unit;
  uint8_t    *take  = NULL;
  bf_int     *elem  = NULL;
  double     *times = NULL, *to = NULL;
  for (int l = 0; l < m->problem->nloads; l++) {
    const bf_load_type type = m->problem->load[l].type;
    if (thermal ? type != BF_LOAD_THERMAL : !is_volume_load(type)) continue;
    if (!to) {
      BF_GO(bf_setup_add(s, name, unit, width, 1, m->mesh->nelem, 0.0, &to));
      BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
      BF_GO(BF_NEW_ARRAY(elem, m->mesh->nelem));
      BF_GO(BF_NEW_ARRAY(times, m->mesh->nelem));
    }
    bf_setup_load_elements(m, l, take);
    for (int b = 0; b < m->nblocks; b++)
      BF_GO(volume_of(m, l, m->block[b].block, take, elem, times, to, width));
  }
done:
  bf_host_free(take);
  bf_host_free(elem);
  bf_host_free(times);
  return err;
}

bf_err bf_setup_values(const bf_model *m, bf_setup *s)
{
  BF_TRY(surface(m, s));
  BF_TRY(volume(m, 0, s));
  return volume(m, 1, s);
}
