/* outputs/table.c - tables at the end of the log of a run
 *
 * GB/s = bytes of a phase / its seconds, GFLOP/s likewise; share = GB/s over the STREAM triad of the device,
 * if the table of devices has it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/table.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 600 };

void bf_table_say(const bf_printer *p, const char *fmt, ...)
{
  char    text[LINE_MAX_BYTES];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  p->line(p->context, text);
}

/* 1234567 as "1,234,567" */
static const char *grouped(int64_t value, char out[32])
{
  char      digits[32];
  const int n = snprintf(digits, sizeof digits, "%lld", (long long)(value < 0 ? -value : value));
  int       k = 0;
  if (value < 0) out[k++] = '-';
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = '\0';
  return out;
}

/* "%.4g", or empty if the value is not positive. */
static const char *positive(double value, char text[24])
{
  text[0] = '\0';
  if (value > 0.0) snprintf(text, 24, "%.4g", value);
  return text;
}

static void show_phases(const bf_printer *p, const bf_result *r)
{
  const double triad = r->triad_gb_per_s;
  double       sum   = 0.0;
  if (!r->phases || r->phases->count == 0) return;
  bf_table_say(p, "%-32s %8s %12s %12s %10s %10s%s", "phase", "calls", "seconds", "GB", "GB/s", "GFLOP/s",
               triad > 0.0 ? "  of triad" : "");
  for (int i = 0; i < r->phases->count; i++) {
    const bf_phase *f    = &r->phases->phase[i];
    const double    per  = f->seconds > 0.0 ? 1e-9 / f->seconds : 0.0;
    const double    rate = per * f->bytes;
    char            gb[24], speed[24], flops[24], share[24] = "";
    if (rate > 0.0 && triad > 0.0) snprintf(share, sizeof share, "%8.1f %%", 100.0 * rate / triad);
    bf_table_say(p, "%-32s %8lld %12.6f %12s %10s %10s%s", f->name, (long long)f->calls, f->seconds,
                 positive(1e-9 * f->bytes, gb), positive(rate, speed), positive(per * f->flops, flops),
                 share);
    sum += f->seconds;
  }
  bf_table_say(p, "%-32s %8s %12.6f", "all phases", "", sum);
}

static void show_matrix(const bf_printer *p, const bf_matrix_record *m)
{
  char a[32], b[32];
  if (!m) return;
  bf_table_say(p, "%-12s %s unknowns, %s nonzeros", "system", grouped(m->n, a), grouped(m->nnz, b));
  bf_table_say(
      p,
      "%-12s %s, %s, %s, order %s; %lld diagonals in %lld segments, half-bandwidth %lld -> %lld, fill %.3f, "
      "%.4g MB",
      "matrix", m->format ? m->format : "", m->storage ? m->storage : "", m->values ? m->values : "",
      m->reorder ? m->reorder : "", (long long)m->diagonals, (long long)m->segments,
      (long long)m->half_bandwidth_before, (long long)m->half_bandwidth_after, m->fill,
      1e-6 * (double)m->bytes);
}

static void show_accuracy(const bf_printer *p, const bf_history *h)
{
  char bound[96] = "";
  if (!isfinite(h->backward_error)) return;
  if (isfinite(h->condition))
    snprintf(bound, sizeof bound, ", estimated condition %.2g, estimated forward error %.2g", h->condition,
             h->forward_error);
  bf_table_say(p, "%-12s backward error %.2g%s%s", "accuracy", h->backward_error, bound,
               h->to_rounding ? ": converged to rounding" : "");
}

static void show_solve(const bf_printer *p, const bf_result *r)
{
  const bf_history *h = r->history;
  if (h && h->n > 0) {
    char         real[48] = "";
    const int    last     = h->n - 1;
    const double t        = h->true_residual ? h->true_residual[last] : NAN;
    if (isfinite(t)) snprintf(real, sizeof real, ", true residual %.3e", t);
    bf_table_say(p, "%-12s %s, preconditioner %s: %d iterations, residual %.3e%s: %s", "solver",
                 h->method ? h->method : "", h->preconditioner ? h->preconditioner : "none", last,
                 h->residual[last], real, h->reason ? h->reason : "");
    show_accuracy(p, h);
    if (h->blocks)
      bf_table_say(
          p,
          "%-12s %lld of %lld to %lld unknowns, %.4g MB in %s; %.3g s to divide the nodes, %.3g s to invert",
          "blocks", (long long)h->blocks->count, (long long)h->blocks->smallest,
          (long long)h->blocks->largest, 1e-6 * (double)h->blocks->bytes, h->blocks->values,
          h->blocks->partition_seconds, h->blocks->seconds);
  }
  if (h && h->multigrid)
    bf_table_say(p, "%-12s %d levels, %s cycle of degree %d, complexity %.2f, %.4g MB, set up in %.3g s",
                 "multigrid", h->multigrid->nlevels, h->multigrid->cycle, h->multigrid->degree,
                 h->multigrid->complexity, 1e-6 * (double)h->multigrid->bytes, h->multigrid->seconds);
  if (r->fom_dof_it_per_s > 0.0)
    bf_table_say(p, "%-12s %.4g unknowns x iterations / s", "speed", r->fom_dof_it_per_s);
  if (r->triad_gb_per_s > 0.0)
    bf_table_say(p, "%-12s %.4g GB/s, from the table of devices, not measured in this run", "STREAM triad",
                 r->triad_gb_per_s);
}

const char *bf_table_vector(const double *v, int n, const char *unit, char out[160])
{
  size_t k = 0;
  for (int i = 0; i < n; i++)
    k += (size_t)snprintf(out + k, 160 - k, "%s%.6g", i ? ", " : n > 1 ? "(" : "", v[i]);
  const int named = unit && strcmp(unit, "1") != 0;
  snprintf(out + k, 160 - k, "%s%s%s", n > 1 ? ")" : "", named ? " " : "", named ? unit : "");
  return out;
}

static void show_spectrum(const bf_printer *p, const bf_spectrum *s)
{
  char a[32];
  bf_table_say(
      p, "%-12s %s %s: eigenvalues %.6g (element %lld) to %.6g %s (element %lld), %d zero-energy modes of %d",
      "spectra", grouped(s->elements, a), bf_elem(s->type)->name, s->min, (long long)s->min_id, s->max,
      s->unit, (long long)s->max_id, s->most, s->expected);
  if (s->step > 0.0)
    bf_table_say(
        p, "%-12s %s: critical time step %.6g s (element %lld), highest frequency %.6g rad/s, lumped mass",
        "", bf_elem(s->type)->name, s->step, (long long)s->step_id, 2.0 / s->step);
}

static void show_recovery(const bf_printer *p, const bf_recovery *k)
{
  char a[32], b[32];
  if (!k) return;
  bf_table_say(
      p, "%-12s values at nodes: superconvergent patches at %s of %s points, fits of the elements elsewhere",
      "recovery", grouped(k->by_patches, a), grouped(k->points, b));
  if (k->has_error)
    bf_table_say(p, "%-12s estimated error in the energy norm %.2g %% (Zienkiewicz-Zhu)", "error",
                 100.0 * k->error_estimate);
}

static const char *of(const char *of_case)
{
  return of_case ? of_case : "";
}

static void show_case(const bf_printer *p, const bf_result *r, int i)
{
  const bf_case_record *c = &r->of_case[i];
  if (c->sum)
    bf_table_say(p, "%-12s %s: sum of cases, balance %.3e", "case", c->name, c->balance);
  else
    bf_table_say(p, "%-12s %s: %d iterations, true residual %.3e, balance %.3e: %s", "case", c->name,
                 c->iterations, c->true_residual, c->balance, c->converged ? "converged" : "NOT CONVERGED");
}

static void show_values(const bf_printer *p, const bf_result *r)
{
  char v[160];
  for (int i = 0; i < r->ncases; i++) show_case(p, r, i);
  for (int i = 0; i < r->nprobes; i++)
    bf_table_say(p, "%-12s %s%s%s: %s = %s at (%g, %g, %g)", "probe", of(r->probe[i].of_case),
                 r->probe[i].of_case ? " " : "", r->probe[i].name, r->probe[i].field,
                 bf_table_vector(r->probe[i].value, r->probe[i].ncomp, r->probe[i].unit, v),
                 r->probe[i].at[0], r->probe[i].at[1], r->probe[i].at[2]);
  for (int i = 0; i < r->nreactions; i++)
    bf_table_say(p, "%-12s %s%s%s: %s", "reaction", of(r->reaction[i].of_case),
                 r->reaction[i].of_case ? " " : "", r->reaction[i].group,
                 bf_table_vector(r->reaction[i].value, r->reaction[i].ncomp, r->reaction[i].unit, v));
  show_recovery(p, r->recovery);
  for (int i = 0; i < r->nspectra; i++) show_spectrum(p, &r->spectrum[i]);
  if (r->balance_name) bf_table_say(p, "%-12s %s: %.3e", "balance", r->balance_name, r->balance);
  for (int i = 0; i < r->nchecks; i++) {
    const bf_check_record *k    = &r->check[i];
    const char            *note = k->note && *k->note ? k->note : NULL;
    if (k->report)
      bf_table_say(p, "%-12s %s%s%s = %.9g%s%s%s", "check", of(k->of_case), k->of_case ? " " : "",
                   k->quantity, k->got, note ? " (" : "", note ? note : "", note ? ")" : "");
    else
      bf_table_say(p, "%-12s %s%s%s = %.9g, expected %.9g (%s %.3g)%s%s: %s", "check", of(k->of_case),
                   k->of_case ? " " : "", k->quantity, k->got, k->expected, k->relative ? "rtol" : "atol",
                   k->tolerance, note ? ", " : "", note ? note : "", k->passed ? "passed" : "FAILED");
  }
}

/* "  12.3 %" of the mass of the body for each mode, below them the sum of all modes. */
void bf_table_modes(const bf_printer *p, const bf_modes_record *m, int most)
{
  char   row[LINE_MAX_BYTES];
  double sum[3] = {0.0, 0.0, 0.0};
  int    at =
      snprintf(row, sizeof row, "%-12s %18s %10s %14s", "mode", "frequency Hz", "residual", "orthogonality");
  for (int c = 0; c < m->naxes; c++)
    at += snprintf(row + at, sizeof row - (size_t)at, "%9s %s", "mass", m->axis[c] ? m->axis[c] : "");
  bf_table_say(p, "%s", row);
  for (int i = 0; i < m->n; i++) {
    at = snprintf(row, sizeof row, "%-12d %18.9g %10.1e %14.1e", i + 1, m->frequency_hz[i], m->residual[i],
                  m->orthogonality[i]);
    for (int c = 0; c < m->naxes; c++) {
      const double all  = m->total_mass[c]; /* 0: no mass can move along the axis */
      const double part = all > 0.0 ? m->effective_mass[i * m->naxes + c] / all : 0.0;
      sum[c] += part;
      if (i >= most) continue;
      at += snprintf(row + at, sizeof row - (size_t)at, "%9.2f %%", 100.0 * part);
    }
    if (i < most) bf_table_say(p, "%s", row);
  }
  if (m->n > most)
    bf_table_say(p, "%-12s %d more mode%s in report.json", "", m->n - most, m->n - most == 1 ? "" : "s");
  at = snprintf(row, sizeof row, "%-12s %44s", "all modes", "");
  for (int c = 0; c < m->naxes; c++)
    at += snprintf(row + at, sizeof row - (size_t)at, "%9.2f %%", 100.0 * sum[c]);
  bf_table_say(p, "%s", row);
}

static void show_dispersion(const bf_printer *p, const bf_dispersion_record *d)
{
  if (!d) return;
  bf_table_say(p, "%-12s %s", "phase", d->phase);
  bf_table_say(p, "%-12s %-12s %s", "bands", "at", "frequencies, Hz");
  for (int t = 0, k = 0; t < d->nticks; t++) {
    char row[LINE_MAX_BYTES] = "";
    int  at                  = 0;
    while (k + 1 < d->nk && d->path_length[k] < d->tick_position[t]) k++;
    for (int j = 0; j < d->bands && j < 12; j++)
      at += snprintf(row + at, sizeof row - (size_t)at, " %9.6g", d->frequency_hz[(int64_t)k * d->bands + j]);
    bf_table_say(p, "%-12s %-12.12s%s%s", "", d->tick_label[t], row, d->bands > 12 ? " ..." : "");
  }
  for (int i = 0; i < d->ngaps; i++)
    bf_table_say(p, "%-12s after band %d: %.7g to %.7g Hz, %.4g %% of the mid-gap frequency", "gap",
                 d->gap_below[i], d->gap[2 * i], d->gap[2 * i + 1],
                 200.0 * (d->gap[2 * i + 1] - d->gap[2 * i]) / (d->gap[2 * i + 1] + d->gap[2 * i]));
  if (d->ngaps == 0) bf_table_say(p, "%-12s none between these bands on this path", "gaps");
}

void bf_table_print(const bf_result *r, void (*line)(void *context, const char *text), void *context)
{
  const bf_printer p = {line, context};
  char             status[BF_STATUS_MAX];
  if (!r || !line) return;
  show_phases(&p, r);
  show_matrix(&p, r->matrix);
  show_solve(&p, r);
  if (r->modes) bf_table_modes(&p, r->modes, r->modes->n);
  show_dispersion(&p, r->dispersion);
  show_values(&p, r);
  bf_result_status(r, status);
  if (!r->converged) bf_table_say(&p, "%s", status);
  if (r->verdict) bf_table_say(&p, "%-12s %s", "verdict", r->verdict);
}
