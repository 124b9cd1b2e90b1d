/* tests/kernels/dense/batch_lu.h - a batch to be factored, with its original and its result, for t362,
 * t369 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_DENSE_BATCH_LU_H
#define BF_TESTS_KERNELS_DENSE_BATCH_LU_H
#include "tests/kernels/dense/batch_score.h"

typedef struct t_lu {
  t_batch B;     /* becomes factors */
  t_cx   *A, *F; /* owned [count][n][n], [n][n] */
  bf_int *ipiv, *info;
} t_lu;

static inline t_lu t_lu_create(bf_scalar type, bf_int n, bf_int count)
{
  const size_t all = (size_t)n * (size_t)n;
  t_lu         L   = {.B = t_batch_create(type, n, count)};
  L.A              = bf_host_alloc(all * (size_t)count, sizeof *L.A);
  L.F              = bf_host_alloc(all, sizeof *L.F);
  L.ipiv           = bf_host_alloc((size_t)n * (size_t)count, sizeof *L.ipiv);
  L.info           = bf_host_alloc((size_t)count, sizeof *L.info);
  assert_true(L.A && L.F && L.ipiv && L.info);
  return L;
}
static inline void t_lu_destroy(t_lu *L)
{
  t_batch_destroy(&L->B);
  bf_host_free(L->A);
  bf_host_free(L->F);
  bf_host_free(L->ipiv);
  bf_host_free(L->info);
}
static inline t_cx *t_lu_matrix(const t_lu *L, bf_int b)
{
  return L->A + (size_t)b * (size_t)L->B.n * (size_t)L->B.n;
}
/* Matrix b of A into the batch, and A as it was rounded there. */
static inline void t_lu_put(t_lu *L, bf_int b)
{
  t_put(&L->B, b, t_lu_matrix(L, b));
  t_get(&L->B, b, t_lu_matrix(L, b));
}
static inline t_lu_error t_lu_judge(t_lu *L, bf_int b)
{
  t_get(&L->B, b, L->F);
  return t_lu_score(L->B.type, L->B.n, t_lu_matrix(L, b), L->F, L->ipiv + (size_t)b * (size_t)L->B.n);
}
#endif
