/* kernels/cpu/sparse/bdia_tile.h - inside the CPU backend: products of some rows of a bDIA matrix, each sum
 * by the owner of its row */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_SPARSE_BDIA_TILE_H
#define BF_KERNELS_CPU_SPARSE_BDIA_TILE_H
#include "kernels/matrix/matrix.h"

/* Node rows of a part of the product: for sums that do not depend on the threads. */
bf_int bf_cpu_tile_rows(int ncomp);

/* y = A x on the node rows i0 .. i0+n-1 of segment S, n <= bf_cpu_tile_rows, i0 - row0 a multiple of it. */
void bf_cpu_tile(const bf_bdia *A, const bf_bdia_seg *S, bf_int i0, bf_int n, const double *x, double *y);

/* y = A^T x on the node rows i0 .. i0+n-1, A in full storage. */
void bf_cpu_tile_t(const bf_bdia *A, bf_int i0, bf_int n, const double *x, double *y);
#endif
