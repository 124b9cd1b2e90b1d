/* tests/shuffle.h - meshes as a reader might meet them: nodes and elements in any order, curved, in pieces */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_SHUFFLE_H
#define BF_TEST_SHUFFLE_H
#include "mesh/mesh.h"
#include "tests/generated.h"
#include "tests/test.h"
#include <math.h>

/* p[n]: a permutation of 0 .. n-1 (Fisher and Yates), the caller's, free with bf_host_free. */
static inline bf_int *t_permutation(bf_int n, uint64_t *state)
{
  bf_int *p = bf_host_alloc((size_t)n, sizeof *p);
  assert_non_null(p);
  for (bf_int i = 0; i < n; i++) p[i] = i;
  for (bf_int i = n - 1; i > 0; i--) {
    const bf_int j = (bf_int)(t_random(state) % (uint64_t)(i + 1)), t = p[i];
    p[i] = p[j];
    p[j] = t;
  }
  return p;
}

/* Node i becomes node p[i], with its tag and coordinates. */
static inline void t_shuffle_nodes(bf_mesh *m, uint64_t seed)
{
  uint64_t state = seed * 2 + 1;
  bf_int  *p     = t_permutation(m->nnodes, &state);
  double  *x     = bf_host_alloc((size_t)m->nnodes, 3 * sizeof *x);
  int64_t *tag   = bf_host_alloc((size_t)m->nnodes, sizeof *tag);
  assert_true(x && tag);
  for (bf_int i = 0; i < m->nnodes; i++) {
    memcpy(x + 3 * (size_t)p[i], m->x + 3 * (size_t)i, 3 * sizeof *x);
    tag[p[i]] = m->node_tag[i];
  }
  for (int b = 0; b < m->nblocks; b++) {
    const size_t n = (size_t)m->block[b].n * (size_t)bf_elem(m->block[b].type)->nnodes;
    for (size_t k = 0; k < n; k++) m->block[b].node[k] = p[m->block[b].node[k]];
  }
  bf_host_free(m->x);
  bf_host_free(m->node_tag);
  bf_host_free(p);
  m->x        = x;
  m->node_tag = tag;
}

static inline int t_compare_int(const void *a, const void *b)
{
  const bf_int i = *(const bf_int *)a, j = *(const bf_int *)b;
  return (i > j) - (i < j);
}

/* Elements change places inside their block, with their tags; groups keep their elements. */
static inline void t_shuffle_elements(bf_mesh *m, uint64_t seed)
{
  uint64_t state = seed * 2 + 1;
  bf_int  *now   = bf_host_alloc((size_t)m->nelem, sizeof *now); /* new number of an element */
  assert_non_null(now);
  for (int b = 0; b < m->nblocks; b++) {
    bf_block    *B    = &m->block[b];
    const size_t nen  = (size_t)bf_elem(B->type)->nnodes;
    bf_int      *p    = t_permutation(B->n, &state);
    bf_int      *node = bf_host_alloc((size_t)B->n, nen * sizeof *node);
    int64_t     *tag  = bf_host_alloc((size_t)B->n, sizeof *tag);
    assert_true(node && tag);
    for (bf_int e = 0; e < B->n; e++) {
      memcpy(node + (size_t)p[e] * nen, B->node + (size_t)e * nen, nen * sizeof *node);
      tag[p[e]]         = B->tag[e];
      now[B->first + e] = B->first + p[e];
    }
    bf_host_free(B->node);
    bf_host_free(B->tag);
    bf_host_free(p);
    B->node = node;
    B->tag  = tag;
  }
  for (int g = 0; g < m->ngroups; g++) {
    bf_group *G = &m->group[g];
    for (bf_int k = 0; k < G->nelem; k++) G->elem[k] = now[G->elem[k]];
    qsort(G->elem, (size_t)G->nelem, sizeof *G->elem, t_compare_int);
  }
  bf_host_free(now);
}

static inline void t_shuffle(bf_mesh *m, uint64_t seed)
{
  t_shuffle_nodes(m, seed);
  t_shuffle_elements(m, seed + 1);
}

/* x -> f(x) at every node. */
static inline void t_map(bf_mesh *m, void (*f)(double x[3]))
{
  for (bf_int i = 0; i < m->nnodes; i++) f(m->x + 3 * (size_t)i);
}

/* Smooth, orientation kept, no straight line left; in 2D z stays 0. For boxes of size about 1. */
static inline void t_curve_2d(double x[3])
{
  const double u = x[0], v = x[1];
  x[0] = u + 0.13 * sin(2.1 * v + 0.3) + 0.07 * u * v;
  x[1] = v + 0.11 * sin(1.9 * u + 0.5) - 0.05 * u * u;
}
static inline void t_curve_3d(double x[3])
{
  const double u = x[0], v = x[1], w = x[2];
  x[0] = u + 0.09 * sin(2.1 * v + 0.3) + 0.05 * sin(1.7 * w);
  x[1] = v + 0.08 * sin(1.9 * w + 0.5) - 0.05 * u * u;
  x[2] = w + 0.07 * sin(2.3 * u + 0.1) + 0.04 * u * v;
}
/* (r, angle) from the unit square: a quarter of a ring with radii 1 and 2. */
static inline void t_quarter_ring(double x[3])
{
  const double r = 1.0 + x[0], a = 1.5707963267948966 * x[1];
  x[0] = r * cos(a);
  x[1] = r * sin(a);
}

/* Parts of the unit square. */
static inline int t_in_l_shape(const double c[3])
{
  return c[0] < 0.5 || c[1] < 0.5;
}
static inline int t_in_t_shape(const double c[3])
{
  return c[1] > 0.75 || (c[0] > 0.4 && c[0] < 0.6);
}

/* Keeps the elements of the mesh's dimension whose centre (mean of the corners) is inside; the others, all
 * elements of lower dimension and all groups go.  Nodes stay, some without elements. */
static inline void t_keep(bf_mesh *m, int (*inside)(const double c[3]))
{
  int nblocks = 0;
  m->nelem    = 0;
  for (int b = 0; b < m->nblocks; b++) {
    bf_block           *B    = &m->block[b];
    const bf_elem_info *info = bf_elem(B->type);
    bf_int              n    = 0;
    for (bf_int e = 0; e < B->n && info->dim == m->dim; e++) {
      const bf_int *node = B->node + (size_t)e * (size_t)info->nnodes;
      double        c[3] = {0.0, 0.0, 0.0};
      for (int k = 0; k < info->ncorners; k++)
        for (int d = 0; d < 3; d++) c[d] += m->x[3 * (size_t)node[k] + (size_t)d] / info->ncorners;
      if (!inside(c)) continue;
      memmove(B->node + (size_t)n * (size_t)info->nnodes, node, (size_t)info->nnodes * sizeof *node);
      B->tag[n++] = B->tag[e];
    }
    if (n == 0) {
      bf_host_free(B->node);
      bf_host_free(B->tag);
      continue;
    }
    B->n     = n;
    B->first = m->nelem;
    m->nelem += n;
    m->block[nblocks++] = *B;
  }
  m->nblocks = nblocks;
  for (int g = 0; g < m->ngroups; g++) {
    bf_host_free(m->group[g].name);
    bf_host_free(m->group[g].elem);
  }
  m->ngroups = 0;
}

/* Nodes at x = 1 become those at x = 0 with the same y and z (a mesh of [0,1]^d whose node numbers run along
 * x first, nx nodes in a row), then (angle, radius) are bent into a ring: a closed one, without a seam. */
static inline void t_close_ring(bf_mesh *m, bf_int nx)
{
  for (int b = 0; b < m->nblocks; b++) {
    const size_t n = (size_t)m->block[b].n * (size_t)bf_elem(m->block[b].type)->nnodes;
    for (size_t k = 0; k < n; k++)
      if (m->block[b].node[k] % nx == nx - 1) m->block[b].node[k] -= nx - 1;
  }
  for (bf_int i = 0; i < m->nnodes; i++) {
    double      *x = m->x + 3 * (size_t)i;
    const double r = 1.0 + x[1], a = -6.283185307179586 * x[0];
    x[0] = r * cos(a);
    x[1] = r * sin(a);
  }
}

/* A mesh of one block from arrays: x[nnodes][2], z = 0; node[n][nodes of the type]. */
static inline bf_mesh *t_mesh_2d(bf_elem_type type, bf_int nnodes, const double *x, bf_int n,
                                 const bf_int *node)
{
  bf_mesh     *m   = bf_host_alloc(1, sizeof *m);
  const size_t nen = (size_t)bf_elem(type)->nnodes;
  assert_non_null(m);
  m->file     = bf_host_strdup("test");
  m->dim      = 2;
  m->nnodes   = nnodes;
  m->x        = bf_host_alloc((size_t)nnodes, 3 * sizeof *m->x);
  m->node_tag = bf_host_alloc((size_t)nnodes, sizeof *m->node_tag);
  m->nelem    = n;
  m->nblocks  = 1;
  m->block    = bf_host_alloc(1, sizeof *m->block);
  m->group    = bf_host_alloc(0, sizeof *m->group);
  assert_true(m->file && m->x && m->node_tag && m->block && m->group);
  bf_block *B = m->block;
  B->type     = type;
  B->n        = n;
  B->node     = bf_host_alloc((size_t)n, nen * sizeof *B->node);
  B->tag      = bf_host_alloc((size_t)n, sizeof *B->tag);
  assert_true(B->node && B->tag);
  for (bf_int i = 0; i < nnodes; i++) {
    m->x[3 * i]     = x[2 * i];
    m->x[3 * i + 1] = x[2 * i + 1];
    m->node_tag[i]  = i + 1;
  }
  for (bf_int e = 0; e < n; e++) B->tag[e] = e + 1;
  memcpy(B->node, node, (size_t)n * nen * sizeof *node);
  T_OK(bf_mesh_check(m));
  return m;
}

/* A unit box or rectangle of nx x ny (x nz) cells. */
static inline bf_mesh *t_box(bf_elem_type type, bf_int nx, bf_int ny, bf_int nz)
{
  const double size[3] = {1.0, 1.0, 1.0};
  const bf_int n[3]    = {nx, ny, nz};
  return t_generated(size, n, type);
}

/* Triangles without structure: a grid with jittered points and random diagonals, and a third of its triangles
 * split in three at a point inside. */
static inline bf_mesh *t_random_triangles(bf_int n, uint64_t seed)
{
  uint64_t     state = seed;
  const size_t most  = (size_t)(6 * n * n);
  double      *x     = bf_host_alloc(most, 2 * sizeof *x);
  bf_int      *node = bf_host_alloc(most, 3 * sizeof *node), nx = (n + 1) * (n + 1), ne = 0;
  assert_true(x && node);
  for (bf_int j = 0; j <= n; j++)
    for (bf_int i = 0; i <= n; i++) {
      double *p = x + 2 * (size_t)(j * (n + 1) + i);
      p[0]      = (i + (i > 0 && i < n ? 0.5 * (t_uniform(&state) - 0.5) : 0.0)) / n;
      p[1]      = (j + (j > 0 && j < n ? 0.5 * (t_uniform(&state) - 0.5) : 0.0)) / n;
    }
  for (bf_int k = 0; k < 2 * n * n; k++) {
    const bf_int a = k / 2 / n * (n + 1) + k / 2 % n, b = a + 1, c = b + n + 1, d = a + n + 1;
    const int    way       = (k / 2 * 2654435761LL >> 7 & 1) != 0;
    const bf_int tri[2][3] = {{a, b, way ? c : d}, {way ? a : b, c, d}}, *t = tri[k % 2];
    if (t_uniform(&state) < 0.67) {
      memcpy(node + 3 * ne++, t, sizeof tri[0]);
      continue;
    }
    for (int e = 0; e < 3; e++) {
      const bf_int third[3] = {t[e], t[(e + 1) % 3], nx};
      memcpy(node + 3 * ne++, third, sizeof third);
    }
    for (int e = 0; e < 2; e++) x[2 * nx + e] = (x[2 * t[0] + e] + x[2 * t[1] + e] + x[2 * t[2] + e]) / 3.0;
    nx++;
  }
  bf_mesh *m = t_mesh_2d(BF_TRI3, nx, x, ne, node);
  bf_host_free(x);
  bf_host_free(node);
  t_shuffle(m, seed + 1);
  return m;
}

static inline int t_everywhere(const double c[3])
{
  (void)c;
  return 1;
}

/* Tetrahedra without structure: of 6 n^3 in a box a third is split in four at a point inside. */
static inline bf_mesh *t_random_tets(bf_int n, uint64_t seed)
{
  uint64_t state = seed;
  bf_mesh *m     = t_box(BF_TET4, n, n, n);
  t_keep(m, t_everywhere);
  bf_block    *B    = &m->block[0];
  const size_t most = 4 * (size_t)B->n, nodes = (size_t)m->nnodes + (size_t)B->n;
  bf_int      *node = bf_host_alloc(most, 4 * sizeof *node), ne = 0;
  B->tag      = bf_host_realloc(B->tag, most, sizeof *B->tag);
  m->x        = bf_host_realloc(m->x, nodes, 3 * sizeof *m->x);
  m->node_tag = bf_host_realloc(m->node_tag, nodes, sizeof *m->node_tag);
  assert_true(node && B->tag && m->x && m->node_tag);
  for (bf_int e = 0; e < B->n; e++) {
    const bf_int *v = B->node + 4 * (size_t)e;
    if (t_uniform(&state) < 0.67) {
      memcpy(node + 4 * (size_t)ne++, v, 4 * sizeof *v);
      continue;
    }
    const bf_int mid = m->nnodes++;
    m->node_tag[mid] = mid + 1;
    for (int d = 0; d < 3; d++) {
      m->x[3 * (size_t)mid + (size_t)d] = 0.0;
      for (int k = 0; k < 4; k++)
        m->x[3 * (size_t)mid + (size_t)d] += 0.25 * m->x[3 * (size_t)v[k] + (size_t)d];
    }
    for (int f = 0; f < 4; f++, ne++) {
      memcpy(node + 4 * (size_t)ne, v, 4 * sizeof *v);
      node[4 * (size_t)ne + (size_t)f] = mid;
    }
  }
  bf_host_free(B->node);
  B->node = node;
  B->n = m->nelem = ne;
  for (bf_int e = 0; e < ne; e++) B->tag[e] = e + 1;
  T_OK(bf_mesh_check(m));
  t_shuffle(m, seed + 1);
  return m;
}
#endif
