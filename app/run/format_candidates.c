/* app/run/format_candidates.c - candidates of numbering, format and storage for the matrix of a deck
 *
 * Formats of diagonals go with every numbering that has bands, formats of rows with the plain one; half of
 * the diagonals only where the matrix is symmetric.  Row lengths and full diagonals need the pattern and are
 * computed only for a format that the deck names.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "base/bands_split.h"
#include <stdio.h>

static bf_layout layout_of(const bf_job *job, const bf_numbering *num)
{
  const int D = bf_model_ncomp(job->model);
  return (bf_layout){
      .nrows = num->nrows, .ncomp = D, .nnz = num->nnz * D * D, .reach = num->reach, .bands = num->bands};
}

static int value_bytes(const bf_job *job)
{
  return job->plan.values == BF_FP32 ? 4 : 8;
}

static bf_err add(bf_job *job, const bf_numbering *num, const bf_layout *L, bf_format format, int half)
{
  return bf_plan_add(&job->plan.candidates, L, num->line, format, half, job->plan.values, BF_FITS,
                     &job->plan.rates);
}

/* Considered storages: full, and symmetric if the matrix is. */
static int halves(const bf_job *job, bf_format format)
{
  return bf_format_of(format)->half && bf_model_symmetric(job->model) ? 2 : 1;
}

static bf_err add_rows(bf_job *job, const bf_numbering *num, const bf_layout *L, bf_format format)
{
  for (int half = 0; half < halves(job, format); half++) BF_TRY(add(job, num, L, format, half));
  return BF_OK;
}

/* A named format that needs the pattern. */
static bf_err add_of_pattern(bf_job *job, const bf_numbering *num, bf_format format)
{
  bf_err    err     = BF_OK;
  bf_graph *pattern = NULL;
  bf_layout L       = layout_of(job, num);
  BF_TRY(bf_model_pattern(job->model, num, &pattern));
  L.graph = pattern;
  if (!bf_format_of(format)->bands) BF_GO(add_rows(job, num, &L, format));
  if (format == BF_FORMAT_HYBRID)
    for (int half = 0; half < halves(job, format); half++)
      BF_GO(bf_plan_add_split(&job->plan.candidates, &L, num->line, half, value_bytes(job), job->plan.values,
                              BF_FITS, &job->plan.rates));
done:
  bf_graph_destroy(&pattern);
  return err;
}

static bf_err add_dia(bf_job *job, const bf_numbering *num)
{
  bf_bands *all = NULL;
  bf_layout L   = layout_of(job, num);
  if (num->bands) BF_TRY(bf_bands_union(num->bands, &all));
  L.bands          = all;
  const bf_err err = add(job, num, &L, BF_FORMAT_DIA, 0);
  bf_bands_destroy(&all);
  BF_TRY(err);
  return BF_OK;
}

/* The format that the deck names, if it is not among those that are always considered. */
static bf_err add_named(bf_job *job, const bf_numbering *num)
{
  const bf_layout L      = layout_of(job, num);
  const bf_format format = job->config.matrix.format;
  int             split  = 0; /* the numbering has thought of it */
  for (const bf_numbering *n = job->num; n; n = n->next) split |= n->split[0].bands != NULL;
  if (job->config.matrix.format_auto || format == BF_FORMAT_BDIA || bf_plan_considers(format, L.ncomp))
    return BF_OK;
  if (format == BF_FORMAT_DIA) return add_dia(job, num);
  if (format == BF_FORMAT_HYBRID && split) return BF_OK;
  if (format == BF_FORMAT_HYBRID || bf_format_of(format)->pattern) return add_of_pattern(job, num, format);
  return add_rows(job, num, &L, format);
}

bf_err bf_job_candidates(bf_job *job)
{
  const bf_numbering *plain  = bf_numbering_plain(job->num);
  const bf_layout     rows   = layout_of(job, plain);
  job->plan.candidates.count = 0;
  bf_job_rates(job, &job->plan.rates);
  for (const bf_numbering *n = job->num; n; n = n->next)
    for (int half = 0; half < halves(job, BF_FORMAT_BDIA); half++) {
      bf_layout L = layout_of(job, n);
      if (n->split[half].bands) {
        L.bands = n->split[half].bands;
        L.rest  = n->split[half].rest;
      }
      BF_TRY(add(job, n, &L, n->split[half].bands ? BF_FORMAT_HYBRID : BF_FORMAT_BDIA, half));
    }
  for (int f = 0; f < BF_FORMATS; f++)
    if (bf_plan_considers((bf_format)f, rows.ncomp)) BF_TRY(add_rows(job, plain, &rows, (bf_format)f));
  return add_named(job, plain);
}

void bf_candidate_name(const bf_job *job, const bf_candidate *c, char *name, size_t size)
{
  const bf_numbering *n       = job->num;
  const int           several = n && n->next;
  while (n && n->line != c->layout) n = n->next;
  const char *storage = !bf_format_of(c->format)->half ? "" : c->half ? " symmetric" : " full";
  snprintf(name, size, "%s%s%s%s", bf_format_word(c->format), storage, several ? ", " : "",
           several && n ? n->kind : "");
}

static bf_err split(const bf_job *job, const bf_numbering *num, int half, bf_bands **b, bf_graph **rest)
{
  bf_graph              *pattern = NULL;
  const bf_split_options want    = {
         .ncomp = bf_model_ncomp(job->model), .half = half, .value_bytes = value_bytes(job), .remainder = 1};
  BF_TRY(bf_model_pattern(job->model, num, &pattern));
  const bf_err err = bf_bands_split(pattern, &want, b, rest);
  bf_graph_destroy(&pattern);
  BF_TRY(err);
  return BF_OK;
}

bf_err bf_job_select(bf_job *job, int i)
{
  bf_plan            *plan  = &job->plan;
  const bf_candidate *c     = &plan->candidates.item[i];
  int                 which = 0;
  for (const bf_numbering *n = job->num; n && n->line != c->layout; n = n->next) which++;
  BF_TRY(bf_numbering_select(&job->num, which));
  bf_bands_destroy(&plan->own_bands);
  bf_graph_destroy(&plan->own_rest);
  plan->format  = c->format;
  plan->half    = c->half;
  plan->bytes   = c->bytes;
  plan->product = c->product;
  plan->before  = c->before;
  plan->bands   = c->format == BF_FORMAT_BDIA ? job->num->bands : NULL;
  if (c->format == BF_FORMAT_DIA) BF_TRY(bf_bands_union(job->num->bands, &plan->own_bands));
  if (c->format == BF_FORMAT_HYBRID && job->num->split[c->half].bands) {
    plan->bands = job->num->split[c->half].bands;
    plan->rest  = job->num->split[c->half].rest;
  } else if (c->format == BF_FORMAT_HYBRID) {
    BF_TRY(split(job, job->num, c->half, &plan->own_bands, &plan->own_rest));
    plan->rest = plan->own_rest;
  }
  if (plan->own_bands) plan->bands = plan->own_bands;
  return BF_OK;
}
