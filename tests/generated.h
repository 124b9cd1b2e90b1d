/* tests/generated.h - a box or a rectangle of cells, by the dimension of the element */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_GENERATED_H
#define BF_TEST_GENERATED_H
#include "mesh/mesh.h"
#include "tests/test.h"

/* size[3], cells[3]: the first two count in the plane. */
static inline bf_mesh *t_generated(const double *size, const bf_int *cells, bf_elem_type type)
{
  bf_mesh *m = NULL;
  if (bf_elem(type)->dim == 3)
    T_OK(bf_mesh_box(size, cells, type, &m));
  else
    T_OK(bf_mesh_rectangle(size, cells, type, &m));
  T_OK(bf_mesh_check(m));
  return m;
}
#endif
