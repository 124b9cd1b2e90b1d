/* app/bench_cg.c - bandfem bench cg: one iteration, the loop of cuSPARSE and cuBLAS beside it
 *
 * Bytes of an iteration: those of the product and 7 more passes over vectors (9 with the product's two).
 */
#include "app/bench.h"
#include <math.h>
#include <string.h>

static double bytes_of(const bf_matrix *A)
{
  return (double)bf_matrix_product_bytes(A) + 7.0 * 8.0 * A->nrows;
}

static bf_err measure(bf_bench *b, const bf_matrix *A, const char *kernel, int apart, const double *rhs)
{
  bf_bench_row row = {.kernel = kernel, .bytes = bytes_of(A), .error = -1.0};
  BF_TRY(bf_bench_iteration(A, BF_METHOD_CG, apart, rhs, &row.seconds));
  if (isfinite(row.seconds)) bf_bench_show(b, &row);
  return BF_OK;
}

static bf_err banded(bf_bench *b, const bf_case *c, int half, const double *rhs)
{
  bf_err     err = BF_OK;
  bf_matrix *A = NULL, *A32 = NULL;
  BF_GO(bf_case_bdia(b->be, c, half, &A));
  BF_GO(measure(b, A, half ? "bdia half fp64" : "bdia full fp64", 0, rhs));
  BF_GO(bf_matrix_to_fp32(A, &A32));
  bf_matrix_destroy(&A);
  BF_GO(measure(b, A32, half ? "bdia half fp32 values" : "bdia full fp32 values", 0, rhs));
done:
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&A32);
  return err;
}

static bf_err one(bf_bench *b, const bf_case *c, int warm)
{
  bf_err       err = BF_OK;
  const bf_int n = bf_case_rows(c), guard = bf_case_guard(c);
  bf_graph    *g = NULL;
  bf_matrix   *A = NULL;
  double      *x = NULL, *rhs = NULL;
  (void)warm; /* an iteration follows the one before */
  if (strncmp(c->name, "paper", 5) == 0) return bf_bench_dia_and_bdia(b, c, measure);
  BF_GO(bf_vector_create(b->be, n, guard, &x));
  BF_GO(bf_vector_create(b->be, n, guard, &rhs));
  BF_GO(bf_bench_random(b->be, n, rhs));
  BF_GO(bf_case_graph(c, &g));
  BF_GO(bf_case_csr(b->be, c, g, &A));
  bf_graph_destroy(&g);
  BF_GO(bf_bench_peer_iterations(b, A, BF_METHOD_CG, rhs, x, bytes_of(A)));
  BF_GO(measure(b, A, "csr fp64", 0, rhs));
  bf_matrix_destroy(&A);
  BF_GO(banded(b, c, 0, rhs));
  BF_GO(banded(b, c, 1, rhs));
done:
  bf_graph_destroy(&g);
  bf_matrix_destroy(&A);
  bf_vector_destroy(b->be, guard, &x);
  bf_vector_destroy(b->be, guard, &rhs);
  return err;
}

bf_err bf_bench_cg(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"band101-30000", BF_CASE_BAND, 0, 101, 0}, 30000, 30000, 3000, 1},
      {{"grid64", BF_CASE_GRID, 0, 0, 0}, 64, 0, 0, 1},
      {{"grid128", BF_CASE_GRID, 0, 0, 0}, 128, 100, 20, 1},
      {{"grid200", BF_CASE_GRID, 0, 0, 0}, 200, 128, 22, 1},
      {{"band101", BF_CASE_BAND, 0, 101, 0}, 4000000, 400000, 20000, 1},
      {{"paper-d3", BF_CASE_BAND, 0, 3, 0}, 30000, 30000, 3000, 1},
      {{"paper-d27", BF_CASE_BAND, 0, 27, 0}, 30000, 30000, 3000, 1},
      {{"paper-d51", BF_CASE_BAND, 0, 51, 0}, 30000, 30000, 3000, 1},
      {{"paper-d101", BF_CASE_BAND, 0, 101, 0}, 30000, 30000, 3000, 1},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
