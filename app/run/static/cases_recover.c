/* app/run/static/cases_recover.c - results of load cases: solutions of sums, fields by step, envelope
 *
 *     envelope(x) = max_i |f_i(x)|  over the cases that count in it,  envelope_case(x) = the first i, from 1
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/cases_internal.h"
#include "app/run/static/static.h"
#include "assembly/cases.h"
#include "assembly/setup/memory_estimate.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double *u_of(const bf_job *job, int i)
{
  return i == job->cases->current ? job->u : job->cases->item[i].u;
}

static const bf_solution *solution_of(const bf_job *job, int i)
{
  return i == job->cases->current ? &job->solution : &job->cases->item[i].solution;
}

/* u of the selected case: copied from x, or the sum of its parts. */
static bf_err displacements(bf_job *job, int i)
{
  bf_err                 err   = BF_OK;
  const struct bf_cases *c     = job->cases;
  const bf_case_config  *of    = &job->config.of_case[i];
  const size_t           n     = (size_t)job->A->nrows;
  const bf_model       **model = NULL;
  BF_GO(BF_NEW_ARRAY(job->u, n));
  if (!of->sum) {
    BF_GO(job->be->ops.copy(job->be, job->u, job->x, n * sizeof *job->u, BF_TO_HOST));
    goto done;
  }
  BF_GO(BF_NEW_ARRAY(model, c->n));
  for (int k = 0; k < c->n; k++) {
    model[k] = bf_static_case_model(job, k);
    for (size_t j = 0; of->factor[k] != 0.0 && j < n; j++) job->u[j] += of->factor[k] * u_of(job, k)[j];
  }
  BF_GO(bf_model_combine(job->model, c->n, model, of->factor));
done:
  bf_host_free(model);
  return err;
}

static int64_t length(const bf_job *job, const bf_field *f)
{
  return (int64_t)(f->on_cells ? job->view->ncells : job->view->npoints) * f->ncomp;
}

/* One array for all cases instead of one in each solution. */
static bf_err gather(bf_job *job, int k, const bf_field *first)
{
  struct bf_cases *c      = job->cases;
  const int64_t    n      = length(job, first);
  const int        shared = strcmp(first->name, "material_id") == 0 || bf_field_is_spectral(first->name);
  bf_field        *to     = &c->field[k];
  *to                     = *first;
  to->by_step             = !shared;
  to->data                = NULL;
  BF_TRY(BF_NEW_ARRAY(to->data, (size_t)n * (size_t)(shared ? 1 : c->n)));
  for (int i = 0; i < c->n; i++) {
    bf_field *from = &solution_of(job, i)->field[k];
    double   *part = to->data + (shared ? 0 : (size_t)n * (size_t)i);
    memcpy(part, from->data, (size_t)n * sizeof *part);
    bf_host_free(from->data);
    from->data = part;
  }
  return BF_OK;
}

static bf_err new_envelope(struct bf_cases *c, const bf_field *of, const char *end, bf_field **out)
{
  const size_t size = strlen(of->name) + strlen(end) + 1;
  char        *name = bf_host_alloc(size, 1);
  BF_CHECK(name, BF_E_MEMORY, "no memory for the envelope");
  snprintf(name, size, "%s%s", of->name, end);
  c->name[c->nnames++] = name;
  *out                 = &c->field[c->nfields++];
  **out                = (bf_field){.name = name, .unit = of->unit, .ncomp = 1, .on_cells = of->on_cells};
  return BF_OK;
}

/* Largest value or length of a field and the case that has it. */
static bf_err envelope(bf_job *job, const bf_field *of)
{
  struct bf_cases *c = job->cases;
  bf_field        *most, *which;
  const int64_t    n = length(job, of) / of->ncomp;
  BF_TRY(new_envelope(c, of, "_envelope", &most));
  BF_TRY(BF_NEW_ARRAY(most->data, (size_t)n));
  BF_TRY(new_envelope(c, of, "_envelope_case", &which));
  which->unit = NULL;
  BF_TRY(BF_NEW_ARRAY(which->data, (size_t)n));
  for (int i = 0; i < c->n; i++) {
    const double *v = of->data + (size_t)i * (size_t)(n * of->ncomp);
    if (!job->config.of_case[i].envelope) continue;
    for (int64_t j = 0; j < n; j++) {
      double size = 0.0;
      for (int d = 0; d < of->ncomp; d++) size += v[j * of->ncomp + d] * v[j * of->ncomp + d];
      size = of->ncomp == 1 ? v[j] : sqrt(size);
      if (which->data[j] != 0.0 && !(size > most->data[j])) continue;
      most->data[j]  = size;
      which->data[j] = i + 1.0;
    }
  }
  return BF_OK;
}

static bf_err fields(bf_job *job)
{
  struct bf_cases *c   = job->cases;
  const int        own = job->solution.nfields;
  int              any = 0;
  for (int i = 0; i < c->n; i++) any |= job->config.of_case[i].envelope;
  BF_TRY(BF_NEW_ARRAY(c->field, 3 * own));
  BF_TRY(BF_NEW_ARRAY(c->name, 2 * own));
  c->gathered = 1;
  for (int k = 0; k < own; k++) {
    c->nfields = k + 1;
    BF_TRY(gather(job, k, &job->solution.field[k]));
  }
  c->nown = own;
  for (int k = 0; k < own && any; k++)
    if (bf_envelope_has(c->field[k].name) && bf_job_writes_field(job, c->field[k].name))
      BF_TRY(envelope(job, &c->field[k]));
  return BF_OK;
}

/* Reactions of all cases, and one record of each. */
static bf_err records(bf_job *job)
{
  struct bf_cases *c = job->cases;
  for (int i = 0; i < c->n; i++) c->nreactions += solution_of(job, i)->nreactions;
  BF_TRY(BF_NEW_ARRAY(c->reaction, c->nreactions > 0 ? c->nreactions : 1));
  BF_TRY(BF_NEW_ARRAY(c->record, c->n));
  BF_TRY(BF_NEW_ARRAY(c->at, c->n));
  BF_TRY(BF_NEW_ARRAY(c->step_name, c->n));
  c->nreactions = 0;
  for (int i = 0; i < c->n; i++) {
    const bf_case_config  *of = &job->config.of_case[i];
    const bf_solution     *s  = solution_of(job, i);
    const bf_solve_report *r  = bf_static_case_solve(job, i);
    c->at[i]                  = i + 1.0;
    c->step_name[i]           = of->name;
    for (int k = 0; k < s->nreactions; k++) {
      c->reaction[c->nreactions]           = s->reaction[k];
      c->reaction[c->nreactions++].of_case = of->name;
    }
    c->record[i] =
        (bf_case_record){.name           = of->name,
                         .sum            = of->sum,
                         .factor         = of->factor,
                         .converged      = bf_static_case_converged(job, i),
                         .iterations     = r->iterations,
                         .true_residual  = of->sum ? NAN : r->true_residual,
                         .balance        = s->balance,
                         .error_estimate = s->recovery.has_error ? s->recovery.error_estimate : NAN};
  }
  return BF_OK;
}

bf_err bf_static_cases_recover(bf_job *job, bf_err (*fields_of)(bf_job *job))
{
  struct bf_cases *c     = job->cases;
  const int        first = c->loaded[0];
  for (int pass = 0; pass < 2; pass++) /* sums need their parts */
    for (int i = 0; i < c->n; i++) {
      if (job->config.of_case[i].sum != pass) continue;
      bf_static_case_select(job, i);
      BF_TRY(displacements(job, i));
      BF_TRY(fields_of(job));
    }
  bf_static_case_select(job, first);
  BF_TRY(fields(job));
  return records(job);
}

int bf_static_cases_fields(const bf_job *job, const bf_field **field)
{
  *field = job->cases->field;
  return job->cases->nfields;
}

const bf_field *bf_static_cases_envelope(const bf_job *job, const char *name)
{
  const struct bf_cases *c = job->cases;
  for (int k = c ? c->nown : 0; c && k < c->nfields; k++)
    if (strcmp(c->field[k].name, name) == 0) return &c->field[k];
  return NULL;
}

void bf_static_cases_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const struct bf_cases *c = job->cases;
  s->number                = (bf_step_number){"case_number", c->at};
  s->steps                 = (bf_steps){c->n, c->at, 1, &s->number};
  r->steps                 = &s->steps;
  r->step_name             = c->step_name;
  r->ncases                = c->n;
  r->of_case               = c->record;
  r->nreactions            = c->nreactions;
  r->reaction              = c->reaction;
  r->converged             = 1;
  for (int i = 0; i < c->n; i++) {
    r->converged &= c->record[i].converged;
    r->balance = fmax(r->balance, c->record[i].balance);
  }
}
