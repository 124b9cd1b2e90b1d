/* kernels/cuda/dense/common/subwarp_pivot.cuh - pivot search for matrices in registers: lane r of a subwarp
 * has row r
 *
 * Computes   the pivot of a column with LAPACK's choice, and 1 / pivot.
 * Layout     a row's key is the upper 32 bits of |re| + |im|, negative for inactive rows. If exactly one
 *            row has the largest key and its reciprocal is safe, one warp reduction decides; otherwise
 *            resolve_pivot does. A lane may have several rows; `which` is its candidate.
 * Cost       one reduction, one ballot and one vote per column.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_PIVOT_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_PIVOT_CUH
#include "kernels/cuda/dense/common/subwarp_rows.cuh"

namespace bf
{

/* inactive: 0, or negative for a row that takes no part */
BF_DEVICE int pivot_size_key(float x, int inactive)
{
  return (__float_as_int(x) & 0x7fffffff) | inactive;
}
BF_DEVICE int pivot_size_key(double x, int inactive)
{
  return (__double2hiint(x) & 0x7fffffff) | inactive;
}
template <class R>
BF_DEVICE int pivot_size_key(cplx<R> x, int inactive)
{
  return (int)(high_bits(abs1(x)) & 0x7fffffffu) | inactive; /* a NaN may have a sign bit */
}

/* x[which] */
template <class U, int OWN>
BF_DEVICE U select_index(const U (&x)[OWN], int which)
{
  U v = x[0];
#pragma unroll
  for (int i = 1; i < OWN; i++)
    if constexpr (std::is_same_v<U, int>)
      v = which == i ? x[i] : v;
    else
      v = select(which == i, x[i], v);
  return v;
}

/* Among rows with the largest key: the largest entry, then the first in LAPACK's order; returns true on
 * its lane. If its reciprocal is not a normal number, x of every row is multiplied by a power of 2,
 * stored in `scaling` of the pivot row, and `inverse` belongs to the scaled x. inverse is 0 if the pivot
 * is exactly 0 (then `zero`, if still 0, becomes k + 1) or if no row is left. */
template <class T, int G, int OWN>
BF_DEVICE bool resolve_pivot(const subwarp<G> &L, int k, int               max_key, const int (&key)[OWN],
                             const int (&position)[OWN], T (&x)[OWN], int &which, T &inverse, int &zero,
                             real_t<T> (&scaling)[OWN])
{
  using R             = real_t<T>;
  const bool any      = max_key >= 0;
  unsigned   low_bits = 0, best       = ~0u;
  bool       candidate[OWN], is_pivot = false, zero_pivot = false;
#pragma unroll
  for (int i = 0; i < OWN; i++) candidate[i] = key[i] == max_key;
  if (sizeof(R) == 8) {
    unsigned low[OWN];
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      low[i]   = candidate[i] ? (unsigned)__double2loint((double)abs1(x[i])) : 0u;
      low_bits = max(low_bits, low[i]);
    }
    const unsigned high = __reduce_max_sync(L.mask, low_bits);
#pragma unroll
    for (int i = 0; i < OWN; i++) candidate[i] = candidate[i] && low[i] == high;
  }
#pragma unroll
  for (int i = 0; i < OWN; i++) best = min(best, candidate[i] ? (unsigned)position[i] : ~0u);
  const unsigned first = __reduce_min_sync(L.mask, best);
  const R        power = any ? safe_power_of_two<R>((unsigned)max_key) : (R)1;
#pragma unroll
  for (int i = 0; i < OWN; i++) {
    candidate[i] = candidate[i] && (unsigned)position[i] == first;
    x[i]         = times(x[i], power);
    if (candidate[i] && any) scaling[i] = power;
    if (candidate[i]) which = i;
    zero_pivot = zero_pivot || (candidate[i] && abs1(x[i]) == 0);
    is_pivot   = is_pivot || candidate[i];
  }
  inverse    = reciprocal(select_index(x, which));
  zero_pivot = __any_sync(L.mask, zero_pivot);
  if (zero_pivot || !any) inverse = zero_of<T>();
  if (zero_pivot && any && zero == 0) zero = k + 1;
  return is_pivot;
}

/* Pivot of column k among the active rows: returns the bit of its lane, or 0; `which`: the row of that
 * lane. publish(yes, which, inverse) is called by all lanes, with `yes` on the pivot's lane. x of the
 * other rows (LU: of the active ones) may be scaled. If no row is left and PUBLISH_NONE is set, one lane
 * publishes 0. position(i): current position of row i. */
template <bool PUBLISH_NONE, class T, int G, int OWN, class Place, class Show>
BF_DEVICE unsigned find_pivot(const subwarp<G> &L, int k, const int (&inactive)[OWN], Place position,
                              T (&x)[OWN], int &which, int &zero, real_t<T> (&scaling)[OWN], Show publish)
{
  int  key[OWN];
  bool unique = true;
#pragma unroll
  for (int i = 0; i < OWN; i++) key[i] = pivot_size_key(x[i], inactive[i]);
  int own_key = key[0];
  which       = 0;
#pragma unroll
  for (int i = 1; i < OWN; i++) {
    unique  = key[i] != own_key && (unique || key[i] > own_key);
    which   = key[i] > own_key ? i : which;
    own_key = max(own_key, key[i]);
  }
  T inverse         = reciprocal_unscaled(select_index(x, which));
  unique            = unique && reciprocal_safe<T>((unsigned)own_key);
  const int max_key = L.largest(own_key);
  materialize(inverse); /* evaluated by all lanes, not by one lane when it publishes */
  unsigned   best      = __ballot_sync(ALL_LANES, own_key == max_key) & L.mask;
  const bool is_unique = best == L.bit && unique;
  publish(is_unique, which, inverse);
  if (G == 32 ? !__any_sync(ALL_LANES, is_unique) : L.group_bits(__ballot_sync(ALL_LANES, is_unique)) == 0) {
    best = 0;
    if (PUBLISH_NONE || max_key >= 0) {
      int at[OWN];
      T   scaled[OWN];
      __syncwarp(L.mask);
#pragma unroll
      for (int i = 0; i < OWN; i++) at[i] = position(i), scaled[i] = x[i];
      const bool is_pivot = resolve_pivot(L, k, max_key, key, at, scaled, which, inverse, zero, scaling);
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (!(is_pivot && which == i) && (PUBLISH_NONE || inactive[i] == 0)) x[i] = scaled[i];
      best = __ballot_sync(L.mask, is_pivot);
      publish((best & (0u - best)) == L.bit, which, inverse);
      if (max_key < 0) best = 0;
    }
  }
  return best;
}

/* A pivot for all lanes: its row, the row's position, and 1/x as resolve_pivot defines it */
template <class T>
struct pivot {
  int row, position;
  T   inverse;
};

/* As find_pivot, with the result in all lanes; rows with position >= k take part. */
template <class T, int G>
BF_DEVICE pivot<T> choose_pivot(const subwarp<G> &L, int k, int position, T &x, int &zero, real_t<T> &scaling)
{
  const int key[1]  = {pivot_size_key(x, position >= k ? 0 : KEY_INACTIVE)};
  T         own_key = reciprocal_unscaled(x); /* computed by every lane, before the pivot is known */
  const int max_key = L.largest(key[0]);
  unsigned  best    = L.group_bits(__ballot_sync(ALL_LANES, key[0] == max_key));
  if (max_key < 0) { /* no row is left: subwarps without a matrix, steps beyond n */
    own_key = zero_of<T>();
  } else if ((best & (best - 1)) != 0 || !reciprocal_safe<T>((unsigned)max_key)) {
    const int  positions[1] = {position};
    T          xs[1]        = {x};
    real_t<T>  bys[1]       = {scaling};
    int        which        = 0;
    const bool is_pivot     = resolve_pivot(L, k, max_key, key, positions, xs, which, own_key, zero, bys);
    best                    = L.group_bits(__ballot_sync(L.mask, is_pivot));
    x                       = xs[0];
    scaling                 = bys[0];
  }
  const int row = __ffs((int)best) - 1;
  return {row, __shfl_sync(ALL_LANES, position, L.first + row), shfl(own_key, L.first + row)};
}

/* As choose_pivot for rows in order: row k is the pivot; there is none beyond n. */
template <class T, int G>
BF_DEVICE pivot<T> next_pivot(const subwarp<G> &L, int k, int n, T &x, int &zero, real_t<T> &scaling)
{
  using R                = real_t<T>;
  const T        d       = shfl(x, L.first + k);
  const unsigned top     = high_bits(abs1(d));
  T              inverse = reciprocal(d);
  if (!reciprocal_safe<R>(top)) {
    const R power = safe_power_of_two<R>(top);
    x             = times(x, power);
    inverse       = reciprocal(times(d, power));
    if (L.r == k) scaling = power;
    if (abs1(d) == 0) {
      inverse = zero_of<T>();
      if (zero == 0 && k < n) zero = k + 1;
    }
  }
  return {k, k, k < n ? inverse : zero_of<T>()};
}

} // namespace bf
#endif
