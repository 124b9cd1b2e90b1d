/* kernels/multigrid/planes_point.h - one node, one edge, one block of planes.h, compiled for both backends
 *
 * Sums have the order of the loops below on both.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_PLANES_POINT_H
#define BF_KERNELS_MULTIGRID_PLANES_POINT_H
#include "kernels/multigrid/planes.h"

static inline BF_HD bf_int bf_lattice_node(const bf_int n[3], const bf_int x[3])
{
  return x[0] + n[0] * (x[1] + n[1] * x[2]);
}
static inline BF_HD void bf_lattice_place(const bf_int n[3], bf_int node, bf_int x[3])
{
  x[0] = node % n[0];
  node /= n[0];
  x[1] = node % n[1];
  x[2] = node / n[1];
}
static inline BF_HD void bf_lattice_step(int point, int d[3])
{
  d[0] = point % 3 - 1;
  d[1] = point / 3 % 3 - 1;
  d[2] = point / 9 - 1;
}
static inline BF_HD int bf_lattice_point(const int d[3])
{
  return d[0] + 1 + 3 * (d[1] + 1) + 9 * (d[2] + 1);
}
static inline BF_HD int bf_lattice_inside(const bf_int n[3], const bf_int x[3], const int d[3])
{
  return x[0] + d[0] >= 0 && x[0] + d[0] < n[0] && x[1] + d[1] >= 0 && x[1] + d[1] < n[1] &&
         x[2] + d[2] >= 0 && x[2] + d[2] < n[2];
}

/* ---- blocks of the matrix ---- */

/* Entry (a, b) is values[at + a sa + b sb]; at < 0: not stored, all entries are 0. */
typedef struct bf_lattice_block {
  int64_t at, sa, sb;
} bf_lattice_block;

static inline BF_HD int bf_lattice_segment(const bf_lattice *A, bf_int node)
{
  int lo = 0, hi = A->nseg;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (A->seg[mid].row0 <= node)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* As bf_bdia_at of the component 0, without divisions where a segment is one tile. */
static inline BF_HD bf_lattice_block bf_lattice_stored(const bf_lattice *A, bf_int node, int point)
{
  const int          s    = A->nseg == 1 ? 0 : bf_lattice_segment(A, node);
  const bf_bdia_seg *S    = A->nseg == 1 ? &A->one : &A->seg[s];
  const int          k    = A->nseg == 1 ? A->one_slot[point] : A->slot[s * BF_LATTICE_POINTS + point];
  const int64_t      i    = node - S->row0;
  bf_lattice_block   B    = {-1, S->apart, S->ld};
  int64_t            tile = 0, t = i;
  if (k < 0) return B;
  if (i * A->D >= S->ld) {
    tile = i * A->D / S->ld;
    t    = i - tile * (S->ld / A->D);
  }
  B.at = S->base + ((tile * S->ndiag + k) * S->ld) * A->D + (S->apart == 1 ? t * A->D : t);
  return B;
}

/* Block (node, node + step of the point), which is inside the lattice. */
static inline BF_HD bf_lattice_block bf_lattice_at(const bf_lattice *A, bf_int node, int point)
{
  int d[3];
  bf_lattice_step(point, d);
  const bf_int off = d[0] + A->n[0] * (d[1] + A->n[1] * d[2]);
  if (!A->half || off >= 0) return bf_lattice_stored(A, node, point);
  const bf_lattice_block U = bf_lattice_stored(A, node + off, BF_LATTICE_POINTS - 1 - point);
  const bf_lattice_block B = {U.at, U.sb, U.sa};
  return B;
}

/* ---- couplings across gaps ---- */

/* w[6] of a node: see bf_mg_plane_ops.couplings */
static inline BF_HD void bf_plane_couplings(const bf_lattice *A, bf_int node, double w[6])
{
  bf_int x[3];
  int    d[3];
  bf_lattice_place(A->n, node, x);
  for (int q = 0; q < 6; q++) w[q] = 0.0;
  for (int point = 0; point < BF_LATTICE_POINTS; point++) {
    bf_lattice_step(point, d);
    if (point == BF_LATTICE_SELF || !bf_lattice_inside(A->n, x, d)) continue;
    const bf_lattice_block B   = bf_lattice_at(A, node, point);
    double                 sum = 0.0;
    if (B.at < 0) continue;
    for (int a = 0; a < A->D; a++) sum -= A->values[B.at + a * (B.sa + B.sb)];
    for (int a = 0; a < 3; a++) {
      if (d[a] < 0) w[2 * a] += sum;
      if (d[a] > 0) w[2 * a + 1] += sum;
    }
  }
}

/* Bin of the edge of direction a between the nodes i and j behind it, or -1.  Ratios that rounding has put
 * below the lower end of a bin are in that bin: a body of equal cells has many. */
static inline BF_HD int bf_plane_bin(const float *w, bf_int nodes, int a, bf_int i, bf_int j)
{
  const int64_t n    = nodes;
  const float   over = w[(2 * a + 1) * n + i], back = w[2 * a * n + j];
  const float   bi = w[6 * n + i], bj = w[6 * n + j];
  const float   across = over > back ? over : back, least = bi < bj ? bi : bj;
  if (!(across > 0.0F && least > 0.0F)) return -1;
  const double ratio = (double)across / (double)least * (BF_GAP_BINS * (1.0 + 0x1p-16));
  return ratio < BF_GAP_BINS - 1 ? (int)ratio : BF_GAP_BINS - 1;
}

/* ---- P and P^T A P ---- */

static inline BF_HD double bf_plane_weight(const bf_plane_line *L, bf_int f, bf_int c)
{
  const bf_int left = L->left[f];
  return left == c ? 1.0 - L->right[f] : left + 1 == c ? L->right[f] : 0.0;
}
/* Fine planes with a weight of coarse plane c: from .. to */
static inline BF_HD bf_int bf_plane_from(const bf_plane_line *L, bf_int c)
{
  return c > 0 ? L->first[c - 1] + 1 : 0;
}
static inline BF_HD bf_int bf_plane_to(const bf_plane_line *L, bf_int c)
{
  return c + 1 < L->nc ? L->first[c + 1] - 1 : L->n - 1;
}

typedef struct bf_plane_pass {
  int            a; /* direction */
  bf_plane_line  line;
  const uint8_t *fixed; /* or NULL */
} bf_plane_pass;

/* Rows a0 .. a0 + rows - 1 of the block (R, R + step of the point) of P_a^T A P_a, which is inside the coarse
 * lattice: acc[3 * (row - a0) + column].  The sum runs over the planes of the end with the smaller number
 * first; entries below the diagonal of a block take it from the other end.  So transposed entries have the
 * same terms in the same order. */
static inline BF_HD void bf_plane_block(const bf_lattice *A, const bf_plane_pass *P, const bf_int R[3],
                                        int point, int a0, int rows, double *acc)
{
  const int dir = P->a, D = A->D, diag = point == BF_LATTICE_SELF, lower = point < BF_LATTICE_SELF;
  int       d[3];
  bf_lattice_step(point, d);
  bf_int x[3] = {lower ? R[0] + d[0] : R[0], lower ? R[1] + d[1] : R[1], lower ? R[2] + d[2] : R[2]};

  const bf_int cu = x[dir], cv = lower ? R[dir] : R[dir] + d[dir];
  for (int q = 0; q < 3; q++) d[q] = lower ? -d[q] : d[q];
  for (int q = 0; q < 3 * rows; q++) acc[q] = 0.0;
  for (bf_int f = bf_plane_from(&P->line, cu), to = bf_plane_to(&P->line, cu); f <= to; f++) {
    const double wf = bf_plane_weight(&P->line, f, cu);
    x[dir]          = f;
    const bf_int i  = bf_lattice_node(A->n, x);
    for (int t = f > 0 ? -1 : 0; t <= 1 && f + t < P->line.n; t++) {
      const double w = wf * bf_plane_weight(&P->line, f + t, cv);
      if (w == 0.0) continue;
      d[dir]                  = t;
      const int        step   = bf_lattice_point(d);
      const bf_int     j      = i + d[0] + A->n[0] * (d[1] + A->n[1] * d[2]);
      const int        masked = P->fixed && (!A->half || i == j); /* else decoupled: entries are 0 */
      bf_lattice_block up = {-1, 0, 0}, down = {-1, 0, 0};        /* A(i, j), A(j, i) */
      if (!lower) up = bf_lattice_at(A, i, step);
      if (lower || diag) down = bf_lattice_at(A, j, BF_LATTICE_POINTS - 1 - step);
      for (int p = 0; p < rows; p++)
        for (int b = 0; b < 3; b++) {
          if (b >= D) break;
          const int     a = a0 + p, turn = lower || (diag && a > b);
          const int64_t at = turn ? down.at : up.at;
          if (at < 0) continue;
          if (masked &&
              (P->fixed[(int64_t)(turn ? j : i) * D + a] || P->fixed[(int64_t)(turn ? i : j) * D + b]))
            continue;
          acc[3 * p + b] += w * A->values[at + a * (turn ? down.sa : up.sa) + b * (turn ? down.sb : up.sb)];
        }
    }
  }
}

/* (P^T r) of component a of the coarse node x */
static inline BF_HD double bf_plane_restricted(const bf_plane_map *P, const bf_int n[3], const bf_int c[3],
                                               int a, const double *r)
{
  double sum = 0.0;
  bf_int x[3];
  for (x[2] = bf_plane_from(&P->line[2], c[2]); x[2] <= bf_plane_to(&P->line[2], c[2]); x[2]++) {
    const double w2 = bf_plane_weight(&P->line[2], x[2], c[2]);
    for (x[1] = bf_plane_from(&P->line[1], c[1]); x[1] <= bf_plane_to(&P->line[1], c[1]); x[1]++) {
      const double w1 = w2 * bf_plane_weight(&P->line[1], x[1], c[1]);
      const bf_int to = bf_plane_to(&P->line[0], c[0]);
#ifdef __CUDA_ARCH__
#pragma unroll 3
#endif
      for (x[0] = bf_plane_from(&P->line[0], c[0]); x[0] <= to; x[0]++) {
        const int64_t row   = (int64_t)bf_lattice_node(n, x) * P->D + a;
        const double  value = r[row]; /* read before the flag is known */
        sum += P->fixed[row] ? 0.0 : w1 * bf_plane_weight(&P->line[0], x[0], c[0]) * value;
      }
    }
  }
  return sum;
}

/* (P xc) of component a of the fine node x */
static inline BF_HD double bf_plane_prolonged(const bf_plane_map *P, const bf_int nc[3], const bf_int x[3],
                                              int a, const double *xc)
{
  double sum = 0.0;
  bf_int left[3];
  double right[3];
  for (int q = 0; q < 3; q++) {
    left[q]  = P->line[q].left[x[q]];
    right[q] = P->line[q].right[x[q]];
  }
  for (int corner = 0; corner < 8; corner++) {
    const bf_int c[3] = {left[0] + (corner & 1), left[1] + (corner >> 1 & 1), left[2] + (corner >> 2)};
    const double w    = (corner & 4 ? right[2] : 1.0 - right[2]) * (corner & 2 ? right[1] : 1.0 - right[1]) *
                     (corner & 1 ? right[0] : 1.0 - right[0]);
    if (w == 0.0) continue; /* also where left + 1 is behind the last plane */
    const int64_t row = (int64_t)bf_lattice_node(nc, c) * P->D + a;
    if (!P->fixed_c[row]) sum += w * xc[row];
  }
  return sum;
}

/* Are all the fine unknowns that component a of the coarse node c lies on fixed? */
static inline BF_HD int bf_plane_all_fixed(const bf_plane_map *P, const bf_int n[3], const bf_int c[3], int a)
{
  bf_int at[3], many[3];
  for (int q = 0; q < 3; q++) {
    at[q]   = P->line[q].first[c[q]];
    many[q] = P->line[q].nc == 1 ? P->line[q].n : 1;
  }
  for (bf_int k = 0; k < many[2]; k++)
    for (bf_int j = 0; j < many[1]; j++)
      for (bf_int i = 0; i < many[0]; i++) {
        const bf_int x[3] = {at[0] + i, at[1] + j, at[2] + k};
        if (!P->fixed[(int64_t)bf_lattice_node(n, x) * P->D + a]) return 0;
      }
  return 1;
}
#endif
