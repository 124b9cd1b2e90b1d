/* base/host.h - processor model and cache sizes, as the operating system reports them */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HOST_H
#define BF_HOST_H
#include <stddef.h>
#include <stdint.h>

/* Model of the processor, "AMD EPYC 9R14", or "unknown"; truncated to size - 1 characters. */
void bf_host_processor(char *text, size_t size);
/* Bytes of the data cache of level 1, 2 or 3 that the first core uses; 0: unknown. */
int64_t bf_host_cache(int level);
#endif
