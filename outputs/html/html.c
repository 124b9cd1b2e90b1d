/* outputs/html/html.c - see html.h; WHATWG HTML, RFC 4648 (base64), RFC 2397 (data URI) */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "base/utf8.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bf_html_raw(bf_atomic_file *f, const char *markup)
{
  bf_atomic_file_write(f, markup, strlen(markup));
}

static const char *reference(unsigned char c)
{
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return c == 0x7f || (c < 0x20 && c != '\n' && c != '\t') ? "&#xfffd;" : NULL;
  }
}

/* U+FFFE and U+FFFF are no characters of XML. */
static int is_character(const unsigned char *s, int n)
{
  return n > 0 && !(n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
}

void bf_html_text_at_most(bf_atomic_file *f, const char *text, size_t most)
{
  const unsigned char *s = (const unsigned char *)text, *plain = s;
  while (s && *s) {
    const int   n = bf_utf8_length(s);
    const char *r = is_character(s, n) ? reference(*s) : "&#xfffd;";
    if ((size_t)(s - (const unsigned char *)text) >= most) {
      bf_atomic_file_write(f, plain, (size_t)(s - plain));
      bf_html_raw(f, " &#8230;");
      return;
    }
    if (r) {
      bf_atomic_file_write(f, plain, (size_t)(s - plain));
      bf_html_raw(f, r);
    }
    s += n ? n : 1;
    if (r) plain = s;
  }
  if (s) bf_atomic_file_write(f, plain, (size_t)(s - plain));
}

void bf_html_text(bf_atomic_file *f, const char *text)
{
  bf_html_text_at_most(f, text, SIZE_MAX);
}

static void say(bf_atomic_file *f, const char *fmt, va_list args)
{
  char text[1000];
  vsnprintf(text, sizeof text, fmt, args);
  bf_html_text(f, text);
}

void bf_html_say(bf_atomic_file *f, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  say(f, fmt, args);
  va_end(args);
}

void bf_html_section(bf_atomic_file *f, const char *id, const char *title)
{
  bf_html_raw(f, "<section id=\"");
  bf_html_text(f, id);
  bf_html_raw(f, "\">\n<h2>");
  bf_html_text(f, title);
  bf_html_raw(f, "</h2>\n");
}

void bf_html_section_end(bf_atomic_file *f)
{
  bf_html_raw(f, "</section>\n");
}

void bf_html_table(bf_atomic_file *f, const char *headings)
{
  bf_html_raw(f, "<div class=\"wide\"><table>\n");
  if (headings) {
    bf_html_raw(f, "<thead><tr>");
    for (const char *p = headings; *p;) {
      const size_t n      = strcspn(p, "|");
      const int    number = *p == '#';
      bf_html_raw(f, number ? "<th class=\"n\">" : "<th>");
      bf_html_say(f, "%.*s", (int)n - number, p + number);
      bf_html_raw(f, "</th>");
      p += n + (p[n] == '|');
    }
    bf_html_raw(f, "</tr></thead>\n");
  }
  bf_html_raw(f, "<tbody>\n");
}

void bf_html_table_end(bf_atomic_file *f)
{
  bf_html_raw(f, "</tbody></table></div>\n");
}

void bf_html_row(bf_atomic_file *f)
{
  bf_html_raw(f, "<tr>");
}

void bf_html_row_end(bf_atomic_file *f)
{
  bf_html_raw(f, "</tr>\n");
}

void bf_html_cell(bf_atomic_file *f, const char *text)
{
  bf_html_raw(f, "<td>");
  bf_html_text(f, text);
  bf_html_raw(f, "</td>");
}

void bf_html_cell_say(bf_atomic_file *f, const char *fmt, ...)
{
  va_list args;
  bf_html_raw(f, "<td>");
  va_start(args, fmt);
  say(f, fmt, args);
  va_end(args);
  bf_html_raw(f, "</td>");
}

void bf_html_cell_real(bf_atomic_file *f, double value)
{
  bf_html_raw(f, "<td class=\"n\">");
  if (isfinite(value)) bf_atomic_file_print(f, "%.6g", value);
  bf_html_raw(f, "</td>");
}

void bf_html_cell_int(bf_atomic_file *f, int64_t value)
{
  bf_atomic_file_print(f, "<td class=\"n\">%lld</td>", (long long)value);
}

void bf_html_pair(bf_atomic_file *f, const char *key, const char *fmt, ...)
{
  va_list args;
  bf_html_raw(f, "<tr><th scope=\"row\">");
  bf_html_text(f, key);
  bf_html_raw(f, "</th><td>");
  va_start(args, fmt);
  say(f, fmt, args);
  va_end(args);
  bf_html_raw(f, "</td></tr>\n");
}

void bf_html_png(bf_atomic_file *f, const uint8_t *png, size_t n)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bf_html_raw(f, "data:image/png;base64,");
  for (size_t i = 0; i < n; i += 3) {
    const uint32_t b = (uint32_t)png[i] << 16 | (uint32_t)(i + 1 < n ? png[i + 1] : 0) << 8 |
                       (uint32_t)(i + 2 < n ? png[i + 2] : 0);
    const char four[4] = {digit[b >> 18], digit[b >> 12 & 63], i + 1 < n ? digit[b >> 6 & 63] : '=',
                          i + 2 < n ? digit[b & 63] : '='};
    bf_atomic_file_write(f, four, 4);
  }
}
