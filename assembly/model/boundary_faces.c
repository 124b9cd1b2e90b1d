/* assembly/model/boundary_faces.c - faces with tractions, pressure, springs, flux or convection, and their
 * parent elements
 *
 * A face of the file may have either orientation. Its element is found through the corner nodes, and the face
 * gets the node order of that element's side, so that its normal points out of the body. Cost: one pass over
 * the elements of the mesh's dimension, with a look-up for those that touch a listed face.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/robin.h"
#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bf_face {
  bf_int key[4];        /* corner nodes ascending, -1 past the last */
  int    boundary;      /* index of the condition */
  bf_int elem;          /* the face's element number */
  bf_int parent;        /* lowest element of dimension sdim with this side, -1 = none */
  int    side, parents; /* side of that element; number of elements with this side */
} bf_face;

typedef struct bf_face_list {
  bf_int   n, capacity;
  bf_face *face; /* owned */
  bf_int  *ptr;  /* owned [nnodes + 1]: faces whose lowest corner is a node, after sorting */
  uint8_t *mark; /* owned [nnodes]: corner of a listed face */
} bf_face_list;

static int integrated(bf_bc_type type)
{
  return type == BF_BC_TRACTION || type == BF_BC_PRESSURE || type == BF_BC_FORCE || type == BF_BC_SPRING ||
         type == BF_BC_FLUX || type == BF_BC_CONVECTION;
}

static void sort_corners(bf_int key[4], int n)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && key[j - 1] > key[j]; j--) {
      const bf_int t = key[j];
      key[j]         = key[j - 1];
      key[j - 1]     = t;
    }
  for (int i = n; i < 4; i++) key[i] = -1;
}

static bf_err add_group(const bf_model *m, bf_face_list *list, int boundary, const bf_group *g)
{
  if (list->n + (int64_t)g->nelem > list->capacity) {
    const bf_int more = list->n + g->nelem;
    void        *p    = bf_host_realloc(list->face, (size_t)more, sizeof *list->face);
    BF_CHECK(p, BF_E_MEMORY, "no memory for %d faces", more);
    list->face     = p;
    list->capacity = more;
  }
  for (bf_int i = 0; i < g->nelem; i++) {
    int           nn   = 0;
    const bf_int *node = bf_mesh_elem_nodes(m->mesh, g->elem[i], &nn);
    const int     nc   = bf_elem(bf_mesh_block_of(m->mesh, g->elem[i])->type)->ncorners;
    bf_face      *f    = &list->face[list->n++];
    *f = (bf_face){.boundary = boundary, .elem = g->elem[i], .parent = -1, .side = -1, .parents = 0};
    memcpy(f->key, node, (size_t)nc * sizeof *node);
    sort_corners(f->key, nc);
  }
  return BF_OK;
}

/* Stable counting sort by the lowest corner. */
static bf_err sort_faces(const bf_model *m, bf_face_list *list)
{
  bf_err    err    = BF_OK;
  bf_face  *sorted = NULL;
  const int nnodes = m->mesh->nnodes;
  BF_GO(BF_NEW_ARRAY(list->ptr, (size_t)nnodes + 1));
  BF_GO(BF_NEW_ARRAY(list->mark, nnodes));
  BF_GO(BF_NEW_ARRAY(sorted, list->n));
  for (bf_int i = 0; i < list->n; i++) {
    list->ptr[list->face[i].key[0] + 1]++;
    for (int k = 0; k < 4 && list->face[i].key[k] >= 0; k++) list->mark[list->face[i].key[k]] = 1;
  }
  for (bf_int v = 0; v < nnodes; v++) list->ptr[v + 1] += list->ptr[v];
  for (bf_int i = 0; i < list->n; i++) sorted[list->ptr[list->face[i].key[0]]++] = list->face[i];
  for (bf_int v = nnodes; v > 0; v--) list->ptr[v] = list->ptr[v - 1];
  list->ptr[0] = 0;
  bf_host_free(list->face);
  list->face = sorted;
  sorted     = NULL;
done:
  bf_host_free(sorted);
  return err;
}

/* Enters element e in every listed face on one of its sides. */
static void match_element(const bf_elem_info *info, const bf_int *node, bf_int e, bf_face_list *list)
{
  int marked = 0;
  for (int a = 0; a < info->ncorners; a++) marked += list->mark[node[a]];
  if (marked < info->dim) return;
  for (int s = 0; s < info->nfaces; s++) {
    const int nc = bf_elem(info->face_type)->ncorners;
    bf_int    key[4];
    for (int a = 0; a < nc; a++) key[a] = node[info->face[s][a]];
    sort_corners(key, nc);
    for (bf_int i = list->ptr[key[0]]; i < list->ptr[key[0] + 1]; i++) {
      bf_face *f = &list->face[i];
      if (memcmp(f->key, key, sizeof key) != 0) continue;
#pragma omp critical(bf_face_match)
      {
        f->parents++;
        if (f->parent < 0 || e < f->parent) {
          f->parent = e;
          f->side   = s;
        }
      }
    }
  }
}

static void match_blocks(const bf_model *m, bf_face_list *list)
{
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block     *b    = m->block[i].block;
    const bf_elem_info *info = bf_elem(b->type);
#pragma omp parallel for schedule(static) if (b->n > 8192)
    for (bf_int e = 0; e < b->n; e++)
      match_element(info, b->node + (size_t)e * (size_t)info->nnodes, b->first + e, list);
  }
}

/* E309: faces of a condition on no element, between two, or of another order than their element. */
static void check_faces(const bf_model *m, const bf_face_list *list, bf_diags *diags)
{
  for (int b = 0; b < m->problem->nboundaries; b++) {
    const bf_boundary *bc       = &m->problem->boundary[b];
    const int          out      = bc->type == BF_BC_PRESSURE || bc->type == BF_BC_CONVECTION;
    bf_int             count[3] = {0, 0, 0}, first[3] = {-1, -1, -1};
    if (!integrated(bc->type)) continue;
    for (bf_int i = 0; i < list->n; i++) {
      const bf_face *f = &list->face[i];
      if (f->boundary != b) continue;
      int bad = -1;
      if (f->parents == 0)
        bad = 0;
      else if (f->parents > 1 && out)
        bad = 1;
      else if (bf_elem(bf_mesh_block_of(m->mesh, f->parent)->type)->face_type !=
               bf_mesh_block_of(m->mesh, f->elem)->type)
        bad = 2;
      if (bad < 0) continue;
      if (count[bad]++ == 0 || f->elem < first[bad]) first[bad] = f->elem;
    }
    static const char *const why[3] = {"lie on no element of the body",
                                       "lie between two elements, where there is no outward normal",
                                       "have another order than the elements they lie on"};
    for (int k = 0; k < 3; k++) {
      if (count[k] == 0) continue;
      const bf_block *fb = bf_mesh_block_of(m->mesh, first[k]);
      bf_diag_add(diags, BF_ERROR, 309, bc->where, "faces of '%s' %s: %d, the first with element tag %lld",
                  bf_bc_name(bc->type), why[k], count[k], (long long)fb->tag[first[k] - fb->first]);
    }
  }
}

/* by condition, type, parent, side */
static int compare_faces(const void *pa, const void *pb)
{
  const bf_face *a = pa, *b = pb;
  if (a->boundary != b->boundary) return a->boundary < b->boundary ? -1 : 1;
  if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
  return a->side - b->side;
}

static bf_err fill_set(const bf_model *m, bf_face_set *set, const bf_face *face, bf_int n)
{
  const int nn = bf_elem(set->type)->nnodes;
  BF_TRY(BF_NEW_ARRAY(set->parent, n));
  BF_TRY(BF_NEW_ARRAY(set->elem, n));
  BF_TRY(BF_NEW_ARRAY(set->node, (size_t)n * (size_t)nn));
  BF_TRY(bf_model_rule(m, set->type, BF_RULE_MASS, &set->rule));
  for (bf_int i = 0; i < n; i++) {
    int           count = 0;
    const bf_int *pn    = bf_mesh_elem_nodes(m->mesh, face[i].parent, &count);
    const int    *side  = bf_elem(bf_mesh_block_of(m->mesh, face[i].parent)->type)->face[face[i].side];
    set->parent[i]      = face[i].parent;
    set->elem[i]        = face[i].elem;
    for (int a = 0; a < nn; a++) set->node[(size_t)i * (size_t)nn + (size_t)a] = pn[side[a]];
  }
  set->n = n;
  return BF_OK;
}

static bf_elem_type side_type(const bf_model *m, const bf_face *f)
{
  return bf_elem(bf_mesh_block_of(m->mesh, f->parent)->type)->face_type;
}

/* Sets of one condition and type; parents of a block are consecutive numbers, so runs of one type are too. */
static bf_err make_sets(const bf_model *m, bf_face_list *list, bf_face_set **sets, int *count)
{
  bf_int n = 0;
  qsort(list->face, (size_t)list->n, sizeof *list->face, compare_faces);
  for (bf_int i = 0; i < list->n; i++) /* a face listed twice by a condition counts once */
    if (n == 0 || compare_faces(&list->face[n - 1], &list->face[i]) != 0) list->face[n++] = list->face[i];
  list->n   = n;
  int nsets = 0;
  for (bf_int i = 0; i < n; i++)
    nsets += i == 0 || list->face[i].boundary != list->face[i - 1].boundary ||
             side_type(m, &list->face[i]) != side_type(m, &list->face[i - 1]);
  BF_TRY(BF_NEW_ARRAY(*sets, nsets));
  for (bf_int i = 0, j; i < n; i = j) {
    const bf_face *f = &list->face[i];
    for (j = i + 1; j < n; j++)
      if (list->face[j].boundary != f->boundary || side_type(m, &list->face[j]) != side_type(m, f)) break;
    bf_face_set *set = &(*sets)[(*count)++];
    set->boundary    = f->boundary;
    set->type        = side_type(m, f);
    BF_TRY(fill_set(m, set, f, j - i));
  }
  return BF_OK;
}

bf_err bf_model_resolve_faces(bf_model *m, bf_diags *diags)
{
  bf_err       err    = BF_OK;
  bf_face_list list   = {0};
  const int    before = diags->errors;
  for (int i = 0; i < m->problem->nboundaries; i++) {
    const bf_boundary *bc = &m->problem->boundary[i];
    char               what[64];
    if (!integrated(bc->type) && bc->type != BF_BC_INSULATED && bc->type != BF_BC_OUTFLOW) continue;
    snprintf(what, sizeof what, "boundary '%s'", bf_bc_name(bc->type));
    for (int k = 0; k < bc->ngroups; k++) {
      const int       force = bc->type == BF_BC_FORCE;
      const bf_group *g     = force ? bf_model_force_group(m, &bc->group[k], diags)
                                    : bf_model_group(m, &bc->group[k], m->sdim - 1, m->sdim - 1, what, diags);
      if (g && integrated(bc->type) && g->dim == m->sdim - 1) BF_GO(add_group(m, &list, i, g));
    }
  }
  if (list.n == 0 || diags->errors > before) goto done;
  BF_GO(sort_faces(m, &list));
  match_blocks(m, &list);
  check_faces(m, &list, diags);
  if (diags->errors == before) BF_GO(make_sets(m, &list, &m->set, &m->nsets));
  BF_GO(bf_robin_check(m, diags));
done:
  bf_host_free(list.face);
  bf_host_free(list.ptr);
  bf_host_free(list.mark);
  return err;
}

void bf_face_set_clear(bf_face_set *set)
{
  bf_host_free(set->parent);
  bf_host_free(set->elem);
  bf_host_free(set->node);
  *set = (bf_face_set){0};
}

bf_err bf_model_prescribed_faces(const bf_model *m, bf_face_set **sets, int *nsets, int *odd)
{
  bf_err       err  = BF_OK;
  bf_face_list list = {0};
  bf_diags     none = {0}; /* the groups were checked before */
  bf_int       kept = 0;
  *odd              = -1;
  for (int i = 0; i < m->problem->nboundaries; i++) {
    const bf_boundary *bc = &m->problem->boundary[i];
    for (int k = 0; k < bc->ngroups && bf_model_prescribes(bc->type); k++) {
      const bf_group *g = bf_model_group(m, &bc->group[k], 0, m->sdim - 1, "boundary", &none);
      if (g && g->dim == m->sdim - 1) BF_GO(add_group(m, &list, i, g));
    }
  }
  if (list.n == 0) goto done;
  BF_GO(sort_faces(m, &list));
  match_blocks(m, &list);
  for (bf_int i = 0; i < list.n; i++)
    if (list.face[i].parents == 1)
      list.face[kept++] = list.face[i];
    else if (list.face[i].parents > 1)
      *odd = list.face[i].boundary;
  list.n = kept;
  BF_GO(make_sets(m, &list, sets, nsets));
done:
  bf_diags_clear(&none);
  bf_host_free(list.face);
  bf_host_free(list.ptr);
  bf_host_free(list.mark);
  return err;
}
