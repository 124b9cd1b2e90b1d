/* app/run/static/flexibility.c - see flexibility.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/run/static/flexibility.h"
#include "app/cli/interrupt.h"
#include "app/precond/multigrid.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>

void bf_job_flexibility_destroy(struct bf_flexibility **flexibility)
{
  struct bf_flexibility *f = *flexibility;
  if (!f) return;
  bf_unknowns_clear(&f->unknowns);
  bf_host_free(f->F);
  bf_host_free(f->tag);
  bf_host_free(f->place);
  bf_host_free((void *)f->component);
  bf_host_free((void *)f->group);
  bf_host_free(f);
  *flexibility = NULL;
}

/* ---- before the work ---- */

static bf_int rows_of(const bf_job *job)
{
  return job->mesh->nnodes * bf_model_ncomp(job->model);
}

/* E401 where the matrix and its workspace are more than the part of the memory that may be used. */
static void fits(bf_job *job)
{
  const bf_int        n = job->flexibility->unknowns.n;
  const bf_unit_route route =
      bf_unit_route_of(bf_static_method(job), rows_of(job)); /* the order of the dense matrix is smaller */
  const int64_t bytes = 8 * (int64_t)n * n + bf_unit_bytes(route, rows_of(job), n);
  const size_t  free  = bf_memory_available();
  const double  may   = job->config.device.memory_limit * (double)free;
  char          needs[24], allowed[24];
  if (free == 0 || (double)bytes <= may) return;
  bf_bytes_text((double)bytes, needs);
  bf_bytes_text(may, allowed);
  bf_diag_add(
      &job->diags, BF_ERROR, 401, job->config.output.flexibility[0].where,
      "the flexibility matrix of %d unknowns needs %s on the host, %s may be used; name smaller groups",
      (int)n, needs, allowed);
}

void bf_static_flexibility_targets(bf_job *job)
{
  const bf_output_config *o = &job->config.output;
  if (o->nflexibility == 0) return;
  const bf_where where = o->flexibility[0].where;
  bf_err         err   = BF_NEW(job->flexibility);
  if (err == BF_OK)
    err = bf_model_unknowns(job->model, o->nflexibility, o->flexibility, "output.flexibility", &job->diags,
                            &job->flexibility->unknowns);
  if (err == BF_E_MEMORY) bf_diag_add(&job->diags, BF_ERROR, 401, where, "%s", bf_err_message());
  if (err != BF_OK) return;
  const bf_unknowns *u = &job->flexibility->unknowns;
  if (u->n == 0) {
    bf_diag_add(&job->diags, BF_ERROR, 111, where,
                "output.flexibility: every unknown of these groups is prescribed%s",
                u->inner > 0 ? " or condensed" : "");
    return;
  }
  bf_log_line(&job->log, "influence flexibility matrix of %d unknowns of %d group%s", (int)u->n,
              o->nflexibility, o->nflexibility == 1 ? "" : "s");
  if (u->prescribed > 0)
    bf_log_line(&job->log,
                "          %d prescribed unknown%s of these groups %s left out: their response is 0",
                (int)u->prescribed, u->prescribed == 1 ? "" : "s", u->prescribed == 1 ? "is" : "are");
  if (u->inner > 0)
    bf_log_line(
        &job->log,
        "          %d node%s in the middle of elements %s left out: condensed; condense: off keeps them",
        (int)u->inner, u->inner == 1 ? "" : "s", u->inner == 1 ? "is" : "are");
  fits(job);
}

int bf_static_flexibility_has(const bf_job *job, int row, int column)
{
  const int n = job->flexibility ? (int)job->flexibility->unknowns.n : 0;
  return row >= 1 && row <= n && column >= 1 && column <= n;
}

/* ---- the matrix ---- */

/* Arrays of the rows for the writers; row[n]: scalar rows of the matrix. */
static bf_err describe_rows(bf_job *job, struct bf_flexibility *f, bf_int *row)
{
  static const char *const axis[3] = {"x", "y", "z"};
  const bf_physics_words  *words   = bf_physics_words_of(job->problem.physics);
  const int                D       = bf_model_ncomp(job->model);
  const bf_unknowns       *u       = &f->unknowns;
  BF_TRY(BF_NEW_ARRAY(f->tag, u->n));
  BF_TRY(BF_NEW_ARRAY(f->place, 3 * (size_t)u->n));
  BF_TRY(BF_NEW_ARRAY(f->component, u->n));
  BF_TRY(BF_NEW_ARRAY(f->group, u->n));
  for (bf_int i = 0; i < u->n; i++) {
    const size_t node = (size_t)u->node[i];
    row[i]            = job->num->row[node] * D + u->component[i];
    f->tag[i]         = job->mesh->node_tag[node];
    f->component[i]   = D == 1 ? words->field : axis[u->component[i]];
    f->group[i]       = job->config.output.flexibility[u->group[i]].name;
    for (size_t c = 0; c < 3; c++) f->place[3 * (size_t)i + c] = job->mesh->x[3 * node + c];
  }
  snprintf(f->unit, sizeof f->unit, "%s/%s", bf_unit_in(job->problem.units, words->field_unit),
           bf_unit_in(job->problem.units, words->force_unit));
  return BF_OK;
}

static void show(const bf_job *job, const struct bf_flexibility *f)
{
  const bf_unit_report *r = &f->report;
  switch (r->route) {
  case BF_UNIT_INVERSE:
    bf_log_line(&job->log,
                "influence dense inverse of order %d, %s path, condition %.3g, error at most %.2g, %.3g s",
                (int)r->order, bf_inverse_path(r->inverse.syinv.path), r->inverse.syinv.condition,
                r->inverse.bound, r->seconds);
    break;
  case BF_UNIT_FACTORS:
    bf_log_line(
        &job->log,
        "influence %d solutions with one factorisation, residual at most %.2g, asymmetry %.2g, %.3g s",
        (int)f->unknowns.n, r->residual, r->asymmetry, r->seconds);
    break;
  default:
    bf_log_line(
        &job->log,
        "influence %d solutions, %lld iterations in all, residual at most %.2g, asymmetry %.2g, %.3g s",
        (int)f->unknowns.n, (long long)r->iterations, r->residual, r->asymmetry, r->seconds);
    break;
  }
}

/* E509 */
static void report_failure(bf_job *job, const struct bf_flexibility *f)
{
  const bf_unit_report *r          = &f->report;
  const int             warn       = job->config.solver.warn_only;
  char                  which[120] = "";
  if (r->column >= 0)
    snprintf(which, sizeof which, ", load on node %lld, component %s", (long long)f->tag[r->column],
             f->component[r->column]);
  bf_diag_add(&job->diags, warn ? BF_WARNING : BF_ERROR, 509, job->config.output.flexibility[0].where,
              "the flexibility matrix is not written%s: %s", which, r->text);
}

/* Unit loads with a relative tolerance of the deck's; an absolute one is in the units of its loads. */
static bf_err compute(bf_job *job, struct bf_flexibility *f, const bf_int *row)
{
  bf_solve_options    opt   = bf_static_options(job);
  bf_job_body         body  = {.x = NULL};
  const bf_unit_route route = bf_unit_route_of(opt.method, rows_of(job));
  opt.monitor               = NULL;
  opt.atol                  = 0.0;
  if (opt.rtol == 0.0) opt.rtol = 1e-10;
  /* many right-hand sides share a hierarchy: auto is multigrid */
  if (opt.precond == BF_PRECOND_AUTO && opt.method != BF_METHOD_CG) opt.precond = BF_PRECOND_JACOBI;
  if (route == BF_UNIT_ITERATIONS && opt.precond >= BF_PRECOND_MULTIGRID)
    BF_TRY(bf_job_body_create(job, &body));
  opt.body = &body.body;
  if (route == BF_UNIT_ITERATIONS)
    bf_interrupt_hold("interrupted: the flexibility matrix is left out; press Ctrl-C again to stop at once");
  const bf_err err =
      bf_unit_solutions(job->A, job->A_fast, &opt, route, f->unknowns.n, row, f->F, &f->report);
  const int signal = route == BF_UNIT_ITERATIONS ? bf_interrupt_release() : 0;
  if (signal) job->interrupted = signal;
  bf_job_body_clear(&body);
  return err;
}

bf_err bf_static_flexibility(bf_job *job)
{
  struct bf_flexibility *f   = job->flexibility;
  bf_err                 err = BF_OK;
  bf_int                *row = NULL;
  if (!f) return BF_OK;
  if (job->solve.reason != BF_KRYLOV_CONVERGED) {
    bf_log_line(&job->log, "influence the flexibility matrix is left out: the solve did not converge");
    return BF_OK;
  }
  const size_t n = (size_t)f->unknowns.n;
  BF_GO(BF_NEW_ARRAY(row, n));
  BF_GO(BF_NEW_ARRAY(f->F, n * n));
  BF_GO(describe_rows(job, f, row));
  BF_GO(compute(job, f, row));
  bf_phase_add(&job->phases, "flexibility", f->report.seconds, 0.0, 0.0);
  f->made   = f->report.reason == BF_KRYLOV_CONVERGED;
  f->failed = !f->made;
  if (f->made)
    show(job, f);
  else
    report_failure(job, f);
done:
  bf_host_free(row);
  return err;
}

const bf_flexibility_record *bf_static_flexibility_record(const bf_job *job, bf_flexibility_record *store)
{
  const struct bf_flexibility *f = job->flexibility;
  if (!f || !f->made) return NULL;
  const bf_unit_report *r       = &f->report;
  const int             inverse = r->route == BF_UNIT_INVERSE;
  *store                        = (bf_flexibility_record){.n           = (int)f->unknowns.n,
                                                          .matrix      = f->F,
                                                          .node        = f->tag,
                                                          .place       = f->place,
                                                          .component   = f->component,
                                                          .group       = f->group,
                                                          .unit        = f->unit,
                                                          .route       = bf_unit_route_name(r->route),
                                                          .prescribed  = f->unknowns.prescribed,
                                                          .inner       = f->unknowns.inner,
                                                          .iterations  = r->iterations,
                                                          .residual    = r->residual,
                                                          .asymmetry   = r->asymmetry,
                                                          .condition   = inverse ? r->inverse.syinv.condition : (double)NAN,
                                                          .error_bound = inverse ? r->inverse.bound : (double)NAN,
                                                          .seconds     = r->seconds};
  return store;
}
