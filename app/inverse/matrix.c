/* app/inverse/matrix.c - a Matrix Market file as a dense symmetric matrix */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/inverse/inverse.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>

static const double SYMMETRIC = 0x1p-40; /* differences relative to the rows: rounding, as for method cg */

static size_t at(const bf_inverse_job *job, bf_int i, bf_int j)
{
  return (size_t)j * (size_t)job->n + (size_t)i;
}

bf_err bf_inverse_read(bf_inverse_job *job)
{
  const double t0 = bf_seconds();
  BF_TRY(bf_mtx_read(job->opt.path, &job->diags, &job->M));
  const bf_mtx  *M       = job->M;
  const bf_where size    = {job->opt.path, M->size_line, 1};
  const double   seconds = bf_seconds() - t0;
  bf_phase_add(&job->phases, "matrix: read", seconds, (double)M->bytes, 0.0);
  job->layout   = M->layout;
  job->field    = M->field;
  job->symmetry = M->symmetry;
  job->listed   = M->listed;
  job->n        = M->nrows;
  bf_log_line(&job->log, "matrix    %s: %d x %d, %s %s %s, %lld entr%s", job->opt.path, M->nrows, M->ncols,
              bf_mtx_layout_name(M->layout), bf_mtx_field_name(M->field), bf_mtx_symmetry_name(M->symmetry),
              (long long)M->listed, M->listed == 1 ? "y" : "ies");
  if (M->nrows != M->ncols) {
    bf_diag_add(&job->diags, BF_ERROR, 226, size, "the matrix is rectangular, %d x %d: it has no inverse",
                M->nrows, M->ncols);
    return BF_FAIL(BF_E_MODEL, "the matrix is not square");
  }
  if (M->nrows > BF_SYINV_LARGEST) {
    bf_diag_add(&job->diags, BF_ERROR, 226, size,
                "the matrix has order %d; the largest order of an inverse is %d: solve systems instead "
                "(bandfem solve)",
                M->nrows, (int)BF_SYINV_LARGEST);
    return BF_FAIL(BF_E_MODEL, "the matrix is too large");
  }
  return BF_OK;
}

/* ---- dense matrix ---- */

/* A(i, j) += v; 1 if the place had an entry before. */
static int add(bf_inverse_job *job, uint64_t *seen, bf_int i, bf_int j, double v)
{
  const size_t k     = at(job, i, j);
  const int    again = (seen[k / 64] >> (k % 64) & 1) != 0;
  seen[k / 64] |= UINT64_C(1) << (k % 64);
  job->A[k] += v;
  if (i == j || job->symmetry == BF_MTX_GENERAL) return again;
  job->A[at(job, j, i)] += job->symmetry == BF_MTX_SKEW ? -v : v;
  return again;
}

static bf_err fill(bf_inverse_job *job)
{
  const bf_mtx *M    = job->M;
  const size_t  N    = (size_t)job->n;
  const int     skew = M->symmetry == BF_MTX_SKEW;
  uint64_t     *seen = NULL;
  bf_err        err  = BF_OK;
  BF_GO(BF_NEW_ARRAY(job->A, N * N));
  BF_GO(BF_NEW_ARRAY(seen, N * N / 64 + 1));
  if (M->layout == BF_MTX_COORDINATE)
    for (int64_t k = 0; k < M->nentries; k++)
      job->repeated += add(job, seen, M->row[k], M->col[k], M->val ? M->val[k] : 1.0);
  else
    for (int64_t k = 0, j = 0, i = skew; k < M->nentries; k++) {
      (void)add(job, seen, (bf_int)i, (bf_int)j, M->val[k]);
      if (++i < job->n) continue;
      j++;
      i = M->symmetry == BF_MTX_GENERAL ? 0 : j + skew;
    }
  if (job->repeated > 0)
    bf_diag_add(&job->diags, BF_NOTE, 230, (bf_where){.file = job->opt.path},
                "%lld of the %lld entries repeat a position; their values are summed",
                (long long)job->repeated, (long long)M->listed);
done:
  bf_host_free(seen);
  return err;
}

/* Sums may overflow where entries do not, and fp32 where fp64 does not. */
static bf_err in_range(bf_inverse_job *job)
{
  const int single = job->opt.type == BF_S;
  for (bf_int j = 0; j < job->n; j++)
    for (bf_int i = 0; i < job->n; i++) {
      const double a = job->A[at(job, i, j)];
      if (single ? isfinite((float)a) : isfinite(a)) continue;
      if (isfinite(a))
        bf_diag_add(&job->diags, BF_ERROR, 226, (bf_where){.file = job->opt.path},
                    "entry (%d, %d) = %g is beyond the range of fp32; use --precision fp64", i + 1, j + 1, a);
      else
        bf_diag_add(&job->diags, BF_ERROR, 224, (bf_where){.file = job->opt.path},
                    "the sum of the entries at (%d, %d) is too large", i + 1, j + 1);
      return BF_FAIL(BF_E_MODEL, "an entry overflows");
    }
  return BF_OK;
}

/* ---- symmetry ---- */

typedef struct pairs {
  const bf_inverse_job *job;
  double               *largest; /* owned [n]: magnitude in a row */
} pairs;

/* |a_ij - a_ji| relative to the largest magnitude in rows i and j */
static double difference(const pairs *p, bf_int i, bf_int j)
{
  const double d = fabs(p->job->A[at(p->job, i, j)] - p->job->A[at(p->job, j, i)]);
  return d == 0.0 ? 0.0 : d / fmax(p->largest[i], p->largest[j]);
}
static int differs(const void *context, bf_int i, bf_int j)
{
  return !(difference(context, i, j) <= SYMMETRIC);
}

static bf_err refuse(bf_inverse_job *job, const pairs *p)
{
  bf_where where;
  bf_int   i, j;
  BF_TRY(bf_mtx_find(job->opt.path, differs, p, &where, &i, &j));
  if (i < 0)
    bf_diag_add(&job->diags, BF_ERROR, 226, where,
                "the matrix is not symmetric: bandfem inverts symmetric matrices");
  else
    bf_diag_add(&job->diags, BF_ERROR, 226, where,
                "the matrix is not symmetric: entry (%d, %d) is %.17g, entry (%d, %d) is %.17g; bandfem "
                "inverts symmetric matrices",
                i + 1, j + 1, job->A[at(job, i, j)], j + 1, i + 1, job->A[at(job, j, i)]);
  return BF_FAIL(BF_E_MODEL, "the matrix is not symmetric");
}

static bf_err symmetrise(bf_inverse_job *job)
{
  pairs  p   = {.job = job};
  bf_err err = BF_OK;
  BF_GO(BF_NEW_ARRAY(p.largest, job->n));
  for (bf_int j = 0; j < job->n; j++)
    for (bf_int i = 0; i < job->n; i++) p.largest[i] = fmax(p.largest[i], fabs(job->A[at(job, i, j)]));
  for (bf_int j = 0; j < job->n; j++)
    for (bf_int i = j + 1; i < job->n; i++) job->asymmetry = fmax(job->asymmetry, difference(&p, i, j));
  if (!(job->asymmetry <= SYMMETRIC)) BF_GO(refuse(job, &p));
  if (job->asymmetry == 0.0) goto done;
  bf_log_line(&job->log,
              "          symmetric to rounding: values differ by at most %.2g of the largest in their rows; "
              "the mean of a pair is used",
              job->asymmetry);
  for (bf_int j = 0; j < job->n; j++)
    for (bf_int i = j + 1; i < job->n; i++) {
      double *low = &job->A[at(job, i, j)], *high = &job->A[at(job, j, i)];
      *low = *high = *low / 2 + *high / 2;
    }
done:
  bf_host_free(p.largest);
  return err;
}

bf_err bf_inverse_dense(bf_inverse_job *job)
{
  const double t0 = bf_seconds();
  BF_TRY(fill(job));
  bf_mtx_destroy(&job->M);
  BF_TRY(in_range(job));
  BF_TRY(symmetrise(job));
  bf_phase_add(&job->phases, "matrix: dense", bf_seconds() - t0, 8.0 * job->n * job->n, 0.0);
  return BF_OK;
}
