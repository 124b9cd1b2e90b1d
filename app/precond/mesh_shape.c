/* app/precond/mesh_shape.c - see solver_choice.h: layers, slenderness and aspect of a mesh */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/precond/solver_choice.h"
#include <math.h>

enum { SAMPLE = 4096 }; /* elements of a block */

typedef struct box {
  double lo[3], hi[3];
} box;

static const box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void extend(box *b, const double *x)
{
  for (int a = 0; a < 3; a++) {
    b->lo[a] = fmin(b->lo[a], x[a]);
    b->hi[a] = fmax(b->hi[a], x[a]);
  }
}

/* Quotient of the longest and the shortest side among the first dim sides that are not 0. */
static double quotient(const double side[3])
{
  double least = INFINITY, most = 0.0;
  for (int a = 0; a < 3; a++) {
    most = fmax(most, side[a]);
    if (side[a] > 0.0) least = fmin(least, side[a]);
  }
  return most > 0.0 ? most / least : 1.0;
}

static void sides(const box *b, double side[3])
{
  for (int a = 0; a < 3; a++) side[a] = b->hi[a] > b->lo[a] ? b->hi[a] - b->lo[a] : 0.0;
}

static void around(const bf_mesh *m, box *out)
{
#pragma omp parallel if (m->nnodes > 65536)
  {
    box own = EMPTY;
#pragma omp for schedule(static) nowait
    for (bf_int i = 0; i < m->nnodes; i++) extend(&own, m->x + 3 * (size_t)i);
#pragma omp critical
    {
      extend(out, own.lo);
      extend(out, own.hi);
    }
  }
}

bf_solver_shape bf_mesh_shape(const bf_mesh *m)
{
  box             all    = EMPTY;
  bf_solver_shape s      = {.layers = 1.0, .slenderness = 1.0, .aspect = 1.0};
  double          sum[3] = {0.0, 0.0, 0.0}, whole[3], aspect = 0.0, least = INFINITY, longest = 0.0;
  int64_t         count = 0, tets = 0;
  around(m, &all);
  for (int k = 0; k < m->nblocks; k++) {
    const bf_block     *b    = &m->block[k];
    const bf_elem_info *info = bf_elem(b->type);
    if (b->type == BF_TET4 || b->type == BF_TET10) tets += b->n;
    const bf_int step = b->n > SAMPLE ? b->n / SAMPLE : 1;
    for (bf_int e = 0; info->dim == m->dim && e < b->n; e += step) {
      box    own = EMPTY;
      double side[3];
      for (int a = 0; a < info->ncorners; a++)
        extend(&own, m->x + 3 * (size_t)b->node[(size_t)e * (size_t)info->nnodes + (size_t)a]);
      sides(&own, side);
      for (int a = 0; a < 3; a++) sum[a] += side[a] / info->order;
      aspect += quotient(side);
      count++;
    }
  }
  if (count == 0) return s;
  sides(&all, whole);
  for (int a = 0; a < 3; a++) {
    longest = fmax(longest, whole[a]);
    if (sum[a] > 0.0) least = fmin(least, sum[a] / (double)count);
  }
  if (longest > 0.0) s.layers = 1.0 + longest / least;
  s.slenderness = quotient(whole);
  s.tetrahedra  = 2 * tets > m->nelem;
  s.aspect      = aspect / (double)count;
  return s;
}
