/* tests/inputs/t250_deck.c - decks: good ones come back complete, bad ones with the place and the reason
 *
 * tests/decks/NAME.yaml are bad decks.  Their first lines list what must be reported, in the order of the
 * file and nothing else:     #! E101 12:3 unknown key 'methud'
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag.h"
#include "base/memory.h"
#include "inputs/deck.h"
#include "inputs/validate.h"
#include "tests/test.h"
#include <dirent.h>
#include <math.h>
#include <omp.h>

static const char good[] =
    "deck: 1\n"
    "title: \"a bar: pulled\"\n"
    "mesh: {file: bar.msh, scale: 1.0e-3}\n"
    "physics: elasticity\n"
    "discretization: {space: 3d, thickness: 2, quadrature: 3}\n"
    "materials:\n"
    "  steel: {groups: [bar, 3:7], E: \"2.1e11*(1 + x)\", nu: .3, rho: +7850.}\n"
    "  brass: {group: rod, E: \"1e11\", nu: 0.0}\n"
    "boundary:\n"
    "  - {group: clamp, type: fixed}\n"
    "  - {groups: [side, back], type: displacement, x: 0, z: \"1e-3*y\"}\n"
    "  - group: tip\n"
    "    type: traction\n"
    "    value: [\"1e6*sin(pi*x)\", -2.5e+3]\n"
    "loads:\n"
    "  - {type: gravity, g: [0.0, 0.0, -9.81]}\n"
    "solver: {rtol: 1E-6, method: bicgstab}\n"
    "output:\n"
    "  fields: [stress]\n"
    "  probes: {tip: {at: [1.0, 0.05]}, root: {at: [0, 0, 0], fields: [stress_nodal, displacement]}}\n"
    "checks:\n"
    "  - {quantity: probe.tip.displacement.z / probe.root.stress_nodal.xx, expect: -2, rtol: 0.1, note: by "
    "hand}\n"
    "  - {quantity: reaction.clamp, report: true}\n";

static bf_deck *read_good(const char *text)
{
  bf_diags     d    = {0};
  bf_deck     *deck = NULL;
  const bf_err err  = bf_deck_read_text("folder/bar.v2.yaml", text, strlen(text), &d, &deck);
  if (err != BF_OK) bf_diags_print(&d, 0, stderr);
  assert_int_equal(err, BF_OK);
  assert_int_equal(d.count, 0);
  bf_diags_clear(&d);
  return deck;
}

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
      cmocka_unit_test(overrides_take_the_places_of_the_decks_values),
      cmocka_unit_test(mistakes_in_overrides_are_reported_at_the_command_line),
      cmocka_unit_test(a_resolved_deck_reads_back_as_the_same_tree),
      cmocka_unit_test(values_of_a_resolved_deck_can_be_replaced),
      cmocka_unit_test(all_rows_of_the_schema_fit_together),
  };
  return T_RUN(tests);
}
