/* assembly/basis/locate_point.c - see locate_point.h: bounding boxes, then Newton's method on x(xi) = at
 *
 *     xi <- xi + J(xi)^-1 (at - x(xi)),     from the element's centre
 * then xi is moved to the reference element and the remaining distance is measured in space.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/locate_point.h"
#include "assembly/basis/shape.h"
#include <math.h>
#include <string.h>

void bf_location_nodes(const bf_mesh *mesh, const bf_view *view, bf_int cell, double x[BF_NEN_MAX][3])
{
  const bf_int *point = view->point + view->ptr[cell];
  const int     nen   = (int)(view->ptr[cell + 1] - view->ptr[cell]);
  for (int a = 0; a < nen; a++) memcpy(x[a], mesh->x + 3 * (size_t)view->node[point[a]], sizeof x[a]);
}

static int is_simplex(const bf_elem_info *el)
{
  return el->ncorners == el->dim + 1 && el->dim > 1;
}

/* Moves xi into the reference element (for points slightly outside: not always the nearest one). */
static void clamp(const bf_elem_info *el, double xi[3])
{
  double sum = 0.0;
  for (int j = 0; j < el->dim; j++) {
    xi[j] = fmax(is_simplex(el) ? 0.0 : -1.0, fmin(1.0, xi[j]));
    sum += xi[j];
  }
  if (!is_simplex(el) || sum <= 1.0) return;
  for (int pass = 0; pass < 3 && sum > 1.0 + 1e-16; pass++) { /* back along (1,1,1) until all are >= 0 */
    int    positive = 0;
    double excess   = sum - 1.0;
    for (int j = 0; j < el->dim; j++) positive += xi[j] > 0.0;
    sum = 0.0;
    for (int j = 0; j < el->dim; j++) {
      if (xi[j] > 0.0) xi[j] = fmax(0.0, xi[j] - excess / positive);
      sum += xi[j];
    }
  }
}

static void position(bf_elem_type type, double x[BF_NEN_MAX][3], const double *xi, double dN[BF_NEN_MAX][3],
                     double at[3])
{
  double N[BF_NEN_MAX];
  bf_shape(type, xi, N, dN);
  for (int i = 0; i < 3; i++) at[i] = 0.0;
  for (int a = 0; a < bf_elem(type)->nnodes; a++)
    for (int i = 0; i < 3; i++) at[i] += N[a] * x[a][i];
}

/* Distance of `at` to the element, with its place; INFINITY if Newton's method does not converge. */
double bf_location_invert(bf_elem_type type, double x[BF_NEN_MAX][3], const double at[3], double xi[3])
{
  const bf_elem_info *el = bf_elem(type);
  double              dN[BF_NEN_MAX][3], g[BF_NEN_MAX][3], y[3], d = 0.0;
  for (int j = 0; j < 3; j++) xi[j] = j < el->dim && is_simplex(el) ? 1.0 / (el->dim + 1) : 0.0;
  for (int it = 0; it < 30; it++) {
    double step[3] = {0.0}, size = 0.0, node[BF_NEN_MAX][3];
    position(type, x, xi, dN, y);
    const double det = bf_shape_gradient(type, (const double(*)[3])x, (const double(*)[3])dN, g);
    if (det == 0.0 || !isfinite(det)) return INFINITY;
    /* J^-1 r from the gradients: xi_j = sum_a node_a[j] N_a is linear, so dxi_j/dx_i = sum_a node_a[j] g_a[i]
     */
    bf_elem_nodes(type, node);
    for (int a = 0; a < el->nnodes; a++)
      for (int j = 0; j < el->dim; j++)
        for (int i = 0; i < el->dim; i++) step[j] += node[a][j] * g[a][i] * (at[i] - y[i]);
    for (int j = 0; j < el->dim; j++) {
      xi[j] += step[j];
      size = fmax(size, fabs(step[j]));
      if (!(fabs(xi[j]) < 20.0)) return INFINITY;
    }
    if (size < 1e-12) break;
  }
  clamp(el, xi);
  position(type, x, xi, dN, y);
  for (int i = 0; i < el->dim; i++) d = hypot(d, at[i] - y[i]);
  return d;
}

/* 1 if the point is in the box of the cell, enlarged by half for curved sides, and by tol. */
static int near_box(int dim, int order, int nen, double x[BF_NEN_MAX][3], const double at[3], double tol)
{
  for (int i = 0; i < dim; i++) {
    double lo = x[0][i], hi = x[0][i];
    for (int a = 1; a < nen; a++) lo = fmin(lo, x[a][i]), hi = fmax(hi, x[a][i]);
    const double more = tol + (order > 1 ? 0.5 * (hi - lo) : 0.0);
    if (at[i] < lo - more || at[i] > hi + more) return 0;
  }
  return 1;
}

bf_err bf_locate_point(const bf_mesh *mesh, const bf_view *view, const double at[3], bf_location *place)
{
  double lo[3], hi[3], size = 0.0;
  BF_CHECK(mesh && view && at && place, BF_E_ARG, "null argument");
  for (int i = 0; i < mesh->dim; i++) BF_CHECK(isfinite(at[i]), BF_E_ARG, "coordinate %d is not finite", i);
  bf_mesh_bounds(mesh, lo, hi);
  for (int i = 0; i < 3; i++) size = hypot(size, hi[i] - lo[i]);
  const double tol = 1e-6 * size, touch = 1e-10 * size;
  bf_location  best = {-1, {0.0, 0.0, 0.0}, INFINITY};
#pragma omp parallel
  {
    bf_location mine = {-1, {0.0, 0.0, 0.0}, INFINITY};
#pragma omp for schedule(static) nowait
    for (bf_int c = 0; c < view->ncells; c++) {
      const bf_elem_info *el = bf_elem(view->type[c]);
      double              x[BF_NEN_MAX][3], xi[3];
      bf_location_nodes(mesh, view, c, x);
      if (!near_box(el->dim, el->order, el->nnodes, x, at, tol)) continue;
      double d = bf_location_invert(view->type[c], x, at, xi);
      if (d <= touch) d = 0.0; /* found; the lowest cell of equal distance */
      if (d > tol || d > mine.distance || (d == mine.distance && mine.cell >= 0 && mine.cell < c)) continue;
      mine.cell     = c;
      mine.distance = d;
      memcpy(mine.xi, xi, sizeof xi);
    }
#pragma omp critical
    if (mine.cell >= 0 && (mine.distance < best.distance ||
                           (mine.distance == best.distance && (best.cell < 0 || mine.cell < best.cell))))
      best = mine;
  }
  *place = best;
  return BF_OK;
}
