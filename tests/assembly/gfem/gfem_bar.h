/* tests/assembly/gfem/gfem_bar.h - generalised finite elements in space: a bar of two materials, a cube with
 * a curved side
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GFEM_GFEM_BAR_H
#define BF_TESTS_ASSEMBLY_GFEM_GFEM_BAR_H
#include "tests/assembly/gfem/gfem_space.h"
#include "tests/assembly/gfem/gfem_split.h"

/* ---- a bar [0,2] x [0,1] x [0,1] of two materials that meet at x = 1; moved nodes, the interface plane ----
 */

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
  t_split(t, 1.0);
  t->c.material[1].k = t_number(10.0);
  t->c.material[1].E = t_number(5000.0);
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
