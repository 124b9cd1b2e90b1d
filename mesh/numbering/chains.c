/* mesh/numbering/chains.c - boundary edges, cut at corners into ordered chains; a chain without corner is a
 * loop
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/starts.h"
#include "mesh/numbering/vertex_mesh.h"

typedef struct walk { /* the edges by local vertices 0 .. n-1, in order of first appearance */
  bf_int nedges, n;
  bf_int (*edge)[2]; /* owned */
  bf_int  *global;   /* owned [n] */
  bf_int  *ptr;      /* owned [n + 1]: edges at a vertex are at[ptr[i] .. ptr[i+1]) */
  bf_int  *at;       /* owned */
  uint8_t *corner;   /* owned [n] */
  uint8_t *used;     /* owned [nedges] */
} walk;

void bf_chains_destroy(bf_chains **c)
{
  if (!c || !*c) return;
  bf_host_free((*c)->ptr);
  bf_host_free((*c)->vert);
  bf_host_free((*c)->loop);
  bf_host_free(*c);
  *c = NULL;
}

static void walk_free(walk *w)
{
  bf_host_free(w->edge);
  bf_host_free(w->global);
  bf_host_free(w->ptr);
  bf_host_free(w->at);
  bf_host_free(w->corner);
  bf_host_free(w->used);
}

static bf_err walk_build(walk *w, bf_int nedges, const bf_int (*edge)[2], bf_int *local)
{
  bf_err  err  = BF_OK;
  bf_int *fill = NULL;
  w->nedges    = nedges;
  BF_GO(BF_NEW_ARRAY(w->edge, nedges));
  BF_GO(BF_NEW_ARRAY(w->global, 2 * (size_t)nedges));
  BF_GO(BF_NEW_ARRAY(w->used, nedges));
  for (bf_int e = 0; e < nedges; e++)
    for (int k = 0; k < 2; k++) {
      bf_int *l = &local[edge[e][k]];
      if (*l < 0) {
        *l                = w->n;
        w->global[w->n++] = edge[e][k];
      }
      w->edge[e][k] = *l;
    }
  for (bf_int i = 0; i < w->n; i++) local[w->global[i]] = -1;
  BF_GO(BF_NEW_ARRAY(w->corner, w->n));
  BF_GO(BF_NEW_ARRAY(w->ptr, (size_t)w->n + 1));
  BF_GO(BF_NEW_ARRAY(w->at, 2 * (size_t)nedges));
  BF_GO(BF_NEW_ARRAY(fill, w->n));
  for (bf_int e = 0; e < nedges; e++)
    for (int k = 0; k < 2; k++) w->ptr[w->edge[e][k] + 1]++;
  for (bf_int i = 0; i < w->n; i++) w->ptr[i + 1] += w->ptr[i];
  for (bf_int e = 0; e < nedges; e++)
    for (int k = 0; k < 2; k++) {
      const bf_int i               = w->edge[e][k];
      w->at[w->ptr[i] + fill[i]++] = e;
    }
done:
  bf_host_free(fill);
  return err;
}

/* Two edges meet smoothly in i: one enters, one leaves, and the direction turns little. */
static int smooth_by_angle(const walk *w, const bf_vmesh *v, bf_int i)
{
  const bf_int *e = w->edge[w->at[w->ptr[i]]], *f = w->edge[w->at[w->ptr[i] + 1]];
  if (e[1] != i) {
    const bf_int *t = e;
    e               = f;
    f               = t;
  }
  if (e[1] != i || f[0] != i) return 0;
  const double *p = bf_vmesh_x(v, w->global[e[0]]), *q = bf_vmesh_x(v, w->global[i]),
               *r   = bf_vmesh_x(v, w->global[f[1]]);
  const double a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, b[3] = {r[0] - q[0], r[1] - q[1], r[2] - q[2]};
  return !bf_is_corner(a, b);
}

static void mark_corners(walk *w, const bf_vmesh *v, const uint8_t *corner)
{
  for (bf_int i = 0; i < w->n; i++) {
    if (w->ptr[i + 1] - w->ptr[i] != 2)
      w->corner[i] = 1;
    else
      w->corner[i] = corner ? corner[w->global[i]] : !smooth_by_angle(w, v, i);
  }
}

/* From vertex i along unused edges, beginning with e, to a corner or back to i; appends all vertices but a
 * repeated first one. */
static void follow(walk *w, bf_int i, bf_int e, bf_chains *c)
{
  const bf_int begin  = i;
  c->vert[c->nvert++] = w->global[i];
  while (e >= 0) {
    w->used[e] = 1;
    i          = w->edge[e][0] == i ? w->edge[e][1] : w->edge[e][0];
    if (i == begin) return;
    c->vert[c->nvert++] = w->global[i];
    e                   = -1;
    if (w->corner[i]) return;
    for (bf_int k = w->ptr[i]; k < w->ptr[i + 1] && e < 0; k++)
      if (!w->used[w->at[k]]) e = w->at[k];
  }
}

bf_err bf_chains_create(const bf_vmesh *v, bf_int nedges, const bf_int (*edge)[2], const uint8_t *corner,
                        bf_int *local, bf_chains **out)
{
  bf_err     err = BF_OK;
  bf_chains *c   = NULL;
  walk       w   = {0};
  *out           = NULL;
  BF_GO(walk_build(&w, nedges, edge, local));
  mark_corners(&w, v, corner);
  BF_GO(BF_NEW(c));
  BF_GO(BF_NEW_ARRAY(c->ptr, (size_t)nedges + 1));
  BF_GO(BF_NEW_ARRAY(c->vert, 2 * (size_t)nedges));
  BF_GO(BF_NEW_ARRAY(c->loop, nedges));
  for (bf_int i = 0; i < w.n; i++)
    for (bf_int k = w.ptr[i]; k < w.ptr[i + 1] && w.corner[i]; k++)
      if (!w.used[w.at[k]]) {
        follow(&w, i, w.at[k], c);
        c->ptr[++c->n] = c->nvert;
      }
  for (bf_int e = 0; e < nedges; e++)
    if (!w.used[e]) {
      follow(&w, w.edge[e][0], e, c);
      c->loop[c->n]  = 1;
      c->ptr[++c->n] = c->nvert;
    }
  *out = c;
  c    = NULL;
done:
  walk_free(&w);
  bf_chains_destroy(&c);
  return err;
}
