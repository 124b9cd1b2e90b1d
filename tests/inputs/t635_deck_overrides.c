/* tests/inputs/t635_deck_overrides.c - values of a deck replaced on the command line (-s key=value); resolved
 * decks */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/inputs/good_deck.h"

static bf_deck *read_with(int n, const char *const *set)
{
  bf_diags     d    = {0};
  bf_deck     *deck = NULL;
  const bf_err err  = bf_deck_read_text_with("bar.yaml", good, sizeof good - 1, set, n, &d, &deck);
  if (err != BF_OK) bf_diags_print(&d, 0, stderr);
  assert_int_equal(err, BF_OK);
  bf_diags_clear(&d);
  return deck;
}

static void overrides_take_the_places_of_the_decks_values(void **state)
{
  (void)state;
  const char *const set[] = {"solver.rtol=1e-3",
                             "solver.rtol=1.0e-5",
                             "materials.brass.E='2e11*(1 + y)'",
                             "output.fields=[strain, von_mises]",
                             "matrix.format=csr",
                             "title=a text, with a comma",
                             "boundary=[{group: tip, type: traction, value: [1, 'x', 0]}]",
                             "checks=[]",
                             "output.probes.mid.at=[0.5, 0, 0]",
                             "materials.steel={group: bar, E: 1.0, nu: 0}"};
  bf_deck          *deck  = read_with(10, set);
  const bf_item    *root = bf_deck_root(deck), *E = bf_item_get(root, "materials.brass.E");
  assert_true(bf_item_number(bf_item_get(root, "solver.rtol")) == 1.0e-5);
  assert_true(bf_item_is(bf_item_get(root, "solver.method"), "bicgstab")); /* the neighbours stay */
  assert_true(bf_item_is_formula(E));
  assert_string_equal(bf_item_text(E), "2e11*(1 + y)");
  assert_int_equal(bf_item_count(bf_item_get(root, "output.fields")), 2);
  assert_true(bf_item_is(bf_item_at(bf_item_get(root, "output.fields"), 1), "von_mises"));
  assert_true(bf_item_is(bf_item_get(root, "matrix.format"), "csr")); /* a section the deck has not */
  assert_true(bf_item_is(bf_item_get(root, "matrix.storage"), "auto"));
  assert_string_equal(bf_item_text(bf_item_get(root, "title")), "a text, with a comma");
  assert_int_equal(bf_item_count(bf_item_get(root, "boundary")), 1);
  assert_int_equal(bf_item_count(bf_item_get(root, "checks")), 0);
  assert_int_equal(bf_item_count(bf_item_get(root, "output.probes")), 3);
  assert_true(bf_item_given(bf_item_get(root, "matrix.format")));
  assert_string_equal(bf_item_where(E).file, "command line: -s materials.brass.E");
  assert_int_equal(bf_item_where(E).line, 0);
  assert_string_equal(bf_item_key(bf_item_at(bf_item_get(root, "materials"), 0)),
                      "steel"); /* and its place */
  size_t length;
  assert_string_equal(bf_deck_text(deck, &length), good);
  bf_deck_destroy(&deck);
}

static void mistakes_in_overrides_are_reported_at_the_command_line(void **state)
{
  (void)state;
  static const struct {
    const char *set, *place, *said;
    int         code;
  } bad[] = {
      {"solver.rtoll=1", "solver.rtoll", "unknown key 'rtoll' in 'solver'; did you mean 'rtol'?", 101},
      {"sovler.rtol=1", "sovler.rtol", "did you mean 'solver'?", 101},
      {"solver.coarse=a", "solver.coarse", "not available in this version", 107},
      {"materials.steel.k=1.0", "materials.steel.k", "requires physics heat", 107},
      {"solver.rtol=2", "solver.rtol", "outside [2.3e-16,1)", 105},
      {"solver.rtol=1,5", "solver.rtol", "the decimal point is '.'", 103},
      {"solver.rtol=", "solver.rtol", "got nothing", 103},
      {"solver=cg", "solver", "expected a map", 103},
      {"title.x=1", "title.x", "'title' is not a map", 103},
      {"boundary.0=1", "boundary.0", "'boundary' is not a map", 103},
      {"materials.brass.E='1 + q'", "materials.brass.E", "character 5", 110},
      {"solver.rtol=[1", "solver.rtol", "not YAML", 100},
      {"solver.rtol=&a 1", "solver.rtol", "anchors", 100},
      {"solver.rtol=1\nw: 2", "solver.rtol", "more than one value", 100},
      {"solver..rtol=1", "solver..rtol", "a key is empty", 100},
      {"solver.=1", "solver.", "a key is empty", 100},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q=1", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", "deeper than 16", 100},
      {"solver", "solver", "expected key=value", 100},
      {"=1", "", "expected key=value", 100},
      {"materials.brass.group=bar", "materials.brass.group", "already has material 'steel' (bar.yaml:7)",
       106},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    bf_diags     d    = {0};
    bf_deck     *deck = NULL;
    char         place[128];
    const bf_err err = bf_deck_read_text_with("bar.yaml", good, sizeof good - 1, &bad[i].set, 1, &d, &deck);
    snprintf(place, sizeof place, "command line: -s %s", bad[i].place);
    assert_int_equal(err, BF_E_INPUT);
    assert_null(deck);
    if (d.item[0].code != bad[i].code) fail_msg("%s: E%d %s", bad[i].set, d.item[0].code, d.item[0].text);
    assert_string_equal(d.item[0].file, place);
    assert_int_equal(d.item[0].line, 0);
    assert_int_equal(d.item[0].column, 0);
    T_CONTAINS(d.item[0].text, bad[i].said);
    bf_diags_clear(&d);
  }
}

/* The same tree, wherever it was written; everything in `b` is given. */
static void same_values(const bf_item *a, const bf_item *b)
{
  assert_int_equal(bf_item_count(a), bf_item_count(b));
  assert_int_equal(bf_item_given(b), 1);
  assert_int_equal(bf_item_is_formula(a), bf_item_is_formula(b));
  assert_true((bf_item_text(a) != NULL) == (bf_item_text(b) != NULL));
  if (bf_item_text(a)) assert_string_equal(bf_item_text(a), bf_item_text(b));
  assert_true((bf_item_key(a) != NULL) == (bf_item_key(b) != NULL));
  if (bf_item_key(a)) assert_string_equal(bf_item_key(a), bf_item_key(b));
  for (int i = 0; i < bf_item_count(a); i++) same_values(bf_item_at(a, i), bf_item_at(b, i));
}

static void comes_back(const char *text)
{
  bf_diags d    = {0};
  bf_deck *deck = NULL, *again = NULL;
  char    *resolved = NULL, *twice = NULL;
  assert_int_equal(bf_deck_read_text("bar.yaml", text, strlen(text), &d, &deck), BF_OK);
  T_OK(bf_deck_resolved(deck, NULL, 0, &resolved));
  if (bf_deck_read_text("other.yaml", resolved, strlen(resolved), &d, &again) != BF_OK) {
    bf_diags_print(&d, 0, stderr);
    fail_msg("cannot be read again:\n%s", resolved);
  }
  same_values(bf_deck_root(deck), bf_deck_root(again));
  T_OK(bf_deck_resolved(again, NULL, 0, &twice));
  assert_string_equal(resolved, twice);
  bf_host_free(resolved);
  bf_host_free(twice);
  bf_deck_destroy(&deck);
  bf_deck_destroy(&again);
  bf_diags_clear(&d);
}

static void a_resolved_deck_reads_back_as_the_same_tree(void **state)
{
  (void)state;
  comes_back(good);
  comes_back("deck: 1\n"
             "title: \"\\\"a\\\\ b\\n\\tc: #d \\L\\P\\uFEFF \\xc5 'e' \"\n"
             "mesh: {file: ' 1 [x].msh'}\n"
             "physics: heat\n"
             "materials: {'2': {group: '- a', k: '1'}, 'a: b': {groups: ['true', '~', ' ', '3:7', '0x1'], k: "
             "\"x*1\"}}\n"
             "boundary: []\n"
             "loads: [{type: heat_source, value: \"1 + x\"}]\n"
             "output: {probes: {}}\n"
             "checks: [{quantity: 'iterations / 1', report: true}]\n");
}

static void values_of_a_resolved_deck_can_be_replaced(void **state)
{
  (void)state;
  bf_deck        *deck = read_good(good);
  char           *text = NULL;
  bf_deck_instead by[] = {{bf_item_get(bf_deck_root(deck), "mesh.file"), "/a b/c.msh"},
                          {bf_item_get(bf_deck_root(deck), "output.dir"), "here"}};
  T_OK(bf_deck_resolved(deck, by, 2, &text));
  T_CONTAINS(text, "\n  file: \"/a b/c.msh\"\n");
  T_CONTAINS(text, "\n  dir: here\n");
  T_CONTAINS(text, "\n  rtol: 1E-6\n");
  T_CONTAINS(text, "\n  monitor_every: 10\n");
  assert_null(strstr(text, "bar.msh"));
  bf_host_free(text);
  for (int64_t k = 1, calls = k; calls >= k; k++) {
    bf_memory_fail_at(k);
    const bf_err err = bf_deck_resolved(deck, by, 2, &text);
    calls            = bf_memory_calls();
    bf_memory_fail_at(0);
    assert_int_equal(err, calls >= k ? BF_E_MEMORY : BF_OK);
    bf_host_free(text);
  }
  bf_deck_destroy(&deck);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overrides_take_the_places_of_the_decks_values),
      cmocka_unit_test(mistakes_in_overrides_are_reported_at_the_command_line),
      cmocka_unit_test(a_resolved_deck_reads_back_as_the_same_tree),
      cmocka_unit_test(values_of_a_resolved_deck_can_be_replaced),
  };
  return T_RUN(tests);
}
