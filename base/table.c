/* base/table.c - see table.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

void bf_table_destroy(bf_table **t)
{
  if (!t || !*t) return;
  for (int d = 0; d < 3; d++) bf_host_free((*t)->at[d]);
  bf_host_free((*t)->value);
  bf_host_free(*t);
  *t = NULL;
}

/* Cell i with at[i] <= c < at[i+1] and the relative position in it, 0 .. 1; outside, the end of the nearest
 * cell. */
static int cell_of(const double *at, int n, double c, double *w)
{
  int low = 0, high = n - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (c >= at[middle])
      low = middle;
    else
      high = middle;
  }
  const double t = (c - at[low]) / (at[high] - at[low]);
  *w             = t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t;
  return low;
}

/* Value at a point, and how far outside it is in lengths of the table. */
static double value_at(const bf_table *t, const double x[3], double *outside)
{
  double v[8], w[3];
  int    first = 0, step[3] = {0};
  *outside = 0.0;
  for (int d = t->dim - 1, stride = 1; d >= 0; stride *= t->n[d--]) step[d] = stride;
  for (int d = 0; d < t->dim; d++) {
    const double c = x[t->axis[d]], low = t->at[d][0], high = t->at[d][t->n[d] - 1];
    first += step[d] * cell_of(t->at[d], t->n[d], c, &w[d]);
    *outside = fmax(*outside, fmax(low - c, c - high) / (high - low));
  }
  for (int k = 0; k < 1 << t->dim; k++) { /* bit d of k: the upper corner of coordinate d */
    int at = first;
    for (int d = 0; d < t->dim; d++) at += k >> d & 1 ? step[d] : 0;
    v[k] = t->value[at];
  }
  for (int d = t->dim - 1; d >= 0; d--) /* v = v0 + w (v1 - v0), one coordinate after the other */
    for (int k = 0; k < 1 << d; k++) {
      const double *upper = &v[k + (1 << d)];
      v[k]                = w[d] == 1.0 ? *upper : v[k] + w[d] * (*upper - v[k]);
    }
  return v[0];
}

/* Points are compared by their distance, then by x, y, z: the one kept does not depend on the threads. */
static int farther(double outside, const double x[3], double than, const double at[3])
{
  if (outside != than) return outside > than;
  for (int d = 0; d < 3; d++)
    if (x[d] != at[d]) return x[d] < at[d];
  return 0;
}

bf_err bf_table_eval(bf_table *t, int64_t n, const double *x, double *f)
{
  const double rounding = 1.0e-9; /* of a coordinate on the edge */
  double       most = 0.0, at[3] = {0};
  BF_CHECK(t && n >= 0 && (n == 0 || (x && f)), BF_E_ARG, "null argument");
  for (int64_t i = 0; i < n; i++) {
    double outside;
    f[i] = value_at(t, x + 3 * i, &outside);
    if (outside <= rounding || !farther(outside, x + 3 * i, most, at)) continue;
    most = outside;
    memcpy(at, x + 3 * i, sizeof at);
  }
  for (int64_t i = 0; i < n; i++)
    BF_CHECK(isfinite(f[i]), BF_E_MODEL, "table '%s' is %g at (%g, %g, %g)", t->name, f[i], x[3 * i],
             x[3 * i + 1], x[3 * i + 2]);
  if (most == 0.0) return BF_OK;
#pragma omp critical(bf_table_outside)
  if (farther(most, at, t->farthest, t->farthest_at)) {
    t->farthest = most;
    memcpy(t->farthest_at, at, sizeof at);
  }
  return BF_OK;
}
