/* kernels/cuda/batch_potrf.cu - batches: Cholesky factors of orders 33 .. 512, to 192 (complex 128) by
 * batch_chol.cuh
 *
 * Computes   A = L L^H (lower) or U^H U (upper, read as L^H), in its triangle, a panel p of NB columns after
 *            the other:  C = A(:, p) - L(:, < p) L(p, < p)^H,  C(p) = L(p, p) L(p, p)^H,
 *            L(t, p) = C(t) L(p, p)^-H.
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., section 4.2.6 (block, gaxpy form).
 * Layout     a block owns a matrix, a thread row k0 + t of the panel at k0, its NB columns in registers; the
 *            rows of L that the panel's columns are multiplied by come through shared memory, NB columns at
 *            a time; the diagonal block is factored by the first warp.
 * Cost       1/3 n^3 flops; the triangle is written once and read n / (2 NB) times, mostly from L2.
 * Checked    tests/t364_cholesky_batch.c, t366_sizes_batch.c.
 */
#include "kernels/cuda/batch_chol.cuh"
#include "kernels/cuda/batch_families.cuh"

enum { LANES = 32 };

/* Columns of a panel: what 128 registers hold. */
template <class T>
constexpr int NB = sizeof(T) == 16 ? 8 : 16;

/* Entries of the triangle as those of the lower one. */
template <class T>
struct lower_part {
  T   *a;
  int  ld;
  bool upper;

  __device__ __forceinline__ T get(int i, int j) const
  {
    return upper ? conj(a[(int64_t)i * ld + j]) : a[(int64_t)j * ld + i];
  }
  __device__ __forceinline__ void set(int i, int j, T x) const
  {
    if (upper)
      a[(int64_t)i * ld + j] = conj(x);
    else
      a[(int64_t)j * ld + i] = x;
  }
};

template <class T>
static __device__ __forceinline__ T over(T x, real_t<T> d)
{
  if constexpr (is_complex<T>)
    return {x.re / d, x.im / d};
  else
    return x / d;
}

template <class T>
struct potrf_room {
  T   part[NB<T>][NB<T>];  /* L(k0 + c, k) */
  T   block[NB<T>][NB<T>]; /* [q][c] = L(k0 + c, k0 + q) */
  int info;
};

/* c[] = row i of the panel: A minus what is to the left. */
template <class T>
static __device__ __forceinline__ void gather(const lower_part<T> &A, int i, int n, int k0, int nb,
                                              T (&c)[NB<T>], potrf_room<T> &s)
{
#pragma unroll
  for (int j = 0; j < NB<T>; j++) c[j] = i < n && j < nb && k0 + j <= i ? A.get(i, k0 + j) : from_real<T>(0);
  for (int q0 = 0; q0 < k0; q0 += NB<T>) {
    __syncthreads();
    for (int e = (int)threadIdx.x; e < NB<T> * NB<T>; e += (int)blockDim.x) {
      const int q = e / NB<T>, j = e % NB<T>;
      s.part[q][j] = j < nb ? conj(A.get(k0 + j, q0 + q)) : from_real<T>(0);
    }
    __syncthreads();
    if (i >= n) continue;
#pragma unroll 4
    for (int q = 0; q < NB<T>; q++) {
      const T x = A.get(i, q0 + q);
#pragma unroll
      for (int j = 0; j < NB<T>; j++) c[j] = mulsub(x, s.part[q][j], c[j]);
    }
  }
}

/* The diagonal block, rows in the lanes of one warp; 0 or the first pivot from 1 that is not positive, -1 not
 * finite. */
template <class T>
static __device__ __forceinline__ int factor_block(int lane, int nb, T (&c)[NB<T>], potrf_room<T> &s)
{
  int first = 0;
#pragma unroll
  for (int q = 0; q < NB<T>; q++) {
    if (q >= nb) break;
    const real_t<T> d = __shfl_sync(0xffffffffu, real_part(c[q]), q);
    if (!(d > 0) || !is_finite(d)) {
      first = is_finite(d) ? q + 1 : -1;
      break;
    }
    const real_t<T> r = sqrt(d);
    c[q]              = lane == q ? from_real<T>(r) : over(c[q], r);
    if (lane >= q && lane < nb) s.block[q][lane] = conj(c[q]);
    __syncwarp();
#pragma unroll
    for (int j = q + 1; j < NB<T>; j++)
      if (j < nb && lane >= j) c[j] = mulsub(c[q], s.block[q][j], c[j]);
  }
  return first;
}

template <class T>
static __global__ void __launch_bounds__(BATCH_MID)
    potrf_rows(const batch_view<T> A, bool upper, int *__restrict__ info)
{
  __shared__ potrf_room<T> s;
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b), t = (int)threadIdx.x;
  if (n <= 0 || n > A.n) return;
  const lower_part<T> M{A.matrix(b), A.ld, upper};
  bool                bad = false;
  if (t == 0) s.info = 0;
  for (int k0 = 0; k0 < n; k0 += NB<T>) {
    const int nb = n - k0 < NB<T> ? n - k0 : NB<T>, i = k0 + t;
    T         c[NB<T>];
    gather(M, i, n, k0, nb, c, s);
    if (t < LANES) {
      const int first = factor_block(t, nb, c, s);
      if (t == 0 && first != 0) s.info = first < 0 ? n + 1 : k0 + first;
    }
    __syncthreads();
    if (s.info != 0) break;
    if (t >= nb && i < n) {
#pragma unroll
      for (int q = 0; q < NB<T>; q++) {
        if (q >= nb) break;
        if (t >= LANES) c[q] = over(c[q], real_part(s.block[q][q]));
        if (t < LANES) continue;
#pragma unroll
        for (int j = q + 1; j < NB<T>; j++)
          if (j < nb) c[j] = mulsub(c[q], s.block[q][j], c[j]);
      }
    }
#pragma unroll
    for (int j = 0; j < NB<T>; j++)
      if (i < n && j < nb && k0 + j <= i) {
        bad |= !is_finite(c[j]);
        M.set(i, k0 + j, c[j]);
      }
    __syncthreads();
  }
  if (s.info != 0) /* what was not reached may not be finite: that is said first */
    for (int j = 0; j < n; j++)
      bad |= t < n && t >= j && !is_finite(t > j ? M.get(t, j) : from_real<T>(real_part(M.get(t, j))));
  bad = __syncthreads_or(bad);
  if (t == 0) info[b] = bad ? n + 1 : s.info;
}

template <class T>
cudaError_t potrf_mid(const batch_view<T> &A, bf_uplo uplo, int *info, cudaStream_t s)
{
  const int  n     = batch_edge(A.n);
  const bool upper = uplo == BF_UPPER;
  if (n <= 64) return chol_launch < T, sizeof(T) == 16 ? 2 : 1, sizeof(T) == 16 ? 2 : 4 > (A, upper, info, s);
  if (n <= (sizeof(T) == 4 ? 128 : 96)) return chol_launch<T, 4, 2>(A, upper, info, s);
  if (n <= 128) return chol_launch<T, 8, 1>(A, upper, info, s);
  if constexpr (!is_complex<T>)
    if (n <= 192) return chol_launch<T, 8, 2>(A, upper, info, s);
  potrf_rows<T><<<(unsigned)A.count, (unsigned)((A.n + LANES - 1) / LANES * LANES), 0, s>>>(A, upper, info);
  return cudaGetLastError();
}

template cudaError_t potrf_mid(const batch_view<float> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<double> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<cplx<float>> &, bf_uplo, int *, cudaStream_t);
template cudaError_t potrf_mid(const batch_view<cplx<double>> &, bf_uplo, int *, cudaStream_t);
