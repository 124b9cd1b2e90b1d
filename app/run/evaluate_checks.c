/* app/run/evaluate_checks.c - the numbers of a run that its deck asks for: probes, and checks with their
 * verdict */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "base/memory.h"
#include "inputs/quantity.h"
#include <math.h>
#include <string.h>

static const bf_model_field *field_of(const bf_job *job, const char *name)
{
  for (int i = 0; i < job->solution.nfields; i++)
    if (strcmp(job->solution.field[i].name, name) == 0) return &job->solution.field[i];
  return NULL;
}

/* The field, or BF_E_INPUT with the list of those there are. */
static bf_err need_field(const bf_job *job, const char *name, const bf_model_field **out)
{
  char   list[512] = "";
  size_t at        = 0;
  *out             = field_of(job, name);
  if (*out) return BF_OK;
  for (int i = 0; i < job->solution.nfields && at < sizeof list; i++) {
    const int n = snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", job->solution.field[i].name);
    at += n > 0 ? (size_t)n : 0;
  }
  return BF_FAIL(BF_E_INPUT, "this run has no field '%s'; it has: %s", name, list);
}

/* Component c of a value of ncomp numbers; c = -1: the number itself, or the length of a vector. */
static bf_err component(const bf_model_field *f, const double *v, int c, double *value)
{
  BF_CHECK(c < f->ncomp, BF_E_INPUT, "field '%s' has %d component%s", f->name, f->ncomp,
           f->ncomp == 1 ? "" : "s");
  BF_CHECK(c >= 0 || f->ncomp != 6, BF_E_INPUT,
           "field '%s' is a tensor: name a component (xx yy zz xy yz xz)", f->name);
  *value = c >= 0 ? v[c] : f->ncomp == 1 ? v[0] : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return BF_OK;
}

static bf_err probe_place(const bf_job *job, const char *name, double at[3])
{
  for (int i = 0; i < job->config.output.nprobes; i++) {
    const bf_probe_config *probe = &job->config.output.probe[i];
    if (strcmp(probe->name, name) != 0) continue;
    memcpy(at, probe->at, sizeof probe->at);
    return BF_OK;
  }
  return BF_FAIL(BF_E_INPUT, "output.probes has no probe '%s'", name);
}

static bf_err reaction(const bf_job *job, const bf_qref *ref, double *value)
{
  const int n = bf_model_ncomp(job->model);
  for (int i = 0; i < job->solution.nreactions; i++) {
    const bf_group_sum *g = &job->solution.reaction[i];
    if (strcmp(g->group, ref->group) != 0) continue;
    BF_CHECK(ref->component < n, BF_E_INPUT, "a reaction has %d component%s here", n, n == 1 ? "" : "s");
    const double *v = g->value;
    *value          = ref->component >= 0 ? v[ref->component]
                      : n == 1            ? v[0]
                                          : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return BF_OK;
  }
  return BF_FAIL(BF_E_INPUT, "group '%s' has no prescribed values and no springs, so no reaction",
                 ref->group);
}

/* Of mode k from 0; a number along several axes without one: the length. */
static bf_err of_mode(const bf_job_modes *m, const bf_qref *ref, int k, double *value)
{
  const double *axes = ref->name[0] == 'p' ? m->factor : m->mass, *v = axes + k * m->naxes;
  *value = 0.0;
  switch (ref->name[0]) {
  case 'f': *value = m->frequency[k]; return BF_OK;
  case 'r': *value = m->residual[k]; return BF_OK;
  case 'o': *value = m->report.orthogonality[k]; return BF_OK;
  default: break;
  }
  if (ref->component < 0) {
    for (int c = 0; c < m->naxes; c++) *value = hypot(*value, v[c]);
    return BF_OK;
  }
  for (int c = 0; c < m->naxes; c++)
    if (m->axis[c][0] == "xyz"[ref->component]) {
      *value = v[c];
      return BF_OK;
    }
  return BF_FAIL(BF_E_INPUT, "a mode has no %s along %c here", ref->name, "xyz"[ref->component]);
}

static bf_err of_modes(const bf_job_modes *m, const bf_qref *ref, double *value)
{
  const int n = m->report.pairs;
  if (ref->number > 0) {
    BF_CHECK(ref->number <= n, BF_E_INPUT, "there are %d modes", n);
    return of_mode(m, ref, ref->number - 1, value);
  }
  for (int k = 0; k < n; k++) {
    double v;
    BF_TRY(of_mode(m, ref, k, &v));
    *value = k == 0             ? v
             : ref->over == '<' ? fmin(*value, v)
             : ref->over == '>' ? fmax(*value, v)
                                : *value + v;
  }
  return BF_OK;
}

static bf_err lookup(void *context, const bf_qref *ref, double *value)
{
  bf_job               *job = context;
  const bf_model_field *f;
  double                at[3], v[9];
  if (job->waves) return bf_job_waves_quantity(job, ref, value);
  switch (ref->kind) {
  case BF_Q_PROBE:
    BF_TRY(need_field(job, ref->field, &f));
    BF_TRY(probe_place(job, ref->name, at));
    BF_TRY(bf_model_probe(job->model, job->view, f, at, v));
    return component(f, v, ref->component, value);
  case BF_Q_MIN:
  case BF_Q_MAX:
    BF_TRY(need_field(job, ref->field, &f));
    BF_TRY(component(f, (double[9]){0}, ref->component, value));
    return bf_model_extreme(job->model, job->view, f, ref->component, ref->group[0] ? ref->group : NULL,
                            ref->kind == BF_Q_MAX, value);
  case BF_Q_INTEGRAL:
    BF_TRY(need_field(job, ref->field, &f));
    BF_CHECK(ref->component >= 0 || f->ncomp == 1, BF_E_INPUT, "name a component of '%s' to integrate",
             f->name);
    BF_CHECK(ref->component < f->ncomp, BF_E_INPUT, "field '%s' has %d components", f->name, f->ncomp);
    return bf_model_integral(job->model, job->view, f, ref->component < 0 ? 0 : ref->component,
                             ref->group[0] ? ref->group : NULL, value);
  case BF_Q_REACTION: return reaction(job, ref, value);
  case BF_Q_BALANCE:
    if (strcmp(ref->name, "moment") == 0 && job->problem.physics == BF_ELASTICITY) {
      *value = job->solution.moment_balance;
      return BF_OK;
    }
    const bf_physics_words *words = bf_physics_words_of(job->problem.physics);
    BF_CHECK(strcmp(ref->name, words->balance) == 0, BF_E_INPUT, "%s has balance.%s, no balance.%s",
             words->name, words->balance, ref->name);
    *value = job->solution.balance;
    return BF_OK;
  case BF_Q_MODE: return of_modes(&job->modes, ref, value);
  case BF_Q_ITERATIONS:
    *value = bf_job_is_modal(job) ? job->modes.report.iterations : job->solve.iterations;
    return BF_OK;
  case BF_Q_ERROR:
    BF_CHECK(job->solution.has_error, BF_E_INPUT, "this run has no error estimate");
    *value = job->solution.error_estimate;
    return BF_OK;
  case BF_Q_UNKNOWNS: *value = job->A->nrows; return BF_OK;
  case BF_Q_BAND:
  case BF_Q_GAP: break; /* of dispersion, above */
  }
  return BF_FAIL(BF_E_INTERNAL, "unknown kind of quantity");
}

/* What went wrong with an item of the deck, with its line, counted in *missing; anything but a wrong name is
 * passed on. */
static bf_err blame(bf_job *job, bf_where where, bf_err err, int *missing)
{
  if (err != BF_E_INPUT && err != BF_E_MODEL && err != BF_E_ARG) return err;
  bf_diag_add(&job->diags, BF_ERROR, 111, where, "%s", bf_err_message());
  ++*missing;
  return BF_OK;
}

static bf_err probes(bf_job *job, int *missing)
{
  const bf_output_config *output = &job->config.output;
  int                     count  = 0;
  for (int i = 0; i < output->nprobes; i++) count += output->probe[i].nfields;
  BF_TRY(BF_NEW_ARRAY(job->probe, count));
  for (int i = 0; i < output->nprobes; i++) {
    const bf_probe_config *probe = &output->probe[i];
    for (int k = 0; k < probe->nfields; k++) {
      const bf_model_field *f = NULL;
      bf_probe_record      *r = &job->probe[job->nprobes];
      *r                      = (bf_probe_record){.name = probe->name, .field = probe->field[k].name};
      memcpy(r->at, probe->at, sizeof probe->at);
      bf_err err = need_field(job, r->field, &f);
      if (err == BF_OK) err = bf_model_probe(job->model, job->view, f, r->at, r->value);
      if (err != BF_OK) {
        BF_TRY(blame(job, probe->field[k].where, err, missing));
        continue;
      }
      r->ncomp = f->ncomp;
      r->unit  = f->unit;
      job->nprobes++;
    }
  }
  return BF_OK;
}

static int within(const bf_check_record *r)
{
  return fabs(r->got - r->expected) <= (r->relative ? r->tolerance * fabs(r->expected) : r->tolerance);
}

static bf_err checks(bf_job *job, int *missing)
{
  BF_TRY(BF_NEW_ARRAY(job->check, job->config.nchecks));
  for (int i = 0; i < job->config.nchecks; i++) {
    const bf_check_config *check = &job->config.check[i];
    bf_check_record       *r     = &job->check[job->nchecks++];
    int                    column;
    *r               = (bf_check_record){.quantity  = check->quantity,
                                         .note      = check->note,
                                         .report    = check->report,
                                         .expected  = check->expected,
                                         .relative  = check->relative,
                                         .tolerance = check->tolerance};
    const bf_err err = bf_check_quantity_eval(r->quantity, lookup, job, &column, &r->got);
    if (err != BF_OK) {
      BF_TRY(blame(job, check->quantity_where, err, missing));
      r->got = NAN;
    }
    r->passed = err == BF_OK && (r->report || within(r));
    if (err == BF_OK && !r->passed)
      bf_diag_add(&job->diags, BF_ERROR, 112, check->quantity_where,
                  "check failed: %s = %.9g, expected %.9g (%s %.3g)", r->quantity, r->got, r->expected,
                  r->relative ? "rtol" : "atol", r->tolerance);
    job->checks_failed += !r->passed;
  }
  return BF_OK;
}

bf_err bf_job_examine(bf_job *job)
{
  const double t0      = bf_seconds();
  int          missing = 0;
  BF_TRY(probes(job, &missing));
  BF_TRY(checks(job, &missing));
  bf_phase_add(&job->phases, "probes and checks", bf_seconds() - t0, 0.0, 0.0);
  return missing == 0 ? BF_OK : BF_FAIL(BF_E_INPUT, "a probe or a check names what the run does not have");
}
