/* app/matrix/matrix.c - bandfem matrix: exports the matrix of a deck as Matrix Market files, pictures and
 * extreme eigenvalues; solves nothing
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/matrix/matrix.h"
#include "app/cli/message.h"
#include "app/cli/options.h"
#include "app/run/static/cases.h"
#include "base/memory.h"
#include "kernels/matrix/statistics.h"
#include "solvers/linear/convergence_estimate.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int refuse(int json, const char *what, const char *word)
{
  bf_say(json, "matrix: %s '%s'; see bandfem matrix --help", what, word);
  return BF_EXIT_INTERNAL;
}

static int take_word(const char *value, const char *const *words, int n)
{
  int i = 0;
  while (i < n && strcmp(value, words[i]) != 0) i++;
  return i < n ? i : -1;
}

/* Takes the options of matrix out of argv; the others are those of every command with a deck. */
static int own_options(int *argc, char **argv, int json, bf_export *x)
{
  static const char *const stages[] = {"element", "assembled", "constrained"}, *const orders[] = {"file",
                                                                                                  "chosen"};
  const struct {
    const char  *name;
    const char **to;
  } files[] = {{"--out", &x->matrix},         {"--rhs", &x->rhs},   {"--mass", &x->mass},
               {"--gather", &x->gather},      {"--rows", &x->rows}, {"--spy", &x->spy},
               {"--diagonals", &x->diagonals}};
  enum { FILES = sizeof files / sizeof *files };
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    int f = 0;
    while (f < FILES && strcmp(argv[i], files[f].name) != 0) f++;
    const int stage = strcmp(argv[i], "--stage") == 0, order = strcmp(argv[i], "--order") == 0;
    if (strcmp(argv[i], "--spectrum") == 0) {
      x->spectrum = 1;
      continue;
    }
    if (f == FILES && !stage && !order) {
      argv[kept++] = argv[i];
      if (strcmp(argv[i], "-s") == 0 && i + 1 < *argc) argv[kept++] = argv[++i];
      continue;
    }
    if (i + 1 == *argc || !argv[i + 1][0]) return refuse(json, "a value is missing after", argv[i]);
    const char *value = argv[++i];
    if (f < FILES) {
      *files[f].to = value;
      continue;
    }
    const int word = stage ? take_word(value, stages, 3) : take_word(value, orders, 2);
    if (word < 0)
      return refuse(json,
                    stage ? "--stage must be element, assembled or constrained, got"
                          : "--order must be file or chosen, got",
                    value);
    if (stage)
      x->stage = (bf_stage)word;
    else
      x->chosen = word;
  }
  *argc = kept;
  if (x->gather && x->stage != BF_STAGE_ELEMENT)
    return refuse(json, "--stage element is required by", "--gather");
  if (x->stage == BF_STAGE_ELEMENT && !x->matrix && !x->gather)
    return refuse(json, "--out or --gather is required by", "--stage element");
  if (!x->matrix && !x->rhs && !x->mass && !x->gather && !x->rows && !x->spy && !x->diagonals && !x->spectrum)
    return refuse(json, "nothing to do: give one of --out, --rhs, --spy, --diagonals,", "--spectrum");
  return -1;
}

/* The matrix and right-hand side of the stage, to the host. */
static bf_err assemble(bf_export *x, bf_job *job)
{
  BF_TRY(bf_job_matrix(job, &job->A));
  BF_TRY(bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->b));
  BF_TRY(bf_vector_create(job->be, job->A->nrows, job->A->guard, &job->x));
  if (x->stage == BF_STAGE_CONSTRAINED)
    BF_TRY(bf_model_assemble(job->model, job->num, job->A, job->b, job->x, &job->phases));
  else
    BF_TRY(bf_model_assemble_free(job->model, job->num, job->A, job->b, &job->phases));
  BF_TRY(bf_matrix_to_sparse(job->A, &x->S));
  BF_TRY(BF_NEW_ARRAY(x->b, x->S->nrows));
  BF_TRY(job->be->ops.copy(job->be, x->b, job->b, (size_t)x->S->nrows * sizeof *x->b, BF_TO_HOST));
  return job->be->ops.sync(job->be);
}

/* Half-bandwidth, profile and diagonals of the rows as listed. */
static void describe(const bf_log *log, const char *label, const bf_sparse *S)
{
  bf_int  half    = 0;
  int64_t profile = 0;
  for (bf_int i = 0; i < S->nrows; i++) {
    if (S->ptr[i] == S->ptr[i + 1]) continue;
    const bf_int below = i - S->col[S->ptr[i]], above = S->col[S->ptr[i + 1] - 1] - i;
    profile += below > 0 ? below : 0;
    half = below > half ? below : half;
    half = above > half ? above : half;
  }
  bf_log_line(log, "%s half-bandwidth %d, profile %lld", label, half, (long long)profile);
}

static void spectrum_line(const bf_log *log, const char *label, const bf_estimate *o)
{
  if (!isfinite(o->least) || !isfinite(o->most))
    bf_log_line(log, "%s products overflow: no estimate", label);
  else if (o->least < 0.0 && o->most > 0.0)
    bf_log_line(log, "%s indefinite: Ritz values %.6g to %.6g (%d Lanczos steps)", label, o->least, o->most,
                o->steps);
  else
    bf_log_line(log,
                "%s Ritz values %.6g to %.6g, condition at least %.4g (%d Lanczos steps); CG needs about "
                "%.0f iterations to 1e-08",
                label, o->least, o->most, o->most / o->least, o->steps,
                ceil(bf_estimate_iterations(o, 1e-8)));
}

static bf_err spectrum(const bf_log *log, const bf_sparse *S)
{
  enum { STEPS = 300 };
  bf_statistics v;
  bf_estimate   o;
  BF_TRY(bf_sparse_statistics(S, &v));
  if (!bf_statistics_nearly_symmetric(&v)) {
    bf_log_line(log, "spectrum  the matrix is not symmetric: no estimate");
    return BF_OK;
  }
  BF_TRY(bf_estimate_symmetric(S, 0, STEPS, &o));
  spectrum_line(log, "spectrum  A:             ", &o);
  if (v.hole >= 0) return BF_OK;
  BF_TRY(bf_estimate_symmetric(S, 1, STEPS, &o));
  spectrum_line(log, "          D^-1/2 A D^-1/2:", &o);
  return BF_OK;
}

static bf_err in_both_orders(const bf_export *x, const bf_job *job)
{
  bf_err     err  = BF_OK;
  bf_sparse *P[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) BF_GO(bf_export_select(x->S, x->nkept, x->row_of + (i ? x->nkept : 0), &P[i]));
  bf_log_line(&job->log, "matrix    %d unknowns, %lld nonzeros, %s", x->nkept, (long long)P[0]->nnz,
              x->stage == BF_STAGE_CONSTRAINED ? "constrained" : "before constraints");
  describe(&job->log, "          order of the file:  ", P[0]);
  describe(&job->log, "          order of the solver:", P[1]);
  if (x->spy) BF_GO(bf_export_spy(x->spy, P[0], P[1]));
  if (x->spy)
    bf_log_line(&job->log, "picture   %s: nonzeros in the order of the file (left) and of the solver (right)",
                x->spy);
  if (x->diagonals) BF_GO(bf_export_diagonals(x->diagonals, job, x->S));
  if (x->diagonals)
    bf_log_line(&job->log, "picture   %s: node rows by diagonals of %s; blue: nonzero, orange: stored zero",
                x->diagonals, bf_format_word(job->plan.format));
  if (x->spectrum) BF_GO(spectrum(&job->log, P[0]));
done:
  bf_sparse_destroy(&P[0]);
  bf_sparse_destroy(&P[1]);
  return err;
}

static bf_err steps(bf_export *x, bf_job *job)
{
  const bf_log log = job->log;
  job->log         = (bf_log){0};
  BF_TRY(bf_job_open(job));
  if (job->problem.analysis == BF_DISPERSION || (x->mass && job->problem.analysis != BF_MODAL)) {
    bf_diag_add(&job->diags, BF_ERROR, 107, job->problem.analysis_where, "%s",
                x->mass ? "--mass requires analysis modal"
                        : "the matrices of a dispersion depend on the wave vector: not available for export");
    return BF_E_INPUT;
  }
  BF_TRY(bf_job_number(job));
  BF_TRY(bf_job_backend(job));
  BF_TRY(bf_job_plan(job));
  BF_TRY(bf_job_fits_backend(job));
  job->log = log;
  BF_TRY(assemble(x, job));
  BF_TRY(bf_export_rows(x, job));
  BF_TRY(in_both_orders(x, job));
  if (bf_static_case_name(job) && x->rhs)
    bf_log_line(&job->log, "rhs       of load case '%s'", bf_static_case_name(job));
  return bf_export_files(x, job);
}

int bf_cmd_matrix(int argc, char **argv)
{
  bf_job    job  = {.log = {bf_console_line, NULL}};
  bf_export x    = {.stage = BF_STAGE_CONSTRAINED};
  const int json = bf_say_json(argc, argv);
  int       exit = own_options(&argc, argv, json, &x);
  if (exit < 0) exit = bf_options(argc, argv, "matrix", &job);
  if (exit >= 0) return exit;
  const bf_err err = steps(&x, &job);
  bf_say_diags(&job.diags, 0, job.json_errors);
  if (err != BF_OK && job.diags.errors == 0) bf_say(job.json_errors, "matrix: %s", bf_err_message());
  bf_sparse_destroy(&x.S);
  bf_host_free(x.b);
  bf_host_free(x.row_of);
  bf_job_close(&job);
  return bf_exit_status(err);
}
