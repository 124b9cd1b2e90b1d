/* tests/assembly/gfem/gfem_bar.h - generalised finite elements in space: a bar of two materials, a cube with
 * a curved side
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GFEM_GFEM_BAR_H
#define BF_TESTS_ASSEMBLY_GFEM_GFEM_BAR_H
#include "tests/assembly/gfem/gfem_space.h"

/* ---- a bar [0,2] x [0,1] x [0,1] of two materials that meet at x = 1; moved nodes, the interface plane ----
 */

static const bf_name t_left[] = {{.name = "left"}}, t_right[] = {{.name = "right"}};

/* Groups left and right by the centres of elements. */
static inline void t_bar_split(t_gfem *t)
{
  bf_mesh *m = t->c.mesh;
  m->group   = bf_host_realloc(m->group, (size_t)m->ngroups + 2, sizeof *m->group);
  assert_non_null(m->group);
  for (int g = 0; g < 2; g++) {
    bf_group *p = &m->group[m->ngroups++];
    *p      = (bf_group){.name = bf_host_strdup(g ? "right" : "left"), .dim = 3, .tag = 901 + g, .named = 1};
    p->elem = bf_host_alloc((size_t)m->nelem, sizeof(bf_int));
    for (bf_int e = 0; e < m->nelem; e++) {
      int           n;
      double        x    = 0.0;
      const bf_int *node = bf_mesh_elem_nodes(m, e, &n);
      if (bf_elem(bf_mesh_block_of(m, e)->type)->dim != 3) continue;
      for (int a = 0; a < n; a++) x += m->x[3 * node[a]] / n;
      if ((x > 1.0) == g) p->elem[p->nelem++] = e;
    }
  }
  t->c.material[1]       = t->c.material[0];
  t->c.material[1].name  = "other";
  t->c.material[0].group = t_left;
  t->c.material[1].group = t_right;
  t->c.material[1].k     = t_number(10.0);
  t->c.material[1].E     = t_number(5000.0);
  t->c.p.nmaterials      = 2;
}

static inline void t_bar_create(t_gfem *t, bf_physics physics, bf_elem_type type, int order)
{
  const double size[3] = {2.0, 1.0, 1.0};
  const bf_int n[3]    = {2 * order + 2, order + 2, order + 2};
  uint64_t     seed    = 7;
  t_space_create(t, physics, type, size, n, order);
  for (bf_int v = 0; v < t->c.mesh->nnodes; v++) { /* nodes of the plane x = 1 stay in it */
    double *x = t->c.mesh->x + 3 * v;
    if (x[0] < 1e-9 || x[0] > 2.0 - 1e-9 || x[1] < 1e-9 || x[1] > 1.0 - 1e-9 || x[2] < 1e-9 ||
        x[2] > 1.0 - 1e-9)
      continue;
    if (fabs(x[0] - 1.0) > 1e-9) x[0] += 0.05 * (t_uniform(&seed) - 0.5);
    for (int i = 1; i < 3; i++) x[i] += 0.05 * (t_uniform(&seed) - 0.5);
  }
  t_bar_split(t);
}

/* ---- a cube of which the side x = 1 is pushed out: curved; the others are flat ---- */

static inline void t_pillow_create(t_gfem *t, bf_physics physics, bf_elem_type type, bf_int n, int order)
{
  const double pi = acos(-1.0);
  t_cube_create(t, physics, type, n, order);
  t_cube_shake(t, 0.1 / (double)n, 5);
  for (bf_int v = 0; v < t->c.mesh->nnodes; v++) {
    double *x = t->c.mesh->x + 3 * v;
    x[0] *= 1.0 + 0.15 * sin(pi * x[1]) * sin(pi * x[2]);
  }
}
#endif
