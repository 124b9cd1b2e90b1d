/* outputs/html/section_analysis.c - report.html: load cases, modes of vibration, bands and gaps of waves */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include "outputs/html/plot.h"
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 200, MOST_BANDS = 48 };

static void cases(bf_atomic_file *f, const bf_result *r)
{
  if (r->ncases == 0) return;
  bf_html_section(f, "cases", "Load cases");
  bf_html_table(f, "case|kind|result|#iterations|#balance|#estimated error");
  for (int i = 0; i < r->ncases && i < MOST_ROWS; i++) {
    const bf_case_record *c = &r->of_case[i];
    bf_html_row(f);
    bf_html_cell(f, c->name);
    bf_html_cell(f, c->sum ? "sum" : "loaded");
    bf_html_raw(f, c->converged ? "<td>converged</td>" : "<td class=\"error\">NOT CONVERGED</td>");
    if (c->sum)
      bf_html_cell(f, "");
    else
      bf_html_cell_int(f, c->iterations);
    bf_html_cell_real(f, c->balance);
    bf_html_cell_real(f, c->error_estimate);
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  bf_html_section_end(f);
}

static void modes(bf_atomic_file *f, const bf_modes_record *m)
{
  char heading[200] = "mode|#frequency, Hz|#residual";
  if (!m || m->n == 0) return;
  for (int a = 0; a < m->naxes; a++) {
    const size_t at = strlen(heading);
    snprintf(heading + at, sizeof heading - at, "|#effective mass %s, %s", m->axis[a],
             m->mass_unit ? m->mass_unit : "");
  }
  bf_html_section(f, "modes", "Modes of vibration");
  bf_html_table(f, heading);
  for (int i = 0; i < m->n && i < MOST_ROWS; i++) {
    bf_html_row(f);
    bf_html_cell_say(f, i < m->rigid ? "%d, rigid body" : "%d", i + 1);
    bf_html_cell_real(f, m->frequency_hz[i]);
    bf_html_cell_real(f, m->residual[i]);
    for (int a = 0; a < m->naxes; a++) bf_html_cell_real(f, m->effective_mass[i * m->naxes + a]);
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  bf_html_section_end(f);
}

static void gaps(bf_atomic_file *f, const bf_dispersion_record *d)
{
  if (d->ngaps == 0) {
    bf_html_raw(f, "<p>No gap between the bands on this path.</p>\n");
    return;
  }
  bf_html_table(f, "gap after band|#from, Hz|#to, Hz|#width, % of the middle");
  for (int i = 0; i < d->ngaps && i < MOST_ROWS; i++) {
    bf_html_row(f);
    bf_html_cell_say(f, "%d", d->gap_below[i]);
    bf_html_cell_real(f, d->gap[2 * i]);
    bf_html_cell_real(f, d->gap[2 * i + 1]);
    bf_html_cell_real(f, 200.0 * (d->gap[2 * i + 1] - d->gap[2 * i]) / (d->gap[2 * i + 1] + d->gap[2 * i]));
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
}

static void bands(bf_atomic_file *f, const bf_dispersion_record *d)
{
  bf_curve  curve[MOST_BANDS];
  const int n = d && d->bands < MOST_BANDS ? d->bands : MOST_BANDS;
  if (!d || d->nk == 0) return;
  for (int b = 0; b < n; b++)
    curve[b] = (bf_curve){NULL, d->nk, d->bands, d->path_length, d->frequency_hz + b, 0};
  const bf_plot plot = {.title      = "bands along the path of wave vectors",
                        .x_label    = "wave vector",
                        .y_label    = "frequency, Hz",
                        .ncurves    = n,
                        .curve      = curve,
                        .nticks     = d->nticks,
                        .tick       = d->tick_position,
                        .tick_label = d->tick_label,
                        .nbands     = n == d->bands ? d->ngaps : 0,
                        .band       = d->gap};
  bf_html_section(f, "bands", "Bands");
  bf_html_plot(f, &plot);
  gaps(f, d);
  bf_html_section_end(f);
}

void bf_page_analysis(bf_atomic_file *f, const bf_page *p)
{
  cases(f, p->result);
  modes(f, p->result->modes);
  bands(f, p->result->dispersion);
}
