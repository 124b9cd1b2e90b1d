/* app/solve/open.c - a reads a matrix, sums repeated entries, reports its statistics
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include "app/solve/mtx.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

int bf_is_mtx(const char *path)
{
  const size_t n        = strlen(path);
  char         text[16] = "";
  if (n > 4 && strcmp(path + n - 4, ".mtx") == 0) return 1;
  struct stat st; /* a pipe cannot be read twice */
  FILE       *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
  if (f) text[fread(text, 1, sizeof text - 1, f)] = '\0';
  if (f) fclose(f);
  return strncasecmp(text, "%%MatrixMarket", 14) == 0;
}

/* Entries of the triangle that the file lists. */
static int64_t listed_entries(const bf_sparse *S, bf_mtx_symmetry symmetry)
{
  int64_t n = 0;
  if (symmetry == BF_MTX_GENERAL) return S->nnz;
  for (bf_int i = 0; i < S->nrows; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) n += S->col[p] <= i;
  return n;
}

static bf_err to_sparse(bf_mtx_job *job, bf_mtx *M)
{
  const double t0 = bf_seconds();
  BF_TRY(bf_mtx_expand(M));
  BF_TRY(bf_sparse_from_triplets(M->nrows, M->ncols, M->nentries, M->row, M->col, M->val, &job->S));
  if (M->layout == BF_MTX_COORDINATE) job->repeated = M->listed - listed_entries(job->S, M->symmetry);
  if (job->repeated > 0)
    bf_diag_add(&job->diags, BF_NOTE, 230, (bf_where){.file = job->opt.path},
                "%lld of the %lld entries repeat a position; their values are summed",
                (long long)job->repeated, (long long)M->listed);
  bf_phase_add(&job->phases, "matrix: compressed rows", bf_seconds() - t0, 0.0, 0.0);
  return BF_OK;
}

/* A sum may overflow although its entries are finite. */
static bf_err finite(bf_mtx_job *job)
{
  for (bf_int i = 0; i < job->S->nrows; i++)
    for (int64_t p = job->S->ptr[i]; p < job->S->ptr[i + 1]; p++)
      if (!(job->S->val[p] - job->S->val[p] == 0.0)) {
        bf_diag_add(&job->diags, BF_ERROR, 224, (bf_where){.file = job->opt.path},
                    "the sum of the entries at (%d, %d) is too large", i + 1, job->S->col[p] + 1);
        return BF_FAIL(BF_E_MODEL, "a sum of entries overflows");
      }
  return BF_OK;
}

static void warn(bf_mtx_job *job)
{
  const bf_statistics *v  = &job->statistics;
  const bf_where       at = {.file = job->opt.path};
  if (v->empty_rows)
    bf_diag_add(&job->diags, BF_WARNING, 228, at,
                "%d row%s without nonzero entries (the first is row %d): the matrix is singular",
                v->empty_rows, v->empty_rows == 1 ? "" : "s", v->empty_row + 1);
  if (v->empty_cols)
    bf_diag_add(&job->diags, BF_WARNING, 228, at,
                "%d column%s without nonzero entries (the first is column %d): the matrix is singular",
                v->empty_cols, v->empty_cols == 1 ? "" : "s", v->empty_col + 1);
}

static void show_file(const bf_mtx_job *job, const bf_mtx *M, double seconds)
{
  bf_log_line(&job->log, "matrix    %s: %d x %d, %s %s %s, %lld entr%s", job->opt.path, M->nrows, M->ncols,
              bf_mtx_layout_name(M->layout), bf_mtx_field_name(M->field), bf_mtx_symmetry_name(M->symmetry),
              (long long)M->listed, M->listed == 1 ? "y" : "ies");
  bf_log_line(&job->log, "          read in %.3g s, %.0f MB/s", seconds, 1e-6 * (double)M->bytes / seconds);
}

bf_err bf_mtx_open(bf_mtx_job *job)
{
  bf_err       err = BF_OK;
  bf_mtx      *M   = NULL;
  const double t0  = bf_seconds();
  BF_GO(bf_mtx_read(job->opt.path, &job->diags, &M));
  const double seconds = bf_seconds() - t0;
  bf_phase_add(&job->phases, "matrix: read", seconds, (double)M->bytes, 0.0);
  show_file(job, M, seconds);
  if (M->nrows != M->ncols) {
    bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){job->opt.path, M->size_line, 1},
                "the matrix is rectangular, %d x %d: bandfem solves square systems", M->nrows, M->ncols);
    BF_GO(BF_FAIL(BF_E_MODEL, "the matrix is not square"));
  }
  BF_GO(to_sparse(job, M));
  bf_mtx_destroy(&M);
  BF_GO(finite(job));
  const double t1 = bf_seconds();
  BF_GO(bf_sparse_statistics(job->S, &job->statistics));
  bf_phase_add(&job->phases, "matrix: statistics", bf_seconds() - t1, 0.0, 0.0);
  warn(job);
done:
  bf_mtx_destroy(&M);
  return err;
}
