/* app/run/dispersion/dispersion.c - analysis: dispersion from the model to bands and gaps; see dispersion.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/dispersion/dispersion.h"
#include "assembly/assemble/mass.h"
#include "assembly/model/bloch.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static const double HERMITIAN = 1e-10; /* E506 above; rounding leaves about 1e-16 */
static const double TRUNCATED = 1e-3;  /* W323 above */

void bf_job_waves_destroy(bf_job_waves **waves)
{
  if (!waves || !*waves) return;
  bf_job_waves *w       = *waves;
  void *const   owned[] = {w->record.k_reciprocal,
                           w->record.k_cartesian,
                           w->record.path_length,
                           w->tick,
                           w->record.tick_position,
                           w->record.frequency_hz,
                           w->record.gap,
                           w->record.gap_below,
                           w->re,
                           w->im,
                           w->material,
                           w->record.branch,
                           w->record.truncation,
                           (void *)w->record.tick_label};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) bf_host_free(owned[i]);
  for (size_t i = 0; i < sizeof w->number / sizeof *w->number; i++) bf_host_free(w->number[i]);
  bf_cell_destroy(&w->cell);
  bf_cell_rows_clear(&w->rows);
  bf_waves_destroy(&w->waves);
  bf_host_free(w);
  *waves = NULL;
}

/* ---- the cell ---- */

/* E105: more bands than unknowns. */
static bf_err enough(bf_job *job, int unknowns, const char *what)
{
  const bf_dispersion_config *d = &job->config.dispersion;
  if (d->bands <= unknowns) return BF_OK;
  bf_diag_add(&job->diags, BF_ERROR, 105, d->bands_where, "bands %d, but %s has only %d unknowns", d->bands,
              what, unknowns);
  return BF_E_INPUT;
}

/* K and M of the whole cell on the host, assembled on a CPU backend. */
static bf_err assemble(bf_job *job, bf_backend *cpu, bf_sparse **K, bf_sparse **M)
{
  bf_err     err = BF_OK;
  bf_graph  *g   = NULL;
  bf_matrix *A = NULL, *B = NULL;
  double    *b = NULL, *x = NULL;
  const int  nc = bf_model_ncomp(job->model);
  BF_GO(bf_model_pattern(job->model, job->num, &g));
  BF_GO(bf_matrix_create_csr(cpu, g, nc, BF_FP64, &A));
  BF_GO(bf_matrix_create_csr(cpu, g, nc, BF_FP64, &B));
  BF_GO(bf_vector_create(cpu, A->nrows, A->guard, &b));
  BF_GO(bf_vector_create(cpu, A->nrows, A->guard, &x));
  BF_GO(bf_model_assemble(job->model, job->num, A, b, x, &job->phases));
  BF_GO(bf_model_mass(job->model, job->num, BF_MASS_CONSISTENT, 0, B, &job->phases));
  BF_GO(bf_matrix_to_sparse(A, K));
  BF_GO(bf_matrix_to_sparse(B, M));
done:
  bf_graph_destroy(&g);
  if (b) bf_vector_destroy(cpu, A->guard, &b);
  if (x) bf_vector_destroy(cpu, A->guard, &x);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&B);
  return err;
}

static int is_direct(const bf_job *job, const bf_cell_rows *rows)
{
  const bf_eigen_method method = job->config.eigensolver.method;
  return method == BF_EIGEN_METHOD_DIRECT ||
         (method == BF_EIGEN_METHOD_AUTO && rows->n <= BF_WAVE_DIRECT_MOST);
}

static void say_cell(const bf_job *job, const bf_cell *c)
{
  if (c->ninterior == 0)
    bf_log_line(&job->log, "reduced   direct: %d unknowns", (int)c->n);
  else
    bf_log_line(&job->log,
                "reduced   craig_bampton: %d unknowns, %d of the sides and %d modes of %d interior unknowns, "
                "the highest at %.6g Hz",
                (int)c->n, (int)c->n - c->nmodes, c->nmodes, (int)c->ninterior,
                sqrt(c->mu[c->nmodes - 1]) / 6.28318530717958647692);
}

void bf_waves_judge(bf_job *job)
{
  bf_job_waves *w = job->waves;
  if (w->record.hermitian_defect <= HERMITIAN) return;
  bf_diag_add(&job->diags, BF_ERROR, 506, (bf_where){.file = job->deck_path},
              "K(k) or M(k) is not Hermitian: defect %.3g, %.0e is allowed", w->record.hermitian_defect,
              HERMITIAN);
  w->failed = 1;
}

static bf_err reduce(bf_job *job, bf_backend *cpu, const bf_sparse *K, const bf_sparse *M)
{
  bf_job_waves *w  = job->waves;
  const double  t0 = bf_seconds();
  if (is_direct(job, &w->rows))
    BF_TRY(bf_cell_create_direct(K, M, &w->rows, &w->cell));
  else
    BF_TRY(bf_cell_create_modes(cpu, K, M, &w->rows, job->config.eigensolver.interior_modes, &w->cell));
  const bf_cell *c = w->cell;
  if (c->ninterior > 0) {
    bf_phase_add(&job->phases, "cell: static modes", c->seconds_static, 0.0, 0.0);
    bf_phase_add(&job->phases, "cell: interior modes", c->seconds_modes, 0.0, 0.0);
    bf_phase_add(&job->phases, "cell: projected", c->seconds_project, 0.0, 0.0);
  } else {
    bf_phase_add(&job->phases, "cell: reduced", bf_seconds() - t0, 0.0, 0.0);
  }
  say_cell(job, w->cell);
  BF_TRY(enough(job, w->cell->n, "the reduced cell"));
  w->record.hermitian_defect = fmax(bf_shifted_defect(w->cell->K), bf_shifted_defect(w->cell->M));
  bf_waves_judge(job);
  return BF_OK;
}

bf_err bf_job_waves_cell(bf_job *job)
{
  bf_err      err = BF_OK;
  bf_backend *cpu = NULL;
  bf_sparse  *K = NULL, *M = NULL;
  bf_job_phase(job, "assembly", 0.0);
  BF_GO(bf_backend_create("cpu", NULL, &cpu));
  BF_GO(assemble(job, cpu, &K, &M));
  bf_job_phase(job, "reduction", 0.0);
  BF_GO(reduce(job, cpu, K, M));
done:
  bf_sparse_destroy(&K);
  bf_sparse_destroy(&M);
  bf_backend_destroy(&cpu);
  return err;
}

bf_err bf_job_waves_begin(bf_job *job)
{
  bf_job_phase(job, "numbering", 0.0);
  bf_job_waves     *w = NULL;
  const bf_lattice *L = bf_model_lattice(job->model);
  BF_TRY(bf_numbering_create(job->mesh, BF_ORDER_FILE, &job->num)); /* the factorisation reorders */
  BF_TRY(BF_NEW(job->waves));
  w               = job->waves;
  w->record.bands = job->config.dispersion.bands;
  BF_TRY(bf_waves_path(job, w));
  BF_TRY(bf_model_bloch_rows(job->model, job->num, &w->rows));
  bf_log_line(&job->log,
              "cell      %d lattice vectors, %d of %d nodes equal another node up to a phase; %d unknowns",
              L->n, (int)(job->mesh->nnodes - bf_model_periodic(job->model)->nmasters),
              (int)job->mesh->nnodes, (int)w->rows.n);
  bf_log_line(&job->log, "phase     " BF_WAVE_PHASE);
  BF_TRY(enough(job, w->rows.n, "the cell"));
  if (!is_direct(job, &w->rows)) return BF_OK;
  const double need = 2.0 * 8.0 * pow((double)w->rows.n, 2.0) *
                      (L->n == 1   ? 3
                       : L->n == 2 ? 9
                                   : 27),
               free = 0.9 * (double)bf_memory_available();
  if (free <= 0.0 || need <= free) return BF_OK;
  char needs[24], may[24];
  bf_bytes_text(need, needs);
  bf_bytes_text(free, may);
  bf_diag_add(&job->diags, BF_ERROR, 401, job->config.eigensolver.method_where,
              "the dense matrices of %d unknowns need %s, %s may be used; use method: craig_bampton",
              (int)w->rows.n, needs, may);
  return BF_E_MEMORY;
}

/* ---- waves ---- */

/* E505 */
static void judge(bf_job *job)
{
  bf_job_waves *w    = job->waves;
  const double  rtol = job->config.eigensolver.rtol;
  int64_t       bad = 0, first = -1;
  char          at[96];
  const int     all = w->waves->bands;
  if (w->waves->failed >= 0) {
    bf_waves_name(w, w->waves->failed, at);
    bf_diag_add(&job->diags, BF_ERROR, 505, (bf_where){.file = job->deck_path},
                "no eigenvalues at %s: %s (info %d)", at,
                w->waves->info <= w->waves->n ? "the mass is not positive" : "not finite, or no convergence",
                w->waves->info);
    w->failed = 1;
    return;
  }
  for (int64_t i = 0; i < (int64_t)w->record.nk * all; i++)
    if (!(w->waves->residual[i] <= rtol) && bad++ == 0) first = i;
  if (!bad) return;
  bf_waves_name(w, (int)(first / all), at);
  bf_diag_add(&job->diags, BF_ERROR, 505, (bf_where){.file = job->deck_path},
              "%lld modes have a residual above %.1e; the first: band %d at %s, %.3g", (long long)bad, rtol,
              (int)(first % all) + 1, at, w->waves->residual[first]);
  w->failed = 1;
}

/* Bands of a Craig-Bampton cell corrected for the interior modes left out; W323: bound of the remaining
 * error. */
static bf_err correct(bf_job *job, bf_waves **wide)
{
  bf_err        err   = BF_OK;
  bf_job_waves *w     = job->waves;
  double        worst = 0.0, most = 0.0;
  int64_t       at = -1;
  char          text[96], much[32];
  BF_GO(BF_NEW_ARRAY(w->record.truncation, (size_t)w->record.nk * (size_t)w->record.bands));
  BF_GO(bf_waves_refine(job->be, *wide, w->cell->T, w->cell->S, w->record.k_reciprocal, w->record.bands,
                        &w->waves));
  bf_phase_add(&job->phases, "waves: modes left out", w->waves->seconds_refine, 0.0, 0.0);
  for (int64_t i = 0; i < (int64_t)w->record.nk * w->record.bands; i++) {
    const double lambda     = (*wide)->lambda[i / w->record.bands * (*wide)->bands + i % w->record.bands],
                 now        = w->waves->lambda[i];
    w->record.truncation[i] = bf_cell_error(w->cell, lambda, now);
    if (lambda > 0.0) most = fmax(most, 0.5 * (1.0 - now / lambda));
    if (w->record.truncation[i] > worst) {
      worst = w->record.truncation[i];
      at    = i;
    }
  }
  bf_log_line(&job->log,
              "          neglected interior modes: frequencies corrected by at most %.1e, then too high by "
              "at most %.1e (estimate)",
              most, worst);
  if (!(worst > TRUNCATED)) goto done;
  bf_waves_name(w, (int)(at / w->record.bands), text);
  if (worst < 1.0)
    snprintf(much, sizeof much, "by %.2g %%", 100.0 * worst);
  else
    snprintf(much, sizeof much, "by an unknown amount");
  bf_diag_add(
      &job->diags, BF_WARNING, 323, job->config.eigensolver.interior_modes_where,
      "neglected interior modes may lower frequencies %s, most for band %d at %s: increase interior_modes",
      much, (int)(at % w->record.bands) + 1, text);
done:
  bf_waves_destroy(wide);
  return err;
}

static bf_err results(bf_job *job)
{
  bf_job_waves *w  = job->waves;
  const double  t0 = bf_seconds();
  BF_TRY(BF_NEW_ARRAY(w->record.frequency_hz, (size_t)w->record.nk * (size_t)w->record.bands));
  for (int64_t i = 0; w->waves->failed < 0 && i < (int64_t)w->record.nk * w->record.bands;
       i++) /* rounding: 0 below 0 */
    w->record.frequency_hz[i] = sqrt(fmax(w->waves->lambda[i], 0.0)) / 6.28318530717958647692;
  if (w->waves->failed < 0) BF_TRY(bf_waves_gaps(w));
  if (w->waves->failed < 0) BF_TRY(bf_waves_follow(job));
  bf_phase_add(&job->phases, "waves: gaps, crossings", bf_seconds() - t0, 0.0, 0.0);
  return BF_OK;
}

/* Waves of the cell. Batches on a GPU have a largest order; above it the CPU solves, or E404 if the deck
 * requires the GPU. */
static bf_err solve(bf_job *job, int bands, int size)
{
  bf_job_waves *w   = job->waves;
  const bf_err  err = bf_waves_solve(job->be, w->cell->K, w->cell->M, w->record.nk, w->record.k_reciprocal,
                                     bands, size, &w->waves);
  if (err != BF_E_UNSUPPORTED || !job->be->ops.on_device) return err;
  if (strcmp(job->config.device.backend, "cuda") == 0) {
    bf_diag_add(&job->diags, BF_ERROR, 404, job->config.eigensolver.method_where,
                "the GPU cannot solve pencils of %d unknowns (%s); use device.backend: auto or cpu, or "
                "method: craig_bampton with fewer interior_modes",
                (int)w->cell->n, bf_err_message());
    return BF_E_DEVICE;
  }
  bf_log_line(&job->log, "backend   cpu for the waves: %s", bf_err_message());
  bf_backend_destroy(&job->be);
  BF_TRY(bf_backend_create("cpu", NULL, &job->be));
  return bf_waves_solve(job->be, w->cell->K, w->cell->M, w->record.nk, w->record.k_reciprocal, bands, size,
                        &w->waves);
}

bf_err bf_job_waves_solve(bf_job *job)
{
  enum { BESIDE = 4 }; /* additional bands for the correction of the requested ones */
  bf_job_waves *w    = job->waves;
  const int     size = job->config.eigensolver.batch;
  const int     more = w->cell->T ? w->record.bands + BESIDE : w->record.bands;
  bf_job_phase(job, "waves", 0.0);
  BF_TRY(solve(job, more < w->cell->n ? more : w->cell->n, size));
  const bf_waves *s = w->waves;
  bf_phase_add(&job->phases, "waves: pencils formed", s->seconds_form, 0.0, 0.0);
  bf_phase_add(&job->phases, "waves: eigenvalues", s->seconds_solve, 0.0,
               40.0 * pow((double)s->n, 3.0) * w->record.nk);
  bf_phase_add(&job->phases, "waves: residuals", s->seconds_residual, 0.0, 0.0);
  bf_log_line(&job->log,
              "waves     %d wave vectors, %d bands, %d pencils of order %d per call: %.3g s, %.3g ms each",
              w->record.nk, w->record.bands, s->batch, (int)s->n, s->seconds_solve,
              1e3 * s->seconds_solve / w->record.nk);
  bf_brief_solve(job);
  judge(job);
  if (w->cell->T && s->failed < 0) {
    bf_waves *wide = w->waves;
    w->waves       = NULL;
    BF_TRY(correct(job, &wide));
  }
  return results(job);
}
