/* kernels/cpu/sparse/bdia_tile.c - some rows of a bDIA product, each sum by the owner of its row
 *
 * Stored   y[i] = U x[i + off]: tile of values by tile of values, each one run of memory (bdia_full_simd.h).
 * Lower    of half storage: y[i] += U[i - off]^T x[i - off], from rows that others own: diagonal by diagonal.
 * With D components, r = node D + a, a plane for each a of the stored block,
 *
 *          T_a[r] += v_a[r - off D] x[r - off D],   at the end y[i D + a] += T_a[i D] + .. + T_a[i D + D-1]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/sparse/bdia_tile.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/sparse/bdia_full_simd.h"
#include <string.h>

enum {
  ROWS1 = 512, /* node rows of a part, D = 1 */
  ROWS  = 128, /* D = 2, 3 */
  ROOM  = 32,  /* rows of a tile of values, at most */
  D_MAX = 3
};

static const void *value(const bf_bdia *A, int64_t at)
{
  return (const char *)A->values + at * (A->prec == BF_FP32 ? 4 : 8);
}

static void zero(int64_t n, double *y)
{
  for (int64_t i = 0; i < n; i++) y[i] = 0.0;
}

/* The last tile has rows after those of the segment: their values are 0, and x is read within its guard. */
static void stored(const bf_bdia *A, const bf_bdia_seg *S, bf_int i0, bf_int n, const double *x, double *y)
{
  const int     D = A->ncomp, tile = bf_bdia_tile_nodes(D), tiles = n / tile, rest = n % tile;
  const int64_t at = (int64_t)i0 * D, in = at - (int64_t)S->row0 * D, behind = (int64_t)tiles * tile * D;
  const bf_int *off            = A->off + S->diag0;
  const bf_bdia_full_tiles add = bf_cpu_bdia_full_tiles(bf_cpu_isa(), A->prec == BF_FP32, D);
  add(tiles, S->ndiag, off, value(A, bf_bdia_at(S, D, 0, in)), x + at, y + at);
  if (rest == 0) return;
  double last[ROOM];
  add(1, S->ndiag, off, value(A, bf_bdia_at(S, D, 0, in + behind)), x + at + behind, last);
  memcpy(y + at + behind, last, (size_t)(rest * D) * sizeof *y);
}

typedef struct lower { /* partial sums of the rows i0 .. i0+n-1 */
  const bf_bdia *A;
  bf_fan         fan;
  int64_t        i0, n;
  const double  *x;
  double        *y;                      /* the first row */
  double         T[D_MAX][ROWS * D_MAX]; /* D > 1 */
} lower;

static void start_lower(lower *t, const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *y)
{
  t->A = A, t->i0 = i0, t->n = n, t->x = x, t->y = y + (int64_t)i0 * A->ncomp;
  t->fan = bf_cpu_fan(bf_cpu_isa(), A->prec == BF_FP32, A->ncomp);
  for (int a = 0; A->ncomp > 1 && a < A->ncomp; a++) zero((int64_t)n * A->ncomp, t->T[a]);
}

static void add_lower(lower *t, const bf_bdia_lower *L)
{
  const int     D  = t->A->ncomp;
  const int64_t lo = L->row_lo > t->i0 ? L->row_lo : t->i0,
                hi = L->row_hi < t->i0 + t->n ? L->row_hi : t->i0 + t->n, row = (lo - t->i0) * D,
                from = (lo - L->off - L->src0) * D;
  double *y[D_MAX]   = {t->y + row};
  if (lo >= hi) return;
  for (int a = 0; D > 1 && a < D; a++) y[a] = t->T[a] + row;
  const bf_planes p = {.v    = value(t->A, bf_bdia_lower_at(L, 0, from - from % L->ld)),
                       .skip = from % L->ld,
                       .ld   = L->ld,
                       .step = L->step};
  t->fan((hi - lo) * D, &p, t->x + (lo - L->off) * D, y);
}

static void end_lower(lower *t)
{
  const int D = t->A->ncomp;
  for (int a = 0; D > 1 && a < D; a++) {
    const double *T = t->T[a];
    double       *y = t->y + a;
    if (D == 2)
      for (int64_t i = 0; i < t->n; i++) y[2 * i] += T[2 * i] + T[2 * i + 1];
    else
      for (int64_t i = 0; i < t->n; i++) y[3 * i] += T[3 * i] + T[3 * i + 1] + T[3 * i + 2];
  }
}

bf_int bf_cpu_tile_rows(int ncomp)
{
  return ncomp == 1 ? ROWS1 : ROWS;
}

void bf_cpu_tile(const bf_bdia *A, const bf_bdia_seg *S, bf_int i0, bf_int n, const double *x, double *y)
{
  lower t;
  stored(A, S, i0, n, x, y);
  if (!A->half) return;
  start_lower(&t, A, i0, n, x, y);
  for (int k = 0; k < S->nlower; k++) add_lower(&t, &A->lower[S->lower0 + k]);
  end_lower(&t);
}

void bf_cpu_tile_t(const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *y)
{
  lower t;
  zero((int64_t)n * A->ncomp, y + (int64_t)i0 * A->ncomp);
  start_lower(&t, A, i0, n, x, y);
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    if (S->row0 + S->nrows <= i0 - A->reach || S->row0 >= (int64_t)i0 + n + A->reach) continue;
    for (int k = 0; k < S->ndiag; k++) {
      const bf_int        off = A->off[S->diag0 + k], lo = S->row0 + off, hi = lo + S->nrows;
      const bf_bdia_lower L = {.off    = off,
                               .row_lo = lo > 0 ? lo : 0,
                               .row_hi = hi < A->nrows ? hi : A->nrows,
                               .src0   = S->row0,
                               .base   = bf_bdia_at(S, A->ncomp, k * A->ncomp, 0),
                               .ld     = S->ld,
                               .apart  = S->apart,
                               .step   = (int64_t)S->ndiag * A->ncomp * S->ld};
      add_lower(&t, &L);
    }
  }
  end_lower(&t);
}
