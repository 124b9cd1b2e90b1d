/* kernels/cuda/dense/common/subwarp_rows.cuh - matrices of up to 32 rows in registers: lane r of a subwarp
 * of G lanes has row r
 *
 * Computes   common parts of LU, inverse and Cholesky: load and store of rows, a row broadcast through
 *            shared memory, rank-1 updates. Pivot search: subwarp_pivot.cuh.
 * Layout     columns are processed in blocks of KB. The loop over blocks is not unrolled, to keep the code
 *            in the instruction cache (unrolled over 32 columns it is slower). Registers cannot be indexed
 *            at run time, so rotate_blocks moves the current block to the front. Subwarps with a smaller
 *            matrix or none execute the same steps with inactive rows.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t364_cholesky_batch.c,
 *            t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_ROWS_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_ROWS_CUH
#include "kernels/cuda/dense/common/l2_prefetch.cuh"
#include "kernels/cuda/device/reciprocal.cuh"

namespace bf
{

enum { NO_INDEX = -1, KEY_INACTIVE = (int)0x80000000 /* key of an inactive row */, NO_POSITION = 0xffff };
static constexpr unsigned ALL_LANES = ~0u;

/* 16 bytes: unit of row accesses in shared memory */
template <class T>
struct alignas(16) vec16 {
  static constexpr int length = 16 / (int)sizeof(T);
  T                    e[length];
};

/* Barrier of a block of WARPS warps */
template <int WARPS>
BF_DEVICE void block_sync()
{
  if constexpr (WARPS == 1)
    __syncwarp();
  else
    __syncthreads();
}

BF_DEVICE float select(bool yes, float a, float b)
{
  return yes ? a : b;
}
BF_DEVICE double select(bool yes, double a, double b)
{
  return yes ? a : b;
}
template <class R>
BF_DEVICE cplx<R> select(bool yes, cplx<R> a, cplx<R> b)
{
  return {yes ? a.re : b.re, yes ? a.im : b.im};
}

/* Forces the compiler to evaluate x here; evaluated at its use it needs more registers. */
BF_DEVICE void materialize(float &x)
{
  asm volatile("" : "+f"(x));
}
BF_DEVICE void materialize(double &x)
{
  asm volatile("" : "+d"(x));
}
template <class R>
BF_DEVICE void materialize(cplx<R> &x)
{
  materialize(x.re);
  materialize(x.im);
}

/* sum + 0 x: not finite if x is not finite */
template <class T>
BF_DEVICE real_t<T> track_nonfinite(T x, real_t<T> sum)
{
  if constexpr (is_complex<T>)
    return muladd(x.re, (real_t<T>)0, muladd(x.im, (real_t<T>)0, sum));
  else
    return muladd(x, (T)0, sum);
}

/* Lane r of a subwarp */
template <int G>
struct subwarp {
  int      lane, r, first; /* first: lane of row 0 */
  unsigned mask, bit;      /* lanes of the subwarp; this lane */

  __device__ __forceinline__ subwarp()
      : lane((int)threadIdx.x & 31), r(lane % G), first(G == 32 ? 0 : lane - lane % G),
        mask(G == 32 ? ~0u : ((1u << (G % 32)) - 1u) << first), bit(1u << lane)
  {
  }
  __device__ __forceinline__ unsigned group_bits(unsigned ballot) const
  {
    return G == 32 ? ballot : (ballot & mask) >> first;
  }
  /* largest key of the subwarp, by a warp reduction where G >= 16 */
  __device__ __forceinline__ int largest(int key) const
  {
    if constexpr (G >= 16) {
      int most = 0;
#pragma unroll
      for (int q = 0; q < 32; q += G) {
        const int of = __reduce_max_sync(ALL_LANES, first == q ? key : KEY_INACTIVE);
        if (first == q) most = of;
      }
      return most;
    } else {
#pragma unroll
      for (int o = 1; o < G; o *= 2) key = max(key, __shfl_xor_sync(ALL_LANES, key, o));
      return key;
    }
  }
};

/* The matrix of a subwarp; b = NO_INDEX and n = 0 beyond the end of the batch */
template <class T>
struct subwarp_matrix {
  T  *a;
  int b, n, ld, n_max; /* n_max: largest n in the warp */

  template <int G>
  __device__ __forceinline__ subwarp_matrix(const batch_view<T> &A, const subwarp<G> &)
      : a(nullptr), b(NO_INDEX), n(0), ld(A.ld), n_max(A.n)
  {
    const int64_t k = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / G;
    if (k < A.members()) {
      b = A.member((int)k);
      n = A.order(b);
      a = A.matrix(b);
    }
    if (A.sizes) n_max = (int)__reduce_max_sync(ALL_LANES, (unsigned)n);
  }
};

/* T has the alignment of its real type in memory; is_aligned: all entries of M have the alignment of T. */
template <class T>
BF_DEVICE bool is_aligned(const subwarp_matrix<T> &M)
{
  return is_complex<T> && (reinterpret_cast<uintptr_t>(M.a) | ((size_t)M.ld * sizeof(T))) % sizeof(T) == 0;
}
BF_DEVICE cplx<float> load_vector(const cplx<float> *p)
{
  const float2 x = *reinterpret_cast<const float2 *>(p);
  return {x.x, x.y};
}
BF_DEVICE cplx<double> load_vector(const cplx<double> *p)
{
  const double2 x = *reinterpret_cast<const double2 *>(p);
  return {x.x, x.y};
}
BF_DEVICE void store_vector(cplx<float> *p, cplx<float> x)
{
  *reinterpret_cast<float2 *>(p) = make_float2(x.re, x.im);
}
BF_DEVICE void store_vector(cplx<double> *p, cplx<double> x)
{
  *reinterpret_cast<double2 *>(p) = make_double2(x.re, x.im);
}
template <class T>
BF_DEVICE T load(const T *p, bool aligned)
{
  if constexpr (is_complex<T>)
    if (aligned) return load_vector(p);
  return *p;
}
template <class T>
BF_DEVICE void store(T *p, T x, bool aligned)
{
  if constexpr (is_complex<T>)
    if (aligned) {
      store_vector(p, x);
      return;
    }
  *p = x;
}

/* x[j] = row i of M in columns j < N with keep(j), else 0. The pointer advances by one column: N
 * addresses at once would take N registers. */
template <int N, class T, class Keep>
BF_DEVICE void load_row(const subwarp_matrix<T> &M, int i, Keep keep, T (&x)[N])
{
  const T   *p       = M.a + i;
  const bool aligned = is_aligned(M);
#pragma unroll
  for (int j = 0; j < N; j++) {
    x[j] = zero_of<T>();
    if (j < M.n && i < M.n && keep(j)) x[j] = load(p, aligned);
    p += M.ld;
    asm volatile("" : "+l"(p));
  }
}

/* Rotates the blocks of KB registers by one: the first becomes the last. */
template <int KB, int N, class T>
BF_DEVICE void rotate_blocks(T (&x)[N])
{
  if constexpr (KB < N) {
    T first[KB];
#pragma unroll
    for (int e = 0; e < KB; e++) first[e] = x[e];
#pragma unroll
    for (int q = 0; q < N - KB; q++) x[q] = x[q + KB];
#pragma unroll
    for (int e = 0; e < KB; e++) x[N - KB + e] = first[e];
  }
}

/* Zeros in shared memory for steps beyond n */
template <class T, int G>
BF_DEVICE void zero_rows(const subwarp<G> &L, vec16<T> *buffer, int count)
{
  vec16<T> none;
#pragma unroll
  for (int e = 0; e < vec16<T>::length; e++) none.e[e] = zero_of<T>();
  for (int c = L.r; c < count; c += G) buffer[c] = none;
  __syncwarp();
}

/* Writes a row of N entries to shared memory for the subwarp: blocks q with active(q), the first from
 * column `from` on; entry(column) is the value. */
template <int KB, int N, class T, class Live, class Entry>
BF_DEVICE void store_row(int from, Live active, vec16<T> *buffer, Entry entry)
{
  constexpr int V = vec16<T>::length;
#pragma unroll
  for (int q = 0; q < N / KB; q++)
    if (active(q)) {
#pragma unroll
      for (int c = q * KB / V; c < (q + 1) * KB / V; c++) {
        if ((c + 1) * V <= from) continue;
        vec16<T> p;
#pragma unroll
        for (int e = 0; e < V; e++) p.e[e] = entry(c * V + e);
        buffer[c] = p;
      }
    }
}

/* a -= l(column) times the row in the buffer, in the same columns except column `but` */
template <int KB, class T, int N, class Live, class Multiplier>
BF_DEVICE void subtract_row(T (&a)[N], Multiplier l, int from, int but, Live active, const vec16<T> *buffer)
{
  constexpr int V = vec16<T>::length;
#pragma unroll
  for (int q = 0; q < N / KB; q++)
    if (active(q)) {
#pragma unroll
      for (int c = q * KB / V; c < (q + 1) * KB / V; c++) {
        if ((c + 1) * V <= from) continue;
        const vec16<T> p = buffer[c];
#pragma unroll
        for (int e = 0; e < V; e++)
          if (c * V + e >= from && c * V + e != but)
            a[c * V + e] = mulsub(l(c * V + e), p.e[e], a[c * V + e]);
      }
    }
}

/* Block size and blocks per multiprocessor for kernels of G lanes per matrix and N columns; the blocks
 * limit the registers to what a row needs. */
template <class T, int N, int G>
struct subwarp_launch {
  static constexpr int words   = (int)sizeof(T) / 4; /* registers of a scalar */
  static constexpr int threads = N == 32 ? 64 : 128;
  static constexpr int blocks  = N == 32                ? (words == 1   ? 16
                                                           : words == 2 ? 10
                                                                        : 6)
                                 : N == 16              ? (words == 1   ? 8
                                                           : words == 2 ? 5
                                                                        : 3)
                                 : N == 8 && words == 4 ? 5
                                                        : 4;
  /* LU needs fewer registers than Cholesky and inverse */
  static constexpr int blocks_lu = N == 16 && words == 2 ? 6 : blocks;
  static constexpr int groups    = threads / G;
  /* programmatic dependent launch (slower for 8 columns of 8 bytes) */
  static constexpr bool early = !(N == 8 && words == 2);
  /* row buffer of a subwarp: two rows, since the last step's may still be read; subwarps of a warp use
   * different banks */
  static constexpr int pitch = (N + vec16<T>::length - 1) / vec16<T>::length + (G < 32 ? 1 : 0);
  static unsigned      grid(int count)
  {
    return (unsigned)(((int64_t)count + groups - 1) / groups);
  }
};

} // namespace bf
#endif
