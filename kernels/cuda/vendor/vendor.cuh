/* kernels/cuda/vendor/vendor.cuh - common declarations of the vendor libraries' files; see kernels/vendor.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_VENDOR_VENDOR_CUH
#define BF_KERNELS_CUDA_VENDOR_VENDOR_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
#include "kernels/vendor.h"
#include <cublas_v2.h>
#include <cusparse.h>

/* the opaque type of the C interface */
struct bf_peer {
  bf_backend          *be;
  const bf_csr        *A;
  cusparseHandle_t     sparse;
  cublasHandle_t       blas;
  cusparseSpMatDescr_t matrix;
  bf_peer_format       format;
  int                  D;      /* BSR: order of a block */
  int                 *ptr;    /* offsets in 32 bits: of rows, of slices, or of rows of blocks */
  int                 *col;    /* SELL: [slots], -1 where there is no entry; BSR: of blocks */
  void                *val;    /* SELL, BSR */
  void                *buffer; /* workspace of the chosen algorithm */
  cusparseSpMVAlg_t    algorithm;
  double              *vector, *scalar; /* of a solver, made by its first call */
  char                 text[128];
};

namespace bf
{

bf_err bf_peer_sparse_status(cusparseStatus_t s, const char *call, const char *func, const char *file,
                             int line);
bf_err bf_peer_blas_status(cublasStatus_t s, const char *call, const char *func, const char *file, int line);
#define SPARSE(call) BF_TRY(bf_peer_sparse_status((call), #call, __func__, __FILE__, __LINE__))
#define BLAS(call)   BF_TRY(bf_peer_blas_status((call), #call, __func__, __FILE__, __LINE__))

struct bf_peer_vectors { /* descriptors of one product */
  cusparseDnVecDescr_t x = NULL, y = NULL;
  ~bf_peer_vectors()
  {
    if (x) cusparseDestroyDnVec(x);
    if (y) cusparseDestroyDnVec(y);
  }
};
bf_err bf_peer_describe_vectors(const bf_peer *p, const void *x, void *y, bf_peer_vectors *v);
bf_err bf_peer_product(bf_peer *p, const bf_peer_vectors &v, cusparseSpMVAlg_t algorithm, void *buffer);

} // namespace bf
#endif
