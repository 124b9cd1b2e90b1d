/* kernels/cuda/dense/common/warp_factor_load.cuh - loads matrices of warp_factor.cuh into shared memory;
 * accesses to a lane's rows of a column
 *
 * Computes   copies of columns to shared memory, with zeros beyond the matrix.
 * Layout     long columns by cp.async.bulk, others by cp.async of 16 bytes or, where alignment does not
 *            allow it, of real numbers.
 * Cost       A is read once.
 * Checked    tests/kernels/dense/t361_inverse_batch.c, t362_lu_batch.c, t367_small_batch.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_LOAD_CUH
#define BF_KERNELS_CUDA_DENSE_COMMON_WARP_FACTOR_LOAD_CUH
#include "kernels/cuda/dense/common/warp_factor_update.cuh"
#include "kernels/cuda/device/async_bulk_copy.cuh"

namespace bf
{

/* OWN consecutive scalars in shared memory; two of 8 or 16 bytes in one access */
template <int OWN, class T>
BF_DEVICE void shared_get_run(const T *p, T (&x)[OWN])
{
  constexpr bool pair = OWN == 2 && sizeof(T) <= 8;
  if constexpr (pair && std::is_same_v<T, float>) {
    const float2 v = *reinterpret_cast<const float2 *>(p);
    x[0] = v.x, x[1] = v.y;
  } else if constexpr (pair) {
    const vec16<T> v = *reinterpret_cast<const vec16<T> *>(p);
    x[0] = v.e[0], x[1] = v.e[1];
  } else
#pragma unroll
    for (int i = 0; i < OWN; i++) x[i] = shared_get(p + i);
}
template <int OWN, class T>
BF_DEVICE void shared_put_run(T *p, const T (&x)[OWN])
{
  constexpr bool pair = OWN == 2 && sizeof(T) <= 8;
  if constexpr (pair && std::is_same_v<T, float>)
    *reinterpret_cast<float2 *>(p) = make_float2(x[0], x[1]);
  else if constexpr (pair)
    *reinterpret_cast<vec16<T> *>(p) = {{x[0], x[1]}};
  else
#pragma unroll
    for (int i = 0; i < OWN; i++) shared_put(p + i, x[i]);
}

/* Predicated 16-byte store to shared memory, without a branch */
#define BF_PUT_WHERE(types, ...)                                                                             \
  asm volatile("{\n"                                                                                         \
               ".reg .pred yes;\n"                                                                           \
               "setp.ne.b32 yes, %0, 0;\n"                                                                   \
               "@yes st.shared." types ";\n"                                                                 \
               "}" ::"r"((int)yes),                                                                          \
               "r"(shared_address(at)), __VA_ARGS__                                                          \
               : "memory")
BF_DEVICE void store_if(bool yes, vec16<float> *at, const vec16<float> &p)
{
  BF_PUT_WHERE("v4.f32 [%1], {%2, %3, %4, %5}", "f"(p.e[0]), "f"(p.e[1]), "f"(p.e[2]), "f"(p.e[3]));
}
BF_DEVICE void store_if(bool yes, vec16<double> *at, const vec16<double> &p)
{
  BF_PUT_WHERE("v2.f64 [%1], {%2, %3}", "d"(p.e[0]), "d"(p.e[1]));
}
BF_DEVICE void store_if(bool yes, vec16<cplx<float>> *at, const vec16<cplx<float>> &p)
{
  BF_PUT_WHERE("v4.f32 [%1], {%2, %3, %4, %5}", "f"(p.e[0].re), "f"(p.e[0].im), "f"(p.e[1].re),
               "f"(p.e[1].im));
}
BF_DEVICE void store_if(bool yes, vec16<cplx<double>> *at, const vec16<cplx<double>> &p)
{
  BF_PUT_WHERE("v2.f64 [%1], {%2, %3}", "d"(p.e[0].re), "d"(p.e[0].im));
}
#undef BF_PUT_WHERE

/* Whether M's columns can be copied in units of 16 bytes */
template <class T>
BF_DEVICE bool is_aligned16(const subwarp_matrix<T> &M)
{
  return (reinterpret_cast<uintptr_t>(M.a) | (size_t)M.ld * sizeof(T) | (size_t)M.n * sizeof(T)) % 16 == 0;
}

/* L2 prefetch of columns by the threads of a block */
template <class T>
BF_DEVICE void prefetch_columns_l2(const T *a, int64_t ld, int rows, int columns)
{
  for (int c = (int)threadIdx.x; c < columns; c += (int)blockDim.x)
    for (int o = 0; o < rows * (int)sizeof(T); o += 128)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(reinterpret_cast<const char *>(a + c * ld) + o));
}

/* Copies of lane r of G: columns FROM to TO - 1 */
template <class T, int N, int G, int FROM, int TO>
BF_DEVICE void load_async16(const subwarp_matrix<T> &M, int r, T *S)
{
  constexpr int P = warp_layout<T, N, G>::pitch, V = vec16<T>::length,
                Q  = N / V;             /* 16-byte units of a column */
  constexpr int C  = Q < G ? G / Q : 1; /* columns at once */
  const int     c0 = Q < G ? r / Q : 0, i = (Q < G ? r % Q : r) * V;
  const T      *p    = M.a + (int64_t)(FROM + c0) * M.ld + i;
  const int64_t down = (int64_t)C * M.ld;
#pragma unroll(N > 32 ? 2 : N)
  for (int c = FROM; c < TO; c += C) {
#pragma unroll
    for (int d = 0; d < N; d += G * V)
      if (c0 < C && c + c0 < M.n && c + c0 < TO && i + d < M.n) cp_async<16>(S + (c + c0) * P + i + d, p + d);
    p += down;
  }
}
template <class T, int N, int G, int FROM, int TO>
BF_DEVICE void load_async_scalar(const subwarp_matrix<T> &M, int r, T *S)
{
  constexpr int P = warp_layout<T, N, G>::pitch;
#pragma unroll
  for (int d = 0; d < N; d += G) {
    const int i = r + d;
    const T  *p = M.a + (int64_t)FROM * M.ld + i;
#pragma unroll 4
    for (int j = FROM; j < TO && j < M.n; j++, p += M.ld)
      if (i < M.n) cp_async_scalar<(int)sizeof(real_t<T>)>(S + j * P + i, p);
  }
}
template <class T, int N, int G, int FROM, int TO>
BF_DEVICE void fill_zeros(const subwarp_matrix<T> &M, int r, T *S)
{
  constexpr int P = warp_layout<T, N, G>::pitch;
  for (int j = FROM + r; j < TO && j < M.n; j += G)
    for (int i = M.n; i < N; i++) shared_put(S + j * P + i, zero_of<T>());
  for (int j = max(FROM, M.n); j < TO; j++)
    for (int i = r; i < N; i += G) shared_put(S + j * P + i, zero_of<T>());
}

/* Starts the copy of columns FROM to TO - 1 of M to S by the G lanes of a subwarp, as one cp.async group */
template <class T, int N, int G, int FROM, int TO>
BF_DEVICE void load_columns_async(const subwarp_matrix<T> &M, int r, T *S)
{
  if (is_aligned16(M))
    load_async16<T, N, G, FROM, TO>(M, r, S);
  else
    load_async_scalar<T, N, G, FROM, TO>(M, r, S);
  cp_async_commit_group();
  fill_zeros<T, N, G, FROM, TO>(M, r, S);
}

/* The same by cp.async.bulk where alignment allows it; the first phase of `barrier` ends when the
 * columns are there. */
template <class T, int N, int G, int FROM, int TO>
BF_DEVICE void load_columns_bulk(const subwarp_matrix<T> &M, int r, T *S, uint64_t *barrier)
{
  constexpr int P   = warp_layout<T, N, G>::pitch;
  const int     end = min(TO, M.n);
  if (!is_aligned16(M))
    load_async_scalar<T, N, G, FROM, TO>(M, r, S);
  else if (FROM < end) {
    if (r == 0) mbarrier_arrive_expect_tx(barrier, (uint32_t)(M.n * (end - FROM) * (int)sizeof(T)));
    __syncwarp();
    for (int c = FROM + r; c < end; c += G)
      cp_async_bulk(S + c * P, M.a + (int64_t)c * M.ld, (uint32_t)(M.n * (int)sizeof(T)), barrier);
  }
  fill_zeros<T, N, G, FROM, TO>(M, r, S);
}
/* Waits for it. */
template <int FROM, class T>
BF_DEVICE void wait_columns_bulk(const subwarp_matrix<T> &M, uint64_t *barrier)
{
  if (!is_aligned16(M))
    cp_async_wait_all();
  else if (FROM < M.n)
    mbarrier_wait(barrier, 0);
}

} // namespace bf
#endif
