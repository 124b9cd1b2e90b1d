/* kernels/cuda/vector/blas1.cu - operations on whole vectors
 *
 * Computes   axpby y = a x + b y (b = 0 does not read y), dot s = x.y, dots (two at once), reciprocal,
 *            constrain_rhs, demote, triad.
 * Source     operations of BLAS 1; the triad of STREAM.
 * Layout     plain arrays, any alignment of the element type.
 * Cost       each entry read and written once: axpby 24 n bytes, dot 16 n, triad 24 n, demote 12 n.
 * Launch     grid-stride loops of 256 threads; the grid depends on n and the device only, so that dot adds in
 *            the same order every time.
 * Checked    tests/kernels/vector/t330_vector.c against plain loops.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

static int stride_blocks(const bf_backend *be, int64_t n)
{
  const int64_t need = (n + BF_SUM_THREADS - 1) / BF_SUM_THREADS, most = 16 * bf_cuda_of(be)->sms;
  return (int)(need < most ? need : most);
}

static __global__ void axpby(int64_t n, double a, const double *x, double b, double *y)
{
  if (b == 0.0)
    BF_FOR_ENTRIES(i, n) y[i] = a * x[i];
  else
    BF_FOR_ENTRIES(i, n) y[i] = a * x[i] + b * y[i];
}

static __global__ void dot(int64_t n, const double *x, const double *y, double *s, double *partial,
                           unsigned *ticket)
{
  double sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n) sum[0] += x[i] * y[i];
  if (bf_grid_sum(sum, partial, ticket)) s[0] = sum[0];
}

static __global__ void dots(int64_t n, const double *w, const double *y, double *s, double *partial,
                            unsigned *ticket)
{
  double sum[2] = {0.0, 0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double yi = y[i];
    sum[0] += w[i] * yi;
    sum[1] += yi * yi;
  }
  if (!bf_grid_sum(sum, partial, ticket)) return;
  s[0] = sum[0];
  s[1] = sum[1];
}

static __global__ void reciprocal(int64_t n, const double *d, double *r)
{
  BF_FOR_ENTRIES(i, n)
  {
    const double di = d[i];
    r[i]            = di != 0.0 && isfinite(di) ? 1.0 / di : 1.0;
  }
}

static __global__ void constrain_rhs(int64_t n, const uint8_t *fixed, const double *diag, const double *g,
                                     const double *Ag, double *b)
{
  BF_FOR_ENTRIES(i, n) b[i] = fixed[i] ? diag[i] * g[i] : b[i] - Ag[i];
}

static __global__ void demote(int64_t n, const double *x, float *y)
{
  BF_FOR_ENTRIES(i, n) y[i] = (float)x[i];
}

static __global__ void triad(int64_t n, double a, const double *__restrict__ x, const double *__restrict__ y,
                             double *__restrict__ z)
{
  BF_FOR_ENTRIES(i, n) z[i] = x[i] + a * y[i];
}

BF_CUDA_DECLARE(vector.axpby, axpby);
bf_err bf_cuda_axpby(bf_backend *be, bf_int n, double a, const double *x, double b, double *y)
{
  if (n <= 0) return BF_OK;
  axpby<<<stride_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, a, x, b, y);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.dot, dot);
bf_err bf_cuda_dot(bf_backend *be, bf_int n, const double *x, const double *y, double *s)
{
  bf_sum_launch k;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &k));
  dot<<<k.blocks, BF_SUM_THREADS, 0, k.stream>>>(n, x, y, s, k.partial, k.ticket);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_dots(bf_backend *be, bf_int n, const double *w, const double *y, double *s)
{
  bf_sum_launch k;
  BF_TRY(bf_cuda_sum_launch(be, n, 2, &k));
  dots<<<k.blocks, BF_SUM_THREADS, 0, k.stream>>>(n, w, y, s, k.partial, k.ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.reciprocal, reciprocal);
bf_err bf_cuda_reciprocal(bf_backend *be, bf_int n, const double *d, double *r)
{
  if (n <= 0) return BF_OK;
  reciprocal<<<stride_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, d, r);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.constrain_rhs, constrain_rhs);
bf_err bf_cuda_constrain_rhs(bf_backend *be, bf_int n, const uint8_t *fixed, const double *diag,
                             const double *g, const double *Ag, double *b)
{
  if (n <= 0) return BF_OK;
  constrain_rhs<<<stride_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, fixed, diag, g, Ag,
                                                                                     b);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.demote, demote);
bf_err bf_cuda_demote(bf_backend *be, int64_t n, const double *x, float *y)
{
  if (n <= 0) return BF_OK;
  demote<<<stride_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, x, y);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(vector.triad, triad);
bf_err bf_cuda_triad(bf_backend *be, int64_t n, double a, const double *x, const double *y, double *z)
{
  if (n <= 0) return BF_OK;
  triad<<<stride_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, a, x, y, z);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
