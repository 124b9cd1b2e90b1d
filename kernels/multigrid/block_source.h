/* kernels/multigrid/block_source.h - the node blocks of one row of a matrix in bDIA, HYBRID, CSR, CSR16 or
 * BCSR, in ascending order: one source, compiled for both backends
 *
 * A row of a node is the merge of one list of blocks (bands: entries left of the diagonal, then the segment's
 * diagonals; BCSR: its blocks) and of D lists of scalar entries (compressed rows).  Blocks of zeros are
 * skipped, the diagonal block never.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MULTIGRID_BLOCK_SOURCE_H
#define BF_KERNELS_MULTIGRID_BLOCK_SOURCE_H
#include "kernels/krylov/state.h" /* BF_HD */
#include "kernels/matrix/bcsr.h"
#include "kernels/multigrid/block_rows.h"
#include <string.h>

typedef struct bf_block_source {
  bf_int               n; /* nodes */
  int                  D;
  int                  nseg, half, band_fp32; /* nseg 0: no bands */
  const bf_bdia_seg   *seg;                   /* backend, as all arrays here */
  const bf_int        *off;
  const bf_bdia_lower *lower;
  const void          *band;
  int                  scalar_fp32;
  const int64_t       *ptr; /* NULL: no compressed rows */
  const bf_int        *col;
  const int16_t       *rel;
  const void          *val;
  const bf_int        *list; /* rows that are there, or NULL: all */
  bf_int               nlist;
  bf_bcsr              bcsr; /* ptr NULL: none */
} bf_block_source;

/* BF_OK only for the five formats. */
static inline bf_err bf_block_source_of(const bf_matrix *A, bf_block_source *s)
{
  memset(s, 0, sizeof *s);
  s->n = A->nrows / A->ncomp;
  s->D = A->ncomp;
  if (A->bdia) {
    s->nseg      = A->bdia->nseg;
    s->half      = A->bdia->half;
    s->band_fp32 = A->bdia->prec == BF_FP32;
    s->seg       = A->bdia->seg_be;
    s->off       = A->bdia->off_be;
    s->lower     = A->bdia->lower_be;
    s->band      = A->bdia->values;
    if (A->bdia->ncomp != A->ncomp) return BF_E_UNSUPPORTED;
  }
  if (A->csr) {
    s->scalar_fp32 = A->csr->prec == BF_FP32;
    s->ptr         = A->csr->ptr;
    s->col         = A->csr->col;
    s->rel         = A->csr->rel;
    s->val         = A->csr->val;
  }
  if (A->bcsr) {
    s->bcsr = *A->bcsr;
    if (A->bcsr->ncomp != A->ncomp) return BF_E_UNSUPPORTED;
  }
  if (A->rest && A->rest->nlist > 0) {
    s->scalar_fp32 = A->rest->prec == BF_FP32;
    s->ptr         = A->rest->ptr;
    s->col         = A->rest->col;
    s->val         = A->rest->val;
    s->list        = A->rest->row;
    s->nlist       = A->rest->nlist;
  }
  return A->format == BF_FORMAT_BDIA || A->format == BF_FORMAT_HYBRID || A->format == BF_FORMAT_CSR ||
                 A->format == BF_FORMAT_CSR16 || A->format == BF_FORMAT_BCSR
             ? BF_OK
             : BF_E_UNSUPPORTED;
}

typedef struct bf_block_cursor { /* of one node row */
  bf_int             i;
  const bf_bdia_seg *seg;
  int                lower, diag;                            /* next entry: lower-1, then diag */
  int64_t            block;                                  /* next one of BCSR */
  int64_t            p[BF_BLOCK_ORDER], end[BF_BLOCK_ORDER]; /* of the D scalar rows */
} bf_block_cursor;

static inline BF_HD double bf_block_stored(const void *v, int fp32, int64_t k)
{
  return fp32 ? (double)((const float *)v)[k] : ((const double *)v)[k];
}

static inline BF_HD bf_int bf_block_column(const bf_block_source *s, int64_t row, int64_t p)
{
  return s->rel ? s->rel[p] + (bf_int)(row - row % BF_CSR16_ROWS) : s->col[p];
}

/* Entries of scalar row r. */
static inline BF_HD void bf_block_scalar_row(const bf_block_source *s, int64_t r, int64_t *p, int64_t *end)
{
  int64_t at = r;
  if (s->list) {
    bf_int lo = 0, hi = s->nlist;
    while (lo < hi) {
      const bf_int mid = lo + (hi - lo) / 2;
      if (s->list[mid] < r)
        lo = mid + 1;
      else
        hi = mid;
    }
    at = lo < s->nlist && s->list[lo] == r ? lo : -1;
  }
  *p   = at < 0 ? 0 : s->ptr[at];
  *end = at < 0 ? 0 : s->ptr[at + 1];
}

static inline BF_HD void bf_block_begin(const bf_block_source *s, bf_int i, bf_block_cursor *c)
{
  c->i = i;
  if (s->nseg > 0) {
    int lo = 0, hi = s->nseg;
    while (hi - lo > 1) {
      const int mid = (lo + hi) / 2;
      if (s->seg[mid].row0 <= i)
        lo = mid;
      else
        hi = mid;
    }
    c->seg   = &s->seg[lo];
    c->lower = c->seg->nlower;
    c->diag  = 0;
  }
  if (s->bcsr.ptr) c->block = s->bcsr.ptr[i];
  for (int a = 0; a < s->D; a++) {
    c->p[a] = c->end[a] = 0;
    if (s->ptr) bf_block_scalar_row(s, (int64_t)i * s->D + a, &c->p[a], &c->end[a]);
  }
}

/* Skips what is no entry of the row; column of the next block of the list of blocks, or n. */
static inline BF_HD bf_int bf_block_list_next(const bf_block_source *s, bf_block_cursor *c)
{
  if (s->bcsr.ptr) return c->block < s->bcsr.ptr[c->i + 1] ? bf_bcsr_column(&s->bcsr, c->i, c->block) : s->n;
  if (s->nseg == 0) return s->n;
  const bf_bdia_lower *L = s->lower + c->seg->lower0;
  while (c->lower > 0 && (c->i < L[c->lower - 1].row_lo || c->i >= L[c->lower - 1].row_hi)) c->lower--;
  if (c->lower > 0) return c->i - L[c->lower - 1].off;
  const bf_int *off = s->off + c->seg->diag0;
  while (c->diag < c->seg->ndiag && (int64_t)c->i + off[c->diag] < 0) c->diag++;
  if (c->diag == c->seg->ndiag || (int64_t)c->i + off[c->diag] >= s->n) return s->n;
  return c->i + off[c->diag];
}

/* v(a, b) += the next block of the list, and past it. */
static inline BF_HD void bf_block_list_add(const bf_block_source *s, bf_block_cursor *c, double *v)
{
  const int D = s->D;
  if (s->bcsr.ptr) {
    const bf_bcsr_block B = bf_bcsr_block_of(&s->bcsr, c->i, c->block++);
    for (int b = 0; b < D; b++)
      for (int a = 0; a < D; a++)
        v[b * D + a] += bf_block_stored(s->bcsr.val, s->bcsr.prec == BF_FP32, B.at + a * B.row + b * B.col);
    return;
  }
  if (c->lower > 0) {
    const bf_bdia_lower *L = s->lower + c->seg->lower0 + --c->lower;
    const int64_t        r = ((int64_t)c->i - L->off - L->src0) * D;
    for (int b = 0; b < D; b++)
      for (int a = 0; a < D; a++)
        v[b * D + a] += bf_block_stored(s->band, s->band_fp32, bf_bdia_lower_at(L, a, r + b));
    return;
  }
  const int     k = c->diag++;
  const int64_t r = ((int64_t)c->i - c->seg->row0) * D;
  for (int b = 0; b < D; b++)
    for (int a = 0; a < D; a++)
      v[b * D + a] += bf_block_stored(s->band, s->band_fp32, bf_bdia_at(c->seg, D, k * D + b, r + a));
}

/* v[bc][br] = the next block of the row that is not zero or is the diagonal one; its column, or n at the end.
 */
static inline BF_HD bf_int bf_block_next(const bf_block_source *s, bf_block_cursor *c, bf_int after,
                                         double *v)
{
  const int D = s->D;
  for (;;) {
    bf_int listed = bf_block_list_next(s, c), j = listed;
    for (int a = 0; s->ptr && a < D; a++)
      if (c->p[a] < c->end[a]) {
        const bf_int m = bf_block_column(s, (int64_t)c->i * D + a, c->p[a]) / D;
        j              = m < j ? m : j;
      }
    if (after < c->i && j > c->i) j = c->i; /* a diagonal block that is not stored */
    if (j >= s->n) return s->n;
    for (int e = 0; e < D * D; e++) v[e] = 0.0;
    if (listed == j) bf_block_list_add(s, c, v);
    for (int a = 0; s->ptr && a < D; a++)
      for (; c->p[a] < c->end[a]; c->p[a]++) {
        const bf_int m = bf_block_column(s, (int64_t)c->i * D + a, c->p[a]);
        if (m / D != j) break;
        v[m % D * D + a] += bf_block_stored(s->val, s->scalar_fp32, c->p[a]);
      }
    int some = j == c->i;
    for (int e = 0; e < D * D; e++) some |= v[e] != 0.0; /* NaN is not 0 */
    if (some) return j;
  }
}

/* Blocks of node row i; col and val, where given, have room for them. */
static inline BF_HD int64_t bf_block_row_of(const bf_block_source *s, bf_int i, bf_int *col, double *val)
{
  bf_block_cursor c;
  double          v[BF_BLOCK_ORDER * BF_BLOCK_ORDER];
  int64_t         count = 0;
  bf_block_begin(s, i, &c);
  for (bf_int j = bf_block_next(s, &c, -1, v); j < s->n; j = bf_block_next(s, &c, j, v)) {
    if (col) col[count] = j;
    for (int e = 0; val && e < s->D * s->D; e++) val[count * s->D * s->D + e] = v[e];
    count++;
  }
  return count;
}
#endif
