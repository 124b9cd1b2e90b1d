/* solvers/linear/iteration_limit.c - see iteration_limit.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/iteration_limit.h"
#include "solvers/linear/ritz_values.h"

static const double SETTLED = 1.1; /* quotient of two estimates of the smallest eigenvalue */

int bf_limit_first(bf_int n)
{
  const double wanted = 100.0 * sqrt((double)n);
  return wanted > 20000.0 ? (int)wanted : 20000;
}

int bf_limit_patience(bf_int n)
{
  return 1000 + (int)(4.0 * sqrt((double)n));
}

bf_err bf_limit_grow(bf_run *run, int *grown)
{
  const int before = run->chain + run->host.limit, made = run->chain + run->host.iteration, half = before / 2;
  const int before_chain = run->limit - before, first = bf_limit_first(run->A->nrows);
  bf_ritz_ends now, earlier;
  *grown = 0;
  if (run->trial > 0) return BF_OK;
  if (run->opt->max_iterations != BF_ITERATIONS_AUTO || run->opt->method != BF_METHOD_CG) return BF_OK;
  if (before == run->judged || half < 2 * BF_LOOK_MAX || made < half) return BF_OK;
  run->judged       = before;
  const double most = fmax(first, 20.0 * run->A->nrows), reduction = run->tol / sqrt(run->samples[0].rr);
  BF_TRY(bf_ritz_values(half, run->samples, &now));
  BF_TRY(bf_ritz_values(half / 2, run->samples, &earlier));
  const int    settled = now.least > 0.0 && earlier.least <= SETTLED * now.least;
  const double wanted  = settled ? 4.0 * bf_ritz_iterations(&now, reduction) : 2.0 * before;
  const double limit   = fmin(wanted, fmin(most, BF_ITERATIONS_MOST) - before_chain);
  if (!(limit > before)) return BF_OK;
  run->host.limit = (int)limit - run->chain;
  run->limit      = before_chain + (int)limit;
  *grown          = 1;
  return BF_OK;
}
