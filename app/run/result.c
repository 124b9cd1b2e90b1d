/* app/run/result.c - the run as the writers see it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "base/host.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static void utc(char *text, size_t size)
{
  const time_t now = time(NULL);
  struct tm    t;
  if (!gmtime_r(&now, &t) || strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
    snprintf(text, size, "unknown");
}

static void provenance(const bf_job *job, bf_result_store *s, bf_result *r)
{
  static const char *const keys[] = {"version", "git",  "build_type", "compiler", "cuda",         "backend",
                                     "cpu",     "argv", "start_utc",  "end_utc",  "deterministic"};
  enum { KEYS = sizeof keys / sizeof *keys };
  const char *fixed[KEYS] = {BF_VERSION,       BF_GIT, BF_BUILD_TYPE, BF_COMPILER,
                             BF_CUDA_COMPILER, NULL,   NULL,          NULL,
                             job->start_utc,   NULL,   "true"};
  for (int i = 0; i < KEYS; i++) {
    if (fixed[i]) snprintf(s->text[i], sizeof s->text[i], "%s", fixed[i]);
    s->provenance[i] = (bf_text){keys[i], s->text[i]};
  }
  if (job->be) job->be->ops.describe(job->be, s->text[5], sizeof s->text[5]);
  bf_host_processor(s->text[6], sizeof s->text[6]);
  size_t at = 0;
  for (int i = 0; i < job->argc && at < sizeof s->text[7] - 1; i++) {
    const int n = snprintf(s->text[7] + at, sizeof s->text[7] - at, "%s%s", i ? " " : "", job->argv[i]);
    at += n > 0 ? (size_t)n : 0;
  }
  utc(s->text[9], sizeof s->text[9]);
  r->provenance  = s->provenance;
  r->nprovenance = KEYS;
}

typedef struct band_counts {
  int64_t diagonals; /* of full storage, in the segment with most */
  double  fill;      /* of their slots; 1 without bands */
} band_counts;

static band_counts count_bands(const bf_job *job)
{
  const bf_plan  *plan = &job->plan;
  const bf_bands *b    = plan->bands;
  band_counts     k    = {.diagonals = 0, .fill = 1.0};
  if (!b) return k;
  const int upper = b->off[0] >= 0; /* a remainder's half lists the offsets >= 0 alone */
  for (bf_int i = 0; i < b->nseg; i++) {
    const int64_t d = (b->ptr[i + 1] - b->ptr[i]) * (1 + upper) - upper;
    k.diagonals     = d > k.diagonals ? d : k.diagonals;
  }
  const int64_t D     = job->A->ncomp,
                slots = bf_bands_slots(b, 0) * (1 + upper) - (upper ? (int64_t)b->nrows : 0);
  const int64_t rest  = plan->rest ? plan->rest->ptr[plan->rest->n] : 0;
  k.fill              = ((double)job->A->nnz / (double)(D * D) - (double)rest) / (double)slots;
  return k;
}

static void matrix_record(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_plan      *plan = &job->plan;
  const bf_numbering *num  = job->num;
  if (!job->A) return;
  const bf_matrix *used = job->A_fast ? job->A_fast : job->A;
  const char      *name = "";
  for (int i = 0; i < num->ntries; i++)
    if (num->tries[i].chosen) name = num->tries[i].name;
  const band_counts bands = count_bands(job);
  const int64_t     nodes = num->nrows - bf_numbering_phantoms(num);
  s->matrix               = (bf_matrix_record){.format                = bf_format_word(plan->format),
                                               .storage               = plan->half ? "symmetric" : "full",
                                               .values                = plan->values == BF_FP32 ? "fp32" : "fp64",
                                               .reorder               = name,
                                               .n                     = nodes * job->A->ncomp,
                                               .nnz                   = job->A->nnz,
                                               .diagonals             = bands.diagonals,
                                               .segments              = plan->bands ? plan->bands->nseg : 0,
                                               .half_bandwidth_before = num->reach_file,
                                               .half_bandwidth_after  = num->reach,
                                               .bytes                 = bf_matrix_bytes(used),
                                               .product_bytes         = bf_matrix_product_bytes(used),
                                               .fill                  = bands.fill,
                                               .symmetric             = bf_model_symmetric(job->model)};
  r->matrix               = &s->matrix;
}

static void fields(const bf_job *job, bf_result_store *s, bf_result *r)
{
  for (int i = 0; i < job->solution.nfields && r->nfields < 32; i++) {
    const bf_model_field *f = &job->solution.field[i];
    if (bf_job_wants(job, f->name))
      s->field[r->nfields++] = (bf_field){f->name, f->unit, f->ncomp, f->on_cells, f->data, f->by_step};
  }
  r->field = s->field;
}

static const char *verdict(const bf_job *job, const bf_result *r)
{
  if (!r->converged) return "NOT CONVERGED";
  if (job->checks_failed) return "A CHECK FAILED";
  return "VALID";
}

void bf_job_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  *s             = (bf_result_store){0};
  *r             = (bf_result){.title       = job->config.title,
                               .physics     = job->config.physics,
                               .analysis    = job->config.analysis,
                               .deck_path   = job->deck_path,
                               .mesh        = job->mesh,
                               .view        = job->view,
                               .permutation = job->num->row,
                               .probe       = job->probe,
                               .nprobes     = job->nprobes,
                               .check       = job->check,
                               .nchecks     = job->nchecks,
                               .phases      = &job->phases};
  bf_rates rates = {.triad = 0.0};
  if (job->be) bf_rates_of_backend(job->be, &rates);
  r->triad_gb_per_s = rates.triad / 1e9;
  r->deck_text      = bf_deck_text(job->deck, &r->deck_length);
  r->resolved_text  = job->resolved;
  matrix_record(job, s, r);
  fields(job, s, r);
  job->analysis->result(job, s, r);
  provenance(job, s, r);
  r->verdict = verdict(job, r);
}
