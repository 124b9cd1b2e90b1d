/* solvers/eigen/participation.c - see eigen.h: effective masses of vibrations */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "solvers/eigen.h"

static double dot(bf_int n, const double *x, const double *y)
{
  double s = 0.0;
  for (bf_int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

bf_err bf_eigen_participation(const bf_matrix *M, int nr, const double *R, int nx, const double *X,
                              double *part, double *whole)
{
  bf_err  err = BF_OK;
  double *r = NULL, *y = NULL, *host = NULL;
  BF_CHECK(M && nr >= 0 && nx >= 0 && (nr == 0 || (R && whole)) && (nx == 0 || (X && part)), BF_E_ARG,
           "null argument");
  bf_backend  *be = M->be;
  const size_t n = (size_t)M->nrows, bytes = n * sizeof(double);
  BF_GO(bf_vector_create(be, M->nrows, M->guard, &r));
  BF_GO(bf_vector_create(be, M->nrows, M->guard, &y));
  BF_GO(BF_NEW_ARRAY(host, n));
  for (int j = 0; j < nr; j++) {
    BF_GO(be->ops.copy(be, r, R + (size_t)j * n, bytes, BF_TO_DEVICE));
    BF_GO(bf_matrix_spmv(M, r, y, NULL, NULL));
    BF_GO(be->ops.copy(be, host, y, bytes, BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    whole[j] = dot(M->nrows, R + (size_t)j * n, host);
    for (int i = 0; i < nx; i++)
      part[(size_t)i * (size_t)nr + (size_t)j] = dot(M->nrows, X + (size_t)i * n, host);
  }
done:
  bf_vector_destroy(be, M->guard, &r);
  bf_vector_destroy(be, M->guard, &y);
  bf_host_free(host);
  return err;
}
