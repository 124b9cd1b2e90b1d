/* tests/kernels/sparse/transpose_case.h - sparse matrices on the host for t317 to t319: made at random,
 * sorted by definition
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_KERNELS_SPARSE_TRANSPOSE_CASE_H
#define BF_TESTS_KERNELS_SPARSE_TRANSPOSE_CASE_H
#include "kernels/matrix/transpose.h"
#include "tests/backend.h"

typedef struct t_entry {
  bf_int  row, col;
  int64_t place; /* in the input */
  double  val;   /* an fp32 number where the matrix is fp32 */
} t_entry;

typedef struct t_entries { /* row by row for CSR, in any order for COO */
  bf_int   nrows, ncols;
  int64_t  n, room;
  t_entry *e;
} t_entries;

static inline t_entries t_entries_new(bf_int nrows, bf_int ncols)
{
  return (t_entries){.nrows = nrows, .ncols = ncols, .n = 0, .room = 0, .e = NULL};
}

/* Values that differ from each other and fit fp32. */
static inline void t_entries_add(t_entries *S, bf_int row, bf_int col)
{
  if (S->n == S->room) {
    S->room = 2 * S->room + 64;
    S->e    = realloc(S->e, (size_t)S->room * sizeof *S->e);
    assert_non_null(S->e);
  }
  S->e[S->n] =
      (t_entry){.row = row, .col = col, .place = S->n, .val = (double)((S->n * 7919) % 16777213) - 5e6};
  S->n++;
}

/* Every column of a row within `half` of the diagonal with probability `fill`; half < 0: anywhere. */
static inline t_entries t_entries_band(bf_int nrows, bf_int ncols, bf_int half, double fill, uint64_t *seed)
{
  t_entries S = t_entries_new(nrows, ncols);
  for (bf_int i = 0; i < nrows; i++)
    for (bf_int j = half < 0 || i < half ? 0 : i - half; j < ncols && (half < 0 || j <= i + half); j++)
      if (t_uniform(seed) < fill) t_entries_add(&S, i, j);
  return S;
}

/* `count` entries a row in columns anywhere: rows not sorted, places named more than once. */
static inline t_entries t_entries_random(bf_int nrows, bf_int ncols, int count, uint64_t *seed)
{
  t_entries S = t_entries_new(nrows, ncols);
  for (bf_int i = 0; i < nrows; i++)
    for (int k = 0; k < count; k++) t_entries_add(&S, i, (bf_int)(t_uniform(seed) * ncols));
  return S;
}

static inline int t_by_row(const void *a, const void *b)
{
  const t_entry *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  if (p->col != q->col) return p->col < q->col ? -1 : 1;
  return p->place < q->place ? -1 : 1;
}
static inline int t_by_column_then_place(const void *a, const void *b)
{
  const t_entry *p = a, *q = b;
  if (p->col != q->col) return p->col < q->col ? -1 : 1;
  return p->place < q->place ? -1 : 1;
}

/* ---- as the kernels see them */

static inline size_t t_value_size(bf_prec prec)
{
  return prec == BF_FP32 ? sizeof(float) : sizeof(double);
}

/* Array of n values or indices on the backend; wrong everywhere. */
static inline void *t_unset(int64_t n, size_t size)
{
  const size_t bytes = (size_t)n * size;
  char        *h     = malloc(bytes + 1);
  memset(h, 0xa5, bytes + 1);
  void *p = t_to_backend(h, bytes);
  T_OK(t_be->ops.sync(t_be));
  free(h);
  return p;
}

static inline void *t_values(const t_entries *S, bf_prec prec)
{
  double *d = malloc((size_t)S->n * sizeof *d + 1);
  for (int64_t k = 0; k < S->n; k++)
    if (prec == BF_FP32)
      ((float *)d)[k] = (float)S->e[k].val;
    else
      d[k] = S->e[k].val;
  void *p = t_to_backend(d, (size_t)S->n * t_value_size(prec));
  T_OK(t_be->ops.sync(t_be));
  free(d);
  return p;
}

static inline bf_int *t_indices(const t_entries *S, int rows)
{
  bf_int *d = malloc((size_t)S->n * sizeof *d + 1);
  for (int64_t k = 0; k < S->n; k++) d[k] = rows ? S->e[k].row : S->e[k].col;
  void *p = t_to_backend(d, (size_t)S->n * sizeof *d);
  T_OK(t_be->ops.sync(t_be));
  free(d);
  return p;
}

/* S's entries come row by row. */
static inline bf_csr_arrays t_csr(const t_entries *S, bf_prec prec)
{
  int64_t *ptr = calloc((size_t)S->nrows + 1, sizeof *ptr);
  for (int64_t k = 0; k < S->n; k++) ptr[S->e[k].row + 1]++;
  for (bf_int i = 0; i < S->nrows; i++) ptr[i + 1] += ptr[i];
  bf_csr_arrays A = {.nrows = S->nrows, .ncols = S->ncols, .nnz = S->n, .prec = prec};
  A.ptr           = t_to_backend(ptr, ((size_t)S->nrows + 1) * sizeof *ptr);
  T_OK(t_be->ops.sync(t_be));
  A.col = t_indices(S, 0);
  A.val = t_values(S, prec);
  free(ptr);
  return A;
}
static inline bf_csr_arrays t_csr_alloc(bf_int nrows, int64_t n, bf_prec prec)
{
  bf_csr_arrays A = {.ptr = t_unset((int64_t)nrows + 1, sizeof *A.ptr)};
  A.col           = t_unset(n, sizeof *A.col);
  A.val           = t_unset(n, t_value_size(prec));
  return A;
}
static inline void t_csr_free(bf_csr_arrays *A)
{
  t_be->ops.release(t_be, A->ptr);
  t_be->ops.release(t_be, A->col);
  t_be->ops.release(t_be, A->val);
}

static inline bf_coo_arrays t_coo(const t_entries *S, bf_prec prec)
{
  return (bf_coo_arrays){.nrows = S->nrows,
                         .ncols = S->ncols,
                         .nnz   = S->n,
                         .prec  = prec,
                         .row   = t_indices(S, 1),
                         .col   = t_indices(S, 0),
                         .val   = t_values(S, prec)};
}
static inline bf_coo_arrays t_coo_alloc(int64_t n, bf_prec prec)
{
  return (bf_coo_arrays){.row = t_unset(n, sizeof(bf_int)),
                         .col = t_unset(n, sizeof(bf_int)),
                         .val = t_unset(n, t_value_size(prec))};
}
static inline void t_coo_free(bf_coo_arrays *A)
{
  t_be->ops.release(t_be, A->row);
  t_be->ops.release(t_be, A->col);
  t_be->ops.release(t_be, A->val);
}

/* Host copies of a CSR matrix, to compare and free. */
typedef struct t_csr_copy {
  int64_t *ptr;
  bf_int  *col;
  void    *val;
} t_csr_copy;

static inline t_csr_copy t_csr_fetch(const bf_csr_arrays *A)
{
  const size_t n = (size_t)A->nnz;
  t_csr_copy   h = {.ptr = malloc(((size_t)A->nrows + 1) * sizeof *h.ptr),
                    .col = malloc(n * sizeof *h.col + 1),
                    .val = malloc(n * t_value_size(A->prec) + 1)};
  t_to_host(h.ptr, A->ptr, ((size_t)A->nrows + 1) * sizeof *h.ptr);
  t_to_host(h.col, A->col, n * sizeof *h.col);
  t_to_host(h.val, A->val, n * t_value_size(A->prec));
  return h;
}
static inline double t_value_at(const void *val, bf_prec prec, int64_t k)
{
  return prec == BF_FP32 ? (double)((const float *)val)[k] : ((const double *)val)[k];
}
static inline void t_csr_copy_free(t_csr_copy *h)
{
  free(h->ptr);
  free(h->col);
  free(h->val);
}

/* fp64 entries in compressed rows are H to the last bit. */
static inline void t_rows_are(const bf_coo_arrays *A, const bf_sparse *H)
{
  bf_csr_arrays B = t_csr_alloc(A->nrows, A->nnz, BF_FP64);
  T_OK(bf_coo_to_csr(t_be, A, &B));
  assert_int_equal(B.nnz, H->nnz);
  t_csr_copy h = t_csr_fetch(&B);
  assert_memory_equal(h.ptr, H->ptr, ((size_t)H->nrows + 1) * sizeof *h.ptr);
  assert_memory_equal(h.col, H->col, (size_t)H->nnz * sizeof *h.col);
  assert_memory_equal(h.val, H->val, (size_t)H->nnz * sizeof *H->val);
  t_csr_copy_free(&h);
  t_csr_free(&B);
}
#endif
