/* assembly/recover/integral.c - integral of a field over the elements or the faces of a group
 *
 *     thickness * sum over cells or faces of the integral of field.c
 * A face takes the field from the lowest element that has it as a side: at a material interface one of two
 * values.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024 };

typedef struct bf_face { /* a face of the group; sorted by its corner nodes */
  bf_int key[4];         /* corners ascending, -1 after the last */
  bf_int elem, cell;     /* its own element number; the cell it is a side of, -1 none yet */
} bf_face;

/* Over the cells marked in take (by element number; NULL = all), in fixed runs of cells. */
static bf_err over_cells(const bf_basis_field *f, int component, const uint8_t *take, double *value)
{
  bf_err         err  = BF_OK;
  double        *sum  = NULL;
  const bf_view *view = f->view;
  const bf_int   run = f->ops->concurrent ? CHUNK : view->ncells + 1, runs = view->ncells / run + 1;
  BF_GO(BF_NEW_ARRAY(sum, runs));
#pragma omp parallel for
  for (bf_int r = 0; r < runs; r++) {
    const bf_int last = view->ncells - r * run < run ? view->ncells : (r + 1) * run;
    for (bf_int c = r * run; c < last; c++)
      if (!take || take[view->elem[c]]) f->ops->add_cell(f, component, c, &sum[r]);
  }
  for (bf_int r = 0; r < runs; r++) *value += sum[r];
done:
  bf_host_free(sum);
  return err;
}

static int by_key(const void *a, const void *b)
{
  const bf_face *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p->key[i] != q->key[i]) return p->key[i] < q->key[i] ? -1 : 1;
  return 0;
}

static void set_key(int corners, const bf_int *node, bf_int key[4])
{
  for (int i = 0; i < 4; i++) key[i] = i < corners ? node[i] : -1;
  for (int i = 1; i < corners; i++)
    for (int j = i; j > 0 && key[j - 1] > key[j]; j--) {
      const bf_int k = key[j];
      key[j]         = key[j - 1];
      key[j - 1]     = k;
    }
}

/* Finds for every face the lowest cell that has it as a side. */
static void find_cells(const bf_view *view, const uint8_t *mark, bf_int n, bf_face *face)
{
  for (bf_int c = 0; c < view->ncells; c++) {
    const bf_elem_info *el    = bf_elem(view->type[c]);
    const bf_int       *point = view->point + view->ptr[c];
    for (int s = 0; s < el->nfaces; s++) {
      const int corners = bf_elem(el->face_type)->ncorners;
      bf_int    node[4];
      bf_face   probe;
      int       all = 1;
      for (int a = 0; a < corners; a++) {
        node[a] = view->node[point[el->face[s][a]]];
        all &= mark[node[a]];
      }
      if (!all) continue;
      set_key(corners, node, probe.key);
      bf_face *f = bsearch(&probe, face, (size_t)n, sizeof *face, by_key);
      if (!f || f->cell >= 0) continue;
      while (f > face && by_key(f - 1, &probe) == 0) f--; /* the same face may be listed twice */
      for (; f < face + n && by_key(f, &probe) == 0; f++) f->cell = c;
    }
  }
}

static bf_err over_faces(const bf_basis_field *f, int component, const bf_group *group, double *value)
{
  bf_err         err  = BF_OK;
  const bf_mesh *mesh = f->m->mesh;
  bf_face       *face = NULL;
  uint8_t       *mark = NULL;
  BF_GO(BF_NEW_ARRAY(face, group->nelem));
  BF_GO(BF_NEW_ARRAY(mark, mesh->nnodes));
  for (bf_int i = 0; i < group->nelem; i++) {
    int           n;
    const bf_int *node = bf_mesh_elem_nodes(mesh, group->elem[i], &n);
    for (int a = 0; a < n; a++) mark[node[a]] = 1;
    set_key(bf_elem(bf_mesh_block_of(mesh, group->elem[i])->type)->ncorners, node, face[i].key);
    face[i].elem = group->elem[i];
    face[i].cell = -1;
  }
  qsort(face, (size_t)group->nelem, sizeof *face, by_key);
  find_cells(f->view, mark, group->nelem, face);
  for (bf_int i = 0; i < group->nelem; i++) {
    int                n;
    const bf_int      *node = bf_mesh_elem_nodes(mesh, face[i].elem, &n);
    const bf_elem_type type = bf_mesh_block_of(mesh, face[i].elem)->type;
    BF_NEED(face[i].cell >= 0, BF_E_MODEL,
            "a face of group '%s' is not the side of an element (node tag %lld)", group->name,
            (long long)mesh->node_tag[node[0]]);
    f->ops->add_side(f, component, face[i].cell, type, node, value);
  }
done:
  bf_host_free(face);
  bf_host_free(mark);
  return err;
}

bf_err bf_model_integral(const bf_model *m, const bf_view *view, const bf_field *field, int component,
                         const char *group, double *value)
{
  bf_err          err  = BF_OK;
  uint8_t        *take = NULL;
  bf_basis_field  f    = {0};
  const bf_group *g    = NULL;
  BF_CHECK(m && view && field && value, BF_E_ARG, "null argument");
  BF_CHECK(component >= 0 && component < field->ncomp, BF_E_ARG, "component %d of a field of %d", component,
           field->ncomp);
  *value = 0.0;
  if (group && strcmp(group, "all") != 0) {
    g = bf_model_find_group(m->mesh, group);
    BF_NEED(g, BF_E_MODEL, "no group '%s' in the mesh", group);
    BF_NEED(g->dim == m->sdim || g->dim == m->sdim - 1, BF_E_MODEL,
            "group '%s' is %d-D; integrals need a %d-D or a boundary group", group, g->dim, m->sdim);
  }
  BF_GO(bf_basis_field_create(m, view, field, &f));
  BF_GO(f.ops->integrals(&f));
  if (g && g->dim < m->sdim)
    BF_GO(over_faces(&f, component, g, value));
  else {
    if (g) BF_GO(BF_NEW_ARRAY(take, m->mesh->nelem));
    for (bf_int i = 0; g && i < g->nelem; i++) take[g->elem[i]] = 1;
    BF_GO(over_cells(&f, component, take, value));
  }
  *value *= m->thickness;
done:
  bf_basis_field_clear(&f);
  bf_host_free(take);
  return err;
}
