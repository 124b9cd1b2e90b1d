/* tests/fuzz/say.h - diagnostics of any input can be shown: as text, and as lines of JSON */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_FUZZ_SAY_H
#define BF_FUZZ_SAY_H
#include "base/diag.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

/* Every line is an object and holds no control characters. */
static inline void fuzz_is_json_lines(const char *s, size_t n)
{
  static const char begin[] = "{\"severity\": \"";
  for (size_t at = 0; at < n;) {
    const char *end = memchr(s + at, '\n', n - at);
    FUZZ_MUST(end, "a JSON line has no end");
    const size_t length = (size_t)(end - s) - at;
    FUZZ_MUST(length > sizeof begin && memcmp(s + at, begin, sizeof begin - 1) == 0 && end[-1] == '}',
              "not an object: %.*s", (int)length, s + at);
    for (size_t i = 0; i < length; i++)
      FUZZ_MUST((unsigned char)s[at + i] >= 0x20, "a control character in: %.*s", (int)length, s + at);
    at += length + 1;
  }
}

/* Prints all of them in both forms into memory; each has words. */
static inline void fuzz_say(const bf_diags *d)
{
  for (int json = 0; json < 2; json++) {
    char  *text = NULL;
    size_t size = 0;
    FILE  *f    = open_memstream(&text, &size);
    if (!f) return;
    if (json)
      bf_diags_print_json(d, 0, f);
    else
      bf_diags_print(d, 0, f);
    fclose(f);
    FUZZ_MUST(d->count == 0 || size > 0, "%d diagnostics without a word", d->count);
    if (json) fuzz_is_json_lines(text, size);
    free(text);
  }
  for (int i = 0; i < d->count; i++)
    FUZZ_MUST(d->item[i].text && d->item[i].text[0], "diagnostic %d has no words", i);
}
#endif
