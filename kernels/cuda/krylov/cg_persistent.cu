/* kernels/cuda/krylov/cg_persistent.cu - CG in one persistent kernel, for matrices that fit in registers
 * and shared memory
 *
 * Computes   `count` iterations of product, cg_update, cg_direction, up to rounding.
 * Source     persistent solvers that keep their data on chip: Zhang et al., PERKS, ICS 2023.
 * Layout     persistent.cuh. Thread t of a block has x, r and 1/diag of row t in registers. The direction p
 *            is the window: a block loads its neighbours' z = M^-1 r as flagged values and computes p = z +
 *            beta p of both sides itself.
 * Cost       two reductions over the grid per iteration, about 1 us each, and the product from shared
 *            memory.
 * Launch     one block of 512 or 1024 threads per multiprocessor, cooperative.
 * Checked    tests/kernels/krylov/t344_fused_cg.c against the steps one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/krylov/persistent.cuh"

namespace bf
{

struct cg_args {
  double           *x, *r, *p;
  const double     *dinv;
  bf_krylov_state  *state;
  bf_krylov_sample *history;
};

/* p = z + beta p on both sides */
static __device__ __forceinline__ void update_sides(const persistent_args &g, int64_t row0, const double *z,
                                                    double beta, double *p)
{
  for (int e = (int)(blockDim.x - 1 - threadIdx.x); e < 2 * g.reach; e += (int)blockDim.x) {
    int           position;
    const int64_t row = window_side(g, row0, e, &position);
    if (row >= 0) p[position] = z[position] + beta * p[position];
  }
}

/* Thread t of a block: t < rows owns that row; all threads share the product and the sides of the
 * window. */
template <typename T, bool JACOBI, int THREADS>
static __global__ void __launch_bounds__(THREADS, 1)
    cg_persistent(const __grid_constant__ persistent_args g, const __grid_constant__ cg_args a)
{
  extern __shared__ __align__(16) double shared[];
  __shared__ bf_krylov_state             st;
  double *const window = shared, *const neighbours = window + window_length(g);
  const int          t = (int)threadIdx.x, used = g.padded / 32, sides = 2 * g.reach;
  const int64_t      row0 = (int64_t)blockIdx.x * g.rows, i = row0 + t;
  const bool         is_row   = t < g.rows && i < g.n;
  const bool         on_side  = is_row && (t < g.reach || t >= g.rows - g.reach);
  unsigned long long sequence = *g.sequence;
  if (a.state->status != BF_KRYLOV_RUNNING) return;
  if (t == 0) st = *a.state;
  persistent_matrix<T, THREADS> A;
  A.load(g, neighbours + window_length(g), row0);
  for (int e = t; e < g.rows + sides; e += THREADS) {
    const int64_t k = row0 - g.reach + e;
    window[e]       = k >= 0 && k < g.n ? a.p[k] : 0.0;
  }
  double       x = is_row ? a.x[i] : 0.0, r = is_row ? a.r[i] : 0.0;
  const double d = JACOBI && is_row ? a.dinv[i] : 1.0;
  __syncthreads();
  for (int c = 0; c < g.count && st.status == BF_KRYLOV_RUNNING; c++) {
    A.multiply(g, window);
    __syncthreads();
    const double p = is_row ? window[g.reach + t] : 0.0, q = is_row ? A.row(g) : 0.0;
    double       pq[1] = {p * q};
    grid_all_reduce(
        pq, used, g.reduce_slots, sequence + 1,
        [&](const double *s) {
          st.dot[0] = s[0];
          st.alpha  = bf_krylov_alpha(&st, BF_POSITIVE);
        },
        [](int, int) {});
    x += st.alpha * p;
    r -= st.alpha * q;
    const double z = JACOBI ? d * r : r;
    if (on_side) store_flagged(g.reduce_slots + SUM_SLOTS + i, z, sequence + 2);
    double sum[1 + JACOBI];
    sum[0]      = r * r;
    sum[JACOBI] = r * z;
    grid_all_reduce(
        sum, used, g.reduce_slots + SUM_SLOTS / 2, sequence + 2,
        [&](const double *s) {
          bf_krylov_end(&st, s[0], s[JACOBI], BF_POSITIVE, blockIdx.x == 0 ? a.history : NULL);
        },
        [&](int thread, int threads) {
          load_window_sides(g, row0, g.reduce_slots + SUM_SLOTS, sequence + 2, neighbours, thread, threads);
        });
    sequence += 2;
    if (st.status == BF_KRYLOV_RUNNING) {
      const double beta = st.beta;
      if (is_row) window[g.reach + t] = z + beta * p;
      update_sides(g, row0, neighbours, beta, window);
    }
    __syncthreads();
  }
  if (is_row) {
    a.x[i] = x;
    a.r[i] = r;
    a.p[i] = window[g.reach + t];
  }
  if (blockIdx.x == 0 && t == 0) {
    *a.state    = st;
    *g.sequence = sequence;
  }
}

bf_err bf_cuda_cg_persistent(bf_backend *be, const bf_matrix *A, const bf_cg_work *w, int count, int *done)
{
  static const persistent_kernels kernels = {
      {{(const void *)cg_persistent<float, false, 512>, (const void *)cg_persistent<float, false, 1024>},
       {(const void *)cg_persistent<float, true, 512>, (const void *)cg_persistent<float, true, 1024>}},
      {{(const void *)cg_persistent<double, false, 512>, (const void *)cg_persistent<double, false, 1024>},
       {(const void *)cg_persistent<double, true, 512>, (const void *)cg_persistent<double, true, 1024>}}};
  cg_args a = {w->x, w->r, w->p, w->dinv, w->state, w->history};
  return bf_cuda_persistent_run(be, A, 2, kernels, w->dinv != NULL, count, &a, done);
}

} // namespace bf
