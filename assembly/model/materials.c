/* assembly/model/materials.c - the material of each element, and checks of its values
 *
 * Every element of the mesh's dimension must have exactly one material (E205, E206): an omitted element must
 * not go unnoticed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>

/* File tag of an element. */
static long long tag_of(const bf_mesh *mesh, bf_int elem)
{
  const bf_block *b = bf_mesh_block_of(mesh, elem);
  return (long long)b->tag[elem - b->first];
}

/* Assigns the elements of a list (NULL = all of the blocks) to material k; E206 once per named group. */
static void give(bf_model *m, int k, const bf_name *name, const bf_group *g, bf_diags *diags)
{
  const bf_material *mat   = m->problem->material;
  bf_int             twice = 0, first = -1;
  const bf_int       n = g ? g->nelem : m->mesh->nelem;
  for (bf_int i = 0; i < n; i++) {
    const bf_int e = g ? g->elem[i] : i;
    if (!g && bf_elem(bf_mesh_block_of(m->mesh, e)->type)->dim != m->sdim) continue;
    if (m->region[e] < 0)
      m->region[e] = k;
    else if (m->region[e] != k) {
      if (twice == 0) first = e;
      twice++;
    }
  }
  if (twice == 0) return;
  const bf_material *other = &mat[m->region[first]];
  char               at[BF_WHERE_TEXT];
  bf_diag_add(diags, BF_ERROR, 206, name->where,
              "material '%s' is assigned to %d elements that already have material '%s' (%s); the first has "
              "tag %lld. Assign every element to one material",
              mat[k].name, twice, other->name, bf_where_text(other->where, name->where, at),
              tag_of(m->mesh, first));
}

/* Name of a group with the element, for the message. */
static const char *group_of(const bf_model *m, bf_int elem)
{
  for (int i = 0; i < m->mesh->ngroups; i++) {
    const bf_group *g = &m->mesh->group[i];
    if (g->dim != m->sdim) continue;
    for (bf_int j = 0; j < g->nelem; j++)
      if (g->elem[j] == elem) return g->name;
  }
  return NULL;
}

static void check_covered(const bf_model *m, bf_diags *diags)
{
  bf_int   missing = 0, first = -1;
  bf_where where = {0};
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block *b = m->block[i].block;
    for (bf_int e = b->first; e < b->first + b->n; e++)
      if (m->region[e] < 0 && missing++ == 0) first = e;
  }
  if (missing == 0) return;
  if (m->problem->nmaterials > 0) where = m->problem->material[0].where;
  const char *name = group_of(m, first);
  bf_diag_add(
      diags, BF_ERROR, 205, where,
      "%d element%s ha%s no material; the first has tag %lld, in %s%s%s. Name the group under a material",
      missing, missing == 1 ? "" : "s", missing == 1 ? "s" : "ve", tag_of(m->mesh, first),
      name ? "group '" : "no group", name ? name : "", name ? "'" : "");
}

static void check_numbers(const bf_model *m, const bf_material *mat, bf_diags *diags)
{
  const bf_quantity *q = m->physics->quantity(mat);
  if (!q->formula && !(q->value > 0.0 && isfinite(q->value)))
    bf_diag_add(diags, BF_ERROR, 303, q->where, "%s = %g of material '%s' must be positive",
                m->physics->coefficient, q->value, mat->name);
  if (m->problem->physics == BF_ELASTICITY && !(mat->nu > -1.0 && mat->nu < 0.5))
    bf_diag_add(diags, BF_ERROR, 303, mat->nu_where, "nu = %g of material '%s' is outside (-1, 0.5)%s",
                mat->nu, mat->name,
                mat->nu == 0.5 ? ": an incompressible material needs another formulation" : "");
  if (mat->has_alpha && !isfinite(mat->alpha))
    bf_diag_add(diags, BF_ERROR, 303, mat->alpha_where, "alpha = %g of material '%s' is not finite",
                mat->alpha, mat->name);
  if (mat->has_rho && !(mat->rho > 0.0 && isfinite(mat->rho)))
    bf_diag_add(diags, BF_ERROR, 303, mat->rho_where, "rho = %g of material '%s' must be positive", mat->rho,
                mat->name);
}

/* W327: nearly incompressible on elements of order 1 (plane stress does not lock). */
static void hint_locking(const bf_model *m, int k, bf_diags *diags)
{
  const bf_material *mat = &m->problem->material[k];
  if (m->problem->physics != BF_ELASTICITY || m->space == BF_SPACE_PLANE_STRESS ||
      !(mat->nu > 0.49 && mat->nu < 0.5))
    return;
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block *b = m->block[i].block;
    if (bf_elem(b->type)->order != 1) continue;
    for (bf_int e = b->first; e < b->first + b->n; e++) {
      if (m->region[e] != k) continue;
      bf_diag_add(diags, BF_WARNING, 327, mat->nu_where,
                  "nu = %g of material '%s' on linear elements (%s): volumetric locking is likely (too stiff "
                  "results); use quadratic elements",
                  mat->nu, mat->name, bf_elem(b->type)->name);
      return;
    }
  }
}

const char *bf_load_name(bf_load_type type)
{
  static const char *const name[] = {"gravity", "body_force",  "point_force",
                                     "thermal", "heat_source", "source"};
  return name[type];
}

int bf_load_belongs(bf_load_type type, bf_physics physics)
{
  return physics == (type == BF_LOAD_HEAT_SOURCE ? BF_HEAT
                     : type == BF_LOAD_SOURCE    ? BF_ADVECTION
                                                 : BF_ELASTICITY);
}

/* E304: a material without rho under gravity or alpha under a temperature; each material once per load. */
static void check_needs(const bf_model *m, const bf_load *load, uint8_t *seen, bf_diags *diags)
{
  const bf_problem *p       = m->problem;
  const int         gravity = load->type == BF_LOAD_GRAVITY;
  char              at[BF_WHERE_TEXT];
  for (int k = 0; k < p->nmaterials; k++) seen[k] = 0;
  for (int i = 0; i < (load->ngroups > 0 ? load->ngroups : 1); i++) {
    const bf_group *g = NULL;
    if (load->ngroups > 0 && !bf_name_is_all(&load->group[i])) {
      g = bf_model_group(m, &load->group[i], m->sdim, m->sdim, bf_load_name(load->type), diags);
      if (!g) continue;
    }
    const bf_int n = g ? g->nelem : m->mesh->nelem;
    for (bf_int j = 0; j < n; j++) {
      const bf_int r = m->region[g ? g->elem[j] : j];
      if (r >= 0) seen[r] = 1;
    }
  }
  for (int k = 0; k < p->nmaterials; k++)
    if (seen[k] && !(gravity ? p->material[k].has_rho : p->material[k].has_alpha))
      bf_diag_add(diags, BF_ERROR, 304, load->where, "%s of material '%s' (%s): add %s, %s",
                  gravity ? "gravity needs the density" : "a thermal load needs the thermal expansion",
                  p->material[k].name, bf_where_text(p->material[k].where, load->where, at),
                  gravity ? "rho" : "alpha", gravity ? bf_unit_in(p->units, "kg/m3") : "1/K");
}

/* E107: a load of another physics; E307: a z component in a plane problem, gravity across an axis; E203:
 * its groups. */
static void check_load(const bf_model *m, const bf_load *load, uint8_t *seen, bf_diags *diags)
{
  const char *what = bf_load_name(load->type);
  if (!bf_load_belongs(load->type, m->problem->physics))
    bf_diag_add(diags, BF_ERROR, 107, load->where, "load '%s' does not belong to %s", what,
                m->physics->words.name);
  else if (m->sdim == 2 && m->ncomp == 2 && !bf_quantity_is_zero(&load->value[2]))
    bf_diag_add(diags, BF_ERROR, 307, load->value[2].where, "%s has a z component in %s problem", what,
                bf_model_revolved(m) ? "an axisymmetric" : "a plane");
  else if (bf_model_revolved(m) && load->type == BF_LOAD_GRAVITY && !bf_quantity_is_zero(&load->value[0]))
    bf_diag_add(diags, BF_ERROR, 307, load->value[0].where,
                "gravity across the axis bends the body, which is not axisymmetric: g must be [0, g]");
  else if (load->type == BF_LOAD_GRAVITY || load->type == BF_LOAD_THERMAL)
    check_needs(m, load, seen, diags);
  else if (load->type != BF_LOAD_POINT_FORCE) /* its groups are of another dimension: point_load.c */
    for (int i = 0; i < load->ngroups; i++)
      if (!bf_name_is_all(&load->group[i]))
        (void)bf_model_group(m, &load->group[i], m->sdim, m->sdim, what, diags);
}

bf_err bf_model_resolve_materials(bf_model *m, bf_diags *diags)
{
  bf_err            err  = BF_OK;
  const bf_problem *p    = m->problem;
  uint8_t          *seen = NULL;
  BF_GO(BF_NEW_ARRAY(seen, p->nmaterials > 0 ? p->nmaterials : 1));
  for (int k = 0; k < p->nmaterials; k++) {
    const bf_material *mat = &p->material[k];
    char               what[128];
    snprintf(what, sizeof what, "material '%.100s'", mat->name);
    for (int i = 0; i < mat->ngroups; i++) {
      const bf_group *g = NULL;
      if (!bf_name_is_all(&mat->group[i])) {
        g = bf_model_group(m, &mat->group[i], m->sdim, m->sdim, what, diags);
        if (!g) continue;
      }
      give(m, k, &mat->group[i], g, diags);
    }
    check_numbers(m, mat, diags);
    hint_locking(m, k, diags);
    const bf_quantity *q = m->physics->quantity(mat);
    double            *C = m->C + (size_t)k * (size_t)m->nC;
    m->physics->matrix(mat, m->space, C);
    if (!q->formula && m->physics->form != BF_FORM_TRANSPORT)
      for (int i = 0; i < m->nC; i++) C[i] *= q->value;
  }
  check_covered(m, diags);
  for (int i = 0; i < p->nloads; i++) check_load(m, &p->load[i], seen, diags);
done:
  bf_host_free(seen);
  return err;
}
