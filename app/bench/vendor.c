/* app/bench/vendor.c - cuSPARSE and cuBLAS on the matrix of a case */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#ifdef BF_WITH_PEERS
#include "base/timer.h"
#include "kernels/timing.h"
#include "kernels/vendor.h"
#include <math.h>
#include <stdio.h>

typedef struct peer_call {
  bf_peer    *peer;
  const void *x;
  void       *y;
} peer_call;

static bf_err run_peer(void *context)
{
  peer_call *c = context;
  return bf_peer_spmv(c->peer, c->x, c->y);
}

/* One peer: its product, its row.  An fp32 peer has fp32 vectors: its y is not compared. */
static bf_err one(bf_bench *b, int warm, const bf_matrix *A, bf_peer_format format, const void *x, void *y,
                  const double *reference)
{
  bf_err       err  = BF_OK;
  const int    wide = A->csr->prec == BF_FP64;
  peer_call    c    = {.x = x, .y = y};
  bf_bench_row row  = {.bytes = (double)bf_matrix_product_bytes(A), .error = -1.0, .peer = wide};
  BF_GO(format == BF_PEER_BSR ? bf_peer_create_bsr(b->be, A->csr, A->ncomp, &c.peer)
                              : bf_peer_create(b->be, A->csr, format, &c.peer));
  row.kernel = bf_peer_describe(c.peer);
  BF_GO(run_peer(&c));
  if (wide) BF_GO(bf_bench_error(b->be, A->nrows, y, reference, &row.error));
  BF_GO(bf_bench_seconds(b->be, warm, run_peer, &c, &row.seconds));
  bf_bench_show(b, &row);
done:
  bf_peer_destroy(&c.peer);
  return err;
}

/* BSR, where the matrix has blocks and the library the product. */
static bf_err blocks(bf_bench *b, int warm, const bf_matrix *A, const void *x, void *y,
                     const double *reference)
{
  if (A->ncomp == 1) return BF_OK;
  const bf_err err = one(b, warm, A, BF_PEER_BSR, x, y, reference);
  if (err != BF_E_UNSUPPORTED) return err;
  printf("  cuSPARSE bsr: %s\n", bf_err_message());
  return BF_OK;
}

bf_err bf_bench_peer_products(bf_bench *b, int warm, const bf_matrix *A, const double *x, double *y,
                              const double *reference)
{
  bf_err     err = BF_OK;
  bf_matrix *A32 = NULL;
  void      *x32 = NULL, *y32 = NULL;
  if (!b->be->ops.on_device) return BF_OK;
  BF_GO(one(b, warm, A, BF_PEER_CSR, x, y, reference));
  BF_GO(one(b, warm, A, BF_PEER_SELL, x, y, reference));
  BF_GO(blocks(b, warm, A, x, y, reference));
  BF_GO(bf_matrix_to_fp32(A, &A32));
  BF_GO(b->be->ops.alloc(b->be, (size_t)A->nrows * 4, &x32));
  BF_GO(b->be->ops.alloc(b->be, (size_t)A->nrows * 4, &y32));
  BF_GO(BF_OP(b->be, vector.demote, A->nrows, x, x32));
  BF_GO(one(b, warm, A32, BF_PEER_CSR, x32, y32, reference));
  BF_GO(one(b, warm, A32, BF_PEER_SELL, x32, y32, reference));
  BF_GO(blocks(b, warm, A32, x32, y32, reference));
done:
  b->be->ops.release(b->be, x32);
  b->be->ops.release(b->be, y32);
  bf_matrix_destroy(&A32);
  return err;
}

enum { PEER_ITERATIONS = 100, PEER_TRIALS = 5 };

typedef struct peer_loop {
  bf_peer      *peer;
  bf_method     method;
  const double *rhs;
  double       *x, *rr; /* rr: host, or NULL */
} peer_loop;

static bf_err run_loop(void *context)
{
  const peer_loop *c = context;
  if (c->method == BF_METHOD_CG) return bf_peer_cg(c->peer, c->rhs, c->x, NULL, PEER_ITERATIONS, 0, c->rr);
  return bf_peer_bicgstab(c->peer, c->rhs, c->x, PEER_ITERATIONS, c->rr);
}

bf_err bf_bench_peer_iterations(bf_bench *b, const bf_matrix *A, bf_method method, const double *rhs,
                                double *x, double bytes)
{
  bf_err       err  = BF_OK;
  bf_backend  *be   = b->be;
  peer_loop    c    = {.method = method, .rhs = rhs, .x = x};
  bf_bench_row row  = {.kernel = "cuSPARSE + cuBLAS", .bytes = bytes, .peer = 1};
  double       best = INFINITY, rr;
  if (!be->ops.on_device) return BF_OK;
  BF_GO(bf_peer_create(be, A->csr, BF_PEER_CSR, &c.peer));
  for (int k = 0; k < PEER_TRIALS; k++) {
    BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof(double)));
    BF_GO(be->ops.sync(be));
    const double t0 = bf_seconds();
    BF_GO(run_loop(&c));
    BF_GO(be->ops.sync(be));
    best = fmin(best, (bf_seconds() - t0) / PEER_ITERATIONS);
  }
  row.seconds = best;
  c.rr        = &rr; /* and what 100 more of them leave, untimed */
  BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof(double)));
  BF_GO(run_loop(&c));
  BF_GO(bf_bench_drift(A, rhs, x, rr, &row.error));
  c.rr = NULL;
  bf_bench_show(b, &row);
  BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof(double)));
  BF_GO(bf_bench_time_graph(be, run_loop, &c, PEER_TRIALS, 1, &row.seconds));
  row.kernel = "cuSPARSE + cuBLAS, one graph";
  row.seconds /= PEER_ITERATIONS;
  bf_bench_show(b, &row);
done:
  bf_peer_destroy(&c.peer);
  return err;
}
#else
bf_err bf_bench_peer_products(bf_bench *b, int warm, const bf_matrix *A, const double *x, double *y,
                              const double *reference)
{
  (void)b, (void)warm, (void)A, (void)x, (void)y, (void)reference;
  return BF_OK;
}

bf_err bf_bench_peer_iterations(bf_bench *b, const bf_matrix *A, bf_method method, const double *rhs,
                                double *x, double bytes)
{
  (void)b, (void)A, (void)method, (void)rhs, (void)x, (void)bytes;
  return BF_OK;
}
#endif
