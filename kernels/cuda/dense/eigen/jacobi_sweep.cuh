/* kernels/cuda/dense/eigen/jacobi_sweep.cuh - one-sided Jacobi: sweeps of rotations
 *
 * Computes   orthogonal columns. An angle is computed in single precision; its sine and cosine are
 *            then made consistent to full precision. In even steps columns are not multiplied by the
 *            cosine (half the work); the next step includes the factor. The last sweep is the one in
 *            which every pair is below `limit`, or whose rotations are too small to bring a pair
 *            above it again.
 * Source     M. Hestenes, J. SIAM 6 (1958); G. W. Stewart, SIAM J. Sci. Stat. Comput. 6 (1985) 853:
 *            odd-even order of pairs; W. M. Gentleman, J. Inst. Maths Applics 12 (1973): rotations
 *            without square roots, here: delayed scale factors.
 * Layout     jacobi_columns.cuh. Columns form a line, two per lane. Even steps rotate the two columns
 *            of a lane, odd steps a lane's second and its neighbour's first, which is shuffled;
 *            rotated columns change places. After N steps every pair has met once. In odd steps the
 *            two end columns share a lane and are only exchanged.
 * Cost       5 n^3 multiply-adds per sweep (complex 16 n^3).
 * Checked    tests/kernels/dense/t360_heev_batch.c, t372_spectra_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_SWEEP_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_SWEEP_CUH
#include "kernels/cuda/dense/eigen/jacobi_columns.cuh"

namespace bf
{

struct jacobi_limits {
  double limit; /* cosine below which two columns count as orthogonal */
  int    sweeps;
  int   *left; /* NULL, or for matrices that do not converge: rotations of the last sweep */
};

static constexpr float jacobi_safe = 0x1p40f; /* against underflow of squares */

BF_DEVICE float approx_inverse_sqrt(float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

BF_DEVICE float approx_reciprocal(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <class T, int ROWS>
BF_DEVICE void shfl_column(jacobi_column<T, ROWS> &x, int from)
{
#pragma unroll
  for (int r = 0; r < ROWS; r++) x.e[r] = shfl(x.e[r], from);
  x.square = __shfl_sync(~0u, x.square, from);
  x.id     = __shfl_sync(~0u, x.id, from);
}

struct sweep_stats { /* of a sweep: largest squared cosine between columns, largest squared sine of an angle;
                        number of rotations */
  float cosine, sine;
  int   rotations;
};

/* The rotation that makes columns x, y with squared lengths a, b orthogonal, in single precision: its
 * sine over its cosine is g h / square, g = x^H y. */
struct jacobi_angle {
  float re, im, q;   /* g and |g|^2, times SAFE and its square */
  float h, square;   /* +-1 / (2 sqrt(d^2 + q)), d = (b - a) / 2; the squared cosine */
  bool  rotate_pair; /* whether to rotate */
};

template <class S, class T>
BF_DEVICE jacobi_angle angle_of(const jacobi_column<T, S::ROWS> &x, const jacobi_column<T, S::ROWS> &y,
                                float scale, bool on, float limit2, sweep_stats &stats)
{
  constexpr float SAFE = jacobi_safe;
  const T         g    = sum_parts<S>(product_of(x, y));
  const float     p    = ((float)x.square * SAFE) * ((float)y.square * SAFE),
              d        = (float)(y.square - x.square) * (0.5f * SAFE);
  jacobi_angle a;
  a.re          = (float)real_part(g) * (SAFE * scale);
  a.im          = (float)imag_part(g) * (SAFE * scale);
  a.q           = is_complex<T> ? fmaf(a.re, a.re, a.im * a.im) : a.re * a.re;
  a.rotate_pair = on && a.q > limit2 * p;
  const float r = approx_inverse_sqrt(fmaf(d, d, a.q));
  a.square      = fmaf(0.5f * fabsf(d), r, 0.5f);
  a.h           = copysignf(0.5f * r, d);
  if (a.rotate_pair) stats.cosine = fmaxf(stats.cosine, __fdividef(a.q, p));
  stats.rotations += a.rotate_pair;
  return a;
}

template <class T>
BF_DEVICE T from_parts(float re, float im)
{
  if constexpr (is_complex<T>)
    return {(real_t<T>)re, (real_t<T>)im};
  else
    return (T)re;
}

/* 1 / sqrt(1 - off) - 1 for small values: correction of c and s in single precision to c^2 + |s|^2 = 1 */
template <class R>
BF_DEVICE R norm_correction(R off)
{
  return sizeof(R) == 8 ? off * muladd(off, R(0.375), R(0.5)) : off * R(0.5);
}

/* x, y = orthogonal combinations of them divided by the cosine, which is returned */
template <class S, class T>
BF_DEVICE real_t<T> shear(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, float limit2,
                          sweep_stats &stats)
{
  using R              = real_t<T>;
  const jacobi_angle a = angle_of<S>(x, y, 1.0f, on, limit2, stats);
  const float        f = a.h * approx_reciprocal(a.square);
  const T            t = from_parts<T>(a.rotate_pair ? a.re * f : 0.0f, a.rotate_pair ? a.im * f : 0.0f);
  const R            transferred = a.rotate_pair ? (R)(a.q * f * (1.0f / jacobi_safe)) : R(0);
  if (a.rotate_pair) stats.sine = fmaxf(stats.sine, a.q * f * f * a.square);
  x.square -= transferred;
  y.square += transferred;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const T e = x.e[r], h = y.e[r];
    x.e[r] = mulsub(conj(t), h, e);
    y.e[r] = muladd(t, e, h);
  }
  const R c = a.rotate_pair ? a.square * approx_inverse_sqrt(a.square) : 1.0f;
  R       m = R(1);
  if constexpr (is_complex<T>)
    m = muladd(t.re, t.re, muladd(t.im, t.im, m));
  else
    m = muladd(t, t, m);
  return muladd(c, norm_correction(muladd(-m * c, c, R(1))), c);
}

/* x, y = orthogonal combinations of sx x and sy y; with `exchange` only exchanged */
template <class S, class T>
BF_DEVICE void rotate(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, real_t<T> sx, real_t<T> sy,
                      bool on, bool exchange, float limit2, sweep_stats &stats)
{
  using R              = real_t<T>;
  const jacobi_angle a = angle_of<S>(x, y, (float)sx * (float)sy, on && !exchange, limit2, stats);
  const float        k = approx_inverse_sqrt(a.square), f = a.h * k;
  const R            c = exchange ? 0.0f : a.rotate_pair ? a.square * k : 1.0f;
  const T            s = from_parts<T>(exchange        ? -1.0f
                                       : a.rotate_pair ? a.re * f
                                                       : 0.0f,
                            a.rotate_pair ? a.im * f : 0.0f);
  const R transferred = a.rotate_pair ? (R)(a.q * f * k * (1.0f / jacobi_safe)) : R(0);
  if (a.rotate_pair) stats.sine = fmaxf(stats.sine, a.q * f * f);
  R off = muladd(-c, c, R(1));
  if constexpr (is_complex<T>)
    off = muladd(-s.re, s.re, muladd(-s.im, s.im, off));
  else
    off = muladd(-s, s, off);
  const R fit = norm_correction(off), cx0 = c * sx, cy0 = c * sy, cx = muladd(cx0, fit, cx0),
          cy    = muladd(cy0, fit, cy0);
  const T   tx0 = times(s, sx), ty0 = times(s, sy), tx = tx0 + times(tx0, fit), ty = ty0 + times(ty0, fit);
  const R   u = x.square - transferred, v = y.square + transferred;
  const int i = x.id;
  x.square    = exchange ? v : u;
  y.square    = exchange ? u : v;
  x.id        = exchange ? y.id : i;
  y.id        = exchange ? i : y.id;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const T e = x.e[r], h = y.e[r];
    x.e[r] = mulsub(conj(ty), h, times(e, cx));
    y.e[r] = muladd(tx, e, times(h, cy));
  }
}

/* Sweeps until every matrix of the warp has converged. Returns 0, or for a matrix that has not the
 * number of rotations of the last sweep. */
template <class S, class T>
BF_DEVICE int sweep(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, int lane,
                    const jacobi_limits &limits)
{
  const int g = lane % S::PAIRS, row = lane - g, next = row + (g + 1) % S::PAIRS,
            last        = row + (g + S::PAIRS - 1) % S::PAIRS;
  const bool  is_end    = g == S::PAIRS - 1;
  const float limit2    = (float)(limits.limit * limits.limit);
  int         rotations = 0;
  for (int k = 0; k < limits.sweeps; k++) {
    sweep_stats stats = {0.0f, 0.0f, 0};
    x.square          = sum_parts<S>(square_of(x));
    y.square          = sum_parts<S>(square_of(y));
#pragma unroll 1
    for (int step = 0; step < S::N; step += 2) {
      const real_t<T> c = shear<S>(x, y, on, limit2, stats);
      shfl_column(y, next);
      rotate<S>(x, y, c, __shfl_sync(~0u, c, next), on, is_end, limit2, stats);
      shfl_column(x, last);
    }
    const auto most = [](float a, float b) { return fmaxf(a, b); };
    stats.cosine    = reduce_group<S>(stats.cosine, most);
    stats.sine      = reduce_group<S>(stats.sine, most);
    on &= (float)(2 * S::N * S::N) * stats.cosine * stats.sine > limit2;
    rotations = stats.rotations;
    if (!__any_sync(~0u, on)) break;
  }
  rotations = reduce_group<S>(rotations, [](int a, int b) { return a + b; }) / (S::LANES / S::PAIRS);
  return on ? rotations > 0 ? rotations : 1 : 0;
}

} // namespace bf
#endif
