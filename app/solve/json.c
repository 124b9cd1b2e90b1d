/* app/solve/json.c - report of bandfem solve A.mtx as JSON */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/json.h"
#include "app/solve/mtx.h"
#include <math.h>

static void matrix(const bf_mtx_job *job, bf_json *j)
{
  const bf_candidate *c = &job->candidates.item[job->chosen];
  bf_json_open(j, "matrix", '{');
  bf_json_text(j, "file", job->opt.path);
  bf_json_text(j, "right_hand_side", job->opt.rhs);
  bf_json_int(j, "rows", job->S->nrows);
  bf_json_int(j, "nonzeros", job->S->nnz);
  bf_json_int(j, "repeated", job->repeated);
  bf_json_bool(j, "symmetric", bf_statistics_symmetric(&job->statistics));
  bf_json_real(j, "asymmetry", job->statistics.asymmetry);
  bf_json_text(j, "format", bf_format_word(c->format));
  bf_json_text(j, "storage", c->half ? "symmetric" : "full");
  bf_json_text(j, "order", job->numbering[c->layout].name);
  bf_json_text(j, "values", job->opt.prec == BF_FP32 ? "fp32" : "fp64");
  bf_json_close(j, '}');
}

static void inverse(const bf_mtx_job *job, bf_json *j)
{
  const bf_inverse_report *r = &job->solve.inverse;
  if (job->method != BF_METHOD_INVERSE) return;
  bf_json_open(j, "inverse", '{');
  bf_json_int(j, "info", r->syinv.info);
  bf_json_text(j, "path", bf_inverse_path(r->syinv.path));
  bf_json_int(j, "newton_schulz_steps", r->syinv.refined);
  bf_json_int(j, "deferred_blocks", r->syinv.deferred);
  bf_json_real(j, "residual", r->residual);
  bf_json_real(j, "residual_norm_1_bound", r->rho);
  bf_json_real(j, "error_bound", r->bound);
  bf_json_real(j, "seconds", r->seconds);
  bf_json_real(j, "check_seconds", r->check_seconds);
  bf_json_close(j, '}');
}

static void solve(const bf_mtx_job *job, bf_json *j)
{
  const bf_solve_report *s      = &job->solve;
  const int              closed = job->method == BF_METHOD_DIRECT || job->method == BF_METHOD_INVERSE;
  bf_json_open(j, "solve", '{');
  bf_json_text(j, "method", bf_method_name(job->method));
  bf_json_text(j, "preconditioner", closed ? "none" : bf_precond_name((bf_precond)job->opt.precond));
  bf_json_bool(j, "converged", s->reason == BF_KRYLOV_CONVERGED);
  bf_json_text(j, "reason", s->to_rounding ? "converged to rounding" : bf_reason_name(s->reason));
  bf_json_text(j, "text", s->text);
  bf_json_int(j, "iterations", s->iterations);
  bf_json_real(j, "rtol", job->opt.rtol);
  bf_json_real(j, "true_residual", fabs(s->true_residual));
  bf_json_real(j, "backward_error", s->backward_error);
  bf_json_real(j, "condition", s->condition);
  bf_json_real(j, "forward_error", s->forward_error);
  bf_json_bool(j, "forward_error_is_bound", job->method == BF_METHOD_INVERSE);
  bf_json_real(j, "seconds", s->seconds);
  bf_json_close(j, '}');
}

bf_err bf_mtx_write_json(const bf_mtx_job *job)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  char            device[128];
  BF_GO(bf_atomic_file_create(job->opt.json, &f));
  bf_json j = {f, 0, 0};
  job->be->ops.describe(job->be, device, sizeof device);
  bf_json_open(&j, NULL, '{');
  bf_json_text(&j, "bandfem", BF_VERSION);
  matrix(job, &j);
  bf_json_open(&j, "backend", '{');
  bf_json_text(&j, "name", job->be->ops.name);
  bf_json_text(&j, "device", device);
  bf_json_close(&j, '}');
  solve(job, &j);
  inverse(job, &j);
  bf_json_text(&j, "solution", job->opt.out);
  bf_json_close(&j, '}');
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
