/* mesh/numbering/band_lower_bound.c - a lower bound on the bytes of an order's diagonals, from its first rows
 *
 * Diagonals are stored by segments of whole slices of 128 rows, and a segment stores every offset of any of
 * its rows in all of them.  So the bytes are at least the sum over the slices of 8 * 128 * (distinct offsets
 * in the slice), and the first slices bound that sum from below.  In a mesh without structure the rows of a
 * slice have few offsets in common, and a part of the rows shows that the order is unsuitable.
 *
 * Orders by levels are abandoned earlier, by an estimate: the first 1/32 of the rows take more than the limit
 * on average. The order of a level follows from the level before, so an irregular order of the first levels
 * persists.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/orders.h"

enum { LEAST_ROWS = 1024, SHARE = 32 }; /* rows between two counts; 1/SHARE of the rows allows the estimate */

bf_err bf_bound_create(const bf_graph *g, bf_bound **out)
{
  bf_err    err = BF_OK;
  bf_bound *b   = NULL;
  *out          = NULL;
  BF_GO(BF_NEW(b));
  b->g = g;
  BF_GO(BF_NEW_ARRAY(b->pos, g->n));
  BF_GO(BF_NEW_ARRAY(b->seen, 2 * (size_t)g->n));
  *out = b;
  b    = NULL;
done:
  bf_bound_destroy(&b);
  return err;
}

void bf_bound_destroy(bf_bound **b)
{
  if (!b || !*b) return;
  bf_host_free((*b)->pos);
  bf_host_free((*b)->seen);
  bf_host_free(*b);
  *b = NULL;
}

void bf_bound_begin(bf_bound *b, bf_int n, double bytes, bf_int reach)
{
  b->n      = n;
  b->bytes  = bytes;
  b->reach  = reach;
  b->sum    = 0.0;
  b->widest = b->placed = b->rows = b->next = 0;
}

/* Bytes of the slice that begins at row b->rows. */
static double slice_bytes(bf_bound *b, const bf_int *order)
{
  const bf_graph *g     = b->g;
  bf_int          count = 1; /* the main diagonal */
  b->slice++;
  for (bf_int p = b->rows; p < b->rows + BF_SLICE; p++)
    for (int64_t k = g->ptr[order[p]]; k < g->ptr[order[p] + 1]; k++) {
      bf_int *seen = &b->seen[b->pos[g->adj[k]] - p + g->n];
      count += *seen != b->slice;
      *seen = b->slice;
    }
  return 8.0 * BF_SLICE * count;
}

int bf_bound_exceeded(bf_bound *b, const bf_int *order, bf_int complete, bf_int placed, bf_int widest)
{
  b->widest = widest > b->widest ? widest : b->widest;
  if (b->widest < b->reach || complete < b->next) return 0;
  for (; b->placed < placed; b->placed++) b->pos[order[b->placed]] = b->placed;
  const bf_int enough   = b->n / SHARE > LEAST_ROWS ? b->n / SHARE : LEAST_ROWS;
  int          exceeded = 0;
  while (b->rows + BF_SLICE <= complete && !exceeded) {
    b->sum += slice_bytes(b, order);
    b->rows += BF_SLICE;
    exceeded = b->sum + 8.0 * (b->n - b->rows) > b->bytes || /* every row has its diagonal */
               (b->reach > 0 && b->rows >= enough && b->sum / b->rows > b->bytes / b->n);
  }
  b->next = complete + (complete / 4 > LEAST_ROWS ? complete / 4 : LEAST_ROWS);
  return exceeded;
}
