/* kernels/matrix/bdia_from_csr.c - bDIA from compressed rows and back, on the host
 *
 * The diagonals of a sparse matrix are its distinct offsets of nodes, in one segment. Half storage uses the
 * blocks on and right of the diagonal; symmetry is checked entry by entry.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/matrix/statistics.h"
#include "kernels/matrix/storage.h"
#include <math.h>

enum { MANY = 16384 };

/* ---- diagonals ---- */

/* seen[n-1 + off] = 1 for every offset of nodes; with `mirror` also for -off. Returns their number. */
static int64_t mark_offsets(const bf_sparse *S, int D, int mirror, unsigned char *seen)
{
  const int64_t n     = S->nrows / D;
  int64_t       count = 1;
  seen[n - 1]         = 1;
  for (bf_int i = 0; i < S->nrows; i++) {
    const bf_int row = i / D;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      const int64_t off = (D == 1 ? S->col[p] : S->col[p] / D) - row;
      if (seen[n - 1 + off]) continue;
      seen[n - 1 + off] = 1;
      count++;
      if (!mirror || seen[n - 1 - off]) continue;
      seen[n - 1 - off] = 1;
      count++;
    }
  }
  return count;
}

bf_err bf_sparse_bands(const bf_sparse *S, bf_bands **out)
{
  BF_CHECK(S && out && S->nrows == S->ncols && S->nrows > 0, BF_E_ARG, "not a square matrix");
  return bf_bands_of_sparse(S, 1, 0, out);
}

bf_err bf_bands_of_sparse(const bf_sparse *S, int D, int mirror, bf_bands **out)
{
  bf_err         err  = BF_OK;
  unsigned char *seen = NULL;
  bf_bands      *b    = NULL;
  const bf_int   n    = S->nrows / D;
  *out                = NULL;
  BF_GO(BF_NEW_ARRAY(seen, 2 * (size_t)n - 1));
  BF_GO(bf_bands_create(n, 1, mark_offsets(S, D, mirror, seen), &b));
  b->row[1]  = n;
  int64_t at = 0;
  for (int64_t k = 0; k < 2 * (int64_t)n - 1; k++)
    if (seen[k]) b->off[at++] = (bf_int)(k - n + 1);
  b->ptr[1] = at;
  *out      = b;
  b         = NULL;
done:
  bf_host_free(seen);
  bf_bands_destroy(&b);
  return err;
}

/* ---- symmetry ---- */

bf_err bf_sparse_symmetric(const bf_sparse *S)
{
  const double rounding = 0x1p-40;
  bf_int       bad      = S->nrows;
#pragma omp parallel for schedule(static) if (S->nnz > MANY) reduction(min : bad)
  for (bf_int i = 0; i < S->nrows; i++) {
    double size = 0.0;
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) size = fmax(size, fabs(S->val[p]));
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1] && i < bad; p++) {
      const double a = S->val[p], b = bf_sparse_value(S, S->col[p], i);
      if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= rounding * size) continue;
      bad = i;
    }
  }
  if (bad == S->nrows) return BF_OK;
  for (int64_t p = S->ptr[bad]; p < S->ptr[bad + 1]; p++) {
    const double b = bf_sparse_value(S, S->col[p], bad);
    if (!(S->val[p] == b))
      return BF_FAIL(BF_E_ARG,
                     "half storage of an unsymmetric matrix: row %d, for one, has %g in column %d, "
                     "and the transposed entry is %g",
                     (int)bad, S->val[p], (int)S->col[p], b);
  }
  return BF_FAIL(BF_E_ARG, "half storage of an unsymmetric matrix: row %d", (int)bad);
}

/* ---- values ---- */

static void put(void *v, bf_prec prec, int64_t at, double x)
{
  if (prec == BF_FP32)
    ((float *)v)[at] = (float)x;
  else
    ((double *)v)[at] = x;
}

static double get(const void *v, bf_prec prec, int64_t at)
{
  return prec == BF_FP32 ? (double)((const float *)v)[at] : ((const double *)v)[at];
}

/* Number of the offset in the segment's list, -1 where it has none. */
static int diagonal_of(const bf_bdia *A, const bf_bdia_seg *S, bf_int off)
{
  int lo = S->diag0, hi = S->diag0 + S->ndiag;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (A->off[mid] < off)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < S->diag0 + S->ndiag && A->off[lo] == off ? lo - S->diag0 : -1;
}

/* Values of a segment's rows; entries without a diagonal there are in the remainder and skipped */
static void put_segment(const bf_bdia *A, const bf_bdia_seg *seg, const bf_sparse *S, void *v)
{
  const int     D  = A->ncomp;
  const int64_t r0 = (int64_t)seg->row0 * D, n = (int64_t)seg->nrows * D;
#pragma omp parallel for schedule(static) if (S->nnz > MANY)
  for (int64_t r = 0; r < n; r++)
    for (int64_t p = S->ptr[r0 + r]; p < S->ptr[r0 + r + 1]; p++) {
      const bf_int off = S->col[p] / D - (bf_int)((r0 + r) / D);
      if (A->half && off < 0) continue;
      const int k = diagonal_of(A, seg, off);
      if (k >= 0) put(v, A->prec, bf_bdia_at(seg, D, k * D + S->col[p] % D, r), S->val[p]);
    }
}

bf_err bf_bdia_put(bf_backend *be, bf_bdia *A, const bf_sparse *S)
{
  bf_err       err  = BF_OK;
  char        *v    = NULL;
  const size_t size = (size_t)bf_prec_bytes(A->prec);
  BF_GO(BF_NEW_ARRAY(v, (size_t)A->nvalues * size));
  for (int s = 0; s < A->nseg; s++) put_segment(A, &A->seg[s], S, v);
  BF_GO(be->ops.copy(be, A->values, v, (size_t)A->nvalues * size, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(v);
  return err;
}

typedef struct row_out { /* target of a row's entries; col NULL: count only */
  int64_t n;
  bf_int *col;
  double *val;
} row_out;

static void emit(row_out *o, double x, int64_t col)
{
  if (x == 0.0) return; /* NaN is an entry */
  if (o->col) {
    o->col[o->n] = (bf_int)col;
    o->val[o->n] = x;
  }
  o->n++;
}

/* Row r of the segment, columns ascending: far lower entries first, then the stored diagonals. */
static void row_entries(const bf_bdia *A, const bf_bdia_seg *seg, int64_t r, const void *v, row_out *o)
{
  const int     D    = A->ncomp;
  const int64_t node = seg->row0 + r / D, a = r % D;
  for (int k = seg->nlower - 1; k >= 0; k--) {
    const bf_bdia_lower *L = &A->lower[seg->lower0 + k];
    if (node < L->row_lo || node >= L->row_hi) continue;
    const int64_t src = node - L->off;
    for (int b = 0; b < D; b++)
      emit(o, get(v, A->prec, bf_bdia_lower_at(L, (int)a, (src - L->src0) * D + b)), src * D + b);
  }
  for (int k = 0; k < seg->ndiag; k++) {
    const int64_t col = node + A->off[seg->diag0 + k];
    if (col < 0 || col >= A->nrows) continue;
    for (int b = 0; b < D; b++) emit(o, get(v, A->prec, bf_bdia_at(seg, D, k * D + b, r)), col * D + b);
  }
}

/* Counts the entries of all rows in ptr[i + 1], or with col stores them at ptr */
static void all_rows(const bf_bdia *A, const void *v, int64_t *ptr, bf_int *col, double *val)
{
  for (int s = 0; s < A->nseg; s++) {
    const bf_bdia_seg *seg = &A->seg[s];
    const int64_t      r0 = (int64_t)seg->row0 * A->ncomp, n = (int64_t)seg->nrows * A->ncomp;
#pragma omp parallel for schedule(static) if (A->nvalues > MANY)
    for (int64_t r = 0; r < n; r++) {
      row_out o = {.n = 0, .col = NULL, .val = NULL};
      if (col) o = (row_out){.n = 0, .col = col + ptr[r0 + r], .val = val + ptr[r0 + r]};
      row_entries(A, seg, r, v, &o);
      if (!col) ptr[r0 + r + 1] = o.n;
    }
  }
}

bf_err bf_bdia_to_sparse(bf_backend *be, const bf_bdia *A, bf_sparse **out)
{
  bf_err       err = BF_OK;
  void        *v   = NULL;
  int64_t     *ptr = NULL;
  bf_sparse   *S   = NULL;
  const bf_int n   = A->nrows * A->ncomp;
  *out             = NULL;
  BF_GO(bf_fetch(be, A->values, A->nvalues, (size_t)bf_prec_bytes(A->prec), &v));
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)n + 1));
  all_rows(A, v, ptr, NULL, NULL);
  for (bf_int i = 0; i < n; i++) ptr[i + 1] += ptr[i];
  BF_GO(bf_sparse_create(n, n, ptr[n], &S));
  for (bf_int i = 0; i <= n; i++) S->ptr[i] = ptr[i];
  all_rows(A, v, S->ptr, S->col, S->val);
  *out = S;
  S    = NULL;
done:
  bf_host_free(v);
  bf_host_free(ptr);
  bf_sparse_destroy(&S);
  return err;
}
