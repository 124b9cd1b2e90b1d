/* app/run/table_warnings.c - W113: a table of the deck was evaluated outside its range */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "assembly/basis/field_source.h"
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
  for (int i = 0; i < job->nsources; i++) {
    bf_field_source *s = job->source[i];
    int              m;
    if (!s || s->outside == 0 || isinf(s->farthest)) continue;
    bf_diag_add(
        &job->diags, BF_WARNING, 113, bf_item_where(bf_deck_sources(job->deck, &m)[i].file),
        "%s: %lld points lie outside its mesh, by at most %.3g at (%.6g, %.6g, %.6g); the nearest value is "
        "used",
        s->name, (long long)s->outside, s->farthest, s->farthest_at[0], s->farthest_at[1], s->farthest_at[2]);
    s->farthest = INFINITY;
  }
}
