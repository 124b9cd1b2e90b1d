/* base/bands_split.c - see bands_split.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands_split.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>

enum { SLICE = 128, TOO_MANY = 8192, THREADS = 16 };

typedef struct slices { /* distinct offsets of every slice of rows, ascending, with how many rows have them */
  bf_int           n, count;
  const bf_graph  *g;
  bf_split_options want;
  int64_t         *ptr;          /* owned [count + 1] */
  bf_int          *off, *filled; /* owned [ptr[count]] */
} slices;

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

static bf_int rows_of(const slices *S, bf_int s)
{
  const bf_int left = S->n - s * SLICE;
  return left < SLICE ? left : SLICE;
}

/* ---- counting ---- */

/* Counts the offsets of slice s in seen[n-1 + off] and lists the distinct ones in found; returns their
 * number. Resets seen to zero unless `keep`. */
static bf_int scan_slice(const slices *S, bf_int s, bf_int *seen, bf_int *found, int keep)
{
  const bf_graph *g = S->g;
  bf_int          m = 0;
  found[m++]        = 0;
  seen[S->n - 1]    = rows_of(S, s); /* the diagonal is always listed */
  for (bf_int i = s * SLICE; i < s * SLICE + rows_of(S, s); i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++) {
      const bf_int off = g->adj[p] - i;
      if (off == 0 || (S->want.half && off < 0)) continue;
      if (seen[S->n - 1 + off]++ == 0) found[m++] = off;
    }
  for (bf_int k = 0; k < m && !keep; k++) seen[S->n - 1 + found[k]] = 0;
  return m;
}

static void fill_slice(const slices *S, bf_int s, bf_int *seen, bf_int *found)
{
  const bf_int m = scan_slice(S, s, seen, found, 1);
  qsort(found, (size_t)m, sizeof *found, ascending);
  for (bf_int k = 0; k < m; k++) {
    S->off[S->ptr[s] + k]     = found[k];
    S->filled[S->ptr[s] + k]  = seen[S->n - 1 + found[k]];
    seen[S->n - 1 + found[k]] = 0;
  }
}

/* The largest number of pairs in one slice, and a margin. */
static int64_t longest_slice(const slices *S)
{
  int64_t most = 0;
  for (bf_int s = 0; s < S->count; s++) {
    const int64_t m = S->g->ptr[s * SLICE + rows_of(S, s)] - S->g->ptr[s * SLICE];
    most            = m > most ? m : most;
  }
  return most + 1;
}

/* put 0: ptr[s + 1] = distinct offsets of slice s; 1: the offsets at ptr. */
static bf_err walk_slices(slices *S, int put)
{
  /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): read by the clause below */
  const int nt     = omp_get_max_threads() < THREADS ? omp_get_max_threads() : THREADS;
  int       failed = 0;
#pragma omp parallel num_threads(nt) reduction(| : failed)
  {
    bf_int *seen  = bf_host_alloc(2 * (size_t)S->n, sizeof *seen);
    bf_int *found = bf_host_alloc((size_t)longest_slice(S), sizeof *found);
    failed        = !seen || !found;
#pragma omp for schedule(static)
    for (bf_int s = 0; s < S->count; s++) {
      if (!seen || !found) continue;
      if (put)
        fill_slice(S, s, seen, found);
      else
        S->ptr[s + 1] = scan_slice(S, s, seen, found, 0);
    }
    bf_host_free(seen);
    bf_host_free(found);
  }
  BF_CHECK(!failed, BF_E_MEMORY, "no memory to count the offsets of %d rows", (int)S->n);
  return BF_OK;
}

static bf_err find_slices(slices *S)
{
  BF_TRY(BF_NEW_ARRAY(S->ptr, (size_t)S->count + 1));
  BF_TRY(walk_slices(S, 0));
  for (bf_int s = 0; s < S->count; s++) S->ptr[s + 1] += S->ptr[s];
  BF_TRY(BF_NEW_ARRAY(S->off, S->ptr[S->count]));
  BF_TRY(BF_NEW_ARRAY(S->filled, S->ptr[S->count]));
  return walk_slices(S, 1);
}

/* ---- costs ---- */

/* Bytes of `entries` pairs in the remainder and of an offset over `rows` rows in a table. */
static double rest_bytes(const slices *S, double entries)
{
  const int D = S->want.ncomp;
  return entries * D * D * (S->want.value_bytes + 8) * (S->want.half ? 2 : 1);
}

static double table_bytes(const slices *S, int64_t rows, int64_t noff)
{
  const int D = S->want.ncomp;
  return ((double)rows * D * D * S->want.value_bytes + 16.0) * (double)noff;
}

static int dense(const slices *S, int64_t rows, int64_t filled, bf_int off)
{
  return off == 0 || !S->want.remainder || rest_bytes(S, (double)filled) > table_bytes(S, rows, 1);
}

/* ---- tables ---- */

typedef struct tables { /* under construction: segments with their offsets, consecutive */
  bf_int   nseg, room_seg;
  int64_t  noff, room;
  bf_int  *row; /* owned: first row */
  int64_t *end; /* owned: of its offsets */
  bf_int  *off; /* owned */
  double   bytes;
} tables;

static void tables_clear(tables *t)
{
  bf_host_free(t->row);
  bf_host_free(t->end);
  bf_host_free(t->off);
}

static bf_err grow(void **p, size_t count, size_t size)
{
  void *q = bf_host_realloc(*p, count, size);
  BF_CHECK(q, BF_E_MEMORY, "no memory for %zu x %zu bytes", count, size);
  *p = q;
  return BF_OK;
}

static bf_err add_segment(tables *t, bf_int row0, bf_int noff, const bf_int *off)
{
  if (t->nseg == t->room_seg) {
    const bf_int room = 2 * t->room_seg + 16;
    BF_TRY(grow((void **)&t->row, (size_t)room, sizeof *t->row));
    BF_TRY(grow((void **)&t->end, (size_t)room, sizeof *t->end));
    t->room_seg = room;
  }
  if (t->noff + noff > t->room) {
    const int64_t room = 2 * t->room + noff;
    BF_TRY(grow((void **)&t->off, (size_t)room, sizeof *t->off));
    t->room = room;
  }
  for (bf_int k = 0; k < noff; k++) t->off[t->noff++] = off[k];
  t->row[t->nseg]   = row0;
  t->end[t->nseg++] = t->noff;
  return BF_OK;
}

/* One table: the offsets that are dense over all rows. */
static bf_err one_table(const slices *S, tables *t)
{
  bf_err   err   = BF_OK;
  int32_t *total = NULL;
  bf_int  *off = NULL, m = 0;
  int64_t  distinct = 0;
  BF_GO(BF_NEW_ARRAY(total, 2 * (size_t)S->n - 1));
  for (int64_t p = 0; p < S->ptr[S->count]; p++) {
    distinct += total[S->n - 1 + S->off[p]] == 0;
    total[S->n - 1 + S->off[p]] += S->filled[p];
  }
  BF_GO(BF_NEW_ARRAY(off, distinct));
  double lost = 0.0;
  for (bf_int k = 0; k < 2 * S->n - 1; k++) {
    if (total[k] == 0) continue;
    if (dense(S, S->n, total[k], k - (S->n - 1)))
      off[m++] = k - (S->n - 1);
    else
      lost += total[k];
  }
  t->bytes = table_bytes(S, S->n, m) + rest_bytes(S, lost);
  BF_GO(add_segment(t, 0, m, off));
done:
  bf_host_free(total);
  bf_host_free(off);
  return err;
}

/* Union of two ascending lists; its length. */
static bf_int unite(bf_int na, const bf_int *a, bf_int nb, const bf_int *b, bf_int *u)
{
  bf_int i = 0, j = 0, m = 0;
  while (i < na || j < nb) {
    const bf_int x = j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
    i += i < na && a[i] == x;
    j += j < nb && b[j] == x;
    u[m++] = x;
  }
  return m;
}

/* Segments from the first row on: a slice joins the segment before it while the segment's table costs at most
 * 2 % more than its slices' own. */
static bf_err segments(const slices *S, tables *t)
{
  bf_err  err  = BF_OK;
  bf_int *list = NULL, *mine, *now, *next, nnow = 0, first = 0; /* offsets of a slice, of the segment */
  int64_t most = 1;
  double  own = 0.0, lost = 0.0;
  for (bf_int s = 0; s < S->count; s++)
    most = S->ptr[s + 1] - S->ptr[s] > most ? S->ptr[s + 1] - S->ptr[s] : most;
  const int64_t room = 2 * most + 64; /* of a union: 2 % more than one of its slices, and the slice */
  BF_GO(BF_NEW_ARRAY(list, 3 * room));
  mine = list, now = list + room, next = list + 2 * room;
  for (bf_int s = 0; s < S->count; s++) {
    bf_int m = 0;
    for (int64_t p = S->ptr[s]; p < S->ptr[s + 1]; p++) {
      if (dense(S, rows_of(S, s), S->filled[p], S->off[p]))
        mine[m++] = S->off[p];
      else
        lost += S->filled[p];
    }
    const double  cost = table_bytes(S, rows_of(S, s), m);
    const bf_int  u    = nnow + m <= room ? unite(nnow, now, m, mine, next) : (bf_int)room;
    const int64_t rows = (int64_t)(s - first) * SLICE + rows_of(S, s);
    if (s > 0 && nnow + m <= room && table_bytes(S, rows, u) <= 1.02 * (own + cost)) {
      bf_int *swap = now;
      now = next, next = swap, nnow = u;
      own += cost;
      continue;
    }
    if (s > 0) {
      t->bytes += table_bytes(S, (int64_t)(s - first) * SLICE, nnow);
      BF_GO(add_segment(t, first * SLICE, nnow, now));
    }
    for (bf_int k = 0; k < m; k++) now[k] = mine[k];
    nnow = m, first = s, own = cost;
  }
  t->bytes += table_bytes(S, S->n - first * SLICE, nnow) + rest_bytes(S, lost);
  BF_GO(add_segment(t, first * SLICE, nnow, now));
done:
  bf_host_free(list);
  return err;
}

static bf_err to_bands(const slices *S, const tables *t, bf_bands **out)
{
  bf_bands *b = NULL;
  BF_TRY(bf_bands_create(S->n, t->nseg, t->noff, &b));
  for (bf_int s = 0; s < t->nseg; s++) {
    b->row[s]     = t->row[s];
    b->ptr[s + 1] = t->end[s];
  }
  b->row[t->nseg] = S->n;
  for (int64_t k = 0; k < t->noff; k++) b->off[k] = t->off[k];
  *out = b;
  return BF_OK;
}

/* The simplest first; a more complex one must save 2 %. */
static bf_err choose(slices *S, bf_bands **out)
{
  bf_err    err       = BF_OK;
  tables    t[4]      = {{0}}; /* one table, segments; the same with a remainder */
  const int remainder = S->want.remainder;
  int       best      = -1;
  for (int k = 0; k < 4; k++) {
    S->want.remainder = k / 2;
    if (k / 2 && !remainder) break;
    if (k == 1 && t[0].noff > TOO_MANY) continue; /* a table of all of these cannot have the least cost */
    BF_GO(k % 2 ? segments(S, &t[k]) : one_table(S, &t[k]));
    if (best < 0 || t[k].bytes < 0.98 * t[best].bytes) best = k;
  }
  BF_GO(to_bands(S, &t[best], out));
done:
  for (int k = 0; k < 4; k++) tables_clear(&t[k]);
  return err;
}

/* ---- the remainder ---- */

static int banded(const bf_bands *b, int half, bf_int s, bf_int i, bf_int j)
{
  return half && j < i ? bf_bands_has(b, bf_bands_segment(b, j), i - j) : bf_bands_has(b, s, j - i);
}

/* put 0: counts in ptr[i + 1]; 1: the pairs at ptr. */
static void walk_rest(const bf_graph *g, const bf_bands *b, int half, int put, bf_graph *R, int64_t *ptr)
{
  for (bf_int s = 0; s < b->nseg; s++) {
#pragma omp parallel for schedule(static) if (b->row[s + 1] - b->row[s] > 4096)
    for (bf_int i = b->row[s]; i < b->row[s + 1]; i++) {
      int64_t at = put ? ptr[i] : 0;
      for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++) {
        if (banded(b, half, s, i, g->adj[p])) continue;
        if (put) R->adj[at] = g->adj[p];
        at++;
      }
      if (!put) ptr[i + 1] = at;
    }
  }
}

static bf_err remainder_of(const bf_graph *g, const bf_bands *b, int half, bf_graph **out)
{
  bf_err    err = BF_OK;
  int64_t  *ptr = NULL;
  bf_graph *R   = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)g->n + 1));
  walk_rest(g, b, half, 0, NULL, ptr);
  for (bf_int i = 0; i < g->n; i++) ptr[i + 1] += ptr[i];
  BF_GO(bf_graph_create(g->n, ptr[g->n], &R));
  for (bf_int i = 0; i <= g->n; i++) R->ptr[i] = ptr[i];
  walk_rest(g, b, half, 1, R, ptr);
  *out = R;
  R    = NULL;
done:
  bf_host_free(ptr);
  bf_graph_destroy(&R);
  return err;
}

bf_err bf_bands_split(const bf_graph *g, const bf_split_options *want, bf_bands **bands, bf_graph **rest)
{
  bf_err    err = BF_OK;
  bf_bands *b   = NULL;
  slices    S   = {0};
  BF_CHECK(g && want && bands && rest, BF_E_ARG, "null argument");
  *bands = NULL;
  *rest  = NULL;
  BF_CHECK(g->n >= 1 && g->n <= INT32_MAX / 2 && want->ncomp >= 1 && want->value_bytes >= 1, BF_E_ARG,
           "%d rows, %d components", (int)g->n, want->ncomp);
  S = (slices){.n = g->n, .count = (g->n - 1) / SLICE + 1, .g = g, .want = *want};
  BF_GO(find_slices(&S));
  BF_GO(choose(&S, &b));
  BF_GO(remainder_of(g, b, want->half, rest));
  *bands = b;
  b      = NULL;
done:
  bf_bands_destroy(&b);
  bf_host_free(S.ptr);
  bf_host_free(S.off);
  bf_host_free(S.filled);
  return err;
}
