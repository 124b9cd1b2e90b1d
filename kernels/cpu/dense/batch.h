/* kernels/cpu/dense/batch.h - common parts of batched operations on the CPU: one thread per matrix, LAPACK
 * inside
 *
 * LAPACK itself runs on one thread here: the batch is parallel.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_DENSE_BATCH_H
#define BF_KERNELS_CPU_DENSE_BATCH_H
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/dense/lapack.h"

enum { BF_CPU_WORK = 34 }; /* scalars per column: workspace of LAPACK's blocked algorithms */

/* Threads for a batch, at most the number that bf_cpu_batch_work assumes; LAPACK's own threads are
 * switched off. A single matrix also runs in a team of several threads if there are any: inside it
 * LAPACK uses one thread, and gives the same bits as in a larger batch. */
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
/* Order of matrix b if it is to be processed, otherwise 0 with the reason in *info (NULL: not stored) */
static inline bf_int bf_cpu_batch_order(const bf_batch *A, bf_int b, bf_int *info)
{
  const bf_int n     = A->sizes ? A->sizes[b] : A->n;
  const int    known = n >= 0 && n <= A->n;
  if (info) *info = known ? 0 : -1;
  return known ? n : 0;
}

typedef enum { BF_CPU_LOWER = BF_LOWER, BF_CPU_UPPER = BF_UPPER, BF_CPU_ALL } bf_cpu_part;

/* c[n][n] = this part of a matrix, zeros elsewhere; imaginary parts of a triangle's diagonal are zero. */
void bf_cpu_batch_load(const bf_batch *A, bf_int b, bf_int n, bf_cpu_part part, void *c);
void bf_cpu_batch_store(const bf_batch *A, bf_int b, bf_int n, const void *c);
/* 1: all entries of this part are finite */
int bf_cpu_batch_finite(bf_scalar type, bf_int n, bf_int ld, const void *a, bf_cpu_part part);
/* a[n][n] becomes its inverse, finite, and 1 is returned; otherwise 0, and a is undefined. n: order;
 * returns 0 above BF_CPU_FEW. */
enum { BF_CPU_FEW = 9 };
int bf_cpu_inverse_few(bf_scalar type, int n, void *a);
/* First diagonal entry, from 1, that is 0; n+1 if one is not finite; otherwise 0 */
int bf_cpu_batch_diagonal(bf_scalar type, bf_int n, bf_int ld, const void *a);
#endif
