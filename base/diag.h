/* base/diag.h - errors in the user's files: code, place and text, collected and printed together
 *
 * Codes by class: 1xx deck, 2xx mesh, 3xx model, 4xx device and memory, 5xx numerics, 6xx files.
 * A diagnostic is printed as
 *     deck.yaml:14:5: error E101: unknown key 'methud' in 'solver'; did you mean 'method'? ...
 * followed by the source line, or the part of a long one, and a caret where the file can be read again.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DIAG_H
#define BF_DIAG_H
#include "base/err.h"
#include <stdio.h>

typedef struct bf_where { /* a place in a file; line and column count from 1, 0 = not known */
  const char *file; /* borrowed: valid as long as the deck or mesh reader that names it; NULL = no file */
  int64_t     line;
  int         column;
} bf_where;

/* The text of a place in a message located at `from`: "line 12" in the same file, else "part.yaml:12", or the
 * file alone where the line is not known. */
enum { BF_WHERE_TEXT = 256 };
const char *bf_where_text(bf_where at, bf_where from, char text[BF_WHERE_TEXT]);

typedef enum { BF_ERROR, BF_WARNING, BF_NOTE } bf_severity;

typedef struct bf_diag {
  bf_severity severity;
  int         code; /* 101, 203, ... */
  char       *file; /* owned copy, or NULL */
  int64_t     line;
  int         column;
  char       *text; /* owned */
} bf_diag;

enum { BF_DIAG_MAX_ERRORS = 20 };

typedef struct bf_diags { /* zero-initialise, then bf_diags_clear at the end */
  bf_diag *item;          /* owned [count] */
  int      count, capacity;
  int      errors, warnings; /* number of all errors reported, beyond the maximum too */
} bf_diags;

/* Adds one.  Errors past BF_DIAG_MAX_ERRORS are counted and not stored. Never fails: without memory only the
 * count changes. */
void bf_diag_add(bf_diags *d, bf_severity severity, int code, bf_where where, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
void bf_diags_clear(bf_diags *d);
/* Removes warnings and notes from the first on that repeat an earlier one word for word. */
void bf_diags_unique(bf_diags *d, int first);

/* Writes one diagnostic with its source line and caret, or all of them from the first on. */
void bf_diag_print(const bf_diag *d, FILE *out);
void bf_diags_print(const bf_diags *d, int first, FILE *out);

/* The same for programs (diag_json.c), one JSON object a line:
 *     {"severity": "error", "code": "E101", "file": "deck.yaml", "line": 14, "column": 5, "text": "..."}
 * null where something is not known, also for code 0; bytes that are not UTF-8 become U+FFFD. */
void bf_diag_print_json(const bf_diag *d, FILE *out);
void bf_diags_print_json(const bf_diags *d, int first, FILE *out);

/* BF_E_INPUT for an error below 200, BF_E_MODEL for 2xx and 3xx, BF_E_DEVICE for 4xx, BF_E_FILE for 6xx,
 * BF_OK if there is none: the status to return after diagnostics were collected; decided by the first error.
 */
bf_err bf_diags_status(const bf_diags *d);

/* Nearest of `count` names to `word` by edit distance, or NULL if none is near (at most a third of its
 * letters and one, never all). */
const char *bf_nearest(const char *word, const char *const *names, int count);
#endif
