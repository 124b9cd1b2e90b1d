/* base/diag.c - see diag.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/memory.h"
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static char *format(const char *fmt, va_list args)
{
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  char *s = n >= 0 ? bf_host_alloc((size_t)n + 1, 1) : NULL;
  if (s) vsnprintf(s, (size_t)n + 1, fmt, args);
  return s;
}

void bf_diag_add(bf_diags *d, bf_severity severity, int code, bf_where where, const char *fmt, ...)
{
  if (severity == BF_ERROR && d->errors++ >= BF_DIAG_MAX_ERRORS) return;
  if (severity == BF_WARNING) d->warnings++;
  if (d->count == d->capacity) {
    const int capacity = d->capacity ? 2 * d->capacity : 8;
    bf_diag  *item     = bf_host_realloc(d->item, (size_t)capacity, sizeof *item);
    if (!item) return;
    d->item     = item;
    d->capacity = capacity;
  }
  va_list args;
  va_start(args, fmt);
  d->item[d->count++] = (bf_diag){.severity = severity,
                                  .code     = code,
                                  .file     = where.file ? bf_host_strdup(where.file) : NULL,
                                  .line     = where.line,
                                  .column   = where.column,
                                  .text     = format(fmt, args)};
  va_end(args);
}

void bf_diags_clear(bf_diags *d)
{
  for (int i = 0; i < d->count; i++) {
    bf_host_free(d->item[i].file);
    bf_host_free(d->item[i].text);
  }
  bf_host_free(d->item);
  *d = (bf_diags){0};
}

static int same_text(const char *a, const char *b)
{
  return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

void bf_diags_unique(bf_diags *d, int first)
{
  int kept = first;
  for (int i = first; i < d->count; i++) {
    bf_diag *now = &d->item[i];
    int      old = 0;
    for (int k = 0; k < kept && now->severity != BF_ERROR && !old; k++) {
      const bf_diag *e = &d->item[k];
      old              = e->severity == now->severity && e->code == now->code && e->line == now->line &&
            e->column == now->column && same_text(e->file, now->file) && same_text(e->text, now->text);
    }
    if (old) {
      d->warnings -= now->severity == BF_WARNING;
      bf_host_free(now->file);
      bf_host_free(now->text);
    } else {
      d->item[kept++] = *now;
    }
  }
  if (kept < d->count) d->count = kept;
}

const char *bf_where_text(bf_where at, bf_where from, char text[BF_WHERE_TEXT])
{
  const char *file = at.file ? at.file : "the deck";
  if (at.line == 0)
    snprintf(text, BF_WHERE_TEXT, "%s", file);
  else if (!at.file || !from.file || strcmp(file, from.file) == 0)
    snprintf(text, BF_WHERE_TEXT, "line %lld", (long long)at.line);
  else
    snprintf(text, BF_WHERE_TEXT, "%.200s:%lld", file, (long long)at.line);
  return text;
}

enum {
  WINDOW = 400,
  BEFORE = 200
}; /* characters of a line that are printed; of a long one before the caret */

typedef struct excerpt { /* of one line */
  char text[4 * WINDOW + 1];
  int  first, more; /* first character, from 1; the line continues */
} excerpt;

/* Moves to the beginning of a line; lines end as in YAML: \n, \r\n, \r.  A byte order mark is no character.
 */
static int go_to_line(FILE *f, int64_t line)
{
  char mark[3]; /* byte order mark of UTF-8 */
  if (fread(mark, 1, sizeof mark, f) != sizeof mark || memcmp(mark, "\xEF\xBB\xBF", sizeof mark) != 0)
    rewind(f);
  for (int64_t at = 1; at < line;) {
    const int c = fgetc(f);
    if (c == EOF || c == 0) return 0;
    if (c == '\r') {
      const int next = fgetc(f);
      if (next != '\n') ungetc(next, f);
    }
    at += c == '\n' || c == '\r';
  }
  return 1;
}

/* The part of the line that contains the column, with tabs as blanks; 0 if the file cannot be read again or
 * is not text.
 */
static int source_excerpt(const bf_diag *d, excerpt *e)
{
  struct stat st; /* a pipe cannot be read again */
  FILE       *f = stat(d->file, &st) == 0 && S_ISREG(st.st_mode) ? fopen(d->file, "rb") : NULL;
  size_t      n = 0;
  int         c = 0, at = 0;
  if (!f) return 0;
  e->first        = d->column > WINDOW - BEFORE / 2 ? d->column - BEFORE : 1;
  const int found = go_to_line(f, d->line);
  while (found && (c = fgetc(f)) != EOF && c && c != '\n' && c != '\r') {
    at += (c & 0xC0) != 0x80;
    if (at >= e->first + WINDOW) break;
    if (at >= e->first && n < sizeof e->text - 1) e->text[n++] = (char)(c == '\t' ? ' ' : c);
  }
  fclose(f);
  e->text[n] = '\0';
  e->more    = at >= e->first + WINDOW;
  return found && c != 0 && (c != EOF || at > 0) && d->column <= at + 1;
}

void bf_diag_print(const bf_diag *d, FILE *out)
{
  static const char *const word[]   = {"error", "warning", "note"};
  static const char        letter[] = {'E', 'W', 'N'};
  if (d->file) fprintf(out, "%s:", d->file);
  if (d->file && d->line > 0) fprintf(out, "%lld:", (long long)d->line);
  if (d->file && d->line > 0 && d->column > 0) fprintf(out, "%d:", d->column);
  fprintf(out, "%s%s %c%03d: %s\n", d->file ? " " : "", word[d->severity], letter[d->severity], d->code,
          d->text ? d->text : "(no memory for the message)");
  excerpt e;
  if (!d->file || d->column <= 0 || !source_excerpt(d, &e)) return;
  const int cut = e.first > 1 ? 3 : 0;
  fprintf(out, "  %s%s%s\n  %*s\n", cut ? "..." : "", e.text, e.more ? "..." : "",
          d->column - e.first + 1 + cut, "^");
}

void bf_diags_print(const bf_diags *d, int first, FILE *out)
{
  for (int i = first; i < d->count; i++) bf_diag_print(&d->item[i], out);
  if (d->errors > BF_DIAG_MAX_ERRORS)
    fprintf(out, "... and %d more errors\n", d->errors - BF_DIAG_MAX_ERRORS);
}

bf_err bf_diags_status(const bf_diags *d)
{
  for (int i = 0; i < d->count; i++) {
    if (d->item[i].severity != BF_ERROR) continue;
    const int c = d->item[i].code / 100;
    return c == 1 ? BF_E_INPUT : c == 4 ? BF_E_DEVICE : c == 6 ? BF_E_FILE : BF_E_MODEL;
  }
  return d->errors ? BF_E_MEMORY : BF_OK;
}

static int edit_distance(const char *a, const char *b)
{
  enum { MAX = 63 };
  const size_t n = strlen(a), m = strlen(b);
  int          row[MAX + 1];
  if (n > MAX || m > MAX) return MAX;
  for (size_t j = 0; j <= m; j++) row[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0]       = (int)i;
    for (size_t j = 1; j <= m; j++) {
      const int up      = row[j];
      const int replace = diagonal + (a[i - 1] != b[j - 1]);
      const int insert  = 1 + (up < row[j - 1] ? up : row[j - 1]);
      row[j]            = replace < insert ? replace : insert;
      diagonal          = up;
    }
  }
  return row[m];
}

const char *bf_nearest(const char *word, const char *const *names, int count)
{
  const char *best  = NULL;
  int         limit = (int)strlen(word) / 3 + 1;
  for (int i = 0; i < count; i++) {
    if (strcasecmp(word, names[i]) == 0) return names[i];
    const int distance = edit_distance(word, names[i]);
    if (distance <= limit && distance < (int)strlen(word) && (!best || distance < limit)) {
      best  = names[i];
      limit = distance;
    }
  }
  return best;
}
