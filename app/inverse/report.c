/* app/inverse/report.c - what bandfem inverse prints and writes of its result */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse/inverse.h"
#include "outputs/json.h"
#include <math.h>
#include <stdio.h>

const char *bf_inverse_status(const bf_inverse_job *job)
{
  const bf_int info = job->report.syinv.info;
  return info == 0 ? "inverted" : info <= job->n ? "singular" : "not finite";
}

static void path_text(const bf_syinv_report *y, char text[120])
{
  switch (y->path) {
  case BF_SYINV_DEFINITE: snprintf(text, 120, "positive definite: diagonal blocks by Cholesky"); break;
  case BF_SYINV_INDEFINITE:
    snprintf(text, 120,
             "not positive definite: diagonal blocks with pivoting, %d deferred, %d Newton-Schulz step%s",
             (int)y->deferred, y->refined, y->refined == 1 ? "" : "s");
    break;
  default: snprintf(text, 120, "fallback: pivoted factorisation of the whole matrix"); break;
  }
}

void bf_inverse_show(const bf_inverse_job *job)
{
  const bf_inverse_report *r = &job->report;
  char                     path[120];
  path_text(&r->syinv, path);
  bf_log_line(&job->log, "inverse   order %d, %s, %.3g s", (int)job->n,
              job->opt.type == BF_S ? "fp32" : "fp64", r->seconds);
  bf_log_line(&job->log, "          %s", path);
  if (r->syinv.info != 0) return;
  bf_log_line(&job->log, "          condition ||A||_1 ||X||_1 = %.3g", r->syinv.condition);
  bf_log_line(&job->log, "          residual ||A X - I||_F / (||A||_F ||X||_F n u) = %.3g, %.3g s",
              r->residual, r->check_seconds);
  if (isfinite(r->bound))
    bf_log_line(&job->log, "          error ||X - A^-1||_1 / ||X||_1 at most %.3g", r->bound);
  else
    bf_log_line(&job->log,
                "          no bound of the error: ||A X - I||_1 may be %.3g, a bound needs less than 1",
                r->rho);
}

static void matrix(const bf_inverse_job *job, bf_json *j)
{
  bf_json_open(j, "matrix", '{');
  bf_json_text(j, "file", job->opt.path);
  bf_json_int(j, "order", job->n);
  bf_json_text(j, "layout", bf_mtx_layout_name(job->layout));
  bf_json_text(j, "field", bf_mtx_field_name(job->field));
  bf_json_text(j, "symmetry", bf_mtx_symmetry_name(job->symmetry));
  bf_json_int(j, "entries", job->listed);
  bf_json_int(j, "repeated", job->repeated);
  bf_json_real(j, "asymmetry", job->asymmetry);
  bf_json_close(j, '}');
}

static void result(const bf_inverse_job *job, bf_json *j)
{
  const bf_inverse_report *r  = &job->report;
  const int                ok = r->syinv.info == 0;
  bf_json_open(j, "inverse", '{');
  bf_json_text(j, "status", bf_inverse_status(job));
  bf_json_int(j, "info", r->syinv.info);
  bf_json_text(j, "precision", job->opt.type == BF_S ? "fp32" : "fp64");
  bf_json_text(j, "path", bf_inverse_path(r->syinv.path));
  bf_json_int(j, "newton_schulz_steps", r->syinv.refined);
  bf_json_int(j, "deferred_blocks", r->syinv.deferred);
  bf_json_real(j, "condition", ok ? r->syinv.condition : (double)NAN);
  bf_json_real(j, "norm_1_matrix", ok ? r->norm_a : (double)NAN);
  bf_json_real(j, "norm_1_inverse", ok ? r->norm_x : (double)NAN);
  bf_json_real(j, "residual", r->residual);
  bf_json_real(j, "residual_norm_1_bound", r->rho);
  bf_json_real(j, "error_bound", r->bound);
  bf_json_real(j, "seconds", r->seconds);
  bf_json_real(j, "check_seconds", r->check_seconds);
  bf_json_text(j, "file", ok ? job->opt.out : NULL);
  bf_json_close(j, '}');
}

bf_err bf_inverse_write_json(const bf_inverse_job *job)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_GO(bf_atomic_file_create(job->opt.json, &f));
  bf_json j = {f, 0, 0};
  bf_json_open(&j, NULL, '{');
  bf_json_text(&j, "bandfem", BF_VERSION);
  matrix(job, &j);
  bf_json_open(&j, "backend", '{');
  bf_json_text(&j, "name", job->be->ops.name);
  bf_json_text(&j, "device", job->device);
  bf_json_int(&j, "bytes", job->memory.backend);
  bf_json_int(&j, "host_bytes", job->memory.host);
  bf_json_close(&j, '}');
  result(job, &j);
  bf_json_close(&j, '}');
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
