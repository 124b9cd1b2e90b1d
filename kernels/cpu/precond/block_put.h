/* kernels/cpu/precond/block_put.h - an entry of a matrix to its place in a diagonal block, if it has one */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_KERNELS_CPU_PRECOND_BLOCK_PUT_H
#define BF_KERNELS_CPU_PRECOND_BLOCK_PUT_H
#include "kernels/precond/block_jacobi.h"

static inline void bf_block_put(const bf_block_map *m, bf_int i, bf_int j, double value)
{
  if (m->block[i] == m->block[j])
    m->a[m->block[i] * m->stride + (int64_t)m->place[j] * m->ld + m->place[i]] = value;
}
#endif
