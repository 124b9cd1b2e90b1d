/* kernels/cuda/batch_product.cu - batches: products with vectors
 *
 * Computes   y = alpha op(A) x + beta y, A whole (gemv) or one triangle of it (symv, hemv); entries may be
 *            stored in half the bytes of the vectors'.
 * Source     BLAS 2 (Dongarra et al., ACM TOMS 14, 1988).
 * Layout     four threads share a row of the result: terms k, k+4, k+8, ... are added in order, then the four
 *            sums as (0+1)+(2+3), whatever the batch.  A row of A is read by threads side by side (columns of
 *            A are contiguous), a column of A by four threads (32 bytes of fp64 at a time).
 * Cost       the entries once; of a triangle the second reading, as columns, comes from the caches.
 * Launch     a block for several small matrices or for 64 rows of one; grid.y = blocks of rows.
 * Checked    tests/t365_product_batch.c.
 */
#include "kernels/cuda/batch.cuh"

enum { SHARE = 4, ROWS = 64, THREADS = SHARE * ROWS };

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

/* Which entries of row i of op(A) stand in row i of A (k0 <= k < k1) and which in its column i. */
struct shape {
  int  whole;     /* 1: all, as trans says; 0: a triangle */
  bool lower;     /* of a triangle */
  bool down;      /* op(A) = A^T or A^H */
  bool conjugate; /* entries that are read down a column */
};

template <class V, class E>
static __device__ __forceinline__ V widen(E e)
{
  if constexpr (is_complex<V>)
    return {(real_t<V>)e.re, (real_t<V>)e.im};
  else
    return (V)e;
}

/* s += terms k0 + share, k0 + share + 4, ... < k1 of a row of A, or of a column: entry k is at a[k*step] */
template <class E, class V>
static __device__ __forceinline__ V terms(const E *__restrict__ a, int64_t step, bool conjugate, int k,
                                          int k1, const V *__restrict__ x, V s)
{
#pragma unroll 8
  for (; k < k1; k += SHARE) {
    const V e = widen<V>(a[k * step]);
    s         = muladd(conjugate ? conj(e) : e, x[k], s);
  }
  return s;
}

/* First index >= k0 that is `share` modulo 4. */
static __device__ __forceinline__ int first_of(int k0, int share)
{
  return k0 + ((share - k0) & (SHARE - 1));
}

/* The sum of thread (i, share) over what stands in the row of A. */
template <class E, class V>
static __device__ __forceinline__ V along(const shape &f, const E *a, int ld, int n, int i, int share,
                                          const V *x)
{
  V s = from_real<V>(0);
  if (f.whole) return f.down ? s : terms(a + i, ld, false, share, n, x, s);
  s = f.lower ? terms(a + i, ld, false, share, i, x, s)
              : terms(a + i, ld, false, first_of(i + 1, share), n, x, s);
  if ((i & (SHARE - 1)) == share) {
    const V d = from_real<V>(real_part(widen<V>(a[(int64_t)i * (ld + 1)])));
    s         = muladd(d, x[i], s);
  }
  return s;
}

/* ... and in its column. */
template <class E, class V>
static __device__ __forceinline__ V downward(const shape &f, const E *a, int ld, int n, int i, int share,
                                             const V *x)
{
  const E *c = a + (int64_t)i * ld;
  V        s = from_real<V>(0);
  if (f.whole) return f.down ? terms(c, 1, f.conjugate, share, n, x, s) : s;
  return f.lower ? terms(c, 1, true, first_of(i + 1, share), n, x, s) : terms(c, 1, true, share, i, x, s);
}

/* rows * SHARE threads a matrix; sums[] in shared memory: [SHARE][rows], then [rows][SHARE]. */
template <class E, class V>
static __global__ void __launch_bounds__(THREADS)
    product(const batch_view<E> A, int rows, const shape f, real_t<V> alpha, const vector_view<V> x,
            real_t<V> beta, const vector_view<V> y)
{
  __shared__ V sums[THREADS], turned[THREADS];
  const int    group = rows * SHARE, m = (int)threadIdx.x / group, t = (int)threadIdx.x % group;
  const int    b = (int)blockIdx.x * ((int)blockDim.x / group) + m, i0 = (int)blockIdx.y * rows;
  const int    n = b < A.count ? A.order(b) : 0, there = n > 0 && n <= A.n ? n : 0;
  V           *s = sums + m * group, *w = turned + m * group;
  const int    i = i0 + t % rows, j = i0 + t / SHARE;
  if (i < there) s[t] = along(f, A.matrix(b), A.ld, n, i, t / rows, x.of(b));
  if (j < there) w[t] = downward(f, A.matrix(b), A.ld, n, j, t % SHARE, x.of(b));
  __syncthreads();
  if (t >= rows || i >= there) return;
  V sum = (s[t] + s[rows + t]) + (s[2 * rows + t] + s[3 * rows + t]);
  w += SHARE * t;
  sum   = sum + ((w[0] + w[1]) + (w[2] + w[3]));
  V *to = y.of(b) + i;
  sum   = from_real<V>(alpha) * sum;
  *to   = beta == 0 ? sum : muladd(from_real<V>(beta), *to, sum);
}

template <class E, class V>
static cudaError_t launch(const bf_batch *A, const shape &f, double alpha, const bf_batch_vector *x,
                          double beta, const bf_batch_vector *y, cudaStream_t stream)
{
  const batch_view<E>  view = batch_view_of<E>(A, {A->n, NULL, NULL});
  const vector_view<V> u{static_cast<V *>(x->v), x->first, x->stride},
      v{static_cast<V *>(y->v), y->first, y->stride};
  const int  rows = A->n < ROWS ? A->n : ROWS, each = THREADS / (rows * SHARE);
  const dim3 grid((unsigned)((A->count + each - 1) / each), (unsigned)((A->n + rows - 1) / rows));
  product<E, V><<<grid, (unsigned)(each * rows * SHARE), 0, stream>>>(view, rows, f, (real_t<V>)alpha, u,
                                                                      (real_t<V>)beta, v);
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

BF_CUDA_DECLARE(gemv_batch);
bf_err bf_cuda_gemv_batch(bf_backend *be, bf_trans trans, double alpha, const bf_batch *A,
                          const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  return run(be, A, {1, false, trans != BF_NO_TRANS, trans == BF_CONJ_TRANS}, alpha, x, beta, y);
}

BF_CUDA_DECLARE(symv_batch);
bf_err bf_cuda_symv_batch(bf_backend *be, bf_uplo uplo, double alpha, const bf_batch *A,
                          const bf_batch_vector *x, double beta, const bf_batch_vector *y)
{
  return run(be, A, {0, uplo == BF_LOWER, false, true}, alpha, x, beta, y);
}
