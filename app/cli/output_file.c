/* app/cli/output_file.c - see output_file.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/output_file.h"
#include "app/cli/interrupt.h"
#include "outputs/atomic_file.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bf_err bf_output_try(bf_diags *diags, const char *path)
{
  bf_atomic_file *f = NULL;
  if (!path) return BF_OK;
  bf_interrupt_hold("interrupted");
  const bf_err err = bf_atomic_file_create(path, &f);
  bf_atomic_file_destroy(&f);
  bf_interrupt_settle();
  if (err == BF_E_FILE) bf_diag_add(diags, BF_ERROR, 601, (bf_where){0}, "%s", bf_err_message());
  return err;
}

bf_err bf_output_remove(bf_diags *diags, const char *path, const char *const *input, int count,
                        const char *work)
{
  struct stat s, t;
  if (!path || stat(path, &s) != 0) return BF_OK;
  for (int i = 0; i < count; i++)
    if (input[i] && stat(input[i], &t) == 0 && s.st_dev == t.st_dev && s.st_ino == t.st_ino) return BF_OK;
  if (unlink(path) == 0) return BF_OK;
  bf_diag_add(diags, BF_ERROR, 601, (bf_where){0}, "cannot remove '%s' of an earlier %s: %s", path, work,
              strerror(errno));
  return BF_FAIL(BF_E_FILE, "cannot remove '%s'", path);
}
