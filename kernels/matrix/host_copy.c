/* kernels/matrix/host_copy.c - see host_copy.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/matrix/host_copy.h"
#include <stdint.h>
#include <string.h>

void bf_host_copy(void *dst, const void *src, size_t bytes)
{
  const size_t  piece = (size_t)256 << 10;
  const int64_t n     = (int64_t)((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static) if (n > 1)
  for (int64_t i = 0; i < n; i++) {
    const size_t at = (size_t)i * piece;
    memcpy((char *)dst + at, (const char *)src + at, bytes - at < piece ? bytes - at : piece);
  }
}
