/* mesh/numbering/cell_blocks.c - a mesh of quadrilaterals or hexahedra cut into structured blocks
 *
 * A ridge (vertex in 2D, edge in 3D) is irregular if it is inside and has other than 4 cells, or on the
 * boundary and has more than 2.  From every irregular ridge each facet at it is cut, and the cut continues
 * straight: from a facet over its other ridge to the facet there that shares no cell with it, to the boundary
 * or to the next irregular ridge.  Cells that are not separated are a block; inside a block all is a lattice.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/drivers.h"
#include "mesh/numbering/vertex_mesh.h"
#include <string.h>

enum { NOBODY = -1 };

typedef struct ridge { /* of a cell: its vertices, and the two facets of the cell that meet there */
  int v[2], nv, facet[2];
} ridge;

typedef struct cutter {
  const bf_cell_block *B;
  const bf_elem_info  *info;
  int                  nf, nr, nfv; /* facets, ridges of a cell; vertices of a facet */
  ridge                ridge[BF_EDGES_MAX];
  bf_int              *nb;  /* owned [n][nf]: the cell beyond a facet, or NOBODY */
  uint8_t             *cut; /* owned [n]: bit f = facet f separates blocks */
} cutter;

static const bf_int *cell(const cutter *C, bf_int e)
{
  return C->B->v + (size_t)e * (size_t)C->B->stride;
}

static bf_int beyond(const cutter *C, bf_int e, int f)
{
  return C->nb[(size_t)e * (size_t)C->nf + (size_t)f];
}

/* Which facets of a cell meet at each of its ridges. */
static void find_ridges(cutter *C)
{
  const int flat = C->info->dim == 2;
  C->nf          = C->info->nfaces;
  C->nfv         = flat ? 2 : 4;
  C->nr          = flat ? C->info->ncorners : C->info->nedges;
  for (int r = 0; r < C->nr; r++) {
    ridge *R = &C->ridge[r];
    int    n = 0;
    R->nv    = flat ? 1 : 2;
    for (int k = 0; k < R->nv; k++) R->v[k] = flat ? r : C->info->edge[r][k];
    for (int f = 0; f < C->nf; f++) {
      int has = 0;
      for (int k = 0; k < C->nfv; k++)
        for (int i = 0; i < R->nv; i++) has += C->info->face[f][k] == R->v[i];
      if (has == R->nv && n < 2) R->facet[n++] = f;
    }
  }
}

/* Facet f of cell e has the vertices of facet g of cell d. */
static int same_facet(const cutter *C, bf_int e, int f, bf_int d, int g)
{
  int same = 0;
  for (int i = 0; i < C->nfv; i++)
    for (int j = 0; j < C->nfv; j++)
      same += cell(C, e)[C->info->face[f][i]] == cell(C, d)[C->info->face[g][j]];
  return same == C->nfv;
}

static bf_err find_neighbours(cutter *C, bf_int nv)
{
  bf_err       err = BF_OK;
  const size_t nf = (size_t)C->nf, n = (size_t)C->B->n * nf;
  bf_int *head = NULL, *next = NULL; /* facets whose other cell is not found yet, by their least vertex */
  BF_NEED(n < INT32_MAX, BF_E_MODEL, "%d cells", C->B->n);
  BF_GO(BF_NEW_ARRAY(C->nb, n));
  BF_GO(BF_NEW_ARRAY(head, nv));
  BF_GO(BF_NEW_ARRAY(next, n));
  for (bf_int i = 0; i < nv; i++) head[i] = NOBODY;
  for (size_t k = 0; k < n; k++) {
    const bf_int e     = (bf_int)(k / nf);
    const int    f     = (int)(k % nf);
    bf_int       least = INT32_MAX;
    for (int i = 0; i < C->nfv; i++) {
      const bf_int v = cell(C, e)[C->info->face[f][i]];
      least          = v < least ? v : least;
    }
    bf_int *at = &head[least];
    while (*at >= 0 && !same_facet(C, e, f, *at / C->nf, *at % C->nf)) at = &next[*at];
    C->nb[k] = NOBODY;
    if (*at >= 0) {
      C->nb[k]   = *at / C->nf;
      C->nb[*at] = e;
      *at        = next[*at];
    } else {
      next[k]     = head[least];
      head[least] = (bf_int)k;
    }
  }
done:
  bf_host_free(head);
  bf_host_free(next);
  return err;
}

/* The facet of cell d whose other side is facet f of cell e. */
static int twin(const cutter *C, bf_int e, int f, bf_int d)
{
  for (int g = 0; g < C->nf; g++)
    if (beyond(C, d, g) == e && same_facet(C, e, f, d, g)) return g;
  return 0;
}

/* The ridge of cell d with the vertices of ridge r of cell e. */
static int same_ridge(const cutter *C, bf_int e, int r, bf_int d)
{
  const ridge *R = &C->ridge[r];
  for (int s = 0; s < C->nr; s++) {
    int same = 0;
    for (int i = 0; i < R->nv; i++)
      for (int j = 0; j < R->nv; j++) same += cell(C, e)[R->v[i]] == cell(C, d)[C->ridge[s].v[j]];
    if (same == R->nv) return s;
  }
  return 0;
}

typedef struct place { /* a cell, a ridge of it and one of the two facets there; e < 0: beyond the boundary */
  bf_int e;
  int    r, f;
} place;

/* Around the ridge: over the other facet of the cell into the next one. */
static place turn(const cutter *C, place p)
{
  const ridge *R     = &C->ridge[p.r];
  const int    other = R->facet[0] == p.f ? R->facet[1] : R->facet[0];
  const bf_int d     = beyond(C, p.e, other);
  if (d < 0) return (place){NOBODY, 0, other};
  return (place){d, same_ridge(C, p.e, p.r, d), twin(C, p.e, other, d)};
}

/* Number of cells around a ridge of cell e, and whether they close; a count over 8 is 8. */
static int round_ridge(const cutter *C, bf_int e, int r, int *closed)
{
  int n   = 1;
  *closed = 0;
  for (int way = 0; way < 2; way++) {
    place p = turn(C, (place){e, r, C->ridge[r].facet[way]});
    for (; p.e >= 0 && p.e != e && n < 8; n++) p = turn(C, p);
    if (p.e == e) {
      *closed = 1;
      return n;
    }
  }
  return n;
}

static int regular(const cutter *C, bf_int e, int r)
{
  int       closed;
  const int n = round_ridge(C, e, r, &closed);
  return closed ? n == 4 : n <= 2;
}

/* Cuts facet f of cell e and continues straight, away from ridge r. */
static void cut_on(cutter *C, bf_int e, int r, int f)
{
  for (;;) {
    const bf_int d = beyond(C, e, f);
    if (d < 0 || C->cut[e] >> f & 1) return;
    C->cut[e]   = (uint8_t)(C->cut[e] | 1 << f);
    const int g = twin(C, e, f, d);
    C->cut[d]   = (uint8_t)(C->cut[d] | 1 << g);
    int far     = -1; /* the ridge of the facet that shares no vertex with r */
    for (int s = 0; s < C->nr; s++) {
      const ridge *S = &C->ridge[s], *R = &C->ridge[r];
      int          touch = 0;
      if (S->facet[0] != f && S->facet[1] != f) continue;
      for (int i = 0; i < S->nv; i++)
        for (int j = 0; j < R->nv; j++) touch |= S->v[i] == R->v[j];
      if (!touch) far = s;
    }
    int closed;
    if (far < 0 || round_ridge(C, e, far, &closed) != 4 || !closed) return;
    const place p =
        turn(C, (place){e, far, f}); /* the neighbour of e; its other facet at the ridge continues the cut */
    const ridge *R = &C->ridge[p.r];
    e              = p.e;
    r              = p.r;
    f              = R->facet[0] == p.f ? R->facet[1] : R->facet[0];
  }
}

/* Cuts from every irregular ridge; vertices with the number of cells of a regular one are skipped. */
static void cut_all(cutter *C, const uint8_t *ncells)
{
  for (bf_int e = 0; e < C->B->n; e++)
    for (int r = 0; r < C->nr; r++) {
      const ridge *R   = &C->ridge[r];
      int          odd = 1;
      for (int k = 0; k < R->nv; k++) {
        const int n = ncells[cell(C, e)[R->v[k]]];
        odd &= n != 1 && n != 2 && (C->info->dim == 2 || (n != 4 && n != 8));
      }
      if (!odd || regular(C, e, r)) continue;
      for (int k = 0; k < 2; k++) cut_on(C, e, r, R->facet[k]);
    }
}

/* block[n]: cells joined over facets that are not cut, numbered by their first cell. */
static bf_err flood(const cutter *C, bf_int *block, bf_int *nblocks)
{
  bf_int *stack = NULL, top = 0;
  BF_TRY(BF_NEW_ARRAY(stack, C->B->n));
  for (bf_int e = 0; e < C->B->n; e++) block[e] = NOBODY;
  *nblocks = 0;
  for (bf_int first = 0; first < C->B->n; first++) {
    if (block[first] >= 0) continue;
    block[first] = *nblocks;
    stack[top++] = first;
    while (top > 0) {
      const bf_int e = stack[--top];
      for (int f = 0; f < C->nf; f++) {
        const bf_int d = beyond(C, e, f);
        if (d < 0 || block[d] >= 0 || C->cut[e] >> f & 1) continue;
        block[d]     = *nblocks;
        stack[top++] = d;
      }
    }
    ++*nblocks;
  }
  bf_host_free(stack);
  return BF_OK;
}

bf_err bf_cell_blocks(const bf_vmesh *v, bf_int *block, bf_int *nblocks)
{
  bf_err               err = BF_OK;
  const bf_cell_block *B   = &v->cells.block[0];
  cutter               C   = {.B = B, .info = bf_elem(B->type)};
  BF_CHECK(v->cells.nblocks == 1 && !v->simplices && v->dim >= 2, BF_E_ARG, "the cells have different types");
  find_ridges(&C);
  BF_GO(find_neighbours(&C, v->cells.nv));
  BF_GO(BF_NEW_ARRAY(C.cut, B->n));
  cut_all(&C, v->ncells);
  BF_GO(flood(&C, block, nblocks));
done:
  bf_host_free(C.nb);
  bf_host_free(C.cut);
  return err;
}
