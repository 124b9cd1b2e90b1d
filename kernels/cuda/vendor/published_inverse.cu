/* kernels/cuda/vendor/published_inverse.cu - batched inverses from factors as published; see
 * kernels/vendor_batch.h
 *
 * Computes   A^-1 = X P with X U' L = 1: W = U^-1 by panels of NB columns from the left, X L = W by panels
 *            from the right into the place of the factors, columns in the order of the pivots into the
 *            result.  One block a matrix, thread i owns row i: its part of the panel in registers, U's or L's
 *            panel in shared memory.
 * Source     Liu, Zhao, Huang, Yu, Zhang, "Effective Implementation of Matrix Inversion Based on Batched LU
 *            Decomposition on GPU", Journal of Software 34 (2023) 4952, algorithms 10 to 13, sections 3.2 to
 *            4.4.
 * Ideas      LATE     a panel is corrected when it is its turn (11, 13); else all columns that are left by
 *                     each panel that is done (10, 12)
 *            DYNAMIC  one launch a panel, with the threads and the shared memory it needs; else one launch
 *            ON_WAY   columns change places on their way to the result; else there, pair by pair
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/vendor/published_scalar.cuh"

namespace bf
{

enum { LATE = BF_INVERSE_LATE, DYNAMIC = BF_INVERSE_EACH, ON_WAY = BF_INVERSE_WAY };

/* to = rows r0 .. r1-1 of columns j0 .. j0+nb-1 of A, [NB][r1 - r0] */
template <typename T, int NB>
static __device__ void fetch(int n, const T *A, int r0, int r1, int j0, int nb, T *to)
{
  const int rows = r1 - r0;
  for (int r = (int)threadIdx.x; r < rows; r += (int)blockDim.x)
    for (int c = 0; c < NB; c++) to[c * rows + r] = c < nb ? A[(size_t)(j0 + c) * n + r0 + r] : number<T>(0);
}

/* Panel j0 of W = U^-1. */
template <typename T, int NB, int IDEAS>
static __device__ void upper_panel(int n, int j0, const T *A, T *W, T *s)
{
  const int i = (int)threadIdx.x, nb = min(NB, n - j0), j1 = j0 + nb;
  T         w[NB];
  fetch<T, NB>(n, A, 0, j1, j0, nb, s);
  __syncthreads();
  if (i < j1) {
#pragma unroll
    for (int c = 0; c < NB; c++) {
      w[c] = number<T>(i == j0 + c ? 1 : 0);
      if (!(IDEAS & LATE) && i < j0 && c < nb) w[c] = W[(size_t)(j0 + c) * n + i];
    }
    if (IDEAS & LATE)
      for (int j = i; j < j0; j++) {
        const T x = W[(size_t)j * n + i];
#pragma unroll
        for (int c = 0; c < NB; c++) w[c] = minus(w[c], x, s[c * j1 + j]);
      }
#pragma unroll
    for (int c = 0; c < NB; c++) {
      if (c >= nb) break;
#pragma unroll
      for (int b = 0; b < c; b++) w[c] = minus(w[c], w[b], s[c * j1 + j0 + b]);
      w[c]                        = times(w[c], inverse(s[c * j1 + j0 + c]));
      W[(size_t)(j0 + c) * n + i] = w[c];
    }
  }
  if (IDEAS & LATE) return;
  __syncthreads();
  for (int col = (int)threadIdx.x; col < n - j1; col += (int)blockDim.x)
    for (int b = 0; b < nb; b++) s[(size_t)col * NB + b] = A[(size_t)(j1 + col) * n + j0 + b];
  __syncthreads();
  if (i < j1)
    for (int col = 0; col < n - j1; col++) {
      T x = i < j0 ? W[(size_t)(j1 + col) * n + i] : number<T>(0);
#pragma unroll
      for (int b = 0; b < NB; b++)
        if (b < nb) x = minus(x, w[b], s[(size_t)col * NB + b]);
      W[(size_t)(j1 + col) * n + i] = x;
    }
}

/* Panel j0 of X L = W. X replaces A, since no other panel needs L's columns any more, or W. */
template <typename T, int NB, int IDEAS>
static __device__ void lower_panel(int n, int j0, T *A, T *W, T *s)
{
  T        *X = IDEAS & ON_WAY ? A : W;
  const int i = (int)threadIdx.x, nb = min(NB, n - j0), j1 = j0 + nb, rows = n - j0;
  T         w[NB];
  fetch<T, NB>(n, A, j0, n, j0, nb, s);
  __syncthreads();
  if (i < n) {
#pragma unroll
    for (int c = 0; c < NB; c++)
      w[c] = c < nb && (i < j1 || !(IDEAS & LATE)) && (i <= j0 + c || !(IDEAS & LATE))
                 ? W[(size_t)(j0 + c) * n + i]
                 : number<T>(0);
    if (IDEAS & LATE)
      for (int j = j1; j < n; j++) {
        const T x = X[(size_t)j * n + i];
#pragma unroll
        for (int c = 0; c < NB; c++) w[c] = minus(w[c], x, s[c * rows + j - j0]);
      }
#pragma unroll
    for (int c = NB - 1; c >= 0; c--) {
      if (c >= nb) continue;
#pragma unroll
      for (int b = c + 1; b < NB; b++)
        if (b < nb) w[c] = minus(w[c], w[b], s[c * rows + b]);
    }
  }
  __syncthreads(); /* the panel of L is in s and is not read from A any more */
  if (!(IDEAS & LATE)) {
    for (int col = (int)threadIdx.x; col < j0; col += (int)blockDim.x)
      for (int b = 0; b < nb; b++) s[(size_t)col * NB + b] = A[(size_t)col * n + j0 + b];
    __syncthreads();
    if (i < n)
      for (int col = 0; col < j0; col++) {
        T x = W[(size_t)col * n + i];
#pragma unroll
        for (int b = 0; b < NB; b++)
          if (b < nb) x = minus(x, w[b], s[(size_t)col * NB + b]);
        W[(size_t)col * n + i] = x;
      }
  }
#pragma unroll
  for (int c = 0; c < NB; c++)
    if (c < nb && i < n) X[(size_t)(j0 + c) * n + i] = w[c];
}

/* Column j of the result is the column of X that the row exchanges moved there. */
template <typename T, int IDEAS>
static __device__ void columns(int n, const T *X, const int *ipiv, T *out, int *order)
{
  const int i = (int)threadIdx.x;
  if constexpr (IDEAS & ON_WAY) {
    if (i < n) order[i] = i;
    __syncthreads();
    for (int k = n - 1; k >= 0 && i == 0; k--) {
      const int p = ipiv[k] - 1, x = order[k];
      order[k] = order[p];
      order[p] = x;
    }
    __syncthreads();
    for (int j = 0; j < n && i < n; j++) out[(size_t)j * n + i] = X[(size_t)order[j] * n + i];
  } else {
    for (int k = n - 1; k >= 0 && i < n; k--) {
      const int p            = ipiv[k] - 1;
      const T   a            = out[(size_t)k * n + i];
      out[(size_t)k * n + i] = out[(size_t)p * n + i];
      out[(size_t)p * n + i] = a;
    }
  }
}

enum { UPPER, LOWER, COLUMNS, WHOLE };

/* WHOLE: all of it; else one panel of one part. */
template <typename T, int NB, int IDEAS, int PART>
static __global__ void step(int n, int j0, T *const *matrices, T *const *results, const int *pivots)
{
  extern __shared__ __align__(16) unsigned char raw[];
  T         *s = reinterpret_cast<T *>(raw), *A = matrices[blockIdx.x], *W = results[blockIdx.x];
  const int *ipiv = pivots + (size_t)blockIdx.x * n;
  if (PART == UPPER) upper_panel<T, NB, IDEAS>(n, j0, A, W, s);
  if (PART == LOWER) lower_panel<T, NB, IDEAS>(n, j0, A, W, s);
  if (PART == COLUMNS) columns<T, IDEAS>(n, A, ipiv, W, reinterpret_cast<int *>(raw));
  if (PART != WHOLE) return;
  /* timely corrections leave W's zeros below the diagonal to be read */
  if (!(IDEAS & LATE))
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
      for (int j = 0; j < n; j++) W[(size_t)j * n + i] = number<T>(0);
  for (int k = 0; k < n; k += NB) {
    __syncthreads();
    upper_panel<T, NB, IDEAS>(n, k, A, W, s);
  }
  for (int k = (n - 1) / NB * NB; k >= 0; k -= NB) {
    __syncthreads();
    lower_panel<T, NB, IDEAS>(n, k, A, W, s);
  }
  __syncthreads();
  columns<T, IDEAS>(n, A, ipiv, W, reinterpret_cast<int *>(raw));
}

template <typename T, int NB, int IDEAS, int PART>
static bf_err launch(bf_peer_dense *p, int j0, int rows, int64_t batch)
{
  const int64_t first = batch * p->count;
  const size_t  room  = max((size_t)rows * NB * sizeof(T), (size_t)p->n * sizeof(int));
  const int     owned = PART == UPPER ? rows : p->n, threads = (owned + 31) / 32 * 32;
  BF_TRY(BF_CUDA(cudaFuncSetAttribute(step<T, NB, IDEAS, PART>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)room)));
  step<T, NB, IDEAS, PART><<<(unsigned)p->count, threads, room, bf_cuda_of(p->be)->stream>>>(
      p->n, j0, reinterpret_cast<T *const *>(p->at) + first, reinterpret_cast<T *const *>(p->to) + first,
      p->pivots + first * p->n);
  return BF_CUDA_LAUNCHED(p->be);
}

template <typename T, int NB, int IDEAS>
static bf_err run(bf_peer_dense *p, int64_t batch)
{
  const int n = p->n;
  if constexpr (!(IDEAS & DYNAMIC)) {
    return launch<T, NB, IDEAS, WHOLE>(p, 0, n, batch);
  } else {
    for (int k = 0; k < n; k += NB) BF_TRY((launch<T, NB, IDEAS, UPPER>(p, k, min(n, k + NB), batch)));
    for (int k = (n - 1) / NB * NB; k >= 0; k -= NB)
      BF_TRY((launch<T, NB, IDEAS, LOWER>(p, k, n - k, batch)));
    return launch<T, NB, IDEAS, COLUMNS>(p, 0, 0, batch);
  }
}

template <typename T>
static bf_err choose(bf_peer_dense *p, int nb, int ideas, int64_t batch)
{
  if (nb == 16) switch (ideas) {
    case ON_WAY: return run<T, 16, ON_WAY>(p, batch);
    case LATE | ON_WAY: return run<T, 16, LATE | ON_WAY>(p, batch);
    case LATE | DYNAMIC: return run<T, 16, LATE | DYNAMIC>(p, batch);
    default: return run<T, 16, LATE | DYNAMIC | ON_WAY>(p, batch);
    }
  switch (nb) {
  case 8: return run<T, 8, LATE | DYNAMIC | ON_WAY>(p, batch);
  case 20: return run<T, 20, LATE | DYNAMIC | ON_WAY>(p, batch);
  default: return run<T, 28, LATE | DYNAMIC | ON_WAY>(p, batch);
  }
}

bf_err bf_peer_published_inverse(bf_peer_dense *p, int nb, int ideas, int64_t batch)
{
  switch (p->type) {
  case BF_S: return choose<float>(p, nb, ideas, batch);
  case BF_D: return choose<double>(p, nb, ideas, batch);
  case BF_C: return choose<cuComplex>(p, nb, ideas, batch);
  case BF_Z: break;
  }
  return choose<cuDoubleComplex>(p, nb, ideas, batch);
}

} // namespace bf
