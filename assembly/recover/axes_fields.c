/* assembly/recover/axes_fields.c - fields in the axes of output.axes
 *
 *     v'_k = e_k . v,      s'_kl = e_k . s e_l         e_k: axes at the point, or at the mean of a cell's
 * corners
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/axes.h"
#include "assembly/recover/recover.h"
#include <string.h>

static const struct {
  const char *from, *to;
} fields[] = {{"displacement", "displacement_axes"},
              {"reaction", "reaction_axes"},
              {"strain", "strain_axes"},
              {"stress", "stress_axes"},
              {"stress_nodal", "stress_nodal_axes"},
              {"mode_shape", "mode_shape_axes"}};
enum { FIELDS = sizeof fields / sizeof *fields };

static void place(const bf_model *m, const bf_view *view, int on_cells, bf_int i, double x[3])
{
  const int     n     = on_cells ? bf_elem(view->type[i])->ncorners : 1;
  const bf_int *point = on_cells ? view->point + view->ptr[i] : &i;
  x[0] = x[1] = x[2] = 0.0;
  for (int a = 0; a < n; a++)
    for (int d = 0; d < 3; d++) x[d] += m->mesh->x[3 * (size_t)view->node[point[a]] + (size_t)d] / n;
}

static void turn(const bf_model *m, const bf_view *view, const bf_field *from, int steps, double *to)
{
  const size_t n = (size_t)(from->on_cells ? view->ncells : view->npoints), w = (size_t)from->ncomp;
#pragma omp parallel for schedule(static) if (n > 8192)
  for (size_t i = 0; i < n; i++) {
    double x[3], e[3][3];
    place(m, view, from->on_cells, (bf_int)i, x);
    bf_axes_at(m->problem->output_axes, x, 0.0, e);
    for (int k = 0; k < steps; k++) {
      double *v = to + ((size_t)k * n + i) * w;
      memcpy(v, from->data + ((size_t)k * n + i) * w, w * sizeof *v);
      if (w == 6)
        bf_axes_tensor((const double(*)[3])e, v);
      else
        bf_axes_to_local((const double(*)[3])e, v);
    }
  }
}

bf_err bf_recover_in_axes(const bf_model *m, const bf_view *view, int steps, bf_solution *out)
{
  const int n = out->nfields;
  if (!m->problem->output_axes) return BF_OK;
  for (int i = 0; i < n; i++) {
    const bf_field f  = out->field[i];
    double        *to = NULL;
    int            k  = 0;
    while (k < FIELDS && strcmp(f.name, fields[k].from) != 0) k++;
    if (k == FIELDS || f.ncomp == 1) continue;
    const bf_int count = f.on_cells ? view->ncells : view->npoints;
    if (f.by_step)
      BF_TRY(bf_recover_add_times(out, fields[k].to, f.unit, f.ncomp, f.on_cells, count, steps, &to));
    else
      BF_TRY(bf_recover_add(out, fields[k].to, f.unit, f.ncomp, f.on_cells, count, &to));
    turn(m, view, &f, f.by_step ? steps : 1, to);
  }
  return BF_OK;
}
