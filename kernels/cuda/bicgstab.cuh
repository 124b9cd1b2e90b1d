/* kernels/cuda/bicgstab.cuh - an iteration of BiCGStab in three kernels: bicgstab_ahead.cu */
#ifndef BF_BICGSTAB_CUH
#define BF_BICGSTAB_CUH
#include "kernels/cuda/cuda_util.cuh"
extern "C" {
#include "kernels/krylov_steps.h"
}

/* w has y0. */
bf_err bf_cuda_bicgstab_ahead(bf_backend *be, const bf_bdia *A, const bf_bicgstab_work *w);
#endif
