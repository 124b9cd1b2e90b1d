/* kernels/cuda/krylov/bicgstab_persistent.cu - BiCGStab in one persistent kernel, for matrices that fit in
 * registers and shared memory
 *
 * Computes   `count` iterations of the steps in bicgstab.cu and their products, up to rounding.
 * Source     bicgstab.cu; persistent solvers: Zhang et al., PERKS, ICS 2023.
 * Layout     persistent.cuh. Windows p, r, v, s, t: a block loads its neighbours' v and t as flagged
 *            values, with the sums they belong to, and updates p, r, s of both sides by the same arithmetic
 *            as their owner. With Jacobi two more windows: 1/diag, and the operand of the product. Thread t
 *            of a block has x and r0 of row t in registers.
 * Cost       three reductions over the grid per iteration, about 1 us each, and two products from shared
 *            memory.
 * Launch     one block of 512 or 1024 threads per multiprocessor, cooperative.
 * Checked    tests/kernels/krylov/t346_fused_bicgstab.c against the steps one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/krylov/persistent.cuh"

namespace bf
{

enum { P, R, V, S, TT, WINDOWS, DINV = WINDOWS, HAT, JACOBI_WINDOWS };

#define FOR_WINDOW(e) for (int e = (int)threadIdx.x; e < g.rows + 2 * g.reach; e += THREADS)

/* A thread's data of an iteration. Thread t of a block: t < rows owns that row; all threads share
 * products and windows. */
template <typename T, bool JACOBI, int THREADS>
struct bicgstab_block {
  const persistent_args        &g;
  const bf_bicgstab_work       &a;
  bf_krylov_state              &st; /* shared */
  double                       *shared;
  persistent_matrix<T, THREADS> A;
  int64_t                       row0, i;
  int                           own; /* position of row i in a window */
  bool                          is_row, on_side;
  unsigned long long            sequence;
  double                        x, r0, d;

  __device__ __forceinline__ double *w(int k) const
  {
    return shared + k * window_length(g);
  }
  __device__ __forceinline__ double *factor(int k) const /* operand of the product for p or s */
  {
    return w(JACOBI ? HAT : k);
  }
  __device__ __forceinline__ bf_flagged *rows(int k) const
  {
    return g.reduce_slots + SUM_SLOTS + k * g.n;
  }

  __device__ __forceinline__ void open()
  {
    const int t = (int)threadIdx.x;
    row0        = (int64_t)blockIdx.x * g.rows;
    i           = row0 + t;
    own         = g.reach + t;
    is_row      = t < g.rows && i < g.n;
    on_side     = is_row && (t < g.reach || t >= g.rows - g.reach);
    sequence    = *g.sequence;
    x           = is_row ? a.x[i] : 0.0;
    r0          = is_row ? a.r0[i] : 0.0;
    d           = JACOBI && is_row ? a.dinv[i] : 1.0;
    A.load(g, w(JACOBI ? JACOBI_WINDOWS : WINDOWS), row0);
    FOR_WINDOW(e)
    {
      const int64_t k  = row0 - g.reach + e;
      const bool    in = k >= 0 && k < g.n;
      w(P)[e]          = in ? a.p[k] : 0.0;
      w(R)[e]          = in ? a.r[k] : 0.0;
      w(V)[e] = w(S)[e] = w(TT)[e] = 0.0;
      if (JACOBI) w(DINV)[e] = in ? a.dinv[k] : 0.0;
      if (JACOBI) w(HAT)[e] = w(DINV)[e] * w(P)[e];
    }
    __syncthreads();
  }

  /* v = A ph, alpha, s = r - alpha v */
  __device__ __forceinline__ void first_half()
  {
    double r0v[1] = {0.0};
    A.multiply(g, factor(P));
    __syncthreads();
    if (is_row) {
      const double v = A.row(g);
      w(V)[own]      = v;
      r0v[0]         = r0 * v;
      if (on_side) store_flagged(rows(0) + i, v, sequence + 1);
    }
    grid_all_reduce(
        r0v, g.padded / 32, g.reduce_slots, sequence + 1,
        [&](const double *s) {
          st.dot[0] = s[0];
          st.alpha  = bf_bicgstab_alpha(&st);
        },
        [&](int thread, int threads) {
          load_window_sides(g, row0, rows(0), sequence + 1, w(V), thread, threads);
        });
    const double alpha = st.alpha;
    FOR_WINDOW(e)
    {
      const double s = w(R)[e] - alpha * w(V)[e];
      w(S)[e]        = s;
      if (JACOBI) w(HAT)[e] = w(DINV)[e] * s;
    }
    __syncthreads();
  }

  /* t = A sh, omega; returns t of the thread's row */
  __device__ __forceinline__ double second_half()
  {
    double y = 0.0, sum[3] = {0.0, 0.0, 0.0};
    A.multiply(g, factor(S));
    __syncthreads();
    if (is_row) {
      const double s = w(S)[own];
      y              = A.row(g);
      w(TT)[own]     = y;
      sum[0]         = s * y;
      sum[1]         = y * y;
      sum[2]         = s * s;
      if (on_side) store_flagged(rows(1) + i, y, sequence + 2);
    }
    grid_all_reduce(
        sum, g.padded / 32, g.reduce_slots + SUM_SLOTS / 4, sequence + 2,
        [&](const double *s) {
          bf_bicgstab_middle(&st, s[2]);
          if (st.status != BF_KRYLOV_RUNNING) return;
          st.dot[0] = s[0];
          st.dot[1] = s[1];
          st.omega  = bf_bicgstab_omega(&st);
        },
        [&](int thread, int threads) {
          load_window_sides(g, row0, rows(1), sequence + 2, w(TT), thread, threads);
        });
    return y;
  }

  /* x, r, beta, p */
  __device__ __forceinline__ void move(double y)
  {
    const double omega  = st.omega;
    double       sum[2] = {0.0, 0.0};
    if (is_row) {
      const double s = w(S)[own], r = s - omega * y;
      x += st.alpha * (d * w(P)[own]) + omega * (d * s);
      sum[0] = r * r;
      sum[1] = r0 * r;
    }
    grid_all_reduce(
        sum, g.padded / 32, g.reduce_slots + SUM_SLOTS / 2, sequence + 3,
        [&](const double *s) { bf_bicgstab_end(&st, s[0], s[1], blockIdx.x == 0 ? a.history : NULL); },
        [](int, int) {});
    const bool   on   = st.status == BF_KRYLOV_RUNNING;
    const double beta = st.beta;
    FOR_WINDOW(e)
    {
      const double r = w(S)[e] - omega * w(TT)[e];
      w(R)[e]        = r;
      if (!on) continue;
      const double p = r + beta * (w(P)[e] - omega * w(V)[e]);
      w(P)[e]        = p;
      if (JACOBI) w(HAT)[e] = w(DINV)[e] * p;
    }
    __syncthreads();
    sequence += 3;
  }

  __device__ __forceinline__ void close() const
  {
    if (is_row) {
      a.x[i] = x;
      a.r[i] = w(R)[own];
      a.p[i] = w(P)[own];
      if (JACOBI) a.ph[i] = d * w(P)[own];
    }
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    *a.state    = st;
    *g.sequence = sequence;
  }
};

template <typename T, bool JACOBI, int THREADS>
static __global__ void __launch_bounds__(THREADS, 1)
    bicgstab_persistent(const __grid_constant__ persistent_args g, const __grid_constant__ bf_bicgstab_work a)
{
  extern __shared__ __align__(16) double shared[];
  __shared__ bf_krylov_state             st;
  if (a.state->status != BF_KRYLOV_RUNNING) return;
  if (threadIdx.x == 0) st = *a.state;
  bicgstab_block<T, JACOBI, THREADS> k = {g, a, st, shared};
  k.open();
  for (int c = 0; c < g.count && st.status == BF_KRYLOV_RUNNING; c++) {
    k.first_half();
    const double y = k.second_half();
    if (st.status != BF_KRYLOV_RUNNING) { /* as bicgstab_middle leaves it */
      k.sequence += 2;
      if (k.is_row) k.w(R)[k.own] = k.w(S)[k.own];
      break;
    }
    k.move(y);
  }
  k.close();
}

bf_err bf_cuda_bicgstab_persistent(bf_backend *be, const bf_matrix *A, const bf_bicgstab_work *w, int count,
                                   int *done)
{
  static const persistent_kernels kernels = {{{(const void *)bicgstab_persistent<float, false, 512>,
                                               (const void *)bicgstab_persistent<float, false, 1024>},
                                              {(const void *)bicgstab_persistent<float, true, 512>,
                                               (const void *)bicgstab_persistent<float, true, 1024>}},
                                             {{(const void *)bicgstab_persistent<double, false, 512>,
                                               (const void *)bicgstab_persistent<double, false, 1024>},
                                              {(const void *)bicgstab_persistent<double, true, 512>,
                                               (const void *)bicgstab_persistent<double, true, 1024>}}};
  bf_bicgstab_work                a       = *w;
  return bf_cuda_persistent_run(be, A, w->dinv ? JACOBI_WINDOWS : WINDOWS, kernels, w->dinv != NULL, count,
                                &a, done);
}

} // namespace bf
