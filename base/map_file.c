/* base/map_file.c - see map_file.h */
#include "base/map_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *bf_map_file(const char *path, bf_mapped *out)
{
  struct stat st;
  *out         = (bf_mapped){0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return strerror(errno);
  const int   known = fstat(fd, &st) == 0;
  const char *what  = !known                ? strerror(errno)
                      : S_ISDIR(st.st_mode) ? "Is a directory"
                      : S_ISREG(st.st_mode) ? NULL
                                            : "not a regular file";
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
