/* kernels/cuda/dense/eigen/hegv.cu - batched generalized eigendecomposition: A V = B V diag(w), A
 * Hermitian, B positive definite
 *
 * Computes   B = L L^H, C = L^-1 A L^-H, C = Z diag(w) Z^H, V = L^-H Z.
 * Source     LAPACK's zhegv, zhegst; Golub, Van Loan, Matrix Computations, 4th ed., section 8.7.2.
 * Layout     C is stored in full in the workspace: both solves use all of its columns, and C is
 *            conjugate-transposed between them. L^H is stored in the other triangle of B, so that every
 *            solve reads columns. Tiles of 32 x 32 go through shared memory.
 * Cost       (1/3 + 2 + 1) n^3 flops besides heev (complex 4 times); n^2 scalars of workspace per matrix.
 * Launch     blockIdx.x: matrix, blockIdx.y: tile of the triangle or group of columns.
 * Checked    tests/kernels/dense/t359_pairs_batch.c, t371_hegv_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/launchers.cuh"

namespace bf
{

enum { TILE = 32, ROWS = 8, WARPS = 8 };

template <class T>
static __device__ __forceinline__ T of_diagonal(T x)
{
  return from_real<T>(real_part(x));
}

/* Row and column of tile t of the lower triangle of tiles */
static __device__ __forceinline__ void tile_position(int t, int *row, int *column)
{
  int i = 0;
  while (t > i) t -= ++i;
  *row    = i * TILE;
  *column = t * TILE;
}
static int tiles_of(int n)
{
  const int k = (n + TILE - 1) / TILE;
  return k * (k + 1) / 2;
}

/* C = A from its triangle; the other triangle of B from the one with its factor. A non-finite entry of A
 * is reported in potrf_info, which holds info of B's factorisation. */
template <class T>
static __global__ void __launch_bounds__(TILE *ROWS)
    expand_triangles(const batch_view<T> A, const batch_view<T> B, T *__restrict__ C, bool upper,
                     int *potrf_info)
{
  __shared__ T a[TILE][TILE + 1], l[TILE][TILE + 1];
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b), x = (int)threadIdx.x;
  int       row, column;
  tile_position((int)blockIdx.y, &row, &column);
  if (n <= 0 || n > A.n || row >= n) return;
  const T  *from   = A.matrix(b);
  T        *factor = B.matrix(b), *to = C + (int64_t)b * A.pitch * A.pitch;
  const int r0 = upper ? column : row, c0 = upper ? row : column;
  bool      broken = false;
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    const int i = r0 + x, j = c0 + y;
    if (i >= n || j >= n || (upper ? i > j : i < j)) continue;
    T e = from[(int64_t)j * A.ld + i];
    if (i == j) e = of_diagonal(e);
    broken |= !is_finite(e);
    a[y][x]                      = e;
    l[y][x]                      = factor[(int64_t)j * B.ld + i];
    to[(int64_t)j * A.pitch + i] = e;
  }
  if (__syncthreads_or(broken) && x == 0 && threadIdx.y == 0) potrf_info[b] = n + 1;
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    const int i = c0 + x, j = r0 + y;
    if (i >= n || j >= n || (upper ? i <= j : i >= j)) continue;
    to[(int64_t)j * A.pitch + i]  = conj(a[x][y]);
    factor[(int64_t)j * B.ld + i] = conj(l[x][y]);
  }
}

/* C = C^H */
template <class T>
static __global__ void __launch_bounds__(TILE *ROWS) conjugate_transpose(const batch_view<T> C)
{
  __shared__ T lower[TILE][TILE + 1], upper[TILE][TILE + 1];
  if ((int)blockIdx.x >= C.members()) return;
  const int b = C.member((int)blockIdx.x), n = C.order(b), x = (int)threadIdx.x;
  int       row, column;
  tile_position((int)blockIdx.y, &row, &column);
  if (n <= 0 || n > C.n || row >= n) return;
  T *a = C.matrix(b);
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    if (row + x < n && column + y < n) lower[y][x] = a[(int64_t)(column + y) * C.ld + row + x];
    if (column + x < n && row + y < n) upper[y][x] = a[(int64_t)(row + y) * C.ld + column + x];
  }
  __syncthreads();
  for (int y = (int)threadIdx.y; y < TILE; y += ROWS) {
    if (row + x < n && column + y < n) a[(int64_t)(column + y) * C.ld + row + x] = conj(upper[x][y]);
    if (column + x < n && row + y < n) a[(int64_t)(row + y) * C.ld + column + x] = conj(lower[x][y]);
  }
}

/* Phase that makes the largest entry of a column real and positive, by a warp */
template <class T>
static __device__ __forceinline__ T phase_of(const T *v, int n, int lane)
{
  real_t<T> best = -1;
  int       at   = 0;
  for (int i = lane; i < n; i += 32)
    if (square_of(v[i]) > best) {
      best = square_of(v[i]);
      at   = i;
    }
  for (int o = 1; o < 32; o *= 2) {
    const real_t<T> other = __shfl_xor_sync(~0u, best, o);
    const int       place = __shfl_xor_sync(~0u, at, o);
    if (other > best || (other == best && place < at)) {
      best = other;
      at   = place;
    }
  }
  return times(conj(v[at]), real_t<T>(1) / sqrt(best));
}

/* info of both; A = V with its phases, or NaN. A warp per column. */
template <class T>
static __global__ void __launch_bounds__(32 * WARPS)
    store_vectors(const batch_view<T> A, const T *__restrict__ C, bool vectors, real_t<T> *__restrict__ w,
                  const int *__restrict__ potrf_info, const int *__restrict__ heev_info,
                  int *__restrict__ info)
{
  if ((int)blockIdx.x >= A.members()) return;
  const int b = A.member((int)blockIdx.x), n = A.order(b), lane = (int)threadIdx.x % 32;
  if (n <= 0 || n > A.n) return;
  const int       bad = potrf_info[b] != 0 ? potrf_info[b] : heev_info[b];
  const real_t<T> nan = real_t<T>(nanf(""));
  if (blockIdx.y == 0) {
    if (threadIdx.x == 0) info[b] = bad;
    for (int i = (int)threadIdx.x; i < n && bad != 0; i += 32 * WARPS) w[(int64_t)b * A.pitch + i] = nan;
  }
  for (int c = (int)blockIdx.y * WARPS + (int)threadIdx.x / 32; c < n && vectors;
       c += (int)gridDim.y * WARPS) {
    const T *v     = C + (int64_t)b * A.pitch * A.pitch + (int64_t)c * A.pitch;
    T       *to    = A.matrix(b) + (int64_t)c * A.ld;
    const T  phase = bad != 0 ? from_real<T>(nan) : phase_of(v, n, lane);
    for (int i = lane; i < n; i += 32) to[i] = bad != 0 ? from_real<T>(nan) : v[i] * phase;
  }
}

/* ---- workspace: the lists, potrf_info and heev_info [count], C, then the workspace of heev */
static size_t padded(size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

struct hegv_offsets {
  size_t   potrf_info, heev_info, c, heev;
  bf_batch C;
};
static hegv_offsets hegv_layout(const bf_batch *A)
{
  const size_t each = padded((size_t)A->count * sizeof(int)), n = (size_t)A->n;
  hegv_offsets p;
  p.potrf_info = padded(batch_lists_bytes(A));
  p.heev_info  = p.potrf_info + each;
  p.c          = p.heev_info + each;
  p.heev       = p.c + padded((size_t)A->count * n * n * bf_scalar_bytes(A->type));
  p.C          = {A->type, A->n, A->n, A->count, (int64_t)(n * n), NULL, NULL, A->sizes};
  return p;
}

bf_err batch_hegv_work(bf_backend *be, const bf_batch *A, size_t *bytes)
{
  const hegv_offsets p = hegv_layout(A);
  BF_TRY(bf_batch_work(be, BF_HEEV, &p.C, bytes));
  *bytes += p.heev;
  return BF_OK;
}

template <class T>
static batch_view<T> view_of(batch_view<T> view, const bf_batch *B)
{
  view.a      = static_cast<T *>(B->a);
  view.array  = reinterpret_cast<T *const *>(B->array);
  view.stride = B->stride;
  view.ld     = B->ld;
  return view;
}

BF_CUDA_DECLARE(batch.potrf, potrf_batch);
BF_CUDA_DECLARE(batch.heev, heev_batch);
BF_CUDA_DECLARE(batch.hegv, hegv_batch);
bf_err bf_cuda_hegv_batch(bf_backend *be, const bf_heev_how *options, const bf_batch *A, const bf_batch *B,
                          void *w, bf_int *info, void *work)
{
  const cudaStream_t s               = bf_cuda_of(be)->stream;
  hegv_offsets       p               = hegv_layout(A);
  char              *workspace       = static_cast<char *>(work);
  int               *potrf_info      = reinterpret_cast<int *>(workspace + p.potrf_info),
      *heev_info                     = reinterpret_cast<int *>(workspace + p.heev_info);
  const bf_heev_how  reciprocal_safe = {options->vectors, BF_LOWER, options->tolerance, options->sweeps,
                                        options->left};
  const bf_batch_rhs all             = {A->n, A->n, p.C.stride, workspace + p.c, NULL};
  const dim3         tile(TILE, ROWS);
  p.C.a = workspace + p.c;
  BF_TRY(bf_cuda_potrf_batch(be, options->uplo, B, potrf_info, work));
  BF_TRY(batch_launch(be, A, info, work, [&](auto view) {
    using T = std::remove_pointer_t<decltype(view.a)>;
    expand_triangles<T><<<dim3((unsigned)A->count, (unsigned)tiles_of(view.n)), tile, 0, s>>>(
        view, view_of(view, B), static_cast<T *>(p.C.a), options->uplo == BF_UPPER, potrf_info);
    return cudaGetLastError();
  }));
  BF_TRY(batch_trsm(be, BF_LOWER, B, &all, potrf_info, work));
  BF_TRY(batch_launch(be, &p.C, NULL, work, [&](auto view) {
    conjugate_transpose<<<dim3((unsigned)A->count, (unsigned)tiles_of(view.n)), tile, 0, s>>>(view);
    return cudaGetLastError();
  }));
  BF_TRY(batch_trsm(be, BF_LOWER, B, &all, potrf_info, work));
  BF_TRY(bf_cuda_heev_batch(be, &reciprocal_safe, &p.C, w, heev_info, workspace + p.heev));
  if (options->vectors) BF_TRY(batch_trsm(be, BF_UPPER, B, &all, potrf_info, work));
  BF_TRY(batch_launch(be, A, info, work, [&](auto view) {
    using T          = std::remove_pointer_t<decltype(view.a)>;
    const unsigned y = options->vectors ? (unsigned)((view.n + WARPS - 1) / WARPS) : 1u;
    store_vectors<T><<<dim3((unsigned)A->count, y), 32 * WARPS, 0, s>>>(
        view, static_cast<const T *>(p.C.a), options->vectors != 0, static_cast<real_t<T> *>(w), potrf_info,
        heev_info, info);
    return cudaGetLastError();
  }));
  return batch_clear_left(be, A, info, options->left);
}

} // namespace bf
