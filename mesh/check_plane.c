/* mesh/check_plane.c - checks that a mesh of surface elements lies in the plane z = 0; otherwise E207
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include <math.h>
#include <stdio.h>

typedef struct bounds { /* of the nodes of surface elements */
  double  lo[3], hi[3];
  int64_t elements;
} bounds;

static bounds bounds_of(const bf_mesh *m)
{
  bounds b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0};
  for (int k = 0; k < m->nblocks; k++) {
    const bf_block *block = &m->block[k];
    const int64_t   n     = (int64_t)block->n * bf_elem(block->type)->nnodes;
    if (bf_elem(block->type)->dim != 2) continue;
    b.elements += block->n;
    for (int64_t i = 0; i < n; i++)
      for (int d = 0; d < 3; d++) {
        const double x = m->x[3 * (size_t)block->node[i] + (size_t)d];
        if (x < b.lo[d]) b.lo[d] = x;
        if (x > b.hi[d]) b.hi[d] = x;
      }
  }
  return b;
}

/* Differences of coordinates below this are rounding. */
static double rounding(const bounds *b)
{
  double size = 0.0;
  for (int d = 0; d < 3; d++) size = fmax(size, b->hi[d] - b->lo[d]);
  return 1e-12 * size;
}

static int is_constant(const bounds *b, int d)
{
  return b->hi[d] - b->lo[d] <= fmax(rounding(b), 1e-15 * fmax(fabs(b->lo[d]), fabs(b->hi[d])));
}

static int in_z_0(const bounds *b)
{
  return fmax(fabs(b->lo[2]), fabs(b->hi[2])) <= rounding(b);
}

int bf_mesh_is_plane(const bf_mesh *m)
{
  const bounds b = bounds_of(m);
  return m->dim == 2 && in_z_0(&b);
}

void bf_mesh_move_to_z_0(bf_mesh *m, bf_diags *diags)
{
  const bounds b = bounds_of(m);
  if (in_z_0(&b) || !is_constant(&b, 2)) return;
  for (bf_int i = 0; i < m->nnodes; i++) m->x[3 * (size_t)i + 2] -= b.lo[2];
  bf_diag_add(diags, BF_NOTE, 233, (bf_where){m->file, 0, 0},
              "the mesh lies in the plane z = %g; it is moved to z = 0", b.lo[2]);
}

static bf_err count_off(const bf_mesh *m, double rounding, bf_int *count, bf_int *all, bf_int *first)
{
  uint8_t *used   = NULL;
  bf_int   unused = 0;
  *count          = 0;
  *first          = 0;
  BF_TRY(BF_NEW_ARRAY(used, m->nnodes));
  bf_mesh_used_nodes(m, 2, used, &unused);
  for (bf_int i = 0; i < m->nnodes; i++) {
    if (!used[i] || fabs(m->x[3 * (size_t)i + 2]) <= rounding) continue;
    if ((*count)++ == 0) *first = i;
  }
  *all = m->nnodes - unused;
  bf_host_free(used);
  return BF_OK;
}

bf_err bf_mesh_check_plane(const bf_mesh *m, bf_diags *diags)
{
  static const char *const rotate[2] = {"Rotate {{0, 1, 0}, {0, 0, 0}, Pi/2} {Surface{:};}",
                                        "Rotate {{1, 0, 0}, {0, 0, 0}, -Pi/2} {Surface{:};}"};
  const bf_where           where     = {m->file, 0, 0};
  const bounds             b         = bounds_of(m);
  bf_int                   count, all, first;
  if (in_z_0(&b)) return BF_OK;
  for (int d = 0; d < 2; d++) {
    if (!is_constant(&b, d)) continue;
    bf_diag_add(diags, BF_ERROR, 207, where,
                "the mesh lies in the plane %c = %g; plane meshes must lie in z = 0: rotate the geometry in "
                "Gmsh, for example %s",
                "xy"[d], b.lo[d], rotate[d]);
    return BF_OK;
  }
  BF_TRY(count_off(m, rounding(&b), &count, &all, &first));
  bf_diag_add(diags, BF_ERROR, 207, where,
              "the mesh is a surface in space: %lld elements of dimension 2 with z from %g to %g, no volume "
              "elements (%d of %d nodes off z = 0, the first is node %lld); bandfem has plane elements in "
              "z = 0 and solids, no shells; possible remedies: mesh the volume (gmsh -3, with a Physical "
              "Volume), or move the surface to z = 0",
              (long long)b.elements, b.lo[2], b.hi[2], count, all, (long long)m->node_tag[first]);
  return BF_OK;
}
