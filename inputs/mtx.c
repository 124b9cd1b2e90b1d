/* inputs/mtx.c - see mtx.h: reads the file, adds the entries implied by symmetry */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/map_file.h"
#include "base/memory.h"
#include "inputs/mtx_internal.h"
#include <string.h>
#include <sys/mman.h>

void bf_mtx_destroy(bf_mtx **A)
{
  if (!A || !*A) return;
  bf_host_free((*A)->row);
  bf_host_free((*A)->col);
  bf_host_free((*A)->val);
  bf_host_free(*A);
  *A = NULL;
}

static bf_err read_text(bf_mtx_text *t, bf_mtx **out)
{
  bf_err  err = BF_OK;
  bf_mtx *A   = NULL;
  BF_GO(BF_NEW(A));
  if (t->begin == t->end) BF_GO(bf_mtx_fail(t, t->begin, 221, "the file is empty, not a Matrix Market file"));
  BF_GO(bf_mtx_header(t, A));
  A->nentries = A->listed;
  A->bytes    = t->end - t->begin;
  if (A->layout == BF_MTX_COORDINATE) {
    BF_GO(BF_NEW_ARRAY(A->row, A->listed));
    BF_GO(BF_NEW_ARRAY(A->col, A->listed));
  }
  if (A->field != BF_MTX_PATTERN) BF_GO(BF_NEW_ARRAY(A->val, A->listed));
  BF_GO(bf_mtx_entries(t, A));
  *out = A;
  A    = NULL;
done:
  bf_mtx_destroy(&A);
  return err;
}

bf_err bf_mtx_read_memory(const char *name, const void *data, size_t size, bf_diags *diags, bf_mtx **out)
{
  BF_CHECK(name && (data || size == 0) && diags && out, BF_E_ARG, "null argument");
  *out              = NULL;
  const char *begin = data ? data : "";
  const int   mark  = size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0;
  bf_mtx_text t     = {.path = name, .diags = diags, .begin = begin + (mark ? 3 : 0), .end = begin + size};
  t.p               = t.begin;
  return read_text(&t, out);
}

bf_err bf_mtx_read(const char *path, bf_diags *diags, bf_mtx **out)
{
  bf_mapped file;
  BF_CHECK(path && diags && out, BF_E_ARG, "null argument");
  *out             = NULL;
  const char *what = bf_map_file(path, &file);
  if (what) {
    bf_diag_add(diags, BF_ERROR, 221, (bf_where){0}, "cannot open '%s': %s", path, what);
    return BF_FAIL(BF_E_MODEL, "cannot open '%s': %s", path, what);
  }
  if (file.at) posix_madvise(file.at, file.size, POSIX_MADV_SEQUENTIAL);
  const bf_err err = bf_mtx_read_memory(path, file.at, file.size, diags, out);
  bf_unmap_file(&file);
  return err;
}

/* Allocates `count` entries. */
static bf_err grow(bf_mtx *A, int64_t count)
{
  bf_int *row = bf_host_realloc(A->row, (size_t)count, sizeof *row);
  if (row) A->row = row;
  bf_int *col = bf_host_realloc(A->col, (size_t)count, sizeof *col);
  if (col) A->col = col;
  double *val = bf_host_realloc(A->val, (size_t)count, sizeof *val);
  if (val) A->val = val;
  BF_CHECK(row && col && val, BF_E_MEMORY, "no memory for %lld entries", (long long)count);
  return BF_OK;
}

/* An array's values as entries: columns one after the other, of the whole or from the diagonal down. */
static bf_err array_to_entries(bf_mtx *A)
{
  const int skip = A->symmetry == BF_MTX_SKEW;
  int64_t   k = 0, kept = 0;
  BF_TRY(grow(A, A->nentries));
  for (bf_int j = 0; j < A->ncols; j++)
    for (bf_int i = A->symmetry == BF_MTX_GENERAL ? 0 : j + skip; i < A->nrows; i++, k++) {
      if (A->val[k] == 0.0) continue;
      A->row[kept]   = i;
      A->col[kept]   = j;
      A->val[kept++] = A->val[k];
    }
  A->nentries = kept;
  return BF_OK;
}

static int expanded(const bf_mtx *A)
{
  return A->row && A->val && (A->symmetry == BF_MTX_GENERAL || A->mirrored);
}

bf_err bf_mtx_expand(bf_mtx *A)
{
  BF_CHECK(A, BF_E_ARG, "null argument");
  if (expanded(A)) return BF_OK;
  if (!A->row) BF_TRY(array_to_entries(A));
  const int64_t n       = A->nentries;
  const double  sign    = A->symmetry == BF_MTX_SKEW ? -1.0 : 1.0;
  const int     pattern = !A->val;
  int64_t       mirror  = 0;
  for (int64_t k = 0; k < n && A->symmetry != BF_MTX_GENERAL; k++) mirror += A->row[k] != A->col[k];
  BF_TRY(grow(A, n + mirror));
  for (int64_t k = 0; k < n && pattern; k++) A->val[k] = 1.0;
  for (int64_t k = 0, at = n; k < n && mirror; k++) {
    if (A->row[k] == A->col[k]) continue;
    A->row[at]   = A->col[k];
    A->col[at]   = A->row[k];
    A->val[at++] = sign * A->val[k];
  }
  A->nentries = n + mirror;
  A->mirrored = 1;
  return BF_OK;
}

bf_err bf_mtx_vector(const bf_mtx *A, double *x)
{
  BF_CHECK(A && x && A->ncols == 1, BF_E_ARG, "not a vector");
  for (bf_int i = 0; i < A->nrows; i++) x[i] = 0.0;
  for (int64_t k = 0; k < A->nentries; k++) x[A->row ? A->row[k] : k] += A->val ? A->val[k] : 1.0;
  return BF_OK;
}
