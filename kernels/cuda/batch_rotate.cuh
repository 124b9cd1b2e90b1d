/* kernels/cuda/batch_rotate.cuh - sweeps of rotations that make the columns of small matrices orthogonal
 *
 * Source     M. Hestenes, J. SIAM 6 (1958); G. Stewart, Parallel Computing 2 (1985): odd-even order of pairs.
 * Layout     batch_columns.cuh.  Columns stand in a line, two a lane.  In even steps the two of a lane meet,
 *            in odd ones a lane's second and its neighbour's first, which comes over; whoever has met changes
 *            places.  After N steps all have met all.  What is left at both ends in odd steps shares a lane
 *            and is only exchanged.
 *
 * An angle need not be known to rounding: it comes from single precision, and its sine and cosine are made to
 * fit each other.  A sweep of which every pair came out below `limit` is the last; so is one whose rotations,
 * by their size, cannot have brought more than that back.
 */
#ifndef BF_BATCH_ROTATE_CUH
#define BF_BATCH_ROTATE_CUH
#include "kernels/cuda/batch_columns.cuh"

struct jacobi_limits {
  double limit; /* cosine of two columns that are orthogonal */
  int    sweeps;
};

BF_JACOBI float near_inverse_root(float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
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

struct jacobi_seen { /* of a sweep: the largest squares of a cosine between columns, of an angle's sine */
  float cosine, sine;
};

/* c^2 + |s|^2 = 1 to rounding, from c and s of single precision */
template <class T>
struct rotation {
  real_t<T> c;
  T         s;

  __device__ __forceinline__ rotation(float cosine, float re, float im) : c(cosine)
  {
    using R = real_t<T>;
    if constexpr (is_complex<T>)
      s = {(R)re, (R)im};
    else
      s = (R)re;
    R off = muladd(-c, c, R(1));
    if constexpr (is_complex<T>)
      off = muladd(-s.re, s.re, muladd(-s.im, s.im, off));
    else
      off = muladd(-s, s, off);
    const R f = sizeof(R) == 8 ? off * muladd(off, R(0.375), R(0.5)) : off * R(0.5);
    c         = muladd(c, f, c);
    s         = muladd(s, from_real<T>(f), s);
  }
};

/* x, y = orthogonal combinations of them, or (`cross`) exchanged. */
template <class S, class T>
BF_JACOBI void rotate(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, bool cross,
                      float limit2, jacobi_seen &seen)
{
  using R           = real_t<T>;
  constexpr float A = 0x1p40f; /* against underflow of squares */
  const T         g = over_parts<S>(product_of(x, y));
  const float     p = ((float)x.square * A) * ((float)y.square * A),
              d     = (float)(y.square - x.square) * (0.5f * A);
  float       re = (float)real_part(g) * A, im = (float)imaginary(g) * A;
  const float q    = is_complex<T> ? fmaf(re, re, im * im) : re * re;
  const bool  turn = on && !cross && q > limit2 * p;
  const float r = near_inverse_root(fmaf(d, d, q)), square = fmaf(0.5f * fabsf(d), r, 0.5f),
              k = near_inverse_root(square), f = copysignf(0.5f * r * k, d);
  if (turn) {
    seen.cosine = fmaxf(seen.cosine, __fdividef(q, p));
    seen.sine   = fmaxf(seen.sine, q * f * f);
  }
  re = cross ? -1.0f : turn ? re * f : 0.0f;
  im = turn ? im * f : 0.0f;
  const rotation<T> J(cross ? 0.0f : turn ? square * k : 1.0f, re, im);
  const R   moved = turn ? (R)(q * f * k * (1.0f / A)) : R(0), a = x.square - moved, b = y.square + moved;
  const int i = x.id;
  x.square    = cross ? b : a;
  y.square    = cross ? a : b;
  x.id        = cross ? y.id : i;
  y.id        = cross ? i : y.id;
#pragma unroll
  for (int r = 0; r < S::ROWS; r++) {
    const T e = x.e[r], h = y.e[r];
    x.e[r] = mulsub(conj(J.s), h, times(e, J.c));
    y.e[r] = muladd(J.s, e, times(h, J.c));
  }
}

/* Sweeps until every matrix of the warp is done; which of the group are: the answer. */
template <class S, class T>
BF_JACOBI bool sweep(jacobi_column<T, S::ROWS> &x, jacobi_column<T, S::ROWS> &y, bool on, int lane,
                     const jacobi_limits &how)
{
  const int g = lane % S::PAIRS, row = lane - g, next = row + (g + 1) % S::PAIRS,
            last     = row + (g + S::PAIRS - 1) % S::PAIRS;
  const bool  end    = g == S::PAIRS - 1;
  const float limit2 = (float)(how.limit * how.limit);
  for (int k = 0; k < how.sweeps; k++) {
    jacobi_seen seen = {0.0f, 0.0f};
    x.square         = over_parts<S>(square_of(x));
    y.square         = over_parts<S>(square_of(y));
#pragma unroll 1
    for (int step = 0; step < S::N; step += 2) {
      rotate<S>(x, y, on, false, limit2, seen);
      send(y, next);
      rotate<S>(x, y, on, end, limit2, seen);
      send(x, last);
    }
    const auto most = [](float a, float b) { return fmaxf(a, b); };
    seen.cosine     = over_group<S>(seen.cosine, most);
    seen.sine       = over_group<S>(seen.sine, most);
    on &= (float)(2 * S::N * S::N) * seen.cosine * seen.sine > limit2;
    if (!__any_sync(~0u, on)) break;
  }
  return !on;
}
#endif
