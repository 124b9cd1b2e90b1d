/* kernels/cuda/vendor/vendor_batched.cuh - common declarations of the batched vendor routines; see
 * kernels/vendor_batch.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_VENDOR_VENDOR_BATCHED_CUH
#define BF_KERNELS_CUDA_VENDOR_VENDOR_BATCHED_CUH
#include "kernels/cuda/vendor/vendor.cuh"
#include "kernels/vendor_batch.h"
#include <cusolverDn.h>

enum { BF_PEER_STREAMS = 8 };

/* the opaque type of the C interface */
struct bf_peer_dense {
  bf_backend        *be;
  bf_peer_dense_kind kind;
  bf_scalar          type;
  int                n, count, batches, turn;
  int                panel, ideas; /* of published kernels */
  size_t             bytes;        /* of one batch */
  char              *a, *out;
  void             **at, **to; /* device [batches][count]: of the matrices, of the inverses */
  int               *pivots, *info;
  cublasHandle_t     blas;
  cusolverDnHandle_t solver;
  /* eigen-decompositions: cusolver_eigen.cu */
  char              *w;            /* device [batches][count][n], real */
  void              *room, *aside; /* workspaces: device, host */
  size_t             workspace_bytes, aside_bytes;
  syevjInfo_t        jacobi;
  cusolverDnParams_t params;
  cudaStream_t       stream[BF_PEER_STREAMS];
  cusolverDnHandle_t each[BF_PEER_STREAMS];
  cudaEvent_t        fork, join[BF_PEER_STREAMS];
};

namespace bf
{

bf_err bf_peer_solver_status(cusolverStatus_t s, const char *call, const char *func, const char *file,
                             int line);
#define SOLVER(call) BF_TRY(bf_peer_solver_status((call), #call, __func__, __FILE__, __LINE__))

bf_err bf_peer_eigen_fill(bf_peer_dense *p);
bf_err bf_peer_eigen_run(bf_peer_dense *p, int batch);
void   bf_peer_eigen_free(bf_peer_dense *p);

/* Kernels as published: published_lu.cu, published_inverse.cu. */
bf_err bf_peer_published_lu(bf_peer_dense *p, int nb, int ideas, int64_t batch);
bf_err bf_peer_published_inverse(bf_peer_dense *p, int nb, int ideas, int64_t batch);

} // namespace bf
#endif
