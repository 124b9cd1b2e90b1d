/* app/run/write.c - the output folder and its files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/analysis.h"
#include "app/cli/interrupt.h"
#include "app/precond/levels.h"
#include "app/run/page.h"
#include "outputs/atomic_file.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bf_err folder_name(bf_job *job)
{
  const char *dir = job->config.output.dir, *base = strrchr(job->deck_path, '/');
  base = base ? base + 1 : job->deck_path;
  int n;
  if (dir[0])
    n = snprintf(job->dir, sizeof job->dir, "%s", dir);
  else
    n = snprintf(job->dir, sizeof job->dir, "out/%.*s", (int)strcspn(base, "."), base);
  BF_CHECK(n >= 0 && (size_t)n < sizeof job->dir, BF_E_FILE,
           "cannot create folder '%.60s...': its name has more than %zu characters", job->dir,
           sizeof job->dir - 1);
  return BF_OK;
}

bf_err bf_job_file_error(bf_job *job, bf_err err)
{
  if (err == BF_E_FILE)
    bf_diag_add(&job->diags, BF_ERROR, 601, job->config.output.dir_where, "%s", bf_err_message());
  return err;
}

bf_err bf_job_folder(bf_job *job)
{
  bf_err err = folder_name(job);
  if (err == BF_OK) err = bf_make_folder(job->dir);
  if (err == BF_OK && access(job->dir, W_OK | X_OK) != 0)
    err = BF_FAIL(BF_E_FILE, "cannot write into folder '%s': %s", job->dir, strerror(errno));
  if (err == BF_OK && job->replaces) err = bf_job_clear(job);
  return bf_job_file_error(job, err);
}

static const double WRITE_RATE = 3e8; /* bytes/s, for the live line */

typedef bf_err (*writer)(const bf_result *r, const char *path);

/* After a file, unless another is being written beside it: ends the program after a signal. */
static void settle(const bf_job *job)
{
  if (!job->files_beside) bf_interrupt_settle();
}

/* A signal during the writing ends the program after the file is complete. */
static bf_err write_one(bf_job *job, const bf_result *r, const char *name, writer write)
{
  char         path[1200], phase[40];
  const double t0 = bf_seconds();
  snprintf(path, sizeof path, "%s/%s", job->dir, name);
  snprintf(phase, sizeof phase, "write %s", name);
  bf_interrupt_hold("interrupted: the results are incomplete");
  const bf_err err = write(r, path);
  settle(job);
  BF_TRY(err);
  FILE *f    = fopen(path, "rb");
  long  size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
  if (f) fclose(f);
  bf_phase_done(&job->phases, (double)size);
  bf_phase_add(&job->phases, phase, bf_seconds() - t0, (double)size, 0.0);
  return BF_OK;
}

static bf_err write_tables(bf_job *job, const bf_result *r)
{
  for (const bf_table_file *t = job->analysis->table; t->name; t++)
    BF_TRY(write_one(job, r, t->name, t->write));
  return write_one(job, r, "checks.csv", bf_write_checks);
}

static bf_err write_hdf_plain(const bf_result *r, const char *path)
{
  return bf_write_vtkhdf(r, path, 0);
}

static bf_err write_hdf(bf_job *job, const bf_result *r)
{
  const int    level = job->config.output.compression;
  char         path[1200];
  const double t0 = bf_seconds();
  if (level == 0) return write_one(job, r, "case.hdf", write_hdf_plain);
  snprintf(path, sizeof path, "%s/case.hdf", job->dir);
  bf_interrupt_hold("interrupted: the results are incomplete");
  const bf_err err = bf_write_vtkhdf(r, path, level);
  settle(job);
  BF_TRY(err);
  bf_phase_add(&job->phases, "write case.hdf", bf_seconds() - t0, 0.0, 0.0);
  return BF_OK;
}

static bf_err view_series(const bf_result *r, const char *path)
{
  return bf_write_view(r, "case.vtk.series", path);
}

static bf_err view_hdf(const bf_result *r, const char *path)
{
  return bf_write_view(r, "case.hdf", path);
}

static bf_err view_vtk(const bf_result *r, const char *path)
{
  return bf_write_view(r, "case.vtk", path);
}

/* Of the format that ParaView 5.11 reads with all steps. */
static bf_err write_view(bf_job *job, const bf_result *r)
{
  const bf_output_config *output = &job->config.output;
  const int               vtk    = bf_output_has(output, BF_FILE_VTK);
  if (r->steps && vtk) return write_one(job, r, "view.py", view_series);
  if (bf_output_has(output, BF_FILE_VTKHDF)) return write_one(job, r, "view.py", view_hdf);
  return vtk ? write_one(job, r, "view.py", view_vtk) : BF_OK;
}

/* Its phase is in report.json alone. */
static bf_err write_page(bf_job *job, const bf_result *r)
{
  char         path[1200];
  const double t0      = bf_seconds();
  double       seconds = 0.0;
  for (int i = 0; i < job->phases.count; i++) seconds += job->phases.phase[i].seconds;
  snprintf(path, sizeof path, "%s/report.html", job->dir);
  bf_interrupt_hold("interrupted: the results are incomplete");
  const bf_err err = bf_job_page(job, r, path, seconds);
  settle(job);
  BF_TRY(err);
  bf_phase_add(&job->phases, "write report.html", bf_seconds() - t0, 0.0, 0.0);
  return BF_OK;
}

/* Of the large files, by the forecast. */
static double expected_bytes(const bf_job *job)
{
  const bf_output_config *output = &job->config.output;
  return (bf_output_has(output, BF_FILE_VTK) ? (double)job->plan.memory.vtk : 0.0) +
         (bf_output_has(output, BF_FILE_VTKHDF) ? (double)job->plan.memory.hdf : 0.0);
}

/* case.vtk by a thread of its own; messages of errors belong to their thread. */
typedef struct vtk_writer {
  const bf_result *r;
  char             path[1200], message[1024];
  bf_err           err;
} vtk_writer;

static void *vtk_main(void *context)
{
  vtk_writer *w = context;
  w->err        = bf_write_vtk(w->r, w->path);
  if (w->err != BF_OK) snprintf(w->message, sizeof w->message, "%s", bf_err_message());
  return NULL;
}

/* The files after case.vtk; case.hdf and report.html, which contain the verdict, last. */
static bf_err write_others(bf_job *job, const bf_result *r)
{
  const bf_output_config *output = &job->config.output;
  BF_TRY(bf_job_write_refined(job, r));
  if (r->history) BF_TRY(write_one(job, r, "residuals.csv", bf_write_residuals));
  if (r->flexibility) BF_TRY(write_one(job, r, "flexibility.mtx", bf_write_flexibility));
  if (r->flexibility) BF_TRY(write_one(job, r, "flexibility.csv", bf_write_flexibility_rows));
  if (output->csv) BF_TRY(write_tables(job, r));
  BF_TRY(write_one(job, r, "deck.resolved.yaml", bf_write_resolved));
  BF_TRY(write_view(job, r));
  if (bf_output_has(output, BF_FILE_VTKHDF)) BF_TRY(write_hdf(job, r));
  return output->report ? write_page(job, r) : BF_OK;
}

/* case.vtk beside case.hdf and the others: the system copies the bytes of one file with one thread.  The
 * phase of case.vtk is the time after the others. */
static bf_err write_beside(bf_job *job, const bf_result *r)
{
  vtk_writer w = {.r = r};
  pthread_t  thread;
  snprintf(w.path, sizeof w.path, "%s/case.vtk", job->dir);
  bf_interrupt_hold("interrupted: the results are incomplete");
  job->files_beside = 1;
  const int made    = pthread_create(&thread, NULL, vtk_main, &w) == 0;
  if (!made) vtk_main(&w);
  const bf_err err = write_others(job, r);
  const double t0  = bf_seconds();
  if (made) pthread_join(thread, NULL);
  bf_phase_add(&job->phases, "write case.vtk", bf_seconds() - t0, 0.0, 0.0);
  job->files_beside = 0;
  settle(job);
  BF_CHECK(w.err == BF_OK, w.err, "%s", w.message);
  return err;
}

/* report.json is written last: only after all others. */
static bf_err write_files(bf_job *job, const bf_result *r)
{
  static const double     LARGE  = 3e7; /* bytes: below, a thread saves milliseconds */
  const bf_output_config *output = &job->config.output;
  const int               vtk    = bf_output_has(output, BF_FILE_VTK);
  if (vtk && !r->steps && bf_output_has(output, BF_FILE_VTKHDF) && output->refine < 2 &&
      expected_bytes(job) > LARGE && omp_get_max_threads() > 1) {
    BF_TRY(write_beside(job, r));
  } else {
    if (vtk && r->steps)
      BF_TRY(write_one(job, r, "case.vtk.series", bf_write_vtk_series));
    else if (vtk)
      BF_TRY(write_one(job, r, "case.vtk", bf_write_vtk));
    BF_TRY(write_others(job, r));
  }
  return write_one(job, r, "report.json", bf_write_report);
}

static bf_err write_all(bf_job *job)
{
  bf_err          err   = BF_OK;
  bf_result_store store = {0};
  bf_result       r;
  BF_GO(bf_job_resolved(job));
  BF_GO(bf_job_result(job, &store, &r));
  if (r.view) BF_GO(bf_job_group_fields(job, &store, &r));
  if (r.view) BF_GO(bf_job_level_fields(job, &store, &r));
  const double bytes = expected_bytes(job);
  bf_job_phase(job, "files", bytes / WRITE_RATE);
  bf_phase_work(&job->phases, bytes);
  BF_GO(write_files(job, &r));
done:
  bf_result_store_clear(&store);
  return err;
}

bf_err bf_job_write(bf_job *job)
{
  return bf_job_file_error(job, write_all(job));
}
