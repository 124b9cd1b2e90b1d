/* app/converge/table.c - the tables of a study of convergence, one per quantity */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/converge/study.h"
#include <math.h>
#include <stdio.h>

static const char *number(double v, const char *format, char text[24])
{
  if (isfinite(v))
    snprintf(text, 24, format, v);
  else
    snprintf(text, 24, "-");
  return text;
}

static void one_quantity(const bf_study *s, int first, int q, const bf_log *log)
{
  const int width = s->is_error[q] ? 0 : 18; /* of the values: those of a norm are the errors */
  char      error[24], order[24];
  bf_log_line(log, "  %5s  %12s  %10s  %10s%*s  %12s  %6s  %8s", "level", "h", "elements", "unknowns", width,
              s->is_error[q] ? "" : "value", "error", "order", "seconds");
  for (int i = first; i < s->table.nrows; i++) {
    const bf_convergence_row *r         = &s->table.row[i];
    char                      value[24] = "";
    if (!s->is_error[q]) snprintf(value, sizeof value, "%.9g", r->value[q]);
    bf_log_line(log, "  %5d  %12.6g  %10lld  %10lld%*s  %12s  %6s  %8.2f", r->level, r->h,
                (long long)r->elements, (long long)r->unknowns, width, value,
                number(r->error[q], "%.4e", error), number(r->order[q], "%.2f", order), r->seconds);
  }
  if (s->is_error[q]) return;
  if (s->extrapolated[q])
    bf_log_line(log, "  %5s  %12d  %10s  %10s  %16.9g  Richardson extrapolation of the last three levels",
                "limit", 0, "", "", s->limit[q]);
  else
    bf_log_line(log, "  errors are differences from the finest level: %s",
                s->table.nrows - first < 3 ? "an extrapolation needs three levels"
                                           : "the last three values have no order");
}

void bf_study_print(const bf_study *s, int first, const char *elements, const bf_log *log)
{
  for (int q = 0; q < s->table.nquantities; q++) {
    bf_log_line(log, "%s", "");
    bf_log_line(log, "%s, %s", s->label[q], elements);
    one_quantity(s, first, q, log);
  }
}
