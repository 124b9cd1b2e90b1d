/* kernels/multivector.c - see multivector.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multivector.h"
#include "kernels/matrix/storage.h"

bf_err bf_columns_create(bf_backend *be, bf_int n, bf_int guard, int count, bf_columns *out)
{
  BF_CHECK(be && out && n >= 0 && count >= 0 && guard >= 0 && guard % 32 == 0, BF_E_ARG,
           "n=%d guard=%d count=%d", (int)n, (int)guard, count);
  const int64_t ld    = ((int64_t)n + guard + 31) / 32 * 32;
  const int64_t total = guard + count * ld;
  *out                = (bf_columns){.be = be, .n = n, .guard = guard, .count = count, .ld = ld};
  BF_TRY(bf_memory_refuse(be, total * 8, "a block of vectors"));
  BF_TRY(bf_alloc_zero(be, total, sizeof(double), &out->store));
  out->a = (double *)out->store + guard;
  return BF_OK;
}

void bf_columns_release(bf_columns *X)
{
  if (X->store) X->be->ops.release(X->be, X->store);
  *X = (bf_columns){0};
}
