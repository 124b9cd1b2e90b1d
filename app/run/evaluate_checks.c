/* app/run/evaluate_checks.c - values of probes and checks, verdict of checks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/cases.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static bf_err lookup(void *context, const bf_qref *ref, double *value)
{
  const bf_job *job = context;
  return job->analysis->quantity(job, ref, value);
}

/* E111 for a missing quantity, counted in *missing; other errors are returned. */
static bf_err blame(bf_job *job, bf_where where, bf_err err, int *missing)
{
  if (err != BF_E_INPUT && err != BF_E_MODEL && err != BF_E_ARG) return err;
  bf_diag_add(&job->diags, BF_ERROR, 111, where, "%s", bf_err_message());
  ++*missing;
  return BF_OK;
}

/* Probes of the selected case, or of the only one. */
static bf_err probes_of(bf_job *job, int *missing)
{
  const bf_output_config *output = &job->config.output;
  for (int i = 0; i < output->nprobes; i++) {
    const bf_probe_config *probe = &output->probe[i];
    for (int k = 0; k < probe->nfields; k++) {
      const bf_field  *f = NULL;
      bf_probe_record *r = &job->probe[job->nprobes];
      *r                 = (bf_probe_record){.name = probe->name, .field = probe->field[k].name};
      memcpy(r->at, probe->at, sizeof probe->at);
      bf_err err = bf_static_field(job, r->field, &f);
      if (err == BF_OK) err = bf_model_probe(job->model, job->view, f, r->at, r->value);
      if (err != BF_OK) {
        BF_TRY(blame(job, probe->field[k].where, err, missing));
        continue;
      }
      r->ncomp   = f->ncomp;
      r->unit    = f->unit;
      r->of_case = bf_static_case_name(job);
      job->nprobes++;
    }
  }
  return BF_OK;
}

static bf_err probes(bf_job *job, int *missing)
{
  const bf_output_config *output = &job->config.output;
  int                     count  = 0;
  for (int i = 0; i < output->nprobes; i++) count += output->probe[i].nfields;
  BF_TRY(BF_NEW_ARRAY(job->probe, count * bf_static_cases_count(job)));
  for (int i = 0; i < bf_static_cases_count(job); i++) {
    bf_static_case_select(job, i);
    BF_TRY(probes_of(job, missing));
  }
  return BF_OK;
}

static int within(const bf_check_record *r)
{
  return fabs(r->got - r->expected) <= (r->relative ? r->tolerance * fabs(r->expected) : r->tolerance);
}

/* One check of the selected case, or of the only one. */
static bf_err check_of(bf_job *job, const bf_check_config *check, int *missing)
{
  bf_check_record *r      = &job->check[job->nchecks++];
  const char      *name   = bf_static_case_name(job);
  char             of[96] = "";
  int              column;
  *r               = (bf_check_record){.quantity  = check->written,
                                       .note      = check->note,
                                       .report    = check->report,
                                       .expected  = check->expected,
                                       .relative  = check->relative,
                                       .tolerance = check->tolerance,
                                       .of_case   = name};
  const bf_err err = bf_check_quantity_eval(check->quantity, lookup, job, &column, &r->got);
  if (err != BF_OK) {
    BF_TRY(blame(job, check->quantity_where, err, missing));
    r->got = NAN;
  }
  r->passed = err == BF_OK && (r->report || within(r));
  if (name) snprintf(of, sizeof of, " in case '%s'", name);
  if (err == BF_OK && !r->passed)
    bf_diag_add(&job->diags, BF_ERROR, 112, check->quantity_where,
                "check failed%s: %s = %.9g, expected %.9g (%s %.3g)", of, r->quantity, r->got, r->expected,
                r->relative ? "rtol" : "atol", r->tolerance);
  job->checks_failed += !r->passed;
  return BF_OK;
}

static bf_err checks(bf_job *job, int *missing)
{
  const int cases = bf_static_cases_count(job);
  BF_TRY(BF_NEW_ARRAY(job->check, job->config.nchecks * cases));
  for (int i = 0; i < job->config.nchecks; i++)
    for (int k = 0; k < cases; k++) {
      if (!bf_static_case_checks(job, k, i)) continue;
      bf_static_case_select(job, k);
      BF_TRY(check_of(job, &job->config.check[i], missing));
    }
  return BF_OK;
}

bf_err bf_job_evaluate_checks(bf_job *job)
{
  const double t0      = bf_seconds();
  int          missing = 0;
  BF_TRY(probes(job, &missing));
  BF_TRY(checks(job, &missing));
  bf_static_case_select_loaded(job, 0);
  bf_phase_add(&job->phases, "probes and checks", bf_seconds() - t0, 0.0, 0.0);
  return missing == 0
             ? BF_OK
             : BF_FAIL(BF_E_INPUT, "a probe or a check refers to a value that this run does not have");
}
