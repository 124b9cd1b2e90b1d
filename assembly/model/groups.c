/* assembly/model/groups.c - finds the mesh group of a name in the deck, or reports the existing groups */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/internal.h"
#include <stdio.h>
#include <string.h>

enum { LIST_MAX = 20, LIST_CHARS = 1200 };

/* "left (1-D), right (1-D), body (2-D)": the groups of dimension lo .. hi. */
static void list_groups(const bf_mesh *mesh, int lo, int hi, char text[LIST_CHARS])
{
  size_t used  = 0;
  int    shown = 0, more = 0;
  text[0] = '\0';
  for (int i = 0; i < mesh->ngroups; i++) {
    const bf_group *g = &mesh->group[i];
    if (g->dim < lo || g->dim > hi) continue;
    char      item[160];
    const int k = snprintf(item, sizeof item, "%s%.120s (%d-D)", shown > 0 ? ", " : "", g->name, g->dim);
    if (shown == LIST_MAX || k < 0 || used + (size_t)k + 32 > LIST_CHARS) {
      more++;
      continue;
    }
    memcpy(text + used, item, (size_t)k + 1);
    used += (size_t)k;
    shown++;
  }
  if (more > 0) snprintf(text + used, LIST_CHARS - used, " and %d more", more);
  if (shown == 0) snprintf(text, LIST_CHARS, "none");
}

static void dimension_text(int lo, int hi, char text[32])
{
  if (lo == hi)
    snprintf(text, 32, "%d-D", lo);
  else
    snprintf(text, 32, "%d-D to %d-D", lo, hi);
}

static int is_reported(const bf_diags *diags, int code)
{
  for (int i = 0; i < diags->count; i++)
    if (diags->item[i].code == code) return 1;
  return 0;
}

/* The most similar name of the mesh, or NULL. */
static const char *nearest_group(const bf_mesh *mesh, const char *name)
{
  const char *near = NULL;
  const char *names[LIST_MAX * 4];
  int         n = 0;
  for (int i = 0; i < mesh->ngroups && n < LIST_MAX * 4; i++) names[n++] = mesh->group[i].name;
  near = bf_nearest(name, names, n);
  return near;
}

int bf_name_is_all(const bf_name *name)
{
  return strcmp(name->name, "all") == 0;
}

const bf_group *bf_model_group(const bf_model *m, const bf_name *name, int lo, int hi, const char *what,
                               bf_diags *diags)
{
  const bf_mesh *mesh = m->mesh;
  char           list[LIST_CHARS], need[32];
  for (int i = 0; i < mesh->ngroups; i++) /* one name may serve groups of several dimensions */
    if (mesh->group[i].dim >= lo && mesh->group[i].dim <= hi && strcmp(mesh->group[i].name, name->name) == 0)
      return &mesh->group[i];
  const bf_group *g = bf_mesh_group(mesh, name->name);
  if (g && g->dim >= lo && g->dim <= hi) return g;
  if (mesh->ngroups == 0) {
    if (!is_reported(diags, 204))
      bf_diag_add(diags, BF_ERROR, 204, name->where,
                  "mesh '%s' has no groups, so '%s' cannot be found; give its sides and bodies "
                  "physical names (Gmsh: Physical Surface(\"left\") = {..};)",
                  mesh->file, name->name);
    return NULL;
  }
  dimension_text(lo, hi, need);
  list_groups(mesh, g ? lo : 0, g ? hi : 3, list);
  if (g) {
    bf_diag_add(diags, BF_ERROR, 203, name->where,
                "group '%s' is %d-D, %s needs %s; groups of that dimension: %s", name->name, g->dim, what,
                need, list);
    return NULL;
  }
  const char *near = nearest_group(mesh, name->name);
  bf_diag_add(diags, BF_ERROR, 203, name->where,
              "group '%s' of %s is not in the mesh; %s%s%sthe mesh has: %s", name->name, what,
              near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
  return NULL;
}
