/* kernels/cpu/dense/blas.h - common declarations of the CPU's dense operations; the operations are
 * described in kernels/dense.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_DENSE_BLAS_H
#define BF_KERNELS_CPU_DENSE_BLAS_H
#include "kernels/cpu/dense/batch.h"
#include "kernels/dense.h"

static inline void *bf_dense_at(bf_scalar type, const void *a, bf_int ld, bf_int i, bf_int j)
{
  return (char *)a + ((size_t)j * (size_t)ld + (size_t)i) * bf_scalar_bytes(type);
}

bf_err bf_cpu_dense_gemm(bf_backend *be, bf_scalar type, bf_trans ta, bf_trans tb, bf_int m, bf_int n,
                         bf_int k, double alpha, const void *A, bf_int lda, const void *B, bf_int ldb,
                         double beta, void *C, bf_int ldc);
bf_err bf_cpu_dense_syrkx(bf_backend *be, bf_scalar type, bf_int n, bf_int k, const void *A, const void *B,
                          bf_int ldab, void *C, bf_int ldc);
bf_err bf_cpu_dense_symm(bf_backend *be, bf_scalar type, bf_int n, bf_int m, const void *A, bf_int lda,
                         const void *B, bf_int ldb, void *C, bf_int ldc);

extern const bf_dense_ops bf_cpu_dense;
#endif
