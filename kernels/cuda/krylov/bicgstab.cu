/* kernels/cuda/krylov/bicgstab.cu - vector operations of a BiCGStab iteration, one kernel per step
 *
 * Computes   begin: r0 = r, p = r, ph = dinv p, rr = r.r; middle: a = rho/(r0.v): r -= a v, rh = dinv r, ss
 *            = r.r; move: o = (t.s)/(t.t): x += alpha ph + o rh, r -= o t, rr = r.r, r0.r; p = r + beta (p
 *            - omega v), ph = dinv p; with the scalar steps of krylov/state.h. Without preconditioner ph is
 *            p and rh is r; with a preconditioner of the caller they are read, not written.
 * Source     van der Vorst 1992, SIAM J. Sci. Stat. Comput. 13(2); Saad, alg. 7.7.
 * Layout     vectors of n entries; the state is on the device.
 * Cost       per entry with Jacobi: begin 40 bytes, middle 40, move 104; without: 24, 24, 80; 8 more where
 *            r does not fit in shared memory.
 * Launch     begin as in cg.cu, middle and move as cg_move there. An iteration is product, middle, product,
 *            move; bDIA matrices use bicgstab_three_kernel.cu.
 * Checked    tests/kernels/krylov/t340_krylov.c, t350_large.c and the solvers' tests, against the CPU
 *            backend.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/grid_reduce_flagged.cuh"
#include "kernels/krylov/state.h"

namespace bf
{

struct bicgstab_args {
  int64_t             n;
  double             *x, *r, *p, *ph, *rh;
  const double       *r0, *v, *t, *dinv; /* dinv or NULL */
  bf_krylov_state    *state;
  bf_krylov_sample   *history;
  int                 cached; /* pairs of a thread in shared memory */
  bf_flagged         *reduce_slots;
  unsigned long long *sequence;
};

/* In every kernel thread t owns entries t, t + threads of the grid, ...; one thread of the last block
 * owns the state, after every other thread has read it. */

/* The preconditioner */
enum { NONE, JACOBI, OPERATION };

template <int M>
static __global__ void __launch_bounds__(BF_SUM_THREADS)
    begin(int64_t n, const double *r, const double *dinv, double *r0, double *p, double *ph,
          bf_krylov_state *st, bf_krylov_sample *history, double *partial, unsigned *ticket)
{
  double sum[1] = {0.0};
  BF_FOR_ENTRIES(i, n)
  {
    const double ri = r[i];
    r0[i]           = ri;
    p[i]            = ri;
    if (M == JACOBI) ph[i] = dinv[i] * ri;
    sum[0] += ri * ri;
  }
  if (bf_grid_sum(sum, partial, ticket)) bf_bicgstab_begin(st, sum[0], history);
}

/* Copies the state of this iteration to shared memory. */
static __device__ __forceinline__ void load_state(const bicgstab_args &g, bf_krylov_state *st)
{
  if (threadIdx.x == 0) *st = *g.state;
  __syncthreads();
}

/* r -= a v, rh = dinv r, s.s of the new r; every block has a copy of the state. */
template <int M>
static __global__ void __launch_bounds__(BF_MOVE_THREADS, 1) middle(const __grid_constant__ bicgstab_args g)
{
  __shared__ bf_krylov_state st;
  if (g.state->status != BF_KRYLOV_RUNNING) return;
  const unsigned long long sequence = *g.sequence;
  const pair_range         own      = pair_range_of(g.n);
  double                   sum[1]   = {0.0};
  load_state(g, &st);
  const double a = bf_bicgstab_alpha(&st);
#pragma unroll 4
  for (int j = 0; j < own.count; j++) {
    const int64_t i = own.first + j * own.step;
    const double2 v = load_pair(g.v, i);
    double2       r = load_pair(g.r, i);
    r.x -= a * v.x;
    r.y -= a * v.y;
    store_pair(g.r, i, r);
    if (M == JACOBI) {
      const double2 d = load_pair(g.dinv, i);
      store_pair(g.rh, i, make_double2(d.x * r.x, d.y * r.y));
    }
    sum[0] += r.x * r.x + r.y * r.y;
  }
  if (own.odd) {
    const int64_t i = g.n - 1;
    const double  r = g.r[i] - a * g.v[i];
    g.r[i]          = r;
    if (M == JACOBI) g.rh[i] = g.dinv[i] * r;
    sum[0] += r * r;
  }
  grid_all_reduce(
      sum, BF_MOVE_THREADS / 32, g.reduce_slots, sequence + 1,
      [&](const double *s) { bf_bicgstab_middle(&st, s[0]); }, [](int, int) {});
  if (own.first > 0) return;
  *g.state    = st;
  *g.sequence = sequence + 1;
}

/* One entry of the first half: updates x and r; sums of the new r */
template <int M>
static __device__ __forceinline__ double stabilise(double a, double o, double ph, double rh, double r,
                                                   double r0, double t, double *x, double (&sum)[2])
{
  *x += a * ph + o * (M != NONE ? rh : r);
  r -= o * t;
  sum[0] += r * r;
  sum[1] += r0 * r;
  return r;
}

/* Both halves; every block has a copy of the state. Without preconditioner rh is r and ph is p. */
template <int M>
static __global__ void __launch_bounds__(BF_MOVE_THREADS, 1) move(const __grid_constant__ bicgstab_args g)
{
  extern __shared__ __align__(16) double2 cached[];
  __shared__ bf_krylov_state              st;
  if (g.state->status != BF_KRYLOV_RUNNING) return;
  const unsigned long long sequence = *g.sequence;
  const pair_range         own      = pair_range_of(g.n);
  const int64_t            last     = g.n - 1;
  double                   sum[2]   = {0.0, 0.0};
  load_state(g, &st);
  const double a = st.alpha, o = bf_bicgstab_omega(&st);
#pragma unroll 2
  for (int j = 0; j < own.count; j++) {
    const int64_t i  = own.first + j * own.step;
    const double2 ph = load_pair(g.ph, i), r0 = load_pair(g.r0, i);
    const double2 t = load_pair_streaming(g.t, i);
    double2       r = load_pair(g.r, i), rh = M != NONE ? load_pair(g.rh, i) : r;
    double2       x = load_pair_streaming(g.x, i);
    r.x             = stabilise<M>(a, o, ph.x, rh.x, r.x, r0.x, t.x, &x.x, sum);
    r.y             = stabilise<M>(a, o, ph.y, rh.y, r.y, r0.y, t.y, &x.y, sum);
    store_pair_streaming(g.x, i, x);
    store_pair(g.r, i, r);
    if (j < g.cached) cached[j * BF_MOVE_THREADS + threadIdx.x] = r;
  }
  if (own.odd)
    g.r[last] = stabilise<M>(a, o, g.ph[last], M != NONE ? g.rh[last] : 0.0, g.r[last], g.r0[last], g.t[last],
                             g.x + last, sum);
  grid_all_reduce(
      sum, BF_MOVE_THREADS / 32, g.reduce_slots, sequence + 1,
      [&](const double *s) { bf_bicgstab_end(&st, s[0], s[1], blockIdx.x == 0 ? g.history : NULL); },
      [](int, int) {});
  if (st.status == BF_KRYLOV_RUNNING) {
    const double beta = st.beta;
#pragma unroll 4
    for (int j = own.count - 1; j >= 0; j--) {
      const int64_t i = own.first + j * own.step;
      const double2 r = j < g.cached ? cached[j * BF_MOVE_THREADS + threadIdx.x] : load_pair(g.r, i),
                    v = load_pair(g.v, i);
      double2 p       = load_pair(g.p, i);
      p.x             = r.x + beta * (p.x - o * v.x);
      p.y             = r.y + beta * (p.y - o * v.y);
      store_pair(g.p, i, p);
      if (M != JACOBI) continue;
      const double2 d = load_pair(g.dinv, i);
      store_pair(g.ph, i, make_double2(d.x * p.x, d.y * p.y));
    }
    if (own.odd) {
      g.p[last] = g.r[last] + beta * (g.p[last] - o * g.v[last]);
      if (M == JACOBI) g.ph[last] = g.dinv[last] * g.p[last];
    }
  }
  if (own.first > 0) return;
  *g.state    = st;
  *g.sequence = sequence + 1;
}

BF_CUDA_DECLARE(krylov.bicgstab_begin, bicgstab_begin);
bf_err bf_cuda_bicgstab_begin(bf_backend *be, bf_int n, const double *r, const double *dinv, double *r0,
                              double *p, double *ph, bf_krylov_state *st, bf_krylov_sample *history)
{
  bf_sum_launch s;
  BF_TRY(bf_cuda_drop_graph(be)); /* of the previous run */
  BF_TRY(bf_cuda_sum_launch(be, n, 1, &s));
  auto *kernel = dinv ? begin<JACOBI> : begin<NONE>;
  kernel<<<s.blocks, BF_SUM_THREADS, 0, s.stream>>>(n, r, dinv, r0, p, ph, st, history, s.partial, s.ticket);
  return BF_CUDA_LAUNCHED(be);
}

/* Launches one of the two kernels; fills the slots. */
static bf_err cooperate(bf_backend *be, const void *kernel, bicgstab_args *g)
{
  void *parameters[1] = {g};
  BF_TRY(bf_cuda_reduce_slots(be, BF_MOVE_SLOTS, &g->reduce_slots, &g->sequence));
  return bf_cuda_launch_cooperative(be, kernel, BF_MOVE_THREADS, cached_bytes(g->cached), parameters);
}

BF_CUDA_DECLARE(krylov.bicgstab_middle, bicgstab_middle);
bf_err bf_cuda_bicgstab_middle(bf_backend *be, bf_int n, double *r, const double *v, const double *dinv,
                               double *rh, bf_krylov_state *st)
{
  const void   *kernel = dinv ? (const void *)middle<JACOBI> : (const void *)middle<NONE>;
  bicgstab_args g      = {};
  g.n                  = n;
  g.r                  = r;
  g.rh                 = rh;
  g.v                  = v;
  g.dinv               = dinv;
  g.state              = st;
  return cooperate(be, kernel, &g);
}

BF_CUDA_DECLARE(krylov.bicgstab_move, bicgstab_move);
bf_err bf_cuda_bicgstab_move(bf_backend *be, bf_int n, double *x, double *r, double *p, double *ph,
                             const double *r0, const double *rh, const double *v, const double *t,
                             const double *dinv, bf_krylov_state *st, bf_krylov_sample *history)
{
  const void   *kernel = dinv      ? (const void *)move<JACOBI>
                         : rh == r ? (const void *)move<NONE>
                                   : (const void *)move<OPERATION>;
  bicgstab_args g      = {n,  x,    r,   p,    ph, const_cast<double *>(rh), /* read */
                          r0, v,    t,   dinv, st, history,
                          0,  NULL, NULL};
  BF_TRY(bf_cuda_cached_pairs(be, kernel, n, &g.cached));
  return cooperate(be, kernel, &g);
}

} // namespace bf
