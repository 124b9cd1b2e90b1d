/* app/run/result.c - the run as the writers see it */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
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

static void block_record(const bf_job *job, bf_result_store *s)
{
  const bf_blocks_report *b = &job->solve.blocks;
  s->blocks                 = (bf_block_record){.count             = b->count,
                                                .smallest          = b->smallest,
                                                .largest           = b->largest,
                                                .singular          = b->singular,
                                                .condition         = b->condition,
                                                .bytes             = b->bytes,
                                                .values            = bf_job_block_values(job) == BF_FP32 ? "fp32" : "fp64",
                                                .partition_seconds = job->parts_seconds,
                                                .setup_seconds     = b->seconds};
  if (b->count > 0) s->history.blocks = &s->blocks;
}

/* How the values at nodes were recovered; generalised finite elements have a recovery of their own. */
static void recovery_record(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_solution *u = &job->solution;
  if (job->problem.analysis != BF_STATIC || !u->recovered) return;
  s->recovery = (bf_recovery_record){.points         = job->view->npoints,
                                     .by_patches     = u->patched,
                                     .has_error      = u->has_error,
                                     .error_estimate = u->error_estimate};
  r->recovery = &s->recovery;
}

/* What a modal analysis has in the place of a solve and its balance. */
static void modes_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  const bf_job_modes    *m = &job->modes;
  const bf_eigen_report *e = &m->report;
  s->modes                 = (bf_modes_record){.n              = e->pairs,
                                               .converged      = e->converged,
                                               .naxes          = m->naxes,
                                               .method         = m->method,
                                               .preconditioner = m->preconditioner,
                                               .mass           = bf_job_mass_word(job),
                                               .normalization  = job->config.modal.largest_is_one ? "max" : "mass",
                                               .iterations     = e->iterations,
                                               .rigid          = e->zeros,
                                               .frequency_hz   = m->frequency,
                                               .residual       = m->residual,
                                               .orthogonality  = e->orthogonality,
                                               .participation  = m->factor,
                                               .effective_mass = m->mass,
                                               .mass_unit      = bf_unit_in(job->problem.units, "kg")};
  memcpy(s->modes.axis, m->axis, sizeof m->axis);
  memcpy(s->modes.total_mass, m->total, sizeof m->total);
  s->number       = (bf_step_number){"frequency_hz", m->frequency};
  s->steps        = (bf_steps){e->pairs, m->number, 1, &s->number};
  r->steps        = &s->steps;
  r->modes        = &s->modes;
  r->balance_name = NULL;
  r->converged    = e->pairs > 0 && e->converged == e->pairs;
}

void bf_job_result(const bf_job *job, bf_result_store *s, bf_result *r)
{
  *s             = (bf_result_store){0};
  *r             = (bf_result){.title        = job->config.title,
                               .physics      = job->config.physics,
                               .analysis     = job->config.analysis,
                               .deck_path    = job->deck_path,
                               .mesh         = job->mesh,
                               .view         = job->view,
                               .permutation  = job->num->row,
                               .probe        = job->probe,
                               .nprobes      = job->nprobes,
                               .check        = job->check,
                               .nchecks      = job->nchecks,
                               .reaction     = s->reaction,
                               .balance_name = bf_physics_words_of(job->problem.physics)->balance,
                               .balance      = job->solution.balance,
                               .phases       = &job->phases,
                               .converged    = job->solve.reason == BF_KRYLOV_CONVERGED};
  bf_rates rates = {.triad = 0.0};
  if (job->be) bf_rates_of_backend(job->be, &rates);
  r->triad_gb_per_s = rates.triad / 1e9;
  r->deck_text      = bf_deck_text(job->deck, &r->deck_length);
  r->resolved_text  = job->resolved;
  if (job->solve.seconds > 0.0 && job->A)
    r->fom_dof_it_per_s = (double)job->A->nrows * job->solve.iterations / job->solve.seconds;
  s->history = (bf_history){.method         = bf_method_name(bf_job_method(job)),
                            .preconditioner = bf_precond_name(bf_job_precond(job)),
                            .reason         = bf_reason_name(job->solve.reason),
                            .n              = job->solve.nhistory,
                            .residual       = job->solve.history,
                            .true_residual  = job->solve.true_history,
                            .seconds        = job->solve.time_history,
                            .to_rounding    = job->solve.to_rounding,
                            .backward_error = job->solve.backward_error,
                            .condition      = job->solve.condition,
                            .forward_error  = job->solve.forward_error};
  if (job->solved) r->history = &s->history;
  block_record(job, s);
  for (int i = 0; i < job->solution.nreactions && i < 64; i++) {
    const bf_group_sum *g = &job->solution.reaction[i];
    s->reaction[i]        = (bf_reaction_record){
               .group = g->group,
               .unit  = bf_unit_in(job->problem.units, bf_physics_words_of(job->problem.physics)->force_unit),
               .ncomp = bf_model_ncomp(job->model)};
    memcpy(s->reaction[i].value, g->value, sizeof g->value);
    r->nreactions = i + 1;
  }
  r->nspectra = bf_job_spectra(job, s->spectrum);
  r->spectrum = s->spectrum;
  recovery_record(job, s, r);
  matrix_record(job, s, r);
  fields(job, s, r);
  if (bf_job_is_modal(job)) modes_result(job, s, r);
  provenance(job, s, r);
  if (job->waves) bf_job_waves_result(job, s, r);
  r->verdict = verdict(job, r);
}
