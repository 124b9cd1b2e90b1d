/* app/inverse_memory.h - memory forecast of a dense inverse; E401 before the allocation */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_INVERSE_MEMORY_H
#define BF_APP_INVERSE_MEMORY_H
#include "base/diag.h"
#include "base/log.h"
#include "kernels/backend.h"

typedef struct bf_inverse_memory { /* bytes */
  int64_t backend, host;           /* of matrix, inverse and workspace; on the CPU both are host memory */
  int64_t allowed, host_allowed;   /* what may be used: `part` of what is available; -1: not known */
} bf_inverse_memory;

/* The forecast for order n in the log; E401 at `where` if it exceeds the part of the available memory. */
bf_err bf_inverse_memory_check(bf_backend *be, bf_int n, int fp32, double part, bf_where where,
                               const bf_log *log, bf_diags *diags, bf_inverse_memory *m);
#endif
