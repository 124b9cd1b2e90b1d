/* kernels/cuda/krylov/bicgstab_three_kernel.cu - BiCGStab in three kernels per iteration, for every bDIA
 * matrix: alpha and beta are computed early
 *
 * Computes   early_alpha: alpha = rho/(y0.M^-1 p), where y0 = A^T r0: equals r0.v before v is computed
 *             and an iteration:
 *             product  v = A M^-1 p, s = r - alpha v, M^-1 s, row by row (bdia_view.cuh)
 *             product  t = A M^-1 s, partial sums of t.s, t.t, s.s, r0.s, r0.t
 *             advance  omega = t.s/t.t, rho' = r0.s - omega r0.t, beta: x += M^-1 (alpha p + omega s),
 *                      r = s - omega t, p = r + beta (p - omega v), M^-1 p; rr = r.r, the next alpha
 *             with the scalar steps of krylov/state.h. M is the diagonal or the identity; s replaces r.
 * Source     BiCGStab (bicgstab.cu) with its sums computed earlier: rho' as in Yang and Brent, The improved
 *            BiCGStab method for large and sparse unsymmetric linear systems on parallel distributed memory
 *            architectures (2002), alpha own. Rounding errors are those of sums of the same terms: u |r0|
 *            |s| for rho', where r0.r has u |r0| |r|, and u |r0| |A| |p| for y0.p as for r0.v.
 * Layout     vectors of n entries; the state is on the device.
 * Cost       vectors read or written per iteration, without the diagonal (with it): products 4 (6) and 3
 *            (4), advance 9 (11); the four kernels of bicgstab.cu 18 (24). Once per run: a product with
 *            A^T.
 * Launch     advance: one block per multiprocessor, cooperative, one grid reduction
 *            (grid_reduce_flagged.cuh). H200, 2026-11-22, 200^3 in full storage: 1057 us per iteration,
 *            1106 with four kernels; forward instead of backward 1100. Products from the last row to the
 *            first in every second kernel: no difference.
 * Checked    tests/kernels/krylov/t346_fused_bicgstab.c against the iteration in long double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/grid_reduce_flagged.cuh"
#include "kernels/cuda/krylov/bicgstab.cuh"
#include "kernels/cuda/sparse/bdia_view.cuh"

namespace bf
{

enum { SUMS = bdia_nsums<BDIA_EPILOGUE_T> };

struct three_kernel_args {
  int64_t             n, partials;
  bf_bicgstab_work    w;
  const double       *partial;    /* of the second product: [partials][SUMS] */
  double             *block_sums; /* sums of blocks */
  unsigned           *ticket;
  bf_flagged         *reduce_slots;
  unsigned long long *sequence;
};

/* Thread t owns entries t, t + threads of the grid, ...; one thread of the last block owns the state. */
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    early_alpha(int64_t n, const double *y0, const double *ph, bf_krylov_state *st, double *partial,
                unsigned *ticket)
{
  double sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n) sum[0] += y0[i] * ph[i];
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_early_alpha(st, sum[0]);
}

struct steps {
  double alpha, omega, beta;
};

/* One entry; adds its part of r.r and y0.M^-1 p. Returns M^-1 p. */
template <bool JACOBI>
static __device__ __forceinline__ double update_entry(const steps &c, double v, double t, double d, double y0,
                                                      double *x, double *r, double *p, double (&sum)[2])
{
  const double s = *r, direction = c.alpha * *p + c.omega * s;
  *x += JACOBI ? d * direction : direction;
  *r              = s - c.omega * t;
  *p              = *r + c.beta * (*p - c.omega * v);
  const double ph = JACOBI ? d * *p : *p;
  sum[0] += *r * *r;
  sum[1] += y0 * ph;
  return ph;
}

/* Thread t owns pairs of entries t, t + threads of the grid, ..., from the last to the first, because
 * the preceding product ended with the last; an odd last entry belongs to the first thread. */
template <bool JACOBI>
static __device__ __forceinline__ void update_all(const three_kernel_args &g, const steps &c, int64_t first,
                                                  int64_t step, double (&sum)[2])
{
  const bf_bicgstab_work &w    = g.w;
  const int64_t           last = g.n - 1, pairs = g.n / 2;
  if ((g.n & 1) && first == 0) {
    const double d = JACOBI ? w.dinv[last] : 1.0;
    const double ph =
        update_entry<JACOBI>(c, w.v[last], w.t[last], d, w.y0[last], w.x + last, w.r + last, w.p + last, sum);
    if (JACOBI) w.ph[last] = ph;
  }
  const int64_t count = first < pairs ? (pairs - 1 - first) / step + 1 : 0;
#pragma unroll(JACOBI ? 1 : 2)
  for (int64_t j = count - 1; j >= 0; j--) {
    const int64_t i = first + j * step;
    const double2 v = load_pair_streaming(w.v, i), t = load_pair_streaming(w.t, i),
                  y0 = load_pair_streaming(w.y0, i);
    double2 x = load_pair_streaming(w.x, i), r = load_pair(w.r, i), p = load_pair(w.p, i), d = {1.0, 1.0}, ph;
    if (JACOBI) d = load_pair(w.dinv, i);
    ph.x = update_entry<JACOBI>(c, v.x, t.x, d.x, y0.x, &x.x, &r.x, &p.x, sum);
    ph.y = update_entry<JACOBI>(c, v.y, t.y, d.y, y0.y, &x.y, &r.y, &p.y, sum);
    store_pair_streaming(w.x, i, x);
    store_pair(w.r, i, r);
    store_pair(w.p, i, p);
    if (JACOBI) store_pair(w.ph, i, ph);
  }
}

/* Every block has a copy of the state. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_MOVE_THREADS, 1)
    advance(const __grid_constant__ three_kernel_args g)
{
  __shared__ bf_krylov_state st;
  if (g.w.state->status != BF_KRYLOV_RUNNING) return;
  const unsigned long long sequence    = *g.sequence;
  const int64_t            step        = (int64_t)gridDim.x * BF_MOVE_THREADS;
  const int64_t            first       = (int64_t)blockIdx.x * BF_MOVE_THREADS + threadIdx.x;
  double                   parts[SUMS] = {}, sum[2] = {};
  if (threadIdx.x == 0) st = *g.w.state;
  for (int64_t i = first; i < g.partials; i += step)
#pragma unroll
    for (int j = 0; j < SUMS; j++) parts[j] += g.partial[SUMS * i + j];
  grid_all_reduce_warps(parts, g.reduce_slots, sequence + 1,
                        [&](const double *s) { bf_bicgstab_end_early(&st, s[2], s[0], s[1], s[3], s[4]); });
  const double omega = bf_bicgstab_omega(&st), r0r = st.rz;
  if (st.status == BF_KRYLOV_RUNNING) {
    update_all<JACOBI>(g, {st.alpha, omega, bf_bicgstab_beta(&st, omega, r0r)}, first, step, sum);
    if (!bf_grid_sum(sum, g.block_sums, g.ticket)) return;
    bf_bicgstab_end(&st, sum[0], r0r, g.w.history);
    bf_bicgstab_early_alpha(&st, sum[1]);
  } else if (first > 0)
    return;
  *g.w.state  = st;
  *g.sequence = sequence + 1;
}

BF_CUDA_DECLARE(krylov.bicgstab_early_alpha, bicgstab_early_alpha);
bf_err bf_cuda_bicgstab_early_alpha(bf_backend *be, bf_int n, const double *y0, const double *ph,
                                    bf_krylov_state *st)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &s));
  early_alpha<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, y0, ph, st, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_bicgstab_three_kernel(bf_backend *be, const bf_bdia *A, const bf_bicgstab_work *w)
{
  const bf_cuda    *cu       = bf_cuda_of(be);
  const void       *kernel   = w->dinv ? (const void *)advance<true> : (const void *)advance<false>;
  bdia_bicgstab     bicgstab = {w->state, 0, w->r, w->rh, w->r0, w->dinv};
  three_kernel_args g        = {};
  void             *block_sums, *params[1] = {&g};
  g.n      = (int64_t)A->nrows * A->ncomp;
  g.w      = *w;
  g.ticket = cu->ticket;
  BF_TRY(bf_cuda_bdia_bicgstab(be, A, w->ph, w->v, bicgstab, &g.partials));
  bicgstab.second = 1;
  BF_TRY(bf_cuda_bdia_bicgstab(be, A, w->rh, w->t, bicgstab, &g.partials));
  g.partial = cu->partial;
  BF_TRY(bf_cuda_scratch(be, 2 * (size_t)cu->sms * sizeof(double), &block_sums));
  g.block_sums = static_cast<double *>(block_sums);
  BF_TRY(bf_cuda_reduce_slots(be, BF_MOVE_SLOTS, &g.reduce_slots, &g.sequence));
  return bf_cuda_launch_cooperative(be, kernel, BF_MOVE_THREADS, 0, params);
}

} // namespace bf
