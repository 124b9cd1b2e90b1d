/* mesh/msh/file.c - a .msh file as bytes: mapped read only, its pages released when they have been read */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE 1 /* madvise */
#include "base/map_file.h"
#include "mesh/msh/internal.h"
#include <sys/mman.h>
#include <unistd.h>

/* After a jump back to before m->kept only the position is stored. */
void bf_msh_drop_pages(bf_msh *m)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t from = (size_t)(m->kept - m->data), to = (size_t)(m->p - m->data) / page * page;
  if (to > from) madvise((char *)m->map + from, to - from, MADV_DONTNEED);
  m->kept = m->data + to;
}

bf_err bf_mesh_read_msh(const char *path, bf_diags *diags, bf_mesh **out)
{
  bf_mapped file;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out             = NULL;
  const char *what = bf_map_file(path, &file);
  if (what) {
    bf_diag_add(diags, BF_ERROR, 201, (bf_where){0}, "cannot open '%s': %s", path, what);
    return BF_FAIL(BF_E_MODEL, "cannot open '%s': %s", path, what);
  }
  const bf_err err = bf_msh_read(path, file.at, file.size, file.at, diags, out);
  bf_unmap_file(&file);
  return err;
}
