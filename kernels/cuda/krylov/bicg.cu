/* kernels/cuda/krylov/bicg.cu - vector operations of a BiCG iteration, one kernel per step
 *
 * Computes   begin: p = dinv r, pt = dinv rt, rr = r.r, rho = rt.(dinv r); update: a = rho/(pt.q): x += a
 *            p, r -= a q, rt -= a qt, rr = r.r, rz = rt.(dinv r), then the scalar step of krylov/state.h;
 *            direction: p = dinv r + beta p, pt = dinv rt + beta pt.
 * Source     Fletcher 1976; Saad, Iterative Methods for Sparse Linear Systems, alg. 7.3.
 * Layout     vectors of n entries; the state is on the device.
 * Cost       per entry with Jacobi: begin 40 bytes, update 80, direction 56 (8 less each without).
 * Launch     as in cg.cu. An iteration is four launches: product, transposed product, update, direction;
 *            the last runs backwards, since update's last entries are still in the cache.
 * Checked    tests/kernels/krylov/t342_bicg.c against plain scalar code, t401_methods.c against the
 *            factorisation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/krylov/state.h"

namespace bf
{

/* In every kernel thread t owns entries t, t + threads of the grid, ...; one thread of the last block
 * owns the state, after every other thread has read it. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    begin(int64_t n, const double *r, const double *dinv, const double *rt, double *p, double *pt,
          bf_krylov_state *st, bf_krylov_sample *history, double *partial, unsigned *ticket)
{
  double sum[2] = {0.0, 0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double ri = r[i], ti = rt[i], d = JACOBI ? dinv[i] : 1.0;
    p[i]  = d * ri;
    pt[i] = d * ti;
    sum[0] += ri * ri;
    sum[1] += ti * (d * ri);
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_krylov_begin(st, sum[0], sum[1], BF_ANY_SIGN, history);
}

struct bicg_vectors {
  double       *x, *r, *rt;
  const double *p, *q, *qt, *dinv;
};

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    update(int64_t n, bicg_vectors v, bf_krylov_state *st, bf_krylov_sample *history, double *partial,
           unsigned *ticket)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double a      = bf_krylov_alpha(st, BF_ANY_SIGN);
  double       sum[2] = {0.0, 0.0};
#pragma unroll 2
  BF_FOR_ENTRIES(i, n)
  {
    const double ri = v.r[i] - a * __ldg(v.q + i), ti = v.rt[i] - a * __ldg(v.qt + i);
    v.x[i] += a * __ldg(v.p + i);
    v.r[i]  = ri;
    v.rt[i] = ti;
    sum[0] += ri * ri;
    sum[1] += ti * (JACOBI ? __ldg(v.dinv + i) * ri : ri);
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_krylov_end(st, sum[0], sum[1], BF_ANY_SIGN, history);
}

template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    direction(int64_t n, const double *__restrict__ r, const double *__restrict__ rt,
              const double *__restrict__ dinv, double *__restrict__ p, double *__restrict__ pt,
              const bf_krylov_state *st)
{
  if (st->status != BF_KRYLOV_RUNNING) return;
  const double  beta = st->beta;
  const int64_t step = (int64_t)gridDim.x * BF_SUM_THREADS;
#pragma unroll 2
  for (int64_t i = n - 1 - ((int64_t)blockIdx.x * BF_SUM_THREADS + threadIdx.x); i >= 0; i -= step) {
    const double d = JACOBI ? dinv[i] : 1.0;
    p[i]           = d * r[i] + beta * p[i];
    pt[i]          = d * rt[i] + beta * pt[i];
  }
}

BF_CUDA_DECLARE(krylov.bicg_begin, bicg_begin);
bf_err bf_cuda_bicg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, const double *rt,
                          double *p, double *pt, bf_krylov_state *st, bf_krylov_sample *history)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_sum_launch(be, n, 2, &s));
  auto *kernel = dinv ? begin<true> : begin<false>;
  kernel<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, r, dinv, rt, p, pt, st, history, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(krylov.bicg_update, bicg_update);
bf_err bf_cuda_bicg_update(bf_backend *be, bf_int n, double *x, double *r, double *rt, const double *p,
                           const double *q, const double *qt, const double *dinv, bf_krylov_state *st,
                           bf_krylov_sample *history)
{
  const bicg_vectors v = {x, r, rt, p, q, qt, dinv};
  bf_sum_launch      s;
  BF_TRY(bf_cuda_sum_launch(be, n, 2, &s));
  auto *kernel = dinv ? update<true> : update<false>;
  kernel<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, v, st, history, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(krylov.bicg_direction, bicg_direction);
bf_err bf_cuda_bicg_direction(bf_backend *be, bf_int n, const double *r, const double *rt, const double *dinv,
                              double *p, double *pt, const bf_krylov_state *st)
{
  if (n <= 0) return BF_OK;
  auto *kernel = dinv ? direction<true> : direction<false>;
  kernel<<<bf_cuda_sum_blocks(be, n), BF_SUM_THREADS, 0, bf_cuda_of(be)->stream>>>(n, r, rt, dinv, p, pt, st);
  return BF_CUDA_LAUNCHED(be);
}

} // namespace bf
