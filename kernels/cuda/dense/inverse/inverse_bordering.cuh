/* kernels/cuda/dense/inverse/inverse_bordering.cuh - inverses of orders 65 to 80: what stands around the
 * inverse of the 64 x 64 entries that were left
 *
 * Computes   G + H S^-1 L, -H S^-1, -S^-1 L from W = (G; -L), H and S^-1 of inverse_leading_columns.cuh, and
 *            writes A^-1, its columns in the order of A's rows.
 * Layout     a thread has a row of S^-1's array for what is left of it, and a column for what is above.  Row
 *            j of W is then the one that meets column j of the array, row r of H^T the one of its row r.
 * Cost       4 f 64^2 flops, f = n - 64, to the next 4 columns.
 * Checked    t361, t366.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_BORDERING_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_INVERSE_BORDERING_CUH
#include "kernels/cuda/dense/lu/lu_warp_leading_columns.cuh"

namespace bf
{

/* Beside the matrix of order 64; rows by number, steps c as column F - f + c */
template <class T, int F>
struct alignas(16) inverse_front_kept {
  enum { N = FRONT_REST + F, PITCH = warp_shape<T, N, 32>::pitch, ROWS = (N + 15) / 16 * 16 };
  T        w[F * PITCH];                        /* by columns; at the end by rows of F: row(j) */
  T        h[F * FRONT_REST];                   /* H^T by rows of F */
  uint16_t place[ROWS], origin[ROWS], pivot[F]; /* of a row its place, of a place its row */
};
/* sum[c0 .. c0+3] += v p[0 .. 3] */
template <class T, int F>
static __device__ __forceinline__ void border_add(T v, const T *p, T (&sum)[F], int c0)
{
  constexpr int V = lu_vec<T>;
#pragma unroll
  for (int c = 0; c < 4; c += V) {
    const lu_packet<T> q = lu_load(p + c);
#pragma unroll
    for (int e = 0; e < V; e++) sum[c0 + c + e] = muladd(v, q.v[e], sum[c0 + c + e]);
  }
}

/* The blocks of the inverse from S^-1 and what is kept, and all of it to M's matrix unless it fails: a thread
 * has a row of S^-1's array for what is left of it, and a column of it for what is above. */
template <class T, int F, class WORK>
static __device__ __forceinline__ void inverse_front_give(const small_matrix<T> &M, WORK &work, const T *S,
                                                          inverse_front_kept<T, F> &K,
                                                          const warp_left<T> &left, int *info)
{
  constexpr int P = warp_shape<T, FRONT_REST, 32>::pitch, V = lu_vec<T>;
  enum { PITCH = inverse_front_kept<T, F>::PITCH, EACH = F * F / FRONT_THREADS };
  const int t = (int)threadIdx.x, f = left.columns, empty = F - f, my_row = work.places()[t],
            my_column = work.order[t] & 255;
  const T    scale    = shared_get(work.scales() + t);
  const bool wide     = whole(M);
  real_t<T>  rest     = left.rest;
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
    if (t < f) shared_put(K.w + (FRONT_REST + t) * F + c, g[c]);
    shared_put(K.h + t * F + c, column[c]);
    row[c] = column[c] = zero_of<T>();
  }
  __syncthreads();
#pragma unroll
  for (int c0 = 0; c0 < F; c0 += 4)
    if (c0 + 4 > empty) {
#pragma unroll 4
      for (int j = 0; j < FRONT_REST; j++) {
        const T v = shared_get(S + t + j * P) * scale;
        if (c0 + 4 == F) rest = with(v, rest);
        border_add(v, K.w + j * F + c0, row, c0);
      }
#pragma unroll 2
      for (int i = 0; i < FRONT_REST; i += V) {
        const lu_packet<T> v = lu_load(S + t * P + i);
#pragma unroll
        for (int q = 0; q < V; q++) border_add(v.v[q], K.h + (i + q) * F + c0, column, c0);
      }
    }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < F; c++) {
    shared_put(K.h + t * F + c, column[c]);
    if (c >= empty) rest = with(row[c], with(column[c], rest));
  }
  __syncthreads();
  T corner[EACH];
#pragma unroll
  for (int q = 0; q < EACH; q++) {
    const int a = t % F, c = t / F + FRONT_THREADS / F * q;
    corner[q] = zero_of<T>();
    if (a < empty || c < empty) continue;
    corner[q] = shared_get(K.w + (FRONT_REST + a - empty) * F + c);
#pragma unroll 4
    for (int j = 0; j < FRONT_REST; j++)
      corner[q] = muladd(shared_get(K.h + j * F + a), shared_get(K.w + j * F + c), corner[q]);
    rest = with(corner[q], rest);
  }
  const bool wild = __syncthreads_or(!(rest == 0));
  const int  zero = left.zero > 0 ? left.zero : work.zero > 0 ? work.zero + f : 0;
  if (t == 0) info[M.b] = wild ? FRONT_REST + f + 1 : zero;
  if (wild || zero > 0) return;
  const auto to = [&](int place) { return M.a + (int64_t)K.origin[place] * M.ld; };
#pragma unroll 4
  for (int j = 0; j < FRONT_REST; j++)
    store(to(f + (work.order[j] & 255)) + f + my_row, shared_get(S + t + j * P) * scale, wide);
#pragma unroll
  for (int c = 0; c < F; c++)
    if (c >= empty) {
      store(to(c - empty) + f + my_row, row[c], wide);
      store(to(f + my_column) + c - empty, column[c], wide);
    }
#pragma unroll
  for (int q = 0; q < EACH; q++) {
    const int a = t % F, c = t / F + FRONT_THREADS / F * q;
    if (a >= empty && c >= empty) store(to(c - empty) + a - empty, corner[q], wide);
  }
}

} // namespace bf
#endif
