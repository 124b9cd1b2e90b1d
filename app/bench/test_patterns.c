/* app/bench/test_patterns.c - the matrices of bandfem bench: patterns
 *
 * TET: one point somewhere in every cell of a cubic grid; points closer than 1.51 cells are neighbours: 14 on
 * the mean, from 5 to 30, as many as a vertex of a Delaunay triangulation has; points in a random order, then
 * numbered by reverse Cuthill-McKee.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#include <stdlib.h>

static uint64_t mix(uint64_t z) /* splitmix64: Steele, Lea, Flood, OOPSLA 2014 */
{
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
static double unit(uint64_t z)
{
  return (double)(mix(z) >> 11) * 0x1p-53;
}

bf_int bf_case_rows(const bf_case *c)
{
  return c->kind == BF_CASE_GRID || c->kind == BF_CASE_TET ? c->size * c->size * c->size : c->size;
}

double bf_case_value(const bf_case *c, bf_int row, bf_int column)
{
  const bf_int i = !c->unsymmetric && row > column ? column : row, j = row + column - i;
  return -0.25 - 0.75 * unit(((uint64_t)i << 32) | (uint64_t)j);
}

/* ---- rows of the structured patterns */
/* Columns of row i, ascending; how many (col may be NULL). */
static int band_row(const bf_case *c, bf_int i, bf_int *col)
{
  const bf_int h = c->width / 2, lo = i > h ? i - h : 0, hi = i + h < c->size ? i + h : c->size - 1;
  for (bf_int j = lo; j <= hi && col; j++) col[j - lo] = j;
  return hi - lo + 1;
}

static int grid_row(const bf_case *c, bf_int i, bf_int *col)
{
  const bf_int m = c->size, x = i % m, y = i / m % m, z = i / m / m;
  int          n = 0;
  for (int dz = z > 0 ? -1 : 0; dz <= (z < m - 1); dz++)
    for (int dy = y > 0 ? -1 : 0; dy <= (y < m - 1); dy++)
      for (int dx = x > 0 ? -1 : 0; dx <= (x < m - 1); dx++, n++)
        if (col) col[n] = i + dx + m * (dy + m * dz);
  return n;
}

static int by_value(const void *a, const void *b)
{
  const bf_int x = *(const bf_int *)a, y = *(const bf_int *)b;
  return (x > y) - (x < y);
}

/* width/2 .. 3 width/2 columns anywhere, the diagonal among them, repeats dropped. */
static int random_row(const bf_case *c, bf_int i, bf_int *col)
{
  bf_int         at[256];
  const uint64_t seed  = (uint64_t)i << 10;
  const int      tries = c->width / 2 + (int)(unit(seed) * c->width), most = tries < 255 ? tries : 255;
  int            n = 0;
  at[0]            = i;
  for (int k = 1; k <= most; k++) at[k] = (bf_int)(unit(seed + (uint64_t)k) * c->size);
  qsort(at, (size_t)most + 1, sizeof *at, by_value);
  for (int k = 0; k <= most; k++)
    if (k == 0 || at[k] != at[k - 1]) {
      if (col) col[n] = at[k];
      n++;
    }
  return n;
}

/* ---- scattered points */
static void point(const bf_case *c, bf_int cell, double p[3])
{
  const bf_int m = c->size, at[3] = {cell % m, cell / m % m, cell / m / m};
  for (int k = 0; k < 3; k++) p[k] = at[k] + unit((uint64_t)cell * 4 + (uint64_t)k);
}

static int tet_row(const bf_case *c, bf_int i, bf_int *col)
{
  const bf_int m = c->size, x = i % m, y = i / m % m, z = i / m / m;
  const double near = 1.51 * 1.51;
  double       p[3], q[3];
  int          n = 0;
  point(c, i, p);
  for (bf_int k = z > 2 ? z - 2 : 0; k <= z + 2 && k < m; k++)
    for (bf_int j = y > 2 ? y - 2 : 0; j <= y + 2 && j < m; j++)
      for (bf_int l = x > 2 ? x - 2 : 0; l <= x + 2 && l < m; l++) {
        const bf_int cell = l + m * (j + m * k);
        point(c, cell, q);
        const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > near) continue;
        if (col) col[n] = cell;
        n++;
      }
  return n;
}

static bf_err rows(const bf_case *c, int (*row)(const bf_case *, bf_int, bf_int *), bf_graph **out)
{
  bf_err       err = BF_OK;
  const bf_int n   = bf_case_rows(c);
  int64_t     *ptr = NULL;
  bf_graph    *g   = NULL;
  BF_GO(BF_NEW_ARRAY(ptr, (int64_t)n + 1));
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++) ptr[i + 1] = row(c, i, NULL);
  for (bf_int i = 0; i < n; i++) ptr[i + 1] += ptr[i];
  BF_GO(bf_graph_create(n, ptr[n], &g));
#pragma omp parallel for
  for (bf_int i = 0; i < n; i++) {
    g->ptr[i + 1] = ptr[i + 1];
    row(c, i, g->adj + ptr[i]);
  }
  *out = g;
done:
  bf_host_free(ptr);
  return err;
}

/* g with vertex order[k] renamed to k. */
static bf_err renumber(const bf_graph *g, const bf_int *order, bf_graph **out)
{
  bf_err    err = BF_OK;
  bf_int   *at  = NULL;
  bf_graph *h   = NULL;
  BF_GO(BF_NEW_ARRAY(at, g->n));
  BF_GO(bf_graph_create(g->n, g->ptr[g->n], &h));
  for (bf_int k = 0; k < g->n; k++) at[order[k]] = k;
  for (bf_int k = 0; k < g->n; k++) h->ptr[k + 1] = h->ptr[k] + g->ptr[order[k] + 1] - g->ptr[order[k]];
#pragma omp parallel for
  for (bf_int k = 0; k < g->n; k++) {
    const bf_int *from = g->adj + g->ptr[order[k]];
    bf_int       *to   = h->adj + h->ptr[k];
    const size_t  len  = (size_t)(h->ptr[k + 1] - h->ptr[k]);
    for (size_t j = 0; j < len; j++) to[j] = at[from[j]];
    qsort(to, len, sizeof *to, by_value);
  }
  *out = h;
  h    = NULL;
done:
  bf_graph_destroy(&h);
  bf_host_free(at);
  return err;
}

static bf_err tet_graph(const bf_case *c, bf_graph **out)
{
  bf_err       err   = BF_OK;
  const bf_int n     = bf_case_rows(c);
  bf_int      *order = NULL;
  bf_graph    *cells = NULL, *shuffled = NULL;
  BF_GO(BF_NEW_ARRAY(order, n));
  BF_GO(rows(c, tet_row, &cells));
  for (bf_int i = 0; i < n; i++) { /* Fisher-Yates from the front */
    const bf_int j = (bf_int)(unit((uint64_t)i + ((uint64_t)1 << 40)) * (i + 1));
    order[i]       = order[j];
    order[j]       = i;
  }
  BF_GO(renumber(cells, order, &shuffled));
  BF_GO(bf_graph_rcm(shuffled, order));
  BF_GO(renumber(shuffled, order, out));
done:
  bf_graph_destroy(&shuffled);
  bf_graph_destroy(&cells);
  bf_host_free(order);
  return err;
}

bf_err bf_case_graph(const bf_case *c, bf_graph **out)
{
  switch (c->kind) {
  case BF_CASE_BAND: return rows(c, band_row, out);
  case BF_CASE_GRID: return rows(c, grid_row, out);
  case BF_CASE_RANDOM: return rows(c, random_row, out);
  case BF_CASE_TET: break;
  }
  return tet_graph(c, out);
}
