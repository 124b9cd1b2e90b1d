/* outputs/matrix/mtx_vector.c - see mtx_vector.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/matrix/mtx_vector.h"
#include "outputs/atomic_file.h"
#include <string.h>

bf_err bf_write_mtx_vector(const char *path, const char *comment, bf_int n, const double *x)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(path && x && n >= 0, BF_E_ARG, "null argument");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "%%%%MatrixMarket matrix array real general\n");
  for (const char *s = comment; s && *s; s += strcspn(s, "\n"), s += *s == '\n')
    bf_atomic_file_print(f, "%% %.*s\n", (int)strcspn(s, "\n"), s);
  bf_atomic_file_print(f, "%d 1\n", (int)n);
  for (bf_int i = 0; i < n; i++) bf_atomic_file_print(f, "%.17g\n", x[i]);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
