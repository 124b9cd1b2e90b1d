/* kernels/cuda/dense/syinv/products.cu - products A B^T of the block sweep by product.cuh; see
 * kernels/dense.h
 *
 * Checked    tests/kernels/dense/t378_syinv.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/dense/syinv/blas.cuh"
#include "kernels/cuda/dense/syinv/product.cuh"

namespace bf
{

/* Tiles of 128, or of 64 where those are fewer than three for each multiprocessor. */
template <class T>
static bf_err queue_shape(bf_backend *be, const product_task<T> &task)
{
  using large = std::conditional_t<sizeof(T) == 8, product_shape<T, 128, 2, 4, 6, 1>,
                                   product_shape<T, 128, 2, 2, 6, 2>>;
  using small =
      std::conditional_t<sizeof(T) == 8, product_shape<T, 64, 2, 2, 4, 3>, product_shape<T, 64, 2, 2, 4, 4>>;
  const cudaStream_t s     = bf_cuda_dense_stream(be);
  const int          sms   = bf_cuda_dense_sms(be, task.m);
  const int          tiles = product_tiles((task.m + 127) / 128, (task.n + 127) / 128, task.lower);
  return tiles < 3 * sms ? product_launch<small>(s, sms, task) : product_launch<large>(s, sms, task);
}

template <class T>
static bf_err queue_product(bf_backend *be, const product_task<T> &task)
{
  BF_TRY(queue_shape(be, task));
  return BF_CUDA_LAUNCHED(be);
}

static bool aligned(const void *p, bf_int ld, size_t entry)
{
  return (size_t)p % 16 == 0 && (size_t)ld * entry % 16 == 0;
}

bf_err bf_cuda_dense_syrkx(bf_backend *be, bf_scalar type, bf_int n, bf_int k, const void *A, const void *B,
                           bf_int ld, void *C, bf_int ldc)
{
  const size_t e = bf_scalar_bytes(type);
  if (bf_cuda_dense_emulated(be, type) || !aligned(A, ld, e) || !aligned(B, ld, e))
    return bf_cuda_dense_syrkx_blas(be, type, n, k, {n, n, 0}, A, B, ld, C, ldc);
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    return queue_product<T>(be, {n, n, k, (const T *)A, (const T *)B, (size_t)ld, (size_t)ld, (T *)C,
                                 (size_t)ldc, true, false, true, NULL, 0, 0, 0, 0, 0, 0});
  });
}

/* The next three by cuBLAS */
static bf_err factor_blas(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const double *B, bf_int ldb,
                          const double *W, bf_int ldw, double *G, bf_int ldg)
{
  for (bf_int j = 0; j < m; j += BF_DENSE_LEAF) {
    const bf_int end = m - j < BF_DENSE_LEAF ? m : j + BF_DENSE_LEAF;
    BF_TRY(bf_cuda_dense_gemm(be, type, BF_NO_TRANS, BF_TRANS, n, end - j, end, 1.0, B, ldb, W + j, ldw, 0.0,
                              dense_at(G, ldg, 0, j), ldg));
  }
  return BF_OK;
}

static bf_err advance_blas(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next,
                           const double *G, bf_int ldg, const void *A, bf_int lda, double *B, bf_int ldb)
{
  if (A) BF_TRY(bf_cuda_dense_gather(be, type, next, A, lda, B, ldb));
  BF_TRY(BF_CUDA(cudaMemset2DAsync(B + k.k0, (size_t)ldb * sizeof *B, 0, (size_t)k.m * sizeof *B,
                                   (size_t)next.m, bf_cuda_dense_stream(be))));
  return bf_cuda_dense_gemm(be, type, BF_NO_TRANS, BF_TRANS, k.n, next.m, k.m, -1.0, G, ldg, G + next.k0, ldg,
                            1.0, B, ldb);
}

static bf_err sweep_blas(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next, const void *G,
                         bf_int ldg, void *A, bf_int lda)
{
  BF_TRY(bf_cuda_dense_clear(be, type, k, A, lda, NULL, 0, 0, NULL, NULL, 0));
  return bf_cuda_dense_syrkx_blas(be, type, k.n, k.m, next, G, G, ldg, A, lda);
}

bf_err bf_cuda_dense_factor(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *B, bf_int ldb,
                            const void *W, bf_int ldw, void *G, bf_int ldg)
{
  if (bf_cuda_dense_emulated(be, type))
    return factor_blas(be, type, n, m, (const double *)B, ldb, (const double *)W, ldw, (double *)G, ldg);
  return dense_by_type(type, [&](auto zero) {
    using T = decltype(zero);
    return queue_product<T>(be, {n, m, m, (const T *)B, (const T *)W, (size_t)ldb, (size_t)ldw, (T *)G,
                                 (size_t)ldg, false, true, false, NULL, 0, 0, 0, 0, 0, 0});
  });
}

bf_err bf_cuda_dense_advance(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next,
                             const void *G, bf_int ldg, const void *A, bf_int lda, void *B, bf_int ldb)
{
  if (bf_cuda_dense_emulated(be, type))
    return advance_blas(be, type, k, next, (const double *)G, ldg, A, lda, (double *)B, ldb);
  return dense_by_type(type, [&](auto zero) {
    using T    = decltype(zero);
    const T *g = (const T *)G;
    return queue_product<T>(be,
                            {k.n, next.m, k.m, g, g + next.k0, (size_t)ldg, (size_t)ldg, (T *)B, (size_t)ldb,
                             true, false, false, (const T *)A, (size_t)lda, next.k0, k.k0, k.k0 + k.m, 0, 0});
  });
}

bf_err bf_cuda_dense_sweep(bf_backend *be, bf_scalar type, bf_dense_block k, bf_dense_block next,
                           const void *G, bf_int ldg, void *A, bf_int lda)
{
  if (bf_cuda_dense_emulated(be, type)) return sweep_blas(be, type, k, next, G, ldg, A, lda);
  return dense_by_type(type, [&](auto zero) {
    using T    = decltype(zero);
    const T *g = (const T *)G;
    return queue_product<T>(be, {k.n, k.n, k.m, g, g, (size_t)ldg, (size_t)ldg, (T *)A, (size_t)lda, true,
                                 false, true, NULL, 0, 0, k.k0, k.k0 + k.m, next.k0, next.k0 + next.m});
  });
}

} // namespace bf
