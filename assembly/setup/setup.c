/* assembly/setup/setup.c - see setup.h: the elements of each entry of the deck, and the supports of the body
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/setup/setup.h"
#include "assembly/basis/shape.h"
#include "assembly/constraints/connected_components.h"
#include "assembly/model/frames.h"
#include "assembly/setup/steps.h"
#include "base/memory.h"
#include <string.h>

bf_err bf_setup_add(bf_setup *s, const char *name, const char *unit, int ncomp, int on_cells, int64_t count,
                    double fill, double **data)
{
  BF_CHECK(s->nfields < BF_SETUP_FIELDS, BF_E_INTERNAL, "more than %d fields", BF_SETUP_FIELDS);
  bf_field *f = &s->field[s->nfields];
  BF_TRY(BF_NEW_ARRAY(f->data, (size_t)count * (size_t)ncomp));
  f->name     = name;
  f->unit     = unit;
  f->ncomp    = ncomp;
  f->on_cells = on_cells;
  *data       = f->data;
  for (int64_t i = 0; fill != 0.0 && i < count * ncomp; i++) f->data[i] = fill;
  s->nfields++;
  return BF_OK;
}

const bf_group *bf_setup_group(const bf_model *m, const bf_name *name, int hi)
{
  bf_diags        quiet = {0};
  const bf_group *g     = bf_model_group(m, name, 0, hi, "", &quiet);
  bf_diags_clear(&quiet);
  return g;
}

void bf_setup_load_elements(const bf_model *m, int l, uint8_t *take)
{
  const bf_load *load = &m->problem->load[l];
  int            all  = load->ngroups == 0 && load->nat == 0;
  for (int g = 0; g < load->ngroups; g++) all |= bf_name_is_all(&load->group[g]);
  memset(take, 0, (size_t)m->mesh->nelem);
  for (int b = 0; b < m->nblocks && all; b++)
    memset(take + m->block[b].block->first, 1, (size_t)m->block[b].block->n);
  for (int g = 0; g < load->ngroups && !all; g++) {
    const bf_group *group = bf_setup_group(m, &load->group[g], m->sdim);
    for (bf_int i = 0; group && i < group->nelem; i++) take[group->elem[i]] = 1;
  }
}

typedef struct bf_cover { /* collects the elements of entries, one after the other */
  const bf_mesh *mesh;
  const double  *size;                  /* [nelem] */
  bf_int        *elem_seen, *node_seen; /* owned: number of the last entry with the node */
  bf_int         entry;                 /* of the current one, from 1 */
} bf_cover;

/* Adds an element once; sets its id if the field has none yet (id NULL: no field). */
static void cover(bf_cover *c, bf_setup_entry *to, bf_int elem, double *id, int number)
{
  int           n    = 0;
  const bf_int *node = bf_mesh_elem_nodes(c->mesh, elem, &n);
  if (id && id[elem] < 0.0) id[elem] = number;
  if (c->elem_seen[elem] == c->entry) return;
  c->elem_seen[elem] = c->entry;
  to->elements++;
  to->measure += c->size[elem];
  for (int a = 0; a < n; a++) {
    to->nodes += c->node_seen[node[a]] != c->entry;
    c->node_seen[node[a]] = c->entry;
  }
}

static bf_err cover_groups(const bf_model *m, bf_cover *c, bf_setup *s)
{
  double *id = NULL;
  BF_TRY(bf_setup_add(s, "group_id", NULL, 1, 1, m->mesh->nelem, -1.0, &id));
  for (int g = 0; g < m->mesh->ngroups; g++, c->entry++)
    for (bf_int i = 0; i < m->mesh->group[g].nelem; i++)
      cover(c, &s->group[g], m->mesh->group[g].elem[i], id, g);
  return BF_OK;
}

static bf_err cover_materials(const bf_model *m, bf_cover *c, bf_setup *s)
{
  double *id = NULL, *dim = NULL;
  BF_TRY(bf_setup_add(s, "material_id", NULL, 1, 1, m->mesh->nelem, -1.0, &id));
  BF_TRY(bf_setup_add(s, "dimension", NULL, 1, 1, m->mesh->nelem, 0.0, &dim));
  for (int k = 0; k < m->problem->nmaterials; k++, c->entry++)
    for (bf_int e = 0; e < m->mesh->nelem; e++)
      if (m->region[e] == k) cover(c, &s->material[k], e, id, k);
  for (int b = 0; b < m->mesh->nblocks; b++) {
    const bf_block *k = &m->mesh->block[b];
    for (bf_int e = k->first; e < k->first + k->n; e++) dim[e] = bf_elem(k->type)->dim;
  }
  return BF_OK;
}

static bf_err cover_conditions(const bf_model *m, bf_cover *c, bf_setup *s)
{
  double *id = NULL;
  BF_TRY(bf_setup_add(s, "condition_id", NULL, 1, 1, m->mesh->nelem, -1.0, &id));
  for (int i = 0; i < m->problem->nboundaries; i++, c->entry++) {
    const bf_boundary *bc = &m->problem->boundary[i];
    for (int k = 0; k < bc->ngroups; k++) {
      const bf_group *g = bf_setup_group(m, &bc->group[k], m->sdim - 1);
      for (bf_int j = 0; g && j < g->nelem; j++) cover(c, &s->condition[i], g->elem[j], id, i);
    }
  }
  return BF_OK;
}

static bf_err cover_loads(const bf_model *m, bf_cover *c, bf_setup *s)
{
  bf_err   err  = BF_OK;
  double  *id   = NULL;
  uint8_t *take = NULL;
  if (m->problem->nloads == 0) return BF_OK;
  BF_GO(bf_setup_add(s, "load_id", NULL, 1, 1, m->mesh->nelem, -1.0, &id));
  BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
  for (int l = 0; l < m->problem->nloads; l++, c->entry++) {
    bf_setup_load_elements(m, l, take);
    for (bf_int e = 0; e < m->mesh->nelem; e++)
      if (take[e]) cover(c, &s->load[l], e, id, l);
  }
done:
  bf_host_free(take);
  return err;
}

static bf_err entries(const bf_model *m, bf_setup *s)
{
  bf_err   err  = BF_OK;
  double  *size = NULL;
  bf_cover c    = {.mesh = m->mesh, .entry = 1};
  BF_GO(BF_NEW_ARRAY(s->group, m->mesh->ngroups));
  BF_GO(BF_NEW_ARRAY(s->material, m->problem->nmaterials));
  BF_GO(BF_NEW_ARRAY(s->condition, m->problem->nboundaries));
  BF_GO(BF_NEW_ARRAY(s->load, m->problem->nloads));
  BF_GO(BF_NEW_ARRAY(size, m->mesh->nelem));
  BF_GO(BF_NEW_ARRAY(c.elem_seen, m->mesh->nelem));
  BF_GO(BF_NEW_ARRAY(c.node_seen, m->mesh->nnodes));
  BF_GO(bf_model_measure(m, size));
  c.size = size;
  BF_GO(cover_materials(m, &c, s));
  BF_GO(cover_groups(m, &c, s));
  BF_GO(cover_conditions(m, &c, s));
  BF_GO(cover_loads(m, &c, s));
done:
  bf_host_free(size);
  bf_host_free(c.elem_seen);
  bf_host_free(c.node_seen);
  return err;
}

static bf_err prescribed(const bf_model *m, bf_setup *s)
{
  static const char *const name[] = {[BF_HEAT]       = "prescribed_temperature",
                                     [BF_ELASTICITY] = "prescribed_displacement",
                                     [BF_ADVECTION]  = "prescribed_concentration"};
  const int                width  = m->ncomp == 1 ? 1 : 3;
  double                  *fixed = NULL, *value = NULL;
  BF_TRY(bf_setup_add(s, "fixed", NULL, width, 0, m->mesh->nnodes, 0.0, &fixed));
  BF_TRY(bf_setup_add(s, name[m->problem->physics], m->physics->words.field_unit, width, 0, m->mesh->nnodes,
                      0.0, &value));
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (int c = 0; c < m->ncomp; c++) {
      const size_t from = (size_t)i * (size_t)m->ncomp + (size_t)c;
      double       n[3];
      if (!m->fixed[from]) continue;
      bf_model_direction(m, i, c, n);
      for (int d = 0; d < m->ncomp; d++) { /* sum n_d^2: 1 along an axis */
        const size_t to = (size_t)i * (size_t)width + (size_t)d;
        fixed[to] += n[d] * n[d];
        value[to] += n[d] * m->value[from];
      }
      s->moved |= m->value[from] != 0.0;
    }
  return BF_OK;
}

/* Supports of each connected part. */
static bf_err parts(const bf_model *m, bf_setup *s)
{
  bf_err  err  = BF_OK;
  bf_int *part = NULL;
  BF_GO(BF_NEW_ARRAY(part, m->mesh->nnodes));
  BF_GO(bf_parts_find(m->mesh, m->sdim, part, &s->nparts));
  BF_GO(BF_NEW_ARRAY(s->part, s->nparts));
  for (bf_int i = 0; i < m->mesh->nnodes; i++) {
    if (part[i] < 0) continue;
    s->part[part[i]].nodes++;
    for (int c = 0; c < m->ncomp && bf_model_frame(m, i); c++)
      s->part[part[i]].skew += m->fixed[(size_t)i * (size_t)m->ncomp + (size_t)c];
    for (int c = 0; c < m->ncomp && !bf_model_frame(m, i); c++)
      s->part[part[i]].prescribed[c] += m->fixed[(size_t)i * (size_t)m->ncomp + (size_t)c];
  }
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block *k   = m->block[b].block;
    const size_t    nen = (size_t)bf_elem(k->type)->nnodes;
    for (bf_int e = 0; e < k->n; e++) s->part[part[k->node[(size_t)e * nen]]].elements++;
  }
  for (int i = 0; i < m->nsets; i++) {
    const bf_face_set *set  = &m->set[i];
    const size_t       nen  = (size_t)bf_elem(set->type)->nnodes;
    const bf_bc_type   type = m->problem->boundary[set->boundary].type;
    if (type != BF_BC_CONVECTION && type != BF_BC_SPRING) continue;
    for (bf_int f = 0; f < set->n; f++) s->part[part[set->node[(size_t)f * nen]]].robin++;
  }
done:
  bf_host_free(part);
  return err;
}

bf_err bf_setup_create(const bf_model *m, bf_setup **out)
{
  bf_err    err = BF_OK;
  bf_setup *s   = NULL;
  BF_CHECK(m && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(s));
  BF_GO(entries(m, s));
  BF_GO(prescribed(m, s));
  BF_GO(parts(m, s));
  BF_GO(bf_setup_values(m, s));
  BF_GO(bf_setup_loads(m, s));
  for (int i = 0; i < s->nfields; i++)
    if (s->field[i].unit) s->field[i].unit = bf_unit_in(m->problem->units, s->field[i].unit);
  *out = s;
  s    = NULL;
done:
  bf_setup_destroy(&s);
  return err;
}

void bf_setup_forget_fields(bf_setup *s)
{
  for (int i = 0; i < BF_SETUP_FIELDS; i++) {
    bf_host_free(s->field[i].data);
    s->field[i] = (bf_field){0};
  }
  s->nfields = 0;
}

void bf_setup_destroy(bf_setup **setup)
{
  if (!setup || !*setup) return;
  bf_setup *s = *setup;
  bf_setup_forget_fields(s);
  bf_host_free(s->group);
  bf_host_free(s->material);
  bf_host_free(s->condition);
  bf_host_free(s->load);
  bf_host_free(s->part);
  bf_host_free(s);
  *setup = NULL;
}
