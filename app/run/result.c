/* app/run/result.c - results of a run for the writers */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/run/static/cases.h"
#include "base/host.h"
#include "base/memory.h"
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

/* The arguments, with spaces between them. */
static bf_err command_line(const bf_job *job, bf_result_store *s)
{
  size_t length = 1, at = 0;
  for (int i = 0; i < job->argc; i++) length += strlen(job->argv[i]) + 1;
  BF_TRY(BF_NEW_ARRAY(s->argv, length));
  for (int i = 0; i < job->argc; i++)
    at += (size_t)snprintf(s->argv + at, length - at, "%s%s", i ? " " : "", job->argv[i]);
  return BF_OK;
}

static bf_err provenance(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_text text[] = {{"version", BF_VERSION},       {"git", BF_GIT},
                          {"build_type", BF_BUILD_TYPE}, {"compiler", BF_COMPILER},
                          {"cuda", BF_CUDA_COMPILER},    {"backend", s->backend},
                          {"cpu", s->processor},         {"argv", s->argv},
                          {"start_utc", job->start_utc}, {"end_utc", s->end_utc},
                          {"deterministic", "true"}};
  if (job->be) job->be->ops.describe(job->be, s->backend, sizeof s->backend);
  bf_host_processor(s->processor, sizeof s->processor);
  utc(s->end_utc, sizeof s->end_utc);
  BF_TRY(BF_NEW_ARRAY(s->provenance, sizeof text / sizeof *text));
  memcpy(s->provenance, text, sizeof text);
  r->provenance  = s->provenance;
  r->nprovenance = sizeof text / sizeof *text;
  return BF_OK;
}

typedef struct band_counts {
  int64_t diagonals; /* of full storage, largest number of a segment */
  double  fill;      /* share of nonzero entries; 1 without bands */
} band_counts;

static band_counts count_bands(const bf_job *job)
{
  const bf_plan  *plan = &job->plan;
  const bf_bands *b    = plan->bands;
  band_counts     k    = {.diagonals = 0, .fill = 1.0};
  if (!b) return k;
  const int upper = b->off[0] >= 0; /* half storage with a remainder lists only offsets >= 0 */
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
  s->matrix               = (bf_matrix_record){.format                = bf_format_word(plan->format),
                                               .storage               = plan->half ? "symmetric" : "full",
                                               .values                = plan->values == BF_FP32 ? "fp32" : "fp64",
                                               .reorder               = name,
                                               .n                     = bf_job_unknowns(job),
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

/* An analysis may add three fields of its own, there are four ids of groups and three fields of a level. */
static bf_err fields(const bf_job *job, bf_result_store *s, bf_result *r)
{
  enum { OWN = 3 + 4 + 3 * BF_MULTIGRID_PARENTS };
  const bf_field *field = job->solution.field;
  const int       n     = job->cases ? bf_static_cases_fields(job, &field) : job->solution.nfields;
  BF_TRY(BF_NEW_ARRAY(s->field, n + OWN));
  for (int i = 0; i < n; i++)
    if (bf_job_writes_field(job, field[i].name)) s->field[r->nfields++] = field[i];
  r->field = s->field;
  return BF_OK;
}

static const char *verdict(const bf_job *job, const bf_result *r)
{
  if (!r->converged) return "NOT CONVERGED";
  if (job->checks_failed) return "A CHECK FAILED";
  return "VALID";
}

bf_err bf_job_result(const bf_job *job, bf_result_store *s, bf_result *r)
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
                               .peak        = job->peak,
                               .npeaks      = job->npeaks,
                               .phases      = &job->phases};
  bf_rates rates = {.triad = 0.0};
  if (job->be) bf_rates_of_backend(job->be, &rates);
  r->triad_gb_per_s = rates.triad / 1e9;
  r->deck_text      = bf_deck_text(job->deck, &r->deck_length);
  r->resolved_text  = job->resolved;
  matrix_record(job, s, r);
  BF_TRY(fields(job, s, r));
  job->analysis->result(job, s, r);
  BF_TRY(command_line(job, s));
  BF_TRY(provenance(job, s, r));
  r->verdict = verdict(job, r);
  return BF_OK;
}

void bf_result_store_clear(bf_result_store *s)
{
  bf_host_free(s->field);
  bf_host_free(s->provenance);
  bf_host_free(s->argv);
  for (int d = 0; d < 4; d++) bf_host_free(s->group_id[d]);
  for (int k = 0; k < 3 * BF_MULTIGRID_PARENTS; k++) bf_host_free(s->level[k]);
  for (int k = 0; k < 3; k++) {
    bf_host_free(s->words[k]);
    bf_host_free((void *)s->word[k]);
  }
  *s = (bf_result_store){0};
}
