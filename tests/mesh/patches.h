/* tests/mesh/patches.h - meshes of several structured blocks: patches of quadrilaterals glued where they meet
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_MESH_PATCHES_H
#define BF_TESTS_MESH_PATCHES_H
#include "tests/shuffle.h"

typedef void t_patch_map(double u, double v, double *x); /* the unit square to the plane, orientation kept */

typedef struct t_patch {
  t_patch_map *map;
  bf_int       nu, nv;
} t_patch;

/* Points of all patches; those within 1e-9 are one, found through a table by rounded place. */
typedef struct t_glue {
  double *x;
  bf_int  n, *slot, slots;
} t_glue;

static inline bf_int t_glued(t_glue *g, const double *p)
{
  const int64_t a = llround(p[0] * 1e7), b = llround(p[1] * 1e7);
  uint64_t      h = ((uint64_t)a * 0x9e3779b97f4a7c15ULL ^ (uint64_t)b) * 0xbf58476d1ce4e5b9ULL >> 20;
  for (h %= (uint64_t)g->slots; g->slot[h] > 0; h = (h + 1) % (uint64_t)g->slots) {
    const double *q = g->x + 2 * (size_t)(g->slot[h] - 1);
    if (fabs(q[0] - p[0]) < 1e-9 && fabs(q[1] - p[1]) < 1e-9) return g->slot[h] - 1;
  }
  memcpy(g->x + 2 * (size_t)g->n, p, 2 * sizeof *p);
  g->slot[h] = ++g->n;
  return g->n - 1;
}

static inline bf_mesh *t_patches(const t_patch *patch, int npatches)
{
  size_t points = 0, cells = 0;
  bf_int ne = 0;
  for (int k = 0; k < npatches; k++) {
    points += (size_t)(patch[k].nu + 1) * (size_t)(patch[k].nv + 1);
    cells += (size_t)patch[k].nu * (size_t)patch[k].nv;
  }
  t_glue  g    = {bf_host_alloc(points, 2 * sizeof(double)), 0, bf_host_alloc(2 * points + 7, sizeof(bf_int)),
                  (bf_int)(2 * points + 7)};
  bf_int *node = bf_host_alloc(cells, 4 * sizeof *node), *at = bf_host_alloc(points, sizeof *at);
  assert_true(g.x && g.slot && node && at);
  for (int k = 0; k < npatches; k++) {
    const bf_int nu = patch[k].nu, nv = patch[k].nv;
    for (bf_int j = 0; j <= nv; j++)
      for (bf_int i = 0; i <= nu; i++) {
        double p[2];
        patch[k].map((double)i / nu, (double)j / nv, p);
        at[j * (nu + 1) + i] = t_glued(&g, p);
      }
    for (bf_int j = 0; j < nv; j++)
      for (bf_int i = 0; i < nu; i++, ne++) {
        const bf_int a = j * (nu + 1) + i, c[4] = {at[a], at[a + 1], at[a + nu + 2], at[a + nu + 1]};
        memcpy(node + 4 * (size_t)ne, c, sizeof c);
      }
  }
  bf_mesh *m = t_mesh_2d(BF_QUAD4, g.n, g.x, ne, node);
  bf_host_free(g.x);
  bf_host_free(g.slot);
  bf_host_free(node);
  bf_host_free(at);
  return m;
}

/* Layers of hex8 over a mesh of quad4 alone; the flat mesh is freed. */
static inline bf_mesh *t_extrude(bf_mesh *flat, bf_int layers)
{
  bf_mesh        *m = bf_host_alloc(1, sizeof *m);
  const bf_int    n = flat->nnodes;
  const bf_block *Q = bf_mesh_block(flat, BF_QUAD4);
  assert_non_null(m);
  m->file     = bf_host_strdup("test");
  m->dim      = 3;
  m->nnodes   = n * (layers + 1);
  m->nelem    = Q->n * layers;
  m->nblocks  = 1;
  m->x        = bf_host_alloc((size_t)m->nnodes, 3 * sizeof *m->x);
  m->node_tag = bf_host_alloc((size_t)m->nnodes, sizeof *m->node_tag);
  m->block    = bf_host_alloc(1, sizeof *m->block);
  m->group    = bf_host_alloc(0, sizeof *m->group);
  assert_true(m->file && m->x && m->node_tag && m->block && m->group);
  bf_block *H = m->block;
  H->type     = BF_HEX8;
  H->n        = m->nelem;
  H->node     = bf_host_alloc((size_t)H->n, 8 * sizeof *H->node);
  H->tag      = bf_host_alloc((size_t)H->n, sizeof *H->tag);
  assert_true(H->node && H->tag);
  for (bf_int i = 0; i < m->nnodes; i++) {
    memcpy(m->x + 3 * (size_t)i, flat->x + 3 * (size_t)(i % n), 2 * sizeof *m->x);
    m->x[3 * (size_t)i + 2] = (double)(i / n) / layers;
    m->node_tag[i]          = i + 1;
  }
  for (bf_int e = 0; e < H->n; e++) {
    H->tag[e] = e + 1;
    for (int k = 0; k < 8; k++)
      H->node[8 * (size_t)e + (size_t)k] =
          Q->node[4 * (size_t)(e % Q->n) + (size_t)(k % 4)] + n * (e / Q->n + k / 4);
  }
  bf_mesh_destroy(&flat);
  T_OK(bf_mesh_check(m));
  return m;
}

/* ---- a disc of five blocks: a square and four sectors ---- */
static inline void t_disc_middle(double u, double v, double *x)
{
  x[0] = u - 0.5;
  x[1] = v - 0.5;
}
/* v from the square's side, or from a circle, outwards; u along it. */
static inline void t_sector(int k, double inner_square, double inner_radius, double outer_square,
                            double outer_radius, double u, double v, double *x)
{
  const double a = 0.78539816339744831 * (2.0 * u - 1.0), t = 2.0 * u - 1.0;
  const double in[2] = {inner_square > 0.0 ? t * inner_square : inner_radius * sin(a),
                        inner_square > 0.0 ? -inner_square : -inner_radius * cos(a)};
  const double out[2] = {outer_square > 0.0 ? t * outer_square : outer_radius * sin(a),
                         outer_square > 0.0 ? -outer_square : -outer_radius * cos(a)};
  const double     p[2] = {in[0] + v * (out[0] - in[0]), in[1] + v * (out[1] - in[1])};
  static const int c[4] = {1, 0, -1, 0}, s[4] = {0, 1, 0, -1};
  x[0] = c[k] * p[0] - s[k] * p[1];
  x[1] = s[k] * p[0] + c[k] * p[1];
}
#define T_SECTORS(name, ...)                                                                                 \
  static inline void t_##name##0(double u, double v, double *x)                                              \
  {                                                                                                          \
    t_sector(0, __VA_ARGS__, 1.0 - u, v, x);                                                                 \
  }                                                                                                          \
  static inline void t_##name##1(double u, double v, double *x)                                              \
  {                                                                                                          \
    t_sector(1, __VA_ARGS__, 1.0 - u, v, x);                                                                 \
  }                                                                                                          \
  static inline void t_##name##2(double u, double v, double *x)                                              \
  {                                                                                                          \
    t_sector(2, __VA_ARGS__, 1.0 - u, v, x);                                                                 \
  }                                                                                                          \
  static inline void t_##name##3(double u, double v, double *x)                                              \
  {                                                                                                          \
    t_sector(3, __VA_ARGS__, 1.0 - u, v, x);                                                                 \
  }
T_SECTORS(disc, 0.5, 0.0, 0.0, 1.5)
T_SECTORS(ogrid, 0.0, 0.4, 1.0, 0.0)

static inline bf_mesh *t_disc(bf_int n, bf_int rings)
{
  const t_patch p[] = {{t_disc_middle, n, n},
                       {t_disc0, n, rings},
                       {t_disc1, n, rings},
                       {t_disc2, n, rings},
                       {t_disc3, n, rings}};
  return t_patches(p, 5);
}

/* A square with a round hole, and blocks beside it. */
static inline void t_beside_right(double u, double v, double *x)
{
  x[0] = 1.0 + 2.0 * u;
  x[1] = 2.0 * v - 1.0;
}
static inline void t_beside_left(double u, double v, double *x)
{
  x[0] = -3.0 + 2.0 * u;
  x[1] = 2.0 * v - 1.0;
}
static inline bf_mesh *t_plate_with_hole(bf_int n, bf_int rings, int beside)
{
  const t_patch p[] = {{t_ogrid0, n, rings}, {t_ogrid1, n, rings},       {t_ogrid2, n, rings},
                       {t_ogrid3, n, rings}, {t_beside_right, n + 7, n}, {t_beside_left, n, n}};
  return t_patches(p, 4 + beside);
}
#endif
