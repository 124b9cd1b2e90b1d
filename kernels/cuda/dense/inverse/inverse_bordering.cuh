/* kernels/cuda/dense/inverse/inverse_bordering.cuh - inverses of orders 65 to 80: bordering of the inverse
 * of the trailing 64 x 64 block
 *
 * Computes   G + H S^-1 L, -H S^-1, -S^-1 L from W = (G; -L), H and S^-1 of inverse_leading_columns.cuh;
 *            stores A^-1 with columns in the order of A's rows.
 * Source     Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.2 (block inverse).
 * Layout     a thread has one row of S^-1's array for the part left of it, and one column for the part
 *            above it. Row j of W then multiplies column j of the array, row r of H^T its row r.
 * Cost       4 f 64^2 flops (complex 4 times), f = n - 64 rounded up to a multiple of 4.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t366_sizes_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_BORDERING_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_BORDERING_CUH
#include "kernels/cuda/dense/lu/lu_warp_leading_columns.cuh"

namespace bf
{

/* Shared memory besides the matrix of order 64; rows by number, step c in column F - f + c */
template <class T, int F>
struct alignas(16) bordering_smem {
  enum { N = TRAILING_ORDER + F, PITCH = warp_layout<T, N, 32>::pitch, ROWS = (N + 15) / 16 * 16 };
  T        w[F * PITCH];                           /* by columns; at the end by rows of F: row(j) */
  T        h[F * TRAILING_ORDER];                  /* H^T by rows of F */
  uint16_t position[ROWS], origin[ROWS], pivot[F]; /* position of a row, row of a position */
};
/* sum[c0 .. c0+3] += v p[0 .. 3] */
template <class T, int F>
static __device__ __forceinline__ void border_add(T v, const T *p, T (&sum)[F], int c0)
{
  constexpr int V = panel_vec<T>;
#pragma unroll
  for (int c = 0; c < 4; c += V) {
    const panel_vec16<T> q = load_panel_vec(p + c);
#pragma unroll
    for (int e = 0; e < V; e++) sum[c0 + c + e] = muladd(v, q.v[e], sum[c0 + c + e]);
  }
}

/* Computes the blocks of the inverse and stores all of it to M's matrix, unless it fails. */
template <class T, int F, class WORK>
static __device__ __forceinline__ void bordering_store(const subwarp_matrix<T> &M, WORK &work, const T *S,
                                                       bordering_smem<T, F>    &K,
                                                       const leading_result<T> &result, int *info)
{
  constexpr int P = warp_layout<T, TRAILING_ORDER, 32>::pitch, V = panel_vec<T>;
  enum { PITCH = bordering_smem<T, F>::PITCH, EACH = F * F / LEADING_THREADS };
  const int t = (int)threadIdx.x, f = result.columns, unused = F - f, my_row = work.positions()[t],
            my_column  = work.pivot_rows[t] & 255;
  const T    scale     = shared_get(work.row_scales() + t);
  const bool aligned   = is_aligned(M);
  real_t<T>  nonfinite = result.nonfinite;
  T          w[F], g[F], row[F], column[F];
#pragma unroll
  for (int c = 0; c < F; c++) {
    w[c]      = shared_get(K.w + c * PITCH + K.origin[f + my_column]);
    g[c]      = shared_get(K.w + c * PITCH + (t < f ? K.origin[t] : 0));
    column[c] = times(shared_get(K.h + my_row * F + c), -1) * scale; /* of -H */
  }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < F; c++) {
    shared_put(K.w + t * F + c, w[c]);
    if (t < f) shared_put(K.w + (TRAILING_ORDER + t) * F + c, g[c]);
    shared_put(K.h + t * F + c, column[c]);
    row[c] = column[c] = zero_of<T>();
  }
  __syncthreads();
#pragma unroll
  for (int c0 = 0; c0 < F; c0 += 4)
    if (c0 + 4 > unused) {
#pragma unroll 4
      for (int j = 0; j < TRAILING_ORDER; j++) {
        const T v = shared_get(S + t + j * P) * scale;
        if (c0 + 4 == F) nonfinite = track_nonfinite(v, nonfinite);
        border_add(v, K.w + j * F + c0, row, c0);
      }
#pragma unroll 2
      for (int i = 0; i < TRAILING_ORDER; i += V) {
        const panel_vec16<T> v = load_panel_vec(S + t * P + i);
#pragma unroll
        for (int q = 0; q < V; q++) border_add(v.v[q], K.h + (i + q) * F + c0, column, c0);
      }
    }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < F; c++) {
    shared_put(K.h + t * F + c, column[c]);
    if (c >= unused) nonfinite = track_nonfinite(row[c], track_nonfinite(column[c], nonfinite));
  }
  __syncthreads();
  T corner[EACH];
#pragma unroll
  for (int q = 0; q < EACH; q++) {
    const int a = t % F, c = t / F + LEADING_THREADS / F * q;
    corner[q] = zero_of<T>();
    if (a < unused || c < unused) continue;
    corner[q] = shared_get(K.w + (TRAILING_ORDER + a - unused) * F + c);
#pragma unroll 4
    for (int j = 0; j < TRAILING_ORDER; j++)
      corner[q] = muladd(shared_get(K.h + j * F + a), shared_get(K.w + j * F + c), corner[q]);
    nonfinite = track_nonfinite(corner[q], nonfinite);
  }
  const bool has_nonfinite = __syncthreads_or(!(nonfinite == 0));
  const int  zero          = result.zero > 0 ? result.zero : work.zero > 0 ? work.zero + f : 0;
  if (t == 0) info[M.b] = has_nonfinite ? TRAILING_ORDER + f + 1 : zero;
  if (has_nonfinite || zero > 0) return;
  const auto to = [&](int position) { return M.a + (int64_t)K.origin[position] * M.ld; };
#pragma unroll 4
  for (int j = 0; j < TRAILING_ORDER; j++)
    store(to(f + (work.pivot_rows[j] & 255)) + f + my_row, shared_get(S + t + j * P) * scale, aligned);
#pragma unroll
  for (int c = 0; c < F; c++)
    if (c >= unused) {
      store(to(c - unused) + f + my_row, row[c], aligned);
      store(to(f + my_column) + c - unused, column[c], aligned);
    }
#pragma unroll
  for (int q = 0; q < EACH; q++) {
    const int a = t % F, c = t / F + LEADING_THREADS / F * q;
    if (a >= unused && c >= unused) store(to(c - unused) + a - unused, corner[q], aligned);
  }
}

} // namespace bf
#endif
