/* kernels/cpu/multigrid/planes.h - operations of planes.c that have files of their own: multigrid/planes.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_MULTIGRID_PLANES_H
#define BF_KERNELS_CPU_MULTIGRID_PLANES_H
#include "kernels/multigrid/planes.h"

/* planes_gaps.c */
bf_err bf_cpu_planes_wraps(bf_backend *be, const bf_bdia *A, const bf_int n[3], int *flag);
bf_err bf_cpu_planes_couplings(bf_backend *be, const bf_lattice *A, const uint8_t *fixed, float *w);
bf_err bf_cpu_planes_gaps(bf_backend *be, const bf_int n[3], const float *w, int a, bf_int g0, bf_int g1,
                          bf_int *count);
/* planes_galerkin.c */
bf_err bf_cpu_planes_galerkin(bf_backend *be, const bf_lattice *A, int a, const bf_plane_line *line,
                              const uint8_t *fixed, const bf_lattice *C);
#endif
