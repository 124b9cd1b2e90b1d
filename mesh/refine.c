/* mesh/refine.c - the cells of a plane view divided into n x n smaller ones, for pictures of fields between
 * nodes; see view.h
 *
 * Every cell has its own points, so that fields may be discontinuous between cells.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/view.h"

static int is_triangle(bf_elem_type type)
{
  return bf_elem(type)->ncorners == 3;
}

/* Number of point (i, j), j rows up, among those of a cell. */
static int place(int triangle, int n, int i, int j)
{
  return triangle ? j * (n + 1) - j * (j - 1) / 2 + i : j * (n + 1) + i;
}

static int points_of(int triangle, int n)
{
  return triangle ? (n + 1) * (n + 2) / 2 : (n + 1) * (n + 1);
}

/* xi of the points of a cell. */
static void fill_points(int triangle, int n, double (*xi)[3])
{
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= (triangle ? n - j : n); i++) {
      double *p = xi[place(triangle, n, i, j)];
      p[0]      = triangle ? (double)i / n : 2.0 * i / n - 1.0;
      p[1]      = triangle ? (double)j / n : 2.0 * j / n - 1.0;
      p[2]      = 0.0;
    }
}

/* Nodes of the n*n small cells; first: number of the cell's first point. */
static void fill_cells(int triangle, int n, bf_int first, bf_int *node)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < (triangle ? n - j : n); i++) {
      *node++ = first + place(triangle, n, i, j);
      *node++ = first + place(triangle, n, i + 1, j);
      if (!triangle) *node++ = first + place(triangle, n, i + 1, j + 1);
      *node++ = first + place(triangle, n, i, j + 1);
      if (!triangle || i + j >= n - 1) continue;
      *node++ = first + place(triangle, n, i + 1, j);
      *node++ = first + place(triangle, n, i + 1, j + 1);
      *node++ = first + place(triangle, n, i, j + 1);
    }
}

bf_err bf_view_refine(const bf_view *view, int n, bf_mesh **mesh, bf_int **cell, double (**xi)[3])
{
  bf_err   err = BF_OK;
  bf_mesh *m   = NULL;
  bf_int  *of = NULL, count[2] = {0, 0}, at[2] = {0, 0};
  double(*ref)[3] = NULL;
  int64_t points  = 0;
  BF_CHECK(view && mesh && cell && xi && n >= 1, BF_E_ARG, "refinement %d", n);
  for (bf_int c = 0; c < view->ncells; c++) {
    const int triangle = is_triangle(view->type[c]);
    BF_CHECK(bf_elem(view->type[c])->dim == 2, BF_E_ARG, "cell %d is not of the plane", c);
    points += points_of(triangle, n);
    count[!triangle]++;
  }
  BF_CHECK(points < INT32_MAX / 2, BF_E_MODEL, "%lld points of a refined view", (long long)points);
  BF_GO(bf_mesh_create("refined", 2, (bf_int)points, (count[0] > 0) + (count[1] > 0), 0, &m));
  for (int k = 0, b = 0; k < 2; k++)
    if (count[k] > 0) BF_GO(bf_mesh_set_block(m, b++, k ? BF_QUAD4 : BF_TRI3, count[k] * n * n));
  BF_GO(BF_NEW_ARRAY(of, points));
  BF_GO(BF_NEW_ARRAY(ref, points));
  bf_int first = 0;
  for (bf_int c = 0; c < view->ncells; c++) {
    const int triangle = is_triangle(view->type[c]), np = points_of(triangle, n);
    bf_block *B = &m->block[triangle || count[0] == 0 ? 0 : 1];
    fill_points(triangle, n, ref + first);
    for (int i = 0; i < np; i++) of[first + i] = c;
    fill_cells(triangle, n, first, B->node + (size_t)at[!triangle] * (size_t)(n * n * (triangle ? 3 : 4)));
    at[!triangle]++;
    first += np;
  }
  for (int b = 0; b < m->nblocks; b++)
    for (bf_int e = 0; e < m->block[b].n; e++) m->block[b].tag[e] = m->block[b].first + e + 1;
  for (bf_int i = 0; i < m->nnodes; i++) m->node_tag[i] = i + 1;
  *mesh = m;
  *cell = of;
  *xi   = ref;
  m     = NULL;
  of    = NULL;
  ref   = NULL;
done:
  bf_mesh_destroy(&m);
  bf_host_free(of);
  bf_host_free(ref);
  return err;
}
