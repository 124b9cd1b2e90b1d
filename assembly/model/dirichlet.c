/* assembly/model/dirichlet.c - prescribed unknowns: fixed, displacement, symmetry, temperature, value
 *
 *     u_c(node) = value(x_node),  e_c(x_node) . u = value(x_node) in axes,  n . u = 0 on planes of symmetry
 *
 * on the nodes of the condition's groups.  Directions that are not x, y or z give frames (frames.h).
 *
 * Two conditions may meet on a node if they agree; otherwise E302 names both lines and the first such node.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/axes.h"
#include "assembly/model/frames.h"
#include "assembly/model/plane.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const axis_name[3] = {"x", "y", "z"};

typedef struct bf_clash { /* disagreements of the current condition with one earlier condition */
  bf_int count, node;     /* node: the first */
  int    comp;
  double old, new;
} bf_clash;

typedef struct bf_prescribing {
  int           by;    /* index of the current condition */
  double        scale; /* largest value so far: reference for the rounding of values */
  double        size;  /* of the mesh */
  bf_clash     *clash; /* owned [nboundaries]: of the current condition with earlier ones */
  bf_directions skew;  /* constraints that are not along x, y, z */
} bf_prescribing;

const char *bf_bc_name(bf_bc_type type)
{
  static const char *const name[] = {"fixed",      "displacement", "symmetry",    "traction", "pressure",
                                     "force",      "spring",       "temperature", "value",    "flux",
                                     "convection", "insulated",    "outflow",     "bloch"};
  return name[type];
}

int bf_model_prescribes(bf_bc_type type)
{
  return type == BF_BC_FIXED || type == BF_BC_DISPLACEMENT || type == BF_BC_SYMMETRY ||
         type == BF_BC_TEMPERATURE || type == BF_BC_VALUE;
}

int bf_bc_belongs(bf_bc_type type, bf_physics physics)
{
  switch (type) {
  case BF_BC_TEMPERATURE:
  case BF_BC_INSULATED: return physics == BF_HEAT;
  case BF_BC_VALUE:
  case BF_BC_OUTFLOW: return physics == BF_ADVECTION;
  case BF_BC_FLUX:
  case BF_BC_CONVECTION: return physics != BF_ELASTICITY;
  case BF_BC_BLOCH: return physics != BF_ADVECTION;
  default: return physics == BF_ELASTICITY;
  }
}

static void prescribe(bf_model *m, bf_prescribing *p, bf_int node, int c, double value)
{
  const size_t u = (size_t)node * (size_t)m->ncomp + (size_t)c;
  if (!m->fixed[u]) {
    m->fixed[u]    = 1;
    m->value[u]    = value;
    m->fixed_by[u] = p->by;
    return;
  }
  if (fabs(m->value[u] - value) <= 1e-12 * p->scale) return; /* sin(pi) and 0 agree */
  bf_clash *k = &p->clash[m->fixed_by[u]];
  if (k->count++ > 0) return;
  *k = (bf_clash){.count = 1, .node = node, .comp = c, .old = m->value[u], .new = value};
}

/* n . u = value at a node: along x, y or z where n is one of them. */
static bf_err prescribe_along(bf_model *m, bf_prescribing *p, bf_int node, const double n[3], double value)
{
  bf_direction d = {.node = node, .by = p->by, .value = value};
  for (int c = 0; c < m->ncomp; c++)
    if (fabs(n[c]) >= 1.0 - 1e-14) {
      prescribe(m, p, node, c, n[c] < 0.0 ? -value : value);
      return BF_OK;
    }
  memcpy(d.n, n, sizeof d.n);
  return bf_directions_add(&p->skew, &d);
}

/* Component c in the axes of the condition. */
static bf_err in_axes(bf_model *m, bf_prescribing *p, const bf_int *nodes, bf_int n, int c, const double *f,
                      bf_int *lost)
{
  const bf_boundary *bc = &m->problem->boundary[p->by];
  for (bf_int i = 0; i < n; i++) {
    double    e[3][3];
    const int has  = bf_axes_at(bc->axes, m->mesh->x + 3 * (size_t)nodes[i], p->size, e);
    const int both = bc->given[0] && bc->given[1] && f[i] == 0.0; /* any two directions across the axis */
    if (!has && c < 2 && !both && *lost < 0) *lost = nodes[i];
    BF_TRY(prescribe_along(m, p, nodes[i], e[c], f[i]));
  }
  return BF_OK;
}

/* E339 */
static void on_the_axis(const bf_model *m, const bf_boundary *bc, bf_int node, bf_diags *diags)
{
  const double *x = m->mesh->x + 3 * (size_t)node;
  bf_diag_add(
      diags, BF_ERROR, 339, bc->where,
      "node %lld (%g, %g, %g) lies on the axis of '%s', where r and t have no direction; take it out of "
      "the group, or prescribe r: 0 and t: 0 together",
      (long long)m->mesh->node_tag[node], x[0], x[1], x[2], bc->axes->name);
}

/* Given components of a condition at the nodes of one group. */
static bf_err at_nodes(bf_model *m, bf_prescribing *p, const bf_int *nodes, bf_int n, bf_diags *diags)
{
  bf_err             err = BF_OK;
  const bf_boundary *bc  = &m->problem->boundary[p->by];
  double            *x = NULL, *f = NULL;
  bf_int             lost = -1;
  BF_GO(BF_NEW_ARRAY(x, 3 * (size_t)n));
  BF_GO(BF_NEW_ARRAY(f, n));
  for (bf_int i = 0; i < n; i++) memcpy(x + 3 * (size_t)i, m->mesh->x + 3 * (size_t)nodes[i], 3 * sizeof *x);
  for (int c = 0; c < m->ncomp; c++) {
    if (bc->type == BF_BC_DISPLACEMENT && !bc->given[c]) continue;
    err = bc->type == BF_BC_FIXED ? BF_OK : bf_quantity_need(m, &bc->value[c], n, x, NULL, 1, f);
    if (err == BF_E_MODEL) { /* E319 */
      err = BF_OK;
      continue;
    }
    BF_GO(err);
    for (bf_int i = 0; i < n; i++) p->scale = fmax(p->scale, fabs(f[i]));
    if (bc->axes) BF_GO(in_axes(m, p, nodes, n, c, f, &lost));
    for (bf_int i = 0; i < n && !bc->axes; i++) prescribe(m, p, nodes[i], c, f[i]); /* fixed: f = 0 */
  }
  if (lost >= 0) on_the_axis(m, bc, lost, diags);
done:
  bf_host_free(x);
  bf_host_free(f);
  return err;
}

/* E308 */
static void not_plane(const bf_model *m, const bf_plane *P, const bf_name *name, bf_diags *diags)
{
  const double *x = m->mesh->x + 3 * (size_t)P->farthest;
  if (bf_model_revolved(m))
    bf_diag_add(
        diags, BF_ERROR, 308, name->where,
        "symmetry of a body of revolution needs sides whose normal is x or y; sides of group '%s' that "
        "are not: %d. Use 'displacement' with the required components",
        name->name, P->faces);
  else
    bf_diag_add(
        diags, BF_ERROR, 308, name->where,
        "symmetry needs a plane: the sides of group '%s' that are not normal to x, y or z deviate from "
        "their mean plane by up to %.3g (%.2g of their extent; at most 1e-6), at node %lld (%g, %g, %g). "
        "Write one group for each plane, or use 'displacement' with 'axes'",
        name->name, P->deviation, P->deviation / P->extent, (long long)m->mesh->node_tag[P->farthest], x[0],
        x[1], x[2]);
}

/* No displacement along the normal of each face: x, y or z, or that of the plane of all the others. */
static bf_err symmetric(bf_model *m, bf_prescribing *p, const bf_group *g, const bf_name *name,
                        bf_diags *diags)
{
  bf_err   err  = BF_OK;
  uint8_t *done = NULL;
  bf_plane P;
  BF_GO(BF_NEW_ARRAY(done, m->mesh->nnodes));
  bf_plane_of_group(m->mesh, m->sdim, g, &P);
  if (P.faces > 0 && (bf_model_revolved(m) || !bf_plane_is_flat(&P))) {
    not_plane(m, &P, name, diags);
    P.faces = 0;
  }
  for (bf_int i = 0; i < g->nelem; i++) {
    int           n    = 0;
    const bf_int *node = bf_mesh_elem_nodes(m->mesh, g->elem[i], &n);
    const int     axis = bf_face_axis(m->mesh, m->sdim, node, n);
    for (int a = 0; a < n; a++) {
      if (!m->used[node[a]]) continue;
      if (axis >= 0) prescribe(m, p, node[a], axis, 0.0);
      if (axis >= 0 || P.faces == 0 || done[node[a]]) continue;
      BF_GO(prescribe_along(m, p, node[a], P.normal, 0.0));
      done[node[a]] = 1;
    }
  }
done:
  bf_host_free(done);
  return err;
}

bf_err bf_model_body_nodes(const bf_model *m, const bf_group *g, const bf_name *name, bf_int **nodes,
                           bf_int *n, bf_diags *diags)
{
  BF_TRY(bf_mesh_group_nodes(m->mesh, g, nodes, n));
  bf_int kept = 0;
  for (bf_int i = 0; i < *n; i++)
    if (m->used[(*nodes)[i]]) (*nodes)[kept++] = (*nodes)[i];
  if (kept == 0)
    bf_diag_add(diags, BF_ERROR, 309, name->where,
                "no node of group '%s' belongs to a %d-D element: the condition has no effect", name->name,
                m->sdim);
  else if (kept < *n)
    bf_diag_add(diags, BF_WARNING, 329, name->where,
                "%d of the %d nodes of group '%s' belong to no %d-D element and are ignored", *n - kept, *n,
                name->name, m->sdim);
  *n = kept;
  return BF_OK;
}

static bf_err one_group(bf_model *m, bf_prescribing *p, const bf_name *name, bf_diags *diags)
{
  bf_err             err   = BF_OK;
  const bf_boundary *bc    = &m->problem->boundary[p->by];
  bf_int            *nodes = NULL, n = 0;
  char               what[64];
  snprintf(what, sizeof what, "boundary '%s'", bf_bc_name(bc->type));
  const int       sides = bc->type == BF_BC_SYMMETRY;
  const bf_group *g     = bf_model_group(m, name, sides ? m->sdim - 1 : 0, m->sdim - 1, what, diags);
  if (!g) return BF_OK;
  BF_GO(bf_model_body_nodes(m, g, name, &nodes, &n, diags));
  if (sides)
    BF_GO(symmetric(m, p, g, name, diags));
  else
    BF_GO(at_nodes(m, p, nodes, n, diags));
done:
  bf_host_free(nodes);
  return err;
}

static void say_clashes(const bf_model *m, const bf_prescribing *p, bf_diags *diags)
{
  const bf_boundary *bc = &m->problem->boundary[p->by];
  for (int i = 0; i <= p->by; i++) {
    const bf_clash *k = &p->clash[i];
    if (k->count == 0) continue;
    char               at[BF_WHERE_TEXT];
    const bf_boundary *other  = &m->problem->boundary[i];
    const double      *x      = m->mesh->x + 3 * (size_t)k->node;
    const int          scalar = m->ncomp == 1;
    bf_diag_add(diags, BF_ERROR, 302, bc->where,
                "'%s' sets %s%s%s = %g on node %lld (%g, %g, %g), where '%s' (%s) set %g; %d such value%s "
                "in all. Let the conditions agree where they meet, or take the shared nodes out of one group",
                bf_bc_name(bc->type), m->physics->words.field, scalar ? "" : " ",
                scalar ? "" : axis_name[k->comp], k->new, (long long)m->mesh->node_tag[k->node], x[0], x[1],
                x[2], bf_bc_name(other->type), bf_where_text(other->where, bc->where, at), k->old, k->count,
                k->count == 1 ? "" : "s");
  }
}

/* E107: a condition of another physics; E307: a third component in a plane problem. */
static int fits(const bf_model *m, const bf_boundary *bc, bf_diags *diags)
{
  const int vector = bc->type == BF_BC_DISPLACEMENT || bc->type == BF_BC_TRACTION ||
                     bc->type == BF_BC_FORCE || bc->type == BF_BC_SPRING;
  if (!bf_bc_belongs(bc->type, m->problem->physics)) {
    bf_diag_add(diags, BF_ERROR, 107, bc->where, "boundary '%s' does not belong to %s", bf_bc_name(bc->type),
                m->physics->words.name);
    return 0;
  }
  if (m->sdim == 2 && vector &&
      (bc->type == BF_BC_DISPLACEMENT ? bc->given[2] : !bf_quantity_is_zero(&bc->value[2]))) {
    bf_diag_add(diags, BF_ERROR, 307, bc->value[2].where, "%s has a z component in %s problem",
                bf_bc_name(bc->type), bf_model_revolved(m) ? "an axisymmetric" : "a plane");
    return 0;
  }
  return 1;
}

/* E107, E306: models that have no frames. */
static void frames_are_possible(const bf_model *m, const bf_directions *skew, bf_diags *diags)
{
  const bf_where where = skew->n > 0 ? m->problem->boundary[skew->item[0].by].where : (bf_where){0};
  if (skew->n == 0) return;
  if (!m->basis->local)
    bf_diag_add(
        diags, BF_ERROR, 107, where,
        "method gfem has no conditions in directions other than x, y and z: its shape functions reach "
        "over the nodes of their neighbours, so that an unknown is not the displacement of its node; use "
        "method: fem");
  if (m->problem->analysis == BF_DISPERSION)
    bf_diag_add(
        diags, BF_ERROR, 306, where,
        "analysis dispersion has no conditions in directions other than x, y and z: the Bloch condition "
        "relates the components of opposite nodes in x, y and z");
}

/* E339: axes that have no directions. */
static int axes_are_sound(const bf_model *m, bf_diags *diags)
{
  const int before = diags->errors;
  for (int i = 0; i < m->problem->naxes; i++) {
    const bf_axes *a   = &m->problem->axes[i];
    const char    *why = bf_axes_fault(a, m->sdim);
    if (why) bf_diag_add(diags, BF_ERROR, 339, a->where, "axes '%s': %s", a->name, why);
  }
  return diags->errors == before;
}

bf_err bf_model_resolve_conditions(bf_model *m, bf_diags *diags)
{
  bf_err            err     = BF_OK;
  const bf_problem *problem = m->problem;
  const int         n       = problem->nboundaries;
  bf_prescribing    p       = {0};
  const int         before  = diags->errors;
  double            lo[3], hi[3];
  BF_GO(BF_NEW_ARRAY(p.clash, n > 0 ? n : 1));
  if (!axes_are_sound(m, diags)) goto done;
  bf_mesh_bounds(m->mesh, lo, hi);
  for (int d = 0; d < 3; d++) p.size = fmax(p.size, hi[d] - lo[d]);
  for (p.by = 0; p.by < n; p.by++) {
    const bf_boundary *bc = &problem->boundary[p.by];
    if (!fits(m, bc, diags) || !bf_model_prescribes(bc->type)) continue;
    memset(p.clash, 0, (size_t)n * sizeof *p.clash);
    for (int k = 0; k < bc->ngroups; k++) BF_GO(one_group(m, &p, &bc->group[k], diags));
    say_clashes(m, &p, diags);
  }
  frames_are_possible(m, &p.skew, diags);
  if (diags->errors == before) BF_GO(bf_model_make_frames(m, &p.skew, p.scale, diags));
done:
  bf_host_free(p.clash);
  bf_host_free(p.skew.item);
  return err;
}
