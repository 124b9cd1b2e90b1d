/* tests/reference/dense.c - see dense.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/reference/dense.h"
#include <math.h>

/* ---- tables ---- */

static unsigned char *slot(const t_table *t, bf_int s, bf_int off)
{
  return t->has + (size_t)s * (size_t)(2 * t->n - 1) + (size_t)(t->n - 1 + off);
}

t_table *t_table_new(bf_int n, bf_int nseg, const bf_int *row)
{
  t_table *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->n    = n;
  t->nseg = nseg;
  t->row  = calloc((size_t)nseg + 1, sizeof *t->row);
  t->has  = calloc((size_t)nseg, (size_t)(2 * n - 1));
  assert_non_null(t->row);
  assert_non_null(t->has);
  for (bf_int s = 0; s <= nseg; s++) t->row[s] = row[s];
  for (bf_int s = 0; s < nseg; s++) t_table_put(t, s, 0);
  return t;
}

void t_table_free(t_table *t)
{
  free(t->row);
  free(t->has);
  free(t);
}

bf_int t_table_segment(const t_table *t, bf_int i)
{
  bf_int s = 0;
  while (t->row[s + 1] <= i) s++;
  return s;
}

int t_table_has(const t_table *t, bf_int s, bf_int off)
{
  return *slot(t, s, off);
}

void t_table_put(t_table *t, bf_int s, bf_int off)
{
  *slot(t, s, off) = 1;
}

void t_table_mirror(t_table *t)
{
  for (bf_int i = 0; i < t->n; i++)
    for (bf_int k = 1; i + k < t->n; k++)
      if (t_table_has(t, t_table_segment(t, i), k)) t_table_put(t, t_table_segment(t, i + k), -k);
}

bf_bands *t_table_bands(const t_table *t)
{
  bf_bands *b    = NULL;
  int64_t   noff = 0;
  for (bf_int s = 0; s < t->nseg; s++)
    for (bf_int off = 1 - t->n; off < t->n; off++) noff += t_table_has(t, s, off);
  T_OK(bf_bands_create(t->n, t->nseg, noff, &b));
  noff = 0;
  for (bf_int s = 0; s < t->nseg; s++) {
    b->row[s] = t->row[s];
    b->ptr[s] = noff;
    for (bf_int off = 1 - t->n; off < t->n; off++)
      if (t_table_has(t, s, off)) b->off[noff++] = off;
  }
  b->row[t->nseg] = t->n;
  b->ptr[t->nseg] = noff;
  T_OK(bf_bands_check(b));
  return b;
}

static void put_inside(t_table *t, bf_int s, bf_int off)
{
  if (off > -t->n && off < t->n) t_table_put(t, s, off);
}

t_table *t_table_of_kind(t_table_kind kind, bf_int n, uint64_t *seed)
{
  bf_int row[64] = {0}, nseg = 1;
  if (kind == T_RANDOM_SEGMENTS) /* cuts at random multiples of 128 */
    for (bf_int i = 128; i < n && nseg < 63; i += 128)
      if (t_uniform(seed) < 0.7) row[nseg++] = i;
  row[nseg]  = n;
  t_table *t = t_table_new(n, nseg, row);
  bf_int   p = 1;
  while (p * p < n) p++;
  for (bf_int k = -1; k <= 1; k++) {
    if (kind == T_ONE_BAND) {
      put_inside(t, 0, k);
      put_inside(t, 0, 2 + k);
    }
    if (kind == T_THREE_BANDS) {
      put_inside(t, 0, k);
      put_inside(t, 0, p + k);
    }
  }
  if (kind == T_RANDOM_SEGMENTS)
    for (bf_int s = 0; s < nseg; s++)
      for (int m = 0; m < 7; m++) put_inside(t, s, (bf_int)(t_uniform(seed) * t_uniform(seed) * (double)n));
  t_table_mirror(t);
  return t;
}

t_table *t_table_of_elements(bf_int n, bf_int ne, int nen, const bf_int *conn, bf_int slice)
{
  bf_int row[64] = {0}, nseg = 1;
  for (bf_int i = slice; slice > 0 && i < n; i += slice) row[nseg++] = i;
  row[nseg]  = n;
  t_table *t = t_table_new(n, nseg, row);
  for (bf_int e = 0; e < ne; e++)
    for (int a = 0; a < nen; a++)
      for (int b = 0; b < nen; b++) {
        const bf_int i = conn[e * nen + a], j = conn[e * nen + b];
        t_table_put(t, t_table_segment(t, i), j - i);
      }
  return t;
}

/* ---- dense matrices ---- */

double *t_dense_random(const t_table *t, int D, int half, uint64_t *seed)
{
  const size_t N = (size_t)t->n * (size_t)D;
  double      *a = calloc(N * N, sizeof *a);
  assert_non_null(a);
  for (size_t r = 0; r < N; r++)
    for (size_t c = half ? r : 0; c < N; c++) {
      const bf_int i = (bf_int)(r / (size_t)D), j = (bf_int)(c / (size_t)D);
      if (!t_table_has(t, t_table_segment(t, i), j - i)) continue;
      a[r * N + c] = 2.0 * t_uniform(seed) - 1.0;
      if (half) a[c * N + r] = a[r * N + c];
    }
  return a;
}

void t_dense_round(size_t n, double *a)
{
  for (size_t i = 0; i < n * n; i++) a[i] = (double)(float)a[i];
}

int t_dense_entries(bf_int n, const double *a, bf_int i)
{
  int count = 0;
  for (bf_int j = 0; j < n; j++) count += a[(size_t)i * (size_t)n + (size_t)j] != 0.0;
  return count;
}

void t_dense_product(bf_int n, const double *a, const double *x, double *y, double *size)
{
  for (bf_int i = 0; i < n; i++) {
    long double s = 0.0L, m = 0.0L;
    for (bf_int j = 0; j < n; j++) {
      const long double p = (long double)a[(size_t)i * (size_t)n + (size_t)j] * (long double)x[j];
      s += p;
      m += p < 0.0L ? -p : p;
    }
    y[i]    = (double)s;
    size[i] = (double)m;
  }
}

void t_dense_assemble(bf_int n, int D, bf_int ne, int nen, const bf_int *conn, const double *Ke, double *a)
{
  const size_t N  = (size_t)n * (size_t)D;
  const int    nd = nen * D;
  for (bf_int e = 0; e < ne; e++)
    for (int r = 0; r < nd; r++)
      for (int c = 0; c < nd; c++) {
        const size_t i = (size_t)conn[e * nen + r / D] * (size_t)D + (size_t)(r % D);
        const size_t j = (size_t)conn[e * nen + c / D] * (size_t)D + (size_t)(c % D);
        a[i * N + j] += Ke[((size_t)e * (size_t)nd + (size_t)r) * (size_t)nd + (size_t)c];
      }
}

/* ---- matrices of the backend ---- */

/* Bytes of `count` values from doubles. */
static void *as_stored(bf_prec prec, int64_t count, double *v)
{
  if (prec == BF_FP64) return v;
  float *f = (float *)(void *)v; /* in place, from the front: never ahead of what is read */
  for (int64_t i = 0; i < count; i++) {
    const float x = (float)v[i];
    memcpy(f + i, &x, sizeof x);
  }
  return v;
}

static void put_bdia(const bf_matrix *A, const double *a)
{
  const bf_bdia *B = A->bdia;
  const int64_t  N = A->nrows, D = B->ncomp;
  double        *v = calloc((size_t)B->nvalues, sizeof *v);
  assert_non_null(v);
  for (int s = 0; s < B->nseg; s++)
    for (int k = 0; k < B->seg[s].ndiag; k++)
      for (int64_t node = B->seg[s].row0; node < B->seg[s].row0 + B->seg[s].nrows; node++)
        for (int64_t i = 0; i < D; i++)
          for (int64_t b = 0; b < D; b++) {
            const bf_bdia_seg *S   = &B->seg[s];
            const int64_t      col = node + B->off[S->diag0 + k];
            if (col < 0 || col >= B->nrows) continue;
            v[bf_bdia_at(S, (int)D, (int)(k * D + b), (node - S->row0) * D + i)] =
                a[(node * D + i) * N + col * D + b];
          }
  as_stored(B->prec, B->nvalues, v);
  const size_t bytes = (size_t)B->nvalues * (B->prec == BF_FP64 ? 8 : 4);
  T_OK(A->be->ops.copy(A->be, B->values, v, bytes, BF_TO_DEVICE));
  free(v);
}

static void put_csr(const bf_matrix *A, const double *a)
{
  const bf_csr *B   = A->csr;
  const size_t  N   = (size_t)A->nrows;
  int64_t      *ptr = calloc(N + 1, sizeof *ptr);
  bf_int       *col = calloc((size_t)B->nnz + 1, sizeof *col);
  double       *v   = calloc((size_t)B->nnz + 1, sizeof *v);
  T_OK(A->be->ops.copy(A->be, ptr, B->ptr, (N + 1) * sizeof *ptr, BF_TO_HOST));
  T_OK(A->be->ops.copy(A->be, col, B->col, (size_t)B->nnz * sizeof *col, BF_TO_HOST));
  for (size_t i = 0; i < N; i++)
    for (int64_t p = ptr[i]; p < ptr[i + 1]; p++) v[p] = a[i * N + (size_t)col[p]];
  as_stored(B->prec, B->nnz, v);
  T_OK(A->be->ops.copy(A->be, B->val, v, (size_t)B->nnz * (B->prec == BF_FP64 ? 8 : 4), BF_TO_DEVICE));
  free(ptr);
  free(col);
  free(v);
}

void t_matrix_put(const bf_matrix *A, const double *a)
{
  if (A->format == BF_FORMAT_BDIA)
    put_bdia(A, a);
  else
    put_csr(A, a);
}

double *t_random_vector(size_t n, uint64_t *seed)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < n; i++) x[i] = 2.0 * t_uniform(seed) - 1.0;
  return x;
}

double *t_vector(bf_backend *be, bf_int n, bf_int guard, const double *host)
{
  double *x = NULL;
  T_OK(bf_vector_create(be, n, guard, &x));
  if (host) T_OK(be->ops.copy(be, x, host, (size_t)n * sizeof *x, BF_TO_DEVICE));
  return x;
}

/* Rows and columns p and q turned so that a[p][q] becomes 0. */
static void turn(bf_int n, double *a, bf_int p, bf_int q)
{
  const double h = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
  const double t = (h >= 0.0 ? 1.0 : -1.0) / (fabs(h) + sqrt(1.0 + h * h)), c = 1.0 / sqrt(1.0 + t * t);
  for (bf_int k = 0; k < n; k++) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - t * c * y;
    a[k * n + q] = t * c * x + c * y;
  }
  for (bf_int k = 0; k < n; k++) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - t * c * y;
    a[q * n + k] = t * c * x + c * y;
  }
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void t_symmetric_values(bf_int n, double *a, double *w)
{
  double off = 1.0, all = 0.0;
  for (bf_int i = 0; i < n * n; i++) all += a[i] * a[i];
  for (int sweep = 0; sweep < 40 && off > 1e-34 * all; sweep++) {
    off = 0.0;
    for (bf_int p = 0; p < n; p++)
      for (bf_int q = p + 1; q < n; q++) {
        off += a[p * n + q] * a[p * n + q];
        if (a[p * n + q] != 0.0) turn(n, a, p, q);
      }
  }
  for (bf_int i = 0; i < n; i++) w[i] = a[i * n + i];
  qsort(w, (size_t)n, sizeof *w, ascending);
}
