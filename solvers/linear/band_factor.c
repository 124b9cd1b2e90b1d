/* solvers/linear/band_factor.c - see band_factor.h
 *
 *     P R A C P^T = L L^T  or  L U
 *
 * P is the numbering of direct_ordering.c; R and C are diagonals of powers of two, so that pivoting and
 * condition estimate do not depend on units.  Cholesky where A is symmetric with a positive diagonal: R = C
 * make the diagonal about 1.  If that meets a leading minor that is not positive, or A is unsymmetric, LU
 * with row exchanges: R and C make the sum of the absolute values of every row and column about 1.
 *
 * Source: LAPACK Users' Guide (dpbtrf, dgbtrf); Sinkhorn and Knopp, Concerning nonnegative matrices and
 * doubly stochastic matrices, Pacific J. Math. 21 (1967) 343, doi:10.2140/pjm.1967.21.343.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/band_factor.h"
#include "base/memory.h"
#include "kernels/matrix/statistics.h"
#include "solvers/linear/direct.h"
#include <math.h>
#include <string.h>

static const double SYMMETRIC = 0x1p-40; /* largest |a_ij - a_ji| of a symmetric matrix, scaled */

/* ---- the permuted, scaled band ---- */

static bf_err order(const bf_sparse *S, int D, bf_factors *f)
{
  bf_err       err  = BF_OK;
  bf_graph    *g    = NULL;
  bf_int      *node = NULL, half;
  const bf_int n    = S->nrows;
  BF_GO(bf_sparse_graph(S, D, &g));
  BF_GO(BF_NEW_ARRAY(node, g->n));
  BF_GO(bf_direct_order(g, node, &half));
  for (bf_int i = 0; i < n; i++) f->place[i] = node[i / D] * D + i % D;
  for (bf_int i = 0; i < n; i++)
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const bf_int k = f->place[i] - f->place[S->col[p]];
      if (S->val[p] == 0.0) continue;
      if (k > f->kl) f->kl = k;
      if (-k > f->ku) f->ku = -k;
    }
done:
  bf_graph_destroy(&g);
  bf_host_free(node);
  return err;
}

/* R = C from the diagonal; f->symmetric: A is symmetric up to rounding with a diagonal that is not negative.
 */
static void scale_by_diagonal(const bf_sparse *S, bf_factors *f)
{
  double *scale = f->row;
  for (bf_int i = 0; i < S->nrows; i++) {
    double size = fabs(bf_sparse_value(S, i, i));
    for (int64_t p = S->ptr[i]; size == 0.0 && p < S->ptr[i + 1]; p++) size = fmax(size, fabs(S->val[p]));
    scale[i] = size > 0.0 && isfinite(size) ? ldexp(1.0, -(int)floor(0.5 * ilogb(size))) : 1.0;
  }
  memcpy(f->column, scale, (size_t)f->n * sizeof *scale);
  f->symmetric = 0;
  for (bf_int i = 0; i < S->nrows; i++) {
    if (!(bf_sparse_value(S, i, i) >= 0.0)) return;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const bf_int j = S->col[p];
      if (j != i && !(fabs(S->val[p] - bf_sparse_value(S, j, i)) * scale[i] * scale[j] <= SYMMETRIC)) return;
    }
  }
  f->symmetric = 1;
}

/* scale[i] = 1/size[i], 1 where that is no number; returns the largest change, a factor >= 1. */
static double invert(bf_int n, const double *size, double *scale)
{
  double most = 1.0;
  for (bf_int i = 0; i < n; i++) {
    const int    usable = size[i] > 0.0 && isfinite(size[i]) && isfinite(1.0 / size[i]);
    const double old    = scale[i];
    scale[i]            = usable ? 1.0 / size[i] : 1.0;
    if (usable) most = fmax(most, fmax(old / scale[i], scale[i] / old));
  }
  return most;
}

/* R and C by the iteration of Sinkhorn and Knopp: R makes the sums of |R A C| of every row 1, then C those of
 * every column, and so on until R changes by less than a factor 2; at last rounded to powers of two.  The
 * limit does not depend on the units of rows and columns. */
static bf_err equilibrate(const bf_sparse *S, bf_factors *f)
{
  enum { SWEEPS = 100 };
  bf_err  err  = BF_OK;
  double *size = NULL, change = INFINITY;
  BF_GO(BF_NEW_ARRAY(size, f->n));
  for (bf_int i = 0; i < f->n; i++) f->row[i] = f->column[i] = 1.0;
  for (int sweep = 0; sweep < SWEEPS && change > 2.0; sweep++) {
    memset(size, 0, (size_t)f->n * sizeof *size);
    for (bf_int i = 0; i < f->n; i++)
      for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) size[i] += fabs(S->val[p]) * f->column[S->col[p]];
    change = invert(f->n, size, f->row);
    if (sweep == 0) change = INFINITY; /* columns are not scaled yet */
    memset(size, 0, (size_t)f->n * sizeof *size);
    for (bf_int i = 0; i < f->n; i++)
      for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) size[S->col[p]] += f->row[i] * fabs(S->val[p]);
    invert(f->n, size, f->column);
  }
  for (bf_int i = 0; i < f->n; i++) {
    f->row[i]    = ldexp(1.0, ilogb(f->row[i]));
    f->column[i] = ldexp(1.0, ilogb(f->column[i]));
  }
done:
  bf_host_free(size);
  return err;
}

/* A row of zeros whose column is zeros too: an unknown in no equation (a row that belongs to no node).  It
 * gets a diagonal of 1, so it keeps its start value. */
static void fill_unused(bf_factors *f, const uint8_t *used)
{
  for (bf_int i = 0; i < f->n; i++)
    if (!used[i]) f->B.ab[bf_band_at(&f->B, f->place[i], f->place[i])] = 1.0;
}

static bf_err fill(const bf_sparse *S, bf_factors *f)
{
  uint8_t *used = NULL;
  BF_TRY(BF_NEW_ARRAY(used, S->nrows));
  for (bf_int r = 0; r < S->nrows; r++)
    for (int64_t p = S->ptr[r]; p < S->ptr[r + 1]; p++) {
      const bf_int c = S->col[p], i = f->place[r], j = f->place[c];
      if (S->val[p] == 0.0) continue;
      used[r] = used[c] = 1;
      if (!f->B.spd || i >= j) f->B.ab[bf_band_at(&f->B, i, j)] = f->row[r] * S->val[p] * f->column[c];
    }
  fill_unused(f, used);
  bf_host_free(used);
  return BF_OK;
}

/* ---- factors ---- */

static void forget_band(bf_factors *f)
{
  if (!f->be) return;
  f->be->ops.release(f->be, f->B.ab);
  f->be->ops.release(f->be, f->B.pivot);
  f->B = (bf_band){0};
}

/* The band with the values of S, not factored. */
static bf_err set_band(const bf_sparse *S, int spd, bf_factors *f)
{
  bf_backend  *be = f->be;
  const bf_int k  = f->kl > f->ku ? f->kl : f->ku;
  size_t       available, total;
  void        *p;
  forget_band(f);
  f->B                = bf_band_shape(f->n, spd ? k : f->kl, spd ? k : f->ku, spd);
  const int64_t bytes = bf_band_bytes(&f->B);
  BF_TRY(be->ops.memory(be, &available, &total));
  BF_CHECK(available == 0 || (uint64_t)bytes <= available, BF_E_MEMORY,
           "a factorisation of %d rows with %d diagonals below and %d above needs %.1f MiB, %.1f MiB are "
           "available",
           (int)f->B.n, (int)f->B.kl, (int)f->B.ku, (double)bytes / 0x1p20, (double)available / 0x1p20);
  BF_TRY(be->ops.alloc(be, (size_t)(f->B.ld * f->B.n) * sizeof(double), &p));
  f->B.ab = p;
  BF_TRY(be->ops.zero(be, p, (size_t)(f->B.ld * f->B.n) * sizeof(double)));
  if (!spd) {
    BF_TRY(be->ops.alloc(be, (size_t)f->B.n * sizeof(bf_int), &p));
    f->B.pivot = p;
  }
  return fill(S, f);
}

static bf_err factor_as(const bf_sparse *S, int spd, bf_factors *f)
{
  if (!spd) BF_TRY(equilibrate(S, f));
  BF_TRY(set_band(S, spd, f));
  return BF_OP(f->be, band.factor, &f->B, &f->met);
}

/* Memory, numbering, R and C of Cholesky. */
static bf_err prepare(bf_backend *be, const bf_sparse *S, int ncomp, bf_factors *f)
{
  BF_CHECK(be && S && S->nrows == S->ncols && ncomp >= 1 && S->nrows % ncomp == 0, BF_E_ARG,
           "no square matrix of %d components", ncomp);
  f->be = be;
  f->n  = S->nrows;
  BF_TRY(BF_NEW_ARRAY(f->place, f->n));
  BF_TRY(BF_NEW_ARRAY(f->row, f->n));
  BF_TRY(BF_NEW_ARRAY(f->column, f->n));
  BF_TRY(BF_NEW_ARRAY(f->t, f->n));
  BF_TRY(order(S, ncomp, f));
  scale_by_diagonal(S, f);
  return BF_OK;
}

bf_err bf_factors_create(bf_backend *be, const bf_sparse *S, int ncomp, bf_factors **out)
{
  bf_err      err = BF_OK;
  bf_factors *f   = NULL;
  BF_CHECK(out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW(f));
  BF_GO(prepare(be, S, ncomp, f));
  if (f->symmetric) BF_GO(factor_as(S, 1, f));
  f->tried = f->symmetric && f->met.info > 0;
  if (!f->symmetric || f->tried) BF_GO(factor_as(S, 0, f));
  *out = f;
  f    = NULL;
done:
  bf_factors_destroy(&f);
  return err;
}

bf_err bf_factors_inertia(bf_backend *be, const bf_sparse *S, int ncomp, bf_band_inertia *out)
{
  bf_err      err = BF_OK;
  bf_factors *f   = NULL;
  BF_GO(BF_NEW(f));
  BF_GO(prepare(be, S, ncomp, f));
  BF_GO(set_band(S, 1, f));
  BF_GO(BF_OP(be, band.inertia, &f->B, out));
done:
  bf_factors_destroy(&f);
  return err;
}

void bf_factors_destroy(bf_factors **factors)
{
  if (!factors || !*factors) return;
  bf_factors *f = *factors;
  forget_band(f);
  bf_host_free(f->t);
  bf_host_free(f->row);
  bf_host_free(f->column);
  bf_host_free(f->place);
  bf_host_free(f);
  *factors = NULL;
}

bf_err bf_factors_add(const bf_factors *f, const double *r, double *x)
{
  for (bf_int i = 0; i < f->n; i++) f->t[f->place[i]] = f->row[i] * r[i];
  BF_TRY(BF_OP(f->be, band.solve, &f->B, f->t));
  for (bf_int i = 0; i < f->n; i++) x[i] += f->column[i] * f->t[f->place[i]];
  return BF_OK;
}

bf_int bf_factors_half(const bf_factors *f)
{
  return f->kl > f->ku ? f->kl : f->ku;
}
