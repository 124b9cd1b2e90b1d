/* solvers/linear/multigrid/lattice.c - the lattice of nodes that the diagonals of a bDIA matrix belong to
 *
 *     node row = i + n0 (j + n1 k): offsets a + b n0 + c n0 n1 with a, b, c = -1, 0, 1
 *
 * Candidates for n0 and n0 n1 are the sums of an offset and a step to a neighbour, lines before rectangles
 * before boxes, if they explain every offset.  A candidate is taken if no entry other than 0 couples nodes
 * that are no neighbours in it: an offset alone does not tell whether it runs over the end of a line.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/multigrid/ops.h"
#include "kernels/multigrid/planes.h"
#include "solvers/linear/multigrid/multigrid.h"
#include <math.h>

typedef struct search {
  const bf_matrix *A;
  int              noff;
  int64_t          off[BF_LATTICE_POINTS]; /* those above 0 */
  int             *flag;                   /* backend */
  bf_int          *grid;                   /* result */
} search;

/* Is every offset a + b s1 + c s2?  Directions of one node have no neighbours: s1 or s2 is then 0. */
static int explains(const search *S, int64_t s1, int64_t s2)
{
  for (int k = 0; k < S->noff; k++) {
    int found = 0;
    for (int point = 0; point < BF_LATTICE_POINTS && !found; point++)
      found = S->off[k] == point % 3 - 1 + s1 * (point / 3 % 3 - 1) + s2 * (point / 9 - 1);
    if (!found) return 0;
  }
  return 1;
}

/* The distinct offsets of all segments; 0: too many for a lattice */
static int list_offsets(search *S)
{
  const bf_bdia *B = S->A->bdia;
  for (int k = 0; k < B->ndiag; k++) {
    const int64_t off = B->off[k] < 0 ? -(int64_t)B->off[k] : B->off[k];
    int           at  = 0;
    while (at < S->noff && S->off[at] != off) at++;
    if (off == 0 || at < S->noff) continue;
    if (S->noff == BF_LATTICE_SELF) return 0;
    S->off[S->noff++] = off;
  }
  return 1;
}

static bf_err consider(const search *S, bf_int n0, bf_int n1, bf_int n2, int *taken)
{
  bf_backend   *be   = S->A->be;
  const bf_int  n[3] = {n0, n1, n2};
  const int64_t s1 = n1 > 1 ? n0 : 0, s2 = n2 > 1 ? (int64_t)n0 * n1 : 0;
  int           wraps = 0;
  if (*taken || !explains(S, s1, s2)) return BF_OK;
  BF_TRY(be->ops.zero(be, S->flag, sizeof *S->flag));
  BF_TRY(be->ops.mg_planes->wraps(be, S->A->bdia, n, S->flag));
  BF_TRY(be->ops.copy(be, &wraps, S->flag, sizeof wraps, BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  if (wraps) return BF_OK;
  *taken = 1;
  for (int a = 0; a < 3; a++) S->grid[a] = n[a];
  return BF_OK;
}

/* Boxes with lines of n0 nodes */
static bf_err consider_boxes(const search *S, int64_t n0, int *taken)
{
  const int64_t rows = S->A->bdia->nrows;
  for (int k = 0; k < S->noff && !*taken; k++)
    for (int q = 0; q < 9 && !*taken; q++) {
      const int64_t s2 = S->off[k] + q % 3 - 1 + n0 * (q / 3 - 1);
      if (s2 < 2 * n0 || s2 % n0 != 0 || rows % s2 != 0 || rows / s2 < 2) continue;
      BF_TRY(consider(S, (bf_int)n0, (bf_int)(s2 / n0), (bf_int)(rows / s2), taken));
    }
  return BF_OK;
}

static bf_err consider_all(const search *S, int *taken)
{
  const bf_int rows = S->A->bdia->nrows;
  BF_TRY(consider(S, rows, 1, 1, taken));
  for (int box = 0; box < 2; box++)
    for (int k = 0; k < S->noff && !*taken; k++)
      for (int q = 0; q < 3 && !*taken; q++) {
        const int64_t n0 = S->off[k] + q - 1;
        if (n0 < 2 || rows % n0 != 0 || rows / n0 < 2) continue;
        if (box)
          BF_TRY(consider_boxes(S, n0, taken));
        else
          BF_TRY(consider(S, (bf_int)n0, (bf_int)(rows / n0), 1, taken));
      }
  return BF_OK;
}

bf_err bf_mg_lattice(const bf_matrix *A, bf_int grid[3])
{
  bf_err         err   = BF_OK;
  bf_backend    *be    = A->be;
  const bf_bdia *B     = A->bdia;
  int            taken = 0;
  void          *p     = NULL;
  search         S     = {.A = A, .grid = grid};
  grid[0] = grid[1] = grid[2] = 0;
  if (!B || A->rest || B->prec != BF_FP64 || B->nrows < 2 || !be->ops.mg_planes) return BF_OK;
  if (!list_offsets(&S)) return BF_OK;
  BF_GO(be->ops.alloc(be, sizeof *S.flag, &p));
  S.flag = p;
  BF_GO(consider_all(&S, &taken));
done:
  be->ops.release(be, S.flag);
  return err;
}

/* ---- positions of planes ---- */

enum { SAMPLE = 16 }; /* lines across each of the two other directions */

/* Coordinates of the node of a row, or NULL */
static const double *coordinates(const bf_multigrid_body *b, bf_int row)
{
  if (!b->place || !b->node) return b->x ? b->x + 3 * (size_t)row : NULL;
  return b->node[row] < 0 ? NULL : b->place + 3 * (size_t)b->node[row];
}

/* NaN without coordinates */
static double distance(const double *x, const double *y)
{
  if (!x || !y) return NAN;
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Number of sample line k in a direction of n planes: evenly, both ends among them. */
static bf_int sampled(bf_int n, bf_int k, bf_int many)
{
  return many == 1 ? n / 2 : (bf_int)((int64_t)k * (n - 1) / (many - 1));
}

/* Sum of the lengths of edges across the gap g of direction a */
static double sum_of_edges(const bf_int n[3], int a, bf_int g, const bf_multigrid_body *b)
{
  const int    u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;
  const bf_int mu = n[u] < SAMPLE ? n[u] : SAMPLE, mv = n[v] < SAMPLE ? n[v] : SAMPLE;
  const bf_int step[3] = {1, n[0], n[0] * n[1]};
  double       sum     = 0.0;
  for (bf_int k = 0; k < mv; k++)
    for (bf_int j = 0; j < mu; j++) {
      const bf_int node = g * step[a] + sampled(n[u], j, mu) * step[u] + sampled(n[v], k, mv) * step[v];
      sum += distance(coordinates(b, node), coordinates(b, node + step[a]));
    }
  return sum;
}

bf_err bf_mg_place_planes(bf_mg_stage *s, const bf_multigrid_body *body)
{
  if (!body || s->grid[0] == 0) return BF_OK;
  for (int a = 0; a < 3; a++) {
    int good = 1;
    BF_TRY(BF_NEW_ARRAY(s->plane[a], s->grid[a]));
#pragma omp parallel for schedule(static)
    for (bf_int g = 0; g < s->grid[a] - 1; g++) s->plane[a][g + 1] = sum_of_edges(s->grid, a, g, body);
    for (bf_int g = 0; g + 1 < s->grid[a]; g++) {
      good &= isfinite(s->plane[a][g + 1]) && s->plane[a][g + 1] > 0.0;
      s->plane[a][g + 1] += s->plane[a][g];
    }
    if (good) continue;
    bf_host_free(s->plane[a]);
    s->plane[a] = NULL;
  }
  return BF_OK;
}
