/* kernels/cuda/dense/product/gemv_symv.cu - batched matrix-vector products
 *
 * Computes   y = alpha op(A) x + beta y, A general (gemv) or one triangle of it (symv, hemv); entries may
 *            have half the precision of the vectors.
 * Source     BLAS 2 (Dongarra et al., ACM TOMS 14, 1988).
 * Layout     the terms k = 0, 4, 8, ..., those from 1, from 2 and from 3 of a row are four partial sums,
 *            separately for entries in a row and in a column of A: every kernel gives the same bits. Rows
 *            of large general matrices are read directly by four threads per row; all others go through
 *            tiles of 64 x 64 in shared memory, read in storage order.
 * Cost       the entries are read once; of a triangle above n = 64 the off-diagonal tiles twice, once from
 *            L2; 2 n^2 flops (complex 4 times).
 * Launch     a block for several small matrices, or for 64 rows of one; grid.y = blocks of rows.
 * Checked    tests/kernels/dense/t365_product_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/batch_view.cuh"

namespace bf
{

enum { SUMS = 4, ROWS = 64, THREADS = SUMS * ROWS, TINY = 16, SMALL = 32 };

template <class V>
struct vector_view {
  V             *v;
  const int64_t *first;
  int64_t        stride;

  __device__ __forceinline__ V *of(int b) const
  {
    return v + (first ? first[b] : (int64_t)b * stride);
  }
};

/* op(A) */
struct shape {
  bool whole;     /* all of A, plain or (down) transposed; otherwise a triangle */
  bool lower;     /* of a triangle */
  bool down;      /* A^T, A^H */
  bool conjugate; /* of entries that are read along a column */
};

template <class V>
struct job {
  shape          f;
  real_t<V>      alpha, beta;
  vector_view<V> x, y;
};

template <class V, class E>
static __device__ __forceinline__ V widen(E e)
{
  if constexpr (is_complex<V>)
    return {(real_t<V>)e.re, (real_t<V>)e.im};
  else
    return (V)e;
}

/* s += terms k, k + 4, ... < k1: entry k at a[k*step] */
template <class E, class V>
static __device__ __forceinline__ V terms(const E *a, int64_t step, bool conjugate, int k, int k1,
                                          const V *__restrict__ x, V s)
{
#pragma unroll 8
  for (; k < k1; k += SUMS) {
    const V e = widen<V>(a[k * step]);
    s         = muladd(conjugate ? conj(e) : e, x[k], s);
  }
  return s;
}

/* First index >= k0 that is `sum` modulo 4 */
static __device__ __forceinline__ int first_of(int k0, int sum)
{
  return k0 + ((sum - k0) & (SUMS - 1));
}

template <class V>
static __device__ __forceinline__ V total(V a, V b, V c, V d)
{
  return (a + b) + (c + d);
}
template <class V>
static __device__ __forceinline__ void store(const job<V> &w, V *y, V sum)
{
  sum = from_real<V>(w.alpha) * sum;
  *y  = w.beta == 0 ? sum : muladd(from_real<V>(w.beta), *y, sum);
}

/* A x without shared-memory tiles: four threads per row */
template <class E, class V>
static __global__ void __launch_bounds__(THREADS) rows_straight(const batch_view<E> A, const job<V> w)
{
  __shared__ V sums[SUMS][ROWS];
  const int    b = (int)blockIdx.x, r = (int)threadIdx.x % ROWS, q = (int)threadIdx.x / ROWS;
  const int    i = (int)blockIdx.y * ROWS + r, n = A.order(b);
  const bool   mine = i < n && n <= A.n;
  if (mine) sums[q][r] = terms(A.matrix(b) + i, A.ld, false, q, n, w.x.of(b), from_real<V>(0));
  __syncthreads();
  if (q == 0 && mine)
    store(w, w.y.of(b) + i, total(sums[0][r], sums[1][r], sums[2][r], sums[3][r]) + from_real<V>(0));
}

/* Layout of a block: `each` matrices of `rows` rows, tiles of rows x rows */
struct tiling {
  int      rows, each, pitch;
  unsigned inverse; /* ceil(2^20 / rows): e * inverse >> 20 = e / rows for all e used here */
};

/* The tile at (r0, c0) of every matrix of the block; of a diagonal tile only its triangle */
template <class E>
static __device__ __forceinline__ void fetch(const batch_view<E> &A, const shape &f, const tiling &t, int r0,
                                             int c0, E *tile)
{
  const int all = t.each * t.rows * t.rows, b0 = (int)blockIdx.x * t.each;
#pragma unroll 8
  for (int e = (int)threadIdx.x; e < all; e += (int)blockDim.x) {
    const int column = (int)(((unsigned long long)e * t.inverse) >> 20), r = e - column * t.rows;
    const int m = (int)(((unsigned long long)column * t.inverse) >> 20), c = column - m * t.rows, b = b0 + m;
    if (b >= A.count) return;
    const int n = A.order(b), i = r0 + r, j = c0 + c;
    if (n > A.n || i >= n || j >= n || (!f.whole && (f.lower ? i < j : i > j))) continue;
    tile[column * t.pitch + r] = A.matrix(b)[(int64_t)j * A.ld + i];
  }
}

/* All other cases, through tiles. S threads share a row, 4 / S sums each. */
template <class E, class V, int S>
static __global__ void __launch_bounds__(THREADS)
    through_tiles(const batch_view<E> A, const job<V> w, const tiling t)
{
  extern __shared__ __align__(16) char room[];
  constexpr int                        OWN  = SUMS / S;
  E                                   *tile = reinterpret_cast<E *>(room);
  const int group = t.rows * S, m = (int)threadIdx.x / group, l = (int)threadIdx.x % group;
  const int b = (int)blockIdx.x * t.each + m, i0 = (int)blockIdx.y * t.rows;
  const int order = b < A.count ? A.order(b) : 0, n = order > 0 && order <= A.n ? order : 0;
  const int across = l % t.rows, part = S == 1 ? 0 : l / t.rows; /* a row of A */
  const int down = l / S, sub = S == 1 ? 0 : l % S;              /* a column */
  const int i = i0 + across, j = i0 + down;
  const V  *x   = w.x.of(b < A.count ? b : 0);
  const E  *own = tile + m * t.rows * t.pitch;
  V         p[OWN], q[OWN];
#pragma unroll
  for (int s = 0; s < OWN; s++) p[s] = q[s] = from_real<V>(0);
  for (int k0 = 0; k0 < A.n; k0 += t.rows) {
    const bool is_row = w.f.whole ? !w.f.down : w.f.lower ? k0 <= i0 : k0 >= i0;
    const bool is_col = w.f.whole ? w.f.down : w.f.lower ? k0 >= i0 : k0 <= i0;
    const int  k1     = min(k0 + t.rows, n);
    fetch(A, w.f, t, is_row ? i0 : k0, is_row ? k0 : i0, tile);
    __syncthreads();
#pragma unroll
    for (int s = 0; s < OWN; s++) {
      if (is_row && i < n) { /* below or on the diagonal, or right of it */
        const int lo = !w.f.whole && !w.f.lower ? max(k0, i + 1) : k0,
                  hi = !w.f.whole && w.f.lower ? min(k1, i) : k1;
        p[s] =
            terms(own + across - (int64_t)k0 * t.pitch, t.pitch, false, first_of(lo, part + s), hi, x, p[s]);
        if (!w.f.whole && k0 == i0 && (i & (SUMS - 1)) == part + s)
          p[s] = muladd(from_real<V>(real_part(widen<V>(own[across * t.pitch + across]))), x[i], p[s]);
      }
      if (is_col && j < n) {
        const int lo = !w.f.whole && w.f.lower ? max(k0, j + 1) : k0,
                  hi = !w.f.whole && !w.f.lower ? min(k1, j) : k1;
        q[s]         = terms(own + down * t.pitch - k0, 1, w.f.conjugate, first_of(lo, sub + s), hi, x, q[s]);
      }
    }
    __syncthreads();
  }
  if constexpr (S == 1) {
    if (i < n) store(w, w.y.of(b) + i, total(p[0], p[1], p[2], p[3]) + total(q[0], q[1], q[2], q[3]));
  } else {
    V *sums                      = reinterpret_cast<V *>(room) + m * 2 * group,
      *turned                    = sums + group; /* the last tile is not needed any more */
    sums[part * t.rows + across] = p[0];
    turned[down * S + sub]       = q[0];
    __syncthreads();
    if (part != 0 || i >= n) return;
    const V  *c = sums + across, *d = turned + S * across;
    const int r = t.rows;
    store(w, w.y.of(b) + i, total(c[0], c[r], c[2 * r], c[3 * r]) + total(d[0], d[1], d[2], d[3]));
  }
}

template <class E, class V, int S>
static cudaError_t tiled(const batch_view<E> &A, const job<V> &w, cudaStream_t stream)
{
  tiling t;
  t.rows            = A.n < ROWS ? A.n : ROWS;
  t.each            = THREADS / (S * t.rows);
  t.pitch           = S == 1 ? t.rows | 1 : (t.rows + 15) / 16 * 16 + 4;
  t.inverse         = ((1u << 20) + (unsigned)t.rows - 1) / (unsigned)t.rows;
  const size_t tile = (size_t)(t.each * t.rows * t.pitch) * sizeof(E),
               sums = (size_t)(t.each * t.rows * S * 2) * sizeof(V), shared = tile > sums ? tile : sums;
  const auto        kernel = through_tiles<E, V, S>;
  const cudaError_t e =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  if (e != cudaSuccess) return e;
  const dim3 grid((unsigned)((A.count + t.each - 1) / t.each), (unsigned)((A.n + t.rows - 1) / t.rows));
  kernel<<<grid, (unsigned)(t.each * t.rows * S), shared, stream>>>(A, w, t);
  return cudaGetLastError();
}

template <class E, class V>
static cudaError_t launch(const bf_batch *B, const shape &f, double alpha, const bf_batch_vector *x,
                          double beta, const bf_batch_vector *y, cudaStream_t stream)
{
  const batch_view<E> A = batch_view_of<E>(B, {B->n, NULL, NULL});
  const job<V>        w{f,
                 (real_t<V>)alpha,
                 (real_t<V>)beta,
                 {static_cast<V *>(x->v), x->first, x->stride},
                 {static_cast<V *>(y->v), y->first, y->stride}};
  if (A.n <= TINY) return tiled<E, V, 1>(A, w, stream);
  if (!f.whole || f.down || A.n <= SMALL) return tiled<E, V, SUMS>(A, w, stream);
  rows_straight<E, V>
      <<<dim3((unsigned)A.count, (unsigned)((A.n + ROWS - 1) / ROWS)), THREADS, 0, stream>>>(A, w);
  return cudaGetLastError();
}

static bf_err run(bf_backend *be, const bf_batch *A, const shape &f, double alpha, const bf_batch_vector *x,
                  double beta, const bf_batch_vector *y)
{
  BF_TRY(batch_by_type(x->type, [&](auto zero) {
    using V           = decltype(zero);
    const auto stream = bf_cuda_of(be)->stream;
    if constexpr (sizeof(real_t<V>) == 8) {
      using half = std::conditional_t<is_complex<V>, cplx<float>, float>;
      if (x->type != A->type) return BF_CUDA((launch<half, V>(A, f, alpha, x, beta, y, stream)));
    }
    return BF_CUDA((launch<V, V>(A, f, alpha, x, beta, y, stream)));
  }));
  return BF_CUDA_LAUNCHED(be);
}

BF_CUDA_DECLARE(batch.gemv, gemv_batch);
bf_err bf_cuda_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                          const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  return run(be, A, {true, false, trans != BF_NO_TRANS, trans == BF_CONJ_TRANS}, alpha, x, beta, y);
}

BF_CUDA_DECLARE(batch.symv, symv_batch);
bf_err bf_cuda_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A,
                          const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  return run(be, A, {false, uplo == BF_LOWER, false, true}, alpha, x, beta, y);
}

} // namespace bf
