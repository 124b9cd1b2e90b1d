/* inputs/reference.c - the reference page of the deck language, written from the schema */
#include "inputs/validate.h"
#include <string.h>

static const char head[] =
    "# The deck\n"
    "\n"
    "A deck says what is to be solved and what the answer should be. This page is written by `bandfem "
    "schema` from\n"
    "the table that also reads the decks; do not edit it by hand.\n"
    "\n"
    "```yaml\n"
    "deck: 1\n"
    "title: steel bar, pulled\n"
    "mesh: {generate: {box: {size: [1.0, 0.1, 0.1], cells: [20, 2, 2], element: hex8}}}\n"
    "physics: elasticity\n"
    "materials:\n"
    "  steel: {group: volume, E: 2.1e+11, nu: 0.3}\n"
    "boundary:\n"
    "  - {group: x_min, type: fixed}\n"
    "  - {group: x_max, type: traction, value: [1.0e+6, 0.0, 0.0]}\n"
    "checks:\n"
    "  - {quantity: balance.force, expect: 0.0, atol: 1.0e-8}\n"
    "```\n"
    "\n"
    "## Rules\n"
    "\n"
    "- YAML, UTF-8, at most 1 MiB; `deck: 1` is the first key. Anchors, tags and several documents are not "
    "used.\n"
    "- Every key is known or an error: unknown, repeated and misplaced keys are refused with the nearest "
    "valid key\n"
    "  and the list of valid ones. All mistakes of a deck are shown at once (20 at most), each with line and "
    "column.\n"
    "- Keys and words that are known but *not in this version* are refused with E107; nothing is accepted "
    "and\n"
    "  ignored. The same holds for keys of another physics.\n"
    "- The key decides what a value is, not YAML: `1.0e-8` and `\"1.0e-8\"` are the same number, `1,5` is "
    "none.\n"
    "  Truth is written `true` or `false`.\n"
    "- A *formula* is a text in quotes: `\"20 + 80*sin(pi*x)\"`. Variables `x y z` (coordinates after "
    "`mesh.scale`),\n"
    "  constants `pi e`, operators `+ - * / ^ < > <= >= == != && || ?:`, functions `sin cos tan asin acos "
    "atan atan2\n"
    "  sinh cosh tanh exp ln log10 sqrt abs min max sign if`. `-2^2` is -4 and `2^3^2` is 512.\n"
    "- A *table* stands where a formula can: `{table: file.csv}`, see below.\n"
    "- A *vector* has 2 or 3 components, each a number, a formula or a table: `[0.0, \"-1e3*x\", 0.0]`.\n"
    "- *Groups* are the physical names of the mesh (`dim:tag` where a group has none). `group: a` is short "
    "for\n"
    "  `groups: [a]`. The name `all` is reserved for the whole body.\n"
    "- `mesh.file` names a `.msh` (2.2 or 4.1, ascii or binary; linear or quadratic triangles, "
    "quadrilaterals, "
    "tetrahedra,\n"
    "  hexahedra), or a `.geo`: the `gmsh` program meshes it into `mesh.msh` in the folder of the results, "
    "its words "
    "are in\n"
    "  `mesh.log` beside it. A `.geo` is a program: gmsh does what it says, `SystemCall` too. Nothing in a "
    "`.msh` is "
    "executed.\n"
    "- `mesh.order: 2` gives every edge a mid-side node in its middle, so curved sides stay polygons; a "
    "`.geo` gets "
    "them on\n"
    "  its curves. `mesh.order: 1` drops mid-side nodes.\n"
    "- Units are SI unless `units.system` says otherwise; nothing is converted.\n"
    "\n"
    "`bandfem schema --json` writes the language as a JSON schema (draft 2020-12) for editors and scripts: "
    "keys, "
    "types,\n"
    "ranges and words. What concerns several keys is told by `bandfem check`.\n"
    "\n";

static const char command_line[] =
    "## Values from the command line\n"
    "\n"
    "`bandfem run|check|bench DECK -s key=value` sets a value of this run, `-s` as often as needed:\n"
    "\n"
    "```\n"
    "bandfem run beam.yaml -s solver.rtol=1.0e-6 -s 'mesh.generate.box.cells=[40, 4, 4]' -s "
    "\"materials.steel.E='2e11*(1+x)'\"\n"
    "```\n"
    "\n"
    "- The key is the path of maps, with dots; sections that the deck does not have are made. Inside a list "
    "nothing\n"
    "  can be set, a list is given as a whole: `-s 'output.fields=[stress]'`.\n"
    "- The value is what would stand behind the key in the deck: a number, a word, a text, `[a, list]`, `{a: "
    "map}`,\n"
    "  a formula. Paths are relative to the deck, as in the deck.\n"
    "- It takes the place of the deck's value; of several `-s` with the same key the last one counts. The "
    "deck is\n"
    "  checked afterwards, with the same messages; their place is then `command line: -s key`.\n"
    "\n"
    "## Tables\n"
    "\n"
    "In the tables, **bold** keys are required; an empty default means that the key is left out.\n";

static const char quantities[] =
    "\n"
    "## Quantities\n"
    "\n"
    "`checks[].quantity` is a number of the run, or arithmetic (`+ - * /` and brackets) on such numbers:\n"
    "\n"
    "| quantity | meaning |\n"
    "|---|---|\n"
    "| `probe.NAME.FIELD[.c]` | a field at a probe; the probe must record it |\n"
    "| `min(FIELD[.c][, GROUP])`, `max(FIELD[.c][, GROUP])` | extremes over the points or cells of the "
    "field, all or "
    "those of a group |\n"
    "| `integral(FIELD[.c][, GROUP])` | integral over the body, or over a group |\n"
    "| `reaction.GROUP[.c]` | where values are prescribed or springs hold: force of the support on the body "
    "(N), or heat (W) "
    "or substance (kg/s, by diffusion) that enters |\n"
    "| `balance.force`, `balance.moment` | sum of loads and reactions relative to the loads (elasticity) |\n"
    "| `balance.energy` | the same for heat |\n"
    "| `balance.mass` | sum of loads, reactions, what the flow carries across the boundary and what the "
    "reaction "
    "uses up,\n"
    "relative to the sum of their sizes (advection_diffusion) |\n"
    "| `band(N).frequency@POINT` | of dispersion: frequency of band N (from 1) at a point of "
    "`analysis.points` "
    "that the path visits, Hz |\n"
    "| `gap(N)`, `gap(N).low`, `gap(N).high` | of dispersion: from the top of band N to the bottom of band N "
    "+ "
    "1 over the wave vectors of the path, Hz: its width (negative: none) and edges |\n"
    "| `max(hermitian_defect)` | of dispersion: what keeps the matrices from being Hermitian, relative |\n"
    "| `max(band.residual)`, `max(band.truncation)` | of dispersion: largest residual of a mode; largest "
    "estimated relative error of a frequency by the interior modes that craig_bampton leaves out |\n"
    "| `mode(N).frequency`, `.residual`, `.orthogonality` | of mode N = 1, 2, ... (modal): Hz; the norm of K "
    "x "
    "- lambda M x "
    "over that of lambda M x, of a rigid-body mode over norms of K and x; the largest x M x' of it and "
    "another, "
    "or x M x - 1 |\n"
    "| `mode(N).participation[.c]`, `.effective_mass[.c]` | phi M r of the mass-normalised mode for r = 1 "
    "along "
    "c, and its square |\n"
    "| `min(mode.PROPERTY)`, `max(mode.PROPERTY)`, `sum(mode.PROPERTY)` | over all modes |\n"
    "| `error_estimate` | error of the solution in the energy norm, relative, as Zienkiewicz and Zhu "
    "estimate "
    "it (heat, elasticity; not with method gfem) |\n"
    "| `iterations`, `unknowns` | of the solver, of the system (dispersion: of the reduced cell) |\n"
    "\n"
    "Components `c` are `x y z` of vectors and `xx yy zz xy yz xz` of tensors; a vector without a component "
    "means\n"
    "its length. Fields of elements (`stress`, `heat_flux`) have extremes over groups of elements; those of "
    "points over "
    "groups\n"
    "of any dimension, of a group of elements with the values of its own side. A group whose name is not "
    "made of letters, digits and `_` is put in quotes:\n"
    "`'reaction.\"left side\".x'`. Examples: `probe.tip.displacement.z`, `max(temperature) - "
    "min(temperature)`,\n"
    "`reaction.clamp.z / 1.0e4`.\n"
    "\n"
    "A check that every result passes is refused (E116): a quantity that is a constant or whose quantities "
    "cancel\n"
    "(`x - x`, `0 * x`, `x / x`; found by evaluating it for 16 sets of values), `rtol` of 1 or more, `atol` "
    "above any\n"
    "value (from 1e150 on), and `iterations` with a tolerance that covers 0 to `solver.max_iterations`.\n"
    "\n";

static const char messages[] =
    "## Messages\n"
    "\n"
    "`deck.yaml:14:5: error E101: unknown key 'methud' in 'solver'; did you mean 'method'? valid: method, "
    "...`, then\n"
    "the line with a caret. With `--errors=json` every line on stderr is a JSON object instead, `null` where "
    "something is\n"
    "not known:\n"
    "\n"
    "```json\n"
    "{\"severity\": \"error\", \"code\": \"E101\", \"file\": \"deck.yaml\", \"line\": 14, \"column\": 5, "
    "\"text\": \"unknown key ...\"}\n"
    "```\n"
    "\n"
    "| code | meaning |\n"
    "|---|---|\n"
    "| E100 | not readable, not YAML, or YAML that decks do not use |\n"
    "| E101 | unknown key |\n"
    "| E102 | something required is missing |\n"
    "| E103 | wrong type: a number, word, list or map was expected |\n"
    "| E104 | given twice |\n"
    "| E105 | out of range, or not among the valid words |\n"
    "| E106 | two keys or entries contradict each other |\n"
    "| E107 | not available in this version, or not with this physics or type |\n"
    "| E108 | a quantity names something that the deck does not have |\n"
    "| E109 | a file of `include` cannot be read, is named twice or includes itself |\n"
    "| E110 | wrong formula or quantity, with the column inside it |\n"
    "| E111 | a probe outside the mesh, or a check that cannot be evaluated |\n"
    "| E112 | a check failed (exit status 6) |\n"
    "| E113 | wrong table, with line and column of its file; W113: values outside a table |\n"
    "| E116 | a check that cannot fail |\n"
    "| E2xx | the mesh: file, groups, elements; E221 to E229 a matrix of `bandfem solve` |\n"
    "| E3xx | the model: supports, materials (E303: Poisson's ratio), conflicting conditions, a method that "
    "does not "
    "fit the matrix (E305), a formula or table whose value is not finite (E319) |\n"
    "| E4xx | the device, or memory |\n"
    "| E5xx | the solver: no convergence; E505: of modes |\n"
    "| E6xx | a result file |\n"
    "\n"
    "## Exit status\n"
    "\n"
    "| status | meaning |\n"
    "|---|---|\n"
    "| 0 | solved, all checks passed |\n"
    "| 1 | wrong command line, or an internal error |\n"
    "| 2 | the deck is wrong |\n"
    "| 3 | the mesh or the model is wrong |\n"
    "| 4 | device or memory |\n"
    "| 5 | the solver did not converge |\n"
    "| 6 | a check failed |\n"
    "| 7 | a result could not be written |\n"
    "| 130 | interrupted by Ctrl-C (SIGINT); during an iterative solve the iterate is written, marked NOT "
    "CONVERGED |\n"
    "| 143 | ended by SIGTERM, likewise |\n";

/* '|' would end a cell of a table. */
static void put_cell(FILE *out, const char *text)
{
  for (; *text; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static const char *type_name(const bf_key *key)
{
  switch (key->type) {
  case BF_KEY_TEXT: return "text";
  case BF_KEY_NAME: return "name";
  case BF_KEY_INT: return key->set ? "integer or auto" : "integer";
  case BF_KEY_NUMBER: return "number";
  case BF_KEY_FORMULA: return "number, formula or table";
  case BF_KEY_CHOICE: return strcmp(key->set, "boolean") == 0 ? "true or false" : "word";
  case BF_KEY_QUANTITY: return "quantity";
  case BF_KEY_VECTORS: return "number";
  case BF_KEY_MAP: return "section";
  case BF_KEY_NAMED: return "sections by name";
  case BF_KEY_ENTRIES: break;
  }
  return "list of entries";
}

static void put_type(FILE *out, const bf_key *key)
{
  if (key->one) fprintf(out, "%s, or ", type_name(key));
  if (key->type == BF_KEY_VECTORS) fprintf(out, "by name ");
  if (key->rows) fprintf(out, "1 to %d of (", key->rows);
  if (key->most == 0)
    fprintf(out, "%s", type_name(key));
  else if (key->least == key->most)
    fprintf(out, "%d x %s", key->least, type_name(key));
  else if (key->most <= 3)
    fprintf(out, "%d %s %d x %s", key->least, key->most == key->least + 1 ? "or" : "to", key->most,
            type_name(key));
  else
    fprintf(out, "list of %ss", type_name(key));
  if (key->rows) fprintf(out, ")");
  if (key->range && !(key->type == BF_KEY_INT && strcmp(key->range, "[1,1]") == 0))
    fprintf(out, " %s", key->range);
}

/* Do the words of this key deserve a table of their own? */
static int explained(const bf_key *key)
{
  return key->type == BF_KEY_CHOICE && strcmp(key->set, "boolean") != 0;
}

static void put_row(FILE *out, const bf_key *key)
{
  const char *mark = key->required ? "**" : "";
  fprintf(out, "| %s`%s`%s | ", mark, key->name, mark);
  put_type(out, key);
  fprintf(out, " | %s | ", key->unit ? key->unit : "");
  if (key->preset && key->preset[0] && key->type != BF_KEY_MAP) {
    fprintf(out, key->most ? "`[" : "`");
    put_cell(out, key->preset);
    fprintf(out, key->most ? "]`" : "`");
  }
  fprintf(out, " | ");
  put_cell(out, key->text);
  if (key->physics) fprintf(out, " (%s)", bf_schema_physics(key->physics));
  fprintf(out, " |\n");
}

static void put_later(FILE *out, const char *section)
{
  int           count, n = 0;
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(k[i].section, section) == 0 && k[i].later)
      fprintf(out, "%s`%s`", n++ ? ", " : "\nNot in this version: ", k[i].name);
  if (n) fprintf(out, ".\n");
}

/* One section: its keys, then the meaning of their words. */
static void put_section(FILE *out, const char *section, const char *title)
{
  int           count;
  const bf_key *k = bf_schema_keys(&count);
  fprintf(out, "\n## %s\n\n| key | type | unit | default | meaning |\n|---|---|---|---|---|\n", title);
  for (int i = 0; i < count; i++)
    if (strcmp(k[i].section, section) == 0 && !k[i].later) put_row(out, &k[i]);
  put_later(out, section);
}

static void put_word(FILE *out, const bf_word *w)
{
  fprintf(out, "| `%s` | ", w->word);
  put_cell(out, w->text);
  if (w->physics) fprintf(out, " (%s)", bf_schema_physics(w->physics));
  fprintf(out, " |\n");
}

static void put_word_table(FILE *out, const char *key, const char *set)
{
  int            count, later = 0;
  const bf_word *w = bf_schema_words(&count);
  fprintf(out, "\n| `%s` | meaning |\n|---|---|\n", key);
  for (int i = 0; i < count; i++)
    if (strcmp(w[i].set, set) == 0 && !w[i].later) put_word(out, &w[i]);
  for (int i = 0; i < count; i++)
    if (strcmp(w[i].set, set) == 0 && w[i].later)
      fprintf(out, "%s`%s`", later++ ? ", " : "\nNot in this version: ", w[i].word);
  if (later) fprintf(out, ".\n");
}

/* Tables of the words of a section's choices, each set once. */
static void put_choices(FILE *out, const char *section)
{
  int           count;
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count; i++) {
    if (strcmp(k[i].section, section) != 0 || k[i].later || !explained(&k[i])) continue;
    int earlier = 0; /* the same set in a row above: the other physics, or the same words elsewhere */
    for (int j = 0; j < i; j++)
      earlier |= k[j].set && k[j].type == BF_KEY_CHOICE && strcmp(k[j].set, k[i].set) == 0;
    if (!earlier) put_word_table(out, k[i].name, k[i].set);
  }
}

/* The keys that the types of a list's entries have beside the common ones. */
static void put_variants(FILE *out, const char *section)
{
  int           count, n = 0;
  const size_t  length = strlen(section);
  const bf_key *k      = bf_schema_keys(&count);
  for (int i = 0; i < count; i++) {
    if (strncmp(k[i].section, section, length) != 0 || k[i].section[length] != ':' || k[i].later) continue;
    if (n++ == 0) fprintf(out, "\n| type | key | type of value | unit | meaning |\n|---|---|---|---|---|\n");
    const char *mark = k[i].required ? "**" : "";
    fprintf(out, "| `%s` | %s`%s`%s | ", k[i].section + length + 1, mark, k[i].name, mark);
    put_type(out, &k[i]);
    fprintf(out, " | %s | ", k[i].unit ? k[i].unit : "");
    put_cell(out, k[i].text);
    fprintf(out, " |\n");
  }
}

/* The sections below a section, each followed by its own: at most three levels. */
static void put_below(FILE *out, const char *section)
{
  int           count;
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count; i++) {
    char path[BF_SECTION_MAX], title[BF_SECTION_MAX + 2];
    if (k[i].type < BF_KEY_MAP || k[i].later || strcmp(k[i].section, section) != 0) continue;
    bf_schema_below(&k[i], path);
    snprintf(title, sizeof title, "`%s`", path);
    put_section(out, path, title);
    put_choices(out, path);
    put_variants(out, path);
    put_below(out, path);
  }
}

bf_err bf_schema_markdown(FILE *out)
{
  BF_CHECK(out, BF_E_ARG, "null argument");
  fputs(head, out);
  fputs(bf_reference_files, out);
  fputs(command_line, out);
  put_section(out, "", "Keys of the deck");
  put_choices(out, "");
  put_below(out, "");
  bf_units_reference(out);
  fputs(quantities, out);
  fputs(messages, out);
  BF_CHECK(!ferror(out), BF_E_FILE, "the reference page could not be written");
  return BF_OK;
}
