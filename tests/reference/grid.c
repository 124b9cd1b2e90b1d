/* tests/reference/grid.c - see grid.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/grid.h"

t_grid t_grid_new(bf_int nx, bf_int ny, bf_int nz, uint64_t *seed)
{
  const bf_int layers = nz ? nz : 1, px = nx + 1, py = ny + 1;
  t_grid       g = {.n = px * py * (nz + 1), .ne = nx * ny * layers, .nen = nz ? 8 : 4};
  g.conn         = calloc((size_t)(g.ne * g.nen), sizeof *g.conn);
  bf_int *place  = calloc((size_t)g.ne, sizeof *place);
  assert_non_null(g.conn);
  assert_non_null(place);
  for (bf_int e = 0; e < g.ne; e++) { /* a random permutation, built by inserting */
    const bf_int k = (bf_int)(t_random(seed) >> 33) % (e + 1);
    place[e]       = place[k];
    place[k]       = e;
  }
  for (bf_int e = 0; e < g.ne; e++) {
    const bf_int i = e % nx, j = e / nx % ny, k = e / (nx * ny);
    bf_int      *c = g.conn + place[e] * g.nen;
    for (int a = 0; a < g.nen; a++) {
      const bf_int di = a % 4 == 1 || a % 4 == 2, dj = a % 4 >= 2, dk = a >= 4;
      c[a] = (i + di) + px * ((j + dj) + py * (k + dk));
    }
  }
  free(place);
  return g;
}

void t_grid_free(t_grid *g)
{
  free(g->conn);
}

double *t_grid_matrices(const t_grid *g, int D, int symmetric, uint64_t *seed)
{
  const size_t nd = (size_t)(g->nen * D), count = (size_t)g->ne * nd * nd;
  double      *Ke = malloc(count * sizeof *Ke);
  assert_non_null(Ke);
  for (size_t i = 0; i < count; i++) Ke[i] = 2.0 * t_uniform(seed) - 1.0;
  for (size_t e = 0; symmetric && e < (size_t)g->ne; e++)
    for (size_t i = 0; i < nd; i++)
      for (size_t j = 0; j < i; j++) Ke[(e * nd + i) * nd + j] = Ke[(e * nd + j) * nd + i];
  return Ke;
}

bf_graph *t_grid_pattern(const t_grid *g)
{
  const size_t   n    = (size_t)g->n;
  unsigned char *has  = calloc(n * n, 1);
  bf_graph      *out  = NULL;
  int64_t        nadj = 0;
  assert_non_null(has);
  for (bf_int e = 0; e < g->ne; e++)
    for (int a = 0; a < g->nen; a++)
      for (int b = 0; b < g->nen; b++)
        has[(size_t)g->conn[e * g->nen + a] * n + (size_t)g->conn[e * g->nen + b]] = 1;
  for (size_t i = 0; i < n * n; i++) nadj += has[i];
  T_OK(bf_graph_create(g->n, nadj, &out));
  nadj = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      if (has[i * n + j]) out->adj[nadj++] = (bf_int)j;
    out->ptr[i + 1] = nadj;
  }
  free(has);
  return out;
}
