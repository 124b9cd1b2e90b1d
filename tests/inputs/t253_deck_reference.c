/* tests/inputs/t253_deck_reference.c - docs/deck.md is the page the schema writes, and what it promises is
 * so; the rows of the schema
 *
 * BF_UPDATE=1 t253_deck_reference writes docs/deck.md instead.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "inputs/deck.h"
#include "inputs/schema.h"
#include "inputs/validate.h"
#include "tests/test.h"

static const char kept[] = BF_SOURCE_DIR "/docs/deck.md", made[] = BF_BINARY_DIR "/deck.md";

static char *contents(const char *path)
{
  enum { SIZE = 1 << 18 };
  char *text = calloc(SIZE, 1);
  FILE *f    = fopen(path, "rb");
  if (f) {
    const size_t n = fread(text, 1, SIZE - 1, f);
    fclose(f);
    assert_true(n < SIZE - 1);
  }
  return text;
}

static void write_page(const char *path)
{
  FILE *f = fopen(path, "wb");
  if (!f) fail_msg("cannot write %s", path);
  T_OK(bf_schema_markdown(f));
  fclose(f);
}

static void the_page_in_docs_is_the_one_the_schema_writes(void **state)
{
  (void)state;
  const char *update = getenv("BF_UPDATE");
  if (update && strcmp(update, "1") == 0) write_page(kept);
  write_page(made);
  char *a = contents(kept), *b = contents(made);
  if (strcmp(a, b) != 0)
    fail_msg("docs/deck.md is not what the schema says (%s); refresh it: BF_UPDATE=1 ./t253_deck_reference",
             made);
  free(a);
  free(b);
}

static void every_key_and_every_word_is_on_the_page(void **state)
{
  (void)state;
  write_page(made);
  char          *page = contents(made), quoted[80];
  int            nkeys, nwords;
  const bf_key  *k = bf_schema_keys(&nkeys);
  const bf_word *w = bf_schema_words(&nwords);
  for (int i = 0; i < nkeys; i++) {
    snprintf(quoted, sizeof quoted, "`%s`", k[i].name);
    /* keys of types that come later are not listed one by one */
    if (k[i].later && strchr(k[i].section, ':')) continue;
    T_CONTAINS(page, quoted);
  }
  for (int i = 0; i < nwords; i++) {
    snprintf(quoted, sizeof quoted, "`%s`", w[i].word);
    T_CONTAINS(page, quoted);
  }
  free(page);
}

static void the_deck_on_the_page_can_be_read(void **state)
{
  (void)state;
  char *page = contents(kept), *begin = strstr(page, "```yaml\n"),
       *end = begin ? strstr(begin + 8, "```") : NULL;
  assert_non_null(end);
  bf_diags d    = {0};
  bf_deck *deck = NULL;
  T_OK(bf_deck_read_text("deck.md", begin + 8, (size_t)(end - begin) - 8, &d, &deck));
  assert_int_equal(d.count, 0);
  bf_deck_destroy(&deck);
  bf_diags_clear(&d);
  free(page);
}

static void all_rows_of_the_schema_fit_together(void **state)
{
  (void)state;
  int            nkeys, nwords;
  const bf_key  *k = bf_schema_keys(&nkeys);
  const bf_word *w = bf_schema_words(&nwords);
  for (int i = 0; i < nkeys; i++) {
    int words = 0, sections = k[i].section[0] == '\0';
    for (int j = 0; j < nwords; j++) words += k[i].set && strcmp(w[j].set, k[i].set) == 0;
    for (int j = 0; j < nkeys; j++) {
      char         path[BF_SECTION_MAX];
      const size_t n = strlen(bf_schema_below(&k[j], path));
      if (k[j].type < BF_KEY_MAP || strcmp(k[j].section, "cases.<name>") == 0) continue; /* as the deck's */
      const char *variant = k[i].section + n + 1;
      sections += strcmp(k[i].section, path) == 0;
      sections += strncmp(k[i].section, path, n) == 0 && k[i].section[n] == ':' && k[j].set &&
                  bf_schema_word(k[j].set, variant, BF_ON_ALL) != NULL;
    }
    if (!k[i].text || !k[i].text[0]) fail_msg("key %s has no meaning", k[i].name);
    if (sections != 1) fail_msg("section %s of key %s is not a section", k[i].section, k[i].name);
    if (k[i].set && !words) fail_msg("key %s: no words in the set '%s'", k[i].name, k[i].set);
    if (k[i].type == BF_KEY_CHOICE && !k[i].later && !k[i].set) fail_msg("key %s has no words", k[i].name);
    if (k[i].range) {
      const bf_range r = bf_schema_range(k[i].range);
      if (!(r.low < r.high) && strcmp(k[i].range, "[1,1]") != 0) fail_msg("range %s", k[i].range);
    }
    for (int j = 0; j < i; j++)
      if (strcmp(k[i].section, k[j].section) == 0 && strcmp(k[i].name, k[j].name) == 0 &&
          (!k[i].physics || !k[j].physics || (k[i].physics & k[j].physics)))
        fail_msg("key %s.%s has two rows", k[i].section, k[i].name);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_in_docs_is_the_one_the_schema_writes),
      cmocka_unit_test(every_key_and_every_word_is_on_the_page),
      cmocka_unit_test(the_deck_on_the_page_can_be_read),
      cmocka_unit_test(all_rows_of_the_schema_fit_together),
  };
  return T_RUN(tests);
}
