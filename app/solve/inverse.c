/* app/solve/inverse.c - method inverse: requirements on the matrix, result in the log */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse_memory.h"
#include "app/solve/mtx.h"
#include <math.h>

/* Reports entries that differ from their transposed entry by more than rounding. */
static int differs(const void *context, bf_int i, bf_int j)
{
  const bf_sparse *S = context;
  const double     a = bf_sparse_value(S, i, j), b = bf_sparse_value(S, j, i);
  double           largest = 0.0;
  if (a == b) return 0;
  for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) largest = fmax(largest, fabs(S->val[p]));
  for (int64_t p = S->ptr[j]; p < S->ptr[j + 1]; p++) largest = fmax(largest, fabs(S->val[p]));
  return !(fabs(a - b) <= 0x1p-40 * largest); /* as bf_statistics_nearly_symmetric */
}

static bf_err refuse_unsymmetric(bf_mtx_job *job)
{
  bf_where where;
  bf_int   i, j;
  BF_TRY(bf_mtx_find(job->opt.path, differs, job->S, &where, &i, &j));
  if (i < 0)
    bf_diag_add(&job->diags, BF_ERROR, 226, where,
                "method inverse: the matrix is not symmetric; use another method");
  else
    bf_diag_add(
        &job->diags, BF_ERROR, 226, where,
        "method inverse: the matrix is not symmetric: entry (%d, %d) is %.17g, entry (%d, %d) is %.17g; "
        "use another method",
        i + 1, j + 1, bf_sparse_value(job->S, i, j), j + 1, i + 1, bf_sparse_value(job->S, j, i));
  return BF_FAIL(BF_E_MODEL, "inverse of a matrix that is not symmetric");
}

bf_err bf_mtx_can_invert(bf_mtx_job *job)
{
  if (job->opt.method != BF_METHOD_INVERSE) return BF_OK;
  if (job->S->nrows > BF_SYINV_LARGEST) {
    bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path},
                "method inverse: the matrix has order %d, at most %d; use another method", job->S->nrows,
                (int)BF_SYINV_LARGEST);
    return BF_FAIL(BF_E_MODEL, "the matrix is too large for its inverse");
  }
  return bf_statistics_nearly_symmetric(&job->statistics) ? BF_OK : refuse_unsymmetric(job);
}

bf_err bf_mtx_inverse_fits(bf_mtx_job *job)
{
  bf_inverse_memory m;
  if (job->opt.method != BF_METHOD_INVERSE) return BF_OK;
  return bf_inverse_memory_check(job->be, job->S->nrows, job->opt.prec == BF_FP32, job->opt.memory_limit,
                                 (bf_where){.file = job->opt.path}, &job->log, &job->diags, &m);
}

void bf_mtx_show_inverse(const bf_mtx_job *job)
{
  const bf_inverse_report *r = &job->solve.inverse;
  if (job->method != BF_METHOD_INVERSE || r->syinv.info != 0 || !(r->syinv.condition > 0.0)) return;
  bf_log_line(&job->log, "          inverse: %s path, %d Newton-Schulz step%s, condition %.3g, %.3g s",
              bf_inverse_path(r->syinv.path), r->syinv.refined, r->syinv.refined == 1 ? "" : "s",
              r->syinv.condition, r->seconds);
  if (isfinite(job->solve.forward_error))
    bf_log_line(&job->log, "          error of x at most %.3g of its largest entry",
                job->solve.forward_error);
  else
    bf_log_line(&job->log,
                "          no bound of the error: ||A X - I||_1 may be %.3g, a bound needs less than 1",
                r->rho);
}
