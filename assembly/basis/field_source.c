/* assembly/basis/field_source.c - see field_source.h: a uniform grid of the boxes of the cells, then Newton's
 * method in the cells of a grid cell
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/field_source.h"
#include "assembly/basis/locate_point.h"
#include "assembly/basis/shape.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CURVED = 0.25; /* of the box of a quadratic cell, whose sides may bulge */

void bf_source_data_clear(bf_source_data *d)
{
  bf_host_free(d->mesh.x);
  bf_host_free(d->view.node);
  bf_host_free(d->view.region);
  bf_host_free(d->view.elem);
  bf_host_free(d->view.type);
  bf_host_free(d->view.ptr);
  bf_host_free(d->view.point);
  bf_host_free(d->value);
  *d = (bf_source_data){.value = NULL};
}

void bf_field_source_destroy(bf_field_source **s)
{
  if (!s || !*s) return;
  bf_source_data_clear(&(*s)->data);
  bf_host_free((*s)->ptr);
  bf_host_free((*s)->cell);
  bf_host_free(*s);
  *s = NULL;
}

int64_t bf_field_source_bytes(const bf_field_source *s)
{
  const bf_view *v     = &s->data.view;
  const int64_t  cells = (int64_t)s->n[0] * s->n[1] * s->n[2];
  return 28 * (int64_t)v->npoints + 8 * (int64_t)(s->data.on_cells ? v->ncells : v->npoints) +
         12 * (int64_t)v->ncells + 4 * v->ptr[v->ncells] + 8 * cells + 4 * s->ptr[cells];
}

static void box_of(const bf_field_source *s, bf_int c, double lo[3], double hi[3])
{
  const bf_elem_info *el = bf_elem(s->data.view.type[c]);
  double              x[BF_NEN_MAX][3];
  bf_location_nodes(&s->data.mesh, &s->data.view, c, x);
  for (int d = 0; d < 3; d++) {
    lo[d] = hi[d] = x[0][d];
    for (int a = 1; a < el->nnodes; a++) lo[d] = fmin(lo[d], x[a][d]), hi[d] = fmax(hi[d], x[a][d]);
    const double more = (el->order > 1 ? CURVED : 1e-9) * (hi[d] - lo[d]);
    lo[d] -= more, hi[d] += more;
  }
}

static bf_int slot(const bf_field_source *s, int d, double x)
{
  const double i = floor((x - s->lo[d]) / s->width[d]);
  return i < 0.0 ? 0 : i >= s->n[d] ? s->n[d] - 1 : (bf_int)i;
}

/* Calls for every grid cell that a box meets: counts (list NULL) or enters cell c. */
static void enter(bf_field_source *s, bf_int c, bf_int *list)
{
  double lo[3], hi[3];
  bf_int a[3], b[3];
  box_of(s, c, lo, hi);
  for (int d = 0; d < 3; d++) a[d] = slot(s, d, lo[d]), b[d] = slot(s, d, hi[d]);
  for (bf_int k = a[2]; k <= b[2]; k++)
    for (bf_int j = a[1]; j <= b[1]; j++)
      for (bf_int i = a[0]; i <= b[0]; i++) {
        const int64_t g = ((int64_t)k * s->n[1] + j) * s->n[0] + i;
        if (list)
          list[s->ptr[g]++] = c;
        else
          s->ptr[g + 1]++;
      }
}

static bf_err make_grid(bf_field_source *s)
{
  double       hi[3], volume = 1.0;
  int          dim = 0;
  const bf_int nc  = s->data.view.ncells;
  bf_mesh_bounds(&s->data.mesh, s->lo, hi);
  for (int d = 0; d < 3; d++) s->size = hypot(s->size, hi[d] - s->lo[d]);
  for (int d = 0; d < 3; d++)
    if (hi[d] - s->lo[d] > 1e-9 * s->size) volume *= hi[d] - s->lo[d], dim++;
  const double edge = dim > 0 ? pow(volume / nc, 1.0 / dim) : 1.0;
  for (int d = 0; d < 3; d++) {
    const double length = hi[d] - s->lo[d];
    s->n[d]             = length > 1e-9 * s->size ? (bf_int)fmin(fmax(ceil(length / edge), 1.0), 1000.0) : 1;
    s->width[d]         = length > 1e-9 * s->size ? length / s->n[d] : s->size > 0.0 ? s->size : 1.0;
  }
  const int64_t cells = (int64_t)s->n[0] * s->n[1] * s->n[2];
  BF_TRY(BF_NEW_ARRAY(s->ptr, (size_t)cells + 1));
  for (bf_int c = 0; c < nc; c++) enter(s, c, NULL);
  for (int64_t g = 0; g < cells; g++) s->ptr[g + 1] += s->ptr[g];
  BF_TRY(BF_NEW_ARRAY(s->cell, (size_t)s->ptr[cells]));
  for (bf_int c = 0; c < nc; c++) enter(s, c, s->cell);
  for (int64_t g = cells; g > 0; g--) s->ptr[g] = s->ptr[g - 1];
  s->ptr[0] = 0;
  return BF_OK;
}

bf_err bf_field_source_create(bf_source_data *data, const char *name, bf_field_source **out)
{
  bf_err           err = BF_OK;
  bf_field_source *s   = NULL;
  *out                 = NULL;
  err                  = BF_NEW(s);
  if (err != BF_OK) bf_source_data_clear(data);
  BF_TRY(err);
  s->data = *data;
  *data   = (bf_source_data){.value = NULL};
  snprintf(s->name, sizeof s->name, "%s", name);
  BF_NEED(s->data.view.ncells > 0, BF_E_ARG, "a result without cells");
  BF_GO(make_grid(s));
  *out = s;
  s    = NULL;
done:
  bf_field_source_destroy(&s);
  return err;
}

/* The best place among the cells of one grid cell. */
static void look(const bf_field_source *s, int64_t g, const double at[3], bf_location *best)
{
  for (int64_t k = s->ptr[g]; k < s->ptr[g + 1] && best->distance > 0.0; k++) {
    const bf_int c = s->cell[k];
    double       x[BF_NEN_MAX][3], xi[3];
    bf_location_nodes(&s->data.mesh, &s->data.view, c, x);
    double d = bf_location_invert(s->data.view.type[c], x, at, xi);
    if (d <= 1e-10 * s->size) d = 0.0;
    if (!(d < best->distance)) continue;
    *best = (bf_location){.cell = c, .distance = d};
    memcpy(best->xi, xi, sizeof xi);
  }
}

/* Grid cells at most `ring` away from that of the point, those on the shell alone. */
static void look_around(const bf_field_source *s, const bf_int home[3], bf_int ring, const double at[3],
                        bf_location *best)
{
  bf_int a[3], b[3];
  for (int d = 0; d < 3; d++) {
    a[d] = home[d] - ring < 0 ? 0 : home[d] - ring;
    b[d] = home[d] + ring >= s->n[d] ? s->n[d] - 1 : home[d] + ring;
  }
  for (bf_int k = a[2]; k <= b[2]; k++)
    for (bf_int j = a[1]; j <= b[1]; j++)
      for (bf_int i = a[0]; i <= b[0]; i++) {
        const bf_int away[3] = {i - home[0], j - home[1], k - home[2]};
        int          shell   = 0;
        for (int d = 0; d < 3; d++) shell |= away[d] == ring || away[d] == -ring;
        if (shell) look(s, ((int64_t)k * s->n[1] + j) * s->n[0] + i, at, best);
      }
}

static bf_location find(const bf_field_source *s, const double at[3])
{
  bf_location best = {-1, {0.0, 0.0, 0.0}, INFINITY};
  bf_int      home[3], most = 0;
  for (int d = 0; d < 3; d++) {
    home[d] = slot(s, d, at[d]);
    most    = s->n[d] > most ? s->n[d] : most;
  }
  for (bf_int ring = 0; ring <= most && best.distance > 0.0; ring++) {
    if (best.cell >= 0 && ring > 2) break; /* one shell behind the first that has a cell */
    look_around(s, home, ring, at, &best);
  }
  return best;
}

static double value_at(const bf_field_source *s, const bf_location *p)
{
  const bf_view     *v    = &s->data.view;
  const bf_elem_type type = v->type[p->cell];
  double             N[BF_NEN_MAX], sum = 0.0;
  if (s->data.on_cells) return s->data.value[p->cell];
  bf_shape(type, p->xi, N, NULL);
  for (int a = 0; a < bf_elem(type)->nnodes; a++) sum += N[a] * s->data.value[v->point[v->ptr[p->cell] + a]];
  return sum;
}

static double cell_size(const bf_field_source *s, bf_int c)
{
  double lo[3], hi[3], size = 0.0;
  box_of(s, c, lo, hi);
  for (int d = 0; d < 3; d++) size = hypot(size, hi[d] - lo[d]);
  return size;
}

bf_err bf_field_source_eval(bf_field_source *s, int64_t n, const double *x, double *f)
{
  const int64_t before = s->lost;
#pragma omp parallel for schedule(dynamic, 256) if (n > 512)
  for (int64_t i = 0; i < n; i++) {
    double            at[3] = {x[3 * i], x[3 * i + 1], s->data.mesh.dim == 3 ? x[3 * i + 2] : 0.0};
    const bf_location p     = find(s, at);
    const int         lost  = p.cell < 0 || p.distance > BF_SOURCE_OUTSIDE * cell_size(s, p.cell);
    f[i]                    = lost ? (double)NAN : value_at(s, &p);
    if (p.distance <= 1e-6 * s->size) continue;
#pragma omp critical(bf_field_source)
    {
      double *most = lost ? &s->lost_distance : &s->farthest, *where = lost ? s->lost_at : s->farthest_at;
      *(lost ? &s->lost : &s->outside) += 1;
      if (p.distance > *most) *most = p.distance, memcpy(where, at, sizeof at);
    }
  }
  BF_CHECK(s->lost == before, BF_E_MODEL,
           "%lld points lie outside the mesh of '%s', the farthest by %.4g at (%g, %g, %g)",
           (long long)(s->lost - before), s->name, s->lost_distance, s->lost_at[0], s->lost_at[1],
           s->lost_at[2]);
  return BF_OK;
}
