/* outputs/html/plot.h - diagrams as inline SVG (private): curves over x, horizontal bars */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HTML_PLOT_H
#define BF_HTML_PLOT_H
#include "outputs/atomic_file.h"

enum { BF_PLOT_POINTS = 600 }; /* of a curve; longer ones are thinned, the last point stays */

typedef struct bf_curve {
  const char   *name;      /* in the legend; NULL: none */
  int           n, stride; /* value of point i: y[i * stride] */
  const double *x;         /* [n]; NULL: 0, 1, 2, ... */
  const double *y;         /* NaN: no point */
  int           colour;
} bf_curve;

typedef struct bf_plot {
  const char     *title, *x_label, *y_label;
  int             log_y; /* values <= 0 are no points */
  int             ncurves;
  const bf_curve *curve;
  int             nticks; /* named places of x instead of numbers; 0: numbers */
  const double   *tick;
  const char    **tick_label;
  int             nbands; /* grey ranges of y: [nbands][2] */
  const double   *band;
} bf_plot;

void bf_html_plot(bf_atomic_file *f, const bf_plot *p);

typedef struct bf_bar {
  const char *name;
  double      value;
} bf_bar;
/* Lengths by the largest value; text behind each bar: value, unit, share of `total`. */
void bf_html_bars(bf_atomic_file *f, const char *title, int n, const bf_bar *bar, const char *unit,
                  double total);
#endif
