/* app/run/static/choose_solver.c - method: auto and preconditioner: auto of a static analysis, by expected
 * times
 *
 * method: auto is cg or bicgstab; on the CPU direct, where the band is so narrow that its factors are
 * expected to take less time.  With preconditioner: auto either takes jacobi, multigrid, or jacobi first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/multigrid.h"
#include "app/precond/solver_choice.h"
#include "app/run/static/cases.h"
#include "app/run/static/static.h"
#include "base/memory.h"
#include <math.h>

static const double UNCERTAIN = 1.5; /* times the expected time that a sure method may take */
static const double PECLET    = 1.0; /* of the cells, up to which multigrid converges */

bf_method bf_static_method(const bf_job *job)
{
  if (!job->config.solver.method_auto) return job->config.solver.method;
  if (job->plan.direct_chosen) return BF_METHOD_DIRECT;
  return bf_model_symmetric(job->model) ? BF_METHOD_CG : BF_METHOD_BICGSTAB;
}

/* The chosen candidate's expected seconds of a product. */
static double product_seconds(const bf_job *job)
{
  const bf_plan *plan = &job->plan;
  for (int i = 0; i < plan->candidates.count; i++)
    if (plan->candidates.item[i].format == plan->format && plan->candidates.item[i].half == plan->half)
      return plan->candidates.item[i].seconds;
  return 0.0;
}

static double largest_nu(const bf_job *job)
{
  const bf_problem *p    = &job->problem;
  double            most = 0.0;
  if (p->physics != BF_ELASTICITY || p->space == BF_SPACE_PLANE_STRESS) return 0.0;
  for (int i = 0; i < p->nmaterials; i++) most = fmax(most, p->material[i].nu);
  return most;
}

static bf_err size_of(const bf_job *job, bf_solver_size *s)
{
  const bf_solver_config *solver  = &job->config.solver;
  const int               D       = bf_model_ncomp(job->model);
  const double            product = product_seconds(job), rows = (double)job->num->nrows * D;
  *s = (bf_solver_size){.rows      = rows,
                        .nonzeros  = (double)job->num->nnz * D * D,
                        .product   = product,
                        .vector    = 8.0 * rows * product / (double)job->plan.product,
                        .reduction = fmin(solver->rtol > 0.0 ? solver->rtol : 1e-8, 0.5),
                        .shape     = bf_mesh_shape(job->mesh),
                        .cases     = job->cases ? bf_static_cases_loaded(job) : 1,
                        .dim       = job->mesh->dim,
                        .nu        = largest_nu(job),
                        .ncomp     = D,
                        .bicgstab  = !bf_model_symmetric(job->model),
                        .lattice   = job->plan.format == BF_FORMAT_BDIA,
                        .quadratic = bf_mesh_is_quadratic(job->mesh),
                        .stiff     = bf_job_is_stiff(job),
                        .on_device = bf_job_on_device(job)};
  return bf_model_contrast(job->model, &s->contrast, &s->share);
}

/* ---- the preconditioner ---- */

/* jacobi, and the line of the log that says why; 0: both are possible. */
static bf_err only_jacobi(const bf_job *job, const bf_solve_options *opt, int *jacobi)
{
  double peclet;
  *jacobi = opt->method == BF_METHOD_BICG;
  if (*jacobi)
    bf_log_line(&job->log, "precond   jacobi: multigrid of an unsymmetric matrix has no transpose");
  BF_TRY(bf_model_largest_peclet(job->model, &peclet));
  if (*jacobi || peclet <= PECLET) return BF_OK;
  *jacobi = 1;
  bf_log_line(&job->log,
              "precond   jacobi: cell Peclet numbers up to %.3g, multigrid converges up to about %g", peclet,
              PECLET);
  return BF_OK;
}

bf_err bf_static_choose_preconditioner(const bf_job *job, bf_solve_options *opt)
{
  int jacobi;
  if (opt->precond != BF_PRECOND_AUTO || opt->method == BF_METHOD_DIRECT || opt->method == BF_METHOD_INVERSE)
    return BF_OK;
  BF_TRY(only_jacobi(job, opt, &jacobi));
  if (jacobi) {
    opt->precond = BF_PRECOND_JACOBI;
    return BF_OK;
  }
  bf_solver_size size;
  BF_TRY(size_of(job, &size));
  size.bicgstab              = opt->method == BF_METHOD_BICGSTAB;
  const bf_solver_expected e = bf_solver_expect(&size);
  opt->trial                 = e.trial;
  bf_log_line(
      &job->log,
      "precond   expected: jacobi %.0f iterations, %.3g ms; multigrid %.0f, %.3g ms with its set-up: %s",
      e.jacobi_iterations, 1e3 * e.jacobi_seconds, e.iterations, 1e3 * e.seconds,
      e.trial == 0 ? "multigrid" : "jacobi first");
  return BF_OK;
}

/* ---- the method ---- */

/* 1: method and preconditioner are free, the CPU solves, and factors without any fill would pay.  Computing
 * the band takes about 2 ns per nonzero. */
int bf_static_may_factor(const bf_job *job)
{
  const bf_solver_config *solver = &job->config.solver;
  bf_solver_size          size;
  if (!solver->method_auto || solver->precond != BF_PRECOND_AUTO || job->plan.candidates.count == 0) return 0;
  if (bf_job_on_device(job)) return 0;
  if (size_of(job, &size) != BF_OK) return 1; /* without memory: bf_static_choose_method tries again */
  const bf_solver_expected e = bf_solver_expect(&size);
  return bf_direct_expect(&size, &(bf_direct_cost){.half = 0}) < fmin(e.seconds, e.jacobi_seconds);
}

bf_err bf_static_choose_method(bf_job *job)
{
  const bf_direct_cost *cost = &job->plan.direct;
  if (!job->config.solver.method_auto || cost->half == 0) return BF_OK;
  bf_solver_size size;
  BF_TRY(size_of(job, &size));
  const bf_solver_expected e    = bf_solver_expect(&size);
  const double             t    = bf_direct_expect(&size, cost);
  const size_t             free = bf_memory_available();
  const int                fits = free == 0 || (double)(cost->band + cost->beside) <=
                                    0.5 * job->config.device.memory_limit * (double)free;
  job->plan.direct_chosen = fits && t < (e.uncertain ? UNCERTAIN : 1.0) * fmin(e.seconds, e.jacobi_seconds);
  bf_log_line(&job->log, "method    expected: direct %.3g ms, jacobi %.3g ms, multigrid %.3g ms: %s", 1e3 * t,
              1e3 * e.jacobi_seconds, 1e3 * e.seconds,
              job->plan.direct_chosen ? "direct"
              : fits                  ? bf_method_name(bf_static_method(job))
                                      : "the factors do not fit");
  return BF_OK;
}
