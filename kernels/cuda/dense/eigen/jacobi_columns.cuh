/* kernels/cuda/dense/eigen/jacobi_columns.cuh - one-sided Jacobi: columns of small matrices in registers, a
 * pair per lane; loads, stores, norms, Rayleigh quotients
 *
 * Computes   scaling and shift of a matrix, products and norms of columns, Rayleigh quotients, sorted
 *            positions.
 * Source     see jacobi_onesided.cuh.
 * Layout     N lanes per matrix: lanes g and g + N/2 have two columns, each half of their rows. A warp has
 *            PER_WARP matrices in shared memory, of N columns with leading dimension LD, PITCH apart,
 *            without bank conflicts for equal rows. Matrices with less than N rows are padded with zeros.
 * Cost       A is read and written once; 2 n^3 multiply-adds for the Rayleigh quotients (complex 4 times).
 * Checked    tests/kernels/dense/t360_heev_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_COLUMNS_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_COLUMNS_CUH
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

template <class T, int N_, int WARPS_, int BLOCKS_>
struct jacobi_shape {
  static constexpr int N = N_, WARPS = WARPS_, BLOCKS = BLOCKS_;
  static constexpr int PAIRS = N / 2, LANES = N, PER_WARP = 32 / LANES, ROWS = PAIRS;
  static constexpr int LD       = N + 1;
  static constexpr int PITCH    = N * LD + (32 + LANES - N * LD % 32) % 32; /* of matrices: different banks */
  static constexpr int MATRICES = WARPS * PER_WARP;
  static constexpr int shared   = MATRICES * PITCH * (int)sizeof(T);
};

template <class S, class X>
BF_DEVICE X sum_parts(X x) /* the sum over the lanes that share a column */
{
  return x + shfl_xor(x, S::PAIRS);
}
template <class S, class X, class F>
BF_DEVICE X reduce_group(X x, F f)
{
#pragma unroll
  for (int o = 1; o < S::LANES; o *= 2) x = f(x, __shfl_xor_sync(~0u, x, o));
  return x;
}

/* A column with its squared length and its number */
template <class T, int ROWS>
struct jacobi_column {
  T         e[ROWS];
  real_t<T> square;
  int       id;
};

template <class T, int ROWS>
BF_DEVICE real_t<T> square_of(const jacobi_column<T, ROWS> &x)
{
  real_t<T> s[2] = {0, 0};
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    if constexpr (is_complex<T>)
      s[r & 1] = muladd(x.e[r].im, x.e[r].im, muladd(x.e[r].re, x.e[r].re, s[r & 1]));
    else
      s[r & 1] = muladd(x.e[r], x.e[r], s[r & 1]);
  }
  return s[0] + s[1];
}
/* x^H y */
template <class T, int ROWS>
BF_DEVICE T product_of(const jacobi_column<T, ROWS> &x, const jacobi_column<T, ROWS> &y)
{
  constexpr int K = ROWS >= 16 && !is_complex<T> ? 4 : 2;
  T             s[K];
#pragma unroll
  for (int k = 0; k < K; k++) s[k] = from_real<T>(0);
#pragma unroll
  for (int r = 0; r < ROWS; r++) s[r % K] = muladd(conj(x.e[r]), y.e[r], s[r % K]);
  if constexpr (K == 4) return (s[0] + s[1]) + (s[2] + s[3]);
  return s[0] + s[1];
}

/* u^H A u for x and y of length 1; A[k*LD + i] in shared memory. Rows are processed in blocks, and
 * registers are rotated by a block after each, because they cannot be indexed at run time. */
template <class S, class T>
BF_DEVICE void rayleigh_quotients(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, const T *A,
                                  int lane, real_t<T> *of_x, real_t<T> *of_y)
{
  constexpr int KB = S::ROWS < 8 ? S::ROWS : is_complex<T> ? 4 : 8, NB = S::ROWS / KB;
  const int     part = lane % S::LANES / S::PAIRS;
  T(&u)[S::ROWS] = x.e, (&v)[S::ROWS] = y.e;
  real_t<T> sx = 0, sy = 0;
  for (int h = 0; h < 2; h++)
#pragma unroll 1
    for (int q = 0; q < NB; q++) {
      const T *rows = A + (part * S::ROWS) * S::LD + h * S::ROWS + q * KB;
#pragma unroll
      for (int e = 0; e < KB; e++) {
        T ax = from_real<T>(0), ay = ax;
#pragma unroll
        for (int b = 0; b < NB; b++) {
          const int k0 = (b + q) % NB * KB;
#pragma unroll
          for (int k = 0; k < KB; k++) {
            const T a = rows[(k0 + k) * S::LD + e];
            ax        = muladd(a, u[b * KB + k], ax);
            ay        = muladd(a, v[b * KB + k], ay);
          }
        }
        const int owner = (lane & ~S::PAIRS) | S::PAIRS * h; /* of these rows */
        const T   ui = shfl(u[e], owner), vi = shfl(v[e], owner);
        sx += real_part(conj(ui) * ax);
        sy += real_part(conj(vi) * ay);
      }
#pragma unroll
      for (int e = 0; e < KB; e++) { /* the first block becomes the last */
        const T a = u[e], b = v[e];
#pragma unroll
        for (int p = 0; p < NB - 1; p++) {
          u[p * KB + e] = u[(p + 1) * KB + e];
          v[p * KB + e] = v[(p + 1) * KB + e];
        }
        u[(NB - 1) * KB + e] = a;
        v[(NB - 1) * KB + e] = b;
      }
    }
  *of_x = sum_parts<S>(sx);
  *of_y = sum_parts<S>(sy);
}

/* Positions of the eigenvalues wx, wy in ascending order */
template <class S, class T>
BF_DEVICE void sorted_positions(const jacobi_column<T, S::ROWS> &x, const jacobi_column<T, S::ROWS> &y,
                                real_t<T> wx, real_t<T> wy, int n, int lane, int *of_x, int *of_y)
{
  const int row = lane - lane % S::PAIRS;
  int       px = 0, py = 0;
#pragma unroll 4
  for (int p = 0; p < S::PAIRS; p++) {
    const real_t<T> ox = __shfl_sync(~0u, wx, row + p), oy = __shfl_sync(~0u, wy, row + p);
    const int       ix = __shfl_sync(~0u, x.id, row + p), iy = __shfl_sync(~0u, y.id, row + p);
    if (ix < n) {
      px += ox < wx || (ox == wx && ix < x.id);
      py += ox < wy || (ox == wy && ix < y.id);
    }
    if (iy < n) {
      px += oy < wx || (oy == wx && iy < x.id);
      py += oy < wy || (oy == wy && iy < y.id);
    }
  }
  *of_x = px;
  *of_y = py;
}

/* Length 1, the largest component real and positive */
template <class S, class T>
BF_DEVICE void normalise(jacobi_column<T, S::ROWS> &x, int lane)
{
  using R      = real_t<T>;
  const R size = sum_parts<S>(square_of(x));
  R       best = -1;
  T       of   = from_real<T>(1);
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const R m = square_of(x.e[r]);
    of        = m > best ? x.e[r] : of;
    best      = m > best ? m : best;
  }
  const R other = __shfl_xor_sync(~0u, best, S::PAIRS);
  const T there = shfl_xor(of, S::PAIRS);
  if (other > best || (other == best && lane % S::LANES >= S::PAIRS)) {
    of   = there;
    best = other;
  }
  const R inverse = size > 0 ? R(1) / sqrt(size) : R(0);
  T       f;
  if constexpr (is_complex<T>)
    f = best > 0 ? times(conj(of), inverse / sqrt(best)) : from_real<T>(0);
  else
    f = of < 0 ? -inverse : inverse;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++)
    x.e[r] = muladd(x.e[r], f, from_real<T>(0)); /* avoids -0, whose sign would depend on the sweeps */
}

/* The matrix of a subwarp; n = 0 beyond the end of the list */
template <class T>
struct jacobi_matrix {
  T  *a;
  int b, n;
};

template <class T>
BF_DEVICE jacobi_matrix<T> jacobi_member(const batch_view<T> &A, int k)
{
  const int b = A.member(k);
  return {A.matrix(b), b, A.order(b)};
}

/* Loads the warp's matrices from a triangle to shared memory, padded with zeros up to N, by all lanes. */
template <class S, class T>
BF_DEVICE void load_matrices(const jacobi_matrix<T> &M, int ld, bool upper, T *smem, int lane)
{
  constexpr int ALL = S::PER_WARP * S::N * S::N / 32;
#pragma unroll(ALL < 16 ? ALL : 16)
  for (int q = 0; q < ALL; q++) {
    const int                at = q * 32 + lane, m = at / (S::N * S::N), i = at % S::N, j = at / S::N % S::N;
    const int                owner = m * S::LANES, n = __shfl_sync(~0u, M.n, owner);
    const unsigned long long p = __shfl_sync(~0u, (unsigned long long)M.a, owner);
    const T                 *a = reinterpret_cast<const T *>(p);
    if (upper ? i > j : i < j) continue;
    T x = from_real<T>(0);
    if (i < n && j < n) x = a[(int64_t)j * ld + i];
    if (i == j) x = from_real<T>(real_part(x));
    T *S0             = smem + m * S::PITCH;
    S0[j * S::LD + i] = x;
    S0[i * S::LD + j] = conj(x);
  }
}
template <class S, class T>
BF_DEVICE void store_matrices(const jacobi_matrix<T> &M, int ld, const T *smem, int lane)
{
  constexpr int ALL = S::PER_WARP * S::N * S::N / 32;
#pragma unroll(ALL < 8 ? ALL : 8)
  for (int q = 0; q < ALL; q++) {
    const int                at = q * 32 + lane, m = at / (S::N * S::N), i = at % S::N, j = at / S::N % S::N;
    const int                owner = m * S::LANES, n = __shfl_sync(~0u, M.n, owner);
    const unsigned long long p = __shfl_sync(~0u, (unsigned long long)M.a, owner);
    if (i < n && j < n) reinterpret_cast<T *>(p)[(int64_t)j * ld + i] = smem[m * S::PITCH + j * S::LD + i];
  }
}

/* Scales A to entries below 1, also in shared memory; x and y are columns of A + sigma. */
template <class S, class T>
BF_DEVICE int shift(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, T *A, int n, int lane)
{
  using R     = real_t<T>;
  const int g = lane % S::PAIRS, first_row = lane % S::LANES / S::PAIRS * S::ROWS;
  R         largest = 0;
  x.id              = g;
  y.id              = g + S::PAIRS;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    x.e[r] = A[x.id * S::LD + first_row + r];
    y.e[r] = A[y.id * S::LD + first_row + r];
    if constexpr (is_complex<T>)
      largest =
          fmax(largest, fmax(fmax(fabs(x.e[r].re), fabs(x.e[r].im)), fmax(fabs(y.e[r].re), fabs(y.e[r].im))));
    else
      largest = fmax(largest, fmax(fabs(x.e[r]), fabs(y.e[r])));
  }
  largest        = reduce_group<S>(largest, [](R a, R b) { return fmax(a, b); });
  const int ex   = largest > 0 ? ilogb(largest) + 1 : 0;
  const R   down = scalbn(R(1), -ex / 2), down2 = scalbn(R(1), -ex + ex / 2);
  R         sx = 0, sy = 0;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    x.e[r] = times(times(x.e[r], down), down2);
    y.e[r] = times(times(y.e[r], down), down2);
    sx += abs1(x.e[r]);
    sy += abs1(y.e[r]);
  }
  sx = sum_parts<S>(sx);
  sy = sum_parts<S>(sy);
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    A[x.id * S::LD + first_row + r] = x.e[r];
    A[y.id * S::LD + first_row + r] = y.e[r];
  }
  __syncwarp();
  const R dx = real_part(A[x.id * (S::LD + 1)]), dy = real_part(A[y.id * (S::LD + 1)]); /* Gershgorin discs */
  const R far = R(4) * S::N;
  sx -= abs1(dx);
  sy -= abs1(dy);
  R low         = fmin(x.id < n ? dx - sx : far, y.id < n ? dy - sy : far),
    top         = fmax(x.id < n ? dx + sx : -far, y.id < n ? dy + sy : -far);
  low           = reduce_group<S>(low, [](R a, R b) { return fmin(a, b); });
  top           = reduce_group<S>(top, [](R a, R b) { return fmax(a, b); });
  const R sigma = (top - low) / 8 + R(1) / 64 - low;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    if (first_row + r == x.id && x.id < n) x.e[r] = x.e[r] + from_real<T>(sigma);
    if (first_row + r == y.id && y.id < n) y.e[r] = y.e[r] + from_real<T>(sigma);
  }
  return ex;
}

} // namespace bf
#endif
