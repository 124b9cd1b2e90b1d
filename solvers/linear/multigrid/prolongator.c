/* solvers/linear/multigrid/prolongator.c - prolongation from aggregates: tentative, then smoothed
 *
 *     T = B M,  B = T R on every aggregate;   P = (I - 4/(3 lambda) D_F^-1 F) T
 *
 * M comes from the eigenvalues of the scaled Gram matrix of the modes on an aggregate, all of them one batch.
 *
 * Source: Vanek, Mandel, Brezina, Computing 56 (1996) 179, doi 10.1007/BF02238511
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/batch.h"
#include "solvers/linear/multigrid/aggregation.h"
#include <math.h>

enum { PRODUCTS = 15 }; /* Lanczos steps for lambda of F */

bf_err bf_mg_gram_eigen(bf_backend *be, int nq, bf_int count, double *vectors, double *values)
{
  bf_err         err   = BF_OK;
  const bf_batch batch = {
      .type = BF_D, .n = nq, .ld = nq, .count = count, .stride = (int64_t)nq * nq, .a = vectors};
  const bf_heev_how how   = {.vectors = 1, .uplo = BF_LOWER};
  size_t            bytes = 0;
  void             *work = NULL, *info = NULL;
  BF_GO(bf_batch_work(be, BF_HEEV, &batch, &bytes));
  BF_GO(bf_mg_reserve(be, (int64_t)bytes, 1, &work));
  BF_GO(bf_mg_reserve(be, count, sizeof(bf_int), &info));
  BF_GO(bf_heev_batch(be, &how, &batch, values, info, work)); /* failed: values are NaN, all phantoms */
done:
  be->ops.release(be, work);
  be->ops.release(be, info);
  return err;
}

/* g->combine, coarse->modes and coarse->fixed. */
static bf_err combinations(bf_mg_aggregation *g, const bf_mg_basis *B, bf_mg_stage *coarse)
{
  bf_err        err    = BF_OK;
  bf_backend   *be     = g->be;
  const int64_t square = (int64_t)g->nq * g->nq, m = (int64_t)g->count * g->nq;
  void         *gram = NULL, *vectors = NULL, *values = NULL, *p;
  BF_GO(bf_mg_reserve(be, g->count * square, sizeof(double), &gram));
  BF_GO(bf_mg_reserve(be, g->count * square, sizeof(double), &vectors));
  BF_GO(bf_mg_reserve(be, m, sizeof(double), &values));
  BF_GO(g->ops->gram(be, B, gram, vectors));
  BF_GO(bf_mg_gram_eigen(be, g->nq, g->count, vectors, values));
  BF_GO(bf_mg_reserve(be, g->count * square, sizeof(double), &p));
  g->combine = p;
  BF_GO(bf_mg_reserve(be, m * g->nq, sizeof(double), &p));
  coarse->modes  = p;
  coarse->nmodes = g->nq;
  BF_GO(bf_mg_reserve(be, m, 1, &p));
  coarse->fixed = p;
  BF_GO(g->ops->factor(be, B, gram, vectors, values, g->combine, coarse->modes, coarse->fixed));
done:
  be->ops.release(be, gram);
  be->ops.release(be, vectors);
  be->ops.release(be, values);
  return err;
}

bf_err bf_mg_tentative(bf_mg_aggregation *g, bf_mg_stage *coarse)
{
  bf_backend        *be   = g->be;
  const bf_mg_stage *fine = g->fine;
  int64_t           *ptr  = NULL;
  int64_t            nnz  = 0;
  void              *p;
  BF_TRY(bf_mg_reserve(be, (int64_t)g->count + 1, sizeof *g->members, &p));
  g->members = p;
  BF_TRY(bf_mg_reserve(be, g->n, sizeof *g->member, &p));
  g->member = p;
  BF_TRY(g->ops->members(be, g->n, g->count, g->aggregate, g->members, g->member));
  const bf_mg_basis B = {.n         = g->n,
                         .ncomp     = fine->ncomp,
                         .nq        = g->nq,
                         .modes     = fine->nmodes > 0 ? fine->modes : NULL,
                         .fixed     = fine->fixed,
                         .aggregate = g->aggregate,
                         .count     = g->count,
                         .ptr       = g->members,
                         .node      = g->member};
  BF_TRY(combinations(g, &B, coarse));
  const bf_block_form form = {g->n, g->count, fine->ncomp, g->nq, BF_FP64};
  BF_TRY(bf_mg_reserve(be, (int64_t)g->n + 1, sizeof *ptr, &p));
  ptr        = p;
  bf_err err = g->ops->tentative_rows(be, g->n, g->aggregate, ptr, &nnz);
  if (err == BF_OK) err = bf_block_rows_create(be, &form, nnz, &g->T);
  if (err == BF_OK) {
    be->ops.release(be, g->T->ptr);
    g->T->ptr = ptr;
    ptr       = NULL;
    err       = g->ops->tentative(be, &B, g->combine, g->T);
  }
  be->ops.release(be, ptr);
  if (err != BF_OK) bf_err_pass(err, __func__, __FILE__, __LINE__);
  return err;
}

/* The matrix without the couplings that G leaves out; NULL where it leaves out none. */
static bf_err filtered(bf_mg_aggregation *g)
{
  bf_backend *be = g->be;
  if (!g->G.ptr || g->G.nnz == g->A->nnz) return BF_OK;
  BF_TRY(bf_block_rows_create(be, &g->A->form, g->G.nnz, &g->F));
  BF_TRY(be->ops.copy(be, g->F->ptr, g->G.ptr, ((size_t)g->n + 1) * sizeof *g->G.ptr, BF_WITHIN));
  BF_TRY(be->ops.copy(be, g->F->col, g->G.col, (size_t)g->G.nnz * sizeof *g->G.col, BF_WITHIN));
  return g->ops->filter(be, g->A, g->strength, g->theta, g->F);
}

/* Diagonal and lambda of F; F is A where a diagonal entry of F is not positive. */
static bf_err lambda_of(bf_mg_aggregation *g, double *diagonal, double *lambda)
{
  bf_err      err = BF_OK;
  bf_mg_stage s   = {.be       = g->be,
                     .n        = g->fine->n,
                     .ncomp    = g->fine->ncomp,
                     .rows     = g->F,
                     .fixed    = g->fine->fixed,
                     .diagonal = diagonal};
  int         bad = 0;
  if (g->F) {
    BF_GO(bf_block_rows_diagonal(g->F, diagonal));
    BF_GO(bf_mg_stage_root(&s, &bad));
    if (bad) bf_block_rows_destroy(&g->F);
  }
  *lambda = g->fine->lambda;
  if (g->F) {
    BF_GO(bf_mg_lambda(&s, PRODUCTS, lambda));
  } else {
    BF_GO(g->be->ops.copy(g->be, diagonal, g->fine->diagonal, (size_t)s.n * sizeof *diagonal, BF_WITHIN));
    if (!(*lambda > 0.0)) BF_GO(bf_mg_lambda(g->fine, PRODUCTS, lambda));
  }
done:
  g->be->ops.release(g->be, s.root);
  return err;
}

bf_err bf_mg_smoothed(bf_mg_aggregation *g)
{
  bf_err  err = BF_OK;
  double  lambda;
  double *diagonal = NULL;
  void   *p        = NULL;
  BF_GO(filtered(g));
  BF_GO(bf_mg_reserve(g->be, g->fine->n, sizeof *diagonal, &p));
  diagonal = p;
  BF_GO(lambda_of(g, diagonal, &lambda));
  BF_GO(bf_block_rows_multiply(g->F ? g->F : g->A, g->T, &g->P));
  const bf_mg_smoothing S = {.weight   = lambda > 0.0 && isfinite(lambda) ? 4.0 / (3.0 * lambda) : 0.0,
                             .diagonal = diagonal,
                             .fixed    = g->fine->fixed};
  BF_GO(g->ops->smooth(g->be, &S, g->T, g->P));
done:
  g->be->ops.release(g->be, diagonal);
  return err;
}
