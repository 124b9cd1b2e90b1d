/* kernels/cuda/dense/inverse/gauss_jordan.cuh - inverse by blocked Gauss-Jordan, a block per matrix,
 * columns in shared memory
 *
 * Computes   A^-1 by the steps of gauss_jordan_layout.cuh; X(k, p(j)) = W(p(k), j) is stored at the end, so
 *            a matrix that fails is not changed.
 * Source     N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4.
 * Layout     gauss_jordan_layout.cuh.
 * Cost       2 n^3 flops (complex 8); n^2 scalars read and written; columns that do not fit into shared
 *            memory are read and written 2 n / 16 S times more, from L2.
 * Launch     a block per matrix, or as many blocks as are resident where there is a workspace.
 * Checked    tests/kernels/dense/t361_inverse_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_CUH
#define BF_KERNELS_CUDA_DENSE_INVERSE_GAUSS_JORDAN_CUH
#include "kernels/cuda/dense/inverse/gauss_jordan_update.cuh"

namespace bf
{

template <class T, int S, int TEAM>
struct gj_solver : gj_block<T> {
  using B = gj_block<T>;
  int lane, warp, all; /* warps of the block */

  __device__ __forceinline__ gj_solver(char *smem, T *work, const gj_layout &p, int n_max)
      : lane((int)threadIdx.x & 31), warp((int)threadIdx.x >> 5), all((int)blockDim.x >> 5)
  {
    B::resident       = p.resident;
    B::smem_columns   = reinterpret_cast<T *>(smem);
    B::global_columns = work + p.work * blockIdx.x;
    smem += sizeof(T) * (size_t)(p.resident * gj_pitch<T>(n_max));
    B::panels     = reinterpret_cast<T *>(smem);
    B::slots      = reinterpret_cast<T *>(smem + p.panels);
    B::keys       = reinterpret_cast<unsigned *>(smem + p.panels + p.slots);
    B::mask_words = p.warps;
    B::mask       = B::keys + 2 * gj_key_slots<TEAM>;
    B::pivots     = reinterpret_cast<int *>(B::mask + (S + 1) * B::mask_words);
    B::fail       = B::pivots + S * GJ_NB;
    B::order      = B::fail + 1;
    asm volatile(""
                 : "+r"(lane), "+r"(warp)); /* otherwise the thread's number is read again in inner loops */
  }
  /* Loads A to shared memory and workspace; true if an entry is not finite. */
  __device__ __forceinline__ bool load_matrix(const T *a, int64_t ld) const
  {
    constexpr int MANY = sizeof(T) == 16 ? 8 : 16; /* loads in flight; columns of a panel are adjacent */
    bool          bad  = false;
#pragma unroll 1
    for (int j = warp * MANY; j < B::n; j += all * MANY)
#pragma unroll 1
      for (int i = lane; i < B::n; i += 32) {
        T x[MANY];
#pragma unroll
        for (int c = 0; c < MANY; c++) x[c] = a[min(j + c, B::n - 1) * ld + i];
#pragma unroll
        for (int c = 0; c < MANY; c++) bad |= !is_finite(x[c]);
        B::at(j, [&](T *w, int pitch) {
#pragma unroll
          for (int c = 0; c < MANY; c++) gj_put(w + c * pitch + i, x[c]);
        });
      }
    return bad;
  }
  /* Stores the inverse to A; columns of the workspace are read by rows, with 32 bytes of traffic for 4
   * or 8 used. */
  __device__ __forceinline__ void store_inverse(T *a, int64_t ld) const
  {
    const int n_bucket = min(B::n, B::resident);
#pragma unroll 1
    for (int i = lane; i < B::n; i += 32) {
      const int row = B::order[i];
#pragma unroll 8
      for (int j = warp; j < n_bucket; j += all)
        a[B::order[j] * ld + i] = gj_get(B::smem_columns + j * B::pitch + row);
    }
#pragma unroll 1
    for (int j = n_bucket + warp; j < B::n; j += all) {
      const T *w  = B::global_columns + (int64_t)(j - B::resident) * B::global_pitch;
      T       *to = a + B::order[j] * ld;
#pragma unroll 4
      for (int i = lane; i < B::n; i += 32) to[i] = gj_get(w + B::order[i]);
    }
  }
  /* The panels' warps apply panel h of the step to their rows of the columns at j. */
  __device__ __forceinline__ void own_rows(int j, int h, int nb) const
  {
    gj_column_block<T, 1> s;
    gj_sync();
    B::at(j, [&](const T *w, int pitch) { s.gather(w, pitch, B::pivots + h * GJ_NB, nb, lane); });
    gj_sync();
    B::at(j, [&](T *w, int pitch) {
      const int r0 = 32 * warp;
      if (r0 < B::n)
        s.template rows<false>(w, pitch, B::panels + h * B::step, 0, 1, B::mask + h * B::mask_words, r0,
                               min(B::n, r0 + 32), lane);
    });
    __syncwarp();
  }
  __device__ __forceinline__ void load(gj_panel<T, TEAM> &panel, int j) const
  {
    B::at(j, [&](const T *w, int pitch) { panel.load(w, pitch, B::n); });
  }
  __device__ __forceinline__ void put(const gj_panel<T, TEAM> &panel, int h) const
  {
    gj_put_row(B::panels + h * B::step, panel.row(), panel.a);
  }
  /* The panels of a step, by the first warps; *fail is set on failure. Returns the number of barriers
   * passed. */
  __device__ __forceinline__ int panels_of_step(unsigned &bits, int k0)
  {
    int passed = 0;
#pragma unroll 1
    for (int h = 0; h < S && k0 + h * GJ_NB < B::n; h++) {
      const int         j = k0 + h * GJ_NB, nb = min(GJ_NB, B::n - j);
      gj_panel<T, TEAM> panel;
      panel.lane = lane, panel.warp = warp;
      panel.bits = bits;
      load(panel, j);
      const int code = panel.solve(j, nb, *this, B::pivots + h * GJ_NB);
      passed += nb;
      if (code) {
        if (threadIdx.x == 0) *B::fail = code;
        return passed;
      }
      bits = panel.bits;
      panel.mark(B::mask + h * B::mask_words);
      if (S > 1 && lane == 0) {
        unsigned *m          = B::mask + warp;
        m[S * B::mask_words] = h == 0 ? m[0] : m[0] | m[B::mask_words];
      }
      B::at(j, [&](T *w, int pitch) { panel.store(w, pitch, B::n); });
      put(panel, h);
      if (S == 1 || (h == 0 && j + GJ_NB >= B::n)) return passed;
      own_rows(h == 0 ? j + GJ_NB : k0, h, nb);
      passed += 2;
      if (h == 1) {
        load(panel, k0);
        put(panel, 0);
      }
    }
    return passed;
  }
  /* Barriers of a step that does not fail */
  __device__ __forceinline__ int syncs_of_step(int k0) const
  {
    const int left = B::n - k0;
    return S == 1 || left <= GJ_NB ? min(GJ_NB, left) : min(S * GJ_NB, left) + 4;
  }
  /* Applies the step to all other columns. */
  __device__ __forceinline__ void update(int k0) const
  {
    const int       nb = min(S * GJ_NB, B::n - k0), panels = (nb + GJ_NB - 1) / GJ_NB, own = k0 / GJ_NB;
    const int       strips = (B::n + GJ_NB - 1) / GJ_NB - panels;
    const unsigned *mask   = B::mask + (S > 1 ? S * B::mask_words : 0);
#pragma unroll 1
    for (int i = warp; i < strips; i += all) {
      const int  j     = (i < own ? i : i + panels) * GJ_NB;
      const auto strip = [&](auto global_pitch, T *w, int pitch) {
        gj_column_block<T, S> s;
        s.gather(w, pitch, B::pivots, nb, lane);
        __syncwarp();
        s.template rows<global_pitch.value>(w, pitch, B::panels, B::step, panels, mask, 0, B::n, lane);
      };
      if (j < B::resident)
        strip(std::false_type(), B::smem_columns + j * B::pitch, B::pitch);
      else
        strip(std::true_type(), B::global_columns + (int64_t)(j - B::resident) * B::global_pitch,
              B::global_pitch);
    }
  }
  __device__ __forceinline__ int run(T *a, int64_t ld, int n)
  {
    B::n            = n;
    B::pitch        = gj_pitch<T>(n);
    B::global_pitch = (n + GJ_NB - 1) / GJ_NB * GJ_NB;
    B::warps        = gj_warps(n);
    B::step         = GJ_NB * 32 * B::warps;
    if (threadIdx.x == 0) *B::fail = 0;
    if ((int)threadIdx.x < 2 * gj_key_slots<TEAM>)
      B::keys[threadIdx.x] = 0; /* the previous matrix had more warps */
    if ((int)threadIdx.x < S * GJ_NB) B::pivots[threadIdx.x] = 0;
    if (__syncthreads_or(load_matrix(a, ld))) return n + 1;
    unsigned bits = 32 * warp + lane < n ? GJ_KEY_MASK : 0u;
    for (int k0 = 0; k0 < n; k0 += S * GJ_NB) {
      const int syncs = syncs_of_step(k0);
#pragma unroll 1
      for (int i = warp < B::warps ? panels_of_step(bits, k0) : 0; i < syncs; i++) gj_sync();
      __syncthreads();
      if (*B::fail) return *B::fail;
      update(k0);
      __syncthreads();
    }
    store_inverse(a, ld);
    return 0;
  }
};

template <class T, int S, int TEAM, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gj_inverse(const batch_view<T> A, int *info, T *work, const gj_layout p)
{
  extern __shared__ __align__(16) char smem[];
  gj_solver<T, S, TEAM>                s(smem, work, p, A.n);
  for (int q = (int)blockIdx.x; q < A.members(); q += (int)gridDim.x) {
    const int b = A.member(q), n = A.order(b);
    if (n <= 0 || n > A.n) continue;
    const int code = s.run(A.matrix(b), A.ld, n);
    if (threadIdx.x == 0) info[b] = code;
    __syncthreads();
  }
}

/* Compile-time shape: S panels per step on at most TEAM warps, blocks of THREADS threads, BLOCKS per
 * multiprocessor, at most MAX_RESIDENT columns in shared memory. If there are no more matrices than
 * multiprocessors, a multiprocessor has one block. */
template <int S, int TEAM, int THREADS, int BLOCKS, int MAX_RESIDENT = GJ_MAX_ORDER>
struct gj_shape {
  static int blocks_per_multiprocessor(int count, int multiprocessors)
  {
    return count > multiprocessors ? BLOCKS : 1;
  }
  static int grid(int count, int multiprocessors)
  {
    const int most = blocks_per_multiprocessor(count, multiprocessors) * multiprocessors;
    return most < count ? most : count;
  }
  template <class T>
  static gj_layout plan(int n, int count, int multiprocessors)
  {
    return gj_layout_of<T, S, TEAM>(n, blocks_per_multiprocessor(count, multiprocessors), MAX_RESIDENT);
  }
  template <class T>
  static cudaError_t launch(const batch_view<T> &A, int *info, void *work, int multiprocessors,
                            cudaStream_t s)
  {
    const gj_layout   p      = plan<T>(A.n, A.count, multiprocessors);
    const auto        kernel = gj_inverse<T, S, TEAM, THREADS, BLOCKS>;
    const cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p.shared);
    if (e != cudaSuccess) return e;
    const int blocks = p.work ? grid(A.count, multiprocessors) : A.count;
    kernel<<<(unsigned)blocks, THREADS, p.shared, s>>>(A, info, static_cast<T *>(work), p);
    return cudaGetLastError();
  }
};

/* gj_tuning<T>::select(n_bucket, f) returns f(gj_shape) for a bucket. */
template <class T>
struct gj_tuning;

template <class T>
size_t inverse_dispatch_work(int n, int count)
{
  const int n_bucket = bucket_order(n), multiprocessors = batch_multiprocessors();
  if (n_bucket <= inverse_leading_max<T>) return 0;
  if (n_bucket > inverse_gauss_jordan_max<T>) return inverse_via_lu_work<T>(n, count);
  return gj_tuning<T>::select(n_bucket, [&](auto shape) {
    return sizeof(T) * shape.template plan<T>(n, count, multiprocessors).work *
           (size_t)shape.grid(count, multiprocessors);
  });
}

template <class T>
cudaError_t inverse_dispatch(const batch_view<T> &A, int *info, void *work, cudaStream_t s)
{
  const int n_bucket = bucket_order(A.n), multiprocessors = batch_multiprocessors();
  if (n_bucket <= 64) return inverse_warp(A, info, s);
  if (n_bucket <= inverse_leading_max<T>) return inverse_leading(A, info, s);
  if (n_bucket > inverse_gauss_jordan_max<T>) return inverse_via_lu(A, info, work, s);
  return gj_tuning<T>::select(
      n_bucket, [&](auto shape) { return shape.template launch<T>(A, info, work, multiprocessors, s); });
}

} // namespace bf
#endif
