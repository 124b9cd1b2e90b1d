/* assembly/model/plane.c - see plane.h
 *
 *     n = sum_f +- A_f n_f / |..|, the signs by the first side;    deviation = max |n . (x - mean x)|
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/plane.h"
#include <math.h>

static const double FLAT = 1e-6; /* relative to the extent */

int bf_face_axis(const bf_mesh *mesh, int sdim, const bf_int *node, int n)
{
  double lo[3], hi[3], size = 0.0;
  for (int d = 0; d < 3; d++) {
    lo[d] = hi[d] = mesh->x[3 * (size_t)node[0] + (size_t)d];
    for (int a = 1; a < n; a++) {
      const double x = mesh->x[3 * (size_t)node[a] + (size_t)d];
      lo[d]          = fmin(lo[d], x);
      hi[d]          = fmax(hi[d], x);
    }
    size = fmax(size, hi[d] - lo[d]);
  }
  int axis = 0;
  for (int d = 1; d < sdim; d++)
    if (hi[d] - lo[d] < hi[axis] - lo[axis]) axis = d;
  return hi[axis] - lo[axis] <= FLAT * size ? axis : -1;
}

/* Normal times area of a side, by its corners: of a triangle and of the diagonals of a quadrilateral. */
static void area(const bf_mesh *mesh, int sdim, const bf_int *node, int corners, double n[3])
{
  const double *a = mesh->x + 3 * (size_t)node[0], *b = mesh->x + 3 * (size_t)node[1],
               *c = mesh->x + 3 * (size_t)node[sdim == 3 ? 2 : 1],
               *d = mesh->x + 3 * (size_t)node[corners == 4 ? 3 : 0];
  double u[3], v[3];
  if (sdim == 2) {
    n[0] = b[1] - a[1];
    n[1] = a[0] - b[0];
    n[2] = 0.0;
    return;
  }
  for (int i = 0; i < 3; i++) {
    u[i] = corners == 4 ? c[i] - a[i] : b[i] - a[i];
    v[i] = corners == 4 ? d[i] - b[i] : c[i] - a[i];
  }
  for (int i = 0; i < 3; i++)
    n[i] = 0.5 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
}

/* Sides that are not normal to an axis, in turn: 1 while there are more. */
static int next(const bf_mesh *mesh, int sdim, const bf_group *g, bf_int *at, const bf_int **node, int *n)
{
  while (++*at < g->nelem) {
    *node = bf_mesh_elem_nodes(mesh, g->elem[*at], n);
    if (bf_face_axis(mesh, sdim, *node, *n) < 0) return 1;
  }
  return 0;
}

void bf_plane_of_group(const bf_mesh *mesh, int sdim, const bf_group *g, bf_plane *out)
{
  double        middle[3] = {0.0, 0.0, 0.0}, lo[3], hi[3], size = 0.0;
  const bf_int *node;
  int           n;
  int64_t       count = 0;
  bf_plane      p     = {.farthest = -1};
  for (bf_int i = -1; next(mesh, sdim, g, &i, &node, &n);) {
    double    f[3], along = 0.0;
    const int corners = bf_elem(bf_mesh_block_of(mesh, g->elem[i])->type)->ncorners;
    area(mesh, sdim, node, corners, f);
    for (int d = 0; d < 3; d++) along += f[d] * p.normal[d];
    for (int d = 0; d < 3; d++) p.normal[d] += along < 0.0 ? -f[d] : f[d];
    for (int a = 0; a < n; a++, count++)
      for (int d = 0; d < 3; d++) {
        const double x = mesh->x[3 * (size_t)node[a] + (size_t)d];
        middle[d] += x;
        lo[d] = count == 0 ? x : fmin(lo[d], x);
        hi[d] = count == 0 ? x : fmax(hi[d], x);
      }
    p.faces++;
  }
  if (p.faces == 0) {
    *out = p;
    return;
  }
  for (int d = 0; d < 3; d++) {
    middle[d] /= (double)count;
    size += p.normal[d] * p.normal[d];
    p.extent = fmax(p.extent, hi[d] - lo[d]);
  }
  for (int d = 0; d < 3; d++) p.normal[d] /= size > 0.0 ? sqrt(size) : 1.0;
  for (bf_int i = -1; next(mesh, sdim, g, &i, &node, &n);)
    for (int a = 0; a < n; a++) {
      double away = 0.0;
      for (int d = 0; d < 3; d++)
        away += p.normal[d] * (mesh->x[3 * (size_t)node[a] + (size_t)d] - middle[d]);
      if (p.farthest >= 0 && fabs(away) <= p.deviation) continue;
      p.deviation = fabs(away);
      p.farthest  = node[a];
    }
  *out = p;
}

int bf_plane_is_flat(const bf_plane *p)
{
  return p->deviation <= FLAT * p->extent;
}
