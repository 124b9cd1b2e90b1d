/* outputs/html/plot.c - see plot.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/plot.h"
#include "outputs/html/html.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 720, HEIGHT = 340, LEFT = 78, RIGHT = 18, TOP = 16, BOTTOM = 46, COLOURS = 6 };

static const char *const colours[COLOURS] = {"#1f5fa8", "#d1662b", "#2d8a57",
                                             "#7a4fa3", "#b3343f", "#5b6770"};

typedef struct axes {
  double x0, x1, y0, y1; /* ranges; of log10(y) where log_y */
  int    log_y;
} axes;

static int shown(const bf_plot *p, const bf_curve *c, int i, double *x, double *y)
{
  const double v = c->y[(size_t)i * (size_t)c->stride];
  *x             = c->x ? c->x[i] : i;
  if (!isfinite(v) || !isfinite(*x) || (p->log_y && v <= 0.0)) return 0;
  *y = p->log_y ? log10(v) : v;
  return 1;
}

static int ranges(const bf_plot *p, axes *a)
{
  double x, y;
  int    any = 0;
  *a         = (axes){INFINITY, -INFINITY, INFINITY, -INFINITY, p->log_y};
  for (int k = 0; k < p->ncurves; k++)
    for (int i = 0; i < p->curve[k].n; i++) {
      if (!shown(p, &p->curve[k], i, &x, &y)) continue;
      a->x0 = fmin(a->x0, x), a->x1 = fmax(a->x1, x);
      a->y0 = fmin(a->y0, y), a->y1 = fmax(a->y1, y);
      any = 1;
    }
  if (!any) return 0;
  if (p->log_y) a->y0 = floor(a->y0), a->y1 = ceil(a->y1);
  if (!p->log_y && a->y0 > 0.0) a->y0 = 0.0;
  if (a->x1 <= a->x0) a->x1 = a->x0 + 1.0;
  if (a->y1 <= a->y0) a->y1 = a->y0 + 1.0;
  return 1;
}

static double at_x(const axes *a, double x)
{
  return LEFT + (x - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const axes *a, double y)
{
  return HEIGHT - BOTTOM - (y - a->y0) / (a->y1 - a->y0) * (HEIGHT - TOP - BOTTOM);
}

/* 1, 2 or 5 times a power of ten, for about `parts` steps */
static double step_of(double range, int parts)
{
  const double raw = range / parts, power = pow(10.0, floor(log10(raw))), m = raw / power;
  return power * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static void grid_line(bf_atomic_file *f, double x0, double y0, double x1, double y1)
{
  bf_atomic_file_print(f, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x0, y0,
                       x1, y1);
}

static void label(bf_atomic_file *f, double x, double y, const char *anchor, const char *fmt, double value)
{
  bf_atomic_file_print(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  bf_atomic_file_print(f, fmt, value);
  bf_html_raw(f, "</text>\n");
}

static void y_axis(bf_atomic_file *f, const axes *a)
{
  const double range = a->y1 - a->y0;
  const double step  = a->log_y ? fmax(1.0, ceil(range / 8.0)) : step_of(range, 6);
  const double first = ceil(a->y0 / step - 1e-9) * step;
  const int    n     = (int)((a->y1 - first) / step + 1e-6);
  for (int i = 0; i <= n; i++) {
    const double y = first + i * step;
    grid_line(f, LEFT, at_y(a, y), WIDTH - RIGHT, at_y(a, y));
    label(f, LEFT - 8, at_y(a, y) + 4, "end", a->log_y ? "1e%.0f" : "%.6g", fabs(y) < 1e-9 * range ? 0.0 : y);
  }
}

static void x_axis(bf_atomic_file *f, const axes *a, const bf_plot *p)
{
  const double range = a->x1 - a->x0, step = step_of(range, 8), bottom = HEIGHT - BOTTOM;
  const double first = ceil(a->x0 / step - 1e-9) * step;
  const int    n     = p->nticks == 0 ? (int)((a->x1 - first) / step + 1e-6) : -1;
  for (int t = 0; t < p->nticks; t++) {
    const double x = at_x(a, p->tick[t]);
    grid_line(f, x, TOP, x, bottom);
    bf_atomic_file_print(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, bottom + 18);
    bf_html_text(f, p->tick_label[t]);
    bf_html_raw(f, "</text>\n");
  }
  for (int i = 0; i <= n; i++) {
    const double x = first + i * step;
    grid_line(f, at_x(a, x), TOP, at_x(a, x), bottom);
    label(f, at_x(a, x), bottom + 18, "middle", "%.6g", fabs(x) < 1e-9 * range ? 0.0 : x);
  }
}

static void curve(bf_atomic_file *f, const axes *a, const bf_plot *p, const bf_curve *c)
{
  const int every = c->n > BF_PLOT_POINTS ? (c->n + BF_PLOT_POINTS - 1) / BF_PLOT_POINTS : 1;
  double    x, y;
  int       points = 0;
  bf_atomic_file_print(f, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"",
                       colours[c->colour % COLOURS]);
  for (int i = 0; i < c->n; i++) {
    if ((i % every != 0 && i != c->n - 1) || !shown(p, c, i, &x, &y)) continue;
    bf_atomic_file_print(f, "%s%.1f %.1f", points++ ? "L" : "M", at_x(a, x), at_y(a, y));
  }
  if (points == 0) bf_html_raw(f, "M0 0");
  bf_html_raw(f, "\"/>\n");
}

/* Points instead of a line where values are rare, such as true residuals */
static void dots(bf_atomic_file *f, const axes *a, const bf_plot *p, const bf_curve *c)
{
  double x, y;
  int    points = 0;
  for (int i = 0; i < c->n; i++) points += shown(p, c, i, &x, &y);
  if (points == 0 || points > 60) return;
  for (int i = 0; i < c->n; i++)
    if (shown(p, c, i, &x, &y))
      bf_atomic_file_print(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", at_x(a, x),
                           at_y(a, y), colours[c->colour % COLOURS]);
}

static void legend(bf_atomic_file *f, const bf_plot *p)
{
  int line = 0;
  for (int k = 0; k < p->ncurves; k++) {
    if (!p->curve[k].name) continue;
    const double y = TOP + 16 + 18 * line++;
    bf_atomic_file_print(
        f, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\"/>",
        WIDTH - 190, y - 4, WIDTH - 166, y - 4, colours[p->curve[k].colour % COLOURS]);
    bf_atomic_file_print(f, "<text x=\"%d\" y=\"%.1f\">", WIDTH - 160, y);
    bf_html_text(f, p->curve[k].name);
    bf_html_raw(f, "</text>\n");
  }
}

static void svg(bf_atomic_file *f, const char *title, int height)
{
  bf_atomic_file_print(
      f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
      height);
  bf_html_text(f, title);
  bf_html_raw(f, "\"><title>");
  bf_html_text(f, title);
  bf_html_raw(f, "</title>\n");
}

void bf_html_plot(bf_atomic_file *f, const bf_plot *p)
{
  axes a;
  if (!ranges(p, &a)) return;
  svg(f, p->title, HEIGHT);
  for (int b = 0; b < p->nbands; b++)
    bf_atomic_file_print(f, "<rect class=\"band\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", LEFT,
                         at_y(&a, p->band[2 * b + 1]), WIDTH - LEFT - RIGHT,
                         at_y(&a, p->band[2 * b]) - at_y(&a, p->band[2 * b + 1]));
  y_axis(f, &a);
  x_axis(f, &a, p);
  for (int k = 0; k < p->ncurves; k++) curve(f, &a, p, &p->curve[k]);
  for (int k = 0; k < p->ncurves; k++) dots(f, &a, p, &p->curve[k]);
  legend(f, p);
  bf_atomic_file_print(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (WIDTH + LEFT - RIGHT) / 2,
                       HEIGHT - 6);
  bf_html_text(f, p->x_label);
  bf_atomic_file_print(f, "</text>\n<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">",
                       HEIGHT / 2);
  bf_html_text(f, p->y_label);
  bf_html_raw(f, "</text>\n</svg>\n");
}

void bf_html_bars(bf_atomic_file *f, const char *title, int n, const bf_bar *bar, const char *unit,
                  double total)
{
  enum { ROW = 22, NAME = 210, ROOM = 150 };
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, bar[i].value);
  if (n == 0 || !(most > 0.0)) return;
  svg(f, title, n * ROW + 8);
  for (int i = 0; i < n; i++) {
    const double length = bar[i].value / most * (WIDTH - NAME - ROOM), y = i * ROW + 4;
    bf_atomic_file_print(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", NAME - 8, y + 14);
    bf_html_text(f, bar[i].name);
    bf_atomic_file_print(f, "</text><rect fill=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>",
                         colours[0], NAME, y + 2, fmax(length, 0.5), ROW - 6);
    bf_atomic_file_print(f, "<text x=\"%.1f\" y=\"%.1f\">%.3g ", NAME + length + 8, y + 14, bar[i].value);
    bf_html_text(f, unit);
    if (total > 0.0) bf_atomic_file_print(f, ", %.1f %%", 100.0 * bar[i].value / total);
    bf_html_raw(f, "</text>\n");
  }
  bf_html_raw(f, "</svg>\n");
}
