/* outputs/report.c - report.json: summary of a run for scripts; keys as in /bandfem of case.hdf */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/json.h"
#include "outputs/result.h"

static void put_mesh(bf_json *j, const bf_mesh *m, const bf_view *v)
{
  bf_json_open(j, "mesh", '{');
  if (m) {
    bf_json_text(j, "file", m->file);
    bf_json_int(j, "dim", m->dim);
    bf_json_int(j, "nodes", m->nnodes);
    bf_json_int(j, "elements", m->nelem);
  }
  if (v) {
    bf_json_int(j, "points", v->npoints);
    bf_json_int(j, "cells", v->ncells);
  }
  bf_json_open(j, "groups", '[');
  for (int i = 0; m && i < m->ngroups; i++) {
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "name", m->group[i].name);
    bf_json_int(j, "dim", m->group[i].dim);
    bf_json_int(j, "tag", m->group[i].tag);
    bf_json_int(j, "elements", m->group[i].nelem);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_close(j, '}');
}

static void put_blocks(bf_json *j, const bf_blocks_report *b)
{
  if (!b) return;
  bf_json_open(j, "blocks", '{');
  bf_json_int(j, "count", b->count);
  bf_json_int(j, "smallest", b->smallest);
  bf_json_int(j, "largest", b->largest);
  bf_json_int(j, "singular", b->singular);
  bf_json_real(j, "condition", b->condition);
  bf_json_text(j, "values", b->values);
  bf_json_int(j, "bytes", b->bytes);
  bf_json_real(j, "partition_seconds", b->partition_seconds);
  bf_json_real(j, "setup_seconds", b->seconds);
  bf_json_close(j, '}');
}

static void put_multigrid(bf_json *j, const bf_multigrid_report *m)
{
  if (!m) return;
  bf_json_open(j, "multigrid", '{');
  bf_json_open(j, "levels", '[');
  for (int l = 0; l < m->nlevels; l++) {
    bf_json_open(j, NULL, '{');
    bf_json_int(j, "unknowns", m->n[l]);
    bf_json_int(j, "nnz", m->nnz[l]);
    bf_json_text(j, "coarsening", m->coarsening[l] ? m->coarsening[l] : "none");
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_text(j, "cycle", m->cycle);
  bf_json_int(j, "degree", m->degree);
  bf_json_real(j, "complexity", m->complexity);
  bf_json_int(j, "bytes", m->bytes);
  bf_json_int(j, "jacobi_iterations_before", m->switched);
  bf_json_real(j, "setup_seconds", m->seconds);
  bf_json_close(j, '}');
}

static void put_solution(bf_json *j, const bf_matrix_record *m, const bf_history *s)
{
  if (m) {
    bf_json_open(j, "matrix", '{');
    bf_json_text(j, "format", m->format);
    bf_json_text(j, "storage", m->storage);
    bf_json_text(j, "values", m->values);
    bf_json_text(j, "reorder", m->reorder);
    bf_json_int(j, "n", m->n);
    bf_json_int(j, "nnz", m->nnz);
    bf_json_int(j, "diagonals", m->diagonals);
    bf_json_int(j, "segments", m->segments);
    bf_json_int(j, "half_bandwidth_before", m->half_bandwidth_before);
    bf_json_int(j, "half_bandwidth_after", m->half_bandwidth_after);
    bf_json_int(j, "bytes", m->bytes);
    bf_json_int(j, "product_bytes", m->product_bytes);
    bf_json_real(j, "fill", m->fill);
    bf_json_bool(j, "symmetric", m->symmetric);
    bf_json_close(j, '}');
  }
  if (s && s->n > 0) {
    bf_json_open(j, "solve", '{');
    bf_json_text(j, "method", s->method);
    bf_json_text(j, "preconditioner", s->preconditioner);
    bf_json_text(j, "reason", s->reason);
    bf_json_int(j, "iterations", s->n - 1);
    bf_json_real(j, "residual", s->residual[s->n - 1]);
    if (s->true_residual) bf_json_real(j, "true_residual", s->true_residual[s->n - 1]);
    bf_json_bool(j, "converged_to_rounding", s->to_rounding);
    bf_json_real(j, "backward_error", s->backward_error);
    bf_json_real(j, "estimated_condition", s->condition);
    bf_json_real(j, "estimated_forward_error", s->forward_error);
    if (s->seconds) bf_json_real(j, "seconds", s->seconds[s->n - 1]);
    put_blocks(j, s->blocks);
    put_multigrid(j, s->multigrid);
    bf_json_close(j, '}');
  }
}

static void put_values(bf_json *j, const bf_result *r)
{
  bf_json_open(j, "fields", '[');
  for (int i = 0; i < r->nfields; i++) {
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "name", r->field[i].name);
    bf_json_text(j, "unit", r->field[i].unit);
    bf_json_int(j, "components", r->field[i].ncomp);
    bf_json_text(j, "on", r->field[i].on_cells ? "cells" : "points");
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_open(j, "extremes", '[');
  for (int i = 0; i < r->npeaks; i++) {
    const bf_peak *k = &r->peak[i];
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "field", k->field);
    bf_json_text(j, "kind", k->greatest ? "largest" : "smallest");
    bf_json_real(j, "value", k->value);
    bf_json_text(j, "unit", k->unit);
    bf_json_reals(j, "at", 3, k->at);
    if (k->node >= 0) bf_json_int(j, "node", k->node);
    if (k->material) bf_json_text(j, "material", k->material);
    if (k->group) bf_json_text(j, "group", k->group);
    if (k->of_case) bf_json_text(j, "case", k->of_case);
    if (k->note[0]) bf_json_text(j, "note", k->note);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_open(j, "probes", '[');
  for (int i = 0; i < r->nprobes; i++) {
    bf_json_open(j, NULL, '{');
    if (r->probe[i].of_case) bf_json_text(j, "case", r->probe[i].of_case);
    bf_json_text(j, "name", r->probe[i].name);
    bf_json_text(j, "field", r->probe[i].field);
    bf_json_text(j, "unit", r->probe[i].unit);
    bf_json_reals(j, "at", 3, r->probe[i].at);
    bf_json_reals(j, "value", r->probe[i].ncomp, r->probe[i].value);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_open(j, "reactions", '[');
  for (int i = 0; i < r->nreactions; i++) {
    bf_json_open(j, NULL, '{');
    if (r->reaction[i].of_case) bf_json_text(j, "case", r->reaction[i].of_case);
    bf_json_text(j, "group", r->reaction[i].group);
    bf_json_text(j, "unit", r->reaction[i].unit);
    bf_json_reals(j, "value", r->reaction[i].ncomp, r->reaction[i].value);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_open(j, "balance", '{');
  if (r->balance_name) bf_json_real(j, r->balance_name, r->balance);
  bf_json_close(j, '}');
}

static void put_cases(bf_json *j, const bf_result *r)
{
  if (r->ncases == 0) return;
  bf_json_open(j, "cases", '[');
  for (int i = 0; i < r->ncases; i++) {
    const bf_case_record *c = &r->of_case[i];
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "name", c->name);
    bf_json_int(j, "step", i + 1);
    bf_json_bool(j, "converged", c->converged);
    if (c->sum) {
      bf_json_open(j, "sum", '{');
      for (int k = 0; k < r->ncases; k++)
        if (c->factor[k] != 0.0) bf_json_real(j, r->of_case[k].name, c->factor[k]);
      bf_json_close(j, '}');
    } else {
      bf_json_int(j, "iterations", c->iterations);
      bf_json_real(j, "true_residual", c->true_residual);
    }
    bf_json_real(j, "balance", c->balance);
    bf_json_real(j, "error_estimate", c->error_estimate);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
}

static void put_modes(bf_json *j, const bf_modes_record *m)
{
  if (!m) return;
  bf_json_open(j, "modes", '{');
  bf_json_text(j, "method", m->method);
  bf_json_text(j, "preconditioner", m->preconditioner);
  bf_json_text(j, "mass", m->mass);
  bf_json_text(j, "normalization", m->normalization);
  bf_json_int(j, "iterations", m->iterations);
  bf_json_int(j, "rigid", m->rigid);
  bf_json_text(j, "unit", m->mass_unit);
  bf_json_reals(j, "total_mass", m->naxes, m->total_mass);
  bf_json_reals(j, "frequency_hz", m->n, m->frequency_hz);
  bf_json_reals(j, "residual", m->n, m->residual);
  bf_json_reals(j, "orthogonality", m->n, m->orthogonality);
  bf_json_open(j, "participation", '[');
  for (int i = 0; i < m->n; i++) bf_json_reals(j, NULL, m->naxes, m->participation + i * m->naxes);
  bf_json_close(j, ']');
  bf_json_open(j, "effective_mass", '[');
  for (int i = 0; i < m->n; i++) bf_json_reals(j, NULL, m->naxes, m->effective_mass + i * m->naxes);
  bf_json_close(j, ']');
  bf_json_close(j, '}');
}

static void put_dispersion(bf_json *j, const bf_dispersion_record *d)
{
  if (!d) return;
  bf_json_open(j, "dispersion", '{');
  bf_json_text(j, "phase", d->phase);
  bf_json_text(j, "method", d->method);
  bf_json_int(j, "cell_unknowns", d->cell_unknowns);
  bf_json_int(j, "unknowns", d->unknowns);
  bf_json_int(j, "interior_modes", d->interior_modes);
  bf_json_int(j, "batch", d->batch);
  bf_json_real(j, "hermitian_defect", d->hermitian_defect);
  bf_json_open(j, "gaps", '[');
  for (int i = 0; i < d->ngaps; i++) {
    bf_json_open(j, NULL, '{');
    bf_json_int(j, "after_band", d->gap_below[i]);
    bf_json_real(j, "low_hz", d->gap[2 * i]);
    bf_json_real(j, "high_hz", d->gap[2 * i + 1]);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_open(j, "points", '[');
  for (int t = 0, k = 0; t < d->nticks; t++) {
    while (k + 1 < d->nk && d->path_length[k] < d->tick_position[t]) k++;
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "name", d->tick_label[t]);
    bf_json_reals(j, "k_reciprocal", 3, d->k_reciprocal + 3 * k);
    bf_json_reals(j, "frequency_hz", d->bands, d->frequency_hz + (int64_t)k * d->bands);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
  bf_json_close(j, '}');
}

static void put_flexibility(bf_json *j, const bf_flexibility_record *f)
{
  if (!f) return;
  bf_json_open(j, "flexibility", '{');
  bf_json_int(j, "unknowns", f->n);
  bf_json_text(j, "unit", f->unit);
  bf_json_text(j, "route", f->route);
  bf_json_int(j, "prescribed_left_out", f->prescribed);
  bf_json_int(j, "inner_nodes_left_out", f->inner);
  bf_json_int(j, "iterations", f->iterations);
  bf_json_real(j, "residual", f->residual);
  bf_json_real(j, "asymmetry", f->asymmetry);
  bf_json_real(j, "condition", f->condition);
  bf_json_real(j, "error_bound", f->error_bound);
  bf_json_real(j, "seconds", f->seconds);
  bf_json_close(j, '}');
}

static void put_recovery(bf_json *j, const bf_recovery *k)
{
  if (!k) return;
  bf_json_open(j, "recovery", '{');
  bf_json_text(j, "method",
               "superconvergent patches inside a material, least-squares fits of the elements elsewhere");
  bf_json_int(j, "points", k->points);
  bf_json_int(j, "by_patches", k->by_patches);
  if (k->has_error) bf_json_real(j, "error_estimate", k->error_estimate);
  bf_json_close(j, '}');
}

static void put_spectra(bf_json *j, const bf_result *r)
{
  if (r->nspectra == 0) return;
  bf_json_open(j, "element_spectra", '[');
  for (int i = 0; i < r->nspectra; i++) {
    const bf_spectrum *s = &r->spectrum[i];
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "element", bf_elem(s->type)->name);
    bf_json_int(j, "elements", s->elements);
    bf_json_int(j, "zero_energy_modes_expected", s->expected);
    bf_json_int(j, "zero_energy_modes", s->most);
    bf_json_int(j, "zero_energy_modes_element", s->most_id);
    bf_json_int(j, "elements_with_more", s->faulty);
    bf_json_real(j, "min", s->min);
    bf_json_int(j, "min_element", s->min_id);
    bf_json_real(j, "max", s->max);
    bf_json_int(j, "max_element", s->max_id);
    bf_json_text(j, "unit", s->unit);
    if (s->step > 0.0) {
      bf_json_real(j, "highest_frequency", 2.0 / s->step);
      bf_json_real(j, "critical_time_step", s->step);
      bf_json_int(j, "critical_time_step_element", s->step_id);
      bf_json_text(j, "mass", "lumped");
    }
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
}

static void put_checks(bf_json *j, const bf_result *r)
{
  bf_json_open(j, "checks", '[');
  for (int i = 0; i < r->nchecks; i++) {
    const bf_check_record *k = &r->check[i];
    bf_json_open(j, NULL, '{');
    if (k->of_case) bf_json_text(j, "case", k->of_case);
    bf_json_text(j, "quantity", k->quantity);
    bf_json_text(j, "note", k->note);
    bf_json_real(j, "got", k->got);
    if (!k->report) {
      bf_json_real(j, "expected", k->expected);
      bf_json_real(j, "tolerance", k->tolerance);
      bf_json_bool(j, "relative", k->relative);
      bf_json_bool(j, "passed", k->passed);
    }
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
}

static void put_timing(bf_json *j, const bf_result *r)
{
  bf_json_open(j, "performance", '{');
  bf_json_real(j, "fom_dof_it_per_s", r->fom_dof_it_per_s);
  if (r->triad_gb_per_s > 0.0) bf_json_real(j, "device_triad_gb_per_s", r->triad_gb_per_s);
  bf_json_text(j, "verdict", r->verdict);
  bf_json_close(j, '}');
  bf_json_open(j, "timing", '[');
  for (int i = 0; r->phases && i < r->phases->count; i++) {
    const bf_phase *p = &r->phases->phase[i];
    bf_json_open(j, NULL, '{');
    bf_json_text(j, "name", p->name);
    bf_json_int(j, "calls", p->calls);
    bf_json_real(j, "seconds", p->seconds);
    bf_json_real(j, "seconds_min", p->seconds_min);
    bf_json_real(j, "seconds_max", p->seconds_max);
    bf_json_real(j, "bytes", p->bytes);
    bf_json_real(j, "flops", p->flops);
    bf_json_close(j, '}');
  }
  bf_json_close(j, ']');
}

bf_err bf_write_report(const bf_result *r, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  char            status[BF_STATUS_MAX];
  BF_CHECK(r, BF_E_ARG, "no result");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_result_status(r, status);
  bf_json j = {.out = f};
  bf_json_open(&j, NULL, '{');
  bf_json_int(&j, "format_version", 1);
  bf_json_text(&j, "title", r->title);
  bf_json_text(&j, "physics", r->physics);
  bf_json_text(&j, "analysis", r->analysis);
  bf_json_text(&j, "deck", r->deck_path);
  bf_json_bool(&j, "converged", r->converged);
  bf_json_text(&j, "status", status);
  put_mesh(&j, r->mesh, r->view);
  put_solution(&j, r->matrix, r->history);
  put_values(&j, r);
  put_cases(&j, r);
  put_modes(&j, r->modes);
  put_dispersion(&j, r->dispersion);
  put_flexibility(&j, r->flexibility);
  put_recovery(&j, r->recovery);
  put_spectra(&j, r);
  put_checks(&j, r);
  put_timing(&j, r);
  bf_json_open(&j, "provenance", '{');
  for (int i = 0; i < r->nprovenance; i++) bf_json_text(&j, r->provenance[i].key, r->provenance[i].value);
  bf_json_close(&j, '}');
  bf_json_close(&j, '}');
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
