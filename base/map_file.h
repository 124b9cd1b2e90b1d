/* base/map_file.h - a file as bytes in memory, mapped read only */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MAP_FILE_H
#define BF_MAP_FILE_H
#include "base/err.h"

typedef struct bf_mapped {
  void  *at; /* owned; NULL for an empty file */
  size_t size;
} bf_mapped;

/* The whole file for reading: returns NULL, or the reason of the failure ("No such file or directory", "Is a
 * directory", a pipe, a sparse file with a hole of 1 MiB or more), then nothing is mapped. Does not block. */
const char *bf_map_file(const char *path, bf_mapped *out);
void        bf_unmap_file(bf_mapped *m);
#endif
