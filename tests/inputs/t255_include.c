/* tests/inputs/t255_include.c - decks in several files: how they go together, and every mistake in its own
 * file */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/memory.h"
#include "inputs/deck.h"
#include "tests/inputs/deck_case.h"
#include <math.h>

static const char top[]   = "deck: 1\n"
                            "include: [parts/steel.yaml, parts/loads.yaml]\n"
                            "physics: elasticity\n"
                            "mesh: {file: bar.msh}\n"
                            "boundary:\n"
                            "  - {group: clamp, type: fixed}\n"
                            "solver: {rtol: 1.0e-6}\n";
static const char steel[] = "materials:\n"
                            "  steel: {group: bar, E: 2.1e+11, nu: 0.3}\n"
                            "solver: {rtol: 1.0e-4, max_iterations: 77}\n"
                            "boundary: [{group: left, type: symmetry}]\n";
static const char loads[] = "deck: 1\n"
                            "materials: {brass: {group: rod, E: 1.0e+11, nu: 0.3}}\n"
                            "boundary:\n"
                            "  - {group: tip, type: pressure, value: 1.0}\n"
                            "mesh: {scale: 2.0}\n";

static void open_three(t_folder *f)
{
  t_folder_open(f);
  t_folder_below(f, "parts");
  t_folder_text(f, "top.yaml", top);
  t_folder_text(f, "parts/steel.yaml", steel);
  t_folder_text(f, "parts/loads.yaml", loads);
}

static bf_deck *read_sound(const t_folder *f, const char *const *overrides, int n)
{
  char     path[128];
  bf_diags d    = {0};
  bf_deck *deck = NULL;
  snprintf(path, sizeof path, "%s/top.yaml", f->path);
  const bf_err err = bf_deck_read_with(path, overrides, n, &d, &deck);
  if (err != BF_OK) bf_diags_print(&d, 0, stderr);
  assert_int_equal(err, BF_OK);
  assert_int_equal(d.count, 0);
  bf_diags_clear(&d);
  return deck;
}

/* All diagnostics of top.yaml, each "file:line:column E101 words\n" without the folder. */
static const char *refusal(const t_folder *f, char *out, size_t size)
{
  char     path[128];
  bf_diags d    = {0};
  bf_deck *deck = NULL;
  size_t   at   = 0;
  snprintf(path, sizeof path, "%s/top.yaml", f->path);
  assert_int_not_equal(bf_deck_read(path, &d, &deck), BF_OK);
  assert_null(deck);
  out[0] = '\0';
  for (int i = 0; i < d.count && at < size; i++) {
    const size_t n = strlen(f->path) + 1;
    assert_true(strncmp(d.item[i].file, f->path, n - 1) == 0);
    at += (size_t)snprintf(out + at, size - at, "%s:%d:%d E%03d %s\n", d.item[i].file + n,
                           (int)d.item[i].line, d.item[i].column, d.item[i].code, d.item[i].text);
  }
  bf_diags_clear(&d);
  return out;
}

static void maps_merge_key_by_key_and_the_including_file_wins(void **state)
{
  (void)state;
  t_folder f;
  open_three(&f);
  bf_deck       *deck = read_sound(&f, NULL, 0);
  const bf_item *root = bf_deck_root(deck);
  assert_int_equal(bf_item_count(bf_item_get(root, "materials")), 2);
  assert_true(bf_item_number(bf_item_get(root, "solver.rtol")) == 1.0e-6);
  assert_true(bf_item_number(bf_item_get(root, "solver.max_iterations")) == 77.0);
  assert_true(bf_item_number(bf_item_get(root, "mesh.scale")) == 2.0);
  assert_true(bf_item_is(bf_item_get(root, "mesh.file"), "bar.msh"));
  assert_null(bf_item_get(root, "include"));
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void lists_of_entries_follow_each_other_in_the_order_of_inclusion(void **state)
{
  (void)state;
  t_folder f;
  open_three(&f);
  bf_deck       *deck     = read_sound(&f, NULL, 0);
  const bf_item *boundary = bf_item_get(bf_deck_root(deck), "boundary");
  assert_int_equal(bf_item_count(boundary), 3);
  assert_true(bf_item_is(bf_item_get(bf_item_at(boundary, 0), "type"), "symmetry"));
  assert_true(bf_item_is(bf_item_get(bf_item_at(boundary, 1), "type"), "pressure"));
  assert_true(bf_item_is(bf_item_get(bf_item_at(boundary, 2), "type"), "fixed"));
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void the_command_line_wins_over_every_file(void **state)
{
  (void)state;
  static const char *const set[] = {"solver.max_iterations=5", "materials.brass.nu=0.2"};
  t_folder                 f;
  open_three(&f);
  bf_deck       *deck = read_sound(&f, set, 2);
  const bf_item *root = bf_deck_root(deck);
  assert_true(bf_item_number(bf_item_get(root, "solver.max_iterations")) == 5.0);
  assert_true(bf_item_number(bf_item_get(root, "materials.brass.nu")) == 0.2);
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void paths_are_seen_from_the_file_that_names_them(void **state)
{
  (void)state;
  t_folder f;
  char     want[128], *path = NULL;
  open_three(&f);
  t_folder_text(&f, "top.yaml",
                "deck: 1\ninclude: parts/steel.yaml\nphysics: elasticity\nmesh: {scale: 1.0}\n");
  t_folder_text(&f, "parts/steel.yaml",
                "include: [loads.yaml]\nmaterials: {steel: {group: bar, E: 2.1e+11, nu: 0.3}}\n"
                "mesh: {file: bar.msh}\n");
  t_folder_text(&f, "parts/loads.yaml", "boundary: [{group: a, type: fixed}]\n");
  bf_deck       *deck = read_sound(&f, NULL, 0);
  const bf_item *file = bf_item_get(bf_deck_root(deck), "mesh.file");
  T_OK(bf_deck_beside(deck, file, &path));
  snprintf(want, sizeof want, "%s/parts/bar.msh", f.path);
  assert_string_equal(path, want);
  assert_string_equal(bf_item_where(file).file + strlen(f.path), "/parts/steel.yaml");
  assert_int_equal(bf_item_where(file).line, 3);
  bf_host_free(path);
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void a_deck_of_parts_resolves_to_one_file(void **state)
{
  (void)state;
  t_folder f;
  char    *one = NULL, *two = NULL;
  bf_diags d     = {0};
  bf_deck *again = NULL;
  open_three(&f);
  bf_deck *deck = read_sound(&f, NULL, 0);
  T_OK(bf_deck_resolved(deck, NULL, 0, &one));
  assert_null(strstr(one, "include"));
  T_OK(bf_deck_read_text(bf_deck_path(deck), one, strlen(one), &d, &again));
  T_OK(bf_deck_resolved(again, NULL, 0, &two));
  assert_string_equal(one, two);
  bf_host_free(one);
  bf_host_free(two);
  bf_deck_destroy(&again);
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void mistakes_in_parts_are_told_in_their_file_after_those_of_the_deck(void **state)
{
  (void)state;
  t_folder f;
  char     out[4000], *shown = NULL;
  size_t   length;
  open_three(&f);
  t_folder_text(&f, "parts/steel.yaml",
                "materials:\n  steel: {group: bar, E: 2.1e+11, nu: 0.7}\nsolvr: {rtol: 1}\n");
  t_folder_text(&f, "parts/loads.yaml", "materials: {brass: {group: bar, E: 1, nu: 0.3}}\n");
  t_folder_text(&f, "top.yaml",
                "deck: 1\ninclude: [parts/steel.yaml, parts/loads.yaml]\nphysics: elasticity\n"
                "mesh: {file: bar.msh}\nsolver: {rtol: x}\n");
  refusal(&f, out, sizeof out);
  T_CONTAINS(out, "top.yaml:5:16 E103 'rtol'");
  T_CONTAINS(out, "parts/steel.yaml:2:39 E303 'nu'");
  T_CONTAINS(out, "parts/steel.yaml:3:1 E101 unknown key 'solvr'");
  T_CONTAINS(out, "parts/loads.yaml:1:28 E106 group 'bar' already has material 'steel' (");
  T_CONTAINS(out, "parts/steel.yaml:2)");
  assert_true(strstr(out, "top.yaml:5") < strstr(out, "parts/steel.yaml:2:39"));
  assert_true(strstr(out, "parts/steel.yaml:3:1") < strstr(out, "parts/loads.yaml:1:28"));
  bf_diags d    = {0};
  bf_deck *deck = NULL;
  FILE    *to   = open_memstream(&shown, &length);
  char     path[128];
  snprintf(path, sizeof path, "%s/top.yaml", f.path);
  assert_int_not_equal(bf_deck_read(path, &d, &deck), BF_OK);
  bf_diags_print(&d, 0, to);
  fclose(to);
  T_CONTAINS(shown, "\n  solvr: {rtol: 1}\n  ^\n");
  free(shown);
  bf_diags_clear(&d);
  t_folder_close(&f);
}

static void files_that_contradict_each_other_are_told_with_both_places(void **state)
{
  (void)state;
  static const struct {
    const char *top, *steel, *loads, *said;
  } cases[] = {
      {"", "solver: {rtol: 1.0e-3}\n", "solver: {rtol: 1.0e-4}\n",
       "parts/loads.yaml:1:10 E104 'solver.rtol' is given by two included files, with another value at "},
      {"", "materials: {a: {E: 1}}\n", "materials: {a: {E: 2}}\n",
       "parts/loads.yaml:1:17 E104 'materials.a.E'"},
      {"", "output: {fields: [stress]}\n", "output: {fields: [strain]}\n", "E104 'output.fields'"},
      {"units: {system: SI}\n", "units: {system: mm-N-MPa-t}\n", "{}",
       "top.yaml:4:9 E106 'units.system' is 'SI' here and 'mm-N-MPa-t' at "},
      {"", "physics: heat\n", "{}", "top.yaml:3:1 E106 'physics' is 'elasticity' here and 'heat' at "},
      {"solver: cg\n", "solver: {rtol: 1}\n", "{}",
       "top.yaml:4:1 E103 'solver' is a value here and a map at "},
      {"", "boundary: []\n", "boundary: {a: b}\n",
       "loads.yaml:1:1 E103 'boundary' is a map here and a list at "},
      {"", "deck: 2\n", "{}", "parts/steel.yaml:1:7 E105 'deck' of an included file must be 1"},
      {"", "- a\n", "{}", "parts/steel.yaml:1:1 E103 an included file must be a map"},
      {"", "", "{}", "parts/steel.yaml:1:1 E100 the file is empty"},
      {"", "a: [\n", "{}", "parts/steel.yaml:2:1 E100 not YAML"},
      {"", "include: {a: b}\n", "{}", "parts/steel.yaml:1:10 E103 'include': expected the name of a file"},
      {"", "include: []\n", "{}", "parts/steel.yaml:1:10 E103 'include': expected the name of a file"},
      {"", "include: [none.yaml]\n", "{}", "parts/steel.yaml:1:11 E109 cannot read "},
      {"", "include: ../parts\n", "{}", "parts/steel.yaml:1:10 E109 cannot read "},
      {"", "include: /dev/null\n", "{}",
       "parts/steel.yaml:1:10 E109 cannot read '/dev/null': not a regular file"},
      {"", "include: steel.yaml\n", "{}", "parts/steel.yaml:1:10 E109 "},
      {"", "include: ../top.yaml\n", "{}", "parts/../top.yaml' includes itself through "},
      {"", "include: loads.yaml\n", "{}", "top.yaml:2:29 E109 "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    t_folder f;
    char     out[4000], text[400];
    open_three(&f);
    snprintf(text, sizeof text,
             "deck: 1\ninclude: [parts/steel.yaml, parts/loads.yaml]\nphysics: elasticity\n%s", cases[i].top);
    t_folder_text(&f, "top.yaml", text);
    t_folder_text(&f, "parts/steel.yaml", cases[i].steel);
    t_folder_text(&f, "parts/loads.yaml", cases[i].loads);
    T_CONTAINS(refusal(&f, out, sizeof out), cases[i].said);
    assert_ptr_equal(strchr(out, '\n') + 1, out + strlen(out)); /* and nothing else */
    t_folder_close(&f);
  }
}

static void the_same_value_in_two_parts_is_no_contradiction(void **state)
{
  (void)state;
  t_folder f;
  open_three(&f);
  t_folder_text(&f, "parts/steel.yaml",
                "physics: elasticity\nunits: {system: SI}\noutput: {fields: [stress]}\n"
                "materials: {steel: {group: bar, E: 1, nu: 0.3}}\n");
  t_folder_text(&f, "parts/loads.yaml",
                "physics: elasticity\nunits: {system: SI}\noutput: {fields: [stress]}\n");
  bf_deck *deck = read_sound(&f, NULL, 0);
  bf_deck_destroy(&deck);
  t_folder_close(&f);
}

static void limits_hold_for_the_sum_of_all_files(void **state)
{
  (void)state;
  t_folder f;
  char     out[4000], name[32], text[64];
  char    *big = malloc(600000);
  assert_non_null(big);
  memset(big, ' ', 600000);
  memcpy(big, "{}", 2);
  open_three(&f);
  t_folder_put(&f, "parts/steel.yaml", big, 600000);
  t_folder_put(&f, "parts/loads.yaml", big, 600000);
  T_CONTAINS(refusal(&f, out, sizeof out), "top.yaml:2:29 E109 with '");
  T_CONTAINS(out, "larger than 1 MiB");
  for (size_t i = 0; i < 600000; i++) big[i] = i % 2 ? ',' : '1';
  memcpy(big, "a: [", 4);
  memcpy(big + 30003, "]", 1);
  t_folder_put(&f, "parts/steel.yaml", big, 30004); /* 15000 values */
  t_folder_text(&f, "parts/loads.yaml", "{}");
  T_CONTAINS(refusal(&f, out, sizeof out), "parts/steel.yaml:1:1 E101");
  t_folder_put(&f, "parts/loads.yaml", big, 30004);
  T_CONTAINS(refusal(&f, out, sizeof out), "E100 more than 20000 keys and values");
  T_CONTAINS(out, "parts/loads.yaml:1:");
  for (int i = 0; i < 9; i++) {
    snprintf(name, sizeof name, "parts/%d.yaml", i);
    snprintf(text, sizeof text, "include: %d.yaml\n", i + 1);
    t_folder_text(&f, name, text);
  }
  t_folder_text(&f, "parts/9.yaml", "{}");
  t_folder_text(&f, "parts/steel.yaml", "include: 0.yaml\n");
  t_folder_text(&f, "parts/loads.yaml", "{}");
  T_CONTAINS(refusal(&f, out, sizeof out), "deeper than 8 levels");
  free(big);
  t_folder_close(&f);
}

static void files_are_not_included_from_the_command_line(void **state)
{
  (void)state;
  static const char *const set[] = {"include=parts/steel.yaml"};
  t_folder                 f;
  bf_diags                 d    = {0};
  bf_deck                 *deck = NULL;
  char                     path[128];
  open_three(&f);
  snprintf(path, sizeof path, "%s/top.yaml", f.path);
  T_ERR(BF_E_INPUT, bf_deck_read_with(path, set, 1, &d, &deck));
  assert_int_equal(d.count, 1);
  assert_int_equal(d.item[0].code, 109);
  bf_diags_clear(&d);
  t_folder_close(&f);
}

static void no_failing_allocation_leaks(void **state)
{
  (void)state;
  t_folder f;
  open_three(&f);
  t_deck_without_memory(&f, "top.yaml");
  t_folder_close(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_merge_key_by_key_and_the_including_file_wins),
      cmocka_unit_test(lists_of_entries_follow_each_other_in_the_order_of_inclusion),
      cmocka_unit_test(the_command_line_wins_over_every_file),
      cmocka_unit_test(paths_are_seen_from_the_file_that_names_them),
      cmocka_unit_test(a_deck_of_parts_resolves_to_one_file),
      cmocka_unit_test(mistakes_in_parts_are_told_in_their_file_after_those_of_the_deck),
      cmocka_unit_test(files_that_contradict_each_other_are_told_with_both_places),
      cmocka_unit_test(the_same_value_in_two_parts_is_no_contradiction),
      cmocka_unit_test(limits_hold_for_the_sum_of_all_files),
      cmocka_unit_test(files_are_not_included_from_the_command_line),
      cmocka_unit_test(no_failing_allocation_leaks),
  };
  return T_RUN(tests);
}
