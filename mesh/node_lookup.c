/* mesh/node_lookup.c - see node_lookup.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/node_lookup.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static const double RAY[3] = {0.8017, 0.5003, 0.32707}; /* length 1 */

static int by_place(const void *a, const void *b)
{
  const bf_spot *p = a, *q = b;
  if (p->along != q->along) return p->along < q->along ? -1 : 1;
  return (p->node > q->node) - (p->node < q->node);
}

static double along(const double x[3])
{
  return RAY[0] * x[0] + RAY[1] * x[1] + RAY[2] * x[2];
}

bf_err bf_spots_create(const bf_mesh *m, const bf_int *node, bf_int n, bf_spots *out)
{
  BF_TRY(BF_NEW_ARRAY(out->at, n));
  out->n = n;
  for (bf_int i = 0; i < n; i++) out->at[i] = (bf_spot){along(m->x + 3 * (size_t)node[i]), node[i]};
  qsort(out->at, (size_t)n, sizeof *out->at, by_place);
  return BF_OK;
}

double bf_spot_apart(const double a[3], const double b[3])
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

bf_int bf_spot_find(const bf_mesh *m, const bf_spots *p, const double x[3], double tolerance)
{
  const double at = along(x);
  bf_int       lo = 0, hi = p->n, found = -1;
  double       best = tolerance;
  while (lo < hi) {
    const bf_int mid = lo + (hi - lo) / 2;
    if (p->at[mid].along < at - tolerance)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (; lo < p->n && p->at[lo].along <= at + tolerance; lo++) {
    const double d = bf_spot_apart(m->x + 3 * (size_t)p->at[lo].node, x);
    if (d <= best) {
      best  = d;
      found = p->at[lo].node;
    }
  }
  return found;
}

double bf_spot_nearest(const bf_mesh *m, const bf_spots *p, const double x[3])
{
  double best = INFINITY;
  for (bf_int i = 0; i < p->n; i++) best = fmin(best, bf_spot_apart(m->x + 3 * (size_t)p->at[i].node, x));
  return best;
}
