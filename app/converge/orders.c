/* app/converge/orders.c - observed orders of convergence
 *
 *     of errors              p = ln(e_1/e_2) / ln(h_1/h_2)
 *     of other quantities    v_i = limit + c h_i^p through three levels (Richardson extrapolation):
 *                            (v_1 - v_2)/(v_2 - v_3) = (h_1^p - h_2^p)/(h_2^p - h_3^p)
 *
 * Source: P. J. Roache, Perspective: a method for uniform reporting of grid refinement studies, J. Fluids
 * Eng. 116 (1994) 405-413, doi:10.1115/1.2910291.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/converge/study.h"
#include <math.h>

static const double LEAST = 0.02, MOST = 16.0; /* orders */

/* Ascending in p for h_1 > h_2 > h_3. */
static double ratio(const double h[3], double p)
{
  return (pow(h[0] / h[1], p) - 1.0) / (1.0 - pow(h[2] / h[1], p));
}

int bf_study_extrapolate(const double h[3], const double v[3], double *order, double *limit)
{
  const double goal = (v[0] - v[1]) / (v[1] - v[2]);
  double       low = LEAST, high = MOST;
  if (!(h[0] > h[1] && h[1] > h[2]) || !isfinite(goal)) return 0;
  if (!(goal > ratio(h, low) && goal < ratio(h, high))) return 0;
  for (int i = 0; i < 80; i++) {
    const double middle                       = 0.5 * (low + high);
    *(ratio(h, middle) < goal ? &low : &high) = middle;
  }
  *order = 0.5 * (low + high);
  *limit = v[2] + (v[2] - v[1]) / (pow(h[1] / h[2], *order) - 1.0);
  return 1;
}

static void of_errors(bf_study *s, int first, int q)
{
  for (int i = first; i < s->table.nrows; i++) {
    bf_convergence_row *r = &s->table.row[i];
    r->error[q]           = fabs(r->value[q]);
    if (i == first) continue;
    const bf_convergence_row *before = r - 1;
    const double              p      = log(before->error[q] / r->error[q]) / log(before->h / r->h);
    r->order[q]                      = isfinite(p) ? p : NAN;
  }
}

static void of_values(bf_study *s, int first, int q)
{
  const int last = s->table.nrows - 1;
  s->limit[q]    = s->table.row[last].value[q];
  for (int i = first + 2; i <= last; i++) {
    const bf_convergence_row *r = &s->table.row[i - 2];
    const double h[3] = {r[0].h, r[1].h, r[2].h}, v[3] = {r[0].value[q], r[1].value[q], r[2].value[q]};
    double       limit;
    if (!bf_study_extrapolate(h, v, &s->table.row[i].order[q], &limit)) continue;
    if (i < last) continue;
    s->limit[q]        = limit;
    s->extrapolated[q] = 1;
  }
  for (int i = first; i <= last; i++)
    if (i < last || s->extrapolated[q])
      s->table.row[i].error[q] = fabs(s->table.row[i].value[q] - s->limit[q]);
}

void bf_study_orders(bf_study *s, int first)
{
  for (int q = 0; q < s->table.nquantities; q++) {
    s->extrapolated[q] = 0;
    (s->is_error[q] ? of_errors : of_values)(s, first, q);
  }
}
