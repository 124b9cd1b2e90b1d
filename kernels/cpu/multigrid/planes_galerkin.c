/* kernels/cpu/multigrid/planes_galerkin.c - P^T A P of one direction of a lattice: planes.h
 *
 * Every entry has the terms and the order of bf_plane_block.  In the directions 1 and 2 runs of nodes along
 * direction 0 are added up; in direction 0 the three diagonals of a line are copied, then summed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/multigrid/lattice_run.h"
#include "kernels/cpu/multigrid/planes.h"
#include <string.h>

enum { RUN = 256, COARSE = 96, FINE = 3 * COARSE + 8 }; /* nodes at once; gaps are at most 3 planes */

typedef struct pass {
  const bf_lattice    *A, *C;
  int                  a;
  const bf_plane_line *line;
  const uint8_t       *fixed;
} pass;

/* w times the blocks of a run, without fixed unknowns; of half storage only a node's own block can have any
 */
static void add(const pass *P, bf_int node, bf_int m, int point, double w, bf_run_part part, bf_int pitch,
                double *sum)
{
  if (P->fixed && (!P->A->half || point == BF_LATTICE_SELF))
    bf_lattice_add_free(P->A, node, m, point, w, part, P->fixed, pitch, sum);
  else
    bf_lattice_add_run(P->A, node, m, point, w, part, pitch, sum);
}

/* ---- directions 1 and 2 ---- */

/* Entries (R + i, its neighbour) for i < m, R the first node of the run */
static void one_run(const pass *P, const bf_int R[3], bf_int m, int point)
{
  const bf_lattice *A = P->A;
  const int         D = A->D, dir = P->a, diag = point == BF_LATTICE_SELF, lower = point < BF_LATTICE_SELF;
  int               d[3];
  double            sum[9 * RUN];
  bf_lattice_step(point, d);
  bf_int       x[3] = {lower ? R[0] + d[0] : R[0], lower ? R[1] + d[1] : R[1], lower ? R[2] + d[2] : R[2]};
        const bf_int cu = x[dir], cv = lower ? R[dir] : R[dir] + d[dir];
  for (int q = 0; q < 3; q++) d[q] = lower ? -d[q] : d[q];
  for (int q = 0; q < 9; q++)
    if (q / 3 < D && q % 3 < D) memset(sum + q * RUN, 0, (size_t)m * sizeof *sum);
  for (bf_int f = bf_plane_from(P->line, cu), to = bf_plane_to(P->line, cu); f <= to; f++) {
    const double wf = bf_plane_weight(P->line, f, cu);
    x[dir]          = f;
    const bf_int i  = bf_lattice_node(A->n, x);
    for (int t = f > 0 ? -1 : 0; t <= 1 && f + t < P->line->n; t++) {
      const double w = wf * bf_plane_weight(P->line, f + t, cv);
      if (w == 0.0) continue;
      d[dir]            = t;
      const int    step = bf_lattice_point(d), back = BF_LATTICE_POINTS - 1 - step;
      const bf_int j = i + d[0] + A->n[0] * (d[1] + A->n[1] * d[2]);
      if (!lower) add(P, i, m, step, w, diag ? BF_RUN_UPPER : BF_RUN_ALL, RUN, sum);
      if (lower || (diag && !A->half)) add(P, j, m, back, w, diag ? BF_RUN_LOWER : BF_RUN_ALL, RUN, sum);
    }
  }
  for (int a = 1; a < D && diag && A->half; a++)
    for (int b = 0; b < a; b++)
      memcpy(sum + (3 * a + b) * RUN, sum + (3 * b + a) * RUN, (size_t)m * sizeof *sum);
  bf_lattice_put_run(P->C, bf_lattice_node(P->C->n, R), m, point, RUN, sum);
}

static void line_of_runs(const pass *P, bf_int x1, bf_int x2)
{
  const bf_lattice *C = P->C;
  for (bf_int i0 = 0; i0 < C->n[0]; i0 += RUN)
    for (int q = 0; q < C->npoint; q++) {
      int d[3];
      bf_lattice_step(C->point[q], d);
      if (x1 + d[1] < 0 || x1 + d[1] >= C->n[1] || x2 + d[2] < 0 || x2 + d[2] >= C->n[2]) continue;
      const bf_int end = C->n[0] - (d[0] > 0), to = i0 + RUN < end ? i0 + RUN : end;
      const bf_int R[3] = {i0 == 0 && d[0] < 0 ? 1 : i0, x1, x2};
      if (R[0] < to) one_run(P, R, to - R[0], C->point[q]);
    }
}

/* ---- direction 0 ---- */

typedef struct line_copy { /* blocks (f, f + t) of fine nodes f0 .. f0+m-1, t = -1, 0, 1 */
  bf_int f0, m;
  double v[3][9 * FINE];
} line_copy;

/* down: of the blocks (f + t, f) */
static void copy_line(const pass *P, bf_int line, int d1, int d2, int down, bf_run_part part, line_copy *L)
{
  const bf_lattice *A = P->A;
  for (int t = -1; t <= 1; t++) {
    const int    d[3] = {t, d1, d2}, step = bf_lattice_point(d);
    const bf_int off  = t + A->n[0] * (d1 + A->n[1] * d2);
    const bf_int from = L->f0 == 0 && t < 0 ? 1 : 0;
    const bf_int to   = L->f0 + L->m == A->n[0] && t > 0 ? L->m - 1 : L->m;
    if (from >= to) continue;
    const bf_int node = line + L->f0 + from;
    for (int q = 0; q < 9; q++)
      if (q / 3 < A->D && q % 3 < A->D && bf_run_has(part, q / 3, q % 3))
        memset(L->v[t + 1] + q * FINE, 0, (size_t)L->m * sizeof(double));
    add(P, down ? node + off : node, to - from, down ? BF_LATTICE_POINTS - 1 - step : step, 1.0, part, FINE,
        L->v[t + 1] + from);
  }
}

/* acc[9] of the coarse nodes cu and cv: D x D sums over the copied line */
static void sum_line(const pass *P, const line_copy *L, bf_int cu, bf_int cv, double acc[9])
{
  const int D = P->A->D;
  for (int q = 0; q < 9; q++) acc[q] = 0.0;
  for (bf_int f = bf_plane_from(P->line, cu), to = bf_plane_to(P->line, cu); f <= to; f++) {
    const double wf = bf_plane_weight(P->line, f, cu);
    for (int t = f > 0 ? -1 : 0; t <= 1 && f + t < P->line->n; t++) {
      const double w = wf * bf_plane_weight(P->line, f + t, cv);
      if (w == 0.0) continue;
      for (int a = 0; a < D; a++)
        for (int b = 0; b < D; b++) acc[3 * a + b] += w * L->v[t + 1][(3 * a + b) * FINE + f - L->f0];
    }
  }
}

/* Coarse nodes c0 .. c1-1 of a line with the neighbours (e, d1, d2), e = -1, 0, 1 */
static void three_points(const pass *P, bf_int x1, bf_int x2, int d1, int d2, bf_int c0, bf_int c1,
                         line_copy *L)
{
  const bf_lattice *C     = P->C;
  const int         lower = d2 < 0 || (d2 == 0 && d1 < 0), own = d1 == 0 && d2 == 0, half = C->half;
  const bf_int      left = c0 > 0 ? c0 - 1 : 0, right = c1 < C->n[0] ? c1 : C->n[0] - 1;
  const bf_int      place[3] = {0, lower ? x1 + d1 : x1, lower ? x2 + d2 : x2};
  const bf_int      line     = bf_lattice_node(P->A->n, place);
  double            acc[9];
  L->f0 = bf_plane_from(P->line, left);
  L->m  = bf_plane_to(P->line, right) + 1 - L->f0;
  for (int e = -1; e <= 1; e++) {
    const int d[3] = {e, d1, d2}, point = bf_lattice_point(d), down = point < BF_LATTICE_SELF;
    if (half && down) continue;
    if (e == -1 || (own && (e == 0 || (e == 1 && !half)))) { /* copies change */
      const int s = down ? -1 : 1;
      copy_line(P, line, s * d1, s * d2, down, own && e == 0 && !half ? BF_RUN_UPPER : BF_RUN_ALL, L);
      if (own && e == 0 && !half) copy_line(P, line, 0, 0, 1, BF_RUN_LOWER, L);
    }
    for (bf_int c = c0 + (c0 + e < 0); c < c1 && c + e < C->n[0]; c++) {
      const bf_int           R[3] = {c, x1, x2};
      const bf_lattice_block B    = bf_lattice_at(C, bf_lattice_node(C->n, R), point);
      sum_line(P, L, down ? c + e : c, down ? c : c + e, acc);
      for (int a = 0; a < C->D; a++)
        for (int b = 0; b < C->D; b++) {
          const int from                        = own && e == 0 && half && a > b ? 3 * b + a : 3 * a + b;
          C->values[B.at + a * B.sa + b * B.sb] = acc[from];
        }
    }
  }
}

static void line_of_points(const pass *P, bf_int x1, bf_int x2, line_copy *L)
{
  const bf_lattice *C = P->C;
  for (bf_int c0 = 0; c0 < C->n[0]; c0 += COARSE)
    for (int o = 0; o < 9; o++) {
      const int    d1 = o % 3 - 1, d2 = o / 3 - 1;
      const bf_int c1 = c0 + COARSE < C->n[0] ? c0 + COARSE : C->n[0];
      if (x1 + d1 < 0 || x1 + d1 >= C->n[1] || x2 + d2 < 0 || x2 + d2 >= C->n[2]) continue;
      if (C->half && (d2 < 0 || (d2 == 0 && d1 < 0))) continue;
      three_points(P, x1, x2, d1, d2, c0, c1, L);
    }
}

bf_err bf_cpu_planes_galerkin(bf_backend *be, const bf_lattice *A, int a, const bf_plane_line *line,
                              const uint8_t *fixed, const bf_lattice *C)
{
  (void)be;
  const pass    P     = {.A = A, .C = C, .a = a, .line = line, .fixed = fixed};
  const int64_t lines = (int64_t)C->n[1] * C->n[2];
#pragma omp parallel if (lines * C->n[0] > BF_CPU_CHUNK / BF_LATTICE_POINTS)
  {
    line_copy L;
#pragma omp for schedule(static)
    for (int64_t l = 0; l < lines; l++)
      if (a == 0)
        line_of_points(&P, (bf_int)(l % C->n[1]), (bf_int)(l / C->n[1]), &L);
      else
        line_of_runs(&P, (bf_int)(l % C->n[1]), (bf_int)(l / C->n[1]));
  }
  return BF_OK;
}
