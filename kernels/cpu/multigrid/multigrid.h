/* kernels/cpu/multigrid/multigrid.h - inside kernels/cpu: block rows and aggregates on the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_MULTIGRID_MULTIGRID_H
#define BF_KERNELS_CPU_MULTIGRID_MULTIGRID_H
#include "kernels/cpu/backend/cpu.h"
#include "kernels/multigrid/aggregates.h"
#include "kernels/multigrid/ops.h"

extern const bf_mg_aggregate_ops bf_cpu_mg_aggregates;
extern const bf_block_ops        bf_cpu_block_rows;

bf_err bf_cpu_block_spmv(bf_backend *be, const bf_block_rows *A, bf_block_update how, const double *b,
                         const double *x, double *y);
bf_err bf_cpu_block_product_count(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                  int64_t *ptr, int64_t *nnz);
bf_err bf_cpu_block_product_fill(bf_backend *be, const bf_block_rows *A, const bf_block_rows *B,
                                 bf_block_rows *C);

/* ptr[i + 1] holds the entries of row i; becomes their sums. */
int64_t bf_cpu_row_sums(bf_int nrows, int64_t *ptr);

bf_err bf_cpu_mg_aggregate(bf_backend *be, const bf_mg_graph *G, const uint8_t *live, bf_int *aggregate,
                           bf_int *count);
bf_err bf_cpu_mg_members(bf_backend *be, bf_int n, bf_int count, const bf_int *aggregate, int64_t *ptr,
                         bf_int *node);
bf_err bf_cpu_mg_gram(bf_backend *be, const bf_mg_basis *B, double *gram, double *scaled);
bf_err bf_cpu_mg_factor(bf_backend *be, const bf_mg_basis *B, const double *gram, const double *vectors,
                        const double *values, double *combine, double *modes, uint8_t *phantom);
bf_err bf_cpu_mg_tentative(bf_backend *be, const bf_mg_basis *B, const double *combine, bf_block_rows *T);
bf_err bf_cpu_mg_tentative_rows(bf_backend *be, bf_int n, const bf_int *aggregate, int64_t *ptr,
                                int64_t *nnz);

/* lanczos.c */
bf_err bf_cpu_lanczos_start(bf_backend *be, bf_int n, int ncomp, int salt, const double *s, double *w,
                            bf_mg_lanczos *S);
bf_err bf_cpu_lanczos_step(bf_backend *be, bf_int n, int k, const double *s, const double *y, const double *w,
                           double *before, bf_mg_lanczos *S);
#endif
