/* kernels/cuda/dense/eigen/stedc_deflate.cuh - divide and conquer: the merges of a level, sorted poles,
 * deflation
 *
 * Computes   z and the sorted poles of every merge; deflated eigenvalues; lists of the remaining columns.
 * Source     J. Cuppen, Numer. Math. 36 (1981).
 * Layout     all merges of a level are processed together: index c stands for row, column or root c of
 *            merge c >> lg.
 * Cost       O(n log n) per level; the scan of a merge is one thread's.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t360_heev_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_DEFLATE_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_STEDC_DEFLATE_CUH
#include "kernels/cuda/dense/eigen/stedc_secular.cuh"

namespace bf
{

template <class R>
struct stedc_smem { /* of n entries each */
  R   *d, *e;       /* diagonal and off-diagonal of T; d: eigenvalues of the blocks */
  R   *z, *s, *tau, *zh, *inv, *cs, *sn, *deflated; /* deflated: eigenvalues */
  int *src, *deflated_column, *rp, *rq, *base, *pos, *undeflated, *rotations, *upper, *lower, *upper_count,
      *lower_count;
  unsigned char *half; /* of a column: 1 upper rows, 2 lower, 3 both */

  static __host__ __device__ size_t bytes(int n)
  {
    return (size_t)n * (8 * sizeof(R) + 12 * sizeof(int) + 1);
  }
  __device__ void carve(char *p, int n)
  {
    R   **r[] = {&z, &s, &tau, &zh, &inv, &cs, &sn, &deflated};
    int **q[] = {&src,        &deflated_column, &rp,    &rq,    &base,        &pos,
                 &undeflated, &rotations,       &upper, &lower, &upper_count, &lower_count};
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

struct stedc_level {                /* blocks of 1 << (lg - 1) become blocks of 1 << lg */
  int            n, lg, threads;    /* number of threads that determines how sums are divided */
  __device__ int first(int c) const /* first index of c's merge */
  {
    return c >> lg << lg;
  }
  __device__ int middle(int c) const
  {
    return first(c) + (1 << (lg - 1));
  }
  __device__ int end(int c) const
  {
    return min(first(c) + (1 << lg), n);
  }
  __device__ bool unpaired(int c) const /* nothing to merge with */
  {
    return middle(c) >= n;
  }
};

/* Threads per index */
__device__ __forceinline__ int stedc_lanes(const stedc_level &v)
{
  int L = 1;
  while (2 * L * v.n <= v.threads && L < 1 << (v.lg - 1) && L < 16) L *= 2;
  return L;
}

template <class R>
__device__ __forceinline__ R coupling(const stedc_smem<R> &m, const stedc_level &v, int c)
{
  return R(2) * fabs(m.e[v.middle(c) - 1]);
}

/* z and the poles of every merge in ascending order */
template <class R>
__device__ void stedc_sort_poles(const stedc_smem<R> &m, const stedc_level &v, const R *Q, int ld)
{
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    if (v.unpaired(c)) continue;
    const int  o = v.first(c), middle = v.middle(c);
    const bool is_lower = c >= middle;
    const R    dc       = m.d[c];
    int        a = is_lower ? o : middle, b = is_lower ? middle : v.end(c);
    const int  from = a;
    while (a < b) { /* number of poles of the other half that come before */
      const int h = (a + b) / 2;
      if (is_lower ? m.d[h] <= dc : m.d[h] < dc)
        a = h + 1;
      else
        b = h;
    }
    const int r  = o + (is_lower ? c - middle : c - o) + (a - from);
    R         zc = Q[(size_t)c * ld + (is_lower ? middle : middle - 1)];
    if (is_lower && m.e[middle - 1] < 0) zc = -zc;
    m.z[r]    = zc * R(0.70710678118654752440);
    m.s[r]    = dc;
    m.src[r]  = c;
    m.half[c] = is_lower ? 2 : 1;
    if (c == o) m.rotations[o >> v.lg] = 0;
  }
}

/* rotations[merge] = 1 if deflation is possible; the lists for the case without deflation */
template <class R>
__device__ void stedc_find_deflation(const stedc_smem<R> &m, const stedc_level &v)
{
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    if (v.unpaired(c)) continue;
    const int o = v.first(c), middle = v.middle(c), end = v.end(c), q = m.src[c];
    const R   rho = coupling(m, v, c), tol = negligible(m.s[o], m.s[end - 1], rho);
    bool      some = !(rho * fabs(m.z[c]) > tol);
    if (c + 1 < end) {
      const R x = m.z[c], y = m.z[c + 1];
      some |= !(fabs((m.s[c + 1] - m.s[c]) * x * y) > tol * (x * x + y * y));
    }
    if (some) m.rotations[o >> v.lg] = 1;
    if (q < middle)
      m.upper[q] = (c - o) << 16 | q;
    else
      m.lower[o + q - middle] = (c - o) << 16 | q;
  }
}

/* One thread scans the merge that starts at o: poles with a negligible part of z, and poles so close to
 * the next that a rotation makes it negligible, go to `deflated`; the others are compacted. Rotations
 * are recorded. */
template <class R>
__device__ int stedc_scan(const stedc_smem<R> &m, int o, int count, R rho, int *rotations)
{
  const R tol = negligible(m.s[o], m.s[o + count - 1], rho);
  int     k = 0, deflated_count = 0, rotation_count = 0, column = -1;
  R       pole = 0, z_part = 0; /* the last pole that may remain, and its column */
  for (int j = o; j < o + count; j++) {
    R         dj = m.s[j], zj = m.z[j];
    const int cj = m.src[j];
    if (!(rho * fabs(zj) > tol)) {
      m.deflated[o + deflated_count]          = dj;
      m.deflated_column[o + deflated_count++] = cj;
      continue;
    }
    if (column >= 0) {
      const R t = dj - pole, hh = zj * zj + z_part * z_part;
      if (fabs(t * zj * z_part) <= tol * hh) {
        const R h = sqrt(hh), c = zj / h, s = -z_part / h, old = pole * c * c + dj * s * s;
        dj                                      = pole * s * s + dj * c * c;
        zj                                      = h;
        m.half[column]                          = m.half[cj] |= m.half[column];
        m.cs[o + rotation_count]                = c;
        m.sn[o + rotation_count]                = s;
        m.rp[o + rotation_count]                = column;
        m.rq[o + rotation_count++]              = cj;
        m.deflated[o + deflated_count]          = old;
        m.deflated_column[o + deflated_count++] = column;
      } else {
        m.s[o + k]     = pole;
        m.z[o + k]     = z_part;
        m.src[o + k++] = column;
      }
    }
    pole   = dj;
    z_part = zj;
    column = cj;
  }
  if (column >= 0) {
    m.s[o + k]     = pole;
    m.z[o + k]     = z_part;
    m.src[o + k++] = column;
  }
  *rotations = rotation_count;
  return k;
}

template <class R>
__device__ void stedc_deflate(const stedc_smem<R> &m, const stedc_level &v)
{
  for (int g = threadIdx.x; g << v.lg < v.n; g += blockDim.x) {
    const int o = g << v.lg;
    if (v.unpaired(o)) continue;
    const int count = v.end(o) - o, half = v.middle(o) - o;
    if (!m.rotations[g]) {
      m.undeflated[g]  = count;
      m.upper_count[g] = half;
      m.lower_count[g] = count - half;
      continue;
    }
    int upper = 0, lower = 0;
    m.undeflated[g] = stedc_scan(m, o, count, coupling(m, v, o), &m.rotations[g]);
    for (int j = 0; j < m.undeflated[g]; j++) {
      const int q = m.src[o + j];
      if (m.half[q] & 1) m.upper[o + upper++] = j << 16 | q;
      if (m.half[q] & 2) m.lower[o + lower++] = j << 16 | q;
    }
    m.upper_count[g] = upper;
    m.lower_count[g] = lower;
  }
}

} // namespace bf
#endif
