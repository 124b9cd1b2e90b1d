/* mesh/element_children.c - see element_children.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/element_children.h"
#include <string.h>

/* Nodes of a simplex with the given corners. */
static void place_simplex(bf_elem_type type, double corner[4][3], double xi[BF_NEN_MAX][3])
{
  const bf_elem_info *el = bf_elem(type);
  double              own[BF_NEN_MAX][3];
  bf_elem_nodes(type, own);
  for (int a = 0; a < el->nnodes; a++)
    for (int d = 0; d < 3; d++) {
      xi[a][d] = corner[0][d];
      for (int i = 0; i < el->dim; i++) xi[a][d] += own[a][i] * (corner[i + 1][d] - corner[0][d]);
    }
}

static double determinant(double c[4][3])
{
  double u[3][3];
  for (int i = 0; i < 3; i++)
    for (int d = 0; d < 3; d++) u[i][d] = c[i + 1][d] - c[0][d];
  return u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1]) -
         u[0][1] * (u[1][0] * u[2][2] - u[1][2] * u[2][0]) +
         u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0]);
}

static void middle(const double a[3], const double b[3], double m[3])
{
  for (int d = 0; d < 3; d++) m[d] = 0.5 * (a[d] + b[d]);
}

static void divide_triangle(bf_elem_type type, bf_children *out)
{
  const bf_elem_info *el = bf_elem(type);
  double              m[3][3], c[4][3];
  for (int i = 0; i < 3; i++) middle(el->corner[i], el->corner[(i + 1) % 3], m[i]);
  out->n = 4;
  for (int i = 0; i < 3; i++) { /* a corner, with the corners of the triangle in their order */
    for (int j = 0; j < 3; j++) middle(el->corner[i], el->corner[j], c[j]);
    place_simplex(type, c, out->xi[i]);
  }
  memcpy(c[0], m[0], sizeof m[0]);
  memcpy(c[1], m[1], sizeof m[1]);
  memcpy(c[2], m[2], sizeof m[2]);
  place_simplex(type, c, out->xi[3]);
}

/* diagonal: 0, 1, 2 = between the middles of edges 01-23, 02-13, 03-12. */
static void divide_tetrahedron(bf_elem_type type, int diagonal, bf_children *out)
{
  /* ends of the diagonal, then the other four in a cycle, as pairs of corners */
  static const int    ring[3][6][2] = {{{0, 1}, {2, 3}, {0, 2}, {0, 3}, {1, 3}, {1, 2}},
                                       {{0, 2}, {1, 3}, {0, 1}, {0, 3}, {2, 3}, {1, 2}},
                                       {{0, 3}, {1, 2}, {0, 1}, {0, 2}, {2, 3}, {1, 3}}};
  const bf_elem_info *el            = bf_elem(type);
  double              m[6][3], c[4][3];
  out->n = 8;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) middle(el->corner[i], el->corner[j], c[j]);
    place_simplex(type, c, out->xi[i]);
  }
  for (int i = 0; i < 6; i++)
    middle(el->corner[ring[diagonal][i][0]], el->corner[ring[diagonal][i][1]], m[i]);
  for (int i = 0; i < 4; i++) {
    const double *third = m[2 + i], *fourth = m[2 + (i + 1) % 4];
    memcpy(c[0], m[0], sizeof c[0]);
    memcpy(c[1], m[1], sizeof c[1]);
    memcpy(c[2], third, sizeof c[2]);
    memcpy(c[3], fourth, sizeof c[3]);
    if (determinant(c) < 0.0) {
      memcpy(c[2], fourth, sizeof c[2]);
      memcpy(c[3], third, sizeof c[3]);
    }
    place_simplex(type, c, out->xi[4 + i]);
  }
}

void bf_element_children(bf_elem_type type, int diagonal, bf_children *out)
{
  const bf_elem_info *el = bf_elem(type);
  double              own[BF_NEN_MAX][3];
  memset(out, 0, sizeof *out);
  if (el->dim == 2 && el->ncorners == 3) {
    divide_triangle(type, out);
    return;
  }
  if (el->dim == 3 && el->ncorners == 4) {
    divide_tetrahedron(type, diagonal, out);
    return;
  }
  bf_elem_nodes(type, own);
  out->n = 1 << el->dim;
  for (int c = 0; c < out->n; c++)
    for (int a = 0; a < el->nnodes; a++)
      for (int d = 0; d < el->dim; d++) out->xi[c][a][d] = 0.5 * own[a][d] + 0.5 * (c >> d & 1 ? 1.0 : -1.0);
}
