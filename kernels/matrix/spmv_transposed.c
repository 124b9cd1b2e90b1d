/* kernels/matrix/spmv_transposed.c - y = A^T x where the format allows it without a transposed copy
 *
 *     (A^T x)[j] = sum over diagonals k of  U_k[j - off_k] x[j - off_k]
 *
 * In bDIA a diagonal of A^T is a diagonal of A moved by its offset (docs/theory/matrix.md), so a product with
 * the transpose reads the same values in the same order.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"

int bf_matrix_transposes_in_place(const bf_matrix *A)
{
  return A->bdia && A->format != BF_FORMAT_HYBRID;
}

bf_err bf_matrix_spmv_t(const bf_matrix *A, const double *x, double *y)
{
  BF_CHECK(A && x && y, BF_E_ARG, "null argument");
  BF_CHECK(x != y, BF_E_ARG, "y = A^T x with y the same vector as x");
  BF_CHECK(bf_matrix_transposes_in_place(A), BF_E_UNSUPPORTED,
           "a product with the transpose of format %d needs the transpose made", (int)A->format);
  if (A->bdia->half)
    BF_TRY(BF_OP(A->be, matrix.bdia_spmv, A->bdia, x, y, NULL, NULL));
  else
    BF_TRY(BF_OP(A->be, matrix.bdia_spmv_t, A->bdia, x, y));
  return BF_OK;
}
