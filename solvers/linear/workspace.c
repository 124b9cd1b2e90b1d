/* solvers/linear/workspace.c - memory that bf_solve allocates: number of vectors, transposed copy */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/workspace.h"
#include "kernels/matrix/format.h"

/* Is the preconditioner an operation and not the diagonal within the iteration? */
static int is_operation(bf_precond precond)
{
  return precond != BF_PRECOND_NONE && precond != BF_PRECOND_JACOBI;
}

int bf_work_vectors(bf_method method, bf_precond precond, int ahead)
{
  switch (method) {
  case BF_METHOD_DIRECT:
  case BF_METHOD_INVERSE: return 0;
  case BF_METHOD_CG: return 2;
  case BF_METHOD_BICG: return 5 + is_operation(precond);
  default: return (precond == BF_PRECOND_NONE ? 4 : 6) + (ahead && precond != BF_PRECOND_BLOCK_JACOBI);
  }
}

int bf_solve_vectors(bf_method method, bf_precond precond, bf_format format, int on_device)
{
  const int iterative = method != BF_METHOD_DIRECT && method != BF_METHOD_INVERSE;
  const int diagonal  = iterative && precond != BF_PRECOND_NONE && precond != BF_PRECOND_BLOCK_JACOBI;
  return 1 + bf_work_vectors(method, precond, on_device && bf_format_of(format)->transposes) + diagonal;
}

int64_t bf_solve_transpose_bytes(bf_method method, bf_format format, int64_t nnz, bf_int nrows, bf_prec prec)
{
  return method == BF_METHOD_BICG && !bf_format_of(format)->transposes ? bf_csr_bytes(nnz, nrows, prec) : 0;
}
