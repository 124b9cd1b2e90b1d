/* mesh/refine_uniform.c - every element divided into 2^dim elements of its type
 *
 *     line: 2, triangle: 4, quadrilateral: 4, tetrahedron: 8, hexahedron: 8
 *
 * A child is an affine image of the reference element in its parent; its nodes lie where the parent's map
 * puts them, so curved elements keep their curves.  Four tetrahedra lie at the corners; the octahedron
 * between them is cut along its shortest diagonal (J. Bey, Tetrahedral grid refinement, Computing 55 (1995)
 * 355-378, doi:10.1007/BF02238487, with a fixed one).
 *
 * A node is known by its place in the smallest part (corner, edge, face, element) that contains it: the
 * corners of that part with the values of their linear shape functions, in 64ths.  Neighbours give the same
 * key.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/element_children.h"
#include "mesh/mesh.h"
#include <string.h>

enum { UNITS = 64 };

typedef struct key {
  bf_int node[BF_CORNERS_MAX]; /* ascending; -1 after the last */
  int8_t weight[BF_CORNERS_MAX];
} key;

typedef struct table { /* open addressing; at[places], number + 1, 0 = free */
  uint64_t places;
  bf_int  *at;    /* owned */
  key     *of;    /* owned [capacity]: key of a node */
  double (*x)[3]; /* owned [capacity] */
  bf_int n, capacity, most;
} table;

static uint64_t hash(const key *k)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (int i = 0; i < BF_CORNERS_MAX && k->node[i] >= 0; i++) {
    h = (h ^ (uint64_t)(uint32_t)k->node[i]) * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)(uint8_t)k->weight[i] ^ h >> 29) * 0xbf58476d1ce4e5b9u;
  }
  return h ^ h >> 32;
}

/* The place of a key in the table: its node, or a free place. */
static uint64_t place_of(const table *t, const key *k)
{
  uint64_t p = hash(k) & (t->places - 1);
  while (t->at[p] && memcmp(&t->of[t->at[p] - 1], k, sizeof *k) != 0) p = (p + 1) & (t->places - 1);
  return p;
}

/* Room for so many nodes. */
static bf_err reserve(table *t, bf_int room)
{
  key *of = bf_host_realloc(t->of, (size_t)room, sizeof *of);
  BF_CHECK(of, BF_E_MEMORY, "no memory for %d nodes", room);
  t->of   = of;
  void *x = bf_host_realloc(t->x, (size_t)room, sizeof *t->x);
  BF_CHECK(x, BF_E_MEMORY, "no memory for %d nodes", room);
  t->x        = x;
  t->capacity = room;
  bf_host_free(t->at);
  t->at     = NULL;
  t->places = 256;
  while (t->places < 2 * (uint64_t)room) t->places *= 2;
  BF_TRY(BF_NEW_ARRAY(t->at, t->places));
  for (bf_int i = 0; i < t->n; i++)
    if (t->of[i].node[0] >= 0) t->at[place_of(t, &t->of[i])] = i + 1;
  return BF_OK;
}

static bf_err grow(table *t)
{
  if (t->n < t->capacity) return BF_OK;
  BF_CHECK(t->n < t->most, BF_E_MODEL, "the refined mesh would have more than %d nodes", t->most);
  return reserve(t, t->n <= t->most / 2 ? 2 * t->n : t->most);
}

/* Linear shape functions of the corners, in 64ths; reference coordinates are multiples of 1/4 or 1/2. */
static void weights(const bf_elem_info *el, const double xi[3], int w[BF_CORNERS_MAX])
{
  const int simplex = el->ncorners == el->dim + 1 && el->dim > 1;
  for (int a = 0; a < el->ncorners; a++) {
    double v = UNITS;
    if (simplex) {
      double rest = 1.0;
      for (int d = 0; d < el->dim; d++) rest -= xi[d];
      v *= a == 0 ? rest : xi[a - 1];
    } else {
      for (int d = 0; d < el->dim; d++) v *= 0.5 * (1.0 + el->corner[a][d] * xi[d]);
    }
    w[a] = (int)(v + 0.5);
  }
}

static key key_of(const bf_elem_info *el, const bf_int *node, const double xi[3])
{
  int w[BF_CORNERS_MAX], n = 0;
  key k;
  memset(&k, 0, sizeof k);
  weights(el, xi, w);
  for (int a = 0; a < el->ncorners; a++) {
    if (!w[a]) continue;
    int i = n++;
    for (; i > 0 && k.node[i - 1] > node[a]; i--) {
      k.node[i]   = k.node[i - 1];
      k.weight[i] = k.weight[i - 1];
    }
    k.node[i]   = node[a];
    k.weight[i] = (int8_t)w[a];
  }
  for (; n < BF_CORNERS_MAX; n++) k.node[n] = -1;
  return k;
}

/* The nodes of the mesh keep their numbers. */
static bf_err known_nodes(const bf_mesh *m, table *t)
{
  double xi[BF_NEN_MAX][3];
  BF_TRY(reserve(t, m->nnodes + 1));
  t->n = m->nnodes;
  for (bf_int i = 0; i < t->n; i++) {
    memset(&t->of[i], 0xff, sizeof t->of[i]); /* in no element */
    memcpy(t->x[i], m->x + 3 * (size_t)i, sizeof t->x[i]);
  }
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *el = bf_elem(m->block[b].type);
    bf_elem_nodes(m->block[b].type, xi);
    for (int64_t e = 0; e < m->block[b].n; e++) {
      const bf_int *node = m->block[b].node + e * el->nnodes;
      for (int a = 0; a < el->nnodes; a++) {
        const key      k = key_of(el, node, xi[a]);
        const uint64_t p = place_of(t, &k);
        BF_CHECK(!t->at[p] || t->at[p] == node[a] + 1, BF_E_MODEL,
                 "nodes %lld and %lld lie on one side of neighbouring elements: the mesh cannot be refined",
                 (long long)m->node_tag[t->at[p] - 1], (long long)m->node_tag[node[a]]);
        t->of[node[a]] = k;
        t->at[p]       = node[a] + 1;
      }
    }
  }
  return BF_OK;
}

/* The node at xi of an element; made where it is not known. */
static bf_err node_at(table *t, bf_elem_type type, const bf_int *node, const double xi[3],
                      bf_shape_values shape, bf_int *out)
{
  const bf_elem_info *el = bf_elem(type);
  const key           k  = key_of(el, node, xi);
  double              N[BF_NEN_MAX];
  uint64_t            p = place_of(t, &k);
  if (!t->at[p]) {
    BF_TRY(grow(t));
    p = place_of(t, &k);
    shape(type, xi, N, NULL);
    double *x = t->x[t->n];
    x[0] = x[1] = x[2] = 0.0;
    for (int a = 0; a < el->nnodes; a++)
      for (int d = 0; d < 3; d++) x[d] += N[a] * t->x[node[a]][d];
    t->of[t->n] = k;
    t->at[p]    = ++t->n;
  }
  *out = t->at[p] - 1;
  return BF_OK;
}

/* The shortest of the three diagonals of the octahedron in a tetrahedron. */
static int shortest(const table *t, const bf_int *node)
{
  static const int ends[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
  double           length[3];
  for (int k = 0; k < 3; k++) {
    length[k] = 0.0;
    for (int d = 0; d < 3; d++) {
      const double s = t->x[node[ends[k][0]]][d] + t->x[node[ends[k][1]]][d] - t->x[node[ends[k][2]]][d] -
                       t->x[node[ends[k][3]]][d];
      length[k] += s * s;
    }
  }
  /* of equal lengths the first: rounding must not decide */
  int best = 0;
  for (int k = 1; k < 3; k++)
    if (length[k] < length[best] * (1.0 - 1e-9)) best = k;
  return best;
}

static bf_err divide_block(const bf_block *b, bf_int first, bf_shape_values shape, table *t, bf_block *out)
{
  bf_err              err = BF_OK;
  const bf_elem_info *el  = bf_elem(b->type);
  bf_children        *d   = NULL; /* [3] by diagonal */
  const int           tet = el->dim == 3 && el->ncorners == 4;
  const int64_t       n   = (int64_t)b->n << el->dim;
  BF_CHECK(n + first <= INT32_MAX, BF_E_MODEL, "the refined mesh would have more than %d elements",
           INT32_MAX);
  *out = (bf_block){.type = b->type, .first = first, .n = (bf_int)n};
  BF_GO(BF_NEW_ARRAY(d, 3));
  for (int k = 0; k < (tet ? 3 : 1); k++) bf_element_children(b->type, k, &d[k]);
  BF_GO(BF_NEW_ARRAY(out->node, (size_t)n * (size_t)el->nnodes));
  BF_GO(BF_NEW_ARRAY(out->tag, n));
  for (int64_t i = 0; i < n; i++) out->tag[i] = first + i + 1;
  for (int64_t e = 0; e < b->n; e++) {
    const bf_int      *node = b->node + e * el->nnodes;
    const bf_children *by   = &d[tet ? shortest(t, node) : 0];
    for (int c = 0; c < by->n; c++)
      for (int a = 0; a < el->nnodes; a++)
        BF_GO(node_at(t, b->type, node, by->xi[c][a], shape,
                      &out->node[((e << el->dim) + c) * el->nnodes + a]));
  }
done:
  bf_host_free(d);
  return err;
}

/* Elements of every group: the children of its elements. */
static bf_err divide_groups(const bf_mesh *m, const bf_block *block, bf_int **elem)
{
  for (int g = 0; g < m->ngroups; g++) {
    const bf_group *G = &m->group[g];
    bf_int          k = 0;
    BF_TRY(BF_NEW_ARRAY(elem[g], (size_t)G->nelem << G->dim));
    for (bf_int i = 0; i < G->nelem; i++)
      for (int b = 0; b < m->nblocks; b++) {
        const bf_block *old = &m->block[b];
        if (G->elem[i] < old->first || G->elem[i] >= old->first + old->n) continue;
        for (int c = 0; c < 1 << G->dim; c++)
          elem[g][k++] = block[b].first + (bf_int)(((int64_t)(G->elem[i] - old->first) << G->dim) + c);
      }
  }
  return BF_OK;
}

/* Takes the new blocks, groups and nodes; the old ones are left in their places. */
static void exchange(bf_mesh *m, table *t, bf_block *block, bf_int **elem, int64_t *tag, int64_t top)
{
  const bf_int had = m->nnodes;
  m->nelem         = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block old = m->block[b];
    m->block[b]        = block[b];
    block[b]           = old;
    m->nelem += m->block[b].n;
  }
  for (int g = 0; g < m->ngroups; g++) {
    bf_int *old       = m->group[g].elem;
    m->group[g].elem  = elem[g];
    m->group[g].nelem = (bf_int)((int64_t)m->group[g].nelem << m->group[g].dim);
    elem[g]           = old;
  }
  memcpy(tag, m->node_tag, (size_t)had * sizeof *tag);
  for (bf_int i = had; i < t->n; i++) tag[i] = top + 1 + (i - had);
  bf_host_free(m->node_tag);
  bf_host_free(m->x);
  m->node_tag = tag;
  m->x        = &t->x[0][0];
  m->nnodes   = t->n;
  t->x        = NULL;
}

bf_err bf_mesh_refine_uniform(bf_mesh *m, bf_shape_values shape, bf_int most)
{
  bf_err    err   = BF_OK;
  table     t     = {.most = most};
  bf_block *block = NULL;
  bf_int  **elem = NULL, first = 0;
  int64_t  *tag = NULL, top = 0;
  BF_CHECK(m && shape, BF_E_ARG, "null argument");
  BF_GO(known_nodes(m, &t));
  BF_GO(BF_NEW_ARRAY(block, m->nblocks));
  for (int b = 0; b < m->nblocks; b++) {
    BF_GO(divide_block(&m->block[b], first, shape, &t, &block[b]));
    first += block[b].n;
  }
  BF_GO(BF_NEW_ARRAY(elem, m->ngroups));
  BF_GO(divide_groups(m, block, elem));
  for (bf_int i = 0; i < m->nnodes; i++)
    if (m->node_tag[i] > top) top = m->node_tag[i];
  BF_NEED(top <= INT64_MAX - t.n, BF_E_MODEL, "no tags are left above node tag %lld", (long long)top);
  BF_GO(BF_NEW_ARRAY(tag, t.n));
  exchange(m, &t, block, elem, tag, top);
done:
  for (int b = 0; block && b < m->nblocks; b++) {
    bf_host_free(block[b].node);
    bf_host_free(block[b].tag);
  }
  for (int g = 0; elem && g < m->ngroups; g++) bf_host_free(elem[g]);
  bf_host_free(elem);
  bf_host_free(block);
  bf_host_free(t.at);
  bf_host_free(t.of);
  bf_host_free(t.x);
  return err;
}
