/* assembly/constraints/nullspace.c - see nullspace.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/nullspace.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { D = 6 };

typedef struct front { /* equations of several blocks: R upper triangular, order nb * d */
  int     nb;
  bf_int *block; /* owned [nb] */
  double *R;     /* owned [nb*d][nb*d], rows; NULL = freed */
} front;

typedef struct link { /* list of the fronts of a block */
  bf_int front, next; /* next: -1 = end */
} link;

typedef struct pivot { /* an eliminated block: rank rows over its own d columns, permuted, then those of nbr
                        */
  bf_int  block;
  int     rank, nnbr, perm[D];
  bf_int *nbr; /* owned [nnbr] */
  double *row; /* owned [rank][(1 + nnbr)*d] */
} pivot;

typedef struct direction { /* column perm[column] of a pivot is free */
  bf_int pivot;
  int    column;
} direction;

typedef struct entry { /* of the heap: least degree first, then lowest block; stale if the degree has changed
                        */
  int64_t degree;
  bf_int  block;
} entry;

struct bf_nullspace {
  bf_int     n;
  int        d;
  double    *self; /* owned [n][d][d]: equations of single blocks, upper triangular */
  bf_int     nfronts, fronts_room, nlinks, links_room;
  front     *front;  /* owned */
  link      *link;   /* owned */
  bf_int    *head;   /* owned [n]: first link of a block, -1 = none */
  int64_t   *degree; /* owned [n]; -1: eliminated */
  bf_int     npivots;
  pivot     *pivot; /* owned [n] */
  bf_int     nfree, free_room;
  direction *free; /* owned */
  int64_t    nheap, heap_room;
  entry     *heap;  /* owned */
  int       *place; /* owned [n]: position in the current front, or 0 */
  double     flops, bytes;
};

/* Memory for one more of *p. */
static bf_err grow(void **p, int64_t count, int64_t *room, size_t size)
{
  if (count < *room) return BF_OK;
  const int64_t more = *room < 32 ? 64 : 2 * *room;
  void         *q    = bf_host_realloc(*p, (size_t)more, size);
  BF_CHECK(q, BF_E_MEMORY, "no memory for %lld entries", (long long)more);
  *p    = q;
  *room = more;
  return BF_OK;
}

static bf_err grow_int(void **p, bf_int count, bf_int *room, size_t size)
{
  int64_t wide = *room;
  BF_CHECK(count < INT32_MAX / 4, BF_E_MEMORY, "too many equations between bodies");
  BF_TRY(grow(p, count, &wide, size));
  *room = (bf_int)wide;
  return BF_OK;
}

/* Adds an equation to R (upper triangular, order n) and overwrites it; returns the operations. */
static double add_row(double *R, int n, double *row)
{
  double flops = 0.0;
  for (int k = 0; k < n; k++) {
    double *r = R + (size_t)k * (size_t)n;
    if (row[k] == 0.0) continue;
    if (r[k] == 0.0) { /* a diagonal entry never becomes 0 again: this row of R is empty */
      memcpy(r + k, row + k, (size_t)(n - k) * sizeof *r);
      return flops;
    }
    const double h = hypot(r[k], row[k]), c = r[k] / h, s = row[k] / h;
    for (int j = k; j < n; j++) {
      const double a = r[j], b = row[j];
      r[j]   = c * a + s * b;
      row[j] = c * b - s * a;
    }
    flops += 6.0 * (n - k);
  }
  return flops;
}

bf_err bf_nullspace_create(bf_int n, int d, bf_nullspace **out)
{
  bf_err        err = BF_OK;
  bf_nullspace *N   = NULL;
  BF_CHECK(out && n >= 0 && d >= 1 && d <= D, BF_E_ARG, "%d blocks of %d", n, d);
  *out = NULL;
  BF_GO(BF_NEW(N));
  N->n = n;
  N->d = d;
  BF_GO(BF_NEW_ARRAY(N->self, (size_t)n * (size_t)(d * d)));
  BF_GO(BF_NEW_ARRAY(N->head, n));
  BF_GO(BF_NEW_ARRAY(N->degree, n));
  BF_GO(BF_NEW_ARRAY(N->pivot, n));
  BF_GO(BF_NEW_ARRAY(N->place, n));
  for (bf_int i = 0; i < n; i++) N->head[i] = -1;
  *out = N;
  N    = NULL;
done:
  bf_nullspace_destroy(&N);
  return err;
}

static void front_clear(front *f)
{
  bf_host_free(f->block);
  bf_host_free(f->R);
  *f = (front){0};
}

void bf_nullspace_destroy(bf_nullspace **at)
{
  if (!at || !*at) return;
  bf_nullspace *N = *at;
  for (bf_int f = 0; f < N->nfronts; f++) front_clear(&N->front[f]);
  for (bf_int p = 0; N->pivot && p < N->npivots; p++) {
    bf_host_free(N->pivot[p].nbr);
    bf_host_free(N->pivot[p].row);
  }
  void *const owned[] = {N->self,  N->front, N->link, N->head, N->degree,
                         N->pivot, N->free,  N->heap, N->place};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) bf_host_free(owned[i]);
  bf_host_free(N);
  *at = NULL;
}

void bf_nullspace_hold(bf_nullspace *N, bf_int i, const double *row)
{
  double copy[D];
  memcpy(copy, row, (size_t)N->d * sizeof *row);
  add_row(N->self + (size_t)i * (size_t)(N->d * N->d), N->d, copy);
}

/* A new front of nb blocks, whose degrees it raises. */
static bf_err new_front(bf_nullspace *N, int nb, const bf_int *block)
{
  const size_t n = (size_t)nb * (size_t)N->d;
  BF_TRY(grow_int((void **)&N->front, N->nfronts, &N->fronts_room, sizeof *N->front));
  front *f = &N->front[N->nfronts];
  *f       = (front){.nb = nb};
  N->nfronts++;
  BF_TRY(BF_NEW_ARRAY(f->block, nb));
  BF_TRY(BF_NEW_ARRAY(f->R, n * n));
  for (int k = 0; k < nb; k++) {
    const bf_int i = f->block[k] = block[k];
    BF_TRY(grow_int((void **)&N->link, N->nlinks, &N->links_room, sizeof *N->link));
    N->link[N->nlinks] = (link){N->nfronts - 1, N->head[i]};
    N->head[i]         = N->nlinks++;
    N->degree[i] += nb - 1;
  }
  return BF_OK;
}

bf_err bf_nullspace_join(bf_nullspace *N, bf_int i, bf_int j, const double *row)
{
  const bf_int pair[2] = {i, j};
  double       copy[2 * D];
  const front *last = N->nfronts ? &N->front[N->nfronts - 1] : NULL;
  if (!last || last->block[0] != i || last->block[1] != j) BF_TRY(new_front(N, 2, pair));
  memcpy(copy, row, 2 * (size_t)N->d * sizeof *row);
  add_row(N->front[N->nfronts - 1].R, 2 * N->d, copy);
  return BF_OK;
}

/* ---- the heap of degrees ---- */

static int before(const entry *p, const entry *q)
{
  return p->degree != q->degree ? p->degree < q->degree : p->block < q->block;
}

static bf_err heap_push(bf_nullspace *N, bf_int block)
{
  BF_TRY(grow((void **)&N->heap, N->nheap, &N->heap_room, sizeof *N->heap));
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
      N->flops -= add_row(R, n, row);
    }
    for (int b = 0; b < f->nb; b++) N->degree[f->block[b]] -= f->nb - 1;
    N->bytes += 8.0 * (double)m * m;
    front_clear(f);
  }
  for (int k = 0; k < d; k++) {
    memset(row, 0, (size_t)n * sizeof *row);
    memcpy(row, N->self + ((size_t)i * (size_t)d + (size_t)k) * (size_t)d, (size_t)d * sizeof *row);
    N->flops -= add_row(R, n, row);
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
    BF_TRY(new_front(N, p->nnbr, p->nbr));
    to = N->front[N->nfronts - 1].R;
  }
  for (int k = n - 1; k >= p->rank; k--) { /* the triangle first, into empty rows */
    memcpy(row, R + (size_t)k * (size_t)n + (size_t)d, (size_t)m * sizeof *row);
    N->flops -= add_row(to, m, row);
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
    BF_GO(grow_int((void **)&N->free, N->nfree, &N->free_room, sizeof *N->free));
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

bf_err bf_nullspace_solve(bf_nullspace *N, double tolerance, double flops, double bytes, int *complete)
{
  BF_CHECK(N && complete && tolerance > 0.0, BF_E_ARG, "bad argument");
  *complete = 0;
  N->flops  = flops;
  N->bytes  = bytes;
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

bf_int bf_nullspace_count(const bf_nullspace *N)
{
  return N->nfree;
}

bf_int bf_nullspace_block(const bf_nullspace *N, bf_int k)
{
  return N->pivot[N->free[k].pivot].block;
}

/* x of the pivot's block from those of its neighbours and of its free column (-1 = all 0). */
static void back_substitute(const bf_nullspace *N, const pivot *p, int column, double *x)
{
  const int d = N->d, n = (1 + p->nnbr) * d;
  double    y[D] = {0.0};
  if (column >= 0) y[column] = 1.0;
  for (int k = p->rank - 1; k >= 0; k--) {
    const double *r = p->row + (size_t)k * (size_t)n;
    double        s = column >= 0 ? -r[column] : 0.0;
    for (int j = k + 1; j < p->rank; j++) s -= r[j] * y[j];
    for (int b = 0; b < p->nnbr; b++)
      for (int c = 0; c < d; c++) s -= r[(b + 1) * d + c] * x[(size_t)p->nbr[b] * (size_t)d + (size_t)c];
    y[k] = s / r[k];
  }
  for (int k = 0; k < d; k++) x[(size_t)p->block * (size_t)d + (size_t)p->perm[k]] = y[k];
}

void bf_nullspace_vector(const bf_nullspace *N, bf_int k, double *x)
{
  const direction *f = &N->free[k];
  memset(x, 0, (size_t)N->n * (size_t)N->d * sizeof *x);
  back_substitute(N, &N->pivot[f->pivot], f->column, x);
  for (bf_int p = f->pivot - 1; p >= 0; p--) back_substitute(N, &N->pivot[p], -1, x);
}
