/* kernels/cuda/dense/eigen/heev_warp_z32.cuh - batched eigendecomposition of z of orders 17 .. 32, a warp
 * per matrix
 *
 * Computes   A = V diag(w) V^H: Householder tridiagonal reduction in registers (hetrd_register.cuh), Jacobi
 *            rotations of the tridiagonal matrix (jacobi_sweep.cuh), back-transformation. A rotation of
 *            real columns takes a quarter of one of complex columns.
 * Source     LAPACK's zhetd2; jacobi_sweep.cuh.
 * Layout     the reflectors are stored in A between the kernels, the tridiagonal matrix in the workspace.
 *            In the back-transformation two lanes share two columns.
 * Cost       4/3 n^3 complex multiply-adds, 5 n^3 real ones per sweep, 2 n^3 complex ones.
 * Launch     two kernels of one warp per block after jacobi_screen (screen_trivial.cuh), with programmatic
 *            dependent launch.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_WARP_Z32_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_WARP_Z32_CUH
#include "kernels/cuda/dense/eigen/hetrd_register.cuh"
#include "kernels/cuda/dense/eigen/jacobi_sweep.cuh"
#include "kernels/cuda/dense/eigen/screen_trivial.cuh"

namespace bf
{

enum { HEEV_WARP_N = 32, HEEV_WARP_PACKED = HEEV_WARP_N * (HEEV_WARP_N - 1) / 2 };
template <class T>
using heev_warp_hetrd = hetrd_shape<T, 1, 1, false>;

/* Blocks per multiprocessor of the reduction and of the rotations */
template <class T>
inline constexpr int heev_warp_reduce_blocks = sizeof(T) == 16 ? 10 : 16;
template <class T>
inline constexpr int heev_warp_rotate_blocks = sizeof(T) == 16 ? 12 : 16;

template <class T>
struct heev_warp_workspace { /* of a matrix: d and e, tau, the exponent of its scale */
  int       *list_size, *list, *exponent;
  real_t<T> *de;
  T         *tau;

  static size_t up(size_t x)
  {
    return (x + 255) / 256 * 256;
  }
  static size_t bytes(int count)
  {
    return up(heev_list_bytes(count)) + up((size_t)count * HEEV_WARP_N * sizeof(T)) +
           (size_t)count * (2 * HEEV_WARP_N * sizeof(real_t<T>) + sizeof(int));
  }
  heev_warp_workspace(void *work, int count)
  {
    char *p   = static_cast<char *>(work);
    list_size = reinterpret_cast<int *>(p);
    list      = list_size + HEEV_LIST_OFFSET;
    tau       = reinterpret_cast<T *>(p += up(heev_list_bytes(count)));
    de        = reinterpret_cast<real_t<T> *>(p += up((size_t)count * HEEV_WARP_N * sizeof(T)));
    exponent  = reinterpret_cast<int *>(de + (size_t)count * 2 * HEEV_WARP_N);
  }
};

template <class T>
__global__ void __launch_bounds__(32, heev_warp_reduce_blocks<T>)
    heev_warp_reduce(const batch_view<T> A, bool upper, bool vectors, const heev_warp_workspace<T> W)
{
  using R = real_t<T>;
  using S = jacobi_shape<T, HEEV_WARP_N, 1, 1>;
  using H = heev_warp_hetrd<T>;
  extern __shared__ __align__(16) char smem[];
  __shared__ hetrd_register_smem<H> registers;
  T                                *square = reinterpret_cast<T *>(smem);
  const int                         lane   = (int)threadIdx.x;
  pdl_wait();
  if ((int)blockIdx.x >= *W.list_size) return;
  const int              k = W.list[blockIdx.x];
  const jacobi_matrix<T> M = jacobi_member(A, k);
  load_matrices<S>(M, A.ld, upper, square, lane);
  __syncwarp();
  hetrd_matrix<H> m;
  R               most = 0;
  m.fill(registers, [&](int i, int j) { return square[j * S::LD + i]; });
#pragma unroll
  for (int j = 0; j < HEEV_WARP_N; j++) {
    const T x = m.e[j][0];
    most      = fmax(most, fmax(fabs(real_part(x)), fabs(imag_part(x))));
  }
  for (int o = 16; o; o /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, o));
  const int ex   = ilogb(most) + 1;
  const R   down = scalbn(R(1), -ex / 2), down2 = scalbn(R(1), -ex + ex / 2);
#pragma unroll
  for (int j = 0; j < HEEV_WARP_N; j++) m.e[j][0] = times(times(m.e[j][0], down), down2);
  m.next_column[0] = m.e[0][0];
  R *d             = W.de + (size_t)k * 2 * HEEV_WARP_N;
  m.reduce(M.n, registers, {d, d + HEEV_WARP_N, W.tau + (size_t)k * HEEV_WARP_N, vectors ? M.a : NULL, A.ld});
  if (lane == 0) W.exponent[k] = ex;
}

/* Index of entry i > k of reflector k */
BF_DEVICE int packed_index(int k, int i)
{
  return k * (2 * HEEV_WARP_N - 3 - k) / 2 + i - 1;
}

/* Reflectors from - 1 .. to applied to a lane's rows 2r + lane % 2, r >= R0, of two columns */
template <int R0, class T>
BF_DEVICE void heev_warp_unmtr(T (&q)[2][HEEV_WARP_N / 2], const T *V, const T *tau, int from, int to,
                               int lane)
{
#pragma unroll 1
  for (int k = from - 1; k >= to; k--) {
    T dot[2] = {from_real<T>(0), from_real<T>(0)};
#pragma unroll
    for (int r = R0; r < HEEV_WARP_N / 2; r++) {
      const int i = 2 * r + (lane & 1);
      const T   v = i > k ? conj(load_aligned(V + packed_index(k, i))) : from_real<T>(0);
#pragma unroll
      for (int c = 0; c < 2; c++) dot[c] = muladd(v, q[c][r], dot[c]);
    }
#pragma unroll
    for (int c = 0; c < 2; c++) dot[c] = (dot[c] + shfl_xor(dot[c], 1)) * load_aligned(tau + k);
#pragma unroll
    for (int r = R0; r < HEEV_WARP_N / 2; r++) {
      const int i = 2 * r + (lane & 1);
      const T   v = i > k ? load_aligned(V + packed_index(k, i)) : from_real<T>(0);
#pragma unroll
      for (int c = 0; c < 2; c++) q[c][r] = mulsub(v, dot[c], q[c][r]);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(32, heev_warp_rotate_blocks<T>)
    heev_warp_rotate(const batch_view<T> A, bool vectors, real_t<T> *__restrict__ w, int *__restrict__ info,
                     const heev_warp_workspace<T> W, const jacobi_limits limits)
{
  using R = real_t<T>;
  using S = jacobi_shape<R, HEEV_WARP_N, 1, 1>;
  __shared__ __align__(16) T V[HEEV_WARP_PACKED], tau[HEEV_WARP_N];
  __shared__ R               matrix[S::PITCH];
  const int                  lane = (int)threadIdx.x;
  pdl_wait();
  if ((int)blockIdx.x >= *W.list_size) return;
  const int              k = W.list[blockIdx.x];
  const jacobi_matrix<T> M = jacobi_member(A, k);
  const int              n = M.n;
  const R               *d = W.de + (size_t)k * 2 * HEEV_WARP_N;
  const R diagonal = lane < n ? d[lane] : R(0), off_diagonal = lane < n - 1 ? d[HEEV_WARP_N + lane] : R(0);
  const R off_diagonal_above = __shfl_up_sync(~0u, off_diagonal, 1);
#pragma unroll 8
  for (int j = 0; j < HEEV_WARP_N; j++)
    matrix[j * S::LD + lane] = lane == j       ? diagonal
                               : lane == j - 1 ? off_diagonal
                               : lane == j + 1 ? off_diagonal_above
                                               : R(0);
  if (vectors) {
    tau[lane] = lane < n - 1 ? W.tau[(size_t)k * HEEV_WARP_N + lane] : from_real<T>(0);
#pragma unroll 8
    for (int j = 0; j < HEEV_WARP_N - 1; j++)
      if (lane > j)
        store_aligned(V + packed_index(j, lane),
                      lane < n && j < n - 1 ? M.a[(int64_t)j * A.ld + lane] : from_real<T>(0));
  }
  __syncwarp();
  jacobi_column<R, S::ROWS> x, y;
  const int                 ex = shift<S>(x, y, matrix, n, lane), reduction_exponent = W.exponent[k];
  const int                 last_rotations = sweep<S>(x, y, true, lane, limits);
  const bool                converged      = last_rotations == 0;
  const int                 first          = lane / S::PAIRS * S::ROWS;
  R                         wx, wy;
  int                       px, py;
  normalise<S>(x, lane);
  normalise<S>(y, lane);
  rayleigh_quotients<S>(x, y, matrix, lane, &wx, &wy);
  sorted_positions<S>(x, y, wx, wy, n, lane, &px, &py);
  const R nan = R(nanf("")), leaf_scale = scalbn(R(1), ex), up = scalbn(R(1), reduction_exponent / 2),
          up2 = scalbn(R(1), reduction_exponent - reduction_exponent / 2);
  if (first == 0) {
    R *values = w + (int64_t)M.b * A.pitch;
    if (x.id < n) values[px] = converged ? wx * leaf_scale * up * up2 + R(0) : nan;
    if (y.id < n) values[py] = converged ? wy * leaf_scale * up * up2 + R(0) : nan;
    if (lane == 0) info[M.b] = converged ? 0 : n + 2;
    if (lane == 0 && !converged && limits.left) limits.left[M.b] = last_rotations;
  }
  if (!vectors) return;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    if (x.id < n) matrix[px * S::LD + first + r] = converged ? x.e[r] : nan;
    if (y.id < n) matrix[py * S::LD + first + r] = converged ? y.e[r] : nan;
  }
  __syncwarp();
  const bool wide = (reinterpret_cast<uintptr_t>(M.a) | (size_t)A.ld * sizeof(T)) % sizeof(T) == 0;
  T          q[2][HEEV_WARP_N / 2];
#pragma unroll
  for (int c = 0; c < 2; c++)
#pragma unroll
    for (int r = 0; r < HEEV_WARP_N / 2; r++)
      q[c][r] = from_real<T>(matrix[(HEEV_WARP_N / 2 * c + (lane >> 1)) * S::LD + 2 * r + (lane & 1)]);
  heev_warp_unmtr<HEEV_WARP_N / 4>(q, V, tau, n - 1, HEEV_WARP_N / 2, lane);
  heev_warp_unmtr<0>(q, V, tau, min(n - 1, HEEV_WARP_N / 2), 0, lane);
#pragma unroll
  for (int c = 0; c < 2; c++) {
    const int column = HEEV_WARP_N / 2 * c + (lane >> 1);
    const T   phase  = phase_of<T, HEEV_WARP_N / 2>(q[c], lane & 1, 2);
    T        *to     = M.a + (int64_t)column * A.ld + (lane & 1);
#pragma unroll
    for (int r = 0; r < HEEV_WARP_N / 2; r++)
      if (column < n && 2 * r + (lane & 1) < n) store(to + 2 * r, q[c][r] * phase, wide);
  }
}

template <class T>
static cudaError_t heev_warp_launch(const batch_view<T> &A, bool upper, bool vectors,
                                    const jacobi_limits &limits, real_t<T> *w, int *info, void *work,
                                    cudaStream_t s)
{
  constexpr int                square = jacobi_shape<T, HEEV_WARP_N, 1, 1>::shared;
  const heev_warp_workspace<T> W(work, A.count);
  cudaError_t error = jacobi_screen_launch<HEEV_WARP_N>(A, upper, vectors, w, info, W.list_size, s);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(heev_warp_reduce<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, square);
  if (error == cudaSuccess)
    error = pdl_launch(heev_warp_reduce<T>, (unsigned)A.count, 32, square, s, A, upper, vectors, W);
  if (error == cudaSuccess)
    error = pdl_launch(heev_warp_rotate<T>, (unsigned)A.count, 32, 0, s, A, vectors, w, info, W, limits);
  return error;
}

} // namespace bf
#endif
