/* tests/assembly/gfem/gfem_split.h - a body of two materials for problems with generalised finite elements */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GFEM_GFEM_SPLIT_H
#define BF_TESTS_ASSEMBLY_GFEM_GFEM_SPLIT_H
#include "tests/assembly/gfem/gfem_case.h"

static const bf_name t_left[] = {{.name = "left"}}, t_right[] = {{.name = "right"}};

/* Groups left and right of x = at by the centres of elements, each with a material of its own. */
static inline void t_split(t_gfem *t, double at)
{
  bf_mesh *m = t->c.mesh;
  m->group   = bf_host_realloc(m->group, (size_t)m->ngroups + 2, sizeof *m->group);
  assert_non_null(m->group);
  for (int g = 0; g < 2; g++) {
    bf_group *p = &m->group[m->ngroups++];
    *p = (bf_group){.name = bf_host_strdup(g ? "right" : "left"), .dim = m->dim, .tag = 901 + g, .named = 1};
    p->elem = bf_host_alloc((size_t)m->nelem, sizeof(bf_int));
    for (bf_int e = 0; e < m->nelem; e++) {
      int           n;
      double        x    = 0.0;
      const bf_int *node = bf_mesh_elem_nodes(m, e, &n);
      if (bf_elem(bf_mesh_block_of(m, e)->type)->dim != m->dim) continue;
      for (int a = 0; a < n; a++) x += m->x[3 * node[a]] / n;
      if ((x > at) == g) p->elem[p->nelem++] = e;
    }
  }
  t->c.material[1]       = t->c.material[0];
  t->c.material[1].name  = "other";
  t->c.material[0].group = t_left;
  t->c.material[1].group = t_right;
  t->c.p.nmaterials      = 2;
}

#endif
