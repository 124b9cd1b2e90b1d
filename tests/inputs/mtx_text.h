/* tests/inputs/mtx_text.h - Matrix Market files from texts: read well, or with one error of these words at
 * this place */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_INPUTS_MTX_TEXT_H
#define BF_TESTS_INPUTS_MTX_TEXT_H
#include "inputs/mtx.h"
#include "tests/test.h"

/* The bytes are handed over without a zero behind: a read past the end is seen. */
static inline bf_err t_mtx_try(const char *text, size_t size, bf_diags *d, bf_mtx **A)
{
  char *bytes = malloc(size ? size : 1);
  assert_non_null(bytes);
  if (size) memcpy(bytes, text, size);
  const bf_err err = bf_mtx_read_memory("a.mtx", bytes, size, d, A);
  free(bytes);
  return err;
}

static inline bf_mtx *t_mtx(const char *text)
{
  bf_diags d = {0};
  bf_mtx  *A = NULL;
  if (t_mtx_try(text, strlen(text), &d, &A) != BF_OK)
    fail_msg("%d:%d: %s\n%s", (int)d.item[0].line, d.item[0].column, d.item[0].text, text);
  assert_int_equal(d.errors + d.warnings, 0);
  bf_diags_clear(&d);
  return A;
}

static inline void t_mtx_refused_bytes(const char *text, size_t size, int code, int line, int column,
                                       const char *words)
{
  bf_diags      d      = {0};
  bf_mtx       *A      = NULL;
  const int64_t before = bf_memory_live();
  T_ERR(BF_E_MODEL, t_mtx_try(text, size, &d, &A));
  assert_null(A);
  assert_int_equal(d.count, 1);
  if (d.item[0].code != code || d.item[0].line != line || d.item[0].column != column ||
      strcmp(d.item[0].text, words) != 0)
    fail_msg("\nexpected %d:%d: E%d: %s\ngot      %d:%d: E%d: %s\nof       %.300s", line, column, code, words,
             (int)d.item[0].line, d.item[0].column, d.item[0].code, d.item[0].text, text);
  assert_string_equal(d.item[0].file, "a.mtx");
  bf_diags_clear(&d);
  assert_int_equal(bf_memory_live(), before);
}

static inline void t_mtx_refused(const char *text, int code, int line, int column, const char *words)
{
  t_mtx_refused_bytes(text, strlen(text), code, line, column, words);
}
#endif
