/* app/bench/transpose.c - bandfem bench transpose: the transpose of a CSR matrix in new places, and products
 * with it
 *
 * Bytes of a transpose: every column and value read once and written once, and both tables of rows; error: of
 * a product with it. Products: the transpose's own bytes, with atomics (Jin, docs/references.md) for
 * comparison.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/transpose.h"
#include "app/bench/bench.h"
#include "base/memory.h"
#ifdef BF_WITH_PEERS
#include "kernels/vendor.h"
#endif

typedef struct transpose_call {
  bf_backend   *be;
  bf_csr_arrays A, T;
  const double *x;
  double       *y;
} transpose_call;

static bf_err run_transpose(void *context)
{
  transpose_call *c = context;
  return bf_csr_transpose(c->be, &c->A, &c->T);
}

static double transpose_bytes(const bf_csr_arrays *A)
{
  return (double)A->nnz * (A->prec == BF_FP64 ? 24.0 : 16.0) + 8.0 * A->nrows + 8.0 * A->ncols;
}

/* reference = A^T x on the host. */
static bf_err reference_product(const bf_graph *g, const bf_matrix *A, const double *x, double **reference)
{
  bf_err        err = BF_OK;
  const int64_t nnz = g->ptr[g->n];
  double       *hx = NULL, *v = NULL, *y = NULL;
  BF_GO(BF_NEW_ARRAY(hx, g->n));
  BF_GO(BF_NEW_ARRAY(y, g->n));
  BF_GO(BF_NEW_ARRAY(v, nnz));
  BF_GO(A->be->ops.copy(A->be, hx, x, (size_t)g->n * sizeof *hx, BF_TO_HOST));
  BF_GO(A->be->ops.copy(A->be, v, A->csr->val, (size_t)nnz * sizeof *v, BF_TO_HOST));
  BF_GO(A->be->ops.sync(A->be));
  for (bf_int i = 0; i < g->n; i++)
    for (int64_t p = g->ptr[i]; p < g->ptr[i + 1]; p++) y[g->adj[p]] += v[p] * hx[i];
  *reference = y;
  y          = NULL;
done:
  bf_host_free(hx);
  bf_host_free(v);
  bf_host_free(y);
  return err;
}

#ifdef BF_WITH_PEERS
static bf_err run_atomics(void *context)
{
  transpose_call *c = context;
  return bf_peer_spmv_t_atomic(c->be, &c->A, c->x, c->y);
}

static bf_err peer_rows(bf_bench *b, const bf_csr_arrays *A)
{
  for (int k = BF_PEER_CSR2CSC; b->be->ops.on_device && k <= BF_PEER_COMPARED_SORT; k++) {
    bf_peer_work *w   = NULL;
    bf_bench_row  row = {.bytes = transpose_bytes(A), .error = -1.0, .peer = k == BF_PEER_CSR2CSC};
    BF_TRY(bf_peer_work_transpose(b->be, (bf_peer_kind)k, A, &w));
    row.kernel       = bf_peer_work_describe(w);
    const bf_err err = bf_bench_seconds(b->be, 0, bf_peer_work_run, w, &row.seconds);
    if (err == BF_OK) bf_bench_show(b, &row);
    bf_peer_work_destroy(&w);
    BF_TRY(err);
  }
  return BF_OK;
}
#endif

/* Products with the transpose: by atomics on A, and by the transpose. */
static bf_err products(bf_bench *b, const bf_matrix *T, transpose_call *c, const double *reference)
{
  bf_product   p   = {T, c->x, c->y};
  bf_bench_row row = {.bytes = (double)bf_matrix_product_bytes(T)};
  b->peer          = 0.0;
#ifdef BF_WITH_PEERS
  if (b->be->ops.on_device) {
    row.kernel = "A^T x by atomics";
    row.peer   = 1;
    BF_TRY(run_atomics(c));
    BF_TRY(bf_bench_error(b->be, T->nrows, c->y, reference, &row.error));
    BF_TRY(bf_bench_seconds(b->be, 0, run_atomics, c, &row.seconds));
    bf_bench_show(b, &row);
  }
#endif
  row.kernel = "A^T x by the transpose";
  row.peer   = 0;
  BF_TRY(bf_product_run(&p));
  BF_TRY(bf_bench_error(b->be, T->nrows, c->y, reference, &row.error));
  BF_TRY(bf_bench_seconds(b->be, 0, bf_product_run, &p, &row.seconds));
  bf_bench_show(b, &row);
  return BF_OK;
}

static bf_err one(bf_bench *b, const bf_case *c, int warm)
{
  bf_err         err = BF_OK;
  const bf_int   n   = bf_case_rows(c);
  bf_graph      *g   = NULL;
  bf_matrix     *A = NULL, *T = NULL;
  double        *x = NULL, *y = NULL, *reference = NULL;
  bf_bench_row   row  = {0};
  transpose_call call = {.be = b->be};
  (void)warm;
  BF_GO(bf_vector_create(b->be, n, 0, &x));
  BF_GO(bf_vector_create(b->be, n, 0, &y));
  BF_GO(bf_bench_random(b->be, n, x));
  BF_GO(bf_case_graph(c, &g));
  BF_GO(bf_case_csr(b->be, c, g, &A));
  BF_GO(reference_product(g, A, x, &reference));
  call.A = bf_csr_arrays_of(A);
#ifdef BF_WITH_PEERS
  BF_GO(peer_rows(b, &call.A));
#endif
  BF_GO(bf_matrix_transpose(A, &T));
  call.T     = bf_csr_arrays_of(T);
  call.x     = x;
  call.y     = y;
  row.kernel = "csr transpose fp64";
  row.bytes  = transpose_bytes(&call.A);
  BF_GO(bf_bench_seconds(b->be, 0, run_transpose, &call, &row.seconds));
  BF_GO(bf_product_run(&(bf_product){T, x, y}));
  BF_GO(bf_bench_error(b->be, n, y, reference, &row.error));
  bf_bench_show(b, &row);
  BF_GO(products(b, T, &call, reference));
done:
  bf_graph_destroy(&g);
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&T);
  bf_vector_destroy(b->be, 0, &x);
  bf_vector_destroy(b->be, 0, &y);
  bf_host_free(reference);
  return err;
}

bf_err bf_bench_transpose(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"band27", BF_CASE_BAND, 0, 27, 1}, 4000000, 400000, 20000, 0},
      {{"band101", BF_CASE_BAND, 0, 101, 1}, 1000000, 100000, 5000, 0},
      {{"grid160", BF_CASE_GRID, 0, 0, 1}, 160, 60, 16, 0},
      {{"random25", BF_CASE_RANDOM, 0, 25, 1}, 4000000, 300000, 10000, 0},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
