/* app/bench/test_matrices.c - the matrices of bandfem bench: values, in CSR and bDIA
 *
 * Values are made on the host in blocks, in parallel, and sent; nothing of the size of the matrix but its
 * pattern is held there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#include <stdlib.h>

enum { BLOCK = 1 << 24, MANY = 1 << 14 }; /* values on the way; from which threads pay */

static double diagonal_of(double sum_of_others)
{
  return -1.0001 * sum_of_others;
}

static void csr_row(const bf_case *c, const bf_graph *g, bf_int i, double *v)
{
  double  sum  = 0.0;
  int64_t diag = 0;
  for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
    const bf_int j = g->adj[k];
    if (j == i)
      diag = k - g->ptr[i];
    else
      sum += v[k - g->ptr[i]] = bf_case_value(c, i, j);
  }
  v[diag] = diagonal_of(sum);
}

bf_err bf_case_csr(bf_backend *be, const bf_case *c, const bf_graph *g, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  double    *v   = NULL;
  BF_GO(bf_matrix_create_csr(be, g, 1, BF_FP64, &A));
  BF_GO(BF_NEW_ARRAY(v, BLOCK));
  for (bf_int i0 = 0, i1; i0 < g->n; i0 = i1) {
    i1 = i0;
    while (i1 < g->n && g->ptr[i1 + 1] - g->ptr[i0] <= BLOCK) i1++;
    BF_NEED(i1 > i0, BF_E_ARG, "row %d is too long", (int)i0);
#pragma omp parallel for
    for (bf_int i = i0; i < i1; i++) csr_row(c, g, i, v + (g->ptr[i] - g->ptr[i0]));
    BF_GO(be->ops.copy(be, (double *)A->csr->val + g->ptr[i0], v,
                       (size_t)(g->ptr[i1] - g->ptr[i0]) * sizeof *v, BF_TO_DEVICE));
    BF_GO(be->ops.sync(be));
  }
  *out = A;
  A    = NULL;
done:
  bf_host_free(v);
  bf_matrix_destroy(&A);
  return err;
}

/* ---- bDIA */
static int offsets(const bf_case *c, bf_int *off)
{
  const bf_int m = c->size;
  int          n = 0;
  if (c->kind == BF_CASE_BAND)
    for (; n < c->width; n++) off[n] = n - c->width / 2;
  else
    for (int k = -1; k <= 1; k++)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++, n++) off[n] = i + m * (j + m * k);
  return n;
}

/* Is (i, i + off), off the k-th, in the pattern? */
static int inside(const bf_case *c, bf_int i, int k, bf_int off)
{
  const bf_int m = c->size;
  if (c->kind == BF_CASE_BAND) return i + off >= 0 && i + off < m;
  const bf_int x = i % m + k % 3 - 1, y = i / m % m + k / 3 % 3 - 1, z = i / m / m + k / 9 - 1;
  return x >= 0 && x < m && y >= 0 && y < m && z >= 0 && z < m;
}

static double bdia_value(const bf_case *c, const bf_int *off, int noff, bf_int i, int k)
{
  if (off[k] != 0) return inside(c, i, k, off[k]) ? bf_case_value(c, i, i + off[k]) : 0.0;
  double sum = 0.0;
  for (int l = 0; l < noff; l++)
    if (off[l] != 0 && inside(c, i, l, off[l])) sum += bf_case_value(c, i, i + off[l]);
  return diagonal_of(sum);
}

static bf_err bands(const bf_case *c, bf_bands **out)
{
  bf_int    off[256];
  bf_bands *b = NULL;
  BF_CHECK(c->width < 256 && c->kind != BF_CASE_TET && c->kind != BF_CASE_RANDOM, BF_E_ARG,
           "case %s has no bands", c->name);
  const int n = offsets(c, off);
  BF_TRY(bf_bands_create(bf_case_rows(c), 1, n, &b));
  b->row[0] = 0;
  b->row[1] = b->nrows;
  b->ptr[0] = 0;
  b->ptr[1] = n;
  for (int k = 0; k < n; k++) b->off[k] = off[k];
  *out = b;
  return BF_OK;
}

bf_err bf_case_bdia(bf_backend *be, const bf_case *c, int half, bf_matrix **out)
{
  bf_err     err = BF_OK;
  bf_bands  *b   = NULL;
  bf_matrix *A   = NULL;
  double    *v   = NULL;
  BF_GO(bands(c, &b));
  const bf_int  n    = b->nrows;
  const int     noff = (int)b->ptr[1], first = half ? noff / 2 : 0;
  const int64_t nnz   = bf_bands_slots(b, 0);
  const bf_int  block = n < BLOCK ? n : BLOCK;
  BF_GO(bf_matrix_create_bdia(be, b, 1, half, BF_FP64, nnz, &A));
  BF_GO(BF_NEW_ARRAY(v, block));
  const bf_bdia_seg *seg = A->bdia->seg;
  for (int k = first; k < noff; k++)
    for (bf_int i0 = 0, count; i0 < n; i0 += count) {
      count = n - i0 < block ? n - i0 : block;
      if (count > seg->ld - i0 % seg->ld) count = (bf_int)(seg->ld - i0 % seg->ld);
#pragma omp parallel for if (count > MANY)
      for (bf_int i = 0; i < count; i++) v[i] = bdia_value(c, b->off, noff, i0 + i, k);
      BF_GO(be->ops.copy(be, (double *)A->bdia->values + bf_bdia_at(seg, 1, k - first, i0), v,
                         (size_t)count * sizeof *v, BF_TO_DEVICE));
      BF_GO(be->ops.sync(be));
    }
  *out = A;
  A    = NULL;
done:
  bf_host_free(v);
  bf_bands_destroy(&b);
  bf_matrix_destroy(&A);
  return err;
}

bf_int bf_case_guard(const bf_case *c)
{
  const bf_int m = c->size, reach = c->kind == BF_CASE_BAND ? c->width / 2 : m * m + m + 1;
  return c->kind == BF_CASE_TET || c->kind == BF_CASE_RANDOM ? 0 : (reach + 31) / 32 * 32 + 64;
}
