/* outputs/html/section_pictures.c - report.html: pictures of the body, of up to six modes or load cases */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include "outputs/html/surface.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PICTURES = 6, MOST_BYTES = 1600000 }; /* of all pictures in base64 */

static const char *const preferred[] = {"mode_shape",  "mode_shape_re", "von_mises_nodal", "von_mises",
                                        "temperature", "concentration", "displacement"};
static const char *const moving[]    = {"displacement", "mode_shape", "mode_shape_re"};
static const double      SHARE       = 0.08; /* of the size of the body: the largest displacement */

static const bf_field *find(const bf_result *r, const char *const *name, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < r->nfields; i++)
      if (strcmp(r->field[i].name, name[k]) == 0 && r->field[i].ncomp <= 3) return &r->field[i];
  return NULL;
}

/* value[n]: the field, or the lengths of its vectors; its range */
static void values_of(const bf_result *r, const bf_field *field, int step, bf_int n, double *value,
                      bf_surface_colours *c)
{
  const double *from = bf_result_values(r, field, step);
  const int     w    = field->ncomp;
  c->low             = INFINITY;
  c->high            = -INFINITY;
  for (bf_int i = 0; i < n; i++) {
    double s = 0.0;
    for (int k = 0; k < w; k++)
      s += from[(size_t)i * (size_t)w + (size_t)k] * from[(size_t)i * (size_t)w + (size_t)k];
    value[i] = w == 1 ? from[i] : sqrt(s);
    if (!isfinite(value[i])) continue;
    c->low  = fmin(c->low, value[i]);
    c->high = fmax(c->high, value[i]);
  }
  c->value    = value;
  c->on_cells = field->on_cells;
}

/* The factor that makes the largest displacement SHARE of the body, of two digits */
static void move_of(const bf_result *r, const bf_field *field, int step, bf_surface_colours *c)
{
  double lo[3], hi[3], most = 0.0, size = 0.0;
  c->move = field && field->ncomp == 3 ? bf_result_values(r, field, step) : NULL;
  if (!c->move) return;
  bf_mesh_bounds(r->mesh, lo, hi);
  for (int d = 0; d < 3; d++) size += (hi[d] - lo[d]) * (hi[d] - lo[d]);
  for (bf_int i = 0; i < r->view->npoints; i++) {
    const double *u = c->move + 3 * (size_t)i;
    most            = fmax(most, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  }
  c->factor = most > 0.0 ? SHARE * sqrt(size / most) : 0.0;
  if (!isfinite(c->factor)) c->factor = 0.0;
  if (c->factor > 0.0) {
    const double power = pow(10.0, floor(log10(c->factor)) - 1.0);
    c->factor          = round(c->factor / power) * power;
  }
}

static void caption(bf_atomic_file *f, const bf_result *r, const bf_field *field, const bf_field *moved,
                    const bf_surface_colours *c, int step)
{
  const char *unit = field->unit && strcmp(field->unit, "1") != 0 ? field->unit : "";
  bf_html_raw(f, "<figcaption><div class=\"scale\">");
  bf_html_say(f, "%.5g", c->low);
  bf_html_raw(f, "<i></i>");
  bf_html_say(f, "%.5g %s", c->high, unit);
  bf_html_raw(f, "</div>");
  if (r->steps && r->step_name && step < r->steps->n)
    bf_html_say(f, "%.120s: ", r->step_name[step]);
  else if (r->modes && step < r->modes->n)
    bf_html_say(f, "mode %d, %.6g Hz: ", step + 1, r->modes->frequency_hz[step]);
  else if (r->steps)
    bf_html_say(f, "step %d: ", step + 1);
  bf_html_say(f, "%s%s", field->name, field->ncomp == 3 ? ", length of the vector" : "");
  if (c->move && c->factor > 0.0) bf_html_say(f, "; shape with %s times %.3g", moved->name, c->factor);
  bf_html_raw(f, "</figcaption>");
}

static bf_err one(bf_atomic_file *f, const bf_result *r, const bf_surface *s, const bf_field *field, int step,
                  double *value, size_t *used)
{
  const bf_field    *moved = find(r, moving, sizeof moving / sizeof *moving);
  bf_surface_colours c     = {.value = NULL};
  uint8_t           *png   = NULL;
  size_t             bytes = 0;
  if (field->ncomp == 3) moved = field;
  values_of(r, field, step, field->on_cells ? r->view->ncells : r->view->npoints, value, &c);
  move_of(r, moved, step, &c);
  if (!(c.low <= c.high)) return BF_OK;
  BF_TRY(bf_surface_png(s, &c, &png, &bytes));
  *used += bytes / 3 * 4;
  if (*used <= MOST_BYTES) {
    bf_html_raw(f, "<figure><img alt=\"picture of ");
    bf_html_text(f, field->name);
    bf_html_raw(f, "\" src=\"");
    bf_html_png(f, png, bytes);
    bf_html_raw(f, "\"/>");
    caption(f, r, field, moved, &c, step);
    bf_html_raw(f, "</figure>\n");
  }
  bf_host_free(png);
  return BF_OK;
}

bf_err bf_page_pictures(bf_atomic_file *f, const bf_page *p)
{
  const bf_result *r     = p->result;
  bf_err           err   = BF_OK;
  bf_surface      *s     = NULL;
  double          *value = NULL;
  size_t           used  = 0;
  const bf_field  *field = find(r, preferred, sizeof preferred / sizeof *preferred);
  if (!field || !r->mesh || !r->view || r->mesh->dim < 2 || r->view->ncells == 0 ||
      r->view->ncells > BF_SURFACE_MOST_CELLS)
    return BF_OK;
  const int n = r->steps && field->by_step ? r->steps->n : 1;
  int first   = r->modes && r->modes->rigid < n ? r->modes->rigid : 0; /* rigid bodies look like the body */
  BF_GO(bf_surface_create(r->mesh, r->view, &s));
  BF_GO(BF_NEW_ARRAY(value, r->view->npoints > r->view->ncells ? r->view->npoints : r->view->ncells));
  bf_html_section(f, "pictures", "Pictures");
  bf_html_raw(f, n - first > 1 ? "<div class=\"shots\">\n" : "<div>\n");
  for (int k = first; k < n && k < first + PICTURES; k++) BF_GO(one(f, r, s, field, k, value, &used));
  bf_html_raw(f, "</div>\n");
  bf_html_section_end(f);
done:
  bf_surface_destroy(&s);
  bf_host_free(value);
  return err;
}
