/* assembly/gfem/patch.c - the nodes of a polynomial fit: rings of elements, or the nearest nodes, grown until
 * the fit is well posed
 *
 *     M = sum_J w_J B_J^T B_J,   accepted if  lambda_min > t lambda_max,   t = 1e-3 (order 2), 1e-5 (order 3)
 * B_J: the polynomials without the constant at node J, w_J = 1/r_J^2.  On every flat side under a prescribed
 * value through the node, and on an interface of materials, the nodes of the patch must also determine all
 * polynomials of the side: the rank of their M.
 * Nodes are independent of each other: each thread takes blocks of nodes and collects their patches.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/fit.h"
#include "assembly/gfem/near.h"
#include "assembly/gfem/small_eigen.h"
#include "base/memory.h"
#include <omp.h>
#include <string.h>

enum { BLOCK = 1024 };

typedef struct bf_found { /* patches of a block of nodes, one after the other */
  bf_int *entry;
  size_t  n, room;
} bf_found;

static int is_interface(const bf_gfem *g, bf_int q)
{
  const bf_int v = g->at.node[q];
  return g->at.first[v + 1] - g->at.first[v] > 1;
}

/* 1 if the candidates on a side of q's node, side -1 = the interface, determine its polynomials. */
static int side_determined(const bf_model *m, const bf_gfem *g, bf_int q, bf_int side, const bf_int *entry,
                           bf_int n, uint8_t *in)
{
  double    M[BF_GFEM_FREE * BF_GFEM_FREE];
  bf_int    have = 0;
  const int need = g->dim == 2 ? g->order : (g->order + 1) * (g->order + 2) / 2 - 1;
  for (bf_int i = 0; i < n; i++) {
    const bf_int *c = g->face.chain[g->at.node[entry[i]]];
    in[i]           = (uint8_t)(side < 0 && is_interface(g, entry[i]));
    for (int k = 0; k < BF_GFEM_SIDES && side >= 0; k++) in[i] |= c[k] == side;
    have += in[i];
  }
  if (side >= 0 && have >= g->face.count[side] - 1) return 1; /* all of the side */
  if (have < need) return 0;
  bf_gfem_moments(m, g, q, entry, n, in, M);
  return bf_small_rank(g->nb - 1, M, 1e-8) >= need;
}

static int accepted(const bf_model *m, const bf_gfem *g, bf_int q, const bf_int *entry, bf_int n, uint8_t *in)
{
  const double  tg   = g->order == 2 ? 1e-3 : 1e-5;
  const int     nm   = g->nb - 1;
  const bf_int *mine = g->face.chain[g->at.node[q]];
  double        M[BF_GFEM_FREE * BF_GFEM_FREE], l[BF_GFEM_FREE];
  if (n < nm) return 0;
  for (int k = 0; k < BF_GFEM_SIDES; k++)
    if (mine[k] >= 0 && !side_determined(m, g, q, mine[k], entry, n, in)) return 0;
  if (is_interface(g, q) && !side_determined(m, g, q, -1, entry, n, in)) return 0;
  bf_gfem_moments(m, g, q, entry, n, NULL, M);
  return bf_small_eigen(nm, M, l, 0) && l[0] > tg * l[nm - 1];
}

/* The first level from `level` on that is accepted; *poor if there is none, then the last. */
static int grow(const bf_model *m, const bf_gfem *g, bf_int q, int level, bf_gfem_near *w, uint8_t *in,
                uint8_t *poor)
{
  bf_int n;
  bf_gfem_near_begin(w, q);
  for (;; level++) {
    const int more = bf_gfem_near_level(m, g, w, level, &n);
    const int fine = accepted(m, g, q, w->entry, n, in);
    *poor          = (uint8_t)!fine;
    if (fine || !more) return level;
  }
}

/* Levels of the entries of a node: on an interface all get the rings of the widest of them, since their
 * traces must agree. */
static void levels_of_node(const bf_model *m, const bf_gfem *g, bf_int v, bf_gfem_near *w, uint8_t *in,
                           uint8_t *poor, int *level)
{
  const bf_int first = g->at.first[v];
  const int    n     = (int)(g->at.first[v + 1] - first);
  for (int k = 0; k < n; k++)
    level[k] =
        grow(m, g, first + k, bf_gfem_by_rings(m, g, first + k) ? g->order - 1 : 0, w, in, &poor[first + k]);
  for (int changed = n > 1; changed;) {
    int most = 0;
    changed  = 0;
    for (int k = 0; k < n; k++) most = level[k] > most ? level[k] : most;
    for (int k = 0; k < n; k++) {
      if (level[k] == most) continue;
      level[k] = grow(m, g, first + k, most, w, in, &poor[first + k]);
      changed  = 1;
    }
  }
}

static bf_err append(bf_found *f, const bf_int *entry, bf_int n)
{
  if (f->n + (size_t)n > f->room) {
    const size_t room = 2 * (f->n + (size_t)n);
    bf_int      *more = bf_host_realloc(f->entry, room, sizeof *more);
    BF_CHECK(more, BF_E_MEMORY, "%zu bytes", room * sizeof *more);
    f->entry = more;
    f->room  = room;
  }
  memcpy(f->entry + f->n, entry, (size_t)n * sizeof *entry);
  f->n += (size_t)n;
  return BF_OK;
}

/* Patches of the nodes v0 .. v1-1; ptr[q+1] = their sizes. */
static bf_err search_block(const bf_model *m, const bf_gfem *g, bf_int v0, bf_int v1, bf_gfem_near *w,
                           uint8_t *in, bf_gfem_patches *p, bf_found *found)
{
  bf_err err   = BF_OK;
  int   *level = NULL;
  BF_GO(BF_NEW_ARRAY(level, m->problem->nmaterials > 1 ? m->problem->nmaterials : 1));
  for (bf_int v = v0; v < v1; v++) {
    levels_of_node(m, g, v, w, in, p->poor, level);
    for (bf_int q = g->at.first[v]; q < g->at.first[v + 1]; q++) {
      const int rings = bf_gfem_by_rings(m, g, q), k = level[q - g->at.first[v]];
      bf_int    n;
      if (w->q != q) bf_gfem_near_begin(w, q);
      bf_gfem_near_level(m, g, w, k + (rings ? m->problem->extra_rings : 0), &n);
      BF_GO(append(found, w->entry, n));
      p->ptr[q + 1] = n;
    }
  }
done:
  bf_host_free(level);
  return err;
}

/* The patches of all blocks into one array; found[] is freed. */
static bf_err join(const bf_gfem *g, bf_found *found, bf_int nblocks, bf_int nnodes, bf_gfem_patches *p)
{
  for (bf_int q = 0; q < g->at.n; q++) p->ptr[q + 1] += p->ptr[q];
  BF_TRY(BF_NEW_ARRAY(p->entry, p->ptr[g->at.n]));
#pragma omp parallel for schedule(static)
  for (bf_int b = 0; b < nblocks; b++) {
    const bf_int v0 = b * BLOCK < nnodes ? b * BLOCK : nnodes;
    if (found[b].n > 0)
      memcpy(p->entry + p->ptr[g->at.first[v0]], found[b].entry, found[b].n * sizeof *found[b].entry);
  }
  return BF_OK;
}

bf_err bf_gfem_patches_create(const bf_model *m, const bf_gfem *g, bf_gfem_patches *p)
{
  bf_err        err    = BF_OK;
  const bf_int  nnodes = m->mesh->nnodes, nblocks = (nnodes + BLOCK - 1) / BLOCK;
  const int     nt     = omp_get_max_threads();
  bf_found     *found  = NULL;
  bf_gfem_near *near   = NULL;
  uint8_t      *in     = NULL;
  bf_err       *failed = NULL;
  BF_GO(BF_NEW_ARRAY(found, nblocks));
  BF_GO(BF_NEW_ARRAY(failed, nblocks));
  BF_GO(BF_NEW_ARRAY(near, nt));
  BF_GO(BF_NEW_ARRAY(in, (size_t)g->at.n * (size_t)nt));
  for (int t = 0; t < nt; t++) BF_GO(bf_gfem_near_create(g, &near[t]));
  BF_GO(BF_NEW_ARRAY(p->ptr, (size_t)g->at.n + 1));
  BF_GO(BF_NEW_ARRAY(p->poor, g->at.n));
#pragma omp parallel for schedule(dynamic)
  for (bf_int b = 0; b < nblocks; b++) {
    const int    t  = omp_get_thread_num();
    const bf_int v1 = (b + 1) * BLOCK < nnodes ? (b + 1) * BLOCK : nnodes;
    failed[b] = search_block(m, g, b * BLOCK, v1, &near[t], in + (size_t)g->at.n * (size_t)t, p, &found[b]);
  }
  for (bf_int b = 0; b < nblocks; b++) BF_GO(failed[b]);
  BF_GO(join(g, found, nblocks, nnodes, p));
done:
  for (bf_int b = 0; b < nblocks && found; b++) bf_host_free(found[b].entry);
  for (int t = 0; t < nt && near; t++) bf_gfem_near_clear(&near[t]);
  bf_host_free(found);
  bf_host_free(failed);
  bf_host_free(near);
  bf_host_free(in);
  return err;
}
