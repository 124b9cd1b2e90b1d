/* kernels/cpu/fem/element_stiffness.c - element matrices: sums over integration points, one thread per
 * element
 *
 *     Ke = sum_q c_q B^T C B,   c_q = scale factor w det J
 *
 * CB = c_q C B is formed densely, component by component; the block of components (c, d) of Ke then is a sum
 * of at most three products of a row of g with a row of CB (element_point.h).  Blocks c <= d are summed, in
 * the order of the points; the others are their transposes, so Ke is exactly symmetric.
 *
 * Incompatible modes are rows and columns after those of the nodes.
 *
 * Cost     nq * nen^2 * 6 flops for each of the ncomp (ncomp + 1)/2 blocks.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/fem/element_point.h"

typedef struct sums { /* of one element; 65 KiB, of which hex8 touches 8 rows of each table */
  double K[3][3][NEN][NEN];
  double g[3][NEN], CB[NV][3][NEN];
} sums;

/* y (+)= f0 x0 + f1 x1 + f2 x2 over np nodes */
static inline void combine(int np, int add, const double f[3], const double *restrict x0,
                           const double *restrict x1, const double *restrict x2, double *restrict y)
{
  const double f0 = f[0], f1 = f[1], f2 = f[2];
  for (int b = 0; b < np; b += 4)
    for (int k = b; k < b + 4; k++) y[k] = (add ? y[k] : 0.0) + (f0 * x0[k] + f1 * x1[k] + f2 * x2[k]);
}

/* CB[v][c][b] = weight * sum_t C[v][row] g[dir][b] */
static void form_cb(const bf_element_batch *E, const b_rows *R, int np, const double *C, double weight,
                    sums *S)
{
  for (int v = 0; v < E->nv; v++)
    for (int c = 0; c < E->ncomp; c++) {
      double f[3] = {0.0, 0.0, 0.0};
      for (int t = 0; t < R->nt[c]; t++) f[t] = weight * C[v * E->nv + R->row[c][t]];
      combine(np, 0, f, S->g[R->dir[c][0]], S->g[R->dir[c][1]], S->g[R->dir[c][2]], S->CB[v][c]);
    }
}

/* K[c][d][a][b] += sum_t g[dir][a] CB[row][d][b] */
static void add_block(const b_rows *R, int nen, int np, int c, int d, sums *S)
{
  const double *r0 = S->CB[R->row[c][0]][d], *r1 = S->CB[R->row[c][1]][d], *r2 = S->CB[R->row[c][2]][d];
  for (int a = 0; a < nen; a++) {
    double f[3] = {0.0, 0.0, 0.0};
    for (int t = 0; t < R->nt[c]; t++) f[t] = S->g[R->dir[c][t]][a];
    combine(np, 1, f, r0, r1, r2, S->K[c][d][a]);
  }
}

/* Copies to Ke[a*ncomp + c][b*ncomp + d] and its transpose, through a copy in cache because of the
 * strides */
static void unpack(const bf_element_batch *E, int nn, const sums *S, double *Ke)
{
  double    out[3 * NEN * 3 * NEN];
  const int D = E->ncomp, nd = nn * D;
  for (int c = 0; c < D; c++)
    for (int d = c; d < D; d++)
      for (int a = 0; a < nn; a++)
        for (int b = c == d ? a : 0; b < nn; b++) {
          const double k                    = S->K[c][d][a][b];
          out[(a * D + c) * nd + b * D + d] = k;
          out[(b * D + d) * nd + a * D + c] = k;
        }
  memcpy(Ke, out, (size_t)(nd * nd) * sizeof *Ke);
}

static void one_matrix(const bf_element_batch *E, const b_rows *R, const point_tables *T, bf_int e,
                       double *Ke)
{
  sums   S;
  double x[3][NEN];
  for (int c = 0; c < E->ncomp; c++)
    for (int d = c; d < E->ncomp; d++) memset(S.K[c][d], 0, (size_t)T->nn * sizeof S.K[c][d][0]);
  load_nodes(E, e, x);
  for (int q = 0; q < E->nq; q++) {
    const double weight = at_point(E, T, e, q, x, S.g);
    form_cb(E, R, T->np, coefficients(E, e), weight, &S);
    for (int c = 0; c < E->ncomp; c++)
      for (int d = c; d < E->ncomp; d++) add_block(R, T->nn, T->np, c, d, &S);
  }
  unpack(E, T->nn, &S, Ke);
}

bf_err bf_cpu_element_matrix(bf_backend *be, const bf_element_batch *E, bf_int e0, bf_int e1, double *Ke)
{
  (void)be;
  BF_TRY(bf_element_batch_check_matrix(E));
  BF_TRY(check_range(E, e0, e1));
  const b_rows R  = rows_of_b(E);
  const size_t nd = (size_t)bf_element_order(E);
  point_tables T;
  fill_tables(E, &T);
#pragma omp parallel for schedule(static) if (e1 - e0 > 64)
  for (bf_int e = e0; e < e1; e++) {
    double *to = Ke + (size_t)(e - e0) * nd * nd;
    if (E->form == BF_FORM_TRANSPORT)
      bf_cpu_transport_matrix(E, &T, e, to);
    else
      one_matrix(E, &R, &T, e, to);
  }
  return BF_OK;
}
