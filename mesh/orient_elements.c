/* mesh/orient_elements.c - elements whose nodes are listed in the opposite sense: clockwise in the plane,
 * mirrored in space
 *
 * Mesh generators write them for reversed surfaces and mirrored copies. Where det J is negative at all points
 * that bf_mesh_check_jacobian evaluates, the nodes in the order of the mirrored reference element give det J
 * > 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/jacobian.h"
#include <string.h>

/* The corner of the reference element at the mirror image of corner c: x and y swapped, corner 0 stays. */
static int mirrored_corner(const bf_elem_info *info, int c)
{
  const double *x = info->corner[c];
  for (int k = 0; k < info->ncorners; k++)
    if (info->corner[k][0] == x[1] && info->corner[k][1] == x[0] && info->corner[k][2] == x[2]) return k;
  return 0;
}

/* order[a] = node at the mirror image of node a: a node is identified by the corners whose mean it is. */
static void mirrored_nodes(const bf_elem_info *info, int order[BF_NEN_MAX])
{
  unsigned set[BF_NEN_MAX] = {0}, image[BF_NEN_MAX] = {0};
  int      corner[BF_CORNERS_MAX];
  for (int a = 0; a < info->nnodes; a++) {
    const int n = bf_elem_span(info, a, corner);
    for (int k = 0; k < n; k++) {
      set[a] |= 1u << corner[k];
      image[a] |= 1u << mirrored_corner(info, corner[k]);
    }
  }
  for (int a = 0; a < info->nnodes; a++)
    for (int b = 0; b < info->nnodes; b++)
      if (set[b] == image[a]) order[a] = b;
}

static bf_err turn_block(const bf_mesh *m, bf_block *block, int64_t *turned)
{
  bf_jacobian *rule = NULL;
  const int    nen  = bf_elem(block->type)->nnodes;
  int          order[BF_NEN_MAX];
  int64_t      count = 0;
  BF_TRY(BF_NEW(rule));
  bf_jacobian_rule(block->type, rule);
  mirrored_nodes(bf_elem(block->type), order);
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (bf_int e = 0; e < block->n; e++) {
    bf_int *node = block->node + (size_t)e * (size_t)nen, old[BF_NEN_MAX];
    if (!bf_jacobian_inverted(rule, m->x, node)) continue;
    memcpy(old, node, (size_t)nen * sizeof *old);
    for (int a = 0; a < nen; a++) node[a] = old[order[a]];
    count++;
  }
  *turned += count;
  bf_host_free(rule);
  return BF_OK;
}

bf_err bf_mesh_turn_inverted(bf_mesh *m, bf_diags *diags)
{
  int64_t turned = 0, all = 0;
  for (int b = 0; b < m->nblocks; b++) {
    if (bf_elem(m->block[b].type)->dim != m->dim) continue;
    BF_TRY(turn_block(m, &m->block[b], &turned));
    all += m->block[b].n;
  }
  if (turned)
    bf_diag_add(
        diags, BF_NOTE, 232, (bf_where){m->file, 0, 0},
        "%lld of %lld %s elements %s %s in the file (negative Jacobian); bandfem reads %s nodes in the "
        "opposite sense",
        (long long)turned, (long long)all, m->dim == 2 ? "plane" : "volume", turned == 1 ? "is" : "are",
        m->dim == 2 ? "clockwise" : "mirrored", turned == 1 ? "its" : "their");
  return BF_OK;
}
