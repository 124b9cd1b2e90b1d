/* kernels/cuda/sparse/part_tables.cu - the operations of the parts of a matrix, a table a part */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/cuda/device/launch_and_reduce.cuh"

namespace bf
{

extern "C" {
bf_part_spmv      bf_cuda_bdia_spmv;
bf_part_spmv      bf_cuda_csr_spmv;
bf_part_spmv      bf_cuda_ell_spmv;
bf_part_spmv      bf_cuda_coo_spmv;
bf_part_spmv      bf_cuda_coo_spmv_add;
bf_part_spmv      bf_cuda_rest_spmv_add;
bf_part_spmv_t    bf_cuda_bdia_spmv_t;
bf_part_diagonal  bf_cuda_bdia_diagonal;
bf_part_diagonal  bf_cuda_csr_diagonal;
bf_part_diagonal  bf_cuda_ell_diagonal;
bf_part_diagonal  bf_cuda_coo_diagonal;
bf_part_constrain bf_cuda_bdia_constrain;
bf_part_constrain bf_cuda_csr_constrain;
bf_part_constrain bf_cuda_ell_constrain;
bf_part_constrain bf_cuda_coo_constrain;
bf_part_constrain bf_cuda_rest_constrain;
bf_part_blocks    bf_cuda_bdia_blocks;
bf_part_blocks    bf_cuda_csr_blocks;
bf_part_blocks    bf_cuda_ell_blocks;
bf_part_blocks    bf_cuda_coo_blocks;
bf_part_blocks    bf_cuda_rest_blocks;
bf_part_scatter   bf_cuda_bdia_scatter;
bf_part_scatter   bf_cuda_csr_scatter;

extern const bf_part_ops bf_cuda_bdia_part;
const bf_part_ops        bf_cuda_bdia_part = {
           .spmv      = bf_cuda_bdia_spmv,
           .spmv_t    = bf_cuda_bdia_spmv_t,
           .diagonal  = bf_cuda_bdia_diagonal,
           .constrain = bf_cuda_bdia_constrain,
           .blocks    = bf_cuda_bdia_blocks,
           .scatter   = bf_cuda_bdia_scatter,
};

extern const bf_part_ops bf_cuda_csr_part;
const bf_part_ops        bf_cuda_csr_part = {
           .spmv      = bf_cuda_csr_spmv,
           .diagonal  = bf_cuda_csr_diagonal,
           .constrain = bf_cuda_csr_constrain,
           .blocks    = bf_cuda_csr_blocks,
           .scatter   = bf_cuda_csr_scatter,
};

extern const bf_part_ops bf_cuda_ell_part;
const bf_part_ops        bf_cuda_ell_part = {
           .spmv      = bf_cuda_ell_spmv,
           .diagonal  = bf_cuda_ell_diagonal,
           .constrain = bf_cuda_ell_constrain,
           .blocks    = bf_cuda_ell_blocks,
};

extern const bf_part_ops bf_cuda_coo_part;
const bf_part_ops        bf_cuda_coo_part = {
           .spmv      = bf_cuda_coo_spmv,
           .spmv_add  = bf_cuda_coo_spmv_add,
           .diagonal  = bf_cuda_coo_diagonal,
           .constrain = bf_cuda_coo_constrain,
           .blocks    = bf_cuda_coo_blocks,
};

extern const bf_part_ops bf_cuda_rest_part;
const bf_part_ops        bf_cuda_rest_part = {
           .spmv_add  = bf_cuda_rest_spmv_add,
           .constrain = bf_cuda_rest_constrain,
           .blocks    = bf_cuda_rest_blocks,
};
}
} // namespace bf
