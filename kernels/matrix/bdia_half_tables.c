/* kernels/matrix/bdia_half_tables.c - positions of the entries left of the diagonal in half storage; check
 * of all tables
 *
 * Stored are the entries (j, j+k), k >= 0. The entry (i, i-k) is the transposed block of row i-k, possibly
 * of an earlier segment. Every stored diagonal k > 0 of a source segment with rows [s0, s1) serves the rows
 * [s0+k, min(s1+k, n)); divided at segment boundaries these are the `lower` entries, so they are exactly
 * the transpose of the stored half for any tables: the product is symmetric by construction.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/storage.h"
#include <stdlib.h>

int64_t bf_bdia_count_lower(const bf_bands *b)
{
  int64_t count = 0;
  for (bf_int t = 0; t < b->nseg; t++)
    for (int64_t p = b->ptr[t]; p < b->ptr[t + 1]; p++) {
      if (b->off[p] <= 0) continue;
      const int64_t n = b->nrows, lo = (int64_t)b->row[t] + b->off[p],
                    end = (int64_t)b->row[t + 1] + b->off[p], hi = end < n ? end : n;
      if (lo < hi) count += bf_bands_segment(b, (bf_int)(hi - 1)) - bf_bands_segment(b, (bf_int)lo) + 1;
    }
  return count;
}

static int by_offset(const void *a, const void *b)
{
  const bf_bdia_lower *p = a, *q = b;
  if (p->off != q->off) return p->off < q->off ? -1 : 1;
  return p->row_lo < q->row_lo ? -1 : p->row_lo > q->row_lo;
}

/* One stored diagonal k of source T, seen from the target segment S. */
static bf_bdia_lower lower_entry(const bf_bdia *A, const bf_bdia_seg *T, int k, const bf_bdia_seg *S)
{
  const bf_int  off = A->off[T->diag0 + k];
  const int64_t lo = (int64_t)T->row0 + off, hi = lo + T->nrows, s1 = (int64_t)S->row0 + S->nrows;
  return (bf_bdia_lower){.off    = off,
                         .row_lo = lo > S->row0 ? (bf_int)lo : S->row0,
                         .row_hi = (bf_int)(hi < s1 ? hi : s1),
                         .src0   = T->row0,
                         .base   = T->base + (int64_t)k * A->ncomp * T->ld,
                         .ld     = T->ld,
                         .apart  = T->apart,
                         .step   = (int64_t)T->ndiag * A->ncomp * T->ld};
}

/* Loops over all pairs (source diagonal, target segment): counts them in nlower, and with `put` also
 * writes them at lower0 + nlower. */
static void walk_lower(bf_bdia *A, int put)
{
  for (int s = 0; s < A->nseg; s++) A->seg[s].nlower = 0;
  for (int t = 0; t < A->nseg; t++) {
    const bf_bdia_seg *T     = &A->seg[t];
    int                first = t; /* target of the source's first row; offsets ascend, so it only moves on */
    for (int k = 0; k < T->ndiag; k++) {
      const bf_int off = A->off[T->diag0 + k];
      if (off <= 0) continue;
      const int64_t lo = (int64_t)T->row0 + off, hi = lo + T->nrows;
      while (first < A->nseg && (int64_t)A->seg[first].row0 + A->seg[first].nrows <= lo) first++;
      for (int s = first; s < A->nseg && A->seg[s].row0 < hi; s++) {
        bf_bdia_seg *S = &A->seg[s];
        if (put) A->lower[S->lower0 + S->nlower] = lower_entry(A, T, k, S);
        S->nlower++;
      }
    }
  }
}

void bf_bdia_fill_lower(bf_bdia *A)
{
  int at = 0;
  walk_lower(A, 0);
  for (int s = 0; s < A->nseg; s++) {
    A->seg[s].lower0 = at;
    at += A->seg[s].nlower;
  }
  walk_lower(A, 1);
  for (int s = 0; s < A->nseg; s++) /* nearest rows first; a row has one source per offset */
    qsort(A->lower + A->seg[s].lower0, (size_t)A->seg[s].nlower, sizeof *A->lower, by_offset);
}

/* ---- check ---- */

static bf_err check_lower(const bf_bdia *A, const bf_bdia_seg *S)
{
  for (int k = 0; k < S->nlower; k++) {
    const bf_bdia_lower *L = &A->lower[S->lower0 + k];
    BF_CHECK(L->off > 0 && L->off <= A->reach && L->row_lo < L->row_hi, BF_E_ARG, "lower entry: offset %d",
             (int)L->off);
    BF_CHECK(L->row_lo >= S->row0 && L->row_hi <= S->row0 + S->nrows, BF_E_ARG,
             "lower entry of rows %d..%d outside its segment", (int)L->row_lo, (int)L->row_hi);
    BF_CHECK(L->row_lo - L->off >= L->src0, BF_E_ARG, "lower entry reads before its source rows");
    BF_CHECK(L->base >= 0 && L->base % 8 == 0 && L->base + A->ncomp * L->ld <= A->nvalues, BF_E_ARG,
             "lower entry outside the values");
    if (k == 0) continue;
    const bf_bdia_lower *P = L - 1;
    BF_CHECK(P->off < L->off || (P->off == L->off && P->row_hi <= L->row_lo), BF_E_ARG,
             "lower entries out of order");
  }
  return BF_OK;
}

static bf_err check_segment(const bf_bdia *A, const bf_bdia_seg *S)
{
  BF_CHECK(S->nrows > 0 && S->ndiag > 0, BF_E_ARG, "segment at row %d is empty", (int)S->row0);
  BF_CHECK(S->ld > 0 && S->ld % (8 * A->ncomp) == 0 && S->base % 32 == 0 &&
               (S->apart == 1 || S->apart * A->ncomp == S->ld),
           BF_E_ARG, "segment at row %d: planes", (int)S->row0);
  for (int k = 0; k < S->ndiag; k++) {
    const bf_int off = A->off[S->diag0 + k];
    BF_CHECK(off >= -A->reach && off <= A->reach && (!A->half || off >= 0), BF_E_ARG, "offset %d", (int)off);
    BF_CHECK(k == 0 || A->off[S->diag0 + k - 1] < off, BF_E_ARG, "offsets of row %d do not ascend",
             (int)S->row0);
  }
  return BF_OK;
}

bf_err bf_bdia_check(bf_backend *be, const bf_bdia *A)
{
  (void)be;
  bf_int  row  = 0;
  int     diag = 0, lower = 0;
  int64_t base = 0;
  BF_CHECK(A && A->seg && A->off && A->store && A->values, BF_E_ARG, "null table");
  BF_CHECK(A->pad % 32 == 0 && A->pad >= (int64_t)A->reach * A->ncomp, BF_E_ARG, "pad %lld",
           (long long)A->pad);
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *S = &A->seg[s];
    BF_CHECK(S->row0 == row && S->diag0 == diag && S->base == base && S->lower0 == lower, BF_E_ARG,
             "segment %d does not follow the one before", s);
    BF_TRY(check_segment(A, S));
    BF_TRY(check_lower(A, S));
    row += S->nrows;
    diag += S->ndiag;
    lower += S->nlower;
    base += bf_bdia_segment_values(S, A->ncomp);
  }
  BF_CHECK(row == A->nrows && diag == A->ndiag && lower == A->nlower && base == A->nvalues, BF_E_ARG,
           "segments hold %d rows, %d diagonals, %d lower entries", (int)row, diag, lower);
  return BF_OK;
}
