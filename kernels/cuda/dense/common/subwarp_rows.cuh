/* kernels/cuda/dense/common/subwarp_rows.cuh - matrices of up to 32 rows in registers: lane r of a group of G
 * lanes holds row r
 *
 * What LU, inverse and Cholesky of small matrices share: rows in and out, a row shown to its group through
 * shared memory; the choice of a pivot is in subwarp_pivot.cuh.  Columns are worked off in blocks of KB: the
 * loop over blocks is a loop, whose code is small and stays near (unrolled over 32 columns it is slower), and
 * registers cannot be addressed by column, so the blocks of a row move on by one after each turn and the
 * current one is always the first.  A group whose matrix is of less than N rows, or which has none, goes
 * through the same steps with rows that take no part.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_ROWS_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_SUBWARP_ROWS_CUH
#include "kernels/cuda/dense/common/l2_prefetch.cuh"
#include "kernels/cuda/device/reciprocal.cuh"

namespace bf
{

enum { NO_INDEX = -1, KEY_INACTIVE = (int)0x80000000 /* in a key: it takes no part */, NO_POSITION = 0xffff };
static constexpr unsigned ALL_LANES = ~0u;

/* 16 bytes: how rows go through shared memory */
template <class T>
struct alignas(16) vec16 {
  static constexpr int length = 16 / (int)sizeof(T);
  T                    e[length];
};

/* Of a block of so many warps */
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

/* Makes the compiler form x here; it would like to form it where it is used, from more registers. */
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

/* sum + 0 x: what is not finite stays visible in the sum. */
template <class T>
BF_DEVICE real_t<T> track_nonfinite(T x, real_t<T> sum)
{
  if constexpr (is_complex<T>)
    return muladd(x.re, (real_t<T>)0, muladd(x.im, (real_t<T>)0, sum));
  else
    return muladd(x, (T)0, sum);
}

/* A lane's place: row r of the group's matrix. */
template <int G>
struct subwarp {
  int      lane, r, first; /* first: lane of row 0 */
  unsigned mask, bit;      /* lanes of the group; this lane */

  __device__ __forceinline__ subwarp()
      : lane((int)threadIdx.x & 31), r(lane % G), first(G == 32 ? 0 : lane - lane % G),
        mask(G == 32 ? ~0u : ((1u << (G % 32)) - 1u) << first), bit(1u << lane)
  {
  }
  __device__ __forceinline__ unsigned group_bits(unsigned ballot) const
  {
    return G == 32 ? ballot : (ballot & mask) >> first;
  }
  /* largest key of the group: whole warps have an instruction for it */
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

/* What a group works on; b = NOBODY beyond the end of the batch, with n = 0. */
template <class T>
struct subwarp_matrix {
  T  *a;
  int b, n, ld, n_max; /* top: largest n in the warp */

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

/* One scalar in memory: T has the alignment of its real type; `whole` where all of M has that of T itself. */
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

/* x[j] = row i of M in columns j < N with keep(j), else 0.  Pointers step by one column: N addresses made at
 * once cost N registers. */
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

/* Blocks of KB registers move on by one; the first becomes the last. */
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

/* What steps beyond n read must be numbers. */
template <class T, int G>
BF_DEVICE void zero_rows(const subwarp<G> &L, vec16<T> *buffer, int count)
{
  vec16<T> none;
#pragma unroll
  for (int e = 0; e < vec16<T>::length; e++) none.e[e] = zero_of<T>();
  for (int c = L.r; c < count; c += G) buffer[c] = none;
  __syncwarp();
}

/* A row of N entries goes to the group through shared memory: blocks q with live(q), in the first from column
 * `from`; entry(column) is what is shown. */
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

/* a -= l(column) times the row shown, in the same columns without column `but`. */
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

/* Blocks of threads for kernels of G lanes a matrix, of N columns; how many an SM holds bounds the registers:
 * to what the row and its bookkeeping need, no more. */
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
  /* LU carries less than Cholesky and inverses */
  static constexpr int blocks_lu = N == 16 && words == 2 ? 6 : blocks;
  static constexpr int groups    = threads / G;
  /* the next kernel's blocks may come early (8 columns of 8 bytes: slower) */
  static constexpr bool early = !(N == 8 && words == 2);
  /* packets of a group: two rows, the last step's may still be read; groups of a warp in other banks */
  static constexpr int pitch = (N + vec16<T>::length - 1) / vec16<T>::length + (G < 32 ? 1 : 0);
  static unsigned      grid(int count)
  {
    return (unsigned)(((int64_t)count + groups - 1) / groups);
  }
};

} // namespace bf
#endif
