/* outputs/html/section_values.c - report.html: largest values, reactions, probes, balance, checks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include "outputs/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 300 };

static void more_rows(bf_atomic_file *f, int n)
{
  if (n <= MOST_ROWS) return;
  bf_html_raw(f, "<p class=\"note\">");
  bf_html_say(f, "%d more in report.json", n - MOST_ROWS);
  bf_html_raw(f, "</p>\n");
}

static const char *unit_of(const char *unit)
{
  return unit && strcmp(unit, "1") != 0 ? unit : "";
}

static void peaks(bf_atomic_file *f, const bf_result *r)
{
  if (r->npeaks == 0) return;
  bf_html_raw(f, "<h3>Largest values</h3>\n");
  bf_html_table(f, "field||#value|unit|place|node|where");
  for (int i = 0; i < r->npeaks; i++) {
    const bf_peak *k = &r->peak[i];
    double         at[9];
    bf_table_clean(k->at, 3, at);
    bf_html_row(f);
    bf_html_cell(f, k->field);
    bf_html_cell(f, k->greatest ? "largest" : "smallest");
    bf_html_cell_real(f, k->value);
    bf_html_cell(f, unit_of(k->unit));
    bf_html_cell_say(f, "(%.5g, %.5g, %.5g)", at[0], at[1], at[2]);
    if (k->node >= 0)
      bf_html_cell_say(f, "%lld", (long long)k->node);
    else
      bf_html_cell(f, "");
    bf_html_raw(f, "<td>");
    if (k->material) bf_html_say(f, "material %.100s", k->material);
    if (k->group) bf_html_say(f, "%sgroup %.100s", k->material ? ", " : "", k->group);
    if (k->of_case) bf_html_say(f, " case %.100s", k->of_case);
    bf_html_raw(f, "</td>");
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  for (int i = 0; i < r->npeaks; i++) {
    if (!r->peak[i].note[0]) continue;
    bf_html_raw(f, "<p class=\"note\">");
    bf_html_say(f, "%s: %s", r->peak[i].field, r->peak[i].note);
    bf_html_raw(f, "</p>\n");
  }
}

static void reactions(bf_atomic_file *f, const bf_result *r)
{
  char   text[160];
  double v[9];
  if (r->nreactions == 0) return;
  bf_html_raw(f, "<h3>Reactions</h3>\n");
  bf_html_table(f, "group|case|value");
  for (int i = 0; i < r->nreactions && i < MOST_ROWS; i++) {
    const bf_reaction *k = &r->reaction[i];
    bf_table_clean(k->value, k->ncomp, v);
    bf_html_row(f);
    bf_html_cell(f, k->group);
    bf_html_cell(f, k->of_case);
    bf_html_cell(f, bf_table_vector(v, k->ncomp, k->unit, text));
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  more_rows(f, r->nreactions);
}

static void probes(bf_atomic_file *f, const bf_result *r)
{
  char text[160];
  if (r->nprobes == 0) return;
  bf_html_raw(f, "<h3>Probes</h3>\n");
  bf_html_table(f, "probe|case|field|place|value");
  for (int i = 0; i < r->nprobes && i < MOST_ROWS; i++) {
    const bf_probe_record *k = &r->probe[i];
    bf_html_row(f);
    bf_html_cell(f, k->name);
    bf_html_cell(f, k->of_case);
    bf_html_cell(f, k->field);
    bf_html_cell_say(f, "(%.6g, %.6g, %.6g)", k->at[0], k->at[1], k->at[2]);
    bf_html_cell(f, bf_table_vector(k->value, k->ncomp, k->unit, text));
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  more_rows(f, r->nprobes);
}

static void accuracy(bf_atomic_file *f, const bf_result *r)
{
  if (!r->balance_name && !(r->recovery && r->recovery->has_error)) return;
  bf_html_raw(f, "<h3>Accuracy</h3>\n");
  bf_html_table(f, NULL);
  if (r->balance_name) bf_html_pair(f, "balance", "%s, relative defect %.1e", r->balance_name, r->balance);
  if (r->recovery && r->recovery->has_error)
    bf_html_pair(f, "estimated error of the mesh", "%.3g %% in the energy norm",
                 100.0 * r->recovery->error_estimate);
  bf_html_table_end(f);
}

static void checks(bf_atomic_file *f, const bf_result *r)
{
  if (r->nchecks == 0) return;
  bf_html_raw(f, "<h3>Checks</h3>\n");
  bf_html_table(f, "quantity|case|#value|#expected|tolerance|result|note");
  for (int i = 0; i < r->nchecks && i < MOST_ROWS; i++) {
    const bf_check_record *k = &r->check[i];
    bf_html_row(f);
    bf_html_cell(f, k->quantity);
    bf_html_cell(f, k->of_case);
    bf_html_cell_real(f, k->got);
    bf_html_cell_real(f, k->report ? (double)NAN : k->expected);
    if (k->report)
      bf_html_cell(f, "");
    else
      bf_html_cell_say(f, "%.3g %s", k->tolerance, k->relative ? "relative" : "absolute");
    bf_html_raw(f, k->report   ? "<td>reported</td>"
                   : k->passed ? "<td>passed</td>"
                               : "<td class=\"error\">FAILED</td>");
    bf_html_cell(f, k->note);
    bf_html_row_end(f);
  }
  bf_html_table_end(f);
  more_rows(f, r->nchecks);
}

void bf_page_values(bf_atomic_file *f, const bf_page *p)
{
  bf_html_section(f, "values", "Results");
  peaks(f, p->result);
  checks(f, p->result);
  reactions(f, p->result);
  probes(f, p->result);
  accuracy(f, p->result);
  bf_html_section_end(f);
}
