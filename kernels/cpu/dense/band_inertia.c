/* kernels/cpu/dense/band_inertia.c - signs of the pivots of a symmetric band matrix
 *
 * Computes   A = L D L^T without exchanges, by blocks of columns: the block is factored as a dense panel,
 *            the update of the rest is a matrix product. L is not stored.
 * Source     Golub and Van Loan, Matrix Computations, 4th ed., sec. 4.4.1; Parlett, The Symmetric
 *            Eigenvalue Problem, sec. 3.3 (counts).
 * Cost       n kl^2 flops, nearly all in dgemm.
 * Checked    tests/solvers/eigen/t407_inertia.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/cpu/backend/cpu.h"
#include <limits.h>
#include <math.h>
#include <string.h>

extern void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
                   const double *beta, double *c, const int *ldc, size_t, size_t);

enum { COLUMNS = 64 }; /* of a panel */

typedef struct panel {
  int     rows, columns, ld; /* of the panel */
  double *L, *DL;            /* owned [COLUMNS][ld]: L by columns, and D L^T's transpose */
  double *corner;            /* owned [COLUMNS][COLUMNS] */
  double *size;              /* owned [n]: diagonal of |L||D||L^T| so far */
} panel;

static void take(const bf_band *B, bf_int j0, panel *P)
{
  for (int c = 0; c < P->columns; c++) {
    double   *to  = P->L + (size_t)c * (size_t)P->ld;
    const int end = c + B->kl + 1 < P->rows ? c + B->kl + 1 : P->rows;
    memset(to, 0, (size_t)P->rows * sizeof *to);
    memcpy(to + c, B->ab + bf_band_at(B, j0 + c, j0 + c), (size_t)(end - c) * sizeof *to);
  }
}

/* L and D of the panel; counts. */
static void factor(bf_int j0, panel *P, bf_band_inertia *out)
{
  for (int c = 0; c < P->columns; c++) {
    double      *l = P->L + (size_t)c * (size_t)P->ld, *dl = P->DL + (size_t)c * (size_t)P->ld;
    const double d = l[c];
    if (d == 0.0 || !isfinite(d)) out->growth = INFINITY;
    if (!isfinite(out->growth)) return;
    out->negative += d < 0.0;
    P->size[j0 + c] += fabs(d);
    for (int r = c + 1; r < P->rows; r++) {
      dl[r] = l[r]; /* d l */
      l[r] /= d;
      P->size[j0 + r] += fabs(l[r] * dl[r]);
    }
    for (int k = c + 1; k < P->columns; k++) {
      double      *to = P->L + (size_t)k * (size_t)P->ld;
      const double f  = dl[k];
      for (int r = k; r < P->rows; r++) to[r] -= l[r] * f;
    }
  }
}

/* A -= L D L^T on the rows and columns after the panel, lower triangle, by blocks of columns */
static void reduce(bf_band *B, bf_int j0, panel *P)
{
  const double minus = -1.0, one = 1.0, zero = 0.0;
  const int    ldc = B->kl; /* (i, j) to (i, j+1) in band storage */
  for (int c = P->columns; c < P->rows; c += COLUMNS) {
    const int     w = P->rows - c < COLUMNS ? P->rows - c : COLUMNS, below = P->rows - c - w, side = COLUMNS;
    const double *f = P->DL + c;
    dgemm_("N", "T", &w, &w, &P->columns, &one, P->L + c, &P->ld, f, &P->ld, &zero, P->corner, &side, 1, 1);
    for (int j = 0; j < w; j++) {
      double *to = B->ab + bf_band_at(B, j0 + c + j, j0 + c + j);
      for (int i = j; i < w; i++) to[i - j] -= P->corner[(size_t)j * COLUMNS + (size_t)i];
    }
    if (below > 0)
      dgemm_("N", "T", &below, &w, &P->columns, &minus, P->L + c + w, &P->ld, f, &P->ld, &one,
             B->ab + bf_band_at(B, j0 + c + w, j0 + c), &ldc, 1, 1);
  }
}

bf_err bf_cpu_band_inertia(bf_backend *be, bf_band *B, bf_band_inertia *out)
{
  (void)be;
  bf_err err  = BF_OK;
  panel  P    = {.L = NULL};
  double most = 0.0, grown = 0.0;
  int    threads = 0;
  BF_CHECK(B && B->ab && B->spd && out, BF_E_ARG, "null argument, or no symmetric storage");
  BF_CHECK(B->n >= 1 && B->kl >= 0 && B->kl < B->n && B->ld == (int64_t)B->kl + 1 &&
               B->kl < INT_MAX - COLUMNS,
           BF_E_ARG, "n=%d kl=%d ld=%lld", (int)B->n, (int)B->kl, (long long)B->ld);
  *out = (bf_band_inertia){0};
  P.ld = B->kl + COLUMNS;
  BF_GO(BF_NEW_ARRAY(P.L, (size_t)P.ld * COLUMNS));
  BF_GO(BF_NEW_ARRAY(P.DL, (size_t)P.ld * COLUMNS));
  BF_GO(BF_NEW_ARRAY(P.corner, (size_t)COLUMNS * COLUMNS));
  BF_GO(BF_NEW_ARRAY(P.size, B->n));
  for (bf_int i = 0; i < B->n; i++) most = fmax(most, fabs(B->ab[bf_band_at(B, i, i)]));
  threads = bf_cpu_band_threads(B);
  for (bf_int j = 0; j < B->n && isfinite(out->growth); j += COLUMNS) {
    P.columns = B->n - j < COLUMNS ? (int)(B->n - j) : COLUMNS;
    P.rows    = B->n - j < B->kl + P.columns ? (int)(B->n - j) : B->kl + P.columns;
    take(B, j, &P);
    factor(j, &P, out);
    if (isfinite(out->growth)) reduce(B, j, &P);
  }
  for (bf_int i = 0; i < B->n; i++) grown = fmax(grown, P.size[i]);
  if (isfinite(out->growth)) out->growth = most > 0.0 ? grown / most : INFINITY;
done:
  bf_cpu_band_threads_end(threads);
  bf_host_free(P.L);
  bf_host_free(P.DL);
  bf_host_free(P.corner);
  bf_host_free(P.size);
  return err;
}
