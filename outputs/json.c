/* outputs/json.c - see json.h; RFC 8259 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/json.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void quoted(bf_json *j, const char *text)
{
  const unsigned char *s = (const unsigned char *)text;
  bf_atomic_file_write(j->out, "\"", 1);
  while (*s) {
    const int n = bf_utf8_length(s);
    if (n == 0)
      bf_atomic_file_print(j->out, "\\ufffd");
    else if (*s == '"' || *s == '\\')
      bf_atomic_file_print(j->out, "\\%c", *s);
    else if (*s == '\n')
      bf_atomic_file_print(j->out, "\\n");
    else if (*s == '\t')
      bf_atomic_file_print(j->out, "\\t");
    else if (*s < 0x20 || *s == 0x7f)
      bf_atomic_file_print(j->out, "\\u%04x", *s);
    else
      bf_atomic_file_write(j->out, s, (size_t)n);
    s += n ? n : 1;
  }
  bf_atomic_file_write(j->out, "\"", 1);
}

/* Comma, new line, indentation and key of the next item. */
static void item(bf_json *j, const char *key)
{
  if (j->items++ > 0) bf_atomic_file_print(j->out, ",");
  if (j->depth > 0) bf_atomic_file_print(j->out, "\n%*s", 2 * j->depth, "");
  if (!key) return;
  quoted(j, key);
  bf_atomic_file_print(j->out, ": ");
}

void bf_json_open(bf_json *j, const char *key, char bracket)
{
  item(j, key);
  bf_atomic_file_print(j->out, "%c", bracket);
  j->depth++;
  j->items = 0;
}

void bf_json_close(bf_json *j, char bracket)
{
  j->depth--;
  if (j->items > 0) bf_atomic_file_print(j->out, "\n%*s", 2 * j->depth, "");
  bf_atomic_file_print(j->out, j->depth ? "%c" : "%c\n", bracket);
  j->items = 1; /* the closed object is an item of its parent */
}

void bf_json_text(bf_json *j, const char *key, const char *text)
{
  item(j, key);
  if (text)
    quoted(j, text);
  else
    bf_atomic_file_print(j->out, "null");
}

static void real(bf_json *j, double value)
{
  char digits[40];
  if (!isfinite(value)) {
    bf_atomic_file_print(j->out, "null");
    return;
  }
  snprintf(digits, sizeof digits, "%.15g", value);
  if (strtod(digits, NULL) != value) snprintf(digits, sizeof digits, "%.17g", value);
  bf_atomic_file_print(j->out, "%s", digits);
}

void bf_json_real(bf_json *j, const char *key, double value)
{
  item(j, key);
  real(j, value);
}

void bf_json_int(bf_json *j, const char *key, int64_t value)
{
  item(j, key);
  bf_atomic_file_print(j->out, "%lld", (long long)value);
}

void bf_json_bool(bf_json *j, const char *key, int value)
{
  item(j, key);
  bf_atomic_file_print(j->out, value ? "true" : "false");
}

void bf_json_reals(bf_json *j, const char *key, int count, const double *value)
{
  item(j, key);
  bf_atomic_file_print(j->out, "[");
  for (int i = 0; i < count; i++) {
    if (i) bf_atomic_file_print(j->out, ", ");
    real(j, value[i]);
  }
  bf_atomic_file_print(j->out, "]");
}
