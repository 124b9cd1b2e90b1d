/* kernels/cpu/sparse/bdia_spmv_half.h - inside the CPU backend: the product with half storage that reads each
 * value once
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_SPARSE_BDIA_SPMV_HALF_H
#define BF_KERNELS_CPU_SPARSE_BDIA_SPMV_HALF_H
#include "kernels/matrix/matrix.h"

/* 1: A is half-stored and narrow enough that this product reads each value once. */
int bf_cpu_half_once(const bf_bdia *A);

/* bdia_tile of backend.h: components stored separately for this product. */
int bf_cpu_bdia_layout(const bf_bdia *A, int *by_component);

/* y = A x; with w also dot[0] = w.y, dot[1] = y.y. */
bf_err bf_cpu_half_spmv(bf_backend *be, const bf_bdia *A, const double *x, double *y, const double *w,
                        double *dot);
#endif
