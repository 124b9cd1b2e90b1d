/* kernels/cuda/dense/common/subwarp_pivot.cuh - the pivot of a column of a small matrix, lane r of a group
 * having row r
 *
 * The size of an entry is |re| + |im|, its key the upper 32 bits of that, negative for rows that take no
 * part: the largest key of the group is one instruction of a warp.  Nearly always one row has it, and what
 * its reciprocal needs is plain; the rest is settle_pivot's.  A lane may have several rows: `which` is the
 * one of them that it proposes.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_PIVOT_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_PIVOT_CUH
#include "kernels/cuda/dense/common/subwarp_rows.cuh"

namespace bf
{

/* done: 0, or negative for a row that takes no part */
BF_LANES int size_key(float x, int done)
{
  return (__float_as_int(x) & 0x7fffffff) | done;
}
BF_LANES int size_key(double x, int done)
{
  return (__double2hiint(x) & 0x7fffffff) | done;
}
template <class R>
BF_LANES int size_key(cplx<R> x, int done)
{
  return (int)(top_bits(abs1(x)) & 0x7fffffffu) | done; /* a NaN may have a sign */
}

/* x[which] */
template <class U, int OWN>
BF_LANES U one_of(const U (&x)[OWN], int which)
{
  U v = x[0];
#pragma unroll
  for (int i = 1; i < OWN; i++)
    if constexpr (std::is_same_v<U, int>)
      v = which == i ? x[i] : v;
    else
      v = choose(which == i, x[i], v);
  return v;
}

/* Of several rows that have the largest key, the one: of equal sizes the first in LAPACK's order; true for
 * its lane.  Where its reciprocal is no normal number, x of every row and so `inverse` are those of x times a
 * power of 2, which the pivot's row keeps in `by`; 0 where the pivot is exactly 0 (then `zero`, if 0 so far,
 * is k+1) or no row is left. */
template <class T, int G, int OWN>
BF_LANES bool settle_pivot(const lane_group<G> &L, int k, int         most, const int (&key)[OWN],
                           const int (&place)[OWN], T (&x)[OWN], int &which, T &inverse, int &zero,
                           real_t<T> (&by)[OWN])
{
  using R           = real_t<T>;
  const bool some   = most >= 0;
  unsigned   lowest = 0, best = ~0u;
  bool       can[OWN], is = false, none = false;
#pragma unroll
  for (int i = 0; i < OWN; i++) can[i] = key[i] == most;
  if (sizeof(R) == 8) {
    unsigned low[OWN];
#pragma unroll
    for (int i = 0; i < OWN; i++) {
      low[i] = can[i] ? (unsigned)__double2loint((double)abs1(x[i])) : 0u;
      lowest = max(lowest, low[i]);
    }
    const unsigned high = __reduce_max_sync(L.mask, lowest);
#pragma unroll
    for (int i = 0; i < OWN; i++) can[i] = can[i] && low[i] == high;
  }
#pragma unroll
  for (int i = 0; i < OWN; i++) best = min(best, can[i] ? (unsigned)place[i] : ~0u);
  const unsigned least = __reduce_min_sync(L.mask, best);
  const R        power = some ? gauge<R>((unsigned)most) : (R)1;
#pragma unroll
  for (int i = 0; i < OWN; i++) {
    can[i] = can[i] && (unsigned)place[i] == least;
    x[i]   = times(x[i], power);
    if (can[i] && some) by[i] = power;
    if (can[i]) which = i;
    none = none || (can[i] && abs1(x[i]) == 0);
    is   = is || can[i];
  }
  inverse = reciprocal(one_of(x, which));
  none    = __any_sync(L.mask, none);
  if (none || !some) inverse = zero_of<T>();
  if (none && some && zero == 0) zero = k + 1;
  return is;
}

/* The pivot of column k among the rows whose `done` is 0: the bit of its lane, 0 without one; `which` of its
 * rows. show(yes, which, inverse): by the lane that has it; x: of the other rows (LU: of those left), perhaps
 * scaled.  Nearly always the largest key is one row's and plain, which then shows without knowing of others;
 * where none has, one is settled upon, by places, and with no row left and SHOW_NONE 0 is shown by one.
 * place(i): of row i so far. */
template <bool SHOW_NONE, class T, int G, int OWN, class Place, class Show>
BF_LANES unsigned find_pivot(const lane_group<G> &L, int k, const int (&done)[OWN], Place place, T (&x)[OWN],
                             int &which, int &zero, real_t<T> (&by)[OWN], Show show)
{
  int  key[OWN];
  bool usual = true;
#pragma unroll
  for (int i = 0; i < OWN; i++) key[i] = size_key(x[i], done[i]);
  int mine = key[0];
  which    = 0;
#pragma unroll
  for (int i = 1; i < OWN; i++) {
    usual = key[i] != mine && (usual || key[i] > mine);
    which = key[i] > mine ? i : which;
    mine  = max(mine, key[i]);
  }
  T inverse      = plain_reciprocal(one_of(x, which));
  usual          = usual && plain<T>((unsigned)mine);
  const int most = L.largest(mine);
  settle(inverse); /* here, not by one lane when it is shown */
  unsigned   best = __ballot_sync(ALL_LANES, mine == most) & L.mask;
  const bool it   = best == L.bit && usual;
  show(it, which, inverse);
  if (G == 32 ? !__any_sync(ALL_LANES, it) : L.own(__ballot_sync(ALL_LANES, it)) == 0) {
    best = 0;
    if (SHOW_NONE || most >= 0) {
      int at[OWN];
      T   scaled[OWN];
      __syncwarp(L.mask);
#pragma unroll
      for (int i = 0; i < OWN; i++) at[i] = place(i), scaled[i] = x[i];
      const bool is = settle_pivot(L, k, most, key, at, scaled, which, inverse, zero, by);
#pragma unroll
      for (int i = 0; i < OWN; i++)
        if (!(is && which == i) && (SHOW_NONE || done[i] == 0)) x[i] = scaled[i];
      best = __ballot_sync(L.mask, is);
      show((best & (0u - best)) == L.bit, which, inverse);
      if (most < 0) best = 0;
    }
  }
  return best;
}

/* What all rows want to know of a pivot: its row, that row's place, 1/x as settle_pivot says. */
template <class T>
struct pivot {
  int row, place;
  T   inverse;
};

/* The same for all to know, nothing shown; rows whose place is at least k take part. */
template <class T, int G>
BF_LANES pivot<T> choose_pivot(const lane_group<G> &L, int k, int place, T &x, int &zero, real_t<T> &by)
{
  const int key[1] = {size_key(x, place >= k ? 0 : NO_ROW)};
  T         mine   = plain_reciprocal(x); /* every lane's: by the time one is chosen it is there */
  const int most   = L.largest(key[0]);
  unsigned  best   = L.own(__ballot_sync(ALL_LANES, key[0] == most));
  if (most < 0) { /* no row is left: groups without a matrix, steps beyond n */
    mine = zero_of<T>();
  } else if ((best & (best - 1)) != 0 || !plain<T>((unsigned)most)) {
    const int  places[1] = {place};
    T          xs[1]     = {x};
    real_t<T>  bys[1]    = {by};
    int        which     = 0;
    const bool is        = settle_pivot(L, k, most, key, places, xs, which, mine, zero, bys);
    best                 = L.own(__ballot_sync(L.mask, is));
    x                    = xs[0];
    by                   = bys[0];
  }
  const int row = __ffs((int)best) - 1;
  return {row, __shfl_sync(ALL_LANES, place, L.first + row), from_lane(mine, L.first + row)};
}

/* The same where the rows are in order: row k is the pivot, or there is none beyond n. */
template <class T, int G>
BF_LANES pivot<T> next_pivot(const lane_group<G> &L, int k, int n, T &x, int &zero, real_t<T> &by)
{
  using R                = real_t<T>;
  const T        d       = from_lane(x, L.first + k);
  const unsigned top     = top_bits(abs1(d));
  T              inverse = reciprocal(d);
  if (!plain<R>(top)) {
    const R power = gauge<R>(top);
    x             = times(x, power);
    inverse       = reciprocal(times(d, power));
    if (L.r == k) by = power;
    if (abs1(d) == 0) {
      inverse = zero_of<T>();
      if (zero == 0 && k < n) zero = k + 1;
    }
  }
  return {k, k, k < n ? inverse : zero_of<T>()};
}

} // namespace bf
#endif
