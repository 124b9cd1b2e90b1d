/* mesh/msh/finish.c - from the elements of a .msh file to a bf_mesh: groups, blocks, selection of elements
 *
 * Kept are all elements of the highest dimension (the model complains about those without a material),
 * elements of a group, and those of a dimension in which the file has no groups at all; points only in
 * groups.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/msh/internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct key { /* a physical group that has elements */
  int    dim, tag;
  bf_int count;
} key;

typedef struct finish {
  bf_msh *m;
  int     dim;
  key    *group; /* owned [ngroups], highest dimension first, then by tag */
  int64_t ngroups;
  bf_int
      *map[BF_ELEM_TYPES]; /* owned: new number of an element in its block, -1 = dropped; NULL = all kept */
  bf_mesh *mesh;
} finish;

static int by_dim_and_tag(const void *a, const void *b)
{
  const key *p = a, *q = b;
  if (p->dim != q->dim) return q->dim - p->dim;
  return (p->tag > q->tag) - (p->tag < q->tag);
}

/* Physical tags of a run: *count of them. */
static const int *physical_of(const bf_msh *m, const bf_msh_run *run, int *count)
{
  if (m->version == 22) {
    *count = run->key != 0;
    return &run->key;
  }
  *count = run->key < 0 ? 0 : m->entity[run->key].nphysical;
  return run->key < 0 ? NULL : m->physical + m->entity[run->key].physical;
}

static bf_err collect_groups(finish *f)
{
  int64_t n = 0, kept = 0;
  for (int pass = 0; pass < 2; pass++) {
    if (pass) BF_TRY(BF_NEW_ARRAY(f->group, n));
    n = 0;
    for (int64_t r = 0; r < f->m->nruns; r++) {
      int        count, dim = bf_elem(f->m->run[r].type)->dim;
      const int *tag = physical_of(f->m, &f->m->run[r], &count);
      for (int i = 0; i < count; i++, n++)
        if (pass) f->group[n] = (key){dim, tag[i], 0};
    }
  }
  qsort(f->group, (size_t)n, sizeof *f->group, by_dim_and_tag);
  for (int64_t k = 0; k < n; k++)
    if (k == 0 || by_dim_and_tag(&f->group[k], &f->group[kept - 1]) != 0) f->group[kept++] = f->group[k];
  f->ngroups = kept;
  return BF_OK;
}

static int64_t group_at(const finish *f, int dim, int tag)
{
  const key  want = {dim, tag, 0};
  const key *hit  = bsearch(&want, f->group, (size_t)f->ngroups, sizeof want, by_dim_and_tag);
  return hit ? hit - f->group : -1;
}

static int has_groups(const finish *f, int dim)
{
  for (int64_t g = 0; g < f->ngroups; g++)
    if (f->group[g].dim == dim) return 1;
  return 0;
}

/* Removes elements of a type that are in no group: compacts node and tag, sets map. */
static bf_err drop_ungrouped(finish *f, bf_elem_type type)
{
  bf_msh_type *t   = &f->m->type[type];
  const size_t nen = (size_t)bf_elem(type)->nnodes;
  bf_int      *map = NULL, kept = 0;
  BF_TRY(BF_NEW_ARRAY(map, t->n));
  f->map[type] = map;
  for (int64_t r = 0; r < f->m->nruns; r++) {
    const bf_msh_run *run = &f->m->run[r];
    int               count;
    physical_of(f->m, run, &count);
    if (run->type != type || !count) continue;
    for (int64_t e = run->first; e < run->first + run->n; e++) map[e] = 1;
  }
  for (int64_t e = 0; e < t->n; e++) {
    const bf_int to = map[e] ? kept++ : -1;
    map[e]          = to;
    if (to < 0 || to == e) continue;
    memmove(t->node + (size_t)to * nen, t->node + (size_t)e * nen, nen * sizeof *t->node);
    t->tag[to] = t->tag[e];
  }
  t->n = kept;
  return BF_OK;
}

static const char *name_of(const bf_msh *m, int dim, int tag)
{
  for (int k = 0; k < m->nnames; k++)
    if (m->name[k].dim == dim && m->name[k].tag == tag && m->name[k].text[0]) return m->name[k].text;
  return NULL;
}

/* fill = 0 counts the elements of every group, 1 writes them; runs of a type ascend, and so do types. */
static void group_elements(finish *f, int fill)
{
  bf_int first = 0;
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    if (!f->m->type[t].n) continue;
    for (int64_t r = 0; r < f->m->nruns; r++) {
      const bf_msh_run *run = &f->m->run[r];
      int               count;
      const int        *tag = physical_of(f->m, run, &count);
      if ((int)run->type != t) continue;
      for (int i = 0; i < count; i++) {
        const int64_t g     = group_at(f, bf_elem(run->type)->dim, tag[i]);
        bf_group     *group = fill ? &f->mesh->group[g] : NULL;
        if (!fill) f->group[g].count += (bf_int)run->n;
        for (int64_t e = run->first; fill && e < run->first + run->n; e++) {
          const bf_int elem = first + (f->map[t] ? f->map[t][e] : (bf_int)e);
          if (group->nelem == 0 || group->elem[group->nelem - 1] < elem) group->elem[group->nelem++] = elem;
        }
      }
    }
    first += (bf_int)f->m->type[t].n;
  }
}

static bf_err make_groups(finish *f)
{
  group_elements(f, 0);
  for (int64_t g = 0; g < f->ngroups; g++) {
    const key *k = &f->group[g];
    BF_TRY(bf_mesh_set_group(f->mesh, (int)g, name_of(f->m, k->dim, k->tag), k->dim, k->tag, k->count));
    f->mesh->group[g].nelem = 0; /* filled one by one */
  }
  group_elements(f, 1);
  return BF_OK;
}

/* Moves the arrays of the reader to the mesh. */
static void take_arrays(finish *f)
{
  bf_mesh *mesh = f->mesh;
  bf_msh  *m    = f->m;
  int      b    = 0;
  bf_host_free(mesh->x);
  bf_host_free(mesh->node_tag);
  mesh->nnodes   = m->nnodes;
  mesh->x        = m->x;
  mesh->node_tag = m->node_tag;
  m->x           = NULL;
  m->node_tag    = NULL;
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    if (!m->type[t].n) continue;
    mesh->block[b++] =
        (bf_block){(bf_elem_type)t, mesh->nelem, (bf_int)m->type[t].n, m->type[t].node, m->type[t].tag};
    mesh->nelem += (bf_int)m->type[t].n;
    m->type[t].node = NULL;
    m->type[t].tag  = NULL;
  }
}

static bf_err hints(const finish *f)
{
  const bf_where where  = {f->m->path, 0, 0};
  bf_int         unused = 0;
  uint8_t       *used   = NULL;
  for (int k = 0; k < f->m->nnames; k++) {
    const bf_msh_name *name = &f->m->name[k];
    if (group_at(f, name->dim, name->tag) < 0)
      bf_diag_add(f->m->diags, BF_NOTE, 218, where, "physical group '%s' (%dD, tag %d) has no elements",
                  name->text, name->dim, name->tag);
    for (int i = 0; i < k; i++)
      if (strcmp(f->m->name[i].text, name->text) == 0)
        bf_diag_add(f->m->diags, BF_WARNING, 219, where,
                    "the physical name '%s' is used by groups %d:%d and %d:%d; a deck can refer to them by "
                    "these numbers",
                    name->text, f->m->name[i].dim, f->m->name[i].tag, name->dim, name->tag);
  }
  BF_TRY(BF_NEW_ARRAY(used, f->mesh->nnodes));
  bf_mesh_used_nodes(f->mesh, f->dim, used, &unused);
  bf_host_free(used);
  if (unused)
    bf_diag_add(f->m->diags, BF_WARNING, 209, where, "%d node%s not used by any %dD element; ignored", unused,
                unused == 1 ? " is" : "s are", f->dim);
  return BF_OK;
}

static bf_err run(finish *f)
{
  int     nblocks = 0;
  int64_t nelem   = 0;
  for (int t = 0; t < BF_ELEM_TYPES; t++)
    if (f->m->type[t].n && bf_elem((bf_elem_type)t)->dim > f->dim) f->dim = bf_elem((bf_elem_type)t)->dim;
  if (f->dim == 0) return bf_msh_fail(f->m, 213, "the mesh has points only, no elements of a body");
  BF_TRY(collect_groups(f));
  for (int t = 0; t < BF_ELEM_TYPES; t++) {
    const int dim = bf_elem((bf_elem_type)t)->dim;
    if (f->m->type[t].n && dim < f->dim && (dim == 0 || has_groups(f, dim)))
      BF_TRY(drop_ungrouped(f, (bf_elem_type)t));
    nblocks += f->m->type[t].n > 0;
    nelem += f->m->type[t].n;
  }
  BF_CHECK(nelem <= INT32_MAX, BF_E_MODEL, "%lld elements: at most %d", (long long)nelem, INT32_MAX);
  BF_TRY(bf_mesh_create(f->m->path, f->dim, 0, nblocks, (int)f->ngroups, &f->mesh));
  take_arrays(f);
  BF_TRY(bf_msh_check_twice(f->mesh, f->m->diags)); /* before the groups take memory */
  BF_TRY(make_groups(f));
  BF_TRY(hints(f));
  if (f->dim == 2) bf_mesh_move_to_z_0(f->mesh, f->m->diags);
  return f->dim == 3 || bf_mesh_is_plane(f->mesh) ? bf_mesh_turn_inverted(f->mesh, f->m->diags) : BF_OK;
}

bf_err bf_msh_finish(bf_msh *m, bf_mesh **out)
{
  bf_err err = BF_OK;
  finish f   = {.m = m};
  BF_GO(run(&f));
  *out   = f.mesh;
  f.mesh = NULL;
done:
  bf_mesh_destroy(&f.mesh);
  bf_host_free(f.group);
  for (int t = 0; t < BF_ELEM_TYPES; t++) bf_host_free(f.map[t]);
  return err;
}
