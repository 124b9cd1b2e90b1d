/* kernels/cpu/sparse/bcsr.c - block compressed rows: product with w.y and y.y in the same pass, product with
 * the transpose, diagonal, constraints, diagonal blocks, element matrices
 *
 *     y(i*D + a) = sum over blocks p of node row i, b < D, of A(i*D + a, j(p)*D + b) x(j(p)*D + b)
 *
 * Order    Full storage: four blocks at a time; an entry of x is loaded once for the D rows of a
 *          node.  Half storage: blocks one by one in ascending columns, those left of the diagonal
 *          from the rows that store them, so no thread adds to a row of another.
 * Cost     2 D*D flops a block; 8 D*D + 4 bytes (fp64) a block, 2 less with 16-bit columns; 8 for
 *          each node, x and y once.  Half storage: 8 D*D bytes for two transposed blocks, read once
 *          more from a cache, and 4 for the position of the second; 16 for each node.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/bcsr.h"
#include "kernels/cpu/backend/cpu.h"
#include "kernels/cpu/fem/scatter.h"
#include "kernels/cpu/precond/block_put.h"

enum {
  LINE  = 64,  /* bytes of a line of the cache */
  AHEAD = 4096 /* bytes between what is read and what is asked for */
};

/* ---- product ---- */

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef float  quad32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef void   rows_fn(const bf_bcsr *A, bf_int i0, bf_int i1, const double *x, double *y);

#define ISA
#define VALUE   double
#define LOAD(p) (*(const quad *)(p))
#define NAME(f) f##_fp64
#include "kernels/cpu/sparse/bcsr_row.h"
#undef ISA
#undef NAME
#ifdef __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp64_avx2
#include "kernels/cpu/sparse/bcsr_row.h"
#undef ISA
#undef NAME
#endif
#undef VALUE
#undef LOAD
#define ISA
#define VALUE   float
#define LOAD(p) __builtin_convertvector(*(const quad32 *)(p), quad)
#define NAME(f) f##_fp32
#include "kernels/cpu/sparse/bcsr_row.h"
#undef ISA
#undef NAME
#ifdef __x86_64__
#define ISA     __attribute__((target("avx2")))
#define NAME(f) f##_fp32_avx2
#include "kernels/cpu/sparse/bcsr_row.h"
#undef ISA
#undef NAME
#endif
#undef VALUE
#undef LOAD

static rows_fn *rows_of(const bf_bcsr *A)
{
  const int single = A->prec == BF_FP32;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) {
    if (A->half) return single ? half_rows_fp32_avx2 : half_rows_fp64_avx2;
    return single ? rows_fp32_avx2 : rows_fp64_avx2;
  }
#endif
  if (A->half) return single ? half_rows_fp32 : half_rows_fp64;
  return single ? rows_fp32 : rows_fp64;
}

static bf_err spmv(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                   double *dot)
{
  const bf_bcsr *A = M->bcsr;
  const int64_t  D = A->ncomp, nodes = BF_CPU_CHUNK / 12 * 12 / D; /* of a chunk */
  const int64_t  nc   = (A->nrows + nodes - 1) / nodes;
  rows_fn       *rows = rows_of(A);
  double        *part;
  BF_TRY(bf_cpu_scratch(be, 2 * nc, &part));
#pragma omp parallel for schedule(static) if (A->nblocks * D * D > BF_CPU_SMALL)
  for (int64_t c = 0; c < nc; c++) {
    const int64_t i0 = c * nodes, i1 = i0 + nodes < A->nrows ? i0 + nodes : A->nrows;
    rows(A, (bf_int)i0, (bf_int)i1, x, y);
    if (!w) continue;
    part[2 * c]     = bf_cpu_dot((i1 - i0) * D, w + i0 * D, y + i0 * D);
    part[2 * c + 1] = bf_cpu_dot((i1 - i0) * D, y + i0 * D, y + i0 * D);
  }
  if (w) bf_cpu_add_up(nc, 2, part, dot);
  return BF_OK;
}

/* ---- product with the transpose ---- */

/* Number of the block of column node j, which is in row i; -1: it is not. */
static int64_t place(const bf_bcsr *A, bf_int i, bf_int j)
{
  int64_t lo = A->ptr[i], hi = A->ptr[i + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (bf_bcsr_column(A, i, mid) < j)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < A->ptr[i + 1] && bf_bcsr_column(A, i, lo) == j ? lo : -1;
}

/* Column i of blocks: block (j, i) is looked up in every row j that row i names, since the pattern is
 * symmetric. */
static bf_err spmv_t(bf_backend *be, const bf_matrix *M, const double *x, double *y)
{
  const bf_bcsr *A = M->bcsr;
  const int      D = A->ncomp;
  BF_CHECK(A->paired, BF_E_ARG, "the transposed product needs a symmetric pattern");
  if (A->half) return spmv(be, M, x, y, NULL, NULL);
#pragma omp parallel for schedule(static) if (A->nblocks * D * D > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
      const bf_int        j = bf_bcsr_column(A, i, p);
      const bf_bcsr_block B = bf_bcsr_block_of(A, j, place(A, j, i));
      for (int a = 0; a < D; a++)
        for (int b = 0; b < D; b++)
          sum[b] += bf_cpu_value(A->val, A->prec, B.at + a * B.row + b) * x[(int64_t)j * D + a];
    }
    for (int b = 0; b < D; b++) y[(int64_t)i * D + b] = sum[b];
  }
  return BF_OK;
}

/* ---- diagonal, constraints, blocks ---- */

static bf_err diagonal(bf_backend *be, const bf_matrix *M, double *d)
{
  const bf_bcsr *A = M->bcsr;
  const int      D = A->ncomp;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nblocks > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++) {
    const int64_t       p = place(A, i, i);
    const bf_bcsr_block B = bf_bcsr_block_of(A, i, p < 0 ? A->ptr[i] : p);
    for (int a = 0; a < D; a++)
      d[(int64_t)i * D + a] = p < 0 ? 0.0 : bf_cpu_value(A->val, A->prec, B.at + a * (B.row + B.col));
  }
  return BF_OK;
}

static bf_err constrain(bf_backend *be, bf_matrix *M, const uint8_t *fixed)
{
  const bf_bcsr *A = M->bcsr;
  const int      D = A->ncomp;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nblocks > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = bf_bcsr_first(A, i); p < A->ptr[i + 1]; p++) {
      const bf_bcsr_block B  = bf_bcsr_block_of(A, i, p);
      const int64_t       r0 = (int64_t)i * D, c0 = (int64_t)bf_bcsr_column(A, i, p) * D;
      for (int a = 0; a < D; a++)
        for (int b = 0; b < D; b++)
          if (r0 + a != c0 + b && (fixed[r0 + a] || fixed[c0 + b]))
            bf_cpu_clear(A->val, A->prec, B.at + a * B.row + b * B.col);
    }
  return BF_OK;
}

/* Rows of half storage have their blocks left of the diagonal too: every entry has one owner. */
static bf_err blocks(bf_backend *be, const bf_matrix *M, const struct bf_block_map *map)
{
  const bf_bcsr *A = M->bcsr;
  const int      D = A->ncomp;
  (void)be;
#pragma omp parallel for schedule(static) if (A->nblocks > BF_CPU_SMALL)
  for (bf_int i = 0; i < A->nrows; i++)
    for (int64_t p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
      const bf_bcsr_block B = bf_bcsr_block_of(A, i, p);
      for (int a = 0; a < D; a++)
        for (int b = 0; b < D; b++)
          bf_block_put(map, i * D + a, bf_bcsr_column(A, i, p) * D + b,
                       bf_cpu_value(A->val, A->prec, B.at + a * B.row + b * B.col));
    }
  return BF_OK;
}

/* ---- element matrices ---- */

/* Adds the rows of node i, in half storage from the diagonal on; column node that has no place, or -1. */
static bf_int add_row(const bf_bcsr *A, const bf_scatter *s, bf_int i)
{
  const int D = s->D, nd = s->nen * D;
  for (bf_int p = s->ptr[i]; p < s->ptr[i + 1]; p++) {
    const bf_int *conn = s->conn + s->item[p] / s->nen * (int64_t)s->nen;
    for (int b = 0; b < s->nen; b++) {
      if (A->half && conn[b] < i) continue;
      const int64_t k = place(A, i, conn[b]);
      if (k < 0) return conn[b];
      const bf_bcsr_block B   = bf_bcsr_block_of(A, i, k);
      const double       *K   = bf_scatter_block(s, s->item[p], b);
      double             *val = (double *)A->val + B.at;
      for (int a = 0; a < D; a++)
        for (int c = 0; c < D; c++) val[a * B.row + c] += K[a * nd + c];
    }
  }
  return -1;
}

static bf_err scatter(bf_backend *be, bf_matrix *M, const bf_int *ptr, const bf_int *item, int nen,
                      const bf_int *conn, const double *Ke)
{
  const bf_bcsr *A = M->bcsr;
  (void)be;
  BF_CHECK(A->prec == BF_FP64, BF_E_ARG, "element matrices can be added to fp64 values only");
  const bf_scatter s   = {.D = A->ncomp, .nen = nen, .ptr = ptr, .item = item, .conn = conn, .Ke = Ke};
  _Atomic int64_t  bad = INT64_MAX;
#pragma omp parallel for schedule(static) if (A->nrows > 256)
  for (bf_int i = 0; i < A->nrows; i++) {
    const bf_int col = add_row(A, &s, i);
    if (col >= 0) bf_scatter_note(&bad, i, col);
  }
  BF_TRY(bf_scatter_status(bad));
  return BF_OK;
}

const bf_part_ops bf_cpu_bcsr_part = {
    .spmv      = spmv,
    .spmv_t    = spmv_t,
    .diagonal  = diagonal,
    .constrain = constrain,
    .blocks    = blocks,
    .scatter   = scatter,
};
