/* kernels/cuda/dense/syinv/blas.cuh - what the files of the device's dense operations share; kernels/dense.h
 * says what each does */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_DENSE_SYINV_BLAS_CUH
#define BF_KERNELS_CUDA_DENSE_SYINV_BLAS_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/dense.h"
}

namespace bf
{

/* call(0.0f) or call(0.0) by type: decltype of the argument is the entries' type */
template <class Call>
static bf_err dense_by_type(bf_scalar type, Call call)
{
  return type == BF_S ? call(0.0f) : call(0.0);
}

/* steps.cu, leaf.cu, products.cu, bordering.cu, lu.cu: members of the table */
#define DENSE_DECLARE(op) std::remove_pointer_t<decltype(bf_dense_ops::op)> bf_cuda_dense_##op
DENSE_DECLARE(gather);
DENSE_DECLARE(clear);
DENSE_DECLARE(definite);
DENSE_DECLARE(lower);
DENSE_DECLARE(factor);
DENSE_DECLARE(advance);
DENSE_DECLARE(sweep);
DENSE_DECLARE(syrkx);
DENSE_DECLARE(take);
DENSE_DECLARE(mirror);
DENSE_DECLARE(norms);
DENSE_DECLARE(signs);
DENSE_DECLARE(shift);
DENSE_DECLARE(corrected);
DENSE_DECLARE(border);
DENSE_DECLARE(gemm);
DENSE_DECLARE(pivoted);
DENSE_DECLARE(pivoted_bytes);

/* blas.cu.  The stream that calls are queued on, and multiprocessors that the second stream leaves to it. */
cudaStream_t bf_cuda_dense_stream(const bf_backend *be);
int          bf_cuda_dense_sms(const bf_backend *be, bf_int n);
bool         bf_cuda_dense_emulated(const bf_backend *be, bf_scalar type); /* products by cuBLAS */

/* blas.cu.  Lower triangle of C -= A B^T by cuBLAS; rows and columns `skip` may be left */
bf_err bf_cuda_dense_syrkx_blas(bf_backend *be, bf_scalar type, bf_int n, bf_int k, bf_dense_block skip,
                                const void *A, const void *B, bf_int ld, void *C, bf_int ldc);

/* blas.cu.  X = L^-1 X, L unit lower, or U^-1 X, both in A of order m; X m x n */
bf_err bf_cuda_dense_trsm(bf_backend *be, bf_scalar type, bool lower, bf_int m, bf_int n, const void *A,
                          bf_int lda, void *X, bf_int ldx);

template <class T>
static T *dense_at(T *a, bf_int ld, bf_int i, bf_int j)
{
  return a + (size_t)j * (size_t)ld + (size_t)i;
}

} // namespace bf
#endif
