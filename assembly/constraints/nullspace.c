/* assembly/constraints/nullspace.c - equations, fronts and null vectors; see nullspace.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/constraints/nullspace_internal.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* Memory for one more of *p. */
bf_err bf_nullspace_grow(void **p, int64_t count, int64_t *room, size_t size)
{
  if (count < *room) return BF_OK;
  const int64_t more = *room < 32 ? 64 : 2 * *room;
  void         *q    = bf_host_realloc(*p, (size_t)more, size);
  BF_CHECK(q, BF_E_MEMORY, "no memory for %lld entries", (long long)more);
  *p    = q;
  *room = more;
  return BF_OK;
}

bf_err bf_nullspace_grow_int(void **p, bf_int count, bf_int *room, size_t size)
{
  int64_t wide = *room;
  BF_CHECK(count < INT32_MAX / 4, BF_E_MEMORY, "too many equations between bodies");
  BF_TRY(bf_nullspace_grow(p, count, &wide, size));
  *room = (bf_int)wide;
  return BF_OK;
}

/* Adds an equation to R (upper triangular, order n) and overwrites it; returns the operations. */
double bf_nullspace_add_row(double *R, int n, double *row)
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

void bf_nullspace_clear_front(front *f)
{
  bf_host_free(f->block);
  bf_host_free(f->R);
  *f = (front){0};
}

void bf_nullspace_destroy(bf_nullspace **at)
{
  if (!at || !*at) return;
  bf_nullspace *N = *at;
  for (bf_int f = 0; f < N->nfronts; f++) bf_nullspace_clear_front(&N->front[f]);
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
  bf_nullspace_add_row(N->self + (size_t)i * (size_t)(N->d * N->d), N->d, copy);
}

/* A new front of nb blocks, whose degrees it raises. */
bf_err bf_nullspace_new_front(bf_nullspace *N, int nb, const bf_int *block)
{
  const size_t n = (size_t)nb * (size_t)N->d;
  BF_TRY(bf_nullspace_grow_int((void **)&N->front, N->nfronts, &N->fronts_room, sizeof *N->front));
  BF_CHECK(N->front, BF_E_INTERNAL, "fronts without memory");
  front *f = &N->front[N->nfronts];
  *f       = (front){.nb = nb};
  N->nfronts++;
  BF_TRY(BF_NEW_ARRAY(f->block, nb));
  BF_TRY(BF_NEW_ARRAY(f->R, n * n));
  for (int k = 0; k < nb; k++) {
    const bf_int i = f->block[k] = block[k];
    BF_TRY(bf_nullspace_grow_int((void **)&N->link, N->nlinks, &N->links_room, sizeof *N->link));
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
  if (!last || last->block[0] != i || last->block[1] != j) BF_TRY(bf_nullspace_new_front(N, 2, pair));
  memcpy(copy, row, 2 * (size_t)N->d * sizeof *row);
  bf_nullspace_add_row(N->front[N->nfronts - 1].R, 2 * N->d, copy);
  return BF_OK;
}

bf_err bf_nullspace_solve(bf_nullspace *N, double tolerance, double flops, double bytes, int *complete)
{
  BF_CHECK(N && complete && tolerance > 0.0, BF_E_ARG, "bad argument");
  *complete = 0;
  N->flops  = flops;
  N->bytes  = bytes;
  return bf_nullspace_eliminate_all(N, tolerance, complete);
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
