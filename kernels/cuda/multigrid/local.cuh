/* kernels/cuda/multigrid/local.cuh - inside kernels/cuda/multigrid: operations of local_problem.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_MULTIGRID_LOCAL_CUH
#define BF_KERNELS_CUDA_MULTIGRID_LOCAL_CUH
#include "kernels/cuda/multigrid/multigrid.cuh"
extern "C" {
#include "kernels/multigrid/local_node.h"
}

namespace bf
{

struct rows_of { /* of a bf_block_rows with blocks of order 1 */
  const int64_t *ptr;
  const bf_int  *col;
};

static inline rows_of pattern_of(const bf_block_rows *A)
{
  return {A->ptr, A->col};
}

/* local_matrices.cu */
bf_err bf_cuda_local_assemble(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, double shift,
                              const bf_local_batch *C);
bf_err bf_cuda_local_schur(bf_backend *be, const bf_local_lists *L, const bf_local_batch *C);
/* local_elements.cu */
bf_err bf_cuda_local_element_sizes(bf_backend *be, const bf_block_rows *nodes, const bf_int *first,
                                   int64_t *at, int64_t *total, bf_int *most);
bf_err bf_cuda_local_element_matrices(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                      const bf_local_vectors *V, const int64_t *ptr, const bf_int *element,
                                      const bf_block_rows *nodes, const int64_t *at, double *K);
/* local_vectors.cu */
bf_err bf_cuda_local_choose(bf_backend *be, const bf_local_batch *C, double tau, bf_int most, int multiple,
                            bf_int *k);
bf_err bf_cuda_local_scale_vectors(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                   const bf_local_batch *C, const bf_int *k, double *const *z);
bf_err bf_cuda_local_count_modes(bf_backend *be, bf_int count, const bf_local_modes *M,
                                 const uint8_t *by_modes, bf_int *k);
bf_err bf_cuda_local_combine_modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                   const bf_local_modes *M, const uint8_t *by_modes, double *const *z);
bf_err bf_cuda_local_row_counts(bf_backend *be, bf_int rows, int D, int bc, const bf_int *owner,
                                const bf_int *first, int64_t *ptr, int64_t *nnz);
bf_err bf_cuda_local_padding(bf_backend *be, bf_int count, const bf_local_vectors *V, uint8_t *flag);
bf_err bf_cuda_local_rows(bf_backend *be, const bf_local_lists *L, const bf_local_vectors *V,
                          bf_block_rows *T);
bf_err bf_cuda_local_modes(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                           const bf_local_vectors *V, int nq, const double *modes, bf_int nc, double *coarse);

} /* namespace bf */
#endif
