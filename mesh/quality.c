/* mesh/quality.c - mesh quality for `bandfem info`: see mesh.h
 *
 * Sums and extremes are taken over chunks of elements of fixed size and then over the chunks in order, so
 * that the result does not depend on the number of threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/jacobian.h"
#include <math.h>

enum { CHUNK = 4096 };

typedef struct part {
  double jacobian_min, aspect_max, measure;
  bf_int jacobian_elem, aspect_elem;
} part;

static void merge(part *to, const part *from)
{
  if (from->jacobian_min < to->jacobian_min) {
    to->jacobian_min  = from->jacobian_min;
    to->jacobian_elem = from->jacobian_elem;
  }
  if (from->aspect_max > to->aspect_max) {
    to->aspect_max  = from->aspect_max;
    to->aspect_elem = from->aspect_elem;
  }
  to->measure += from->measure;
}

/* Longest over shortest edge, measured between corners; infinite if two corners coincide. */
static double aspect(const bf_elem_info *info, const double *x, const bf_int *node)
{
  double longest = 0.0, shortest = HUGE_VAL;
  for (int k = 0; k < info->nedges; k++) {
    const double *a = x + 3 * (size_t)node[info->edge[k][0]], *b = x + 3 * (size_t)node[info->edge[k][1]];
    const double  s =
        (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    longest  = fmax(longest, s);
    shortest = fmin(shortest, s);
  }
  return shortest > 0.0 ? sqrt(longest / shortest) : HUGE_VAL;
}

/* det J at corners and centre, and its integral; an element that is affine to rounding has one value.
 */
static void measure_element(const bf_mesh *m, const bf_jacobian *rule, const bf_int *node, double *ratio,
                            double *measure)
{
  const int corners = rule->nodes ? rule->info->ncorners : 0;
  double    det[BF_JACOBIAN_POINTS], spread, sum = 0.0;
  double    lowest = bf_jacobian_affine(rule, m->x, node, &spread), largest = fabs(lowest);
  if (spread <= 1e-12 * largest) {
    *ratio   = lowest < 0.0 ? -1.0 : 1.0;
    *measure = lowest * rule->volume;
    return;
  }
  bf_jacobian_dets(rule, m->x, node, det);
  for (int c = 0; c < corners; c++) {
    lowest  = fmin(lowest, det[c]);
    largest = fmax(largest, fabs(det[c]));
  }
  for (int p = 0; p < rule->npoints; p++) sum += rule->weight[p] * det[p];
  *ratio   = largest > 0.0 ? lowest / largest : 0.0;
  *measure = sum;
}

static part measure_chunk(const bf_mesh *m, const bf_block *block, const bf_jacobian *rule, bf_int from,
                          bf_int to)
{
  const int nen = rule->info->nnodes;
  part      sum = {HUGE_VAL, 0.0, 0.0, block->first + from, block->first + from};
  for (bf_int e = from; e < to; e++) {
    const bf_int *node = block->node + (size_t)e * (size_t)nen;
    part          one  = {0.0, aspect(rule->info, m->x, node), 0.0, block->first + e, block->first + e};
    measure_element(m, rule, node, &one.jacobian_min, &one.measure);
    merge(&sum, &one);
  }
  return sum;
}

static bf_err measure_block(const bf_mesh *m, const bf_block *block, part *total)
{
  bf_err       err     = BF_OK;
  part        *chunk   = NULL;
  bf_jacobian *rule    = NULL;
  const bf_int nchunks = (block->n - 1) / CHUNK + 1;
  BF_GO(BF_NEW(rule));
  BF_GO(BF_NEW_ARRAY(chunk, nchunks));
  bf_jacobian_rule(block->type, rule);
#pragma omp parallel for schedule(static)
  for (bf_int c = 0; c < nchunks; c++)
    chunk[c] =
        measure_chunk(m, block, rule, c * CHUNK, block->n - c * CHUNK < CHUNK ? block->n : (c + 1) * CHUNK);
  for (bf_int c = 0; c < nchunks; c++) merge(total, &chunk[c]);
done:
  bf_host_free(rule);
  bf_host_free(chunk);
  return err;
}

static bf_int root_of(bf_int *parent, bf_int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Components of the mesh connected by common nodes: union-find over the elements of its dimension. */
static bf_err count_components(const bf_mesh *m, bf_int unused, bf_int *count)
{
  bf_int *parent = NULL;
  BF_TRY(BF_NEW_ARRAY(parent, m->nnodes));
  for (bf_int i = 0; i < m->nnodes; i++) parent[i] = i;
  *count = m->nnodes - unused;
  for (int b = 0; b < m->nblocks; b++) {
    const bf_elem_info *info = bf_elem(m->block[b].type);
    if (info->dim != m->dim) continue;
    for (bf_int e = 0; e < m->block[b].n; e++) {
      const bf_int *node = m->block[b].node + (size_t)e * (size_t)info->nnodes;
      bf_int        r    = root_of(parent, node[0]);
      for (int a = 1; a < info->nnodes; a++) {
        const bf_int s = root_of(parent, node[a]);
        if (s == r) continue;
        parent[s > r ? s : r] = s > r ? r : s;
        r                     = s > r ? r : s;
        (*count)--;
      }
    }
  }
  bf_host_free(parent);
  return BF_OK;
}

bf_err bf_mesh_quality(const bf_mesh *m, bf_quality *q)
{
  bf_err   err   = BF_OK;
  uint8_t *used  = NULL;
  part     total = {HUGE_VAL, 0.0, 0.0, -1, -1};
  BF_CHECK(m && q, BF_E_ARG, "null argument");
  *q = (bf_quality){0};
  BF_GO(BF_NEW_ARRAY(used, m->nnodes));
  for (int b = 0; b < m->nblocks; b++)
    if (bf_elem(m->block[b].type)->dim == m->dim && m->block[b].n > 0)
      BF_GO(measure_block(m, &m->block[b], &total));
  bf_mesh_used_nodes(m, m->dim, used, &q->unused_nodes);
  BF_GO(count_components(m, q->unused_nodes, &q->components));
  q->jacobian_min      = total.jacobian_min;
  q->jacobian_min_elem = total.jacobian_elem;
  q->aspect_max        = total.aspect_max;
  q->aspect_max_elem   = total.aspect_elem;
  q->measure           = total.measure;
done:
  bf_host_free(used);
  return err;
}
