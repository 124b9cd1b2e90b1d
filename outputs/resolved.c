/* outputs/resolved.c - deck.resolved.yaml: the deck with every default */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/result.h"
#include <string.h>

bf_err bf_write_resolved(const bf_result *r, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(r && r->resolved_text, BF_E_ARG, "no deck to write");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_write(f, r->resolved_text, strlen(r->resolved_text));
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
