/* outputs/json.h - writes JSON, indented, in the order of the calls (private)
 *
 * key NULL inside a list.  Texts are escaped, bytes that are not UTF-8 become U+FFFD; a NULL text, NaN and
 * the infinities become null.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_JSON_H
#define BF_JSON_H
#include "outputs/atomic_file.h"

typedef struct bf_json {        /* start with {file} */
  bf_atomic_file *out;          /* borrowed */
  int             depth, items; /* items in the open object or list so far */
} bf_json;

void bf_json_open(bf_json *j, const char *key, char bracket); /* '{' or '[' */
void bf_json_close(bf_json *j, char bracket);                 /* '}' or ']' */
void bf_json_text(bf_json *j, const char *key, const char *text);
void bf_json_real(bf_json *j, const char *key,
                  double value); /* the shortest of 15 and 17 digits that is exact */
void bf_json_int(bf_json *j, const char *key, int64_t value);
void bf_json_bool(bf_json *j, const char *key, int value);
void bf_json_reals(bf_json *j, const char *key, int count, const double *value); /* on one line */
#endif
