/* mesh/msh_file.c - a .msh file as bytes: mapped read only, its pages given back when they have been read */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "mesh/msh_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bf_err no_file(const char *path, bf_diags *diags, const char *what)
{
  bf_diag_add(diags, BF_ERROR, 201, (bf_where){0}, "cannot open '%s': %s", path, what);
  return BF_FAIL(BF_E_MODEL, "cannot open '%s': %s", path, what);
}

/* The whole file for reading; NULL and 0 for an empty one. */
static bf_err map_file(const char *path, bf_diags *diags, void **map, size_t *size)
{
  struct stat st;
  const int   fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return no_file(path, diags, strerror(errno));
  const int   known = fstat(fd, &st) == 0;
  const char *what  = !known                ? strerror(errno)
                      : S_ISDIR(st.st_mode) ? "Is a directory"
                      : S_ISREG(st.st_mode) ? NULL
                                            : "not a regular file";
  if (!what && st.st_size > 0) {
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) {
      what = strerror(errno);
    } else {
      *map  = p;
      *size = (size_t)st.st_size;
    }
  }
  close(fd);
  return what ? no_file(path, diags, what) : BF_OK;
}

/* Reading may have gone back to before m->kept: then only the place is noted. */
void bf_msh_drop_pages(bf_msh *m)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t from = (size_t)(m->kept - m->data), to = (size_t)(m->p - m->data) / page * page;
  if (to > from) madvise((char *)m->map + from, to - from, MADV_DONTNEED);
  m->kept = m->data + to;
}

bf_err bf_mesh_read_msh(const char *path, bf_diags *diags, bf_mesh **out)
{
  void  *map  = NULL;
  size_t size = 0;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_TRY(map_file(path, diags, &map, &size));
  const bf_err err = bf_msh_read(path, map, size, map, diags, out);
  if (map) munmap(map, size);
  return err;
}
