/* kernels/cpu/multigrid/planes_gaps.c - is a matrix one of a lattice, and how strong are the gaps between its
 * planes: planes.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/multigrid/lattice_run.h"
#include "kernels/cpu/multigrid/planes.h"
#include <stdlib.h>
#include <string.h>

enum { RUN = 256, GAPS = 64 }; /* nodes, gaps of a line at once */

/* ---- is it a lattice? ---- */

static int block_is_zero(const bf_bdia *A, const bf_bdia_seg *S, int k, bf_int node)
{
  const int D = A->ncomp;
  for (int b = 0; b < D; b++)
    for (int a = 0; a < D; a++)
      if (bf_cpu_value(A->values, A->prec, bf_bdia_at(S, D, k * D + b, (int64_t)(node - S->row0) * D + a)) !=
          0.0)
        return 0;
  return 1;
}

/* Does a row have an entry that leaves the neighbourhood of its node? */
static int row_wraps(const bf_bdia *A, const bf_bdia_seg *S, const bf_int n[3], bf_int node)
{
  bf_int x[3], y[3];
  int    inner = 1;
  bf_lattice_place(n, node, x);
  for (int a = 0; a < 3; a++) inner &= n[a] == 1 || (x[a] > 0 && x[a] < n[a] - 1);
  if (inner) return 0;
  for (int k = 0; k < S->ndiag; k++) {
    const int64_t other = (int64_t)node + A->off[S->diag0 + k];
    if (other < 0 || other >= A->nrows) continue;
    bf_lattice_place(n, (bf_int)other, y);
    if (abs(x[0] - y[0]) <= 1 && abs(x[1] - y[1]) <= 1 && abs(x[2] - y[2]) <= 1) continue;
    if (!block_is_zero(A, S, k, node)) return 1;
  }
  return 0;
}

bf_err bf_cpu_planes_wraps(bf_backend *be, const bf_bdia *A, const bf_int n[3], int *flag)
{
  (void)be;
  int found = 0;
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
#pragma omp parallel for schedule(static) reduction(| : found) if (S->nrows > BF_CPU_CHUNK)
    for (bf_int i = S->row0; i < S->row0 + S->nrows; i++) found |= row_wraps(A, S, n, i);
  }
  if (found) *flag = 1;
  return BF_OK;
}

/* ---- couplings across gaps ---- */

/* As bf_plane_couplings, for the nodes x .. x+m-1 of a line: w[q][RUN] */
static void couplings_of_run(const bf_lattice *A, const bf_int x[3], bf_int m, double w[6][RUN])
{
  double sum[RUN];
  int    d[3];
  for (int q = 0; q < 6; q++) memset(w[q], 0, (size_t)m * sizeof(double));
  for (int point = 0; point < BF_LATTICE_POINTS; point++) {
    bf_lattice_step(point, d);
    if (point == BF_LATTICE_SELF || x[1] + d[1] < 0 || x[1] + d[1] >= A->n[1] || x[2] + d[2] < 0 ||
        x[2] + d[2] >= A->n[2])
      continue;
    const bf_int from = x[0] + d[0]<0, to = x[0] + m + d[0]> A->n[0] ? m - 1 : m;
    const bf_int node = bf_lattice_node(A->n, x);
    memset(sum, 0, (size_t)m * sizeof *sum);
    for (bf_int i = from; i < to;) {
      const bf_lattice_piece P = bf_lattice_first_piece(A, node + i, to - i, point);
      for (int a = 0; a < A->D && P.at >= 0; a++)
        bf_run_add(P.len, -1.0, A->values + P.at + a * (P.sa + P.sb), P.step, sum + i);
      i += P.len;
    }
    for (int q = 0; q < 6; q++)
      if (d[q / 2] == (q % 2 ? 1 : -1))
        for (bf_int i = from; i < to; i++) w[q][i] += sum[i];
  }
}

static void couplings_of_line(const bf_lattice *A, const uint8_t *fixed, bf_int x1, bf_int x2, float *w)
{
  const int64_t nodes = (int64_t)A->n[0] * A->n[1] * A->n[2];
  double        sum[6][RUN];
  for (bf_int i0 = 0; i0 < A->n[0]; i0 += RUN) {
    const bf_int  x[3] = {i0, x1, x2}, m = i0 + RUN < A->n[0] ? RUN : A->n[0] - i0;
    const int64_t node = bf_lattice_node(A->n, x);
    couplings_of_run(A, x, m, sum);
    for (bf_int i = 0; i < m; i++) {
      float big  = 0.0F;
      int   held = 1;
      for (int q = 0; q < 6; q++) {
        const float f           = sum[q][i] > 0.0 ? (float)sum[q][i] : 0.0F;
        w[q * nodes + node + i] = f;
        big                     = f > big ? f : big;
      }
      for (int a = 0; a < A->D; a++) held &= fixed[(node + i) * A->D + a] != 0;
      w[6 * nodes + node + i] = held ? 0.0F : big;
    }
  }
}

bf_err bf_cpu_planes_couplings(bf_backend *be, const bf_lattice *A, const uint8_t *fixed, float *w)
{
  (void)be;
  const int64_t lines = (int64_t)A->n[1] * A->n[2];
#pragma omp parallel for schedule(static) if (lines * A->n[0] > BF_CPU_CHUNK)
  for (int64_t l = 0; l < lines; l++)
    couplings_of_line(A, fixed, (bf_int)(l % A->n[1]), (bf_int)(l / A->n[1]), w);
  return BF_OK;
}

/* ---- gaps ---- */

/* Gaps g .. g+m-1 of direction 0 */
static void gaps_of_lines(const bf_int n[3], const float *w, bf_int g, bf_int m, bf_int *count)
{
  const bf_int nodes = n[0] * n[1] * n[2];
  for (bf_int line = 0; line < nodes; line += n[0])
    for (bf_int k = 0; k < m; k++) {
      const int bin = bf_plane_bin(w, nodes, 0, line + g + k, line + g + k + 1);
      if (bin >= 0) count[(int64_t)k * BF_GAP_BINS + bin]++;
    }
}

/* Gap g of direction 1 or 2 */
static void one_gap(const bf_int n[3], const float *w, int a, bf_int g, bf_int *count)
{
  const bf_int nodes = n[0] * n[1] * n[2], plane = n[0] * n[1], step = a == 1 ? n[0] : plane;
  const bf_int lines = a == 1 ? n[2] : n[1], apart = a == 1 ? plane : n[0];
  for (bf_int l = 0; l < lines; l++)
    for (bf_int i = g * step + l * apart, to = i + n[0]; i < to; i++) {
      const int bin = bf_plane_bin(w, nodes, a, i, i + step);
      if (bin >= 0) count[bin]++;
    }
}

bf_err bf_cpu_planes_gaps(bf_backend *be, const bf_int n[3], const float *w, int a, bf_int g0, bf_int g1,
                          bf_int *count)
{
  (void)be;
  const bf_int each = a == 0 ? GAPS : 1;
#pragma omp parallel for schedule(static) if ((int64_t)n[0] * n[1] * n[2] > BF_CPU_CHUNK)
  for (bf_int g = g0; g < g1; g += each) {
    bf_int *at = count + (int64_t)(g - g0) * BF_GAP_BINS;
    if (a == 0)
      gaps_of_lines(n, w, g, g + each < g1 ? each : g1 - g, at);
    else
      one_gap(n, w, a, g, at);
  }
  return BF_OK;
}
