/* assembly/constraints/nullspace_eliminate.c - elimination of the blocks in the order of their degrees; see
 * nullspace.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/nullspace_internal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* ---- the heap of degrees ---- */

static int before(const entry *p, const entry *q)
{
  return p->degree != q->degree ? p->degree < q->degree : p->block < q->block;
}

static bf_err heap_push(bf_nullspace *N, bf_int block)
{
  BF_TRY(bf_nullspace_grow((void **)&N->heap, N->nheap, &N->heap_room, sizeof *N->heap));
  const entry new = {N->degree[block], block};
  int64_t i       = N->nheap++;
  for (; i > 0 && before(&new, &N->heap[(i - 1) / 2]); i = (i - 1) / 2) N->heap[i] = N->heap[(i - 1) / 2];
  N->heap[i] = new;
  return BF_OK;
}

static entry heap_pop(bf_nullspace *N)
{
  const entry top = N->heap[0], last = N->heap[--N->nheap];
  int64_t     i = 0;
  for (;;) {
    int64_t c = 2 * i + 1;
    if (c >= N->nheap) break;
    if (c + 1 < N->nheap && before(&N->heap[c + 1], &N->heap[c])) c++;
    if (!before(&N->heap[c], &last)) break;
    N->heap[i] = N->heap[c];
    i          = c;
  }
  N->heap[i] = last;
  return top;
}

/* ---- elimination ---- */

/* The fronts of block i, the largest first, so that its order is that of the new front: f[] and their number.
 */
static bf_err find_fronts(const bf_nullspace *N, bf_int i, bf_int **f, bf_int *n)
{
  *n = 0;
  for (bf_int l = N->head[i]; l >= 0; l = N->link[l].next) *n += N->front[N->link[l].front].R != NULL;
  BF_TRY(BF_NEW_ARRAY(*f, *n));
  *n = 0;
  for (bf_int l = N->head[i]; l >= 0; l = N->link[l].next) {
    if (!N->front[N->link[l].front].R) continue;
    (*f)[(*n)++] = N->link[l].front;
    if (N->front[N->link[l].front].nb <= N->front[(*f)[0]].nb) continue;
    (*f)[*n - 1] = (*f)[0];
    (*f)[0]      = N->link[l].front;
  }
  return BF_OK;
}

/* Neighbours of block i: place[] = 1, 2, .. and p->nbr. */
static bf_err find_neighbours(bf_nullspace *N, bf_int i, const bf_int *fronts, bf_int nfronts, pivot *p)
{
  BF_TRY(BF_NEW_ARRAY(p->nbr, N->degree[i]));
  for (bf_int l = 0; l < nfronts; l++) {
    const front *f = &N->front[fronts[l]];
    for (int k = 0; k < f->nb; k++) {
      const bf_int j = f->block[k];
      if (j == i || N->place[j]) continue;
      N->place[j]       = p->nnbr + 1;
      p->nbr[p->nnbr++] = j;
    }
  }
  return BF_OK;
}

/* R[n][n]: all equations of block i, its own columns first; its fronts are freed. The last rows of a front
 * are first: they fall on empty rows of R if the order of the blocks is the same. */
static void gather(bf_nullspace *N, bf_int i, const bf_int *fronts, bf_int nfronts, double *R, int n,
                   double *row)
{
  const int d = N->d;
  for (bf_int l = 0; l < nfronts; l++) {
    front    *f = &N->front[fronts[l]];
    const int m = f->nb * d;
    for (int k = m - 1; k >= 0; k--) {
      memset(row, 0, (size_t)n * sizeof *row);
      for (int b = k / d; b < f->nb; b++) {
        const int at = f->block[b] == i ? 0 : N->place[f->block[b]] * d;
        memcpy(row + at, f->R + (size_t)k * (size_t)m + (size_t)(b * d), (size_t)d * sizeof *row);
      }
      N->flops -= bf_nullspace_add_row(R, n, row);
    }
    for (int b = 0; b < f->nb; b++) N->degree[f->block[b]] -= f->nb - 1;
    N->bytes += 8.0 * (double)m * m;
    bf_nullspace_clear_front(f);
  }
  for (int k = 0; k < d; k++) {
    memset(row, 0, (size_t)n * sizeof *row);
    memcpy(row, N->self + ((size_t)i * (size_t)d + (size_t)k) * (size_t)d, (size_t)d * sizeof *row);
    N->flops -= bf_nullspace_add_row(R, n, row);
  }
}

/* QR with column pivoting of the first d columns of the first d rows of R[n][n] by Givens rotations of whole
 * rows; the rank: pivots above the tolerance. */
static int pivot_columns(double *R, int n, int d, double tolerance, int *perm)
{
  for (int k = 0; k < d; k++) perm[k] = k;
  for (int k = 0; k < d; k++) {
    double best = -1.0;
    int    at   = k;
    for (int c = k; c < d; c++) {
      double s = 0.0;
      for (int r = k; r < d; r++) s = hypot(s, R[r * n + c]);
      if (s > best) best = s, at = c;
    }
    if (best <= tolerance) return k;
    for (int r = 0; r < d; r++) {
      const double s = R[r * n + k];
      R[r * n + k]   = R[r * n + at];
      R[r * n + at]  = s;
    }
    const int t = perm[k];
    perm[k]     = perm[at];
    perm[at]    = t;
    for (int r = k + 1; r < d; r++) {
      double *p = R + (size_t)k * (size_t)n, *q = R + (size_t)r * (size_t)n;
      if (q[k] == 0.0) continue;
      const double h = hypot(p[k], q[k]), c = p[k] / h, s = q[k] / h;
      for (int j = 0; j < n; j++) {
        const double a = p[j], b = q[j];
        p[j] = c * a + s * b;
        q[j] = c * b - s * a;
      }
    }
  }
  return d;
}

/* The equations of the neighbours: the rows of R below the rank. */
static bf_err pass_on(bf_nullspace *N, const pivot *p, const double *R, int n, double *row)
{
  const int d = N->d, m = n - d;
  if (m == 0) return BF_OK;
  double *to = N->self + (size_t)p->nbr[0] * (size_t)(d * d);
  if (p->nnbr > 1) {
    BF_TRY(bf_nullspace_new_front(N, p->nnbr, p->nbr));
    to = N->front[N->nfronts - 1].R;
  }
  for (int k = n - 1; k >= p->rank; k--) { /* the triangle first, into empty rows */
    memcpy(row, R + (size_t)k * (size_t)n + (size_t)d, (size_t)m * sizeof *row);
    N->flops -= bf_nullspace_add_row(to, m, row);
  }
  return BF_OK;
}

static bf_err eliminate(bf_nullspace *N, bf_int i, double tolerance)
{
  bf_err    err = BF_OK;
  const int d   = N->d;
  double   *R = NULL, *row = NULL;
  bf_int   *fronts = NULL, nfronts;
  pivot    *p      = &N->pivot[N->npivots++];
  *p               = (pivot){.block = i};
  BF_GO(find_fronts(N, i, &fronts, &nfronts));
  BF_GO(find_neighbours(N, i, fronts, nfronts, p));
  const int n = (1 + p->nnbr) * d;
  N->bytes -= 8.0 * (2.0 * n + d) * n; /* R, the new front, and the eliminated block */
  if (N->bytes < 0.0) goto done;
  BF_GO(BF_NEW_ARRAY(R, (size_t)n * (size_t)n));
  BF_GO(BF_NEW_ARRAY(row, n));
  gather(N, i, fronts, nfronts, R, n, row);
  N->degree[i] = -1;
  p->rank      = pivot_columns(R, n, d, tolerance, p->perm);
  BF_GO(BF_NEW_ARRAY(p->row, (size_t)p->rank * (size_t)n));
  memcpy(p->row, R, (size_t)p->rank * (size_t)n * sizeof *R);
  for (int k = p->rank; k < d; k++) {
    BF_GO(bf_nullspace_grow_int((void **)&N->free, N->nfree, &N->free_room, sizeof *N->free));
    N->free[N->nfree++] = (direction){N->npivots - 1, k};
  }
  BF_GO(pass_on(N, p, R, n, row));
  N->bytes += 8.0 * (double)n * n; /* R is freed */
  for (int k = 0; k < p->nnbr; k++) BF_GO(heap_push(N, p->nbr[k]));
done:
  for (int k = 0; k < p->nnbr; k++) N->place[p->nbr[k]] = 0;
  bf_host_free(R);
  bf_host_free(row);
  bf_host_free(fronts);
  return err;
}

bf_err bf_nullspace_eliminate_all(bf_nullspace *N, double tolerance, int *complete)
{
  for (bf_int i = 0; i < N->n; i++) BF_TRY(heap_push(N, i));
  while (N->nheap > 0) {
    const entry e = heap_pop(N);
    if (N->degree[e.block] != e.degree) continue;
    BF_TRY(eliminate(N, e.block, tolerance));
    if (N->flops < 0.0 || N->bytes < 0.0) return BF_OK;
  }
  *complete = 1;
  return BF_OK;
}
