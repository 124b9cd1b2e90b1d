/* app/bench/published_bdia.c - bandfem bench paper: the figure of Wang et al. (docs/references.md) on this
 * machine
 *
 * One band of d = 3 .. 101 diagonals, n = 15600 rows, every format, values in fp64 and fp32, warm caches,
 * beside the kernels of the publication (all numbers of one precision) and cuSPARSE.  GFlop/s = 2 nnz / time.
 * Source: "Efficient Sparse Matrix-vector Multiplication and CG Solver Optimization on GPU", figure 8.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#ifdef BF_WITH_PEERS
#include "kernels/vendor.h"
#endif
#include <string.h>

typedef struct figure { /* of one matrix */
  bf_bench        *b;
  const bf_matrix *csr; /* fp64 */
  double          *x, *y;
  double          *reference; /* host */
} figure;

#ifdef BF_WITH_PEERS
typedef struct paper_call {
  const bf_matrix *A;
  int              shared;
  const void      *x;
  void            *y;
} paper_call;

static bf_err run_paper(void *context)
{
  const paper_call *c = context;
  return bf_peer_paper(c->A->be, c->A->bdia, c->shared, c->x, c->y);
}

/* A: bDIA, full.  fp32: vectors too, so its y is not compared. */
static bf_err paper_kernels(const figure *f, const bf_matrix *A)
{
  static const char *const name[2][2] = {{"published bdia plain fp64", "published bdia shared fp64"},
                                         {"published bdia plain fp32", "published bdia shared fp32"}};
  bf_err                   err        = BF_OK;
  const int                wide       = A->prec == BF_FP64;
  const bf_int             n          = A->nrows;
  double                  *x32 = NULL, *y32 = NULL;
  BF_GO(bf_vector_create(A->be, n, A->guard, &x32));
  BF_GO(bf_vector_create(A->be, n, A->guard, &y32));
  BF_GO(BF_OP(A->be, vector.demote, n, f->x, (float *)x32));
  for (int shared = 0; shared < 2; shared++) {
    paper_call   c   = {A, shared, wide ? f->x : x32, wide ? f->y : y32};
    bf_bench_row row = {.kernel = name[!wide][shared], .error = -1.0};
    row.bytes        = (double)bf_matrix_product_bytes(A) - (wide ? 0.0 : 8.0 * n);
    BF_GO(run_paper(&c));
    if (wide) BF_GO(bf_bench_error(A->be, n, f->y, f->reference, &row.error));
    BF_GO(bf_bench_seconds(A->be, 1, run_paper, &c, &row.seconds));
    bf_bench_show(f->b, &row);
  }
done:
  bf_vector_destroy(A->be, A->guard, &x32);
  bf_vector_destroy(A->be, A->guard, &y32);
  return err;
}
#endif

static bf_err format(const figure *f, bf_format word, int half)
{
  bf_err       err = BF_OK;
  bf_matrix   *A   = NULL;
  char         kernel[64];
  bf_bench_row row = {.kernel = kernel};
  for (int prec = BF_FP64; prec <= BF_FP32; prec++) {
    const bf_matrix_form form = {word, half, (bf_prec)prec, 0};
    err                       = bf_matrix_convert(f->csr, &form, &A);
    if (err == BF_E_UNSUPPORTED) return BF_OK;
    BF_GO(err);
    bf_product p = {A, f->x, f->y};
    snprintf(kernel, sizeof kernel, "%s%s %s", bf_format_word(word), half ? " half" : "",
             prec == BF_FP64 ? "fp64" : "fp32 values");
    row.bytes = (double)bf_matrix_product_bytes(A);
    BF_GO(bf_product_run(&p));
    BF_GO(bf_bench_error(A->be, A->nrows, f->y, f->reference, &row.error));
    BF_GO(bf_bench_seconds(A->be, 1, bf_product_run, &p, &row.seconds));
    bf_bench_show(f->b, &row);
#ifdef BF_WITH_PEERS
    if (word == BF_FORMAT_BDIA && !half && A->be->ops.on_device) BF_GO(paper_kernels(f, A));
#endif
    bf_matrix_destroy(&A);
  }
done:
  bf_matrix_destroy(&A);
  return err;
}

static bf_err one(bf_bench *b, const bf_case *c, int warm)
{
  static const bf_format formats[] = {BF_FORMAT_COO, BF_FORMAT_CSR, BF_FORMAT_CSR16, BF_FORMAT_ELL,
                                      BF_FORMAT_HYB, BF_FORMAT_DIA, BF_FORMAT_BDIA};
  bf_err                 err       = BF_OK;
  const bf_int           n = bf_case_rows(c), guard = bf_case_guard(c);
  bf_graph              *g = NULL;
  bf_matrix             *A = NULL;
  figure                 f = {.b = b};
  BF_GO(bf_vector_create(b->be, n, guard, &f.x));
  BF_GO(bf_vector_create(b->be, n, guard, &f.y));
  BF_GO(BF_NEW_ARRAY(f.reference, n));
  BF_GO(bf_bench_random(b->be, n, f.x));
  BF_GO(bf_case_graph(c, &g));
  BF_GO(bf_case_csr(b->be, c, g, &A));
  f.csr              = A;
  const bf_product p = {A, f.x, f.y};
  BF_GO(bf_product_run((void *)&p));
  BF_GO(b->be->ops.copy(b->be, f.reference, f.y, (size_t)n * sizeof(double), BF_TO_HOST));
  BF_GO(b->be->ops.sync(b->be));
  BF_GO(bf_bench_peer_products(b, warm, A, f.x, f.y, f.reference));
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) BF_GO(format(&f, formats[k], 0));
  BF_GO(format(&f, BF_FORMAT_BDIA, 1));
done:
  bf_graph_destroy(&g);
  bf_matrix_destroy(&A);
  bf_vector_destroy(b->be, guard, &f.x);
  bf_vector_destroy(b->be, guard, &f.y);
  bf_host_free(f.reference);
  return err;
}

bf_err bf_bench_paper(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"d3", BF_CASE_BAND, 0, 3, 0}, 15600, 15600, 500, 1},
      {{"d11", BF_CASE_BAND, 0, 11, 0}, 15600, 15600, 500, 1},
      {{"d21", BF_CASE_BAND, 0, 21, 0}, 15600, 15600, 0, 1},
      {{"d31", BF_CASE_BAND, 0, 31, 0}, 15600, 15600, 0, 1},
      {{"d41", BF_CASE_BAND, 0, 41, 0}, 15600, 15600, 0, 1},
      {{"d51", BF_CASE_BAND, 0, 51, 0}, 15600, 15600, 0, 1},
      {{"d61", BF_CASE_BAND, 0, 61, 0}, 15600, 15600, 0, 1},
      {{"d71", BF_CASE_BAND, 0, 71, 0}, 15600, 15600, 0, 1},
      {{"d81", BF_CASE_BAND, 0, 81, 0}, 15600, 15600, 0, 1},
      {{"d91", BF_CASE_BAND, 0, 91, 0}, 15600, 15600, 0, 1},
      {{"d101", BF_CASE_BAND, 0, 101, 0}, 15600, 15600, 0, 1},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
