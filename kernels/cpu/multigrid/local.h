/* kernels/cpu/multigrid/local.h - inside kernels/cpu: operations of local_problem.h on the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_MULTIGRID_LOCAL_H
#define BF_KERNELS_CPU_MULTIGRID_LOCAL_H
#include "kernels/cpu/multigrid/multigrid.h"
#include "kernels/multigrid/local_node.h"

extern const bf_local_ops bf_cpu_local;

/* local_matrices.c */
bf_err bf_cpu_local_assemble(bf_backend *be, const bf_local_body *B, const bf_local_lists *L, double shift,
                             const bf_local_batch *C);
bf_err bf_cpu_local_schur(bf_backend *be, const bf_local_lists *L, const bf_local_batch *C);
/* local_elements.c */
bf_err bf_cpu_local_element_sizes(bf_backend *be, const bf_block_rows *nodes, const bf_int *first,
                                  int64_t *at, int64_t *total, bf_int *most);
bf_err bf_cpu_local_element_matrices(bf_backend *be, const bf_local_body *B, const bf_local_lists *L,
                                     const bf_local_vectors *V, const int64_t *ptr, const bf_int *element,
                                     const bf_block_rows *nodes, const int64_t *at, double *K);
#endif
