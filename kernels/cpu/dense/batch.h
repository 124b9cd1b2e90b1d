/* kernels/cpu/dense/batch.h - what the batched operations on the CPU share: one thread a matrix, LAPACK
 * inside
 *
 * LAPACK itself runs on one thread here: the batch is what is parallel.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_DENSE_BATCH_H
#define BF_KERNELS_CPU_DENSE_BATCH_H
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/dense/lapack.h"

enum { BF_CPU_WORK = 34 }; /* scalars a column: room for LAPACK's blocked algorithms */

/* Threads for a batch, never more than bf_cpu_batch_work counts on; LAPACK's own threads are put to rest.
 * Also one matrix alone meets more than one where there are more: inside a team of several LAPACK takes one
 * thread, and gives the bits it gives in a larger batch. */
int bf_cpu_batch_threads(void);

/* Bytes of the workspace of one thread: multiples of 64. */
size_t bf_cpu_batch_bytes(bf_batch_op op, const bf_batch *A);

static inline void *bf_cpu_batch_matrix(const bf_batch *A, bf_int b)
{
  return A->array ? A->array[b] : (char *)A->a + (int64_t)b * A->stride * (int64_t)bf_scalar_bytes(A->type);
}
static inline void *bf_cpu_batch_rhs(const bf_batch *A, const bf_batch_rhs *B, bf_int b)
{
  return B->array ? B->array[b] : (char *)B->b + (int64_t)b * B->stride * (int64_t)bf_scalar_bytes(A->type);
}
/* Order of matrix b where there is something to do, else 0 and *info says why (NULL: nobody asks). */
static inline bf_int bf_cpu_batch_order(const bf_batch *A, bf_int b, bf_int *info)
{
  const bf_int n     = A->sizes ? A->sizes[b] : A->n;
  const int    known = n >= 0 && n <= A->n;
  if (info) *info = known ? 0 : -1;
  return known ? n : 0;
}

typedef enum { BF_CPU_LOWER = BF_LOWER, BF_CPU_UPPER = BF_UPPER, BF_CPU_ALL } bf_cpu_part;

/* c[n][n] = this part of a matrix, zeros elsewhere; imaginary parts of a triangle's diagonal are zero. */
void bf_cpu_batch_take(const bf_batch *A, bf_int b, bf_int n, bf_cpu_part part, void *c);
void bf_cpu_batch_put(const bf_batch *A, bf_int b, bf_int n, const void *c);
/* 1: all entries of this part are finite */
int bf_cpu_batch_finite(bf_scalar type, bf_int n, bf_int ld, const void *a, bf_cpu_part part);
/* a[n][n] becomes its inverse, finite, and the answer is 1; else 0, and a is of no use.  n: all orders, those
 * above BF_CPU_FEW are 0. */
enum { BF_CPU_FEW = 9 };
int bf_cpu_inverse_few(bf_scalar type, int n, void *a);
/* First diagonal entry, from 1, that is 0; n+1 where one is not finite; else 0. */
int bf_cpu_batch_diagonal(bf_scalar type, bf_int n, bf_int ld, const void *a);
#endif
