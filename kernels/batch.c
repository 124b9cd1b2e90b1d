/* kernels/batch.c - see batch.h: checks common to all backends, then the backend's table */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/backend.h"

static bf_err shape_check(const bf_batch *A)
{
  BF_CHECK(A, BF_E_ARG, "null argument");
  BF_CHECK(A->type >= BF_S && A->type <= BF_Z, BF_E_ARG, "no scalar type %d", (int)A->type);
  BF_CHECK(A->n >= 1 && A->ld >= A->n && A->count >= 0, BF_E_ARG, "batch of %d matrices: n=%d ld=%d",
           A->count, A->n, A->ld);
  BF_CHECK(A->n <= BF_BATCH_LARGEST, BF_E_ARG, "matrices of n=%d are no batch", A->n);
  BF_CHECK(A->array || A->count < 2 || A->stride >= (int64_t)A->ld * (A->n - 1) + A->n, BF_E_ARG,
           "stride %lld is less than a matrix of n=%d ld=%d", (long long)A->stride, A->n, A->ld);
  return BF_OK;
}

bf_err bf_batch_check(const bf_batch *A)
{
  BF_TRY(shape_check(A));
  BF_CHECK(A->a || A->array || A->count == 0, BF_E_ARG, "no memory for %d matrices", A->count);
  return BF_OK;
}

bf_err bf_batch_work(bf_backend *be, bf_batch_op op, const bf_batch *A, size_t *bytes)
{
  BF_CHECK(be && bytes, BF_E_ARG, "null argument");
  BF_TRY(shape_check(A));
  *bytes = 0;
  return A->count == 0 ? BF_OK : BF_OP(be, batch.work, op, A, bytes);
}

/* The batch, its workspace and info are not NULL. */
static bf_err ready(bf_backend *be, bf_batch_op op, const bf_batch *A, const bf_int *info, const void *work)
{
  size_t bytes;
  BF_TRY(bf_batch_work(be, op, A, &bytes));
  BF_TRY(bf_batch_check(A));
  BF_CHECK(work || bytes == 0, BF_E_ARG, "no workspace of %zu bytes", bytes);
  BF_CHECK(info || A->count == 0, BF_E_ARG, "null argument");
  return BF_OK;
}

static bf_err rhs_check(const bf_batch *A, const bf_batch_rhs *B)
{
  BF_CHECK(B, BF_E_ARG, "null argument");
  BF_CHECK(B->nrhs >= 0 && B->ld >= A->n, BF_E_ARG, "%d right-hand sides of n=%d: ld=%d", B->nrhs, A->n,
           B->ld);
  BF_CHECK(B->array || A->count < 2 || B->stride >= (int64_t)B->ld * (B->nrhs - 1) + A->n, BF_E_ARG,
           "stride %lld is less than %d right-hand sides of n=%d ld=%d", (long long)B->stride, B->nrhs, A->n,
           B->ld);
  BF_CHECK(B->b || B->array || A->count == 0 || B->nrhs == 0, BF_E_ARG, "no memory for right-hand sides");
  return BF_OK;
}

static bf_err vectors_check(const bf_batch *A, const bf_batch_vector *x, const bf_batch_vector *y)
{
  BF_TRY(bf_batch_check(A));
  BF_CHECK(x && y, BF_E_ARG, "null argument");
  BF_CHECK(x->type == y->type && (x->type == A->type || (x->type == BF_D && A->type == BF_S) ||
                                  (x->type == BF_Z && A->type == BF_C)),
           BF_E_ARG, "matrices of type %d, vectors of types %d and %d", (int)A->type, (int)x->type,
           (int)y->type);
  BF_CHECK((x->v && y->v) || A->count == 0, BF_E_ARG, "null argument");
  BF_CHECK(x->v != y->v || A->count == 0, BF_E_ARG, "y = A x with y the same vectors as x");
  BF_CHECK(y->first || A->count < 2 || y->stride >= A->n, BF_E_ARG, "stride %lld of vectors of n=%d",
           (long long)y->stride, A->n);
  return BF_OK;
}

bf_err bf_getrf_batch(bf_backend *be, const bf_batch *A, bf_int *ipiv, bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_GETRF, A, info, work));
  if (A->count == 0) return BF_OK;
  BF_CHECK(ipiv, BF_E_ARG, "null argument");
  return BF_OP(be, batch.getrf, A, ipiv, info, work);
}

bf_err bf_getrs_batch(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                      const bf_batch_rhs *B, bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_GETRS, A, info, work));
  BF_TRY(rhs_check(A, B));
  BF_CHECK(trans >= BF_NO_TRANS && trans <= BF_CONJ_TRANS, BF_E_ARG, "no transposition %d", (int)trans);
  if (A->count == 0) return BF_OK;
  BF_CHECK(ipiv, BF_E_ARG, "null argument");
  return BF_OP(be, batch.getrs, trans, A, ipiv, B, info, work);
}

bf_err bf_getri_batch(bf_backend *be, const bf_batch *A, const bf_int *ipiv, bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_GETRI, A, info, work));
  if (A->count == 0) return BF_OK;
  BF_CHECK(ipiv, BF_E_ARG, "null argument");
  return BF_OP(be, batch.getri, A, ipiv, info, work);
}

bf_err bf_inverse_batch(bf_backend *be, const bf_batch *A, bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_INVERSE, A, info, work));
  return A->count == 0 ? BF_OK : BF_OP(be, batch.inverse, A, info, work);
}

static bf_err uplo_check(bf_uplo uplo)
{
  BF_CHECK(uplo == BF_LOWER || uplo == BF_UPPER, BF_E_ARG, "no triangle %d", (int)uplo);
  return BF_OK;
}

bf_err bf_potrf_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_POTRF, A, info, work));
  BF_TRY(uplo_check(uplo));
  return A->count == 0 ? BF_OK : BF_OP(be, batch.potrf, uplo, A, info, work);
}

bf_err bf_potrs_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                      void *work)
{
  BF_TRY(ready(be, BF_POTRS, A, info, work));
  BF_TRY(uplo_check(uplo));
  BF_TRY(rhs_check(A, B));
  return A->count == 0 ? BF_OK : BF_OP(be, batch.potrs, uplo, A, B, info, work);
}

bf_err bf_posv_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bf_int *info,
                     void *work)
{
  BF_TRY(ready(be, BF_POSV, A, info, work));
  BF_TRY(uplo_check(uplo));
  BF_TRY(rhs_check(A, B));
  return A->count == 0 ? BF_OK : BF_OP(be, batch.posv, uplo, A, B, info, work);
}

bf_err bf_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                     const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  BF_CHECK(be, BF_E_ARG, "null argument");
  BF_TRY(vectors_check(A, x, y));
  BF_CHECK(trans >= BF_NO_TRANS && trans <= BF_CONJ_TRANS, BF_E_ARG, "no transposition %d", (int)trans);
  return A->count == 0 ? BF_OK : BF_OP(be, batch.gemv, trans, alpha, A, x, beta, y);
}

bf_err bf_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A, const bf_batch_vector *x,
                     double beta, const bf_batch_vector *y)
{
  BF_CHECK(be, BF_E_ARG, "null argument");
  BF_TRY(vectors_check(A, x, y));
  BF_TRY(uplo_check(uplo));
  return A->count == 0 ? BF_OK : BF_OP(be, batch.symv, uplo, alpha, A, x, beta, y);
}

static bf_err how_check(const bf_heev_how *how)
{
  BF_CHECK(how, BF_E_ARG, "null argument");
  BF_TRY(uplo_check(how->uplo));
  BF_CHECK(how->tolerance >= 0.0 && how->tolerance < 1.0 && how->sweeps >= 0, BF_E_ARG,
           "tolerance %g, %d sweeps", how->tolerance, how->sweeps);
  return BF_OK;
}

bf_err bf_heev_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, void *w, bf_int *info,
                     void *work)
{
  BF_TRY(ready(be, BF_HEEV, A, info, work));
  BF_TRY(how_check(how));
  if (A->count == 0) return BF_OK;
  BF_CHECK(w, BF_E_ARG, "null argument");
  return BF_OP(be, batch.heev, how, A, w, info, work);
}

bf_err bf_hegv_batch(bf_backend *be, const bf_heev_how *how, const bf_batch *A, const bf_batch *B, void *w,
                     bf_int *info, void *work)
{
  BF_TRY(ready(be, BF_HEGV, A, info, work));
  BF_TRY(how_check(how));
  BF_TRY(bf_batch_check(B));
  BF_CHECK(A->type == B->type && A->n == B->n && A->count == B->count && A->sizes == B->sizes, BF_E_ARG,
           "%d matrices of n=%d beside %d of n=%d, or other types or sizes", A->count, A->n, B->count, B->n);
  if (A->count == 0) return BF_OK;
  BF_CHECK(w, BF_E_ARG, "null argument");
  return BF_OP(be, batch.hegv, how, A, B, w, info, work);
}
