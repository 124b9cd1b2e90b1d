/* tests/outputs/t687_html.c - texts in report.html are escaped, base64 is that of RFC 4648, a solid has its
 * outer faces
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/html/html.h"
#include "outputs/html/spy.h"
#include "outputs/html/surface.h"
#include "tests/test.h"
#include <stdio.h>
#include <string.h>

#define PATH BF_BINARY_DIR "/t687.html"

static char written[4096];

static bf_atomic_file *begin(void)
{
  bf_atomic_file *f = NULL;
  assert_int_equal(bf_atomic_file_create(PATH, &f), BF_OK);
  return f;
}

static const char *end(bf_atomic_file *f)
{
  assert_int_equal(bf_atomic_file_commit(f), BF_OK);
  bf_atomic_file_destroy(&f);
  FILE *file = fopen(PATH, "rb");
  assert_non_null(file);
  written[fread(written, 1, sizeof written - 1, file)] = '\0';
  fclose(file);
  return written;
}

static const char *escaped(const char *text)
{
  bf_atomic_file *f = begin();
  bf_html_text(f, text);
  return end(f);
}

static void markup_in_a_text_is_text(void **state)
{
  (void)state;
  assert_string_equal(escaped("<b a=\"1\" c='2'> & </b>"),
                      "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt; &amp; &lt;/b&gt;");
  assert_string_equal(escaped("&amp;"), "&amp;amp;");
  assert_string_equal(escaped(NULL), "");
  assert_string_equal(escaped("a\tb\nc"), "a\tb\nc");
}

static void what_is_no_character_is_replaced(void **state)
{
  (void)state;
  assert_string_equal(escaped("a\001b\033c\177"), "a&#xfffd;b&#xfffd;c&#xfffd;");
  assert_string_equal(escaped("\xc3\xa4 \xe2\x98\x83 \xf0\x9f\x98\x80"),
                      "\xc3\xa4 \xe2\x98\x83 \xf0\x9f\x98\x80");
  assert_string_equal(escaped("\xff|\xc3|\xed\xa0\x80"), "&#xfffd;|&#xfffd;|&#xfffd;&#xfffd;&#xfffd;");
  assert_string_equal(escaped("\xef\xbf\xbe.\xef\xbf\xbf"), "&#xfffd;.&#xfffd;");
}

static void a_long_text_is_cut_between_characters(void **state)
{
  (void)state;
  bf_atomic_file *f = begin();
  bf_html_text_at_most(f, "ab\xc3\xa4 rest", 3);
  assert_string_equal(end(f), "ab\xc3\xa4 &#8230;");
}

static void formatted_cells_are_escaped(void **state)
{
  (void)state;
  bf_atomic_file *f = begin();
  bf_html_cell_say(f, "%s", "<i>");
  bf_html_cell(f, "&");
  bf_html_pair(f, "<k>", "%s", "\"");
  assert_string_equal(
      end(f), "<td>&lt;i&gt;</td><td>&amp;</td><tr><th scope=\"row\">&lt;k&gt;</th><td>&quot;</td></tr>\n");
}

static void base64_is_that_of_the_standard(void **state)
{
  static const char *const plain[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  static const char *const coded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  (void)state;
  for (int i = 0; i < 7; i++) {
    bf_atomic_file *f = begin();
    bf_html_png(f, (const uint8_t *)plain[i], strlen(plain[i]));
    assert_string_equal(end(f) + strlen("data:image/png;base64,"), coded[i]);
  }
}

/* A box of 3 x 2 x 2 cells: 2 (6 + 6 + 4) faces of hexahedra; tetrahedra divide each into two. */
static void a_box_has_its_outer_faces(void **state)
{
  static const struct {
    bf_elem_type type;
    int          faces, points;
  } of[] = {{BF_HEX8, 32, 4}, {BF_HEX20, 32, 8}, {BF_HEX27, 32, 8}, {BF_TET4, 64, 3}, {BF_TET10, 64, 6}};
  const double size[3]  = {3.0, 2.0, 2.0};
  const bf_int cells[3] = {3, 2, 2};
  (void)state;
  for (int i = 0; i < 5; i++) {
    bf_mesh    *m = NULL;
    bf_view    *v = NULL;
    bf_surface *s = NULL;
    assert_int_equal(bf_mesh_box(size, cells, of[i].type, &m), BF_OK);
    assert_int_equal(bf_view_create(m, NULL, &v), BF_OK);
    assert_int_equal(bf_surface_create(m, v, &s), BF_OK);
    assert_int_equal(s->n, of[i].faces);
    for (int64_t k = 0; k < s->ptr[s->n]; k++) { /* every point is on a side of the box */
      const double *x = m->x + 3 * v->node[s->point[k]];
      assert_true(x[0] == 0.0 || x[0] == 3.0 || x[1] == 0.0 || x[1] == 2.0 || x[2] == 0.0 || x[2] == 2.0);
    }
    for (int64_t p = 0; p < s->n; p++) assert_int_equal(s->ptr[p + 1] - s->ptr[p], of[i].points);
    bf_surface_destroy(&s);
    bf_view_destroy(&v);
    bf_mesh_destroy(&m);
  }
}

static void the_picture_of_couplings_counts_them(void **state)
{
  bf_spy *s = NULL;
  (void)state;
  assert_int_equal(bf_spy_create(1000, 4, &s), BF_OK);
  bf_spy_add(s, 0, 999, 0);
  bf_spy_add(s, 1, 3, 3);
  bf_spy_add(s, 1, 3, 3);
  assert_int_equal(s->side[0], BF_SPY_SIDE);
  assert_int_equal(s->side[1], 4);
  assert_int_equal(s->count[0][(BF_SPY_SIDE - 1) * BF_SPY_SIDE], 1);
  assert_int_equal(s->count[1][15], 2);
  bf_spy_destroy(&s);
  assert_null(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(markup_in_a_text_is_text),
                                     cmocka_unit_test(what_is_no_character_is_replaced),
                                     cmocka_unit_test(a_long_text_is_cut_between_characters),
                                     cmocka_unit_test(formatted_cells_are_escaped),
                                     cmocka_unit_test(base64_is_that_of_the_standard),
                                     cmocka_unit_test(a_box_has_its_outer_faces),
                                     cmocka_unit_test(the_picture_of_couplings_counts_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
