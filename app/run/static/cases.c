/* app/run/static/cases.c - see cases.h: problems and models of load cases, their right-hand sides, selection
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/cases.h"
#include "app/run/static/cases_internal.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* The problem of the deck with the conditions and loads of one case. */
static bf_err problem_of(const bf_run_config *config, const bf_case_config *as, bf_static_case *c)
{
  const bf_problem *p = &config->problem;
  c->problem          = *p;
  c->problem.condense = BF_CONDENSE_OFF;
  BF_TRY(BF_NEW_ARRAY(c->boundary, p->nboundaries > 0 ? p->nboundaries : 1));
  BF_TRY(BF_NEW_ARRAY(c->load, p->nloads > 0 ? p->nloads : 1));
  c->problem.boundary = c->boundary;
  c->problem.load     = c->load;
  c->problem.nloads = c->problem.nboundaries = 0;
  for (int i = 0; i < p->nboundaries; i++)
    if (as->boundary[i]) c->boundary[c->problem.nboundaries++] = p->boundary[i];
  for (int i = 0; i < p->nloads; i++)
    if (as->load[i]) c->load[c->problem.nloads++] = p->load[i];
  return BF_OK;
}

bf_err bf_static_cases_prepare(bf_job *job)
{
  const bf_run_config *config = &job->config;
  if (config->ncases == 0) return BF_OK;
  BF_TRY(BF_NEW(job->cases));
  struct bf_cases *c = job->cases;
  BF_TRY(BF_NEW_ARRAY(c->item, config->ncases));
  BF_TRY(BF_NEW_ARRAY(c->loaded, config->ncases));
  c->n = config->ncases;
  for (int i = 0; i < c->n; i++)
    if (!config->of_case[i].sum) c->loaded[c->nloaded++] = i;
  const int first = c->current = c->loaded[0];
  for (int i = 0; i < c->n; i++)
    BF_TRY(problem_of(config, &config->of_case[config->of_case[i].sum ? first : i], &c->item[i]));
  job->problem = c->item[first].problem;
  return BF_OK;
}

/* E338 */
static void other_constraints(bf_job *job, int i, bf_int node, int component)
{
  static const char *const axis[] = {"displacement x", "displacement y", "displacement z"};
  const bf_case_config    *of     = job->config.of_case;
  const double            *x      = job->mesh->x + 3 * (size_t)node;
  const int                D      = bf_model_ncomp(job->model);
  bf_diag_add(
      &job->diags, BF_ERROR, 338, of[i].where,
      "cases '%s' and '%s' prescribe values of different unknowns, the first is the %s of node %lld "
      "(%g, %g, %g); all cases share one matrix: write such a condition in every case, with the value "
      "of that case",
      of[job->cases->loaded[0]].name, of[i].name,
      D == 1 ? bf_physics_words_of(job->problem.physics)->field : axis[component],
      (long long)job->mesh->node_tag[node], x[0], x[1], x[2]);
}

bf_err bf_static_cases_models(bf_job *job)
{
  struct bf_cases *c = job->cases;
  if (!c) return BF_OK;
  const int before = job->diags.count;
  for (int i = 0; i < c->n; i++) {
    bf_int node;
    int    component;
    if (i == c->current) continue;
    BF_TRY(bf_model_create(job->mesh, &c->item[i].problem, &job->diags, &c->item[i].model));
    if (!bf_model_same_constraints(job->model, c->item[i].model, &node, &component))
      other_constraints(job, i, node, component);
  }
  bf_diags_unique(&job->diags, before);
  return bf_diags_status(&job->diags);
}

bf_model *bf_static_case_model(const bf_job *job, int i)
{
  return i == job->cases->current ? job->model : job->cases->item[i].model;
}

bf_err bf_static_cases_assemble(bf_job *job)
{
  bf_err           err = BF_OK;
  struct bf_cases *c   = job->cases;
  bf_model       **m   = NULL;
  double         **b = NULL, **x = NULL;
  BF_GO(BF_NEW_ARRAY(m, c->nloaded));
  BF_GO(BF_NEW_ARRAY(b, c->nloaded));
  BF_GO(BF_NEW_ARRAY(x, c->nloaded));
  for (int k = 0; k < c->nloaded; k++) {
    bf_static_case *item = &c->item[c->loaded[k]];
    m[k]                 = bf_static_case_model(job, c->loaded[k]);
    if (c->loaded[k] != c->current) {
      BF_GO(bf_vector_create(job->be, job->A->nrows, job->A->guard, &item->b));
      BF_GO(bf_vector_create(job->be, job->A->nrows, job->A->guard, &item->x));
    }
    b[k] = c->loaded[k] == c->current ? job->b : item->b;
    x[k] = c->loaded[k] == c->current ? job->x : item->x;
  }
  BF_GO(bf_model_assemble_cases(c->nloaded, m, job->num, job->A, b, x, &job->phases));
done:
  bf_host_free(m);
  bf_host_free(b);
  bf_host_free(x);
  return err;
}

int bf_static_cases_count(const bf_job *job)
{
  return job->cases ? job->cases->n : 1;
}

int bf_static_cases_loaded(const bf_job *job)
{
  return job->cases ? job->cases->nloaded : 1;
}

void bf_static_case_select(bf_job *job, int i)
{
  struct bf_cases *c = job->cases;
  if (!c || i == c->current) return;
  bf_static_case *out = &c->item[c->current], *in = &c->item[i];
  out->model    = job->model;
  out->b        = job->b;
  out->x        = job->x;
  out->u        = job->u;
  out->solution = job->solution;
  out->solve    = job->solve;
  job->model    = in->model;
  job->b        = in->b;
  job->x        = in->x;
  job->u        = in->u;
  job->solution = in->solution;
  job->solve    = in->solve;
  c->current    = i;
}

void bf_static_case_select_loaded(bf_job *job, int i)
{
  if (job->cases) bf_static_case_select(job, job->cases->loaded[i]);
}

const char *bf_static_case_name(const bf_job *job)
{
  return job->cases ? job->config.of_case[job->cases->current].name : NULL;
}

const bf_problem *bf_static_case_problem(const bf_job *job)
{
  return job->cases ? &job->cases->item[job->cases->current].problem : &job->problem;
}

int bf_static_case_checks(const bf_job *job, int i, int check)
{
  return !job->cases || job->config.of_case[i].check[check];
}

const bf_solve_report *bf_static_case_solve(const bf_job *job, int i)
{
  return i == job->cases->current ? &job->solve : &job->cases->item[i].solve;
}

int bf_static_case_converged(const bf_job *job, int i)
{
  const bf_case_config *of  = &job->config.of_case[i];
  int                   all = 1;
  for (int k = 0; k < job->cases->n; k++)
    if (of->factor[k] != 0.0) all &= bf_static_case_solve(job, k)->reason == BF_KRYLOV_CONVERGED;
  return all;
}

int bf_static_case_failed(const bf_job *job, int i)
{
  return !job->config.of_case[i].sum && bf_static_case_solve(job, i)->nhistory > 0 &&
         bf_static_case_solve(job, i)->reason != BF_KRYLOV_CONVERGED;
}

int64_t bf_static_cases_more(const bf_job *job)
{
  return job->config.ncases > 0 ? job->config.ncases - 1 : 0;
}

void bf_job_cases_destroy(bf_job *job)
{
  struct bf_cases *c     = job->cases;
  const bf_int     guard = job->A ? job->A->guard : 0;
  if (!c) return;
  for (int i = 0; i < c->n && c->item; i++) {
    bf_static_case *item = &c->item[i];
    bf_solution    *s    = i == c->current ? &job->solution : &item->solution;
    for (int k = 0; k < s->nfields && c->gathered; k++) s->field[k].data = NULL; /* c->field has them */
    if (i != c->current) {
      if (job->be) bf_vector_destroy(job->be, guard, &item->b);
      if (job->be) bf_vector_destroy(job->be, guard, &item->x);
      bf_host_free(item->u);
      bf_solution_clear(&item->solution);
      bf_solve_report_clear(&item->solve);
      bf_model_destroy(&item->model);
    }
  }
  bf_model_destroy(&job->model); /* before its problem */
  for (int i = 0; i < c->n && c->item; i++) {
    bf_host_free(c->item[i].boundary);
    bf_host_free(c->item[i].load);
  }
  for (int k = 0; k < c->nfields && c->field; k++) bf_host_free(c->field[k].data);
  for (int k = 0; k < c->nnames; k++) bf_host_free(c->name[k]);
  bf_host_free(c->name);
  bf_host_free(c->field);
  bf_host_free(c->reaction);
  bf_host_free(c->record);
  bf_host_free(c->at);
  bf_host_free((void *)c->step_name);
  bf_host_free(c->loaded);
  bf_host_free(c->item);
  bf_host_free(c);
  job->cases = NULL;
}

/* "sum: 1.35 weight + 1.5 wind" */
static void sum_text(const bf_job *job, const bf_case_config *of, char *text, size_t size)
{
  size_t n = 0;
  text[0]  = '\0';
  for (int k = 0; k < job->config.ncases && n < size; k++)
    if (of->sum && of->factor[k] != 0.0)
      n += (size_t)snprintf(text + n, size - n, "%s%g %s", n ? " + " : "", of->factor[k],
                            job->config.of_case[k].name);
}

void bf_static_cases_summary(const bf_job *job)
{
  const char *unit = bf_unit_in(job->problem.units, bf_physics_words_of(job->problem.physics)->force_unit);
  for (int i = 0; i < job->config.ncases && job->cases; i++) {
    const bf_case_config *of    = &job->config.of_case[i];
    const bf_model       *m     = bf_static_case_model(job, i);
    bf_setup             *setup = NULL;
    char                  text[400];
    const char           *head = i ? "" : "cases";
    if (of->sum) {
      sum_text(job, of, text, sizeof text);
      bf_log_line(&job->log, "%-10s%s: %s", head, of->name, text);
      continue;
    }
    const bf_problem *p = &job->cases->item[i].problem;
    if (!m || bf_setup_create(m, &setup) != BF_OK) continue;
    const double *F = setup->total;
    snprintf(text, sizeof text, "%d conditions, %d loads", p->nboundaries, p->nloads);
    if (!setup->has_total)
      bf_log_line(&job->log, "%-10s%s: %s", head, of->name, text);
    else if (bf_model_ncomp(m) == 1)
      bf_log_line(&job->log, "%-10s%s: %s, total %.6g %s", head, of->name, text, F[0], unit);
    else
      bf_log_line(&job->log, "%-10s%s: %s, total (%.6g, %.6g, %.6g) %s", head, of->name, text, F[0], F[1],
                  F[2], unit);
    bf_setup_destroy(&setup);
  }
}
