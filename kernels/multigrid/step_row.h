/* kernels/multigrid/step_row.h - one row of a smoother's step, compiled for both backends: ops.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_STEP_ROW_H
#define BF_KERNELS_MULTIGRID_STEP_ROW_H
#include "kernels/matrix/matrix.h"
#include "kernels/multigrid/ops.h"

static inline BF_HD void bf_mg_step_row(const bf_mg_step *s, int64_t i, double y)
{
  const double r = s->b[i] - y;
  if (s->r) s->r[i] = r;
  if (!s->dinv) return;
  const double z    = s->z ? s->z[i] : 0.0;
  const double next = s->c1 * z + s->c2 * (s->dinv[i] * r);
  if (s->next) s->next[i] = next;
  if (s->x) s->x[i] = (s->add ? s->x[i] : 0.0) + s->before * z + s->beta * next;
}
#endif
