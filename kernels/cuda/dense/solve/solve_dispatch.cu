/* kernels/cuda/dense/solve/solve_dispatch.cu - batched solves with the factors of getrf and potrf
 *
 * Computes   B = A^-1 B, A^-T B, A^-H B by two triangular solves; with getrf's factors rows are permuted
 *            when B is read (or, transposed, when it is written).
 * Source     Golub, Van Loan, Matrix Computations, 4th ed., sections 3.1 and 3.4.
 * Layout     a thread owns a row of B and holds R columns of it in registers. Up to n = 32 the rows of a
 *            matrix are 8, 16 or 32 lanes of a warp; above, the warps of a block solve one after the other
 *            and pass 32 results each through shared memory. Row i sums its n terms in the order of
 *            substitution in every kernel: the same bits in every batch.
 * Cost       2 n^2 nrhs flops (complex 4 times); the factors are read once per R columns. One barrier per
 *            32 rows.
 * Launch     256 threads for several small matrices, or n rounded up to warps for one; grid.y = columns /
 *            R. Several right-hand sides above n = 32, not transposed: getrs.cuh.
 * Checked    tests/kernels/dense/t363_solve_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/launchers.cuh"
#include "kernels/cuda/dense/solve/trsm_square_rhs.cuh"
#include "kernels/cuda/dense/solve/trsv.cuh"

namespace bf
{

enum { SMALL_THREADS = 256, ONE_RHS = 1, FOUR_RHS = 4 };

struct substitutions {
  triangle   first, second;
  const int *ipiv;         /* NULL: no permutation */
  bool       out;          /* rows are permuted when B is written */
  bool       use_info;     /* info is the factorisation's: matrices with info != 0 are skipped */
  bool       one_triangle; /* the first triangle only, with as many right-hand sides as rows */
};

/* W lanes per matrix */
template <class T, int W, int R>
static __global__ void __launch_bounds__(SMALL_THREADS)
    solve_small(const batch_view<T> A, const rhs_view<T> B, const substitutions s, int *info)
{
  const int k = (int)((blockIdx.x * (unsigned)SMALL_THREADS + threadIdx.x) / W), lane = (int)threadIdx.x % W;
  const unsigned mask =
      W == WARP_SIZE ? 0xffffffffu : ((1u << (W % 32)) - 1u) << ((int)threadIdx.x % WARP_SIZE / W * W);
  if (k >= A.members()) return;
  const int b = A.member(k), n = A.order(b);
  if (n <= 0 || n > A.n || (s.use_info && info[b] != 0)) return;
  const T *a         = A.matrix(b);
  T       *rhs       = B.matrix(b);
  int      first_bad = lane < n ? diagonal_info(a[(int64_t)lane * (A.ld + 1)], lane, n) : n + 2;
#pragma unroll
  for (int w = W / 2; w > 0; w /= 2) {
    const int other = __shfl_xor_sync(mask, first_bad, w, W);
    first_bad       = other < first_bad ? other : first_bad;
  }
  if (blockIdx.y == 0 && lane == 0) info[b] = info_of_diagonal(first_bad, n);
  if (first_bad <= n) return;
  int source = lane; /* row of B that becomes row `lane` */
  if (s.ipiv) {
    const int pivot = lane < n ? s.ipiv[(int64_t)b * A.pitch + lane] - 1 : lane;
    for (int i = 0; i < n; i++) {
      const int p = __shfl_sync(mask, pivot, i, W), x = __shfl_sync(mask, source, i, W),
                y = __shfl_sync(mask, source, p, W);
      source      = lane == p ? x : lane == i ? y : source;
    }
  }
  const triangle_entries<T> first(a, A.ld, s.first), second(a, A.ld, s.second);
  const int                 from = s.out ? lane : source, to = s.out ? source : lane;
  for (int c0 = (int)blockIdx.y * R; c0 < B.nrhs; c0 += (int)gridDim.y * R) {
    T x[R];
#pragma unroll
    for (int c = 0; c < R; c++)
      x[c] = lane < n && c0 + c < B.nrhs ? rhs[(int64_t)(c0 + c) * B.ld + from] : from_real<T>(0);
    solve_rows<T, W, R>(mask, s.first, first, 0, n, lane, x);
    if (!s.one_triangle) solve_rows<T, W, R>(mask, s.second, second, 0, n, lane, x);
#pragma unroll
    for (int c = 0; c < R; c++)
      if (lane < n && c0 + c < B.nrhs) rhs[(int64_t)(c0 + c) * B.ld + to] = x[c];
  }
}

/* A block per matrix, a thread per row */
template <class T, int R>
static __global__ void __launch_bounds__(BATCH_MAX)
    solve_large(const batch_view<T> A, const rhs_view<T> B, const substitutions s, int *info)
{
  __shared__ T   block_results[2 * R * WARP_SIZE];
  __shared__ int source[BATCH_MAX], first_bad;
  const int      i = (int)threadIdx.x;
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b);
  if (n <= 0 || n > A.n || (s.use_info && info[b] != 0)) return;
  const T *a   = A.matrix(b);
  T       *rhs = B.matrix(b);
  if (i == 0) first_bad = n + 2;
  source[i] = i;
  __syncthreads();
  if (i < n) atomicMin(&first_bad, diagonal_info(a[(int64_t)i * (A.ld + 1)], i, n));
  if (i == 0 && s.ipiv) permute_rows(s.ipiv + (int64_t)b * A.pitch, n, source);
  __syncthreads();
  if (i == 0 && blockIdx.y == 0) info[b] = info_of_diagonal(first_bad, n);
  if (first_bad <= n) return;
  const triangle_entries<T> first(a, A.ld, s.first), second(a, A.ld, s.second);
  const int                 from = s.out ? i : source[i], to = s.out ? source[i] : i;
  for (int c0 = (int)blockIdx.y * R; c0 < B.nrhs; c0 += (int)gridDim.y * R) {
    T x[R];
#pragma unroll
    for (int c = 0; c < R; c++)
      x[c] = i < n && c0 + c < B.nrhs ? rhs[(int64_t)(c0 + c) * B.ld + from] : from_real<T>(0);
    substitute_block<T, R>(s.first, first, n, x, block_results);
    __syncthreads();
    substitute_block<T, R>(s.second, second, n, x, block_results);
#pragma unroll
    for (int c = 0; c < R; c++)
      if (i < n && c0 + c < B.nrhs) rhs[(int64_t)(c0 + c) * B.ld + to] = x[c];
    __syncthreads();
  }
}

template <class T, int R>
static cudaError_t solve(const batch_view<T> &A, const rhs_view<T> &B, const substitutions &s, int *info,
                         cudaStream_t stream)
{
  const int      columns = (B.nrhs + R - 1) / R, y = columns < 1 ? 1 : columns < 1024 ? columns : 1024;
  const int      w      = A.n <= 8 ? 8 : A.n <= 16 ? 16 : WARP_SIZE;
  const unsigned blocks = (unsigned)(((int64_t)A.count * w + SMALL_THREADS - 1) / SMALL_THREADS);
  const dim3     small(blocks, (unsigned)y), large((unsigned)A.count, (unsigned)y);
  if (A.n <= 8)
    solve_small<T, 8, R><<<small, SMALL_THREADS, 0, stream>>>(A, B, s, info);
  else if (A.n <= 16)
    solve_small<T, 16, R><<<small, SMALL_THREADS, 0, stream>>>(A, B, s, info);
  else if (A.n <= WARP_SIZE)
    solve_small<T, WARP_SIZE, R><<<small, SMALL_THREADS, 0, stream>>>(A, B, s, info);
  else if (s.one_triangle)
    return is_aligned(A, B, !s.first.forward, info, stream);
  else
    solve_large<T, R>
        <<<large, (unsigned)((A.n + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE), 0, stream>>>(A, B, s, info);
  return cudaGetLastError();
}

static bf_err run(bf_backend *be, const bf_batch *A, const bf_batch_rhs *B, const substitutions &s, int *info,
                  void *work)
{
  const cudaStream_t stream = bf_cuda_of(be)->stream;
  BF_CHECK(A->n <= BATCH_MAX, BF_E_UNSUPPORTED, "n=%d: solutions on the device end at %d", A->n,
           (int)BATCH_MAX);
  return batch_launch(be, A, info, work, [&](auto view) {
    using T = std::remove_pointer_t<decltype(view.a)>;
    const rhs_view<T> rhs{static_cast<T *>(B->b), reinterpret_cast<T *const *>(B->array), B->stride, B->nrhs,
                          B->ld};
    const int         edge = bucket_order(view.n);
    if (s.ipiv && !s.out && view.n > WARP_SIZE && edge <= getrs_max_order<T> &&
        B->nrhs >= (edge <= 48 ? GETRS_MIN_RHS_48 : GETRS_MIN_RHS))
      return getrs_tiled(view, rhs, s.ipiv, info, stream);
    return B->nrhs == 1 ? solve<T, ONE_RHS>(view, rhs, s, info, stream)
                        : solve<T, FOUR_RHS>(view, rhs, s, info, stream);
  });
}

BF_CUDA_DECLARE(batch.getrs, getrs_batch);
bf_err bf_cuda_getrs_batch(bf_backend *be, bf_trans trans, const bf_batch *A, const bf_int *ipiv,
                           const bf_batch_rhs *B, bf_int *info, void *work)
{
  const bool     t = trans != BF_NO_TRANS, c = trans == BF_CONJ_TRANS;
  const triangle L = {!t, true, c, t}, U = {t, false, c, t};
  return run(be, A, B, {t ? U : L, t ? L : U, ipiv, t, false, false}, info, work);
}

bf_err batch_potrs(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B, bool use_info,
                   int *info, void *work)
{
  const bool     upper = uplo == BF_UPPER;
  const triangle first = {true, false, upper, upper}, second = {false, false, !upper, !upper};
  return run(be, A, B, {first, second, NULL, false, use_info, false}, info, work);
}

bf_err batch_trsm(bf_backend *be, bf_uplo half, const bf_batch *A, const bf_batch_rhs *B, int *info,
                  void *work)
{
  const triangle own = {half == BF_LOWER, false, false, false};
  return run(be, A, B, {own, own, NULL, false, true, true}, info, work);
}

BF_CUDA_DECLARE(batch.potrs, potrs_batch);
bf_err bf_cuda_potrs_batch(bf_backend *be, bf_uplo uplo, const bf_batch *A, const bf_batch_rhs *B,
                           bf_int *info, void *work)
{
  return batch_potrs(be, uplo, A, B, false, info, work);
}

} // namespace bf
