/* outputs/html/section_provenance.c - report.html: messages, provenance, the deck with its defaults */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/html/html.h"
#include "outputs/html/page.h"

enum { MOST_MESSAGES = 200, MOST_DECK = 150000 };

static void messages(bf_atomic_file *f, const bf_diags *d)
{
  static const char *const word[]   = {"error", "warning", "note"};
  static const char        letter[] = "EWN";
  bf_html_section(f, "warnings", "Messages");
  if (!d || d->count == 0) bf_html_raw(f, "<p>No errors, no warnings.</p>\n");
  if (d && d->count > 0) {
    bf_html_table(f, "kind|place|text");
    for (int i = 0; i < d->count && i < MOST_MESSAGES; i++) {
      const bf_diag *m = &d->item[i];
      bf_html_row(f);
      bf_html_raw(f, m->severity == BF_ERROR     ? "<td class=\"error\">"
                     : m->severity == BF_WARNING ? "<td class=\"warning\">"
                                                 : "<td>");
      bf_html_say(f, "%s %c%03d", word[m->severity], letter[m->severity], m->code);
      bf_html_raw(f, "</td><td>");
      if (m->file) bf_html_text_at_most(f, m->file, 300);
      if (m->file && m->line > 0) bf_html_say(f, ":%lld", (long long)m->line);
      bf_html_raw(f, "</td><td>");
      bf_html_text_at_most(f, m->text, 2000);
      bf_html_raw(f, "</td>");
      bf_html_row_end(f);
    }
    bf_html_table_end(f);
  }
  bf_html_section_end(f);
}

static void origin(bf_atomic_file *f, const bf_result *r)
{
  bf_html_section(f, "origin", "Provenance");
  bf_html_table(f, NULL);
  bf_html_raw(f, "<tr><th scope=\"row\">deck</th><td>");
  bf_html_text_at_most(f, r->deck_path, 1000);
  bf_html_raw(f, "</td></tr>\n");
  for (int i = 0; i < r->nprovenance; i++) {
    bf_html_raw(f, "<tr><th scope=\"row\">");
    bf_html_text(f, r->provenance[i].key);
    bf_html_raw(f, "</th><td>");
    bf_html_text_at_most(f, r->provenance[i].value, 2000);
    bf_html_raw(f, "</td></tr>\n");
  }
  bf_html_table_end(f);
  if (r->resolved_text) {
    bf_html_raw(f, "<details><summary>Deck with every default</summary>\n<pre>");
    bf_html_text_at_most(f, r->resolved_text, MOST_DECK);
    bf_html_raw(f, "</pre>\n</details>\n");
  }
  bf_html_section_end(f);
}

void bf_page_provenance(bf_atomic_file *f, const bf_page *p)
{
  messages(f, p->diags);
  origin(f, p->result);
}
