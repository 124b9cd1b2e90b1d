/* kernels/cuda/krylov/bicgstab.cuh - an iteration of BiCGStab in three kernels: bicgstab_three_kernel.cu */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CUDA_KRYLOV_BICGSTAB_CUH
#define BF_KERNELS_CUDA_KRYLOV_BICGSTAB_CUH
#include "kernels/cuda/device/launch_and_reduce.cuh"
extern "C" {
#include "kernels/krylov/steps.h"
}

namespace bf
{

/* w->y0 is set. */
bf_err bf_cuda_bicgstab_three_kernel(bf_backend *be, const bf_bdia *A, const bf_bicgstab_work *w);

} // namespace bf
#endif
