/* app/bench/syinv_serial.c - see syinv_serial.h; Huo et al. 2015, doi 10.16208/j.issn1000-7024.2015.08.025,
 * figures 1 and 10
 *
 * W the inverse of the leading block of order t: q = -W r, beta = rho + r.q, W += q q^T / beta, border
 * q / beta and 1 / beta. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/syinv_serial.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>

/* Rows i0 .. i1-1 of q = -W r. */
static void product(size_t n, size_t t, const float *A, const float *r, float *q, size_t i0, size_t i1)
{
  for (size_t i = i0; i < i1; i++) q[i] = 0.0F;
  for (size_t j = 0; j < t; j++)
    for (size_t i = i0; i < i1; i++) q[i] -= A[j * n + i] * r[j];
}

bf_err bf_bench_serial_border(bf_int order, float *A)
{
  const size_t n = (size_t)order;
  float       *q = NULL, scale = 0.0F;
  bf_err       err = BF_OK;
  BF_GO(BF_NEW_ARRAY(q, n));
#pragma omp parallel
  {
    const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
    for (size_t t = 0; t < n; t++) {
      float *r = A + t * n;
      product(n, t, A, r, q, t * me / threads, t * (me + 1) / threads);
#pragma omp barrier
#pragma omp single
      {
        float beta = r[t];
        for (size_t i = 0; i < t; i++) beta += r[i] * q[i];
        scale = 1 / beta;
      }
#pragma omp for schedule(static)
      for (size_t j = 0; j < t; j++) {
        for (size_t i = 0; i < t; i++) A[j * n + i] += scale * (q[i] * q[j]);
        A[j * n + t] = r[j] = scale * q[j];
      }
#pragma omp single
      r[t] = scale;
    }
  }
done:
  bf_host_free(q);
  return err;
}

double bf_bench_difference(size_t count, const float *x, const float *y, double *relative)
{
  double d = 0.0, s = 0.0;
  for (size_t k = 0; k < count; k++) {
    const double e = (double)x[k] - (double)y[k];
    d += e * e;
    s += (double)y[k] * (double)y[k];
  }
  *relative = sqrt(d / s);
  return sqrt(d / (double)count);
}
