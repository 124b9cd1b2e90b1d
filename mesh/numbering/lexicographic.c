/* mesh/numbering/lexicographic.c - the order of the vertices by coordinates
 *
 * All vertices are sorted along the longest axis and split into lines where neighbours are farther apart than
 * 1e-9 of the largest extent; each line is sorted and split along the next axis, and so on.  Coordinates are
 * quantised to 2^32 steps of the largest extent, so a long sort is three passes of 11 bits.
 * Cost: one radix sort of all vertices an axis, in pieces that fit the cache from the second axis on.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/orders.h"
#include "mesh/numbering/vertex_mesh.h"
#include <string.h>

enum { DIGIT = 11, GAP = 4, SHORT = 2048 }; /* GAP steps of 2^-32: about 1e-9 */

typedef struct lines {
  const bf_vmesh *v;
  int             naxes, axis[3]; /* by extent, longest first */
  double          lo[3], scale;
  uint64_t       *key, *other; /* [nv]: coordinate << 32 | vertex */
} lines;

static void find_axes(lines *L)
{
  const bf_vmesh *v = L->v;
  double          hi[3], extent[3], most = 0.0;
  for (int d = 0; d < 3; d++) {
    double a = bf_vmesh_x(v, 0)[d], b = a;
#pragma omp parallel for schedule(static) reduction(min : a) reduction(max : b)
    for (bf_int i = 0; i < v->cells.nv; i++) {
      const double x = bf_vmesh_x(v, i)[d];
      a              = x < a ? x : a;
      b              = x > b ? x : b;
    }
    L->lo[d]  = a;
    hi[d]     = b;
    extent[d] = hi[d] - L->lo[d];
    most      = extent[d] > most ? extent[d] : most;
  }
  L->scale = most > 0.0 ? 4294967295.0 / most : 0.0;
  for (int d = 0; d < 3; d++) {
    if (extent[d] * L->scale <= GAP && !(d == 0 && most == 0.0)) continue; /* flat */
    int at = L->naxes++;
    for (; at > 0 && extent[L->axis[at - 1]] < extent[d]; at--) L->axis[at] = L->axis[at - 1];
    L->axis[at] = d;
  }
}

static void insertion_sort(uint64_t *a, bf_int n)
{
  for (bf_int i = 1; i < n; i++) {
    const uint64_t t = a[i];
    bf_int         j = i;
    for (; j > 0 && a[j - 1] > t; j--) a[j] = a[j - 1];
    a[j] = t;
  }
}

/* Short lines: runs of 16, merged pairwise. */
static void merge_sort(uint64_t *a, uint64_t *b, bf_int n)
{
  uint64_t *const home = a;
  for (bf_int i = 0; i < n; i += 16) insertion_sort(a + i, n - i < 16 ? n - i : 16);
  for (bf_int width = 16; width < n; width *= 2) {
    for (bf_int lo = 0; lo < n; lo += 2 * width) {
      const bf_int mid = n - lo < width ? n : lo + width, hi = n - lo < 2 * width ? n : lo + 2 * width;
      bf_int       i = lo, j = mid;
      for (bf_int k = lo; k < hi; k++) b[k] = j >= hi || (i < mid && a[i] <= a[j]) ? a[i++] : a[j++];
    }
    uint64_t *t = a;
    a           = b;
    b           = t;
  }
  if (a != home) memcpy(home, a, (size_t)n * sizeof *a);
}

/* Sorts a[n] by the upper 32 bits, with b[n] as scratch; equal ones keep their order. */
static void radix_sort(uint64_t *a, uint64_t *b, bf_int n)
{
  enum { WIDTH = 1 << DIGIT };
  uint64_t *const home            = a;
  bf_int          count[3][WIDTH] = {{0}};
  for (bf_int i = 0; i < n; i++)
    for (int p = 0; p < 3; p++) count[p][a[i] >> (32 + p * DIGIT) & (WIDTH - 1)]++;
  for (int p = 0; p < 3; p++) {
    const int shift = 32 + p * DIGIT;
    bf_int    sum   = 0;
    if (count[p][a[0] >> shift & (WIDTH - 1)] == n) continue; /* one digit for all */
    for (int k = 0; k < WIDTH; k++) {
      const bf_int c = count[p][k];
      count[p][k]    = sum;
      sum += c;
    }
    for (bf_int i = 0; i < n; i++) b[count[p][a[i] >> shift & (WIDTH - 1)]++] = a[i];
    uint64_t *t = a;
    a           = b;
    b           = t;
  }
  if (a != home) memcpy(home, a, (size_t)n * sizeof *a);
}

/* Sorts the vertices of key[begin .. begin+n) along one axis. */
static void sort_line(lines *L, bf_int begin, bf_int n, int level)
{
  const int d   = L->axis[level];
  uint64_t *key = L->key + begin;
  for (bf_int i = 0; i < n; i++) {
    const uint64_t vertex = key[i] & 0xffffffffU;
    const double   step   = (bf_vmesh_x(L->v, (bf_int)vertex)[d] - L->lo[d]) * L->scale;
    key[i]                = (uint64_t)step << 32 | vertex;
  }
  if (n <= SHORT)
    merge_sort(key, L->other + begin, n);
  else
    radix_sort(key, L->other + begin, n);
}

/* End of the line that begins at i, of the sorted key[.. n). */
static bf_int line_end(const uint64_t *key, bf_int i, bf_int n)
{
  while (i + 1 < n && (key[i + 1] >> 32) - (key[i] >> 32) <= GAP) i++;
  return i + 1;
}

/* Orders the vertices of key[begin .. begin+n) by axis `level` and those after it. */
static void order_line(lines *L, bf_int begin, bf_int n, int level)
{
  sort_line(L, begin, n, level);
  if (level + 1 == L->naxes) return;
  for (bf_int i = 0, end; i < n; i = end) {
    end = line_end(L->key + begin, i, n);
    if (end > i + 1) order_line(L, begin + i, end - i, level + 1);
  }
}

/* The same for all vertices, the lines of the first axis in parallel. */
static bf_err order_all(lines *L)
{
  const bf_int nv    = L->v->cells.nv;
  bf_int      *first = NULL, n = 0;
  sort_line(L, 0, nv, 0);
  if (L->naxes == 1) return BF_OK;
  BF_TRY(BF_NEW_ARRAY(first, (size_t)nv + 1));
  for (bf_int i = 0; i < nv; i = first[n]) {
    first[n]   = i;
    first[++n] = line_end(L->key, i, nv);
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (bf_int i = 0; i < n; i++)
    if (first[i + 1] - first[i] > 1) order_line(L, first[i], first[i + 1] - first[i], 1);
  bf_host_free(first);
  return BF_OK;
}

bf_err bf_order_lexicographic(const bf_vmesh *v, bf_int *order, char name[4])
{
  bf_err       err = BF_OK;
  lines       *L   = NULL;
  const bf_int nv  = v->cells.nv;
  name[0]          = '\0';
  if (nv == 0) return BF_OK;
  BF_GO(BF_NEW(L));
  L->v = v;
  find_axes(L);
  BF_GO(BF_NEW_ARRAY(L->key, nv));
  BF_GO(BF_NEW_ARRAY(L->other, nv));
  for (bf_int i = 0; i < nv; i++) L->key[i] = (uint64_t)i;
  BF_GO(order_all(L));
  for (bf_int i = 0; i < nv; i++) order[i] = (bf_int)(L->key[i] & 0xffffffffU);
  for (int d = 0; d < L->naxes; d++) name[d] = (char)('x' + L->axis[d]);
  name[L->naxes] = '\0';
done:
  if (L) {
    bf_host_free(L->key);
    bf_host_free(L->other);
  }
  bf_host_free(L);
  return err;
}
