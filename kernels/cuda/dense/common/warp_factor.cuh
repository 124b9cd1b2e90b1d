/* kernels/cuda/dense/common/warp_factor.cuh - LU and inverses of orders from 17 on: G lanes of a warp
 * factor a matrix in shared memory, 8 columns at a time
 *
 * Computes   P A = L U with LAPACK's ipiv and info, or A^-1 by Gauss-Jordan. A panel of 8 columns is
 *            factored in registers, with one to three rows per lane; W replaces its columns: the effect of
 *            the panel's steps on any other column (warp_factor_update.cuh), applied to all of them at once
 *            (LU: to those on the right). Rows do not move; their positions in LAPACK's order follow at the
 *            end from the pivot rows. After the last panel of an inverse, with Y the array and p(k) the row
 *            of pivot k: A^-1(k, p(j)) = Y(p(k), j) / pivot k.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., sections 3.2, 3.4; W (the inverse of L11 and
 *            -L21 times it) column by column: Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 *            ed., section 14.4.
 * Layout     a matrix per subwarp in shared memory (warp_layout). HELPER: a second warp applies a panel to
 *            all columns but those of the next panel, while the first warp factors that one.
 * Cost       2/3 n^3 or 2 n^3 flops (complex 4 times), 4 n^2 more for W; A is read and written once; no
 *            block barrier, with HELPER two per panel.
 * Launch     TEAMS warps per block, or two warps with HELPER; programmatic dependent launch. Shapes:
 *            warp_factor_tuning.cuh.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_CUH
#include "kernels/cuda/dense/common/warp_factor_panel.cuh"

namespace bf
{

/* What was eliminated before, left of a matrix: columns, the first of them without a pivot, 0 while all
 * is finite, and the number of those columns whose rows are not exchanged here */
template <class T>
struct leading_result {
  int       columns, zero;
  real_t<T> nonfinite;
  int       unswapped;
};

/* A lane's part of one matrix */
template <class T, int N, int G, bool INVERSE, bool BULK_COPY, bool HELPER>
struct warp_solver : warp_panel<T, N, G, INVERSE, BULK_COPY, HELPER> {
  using B = warp_panel<T, N, G, INVERSE, BULK_COPY, HELPER>;
  using B::HALVES;
  using B::KB, B::P, B::OWN, B::GROUPS, B::UNROLL, B::UPDATE_UNROLL;
  using B::M, B::L, B::own_rows, B::pivot_rows, B::w, B::r, B::pivot_state, B::zero, B::scaling, B::nonfinite,
      B::scale;
  using B::matrix, B::pivot_rows_of, B::mailbox, B::row_scales, B::positions, B::barriers, B::sync,
      B::position;
  using B::record_pivots, B::load_panel, B::step, B::store_ipiv;
  using B::warp_panel;
  static constexpr bool WIDE = warp_fp64_sums<T, N, INVERSE>;
  using typename B::R;

  __device__ __forceinline__ void store_panel(const T (&x)[OWN][KB], int k0) const
  {
    if (r >= N) return;
#pragma unroll
    for (int j = 0; j < KB; j++) {
      T v[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i++) v[i] = x[i][j];
      shared_put_run(own_rows + (k0 + j) * P, v);
    }
  }
  __device__ __forceinline__ unsigned subwarp_bits(unsigned ballot, int m) const
  {
    return ballot >> (m * G % 32) & (~0u >> (32 - G));
  }
  /* Applies the panel's steps to the other columns: W = x is stored in place of the panel's columns (LU:
   * 0 except below each pivot); L and U of the panel are stored back afterwards. */
  __device__ __forceinline__ void update(T (&x)[OWN][KB], const T (&lu)[OWN][KB], int k0) const
  {
    unsigned                           mask[GROUPS][OWN];
    warp_update<T, N, G, WIDE, HALVES> W[GROUPS];
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (INVERSE) {
        const unsigned bits =
            __ballot_sync(ALL_LANES, (unsigned)(position(i) - k0) < KB && pivot_state[i] < 0);
#pragma unroll
        for (int m = 0; m < GROUPS; m++) mask[m][i] = subwarp_bits(bits, m);
        if (HELPER && L.lane == 0) mailbox()[k0 / KB % 2 * OWN + i] = bits;
      }
    store_panel(x, k0);
    if (BULK_COPY)
      wait_columns_bulk<KB>(M, barriers() + 1);
    else if (!HELPER)
      cp_async_wait_all();
    sync();
#pragma unroll
    for (int m = 0; m < GROUPS; m++) {
      W[m].init(matrix(m) + k0 * P, L.lane, pivot_rows_of(m) + k0);
      if (INVERSE) W[m].at.clear(L.lane, mask[m]);
    }
    if (!INVERSE) {
      sync();
      store_panel(lu, k0);
    }
    if constexpr (HELPER) {
      if (k0 + KB < M.n_max) W[0].block(matrix(0) + (k0 + KB) * P);
    } else {
#pragma unroll(UPDATE_UNROLL)
      for (int i = 0; i < N / KB - 1; i++) {
        const int e = KB * i, c = INVERSE ? e + (e >= k0 ? KB : 0) : e + k0 + KB;
        if (c < M.n_max)
#pragma unroll
          for (int m = 0; m < GROUPS; m++) W[m].block(matrix(m) + c * P);
      }
    }
    __syncwarp();
  }
  /* The helper's part of a panel */
  __device__ __forceinline__ void helper_update(int k0) const
  {
    warp_update<T, N, G, WIDE> W;
    sync();
    W.init(matrix(0) + k0 * P, L.lane, pivot_rows + k0);
    if (INVERSE) {
      unsigned mask[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i++) mask[i] = mailbox()[k0 / KB % 2 * OWN + i];
      W.at.clear(L.lane, mask);
    } else
      sync();
#pragma unroll(UPDATE_UNROLL)
    for (int i = 0; i < N / KB - (INVERSE ? 1 : 2); i++) {
      const int e = KB * i, c = INVERSE ? e + (e >= k0 ? 2 * KB : 0) : e + k0 + 2 * KB;
      if (c < M.n_max) W.block(matrix(0) + c * P);
    }
  }
  __device__ __forceinline__ void panel(int k0)
  {
    T x[OWN][KB], lu[OWN][KB];
    load_panel(x, k0);
#pragma unroll 1
    for (int k = k0; k < k0 + KB; k += UNROLL) {
#pragma unroll
      for (int j = 0; j < UNROLL; j++) step(x, lu, k + j, j);
#pragma unroll
      for (int i = 0; i < OWN; i++) {
        rotate_blocks<UNROLL>(x[i]);
        if (!INVERSE) rotate_blocks<UNROLL>(lu[i]);
      }
    }
    record_pivots(k0);
    if (INVERSE || k0 + KB < M.n_max) {
      update(x, lu, k0);
    } else {
      store_panel(lu, k0);
      __syncwarp();
    }
  }
  /* prepare(k0) is called before panel k0. */
  template <class F>
  __device__ __forceinline__ void panels(F prepare)
  {
    if (HELPER && w == 1) {
      cp_async_wait_all();
#pragma unroll 1
      for (int k0 = 0; k0 + (INVERSE ? 0 : KB) < M.n_max; k0 += KB) helper_update(k0);
    } else
#pragma unroll 1
      for (int k0 = 0; k0 < M.n_max; k0 += KB) {
        prepare(k0);
        panel(k0);
      }
  }
  __device__ __forceinline__ void panels()
  {
    panels([](int) {});
  }
  /* Gives the second warp the rows' positions and scales, before it stores some of the columns */
  __device__ __forceinline__ void share_rows()
  {
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (w == 0 && r + i < N) {
        positions()[r + i] = (uint16_t)pivot_state[i];
        if (INVERSE) shared_put(row_scales() + r + i, scale[i]);
      }
    if (w == 0 && L.lane == 0) mailbox()[2 * OWN] = (unsigned)zero;
    sync();
#pragma unroll
    for (int i = 0; i < OWN; i++)
      if (w == 1 && r + i < M.n) {
        pivot_state[i] = positions()[r + i];
        if (INVERSE) scale[i] = shared_get(row_scales() + r + i);
      }
    if (w == 1) zero = (int)mailbox()[2 * OWN];
  }

  /* f(which row, column, entry of the result) for this lane's rows; of two warps each has half of the
   * columns */
  template <class F>
  __device__ __forceinline__ void entries(F f) const
  {
    const int first = HELPER && w == 1 ? M.n / 2 : 0, end = HELPER && w == 0 ? M.n / 2 : M.n;
    if (r < M.n)
#pragma unroll 8
      for (int j = first; j < end; j++) {
        T v[OWN];
        shared_get_run(own_rows + j * P, v);
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (r + i < M.n) f(i, j, INVERSE ? v[i] * scale[i] : v[i]);
      }
  }
  /* Row exchanges in the columns left of M */
  __device__ __forceinline__ void swap_left_columns(const leading_result<T> &leading, bool aligned) const
  {
    constexpr int AT_A_TIME = 4;
    const int     columns   = leading.columns;
    T            *p         = M.a - (int64_t)columns * M.ld;
    for (int c = leading.unswapped + w * AT_A_TIME; c < columns; c += 2 * AT_A_TIME) {
      T v[AT_A_TIME][OWN];
#pragma unroll
      for (int j = 0; j < AT_A_TIME; j++)
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (c + j < columns) v[j][i] = load(p + (c + j) * (int64_t)M.ld + r + i, aligned);
      __syncwarp();
#pragma unroll
      for (int j = 0; j < AT_A_TIME; j++)
#pragma unroll
        for (int i = 0; i < OWN; i++)
          if (c + j < columns) store(p + (c + j) * (int64_t)M.ld + position(i), v[j][i], aligned);
    }
  }
  __device__ __forceinline__ void store_result(int *ipiv, int *info,
                                               const leading_result<T> &leading = {0, 0, 0, 0})
  {
    const bool aligned = is_aligned(M);
    nonfinite += leading.nonfinite;
#pragma unroll
    for (int i = 0; i < OWN; i++) scale[i] = times(scale[i], scaling[i]);
    if (HELPER) share_rows();
    if (HELPER && !INVERSE) swap_left_columns(leading, aligned);
    entries([&](int i, int j, T v) {
      nonfinite = track_nonfinite(v, nonfinite);
      if (!INVERSE) store(M.a + position(i) + (int64_t)j * M.ld, v, aligned);
    });
    bool has_nonfinite = !(nonfinite == 0);
    if constexpr (HELPER)
      has_nonfinite = __syncthreads_or(has_nonfinite);
    else
      has_nonfinite = L.group_bits(__ballot_sync(ALL_LANES, has_nonfinite)) != 0;
    if (INVERSE && !has_nonfinite && zero == 0)
      entries(
          [&](int i, int j, T v) { store(M.a + position(i) + (int64_t)pivot_rows[j] * M.ld, v, aligned); });
    if (w != 0) return;
    if (!INVERSE) store_ipiv(ipiv, leading.columns);
    if (zero > 0) zero += leading.columns;
    if (L.r == 0 && M.b != NO_INDEX)
      info[M.b] = has_nonfinite ? M.n + leading.columns + 1 : leading.zero > 0 ? leading.zero : zero;
  }
};

/* Whether a block prefetches, half way, the matrix of the block that follows it; slower for 16-byte
 * scalars */
template <class T, int N, int G, bool INVERSE, bool HELPER>
inline constexpr bool warp_prefetches = warp_two_halves<T, N, G, INVERSE, HELPER> && sizeof(T) == 8;

/* TEAMS in a block, BLOCKS per multiprocessor; a team is a warp, or two with HELPER. resident: matrices
 * on the device at a time */
template <class T, int N, int G, bool INVERSE, int TEAMS, int BLOCKS, bool BULK_COPY, bool HELPER>
static __global__ void __launch_bounds__((HELPER ? 64 : 32) * TEAMS, BLOCKS)
    warp_factor(const batch_view<T> A, int *__restrict__ ipiv, int *__restrict__ info, int resident)
{
  static_assert(!HELPER || (TEAMS == 1 && G == 32 && !BULK_COPY), "a helper is for one matrix in a block");
  extern __shared__ __align__(16) char smem[];
  constexpr int                        EACH     = TEAMS * (32 / G);
  constexpr bool                       PREFETCH = BLOCKS * EACH * N * N * (int)sizeof(T) <= PREFETCH_BYTES;
  pdl_begin<PREFETCH>(A, EACH);
  const subwarp<G>        L;
  const subwarp_matrix<T> M(A, subwarp < HELPER ? 64 : G > ());
  const int               warp = (int)threadIdx.x / 32;
  if (__all_sync(ALL_LANES, M.b == NO_INDEX)) return;
  warp_solver<T, N, G, INVERSE, BULK_COPY, HELPER> work(
      M, L, HELPER ? warp : 0,
      HELPER ? smem : smem + warp * (32 / G) * warp_layout<T, N, G>::template bytes<false>);
  pdl_trigger();
  work.panels([&](int k0) {
    if (warp_prefetches<T, N, G, INVERSE, HELPER> && k0 == N / 2 && L.r == 0)
      prefetch_matrix_l2(A, (int64_t)blockIdx.x * EACH + threadIdx.x / G + resident);
  });
  work.store_result(INVERSE || M.b == NO_INDEX ? nullptr : ipiv + (int64_t)M.b * A.pitch, info);
}

template <class T, int N, int G, bool INVERSE, int TEAMS, int BLOCKS, bool BULK_COPY, bool HELPER>
static cudaError_t warp_launch(const batch_view<T> &A, int *ipiv, int *info, cudaStream_t s)
{
  const auto        kernel = warp_factor<T, N, G, INVERSE, TEAMS, BLOCKS, BULK_COPY, HELPER>;
  constexpr int     each = TEAMS * (32 / G), bytes = each * warp_layout<T, N, G>::template bytes<HELPER>;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  return pdl_launch(kernel, (unsigned)(((int64_t)A.count + each - 1) / each), (HELPER ? 64 : 32) * TEAMS,
                    (size_t)bytes, s, A, ipiv, info,
                    warp_prefetches<T, N, G, INVERSE, HELPER> ? batch_multiprocessors() * BLOCKS * each : 0);
}

} // namespace bf
#endif
