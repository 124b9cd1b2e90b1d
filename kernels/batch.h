/* kernels/batch.h - an open batch of small dense square matrices of one size, in fp64
 *
 *     A_b(i,j) = a[b*stride + j*ld + i],   0 <= i, j < n,   b = 0 .. count-1          (columns, as LAPACK)
 *
 * Entries between n and ld, and between two matrices, belong to the caller and are neither read nor written.
 * The operations are entries of the backend's table (backend.h): heev_batch, inverse_batch.  What a matrix
 * did is in info[b]: 0 = fine, 1 .. n = as in LAPACK, n+1 = an entry that is not finite, n+2 = not converged.
 * A matrix that fails leaves all others bit for bit as they are without it.
 */
#ifndef BF_BATCH_H
#define BF_BATCH_H
#include "base/err.h"

typedef struct bf_dense_batch {
  bf_int  n, ld;  /* 1 <= n <= ld */
  bf_int  count;  /* 0 is fine: nothing is done */
  int64_t stride; /* between first entries; at least ld*(n-1) + n where count > 1 */
  double *a;      /* backend memory, borrowed; any alignment of double */
} bf_dense_batch;

/* BF_E_ARG naming the first count or pointer that is out of range. */
bf_err bf_dense_batch_check(const bf_dense_batch *A);
#endif
