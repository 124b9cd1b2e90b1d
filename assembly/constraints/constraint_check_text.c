/* assembly/constraints/constraint_check_text.c - texts about parts, free motions and mechanisms: E301 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/constraint_check_internal.h"
#include <string.h>

enum { TEXT = 640 };

/* A group of elements of the mesh's dimension with this element, or NULL. */
static const bf_group *group_of(const bf_model *m, bf_int elem)
{
  const bf_group *found = NULL;
  for (int g = 0; g < m->mesh->ngroups && !found; g++) {
    const bf_group *group = &m->mesh->group[g];
    bf_int          lo = 0, hi = group->nelem; /* first element >= elem */
    while (lo < hi && group->dim == m->sdim) {
      const bf_int mid = lo + (hi - lo) / 2;
      if (group->elem[mid] < elem)
        lo = mid + 1;
      else
        hi = mid;
    }
    if (group->dim == m->sdim && lo < group->nelem && group->elem[lo] == elem) found = group;
  }
  return found;
}

void bf_rigid_part_name(const bf_model *m, const bf_part *p, bf_int k, bf_int nparts, char *text, size_t size)
{
  const bf_group *found = group_of(m, p->first);
  if (nparts == 1) {
    snprintf(text, size, "the model");
    return;
  }
  const bf_block *b   = bf_mesh_block_of(m->mesh, p->first);
  const char     *s   = p->nelem == 1 ? "" : "s";
  const int64_t   tag = b ? b->tag[p->first - b->first] : 0;
  if (found)
    snprintf(text, size, "part %d of %d (%d element%s, in group '%s')", (int)k + 1, (int)nparts,
             (int)p->nelem, s, found->name);
  else
    snprintf(text, size, "part %d of %d (%d element%s, the first is element %lld)", (int)k + 1, (int)nparts,
             (int)p->nelem, s, (long long)tag);
}

static void append(char *text, size_t size, const char *more)
{
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s", more);
}

/* The condition that would remove the motions. */
static void hint(const bf_motions *M, int n, double mode[6][6], char *text, size_t size)
{
  static const char *const name[3]  = {"x: 0", "y: 0", "z: 0"};
  int                      along[3] = {0, 0, 0}, oblique = 0, rotations = 0, count = 0;
  text[0] = '\0';
  if (n == (M->sdim == 3 ? 6 : 3)) {
    append(text, size,
           "it has no support; add a boundary condition of type fixed, symmetry, displacement or spring");
    return;
  }
  for (int k = 0; k < n; k++) {
    const double *r = mode[k], *t = mode[k] + 3;
    const int     still = (t[0] == 0.0) + (t[1] == 0.0) + (t[2] == 0.0);
    if (r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0)
      rotations++;
    else if (still == 2)
      along[t[0] != 0.0 ? 0 : t[1] != 0.0 ? 1 : 2] = 1;
    else
      oblique = 1;
  }
  for (int i = 0; i < 3; i++)
    if (along[i]) {
      append(text, size, count++ ? ", " : "add a boundary {type: displacement, ");
      append(text, size, name[i]);
    }
  if (count) append(text, size, "} on one of its groups");
  if (oblique)
    append(text, size,
           count++ ? "; also prescribe a component of the oblique translation"
                   : "add a displacement condition with a component along the translation");
  if (rotations)
    append(text, size,
           count ? "; prescribe a displacement on a group away from the axis to prevent the rotation"
                 : "prescribe a displacement perpendicular to the axis on a group away from it to prevent "
                   "the rotation");
}

bf_where bf_rigid_where(const bf_model *m)
{
  const bf_problem *p = m->problem;
  return p->nboundaries ? p->boundary[0].where : p->nmaterials ? p->material[0].where : p->space_where;
}

/* "a, b and c" */
static void list_motions(const bf_motions *frame, int n, double mode[6][6], char *text, size_t size)
{
  char one[256];
  text[0] = '\0';
  for (int k = 0; k < n; k++) {
    bf_motion_name(frame, mode[k], one, sizeof one);
    if (k) append(text, size, k == n - 1 ? " and " : ", ");
    append(text, size, one);
  }
}

int bf_rigid_report_motions(const bf_model *m, const char *what, const bf_motions *M, bf_diags *diags)
{
  double    mode[6][6];
  char      list[TEXT], stop[TEXT];
  const int n = bf_motions_free(M, mode);
  if (n == 0) return 0;
  list_motions(M, n, mode, list, sizeof list);
  hint(M, n, mode, stop, sizeof stop);
  bf_diag_add(diags, BF_ERROR, 301, bf_rigid_where(m),
              "%s is under-constrained: %d rigid-body mode%s remain%s: %s; %s", what, n, n == 1 ? "" : "s",
              n == 1 ? "s" : "", list, stop);
  return n;
}

/* "node 7 (1, 1, 1)" */
static void node_name(const bf_model *m, bf_int node, char *text, size_t size)
{
  const double *x = m->mesh->x + 3 * (size_t)node;
  const int n = snprintf(text, size, "node %lld (%.6g, %.6g", (long long)m->mesh->node_tag[node], x[0], x[1]);
  snprintf(text + n, size - (size_t)n, m->sdim == 3 ? ", %.6g)" : ")", x[2]);
}

/* "a body of 12 elements (in group 'left', x 0 .. 1, y 0 .. 1, z 0 .. 2)" */
static void body_name(const bf_model *m, const bf_mechanism *o, char *text, size_t size)
{
  const bf_group *g = group_of(m, o->first);
  const bf_block *b = bf_mesh_block_of(m->mesh, o->first);
  char            one[128];
  if (g)
    snprintf(text, size, "a body of %d element%s (in group '%s'", (int)o->elements,
             o->elements == 1 ? "" : "s", g->name);
  else
    snprintf(text, size, "a body of %d element%s (the first is element %lld", (int)o->elements,
             o->elements == 1 ? "" : "s", (long long)b->tag[o->first - b->first]);
  for (int i = 0; i < m->sdim; i++) {
    snprintf(one, sizeof one, ", %c %.6g to %.6g", "xyz"[i], o -> lo[i], o -> hi[i]);
    append(text, size, one);
  }
  append(text, size, ")");
}

void bf_rigid_report_mechanism(const bf_model *m, bf_mechanism *o, bf_severity severity, int code,
                               bf_diags *diags)
{
  char           body[TEXT], joint[TEXT], list[TEXT], with[128] = "", at[128], to[128];
  const bf_where where = {.file = m->mesh->file};
  body_name(m, o, body, sizeof body);
  node_name(m, o->node[0], at, sizeof at);
  node_name(m, o->node[1], to, sizeof to);
  if (o->with > 0)
    snprintf(with, sizeof with, " and %d more bod%s that move%s with it", (int)o->with,
             o->with == 1 ? "y" : "ies", o->with == 1 ? "s" : "");
  if (o->nodes == 1)
    snprintf(joint, sizeof joint, "only at %s", at);
  else if (o->line)
    snprintf(joint, sizeof joint, "only at %d nodes on the line from %s to %s", (int)o->nodes, at, to);
  else
    snprintf(joint, sizeof joint, "at %d nodes, among them %s and %s,", (int)o->nodes, at, to);
  list_motions(&o->frame, o->n, o->mode, list, sizeof list);
  bf_diag_add(diags, severity, code, where,
              "%s%s can move without deformation: joined %s; %d free motion%s of the body: %s; bodies that "
              "should be one must share %s, with the same nodes%s",
              body, with, joint, o->n, o->n == 1 ? "" : "s", list,
              m->sdim == 3 ? "whole faces of elements" : "whole edges of elements",
              severity == BF_ERROR ? "; otherwise support this body too" : "; each is a mode of frequency 0");
}
