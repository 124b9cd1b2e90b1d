/* kernels/cpu/multigrid/lattice_run.h - blocks of a lattice's matrix for a run of nodes, tile by tile */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_MULTIGRID_LATTICE_RUN_H
#define BF_KERNELS_CPU_MULTIGRID_LATTICE_RUN_H
#include "kernels/multigrid/planes.h"
#include "kernels/multigrid/planes_point.h"

/* The part of a run that lies in one tile: entry (a, b) of node i is values[at + i*step + a*sa + b*sb]. */
typedef struct bf_lattice_piece {
  bf_int  len;
  int64_t at, step, sa, sb; /* at < 0: not stored */
} bf_lattice_piece;

/* The first part of the run of m nodes from `node` with their neighbours `point`. */
static inline bf_lattice_piece bf_lattice_first_piece(const bf_lattice *A, bf_int node, bf_int m, int point)
{
  int d[3];
  bf_lattice_step(point, d);
  const bf_int       off    = d[0] + A->n[0] * (d[1] + A->n[1] * d[2]);
  const int          turned = A->half && off < 0;
  const bf_int       row    = turned ? node + off : node;
  const int          s      = A->nseg == 1 ? 0 : bf_lattice_segment(A, row);
  const bf_bdia_seg *S      = A->nseg == 1 ? &A->one : &A->seg[s];
  const int          at     = turned ? BF_LATTICE_POINTS - 1 - point : point,
            k               = A->nseg == 1 ? A->one_slot[at] : A->slot[s * BF_LATTICE_POINTS + at];
  const bf_int     tn = (bf_int)(S->ld / A->D), i = row - S->row0, tile = i / tn, t = i - tile * tn;
  bf_lattice_piece P = {.len = tn - t, .at = -1, .step = S->apart == 1 ? A->D : 1};
  if (P.len > S->nrows - i) P.len = S->nrows - i;
  if (P.len > m) P.len = m;
  P.sa = turned ? S->ld : S->apart;
  P.sb = turned ? S->apart : S->ld;
  if (k >= 0) P.at = S->base + ((int64_t)tile * S->ndiag + k) * S->ld * A->D + t * P.step;
  return P;
}

typedef enum { BF_RUN_ALL, BF_RUN_UPPER, BF_RUN_LOWER } bf_run_part; /* entries a <= b; a > b */

static inline int bf_run_has(bf_run_part part, int a, int b)
{
  return part == BF_RUN_ALL || (part == BF_RUN_UPPER) == (a <= b);
}

static inline void bf_run_add(bf_int n, double w, const double *restrict v, int64_t step,
                              double *restrict sum)
{
  if (step == 1)
    for (bf_int i = 0; i < n; i++) sum[i] += w * v[i];
  else
    for (bf_int i = 0; i < n; i++) sum[i] += w * v[i * step];
}

/* sum[(3 a + b) pitch + i] += w A(node + i, its neighbour; a, b) for i < m and the entries of `part`. */
static inline void bf_lattice_add_run(const bf_lattice *A, bf_int node, bf_int m, int point, double w,
                                      bf_run_part part, bf_int pitch, double *sum)
{
  for (bf_int done = 0; done < m;) {
    const bf_lattice_piece P = bf_lattice_first_piece(A, node + done, m - done, point);
    for (int a = 0; a < A->D && P.at >= 0; a++)
      for (int b = 0; b < A->D; b++)
        if (bf_run_has(part, a, b))
          bf_run_add(P.len, w, A->values + P.at + a * P.sa + b * P.sb, P.step,
                     sum + (int64_t)(3 * a + b) * pitch + done);
    done += P.len;
  }
}

/* ... without the rows and columns of fixed unknowns */
static inline void bf_lattice_add_free(const bf_lattice *A, bf_int node, bf_int m, int point, double w,
                                       bf_run_part part, const uint8_t *fixed, bf_int pitch, double *sum)
{
  int d[3];
  bf_lattice_step(point, d);
  const bf_int off = d[0] + A->n[0] * (d[1] + A->n[1] * d[2]);
  for (bf_int i = 0; i < m; i++) {
    const bf_lattice_block B   = bf_lattice_at(A, node + i, point);
    const int64_t          row = (int64_t)(node + i) * A->D, col = row + (int64_t)off * A->D;
    for (int a = 0; a < A->D && B.at >= 0; a++)
      for (int b = 0; b < A->D; b++)
        if (bf_run_has(part, a, b) && !fixed[row + a] && !fixed[col + b])
          sum[(int64_t)(3 * a + b) * pitch + i] += w * A->values[B.at + a * B.sa + b * B.sb];
  }
}

/* A(node + i, its neighbour; a, b) = sum[(3 a + b) pitch + i] for i < m; the blocks are stored. */
static inline void bf_lattice_put_run(const bf_lattice *A, bf_int node, bf_int m, int point, bf_int pitch,
                                      const double *sum)
{
  for (bf_int done = 0; done < m;) {
    const bf_lattice_piece P = bf_lattice_first_piece(A, node + done, m - done, point);
    for (int a = 0; a < A->D; a++)
      for (int b = 0; b < A->D; b++) {
        double       *v = A->values + P.at + a * P.sa + b * P.sb;
        const double *s = sum + (int64_t)(3 * a + b) * pitch + done;
        for (bf_int i = 0; i < P.len; i++) v[i * P.step] = s[i];
      }
    done += P.len;
  }
}
#endif
