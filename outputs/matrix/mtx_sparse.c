/* outputs/matrix/mtx_sparse.c - see mtx_sparse.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/matrix/mtx_sparse.h"
#include "outputs/atomic_file.h"
#include <string.h>

bf_err bf_write_mtx_sparse(const char *path, const char *comment, bf_int nrows, bf_int ncols, int symmetric,
                           const int64_t *ptr, const bf_int *col, const double *val)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  int64_t         n   = 0;
  BF_CHECK(path && ptr && (ptr[nrows] == 0 || (col && val)), BF_E_ARG, "null argument");
  for (bf_int i = 0; i < nrows; i++)
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) n += !symmetric || col[k] <= i;
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(f, "%%%%MatrixMarket matrix coordinate real %s\n",
                       symmetric ? "symmetric" : "general");
  for (const char *s = comment; s && *s; s += strcspn(s, "\n"), s += *s == '\n')
    bf_atomic_file_print(f, "%% %.*s\n", (int)strcspn(s, "\n"), s);
  bf_atomic_file_print(f, "%d %d %lld\n", (int)nrows, (int)ncols, (long long)n);
  for (bf_int i = 0; i < nrows; i++)
    for (int64_t k = ptr[i]; k < ptr[i + 1]; k++)
      if (!symmetric || col[k] <= i)
        bf_atomic_file_print(f, "%d %d %.17g\n", (int)i + 1, (int)col[k] + 1, val[k]);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
