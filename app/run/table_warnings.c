/* app/run/table_warnings.c - W113: a table of the deck was evaluated outside its range */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include <math.h>

void bf_job_table_warnings(bf_job *job)
{
  int                  n;
  const bf_deck_table *tables = bf_deck_tables(job->deck, &n);
  for (int i = 0; i < n; i++) {
    bf_table *t = tables[i].table;
    if (!tables[i].first || t->farthest == 0.0 || isinf(t->farthest)) continue;
    char range[160];
    int  at = 0;
    for (int d = 0; d < t->dim; d++)
      at += snprintf(range + at, sizeof range - (size_t)at, "%s%c = %.6g to %.6g", d ? ", " : "",
                     'x' + t->axis[d], t->at[d][0], t->at[d][t->n[d] - 1]);
    bf_diag_add(&job->diags, BF_WARNING, 113, bf_item_where(tables[i].file),
                "table '%s' covers %s; outside, its end values are used, farthest at (%.6g, %.6g, %.6g)",
                t->name, range, t->farthest_at[0], t->farthest_at[1], t->farthest_at[2]);
    t->farthest = INFINITY; /* reported once */
  }
}
