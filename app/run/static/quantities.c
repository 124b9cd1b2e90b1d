/* app/run/static/quantities.c - quantities of checks of a static analysis: probes, extremes, integrals,
 * reactions, balances */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/cases.h"
#include "app/run/static/flexibility.h"
#include "app/run/static/static.h"
#include "assembly/error_norm.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const bf_field *field_of(const bf_job *job, const char *name)
{
  for (int i = 0; i < job->solution.nfields; i++)
    if (strcmp(job->solution.field[i].name, name) == 0) return &job->solution.field[i];
  return NULL;
}

/* The field, or BF_E_INPUT with the list of available fields. */
bf_err bf_static_field(const bf_job *job, const char *name, const bf_field **out)
{
  char   list[512] = "";
  size_t at        = 0;
  *out             = field_of(job, name);
  if (!*out) *out = bf_static_cases_envelope(job, name);
  if (*out) return BF_OK;
  for (int i = 0; i < job->solution.nfields && at < sizeof list; i++) {
    const int n = snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", job->solution.field[i].name);
    at += n > 0 ? (size_t)n : 0;
  }
  return BF_FAIL(BF_E_INPUT, "this run has no field '%s'; it has: %s", name, list);
}

/* Component c of a value of ncomp numbers; c = -1: the value of a scalar, or the norm of a vector. */
static bf_err component(const bf_field *f, const double *v, int c, double *value)
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
    const bf_reaction *g = &job->solution.reaction[i];
    if (strcmp(g->group, ref->group) != 0) continue;
    BF_CHECK(ref->component < n, BF_E_INPUT, "a reaction of this problem has %d component%s", n,
             n == 1 ? "" : "s");
    const double *v = g->value;
    *value          = ref->component >= 0 ? v[ref->component]
                      : n == 1            ? v[0]
                                          : sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return BF_OK;
  }
  return BF_FAIL(BF_E_INPUT, "group '%s' has no prescribed values and no springs, so no reaction",
                 ref->group);
}

bf_error_request bf_static_norm(const bf_qref *ref)
{
  bf_error_request of = {
      .component = ref->component, .n = ref->nformulas, .group = ref->group[0] ? ref->group : NULL};
  while (of.norm + 1 < BF_NORMS && strcmp(ref->name, bf_norm_name(of.norm)) != 0) of.norm++;
  return of;
}

static bf_err error_norm(const bf_job *job, const bf_qref *ref, double *value)
{
  bf_err           err = BF_OK;
  bf_error_request of  = bf_static_norm(ref);
  const bf_field  *f;
  double           exact;
  int              column;
  BF_GO(bf_static_field(job, ref->field, &f));
  for (int i = 0; i < of.n; i++)
    BF_GO(bf_gradient_create(ref->formula[i], (size_t)ref->length[i], &column, &of.exact[i]));
  BF_GO(bf_model_error_norm(job->model, job->view, f, &of, value, &exact));
  BF_NEED(!ref->relative || exact > 0.0, BF_E_MODEL,
          "the %s norm of the formula is 0: a relative error does not exist; use error.%s", ref->name,
          ref->name);
  if (ref->relative) *value /= exact;
done:
  for (int i = 0; i < of.n; i++) bf_gradient_destroy(&of.exact[i]);
  return err;
}

bf_err bf_static_quantity(const bf_job *job, const bf_qref *ref, double *value)
{
  const bf_field *f;
  double          at[3], v[9];
  switch (ref->kind) {
  case BF_Q_PROBE:
    BF_TRY(bf_static_field(job, ref->field, &f));
    BF_TRY(probe_place(job, ref->name, at));
    BF_TRY(bf_model_probe(job->model, job->view, f, at, v));
    return component(f, v, ref->component, value);
  case BF_Q_MIN:
  case BF_Q_MAX:
    BF_TRY(bf_static_field(job, ref->field, &f));
    BF_TRY(component(f, (double[9]){0}, ref->component, value));
    return bf_model_extreme(job->model, job->view, f, ref->component, ref->group[0] ? ref->group : NULL,
                            ref->kind == BF_Q_MAX, value);
  case BF_Q_INTEGRAL:
    BF_TRY(bf_static_field(job, ref->field, &f));
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
  case BF_Q_ITERATIONS: *value = job->solve.iterations; return BF_OK;
  case BF_Q_ERROR:
    BF_CHECK(job->solution.recovery.has_error, BF_E_INPUT, "this run has no error estimate");
    *value = job->solution.recovery.error_estimate;
    return BF_OK;
  case BF_Q_NORM: return error_norm(job, ref, value);
  case BF_Q_UNKNOWNS: *value = (double)bf_job_unknowns(job); return BF_OK;
  case BF_Q_FLEXIBILITY:
    BF_CHECK(job->flexibility && job->flexibility->made, BF_E_INPUT,
             "the flexibility matrix was not computed");
    *value =
        job->flexibility
            ->F[(size_t)(ref->other - 1) * (size_t)job->flexibility->unknowns.n + (size_t)(ref->number - 1)];
    return BF_OK;
  case BF_Q_MODE:
  case BF_Q_BAND:
  case BF_Q_GAP: break; /* of other analyses: the rules of the deck refuse them */
  }
  return BF_FAIL(BF_E_INTERNAL, "unknown kind of quantity");
}
