/* kernels/matrix/vector.c - vectors with zero guards, see matrix.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/matrix.h"
#include "kernels/matrix/storage.h"

bf_err bf_vector_create(bf_backend *be, bf_int n, bf_int guard, double **x)
{
  BF_CHECK(be && x, BF_E_ARG, "null argument");
  *x = NULL;
  BF_CHECK(n >= 0 && guard >= 0 && guard % 32 == 0, BF_E_ARG, "n=%d guard=%d", (int)n, (int)guard);
  void *p = NULL;
  BF_TRY(bf_alloc_zero(be, (int64_t)n + 2 * (int64_t)guard, sizeof **x, &p));
  *x = (double *)p + guard;
  return BF_OK;
}

void bf_vector_destroy(bf_backend *be, bf_int guard, double **x)
{
  if (!be || !x || !*x) return;
  be->ops.release(be, *x - guard);
  *x = NULL;
}
