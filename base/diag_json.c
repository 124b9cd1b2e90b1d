/* base/diag_json.c - diagnostics for programs: one JSON object per line, RFC 8259 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/utf8.h"

static void quoted(FILE *out, const char *text)
{
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    const int n = bf_utf8_length(s);
    if (n == 0)
      fputs("\\ufffd", out);
    else if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7f)
      fprintf(out, "\\u%04x", *s);
    else
      fwrite(s, 1, (size_t)n, out);
    s += n ? n : 1;
  }
  fputc('"', out);
}

static void place(FILE *out, const char *key, int known, int64_t value)
{
  if (known)
    fprintf(out, ", \"%s\": %lld", key, (long long)value);
  else
    fprintf(out, ", \"%s\": null", key);
}

void bf_diag_print_json(const bf_diag *d, FILE *out)
{
  static const char *const word[]   = {"error", "warning", "note"};
  static const char        letter[] = {'E', 'W', 'N'};
  fprintf(out, "{\"severity\": \"%s\", \"code\": ", word[d->severity]);
  if (d->code > 0)
    fprintf(out, "\"%c%03d\"", letter[d->severity], d->code);
  else
    fputs("null", out);
  fputs(", \"file\": ", out);
  quoted(out, d->file);
  const int line = d->file && d->line > 0;
  place(out, "line", line, d->line);
  place(out, "column", line && d->column > 0, d->column);
  fputs(", \"text\": ", out);
  quoted(out, d->text ? d->text : "(no memory for the message)");
  fputs("}\n", out);
}

void bf_diags_print_json(const bf_diags *d, int first, FILE *out)
{
  for (int i = first; i < d->count; i++) bf_diag_print_json(&d->item[i], out);
  if (d->errors <= BF_DIAG_MAX_ERRORS) return;
  char text[64];
  snprintf(text, sizeof text, "... and %d more errors", d->errors - BF_DIAG_MAX_ERRORS);
  bf_diag_print_json(&(bf_diag){.severity = BF_NOTE, .text = text}, out);
}
