/* kernels/cuda/lanes_pivot.cuh - the pivot of a column of a small matrix, lane r of a group having row r
 *
 * The size of an entry is |re| + |im|, its key the upper 32 bits of that, negative for rows that take no
 * part: the largest key of the group is one instruction of a warp.  Nearly always one row has it, and what
 * its reciprocal needs is plain; the rest is settle_pivot's.  A lane may have several rows: `which` is the
 * one of them that it proposes. Checked    tests/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
#ifndef BF_LANES_PIVOT_CUH
#define BF_LANES_PIVOT_CUH
#include "kernels/cuda/lanes.cuh"

/* dead: 0, or NO_ROW of a row that takes no part */
BF_LANES int size_key(float x, int dead)
{
  return (__float_as_int(x) & 0x7fffffff) | dead;
}
BF_LANES int size_key(double x, int dead)
{
  return (__double2hiint(x) & 0x7fffffff) | dead;
}
template <class R>
BF_LANES int size_key(cplx<R> x, int dead)
{
  return (int)(top_bits(abs1(x)) & 0x7fffffffu) | dead; /* a NaN may have a sign */
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

/* The pivot of column k among the rows that are not dead: true for its own lane; `which` of its rows, `at`:
 * its place so far.  show(yes, which, inverse): by the lane that has it; x: of every row, perhaps scaled. The
 * first that has the largest shows at once; if it is not alone one is shown again.  With no row left and
 * SHOW_NONE, 0 is shown by one. */
template <bool SHOW_NONE, class T, int G, int OWN, class Show>
BF_LANES bool find_pivot(const lane_group<G> &L, int k, const int (&dead)[OWN], const int (&place)[OWN],
                         T (&x)[OWN], int &which, int &at, int &zero, real_t<T> (&by)[OWN], Show show)
{
  int  key[OWN];
  bool twice = false;
#pragma unroll
  for (int i = 0; i < OWN; i++) key[i] = size_key(x[i], dead[i]);
  int mine = key[0];
  which    = 0;
#pragma unroll
  for (int i = 1; i < OWN; i++) {
    twice = key[i] == mine || (twice && key[i] < mine);
    which = key[i] > mine ? i : which;
    mine  = max(mine, key[i]);
  }
  T         inverse = plain_reciprocal(one_of(x, which));
  const int most    = L.largest(mine);
  settle(inverse); /* here, not by one lane when it is shown */
  bool           is  = mine == most;
  const unsigned all = __ballot_sync(ALL_LANES, is);
  show(is && (all & L.before) == 0, which, inverse);
  unsigned   best = L.own(all);
  const bool alone =
      (best & (best - 1)) == 0 && (OWN == 1 || L.own(__ballot_sync(ALL_LANES, is && twice)) == 0);
  if (!alone || !plain<T>((unsigned)most)) {
    if (SHOW_NONE || most >= 0) {
      is   = settle_pivot(L, k, most, key, place, x, which, inverse, zero, by);
      best = L.own(__ballot_sync(L.mask, is));
      __syncwarp(L.mask);
      show(is && __ffs((int)best) - 1 == L.r, which, inverse);
    }
    is = is && most >= 0;
  }
  at = __shfl_sync(ALL_LANES, one_of(place, which), L.first + __ffs((int)best) - 1);
  return is;
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
#endif
