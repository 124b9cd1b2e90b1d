/* app/converge/quantities.c - what a study of convergence observes: the checks of the deck, --quantity */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/converge/study.h"
#include "app/run/static/cases.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct contents { /* of a quantity: how many of each kind */
  int errors, others, unsafe;
  int noise; /* of the solver and of rounding: no limit for h -> 0 */
} contents;

static bf_err look(void *context, const bf_qref *ref, double *value)
{
  contents *c = context;
  *value      = 1.0;
  switch (ref->kind) {
  case BF_Q_NORM:
  case BF_Q_ERROR: c->errors++; break;
  case BF_Q_ITERATIONS:
  case BF_Q_UNKNOWNS:
  case BF_Q_BALANCE: c->noise++; break;
  case BF_Q_MODE: *(ref->name[0] == 'r' || ref->name[0] == 'o' ? &c->noise : &c->others) += 1; break;
  case BF_Q_MAX:
    *(strncmp(ref->field, "band.", 5) == 0 || strcmp(ref->field, "hermitian_defect") == 0 ? &c->noise
                                                                                          : &c->others) += 1;
    break;
  case BF_Q_FLEXIBILITY: c->unsafe++; break; /* its range is checked with the deck */
  default: c->others++; break;
  }
  return BF_OK;
}

static bf_err put(bf_study *s, bf_job *job, int of_case, const char *text, int is_error)
{
  const int n = s->table.nquantities;
  char      label[2200];
  for (int i = 0; i < n; i++)
    if (strcmp(s->text[i], text) == 0 && s->of_case[i] == of_case) return BF_OK;
  BF_CHECK(n < BF_STUDY_QUANTITIES, BF_E_INPUT, "more than %d quantities", BF_STUDY_QUANTITIES);
  bf_static_case_select(job, of_case);
  const char *name = bf_static_case_name(job);
  snprintf(label, sizeof label, "%s%s%s", text, name ? ", case " : "", name ? name : "");
  s->table.nquantities = n + 1;
  s->text[n]           = bf_host_strdup(text);
  s->label[n]          = bf_host_strdup(label);
  BF_CHECK(s->text[n] && s->label[n], BF_E_MEMORY, "no memory for a quantity");
  s->of_case[n]  = of_case;
  s->is_error[n] = is_error;
  return BF_OK;
}

bf_err bf_study_quantities(bf_study *s, bf_job *job)
{
  const int cases = bf_static_cases_count(job);
  int       column, errors = 0;
  for (int i = 0; i < s->nwanted; i++) {
    contents c = {0};
    BF_TRY(bf_quantity_check(s->wanted[i], look, &c, &column));
    BF_CHECK(c.unsafe == 0, BF_E_INPUT, "'%s' must be one of the checks of the deck", s->wanted[i]);
    for (int k = 0; k < cases; k++)
      BF_TRY(put(s, job, k, s->wanted[i], c.errors > 0 && c.others + c.noise == 0));
  }
  for (int pass = 0; pass < 2; pass++) /* norms of the error; without any, or with --all, the others */
    for (int i = 0; i < job->config.nchecks && (pass == 0 || s->all || errors == 0); i++) {
      const char *text = job->config.check[i].quantity;
      contents    c    = {0};
      BF_TRY(bf_quantity_check(text, look, &c, &column));
      const int is_error = c.errors > 0 && c.others + c.noise + c.unsafe == 0;
      if (s->nwanted || c.noise || is_error == pass) continue;
      errors += is_error;
      for (int k = 0; k < cases; k++)
        if (bf_static_case_checks(job, k, i)) BF_TRY(put(s, job, k, text, is_error));
    }
  bf_static_case_select_loaded(job, 0);
  BF_CHECK(s->table.nquantities > 0, BF_E_INPUT,
           "the deck checks no quantity that converges; add a check such as {quantity: 'max(%s)', report: "
           "true}, or use --quantity 'max(%s)'",
           bf_physics_words_of(job->problem.physics)->field,
           bf_physics_words_of(job->problem.physics)->field);
  return BF_OK;
}

static bf_err lookup(void *context, const bf_qref *ref, double *value)
{
  const bf_job *job = context;
  return job->analysis->quantity(job, ref, value);
}

/* A number of the run; 0 where this analysis has none. */
static int64_t count(const bf_job *job, bf_qkind kind)
{
  const bf_qref ref = {.kind = kind, .component = -1};
  double        v;
  return job->analysis->quantity(job, &ref, &v) == BF_OK && isfinite(v) ? (int64_t)v : 0;
}

/* Elements of the mesh's dimension, and the measure they cover. */
static bf_err elements(const bf_mesh *m, int64_t *n, double *measure)
{
  bf_err   err = BF_OK;
  bf_group all = {.name = "all", .dim = m->dim};
  BF_GO(BF_NEW_ARRAY(all.elem, m->nelem));
  for (int b = 0; b < m->nblocks; b++)
    for (bf_int e = 0; e < m->block[b].n && bf_elem(m->block[b].type)->dim == m->dim; e++)
      all.elem[all.nelem++] = m->block[b].first + e;
  *n = all.nelem;
  BF_GO(bf_mesh_group_measure(m, &all, measure));
done:
  bf_host_free(all.elem);
  return err;
}

static int degree_of(const bf_job *job)
{
  int degree = job->problem.order;
  for (int b = 0; b < job->mesh->nblocks; b++) {
    const bf_elem_info *el = bf_elem(job->mesh->block[b].type);
    if (el->dim == job->mesh->dim && el->order > degree) degree = el->order;
  }
  return degree;
}

bf_err bf_study_add(bf_study *s, bf_job *job, int level, double seconds)
{
  bf_err              err = BF_OK;
  bf_convergence     *t   = &s->table;
  bf_convergence_row *r   = &t->row[t->nrows];
  double              measure;
  int                 column;
  BF_GO(BF_NEW_ARRAY(r->value, 3 * (size_t)t->nquantities));
  r->error      = r->value + t->nquantities;
  r->order      = r->error + t->nquantities;
  r->degree     = degree_of(job);
  r->level      = level;
  r->seconds    = seconds;
  r->unknowns   = count(job, BF_Q_UNKNOWNS);
  r->iterations = count(job, BF_Q_ITERATIONS);
  BF_GO(elements(job->mesh, &r->elements, &measure));
  r->h = pow(measure / (double)r->elements, 1.0 / job->mesh->dim);
  for (int q = 0; q < t->nquantities; q++) {
    r->error[q] = r->order[q] = NAN;
    bf_static_case_select(job, s->of_case[q]);
    BF_GO(bf_check_quantity_eval(s->text[q], lookup, job, &column, &r->value[q]));
  }
  bf_static_case_select_loaded(job, 0);
  t->nrows++;
  return BF_OK;
done:
  bf_host_free(r->value);
  r->value = NULL;
  return err;
}

void bf_study_clear(bf_study *s)
{
  for (int q = 0; q < s->table.nquantities; q++) {
    bf_host_free(s->text[q]);
    bf_host_free(s->label[q]);
  }
  for (int i = 0; i < s->table.nrows; i++) bf_host_free(s->table.row[i].value);
  bf_host_free(s->table.row);
}
