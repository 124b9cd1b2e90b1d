/* kernels/cuda/krylov/cg.cu - vector operations of a conjugate gradient iteration: one kernel besides the
 * product
 *
 * Computes   cg_begin: p = z, rr = r.r, rho = r.z with z = dinv r (or r); cg_move: x += a p, r -= a q, rr =
 *            r.r, rz = r.z, the scalar step of krylov/state.h, p = z + beta p.
 * Source     Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse Linear Systems, alg. 9.1.
 * Layout     vectors of n entries; the state is on the device.
 * Cost       per entry: begin 32 bytes, move 64 (Jacobi; 8 less each without), 16 more where z does not fit
 *            in shared memory.
 * Launch     begin: grid-stride, 256 threads; the last block adds the partial sums. move: one block of 1024
 *            threads per multiprocessor, cooperative. Reductions are barriers (grid_reduce_flagged.cuh). r
 *            is updated forwards before the second reduction, x and p backwards after it, so that z is
 *            cached in shared memory as far as it fits and recent data is found in L2. x is streamed.
 * Checked    tests/kernels/krylov/t340_krylov.c, t344_fused_cg.c, t350_large.c and the solvers' tests,
 *            against the CPU backend.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/krylov/cg.cuh"

namespace bf
{

/* Thread t owns entries t, t + threads of the grid, ...; one thread of the last block owns the state. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    begin(int64_t n, const double *r, const double *dinv, double *p, bf_krylov_state *st,
          bf_krylov_sample *history, double *partial, unsigned *ticket)
{
  double sum[2] = {0.0, 0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double ri = r[i], zi = JACOBI ? dinv[i] * ri : ri;
    p[i] = zi;
    sum[0] += ri * ri;
    sum[1] += ri * zi;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_krylov_begin(st, sum[0], sum[1], BF_POSITIVE, history);
}

/* z = dinv r */
template <bool JACOBI>
static __device__ __forceinline__ double2 scaled(double2 r, const double2 *dinv, int64_t i)
{
  if (!JACOBI) return r;
  const double2 d = dinv[i];
  return make_double2(d.x * r.x, d.y * r.y);
}

/* x += a p; returns p */
static __device__ __forceinline__ double2 update_x(double2 *x, const double2 *p, int64_t i, double a)
{
  const double2 pi = p[i];
  double2       xi = __ldcs(x + i);
  xi.x += a * pi.x;
  xi.y += a * pi.y;
  __stcs(x + i, xi);
  return pi;
}

enum { X_BEFORE_SUM = 2 }; /* pairs of a thread whose x is updated before r.r is known */

/* r -= a q; sum = r.r, r.z; z of the first pairs is cached */
template <bool JACOBI>
static __device__ __forceinline__ void update_residual(const bf_cg_move &g, const pair_range &own, double a,
                                                       double2 *cached, double (&sum)[1 + JACOBI])
{
  const double2 *q = reinterpret_cast<const double2 *>(g.q), *d = reinterpret_cast<const double2 *>(g.dinv);
  double2       *r = reinterpret_cast<double2 *>(g.r);
#pragma unroll 4
  for (int j = 0; j < own.count; j++) {
    const int64_t i  = own.first + j * own.step;
    const double2 qi = __ldcs(q + i);
    double2       ri = r[i];
    ri.x -= a * qi.x;
    ri.y -= a * qi.y;
    r[i]             = ri;
    const double2 zi = scaled<JACOBI>(ri, d, i);
    sum[0] += ri.x * ri.x + ri.y * ri.y;
    if (JACOBI) sum[JACOBI] += ri.x * zi.x + ri.y * zi.y;
    if (j < g.cached) cached[j * BF_MOVE_THREADS + threadIdx.x] = zi;
  }
  if (!own.odd) return;
  const double ri = g.r[g.n - 1] - a * g.q[g.n - 1];
  g.r[g.n - 1]    = ri;
  sum[0] += ri * ri;
  if (JACOBI) sum[JACOBI] += ri * (g.dinv[g.n - 1] * ri);
}

/* p = z + beta p unless the iteration has ended; pi is p at pair j */
template <bool JACOBI>
static __device__ __forceinline__ void update_direction(const bf_cg_move &g, const pair_range &own,
                                                        const bf_krylov_state &st, const double2 *cached,
                                                        int j, double2 pi)
{
  const double2 *r = reinterpret_cast<const double2 *>(g.r), *d = reinterpret_cast<const double2 *>(g.dinv);
  const int64_t  i  = own.first + j * own.step;
  const double2  zi = j < g.cached ? cached[j * BF_MOVE_THREADS + threadIdx.x] : scaled<JACOBI>(r[i], d, i);
  if (st.status != BF_KRYLOV_RUNNING) return;
  reinterpret_cast<double2 *>(g.p)[i] = make_double2(zi.x + st.beta * pi.x, zi.y + st.beta * pi.y);
}

/* Every block has a copy of the state. */
template <bool JACOBI>
static __global__ void __launch_bounds__(BF_MOVE_THREADS, 1) move(const __grid_constant__ bf_cg_move g)
{
  extern __shared__ __align__(16) double2 cached[];
  __shared__ bf_krylov_state              st;
  if (g.state->status != BF_KRYLOV_RUNNING) return;
  const unsigned long long sequence = *g.sequence;
  const pair_range         own      = pair_range_of(g.n);
  const int64_t            first = own.first, step = own.step, pairs = own.pairs;
  double                   pq[1] = {0.0}, sum[1 + JACOBI] = {};
  double2                 *x = reinterpret_cast<double2 *>(g.x);
  const double2           *p = reinterpret_cast<const double2 *>(g.p);
  if (threadIdx.x == 0) st = *g.state;
  for (int64_t i = first; i < g.partials; i += step) pq[0] += g.partial[i * g.stride];
  grid_all_reduce(
      pq, BF_MOVE_THREADS / 32, g.reduce_slots, sequence + 1,
      [&](const double *s) {
        if (g.partials > 0) st.dot[0] = s[0];
        st.alpha = bf_krylov_alpha(&st, BF_POSITIVE);
      },
      [](int, int) {});
  const double a = st.alpha;
  update_residual<JACOBI>(g, own, a, cached, sum);
  /* While one warp waits for the sum, the others update x at the block's first pairs. */
  grid_all_reduce(
      sum, BF_MOVE_THREADS / 32, g.reduce_slots + BF_MOVE_SLOTS / 2, sequence + 2,
      [&](const double *s) {
        bf_krylov_end(&st, s[0], s[JACOBI], BF_POSITIVE, blockIdx.x == 0 ? g.history : NULL);
      },
      [&](int thread, int threads) {
        for (int e = thread; e < X_BEFORE_SUM * BF_MOVE_THREADS; e += threads) {
          const int64_t i = first - (int64_t)threadIdx.x + e % BF_MOVE_THREADS + e / BF_MOVE_THREADS * step;
          if (i < pairs) update_x(x, p, i, a);
        }
      });
#pragma unroll 4
  for (int j = own.count - 1; j >= X_BEFORE_SUM; j--)
    update_direction<JACOBI>(g, own, st, cached, j, update_x(x, p, first + j * step, a));
  for (int j = min(own.count, (int)X_BEFORE_SUM) - 1; j >= 0; j--)
    update_direction<JACOBI>(g, own, st, cached, j, p[first + j * step]);
  if (own.odd) {
    const int64_t i  = g.n - 1;
    const double  pi = g.p[i], zi = JACOBI ? g.dinv[i] * g.r[i] : g.r[i];
    g.x[i] += a * pi;
    if (st.status == BF_KRYLOV_RUNNING) g.p[i] = zi + st.beta * pi;
  }
  if (first > 0) return;
  *g.state    = st;
  *g.sequence = sequence + 2;
}

BF_CUDA_DECLARE(krylov.cg_begin, cg_begin);
bf_err bf_cuda_cg_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *p,
                        bf_krylov_state *st, bf_krylov_sample *history)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_drop_graph(be)); /* of the previous run */
  BF_TRY(bf_cuda_sum_launch(be, n, 2, &s));
  auto *kernel = dinv ? begin<true> : begin<false>;
  kernel<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, r, dinv, p, st, history, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

bf_err bf_cuda_cg_move_partials(bf_backend *be, bf_cg_move *g)
{
  const void *kernel = g->dinv ? (const void *)move<true> : (const void *)move<false>;
  BF_TRY(bf_cuda_reduce_slots(be, BF_MOVE_SLOTS, &g->reduce_slots, &g->sequence));
  BF_TRY(bf_cuda_cached_pairs(be, kernel, g->n, &g->cached));
  void *parameters[1] = {g};
  return bf_cuda_launch_cooperative(be, kernel, BF_MOVE_THREADS, cached_bytes(g->cached), parameters);
}

BF_CUDA_DECLARE(krylov.cg_move, cg_move);
bf_err bf_cuda_cg_move(bf_backend *be, bf_int n, double *x, double *r, double *p, const double *q,
                       const double *dinv, bf_krylov_state *st, bf_krylov_sample *history)
{
  bf_cg_move g = {n, x, r, p, q, dinv, st, history, NULL, 0, 0, 0, NULL, NULL};
  return bf_cuda_cg_move_partials(be, &g);
}

} // namespace bf
