/* kernels/cuda/dense/eigen/jacobi_onesided.cuh - batched eigendecomposition of orders 1 .. 32, several
 * matrices per warp, by one-sided Jacobi
 *
 * Computes   A = V diag(w) V^H: rotations make the columns of W = A + sigma orthogonal in pairs; then they
 *            are positive multiples of eigenvectors. Eigenvalues by Rayleigh quotients.
 * Source     K. Veselic, V. Hari, Numer. Math. 56 (1989): one-sided rotations of a shifted matrix;
 *            jacobi_sweep.cuh.
 * Layout     jacobi_columns.cuh. A stays in shared memory, through which V is stored. Diagonal and
 *            non-finite matrices are handled first and the others listed (screen_trivial.cuh): by a
 *            separate kernel, or by each block for its own matrices if all blocks are nearly resident (not
 *            for orders 9 to 16).
 * Cost       5 n^3 multiply-adds per sweep (complex 16 n^3), 5 to 9 sweeps; A is read twice, once from L1.
 * Launch     WARPS warps per block; programmatic dependent launch after the screening kernel.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_ONESIDED_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_ONESIDED_CUH
#include "kernels/cuda/dense/eigen/heev_warp_z32.cuh"

namespace bf
{

/* The matrices of a warp and its shared memory */
template <class S, class T>
BF_DEVICE void decompose(const batch_view<T> &A, const jacobi_matrix<T> &M, bool upper, bool vectors,
                         T *smem_of_warp, int lane, real_t<T> *__restrict__ w, int *__restrict__ info,
                         const jacobi_limits &limits)
{
  using R             = real_t<T>;
  T *square_of_matrix = smem_of_warp + lane / S::LANES * S::PITCH;
  load_matrices<S>(M, A.ld, upper, smem_of_warp, lane);
  __syncwarp();
  jacobi_column<T, S::ROWS> x, y;
  const int                 ex             = shift<S>(x, y, square_of_matrix, M.n, lane);
  const int                 last_rotations = sweep<S>(x, y, M.n > 0, lane, limits);
  const bool                converged      = last_rotations == 0;
  R                         wx, wy;
  normalise<S>(x, lane);
  normalise<S>(y, lane);
  rayleigh_quotients<S>(x, y, square_of_matrix, lane, &wx, &wy);
  const R nan = R(nanf(""));
  int     px, py;
  sorted_positions<S>(x, y, wx, wy, M.n, lane, &px, &py);
  const int first_row = lane % S::LANES / S::PAIRS * S::ROWS;
  const R   up = scalbn(R(1), ex / 2), up2 = scalbn(R(1), ex - ex / 2);
  if (first_row == 0) {
    R *values = w + (int64_t)M.b * A.pitch;
    if (x.id < M.n) values[px] = converged ? wx * up * up2 + R(0) : nan;
    if (y.id < M.n) values[py] = converged ? wy * up * up2 + R(0) : nan;
    if (lane % S::LANES == 0 && M.n > 0) info[M.b] = converged ? 0 : M.n + 2;
    if (lane % S::LANES == 0 && !converged && limits.left) limits.left[M.b] = last_rotations;
  }
  if (!vectors) return;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    if (x.id < M.n) square_of_matrix[px * S::LD + first_row + r] = converged ? x.e[r] : from_real<T>(nan);
    if (y.id < M.n) square_of_matrix[py * S::LD + first_row + r] = converged ? y.e[r] : from_real<T>(nan);
  }
  __syncwarp();
  store_matrices<S>(M, A.ld, smem_of_warp, lane);
}

/* The warp that starts with the first matrices. Blocks of two warps with work for one are thus
 * distributed over the schedulers, each of which has every fourth warp of a multiprocessor. */
template <class S>
BF_DEVICE int jacobi_first_warp()
{
  unsigned warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  const int block = (int)warp / S::WARPS;
  return S::WARPS == 2 ? (block ^ block >> 1) & 1 : 0;
}

/* Matrices of the list or, with SELF_SCREENED, those of the block that remain after its screening */
template <class S, class T, bool SELF_SCREENED>
__global__ void __launch_bounds__(32 * S::WARPS, S::BLOCKS)
    jacobi_rotations(const batch_view<T> A, const int *list_size, const int *list, bool upper, bool vectors,
                     real_t<T> *__restrict__ w, int *__restrict__ info, const jacobi_limits limits)
{
  extern __shared__ __align__(16) char smem[];
  __shared__ int                       compacted[S::MATRICES], total, first_warp;
  const int                            lane = (int)threadIdx.x & 31, from = (int)blockIdx.x * S::MATRICES;
  int                                  warp = (int)threadIdx.x >> 5, count;
  jacobi_matrix<T>                     M    = {NULL, 0, 0};
  if constexpr (SELF_SCREENED) {
    const int k = from + (int)threadIdx.x / S::N;
    if (threadIdx.x == 0) {
      total      = 0;
      first_warp = jacobi_first_warp<S>();
    }
    __syncthreads();
    if (k < A.members()) M = jacobi_member(A, k);
    const auto row = screen_rows<S::N, true>(M, A.ld, upper, lane);
    compact<S::N>(k, row.dense, lane, &total, compacted);
    __syncthreads();
    finish_trivial<S::N>(A, M, row, vectors, lane, w, info);
    warp  = (warp + first_warp) % S::WARPS;
    list  = compacted;
    count = total;
    M     = {NULL, 0, 0};
  } else {
    pdl_wait();
    list += from;
    count = *list_size - from;
  }
  const int first_row    = warp * S::PER_WARP,
            smem_of_warp = first_row + lane / S::LANES; /* index among the block's matrices */
  if (first_row >= count) return;
  if (smem_of_warp < count) M = jacobi_member(A, list[smem_of_warp]);
  decompose<S>(A, M, upper, vectors, reinterpret_cast<T *>(smem) + (size_t)first_row * S::PITCH, lane, w,
               info, limits);
}

template <class S, class T, bool SELF_SCREENED>
static cudaError_t jacobi_launch(const batch_view<T> &A, bool upper, bool vectors,
                                 const jacobi_limits &limits, real_t<T> *w, int *info, const int *work,
                                 cudaStream_t s)
{
  const auto  kernel = jacobi_rotations<S, T, SELF_SCREENED>;
  cudaError_t error  = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared);
  if (error != cudaSuccess) return error;
  const unsigned blocks = (unsigned)((A.count - 1) / S::MATRICES + 1);
  if (!SELF_SCREENED)
    return pdl_launch(kernel, blocks, 32 * S::WARPS, S::shared, s, A, work, work + HEEV_LIST_OFFSET, upper,
                      vectors, w, info, limits);
  kernel<<<blocks, 32 * S::WARPS, S::shared, s>>>(A, work, work + HEEV_LIST_OFFSET, upper, vectors, w, info,
                                                  limits);
  return cudaGetLastError();
}

/* SELF_SCREENED blocks if nearly all of them are resident at once, otherwise blocks of S after a
 * screening kernel */
template <class S, class SELF_SCREENED, class T>
static cudaError_t jacobi_with(const batch_view<T> &A, bool upper, bool vectors, const jacobi_limits &limits,
                               real_t<T> *w, int *info, int *work, cudaStream_t s)
{
  if constexpr (!std::is_void_v<SELF_SCREENED>)
    if (A.count <= batch_multiprocessors() * SELF_SCREENED::BLOCKS * SELF_SCREENED::MATRICES / 4 * 5)
      return jacobi_launch<SELF_SCREENED, T, true>(A, upper, vectors, limits, w, info, work, s);
  const cudaError_t error = jacobi_screen_launch<S::N>(A, upper, vectors, w, info, work, s);
  if (error != cudaSuccess) return error;
  return jacobi_launch<S, T, false>(A, upper, vectors, limits, w, info, work, s);
}

/* Cosines are accurate to a few roundoffs; the caller's tolerance for the off-diagonal norm over ||A||_F
 * is divided among the pairs. */
template <class T>
static jacobi_limits jacobi_stop(const bf_heev_how &options, int n)
{
  const double u = sizeof(real_t<T>) == 8 ? 0x1p-53 : 0x1p-24, roundoff = u * sqrt((double)n),
               allowed = options.tolerance / (1.2 * n * sqrt((double)n));
  return {roundoff > allowed ? roundoff : allowed, options.sweeps > 0 ? options.sweeps : 30, options.left};
}

template <class T>
cudaError_t heev_jacobi(const batch_view<T> &A, const bf_heev_how &options, real_t<T> *w, int *info,
                        void *work, cudaStream_t s)
{
  constexpr int       WORDS = (int)sizeof(T) / 4;
  const int           n     = bucket_order(A.n);
  const bool          upper = options.uplo == BF_UPPER, vectors = options.vectors != 0;
  const jacobi_limits stop = jacobi_stop<T>(options, n);
  int                *list = static_cast<int *>(work);
  using s4                 = jacobi_shape<T, 4, 4, 4>;
  using s8                 = jacobi_shape<T, 8, 4, WORDS == 4 ? 4 : 5>;
  using s16                = jacobi_shape<T, 16, 2, WORDS == 4 ? 8 : 10>;
  using s32                = jacobi_shape<T, 32, WORDS == 4 ? 4 : 2, WORDS == 4 ? 2 : WORDS == 2 ? 8 : 10>;
  using alone8             = jacobi_shape<T, 8, 2, 10>;
  using alone32            = jacobi_shape<T, 32, 2, WORDS == 4 ? 4 : WORDS == 2 ? 6 : 8>;
  if (n <= 4) return jacobi_with<s4, s4>(A, upper, vectors, stop, w, info, list, s);
  if (n <= 8) return jacobi_with<s8, alone8>(A, upper, vectors, stop, w, info, list, s);
  if (n <= 16) return jacobi_with<s16, void>(A, upper, vectors, stop, w, info, list, s);
  if constexpr (sizeof(T) == 16)
    return heev_warp_launch(A, upper, vectors, stop, w, info, work, s);
  else
    return jacobi_with<s32, alone32>(A, upper, vectors, stop, w, info, list, s);
}

template <class T>
size_t heev_jacobi_work(int n, int count)
{
  return sizeof(T) == 16 && bucket_order(n) > 16 ? heev_warp_workspace<T>::bytes(count)
                                                 : heev_list_bytes(count);
}

} // namespace bf
#endif
