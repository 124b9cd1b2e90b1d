/* kernels/cuda/krylov/cg_user_precond.cu - vector operations of CG with a preconditioner applied by the
 * caller
 *
 * Computes   cg_open: rr = r.r and the initial state; cg_update: x += a p, r -= a q, rr = r.r;
 *            cg_direction: the scalar step with rr and rz = r.z, p = z + beta p.
 * Source     Saad, Iterative Methods for Sparse Linear Systems, alg. 9.1.
 * Layout     vectors of n entries; the state is on the device.
 * Cost       per entry: open 8 bytes, update 48, direction 24.
 * Launch     grid-stride loops of 256 threads. In direction every block computes the scalar step; the last
 *            block to arrive writes it, after every other has read the state.
 * Checked    tests/solvers/t405_block_jacobi.c, t406_reference_counts.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

static __global__ void __launch_bounds__(BF_SUM_THREADS)
    open(int64_t n, const double *r, bf_krylov_state *st, bf_krylov_sample *history, double *partial,
         unsigned *ticket)
{
  double sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n) sum[0] += r[i] * r[i];
  if (bf_grid_sum(sum, partial, ticket)) bf_krylov_begin(st, sum[0], st->rz, BF_POSITIVE, history);
}

static __global__ void __launch_bounds__(BF_SUM_THREADS)
    update(int64_t n, double *__restrict__ x, double *__restrict__ r, const double *__restrict__ p,
           const double *__restrict__ q, bf_krylov_state *st, double *partial, unsigned *ticket)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double a      = bf_krylov_alpha(st, BF_POSITIVE);
  double       sum[1] = {0.0};
#pragma unroll 2
  BF_FOR_ENTRIES(i, n)
  {
    const double ri = r[i] - a * __ldcs(q + i);
    r[i]            = ri;
    __stcs(x + i, __ldcs(x + i) + a * p[i]);
    sum[0] += ri * ri;
  }
  if (bf_grid_sum(sum, partial, ticket)) st->rr = sum[0];
}

static __global__ void __launch_bounds__(BF_SUM_THREADS)
    direction(int64_t n, const double *__restrict__ z, double *__restrict__ p, bf_krylov_state *state,
              bf_krylov_sample *history, unsigned *ticket)
{
  bf_krylov_state st = *state;
  if (st.status != BF_KRYLOV_RUNNING) return;
  bf_krylov_end(&st, st.rr, st.rz, BF_POSITIVE, NULL);
  const double beta = st.beta;
  if (st.status == BF_KRYLOV_RUNNING)
#pragma unroll 2
    BF_FOR_ENTRIES(i, n) p[i] = z[i] + beta * p[i];
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(ticket, 1u) != gridDim.x - 1) return;
  *ticket = 0;
  bf_krylov_end(state, state->rr, state->rz, BF_POSITIVE, history);
}

BF_CUDA_DECLARE(krylov.cg_open, cg_open);
bf_err bf_cuda_cg_open(bf_backend *be, bf_int n, const double *r, bf_krylov_state *st,
                       bf_krylov_sample *history)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &s));
  open<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, r, st, history, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(krylov.cg_update, cg_update);
bf_err bf_cuda_cg_update(bf_backend *be, bf_int n, double *x, double *r, const double *p, const double *q,
                         bf_krylov_state *st)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &s));
  update<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, x, r, p, q, st, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(krylov.cg_direction, cg_direction);
bf_err bf_cuda_cg_direction(bf_backend *be, bf_int n, const double *z, double *p, bf_krylov_state *st,
                            bf_krylov_sample *history)
{
  const bf_cuda *cu = bf_cuda_of(be);
  direction<<<bf_cuda_sum_blocks(be, n), BF_SUM_THREADS, 0, cu->stream>>>(n, z, p, st, history, cu->ticket);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
