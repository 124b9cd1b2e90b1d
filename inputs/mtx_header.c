/* inputs/mtx_header.c - banner and size line of a Matrix Market file
 *
 * A file of another type is named by its first bytes. Counts are compared with the remaining bytes before
 * memory is allocated.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/decimal.h"
#include "inputs/mtx_internal.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char banner[] = "%%MatrixMarket";
static const char form[] =
    "'%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric'";

static const char *const layouts[]    = {"coordinate", "array"};
static const char *const fields[]     = {"real", "integer", "pattern", "complex"};
static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

const char *bf_mtx_layout_name(bf_mtx_layout layout)
{
  return layouts[layout];
}
const char *bf_mtx_field_name(bf_mtx_field field)
{
  return fields[field];
}
const char *bf_mtx_symmetry_name(bf_mtx_symmetry symmetry)
{
  return symmetries[symmetry];
}

static int starts_with(const bf_mtx_text *t, const char *text, size_t n)
{
  return (size_t)(t->end - t->begin) >= n && memcmp(t->begin, text, n) == 0;
}

/* Other types of files, by their first bytes. */
static const char *other_file_type(const bf_mtx_text *t)
{
  static const struct {
    const char *bytes;
    size_t      n;
    const char *words;
  } known[] = {
      {"version https://git-lfs", 23, "; looks like a Git LFS pointer: fetch the file with 'git lfs pull'"},
      {"<", 1, "; looks like a web page or XML, not the file itself"},
      {"\x1f\x8b", 2, "; looks compressed: unpack it with gunzip (a .tar.gz with tar xzf)"},
      {"BZh", 3, "; looks compressed: unpack it with bunzip2"},
      {"\xfd"
       "7zXZ",
       5, "; looks compressed: unpack it with unxz"},
      {"PK\x03\x04", 4, "; looks like a ZIP archive: unpack it"},
      {"MATLAB 5.0 MAT", 14, "; looks like a .mat file: write it with mmwrite"},
      {"\x89HDF", 4, "; looks like HDF5"},
      {"\xff\xfe", 2, "; looks like a text in UTF-16: save it as ASCII or UTF-8"},
      {"\xfe\xff", 2, "; looks like a text in UTF-16: save it as ASCII or UTF-8"},
      {"$MeshFormat", 11, "; looks like a Gmsh mesh: use it as mesh.file of a deck"},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (starts_with(t, known[k].bytes, known[k].n)) return known[k].words;
  return "";
}

/* Reports a first word that is not the banner. */
static bf_err no_banner(bf_mtx_text *t)
{
  char        line[61], word[BF_MTX_WORD];
  size_t      n     = 0;
  const char *looks = other_file_type(t);
  bf_mtx_text rest  = *t;
  rest.p            = t->begin;
  if (!bf_mtx_next_line(&rest) && memchr(t->begin, '%', (size_t)(t->end - t->begin)) == NULL)
    return bf_mtx_fail(t, t->begin, 221, "the file has only blanks, it is not a Matrix Market file");
  for (; n < sizeof line - 1 && !bf_mtx_line_end(t, t->begin + n); n++)
    line[n] = t->begin[n] >= ' ' && t->begin[n] < 127 ? t->begin[n] : '?';
  line[n] = '\0';
  if (looks[0])
    return bf_mtx_fail(t, t->begin, 221, "not a Matrix Market file (first line '%s')%s", line, looks);
  const char *const names[] = {banner, "%MatrixMarket", "MatrixMarket", "%%Matrix"};
  if (bf_nearest(bf_mtx_word(t, t->begin, word), names, 4))
    return bf_mtx_fail(t, t->begin, 221, "the banner begins with '%s'; did you mean '%s'?", word, banner);
  return bf_mtx_fail(t, t->begin, 221, "banner missing: the first line must be %s, found '%s'", form, line);
}

/* Number of the next word of the banner among n, of which the first `read` are supported; -1 after an error.
 */
static int banner_word(bf_mtx_text *t, const char *what, const char *const *names, int n, int read,
                       const char **at)
{
  char word[BF_MTX_WORD], valid[120] = "";
  bf_mtx_skip_blanks(t);
  *at = t->p;
  for (int k = 0; k < read; k++)
    snprintf(valid + strlen(valid), sizeof valid - strlen(valid), "%s%s", k ? ", " : "", names[k]);
  if (bf_mtx_line_end(t, t->p)) {
    (void)bf_mtx_fail(t, t->p, 222, "the banner ends before its %s; valid: %s", what, valid);
    return -1;
  }
  (void)bf_mtx_word(t, t->p, word);
  while (!bf_mtx_word_end(t, t->p)) t->p++;
  const size_t length = (size_t)(t->p - *at);
  for (int k = 0; k < n; k++)
    if (length == strlen(names[k]) && strcasecmp(word, names[k]) == 0) return k;
  const char *near = bf_nearest(word, names, read);
  for (int k = 0; k < read && !near; k++) /* "skew" */
    if (strncasecmp(word, names[k], length) == 0) near = names[k];
  (void)bf_mtx_fail(t, *at, 222, "unknown %s '%s';%s%s%s valid: %s", what, word,
                    near ? " did you mean '" : "", near ? near : "", near ? "'?" : "", valid);
  return -1;
}

static bf_err read_banner(bf_mtx_text *t, bf_mtx *A)
{
  static const char *const objects[] = {"matrix", "vector"};
  const char              *at, *field_at, *symmetry_at;
  const size_t             n = sizeof banner - 1;
  if ((size_t)(t->end - t->begin) < n || strncasecmp(t->begin, banner, n) != 0 ||
      !bf_mtx_word_end(t, t->begin + n))
    return no_banner(t);
  t->p             = t->begin + n;
  const int object = banner_word(t, "object", objects, 2, 1, &at);
  if (object < 0) return BF_E_MODEL;
  if (object == 1)
    return bf_mtx_fail(t, at, 222,
                       "'vector' is not supported: a vector is a 'matrix array real general' of one column");
  const int layout = banner_word(t, "layout", layouts, 2, 2, &at);
  if (layout < 0) return BF_E_MODEL;
  const int field = banner_word(t, "field", fields, 4, 3, &field_at);
  if (field < 0) return BF_E_MODEL;
  if (field == 3)
    return bf_mtx_fail(t, field_at, 222, "complex matrices are not supported: bandfem solves real systems");
  const int symmetry = banner_word(t, "symmetry", symmetries, 4, 3, &symmetry_at);
  if (symmetry < 0) return BF_E_MODEL;
  if (symmetry == 3)
    return bf_mtx_fail(t, symmetry_at, 222,
                       "hermitian matrices are not supported: they are complex; a real one is 'symmetric'");
  if (field == BF_MTX_PATTERN && layout == BF_MTX_ARRAY)
    return bf_mtx_fail(t, field_at, 222, "an array lists values, it cannot be a 'pattern'");
  if (field == BF_MTX_PATTERN && symmetry == BF_MTX_SKEW)
    return bf_mtx_fail(t, symmetry_at, 222, "a 'pattern' has no signs, it cannot be 'skew-symmetric'");
  bf_mtx_skip_blanks(t);
  if (!bf_mtx_line_end(t, t->p)) return bf_mtx_expected(t, 222, "the end of the line after the banner");
  A->layout   = (bf_mtx_layout)layout;
  A->field    = (bf_mtx_field)field;
  A->symmetry = (bf_mtx_symmetry)symmetry;
  return BF_OK;
}

/* A whole number at t->p, at *at; with too many digits: the largest integer. */
static bf_err size_number(bf_mtx_text *t, const char *what, int64_t *v, const char **at)
{
  bf_mtx_skip_blanks(t);
  *at           = t->p;
  const char *s = bf_decimal_int(t->p, t->end, v);
  if (!s) {
    for (s = *at; s < t->end && *s >= '0' && *s <= '9'; s++) {}
    *v = INT64_MAX;
  }
  if (s == *at || !bf_mtx_word_end(t, s)) return bf_mtx_expected(t, 223, what);
  t->p = s;
  return BF_OK;
}

static bf_err size_in_range(const bf_mtx_text *t, const char *what, int64_t v, int64_t least, int64_t most,
                            const char *at)
{
  char word[BF_MTX_WORD];
  if (v < least)
    return bf_mtx_fail(t, at, 223, "%s %s: at least %lld", bf_mtx_word(t, at, word), what, (long long)least);
  if (v > most)
    return bf_mtx_fail(t, at, 223, "%s %s: at most %lld", bf_mtx_word(t, at, word), what, (long long)most);
  return BF_OK;
}

/* Number of listed entries of an array: all, or the lower triangle. */
static int64_t array_entries(const bf_mtx *A)
{
  const int64_t n = A->nrows;
  if (A->symmetry == BF_MTX_GENERAL) return n * A->ncols;
  return A->symmetry == BF_MTX_SYMMETRIC ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

/* An entry has at least one character for each number and one separator. A file that is too small but has
 * enough lines has a line that is too short: the reader of the entries reports it. */
static bf_err plausible(const bf_mtx_text *t, const bf_mtx *A, const char *at)
{
  const int     numbers = A->layout == BF_MTX_ARRAY ? 1 : A->field == BF_MTX_PATTERN ? 2 : 3;
  const int64_t left    = t->end - t->p;
  if (A->listed <= (left + 1) / (2 * numbers)) return BF_OK;
  bf_mtx_text body = *t;
  bf_mtx_skip_line(&body);
  const int64_t lines = bf_mtx_lines_left(body);
  if (lines >= A->listed) return BF_OK;
  return bf_mtx_fail(t, at, 225,
                     "the size line announces %lld entr%s, the file has %lld; it may be truncated",
                     (long long)A->listed, A->listed == 1 ? "y" : "ies", (long long)lines);
}

static bf_err read_size(bf_mtx_text *t, bf_mtx *A)
{
  enum { MOST = INT32_MAX - 64 }; /* limit of a matrix in kernels/ */
  const int   array = A->layout == BF_MTX_ARRAY;
  const char *rows_at, *cols_at,
      *after = array ? "the end of the line after rows and columns"
                     : "the end of the line after rows, columns and entries";
  int64_t rows, cols;
  bf_mtx_skip_line(t);
  if (!bf_mtx_next_line(t))
    return bf_mtx_expected(t, 223,
                           array ? "the size line 'rows columns'" : "the size line 'rows columns entries'");
  BF_TRY(size_number(t, "the number of rows", &rows, &rows_at));
  BF_TRY(size_in_range(t, "rows", rows, 1, MOST, rows_at));
  BF_TRY(size_number(t, "the number of columns", &cols, &cols_at));
  BF_TRY(size_in_range(t, "columns", cols, 1, MOST, cols_at));
  A->nrows    = (bf_int)rows;
  A->ncols    = (bf_int)cols;
  t->count_at = cols_at;
  if (rows != cols && A->symmetry != BF_MTX_GENERAL)
    return bf_mtx_fail(t, cols_at, 223, "a '%s' matrix is square, this one is %d x %d",
                       symmetries[A->symmetry], A->nrows, A->ncols);
  if (array) {
    A->listed = array_entries(A);
  } else {
    BF_TRY(size_number(t, "the number of entries", &A->listed, &t->count_at));
    BF_TRY(size_in_range(t, "entries", A->listed, 0, INT64_MAX / 64, t->count_at));
  }
  bf_mtx_skip_blanks(t);
  if (!bf_mtx_line_end(t, t->p)) return bf_mtx_expected(t, 223, after);
  BF_TRY(plausible(t, A, t->count_at));
  A->size_line = bf_mtx_line_of(t, t->count_at);
  return BF_OK;
}

bf_err bf_mtx_header(bf_mtx_text *t, bf_mtx *A)
{
  BF_TRY(read_banner(t, A));
  return read_size(t, A);
}
