/* outputs/html/section_model.c - report.html: mesh, groups, quality, materials, conditions, loads */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 200 };

static void mesh(bf_atomic_file *f, const bf_page *p)
{
  const bf_mesh *m = p->result->mesh;
  double         lo[3], hi[3];
  bf_html_raw(f, "<h3>Mesh</h3>\n");
  bf_html_table(f, NULL);
  bf_html_pair(f, "source", "%.400s", m->file ? m->file : "");
  bf_html_raw(f, "<tr><th scope=\"row\">elements</th><td>");
  for (int b = m->nblocks - 1, n = 0; b >= 0; b--)
    if (bf_elem(m->block[b].type)->dim == m->dim)
      bf_html_say(f, "%s%d %s", n++ ? ", " : "", (int)m->block[b].n, bf_elem(m->block[b].type)->name);
  bf_html_raw(f, "</td></tr>\n");
  bf_html_pair(f, "nodes", "%d", (int)m->nnodes);
  if (p->space && p->space[0]) bf_html_pair(f, "space", "%.80s", p->space);
  bf_mesh_bounds(m, lo, hi);
  bf_html_pair(f, "bounds", "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) %s", lo[0], lo[1], lo[2], hi[0], hi[1],
               hi[2], p->length ? p->length : "");
  if (p->quality) {
    const bf_quality *q = p->quality;
    bf_html_pair(f, m->dim == 3 ? "volume" : "area", "%.6g %s%d", q->measure, p->length ? p->length : "",
                 m->dim);
    bf_html_pair(f, "smallest ratio of Jacobians", "%.4g in element %lld (1: parallelepiped or simplex)",
                 q->jacobian_min, (long long)q->jacobian_min_elem);
    bf_html_pair(f, "largest ratio of edges", "%.4g in element %lld", q->aspect_max,
                 (long long)q->aspect_max_elem);
    bf_html_pair(f, "connected parts", "%d", (int)q->components);
    if (q->unused_nodes > 0) bf_html_pair(f, "nodes of no element", "%d", (int)q->unused_nodes);
  }
  bf_html_table_end(f);
}

static void groups(bf_atomic_file *f, const bf_page *p)
{
  const bf_mesh *m = p->result->mesh;
  if (m->ngroups == 0) return;
  bf_html_raw(f, "<h3>Groups</h3>\n");
  bf_html_table(f, "name|#dimension|#elements|#length, area, volume");
  for (int g = 0; g < m->ngroups && g < MOST_ROWS; g++) {
    bf_html_row(f);
    bf_html_cell(f, m->group[g].name);
    bf_html_cell_int(f, m->group[g].dim);
    bf_html_cell_int(f, m->group[g].nelem);
    bf_html_cell_real(f, p->group_measure && m->group[g].dim > 0 ? p->group_measure[g] : NAN);
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  if (m->ngroups > MOST_ROWS) bf_html_say(f, "%d more groups", m->ngroups - MOST_ROWS);
}

static void entries(bf_atomic_file *f, const bf_page *p)
{
  static const char *const kind[]  = {"material", "boundary", "load"};
  static const char *const title[] = {"Materials", "Boundary conditions", "Loads"};
  for (int k = 0; k < 3; k++) {
    int shown = 0, more = 0;
    for (int i = 0; i < p->nentries; i++) {
      const bf_page_entry *e = &p->entry[i];
      if (strcmp(e->kind, kind[k]) != 0) continue;
      if (shown == MOST_ROWS) {
        more++;
        continue;
      }
      if (shown++ == 0) {
        bf_html_raw(f, "<h3>");
        bf_html_text(f, title[k]);
        bf_html_raw(f, "</h3>\n");
        bf_html_table(f, k == 0 ? "material|extent" : "entry|extent|resultant|#line of the deck");
      }
      bf_html_row(f);
      bf_html_cell(f, e->text);
      bf_html_cell(f, e->extent);
      if (k > 0) bf_html_cell(f, e->total);
      if (k > 0) bf_html_cell_int(f, e->line);
      bf_html_row_end(f);
    }
    if (shown) bf_html_table_end(f);
    if (more) bf_html_say(f, "%d more", more);
  }
}

void bf_page_model(bf_atomic_file *f, const bf_page *p)
{
  bf_html_section(f, "model", "Model");
  if (p->result->mesh) mesh(f, p);
  if (p->result->mesh) groups(f, p);
  entries(f, p);
  if (p->loads[0] || p->supports[0]) {
    bf_html_raw(f, "<h3>Balance of the model</h3>\n");
    bf_html_table(f, NULL);
    if (p->loads[0]) bf_html_pair(f, "total of all loads", "%s", p->loads);
    if (p->supports[0]) bf_html_pair(f, "supports", "%s", p->supports);
    bf_html_table_end(f);
  }
  bf_html_section_end(f);
}
