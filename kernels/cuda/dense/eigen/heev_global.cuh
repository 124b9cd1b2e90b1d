/* kernels/cuda/dense/eigen/heev_global.cuh - eigen-decompositions of orders that do not fit on the chip, to
 * 512
 *
 * Computes   A = V diag(w) V^H in three kernels: reduction to tridiagonal form (to order 128
 *            hetrd_register.cuh, above hetrd_blocked.cuh), divide and conquer (stedc.cuh),
 *            reflectors (unmtr.cuh); one before them sorts matrices that are diagonal and lists those
 *            that are not, so that multiprocessors share these evenly.
 * Layout     the list, then a piece of workspace a matrix: S (A's triangle, then the reflectors), a panel of
 *            W, tau, T, d, e, two squares for divide and conquer; a batch for which there are too few pieces
 *            goes in rounds.  The first two kernels take a block a matrix, two of which share a
 *            multiprocessor (above order 128, where there is at most one matrix for each, blocks of twice
 *            the warps), the third one for some columns.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c.
 *
 * The matrix is scaled by a power of 2 to entries below 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_GLOBAL_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_GLOBAL_CUH
#include "kernels/cuda/dense/eigen/heev_global_steps.cuh"
#include "kernels/cuda/dense/eigen/hetrd_blocked.cuh"
#include "kernels/cuda/dense/eigen/hetrd_register.cuh"
#include "kernels/cuda/dense/eigen/stedc.cuh"
#include "kernels/cuda/dense/eigen/unmtr.cuh"
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

/* The last order for which one kernel on the chip is faster. */
template <class T>
inline constexpr int heev_most = sizeof(T) == 4   ? 128
                                 : sizeof(T) == 8 ? 64
                                                  : BATCH_SMALL;

enum { LARGE_ROOM = 1 << 29 };

/* 2^this roots at a time of order n */
template <int WARPS>
__host__ __device__ constexpr int large_panel(int n)
{
  return WARPS == REDUCE_MANY || n <= 128 ? 4 : 3;
}

template <class T>
struct large_piece { /* bytes from the beginning of a matrix's piece */
  size_t w, tau, t, de, q, q2, all;

  explicit large_piece(int n)
  {
    using R         = real_t<T>;
    const auto   up = [](size_t x) { return (x + 255) / 256 * 256; };
    const size_t nn = (size_t)n * n;
    w               = up(nn * sizeof(T));
    tau             = w + up((size_t)n * reduce_panel<T> * sizeof(T));
    t               = tau + up(n * sizeof(T));
    de              = t + up((size_t)(n + BACK_GROUP) * BACK_GROUP * sizeof(T));
    q               = de + up(2 * n * sizeof(R));
    q2              = q + up(nn * sizeof(R));
    all             = q2 + up(nn * sizeof(R));
  }
};

/* In front of the pieces: how many matrices are to be decomposed, which ones, their scales. */
struct large_list {
  int *live, *member, *exponent;

  large_list(char *work, int count)
      : live(reinterpret_cast<int *>(work)), member(live + 64), exponent(member + count)
  {
  }
  static size_t bytes(int count)
  {
    return ((size_t)(64 + 2 * (int64_t)count) * sizeof(int) + 255) / 256 * 256;
  }
};
/* Matrices that are diagonal are done here, those that are not finite fail, all others go to the list. */
template <class T>
__global__ void __launch_bounds__(LARGE_THREADS)
    large_sort(batch_view<T> A, bool upper, bool vectors, real_t<T> *w, int *info, large_list L)
{
  __shared__ large_look look;
  __shared__ real_t<T> d[BATCH_MID];
  __shared__ int       at[BATCH_MID];
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b);
  T        *a = A.matrix(b);
  w += (int64_t)b * A.pitch;
  if (threadIdx.x == 0) look = {0, 0, 0};
  __syncthreads();
  large_survey(a, A.ld, n, upper, &look);
  __syncthreads();
  if (threadIdx.x == 0) info[b] = look.broken ? n + 1 : 0;
  if (look.broken) return large_fail(w, a, A.ld, n, vectors);
  if (!look.dense) return large_diagonal(a, A.ld, n, vectors, w, d, at);
  if (threadIdx.x != 0) return;
  const int k   = atomicAdd(L.live, 1);
  L.member[k]   = b;
  L.exponent[k] = ilogb(__longlong_as_double((long long)look.largest)) + 1;
}

/* Is such a matrix reduced in registers; how (H200, November 2026). */
template <int CHUNKS>
inline constexpr bool large_in_registers = CHUNKS <= 4;
template <class T, int CHUNKS>
struct large_held {
  static constexpr bool wide  = sizeof(T) == 16 && CHUNKS > 2;
  static constexpr int  WARPS = wide ? 8 : 4, CHIP = CHUNKS == 4 ? 64 : wide ? 24 : 0, BLOCKS = wide ? 1 : 2;
  using shape = held_shape<T, CHUNKS, WARPS, wide && CHUNKS == 4, CHIP>;
};

/* Warps of a block, blocks of a multiprocessor that reduce matrices. */
template <class T, int CHUNKS, int WARPS>
inline constexpr int large_warps = large_in_registers<CHUNKS> ? large_held<T, CHUNKS>::WARPS : WARPS;
template <class T, int CHUNKS, int WARPS>
inline constexpr int large_blocks = large_in_registers<CHUNKS> ? large_held<T, CHUNKS>::BLOCKS
                                    : WARPS == REDUCE_MANY     ? 1
                                                               : 2;

/* Blocks of twice the warps do what is at most `few` matrices, one a multiprocessor; to the same bits. */
template <int WARPS>
__device__ __forceinline__ bool large_turn(const large_list &L, int few)
{
  return (*L.live <= few) == (WARPS == REDUCE_MANY);
}
template <class T, int CHUNKS, int WARPS>
__global__ void __launch_bounds__(32 * large_warps<T, CHUNKS, WARPS>, large_blocks<T, CHUNKS, WARPS>)
    large_reduce(batch_view<T> A, int from, bool upper, large_list L, large_piece<T> P, int few, char *work)
{
  extern __shared__ __align__(16) char room[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.live || !large_turn<WARPS>(L, few)) return;
  const int  b = L.member[k], n = A.order(b);
  char      *piece = work + (size_t)blockIdx.x * P.all;
  T         *S = reinterpret_cast<T *>(piece), *tau = reinterpret_cast<T *>(piece + P.tau);
  real_t<T> *d = reinterpret_cast<real_t<T> *>(piece + P.de);
  if constexpr (large_in_registers<CHUNKS>) {
    using H = typename large_held<T, CHUNKS>::shape;
    held_reduce<H>(n, *reinterpret_cast<held_room<H> *>(room), {d, d + n, tau, S, n},
                   large_entries<T>(A.matrix(b), A.ld, n, upper, L.exponent[k]));
  } else {
    large_take(A.matrix(b), A.ld, n, upper, L.exponent[k], S);
    __syncthreads();
    reduce_matrix<T, CHUNKS, WARPS>(S, reinterpret_cast<T *>(piece + P.w), n, d, d + n, tau,
                                    reduce_shared<T, WARPS>(room, n));
  }
  __syncthreads();
  T *t = reinterpret_cast<T *>(piece + P.t);
  for (int k = (int)(threadIdx.x >> 5) * BACK_GROUP; k < n - 1; k += (int)(blockDim.x >> 5) * BACK_GROUP)
    back_triangle(S, tau, n, k, t + k * BACK_GROUP);
}

template <class T, int WARPS>
__global__ void __launch_bounds__(32 * WARPS, 2 * REDUCE_WARPS / WARPS)
    large_divide(batch_view<T> A, int from, bool vectors, real_t<T> *w, int *info, large_list L,
                 large_piece<T> P, int few, char *work)
{
  using R = real_t<T>;
  extern __shared__ __align__(16) char room[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.live || !large_turn<WARPS>(L, few)) return;
  const int      b = L.member[k], n = A.order(b);
  char          *piece = work + (size_t)blockIdx.x * P.all;
  divide_room<R> m;
  m.d         = reinterpret_cast<R *>(room);
  m.e         = m.d + n;
  const R *de = reinterpret_cast<const R *>(piece + P.de);
  R       *Q = reinterpret_cast<R *>(piece + P.q), *Q2 = reinterpret_cast<R *>(piece + P.q2);
  for (int i = threadIdx.x; i < 2 * n; i += 32 * WARPS) m.d[i] = de[i];
  m.carve(room + 2 * n * sizeof(R), n);
  R   *U      = reinterpret_cast<R *>(room + 2 * n * sizeof(R) + (divide_room<R>::bytes(n) + 15) / 16 * 16);
  int  levels = 0;
  bool fine;
  while (1 << levels < n) levels++;
  __syncthreads();
  divide_conquer<true>(n, m, (levels - DIVIDE_LEAF_LEVELS) % 2 ? Q2 : Q,
                       (levels - DIVIDE_LEAF_LEVELS) % 2 ? Q : Q2, n, U, large_panel<WARPS>(A.n),
                       LARGE_THREADS, &fine); /* ends in Q */
  w += (int64_t)b * A.pitch;
  if (!__syncthreads_and(fine)) {
    if (threadIdx.x == 0) info[b] = n + 2;
    return large_fail(w, A.matrix(b), A.ld, n, vectors);
  }
  const int ex = L.exponent[k];
  const R   up = scalbn(R(1), ex / 2), more = scalbn(R(1), ex - ex / 2);
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = m.d[i] * up * more;
}

template <class T, int CHUNKS>
__global__ void __launch_bounds__(TURNED_THREADS, turned_blocks<T, CHUNKS>)
    large_back(batch_view<T> A, int from, const int *info, large_list L, large_piece<T> P, const char *work)
{
  extern __shared__ __align__(16) char room[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.live) return;
  const int   b = L.member[k], n = A.order(b);
  const char *piece = work + (size_t)blockIdx.x * P.all;
  if (info[b] != 0 || (int)blockIdx.y * turned_columns<T, CHUNKS> >= n) return;
  back_columns_of<T, CHUNKS>(reinterpret_cast<const real_t<T> *>(piece + P.q), n,
                             reinterpret_cast<const T *>(piece), reinterpret_cast<const T *>(piece + P.t), n,
                             A.matrix(b), A.ld, reinterpret_cast<T *>(room));
}

/* Pieces there is room for: two blocks a multiprocessor, more where they are small. */
static inline int large_slots(int count, size_t piece)
{
  const size_t least = (size_t)2 * (size_t)batch_multiprocessors(), fit = LARGE_ROOM / piece,
               most = fit > least ? fit : least;
  return (size_t)count < most ? count : (int)most;
}

template <class T>
struct large_call {
  batch_view<T>  A;
  bool           upper, vectors;
  real_t<T>     *w;
  int           *info;
  large_list     L;
  large_piece<T> P;
  char          *work;
  int            few; /* see large_turn */
  cudaStream_t   s;
};

/* The first kernel, the second, both for matrices `from` of the list and behind, by blocks of WARPS. */
template <class T, int CHUNKS, int WARPS>
static cudaError_t large_tridiagonal(const large_call<T> &c, int from, unsigned blocks)
{
  const auto kernel = large_reduce<T, CHUNKS, WARPS>;
  const int  n      = c.A.n;
  size_t     room;
  if constexpr (large_in_registers<CHUNKS>)
    room = sizeof(held_room<typename large_held<T, CHUNKS>::shape>);
  else
    room = reduce_shared<T, WARPS>::bytes(n);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e != cudaSuccess) return e;
  kernel<<<blocks, 32 * large_warps<T, CHUNKS, WARPS>, room, c.s>>>(c.A, from, c.upper, c.L, c.P, c.few,
                                                                    c.work);
  return cudaGetLastError();
}
template <class T, int WARPS>
static cudaError_t large_values(const large_call<T> &c, int from, unsigned blocks)
{
  using R             = real_t<T>;
  const auto   kernel = large_divide<T, WARPS>;
  const int    n      = c.A.n;
  const size_t room   = 2 * n * sizeof(R) + (divide_room<R>::bytes(n) + 15) / 16 * 16 +
                      ((size_t)n << large_panel<WARPS>(n)) * sizeof(R);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
  if (e != cudaSuccess) return e;
  kernel<<<blocks, 32 * WARPS, room, c.s>>>(c.A, from, c.vectors, c.w, c.info, c.L, c.P, c.few, c.work);
  return cudaGetLastError();
}
template <class T, int CHUNKS, int WARPS>
static cudaError_t large_both(const large_call<T> &c, int from, unsigned blocks)
{
  cudaError_t e;
  if constexpr (CHUNKS == 4)
    e = c.A.n <= 96 ? large_tridiagonal<T, 3, WARPS>(c, from, blocks)
                    : large_tridiagonal<T, 4, WARPS>(c, from, blocks);
  else
    e = large_tridiagonal<T, CHUNKS, WARPS>(c, from, blocks);
  return e == cudaSuccess ? large_values<T, WARPS>(c, from, blocks) : e;
}

template <class T, int CHUNKS>
static cudaError_t large_with(const batch_view<T> &A, bool upper, bool vectors, real_t<T> *w, int *info,
                              void *room, cudaStream_t s)
{
  constexpr unsigned   COLUMNS = turned_columns<T, CHUNKS>;
  const large_piece<T> P(A.n);
  const int            slots = large_slots(A.count, P.all);
  const large_list     L(static_cast<char *>(room), A.count);
  char                *work = static_cast<char *>(room) + large_list::bytes(A.count);
  const large_call<T>  call = {
       A, upper, vectors, w, info, L, P, work, large_in_registers<CHUNKS> ? 0 : batch_multiprocessors(), s};
  const size_t back = back_bytes<T, CHUNKS>(A.n);
  cudaError_t  e =
      cudaFuncSetAttribute(large_back<T, CHUNKS>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)back);
  if (e == cudaSuccess) e = cudaMemsetAsync(L.live, 0, sizeof *L.live, s);
  if (e != cudaSuccess) return e;
  large_sort<<<(unsigned)A.count, LARGE_THREADS, 0, s>>>(A, upper, vectors, w, info, L);
  e = cudaGetLastError();
  for (int from = 0; from < A.count && e == cudaSuccess; from += slots) {
    const unsigned blocks = (unsigned)(A.count - from < slots ? A.count - from : slots);
    e                     = large_both<T, CHUNKS, REDUCE_WARPS>(call, from, blocks);
    if constexpr (!large_in_registers<CHUNKS>)
      if (e == cudaSuccess) e = large_both<T, CHUNKS, REDUCE_MANY>(call, from, blocks);
    if (e == cudaSuccess && vectors) {
      large_back<T, CHUNKS>
          <<<dim3(blocks, ((unsigned)A.n + COLUMNS - 1) / COLUMNS), TURNED_THREADS, back, s>>>(A, from, info,
                                                                                               L, P, work);
      e = cudaGetLastError();
    }
  }
  return e;
}

template <class T>
static cudaError_t heev_large(const batch_view<T> &A, bool upper, bool vectors, real_t<T> *w, int *info,
                              void *work, cudaStream_t s)
{
  const int n = batch_edge(A.n);
  if constexpr (heev_most<T> < 64)
    if (n <= 64) return large_with<T, 2>(A, upper, vectors, w, info, work, s);
  if (n <= 128) return large_with<T, 4>(A, upper, vectors, w, info, work, s);
  if (n <= 256) return large_with<T, 8>(A, upper, vectors, w, info, work, s);
  return large_with<T, 16>(A, upper, vectors, w, info, work, s);
}

template <class T>
static size_t heev_large_work(int n, int count)
{
  const size_t piece = large_piece<T>(n).all;
  return large_list::bytes(count) + piece * (size_t)large_slots(count, piece);
}

} // namespace bf
#endif
