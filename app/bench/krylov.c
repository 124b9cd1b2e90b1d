/* app/bench/krylov.c - bandfem bench cg|bicgstab: one iteration, the loop of cuSPARSE and cuBLAS beside it
 *
 * CG runs on symmetric matrices; BiCGStab on unsymmetric ones, and on symmetric ones for their half storage.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include <math.h>
#include <string.h>

static bf_method method_of(const bf_bench *b)
{
  return strcmp(b->table, "cg") == 0 ? BF_METHOD_CG : BF_METHOD_BICGSTAB;
}

/* CG: a product and 7 more passes over vectors (9 with the product's two); BiCGStab: two products and 13. */
static double bytes_of(const bf_bench *b, const bf_matrix *A)
{
  const double product = (double)bf_matrix_product_bytes(A), pass = 8.0 * A->nrows;
  return method_of(b) == BF_METHOD_CG ? product + 7.0 * pass : 2.0 * product + 13.0 * pass;
}

static bf_err measure(bf_bench *b, const bf_matrix *A, const char *kernel, int apart, const double *rhs)
{
  bf_bench_row row = {.kernel = kernel, .bytes = bytes_of(b, A)};
  BF_TRY(bf_bench_iteration(A, method_of(b), apart, rhs, &row.seconds, &row.error));
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

/* Rows of the figure of CG and BiCGStab of Wang et al. (docs/references.md): DIA step by step, and bDIA. */
static bf_err dia_and_bdia(bf_bench *b, const bf_case *c)
{
  bf_err       err = BF_OK;
  const bf_int n = bf_case_rows(c), guard = bf_case_guard(c);
  bf_matrix   *A = NULL, *dia = NULL;
  double      *rhs = NULL;
  BF_GO(bf_vector_create(b->be, n, guard, &rhs));
  BF_GO(bf_bench_random(b->be, n, rhs));
  BF_GO(bf_case_bdia(b->be, c, 0, &A));
  BF_GO(bf_matrix_convert(A, &(bf_matrix_form){.format = BF_FORMAT_DIA}, &dia));
  BF_GO(measure(b, dia, "dia fp64, step by step", 1, rhs));
  BF_GO(measure(b, A, "bdia full fp64", 0, rhs));
  if (c->unsymmetric) goto done;
  bf_matrix_destroy(&A);
  BF_GO(bf_case_bdia(b->be, c, 1, &A));
  BF_GO(measure(b, A, "bdia half fp64", 0, rhs));
done:
  bf_matrix_destroy(&A);
  bf_matrix_destroy(&dia);
  bf_vector_destroy(b->be, guard, &rhs);
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
  if (strncmp(c->name, "paper", 5) == 0) return dia_and_bdia(b, c);
  BF_GO(bf_vector_create(b->be, n, guard, &x));
  BF_GO(bf_vector_create(b->be, n, guard, &rhs));
  BF_GO(bf_bench_random(b->be, n, rhs));
  BF_GO(bf_case_graph(c, &g));
  BF_GO(bf_case_csr(b->be, c, g, &A));
  bf_graph_destroy(&g);
  BF_GO(bf_bench_peer_iterations(b, A, method_of(b), rhs, x, bytes_of(b, A)));
  BF_GO(measure(b, A, "csr fp64", 0, rhs));
  bf_matrix_destroy(&A);
  BF_GO(banded(b, c, 0, rhs));
  if (!c->unsymmetric) BF_GO(banded(b, c, 1, rhs));
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

bf_err bf_bench_bicgstab(bf_bench *b)
{
  static const bf_sized_case all[] = {
      {{"band101-30000", BF_CASE_BAND, 0, 101, 1}, 30000, 30000, 3000, 1},
      {{"grid128", BF_CASE_GRID, 0, 0, 1}, 128, 100, 20, 1},
      {{"grid200", BF_CASE_GRID, 0, 0, 1}, 200, 128, 22, 1},
      {{"band101", BF_CASE_BAND, 0, 101, 1}, 4000000, 400000, 20000, 1},
      {{"symmetric-grid128", BF_CASE_GRID, 0, 0, 0}, 128, 100, 20, 1},
      {{"symmetric-grid200", BF_CASE_GRID, 0, 0, 0}, 200, 128, 22, 1},
      {{"symmetric-band101", BF_CASE_BAND, 0, 101, 0}, 4000000, 400000, 20000, 1},
      {{"paper-d3", BF_CASE_BAND, 0, 3, 1}, 30000, 30000, 3000, 1},
      {{"paper-d27", BF_CASE_BAND, 0, 27, 1}, 30000, 30000, 3000, 1},
      {{"paper-d51", BF_CASE_BAND, 0, 51, 1}, 30000, 30000, 3000, 1},
      {{"paper-d101", BF_CASE_BAND, 0, 101, 1}, 30000, 30000, 3000, 1},
  };
  return bf_bench_cases(b, all, sizeof all / sizeof *all, one);
}
