/* kernels/cpu/sparse/part_tables.c - the operations of the parts of a matrix, a table a part */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cpu/backend/cpu.h"

const bf_part_ops bf_cpu_bdia_part = {
    .spmv      = bf_cpu_bdia_spmv,
    .spmv_t    = bf_cpu_bdia_spmv_t,
    .diagonal  = bf_cpu_bdia_diagonal,
    .constrain = bf_cpu_bdia_constrain,
    .blocks    = bf_cpu_bdia_blocks,
    .scatter   = bf_cpu_bdia_scatter,
};

const bf_part_ops bf_cpu_csr_part = {
    .spmv      = bf_cpu_csr_spmv,
    .diagonal  = bf_cpu_csr_diagonal,
    .constrain = bf_cpu_csr_constrain,
    .blocks    = bf_cpu_csr_blocks,
    .scatter   = bf_cpu_csr_scatter,
};

const bf_part_ops bf_cpu_ell_part = {
    .spmv      = bf_cpu_ell_spmv,
    .diagonal  = bf_cpu_ell_diagonal,
    .constrain = bf_cpu_ell_constrain,
    .blocks    = bf_cpu_ell_blocks,
};

const bf_part_ops bf_cpu_coo_part = {
    .spmv      = bf_cpu_coo_spmv,
    .spmv_add  = bf_cpu_coo_spmv_add,
    .diagonal  = bf_cpu_coo_diagonal,
    .constrain = bf_cpu_coo_constrain,
    .blocks    = bf_cpu_coo_blocks,
};

const bf_part_ops bf_cpu_rest_part = {
    .spmv_add  = bf_cpu_rest_spmv_add,
    .constrain = bf_cpu_rest_constrain,
    .blocks    = bf_cpu_rest_blocks,
};
