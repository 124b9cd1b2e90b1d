/* kernels/cuda/dense/eigen/heev_global.cuh - batched eigendecomposition of orders up to 512 that do not fit
 * in shared memory
 *
 * Computes   A = V diag(w) V^H in three kernels: tridiagonal reduction (to order 128 hetrd_register.cuh,
 *            above hetrd_blocked.cuh), divide and conquer (stedc.cuh), back-transformation (unmtr.cuh). A
 *            kernel before them sorts diagonal matrices and lists the others, so that multiprocessors share
 *            these evenly. The matrix is scaled by a power of 2 to entries below 1.
 * Source     LAPACK's zheevd (method); see the three headers.
 * Layout     the list, then a workspace slot per matrix: S (A's triangle, then the reflectors), a panel of
 *            W, tau, T, d, e, two squares for divide and conquer. A batch with more matrices than slots is
 *            processed in rounds.
 * Cost       4/3 n^3 + 4/3 n^3 + 2 n^3 multiply-adds (complex 4 times, the second real).
 * Launch     reduction and divide and conquer: a block per matrix, two per multiprocessor (above order 128,
 *            for at most one matrix per multiprocessor, blocks of twice the warps); back-transformation:
 *            blockIdx.y: columns.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t373_large_spectra.c, t377_eigen_forms.c.
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

/* The largest order for which heev_shared.cuh is faster */
template <class T>
inline constexpr int heev_shared_max = sizeof(T) == 4   ? 128
                                       : sizeof(T) == 8 ? 64
                                                        : BATCH_REGISTER_MAX;

enum { HEEV_WORKSPACE_BYTES = 1 << 29 };

/* log2 of the roots processed at a time for order n */
template <int WARPS>
__host__ __device__ constexpr int stedc_panel_log2(int n)
{
  return WARPS == HETRD_PARTIALS || n <= 128 ? 4 : 3;
}

template <class T>
struct heev_global_layout { /* bytes from the start of a matrix's slot */
  size_t w, tau, t, de, q, q2, all;

  explicit heev_global_layout(int n)
  {
    using R         = real_t<T>;
    const auto   up = [](size_t x) { return (x + 255) / 256 * 256; };
    const size_t nn = (size_t)n * n;
    w               = up(nn * sizeof(T));
    tau             = w + up((size_t)n * hetrd_nb<T> * sizeof(T));
    t               = tau + up(n * sizeof(T));
    de              = t + up((size_t)(n + UNMTR_GROUP) * UNMTR_GROUP * sizeof(T));
    q               = de + up(2 * n * sizeof(R));
    q2              = q + up(nn * sizeof(R));
    all             = q2 + up(nn * sizeof(R));
  }
};

/* Before the slots: number of listed matrices, their members, their scales */
struct heev_global_list {
  int *list_size, *member, *exponent;

  heev_global_list(char *work, int count)
      : list_size(reinterpret_cast<int *>(work)), member(list_size + 64), exponent(member + count)
  {
  }
  static size_t bytes(int count)
  {
    return ((size_t)(64 + 2 * (int64_t)count) * sizeof(int) + 255) / 256 * 256;
  }
};
/* Sorts diagonal matrices, fails non-finite ones, lists all others. */
template <class T>
__global__ void __launch_bounds__(HEEV_THREADS)
    heev_global_screen(batch_view<T> A, bool upper, bool vectors, real_t<T> *w, int *info, heev_global_list L)
{
  __shared__ heev_flags flags;
  __shared__ real_t<T> d[BATCH_MAX];
  __shared__ int       at[BATCH_MAX];
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b);
  T        *a = A.matrix(b);
  w += (int64_t)b * A.pitch;
  if (threadIdx.x == 0) flags = {0, 0, 0};
  __syncthreads();
  heev_screen(a, A.ld, n, upper, &flags);
  __syncthreads();
  if (threadIdx.x == 0) info[b] = flags.nonfinite ? n + 1 : 0;
  if (flags.nonfinite) return heev_global_fail(w, a, A.ld, n, vectors);
  if (!flags.dense) return heev_global_diagonal(a, A.ld, n, vectors, w, d, at);
  if (threadIdx.x != 0) return;
  const int k   = atomicAdd(L.list_size, 1);
  L.member[k]   = b;
  L.exponent[k] = ilogb(__longlong_as_double((long long)flags.largest)) + 1;
}

/* Whether matrices are reduced in registers, and the shape (H200, November 2026) */
template <int CHUNKS>
inline constexpr bool hetrd_in_registers = CHUNKS <= 4;
template <class T, int CHUNKS>
struct heev_global_hetrd {
  static constexpr bool wide  = sizeof(T) == 16 && CHUNKS > 2;
  static constexpr int  WARPS = wide ? 8 : 4, CHIP = CHUNKS == 4 ? 64 : wide ? 24 : 0, BLOCKS = wide ? 1 : 2;
  using shape = hetrd_shape<T, CHUNKS, WARPS, wide && CHUNKS == 4, CHIP>;
};

/* Warps per block and blocks per multiprocessor of the reduction */
template <class T, int CHUNKS, int WARPS>
inline constexpr int heev_global_warps =
    hetrd_in_registers<CHUNKS> ? heev_global_hetrd<T, CHUNKS>::WARPS : WARPS;
template <class T, int CHUNKS, int WARPS>
inline constexpr int heev_global_blocks = hetrd_in_registers<CHUNKS> ? heev_global_hetrd<T, CHUNKS>::BLOCKS
                                          : WARPS == HETRD_PARTIALS  ? 1
                                                                     : 2;

/* Blocks of twice the warps process at most `few` matrices, one per multiprocessor, with the same bits. */
template <int WARPS>
__device__ __forceinline__ bool heev_global_selected(const heev_global_list &L, int few)
{
  return (*L.list_size <= few) == (WARPS == HETRD_PARTIALS);
}
template <class T, int CHUNKS, int WARPS>
__global__ void __launch_bounds__(32 * heev_global_warps<T, CHUNKS, WARPS>,
                                  heev_global_blocks<T, CHUNKS, WARPS>)
    heev_global_hetrd_kernel(batch_view<T> A, int from, bool upper, heev_global_list L,
                             heev_global_layout<T> P, int few, char *work)
{
  extern __shared__ __align__(16) char smem[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.list_size || !heev_global_selected<WARPS>(L, few)) return;
  const int  b = L.member[k], n = A.order(b);
  char      *piece = work + (size_t)blockIdx.x * P.all;
  T         *S = reinterpret_cast<T *>(piece), *tau = reinterpret_cast<T *>(piece + P.tau);
  real_t<T> *d = reinterpret_cast<real_t<T> *>(piece + P.de);
  if constexpr (hetrd_in_registers<CHUNKS>) {
    using H = typename heev_global_hetrd<T, CHUNKS>::shape;
    hetrd_register<H>(n, *reinterpret_cast<hetrd_register_smem<H> *>(smem), {d, d + n, tau, S, n},
                      scaled_entries<T>(A.matrix(b), A.ld, n, upper, L.exponent[k]));
  } else {
    heev_load_scaled(A.matrix(b), A.ld, n, upper, L.exponent[k], S);
    __syncthreads();
    hetrd_blocked<T, CHUNKS, WARPS>(S, reinterpret_cast<T *>(piece + P.w), n, d, d + n, tau,
                                    hetrd_smem<T, WARPS>(smem, n));
  }
  __syncthreads();
  T *t = reinterpret_cast<T *>(piece + P.t);
  for (int k = (int)(threadIdx.x >> 5) * UNMTR_GROUP; k < n - 1; k += (int)(blockDim.x >> 5) * UNMTR_GROUP)
    larft(S, tau, n, k, t + k * UNMTR_GROUP);
}

template <class T, int WARPS>
__global__ void __launch_bounds__(32 * WARPS, 2 * HETRD_WARPS / WARPS)
    heev_global_stedc_kernel(batch_view<T> A, int from, bool vectors, real_t<T> *w, int *info,
                             heev_global_list L, heev_global_layout<T> P, int few, char *work)
{
  using R = real_t<T>;
  extern __shared__ __align__(16) char smem[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.list_size || !heev_global_selected<WARPS>(L, few)) return;
  const int     b = L.member[k], n = A.order(b);
  char         *piece = work + (size_t)blockIdx.x * P.all;
  stedc_smem<R> m;
  m.d         = reinterpret_cast<R *>(smem);
  m.e         = m.d + n;
  const R *de = reinterpret_cast<const R *>(piece + P.de);
  R       *Q = reinterpret_cast<R *>(piece + P.q), *Q2 = reinterpret_cast<R *>(piece + P.q2);
  for (int i = threadIdx.x; i < 2 * n; i += 32 * WARPS) m.d[i] = de[i];
  m.carve(smem + 2 * n * sizeof(R), n);
  R   *U      = reinterpret_cast<R *>(smem + 2 * n * sizeof(R) + (stedc_smem<R>::bytes(n) + 15) / 16 * 16);
  int  levels = 0;
  bool converged;
  while (1 << levels < n) levels++;
  __syncthreads();
  stedc<true>(n, m, (levels - STEDC_LEAF_LOG2) % 2 ? Q2 : Q, (levels - STEDC_LEAF_LOG2) % 2 ? Q : Q2, n, U,
              stedc_panel_log2<WARPS>(A.n), HEEV_THREADS, &converged); /* ends in Q */
  w += (int64_t)b * A.pitch;
  if (!__syncthreads_and(converged)) {
    if (threadIdx.x == 0) info[b] = n + 2;
    return heev_global_fail(w, A.matrix(b), A.ld, n, vectors);
  }
  const int ex = L.exponent[k];
  const R   up = scalbn(R(1), ex / 2), up2 = scalbn(R(1), ex - ex / 2);
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = m.d[i] * up * up2;
}

template <class T, int CHUNKS>
__global__ void __launch_bounds__(UNMTR_THREADS, unmtr_blocks<T, CHUNKS>)
    heev_global_unmtr_kernel(batch_view<T> A, int from, const int *info, heev_global_list L,
                             heev_global_layout<T> P, const char *work)
{
  extern __shared__ __align__(16) char smem[];
  const int                            k = from + (int)blockIdx.x;
  if (k >= *L.list_size) return;
  const int   b = L.member[k], n = A.order(b);
  const char *piece = work + (size_t)blockIdx.x * P.all;
  if (info[b] != 0 || (int)blockIdx.y * unmtr_columns<T, CHUNKS> >= n) return;
  unmtr_apply<T, CHUNKS>(reinterpret_cast<const real_t<T> *>(piece + P.q), n,
                         reinterpret_cast<const T *>(piece), reinterpret_cast<const T *>(piece + P.t), n,
                         A.matrix(b), A.ld, reinterpret_cast<T *>(smem));
}

/* Number of slots: two blocks per multiprocessor, more where they are small */
static inline int heev_global_slots(int count, size_t piece)
{
  const size_t least = (size_t)2 * (size_t)batch_multiprocessors(), fit = HEEV_WORKSPACE_BYTES / piece,
               largest = fit > least ? fit : least;
  return (size_t)count < largest ? count : (int)largest;
}

template <class T>
struct heev_global_call {
  batch_view<T>         A;
  bool                  upper, vectors;
  real_t<T>            *w;
  int                  *info;
  heev_global_list      L;
  heev_global_layout<T> P;
  char                 *work;
  int                   few; /* see heev_global_selected */
  cudaStream_t          s;
};

/* Launchers of the reduction and of divide and conquer, and both, for matrices from `from` of the list
 * on, by blocks of WARPS warps */
template <class T, int CHUNKS, int WARPS>
static cudaError_t heev_global_launch_hetrd(const heev_global_call<T> &c, int from, unsigned blocks)
{
  const auto kernel = heev_global_hetrd_kernel<T, CHUNKS, WARPS>;
  const int  n      = c.A.n;
  size_t     smem;
  if constexpr (hetrd_in_registers<CHUNKS>)
    smem = sizeof(hetrd_register_smem<typename heev_global_hetrd<T, CHUNKS>::shape>);
  else
    smem = hetrd_smem<T, WARPS>::bytes(n);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem);
  if (e != cudaSuccess) return e;
  kernel<<<blocks, 32 * heev_global_warps<T, CHUNKS, WARPS>, smem, c.s>>>(c.A, from, c.upper, c.L, c.P, c.few,
                                                                          c.work);
  return cudaGetLastError();
}
template <class T, int WARPS>
static cudaError_t heev_global_launch_stedc(const heev_global_call<T> &c, int from, unsigned blocks)
{
  using R             = real_t<T>;
  const auto   kernel = heev_global_stedc_kernel<T, WARPS>;
  const int    n      = c.A.n;
  const size_t smem   = 2 * n * sizeof(R) + (stedc_smem<R>::bytes(n) + 15) / 16 * 16 +
                      ((size_t)n << stedc_panel_log2<WARPS>(n)) * sizeof(R);
  const cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem);
  if (e != cudaSuccess) return e;
  kernel<<<blocks, 32 * WARPS, smem, c.s>>>(c.A, from, c.vectors, c.w, c.info, c.L, c.P, c.few, c.work);
  return cudaGetLastError();
}
template <class T, int CHUNKS, int WARPS>
static cudaError_t heev_global_launch_both(const heev_global_call<T> &c, int from, unsigned blocks)
{
  cudaError_t e;
  if constexpr (CHUNKS == 4)
    e = c.A.n <= 96 ? heev_global_launch_hetrd<T, 3, WARPS>(c, from, blocks)
                    : heev_global_launch_hetrd<T, 4, WARPS>(c, from, blocks);
  else
    e = heev_global_launch_hetrd<T, CHUNKS, WARPS>(c, from, blocks);
  return e == cudaSuccess ? heev_global_launch_stedc<T, WARPS>(c, from, blocks) : e;
}

template <class T, int CHUNKS>
static cudaError_t heev_global_launch(const batch_view<T> &A, bool upper, bool vectors, real_t<T> *w,
                                      int *info, void *smem, cudaStream_t s)
{
  constexpr unsigned          COLUMNS = unmtr_columns<T, CHUNKS>;
  const heev_global_layout<T> P(A.n);
  const int                   slots = heev_global_slots(A.count, P.all);
  const heev_global_list      L(static_cast<char *>(smem), A.count);
  char                       *work = static_cast<char *>(smem) + heev_global_list::bytes(A.count);
  const heev_global_call<T>   call = {
        A, upper, vectors, w, info, L, P, work, hetrd_in_registers<CHUNKS> ? 0 : batch_multiprocessors(), s};
  const size_t back = unmtr_bytes<T, CHUNKS>(A.n);
  cudaError_t  e    = cudaFuncSetAttribute(heev_global_unmtr_kernel<T, CHUNKS>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, (int)back);
  if (e == cudaSuccess) e = cudaMemsetAsync(L.list_size, 0, sizeof *L.list_size, s);
  if (e != cudaSuccess) return e;
  heev_global_screen<<<(unsigned)A.count, HEEV_THREADS, 0, s>>>(A, upper, vectors, w, info, L);
  e = cudaGetLastError();
  for (int from = 0; from < A.count && e == cudaSuccess; from += slots) {
    const unsigned blocks = (unsigned)(A.count - from < slots ? A.count - from : slots);
    e                     = heev_global_launch_both<T, CHUNKS, HETRD_WARPS>(call, from, blocks);
    if constexpr (!hetrd_in_registers<CHUNKS>)
      if (e == cudaSuccess) e = heev_global_launch_both<T, CHUNKS, HETRD_PARTIALS>(call, from, blocks);
    if (e == cudaSuccess && vectors) {
      heev_global_unmtr_kernel<T, CHUNKS>
          <<<dim3(blocks, ((unsigned)A.n + COLUMNS - 1) / COLUMNS), UNMTR_THREADS, back, s>>>(A, from, info,
                                                                                              L, P, work);
      e = cudaGetLastError();
    }
  }
  return e;
}

template <class T>
static cudaError_t heev_global(const batch_view<T> &A, bool upper, bool vectors, real_t<T> *w, int *info,
                               void *work, cudaStream_t s)
{
  const int n = bucket_order(A.n);
  if constexpr (heev_shared_max<T> < 64)
    if (n <= 64) return heev_global_launch<T, 2>(A, upper, vectors, w, info, work, s);
  if (n <= 128) return heev_global_launch<T, 4>(A, upper, vectors, w, info, work, s);
  if (n <= 256) return heev_global_launch<T, 8>(A, upper, vectors, w, info, work, s);
  return heev_global_launch<T, 16>(A, upper, vectors, w, info, work, s);
}

template <class T>
static size_t heev_global_work(int n, int count)
{
  const size_t piece = heev_global_layout<T>(n).all;
  return heev_global_list::bytes(count) + piece * (size_t)heev_global_slots(count, piece);
}

} // namespace bf
#endif
