/* inputs/mtx_find.c - location of an entry in a Matrix Market file that was read before, for messages */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include "base/map_file.h"
#include "inputs/mtx_internal.h"
#include <string.h>

/* Indices of the entry at t->p: of a line, or the k-th value of an array. */
static int indices(bf_mtx_text *t, const bf_mtx *A, bf_int *i, bf_int *j)
{
  if (A->layout == BF_MTX_COORDINATE) {
    int64_t     row = 0, col = 0;
    const char *s = bf_decimal_int(t->p, t->end, &row);
    while (s && s < t->end && bf_mtx_blank(*s)) s++;
    s = s ? bf_decimal_int(s, t->end, &col) : NULL;
    if (!s || row < 1 || col < 1 || row > A->nrows || col > A->ncols) return 0;
    *i = (bf_int)(row - 1);
    *j = (bf_int)(col - 1);
    return 1;
  }
  ++*i;
  if (*i < A->nrows) return 1;
  ++*j;
  *i = A->symmetry == BF_MTX_GENERAL ? 0 : *j + (A->symmetry == BF_MTX_SKEW);
  return *i < A->nrows && *j < A->ncols;
}

static void find(bf_mtx_text *t, bf_mtx_predicate is, const void *context, bf_where *at, bf_int *i, bf_int *j)
{
  bf_mtx A = {.nrows = 0};
  bf_int row, col = 0;
  if (bf_mtx_header(t, &A) != BF_OK) return;
  row = A.symmetry == BF_MTX_SKEW ? 0 : -1; /* before the first value of an array */
  bf_mtx_skip_line(t);
  for (int64_t k = 0; k < A.listed && bf_mtx_next_line(t); k++) {
    bf_mtx_skip_blanks(t);
    if (!indices(t, &A, &row, &col)) return;
    if (is(context, row, col)) {
      const char *line = t->p;
      while (line > t->begin && line[-1] != '\n' && line[-1] != '\r') line--;
      at->line   = bf_mtx_line_of(t, t->p);
      at->column = (int)(t->p - line) + 1;
      *i         = row;
      *j         = col;
      return;
    }
    bf_mtx_skip_line(t);
  }
}

bf_err bf_mtx_find(const char *path, bf_mtx_predicate is, const void *context, bf_where *at, bf_int *i,
                   bf_int *j)
{
  bf_mapped file;
  bf_diags  diags = {0};
  BF_CHECK(path && is && at && i && j, BF_E_ARG, "null argument");
  *at = (bf_where){.file = path};
  *i = *j = -1;
  if (bf_map_file(path, &file) != NULL) return BF_OK;
  const char *begin = file.at ? file.at : "";
  const int   mark  = file.size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0;
  bf_mtx_text t = {.path = path, .diags = &diags, .begin = begin + (mark ? 3 : 0), .end = begin + file.size};
  t.p           = t.begin;
  find(&t, is, context, at, i, j);
  bf_diags_clear(&diags);
  bf_unmap_file(&file);
  return BF_OK;
}
