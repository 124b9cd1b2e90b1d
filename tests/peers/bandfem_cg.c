/* tests/peers/bandfem_cg.c - CG with Jacobi by bandfem on the matrix of grid_matrix.h
 * usage: bandfem_cg M D full|half|half32 RTOL   prints: seconds, iterations, true residual; then GB/s of the
 * product and of the triad
 */
#include "base/memory.h"
#include "base/timer.h"
#include "solvers/solver.h"
#include "tests/peers/grid_matrix.h"
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

/* GB/s of the product and of the triad, best of a few. */
static bf_err rates(const bf_matrix *A, const double *x, double *y, double rate[2])
{
  enum { N = 1 << 24, TIMES = 9 };
  bf_err      err     = BF_OK;
  bf_backend *be      = A->be;
  void       *v[3]    = {NULL};
  double      best[2] = {INFINITY, INFINITY};
  for (int i = 0; i < 3; i++) {
    BF_GO(be->ops.alloc(be, N * sizeof(double), &v[i]));
    BF_GO(be->ops.zero(be, v[i], N * sizeof(double)));
  }
  for (int k = 0; k < TIMES; k++) {
    const double t0 = bf_seconds();
    BF_GO(bf_matrix_spmv(A, x, y, NULL, NULL));
    const double t1 = bf_seconds();
    BF_GO(BF_OP(be, triad, N, 3.0, v[0], v[1], v[2]));
    best[0] = fmin(best[0], t1 - t0);
    best[1] = fmin(best[1], bf_seconds() - t1);
  }
  rate[0] = (double)bf_matrix_product_bytes(A) / best[0] / 1e9;
  rate[1] = 24.0 * N / best[1] / 1e9;
done:
  for (int i = 0; i < 3; i++) be->ops.release(be, v[i]);
  return err;
}

int main(int argc, char **argv)
{
  bf_err          err = BF_OK;
  bf_backend     *be  = NULL;
  bf_matrix      *A = NULL, *fast = NULL;
  double         *b = NULL, *x = NULL, *y = NULL, rate[2] = {0.0, 0.0};
  bf_solve_report rep = {0};
  if (argc != 5) return 2;
  const int m = atoi(argv[1]), D = atoi(argv[2]), half = strncmp(argv[3], "half", 4) == 0;
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(matrix(be, m, D, half, &A));
  if (strcmp(argv[3], "half32") == 0) BF_GO(bf_matrix_to_fp32(A, &fast));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &b));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &x));
  BF_GO(bf_vector_create(be, A->nrows, A->guard, &y));
  for (bf_int r = 0; r < A->nrows; r++) b[r] = grid_b(r);
  BF_GO(rates(fast ? fast : A, b, y, rate));
  const bf_solve_options opt = {
      .method = BF_METHOD_CG, .precond = BF_PRECOND_JACOBI, .rtol = atof(argv[4]), .max_iterations = 100000};
  BF_GO(bf_solve(A, fast, b, x, &opt, &rep));
  printf("%.6f %d %.3e %.2f %.2f\n", rep.seconds, rep.iterations, rep.true_residual, rate[0], rate[1]);
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
