/* kernels/cuda/multigrid/lanczos.cu - one step of Lanczos for the largest eigenvalue of D^-1 A, its scalars
 * on the device
 *
 * Computes   multigrid/ops.h: lanczos_start, lanczos_step.
 * Source     C. Lanczos, J. Res. Natl. Bur. Stand. 45 (1950) 255, doi 10.6028/jres.045.026; Golub
 *            and Van Loan, Matrix Computations, sec. 10.1, in the inner product of D.
 * Layout     vectors of n entries, scalars of the step in device memory.
 * Cost       y, w, s and the vector before are read once, one vector is written: 40 n bytes.
 * Launch     grid-stride loops of 256 threads with a sum; the last block computes the scalars.
 * Checked    tests/solvers/t431_smoother_steps.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/multigrid/multigrid.cuh"
extern "C" {
#include "kernels/multigrid/hash_noise.h"
}

namespace bf
{

static __global__ void __launch_bounds__(BF_SUM_THREADS)
    first(int64_t n, int ncomp, int salt, const double *s, double *w, bf_mg_lanczos *S, double *partial,
          unsigned *ticket)
{
  double sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double v = bf_hash_noise(i / ncomp, (int)(i % ncomp), salt);
    w[i]           = s[i] * v;
    sum[0] += v * v;
  }
  if (bf_grid_sum(sum, partial, ticket)) S->scale[0] = 1.0 / sqrt(sum[0]);
}

static __global__ void __launch_bounds__(BF_SUM_THREADS)
    advance(int64_t n, int k, const double *s, const double *y, const double *w, double *before,
            bf_mg_lanczos *S, double *partial, unsigned *ticket)
{
  const double here = S->scale[k], diag = here * here * S->dot[0];
  const double last   = k > 0 ? S->off[k - 1] * S->scale[k - 1] : 0.0;
  double       sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double si   = s[i];
    double       next = here * (si * si * y[i] - diag * w[i]);
    if (k > 0) next -= last * before[i];
    before[i]      = next;
    const double v = next / si;
    sum[0] += v * v;
  }
  if (!bf_grid_sum(sum, partial, ticket)) return;
  const double norm = sqrt(sum[0]);
  S->diag[k]        = diag;
  S->off[k]         = norm;
  S->scale[k + 1]   = 1.0 / norm;
}

bf_err bf_cuda_lanczos_start(bf_backend *be, bf_int n, int ncomp, int salt, const double *s, double *w,
                             bf_mg_lanczos *S)
{
  bf_sum_launch k;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &k));
  first<<<k.blocks, BF_SUM_THREADS, 0, k.stream>>>(n, ncomp, salt, s, w, S, k.partial, k.ticket);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_lanczos_step(bf_backend *be, bf_int n, int k, const double *s, const double *y,
                            const double *w, double *before, bf_mg_lanczos *S)
{
  bf_sum_launch l;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &l));
  advance<<<l.blocks, BF_SUM_THREADS, 0, l.stream>>>(n, k, s, y, w, before, S, l.partial, l.ticket);
  return BF_CUDA_LAUNCHED(be);
}

} /* namespace bf */
