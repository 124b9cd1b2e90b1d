/* outputs/table_brief.c - the results of a run in a few lines: largest values, reactions, probes, modes,
 * gaps, checks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REACTIONS = 3, PROBES = 3, CHECKS = 3, MODES = 10, GAPS = 6, COLUMNS = 112, INDENT = 10 };

/* Lines of at most COLUMNS letters, broken at blanks. */
static void wrap(const bf_printer *p, const char *label, const char *text)
{
  while (*text) {
    size_t n = strlen(text);
    if (n > COLUMNS - INDENT) {
      n = COLUMNS - INDENT;
      while (n > 1 && text[n] != ' ') n--;
    }
    bf_table_say(p, "%-9s %.*s", label, (int)n, text);
    text += n;
    while (*text == ' ') text++;
    label = "";
  }
}

void bf_table_clean(const double *v, int n, double out[9])
{
  static const double ROUNDING = 1e-9; /* of the largest component */
  double              most     = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
  for (int i = 0; i < n; i++) out[i] = fabs(v[i]) > ROUNDING * most ? v[i] : 0.0;
}

static const char *of(const char *of_case)
{
  return of_case ? of_case : "";
}

static void peaks(const bf_printer *p, const bf_result *r)
{
  const char *last = "";
  for (int i = 0; i < r->npeaks; i++) {
    const bf_peak *k        = &r->peak[i];
    const char    *label    = k->greatest ? "largest" : "smallest";
    char           node[32] = "", in[160] = "", from[96] = "";
    double         at[9];
    const int      unit = k->unit && strcmp(k->unit, "1") != 0;
    bf_table_clean(k->at, 3, at);
    if (k->node >= 0) snprintf(node, sizeof node, ", node %lld", (long long)k->node);
    if (k->of_case) snprintf(from, sizeof from, ", case %s", k->of_case);
    if (k->material)
      snprintf(in, sizeof in, ", %s%s%s%s", k->material, k->group ? " (group " : "", k->group ? k->group : "",
               k->group ? ")" : "");
    bf_table_say(p, "%-9s %s %.6g%s%s at (%.5g, %.5g, %.5g)%s%s%s", strcmp(label, last) ? label : "",
                 k->field, k->value, unit ? " " : "", unit ? k->unit : "", at[0], at[1], at[2], node, in,
                 from);
    if (k->note[0]) wrap(p, "note", k->note);
    last = k->note[0] ? "" : label;
  }
}

static void values(const bf_printer *p, const bf_result *r)
{
  char   v[160];
  double x[9];
  for (int i = 0; i < r->nreactions && i < REACTIONS; i++) {
    bf_table_clean(r->reaction[i].value, r->reaction[i].ncomp, x);
    bf_table_say(p, "%-9s %s%s%s: %s", i ? "" : "reaction", of(r->reaction[i].of_case),
                 r->reaction[i].of_case ? " " : "", r->reaction[i].group,
                 bf_table_vector(x, r->reaction[i].ncomp, r->reaction[i].unit, v));
  }
  if (r->nreactions > REACTIONS)
    bf_table_say(p, "%-9s %d more in report.json", "", r->nreactions - REACTIONS);
  for (int i = 0; i < r->nprobes && i < PROBES; i++)
    bf_table_say(p, "%-9s %s%s%s: %s = %s at (%g, %g, %g)", i ? "" : "probe", of(r->probe[i].of_case),
                 r->probe[i].of_case ? " " : "", r->probe[i].name, r->probe[i].field,
                 bf_table_vector(r->probe[i].value, r->probe[i].ncomp, r->probe[i].unit, v),
                 r->probe[i].at[0], r->probe[i].at[1], r->probe[i].at[2]);
  if (r->nprobes > PROBES) bf_table_say(p, "%-9s %d more in report.json", "", r->nprobes - PROBES);
}

static void accuracy(const bf_printer *p, const bf_result *r)
{
  char error[80] = "";
  if (r->recovery && r->recovery->has_error)
    snprintf(error, sizeof error, "estimated error of the mesh in the energy norm %.2g %%",
             100.0 * r->recovery->error_estimate);
  if (r->balance_name)
    bf_table_say(p, "%-9s %s %.1e%s%s", "balance", r->balance_name, r->balance, error[0] ? "; " : "", error);
  else if (error[0])
    bf_table_say(p, "%-9s %s", "accuracy", error);
}

static void gaps(const bf_printer *p, const bf_dispersion_record *d)
{
  bf_table_say(p, "%-9s %d bands at %d wave vectors%s", "bands", d->bands, d->nk,
               d->ngaps == 0 ? ", no gap between them on this path" : "");
  for (int i = 0; i < d->ngaps && i < GAPS; i++)
    bf_table_say(p, "%-9s after band %d: %.7g to %.7g Hz, %.4g %% of the mid-gap frequency", i ? "" : "gap",
                 d->gap_below[i], d->gap[2 * i], d->gap[2 * i + 1],
                 200.0 * (d->gap[2 * i + 1] - d->gap[2 * i]) / (d->gap[2 * i + 1] + d->gap[2 * i]));
  if (d->ngaps > GAPS) bf_table_say(p, "%-9s %d more in report.json", "", d->ngaps - GAPS);
}

/* Failed checks have been reported as E112. */
static void checks(const bf_printer *p, const bf_result *r)
{
  int passed = 0, judged = 0, shown = 0;
  for (int i = 0; i < r->nchecks; i++) {
    judged += !r->check[i].report;
    passed += !r->check[i].report && r->check[i].passed;
  }
  if (judged > 0) bf_table_say(p, "%-9s %d of %d passed", "checks", passed, judged);
  for (int i = 0; i < r->nchecks && shown < CHECKS; i++)
    if (r->check[i].report)
      bf_table_say(p, "%-9s %s%s%s = %.9g", shown++ ? "" : "value", of(r->check[i].of_case),
                   r->check[i].of_case ? " " : "", r->check[i].quantity, r->check[i].got);
  if (r->nchecks - judged > shown)
    bf_table_say(p, "%-9s %d more in report.json", "", r->nchecks - judged - shown);
}

void bf_table_peaks(const bf_result *r, void (*line)(void *context, const char *text), void *context)
{
  const bf_printer p = {line, context};
  peaks(&p, r);
}

void bf_table_brief(const bf_result *r, void (*line)(void *context, const char *text), void *context)
{
  const bf_printer p = {line, context};
  char             status[BF_STATUS_MAX];
  peaks(&p, r);
  if (r->modes) bf_table_modes(&p, r->modes, MODES);
  if (r->dispersion) gaps(&p, r->dispersion);
  values(&p, r);
  accuracy(&p, r);
  checks(&p, r);
  bf_result_status(r, status);
  if (!r->converged) bf_table_say(&p, "%s", status);
}
