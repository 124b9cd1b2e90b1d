/* kernels/cuda/dense/eigen/heev_shared.cuh - batched eigendecomposition of s, d, c of orders 33 to 64 (s:
 * 128), a block per matrix
 *
 * Computes   A = V diag(w) V^H: Householder tridiagonal reduction, divide and conquer, back-transformation.
 *            The matrix is scaled by a power of 2 to entries below 1. A diagonal matrix is sorted at once.
 * Source     LAPACK's zhetd2; stedc.cuh.
 * Layout     S in shared memory: A, then one workspace of divide and conquer, then the reflectors; leading
 *            dimension n | 1. Q: the other workspace, in global memory (L2). A stores the reflectors in
 *            between. Larger orders: heev_global.cuh.
 * Cost       about 4/3 + 4/3 + 2 n^3 multiply-adds (complex 4 times, the second real); A is read once and
 *            written twice.
 * Launch     a block per matrix, or persistent blocks with an atomic counter, since diagonal matrices take
 *            less time.
 * Checked    tests/kernels/dense/t360_heev_batch.c, t359_pairs_batch.c, t373_large_spectra.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_SHARED_CUH
#define BF_KERNELS_CUDA_DENSE_EIGEN_HEEV_SHARED_CUH
#include "kernels/cuda/dense/eigen/heev_global.cuh"
#include "kernels/cuda/dense/eigen/heev_shared_steps.cuh"

namespace bf
{

enum {
  HEEV_TICKET_BYTES = 256,
  HEEV_FLAGS_BYTES  = 64,
  HEEV_PANEL_LOG2   = 4
}; /* bytes of the counter; bytes of flags in shared memory; log2 of the roots at a time */

struct heev_offsets { /* offsets in shared memory in bytes; workspace of a block */
  int    ld;
  size_t tau, de, stedc_offset, s, shared, block;
};
template <class T, int CHUNKS, int WARPS>
using heev_hetrd_shape = hetrd_shape<T, CHUNKS, WARPS, false>;

template <class T, int CHUNKS, int WARPS>
static heev_offsets heev_layout(int n)
{
  using R                  = real_t<T>;
  const auto   up          = [](size_t x) { return (x + 15) / 16 * 16; };
  const size_t hetrd_bytes = sizeof(hetrd_register_smem<heev_hetrd_shape<T, CHUNKS, WARPS>>),
               stedc_bytes = up(stedc_smem<R>::bytes(n)) + up(((size_t)n << HEEV_PANEL_LOG2) * sizeof(R));
  heev_offsets p;
  p.ld           = n | 1;
  p.tau          = HEEV_FLAGS_BYTES;
  p.de           = p.tau + up(n * sizeof(T));
  p.stedc_offset = p.de + up(2 * n * sizeof(R)); /* the reduction and divide and conquer share this */
  p.s            = p.stedc_offset + (hetrd_bytes > stedc_bytes ? hetrd_bytes : stedc_bytes);
  p.shared       = p.s + up((size_t)n * p.ld * sizeof(T));
  p.block        = up((size_t)n * p.ld * sizeof(R));
  return p;
}

/* One matrix; returns its info */
template <class T, int CHUNKS, int WARPS>
__device__ int heev_matrix(T *a, int lda, int n, bool upper, bool vectors, real_t<T> *w,
                           const heev_offsets &P, char *shared, char *block)
{
  using R                 = real_t<T>;
  heev_flags *flags       = reinterpret_cast<heev_flags *>(shared);
  T          *tau         = reinterpret_cast<T *>(shared + P.tau);
  T          *S           = reinterpret_cast<T *>(shared + P.s);
  R          *Q           = reinterpret_cast<R *>(block);
  T          *vectors_out = vectors ? a : NULL;
  const int   ld          = P.ld;
  if (threadIdx.x == 0) *flags = {0, 0, 0};
  __syncthreads();
  heev_load<T, WARPS>(a, lda, n, upper, S, ld, flags);
  __syncthreads();
  if (flags->nonfinite) {
    heev_fail<T, WARPS>(w, vectors_out, lda, n);
    return n + 1;
  }
  if (!flags->dense) {
    heev_diagonal<T, WARPS>(S, ld, n, w, vectors_out, lda);
    return 0;
  }
  const R       largest = (R)__longlong_as_double((long long)flags->largest);
  const int     ex      = ilogb(largest) + 1;
  const R       down = scalbn(R(1), -ex / 2), down2 = scalbn(R(1), -ex + ex / 2);
  stedc_smem<R> m;
  m.d     = reinterpret_cast<R *>(shared + P.de);
  m.e     = m.d + n;
  using H = heev_hetrd_shape<T, CHUNKS, WARPS>;
  hetrd_register<H>(n, *reinterpret_cast<hetrd_register_smem<H> *>(shared + P.stedc_offset),
                    {m.d, m.e, tau, vectors_out, lda}, [&](int i, int j) {
                      return i < n && j < n ? times(times(load_aligned(S + j * ld + i), down), down2)
                                            : from_real<T>(0);
                    });
  __syncthreads();
  m.carve(shared + P.stedc_offset, n);
  R   *U      = reinterpret_cast<R *>(shared + P.stedc_offset + (stedc_smem<R>::bytes(n) + 15) / 16 * 16);
  int  levels = 0;
  bool converged;
  while (1 << levels < n) levels++;
  R *other = reinterpret_cast<R *>(S); /* the last level ends in Q */
  stedc<false>(n, m, (levels - STEDC_LEAF_LOG2) % 2 ? other : Q, (levels - STEDC_LEAF_LOG2) % 2 ? Q : other,
               ld, U, HEEV_PANEL_LOG2, 32 * WARPS, &converged);
  if (!__syncthreads_and(converged)) {
    heev_fail<T, WARPS>(w, vectors_out, lda, n);
    return n + 2;
  }
  const R up = scalbn(R(1), ex / 2), up2 = scalbn(R(1), ex - ex / 2);
  for (int i = threadIdx.x; i < n; i += 32 * WARPS) w[i] = m.d[i] * up * up2;
  if (!vectors) return 0;
  heev_copy<T, WARPS>(a, lda, S, ld, n);
  __syncthreads();
  heev_unmtr<T, CHUNKS, WARPS>(Q, ld, n, S, ld, tau, a, lda);
  return 0;
}

/* ONE_EACH: a block for every matrix; otherwise blocks take the next number. */
template <class T, int CHUNKS, int WARPS, int BLOCKS, bool ONE_EACH>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    heev_kernel(batch_view<T> A, bool upper, bool vectors, real_t<T> *w, int *info, heev_offsets P,
                int *ticket, char *work)
{
  extern __shared__ __align__(16) char shared[];
  __shared__ int                       next;
  do {
    if (threadIdx.x == 0) next = ONE_EACH ? (int)blockIdx.x : atomicAdd(ticket, 1);
    __syncthreads();
    const int k = next;
    if (k >= A.members()) return;
    const int b = A.member(k);
    const int i =
        heev_matrix<T, CHUNKS, WARPS>(A.matrix(b), A.ld, A.order(b), upper, vectors, w + (int64_t)b * A.pitch,
                                      P, shared, work + blockIdx.x * P.block);
    if (threadIdx.x == 0) info[b] = i;
    __syncthreads();
  } while (!ONE_EACH);
}

/* ---- the kernel for an order; with A NULL only the workspace size is returned */
template <class T>
struct heev_call {
  const batch_view<T> *A;
  int                  count;
  bool                 upper, vectors;
  real_t<T>           *w;
  int                 *info;
  char                *work;
  cudaStream_t         stream;
  size_t              *bytes;
};

template <class T, int CHUNKS, int WARPS, int BLOCKS, bool ONE_EACH>
static cudaError_t heev_launch(const heev_call<T> &c)
{
  const heev_offsets P = heev_layout<T, CHUNKS, WARPS>(32 * CHUNKS);
  const int  largest = batch_multiprocessors() * BLOCKS, blocks = c.count < largest ? c.count : largest;
  const auto kernel = heev_kernel<T, CHUNKS, WARPS, BLOCKS, ONE_EACH>;
  if (c.bytes) *c.bytes = HEEV_TICKET_BYTES + P.block * (size_t)blocks;
  if (!c.A) return cudaSuccess;
  const heev_offsets offsets = heev_layout<T, CHUNKS, WARPS>(c.A->n); /* no larger */
  cudaError_t        error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)offsets.shared);
  if (error == cudaSuccess && !ONE_EACH) error = cudaMemsetAsync(c.work, 0, sizeof(int), c.stream);
  if (error != cudaSuccess) return error;
  kernel<<<blocks, 32 * WARPS, offsets.shared, c.stream>>>(*c.A, c.upper, c.vectors, c.w, c.info, offsets,
                                                           reinterpret_cast<int *>(c.work),
                                                           c.work + HEEV_TICKET_BYTES);
  return cudaSuccess;
}

/* With two blocks per multiprocessor registers are not limited. */
template <class T>
static cudaError_t heev_shared_launch(int n, const heev_call<T> &c)
{
  const bool one_each = c.count <= 2 * batch_multiprocessors();
  if constexpr (heev_shared_max<T> == 128)
    if (n > 64) return heev_launch<T, 4, 8, 2, false>(c);
  return one_each ? heev_launch<T, 2, 4, 2, true>(c) : heev_launch<T, 2, 4, 4, false>(c);
}

template <class T>
cudaError_t heev_dispatch(const batch_view<T> &A, bf_uplo uplo, bool vectors, real_t<T> *w, int *info,
                          void *work, cudaStream_t s)
{
  const bool upper = uplo == BF_UPPER;
  const int  n     = bucket_order(A.n);
  if constexpr (heev_shared_max < T >> BATCH_REGISTER_MAX)
    if (n <= heev_shared_max<T>)
      return heev_shared_launch<T>(
          n, {&A, A.count, upper, vectors, w, info, static_cast<char *>(work), s, NULL});
  return heev_global(A, upper, vectors, w, info, work, s);
}

template <class T>
size_t heev_dispatch_work(int n, int count)
{
  size_t bytes = heev_global_work<T>(n, count);
  if constexpr (heev_shared_max < T >> BATCH_REGISTER_MAX)
    if (bucket_order(n) <= heev_shared_max<T>)
      heev_shared_launch<T>(bucket_order(n), {NULL, count, false, false, NULL, NULL, NULL, NULL, &bytes});
  return bytes;
}

} // namespace bf
#endif
