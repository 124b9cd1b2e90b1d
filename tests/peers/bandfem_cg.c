/* tests/peers/bandfem_cg.c - CG with Jacobi by bandfem on the matrix of grid_matrix.h, and the rate of its
 * product
 *
 * usage: bandfem_cg M D full|half|full32|half32 [RTOL]
 * prints: with RTOL seconds, iterations, true residual; then GB/s of the product and of the STREAM triad
 * beside it, medians; the share of the one in the other, median, least and largest; GB/s of a loop that reads
 * and writes the same bytes and only adds them up (same_bytes.h), and the product's share of that, medians
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/solver.h"
#include "tests/peers/grid_matrix.h"
#include "tests/peers/same_bytes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bf_err matrix(bf_backend *be, int m, int D, int half, bf_matrix **A)
{
  bf_err       err = BF_OK;
  bf_sparse   *S   = NULL;
  const bf_int n   = m * m * m * D;
  int64_t      nnz = 0;
  int32_t      col[81];
  double       val[81];
  for (bf_int r = 0; r < n; r++) nnz += grid_row(m, D, r, col, val);
  BF_GO(bf_sparse_create(n, n, nnz, &S));
  for (bf_int r = 0; r < n; r++)
    S->ptr[r + 1] = S->ptr[r] + grid_row(m, D, r, S->col + S->ptr[r], S->val + S->ptr[r]);
  BF_GO(
      bf_matrix_from_sparse(be, S, &(bf_matrix_form){.format = BF_FORMAT_BDIA, .half = half, .ncomp = D}, A));
done:
  bf_sparse_destroy(&S);
  return err;
}

enum { ENTRIES = 1 << 24, TIMES = 15 }; /* of an array of the triad; products */

typedef struct rates {
  double product[TIMES], triad[TIMES + 1], share[TIMES], bytes[TIMES], of_bytes[TIMES];
} rates;

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* In turn, so that both see the same memory: a share is a product over the mean of the triads before and
 * after. The triad counts 24 bytes an entry, as STREAM does, the product bf_matrix_product_bytes. */
static bf_err measure(const bf_matrix *A, const double *x, double *y, rates *r)
{
  bf_err      err  = BF_OK;
  bf_backend *be   = A->be;
  void       *v[3] = {NULL};
  for (int i = 0; i < 3; i++) {
    BF_GO(be->ops.alloc(be, ENTRIES * sizeof(double), &v[i]));
    BF_GO(be->ops.zero(be, v[i], ENTRIES * sizeof(double)));
  }
  BF_GO(bf_matrix_spmv(A, x, y, NULL, NULL)); /* pages touched */
  for (int k = 0; k <= TIMES; k++) {
    const double t0 = bf_seconds();
    BF_GO(BF_OP(be, vector.triad, ENTRIES, 3.0, v[0], v[1], v[2]));
    const double t1 = bf_seconds();
    if (k < TIMES) BF_GO(bf_matrix_spmv(A, x, y, NULL, NULL));
    r->triad[k] = 24.0 * ENTRIES / (t1 - t0) / 1e9;
    if (k == TIMES) break;
    const double t2 = bf_seconds();
    same_bytes(A->bdia, x, y);
    const double t3 = bf_seconds(), moved = (double)bf_matrix_product_bytes(A) / 1e9;
    r->product[k]  = moved / (t2 - t1);
    r->bytes[k]    = moved / (t3 - t2);
    r->of_bytes[k] = (t3 - t2) / (t2 - t1);
  }
  for (int k = 0; k < TIMES; k++)
    r->share[k] = r->product[k] * (1.0 / r->triad[k] + 1.0 / r->triad[k + 1]) / 2.0;
  qsort(r->product, TIMES, sizeof(double), ascending);
  qsort(r->triad, TIMES + 1, sizeof(double), ascending);
  qsort(r->share, TIMES, sizeof(double), ascending);
  qsort(r->bytes, TIMES, sizeof(double), ascending);
  qsort(r->of_bytes, TIMES, sizeof(double), ascending);
done:
  for (int i = 0; i < 3; i++) be->ops.release(be, v[i]);
  return err;
}

int main(int argc, char **argv)
{
  bf_err          err = BF_OK;
  bf_backend     *be  = NULL;
  bf_matrix      *A = NULL, *fast = NULL;
  double         *b = NULL, *x = NULL, *y = NULL;
  rates           r   = {0};
  bf_solve_report rep = {0};
  if (argc != 4 && argc != 5) return 2;
  const int m = atoi(argv[1]), D = atoi(argv[2]), half = strncmp(argv[3], "half", 4) == 0;
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(matrix(be, m, D, half, &A));
  if (strstr(argv[3], "32")) BF_GO(bf_matrix_to_fp32(A, &fast));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &b));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &x));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &y));
  for (bf_int i = 0; i < A->nrows; i++) b[i] = grid_b(i);
  BF_GO(measure(fast ? fast : A, b, y, &r));
  if (argc == 5) {
    const bf_solve_options opt = {.method         = BF_METHOD_CG,
                                  .precond        = BF_PRECOND_JACOBI,
                                  .rtol           = atof(argv[4]),
                                  .max_iterations = 100000};
    BF_GO(bf_solve(A, fast, b, x, &opt, &rep));
    printf("%.6f %d %.3e ", rep.seconds, rep.iterations, rep.true_residual);
  }
  printf("%.2f %.2f %.3f %.3f %.3f %.2f %.3f\n", r.product[TIMES / 2], r.triad[TIMES / 2], r.share[TIMES / 2],
         r.share[0], r.share[TIMES - 1], r.bytes[TIMES / 2], r.of_bytes[TIMES / 2]);
done:
  if (err != BF_OK) fprintf(stderr, "%s\n", bf_err_trace());
  bf_solve_report_clear(&rep);
  if (A) {
    bf_vector_destroy(be, A->guard, &b);
    bf_vector_destroy(be, A->guard, &x);
    bf_vector_destroy(be, A->guard, &y);
  }
  bf_matrix_destroy(&fast);
  bf_matrix_destroy(&A);
  bf_backend_destroy(&be);
  return err != BF_OK;
}
