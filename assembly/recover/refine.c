/* assembly/recover/refine.c - a solution on a finer mesh for pictures: cells cut by mesh/refine.c, their
 * points placed by the shape functions of the elements, fields evaluated there (field.c)
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/shape.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <string.h>

/* Points of the fine mesh by cell and reference coordinates. */
typedef struct bf_points_of {
  const bf_model *m;
  const bf_view  *view;
  bf_mesh        *mesh;
  const bf_int   *cell; /* [nnodes of the fine mesh] */
  double (*xi)[3];
} bf_points_of;

static void place_points(const bf_points_of *p)
{
#pragma omp parallel for schedule(static)
  for (bf_int i = 0; i < p->mesh->nnodes; i++) {
    const bf_int  c     = p->cell[i];
    const bf_int *point = p->view->point + p->view->ptr[c];
    double        N[BF_NEN_MAX];
    bf_shape(p->view->type[c], p->xi[i], N, NULL);
    for (int a = 0; a < bf_elem(p->view->type[c])->nnodes; a++)
      for (int d = 0; d < 3; d++)
        p->mesh->x[3 * (size_t)i + (size_t)d] +=
            N[a] * p->m->mesh->x[3 * (size_t)p->view->node[point[a]] + (size_t)d];
  }
}

static bf_err at_points(const bf_points_of *p, const bf_field *from, double *to)
{
  bf_basis_field f;
  BF_TRY(bf_basis_field_create(p->m, p->view, from, &f));
  for (bf_int i = 0; i < p->mesh->nnodes; i++)
    f.ops->value(&f, p->cell[i], p->xi[i], to + (size_t)i * (size_t)from->ncomp);
  bf_basis_field_clear(&f);
  return BF_OK;
}

static void in_cells(const bf_points_of *p, int n, const bf_field *from, double *to)
{
  const size_t w = (size_t)from->ncomp, each = (size_t)(n * n) * w;
  for (bf_int c = 0; c < p->view->ncells; c++)
    for (size_t k = 0; k < each; k++) to[(size_t)c * each + k] = from->data[(size_t)c * w + k % w];
}

bf_err bf_model_refine(const bf_model *m, const bf_view *view, const bf_solution *s, int n, bf_mesh **mesh,
                       bf_view **fine, bf_solution *out)
{
  bf_err       err  = BF_OK;
  bf_int      *cell = NULL;
  bf_points_of p    = {.m = m, .view = view};
  BF_CHECK(m && view && s && mesh && fine && out, BF_E_ARG, "null argument");
  *mesh = NULL;
  *fine = NULL;
  memset(out, 0, sizeof *out);
  BF_GO(bf_view_refine(view, n, mesh, &cell, &p.xi));
  p.mesh = *mesh;
  p.cell = cell;
  place_points(&p);
  BF_GO(bf_view_create(*mesh, NULL, fine));
  BF_GO(BF_NEW_ARRAY(out->field, s->nfields));
  for (int i = 0; i < s->nfields; i++) {
    const bf_field *from = &s->field[i];
    bf_field       *to   = &out->field[out->nfields];
    if (strcmp(from->name, "reaction") == 0) continue; /* nodal forces are not defined between nodes */
    *to                = *from;
    to->data           = NULL;
    const size_t count = from->on_cells ? (size_t)(*fine)->ncells : (size_t)(*mesh)->nnodes;
    BF_GO(BF_NEW_ARRAY(to->data, count * (size_t)from->ncomp));
    out->nfields++;
    if (from->on_cells)
      in_cells(&p, n, from, to->data);
    else
      BF_GO(at_points(&p, from, to->data));
  }
done:
  bf_host_free(cell);
  bf_host_free(p.xi);
  if (err != BF_OK) {
    bf_solution_clear(out);
    bf_view_destroy(fine);
    bf_mesh_destroy(mesh);
  }
  return err;
}
