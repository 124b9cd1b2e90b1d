/* tests/inputs/t250_deck.c - decks: good ones come back complete, bad ones with the place and the reason
 *
 * tests/decks/NAME.yaml are bad decks.  Their first lines list what must be reported, in the order of the
 * file and nothing else:     #! E101 12:3 unknown key 'methud'
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/memory.h"
#include "tests/inputs/good_deck.h"
#include <dirent.h>
#include <math.h>
#include <omp.h>

/* First diagnostic of a text that must be refused, as "E101 3:4 words". */
static const char *refusal(const char *text, size_t length, char *out, size_t size)
{
  bf_diags     d    = {0};
  bf_deck     *deck = NULL;
  const bf_err err  = bf_deck_read_text("x.yaml", text, length, &d, &deck);
  assert_int_not_equal(err, BF_OK);
  assert_null(deck);
  assert_true(d.count > 0);
  snprintf(out, size, "E%03d %lld:%d %s", d.item[0].code, (long long)d.item[0].line, d.item[0].column,
           d.item[0].text);
  bf_diags_clear(&d);
  return out;
}

static void values_come_back_as_they_were_written(void **state)
{
  (void)state;
  bf_deck       *deck = read_good(good);
  const bf_item *root = bf_deck_root(deck);
  assert_string_equal(bf_item_text(bf_item_get(root, "title")), "a bar: pulled");
  assert_true(bf_item_number(bf_item_get(root, "mesh.scale")) == 1.0e-3);
  assert_true(bf_item_is(bf_item_get(root, "solver.method"), "bicgstab"));
  assert_true(bf_item_number(bf_item_get(root, "solver.rtol")) == 1.0e-6);
  assert_true(bf_item_number(bf_item_get(root, "discretization.quadrature")) == 3.0);
  const bf_item *steel = bf_item_get(root, "materials.steel");
  assert_true(bf_item_is_formula(bf_item_get(steel, "E")));
  assert_true(isnan(bf_item_number(bf_item_get(steel, "E"))));
  assert_string_equal(bf_item_text(bf_item_get(steel, "E")), "2.1e11*(1 + x)");
  assert_true(bf_item_number(bf_item_get(steel, "nu")) == 0.3);
  assert_true(bf_item_number(bf_item_get(steel, "rho")) == 7850.0);
  const bf_item *E = bf_item_get(root, "materials.brass.E"); /* a number in quotes is a number */
  assert_false(bf_item_is_formula(E));
  assert_true(bf_item_number(E) == 1.0e11);
  const bf_item *tip = bf_item_at(bf_item_get(root, "boundary"), 2), *value = bf_item_get(tip, "value");
  assert_int_equal(bf_item_count(value), 2);
  assert_true(bf_item_is_formula(bf_item_at(value, 0)));
  assert_true(bf_item_number(bf_item_at(value, 1)) == -2500.0);
  assert_null(bf_item_get(bf_item_at(bf_item_get(root, "boundary"), 1), "y"));
  assert_null(bf_item_get(root, "mesh.generate.box"));
  assert_null(bf_item_at(value, 2));
  size_t length;
  assert_string_equal(bf_deck_text(deck, &length), good);
  assert_int_equal(length, sizeof good - 1);
  assert_string_equal(bf_deck_path(deck), "folder/bar.v2.yaml");
  bf_deck_destroy(&deck);
  assert_null(deck);
}

static void maps_keep_the_order_of_the_deck(void **state)
{
  (void)state;
  bf_deck       *deck      = read_good(good);
  const bf_item *materials = bf_item_get(bf_deck_root(deck), "materials");
  assert_string_equal(bf_item_key(bf_item_at(materials, 0)), "steel");
  assert_string_equal(bf_item_key(bf_item_at(materials, 1)), "brass");
  assert_string_equal(bf_item_key(bf_item_at(bf_item_get(bf_deck_root(deck), "output.probes"), 1)), "root");
  bf_deck_destroy(&deck);
}

static void one_group_becomes_a_list(void **state)
{
  (void)state;
  bf_deck       *deck  = read_good(good);
  const bf_item *clamp = bf_item_at(bf_item_get(bf_deck_root(deck), "boundary"), 0),
                *list  = bf_item_get(clamp, "groups");
  assert_null(bf_item_get(clamp, "group"));
  assert_int_equal(bf_item_count(list), 1);
  assert_true(bf_item_is(bf_item_at(list, 0), "clamp"));
  assert_int_equal(bf_item_where(bf_item_at(list, 0)).line, 10);
  assert_int_equal(bf_item_where(bf_item_at(list, 0)).column, 13);
  const bf_item *steel = bf_item_get(bf_deck_root(deck), "materials.steel.groups");
  assert_true(bf_item_is(bf_item_at(steel, 1), "3:7"));
  bf_deck_destroy(&deck);
}

static void defaults_are_filled_in_and_known_as_such(void **state)
{
  (void)state;
  bf_deck       *deck = read_good(good);
  const bf_item *root = bf_deck_root(deck);
  assert_true(bf_item_is(bf_item_get(root, "output.dir"), "out/bar.v2"));
  assert_true(bf_item_number(bf_item_get(root, "solver.monitor_every")) == 10.0);
  assert_true(bf_item_is(bf_item_get(root, "matrix.format"), "auto"));
  assert_true(bf_item_true(bf_item_get(root, "device.deterministic")));
  assert_true(bf_item_number(bf_item_get(root, "device.memory_limit")) == 0.9);
  assert_true(bf_item_is(bf_item_get(root, "analysis.type"), "static"));
  assert_true(bf_item_is(bf_item_get(root, "units.system"), "SI"));
  assert_int_equal(bf_item_count(bf_item_get(root, "output.formats")), 2);
  assert_true(bf_item_is(bf_item_at(bf_item_get(root, "output.probes.tip.fields"), 0), "displacement"));
  assert_false(bf_item_given(bf_item_get(root, "solver.monitor_every")));
  assert_null(bf_item_get(root, "solver.max_iterations"));
  assert_false(bf_item_given(bf_item_get(root, "matrix")));
  assert_true(bf_item_given(bf_item_get(root, "solver.rtol")));
  assert_true(bf_item_given(bf_item_at(bf_item_get(root, "boundary"), 0)));
  assert_int_equal(bf_item_count(bf_item_get(root, "output.fields")), 1);
  assert_int_equal(bf_item_where(bf_item_get(root, "solver.monitor_every")).line, 17); /* the section's */
  assert_null(bf_item_get(root, "nothing.of.this"));
  bf_deck_destroy(&deck);
}

/* Two texts give the same tree. */
static void same(const bf_item *a, const bf_item *b)
{
  assert_int_equal(bf_item_count(a), bf_item_count(b));
  assert_true((bf_item_text(a) != NULL) == (bf_item_text(b) != NULL));
  if (bf_item_text(a)) assert_string_equal(bf_item_text(a), bf_item_text(b));
  assert_int_equal(bf_item_where(a).line, bf_item_where(b).line);
  assert_int_equal(bf_item_where(a).column, bf_item_where(b).column);
  for (int i = 0; i < bf_item_count(a); i++) same(bf_item_at(a, i), bf_item_at(b, i));
}

static void line_ends_and_a_byte_order_mark_do_not_matter(void **state)
{
  (void)state;
  char   text[2 * sizeof good + 3] = "\xEF\xBB\xBF";
  size_t n                         = 3;
  for (const char *s = good; *s; s++) {
    if (*s == '\n') text[n++] = '\r';
    text[n++] = *s;
  }
  text[n]    = '\0';
  bf_deck *a = read_good(good), *b = read_good(text);
  same(bf_deck_root(a), bf_deck_root(b));
  bf_deck_destroy(&a);
  bf_deck_destroy(&b);
}

static void names_may_have_any_letters(void **state)
{
  (void)state;
  static const char text[] =
      "deck: 1\nmesh: {file: tr\xC3\xA4ger.msh}\nphysics: heat\n"
      "materials: {\"wei\xC3\x9F messing\": {group: \"gro\xC3\x9F er\", k: \"1+q\"}}\n";
  char out[400];
  T_CONTAINS(refusal(text, strlen(text), out, sizeof out),
             "E110 4:54 "); /* columns count letters, not bytes */
}

typedef struct expected {
  char code[8], words[200];
  int  line, column;
} expected;

/* The lines '#! E101 12:3 words' at the top of a deck. */
static int read_expected(const char *path, expected *e, int max)
{
  char  line[400];
  int   n = 0;
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  while (n < max && fgets(line, sizeof line, f) && strncmp(line, "#!", 2) == 0) {
    line[strcspn(line, "\n")] = '\0';
    assert_int_equal(sscanf(line, "#! %7s %d:%d %199[^\n]", e[n].code, &e[n].line, &e[n].column, e[n].words),
                     4);
    n++;
  }
  fclose(f);
  return n;
}

static void check_bad_deck(const char *path)
{
  expected     e[BF_DIAG_MAX_ERRORS];
  const int    n    = read_expected(path, e, BF_DIAG_MAX_ERRORS);
  bf_diags     d    = {0};
  bf_deck     *deck = NULL;
  const bf_err err  = bf_deck_read(path, &d, &deck);
  if (n == 0 || d.errors != n || d.count != n) bf_diags_print(&d, 0, stderr);
  if (n == 0 || d.errors != n) fail_msg("%s: %d errors, expected %d", path, d.errors, n);
  assert_null(deck);
  assert_int_equal(d.count, n);
  for (int i = 0; i < n; i++) {
    char code[8];
    snprintf(code, sizeof code, "E%03d", d.item[i].code);
    if (strcmp(code, e[i].code) != 0 || d.item[i].line != e[i].line || d.item[i].column != e[i].column ||
        !strstr(d.item[i].text, e[i].words) || strcmp(d.item[i].file, path) != 0)
      fail_msg("%s: got %s %lld:%d %s\n  instead of %s %d:%d %s", path, code, (long long)d.item[i].line,
               d.item[i].column, d.item[i].text, e[i].code, e[i].line, e[i].column, e[i].words);
  }
  assert_int_equal(err, strcmp(e[0].code, "E303") == 0 ? BF_E_MODEL : BF_E_INPUT);
  bf_diags_clear(&d);
}

static void every_bad_deck_is_refused_at_its_place(void **state)
{
  (void)state;
  DIR *dir   = opendir(BF_SOURCE_DIR "/tests/decks");
  int  decks = 0;
  assert_non_null(dir);
  for (const struct dirent *f; (f = readdir(dir)) != NULL;) {
    const size_t n = strlen(f->d_name);
    char         path[1024];
    if (n < 5 || strcmp(f->d_name + n - 5, ".yaml") != 0) continue;
    snprintf(path, sizeof path, "%s/tests/decks/%s", BF_SOURCE_DIR, f->d_name);
    check_bad_deck(path);
    decks++;
  }
  closedir(dir);
  assert_true(decks >= 40);
}

static void a_file_that_cannot_be_read_says_so(void **state)
{
  (void)state;
  bf_diags d    = {0};
  bf_deck *deck = NULL;
  T_ERR(BF_E_INPUT, bf_deck_read("no/such/deck.yaml", &d, &deck));
  T_CONTAINS(d.item[0].text, "No such file");
  assert_int_equal(d.item[0].code, 100);
  T_ERR(BF_E_INPUT, bf_deck_read(BF_SOURCE_DIR, &d, &deck));
  T_CONTAINS(d.item[1].text, "directory");
  bf_diags_clear(&d);
}

static void hostile_texts_are_refused_early(void **state)
{
  (void)state;
  const size_t size = ((size_t)1 << 20) + 2;
  char        *big  = malloc(size), out[400];
  assert_non_null(big);
  memset(big, '[', size);
  T_CONTAINS(refusal(big, size, out, sizeof out), "E100 0:0 larger than 1 MiB");
  T_CONTAINS(refusal(big, size - 2, out, sizeof out), "E100 1:17 nested deeper");
  for (size_t i = 0; i < size; i++) big[i] = i % 2 ? ',' : '1';
  memcpy(big, "a: [1", 5);
  T_CONTAINS(refusal(big, size - 2, out, sizeof out), "more than 20000 keys and values");
  for (size_t i = 0; i < size; i++) big[i] = "a: &a [*a]\n"[i % 11];
  T_CONTAINS(refusal(big, size - 2, out, sizeof out), "E100 1:4 anchors");
  memset(big, '\n', size);
  T_CONTAINS(refusal(big, size - 2, out, sizeof out), "the file is empty");
  T_CONTAINS(refusal("", 0, out, sizeof out), "the file is empty");
  T_CONTAINS(refusal("\xFF\xFE"
                     "d\0e\0",
                     6, out, sizeof out),
             "UTF-16");
  T_CONTAINS(refusal("deck: 1\na: \xFF\n", 13, out, sizeof out), "E100 2:0 not readable text");
  T_CONTAINS(refusal("deck: 1\na: \0\n", 13, out, sizeof out), "E100 2:0 not readable text");
  free(big);
}

static void a_formula_of_many_brackets_does_no_harm(void **state)
{
  (void)state;
  char text[9000] = "deck: 1\nmesh: {file: a}\nphysics: heat\nmaterials: {a: {group: a, k: \"", out[400];
  const size_t n  = strlen(text);
  memset(text + n, '(', 3000);
  memcpy(text + n + 3000, "\"}}\n", 5);
  T_CONTAINS(refusal(text, strlen(text), out, sizeof out), "brackets nested deeper");
}

/* Reads whatever it is; the answer must be a deck or at least one error, and nothing may be left behind. */
static void survive(const char *text, size_t length)
{
  const int64_t live = bf_memory_live();
  bf_diags      d    = {0};
  bf_deck      *deck = NULL;
  const bf_err  err  = bf_deck_read_text("x.yaml", text, length, &d, &deck);
  assert_true((err == BF_OK) == (deck != NULL));
  assert_true((err == BF_OK) == (d.errors == 0));
  for (int i = 0; i < d.count; i++)
    assert_true(d.item[i].line >= 0 && d.item[i].code > 0 && d.item[i].text != NULL);
  bf_deck_destroy(&deck);
  bf_diags_clear(&d);
  assert_int_equal(bf_memory_live(), live);
}

static void every_beginning_of_a_deck_is_answered(void **state)
{
  (void)state;
  for (size_t n = 0; n <= strlen(good); n++) survive(good, n);
}

static void a_deck_with_random_damage_is_answered(void **state)
{
  (void)state;
  static const char parts[] = "{}[]:,\"'\n \t-*&!#%|>0123456789.eEx()\x80\xC3";
  uint64_t          seed    = 17;
  char              text[sizeof good];
  for (int trial = 0; trial < 2000; trial++) {
    memcpy(text, good, sizeof good);
    const int hits = 1 + (int)(t_random(&seed) % 4);
    for (int h = 0; h < hits; h++)
      text[t_random(&seed) % (sizeof good - 1)] = parts[t_random(&seed) % (sizeof parts - 1)];
    survive(text, sizeof good - 1);
  }
}

/* Fails every allocation in turn. */
static void sweep(const char *text, bf_err without)
{
  const char *const set[] = {"matrix.format=csr", "output.formats=[vtk]"};
  for (int64_t k = 1;; k++) {
    const int64_t live = bf_memory_live();
    bf_diags      d    = {0};
    bf_deck      *deck = NULL;
    bf_memory_fail_at(k);
    const bf_err  err   = bf_deck_read_text_with("x.yaml", text, strlen(text), set, 2, &d, &deck);
    const int64_t calls = bf_memory_calls();
    bf_memory_fail_at(0);
    assert_true((err == BF_OK) == (deck != NULL));
    if (calls >= k && without == BF_OK) assert_int_equal(err, BF_E_MEMORY);
    if (calls >= k) assert_int_not_equal(err, BF_OK);
    if (calls < k) assert_int_equal(err, without);
    bf_deck_destroy(&deck);
    bf_diags_clear(&d);
    assert_int_equal(bf_memory_live(), live);
    if (calls < k) break;
  }
}

static void no_failing_allocation_leaks(void **state)
{
  (void)state;
  sweep(good, BF_OK);
  sweep("deck: 1\nphysics: heat\nmesh: {file: a, file: b}\nmaterials: {a: {group: b, k: \"1 + q\", nu: 3}}\n"
        "solver: {rtol: 0}\nboundary: [{group: a}]\n",
        BF_E_INPUT);
  sweep("deck: 1\nmesh: [a\n", BF_E_INPUT);
}

static void several_decks_may_be_read_at_once(void **state)
{
  (void)state;
  int wrong = 0;
#pragma omp parallel for num_threads(8) reduction(+ : wrong)
  for (int i = 0; i < 64; i++) {
    bf_diags d    = {0};
    bf_deck *deck = NULL;
    char     text[sizeof good];
    memcpy(text, good, sizeof good);
    char *pi = strstr(text, "(pi*x)");
    if (i % 2) memcpy(pi, "(pi*q)", 6);
    const bf_err err = bf_deck_read_text("x.yaml", text, strlen(text), &d, &deck);
    wrong += err != (i % 2 ? BF_E_INPUT : BF_OK);
    wrong += i % 2 && (d.count != 1 || d.item[0].column != (int)(pi - strstr(text, "    value: [")) + 5);
    bf_deck_destroy(&deck);
    bf_diags_clear(&d);
  }
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_come_back_as_they_were_written),
      cmocka_unit_test(maps_keep_the_order_of_the_deck),
      cmocka_unit_test(one_group_becomes_a_list),
      cmocka_unit_test(defaults_are_filled_in_and_known_as_such),
      cmocka_unit_test(line_ends_and_a_byte_order_mark_do_not_matter),
      cmocka_unit_test(names_may_have_any_letters),
      cmocka_unit_test(every_bad_deck_is_refused_at_its_place),
      cmocka_unit_test(a_file_that_cannot_be_read_says_so),
      cmocka_unit_test(hostile_texts_are_refused_early),
      cmocka_unit_test(a_formula_of_many_brackets_does_no_harm),
      cmocka_unit_test(every_beginning_of_a_deck_is_answered),
      cmocka_unit_test(a_deck_with_random_damage_is_answered),
      cmocka_unit_test(no_failing_allocation_leaks),
      cmocka_unit_test(several_decks_may_be_read_at_once),
  };
  return T_RUN(tests);
}
