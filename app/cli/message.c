/* app/cli/message.c - see message.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/message.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int bf_say_option(const char *word)
{
  return strcmp(word, "--errors=json") == 0 || strcmp(word, "--errors=text") == 0;
}

int bf_say_json(int argc, char **argv)
{
  int json = 0;
  for (int i = 0; i < argc; i++)
    if (bf_say_option(argv[i])) json = strcmp(argv[i], "--errors=json") == 0;
  return json;
}

const char *bf_say_word(const char *path, char *buf, size_t size)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+,:=@%-";
  size_t            n       = 0;
  if (path[0] && path[strspn(path, plain)] == '\0') {
    snprintf(buf, size, "%s", path);
    return buf;
  }
  buf[n++] = '\'';
  for (const char *s = path; *s && n + 6 < size; s++) {
    if (*s == '\'') {
      memcpy(buf + n, "'\\'", 3); /* a quote becomes '\'' */
      n += 3;
    }
    buf[n++] = *s;
  }
  buf[n++] = '\'';
  buf[n]   = '\0';
  return buf;
}

void bf_say_diags(const bf_diags *d, int first, int json)
{
  if (json)
    bf_diags_print_json(d, first, stderr);
  else
    bf_diags_print(d, first, stderr);
}

void bf_say(int json, const char *fmt, ...)
{
  char    text[4096]; /* longer words are cut */
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (json)
    bf_diag_print_json(&(bf_diag){.severity = BF_ERROR, .text = text}, stderr);
  else
    fprintf(stderr, "bandfem%s%s\n", text[0] == ':' ? "" : " ", text);
}
