/* outputs/html/html.h - writes HTML whose markup is also well-formed XML (private)
 *
 * Markup is written as it is; texts and numbers are escaped: no text of a user becomes markup.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HTML_H
#define BF_HTML_H
#include "outputs/atomic_file.h"

#if defined(__GNUC__)
#define BF_HTML_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define BF_HTML_PRINTF
#endif

void bf_html_raw(bf_atomic_file *f, const char *markup);
/* & < > " ' as references; control characters and bytes that are not UTF-8 become U+FFFD; NULL writes nothing
 */
void bf_html_text(bf_atomic_file *f, const char *text);
/* The same for at most `most` bytes, with an ellipsis where the text is cut. */
void bf_html_text_at_most(bf_atomic_file *f, const char *text, size_t most);
/* A formatted text of at most 1000 bytes, escaped. */
void bf_html_say(bf_atomic_file *f, const char *fmt, ...) BF_HTML_PRINTF;

/* Start of a section with an id and its title as a heading of level 2, and its end. */
void bf_html_section(bf_atomic_file *f, const char *id, const char *title);
void bf_html_section_end(bf_atomic_file *f);

/* A table: headings separated by '|'; a heading that begins with '#' is that of a column of numbers.  Cells
 * of a row follow each other between bf_html_row and bf_html_row_end. */
void bf_html_table(bf_atomic_file *f, const char *headings);
void bf_html_table_end(bf_atomic_file *f);
void bf_html_row(bf_atomic_file *f);
void bf_html_row_end(bf_atomic_file *f);
void bf_html_cell(bf_atomic_file *f, const char *text);                        /* a text */
void bf_html_cell_say(bf_atomic_file *f, const char *fmt, ...) BF_HTML_PRINTF; /* a formatted text */
void bf_html_cell_real(bf_atomic_file *f, double value); /* 6 digits; empty: not finite */
void bf_html_cell_int(bf_atomic_file *f, int64_t value);
/* A row of a key and a formatted text */
void bf_html_pair(bf_atomic_file *f, const char *key, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* data:image/png;base64,... */
void bf_html_png(bf_atomic_file *f, const uint8_t *png, size_t n);
#endif
