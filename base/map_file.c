/* base/map_file.c - see map_file.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE 1 /* SEEK_HOLE */
#include "base/map_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLE_MAX = 1 << 20 };

/* 1 if the file has a hole (a range of zero bytes that is not stored) of HOLE_MAX bytes or more. Files that
 * were not written completely have one, and reading it can take hours. */
static int has_hole(int fd, off_t size)
{
  for (off_t at = 0; at < size;) {
    const off_t hole = lseek(fd, at, SEEK_HOLE);
    if (hole < 0 || hole >= size) return 0; /* none, or not known by the file system */
    const off_t data = lseek(fd, hole, SEEK_DATA);
    at               = data < 0 ? size : data;
    if (at - hole >= HOLE_MAX) return 1;
  }
  return 0;
}

const char *bf_map_file(const char *path, bf_mapped *out)
{
  struct stat st;
  *out         = (bf_mapped){0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return strerror(errno);
  const int   known = fstat(fd, &st) == 0;
  const char *what  = !known                 ? strerror(errno)
                      : S_ISDIR(st.st_mode)  ? "Is a directory"
                      : S_ISFIFO(st.st_mode) ? "a pipe, not a regular file; write the data to a file first"
                      : !S_ISREG(st.st_mode) ? "not a regular file"
                      : has_hole(fd, st.st_size) ? "a sparse file with 1 MiB or more of zero bytes that were "
                                                   "never written; it is not complete"
                                                 : NULL;
  if (!what && st.st_size > 0) {
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
      what = strerror(errno);
    else
      *out = (bf_mapped){p, (size_t)st.st_size};
  }
  close(fd);
  return what;
}

void bf_unmap_file(bf_mapped *m)
{
  if (m->at) munmap(m->at, m->size);
  *m = (bf_mapped){0};
}
