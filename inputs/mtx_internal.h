/* inputs/mtx_internal.h - reader of Matrix Market files (private to inputs/mtx*.c)
 *
 *   mtx.c          the file, the order of its parts, functions on the result
 *   mtx_header.c   banner and size line
 *   mtx_entries.c  the body
 *   mtx_text.c     places, lines, words, errors
 *   mtx_find.c     the place of an entry in the file, for messages
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_MTX_INTERNAL_H
#define BF_MTX_INTERNAL_H
#include "inputs/mtx.h"

typedef struct bf_mtx_text {
  const char *path;        /* borrowed */
  bf_diags   *diags;       /* borrowed */
  const char *begin, *end; /* of the text, after a byte order mark */
  const char *p;           /* position of the reader */
  const char *count_at;    /* the last number of the size line */
} bf_mtx_text;

static inline int bf_mtx_blank(char c)
{
  return c == ' ' || c == '\t';
}
static inline int bf_mtx_line_end(const bf_mtx_text *t, const char *s)
{
  return s == t->end || *s == '\n' || *s == '\r';
}

static inline int bf_mtx_word_end(const bf_mtx_text *t, const char *s)
{
  return bf_mtx_line_end(t, s) || bf_mtx_blank(*s);
}

/* Reports an error at `at`; returns BF_E_MODEL. */
bf_err bf_mtx_fail(const bf_mtx_text *t, const char *at, int code, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/* "expected <what>, found '...'" at t->p, the position of the error (blanks are skipped). */
bf_err bf_mtx_expected(bf_mtx_text *t, int code, const char *what);

void    bf_mtx_skip_blanks(bf_mtx_text *t);
void    bf_mtx_skip_line(bf_mtx_text *t); /* to the beginning of the next line */
int     bf_mtx_next_line(bf_mtx_text *t); /* to the next line that is neither a comment nor blank; 0: none */
int64_t bf_mtx_lines_left(bf_mtx_text t); /* number of such lines from t.p, the current one included */
int64_t bf_mtx_line_of(const bf_mtx_text *t, const char *at); /* its number, from 1 */

/* The word at s, printable and cut, for messages. */
enum { BF_MTX_WORD = 40 };
const char *bf_mtx_word(const bf_mtx_text *t, const char *s, char word[BF_MTX_WORD]);

bf_err bf_mtx_header(bf_mtx_text *t,
                     bf_mtx *A); /* all but the entries; `listed` is plausible for the size of the file */
bf_err bf_mtx_entries(bf_mtx_text *t, bf_mtx *A);
#endif
