/* kernels/cpu/sparse/bdia_spmv.c - y = A x in bDIA, with w.y and y.y in the same pass
 *
 *     y[i] = sum over diagonals k of  U_k[i] x[i + off_k]   (+ half storage: U_k[i - off_k] x[i - off_k])
 *
 * Source   bDIA: Wang, Ren, Tian, "Efficient Sparse Matrix-vector Multiplication and CG Solver
 *          Optimization on GPU"; half storage by bdia_spmv_half.c, or, for wide A, by gathering: every y[i]
 *          is computed by one thread in one order.
 * Order    tiles of node rows stay in cache with their x; in a tile a diagonal is a contiguous run of
 *          values.  Guard zones in x make the loops free of range tests.
 * Cost     2 nnz flops; the matrix once, x and y once (gathering: U_k twice).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/sparse/bdia_spmv_half.h"
#include "kernels/cpu/sparse/bdia_tile.h"
#include <omp.h>

static int64_t tiles_of(const bf_bdia *A, const bf_bdia_seg *S)
{
  const bf_int rows = bf_cpu_tile_rows(A->ncomp);
  return (S->nrows + rows - 1) / rows;
}

typedef struct product {
  const bf_bdia *A;
  const double  *x, *w;
  double        *y, *part; /* part[tile][2] */
} product;

static void one_tile(const product *P, const bf_bdia_seg *S, bf_int i0, int64_t tile)
{
  const bf_int rows = bf_cpu_tile_rows(P->A->ncomp), end = S->row0 + S->nrows,
               n   = end - i0 < rows ? end - i0 : rows;
  const int64_t at = (int64_t)i0 * P->A->ncomp, len = (int64_t)n * P->A->ncomp;
  bf_cpu_tile(P->A, S, i0, n, P->x, P->y);
  if (!P->w) return;
  P->part[2 * tile]     = bf_cpu_dot(len, P->w + at, P->y + at);
  P->part[2 * tile + 1] = bf_cpu_dot(len, P->y + at, P->y + at);
}

/* Tiles t0 .. t1-1, numbered through all segments. */
static void some_tiles(const product *P, int64_t t0, int64_t t1)
{
  int64_t first = 0; /* tile number of the segment's first */
  for (int s = 0; s < P->A->nseg && first < t1; s++) {
    const bf_bdia_seg *S = &P->A->seg[s];
    const int64_t      m = tiles_of(P->A, S);
    for (int64_t t = t0 > first ? t0 : first; t < first + m && t < t1; t++)
      one_tile(P, S, S->row0 + (bf_int)(t - first) * bf_cpu_tile_rows(P->A->ncomp), t);
    first += m;
  }
}

bf_err bf_cpu_bdia_spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                        double *dot)
{
  const bf_bdia *A = M->bdia;
  if (bf_cpu_half_once(A)) return bf_cpu_half_spmv(be, A, x, y, w, dot);
  product P      = {.A = A, .x = x, .w = w, .y = y, .part = NULL};
  int64_t ntiles = 0;
  for (int s = 0; s < A->nseg; s++) ntiles += tiles_of(A, &A->seg[s]);
  if (w) BF_TRY(bf_cpu_scratch(be, 2 * ntiles, &P.part));
#pragma omp parallel if ((int64_t)A->nrows * A->ncomp > BF_CPU_SMALL)
  {
    const int64_t T = omp_get_num_threads(), t = omp_get_thread_num();
    some_tiles(&P, ntiles * t / T, ntiles * (t + 1) / T);
  }
  if (w) bf_cpu_add_up(ntiles, 2, P.part, dot);
  return BF_OK;
}

bf_err bf_cpu_bdia_spmv_t(bf_backend *be, const bf_matrix *M, const double *x, double *y)
{
  const bf_bdia *A = M->bdia;
  if (A->half) return bf_cpu_bdia_spmv(be, M, x, y, NULL, NULL); /* symmetric */
  const bf_int  rows   = bf_cpu_tile_rows(A->ncomp);
  const int64_t ntiles = ((int64_t)A->nrows + rows - 1) / rows;
#pragma omp parallel for schedule(static) if ((int64_t)A->nrows * A->ncomp > BF_CPU_SMALL)
  for (int64_t t = 0; t < ntiles; t++) {
    const bf_int i0 = (bf_int)(t * rows), n = A->nrows - i0 < rows ? A->nrows - i0 : rows;
    bf_cpu_tile_t(A, i0, n, x, y);
  }
  return BF_OK;
}

/* ---- diagonal and constraints ---- */

bf_err bf_cpu_bdia_diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_bdia *A = M->bdia;
  (void)be;
  const int D = A->ncomp;
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    int                k = 0;
    while (k < S->ndiag && A->off[S->diag0 + k] != 0) k++;
    for (int64_t r = 0; r < (int64_t)S->nrows * D; r++)
      d[(int64_t)S->row0 * D + r] =
          k == S->ndiag ? 0.0 : bf_cpu_value(A->values, A->prec, bf_bdia_at(S, D, k * D + (int)(r % D), r));
  }
  return BF_OK;
}

/* Zeroes the entries of the D rows of a node whose row or column is fixed. */
static void constrain_node(bf_bdia *A, const bf_bdia_seg *S, int64_t i, const uint8_t *fixed)
{
  const int     D    = A->ncomp;
  const int64_t node = S->row0 + i, from = bf_bdia_at(S, D, 0, i * D);
  for (int p = 0; p < S->ndiag * D; p++) {
    const int64_t other = node + A->off[S->diag0 + p / D], col = other * D + p % D;
    if (other < 0 || other >= A->nrows) continue;
    for (int64_t row = node * D; row < (node + 1) * D; row++)
      if (row != col && (fixed[row] || fixed[col]))
        bf_cpu_clear(A->values, A->prec, from + p * S->ld + (row - node * D) * S->apart);
  }
}

bf_err bf_cpu_bdia_constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  bf_bdia *A = M->bdia;
  (void)be;
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
#pragma omp parallel for schedule(static) if ((int64_t)S->ndiag * A->ncomp * S->nrows > BF_CPU_SMALL)
    for (bf_int i = 0; i < S->nrows; i++) constrain_node(A, S, i, fixed);
  }
  return BF_OK;
}
