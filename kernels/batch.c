/* kernels/batch.c - see batch.h: the checks that all backends share */
#include "kernels/batch.h"

bf_err bf_dense_batch_check(const bf_dense_batch *A)
{
  BF_CHECK(A, BF_E_ARG, "null argument");
  BF_CHECK(A->n >= 1 && A->ld >= A->n && A->count >= 0, BF_E_ARG, "batch of %d matrices: n=%d ld=%d",
           A->count, A->n, A->ld);
  BF_CHECK(A->count < 2 || A->stride >= (int64_t)A->ld * (A->n - 1) + A->n, BF_E_ARG,
           "stride %lld is less than a matrix of n=%d ld=%d", (long long)A->stride, A->n, A->ld);
  BF_CHECK(A->a || A->count == 0, BF_E_ARG, "no memory for %d matrices", A->count);
  return BF_OK;
}
