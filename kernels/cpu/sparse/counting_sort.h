/* kernels/cpu/sparse/counting_sort.h - stable counting sort on all threads: target position of every item
 *
 * Items 0 .. n-1 with keys 0 .. nkeys-1 are divided into `chunks` of equal length. first[c*nkeys + k] is
 * the position of the first item of chunk c with key k in the sorted order; ptr[k] that of the first item
 * with key k. A chunk processes its items in order and increments first[..]; so the order of equal keys is
 * that of the input, for any number of chunks.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_SPARSE_COUNTING_SORT_H
#define BF_KERNELS_CPU_SPARSE_COUNTING_SORT_H
#include "kernels/cpu/backend/cpu.h"

/* Chunks for n items: one per thread, as long as their tables are not larger than the items themselves */
int bf_cpu_counting_chunks(int64_t n, bf_int nkeys);

static inline int64_t bf_cpu_chunk_begin(int64_t n, int chunks, int c)
{
  return n / chunks * c + (n % chunks < c ? n % chunks : c);
}

/* first[chunks * nkeys], ptr[nkeys + 1].  BF_E_ARG for a key outside its range, called `what`. */
bf_err bf_cpu_count(int64_t n, const bf_int *key, bf_int nkeys, int chunks, int64_t *first, int64_t *ptr,
                    const char *what);

/* to[at] = from[k], a value of either precision. */
static inline void bf_cpu_move_value(bf_prec prec, void *to, int64_t at, const void *from, int64_t k)
{
  if (prec == BF_FP64)
    ((double *)to)[at] = ((const double *)from)[k];
  else
    ((float *)to)[at] = ((const float *)from)[k];
}
#endif
