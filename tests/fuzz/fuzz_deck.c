/* tests/fuzz/fuzz_deck.c - any bytes as a deck: a tree, or errors with their places
 *
 * Lines "-s key=value" at the end of the input are overrides of the command line.  A deck that was read is
 * walked, its formulas and quantities are evaluated, and the deck with its defaults is read again: it must
 * give the same tree and the same text.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "base/memory.h"
#include "inputs/deck.h"
#include "inputs/quantity.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/say.h"
#include <math.h>

enum { OVERRIDES = 8 };

static const char name[] = "nowhere/fuzz.yaml"; /* a folder that is not: nothing beside the deck is found */

/* Cuts "-s key=value" lines off the end of text; their number. */
static int cut_overrides(char *text, size_t *size, const char *override[OVERRIDES])
{
  int n = 0;
  if (*size > 0 && text[*size - 1] == '\n') text[--*size] = '\0';
  while (n<OVERRIDES && * size> 0) {
    size_t at = *size;
    while (at > 0 && text[at - 1] != '\n') at--;
    if (strncmp(text + at, "-s ", 3) != 0) break;
    override[n++] = text + at + 3;
    text[*size]   = '\0';
    *size         = at > 0 ? at - 1 : 0;
  }
  return n;
}

static void formula(const char *text)
{
  bf_expression *e      = NULL;
  const double   x[6]   = {0.5, -0.25, 3.0, 0.0, 0.0, 0.0};
  double         f[2]   = {0.0, 0.0};
  int            column = 0;
  if (bf_expression_create(text, &column, &e) != BF_OK) {
    FUZZ_MUST(column >= 1 && (size_t)column <= strlen(text) + 1, "column %d of '%s'", column, text);
    return;
  }
  if (bf_expression_eval(e, 2, x, f) == BF_OK)
    FUZZ_MUST(isfinite(f[0]) && isfinite(f[1]), "'%s' is %g, %g", text, f[0], f[1]);
  bf_expression_destroy(&e);
}

static bf_err any_number(void *context, const bf_qref *ref, double *value)
{
  (void)context;
  *value = 1.5 + (double)ref->kind;
  return BF_OK;
}

/* The texts of the language of checks: no crash, a place within the text. */
static int quantity(const char *text)
{
  int    column = 0;
  double value  = 0.0;
  if (bf_quantity_check(text, NULL, NULL, &column) != BF_OK) {
    FUZZ_MUST(column >= 1 && (size_t)column <= strlen(text) + 1, "column %d of '%s'", column, text);
    return 0;
  }
  if (bf_check_quantity_eval(text, any_number, NULL, &column, &value) == BF_OK)
    FUZZ_MUST(isfinite(value), "'%s' is %g", text, value);
  return 1;
}

static void walk(const bf_item *it)
{
  const char *key = bf_item_key(it), *text = bf_item_text(it);
  if (text && bf_item_is_formula(it)) formula(text);
  if (text && key && strcmp(key, "quantity") == 0) FUZZ_MUST(quantity(text), "'%s'", text);
  FUZZ_MUST(bf_item_where(it).file, "a value without a place");
  for (int i = 0; i < bf_item_count(it); i++) walk(bf_item_at(it, i));
}

/* The same letters, or both none. */
static int same(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

static void compare(const bf_item *a, const bf_item *b)
{
  const double x = bf_item_number(a), y = bf_item_number(b);
  FUZZ_MUST(same(bf_item_key(a), bf_item_key(b)), "key '%s', again '%s'", bf_item_key(a), bf_item_key(b));
  FUZZ_MUST(same(bf_item_text(a), bf_item_text(b)), "'%s', again '%s'", bf_item_text(a), bf_item_text(b));
  FUZZ_MUST(x == y || (isnan(x) && isnan(y)), "%g, again %g", x, y);
  FUZZ_MUST(bf_item_is_formula(a) == bf_item_is_formula(b), "formula '%s'", bf_item_text(a));
  FUZZ_MUST(bf_item_count(a) == bf_item_count(b), "%d entries, again %d", bf_item_count(a), bf_item_count(b));
  for (int i = 0; i < bf_item_count(a); i++) compare(bf_item_at(a, i), bf_item_at(b, i));
}

static void read_again(const bf_deck *deck)
{
  char    *once = NULL, *twice = NULL;
  bf_deck *again = NULL;
  bf_diags d     = {0};
  FUZZ_MUST(bf_deck_resolved(deck, NULL, 0, &once) == BF_OK, "%s", bf_err_message());
  const bf_err err = bf_deck_read_text(name, once, strlen(once), &d, &again);
  FUZZ_MUST(err == BF_OK, "%s in the deck with its defaults:\n%s", d.count ? d.item[0].text : "nothing",
            once);
  compare(bf_deck_root(deck), bf_deck_root(again));
  FUZZ_MUST(bf_deck_resolved(again, NULL, 0, &twice) == BF_OK, "%s", bf_err_message());
  FUZZ_MUST(strcmp(once, twice) == 0, "first:\n%s\nthen:\n%s", once, twice);
  bf_host_free(once);
  bf_host_free(twice);
  bf_deck_destroy(&again);
  bf_diags_clear(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bf_diags      d    = {0};
  bf_deck      *deck = NULL;
  const char   *override[OVERRIDES];
  const int64_t before = bf_memory_live();
  char         *text   = malloc(size + 1), *exact;
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size]  = '\0';
  const int n = cut_overrides(text, &size, override);
  for (int i = 0; i < n; i++) {
    formula(override[i]);
    (void)quantity(override[i]);
  }
  exact = malloc(size ? size : 1); /* without a zero behind: a read past the end is seen */
  if (exact && size) memcpy(exact, text, size);
  const bf_err err = exact ? bf_deck_read_text_with(name, exact, size, override, n, &d, &deck) : BF_E_MEMORY;
  if (err == BF_OK) {
    FUZZ_MUST(deck && d.errors == 0, "%d errors and a deck", d.errors);
    walk(bf_deck_root(deck));
    read_again(deck);
  } else if (exact) {
    FUZZ_MUST(!deck && d.errors > 0 && (err == BF_E_INPUT || err == BF_E_MODEL), "%s after %d errors",
              bf_err_name(err), d.errors);
  }
  fuzz_say(&d);
  bf_deck_destroy(&deck);
  bf_diags_clear(&d);
  free(exact);
  free(text);
  FUZZ_MUST(bf_memory_live() == before, "%lld blocks are left", (long long)(bf_memory_live() - before));
  return 0;
}
