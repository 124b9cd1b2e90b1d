/* outputs/html/section_solve.c - report.html: solver, convergence, times of the phases */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "outputs/html/page.h"
#include "outputs/html/plot.h"
#include <math.h>

enum { BARS = 16 };

static void solver(bf_atomic_file *f, const bf_history *h)
{
  bf_html_table(f, NULL);
  bf_html_pair(f, "method", "%s", h->method);
  bf_html_pair(f, "preconditioner", "%s", h->preconditioner);
  if (h->n > 1) bf_html_pair(f, "iterations", "%d", h->n - 1);
  if (h->n > 0) bf_html_pair(f, "end", "%s, relative residual %.3g", h->reason, h->residual[h->n - 1]);
  if (isfinite(h->condition)) bf_html_pair(f, "estimated condition number", "%.3g", h->condition);
  if (isfinite(h->backward_error)) bf_html_pair(f, "backward error", "%.3g", h->backward_error);
  if (isfinite(h->forward_error))
    bf_html_pair(f, "estimated error of the solution", "%.3g", h->forward_error);
  for (int l = 0; h->multigrid && l < h->multigrid->nlevels; l++)
    bf_html_pair(f, l ? "" : "multigrid levels", "%lld unknowns, %lld nonzeros",
                 (long long)h->multigrid->n[l], (long long)h->multigrid->nnz[l]);
  bf_html_table_end(f);
}

static void convergence(bf_atomic_file *f, const bf_history *h)
{
  const bf_curve curve[2] = {{"residual", h->n, 1, NULL, h->residual, 0},
                             {"true residual", h->n, 1, NULL, h->true_residual, 1}};
  const bf_plot  plot     = {.title   = "relative residual by iteration",
                             .x_label = "iteration",
                             .y_label = "relative residual",
                             .log_y   = 1,
                             .ncurves = h->true_residual ? 2 : 1,
                             .curve   = curve};
  bf_html_raw(f, "<h3>Convergence</h3>\n");
  bf_html_plot(f, &plot);
}

/* The longest phases in their order, the others in one bar */
static void times(bf_atomic_file *f, const bf_phases *phases)
{
  bf_bar bar[BARS + 1];
  int    n     = 0;
  double total = 0.0, rest = 0.0, least = 0.0;
  for (int i = 0; i < phases->count; i++) total += phases->phase[i].seconds;
  for (int more = phases->count; more > BARS;) { /* raises the limit until few are left */
    least = least > 0.0 ? 1.3 * least : 0.001 * total;
    more  = 0;
    for (int i = 0; i < phases->count; i++) more += phases->phase[i].seconds >= least;
    if (!(total > 0.0)) break;
  }
  for (int i = 0; i < phases->count; i++) {
    if (phases->phase[i].seconds >= least && n < BARS)
      bar[n++] = (bf_bar){phases->phase[i].name, phases->phase[i].seconds};
    else
      rest += phases->phase[i].seconds;
  }
  if (rest > 0.0) bar[n++] = (bf_bar){"all others", rest};
  if (n == 0) return;
  bf_html_raw(f, "<h3>Times</h3>\n");
  bf_html_bars(f, "seconds of the phases", n, bar, "s", total);
  bf_html_raw(f, "<p class=\"note\">This page and report.json, which follows it, are not included.</p>\n");
}

void bf_page_solve(bf_atomic_file *f, const bf_page *p)
{
  const bf_history *h = p->result->history;
  bf_html_section(f, "solve", "Solution");
  if (p->device && p->device[0]) {
    bf_html_raw(f, "<p>");
    bf_html_text(f, p->device);
    bf_html_raw(f, "</p>\n");
  }
  if (h) solver(f, h);
  if (h && h->n > 1) convergence(f, h);
  if (p->result->phases) times(f, p->result->phases);
  bf_html_section_end(f);
}
