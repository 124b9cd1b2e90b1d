/* solvers/linear/multigrid/coarsest.c - the explicit inverse of the coarsest matrix, fp64
 *
 *     X = S (S A S)^-1 S,   S = diag(A)^-1/2
 *
 * Source of the inverse: kernels/syinv.h.  A matrix that is not positive definite to rounding, as that of a
 * body without supports, gets S A S + 1e-8 I in its place.  Unsymmetric: LU, order 512 at most.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/block_rows.h"
#include "kernels/multigrid/ops.h"
#include "kernels/precond/block_jacobi.h"
#include "kernels/syinv.h"
#include "solvers/linear/multigrid/multigrid.h"
#include <math.h>

static const double SHIFT = 1e-8, WORST = 1e14; /* condition number that the inverse may have */

/* a[n][n] = A of the stage; rows of a bf_matrix are gathered as one block */
static bf_err dense(const bf_mg_stage *s, double *a)
{
  bf_err      err   = BF_OK;
  bf_backend *be    = s->be;
  bf_int     *place = NULL, *host = NULL;
  void       *p = NULL, *q = NULL;
  if (s->rows) return bf_block_rows_to_dense(s->rows, a);
  BF_GO(BF_NEW_ARRAY(host, s->n));
  BF_GO(be->ops.alloc(be, (size_t)s->n * sizeof(bf_int), &p));
  BF_GO(be->ops.alloc(be, (size_t)s->n * sizeof(bf_int), &q));
  place = p;
  for (bf_int i = 0; i < s->n; i++) host[i] = i;
  BF_GO(be->ops.copy(be, place, host, (size_t)s->n * sizeof *host, BF_TO_DEVICE));
  BF_GO(be->ops.zero(be, q, (size_t)s->n * sizeof(bf_int)));
  BF_GO(be->ops.zero(be, a, (size_t)s->n * (size_t)s->n * sizeof *a));
  BF_GO(bf_matrix_blocks(s->A, &(bf_block_map){q, place, s->n, (int64_t)s->n * s->n, a}));
  BF_GO(be->ops.sync(be));
done:
  be->ops.release(be, p);
  be->ops.release(be, q);
  bf_host_free(host);
  return err;
}

/* X = (S A S + shift I)^-1, in place; rep->info 0: done. */
static bf_err invert_scaled(const bf_mg_stage *s, double shift, double *X, void *work, bf_syinv_report *rep)
{
  const bf_syinv_how how = {.uplo = BF_LOWER, .method = BF_SYINV_DEFINITE};
  BF_TRY(dense(s, X));
  BF_TRY(s->be->ops.mg_cycle->scale_both(s->be, s->n, s->root, shift, X));
  return bf_syinv(s->be, &how, BF_D, s->n, s->n, X, work, rep);
}

static bf_err symmetric_inverse(const bf_mg_stage *s, double *X, const char **singular)
{
  const bf_syinv_how how   = {.uplo = BF_LOWER, .method = BF_SYINV_DEFINITE};
  bf_backend        *be    = s->be;
  bf_err             err   = BF_OK;
  void              *work  = NULL;
  size_t             bytes = 0;
  bf_syinv_report    rep;
  *singular = NULL;
  BF_GO(bf_syinv_work(be, &how, BF_D, s->n, &bytes));
  BF_GO(be->ops.alloc(be, bytes, &work));
  BF_GO(invert_scaled(s, 0.0, X, work, &rep));
  if (rep.info != 0 || !(rep.condition < WORST)) BF_GO(invert_scaled(s, SHIFT, X, work, &rep));
  if (rep.info != 0) *singular = "the coarsest matrix is not positive definite";
  if (!*singular) BF_GO(be->ops.mg_cycle->scale_both(be, s->n, s->root, 0.0, X));
done:
  be->ops.release(be, work);
  return err;
}

/* X by rows. */
static bf_err general_inverse(const bf_mg_stage *s, double *X, const char **singular)
{
  bf_backend *be   = s->be;
  bf_err      err  = BF_OK;
  void       *work = NULL, *info = NULL;
  size_t      bytes = 0;
  bf_int      wrong = 0;
  bf_batch    one   = {.type = BF_D, .n = s->n, .count = 1, .ld = s->n, .stride = (int64_t)s->n * s->n};
  void       *a     = NULL;
  *singular         = NULL;
  if (s->n > BF_BLOCK_MOST) *singular = "no unsymmetric level has at most 512 unknowns";
  if (*singular) return BF_OK;
  BF_GO(be->ops.alloc(be, (size_t)one.stride * sizeof *X, &a));
  one.a = a;
  BF_GO(dense(s, a));
  BF_GO(bf_batch_work(be, BF_INVERSE, &one, &bytes));
  BF_GO(be->ops.alloc(be, bytes, &work));
  BF_GO(be->ops.alloc(be, sizeof(bf_int), &info));
  BF_GO(bf_inverse_batch(be, &one, info, work));
  BF_GO(be->ops.copy(be, &wrong, info, sizeof wrong, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  if (wrong != 0) *singular = "the coarsest matrix is singular";
  BF_GO(BF_OP(be, convert.dense_transpose, s->n, s->n, a, X));
done:
  be->ops.release(be, a);
  be->ops.release(be, work);
  be->ops.release(be, info);
  return err;
}

bf_err bf_mg_invert(const bf_mg_stage *s, int symmetric, double **X, const char **singular)
{
  bf_backend *be = s->be;
  void       *p  = NULL;
  BF_TRY(be->ops.alloc(be, (size_t)s->n * (size_t)s->n * sizeof **X, &p));
  *X = p;
  return symmetric ? symmetric_inverse(s, *X, singular) : general_inverse(s, *X, singular);
}
