/* tests/middle.h - where a node between corners stands in an element with straight sides */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TEST_MIDDLE_H
#define BF_TEST_MIDDLE_H
#include "mesh/mesh.h"

/* x[3] = mean of the corners that local node a of an element stands between */
static inline void t_middle(const bf_mesh *m, const bf_elem_info *info, const bf_int *node, int a,
                            double x[3])
{
  int       span[BF_CORNERS_MAX];
  const int n = bf_elem_span(info, a, span);
  for (int d = 0; d < 3; d++) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += m->x[3 * node[span[k]] + d];
    x[d] = sum / n;
  }
}
#endif
