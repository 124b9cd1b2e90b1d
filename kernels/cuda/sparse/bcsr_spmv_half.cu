/* kernels/cuda/sparse/bcsr_spmv_half.cu - block compressed rows in half storage: product
 *
 * Computes   y(i*D + a) = sum over blocks p of node row i and b < D of A(i*D + a, j(p)*D + b)
 *            x(j(p)*D + b); a block left of the diagonal is the transposed of one that row j
 *            stores.
 * Source     Bell and Garland (SC09), as bcsr.cu: a lane owns scalar columns of the node row, reads
 *            one entry of x for each and uses it for D values; each row gathers both of its halves.
 * Layout     matrix/bcsr.h: blocks one after another. Of scalar column (k, c) of a row the D values
 *            are column c of a stored block, D apart, and row c of one left of the diagonal, side
 *            by side.
 * Cost       2 D*D flops a block; per pair of transposed blocks 8 D*D bytes (fp64) from memory,
 *            read twice from the L2 cache, and 8 for two columns and a position, with 16-bit
 *            columns; 16 for each node, x and y once.
 * Launch     128 threads on 128/L node rows, L such that a mean row has at most ROUNDS columns a
 *            lane, and as many blocks as run at once, so that rows in work are neighbours and their
 *            values are in the L2 cache. Columns and positions of the next row are read beside the
 *            values of this one. No atomics.
 * Checked    tests/kernels/sparse/t389_bcsr_half.c, t315_products.c against long double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/sparse/bcsr.cuh"

namespace bf
{

enum { THREADS = 128, BLOCKS_PER_SM = 5, ROUNDS = 4 };

struct half_args {
  bf_bcsr       A;
  const double *x, *w;
  double       *y, *dot, *partial;
  unsigned     *ticket;
};

struct half_row {
  int64_t p0, low; /* its first block; its first entry of the list `from` */
  int     lower;   /* scalar columns left of the diagonal */
  int     width;   /* scalar columns; 0 behind the last row */
};

template <int D>
static __device__ __forceinline__ half_row find_row(const bf_bcsr &A, int64_t i)
{
  if (i >= A.nrows) return {0, 0, 0, 0};
  const int64_t p0 = __ldg(A.ptr + i), low = __ldg(A.low + i);
  return {p0, low, (int)(__ldg(A.low + i + 1) - low) * D, (int)(__ldg(A.ptr + i + 1) - p0) * D};
}

/* at[u], block[u]: the entry of x and the number of the stored block of scalar column j0 + u*L of row i. */
template <typename C, int D, int L>
static __device__ __forceinline__ void load_columns(const bf_bcsr &A, int64_t i, const half_row &row, int j0,
                                                    bf_int (&at)[ROUNDS], bf_int (&block)[ROUNDS])
{
  const C *col;
  if constexpr (sizeof(C) == sizeof(int16_t))
    col = A.rel + row.p0;
  else
    col = A.col + row.p0;
  const bf_int base = bf_column_base<C>(i);
  const bf_int stored =
      (bf_int)(row.p0 - row.low) - row.lower / D; /* number of the row's first one, less `lower` */
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) {
    const int j = j0 + u * L, k = (int)((unsigned)j / (unsigned)D);
    at[u]    = j < row.width ? ((bf_int)__ldcs(col + k) + base) * D + (j - k * D) : 0;
    block[u] = j < row.lower ? __ldcs(A.from + row.low + k) : stored + k;
  }
}

/* Values and entries of x of these columns; 0 behind the end of the row. */
template <typename T, int D, int L>
static __device__ __forceinline__ void add_columns(const double *__restrict__ x, const T *__restrict__ val,
                                                   const half_row &row, int j0, const bf_int (&at)[ROUNDS],
                                                   const bf_int (&block)[ROUNDS], double (&sum)[D])
{
  T      value[ROUNDS][D];
  double entry[ROUNDS];
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) {
    const int  j = j0 + u * L, c = (int)((unsigned)j % (unsigned)D);
    const bool lower = j < row.lower;
    const T   *v     = val + (int64_t)block[u] * (D * D) + (lower ? c * D : c);
    const int  step  = lower ? 1 : D;
#pragma unroll
    for (int a = 0; a < D; a++) value[u][a] = j < row.width ? __ldg(v + a * step) : (T)0;
  }
#pragma unroll
  for (int u = 0; u < ROUNDS; u++) entry[u] = j0 + u * L < row.width ? __ldg(x + at[u]) : 0.0;
#pragma unroll
  for (int u = 0; u < ROUNDS; u++)
#pragma unroll
    for (int a = 0; a < D; a++) sum[a] += (double)value[u][a] * entry[u];
}

template <typename T, typename C, int D, int L>
static __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    bcsr_spmv_half(half_args g, const T *__restrict__ val)
{
  constexpr int ROWS = THREADS / L;
  const int     lane = (int)threadIdx.x % L;
  const int     mine = (int)threadIdx.x / L;
  const int64_t step = (int64_t)gridDim.x * ROWS, first = (int64_t)blockIdx.x * ROWS;
  double        dot[2] = {0.0, 0.0};
  half_row      row = find_row<D>(g.A, first + mine), next = find_row<D>(g.A, first + mine + step);
  bf_int        at[ROUNDS], block[ROUNDS];
  load_columns<C, D, L>(g.A, first + mine, row, lane, at, block);
  for (int64_t i0 = first; i0 < g.A.nrows; i0 += step) {
    const int64_t i      = i0 + mine;
    double        sum[D] = {};
    bf_int        next_at[ROUNDS], next_block[ROUNDS];
    load_columns<C, D, L>(g.A, i + step, next, lane, next_at, next_block);
    const half_row after = find_row<D>(g.A, i + 2 * step);
    add_columns<T, D, L>(g.x, val, row, lane, at, block, sum);
#pragma unroll 1
    for (int j0 = lane + ROUNDS * L; j0 < row.width; j0 += ROUNDS * L) { /* of a long row */
      load_columns<C, D, L>(g.A, i, row, j0, at, block);
      add_columns<T, D, L>(g.x, val, row, j0, at, block, sum);
    }
    bf_bcsr_sum_lanes<D, L>(sum);
    if (i < g.A.nrows && lane == 0) bf_bcsr_store(sum, i, g.y, g.w, dot);
    row  = next;
    next = after;
#pragma unroll
    for (int u = 0; u < ROUNDS; u++) at[u] = next_at[u], block[u] = next_block[u];
  }
  if (!g.w || !bf_grid_sum(dot, g.partial, g.ticket)) return;
  g.dot[0] = dot[0];
  g.dot[1] = dot[1];
}

bf_err bf_cuda_bcsr_spmv_half(bf_backend *be, const bf_matrix *M, const double *x, double *y, const double *w,
                              double *dot)
{
  const bf_bcsr *A      = M->bcsr;
  const bf_cuda *cu     = bf_cuda_of(be);
  const int      lanes  = bf_bcsr_lanes(A, ROUNDS);
  const unsigned most   = (unsigned)(BLOCKS_PER_SM * cu->sms);
  unsigned       blocks = bf_cuda_blocks(A->nrows, THREADS / lanes);
  half_args      g      = {*A, x, w, y, dot, NULL, cu->ticket};
  if (blocks > most) blocks = most;
  if (w) BF_TRY(bf_cuda_partials(be, 2 * (int64_t)blocks, &g.partial));
  bf_bcsr_with_types(A, [&](auto *c, auto *v, auto D) {
    using T = std::remove_pointer_t<decltype(v)>;
    using C = std::remove_pointer_t<decltype(c)>;
    bf_bcsr_with_lanes(lanes, [&](auto L) {
      bcsr_spmv_half<T, C, decltype(D)::value, decltype(L)::value><<<blocks, THREADS, 0, cu->stream>>>(g, v);
    });
  });
  return BF_CUDA_LAUNCHED(be);
}
} // namespace bf
