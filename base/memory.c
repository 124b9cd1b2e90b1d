/* base/memory.c - see memory.h.  The counters are atomics: the only state of the library outside its objects.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

static atomic_llong fail_at, calls, live;

int64_t bf_memory_in_pages(int64_t bytes)
{
  return bytes < BF_LARGE_BLOCK ? bytes : (bytes + BF_HUGE_PAGE - 1) / BF_HUGE_PAGE * BF_HUGE_PAGE;
}

/* 1 if this call is the one planned to fail */
static int planned_failure(void)
{
  const long long k = atomic_fetch_add(&calls, 1) + 1;
  return k == atomic_load(&fail_at);
}

void *bf_host_alloc(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - 2 * ALIGN) / size) return NULL;
  if (planned_failure()) return NULL;
  /* one header line before the block: its size (for realloc); calloc gives large blocks as untouched zero
   * pages */
  const size_t bytes = count * size;
  char        *raw   = calloc(1, bytes + 2 * ALIGN);
  if (!raw) return NULL;
  char *p = (char *)(((uintptr_t)raw + 2 * ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
  memcpy(p - sizeof(void *), &raw, sizeof raw);
  memcpy(p - 2 * sizeof(void *), &bytes, sizeof bytes);
  atomic_fetch_add(&live, 1);
  return p;
}

void *bf_host_realloc(void *p, size_t count, size_t size)
{
  char *q = bf_host_alloc(count, size);
  if (!q || !p) return q;
  size_t old;
  memcpy(&old, (char *)p - 2 * sizeof(void *), sizeof old);
  memcpy(q, p, old < count * size ? old : count * size);
  bf_host_free(p);
  return q;
}

char *bf_host_strdup(const char *s)
{
  const size_t n = strlen(s) + 1;
  char        *p = bf_host_alloc(n, 1);
  if (p) memcpy(p, s, n);
  return p;
}

void bf_host_free(void *p)
{
  if (!p) return;
  void *raw;
  memcpy(&raw, (char *)p - sizeof(void *), sizeof raw);
  free(raw);
  atomic_fetch_sub(&live, 1);
}

bf_err bf_host_new(void **p, size_t count, size_t size, const char *func, const char *file, int line)
{
  *p = bf_host_alloc(count, size);
  if (*p) return BF_OK;
  bf_err_raise(BF_E_MEMORY, func, file, line, "no memory for %zu x %zu bytes", count, size);
  return BF_E_MEMORY;
}

void bf_memory_fail_at(int64_t k)
{
  atomic_store(&calls, 0);
  atomic_store(&fail_at, k);
}

int64_t bf_memory_live(void)
{
  return atomic_load(&live);
}

int64_t bf_memory_calls(void)
{
  return atomic_load(&calls);
}

/* First number in a file, or 0. */
static size_t number_in(const char *path)
{
  size_t n = 0;
  FILE  *f = fopen(path, "r");
  if (f && fscanf(f, "%zu", &n) != 1) n = 0;
  if (f) fclose(f);
  return n;
}

size_t bf_memory_available(void)
{
  size_t available = 0;
  FILE  *f         = fopen("/proc/meminfo", "r");
  char   line[128];
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %zu kB", &available) == 1) available *= 1024;
  if (f) fclose(f);
  const size_t limit = number_in("/sys/fs/cgroup/memory.max"),
               used  = number_in("/sys/fs/cgroup/memory.current");
  if (limit > used && limit - used < available) available = limit - used;
  return available;
}
