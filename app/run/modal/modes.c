/* app/run/modal/modes.c - modal analysis: mass matrix, modes, frequencies, effective masses, fields
 *
 *     K phi = (2 pi f)^2 M phi
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/multigrid.h"
#include "app/run/modal/modal.h"
#include "assembly/recover/mode_energies.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586476925286766559;

bf_err bf_modal_mass(bf_job *job)
{
  bf_matrix   **M    = &job->modes.M;
  const double  t0   = bf_seconds();
  const bf_mass kind = job->config.modal.mass;
  if (kind == BF_MASS_LUMPED)
    BF_TRY(bf_mass_diagonal_create(job->be, job->num, bf_model_ncomp(job->model), M));
  else
    BF_TRY(bf_job_matrix(job, M));
  BF_TRY(job->be->ops.sync(job->be));
  bf_phase_add(&job->phases, "matrix: create", bf_seconds() - t0, (double)bf_matrix_bytes(*M), 0.0);
  BF_TRY(bf_model_mass(job->model, job->num, kind, 1, *M, &job->phases));
  return kind == BF_MASS_LUMPED ? BF_OK : bf_job_matrix_format(job, M);
}

/* W320: zero-energy modes; W321: a cluster of modes of which only some are requested. */
static void warn(bf_job *job)
{
  const bf_eigen_report *r     = &job->modes.report;
  const bf_where         where = job->config.modal.modes_where;
  if (r->zeros > 0)
    bf_diag_add(
        &job->diags, BF_WARNING, 320, where,
        "%d rigid-body modes found: the body is not fully supported; their frequencies are 0 up to rounding",
        r->zeros);
  if (r->cut)
    bf_diag_add(&job->diags, BF_WARNING, 321, where,
                "mode %d (%.9g Hz) and the next one (%.9g Hz) form a cluster that 'modes' cuts; increase "
                "modes by one",
                r->pairs, job->modes.record.frequency_hz[r->pairs - 1], sqrt(fmax(r->next, 0.0)) / TWO_PI);
}

/* The component of the largest magnitude. */
static double largest(const double *x, size_t n)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fabs(x[i]) > fabs(most) ? x[i] : most;
  return most;
}

/* The sign of a mode is arbitrary: the largest component is made positive. */
static void choose_signs(bf_job_modes *m, size_t n)
{
  for (int k = 0; k < m->report.pairs; k++) {
    double   *x    = m->X + (size_t)k * n;
    const int turn = largest(x, n) < 0.0;
    for (size_t i = 0; i < n && turn; i++) x[i] = -x[i];
  }
}

/* normalization: max, the largest component of a mode is 1. */
static void scale_to_one(bf_job_modes *m, size_t n)
{
  for (int k = 0; k < m->report.pairs; k++) {
    double      *x    = m->X + (size_t)k * n;
    const double most = largest(x, n);
    for (size_t i = 0; i < n && most > 0.0; i++) x[i] /= most;
  }
}

/* A zero eigenvalue has either sign after rounding. */
static bf_err frequencies(bf_job_modes *m)
{
  const bf_eigen_report *r = &m->report;
  BF_TRY(BF_NEW_ARRAY(m->record.frequency_hz, r->pairs));
  BF_TRY(BF_NEW_ARRAY(m->number, r->pairs));
  BF_TRY(BF_NEW_ARRAY(m->record.residual, r->pairs));
  for (int k = 0; k < r->pairs; k++) {
    m->record.frequency_hz[k] = sqrt(fabs(r->value[k])) / TWO_PI;
    m->number[k]              = k + 1;
    m->record.residual[k]     = k < r->zeros ? r->residual[k] : r->relative[k];
  }
  return BF_OK;
}

/* Effective masses along the translations, which come first among the motions. */
static bf_err masses(bf_job *job, const double *motion)
{
  bf_err        err = BF_OK;
  bf_job_modes *m   = &job->modes;
  const int     all = bf_model_motions(job->model), pairs = m->report.pairs;
  double       *part = NULL, whole[6];
  BF_GO(BF_NEW_ARRAY(part, pairs * all));
  BF_GO(bf_eigen_participation(m->M, all, motion, pairs, m->X, part, whole));
  m->record.naxes = all == 6 ? 3 : all == 3 ? 2 : 1;
  BF_GO(BF_NEW_ARRAY(m->record.participation, pairs * m->record.naxes));
  BF_GO(BF_NEW_ARRAY(m->record.effective_mass, pairs * m->record.naxes));
  for (int c = 0; c < m->record.naxes; c++) {
    const char *name        = strrchr(bf_model_motion_name(job->model, c), ' '); /* "translation x" */
    m->record.axis[c]       = name ? name + 1 : "";
    m->record.total_mass[c] = whole[c];
    for (int k = 0; k < pairs; k++) {
      m->record.participation[k * m->record.naxes + c]  = part[k * all + c];
      m->record.effective_mass[k * m->record.naxes + c] = part[k * all + c] * part[k * all + c];
    }
  }
done:
  bf_host_free(part);
  return err;
}

static bf_err solve(bf_job *job, const double *motion)
{
  bf_err                 err     = BF_OK;
  bf_job_body            body    = {.x = NULL};
  bf_job_modes          *m       = &job->modes;
  const double           shift   = TWO_PI * job->config.modal.shift;
  const bf_eigen_options opt     = {.pairs          = job->problem.modes,
                                    .rtol           = job->config.eigensolver.rtol,
                                    .max_iterations = job->config.eigensolver.max_iterations,
                                    .shift          = shift * shift,
                                    .help           = bf_modal_precond(job),
                                    .parts          = job->parts,
                                    .multigrid      = job->config.solver.multigrid,
                                    .body           = &body.body,
                                    .near_null      = motion,
                                    .nnear          = bf_model_motions(job->model),
                                    .monitor        = job->brief.line ? bf_console_modes : NULL,
                                    .context        = job->console};
  const int              factors = bf_modal_shift_invert(job);
  m->record.method               = factors ? "shift_invert" : "lobpcg";
  m->record.preconditioner       = factors ? "none" : bf_eigen_precond_name(opt.help);
  bf_log_line(&job->log, "modes     %s%s%s, %d modes, mass %s, rtol %.1e", m->record.method,
              factors ? "" : ", preconditioner ", factors ? "" : m->record.preconditioner, opt.pairs,
              bf_modal_mass_word(job), opt.rtol);
  if (opt.help == BF_EIGEN_MULTIGRID) BF_GO(bf_job_body_create(job, &body));
  bf_job_phase(job, "modes", 0.0);
  BF_GO((factors ? bf_shift_invert : bf_lobpcg)(job->A, m->M, &opt, m->X, &m->report));
  bf_log_line(&job->log, "          %s", m->report.text);
  bf_brief_solve(job);
  bf_phase_add(&job->phases, "modes", m->report.seconds, 0.0, 0.0);
done:
  bf_job_body_clear(&body);
  return err;
}

/* The numbers of the report and the words of the deck, for the writers. */
static void record(bf_job *job)
{
  const bf_eigen_report *e = &job->modes.report;
  bf_modes_record       *r = &job->modes.record;
  r->n                     = e->pairs;
  r->converged             = e->converged;
  r->iterations            = e->iterations;
  r->rigid                 = e->zeros;
  r->orthogonality         = e->orthogonality;
  r->mass                  = bf_modal_mass_word(job);
  r->normalization         = job->config.modal.largest_is_one ? "max" : "mass";
  r->mass_unit             = bf_unit_in(job->problem.units, "kg");
}

bf_err bf_modal_solve(bf_job *job)
{
  bf_err        err    = BF_OK;
  bf_job_modes *m      = &job->modes;
  const size_t  n      = (size_t)job->A->nrows;
  double       *motion = NULL;
  BF_GO(BF_NEW_ARRAY(m->X, (size_t)job->problem.modes * n));
  BF_GO(BF_NEW_ARRAY(motion, (size_t)bf_model_motions(job->model) * n));
  BF_GO(bf_model_motion_vectors(job->model, job->num, motion));
  BF_GO(solve(job, motion));
  BF_GO(frequencies(m));
  choose_signs(m, n);
  BF_GO(masses(job, motion));
  if (job->config.modal.largest_is_one) scale_to_one(m, n);
  record(job);
  warn(job);
done:
  bf_host_free(motion);
  return err;
}

/* phi^T M phi = 1 gives phi the unit kg^-1/2; with the largest component 1 it has none. */
static void label_units(bf_job *job)
{
  const int      max    = job->config.modal.largest_is_one;
  const bf_units system = job->problem.units;
  for (int i = 0; i < job->solution.nfields; i++) {
    bf_field *f = &job->solution.field[i];
    if (strcmp(f->name, "mode_shape") == 0 || strcmp(f->name, "mode_shape_axes") == 0)
      f->unit = max ? "1" : bf_unit_in(system, "kg^-1/2");
    if (strcmp(f->name, "modal_strain_energy") == 0) f->unit = bf_unit_in(system, max ? "Pa/m2" : "1/m3/s2");
  }
}

bf_err bf_modal_recover(bf_job *job)
{
  const double t0 = bf_seconds();
  BF_TRY(bf_view_create(job->mesh, bf_model_region(job->model), &job->view));
  bf_phase_add(&job->phases, "recover: view", bf_seconds() - t0, 0.0, 0.0);
  BF_TRY(bf_model_recover_modes(job->model, job->num, job->be, job->view, job->modes.X,
                                job->modes.report.pairs, &job->phases, &job->solution));
  if (bf_model_ncomp(job->model) > 1) label_units(job);
  return BF_OK;
}

int bf_modal_unsolved(bf_job *job)
{
  const bf_eigen_report *r     = &job->modes.report;
  int                    first = 0;
  while (first < r->pairs && r->ok[first]) first++;
  if (first == r->pairs) return 0;
  bf_diag_add(&job->diags, BF_ERROR, 505, job->config.eigensolver.method_where,
              "mode %d, %.9g Hz, has the residual %.3e, above rtol; %d of %d modes converged: %s", first + 1,
              job->modes.record.frequency_hz[first], job->modes.record.residual[first], r->converged,
              r->pairs, r->text);
  return 1;
}

void bf_job_modes_clear(bf_job_modes *m)
{
  bf_matrix_destroy(&m->M);
  bf_host_free(m->X);
  bf_eigen_report_clear(&m->report);
  bf_host_free(m->record.frequency_hz);
  bf_host_free(m->number);
  bf_host_free(m->record.residual);
  bf_host_free(m->record.participation);
  bf_host_free(m->record.effective_mass);
  *m = (bf_job_modes){0};
}
