/* app/solve/rhs.c - the right-hand side of bandfem solve: from a file, or of a known solution */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/solve/mtx.h"
#include "base/memory.h"

/* b = A * ones: the sums of the rows. */
static void row_sums(const bf_sparse *S, double *b)
{
  for (bf_int i = 0; i < S->nrows; i++) {
    b[i] = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) b[i] += S->val[p];
  }
}

static bf_err check_shape(bf_mtx_job *job, const bf_mtx *M)
{
  const bf_int   n  = job->S->nrows;
  const bf_where at = {job->opt.rhs, M->size_line, 1};
  if (M->ncols == 1 && M->nrows == n) return BF_OK;
  if (M->nrows == 1 && M->ncols == n && n > 1)
    bf_diag_add(&job->diags, BF_ERROR, 229, at,
                "the right-hand side is a row, 1 x %d; write it as a column, %d x 1", M->ncols, M->ncols);
  else if (M->ncols != 1)
    bf_diag_add(&job->diags, BF_ERROR, 229, at, "the right-hand side has %d columns; only one is supported",
                M->ncols);
  else
    bf_diag_add(&job->diags, BF_ERROR, 229, at, "the right-hand side has %d entr%s, the matrix %d row%s",
                M->nrows, M->nrows == 1 ? "y" : "ies", n, n == 1 ? "" : "s");
  return BF_FAIL(BF_E_MODEL, "the right-hand side does not fit the matrix");
}

bf_err bf_mtx_right_side(bf_mtx_job *job)
{
  bf_err  err = BF_OK;
  bf_mtx *M   = NULL;
  BF_GO(BF_NEW_ARRAY(job->host, job->S->nrows));
  if (!job->opt.rhs) {
    row_sums(job->S, job->host);
    bf_log_line(&job->log, "rhs       A times a vector of ones: the error of x is known");
    return BF_OK;
  }
  BF_GO(bf_mtx_read(job->opt.rhs, &job->diags, &M));
  BF_GO(check_shape(job, M));
  BF_GO(bf_mtx_vector(M, job->host));
  bf_log_line(&job->log, "rhs       %s", job->opt.rhs);
done:
  bf_mtx_destroy(&M);
  return err;
}
