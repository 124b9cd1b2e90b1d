/* base/memory.h - host memory: sizes checked for overflow, 64-byte aligned, with planned failures for tests
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MEMORY_H
#define BF_MEMORY_H
#include "base/err.h"

/* count*size bytes, zeroed, aligned to 64 bytes; NULL if there is no memory or count*size overflows.
 * A request of 0 bytes returns a pointer that can be freed. */
void *bf_host_alloc(size_t count, size_t size);
void *bf_host_realloc(void *p, size_t count, size_t size); /* grown part is not zeroed; p stays on failure */
char *bf_host_strdup(const char *s);
void  bf_host_free(void *p); /* NULL is fine */

/* p = new array of `count` elements of *p, zeroed; BF_E_MEMORY with the size in the message. */
#define BF_NEW_ARRAY(p, count)                                                                               \
  bf_host_new((void **)&(p), (size_t)(count), sizeof *(p), __func__, __FILE__, __LINE__)
#define BF_NEW(p) BF_NEW_ARRAY(p, 1)
bf_err bf_host_new(void **p, size_t count, size_t size, const char *func, const char *file, int line);

/* Arrays of the CPU backend from BF_LARGE_BLOCK bytes on are of huge pages. */
enum { BF_HUGE_PAGE = 2 << 20, BF_LARGE_BLOCK = 1 << 20 };
/* Memory that such an array of `bytes` takes. */
int64_t bf_memory_in_pages(int64_t bytes);

/* For tests: the k-th allocation from now on (k = 1, 2, ...) fails once; 0 disables it.
 * bf_memory_live: blocks allocated and not yet freed; bf_memory_calls: allocations since bf_memory_fail_at.
 */
void    bf_memory_fail_at(int64_t k);
int64_t bf_memory_live(void);
int64_t bf_memory_calls(void);

/* Physical memory this process may still use, in bytes (MemAvailable, capped by the control group); 0 if
 * unknown. */
size_t bf_memory_available(void);
#endif
