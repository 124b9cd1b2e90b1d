/* kernels/cuda/batch_divide.cuh - eigenvalues and vectors of a symmetric tridiagonal matrix by a block
 *
 * Computes   T = Q diag(d) Q^T, d ascending, by Cuppen's divide and conquer from blocks of order 16 upwards,
 *            which batch_leaves.cuh has done.
 * Source     J. Cuppen, Numer. Math. 36 (1981); M. Gu, S. Eisenstat, SIAM J. Matrix Anal. 16 (1995), 172.
 * Layout     Q[c*ld + r], the blocks of a level on its diagonal, their columns in the order of d; a level
 *            reads one array and writes the other.  All merges of a level are made at once: an index c stands
 *            for row, column or root c of merge c >> lg.  Vectors of the merged problem are made for `panel`
 *            roots at a time; a column remembers which half of the rows it has, the others are not read.
 * Checked    tests/t360_heev_batch.c, t359_pairs_batch.c.
 *
 * Not finer than roundoff of the largest entry of T: what is 1e-16 (fp32: 6e-8) of it is neglected.
 */
#ifndef BF_BATCH_DIVIDE_CUH
#define BF_BATCH_DIVIDE_CUH
#include "kernels/cuda/batch_leaves.cuh"
#include "kernels/cuda/batch_secular.cuh"

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

struct divide_level { /* blocks of 1 << (lg - 1) become blocks of 1 << lg */
  int            n, lg;
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
  while (2 * L * v.n <= (int)blockDim.x && L < 1 << (v.lg - 1) && L < 16) L *= 2;
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

/* The listed rotations on the rows of Q, and the roots; 0 where one did not converge. */
template <class R>
__device__ bool divide_roots(const divide_room<R> &m, const divide_level &v, R *Q, int ld)
{
  for (int r = threadIdx.x; r < v.n; r += blockDim.x) {
    if (v.alone(r)) continue;
    const int o = v.first(r);
    for (int q = o; q < o + m.turned[r >> v.lg]; q++) {
      R      *a = Q + (size_t)m.rp[q] * ld + r, *b = Q + (size_t)m.rq[q] * ld + r;
      const R x = *a, y = *b;
      *a = m.cs[q] * x + m.sn[q] * y;
      *b = m.cs[q] * y - m.sn[q] * x;
    }
  }
  const int L    = divide_lanes(v);
  bool      fine = true;
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int  c = c0 + threadIdx.x / L, o = v.first(c);
    const bool in = c < v.n && !v.alone(c);
    const int  k  = in ? m.kept[c >> v.lg] : 0;
    const bool on = c - o < k;
    fine &= secular_find(m.s + o, m.z + o, on ? k : 0, c - o, in ? coupling(m, v, c) : R(1), m.base + c,
                         m.tau + c, threadIdx.x & (L - 1), L, on);
  }
  return fine;
}

/* z for which the computed roots are exact, by the product formula. */
template <class R>
__device__ void divide_weights(const divide_room<R> &m, const divide_level &v)
{
  const int L = divide_lanes(v), l = threadIdx.x & (L - 1);
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int c = c0 + threadIdx.x / L, o = v.first(c), k = c < v.n && !v.alone(c) ? m.kept[c >> v.lg] : 0,
              j  = c - o;
    const R   *s = m.s + o, *tau = m.tau + o;
    const int *base = m.base + o;
    R          w    = 1;
    if (j < k) {
      const R sj = s[j];
      if (l == 0) w = (sj - s[base[j]]) - tau[j];
#pragma unroll 4
      for (int i = l; i < k; i += L)
        if (i != j) w *= ((sj - s[base[i]]) - tau[i]) * reciprocal_of(sj - s[i]);
    }
    for (int a = 1; a < L; a *= 2) w *= __shfl_xor_sync(~0u, w, a);
    if (j < k && l == 0) m.zh[c] = copysign(sqrt(fabs(w)), m.z[c]);
  }
}

/* 1 / length of each vector, and where it goes: pos; the new d waits in cs (rotations are done). */
template <class R>
__device__ void divide_places(const divide_room<R> &m, const divide_level &v)
{
  const int L = divide_lanes(v), l = threadIdx.x & (L - 1);
  for (int c0 = 0; c0 < v.n; c0 += blockDim.x / L) {
    const int  c = c0 + threadIdx.x / L, o = v.first(c), i = c - o;
    const bool in = c < v.n && !v.alone(c);
    const int  k = in ? m.kept[c >> v.lg] : 0, count = in ? v.end(c) - o : 0;
    const R   *s = m.s + o, *tau = m.tau + o;
    const int *base = m.base + o;
    R          me = 0, q = 0;
    int        r = 0;
    if (i < k) {
#pragma unroll 4
      for (int j = l; j < k; j += L) q += square(m.zh[o + j] * reciprocal_of((s[j] - s[base[i]]) - tau[i]));
      me = s[base[i]] + tau[i];
    } else if (in)
      me = m.gone[o + i - k];
#pragma unroll 4
    for (int j = l; j < count; j += L) {
      const R x = j < k ? s[base[j]] + tau[j] : m.gone[o + j - k];
      r += x < me || (x == me && j < i);
    }
    q = sum_lanes(q, L);
    r = sum_lanes(r, L);
    if (l != 0 || c >= v.n) continue;
    if (i < k) m.inv[c] = R(1) / sqrt(q);
    if (in) m.pos[c] = o + r;
    m.cs[in ? o + r : c] = in ? me : m.d[c];
  }
}

/* CW columns of a panel for a lane's row: the sum over the listed columns of Q. */
template <class R, int CW>
__device__ __forceinline__ void divide_row(const R *Qr, int ld, const R *U, int lpanel, const int *list,
                                           int count, R *acc)
{
#pragma unroll 4
  for (int q = 0; q < count; q++) {
    const int e = list[q];
    const R   a = Qr[(size_t)(e & 0xffff) * ld], *u = U + ((e >> 16) << lpanel);
#pragma unroll
    for (int x = 0; x < CW; x++) acc[x] += a * u[x];
  }
}

/* Columns p0 .. p0 + panel-1 of every merge: a warp takes 32 rows and 1 << lcw columns at a time. */
template <class R>
__device__ void divide_panel(const divide_room<R> &m, const divide_level &v, const R *Q, R *Q2, int ld,
                             const R *U, int p0, int lpanel)
{
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const int blocks = (v.n + 31) / 32;
  const int lcw    = lpanel < 2 ? lpanel : lpanel >= 3 && (blocks << (lpanel - 3)) >= warps ? 3 : 2;
  for (int job = warp; job < blocks << (lpanel - lcw); job += warps) {
    const int cg = job & ((1 << (lpanel - lcw)) - 1), r = (job >> (lpanel - lcw)) * 32 + lane;
    if (r >= v.n || v.alone(r)) continue;
    const int o = v.first(r), i0 = p0 + (cg << lcw), g = r >> v.lg, k = m.kept[g];
    if (o + i0 >= v.n) continue;
    const bool top  = r < v.cut(r);
    const int *list = (top ? m.top : m.low) + o, count = i0 >= k ? 0 : top ? m.ntop[g] : m.nlow[g];
    const R   *Ur     = U + ((size_t)o << lpanel) + (cg << lcw);
    R          acc[8] = {};
    if (lcw == 3)
      divide_row<R, 8>(Q + r, ld, Ur, lpanel, list, count, acc);
    else if (lcw == 2)
      divide_row<R, 4>(Q + r, ld, Ur, lpanel, list, count, acc);
    else if (lcw == 1)
      divide_row<R, 2>(Q + r, ld, Ur, lpanel, list, count, acc);
    else
      divide_row<R, 1>(Q + r, ld, Ur, lpanel, list, count, acc);
#pragma unroll
    for (int x = 0; x < 8; x++) {
      const int i = i0 + x;
      if (x < 1 << lcw && o + i < v.end(r))
        Q2[(size_t)m.pos[o + i] * ld + r] = i < k ? acc[x] : Q[(size_t)m.out[o + i - k] * ld + r];
    }
  }
}

template <class R>
__device__ void divide_vectors(const divide_room<R> &m, const divide_level &v, const R *Q, R *Q2, int ld,
                               R *U, int lpanel)
{
  lpanel = min(lpanel, v.lg);
  for (int p0 = 0; p0 < 1 << v.lg; p0 += 1 << lpanel) {
    __syncthreads();
    for (int x = threadIdx.x; x < v.n << lpanel; x += blockDim.x) {
      const int c = x >> lpanel, o = v.first(c), i = p0 + (x & ((1 << lpanel) - 1));
      const int k = v.alone(c) ? 0 : m.kept[c >> v.lg];
      if (c - o < k && i < k)
        U[x] = m.zh[c] * reciprocal_of((m.s[c] - m.s[o + m.base[o + i]]) - m.tau[o + i]) * m.inv[o + i];
    }
    __syncthreads();
    divide_panel(m, v, Q, Q2, ld, U, p0, lpanel);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < v.n; c += blockDim.x) {
    m.d[c] = m.cs[c];
    if (v.alone(c))
      for (int r = v.first(c); r < v.n; r++) Q2[(size_t)c * ld + r] = Q[(size_t)c * ld + r];
  }
}

/* m.d, m.e: T, of size 1 about; Q, Q2: n columns of ld; U: n << lpanel.  Returns the one that holds Q; m.d is
 * ascending then.  0 where a root did not converge (of every thread its own answer). */
template <class R>
__device__ R *divide_conquer(int n, const divide_room<R> &m, R *Q, R *Q2, int ld, R *U, int lpanel,
                             bool *fine)
{
  *fine = divide_leaves(n, m.d, m.e, m.cs, Q, ld, Q2);
  for (divide_level v = {n, DIVIDE_LEAF_LEVELS + 1}; 1 << (v.lg - 1) < n; v.lg++) {
    const int half = 1 << (v.lg - 1);
    for (int x = threadIdx.x; x < n * half; x += blockDim.x) { /* zeros where rotations will read */
      const int c = x >> (v.lg - 1), i = x & (half - 1), r = c < v.cut(c) ? v.cut(c) + i : v.first(c) + i;
      if (r < n && !v.alone(c)) Q[(size_t)c * ld + r] = 0;
    }
    __syncthreads();
    divide_sort(m, v, Q, ld);
    __syncthreads();
    divide_look(m, v);
    __syncthreads();
    divide_deflate(m, v);
    __syncthreads();
    *fine &= divide_roots(m, v, Q, ld);
    __syncthreads();
    divide_weights(m, v);
    __syncthreads();
    divide_places(m, v);
    divide_vectors(m, v, Q, Q2, ld, U, lpanel);
    __syncthreads();
    R *swap = Q;
    Q       = Q2;
    Q2      = swap;
  }
  return Q;
}
#endif
