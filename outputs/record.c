/* outputs/record.c - /bandfem of case.hdf: see record.h
 *
 *   /bandfem                 format_version title physics analysis converged status
 *     deck/text              the deck as read; attribute path
 *     deck/resolved          with every default, if available
 *     mesh/                  record_mesh.c
 *     matrix                 attributes
 *     convergence/solve_1/   iteration residual true_residual seconds; method preconditioner reason norm
 *     probes/<name>/<field>  [ncomp], attribute at; reactions/<group> [ncomp]; balance/<name>
 *     modes/                 record_modes.c, of a modal analysis
 *     dispersion/            record_dispersion.c, of that analysis
 *     flexibility/           record_flexibility.c, where the deck asks for it
 *     recovery/     attributes; element_spectra/<type> attributes
 *     checks/                quantity note expected got tolerance relative report passed
 *     timing/                name calls seconds_min seconds_max seconds_avg bytes flops; rates, verdict
 *     provenance             attributes
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/record.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static void put_matrix(bf_hdf *h, hid_t record, const bf_matrix_record *m)
{
  const hid_t g = bf_hdf_group(h, record, "matrix");
  if (!m) return;
  bf_hdf_attr_text(h, g, "format", m->format);
  bf_hdf_attr_text(h, g, "storage", m->storage);
  bf_hdf_attr_text(h, g, "values", m->values);
  bf_hdf_attr_text(h, g, "reorder", m->reorder);
  bf_hdf_attr_int(h, g, "n", m->n);
  bf_hdf_attr_int(h, g, "nnz", m->nnz);
  bf_hdf_attr_int(h, g, "diagonals", m->diagonals);
  bf_hdf_attr_int(h, g, "segments", m->segments);
  bf_hdf_attr_int(h, g, "half_bandwidth_before", m->half_bandwidth_before);
  bf_hdf_attr_int(h, g, "half_bandwidth_after", m->half_bandwidth_after);
  bf_hdf_attr_int(h, g, "bytes", m->bytes);
  bf_hdf_attr_int(h, g, "product_bytes", m->product_bytes);
  bf_hdf_attr_real(h, g, "fill", m->fill);
  bf_hdf_attr_int(h, g, "symmetric", m->symmetric);
}

static bf_err put_history(bf_hdf *h, hid_t record, const bf_history *s)
{
  const hid_t all = bf_hdf_group(h, record, "convergence");
  if (!s) return BF_OK;
  const hid_t g = bf_hdf_group(h, all, "solve_1");
  bf_hdf_attr_text(h, g, "method", s->method);
  bf_hdf_attr_text(h, g, "preconditioner", s->preconditioner);
  bf_hdf_attr_text(h, g, "reason", s->reason);
  bf_hdf_attr_text(h, g, "norm", "||b - A x|| / ||b||");
  bf_hdf_attr_int(h, g, "converged_to_rounding", s->to_rounding);
  bf_hdf_attr_real(h, g, "backward_error", s->backward_error);
  bf_hdf_attr_real(h, g, "estimated_condition", s->condition);
  bf_hdf_attr_real(h, g, "estimated_forward_error", s->forward_error);
  if (s->blocks) {
    bf_hdf_attr_int(h, g, "blocks", s->blocks->count);
    bf_hdf_attr_int(h, g, "blocks_largest", s->blocks->largest);
    bf_hdf_attr_int(h, g, "blocks_singular", s->blocks->singular);
  }
  if (s->multigrid) {
    bf_hdf_attr_int(h, g, "multigrid_levels", s->multigrid->nlevels);
    bf_hdf_attr_real(h, g, "multigrid_complexity", s->multigrid->complexity);
    bf_hdf_attr_text(h, g, "multigrid_cycle", s->multigrid->cycle);
  }
  bf_int *iteration = NULL;
  BF_TRY(BF_NEW_ARRAY(iteration, s->n));
  for (int i = 0; i < s->n; i++) iteration[i] = i;
  bf_hdf_array(h, g, "iteration", H5T_NATIVE_INT32, s->n, 1, iteration);
  bf_hdf_array(h, g, "residual", H5T_NATIVE_DOUBLE, s->n, 1, s->residual);
  if (s->true_residual) bf_hdf_array(h, g, "true_residual", H5T_NATIVE_DOUBLE, s->n, 1, s->true_residual);
  if (s->seconds) bf_hdf_array(h, g, "seconds", H5T_NATIVE_DOUBLE, s->n, 1, s->seconds);
  bf_host_free(iteration);
  return BF_OK;
}

static int same_case(const char *a, const char *b)
{
  return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* Probes and reactions of one case, or of the only one. */
static void put_values_of(bf_hdf *h, hid_t record, const bf_result *r, const char *of_case)
{
  const hid_t probes = bf_hdf_group(h, record, "probes");
  hid_t       probe  = H5I_INVALID_HID;
  int         last   = -1;
  for (int i = 0; i < r->nprobes; i++) { /* probes of one name are consecutive, one per field */
    const bf_probe_record *p = &r->probe[i];
    if (!same_case(p->of_case, of_case)) continue;
    const int next = last < 0 || strcmp(p->name, r->probe[last].name) != 0;
    last           = i;
    if (next) {
      probe = bf_hdf_group(h, probes, p->name);
      bf_hdf_attr_reals(h, probe, "at", 3, p->at);
    }
    bf_hdf_array(h, probe, p->field, H5T_NATIVE_DOUBLE, p->ncomp, 1, p->value);
  }
  const hid_t reactions = bf_hdf_group(h, record, "reactions");
  for (int i = 0; i < r->nreactions; i++)
    if (same_case(r->reaction[i].of_case, of_case))
      bf_hdf_array(h, reactions, r->reaction[i].group, H5T_NATIVE_DOUBLE, r->reaction[i].ncomp, 1,
                   r->reaction[i].value);
}

/* cases/<name>: attributes step, converged, sum; iterations, true_residual; probes, reactions */
static void put_cases(bf_hdf *h, hid_t record, const bf_result *r)
{
  const hid_t cases = r->ncases ? bf_hdf_group(h, record, "cases") : H5I_INVALID_HID;
  for (int i = 0; i < r->ncases; i++) {
    const bf_case_record *c = &r->of_case[i];
    const hid_t           g = bf_hdf_group(h, cases, c->name);
    bf_hdf_attr_int(h, g, "step", i + 1);
    bf_hdf_attr_int(h, g, "converged", c->converged);
    bf_hdf_attr_int(h, g, "is_sum", c->sum);
    if (c->sum) bf_hdf_attr_reals(h, g, "factors", r->ncases, c->factor);
    if (!c->sum) bf_hdf_attr_int(h, g, "iterations", c->iterations);
    if (!c->sum) bf_hdf_attr_real(h, g, "true_residual", c->true_residual);
    bf_hdf_attr_real(h, g, "balance", c->balance);
    if (isfinite(c->error_estimate)) bf_hdf_attr_real(h, g, "error_estimate", c->error_estimate);
    put_values_of(h, g, r, c->name);
  }
}

static void put_values(bf_hdf *h, hid_t record, const bf_result *r)
{
  if (r->ncases == 0) put_values_of(h, record, r, NULL);
  put_cases(h, record, r);
  const hid_t balance = bf_hdf_group(h, record, "balance");
  if (r->balance_name) bf_hdf_array(h, balance, r->balance_name, H5T_NATIVE_DOUBLE, 1, 1, &r->balance);
}

static void put_recovery(bf_hdf *h, hid_t record, const bf_recovery *k)
{
  if (!k) return;
  const hid_t g = bf_hdf_group(h, record, "recovery");
  bf_hdf_attr_int(h, g, "points", k->points);
  bf_hdf_attr_int(h, g, "by_patches", k->by_patches);
  if (k->has_error) bf_hdf_attr_real(h, g, "error_estimate", k->error_estimate);
}

static void put_spectra(bf_hdf *h, hid_t record, const bf_result *r)
{
  const hid_t spectra = r->nspectra ? bf_hdf_group(h, record, "element_spectra") : H5I_INVALID_HID;
  for (int i = 0; i < r->nspectra; i++) {
    const bf_spectrum *s = &r->spectrum[i];
    const hid_t        g = bf_hdf_group(h, spectra, bf_elem(s->type)->name);
    bf_hdf_attr_int(h, g, "elements", s->elements);
    bf_hdf_attr_int(h, g, "zero_energy_modes_expected", s->expected);
    bf_hdf_attr_int(h, g, "zero_energy_modes", s->most);
    bf_hdf_attr_int(h, g, "zero_energy_modes_element", s->most_id);
    bf_hdf_attr_int(h, g, "elements_with_more", s->faulty);
    bf_hdf_attr_real(h, g, "min", s->min);
    bf_hdf_attr_int(h, g, "min_element", s->min_id);
    bf_hdf_attr_real(h, g, "max", s->max);
    bf_hdf_attr_int(h, g, "max_element", s->max_id);
    bf_hdf_attr_text(h, g, "unit", s->unit);
    if (s->step > 0.0) {
      bf_hdf_attr_real(h, g, "highest_frequency", 2.0 / s->step);
      bf_hdf_attr_real(h, g, "critical_time_step", s->step);
      bf_hdf_attr_int(h, g, "critical_time_step_element", s->step_id);
      bf_hdf_attr_text(h, g, "mass", "lumped");
    }
  }
}

/* One member of n records as a data set [n]; room: borrowed buffer of n values of 8 bytes. */
static void put_column(bf_hdf *h, hid_t at, const char *name, hid_t type, int n, const void *member,
                       size_t stride, void *room)
{
  const size_t size = H5Tget_size(type);
  for (int i = 0; i < n; i++)
    memcpy((char *)room + (size_t)i * size, (const char *)member + (size_t)i * stride, size);
  bf_hdf_array(h, at, name, type, n, 1, room);
}

static bf_err put_checks(bf_hdf *h, hid_t record, const bf_result *r)
{
  const int             n    = r->nchecks;
  const bf_check_record none = {0}, *k = n ? r->check : &none;
  const size_t          step = sizeof *k;
  const char          **text = NULL; /* [2][n], and the room for numbers */
  const hid_t           g    = bf_hdf_group(h, record, "checks");
  BF_TRY(BF_NEW_ARRAY(text, 2 * n));
  for (int i = 0; i < n; i++) {
    text[i]     = k[i].quantity ? k[i].quantity : "";
    text[n + i] = k[i].note ? k[i].note : "";
  }
  bf_hdf_texts(h, g, "quantity", n, text);
  bf_hdf_texts(h, g, "note", n, text + n);
  put_column(h, g, "expected", H5T_NATIVE_DOUBLE, n, &k->expected, step, text);
  put_column(h, g, "got", H5T_NATIVE_DOUBLE, n, &k->got, step, text);
  put_column(h, g, "tolerance", H5T_NATIVE_DOUBLE, n, &k->tolerance, step, text);
  put_column(h, g, "relative", H5T_NATIVE_INT, n, &k->relative, step, text);
  put_column(h, g, "report", H5T_NATIVE_INT, n, &k->report, step, text);
  put_column(h, g, "passed", H5T_NATIVE_INT, n, &k->passed, step, text);
  bf_host_free(text);
  return BF_OK;
}

static void put_timing(bf_hdf *h, hid_t record, const bf_result *r)
{
  const bf_phase none = {0}, *p = r->phases ? r->phases->phase : &none;
  const int      n    = r->phases ? r->phases->count : 0;
  const size_t   step = sizeof *p;
  const char    *name[BF_PHASES_MAX];
  double         room[BF_PHASES_MAX];
  const hid_t    g = bf_hdf_group(h, record, "timing");
  bf_hdf_attr_real(h, g, "fom_dof_it_per_s", r->fom_dof_it_per_s);
  if (r->triad_gb_per_s > 0.0) bf_hdf_attr_real(h, g, "device_triad_gb_per_s", r->triad_gb_per_s);
  bf_hdf_attr_text(h, g, "verdict", r->verdict);
  for (int i = 0; i < n; i++) name[i] = p[i].name;
  bf_hdf_texts(h, g, "name", n, name);
  put_column(h, g, "calls", H5T_NATIVE_INT64, n, &p->calls, step, room);
  put_column(h, g, "seconds_min", H5T_NATIVE_DOUBLE, n, &p->seconds_min, step, room);
  put_column(h, g, "seconds_max", H5T_NATIVE_DOUBLE, n, &p->seconds_max, step, room);
  for (int i = 0; i < n; i++) room[i] = p[i].calls > 0 ? p[i].seconds / (double)p[i].calls : 0.0;
  bf_hdf_array(h, g, "seconds_avg", H5T_NATIVE_DOUBLE, n, 1, room);
  put_column(h, g, "bytes", H5T_NATIVE_DOUBLE, n, &p->bytes, step, room);
  put_column(h, g, "flops", H5T_NATIVE_DOUBLE, n, &p->flops, step, room);
}

bf_err bf_record_write(bf_hdf *h, const bf_result *r)
{
  char        status[BF_STATUS_MAX];
  const hid_t record = bf_hdf_group(h, h->file, "bandfem");
  bf_result_status(r, status);
  bf_hdf_attr_int(h, record, "format_version", 1);
  bf_hdf_attr_text(h, record, "title", r->title);
  bf_hdf_attr_text(h, record, "physics", r->physics);
  bf_hdf_attr_text(h, record, "analysis", r->analysis);
  bf_hdf_attr_int(h, record, "converged", r->converged);
  bf_hdf_attr_text(h, record, "status", status);
  const hid_t deck = bf_hdf_group(h, record, "deck");
  bf_hdf_attr_text(h, deck, "path", r->deck_path);
  if (r->deck_text) bf_hdf_bytes(h, deck, "text", r->deck_text, r->deck_length);
  if (r->resolved_text) bf_hdf_bytes(h, deck, "resolved", r->resolved_text, strlen(r->resolved_text));
  BF_TRY(bf_record_mesh(h, record, r));
  put_matrix(h, record, r->matrix);
  BF_TRY(put_history(h, record, r->history));
  put_values(h, record, r);
  bf_record_modes(h, record, r->modes);
  bf_record_dispersion(h, record, r->dispersion);
  bf_record_flexibility(h, record, r->flexibility);
  put_recovery(h, record, r->recovery);
  put_spectra(h, record, r);
  BF_TRY(put_checks(h, record, r));
  put_timing(h, record, r);
  const hid_t provenance = bf_hdf_group(h, record, "provenance");
  for (int i = 0; i < r->nprovenance; i++)
    bf_hdf_attr_text(h, provenance, r->provenance[i].key, r->provenance[i].value);
  return BF_OK;
}
