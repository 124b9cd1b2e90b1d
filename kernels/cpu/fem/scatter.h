/* kernels/cpu/fem/scatter.h - what every scatter of element matrices uses: the element side, places in a row,
 * and the report of an entry outside the pattern
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_FEM_SCATTER_H
#define BF_KERNELS_CPU_FEM_SCATTER_H
#include "base/err.h"
#include <stdatomic.h>

/* Place of `value` in the ascending list a[0], a[step], ..., n long; -1 if it is not there. */
static inline int64_t bf_find_position(const bf_int *a, int64_t n, int64_t step, bf_int value)
{
  int64_t at = 0;
  while (n > 1) { /* the answer, if any, is in at .. at+n-1 */
    const int64_t half = n / 2;
    at += a[(at + half) * step] <= value ? half : 0;
    n -= half;
  }
  return n == 1 && a[at * step] == value ? at : -1;
}

typedef struct bf_scatter { /* the element side, the same for all formats */
  int           D, nen;
  const bf_int *ptr, *item, *conn;
  const double *Ke;
} bf_scatter;

/* The D x D block of local nodes (a, b) of an element: row a*D + i of it starts at block[i*nd]. */
static inline const double *bf_scatter_block(const bf_scatter *s, bf_int item, int b)
{
  const size_t nd = (size_t)(s->nen * s->D), D = (size_t)s->D;
  return s->Ke + (size_t)item * D * nd + (size_t)b * D; /* item*D = e*nd + a*D */
}

/* First row that missed a place, kept as the least one whatever the threads did. */
static inline void bf_scatter_note(_Atomic int64_t *bad, bf_int row, bf_int col)
{
  const int64_t mine = ((int64_t)row << 32) | col;
  int64_t       old  = atomic_load(bad);
  while (mine < old && !atomic_compare_exchange_weak(bad, &old, mine)) {}
}

static inline bf_err bf_scatter_status(int64_t bad)
{
  BF_CHECK(bad == INT64_MAX, BF_E_ARG, "element entry (row %d, column %d) is not in the matrix's pattern",
           (int)(bad >> 32), (int)(bad & INT32_MAX));
  return BF_OK;
}
#endif
