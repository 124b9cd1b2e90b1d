/* kernels/cuda/cg.cu - the vector work of a conjugate gradient iteration, one kernel a step
 *
 * Computes   cg_begin      p = z, rr = r.r, rho = r.z   with z = dinv r (or r)
 *            cg_update     x += a p, r -= a q, rr = r.r, rz = r.z, then the scalar step of krylov.h
 *            cg_direction  p = z + beta p
 * Source     Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse Linear Systems, alg. 9.1.
 * Cost       per entry: begin 32 bytes, update 56, direction 32 (Jacobi; 8 less each without).
 * Launch     grid-stride loops, 256 threads; the last block to arrive adds the partial sums and makes
 *            the scalar step, so an iteration is three launches: product with p.q, update, direction.
 *            cg_direction walks backwards: what cg_update wrote last is still in the cache.
 * Checked    tests/t340_krylov.c, t350_large.c and the solvers' tests, against the CPU backend.
 */
#include "kernels/cuda/cuda_util.cuh"

/* Thread t owns entries t, t + threads of the grid, ...; one thread of the last block owns the state. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    begin(int64_t n, const double *r, const double *dinv, double *p, bf_krylov_state *st, double *history,
          double *partial, unsigned *ticket)
{
  const int64_t step   = (int64_t)gridDim.x * BF_SUM_THREADS;
  double        sum[2] = {0.0, 0.0};
  for (int64_t i = (int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x; i < n; i += step) {
    const double ri = r[i], zi = JACOBI ? dinv[i] * ri : ri;
    p[i] = zi;
    sum[0] += ri * ri;
    sum[1] += ri * zi;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_cg_begin(st, sum[0], sum[1], history);
}

/* Ownership as above.  Every thread has read the state before the last block changes it. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    update(int64_t n, double *__restrict__ x, double *__restrict__ r, const double *__restrict__ p,
           const double *__restrict__ q, const double *__restrict__ dinv, bf_krylov_state *st,
           double *history, double *partial, unsigned *ticket)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double  a      = bf_cg_alpha(st);
  const int64_t step   = (int64_t)gridDim.x * BF_SUM_THREADS;
  double        sum[2] = {0.0, 0.0};
#pragma unroll 2
  for (int64_t i = (int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x; i < n; i += step) {
    const double ri = r[i] - a * q[i];
    x[i] += a * p[i];
    r[i] = ri;
    sum[0] += ri * ri;
    if (JACOBI) sum[1] += ri * (dinv[i] * ri);
  }
  if (!bf_grid_sum(sum, partial, ticket)) return;
  bf_cg_end(st, sum[0], JACOBI ? sum[1] : sum[0], history);
}

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    direction(int64_t n, const double *__restrict__ r, const double *__restrict__ dinv,
              double *__restrict__ p, const bf_krylov_state *st)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double  beta = st->beta;
  const int64_t step = (int64_t)gridDim.x * BF_SUM_THREADS;
#pragma unroll 4
  for (int64_t i = n - 1 - ((int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x); i >= 0; i -= step)
    p[i] = (JACOBI ? dinv[i] * r[i] : r[i]) + beta * p[i];
}

BF_CUDA_DECLARE(cg_begin);
bf_err bf_cuda_cg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                        bf_krylov_state *st, double *history)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      blocks = bf_cuda_sum_blocks(be, n);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &partial));
  auto *kernel = dinv ? begin<true> : begin<false>;
  kernel<<<blocks, BF_SUM_THREADS, 0, cu->stream>>>(n, r, dinv, p, st, history, partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(cg_update);
bf_err bf_cuda_cg_update(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                         const double *dinv, bf_krylov_state *st, double *history)
{
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      blocks = bf_cuda_sum_blocks(be, n);
  double        *partial;
  BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &partial));
  auto *kernel = dinv ? update<true> : update<false>;
  kernel<<<blocks, BF_SUM_THREADS, 0, cu->stream>>>(n, x, r, p, q, dinv, st, history, partial, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(cg_direction);
bf_err bf_cuda_cg_direction(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                            const bf_krylov_state *st)
{
  if (n <= 0) return BF_OK;
  auto *kernel = dinv ? direction<true> : direction<false>;
  kernel<<<bf_cuda_sum_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, r, dinv, p, st);
  return BF_CUDA_LAUNCHED(be);
}
