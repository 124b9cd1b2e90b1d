/* assembly/gfem/patch.c - the nodes of a polynomial fit: rings of elements, or the nearest nodes, grown until
 * the fit is well posed
 *
 *     M = sum_J w_J B_J^T B_J,   accepted if  lambda_min > t lambda_max,   t = 1e-3 (order 2), 1e-5 (order 3)
 * B_J: the polynomials without the constant at node J, w_J = 1/r_J^2.  A node on a flat side under a
 * prescribed value also needs `order` other nodes of that side, one on an interface as many of the interface.
 * All eigenvalues of a round of growth are one batch.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/fit.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { REST = 2, SLAB = 16384 }; /* rings beyond the order at most; entries in memory at a time */

typedef struct bf_near { /* candidates of one entry, of one thread */
  bf_int  n;
  bf_int *entry; /* [at.n] */
  bf_int *stamp; /* [at.n]: the search that saw it last */
  bf_int  search;
} bf_near;

/* Breadth first by elements, the entry itself left out; a ring ascending. */
static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

static void rings(const bf_gfem *g, bf_int q, int count, bf_near *w)
{
  const bf_graph *G    = g->at.near;
  bf_int          from = -1;
  w->n                 = 0;
  w->stamp[q]          = ++w->search;
  for (int k = 0; k < count; k++) {
    const bf_int end = w->n;
    for (bf_int i = from; i < end; i++) {
      const bf_int c = i < 0 ? q : w->entry[i];
      for (int64_t j = G->ptr[c]; j < G->ptr[c + 1]; j++)
        if (w->stamp[G->adj[j]] != w->search) {
          w->stamp[G->adj[j]] = w->search;
          w->entry[w->n++]    = G->adj[j];
        }
      if (i < 0) break;
    }
    from = end;
    qsort(w->entry + end, (size_t)(w->n - end), sizeof *w->entry, ascending);
  }
}

static double distance(const bf_model *m, const bf_gfem *g, bf_int p, bf_int q)
{
  const double *x = m->mesh->x + 3 * (size_t)g->at.node[p], *y = m->mesh->x + 3 * (size_t)g->at.node[q];
  return hypot(x[0] - y[0], x[1] - y[1]);
}

typedef struct bf_far {
  double r;
  bf_int entry;
} bf_far;

static int nearer(const void *a, const void *b)
{
  const bf_far *p = a, *q = b;
  return p->r != q->r ? (p->r < q->r ? -1 : 1) : (p->entry > q->entry) - (p->entry < q->entry);
}

/* The first `level` distance cuts past fac*m candidates, ties together; 0 if there are none any more. */
static int compact(const bf_model *m, const bf_gfem *g, bf_int q, int level, bf_near *w, bf_far *far)
{
  const double least = (g->order == 2 ? 1.3 : 1.8) * (g->nb - 1);
  bf_int       n     = 0;
  rings(g, q, g->order + 1, w);
  for (bf_int i = 0; i < w->n; i++) far[i] = (bf_far){distance(m, g, q, w->entry[i]), w->entry[i]};
  qsort(far, (size_t)w->n, sizeof *far, nearer);
  for (; n < w->n; n++) {
    const int cut = n > 0 && far[n].r > far[n - 1].r * (1.0 + 1e-6);
    if (cut && n >= least && level-- == 0) break;
  }
  for (bf_int i = 0; i < n; i++) w->entry[i] = far[i].entry;
  const int more = n < w->n;
  w->n           = n;
  return more;
}

typedef struct bf_growth {    /* of all entries */
  int     *level;             /* [n]: rings, or distance cuts */
  bf_int  *pending, npending; /* entries of the round */
  double  *M, *lambda;        /* [SLAB][m][m], [SLAB][m] */
  uint8_t *enough, *more;     /* [SLAB]: nodes on the sides and in all; can grow */
  bf_int  *info;
  void    *work; /* of the batches */
  int      threads;
  bf_near *near; /* [threads] */
  bf_far **far;  /* [threads][at.n] */
} bf_growth;

static int is_interface(const bf_gfem *g, bf_int q)
{
  const bf_int v = g->at.node[q];
  return g->at.first[v + 1] - g->at.first[v] > 1;
}

static int by_rings(const bf_model *m, const bf_gfem *g, bf_int q)
{
  return m->problem->patch != BF_PATCH_COMPACT || is_interface(g, q);
}

/* Candidates of q at its level into w; 0 if it cannot grow. */
static int candidates(const bf_model *m, const bf_gfem *g, bf_int q, int level, bf_near *w, bf_far *far)
{
  if (!by_rings(m, g, q)) return compact(m, g, q, level, w, far);
  rings(g, q, level, w);
  return level < g->order + REST;
}

/* 1 if the patch has `order` nodes of every side through q's node, or all of the side. */
static int on_sides(const bf_gfem *g, bf_int q, const bf_near *w)
{
  const bf_int *mine    = g->face.chain[g->at.node[q]];
  bf_int        have[3] = {0, 0, 0}, interface = is_interface(g, q);
  for (bf_int i = 0; i < w->n; i++) {
    const bf_int *c = g->face.chain[g->at.node[w->entry[i]]];
    for (int k = 0; k < 2; k++) have[k] += mine[k] >= 0 && (c[0] == mine[k] || c[1] == mine[k]);
    have[2] += is_interface(g, w->entry[i]);
  }
  for (int k = 0; k < 2; k++)
    if (mine[k] >= 0 && have[k] < g->order && have[k] < g->face.count[mine[k]] - 1) return 0;
  return !interface || have[2] >= g->order;
}

/* M of entries k0 .. k0+n-1 of the round. */
static void moments(const bf_model *m, const bf_gfem *g, bf_growth *s, bf_int k0, bf_int n)
{
  const int nm = g->nb - 1;
#pragma omp parallel for schedule(dynamic, 64)
  for (bf_int k = 0; k < n; k++) {
    const bf_int q = s->pending[k0 + k];
    bf_near     *w = &s->near[omp_get_thread_num()];
    s->more[k]     = (uint8_t)candidates(m, g, q, s->level[q], w, s->far[omp_get_thread_num()]);
    s->enough[k]   = w->n >= nm && on_sides(g, q, w);
    bf_gfem_moments(m, g, q, w->entry, w->n, s->M + (size_t)k * (size_t)(nm * nm));
  }
}

/* One round: entries that fail and can grow stay in pending, one level up. */
static bf_err round_of_growth(const bf_model *m, const bf_gfem *g, bf_backend *be, bf_growth *s,
                              uint8_t *poor)
{
  const double tg    = g->order == 2 ? 1e-3 : 1e-5;
  const int    nm    = g->nb - 1;
  const bf_int count = s->npending;
  s->npending        = 0;
  for (bf_int k0 = 0; k0 < count; k0 += SLAB) {
    const bf_int   n = count - k0 < SLAB ? count - k0 : SLAB;
    const bf_batch M = {.type = BF_D, .n = nm, .ld = nm, .count = n, .stride = (int64_t)nm * nm, .a = s->M};
    moments(m, g, s, k0, n);
    BF_TRY(bf_heev_batch(be, &(bf_heev_how){0}, &M, s->lambda, s->info, s->work));
    for (bf_int k = 0; k < n; k++) {
      const double *l    = s->lambda + (size_t)k * (size_t)nm;
      const bf_int  q    = s->pending[k0 + k];
      const int     fine = s->enough[k] && s->info[k] == 0 && l[0] > tg * l[nm - 1];
      poor[q]            = (uint8_t)(!fine && !s->more[k]);
      if (fine || !s->more[k]) continue;
      s->level[q]++;
      s->pending[s->npending++] = q; /* npending <= k0 + k: read before */
    }
  }
  return BF_OK;
}

/* All entries of a node get the rings of the widest of them: their traces on the interface must agree. */
static void level_interfaces(const bf_model *m, const bf_gfem *g, bf_growth *s, uint8_t *listed)
{
  for (bf_int k = 0; k < s->npending; k++) listed[s->pending[k]] = 1;
  for (bf_int v = 0; v < m->mesh->nnodes; v++) {
    int most = 0;
    if (g->at.first[v + 1] - g->at.first[v] < 2) continue;
    for (bf_int q = g->at.first[v]; q < g->at.first[v + 1]; q++)
      most = s->level[q] > most ? s->level[q] : most;
    for (bf_int q = g->at.first[v]; q < g->at.first[v + 1]; q++) {
      if (s->level[q] == most) continue;
      s->level[q] = most;
      if (!listed[q]) s->pending[s->npending++] = q;
      listed[q] = 1;
    }
  }
  for (bf_int k = 0; k < s->npending; k++) listed[s->pending[k]] = 0;
}

/* The patches at their final levels. */
static bf_err store(const bf_model *m, const bf_gfem *g, bf_growth *s, bf_gfem_patches *p)
{
  const bf_int n = g->at.n;
  BF_TRY(BF_NEW_ARRAY(p->ptr, (size_t)n + 1));
  for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for schedule(dynamic, 64)
    for (bf_int q = 0; q < n; q++) {
      bf_near *w = &s->near[omp_get_thread_num()];
      candidates(m, g, q, s->level[q], w, s->far[omp_get_thread_num()]);
      if (pass == 0)
        p->ptr[q + 1] = w->n;
      else
        for (bf_int i = 0; i < w->n; i++) p->entry[p->ptr[q] + i] = w->entry[i];
    }
    if (pass == 1) break;
    for (bf_int q = 0; q < n; q++) p->ptr[q + 1] += p->ptr[q];
    BF_TRY(BF_NEW_ARRAY(p->entry, p->ptr[n]));
  }
  return BF_OK;
}

static void growth_clear(bf_backend *be, bf_growth *s)
{
  for (int t = 0; t < s->threads; t++) {
    if (s->near) {
      bf_host_free(s->near[t].entry);
      bf_host_free(s->near[t].stamp);
    }
    if (s->far) bf_host_free(s->far[t]);
  }
  bf_host_free(s->near);
  bf_host_free(s->far);
  bf_host_free(s->level);
  bf_host_free(s->pending);
  bf_host_free(s->M);
  bf_host_free(s->lambda);
  bf_host_free(s->enough);
  bf_host_free(s->more);
  bf_host_free(s->info);
  be->ops.release(be, s->work);
}

static bf_err growth_create(const bf_gfem *g, bf_backend *be, bf_growth *s)
{
  const bf_int n = g->at.n, slab = n < SLAB ? n : SLAB;
  const size_t nm = (size_t)(g->nb - 1);
  const int    nt = omp_get_max_threads();
  s->threads      = nt;
  BF_TRY(BF_NEW_ARRAY(s->near, nt));
  BF_TRY(BF_NEW_ARRAY(s->far, nt));
  for (int t = 0; t < nt; t++) {
    BF_TRY(BF_NEW_ARRAY(s->near[t].entry, n));
    BF_TRY(BF_NEW_ARRAY(s->near[t].stamp, n));
    BF_TRY(BF_NEW_ARRAY(s->far[t], n));
  }
  BF_TRY(BF_NEW_ARRAY(s->level, n));
  BF_TRY(BF_NEW_ARRAY(s->pending, n));
  BF_TRY(BF_NEW_ARRAY(s->M, (size_t)slab * nm * nm));
  BF_TRY(BF_NEW_ARRAY(s->lambda, (size_t)slab * nm));
  BF_TRY(BF_NEW_ARRAY(s->enough, slab));
  BF_TRY(BF_NEW_ARRAY(s->more, slab));
  BF_TRY(BF_NEW_ARRAY(s->info, slab));
  const bf_batch M = {
      .type = BF_D, .n = (bf_int)nm, .ld = (bf_int)nm, .count = slab, .stride = (int64_t)(nm * nm)};
  size_t bytes;
  BF_TRY(bf_batch_work(be, BF_HEEV, &M, &bytes));
  return be->ops.alloc(be, bytes, &s->work);
}

bf_err bf_gfem_patches_create(const bf_model *m, const bf_gfem *g, bf_backend *be, bf_gfem_patches *p)
{
  bf_err    err    = BF_OK;
  bf_growth s      = {0};
  uint8_t  *listed = NULL;
  BF_GO(growth_create(g, be, &s));
  BF_GO(BF_NEW_ARRAY(listed, g->at.n));
  BF_GO(BF_NEW_ARRAY(p->poor, g->at.n));
  for (bf_int q = 0; q < g->at.n; q++) {
    s.level[q]   = by_rings(m, g, q) ? g->order - 1 : 0;
    s.pending[q] = q;
  }
  s.npending = g->at.n;
  while (s.npending > 0) {
    BF_GO(round_of_growth(m, g, be, &s, p->poor));
    level_interfaces(m, g, &s, listed);
  }
  for (bf_int q = 0; q < g->at.n; q++)
    if (by_rings(m, g, q)) s.level[q] += m->problem->extra_rings;
  BF_GO(store(m, g, &s, p));
done:
  growth_clear(be, &s);
  bf_host_free(listed);
  return err;
}
