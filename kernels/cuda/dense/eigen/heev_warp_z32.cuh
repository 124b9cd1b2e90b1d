/* kernels/cuda/dense/eigen/heev_warp_z32.cuh - eigen-decompositions of z of orders 17 .. 32, a warp each
 *
 * Computes   A = V diag(w) V^H: Householder's reduction to a real tridiagonal matrix in registers
 *            (hetrd_register.cuh), rotations of that (jacobi_sweep.cuh), reflectors applied to its
 *            vectors.  A rotation of real columns takes a quarter of one of complex ones.
 * Layout     two kernels of one warp a block, behind the pass of screen_trivial.cuh, which lists the
 *            matrices.  Reflectors wait in A, the tridiagonal matrix in the workspace.  On the way back two
 *            lanes share two columns.
 * Cost       4/3 n^3 complex multiplications and additions, 5 n^3 real ones a sweep, 2 n^3.
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

enum { SLIM = 32, SLIM_PACKED = SLIM * (SLIM - 1) / 2 };
template <class T>
using slim_held = held_shape<T, 1, 1, false>;

/* Blocks of a multiprocessor: that reduce, that rotate. */
template <class T>
inline constexpr int slim_first = sizeof(T) == 16 ? 10 : 16;
template <class T>
inline constexpr int slim_second = sizeof(T) == 16 ? 12 : 16;

template <class T>
struct slim_work { /* of a matrix: d and e, tau, the exponent that it was scaled by */
  int       *live, *list, *exponent;
  real_t<T> *de;
  T         *tau;

  static size_t up(size_t x)
  {
    return (x + 255) / 256 * 256;
  }
  static size_t bytes(int count)
  {
    return up(heev_jacobi_list(count)) + up((size_t)count * SLIM * sizeof(T)) +
           (size_t)count * (2 * SLIM * sizeof(real_t<T>) + sizeof(int));
  }
  slim_work(void *room, int count)
  {
    char *p  = static_cast<char *>(room);
    live     = reinterpret_cast<int *>(p);
    list     = live + HEEV_JACOBI_HEAD;
    tau      = reinterpret_cast<T *>(p += up(heev_jacobi_list(count)));
    de       = reinterpret_cast<real_t<T> *>(p += up((size_t)count * SLIM * sizeof(T)));
    exponent = reinterpret_cast<int *>(de + (size_t)count * 2 * SLIM);
  }
};

template <class T>
__global__ void __launch_bounds__(32, slim_first<T>)
    slim_reduce(const batch_view<T> A, bool upper, bool vectors, const slim_work<T> W)
{
  using R = real_t<T>;
  using S = jacobi_shape<T, SLIM, 1, 1>;
  using H = slim_held<T>;
  extern __shared__ __align__(16) char room[];
  __shared__ held_room<H> held;
  T                      *square = reinterpret_cast<T *>(room);
  const int               lane   = (int)threadIdx.x;
  bf_early_wait();
  if ((int)blockIdx.x >= *W.live) return;
  const int              k = W.list[blockIdx.x];
  const jacobi_matrix<T> M = jacobi_member(A, k);
  take<S>(M, A.ld, upper, square, lane);
  __syncwarp();
  held_matrix<H> m;
  R              most = 0;
  m.fill(held, [&](int i, int j) { return square[j * S::LD + i]; });
#pragma unroll
  for (int j = 0; j < SLIM; j++) {
    const T x = m.e[j][0];
    most      = fmax(most, fmax(fabs(real_part(x)), fabs(imaginary(x))));
  }
  for (int o = 16; o; o /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, o));
  const int ex   = ilogb(most) + 1;
  const R   down = scalbn(R(1), -ex / 2), rest = scalbn(R(1), -ex + ex / 2);
#pragma unroll
  for (int j = 0; j < SLIM; j++) m.e[j][0] = times(times(m.e[j][0], down), rest);
  m.next[0] = m.e[0][0];
  R *d      = W.de + (size_t)k * 2 * SLIM;
  m.reduce(M.n, held, {d, d + SLIM, W.tau + (size_t)k * SLIM, vectors ? M.a : NULL, A.ld});
  if (lane == 0) W.exponent[k] = ex;
}

/* Where entry i > k of reflector k is. */
BF_JACOBI int slim_packed(int k, int i)
{
  return k * (2 * SLIM - 3 - k) / 2 + i - 1;
}

/* Reflectors from - 1 .. to on a lane's rows 2r + lane % 2, r >= R0, of two columns. */
template <int R0, class T>
BF_JACOBI void slim_reflect(T (&q)[2][SLIM / 2], const T *V, const T *tau, int from, int to, int lane)
{
#pragma unroll 1
  for (int k = from - 1; k >= to; k--) {
    T dot[2] = {from_real<T>(0), from_real<T>(0)};
#pragma unroll
    for (int r = R0; r < SLIM / 2; r++) {
      const int i = 2 * r + (lane & 1);
      const T   v = i > k ? conj(own(V + slim_packed(k, i))) : from_real<T>(0);
#pragma unroll
      for (int c = 0; c < 2; c++) dot[c] = muladd(v, q[c][r], dot[c]);
    }
#pragma unroll
    for (int c = 0; c < 2; c++) dot[c] = (dot[c] + lane_xor(dot[c], 1)) * own(tau + k);
#pragma unroll
    for (int r = R0; r < SLIM / 2; r++) {
      const int i = 2 * r + (lane & 1);
      const T   v = i > k ? own(V + slim_packed(k, i)) : from_real<T>(0);
#pragma unroll
      for (int c = 0; c < 2; c++) q[c][r] = mulsub(v, dot[c], q[c][r]);
    }
  }
}

template <class T>
__global__ void __launch_bounds__(32, slim_second<T>)
    slim_rotate(const batch_view<T> A, bool vectors, real_t<T> *__restrict__ w, int *__restrict__ info,
                const slim_work<T> W, const jacobi_limits how)
{
  using R = real_t<T>;
  using S = jacobi_shape<R, SLIM, 1, 1>;
  __shared__ __align__(16) T V[SLIM_PACKED], tau[SLIM];
  __shared__ R               mine[S::PITCH];
  const int                  lane = (int)threadIdx.x;
  bf_early_wait();
  if ((int)blockIdx.x >= *W.live) return;
  const int              k   = W.list[blockIdx.x];
  const jacobi_matrix<T> M   = jacobi_member(A, k);
  const int              n   = M.n;
  const R               *d   = W.de + (size_t)k * 2 * SLIM;
  const R                mid = lane < n ? d[lane] : R(0), beside = lane < n - 1 ? d[SLIM + lane] : R(0);
  const R                before = __shfl_up_sync(~0u, beside, 1);
#pragma unroll 8
  for (int j = 0; j < SLIM; j++)
    mine[j * S::LD + lane] = lane == j ? mid : lane == j - 1 ? beside : lane == j + 1 ? before : R(0);
  if (vectors) {
    tau[lane] = lane < n - 1 ? W.tau[(size_t)k * SLIM + lane] : from_real<T>(0);
#pragma unroll 8
    for (int j = 0; j < SLIM - 1; j++)
      if (lane > j)
        own(V + slim_packed(j, lane),
            lane < n && j < n - 1 ? M.a[(int64_t)j * A.ld + lane] : from_real<T>(0));
  }
  __syncwarp();
  jacobi_column<R, S::ROWS> x, y;
  const int                 ex = shift<S>(x, y, mine, n, lane), whole = W.exponent[k];
  const int                 left  = sweep<S>(x, y, true, lane, how);
  const bool                fine  = left == 0;
  const int                 first = lane / S::PAIRS * S::ROWS;
  R                         wx, wy;
  int                       px, py;
  normalise<S>(x, lane);
  normalise<S>(y, lane);
  quotients<S>(x, y, mine, lane, &wx, &wy);
  places<S>(x, y, wx, wy, n, lane, &px, &py);
  const R nan = R(nanf("")), near = scalbn(R(1), ex), up = scalbn(R(1), whole / 2),
          more = scalbn(R(1), whole - whole / 2);
  if (first == 0) {
    R *values = w + (int64_t)M.b * A.pitch;
    if (x.id < n) values[px] = fine ? wx * near * up * more + R(0) : nan;
    if (y.id < n) values[py] = fine ? wy * near * up * more + R(0) : nan;
    if (lane == 0) info[M.b] = fine ? 0 : n + 2;
    if (lane == 0 && !fine && how.left) how.left[M.b] = left;
  }
  if (!vectors) return;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    if (x.id < n) mine[px * S::LD + first + r] = fine ? x.e[r] : nan;
    if (y.id < n) mine[py * S::LD + first + r] = fine ? y.e[r] : nan;
  }
  __syncwarp();
  const bool wide = (reinterpret_cast<uintptr_t>(M.a) | (size_t)A.ld * sizeof(T)) % sizeof(T) == 0;
  T          q[2][SLIM / 2];
#pragma unroll
  for (int c = 0; c < 2; c++)
#pragma unroll
    for (int r = 0; r < SLIM / 2; r++)
      q[c][r] = from_real<T>(mine[(SLIM / 2 * c + (lane >> 1)) * S::LD + 2 * r + (lane & 1)]);
  slim_reflect<SLIM / 4>(q, V, tau, n - 1, SLIM / 2, lane);
  slim_reflect<0>(q, V, tau, min(n - 1, SLIM / 2), 0, lane);
#pragma unroll
  for (int c = 0; c < 2; c++) {
    const int column = SLIM / 2 * c + (lane >> 1);
    const T   phase  = phase_of<T, SLIM / 2>(q[c], lane & 1, 2);
    T        *to     = M.a + (int64_t)column * A.ld + (lane & 1);
#pragma unroll
    for (int r = 0; r < SLIM / 2; r++)
      if (column < n && 2 * r + (lane & 1) < n) store(to + 2 * r, q[c][r] * phase, wide);
  }
}

template <class T>
static cudaError_t heev_slim(const batch_view<T> &A, bool upper, bool vectors, const jacobi_limits &how,
                             real_t<T> *w, int *info, void *room, cudaStream_t s)
{
  constexpr int      square = jacobi_shape<T, SLIM, 1, 1>::shared;
  const slim_work<T> W(room, A.count);
  cudaError_t        error = jacobi_listed<SLIM>(A, upper, vectors, w, info, W.live, s);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(slim_reduce<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, square);
  if (error == cudaSuccess)
    error = bf_early_launch(slim_reduce<T>, (unsigned)A.count, 32, square, s, A, upper, vectors, W);
  if (error == cudaSuccess)
    error = bf_early_launch(slim_rotate<T>, (unsigned)A.count, 32, 0, s, A, vectors, w, info, W, how);
  return error;
}

} // namespace bf
#endif
