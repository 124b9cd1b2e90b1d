/* solvers/linear/multigrid/planes_choice.c - see planes_choice.h: strengths of gaps, planes that stay
 *
 * The strength of a gap is the 20 % quantile of its edges' ratios, the lower end of the bin that holds it in
 * a histogram of 64 bins: integers, the same for any order.  The reference of an edge is the strongest
 * coupling of its weaker end: a jump of the coefficient is no stretched cell.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/linear/multigrid/planes_choice.h"
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include <string.h>

enum { STRONG_BIN = BF_GAP_BINS / 4, QUANTILE = 5 }; /* ratio 1/4; every fifth edge may be weaker */
enum { WINDOW = 8192 };                              /* gaps whose bins are counted at once */
enum { FEW = 3 };                                    /* planes of a direction: no bending between them */

/* ---- strengths ---- */

/* Bin of the edge of rank (edges - 1) / 5, or the last where there is no edge. */
static int quantile(const bf_int *count)
{
  int64_t edges = 0, below = 0;
  for (int b = 0; b < BF_GAP_BINS; b++) edges += count[b];
  for (int b = 0; b < BF_GAP_BINS; b++) {
    below += count[b];
    if (edges > 0 && below > (edges - 1) / QUANTILE) return b;
  }
  return BF_GAP_BINS - 1;
}

typedef struct counter {
  const bf_mg_stage *s;
  float             *w;      /* backend [7][nodes] */
  bf_int            *count;  /* backend [WINDOW][bins] */
  bf_int            *host;   /* the same */
  uint8_t          **strong; /* result */
} counter;

/* Gaps from .. to - 1 of all, direction after direction */
static bf_err one_window(const counter *K, bf_int from, bf_int to)
{
  bf_backend   *be    = K->s->be;
  const bf_int *n     = K->s->grid;
  const size_t  bytes = (size_t)(to - from) * BF_GAP_BINS * sizeof *K->count;
  BF_TRY(be->ops.zero(be, K->count, bytes));
  for (int pass = 0; pass < 2; pass++) { /* count them; then read the counts */
    bf_int first = 0;
    for (int a = 0; a < 3; first += n[a] - 1, a++) {
      const bf_int  g0 = from > first ? from - first : 0, g1 = to < first + n[a] - 1 ? to - first : n[a] - 1;
      const int64_t at = (int64_t)(first + g0 - from) * BF_GAP_BINS;
      if (g0 >= g1) continue;
      if (pass == 0) BF_TRY(be->ops.mg_planes->gaps(be, n, K->w, a, g0, g1, K->count + at));
      for (bf_int g = g0; pass == 1 && g < g1; g++)
        K->strong[a][g] = quantile(K->host + at + (int64_t)(g - g0) * BF_GAP_BINS) >= STRONG_BIN;
    }
    if (pass == 0) BF_TRY(be->ops.copy(be, K->host, K->count, bytes, BF_TO_HOST));
    if (pass == 0) BF_TRY(be->ops.sync(be));
  }
  return BF_OK;
}

static bf_err count_gaps(const bf_mg_stage *s, counter *K)
{
  bf_err       err  = BF_OK;
  bf_backend  *be   = s->be;
  const bf_int all  = s->grid[0] + s->grid[1] + s->grid[2] - 3;
  const bf_int most = all < WINDOW ? all : WINDOW;
  bf_lattice   L    = {.nseg = 0};
  void        *p    = NULL;
  BF_GO(be->ops.alloc(be, (size_t)(s->n / s->ncomp) * 7 * sizeof *K->w, &p));
  K->w = p;
  BF_GO(be->ops.alloc(be, (size_t)most * BF_GAP_BINS * sizeof *K->count, &p));
  K->count = p;
  BF_GO(BF_NEW_ARRAY(K->host, (size_t)most * BF_GAP_BINS));
  BF_GO(bf_lattice_open(s->A, s->grid, &L));
  BF_GO(be->ops.mg_planes->couplings(be, &L, s->fixed, K->w));
  for (bf_int g = 0; g < all; g += most) BF_GO(one_window(K, g, g + most < all ? g + most : all));
done:
  bf_lattice_close(be, &L);
  be->ops.release(be, K->w);
  be->ops.release(be, K->count);
  bf_host_free(K->host);
  return err;
}

bf_err bf_mg_gap_strengths(const bf_mg_stage *s, uint8_t *strong[3])
{
  bf_err  err = BF_OK;
  counter K   = {.s = s, .strong = strong};
  for (int a = 0; a < 3; a++) strong[a] = NULL;
  for (int a = 0; a < 3; a++) BF_GO(BF_NEW_ARRAY(strong[a], s->grid[a]));
  BF_GO(count_gaps(s, &K));
done:
  for (int a = 0; a < 3 && err != BF_OK; a++) {
    bf_host_free(strong[a]);
    strong[a] = NULL;
  }
  return err;
}

/* ---- planes ---- */

/* Two neighbouring strong gaps become one, the last three too where one would be left over; merge: two planes
 * may become one. */
static void keep_planes(bf_mg_line *line, const uint8_t *strong, int merge)
{
  const bf_int n          = line->n;
  bf_int       k          = 0;
  line->nc                = 0;
  line->first[line->nc++] = 0;
  if (n == 2 && merge && strong[0]) return;
  while (k < n - 1) {
    const int two = k + 2 <= n - 1 && strong[k] && strong[k + 1];
    k += !two ? 1 : k + 3 == n - 1 && strong[k + 2] ? 3 : 2;
    line->first[line->nc++] = k;
  }
}

static int keep_all_lines(bf_mg_line line[3], uint8_t *strong[3], int merge)
{
  int fewer = 0;
  for (int a = 0; a < 3; a++) {
    keep_planes(&line[a], strong[a], merge);
    fewer |= line[a].nc < line[a].n;
  }
  return fewer;
}

/* Piecewise linear displacements are too stiff for the bending of an elastic body with few planes.  Motions
 * of whole sections come first in beams, in bodies of two planes, where they only change the basis, and where
 * cells are long beside the thickness.  Plates of three planes need them less than they cost. */
static bf_mg_way way_of(const bf_mg_stage *s, uint8_t *strong[3])
{
  int few = 0, two = 0, thin = 0, wide = 0, weak = 0;
  for (int a = 0; a < 3; a++) {
    const bf_int n = s->grid[a];
    two |= n == 2;
    few |= n > 1 && n <= FEW;
    thin |= n > 1 && n <= BF_MG_THIN;
    wide += n > BF_MG_THIN;
    weak |= n > BF_MG_THIN && !memchr(strong[a], 1, (size_t)n - 1);
  }
  if (s->ncomp == 1) return BF_MG_PLANES;
  if (bf_mg_stage_placed(s) && ((thin && weak) || two || (few && wide <= 1))) return BF_MG_SECTIONS;
  return few ? BF_MG_BOXES : BF_MG_PLANES;
}

bf_err bf_mg_choose_planes(const bf_mg_stage *s, bf_mg_line line[3], bf_mg_way *way)
{
  bf_err   err       = BF_OK;
  uint8_t *strong[3] = {NULL, NULL, NULL};
  *way               = BF_MG_NO_WAY;
  for (int a = 0; a < 3; a++) line[a] = (bf_mg_line){.n = s->grid[a]};
  BF_GO(bf_mg_gap_strengths(s, strong));
  *way = way_of(s, strong);
  if (*way != BF_MG_PLANES) goto done;
  for (int a = 0; a < 3; a++) BF_GO(BF_NEW_ARRAY(line[a].first, line[a].n));
  if (keep_all_lines(line, strong, s->ncomp == 1)) goto done;
  for (int a = 0; a < 3; a++) memset(strong[a], 1, (size_t)s->grid[a]);
  if (!keep_all_lines(line, strong, s->ncomp == 1)) *way = BF_MG_NO_WAY;
done:
  for (int a = 0; a < 3; a++) bf_host_free(strong[a]);
  return err;
}
