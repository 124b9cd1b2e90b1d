/* app/info/msh_sections.c - see info.h: the sections of a mesh that cannot be read
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/info/info.h"
#include "base/map_file.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 40, WORDS = 44, MOST = 20 };

/* "$Name" on a line of its own: its length without the $, else 0. */
static int section_name(const char *line)
{
  size_t n = 0;
  if (line[0] != '$') return 0;
  while (isalnum((unsigned char)line[1 + n]) && n < NAME) n++;
  return line[1 + n + strspn(line + 1 + n, " \r\n")] == '\0' ? (int)n : 0;
}

/* The printable part of a line. */
static void words(const char *line, char out[WORDS + 1])
{
  int n = 0;
  for (; line[n] && line[n] != '\r' && line[n] != '\n' && n < WORDS; n++)
    out[n] = line[n] >= ' ' && line[n] < 127 ? line[n] : '.';
  out[n] = '\0';
}

void bf_info_sections(const char *path)
{
  bf_mapped file;
  FILE     *f = !bf_map_file(path, &file) && file.size ? fmemopen(file.at, file.size, "rb") : NULL;
  char      line[256], name[NAME + 1] = "", text[WORDS + 1];
  int64_t   number = 0;
  int shown = 0, whole = 1, after = 0; /* whole: the last line was complete; after: the name of a section */
  while (f && shown < MOST && fgets(line, sizeof line, f)) {
    const int begins = whole, n = begins ? section_name(line) : 0;
    whole = strchr(line, '\n') != NULL;
    number += begins;
    if (after && !n) {
      words(line, text);
      printf(": %s\n", text);
    } else if (after) {
      puts("");
    }
    after = 0;
    if (!n) continue;
    if (n > 3 && strncmp(line + 1, "End", 3) == 0) {
      if (strncmp(line + 4, name, (size_t)n - 3) == 0) name[0] = '\0';
      continue;
    }
    snprintf(name, sizeof name, "%.*s", n, line + 1);
    printf("%s line %lld $%s", shown++ ? "         " : "sections ", (long long)number, name);
    after = 1;
  }
  if (after) puts("");
  if (name[0]) printf("          $%s: the end of the section is missing\n", name);
  if (f) fclose(f);
  bf_unmap_file(&file);
}
