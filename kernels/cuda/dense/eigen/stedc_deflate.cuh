/* kernels/cuda/dense/eigen/stedc_deflate.cuh - a level of divide and conquer: its merges, their poles in
 * order, what of them is neglected
 *
 * Source     J. Cuppen, Numer. Math. 36 (1981).
 * Layout     all merges of a level are made at once: an index c stands for row, column or root c of merge
 *            c >> lg.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_DEFLATE_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_DEFLATE_CUH
#include "kernels/cuda/dense/eigen/stedc_secular.cuh"

namespace bf
{

template <class R>
struct divide_room {    /* of n entries each */
  R             *d, *e; /* diagonal and off-diagonal of T; d: eigenvalues of the blocks */
  R             *z, *s, *tau, *zh, *inv, *cs, *sn, *gone; /* gone: neglected eigenvalues */
  int           *src, *out, *rp, *rq, *base, *pos, *kept, *turned, *top, *low, *ntop, *nlow;
  unsigned char *half; /* of a column: 1 upper rows, 2 lower, 3 both */

  static __host__ __device__ size_t bytes(int n)
  {
    return (size_t)n * (8 * sizeof(R) + 12 * sizeof(int) + 1);
  }
  __device__ void carve(char *p, int n)
  {
    R   **r[] = {&z, &s, &tau, &zh, &inv, &cs, &sn, &gone};
    int **q[] = {&src, &out, &rp, &rq, &base, &pos, &kept, &turned, &top, &low, &ntop, &nlow};
    for (R **x : r) {
      *x = reinterpret_cast<R *>(p);
      p += (size_t)n * sizeof(R);
    }
    for (int **x : q) {
      *x = reinterpret_cast<int *>(p);
      p += (size_t)n * sizeof(int);
    }
    half = reinterpret_cast<unsigned char *>(p);
  }
};

struct divide_level {               /* blocks of 1 << (lg - 1) become blocks of 1 << lg */
  int            n, lg, threads;    /* how many share the sums, whatever there are */
  __device__ int first(int c) const /* of c's merge */
  {
    return c >> lg << lg;
  }
  __device__ int cut(int c) const
  {
    return first(c) + (1 << (lg - 1));
  }
  __device__ int end(int c) const
  {
    return min(first(c) + (1 << lg), n);
  }
  __device__ bool alone(int c) const /* nothing to merge with */
  {
    return cut(c) >= n;
  }
};

/* Threads for an index. */
__device__ __forceinline__ int divide_lanes(const divide_level &v)
{
  int L = 1;
  while (2 * L * v.n <= v.threads && L < 1 << (v.lg - 1) && L < 16) L *= 2;
  return L;
}

template <class R>
__device__ __forceinline__ R coupling(const divide_room<R> &m, const divide_level &v, int c)
{
  return R(2) * fabs(m.e[v.cut(c) - 1]);
}

/* z and the poles of every merge in ascending order. */
template <class R>
__device__ void divide_sort(const divide_room<R> &m, const divide_level &v, const R *Q, int ld)
{
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    if (v.alone(c)) continue;
    const int  o = v.first(c), cut = v.cut(c);
    const bool lower = c >= cut;
    const R    dc    = m.d[c];
    int        a = lower ? o : cut, b = lower ? cut : v.end(c);
    const int  from = a;
    while (a < b) { /* how many of the other half come before */
      const int h = (a + b) / 2;
      if (lower ? m.d[h] <= dc : m.d[h] < dc)
        a = h + 1;
      else
        b = h;
    }
    const int r  = o + (lower ? c - cut : c - o) + (a - from);
    R         zc = Q[(size_t)c * ld + (lower ? cut : cut - 1)];
    if (lower && m.e[cut - 1] < 0) zc = -zc;
    m.z[r]    = zc * R(0.70710678118654752440);
    m.s[r]    = dc;
    m.src[r]  = c;
    m.half[c] = lower ? 2 : 1;
    if (c == o) m.turned[o >> v.lg] = 0;
  }
}

/* turned[merge] = 1 where something can be neglected; the lists as they are where nothing can. */
template <class R>
__device__ void divide_look(const divide_room<R> &m, const divide_level &v)
{
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    if (v.alone(c)) continue;
    const int o = v.first(c), cut = v.cut(c), end = v.end(c), q = m.src[c];
    const R   rho = coupling(m, v, c), tol = negligible(m.s[o], m.s[end - 1], rho);
    bool      some = !(rho * fabs(m.z[c]) > tol);
    if (c + 1 < end) {
      const R x = m.z[c], y = m.z[c + 1];
      some |= !(fabs((m.s[c + 1] - m.s[c]) * x * y) > tol * (x * x + y * y));
    }
    if (some) m.turned[o >> v.lg] = 1;
    if (q < cut)
      m.top[q] = (c - o) << 16 | q;
    else
      m.low[o + q - cut] = (c - o) << 16 | q;
  }
}

/* One thread's scan of the merge that begins at o: poles with no part of z, and pairs of poles so close that
 * a rotation leaves one of them none, go to `gone`; the others move together.  Rotations are listed. */
template <class R>
__device__ int divide_scan(const divide_room<R> &m, int o, int count, R rho, int *rotations)
{
  const R tol = negligible(m.s[o], m.s[o + count - 1], rho);
  int     k = 0, left = 0, turns = 0, column = -1;
  R       pole = 0, part = 0; /* the last that may stay, and its column */
  for (int j = o; j < o + count; j++) {
    R         dj = m.s[j], zj = m.z[j];
    const int cj = m.src[j];
    if (!(rho * fabs(zj) > tol)) {
      m.gone[o + left]  = dj;
      m.out[o + left++] = cj;
      continue;
    }
    if (column >= 0) {
      const R t = dj - pole, hh = zj * zj + part * part;
      if (fabs(t * zj * part) <= tol * hh) {
        const R h = sqrt(hh), c = zj / h, s = -part / h, old = pole * c * c + dj * s * s;
        dj                = pole * s * s + dj * c * c;
        zj                = h;
        m.half[column]    = m.half[cj] |= m.half[column];
        m.cs[o + turns]   = c;
        m.sn[o + turns]   = s;
        m.rp[o + turns]   = column;
        m.rq[o + turns++] = cj;
        m.gone[o + left]  = old;
        m.out[o + left++] = column;
      } else {
        m.s[o + k]     = pole;
        m.z[o + k]     = part;
        m.src[o + k++] = column;
      }
    }
    pole   = dj;
    part   = zj;
    column = cj;
  }
  if (column >= 0) {
    m.s[o + k]     = pole;
    m.z[o + k]     = part;
    m.src[o + k++] = column;
  }
  *rotations = turns;
  return k;
}

template <class R>
__device__ void divide_deflate(const divide_room<R> &m, const divide_level &v)
{
  for (int g = threadIdx.x; g << v.lg < v.n; g += blockDim.x) {
    const int o = g << v.lg;
    if (v.alone(o)) continue;
    const int count = v.end(o) - o, half = v.cut(o) - o;
    if (!m.turned[g]) {
      m.kept[g] = count;
      m.ntop[g] = half;
      m.nlow[g] = count - half;
      continue;
    }
    int top = 0, low = 0;
    m.kept[g] = divide_scan(m, o, count, coupling(m, v, o), &m.turned[g]);
    for (int j = 0; j < m.kept[g]; j++) {
      const int q = m.src[o + j];
      if (m.half[q] & 1) m.top[o + top++] = j << 16 | q;
      if (m.half[q] & 2) m.low[o + low++] = j << 16 | q;
    }
    m.ntop[g] = top;
    m.nlow[g] = low;
  }
}

} // namespace bf
#endif
