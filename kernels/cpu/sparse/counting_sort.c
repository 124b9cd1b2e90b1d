/* kernels/cpu/sparse/counting_sort.c - see counting_sort.h.  Cost: keys read once, tables of chunks*nkeys
 * written and read twice. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/counting_sort.h"
#include <omp.h>
#include <string.h>

enum { BLOCK = 4096 }; /* keys that one thread scans at a time */

int bf_cpu_counting_chunks(int64_t n, bf_int nkeys)
{
  const int     threads = omp_get_max_threads();
  const int64_t most    = n / (nkeys > 0 ? nkeys : 1);
  if (n <= BF_CPU_SMALL || most < 1) return 1;
  return most < threads ? (int)most : threads;
}

/* first[c][k] = items of chunk c with key k; 0 where a key is outside. */
static int count_chunks(int64_t n, const bf_int *key, bf_int nkeys, int chunks, int64_t *first)
{
  int inside = 1;
#pragma omp parallel for schedule(static) reduction(&& : inside) if (chunks > 1)
  for (int c = 0; c < chunks; c++) {
    int64_t      *count = first + (int64_t)c * nkeys;
    const int64_t end   = bf_cpu_chunk_begin(n, chunks, c + 1);
    memset(count, 0, (size_t)nkeys * sizeof *count);
    for (int64_t p = bf_cpu_chunk_begin(n, chunks, c); p < end; p++) {
      if (key[p] < 0 || key[p] >= nkeys)
        inside = 0;
      else
        count[key[p]]++;
    }
  }
  return inside;
}

bf_err bf_cpu_count(int64_t n, const bf_int *key, bf_int nkeys, int chunks, int64_t *first, int64_t *ptr,
                    const char *what)
{
  const int64_t blocks = ((int64_t)nkeys + BLOCK - 1) / BLOCK;
  BF_CHECK(count_chunks(n, key, nkeys, chunks, first), BF_E_ARG, "a %s outside 0 .. %d", what,
           (int)nkeys - 1);
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (int64_t b = 0; b < blocks; b++) { /* ptr at a block's first key: items in the block */
    const int64_t k0 = b * BLOCK, k1 = k0 + BLOCK < nkeys ? k0 + BLOCK : nkeys;
    int64_t       sum = 0;
    for (int c = 0; c < chunks; c++)
      for (int64_t k = k0; k < k1; k++) sum += first[(int64_t)c * nkeys + k];
    ptr[k0] = sum;
  }
  int64_t at = 0;
  for (int64_t b = 0; b < blocks; b++) {
    const int64_t items = ptr[b * BLOCK];
    ptr[b * BLOCK]      = at;
    at += items;
  }
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (int64_t b = 0; b < blocks; b++) {
    const int64_t k0 = b * BLOCK, k1 = k0 + BLOCK < nkeys ? k0 + BLOCK : nkeys;
    int64_t       place = ptr[k0];
    for (int64_t k = k0; k < k1; k++) {
      ptr[k] = place;
      for (int c = 0; c < chunks; c++) {
        int64_t *f = first + (int64_t)c * nkeys + k;
        place += *f;
        *f = place - *f;
      }
    }
  }
  ptr[nkeys] = n;
  return BF_OK;
}
