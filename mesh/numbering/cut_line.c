/* mesh/numbering/cut_line.c - opens a closed ring of quadrilaterals along a line straight across it
 *
 * From a smooth vertex of a loop (2 elements, 1 inner edge) the line enters the mesh; at an inner vertex of 4
 * quadrilaterals it continues by the edge that shares none of them with the edge of entry; it ends at the
 * boundary.  The graph edges from the line to the vertices at its left are removed, so that levels run around
 * the ring and end there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/starts.h"
#include "mesh/numbering/vertex_mesh.h"

enum { SEARCH = 8 }; /* start vertices tried on a loop */

typedef struct quads { /* elements at each vertex */
  const bf_vmesh *v;
  bf_int         *ptr;  /* owned [nv + 1] */
  const bf_int  **cell; /* owned [ptr[nv]]: corners of an element */
} quads;

static bf_err quads_build(quads *Q, const bf_vmesh *v)
{
  bf_err       err  = BF_OK;
  bf_int      *fill = NULL;
  const bf_int nv   = v->cells.nv;
  Q->v              = v;
  BF_GO(BF_NEW_ARRAY(Q->ptr, (size_t)nv + 1));
  BF_GO(BF_NEW_ARRAY(fill, nv));
  for (int b = 0; b < v->cells.nblocks; b++) {
    const bf_cell_block *B = &v->cells.block[b];
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < 4; k++) Q->ptr[B->v[(size_t)e * (size_t)B->stride + (size_t)k] + 1]++;
  }
  for (bf_int i = 0; i < nv; i++) Q->ptr[i + 1] += Q->ptr[i];
  BF_GO(BF_NEW_ARRAY(Q->cell, Q->ptr[nv]));
  for (int b = 0; b < v->cells.nblocks; b++) {
    const bf_cell_block *B = &v->cells.block[b];
    for (bf_int e = 0; e < B->n; e++)
      for (int k = 0; k < 4; k++) {
        const bf_int *c = B->v + (size_t)e * (size_t)B->stride, i = c[k];
        Q->cell[Q->ptr[i] + fill[i]++] = c;
      }
  }
done:
  bf_host_free(fill);
  return err;
}

/* Elements that have both vertices; `after`: those in which q follows p, so which lie to the left of p -> q;
 * *some = the last of them. */
static int shared(const quads *Q, bf_int p, bf_int q, int after, const bf_int **some)
{
  int n = 0;
  for (bf_int k = Q->ptr[p]; k < Q->ptr[p + 1]; k++) {
    const bf_int *c = Q->cell[k];
    for (int i = 0; i < 4; i++)
      if (after ? c[i] == p && c[(i + 1) % 4] == q : c[i] == q) {
        n++;
        if (some) *some = c;
      }
  }
  return n;
}

static int in_cell(const bf_int *c, bf_int p)
{
  return c[0] == p || c[1] == p || c[2] == p || c[3] == p;
}

/* The inner edge of a boundary vertex of two elements, or -1. */
static bf_int way_in(const quads *Q, const bf_graph *g, bf_int p)
{
  if (g->ptr[p + 1] - g->ptr[p] != 3) return -1;
  for (int64_t k = g->ptr[p]; k < g->ptr[p + 1]; k++)
    if (shared(Q, p, g->adj[k], 0, NULL) == 2) return g->adj[k];
  return -1;
}

/* Straight on from q, entered from p: the neighbour no element at q joins with p; -1 if q is not regular. */
static bf_int straight_on(const quads *Q, const bf_graph *g, bf_int p, bf_int q)
{
  if (Q->ptr[q + 1] - Q->ptr[q] != 4 || g->ptr[q + 1] - g->ptr[q] != 4) return -1;
  for (int64_t j = g->ptr[q]; j < g->ptr[q + 1]; j++) {
    const bf_int w      = g->adj[j];
    int          joined = w == p;
    for (bf_int k = Q->ptr[q]; k < Q->ptr[q + 1]; k++)
      joined |= in_cell(Q->cell[k], p) && in_cell(Q->cell[k], w);
    if (!joined) return w;
  }
  return -1;
}

/* The line from p to the boundary; its number of vertices, or 0 if it meets an irregular vertex or itself. */
static bf_int walk_line(const quads *Q, const bf_graph *g, const bf_boundary *b, bf_int p, uint8_t *on,
                        bf_int *line)
{
  bf_int q = way_in(Q, g, p), n = 0;
  line[n++] = p;
  on[p]     = 1;
  while (q >= 0 && !on[q]) {
    line[n++] = q;
    on[q]     = 1;
    if (b->vertex[q]) break;
    const bf_int w = straight_on(Q, g, p, q);
    p              = q;
    q              = w;
  }
  for (bf_int i = 0; i < n; i++) on[line[i]] = 0;
  return n > 1 && b->vertex[line[n - 1]] ? n : 0;
}

/* Vertices of the elements left of the line that are not on it, after the line in line[]; returns their
 * number.
 */
static bf_int find_left(const quads *Q, bf_int *line, bf_int n, uint8_t *on)
{
  bf_int m = n;
  for (bf_int i = 0; i < n; i++) on[line[i]] = 1;
  for (bf_int i = 0; i + 1 < n; i++) {
    const bf_int *c = NULL;
    if (!shared(Q, line[i], line[i + 1], 1, &c)) continue;
    for (int k = 0; k < 4; k++)
      if (!on[c[k]]) {
        on[c[k]]  = 1;
        line[m++] = c[k];
      }
  }
  for (bf_int i = 0; i < m; i++) on[line[i]] = 0;
  return m - n;
}

bf_err bf_starts_add_cut(bf_starts *s, const bf_vmesh *v, const bf_graph *g, const bf_boundary *b,
                         const bf_int *loop, bf_int nloop, bf_start item)
{
  bf_err   err  = BF_OK;
  quads    Q    = {0};
  uint8_t *on   = NULL;
  bf_int  *line = NULL, n = 0;
  BF_GO(quads_build(&Q, v));
  BF_GO(BF_NEW_ARRAY(on, v->cells.nv));
  BF_GO(BF_NEW_ARRAY(line, 3 * (size_t)v->cells.nv));
  for (int t = 0; t < SEARCH && n == 0; t++)
    n = walk_line(&Q, g, b, loop[(int64_t)nloop * t / SEARCH], on, line);
  if (n > 0) {
    item.kind  = BF_START_CUT;
    item.count = n;
    item.nleft = find_left(&Q, line, n, on);
    item.size  = n;
    BF_GO(bf_starts_add(s, item, line, n + item.nleft));
  }
done:
  bf_host_free(Q.ptr);
  bf_host_free(Q.cell);
  bf_host_free(on);
  bf_host_free(line);
  return err;
}
