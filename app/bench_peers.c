/* app/bench_peers.c - cuSPARSE and cuBLAS on the matrix of a case */
#include "app/bench.h"
#ifdef BF_WITH_PEERS
#include "base/timer.h"
#include "kernels/peers.h"

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
  BF_GO(bf_peer_create(b->be, A->csr, format, &c.peer));
  row.kernel = bf_peer_describe(c.peer);
  BF_GO(run_peer(&c));
  if (wide) BF_GO(bf_bench_error(b->be, A->nrows, y, reference, &row.error));
  BF_GO(bf_bench_seconds(b->be, warm, run_peer, &c, &row.seconds));
  bf_bench_show(b, &row);
done:
  bf_peer_destroy(&c.peer);
  return err;
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
  BF_GO(bf_matrix_to_fp32(A, &A32));
  BF_GO(b->be->ops.alloc(b->be, (size_t)A->nrows * 4, &x32));
  BF_GO(b->be->ops.alloc(b->be, (size_t)A->nrows * 4, &y32));
  BF_GO(BF_OP(b->be, demote, A->nrows, x, x32));
  BF_GO(one(b, warm, A32, BF_PEER_CSR, x32, y32, reference));
  BF_GO(one(b, warm, A32, BF_PEER_SELL, x32, y32, reference));
done:
  b->be->ops.release(b->be, x32);
  b->be->ops.release(b->be, y32);
  bf_matrix_destroy(&A32);
  return err;
}

bf_err bf_bench_peer_cg(const bf_matrix *A, const double *rhs, double *x, double *seconds)
{
  enum { ITERATIONS = 100, TRIALS = 4 };
  bf_err      err = BF_OK;
  bf_peer    *p   = NULL;
  bf_backend *be  = A->be;
  *seconds        = 0.0;
  if (!be->ops.on_device) return BF_OK;
  BF_GO(bf_peer_create(be, A->csr, BF_PEER_CSR, &p));
  for (int k = 0; k < TRIALS; k++) {
    BF_GO(be->ops.zero(be, x, (size_t)A->nrows * sizeof(double)));
    BF_GO(be->ops.sync(be));
    const double t0 = bf_seconds();
    BF_GO(bf_peer_cg(p, rhs, x, NULL, ITERATIONS, 0, NULL));
    BF_GO(be->ops.sync(be));
    const double t = (bf_seconds() - t0) / ITERATIONS;
    if (k == 1 || (k > 1 && t < *seconds)) *seconds = t;
  }
done:
  bf_peer_destroy(&p);
  return err;
}
#else
bf_err bf_bench_peer_products(bf_bench *b, int warm, const bf_matrix *A, const double *x, double *y,
                              const double *reference)
{
  (void)b, (void)warm, (void)A, (void)x, (void)y, (void)reference;
  return BF_OK;
}

bf_err bf_bench_peer_cg(const bf_matrix *A, const double *rhs, double *x, double *seconds)
{
  (void)A, (void)rhs, (void)x;
  *seconds = 0.0;
  return BF_OK;
}
#endif
