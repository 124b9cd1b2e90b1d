/* base/host.c - model and caches of the processor, from /proc/cpuinfo and /sys (Linux) */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/host.h"
#include <stdio.h>
#include <string.h>

void bf_host_processor(char *text, size_t size)
{
  char  line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  snprintf(text, size, "unknown");
  while (f && fgets(line, sizeof line, f)) {
    if (strncmp(line, "model name", 10) != 0) continue;
    const char *value = strchr(line, ':');
    if (value) value += 1 + strspn(value + 1, " \t");
    if (value) snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
    break;
  }
  if (f) fclose(f);
}

/* First word of /sys/devices/system/cpu/cpu0/cache/index<i>/<name>; 0: there is none. */
static int cache_word(int i, const char *name, char word[32])
{
  char path[96];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, name);
  FILE     *f    = fopen(path, "r");
  const int read = f && fscanf(f, "%31s", word) == 1;
  if (f) fclose(f);
  return read;
}

int64_t bf_host_cache(int level)
{
  char word[32];
  int  found = 0;
  long kib   = 0;
  for (int i = 0; cache_word(i, "level", word); i++) {
    if (sscanf(word, "%d", &found) != 1 || found != level) continue;
    if (!cache_word(i, "type", word) || strcmp(word, "Instruction") == 0) continue;
    if (cache_word(i, "size", word) && sscanf(word, "%ldK", &kib) == 1) return 1024 * (int64_t)kib;
  }
  return 0;
}
