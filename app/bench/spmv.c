/* app/bench/spmv.c - bandfem bench spmv: y = A x, every format beside cuSPARSE */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"

typedef struct table { /* of one case */
  bf_bench  *b;
  int        warm;
  bf_product p;
  double    *dot;       /* backend [2]: w.y and y.y with w = x, as CG asks for them */
  double    *reference; /* host: the product of CSR fp64 */
} table;

static bf_err run_with_dots(void *context)
{
  const table *t = context;
  return bf_matrix_spmv(t->p.A, t->p.x, t->p.y, t->p.x, t->dot);
}

static bf_err measure(table *t, const bf_matrix *A, const char *kernel)
{
  char         with_dots[64];
  bf_bench_row row = {.kernel = kernel, .bytes = (double)bf_matrix_product_bytes(A)};
  t->p.A           = A;
  BF_TRY(bf_product_run(&t->p));
  BF_TRY(bf_bench_error(A->be, A->nrows, t->p.y, t->reference, &row.error));
  BF_TRY(bf_bench_seconds(A->be, t->warm, bf_product_run, &t->p, &row.seconds));
  bf_bench_show(t->b, &row);
  snprintf(with_dots, sizeof with_dots, "%s + dots", kernel);
  row.kernel = with_dots;
  BF_TRY(bf_bench_seconds(A->be, t->warm, run_with_dots, t, &row.seconds));
  bf_bench_show(t->b, &row);
  return BF_OK;
}

/* fp64, then the same matrix with fp32 values. */
static bf_err both(table *t, const bf_matrix *A, const char *wide, const char *narrow)
{
  bf_matrix *A32 = NULL;
  bf_err     err = BF_OK;
  BF_GO(measure(t, A, wide));
  BF_GO(bf_matrix_to_fp32(A, &A32));
  BF_GO(measure(t, A32, narrow));
done:
  bf_matrix_destroy(&A32);
  return err;
}

static bf_err compressed(table *t, const bf_case *c)
{
  bf_err      err = BF_OK;
  bf_graph   *g   = NULL;
  bf_matrix  *A = NULL, *A16 = NULL;
  bf_backend *be = t->b->be;
  BF_GO(bf_case_graph(c, &g));
  BF_GO(bf_case_csr(be, c, g, &A));
  bf_graph_destroy(&g);
  t->p.A = A;
  BF_GO(bf_product_run(&t->p));
  BF_GO(be->ops.copy(be, t->reference, t->p.y, (size_t)A->nrows * sizeof(double), BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  BF_GO(bf_bench_peer_products(t->b, t->warm, A, t->p.x, t->p.y, t->reference));
  BF_GO(both(t, A, "csr fp64", "csr fp32 values"));
  if (c->kind == BF_CASE_TET) {
    const bf_matrix_form form = {.format = BF_FORMAT_CSR16};
    BF_GO(bf_matrix_convert(A, &form, &A16));
    BF_GO(both(t, A16, "csr16 fp64", "csr16 fp32 values"));
  }
done:
  bf_graph_destroy(&g);
  bf_matrix_destroy(&A16);
  bf_matrix_destroy(&A);
  return err;
}

static bf_err diagonals(table *t, const bf_case *c, int half)
{
  bf_err     err = BF_OK;
  bf_matrix *A   = NULL;
  BF_GO(bf_case_bdia(t->b->be, c, half, &A));
  BF_GO(half ? both(t, A, "bdia half fp64", "bdia half fp32 values")
             : both(t, A, "bdia full fp64", "bdia full fp32 values"));
done:
  bf_matrix_destroy(&A);
  return err;
}

static bf_err one(bf_bench *b, const bf_case *c, int warm)
{
  bf_err       err = BF_OK;
  const bf_int n = bf_case_rows(c), guard = bf_case_guard(c);
  table        t   = {.b = b, .warm = warm};
  double      *x   = NULL;
  void        *dot = NULL;
  BF_GO(bf_vector_create(b->be, n, guard, &x));
  BF_GO(bf_vector_create(b->be, n, guard, &t.p.y));
  BF_GO(BF_NEW_ARRAY(t.reference, n));
  BF_GO(bf_bench_random(b->be, n, x));
  BF_GO(b->be->ops.alloc(b->be, 2 * sizeof(double), &dot));
  t.p.x = x;
  t.dot = dot;
  BF_GO(compressed(&t, c));
  if (c->kind == BF_CASE_BAND || c->kind == BF_CASE_GRID) {
    BF_GO(diagonals(&t, c, 0));
    BF_GO(diagonals(&t, c, 1));
  }
done:
  bf_vector_destroy(b->be, guard, &x);
  bf_vector_destroy(b->be, guard, &t.p.y);
  b->be->ops.release(b->be, dot);
  bf_host_free(t.reference);
  return err;
}

bf_err bf_bench_spmv(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"band27", BF_CASE_BAND, 0, 27, 0}, 4000000, 1000000, 20000, 0},
      {{"band101", BF_CASE_BAND, 0, 101, 0}, 4000000, 400000, 20000, 0},
      {{"grid128", BF_CASE_GRID, 0, 0, 0}, 128, 100, 20, 0},
      {{"grid200", BF_CASE_GRID, 0, 0, 0}, 200, 128, 22, 0},
      {{"grid320", BF_CASE_GRID, 0, 0, 0}, 320, 0, 0, 0},
      {{"small15600", BF_CASE_BAND, 0, 101, 0}, 15600, 15600, 3000, 1},
      {{"small30000", BF_CASE_BAND, 0, 101, 0}, 30000, 30000, 3000, 1},
      {{"tet", BF_CASE_TET, 0, 0, 0}, 100, 60, 12, 0},
      {{"random", BF_CASE_RANDOM, 0, 25, 1}, 4000000, 200000, 3000, 0},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
