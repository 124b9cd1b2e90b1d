/* kernels/cuda/dense/eigen/screen_trivial.cuh - small matrices: diagonal and non-finite ones are handled
 * directly, the others are listed
 *
 * Computes   eigenpairs of diagonal matrices, NaN and info for non-finite ones, the compacted list of the
 *            others.
 * Layout     N lanes per matrix, a row each.
 * Cost       the triangle is read once.
 * Launch     256 threads, 256 / N matrices per block; programmatic dependent launch.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t377_eigen_forms.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_SCREEN_TRIVIAL_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_SCREEN_TRIVIAL_CUH
#include "kernels/cuda/dense/eigen/jacobi_columns.cuh"
#include "kernels/cuda/device/programmatic_launch.cuh"

namespace bf
{

/* Row i of a matrix, on lane i of N: its diagonal entry; for the whole matrix: an entry is not finite,
 * an entry off the diagonal is not 0 */
template <class R>
struct screen_row {
  R    d;
  bool nonfinite, dense;
};

/* AHEAD entries of a row are in flight at once. */
template <int N, bool SELF_SCREENED, class T>
BF_DEVICE screen_row<real_t<T>> screen_rows(const jacobi_matrix<T> &M, int ld, bool upper, int lane)
{
  constexpr int MAX_AHEAD = SELF_SCREENED && std::is_same_v<T, double> ? N
                            : sizeof(T) == 16                          ? 8
                                                                       : 16,
                AHEAD     = N < MAX_AHEAD ? N : MAX_AHEAD;
  const int             n = M.n, i = lane % N;
  const unsigned        mask = N == 32 ? ~0u : ((1u << (N % 32)) - 1u) << (lane - i);
  screen_row<real_t<T>> row  = {0, false, false};
#pragma unroll
  for (int j0 = 0; j0 < N; j0 += AHEAD) {
    T x[AHEAD];
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const int j = j0 + u;
      x[u]        = i < n && j < n && (upper ? i <= j : i >= j) ? M.a[(int64_t)j * ld + i] : from_real<T>(0);
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
      const bool mine = i == j0 + u;
      if (mine) x[u] = from_real<T>(row.d = real_part(x[u]));
      row.nonfinite |= !is_finite(x[u]);
      row.dense |= !mine && !(abs1(x[u]) == 0);
    }
  }
  row.nonfinite = __any_sync(mask, row.nonfinite);
  row.dense     = __any_sync(mask, row.dense) && !row.nonfinite;
  return row;
}

/* Finishes the trivial matrices of a warp: sorts a diagonal one, fails a non-finite one. */
template <int N, class T>
BF_DEVICE void finish_trivial(const batch_view<T> &A, const jacobi_matrix<T> &M,
                              const screen_row<real_t<T>> &row, bool vectors, int lane,
                              real_t<T> *__restrict__ w, int *__restrict__ info)
{
  using R     = real_t<T>;
  const int n = M.n, i = lane % N, first = lane - i;
  int       place = 0;
  if (!__any_sync(~0u, n > 0 && !row.dense)) return;
#pragma unroll
  for (int j = 0; j < N; j++) {
    const R other = __shfl_sync(~0u, row.d, first + j);
    if (j < n) place += other < row.d || (other == row.d && j < i);
  }
  const R nan = R(nanf(""));
  if (i >= n || row.dense) return;
  w[(int64_t)M.b * A.pitch + (row.nonfinite ? i : place)] = row.nonfinite ? nan : row.d;
  if (i == 0) info[M.b] = row.nonfinite ? n + 1 : 0;
#pragma unroll 4
  for (int c = 0; c < n && vectors; c++)
    M.a[(int64_t)c * A.ld + i] = from_real<T>(row.nonfinite ? nan : R(place == c));
}

/* Appends the taken numbers k, one per group of N lanes, to `list`; *list_size is its length so far. */
template <int N>
BF_DEVICE void compact(int k, bool load_matrices, int lane, int *list_size, int *list)
{
  const unsigned takes = __ballot_sync(~0u, lane % N == 0 && load_matrices);
  int            at    = 0;
  if (lane == 0 && takes != 0) at = atomicAdd(list_size, __popc(takes));
  at = __shfl_sync(~0u, at, 0) + __popc(takes & ((1u << lane) - 1u));
  if (lane % N == 0 && load_matrices) list[at] = k;
}

/* Clears the length of the list; the screening kernel may start meanwhile. */
static __global__ void jacobi_clear_count(int *list_size)
{
  pdl_trigger();
  *list_size = 0;
}

template <class T, int N>
__global__ void __launch_bounds__(256)
    jacobi_screen(const batch_view<T> A, bool upper, bool vectors, real_t<T> *__restrict__ w,
                  int *__restrict__ info, int *__restrict__ list_size, int *__restrict__ list)
{
  __shared__ int   compacted[256 / N], count, list_start; /* one atomic operation per block */
  const int        t = (int)threadIdx.x, lane = t & 31, members = A.members();
  const int64_t    at = (int64_t)blockIdx.x * (256 / N) + t / N;
  const int        k  = at < members ? (int)at : members;
  jacobi_matrix<T> M  = {NULL, 0, 0};
  int              begin;
  pdl_trigger();
  if (t == 0) count = 0;
  __syncthreads();
  if (k < members) M = jacobi_member(A, k);
  const auto row = screen_rows<N, false>(M, A.ld, upper, lane);
  compact<N>(k, row.dense, lane, &count, compacted);
  pdl_wait();
  __syncthreads();
  if (t == 0) begin = atomicAdd(list_size, count); /* overlaps with the following statements */
  finish_trivial<N>(A, M, row, vectors, lane, w, info);
  if (t == 0) list_start = begin;
  __syncthreads();
  if (t < count) list[list_start + t] = compacted[t];
}

/* Builds the list at HEEV_LIST_OFFSET of `work`, for kernels that call pdl_wait */
template <int N, class T>
static cudaError_t jacobi_screen_launch(const batch_view<T> &A, bool upper, bool vectors, real_t<T> *w,
                                        int *info, int *work, cudaStream_t s)
{
  constexpr int SORTED = 256 / N;
  jacobi_clear_count<<<1, 1, 0, s>>>(work);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  return pdl_launch(jacobi_screen<T, N>, (unsigned)((A.count - 1) / SORTED + 1), 256, 0, s, A, upper, vectors,
                    w, info, work, work + HEEV_LIST_OFFSET);
}

} // namespace bf
#endif
