/* app/bench/coo_to_csr.c - bandfem bench coo2csr: triplets of hexahedra into compressed rows
 *
 * Every element names its 8 x 8 places, in the order of the elements, so an inner place is named up to 8
 * times; "shuffled" has the elements in a random order.  Bytes: every triplet read, every place and row
 * written once.  Error: of the product with a vector of ones, a sum of each row, against the triplets'.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#include "kernels/matrix/transpose.h"
#ifdef BF_WITH_PEERS
#include "kernels/vendor.h"
#endif
#include <math.h>

typedef struct convert_call {
  bf_backend   *be;
  bf_coo_arrays A;
  bf_csr_arrays B;
} convert_call;

static bf_err run_convert(void *context)
{
  convert_call *c = context;
  return bf_coo_to_csr(c->be, &c->A, &c->B);
}

/* Element e's corners in a grid of m x m x m elements. */
static bf_int corner(bf_int m, int64_t e, int k)
{
  const int64_t x = e % m + k % 2, y = e / m % m + k / 2 % 2, z = e / m / m + k / 4;
  return (bf_int)(x + (m + 1) * (y + (m + 1) * z));
}

/* Element in place e of a shuffled order: steps by a prime larger than their number reach every one. */
static int64_t element_at(int64_t e, int64_t count, int shuffled)
{
  const int64_t prime = 2654435761;
  return shuffled ? (int64_t)((uint64_t)e * (uint64_t)(prime % count) % (uint64_t)count) : e;
}

static bf_err send(bf_backend *be, void **p, const void *h, size_t bytes)
{
  BF_TRY(be->ops.alloc(be, bytes, p));
  BF_TRY(be->ops.copy(be, *p, h, bytes, BF_TO_DEVICE));
  return be->ops.sync(be);
}

/* The triplets, and the sum of each row. */
static bf_err make(bf_backend *be, const bf_case *c, int shuffled, bf_coo_arrays *A, double **sum)
{
  bf_err        err   = BF_OK;
  const bf_int  m     = c->size;
  const int64_t count = (int64_t)m * m * m;
  bf_int       *index = NULL;
  double       *v     = NULL;
  void         *p     = NULL;
  *A       = (bf_coo_arrays){.nrows = (m + 1) * (m + 1) * (m + 1), .nnz = 64 * count, .prec = BF_FP64};
  A->ncols = A->nrows;
  BF_GO(BF_NEW_ARRAY(index, A->nnz));
  BF_GO(BF_NEW_ARRAY(*sum, A->nrows));
  for (int s = 1; s >= 0; s--) {
#pragma omp parallel for
    for (int64_t e = 0; e < count; e++)
      for (int k = 0; k < 64; k++)
        index[64 * e + k] = corner(m, element_at(e, count, shuffled), s ? k % 8 : k / 8);
    BF_GO(send(be, &p, index, (size_t)A->nnz * sizeof *index));
    *(s ? &A->col : &A->row) = p;
  }
  BF_GO(BF_NEW_ARRAY(v, A->nnz));
#pragma omp parallel for
  for (int64_t k = 0; k < A->nnz; k++) v[k] = bf_case_value(c, (bf_int)(k >> 20), (bf_int)(k & 0xfffff));
  BF_GO(send(be, &A->val, v, (size_t)A->nnz * sizeof *v));
  for (int64_t k = 0; k < A->nnz; k++) (*sum)[index[k]] += v[k]; /* index: of rows */
done:
  bf_host_free(index);
  bf_host_free(v);
  return err;
}

/* The error of B times ones. */
static bf_err check(const convert_call *c, const double *sum, double *error)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = c->be;
  double      *h = NULL, *x = NULL, *y = NULL;
  const bf_int n = c->B.nrows;
  bf_csr       B = {
            .nrows = n, .nnz = c->B.nnz, .prec = c->B.prec, .ptr = c->B.ptr, .col = c->B.col, .val = c->B.val};
  const bf_matrix A = {
      .format = BF_FORMAT_CSR, .be = be, .nrows = n, .ncomp = 1, .prec = B.prec, .nnz = B.nnz, .csr = &B};
  BF_GO(BF_NEW_ARRAY(h, n));
  for (bf_int i = 0; i < n; i++) h[i] = 1.0;
  BF_GO(bf_vector_create(be, n, 0, &x));
  BF_GO(bf_vector_create(be, n, 0, &y));
  BF_GO(be->ops.copy(be, x, h, (size_t)n * sizeof *h, BF_TO_DEVICE));
  BF_GO(bf_matrix_spmv(&A, x, y, NULL, NULL));
  BF_GO(bf_bench_error(be, n, y, sum, error));
done:
  bf_host_free(h);
  bf_vector_destroy(be, 0, &x);
  bf_vector_destroy(be, 0, &y);
  return err;
}

static void release(bf_backend *be, convert_call *c)
{
  be->ops.release(be, c->A.row);
  be->ops.release(be, c->A.col);
  be->ops.release(be, c->A.val);
  be->ops.release(be, c->B.ptr);
  be->ops.release(be, c->B.col);
  be->ops.release(be, c->B.val);
}

static double convert_bytes(int64_t triplets, int64_t places, bf_int nrows)
{
  return 16.0 * (double)triplets + 12.0 * (double)places + 8.0 * nrows;
}

#ifdef BF_WITH_PEERS
static bf_err peer_rows(bf_bench *b, const bf_coo_arrays *A, double bytes)
{
  for (int k = BF_PEER_COOSORT; b->be->ops.on_device && k <= BF_PEER_SORT_PAIRS; k++) {
    bf_peer_work *w   = NULL;
    bf_bench_row  row = {.bytes = bytes, .error = -1.0, .peer = 1};
    BF_TRY(bf_peer_work_convert(b->be, (bf_peer_kind)k, A, &w));
    row.kernel       = bf_peer_work_describe(w);
    const bf_err err = bf_bench_seconds(b->be, 0, bf_peer_work_run, w, &row.seconds);
    if (err == BF_OK) bf_bench_show(b, &row);
    bf_peer_work_destroy(&w);
    BF_TRY(err);
  }
  return BF_OK;
}
#endif

static bf_err one(bf_bench *b, const bf_case *c, int warm)
{
  bf_err       err  = BF_OK;
  convert_call call = {.be = b->be};
  bf_bench_row row  = {.kernel = "coo to csr fp64"};
  double      *sum  = NULL;
  void        *p    = NULL;
  (void)warm;
  BF_GO(make(b->be, c, c->width, &call.A, &sum));
  BF_GO(b->be->ops.alloc(b->be, ((size_t)call.A.nrows + 1) * sizeof *call.B.ptr, &p));
  call.B.ptr = p;
  BF_GO(b->be->ops.alloc(b->be, (size_t)call.A.nnz * sizeof *call.B.col, &p));
  call.B.col = p;
  BF_GO(b->be->ops.alloc(b->be, (size_t)call.A.nnz * sizeof(double), &call.B.val));
  BF_GO(run_convert(&call));
  row.bytes = convert_bytes(call.A.nnz, call.B.nnz, call.A.nrows);
#ifdef BF_WITH_PEERS
  BF_GO(peer_rows(b, &call.A, row.bytes));
#endif
  BF_GO(bf_bench_seconds(b->be, 0, run_convert, &call, &row.seconds));
  BF_GO(check(&call, sum, &row.error));
  bf_bench_show(b, &row);
done:
  bf_host_free(sum);
  release(b->be, &call);
  return err;
}

bf_err bf_bench_coo2csr(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"hex128", BF_CASE_GRID, 0, 0, 0}, 128, 40, 12, 0},
      {{"hex128-shuffled", BF_CASE_GRID, 0, 1, 0}, 128, 40, 12, 0},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
