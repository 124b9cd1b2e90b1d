/* kernels/matrix/host_csr.c - see host_csr.h
 *
 * Triplets: a stable counting sort by row, then each row by (column, place in the input), then equal columns
 * are added up in that order.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/host_csr.h"
#include "base/memory.h"
#include <stdlib.h>

enum { MANY = 16384 }; /* entries from which threads help */

bf_err bf_sparse_create(bf_int nrows, bf_int ncols, int64_t nnz, bf_sparse **out)
{
  bf_err     err = BF_OK;
  bf_sparse *S   = NULL;
  BF_CHECK(out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(nrows >= 0 && ncols >= 0 && nnz >= 0, BF_E_ARG, "%d x %d with %lld entries", (int)nrows,
           (int)ncols, (long long)nnz);
  BF_GO(BF_NEW(S));
  S->nrows = nrows;
  S->ncols = ncols;
  S->nnz   = nnz;
  BF_GO(BF_NEW_ARRAY(S->ptr, (size_t)nrows + 1));
  BF_GO(BF_NEW_ARRAY(S->col, nnz));
  BF_GO(BF_NEW_ARRAY(S->val, nnz));
  *out = S;
  S    = NULL;
done:
  bf_sparse_destroy(&S);
  return err;
}

void bf_sparse_destroy(bf_sparse **S)
{
  if (!S || !*S) return;
  bf_host_free((*S)->ptr);
  bf_host_free((*S)->col);
  bf_host_free((*S)->val);
  bf_host_free(*S);
  *S = NULL;
}

bf_err bf_sparse_check(const bf_sparse *S)
{
  BF_CHECK(S && S->ptr && S->col && S->val, BF_E_ARG, "null argument");
  BF_CHECK(S->nrows >= 0 && S->ncols >= 0 && S->nnz >= 0, BF_E_ARG, "%d x %d with %lld entries",
           (int)S->nrows, (int)S->ncols, (long long)S->nnz);
  BF_CHECK(S->ptr[0] == 0 && S->ptr[S->nrows] == S->nnz, BF_E_ARG, "rows hold %lld of %lld entries",
           (long long)S->ptr[S->nrows], (long long)S->nnz);
  for (bf_int i = 0; i < S->nrows; i++) {
    BF_CHECK(S->ptr[i] <= S->ptr[i + 1] && S->ptr[i + 1] <= S->nnz, BF_E_ARG, "row %d has no end", (int)i);
    for (int64_t p = S->ptr[i]; p < S->ptr[i + 1]; p++) {
      BF_CHECK(S->col[p] >= 0 && S->col[p] < S->ncols, BF_E_ARG, "row %d: column %d of %d", (int)i,
               (int)S->col[p], (int)S->ncols);
      BF_CHECK(p == S->ptr[i] || S->col[p - 1] < S->col[p], BF_E_ARG, "columns of row %d do not ascend",
               (int)i);
    }
  }
  return BF_OK;
}

/* ---- triplets ---- */

/* A row's entry as it is sorted: equal columns remain in input order. */
typedef struct entry {
  int64_t place; /* in the row, before sorting */
  double  val;
  bf_int  col;
} entry;

static int by_column(const void *a, const void *b)
{
  const entry *p = a, *q = b;
  if (p->col != q->col) return p->col < q->col ? -1 : 1;
  return p->place < q->place ? -1 : 1;
}

/* Sorts the m entries of a row and adds equal columns; the number of entries that remain. */
static int64_t tidy_row(int64_t m, bf_int *col, double *val, entry *room)
{
  int64_t sorted = 1, n = 0;
  while (sorted < m && col[sorted - 1] < col[sorted]) sorted++;
  if (sorted >= m) return m;
  for (int64_t p = 0; p < m; p++) room[p] = (entry){.place = p, .val = val[p], .col = col[p]};
  qsort(room, (size_t)m, sizeof *room, by_column);
  for (int64_t p = 0; p < m; p++) {
    if (n > 0 && col[n - 1] == room[p].col) {
      val[n - 1] += room[p].val;
      continue;
    }
    col[n]   = room[p].col;
    val[n++] = room[p].val;
  }
  return n;
}

/* All rows; left[i] = entries that remain in row i.  The longest row decides the room of a thread. */
static bf_err tidy_rows(const bf_sparse *S, bf_int *left)
{
  int64_t longest = 0;
  int     failed  = 0;
  for (bf_int i = 0; i < S->nrows; i++) {
    const int64_t m = S->ptr[i + 1] - S->ptr[i];
    longest         = m > longest ? m : longest;
  }
#pragma omp parallel if (S->nnz > MANY) reduction(| : failed)
  {
    entry *room = bf_host_alloc((size_t)longest, sizeof *room);
    failed      = !room;
#pragma omp for schedule(static)
    for (bf_int i = 0; i < S->nrows; i++)
      if (room)
        left[i] = (bf_int)tidy_row(S->ptr[i + 1] - S->ptr[i], S->col + S->ptr[i], S->val + S->ptr[i], room);
    bf_host_free(room);
  }
  BF_CHECK(!failed, BF_E_MEMORY, "no memory to sort rows of %lld entries", (long long)longest);
  return BF_OK;
}

/* Moves the rows together once their repeats are gone. */
static void close_up(bf_sparse *S, const bf_int *left)
{
  int64_t at = 0;
  for (bf_int i = 0; i < S->nrows; i++) {
    const int64_t from = S->ptr[i];
    S->ptr[i]          = at;
    for (int64_t p = from; p < from + left[i]; p++, at++) {
      S->col[at] = S->col[p];
      S->val[at] = S->val[p];
    }
  }
  S->ptr[S->nrows] = S->nnz = at;
}

bf_err bf_sparse_from_triplets(bf_int nrows, bf_int ncols, int64_t count, const bf_int *row,
                               const bf_int *col, const double *val, bf_sparse **out)
{
  bf_err     err  = BF_OK;
  bf_sparse *S    = NULL;
  bf_int    *left = NULL;
  BF_CHECK(out && (count == 0 || (row && col && val)), BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(bf_sparse_create(nrows, ncols, count, &S));
  for (int64_t k = 0; k < count; k++) {
    BF_NEED(row[k] >= 0 && row[k] < nrows && col[k] >= 0 && col[k] < ncols, BF_E_ARG,
            "entry %lld: row %d, column %d of a %d x %d matrix", (long long)k, (int)row[k], (int)col[k],
            (int)nrows, (int)ncols);
    S->ptr[row[k] + 1]++;
  }
  for (bf_int i = 0; i < nrows; i++) S->ptr[i + 1] += S->ptr[i];
  for (int64_t k = 0; k < count; k++) { /* ptr[i] runs from the start of row i to its end */
    const int64_t p = S->ptr[row[k]]++;
    S->col[p]       = col[k];
    S->val[p]       = val[k];
  }
  for (bf_int i = nrows; i > 0; i--) S->ptr[i] = S->ptr[i - 1];
  S->ptr[0] = 0;
  BF_GO(BF_NEW_ARRAY(left, nrows));
  BF_GO(tidy_rows(S, left));
  close_up(S, left);
  *out = S;
  S    = NULL;
done:
  bf_host_free(left);
  bf_sparse_destroy(&S);
  return err;
}

/* Row i of the sum to col and val from `at` on (col NULL: only counts); returns its end. */
static int64_t add_row(double a, const bf_sparse *A, double b, const bf_sparse *B, bf_int i, int64_t at,
                       bf_int *col, double *val)
{
  int64_t p = A->ptr[i], q = B->ptr[i];
  while (p < A->ptr[i + 1] || q < B->ptr[i + 1]) {
    const bf_int j = p < A->ptr[i + 1] ? A->col[p] : A->ncols, k = q < B->ptr[i + 1] ? B->col[q] : B->ncols;
    const double v = (j <= k ? a * A->val[p] : 0.0) + (k <= j ? b * B->val[q] : 0.0);
    if (col) col[at] = j < k ? j : k, val[at] = v;
    p += j <= k;
    q += k <= j;
    at++;
  }
  return at;
}

bf_err bf_sparse_add(double a, const bf_sparse *A, double b, const bf_sparse *B, bf_sparse **out)
{
  BF_CHECK(A && B && out, BF_E_ARG, "null argument");
  BF_CHECK(A->nrows == B->nrows && A->ncols == B->ncols, BF_E_ARG, "a sum of %d x %d and %d x %d",
           (int)A->nrows, (int)A->ncols, (int)B->nrows, (int)B->ncols);
  int64_t nnz = 0;
  for (bf_int i = 0; i < A->nrows; i++) nnz = add_row(a, A, b, B, i, nnz, NULL, NULL);
  BF_TRY(bf_sparse_create(A->nrows, A->ncols, nnz, out));
  nnz = 0;
  for (bf_int i = 0; i < A->nrows; i++)
    (*out)->ptr[i + 1] = nnz = add_row(a, A, b, B, i, nnz, (*out)->col, (*out)->val);
  return BF_OK;
}

int64_t bf_sparse_place(const bf_sparse *S, bf_int i, bf_int j)
{
  int64_t lo = S->ptr[i], hi = S->ptr[i + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (S->col[mid] < j)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < S->ptr[i + 1] && S->col[lo] == j ? lo : -1;
}

double bf_sparse_value(const bf_sparse *S, bf_int i, bf_int j)
{
  const int64_t p = bf_sparse_place(S, i, j);
  return p < 0 ? 0.0 : S->val[p];
}
