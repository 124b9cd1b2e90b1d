/* kernels/cuda/multigrid/multigrid.cuh - inside kernels/cuda/multigrid: what the files of block rows,
 * aggregates and the cycle share
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_MULTIGRID_MULTIGRID_CUH
#define BF_KERNELS_CUDA_MULTIGRID_MULTIGRID_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/multigrid/aggregate_node.h"
#include "kernels/multigrid/aggregates.h"
#include "kernels/multigrid/local_problem.h"
#include "kernels/multigrid/ops.h"
}

namespace bf
{

extern "C" {
extern const bf_block_ops        bf_cuda_block_rows;
extern const bf_mg_aggregate_ops bf_cuda_mg_aggregates;
extern const bf_local_ops        bf_cuda_local;
}

enum { BF_MG_THREADS = 256 };

/* One thread, or `lanes` of them, for each of n items. */
static inline unsigned bf_mg_grid(int64_t n, int lanes = 1)
{
  return bf_cuda_blocks(n * lanes, BF_MG_THREADS);
}
static __device__ __forceinline__ int64_t bf_mg_item(int lanes = 1)
{
  return ((int64_t)blockIdx.x * BF_MG_THREADS + threadIdx.x) / lanes;
}

/* Lanes of this thread's group of G. */
template <int G>
static __device__ __forceinline__ unsigned bf_mg_group()
{
  return G == 32 ? ~0u : ((1u << (G % 32)) - 1) << (threadIdx.x % 32 / G * G);
}

/* lanczos.cu */
bf_err bf_cuda_lanczos_start(bf_backend *be, bf_int n, int ncomp, int salt, const double *s, double *w,
                             bf_mg_lanczos *S);
bf_err bf_cuda_lanczos_step(bf_backend *be, bf_int n, int k, const double *s, const double *y,
                            const double *w, double *before, bf_mg_lanczos *S);

/* block_rows.cu: counts in ptr[1 .. n] become their sums, ptr[0] = 0; *total = ptr[n].  Uses the scratch;
 * waits. */
bf_err bf_cuda_row_sums(bf_backend *be, int64_t n, int64_t *ptr, int64_t *total);

/* block_spmv.cu, block_product.cu */
bf_err bf_cuda_block_spmv(bf_backend *be, const bf_block_rows *A, bf_block_update how, const double *b,
                          const double *x, double *y);
bf_err bf_cuda_block_step(bf_backend *be, const bf_block_rows *A, const double *v, const bf_mg_step &step);
bf_err bf_cuda_block_product_count(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                   int64_t *ptr, int64_t *nnz);
bf_err bf_cuda_block_product_fill(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                  bf_block_rows *C);

/* mis2.cu */
bf_err bf_cuda_mg_aggregate(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, bf_int *aggregate,
                            bf_int *count);
bf_err bf_cuda_mg_members(bf_backend *be, bf_int n, bf_int count, const bf_int *aggregate, int64_t *ptr,
                          bf_int *node);

/* tentative.cu */
bf_err bf_cuda_mg_gram(bf_backend *be, const bf_mg_basis *B, double *gram, double *scaled);
bf_err bf_cuda_mg_factor(bf_backend *be, const bf_mg_basis *B, const double *gram, const double *vectors,
                         const double *values, double *combine, double *modes, uint8_t *phantom);
bf_err bf_cuda_mg_tentative_rows(bf_backend *be, bf_int n, const bf_int *aggregate, int64_t *ptr,
                                 int64_t *nnz);
bf_err bf_cuda_mg_tentative(bf_backend *be, const bf_mg_basis *B, const double *combine, bf_block_rows *T);

} /* namespace bf */
#endif
