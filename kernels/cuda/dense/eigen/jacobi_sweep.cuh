/* kernels/cuda/dense/eigen/jacobi_sweep.cuh - sweeps of rotations that make the columns of small matrices
 * orthogonal
 *
 * Source     M. Hestenes, J. SIAM 6 (1958); G. Stewart, Parallel Computing 2 (1985): odd-even order of pairs;
 *            W. M. Gentleman, J. Inst. Maths Applics 12 (1973): rotations without square roots, of which this
 *            keeps that scales stay behind.
 * Layout     jacobi_columns.cuh.  Columns stand in a line, two a lane.  In even steps the two of a lane meet,
 *            in odd ones a lane's second and its neighbour's first, which comes over; whoever has met changes
 *            places.  After N steps all have met all.  What is left at both ends in odd steps shares a lane
 *            and is only exchanged.
 *
 * An angle need not be known to rounding: it comes from single precision, and its sine and cosine are made to
 * fit each other.  In even steps columns are not multiplied by the cosine, which halves the work: it goes
 * with the column to the next step, which makes up for it.  A sweep of which every pair came out below
 * `limit` is the last; so is one whose rotations, by their size, cannot have brought more than that back.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_SWEEP_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_JACOBI_SWEEP_CUH
#include "kernels/cuda/dense/eigen/jacobi_columns.cuh"

namespace bf
{

struct jacobi_limits {
  double limit; /* cosine of two columns that are orthogonal */
  int    sweeps;
  int   *left; /* NULL, or of matrices for which that was not enough: pairs turned in the last sweep */
};

static constexpr float jacobi_safe = 0x1p40f; /* against underflow of squares */

BF_JACOBI float near_inverse_root(float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

BF_JACOBI float near_reciprocal(float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <class T, int ROWS>
BF_JACOBI void send(jacobi_column<T, ROWS> &x, int from)
{
#pragma unroll
  for (int r = 0; r < ROWS; r++) x.e[r] = of_lane(x.e[r], from);
  x.square = __shfl_sync(~0u, x.square, from);
  x.id     = __shfl_sync(~0u, x.id, from);
}

struct jacobi_seen { /* of a sweep: the largest squares of a cosine between columns, of an angle's sine; turns
                      */
  float cosine, sine;
  int   turned;
};

/* What turns columns x, y of squares a, b into orthogonal ones, to single precision: its sine over its cosine
 * is g h / square, g = x^H y. */
struct jacobi_angle {
  float re, im, q; /* g and |g|^2, times SAFE and its square */
  float h, square; /* +-1 / (2 sqrt(d^2 + q)), d = (b - a) / 2; the cosine's square */
  bool  turn;      /* is there anything to turn */
};

template <class S, class T>
BF_JACOBI jacobi_angle angle_of(const jacobi_column<T, S::ROWS> &x, const jacobi_column<T, S::ROWS> &y,
                                float scale, bool on, float limit2, jacobi_seen &seen)
{
  constexpr float SAFE = jacobi_safe;
  const T         g    = over_parts<S>(product_of(x, y));
  const float     p    = ((float)x.square * SAFE) * ((float)y.square * SAFE),
              d        = (float)(y.square - x.square) * (0.5f * SAFE);
  jacobi_angle a;
  a.re          = (float)real_part(g) * (SAFE * scale);
  a.im          = (float)imaginary(g) * (SAFE * scale);
  a.q           = is_complex<T> ? fmaf(a.re, a.re, a.im * a.im) : a.re * a.re;
  a.turn        = on && a.q > limit2 * p;
  const float r = near_inverse_root(fmaf(d, d, a.q));
  a.square      = fmaf(0.5f * fabsf(d), r, 0.5f);
  a.h           = copysignf(0.5f * r, d);
  if (a.turn) seen.cosine = fmaxf(seen.cosine, __fdividef(a.q, p));
  seen.turned += a.turn;
  return a;
}

template <class T>
BF_JACOBI T from_parts(float re, float im)
{
  if constexpr (is_complex<T>)
    return {(real_t<T>)re, (real_t<T>)im};
  else
    return (T)re;
}

/* 1 / sqrt(1 - off) - 1 for small ones: what c and s of single precision lack of c^2 + |s|^2 = 1 */
template <class R>
BF_JACOBI R lack(R off)
{
  return sizeof(R) == 8 ? off * muladd(off, R(0.375), R(0.5)) : off * R(0.5);
}

/* x, y = orthogonal combinations of them over the cosine, which is returned. */
template <class S, class T>
BF_JACOBI real_t<T> shear(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, float limit2,
                          jacobi_seen &seen)
{
  using R                  = real_t<T>;
  const jacobi_angle a     = angle_of<S>(x, y, 1.0f, on, limit2, seen);
  const float        f     = a.h * near_reciprocal(a.square);
  const T            t     = from_parts<T>(a.turn ? a.re * f : 0.0f, a.turn ? a.im * f : 0.0f);
  const R            moved = a.turn ? (R)(a.q * f * (1.0f / jacobi_safe)) : R(0);
  if (a.turn) seen.sine = fmaxf(seen.sine, a.q * f * f * a.square);
  x.square -= moved;
  y.square += moved;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const T e = x.e[r], h = y.e[r];
    x.e[r] = mulsub(conj(t), h, e);
    y.e[r] = muladd(t, e, h);
  }
  const R c = a.turn ? a.square * near_inverse_root(a.square) : 1.0f;
  R       m = R(1);
  if constexpr (is_complex<T>)
    m = muladd(t.re, t.re, muladd(t.im, t.im, m));
  else
    m = muladd(t, t, m);
  return muladd(c, lack(muladd(-m * c, c, R(1))), c);
}

/* x, y = orthogonal combinations of sx x and sy y, or (`cross`) these exchanged. */
template <class S, class T>
BF_JACOBI void rotate(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, real_t<T> sx, real_t<T> sy,
                      bool on, bool cross, float limit2, jacobi_seen &seen)
{
  using R              = real_t<T>;
  const jacobi_angle a = angle_of<S>(x, y, (float)sx * (float)sy, on && !cross, limit2, seen);
  const float        k = near_inverse_root(a.square), f = a.h * k;
  const R            c = cross ? 0.0f : a.turn ? a.square * k : 1.0f;
  const T            s = from_parts<T>(cross ? -1.0f : a.turn ? a.re * f : 0.0f, a.turn ? a.im * f : 0.0f);
  const R            moved = a.turn ? (R)(a.q * f * k * (1.0f / jacobi_safe)) : R(0);
  if (a.turn) seen.sine = fmaxf(seen.sine, a.q * f * f);
  R off = muladd(-c, c, R(1));
  if constexpr (is_complex<T>)
    off = muladd(-s.re, s.re, muladd(-s.im, s.im, off));
  else
    off = muladd(-s, s, off);
  const R fit = lack(off), cx0 = c * sx, cy0 = c * sy, cx = muladd(cx0, fit, cx0), cy = muladd(cy0, fit, cy0);
  const T tx0 = times(s, sx), ty0 = times(s, sy), tx = tx0 + times(tx0, fit), ty = ty0 + times(ty0, fit);
  const R u = x.square - moved, v = y.square + moved;
  const int i = x.id;
  x.square    = cross ? v : u;
  y.square    = cross ? u : v;
  x.id        = cross ? y.id : i;
  y.id        = cross ? i : y.id;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const T e = x.e[r], h = y.e[r];
    x.e[r] = mulsub(conj(ty), h, times(e, cx));
    y.e[r] = muladd(tx, e, times(h, cy));
  }
}

/* Sweeps until every matrix of the warp is done; how many pairs of the group's were turned in the last one of
 * those that are not: the answer. */
template <class S, class T>
BF_JACOBI int sweep(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, int lane,
                    const jacobi_limits &how)
{
  const int g = lane % S::PAIRS, row = lane - g, next = row + (g + 1) % S::PAIRS,
            last     = row + (g + S::PAIRS - 1) % S::PAIRS;
  const bool  end    = g == S::PAIRS - 1;
  const float limit2 = (float)(how.limit * how.limit);
  int         turned = 0;
  for (int k = 0; k < how.sweeps; k++) {
    jacobi_seen seen = {0.0f, 0.0f, 0};
    x.square         = over_parts<S>(square_of(x));
    y.square         = over_parts<S>(square_of(y));
#pragma unroll 1
    for (int step = 0; step < S::N; step += 2) {
      const real_t<T> c = shear<S>(x, y, on, limit2, seen);
      send(y, next);
      rotate<S>(x, y, c, __shfl_sync(~0u, c, next), on, end, limit2, seen);
      send(x, last);
    }
    const auto most = [](float a, float b) { return fmaxf(a, b); };
    seen.cosine     = over_group<S>(seen.cosine, most);
    seen.sine       = over_group<S>(seen.sine, most);
    on &= (float)(2 * S::N * S::N) * seen.cosine * seen.sine > limit2;
    turned = seen.turned;
    if (!__any_sync(~0u, on)) break;
  }
  turned = over_group<S>(turned, [](int a, int b) { return a + b; }) / (S::LANES / S::PAIRS);
  return on ? turned > 0 ? turned : 1 : 0;
}

} // namespace bf
#endif
