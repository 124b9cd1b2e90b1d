/* solvers/linear/multigrid/boxes.c - see multigrid.h: thin elastic bodies on a lattice by boxes of nodes
 *
 *     boxes      3 planes of each direction, P = (I - 4/(3 lambda) D^-1 A) T
 *     sections   all planes of a thin direction, one of the others, P = T
 *
 * T has the rigid motions of a box's nodes (prolongator.c).  A section that is smoothed loses its rotations.
 * Boxes are the nodes of a lattice again: where a direction does not divide by 3, its two ends have the
 * smaller boxes, since a small one inside would couple boxes that are no neighbours.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include "solvers/linear/multigrid/planes_choice.h"

enum { SIDE = 3 };

/* box[i] of the planes of a direction; returns the number of boxes */
static bf_int cut(bf_int n, bf_int side, bf_int *box)
{
  const bf_int many = (n + side - 1) / side, first = side - (many * side - n) / 2;
  for (bf_int i = 0; i < n; i++) box[i] = i < first ? 0 : 1 + (i - first) / side;
  return n > 0 ? box[n - 1] + 1 : 0;
}

static bf_err number(const bf_mg_stage *s, bf_mg_way way, bf_int nbox[3], bf_int *box)
{
  bf_err        err  = BF_OK;
  bf_backend   *be   = s->be;
  const size_t  all  = (size_t)s->grid[0] + (size_t)s->grid[1] + (size_t)s->grid[2];
  bf_int       *host = NULL, *h;
  const bf_int *line[3];
  void         *p = NULL;
  BF_GO(BF_NEW_ARRAY(host, all));
  BF_GO(be->ops.alloc(be, all * sizeof *host, &p));
  h = host;
  for (int a = 0; a < 3; h += s->grid[a], a++) {
    const bf_int n    = s->grid[a];
    const bf_int side = way == BF_MG_BOXES ? SIDE : n <= BF_MG_THIN ? n : 1;
    line[a]           = (const bf_int *)p + (h - host);
    nbox[a]           = cut(n, side, h);
  }
  BF_GO(be->ops.copy(be, p, host, all * sizeof *host, BF_TO_DEVICE));
  BF_GO(be->ops.mg_planes->boxes(be, s->grid, line, nbox, box));
done:
  be->ops.release(be, p);
  bf_host_free(host);
  return err;
}

bf_err bf_mg_boxes(const bf_mg_stage *s, bf_mg_way way, int *made, bf_mg_stage *coarse, bf_mg_transfer *T)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = s->be;
  const size_t n   = (size_t)(s->n / s->ncomp);
  bf_int       nbox[3];
  void        *box = NULL;
  *made            = 0;
  BF_GO(be->ops.alloc(be, n * sizeof(bf_int), &box));
  BF_GO(number(s, way, nbox, box));
  const bf_int count = nbox[0] * nbox[1] * nbox[2];
  /* sections of two planes have as many unknowns: a better basis for the boxes that follow */
  const int64_t unknowns = (int64_t)count * s->nmodes;
  if (unknowns > s->n || (way == BF_MG_BOXES && unknowns == s->n)) goto done;
  BF_GO(bf_mg_aggregate_with(s, box, count, way == BF_MG_BOXES, coarse, T));
  for (int a = 0; a < 3; a++) coarse->grid[a] = nbox[a];
  T->name = way == BF_MG_BOXES ? "boxes" : "sections";
  *made   = 1;
done:
  be->ops.release(be, box);
  return err;
}
