/* kernels/cuda/lanes_pivot.cuh - the pivot of a column of a small matrix, lane r of a group having row r
 *
 * The size of an entry is |re| + |im|, its key the upper 32 bits of that + 1, 0 for rows that take no part:
 * the largest key of the group is one instruction of a warp.  Nearly always one lane has it, and what its
 * reciprocal needs is plain; the rest is settle_pivot's.
 * Checked    tests/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
#ifndef BF_LANES_PIVOT_CUH
#define BF_LANES_PIVOT_CUH
#include "kernels/cuda/lanes.cuh"

/* Of several lanes that have the largest, to 32 bits, the one: of equal ones the first in LAPACK's order.
 * Where its reciprocal is no normal number, x of every row and so `inverse` are those of x times a power of
 * 2, which the pivot's lane keeps in `by`; 0 where the pivot is exactly 0 (then `zero`, if 0 so far, is k+1)
 * or no row is left. */
template <class T, int G>
BF_LANES bool settle_pivot(const lane_group<G> &L, int k, unsigned most, bool can, int place, T &x,
                           T &inverse, int &zero, real_t<T> &by)
{
  using R = real_t<T>;
  if (sizeof(R) == 8) {
    const unsigned low  = can ? (unsigned)__double2loint((double)abs1(x)) : 0u;
    const unsigned high = __reduce_max_sync(L.mask, low);
    can                 = can && low == high;
  }
  const unsigned least = __reduce_min_sync(L.mask, can ? (unsigned)place : ~0u);
  const R        power = gauge<R>(most - 1u);
  can                  = can && (unsigned)place == least;
  x                    = times(x, power);
  inverse              = reciprocal(x);
  if (can && most != 0) by = power;
  const bool none = __any_sync(L.mask, can && abs1(x) == 0);
  if (none || most == 0) inverse = zero_of<T>();
  if (none && most != 0 && zero == 0) zero = k + 1;
  return can;
}

/* The row of column k's pivot: the first of the largest x, by LAPACK's order of rows, among rows whose place
 * is at least k.  `inverse` = 1/x of a lane's own row, else as settle_pivot says. */
template <class T, int G>
BF_LANES int pivot_row(const lane_group<G> &L, int k, int place, T &x, T &inverse, int &zero, real_t<T> &by)
{
  const unsigned key  = place >= k ? top_bits(abs1(x)) + 1u : 0u;
  inverse             = plain_reciprocal(x); /* every lane's: by the time one is chosen it is there */
  const unsigned most = L.largest(key);
  unsigned       best = L.own(__ballot_sync(ALL_LANES, key == most));
  if (most == 0) { /* no row is left: groups without a matrix, steps beyond n */
    inverse = zero_of<T>();
  } else if ((best & (best - 1)) != 0 || !plain<T>(most - 1u)) {
    const bool is = settle_pivot(L, k, most, key == most, place, x, inverse, zero, by);
    best          = L.own(__ballot_sync(L.mask, is));
  }
  return __ffs((int)best) - 1;
}

/* The pivot of column k: true for its own lane; `at`: its place so far.  show(inverse) by the lane that has
 * it; x: of every row, perhaps scaled.  The first that has the largest shows at once; if it is not alone one
 * is shown again.  With no row left and SHOW_NONE, 0 is shown by one. */
template <bool SHOW_NONE, class T, int G, class Show>
BF_LANES bool find_pivot(const lane_group<G> &L, int k, bool live, int place, T &x, int &at, int &zero,
                         real_t<T> &by, Show show)
{
  const unsigned key     = live ? top_bits(abs1(x)) + 1u : 0u;
  T              inverse = plain_reciprocal(x);
  const unsigned most    = L.largest(key);
  settle(inverse); /* here, not by one lane when it is shown */
  bool           is  = key == most;
  const unsigned all = __ballot_sync(ALL_LANES, is);
  if (is && (all & L.before) == 0) show(inverse);
  unsigned best = L.own(all);
  if ((best & (best - 1)) != 0 || !plain<T>(most - 1u)) {
    if (SHOW_NONE || most != 0) {
      is   = settle_pivot(L, k, most, is, place, x, inverse, zero, by);
      best = L.own(__ballot_sync(L.mask, is));
      __syncwarp(L.mask);
      if (is) show(inverse);
    }
    is = is && most != 0;
  }
  at = __shfl_sync(ALL_LANES, place, L.first + __ffs((int)best) - 1);
  return is;
}

/* The same with what all rows want to know of it: `inverse` is the pivot's. */
template <class T>
struct pivot {
  int row, place;
  T   inverse;
};

template <class T, int G>
BF_LANES pivot<T> choose_pivot(const lane_group<G> &L, int k, int place, T &x, int &zero, real_t<T> &by)
{
  T         mine;
  const int row = pivot_row(L, k, place, x, mine, zero, by);
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
