/* kernels/cuda/dense/lu/blocked_trailing_update.cuh - blocked LU: trailing update by one panel or by two
 *
 * Computes   for C = A(:, c0 .. c0+W-1) with rows in the order of the panels: U12 = L11^-1 C1, C2 -= L21
 *            U12.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 3.2.11; delayed interchanges: Liu et
 *            al. 2023 (docs/references.md).
 * Layout     a block owns W columns of a matrix; a warp processes one tile of rows after the other
 *            (blocked_trailing_pipeline.cuh). The exchanges of K columns move K rows to the top and the
 *            rows there to the positions they left: below, a position keeps its row or gets one of those K.
 *            So the pivot rows are copied to shared memory first, every other position is read from where
 *            its row lies, and the top is written last. After two panels the columns of the first are still
 *            in the order after the first: its row of L for a position is taken from the second panel's
 *            order.
 * Cost       2 m K W flops per block (complex 4 times, or 3 times with THREE); C is read and written once,
 *            L21 is read once per W columns.
 * Launch     a block per matrix and W columns, WARPS warps.
 * Checked    tests/kernels/dense/t362_lu_batch.c, t366_sizes_batch.c, t368_lu_panels.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_UPDATE_CUH
#define BF_KERNELS_CUDA_DENSE_LU_BLOCKED_TRAILING_UPDATE_CUH
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/lu/blocked_panel.cuh"
#include "kernels/cuda/dense/lu/blocked_trailing_pipeline.cuh"

namespace bf
{

/* 16 M rows of W columns. THREE: a complex product by three real ones, l1 u1, l2 u2 and (l1 + l2)(u1 +
 * u2); c accumulates re + the first, the second, re + im + the third. */
template <class SHAPE, class T>
struct trailing_rows {
  using R                     = real_t<T>;
  using part                  = trailing_smem<SHAPE, T>;
  static constexpr bool THREE = SHAPE::THREE && is_complex<T>;
  static constexpr int  W = SHAPE::W, M = SHAPE::M, KC = SHAPE::KC, PARTS = THREE ? 3 : is_complex<T> ? 2 : 1;
  R                     c[PARTS][M][W / 8][4];

  /* columns from KC q on, from a part */
  __device__ __forceinline__ void load_c(const T *s, int q, int lane)
  {
    const int g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int m = 0; m < M; m++)
#pragma unroll
      for (int h = 0; h < KC / 8; h++)
#pragma unroll
        for (int e = 0; e < 4; e++) {
          const T x =
              trailing_load<true>(s + (8 * h + 2 * t + (e & 1)) * part::C + 16 * m + g + 8 * (e >> 1));
          c[0][m][q * KC / 8 + h][e] = real_part(x);
          if constexpr (THREE) {
            c[1][m][q * KC / 8 + h][e] = 0;
            c[2][m][q * KC / 8 + h][e] = x.re + x.im;
          } else if constexpr (is_complex<T>)
            c[1][m][q * KC / 8 + h][e] = x.im;
        }
  }
  /* subtracts a part of L times KC rows of U */
  __device__ __forceinline__ void update(const T *s, const T *U, int lane)
  {
    constexpr int P = part::PITCH;
    const int     g = lane >> 2, t = lane & 3;
#pragma unroll
    for (int k = 0; k < KC; k += 8) {
      mma_real<R> re[M][4], im[M][4], both[M][4];
#pragma unroll
      for (int m = 0; m < M; m++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
          const T l  = trailing_load<true>(s + (k + t + 4 * (i >> 1)) * part::L + 16 * m + g + 8 * (i & 1));
          re[m][i]   = mma_operand(-real_part(l));
          im[m][i]   = mma_operand(-imag_part(l));
          both[m][i] = mma_operand(-(real_part(l) + imag_part(l)));
        }
#pragma unroll
      for (int h = 0; h < W / 8; h++) {
        mma_real<R> x[2], y[2], z[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const T u = trailing_load<true>(U + (k + t + 4 * i) * P + 8 * h + g);
          x[i]      = mma_operand(real_part(u));
          y[i]      = mma_operand(imag_part(u));
          z[i]      = mma_operand(real_part(u) + imag_part(u));
        }
#pragma unroll
        for (int m = 0; m < M; m++) {
          mma(c[0][m][h], re[m], x);
          if constexpr (THREE) {
            mma(c[1][m][h], im[m], y);
            mma(c[2][m][h], both[m], z);
          } else if constexpr (is_complex<T>) {
            mma(c[1][m][h], re[m], y);
            mma(c[0][m][h], im[m], {-y[0], -y[1]});
            mma(c[1][m][h], im[m], x);
          }
        }
      }
    }
  }
  __device__ __forceinline__ T entry(int m, int h, int e) const
  {
    if constexpr (THREE)
      return {c[0][m][h][e] - c[1][m][h][e], c[2][m][h][e] - c[0][m][h][e] - c[1][m][h][e]};
    else if constexpr (is_complex<T>)
      return {c[0][m][h][e], c[1][m][h][e]};
    else
      return c[0][m][h][e];
  }
  template <bool WIDE>
  __device__ __forceinline__ void store_c(T *a, int64_t ld, int rows, int last, int lane) const
  {
    const int g = lane >> 2, t = lane & 3;
    T        *p = a + g + 2 * t * ld;
#pragma unroll
    for (int h = 0; h < W / 8; h++, p += 6 * ld)
#pragma unroll
      for (int e = 0; e < 2; e++, p += ld)
#pragma unroll
        for (int m = 0; m < M; m++)
#pragma unroll
          for (int i = 0; i < 2; i++)
            if (8 * h + 2 * t + e < last && 16 * m + 8 * i + g < rows)
              trailing_store<WIDE>(p + 16 * m + 8 * i, entry(m, h, e + 2 * i));
  }
};

template <class SHAPE, bool WIDE, class T>
static __device__ __forceinline__ void trailing_columns(T *smem, const trailing_args<T> &at, int *info)
{
  constexpr int NB = SHAPE::NB, W = SHAPE::W, WARPS = SHAPE::WARPS, THREADS = 32 * WARPS;
  using part      = trailing_smem<SHAPE, T>;
  constexpr int P = part::PITCH, LP = part::DIAGONAL_PITCH, ROWS = part::ROWS;
  const int     tid = (int)threadIdx.x, lane = tid & 31, w = tid >> 5, k0 = at.k0, panels = at.panels,
            K = NB * panels, m = at.n - k0;
  T        *U = smem, *diagonal = U + K * P, *ring = diagonal + NB * LP;
  uint16_t *rows = reinterpret_cast<uint16_t *>(ring + WARPS * SHAPE::STAGES * part::SIZE);
  { /* several at once, so that the dependent look-ups of different rows overlap */
    constexpr int PER_THREAD = BATCH_MAX / THREADS;
    int           row[PER_THREAD];
#pragma unroll
    for (int u = 0; u < PER_THREAD; u++) row[u] = k0 + tid + u * THREADS;
#pragma unroll 1
    for (int q = panels - 1; q >= 0; q--) {
#pragma unroll
      for (int u = 0; u < PER_THREAD; u++) {
        const int i = tid + u * THREADS;
        if (i >= NB * q && i < m) row[u] = at.perm[q * at.pitch + row[u]];
      }
#pragma unroll
      for (int u = 0; u < PER_THREAD; u++)
        if (tid + u * THREADS < m) rows[q * m + tid + u * THREADS] = (uint16_t)row[u];
    }
  }
  __syncthreads();
  for (int i = lane; i < K; i += 32) {
    const T *from = at.a + rows[i];
#pragma unroll
    for (int j = w; j < W; j += WARPS)
      if (j < at.last) trailing_copy<WIDE>(U + i * P + j, from + j * at.ld);
  }
#pragma unroll
  for (int j = w; j < NB; j += WARPS)
    if (NB == 32 || lane < NB)
      trailing_copy<WIDE>(diagonal + j * LP + lane, at.panel + j * at.ld + k0 + lane);
  cp_async_commit_group();
  trailing_pipeline<SHAPE, WIDE, T> feed(at, ring + w * SHAPE::STAGES * part::SIZE, rows, m, K + w * ROWS,
                                         lane);
  cp_async_wait_group<SHAPE::STAGES - 1>();
  __syncthreads();
  trailing_l_rows<T, NB> next_l;                    /* this panel's columns at the next panel's rows, */
  T                      next_diagonal[NB / WARPS]; /* and that panel's diagonal block, loaded ahead */
  const auto             load_diagonal = [&](int r) {
    const T *from = at.panel + (r + w) * at.ld + k0 + r + lane;
#pragma unroll
    for (int j = 0; j < NB / WARPS; j++, from += WARPS * at.ld) next_diagonal[j] = trailing_load<WIDE>(from);
  };
#pragma unroll 1
  for (int q = 0; q < panels; q++) {
    constexpr int PART  = 2 * W < 8 * WARPS ? 8 : 2 * W / WARPS; /* columns of a warp, for 16 rows */
    const int     first = 16 * (w & 1), c = (w >> 1) * PART, below = NB * (q + 1);
    T            *Uq = U + NB * q * P;
    if (q > 0) { /* subtract the first panel's part */
      if (sizeof(T) == 16) load_diagonal(NB * q);
      if (c < W) {
        trailing_tile<T, PART> D;
        D.each(lane, [&](T &x, int i, int j) { x = Uq[(first + D.row(lane, i)) * P + c + j]; });
        D.template update<P>(next_l, Uq - NB * P + c, lane);
        D.each(lane, [&](T &x, int i, int j) { Uq[(first + D.row(lane, i)) * P + c + j] = x; });
      }
#pragma unroll
      for (int j = 0; j < NB / WARPS; j++) diagonal[(w + j * WARPS) * LP + lane] = next_diagonal[j];
      __syncthreads();
    }
    if (q + 1 < panels) {
      const uint16_t *list = rows + (q + 1) * m + below + first;
      const int from[2] = {list[trailing_tile<T, 8>::row(lane, 0)], list[trailing_tile<T, 8>::row(lane, 1)]};
      next_l.template load<WIDE>(at.panel + NB * q * at.ld, at.ld, from, lane);
      if (sizeof(T) < 16) load_diagonal(below);
    }
    trailing_trsm<SHAPE, LP, P>(diagonal, Uq, tid);
  }
  for (int r0 = K + w * ROWS; r0 < m; r0 += WARPS * ROWS) {
    trailing_rows<SHAPE, T> C;
#pragma unroll
    for (int q = 0; q < W / SHAPE::KC; q++) C.load_c(feed.next(), q, lane);
#pragma unroll 1
    for (int k = 0; k < K; k += SHAPE::KC) C.update(feed.next(), U + k * P, lane);
    C.template store_c<WIDE>(at.a + k0 + r0, at.ld, m - r0, at.last, lane);
  }
  __syncthreads();
  real_t<T> nonfinite = 0;
  for (int i = lane; i < K; i += 32)
    for (int j = w; j < at.last; j += WARPS) {
      const T x = U[i * P + j];
      nonfinite = track_nonfinite(x, nonfinite);
      trailing_store<WIDE>(at.a + j * at.ld + k0 + i, x);
    }
  if (nonfinite != 0) *info = at.leading + at.n + 1;
}

/* For n columns after the leading ones. Panels are applied in pairs: the first to the second's columns,
 * then both to all columns right of them; a panel without a second to all; the last ones to none where
 * the final block applies them. */
struct trailing_step {
  int panels, c1; /* c1: the end of the updated columns; 0: none */
};
template <class T, int NB>
static __host__ __device__ __forceinline__ trailing_step trailing_step_after(int p, int n)
{
  const int count = final64_start<NB>(n) / NB, panels = p % 2 + 1;
  if (p + 1 < count) return {panels, panels == 1 ? (p + 2) * NB : n};
  return {panels, p + 1 == count && final64_is_updated<T, NB>(count) ? n : 0};
}

/* Columns right of panel p, W in a block; perm[panel][b * A.pitch + position]. LEADING: some matrices
 * may have leading columns; without this test s and d are 3 % faster. */
template <class SHAPE, bool LEADING, class T>
static __global__ void __launch_bounds__(32 * SHAPE::WARPS, SHAPE::BLOCKS)
    lu_trailing_update(const batch_view<T> A, const uint16_t *perm, int64_t pitch, int *info, int p,
                       int column_blocks)
{
  extern __shared__ __align__(16) char smem[];
  const int                            k = (int)blockIdx.x / column_blocks;
  if (k >= A.members()) return;
  const int b = A.member(k), all = A.order(b), leading = LEADING ? leading_count<T, SHAPE::NB>(all) : 0,
            n = all - leading, c0 = (p + 1) * SHAPE::NB + ((int)blockIdx.x - k * column_blocks) * SHAPE::W;
  const trailing_step step = trailing_step_after<T, SHAPE::NB>(p, n);
  if (c0 >= step.c1) return;
  const int              first = p + 1 - step.panels, k0 = first * SHAPE::NB;
  const int64_t          ld = A.ld;
  T                     *a  = A.matrix(b) + leading * (ld + 1);
  const trailing_args<T> at = {a + k0 * ld,
                               a + c0 * ld,
                               ld,
                               n,
                               leading,
                               k0,
                               min(SHAPE::W, step.c1 - c0),
                               step.panels,
                               perm + first * pitch + (int64_t)b * A.pitch,
                               pitch};
  if (is_complex<T> && (reinterpret_cast<uintptr_t>(a) & (sizeof(T) - 1)) != 0)
    trailing_columns<SHAPE, false>(reinterpret_cast<T *>(smem), at, info + b);
  else
    trailing_columns<SHAPE, true>(reinterpret_cast<T *>(smem), at, info + b);
}

template <class SHAPE, class T>
static cudaError_t lu_trailing_launch(const batch_view<T> &A, const lu_partition &partition,
                                      const uint16_t *perm, int64_t pitch, int *info, int p, int c1,
                                      cudaStream_t s)
{
  const auto kernel =
      partition.has_leading() ? lu_trailing_update<SHAPE, true, T> : lu_trailing_update<SHAPE, false, T>;
  const int         panels = p % 2 + 1, k1 = (p + 1) * SHAPE::NB;
  const int         bytes = trailing_smem<SHAPE, T>::bytes(panels, partition.n - (k1 - panels * SHAPE::NB));
  const int         column_blocks = (c1 - k1 + SHAPE::W - 1) / SHAPE::W;
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (e != cudaSuccess) return e;
  kernel<<<(unsigned)A.count *(unsigned)column_blocks, 32 * SHAPE::WARPS, bytes, s>>>(A, perm, pitch, info, p,
                                                                                      column_blocks);
  return cudaGetLastError();
}

} // namespace bf
#endif
