/* outputs/matrix/mtx_symmetric.c - see mtx_symmetric.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/matrix/mtx_symmetric.h"
#include "outputs/atomic_file.h"
#include <string.h>

bf_err bf_write_mtx_symmetric(const char *path, const char *comment, bf_int n, const double *X)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(path && X && n >= 1, BF_E_ARG, "null argument");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "%%%%MatrixMarket matrix array real symmetric\n");
  for (const char *s = comment; s && *s; s += strcspn(s, "\n"), s += *s == '\n')
    bf_atomic_file_print(f, "%% %.*s\n", (int)strcspn(s, "\n"), s);
  bf_atomic_file_print(f, "%d %d\n", (int)n, (int)n);
  for (bf_int j = 0; j < n; j++)
    for (bf_int i = j; i < n; i++) bf_atomic_file_print(f, "%.17g\n", X[(size_t)j * (size_t)n + (size_t)i]);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
