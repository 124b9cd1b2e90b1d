/* assembly/gfem/couple.c - the nodes that an element couples: those of the patches of its corners
 *
 * Each thread marks the nodes of an element with its number; cost linear in the patches.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/near.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

typedef struct bf_marks { /* of one thread */
  int64_t *stamp;         /* owned [nnodes]: the pass and element that saw a node last */
  bf_int  *place, *node;  /* owned [nnodes], [most]: place of a node in the element, its nodes */
} bf_marks;

/* Calls the entries of a patch and its own one by one: their nodes into node[], n of them. */
static bf_int nodes_of(const bf_gfem *g, bf_int elem, int64_t stamp, bf_marks *w)
{
  bf_int n = 0;
  for (int a = 0; a < BF_GFEM_CORNERS; a++) {
    const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    if (q < 0) break;
    for (int64_t j = g->patch.ptr[q]; j <= g->patch.ptr[q + 1]; j++) {
      const bf_int v = g->at.node[j < g->patch.ptr[q + 1] ? g->patch.entry[j] : q];
      if (w->stamp[v] == stamp) continue;
      w->stamp[v]  = stamp;
      w->node[n++] = v;
    }
  }
  return n;
}

static void fill(bf_gfem *g, bf_int elem, int64_t stamp, bf_marks *w)
{
  const bf_int n     = nodes_of(g, elem, stamp, w);
  bf_int      *local = g->local + g->lptr[elem];
  bf_gfem_sort(w->node, n);
  for (bf_int i = 0; i < n; i++) w->place[w->node[i]] = i;
  memcpy(g->enode + g->eptr[elem], w->node, (size_t)n * sizeof *w->node);
  for (int a = 0; a < BF_GFEM_CORNERS; a++) {
    const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    if (q < 0) break;
    for (int64_t j = g->patch.ptr[q]; j < g->patch.ptr[q + 1]; j++)
      *local++ = w->place[g->at.node[g->patch.entry[j]]];
    *local++ = w->place[g->at.node[q]];
  }
}

static bf_err count(const bf_model *m, bf_gfem *g, int64_t *most)
{
  const bf_int ne = m->mesh->nelem;
  BF_TRY(BF_NEW_ARRAY(g->eptr, (size_t)ne + 1));
  BF_TRY(BF_NEW_ARRAY(g->lptr, (size_t)ne + 1));
  for (bf_int e = 0; e < ne; e++) {
    int64_t n = 0;
    for (int a = 0; a < BF_GFEM_CORNERS; a++) {
      const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)e + (size_t)a];
      n += q >= 0 ? g->patch.ptr[q + 1] - g->patch.ptr[q] + 1 : 0;
    }
    g->lptr[e + 1] = g->lptr[e] + n;
    *most          = n > *most ? n : *most;
  }
  return BF_NEW_ARRAY(g->local, g->lptr[ne]);
}

bf_err bf_gfem_couple(const bf_model *m, bf_gfem *g)
{
  bf_err       err  = BF_OK;
  const bf_int ne   = m->mesh->nelem;
  const int    nt   = omp_get_max_threads();
  int64_t      most = 0;
  bf_marks    *mark = NULL;
  BF_GO(count(m, g, &most));
  BF_GO(BF_NEW_ARRAY(mark, nt));
  for (int t = 0; t < nt; t++) {
    BF_GO(BF_NEW_ARRAY(mark[t].stamp, m->mesh->nnodes));
    BF_GO(BF_NEW_ARRAY(mark[t].place, m->mesh->nnodes));
    BF_GO(BF_NEW_ARRAY(mark[t].node, most));
  }
#pragma omp parallel for schedule(static)
  for (bf_int e = 0; e < ne; e++)
    g->eptr[e + 1] = nodes_of(g, e, (int64_t)e + 1, &mark[omp_get_thread_num()]);
  for (bf_int e = 0; e < ne; e++) {
    g->most = g->eptr[e + 1] > g->most ? (int)g->eptr[e + 1] : g->most;
    g->eptr[e + 1] += g->eptr[e];
  }
  BF_GO(BF_NEW_ARRAY(g->enode, g->eptr[ne]));
#pragma omp parallel for schedule(static)
  for (bf_int e = 0; e < ne; e++) fill(g, e, (int64_t)ne + e + 1, &mark[omp_get_thread_num()]);
done:
  for (int t = 0; t < nt && mark; t++) {
    bf_host_free(mark[t].stamp);
    bf_host_free(mark[t].place);
    bf_host_free(mark[t].node);
  }
  bf_host_free(mark);
  return err;
}
