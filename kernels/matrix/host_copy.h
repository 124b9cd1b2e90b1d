/* kernels/matrix/host_copy.h - a copy in host memory by all threads, which also share the page faults of
 * fresh memory */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_MATRIX_HOST_COPY_H
#define BF_KERNELS_MATRIX_HOST_COPY_H
#include <stddef.h>

/* dst = src, not overlapping. */
void bf_host_copy(void *dst, const void *src, size_t bytes);
#endif
