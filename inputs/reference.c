/* inputs/reference.c - the reference page of the deck language, written from the schema */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include <string.h>

static const char head[] =
    "# The deck\n"
    "\n"
    "A deck describes a problem and the expected results. `bandfem schema` generates this page from the "
    "table that the deck\n"
    "reader uses; do not edit it by hand.\n"
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
    "- YAML, UTF-8, at most 1 MiB; `deck: 1` is the first key. Anchors, tags and several documents are "
    "refused.\n"
    "- Unknown, repeated and misplaced keys are errors; the message gives the nearest valid key and the list "
    "of valid keys.\n"
    "  All errors of a deck are reported at once (20 at most), each with line and column.\n"
    "- Keys and words that are known but *not in this version* are refused with E107; nothing is silently "
    "ignored. The same\n"
    "  holds for keys of another physics.\n"
    "- The type of a value follows from the key, not from YAML: `1.0e-8` and `\"1.0e-8\"` are the same "
    "number, `1,5` is not a\n"
    "  number. Boolean values are `true` and `false`.\n"
    "- A *formula* is a text in quotes: `\"20 + 80*sin(pi*x)\"`. Variables `x y z` (coordinates after "
    "`mesh.scale`),\n"
    "  constants `pi e`, operators `+ - * / ^ < > <= >= == != && || ?:`, functions `sin cos tan asin acos "
    "atan atan2\n"
    "  sinh cosh tanh exp ln log10 sqrt abs min max sign if`. `-2^2` is -4 and `2^3^2` is 512.\n"
    "- A *table* may replace a formula: `{table: file.csv}`, and so may a *field* of another result: `{file: "
    "heat/case.hdf,\n"
    "  field: temperature}`, see below.\n"
    "- A *vector* has 2 or 3 components, each a number, a formula or a table: `[0.0, \"-1e3*x\", 0.0]`.\n"
    "- *Groups* are the physical names of the mesh (`dim:tag` for a group without a name). `group: a` is "
    "short for\n"
    "  `groups: [a]`. The name `all` is reserved for the whole body.\n"
    "- `mesh.file` names a `.msh` (2.2 or 4.1, ascii or binary; linear or quadratic triangles, "
    "quadrilaterals, tetrahedra,\n"
    "  hexahedra), or a `.geo`. The `gmsh` program meshes a `.geo` into `mesh.msh` in the output folder and "
    "writes\n"
    "  `mesh.log`. A `.geo` is a program: gmsh executes its commands, including `SystemCall`. A `.msh` is "
    "only read.\n"
    "- `mesh.order: 2` adds a mid-side node at the midpoint of every edge, so curved sides stay polygons; "
    "for a `.geo` gmsh\n"
    "  places them on the curves. `mesh.order: 1` removes mid-side nodes.\n"
    "- Units are SI unless `units.system` selects others; nothing is converted.\n"
    "\n"
    "`bandfem schema --json` writes the language as a JSON schema (draft 2020-12) for editors and scripts: "
    "keys, types,\n"
    "ranges and words. Rules that involve several keys are checked by `bandfem check`.\n"
    "\n";

static const char command_line[] =
    "## Values from the command line\n"
    "\n"
    "`bandfem run|check|bench DECK -s key=value` sets a value for this run. `-s` may be repeated:\n"
    "\n"
    "```\n"
    "bandfem run beam.yaml -s solver.rtol=1.0e-6 -s 'mesh.generate.box.cells=[40, 4, 4]' -s "
    "\"materials.steel.E='2e11*(1+x)'\"\n"
    "```\n"
    "\n"
    "- The key is the path of sections, with dots; missing sections are created. An entry of a list is "
    "chosen "
    "by its number\n"
    "  from 1 or by a key with a value that no other entry has: `-s 'boundary[2].value=5'`, `-s "
    "'boundary[group=top].value=5'`,\n"
    "  `-s 'loads[type=gravity].g[3]=-1.6'`. A list is set as a whole without brackets: `-s "
    "'output.fields=[stress]'`.\n"
    "- The value is written as in the deck: a number, a word, a text, `[a, list]`, `{a: map}`, a formula. "
    "Paths are relative\n"
    "  to the deck.\n"
    "- It replaces the value of the deck; of several `-s` with the same key the last one is used. The deck "
    "is checked\n"
    "  afterwards, with the same messages; their position is `command line: -s key`.\n"
    "\n"
    "## Tables\n"
    "\n"
    "In the tables, **bold** keys are required; an empty default means that the key is omitted.\n";

static const char quantities[] =
    "\n"
    "## Quantities\n"
    "\n"
    "`checks[].quantity` is a result of the run, or an arithmetic expression (`+ - * /` and brackets) of "
    "results:\n"
    "\n"
    "| quantity | meaning |\n"
    "|---|---|\n"
    "| `probe.NAME.FIELD[.c]` | a field at a probe; the probe must record it |\n"
    "| `min(FIELD[.c][, GROUP])`, `max(FIELD[.c][, GROUP])` | extremes over all points or cells of the "
    "field, or over those of a group |\n"
    "| `integral(FIELD[.c][, GROUP])` | integral over the body, or over a group |\n"
    "| `reaction.GROUP[.c]` | for groups with prescribed values or springs: force of the support on the body "
    "(N), or heat flow (W) "
    "or diffusive mass flow (kg/s) into the body |\n"
    "| `balance.force`, `balance.moment` | sum of loads and reactions relative to the loads (elasticity) |\n"
    "| `balance.energy` | the same for heat |\n"
    "| `balance.mass` | sum of loads, reactions, transport by the flow across the boundary and consumption, "
    "relative to the sum of their absolute values (advection_diffusion) |\n"
    "| `band(N).frequency@POINT` | (dispersion) frequency of band N (from 1) at a point of "
    "`analysis.points` "
    "on the path, Hz |\n"
    "| `gap(N)`, `gap(N).low`, `gap(N).high` | (dispersion) gap between the maximum of band N and the "
    "minimum of band N "
    "+ 1 over the wave vectors of the path, Hz: width (negative: no gap) and edges |\n"
    "| `max(hermitian_defect)` | (dispersion) largest relative deviation of the matrices from Hermitian "
    "symmetry |\n"
    "| `max(band.residual)`, `max(band.truncation)` | (dispersion) largest residual of a mode; largest "
    "estimated relative error of a frequency due to the interior modes that craig_bampton omits |\n"
    "| `mode(N).frequency`, `.residual`, `.orthogonality` | (modal) mode N = 1, 2, ...: frequency in Hz; |K "
    "x - lambda M x| relative "
    "to |lambda M x|, for a rigid-body mode relative to the norms of K and x; the largest entry of "
    "|X^T M X - 1| in the column of the mode |\n"
    "| `mode(N).participation[.c]`, `.effective_mass[.c]` | phi^T M r of the mass-normalised mode for r = 1 "
    "along "
    "c, and its square |\n"
    "| `min(mode.PROPERTY)`, `max(mode.PROPERTY)`, `sum(mode.PROPERTY)` | over all modes |\n"
    "| `flexibility(I, J)` | (static) entry of the matrix of `output.flexibility`, row and column from 1 as "
    "in "
    "flexibility.csv: displacement per force (m/N), temperature per heat flow (K/W) |\n"
    "| `error_estimate` | error of the solution in the energy norm, relative, as Zienkiewicz and Zhu "
    "estimate "
    "it (heat, elasticity; not with method gfem) |\n"
    "| `error.L2(FIELD[.c], FORMULA[, GROUP])` | norm of the difference between the solution (`temperature`, "
    "`displacement`, `concentration`) and a formula: sqrt(integral of (u - u_h)^2), over the body or a group "
    "of elements; see below |\n"
    "| `error.H1_semi(..)`, `error.H1(..)` | the same of the gradient: sqrt(integral of \\|grad u - grad "
    "u_h\\|^2); of value and gradient: sqrt(L2^2 + H1_semi^2) |\n"
    "| `error.energy(..)` | energy norm of the difference: sqrt(integral of k \\|grad u - grad u_h\\|^2), "
    "for "
    "elasticity sqrt(integral of strain . C strain) (heat, elasticity) |\n"
    "| `error.L2_relative(..)`, `error.H1_relative(..)`, .. | each of them divided by the same norm of the "
    "formula |\n"
    "| `iterations`, `unknowns` | of the solver, of the system (dispersion: of the reduced cell) |\n"
    "\n";

static const char quantity_rules[] =
    "Components `c` are `x y z` of vectors and `xx yy zz xy yz xz` of tensors, `r t rr tt rt tz rz` of the "
    "fields in cylindrical\n"
    "`output.axes`; a vector without a component is its magnitude. Extremes of element fields (`stress`, "
    "`heat_flux`) accept groups of elements. Extremes of "
    "point fields accept\n"
    "groups of any dimension; in a group of elements the values on its own side are used. A group name with "
    "characters other\n"
    "than letters, digits and `_` needs quotes: `'reaction.\"left side\".x'`. Examples: "
    "`probe.tip.displacement.z`,\n"
    "`max(temperature) - min(temperature)`, `reaction.clamp.z / 1.0e4`.\n"
    "\n"
    "Error norms compare with a formula in quotes: `quantity: 'error.L2(temperature, \"sin(pi*x)\")'`. A "
    "vector "
    "needs a formula for\n"
    "each component, in brackets: `error.H1(displacement, [\"1e-3*x\", \"0\"])`, or one for a named "
    "component. "
    "The gradient of the\n"
    "formula is exact (dual numbers). Integrals have the thickness of plane bodies and 2 pi r of bodies of "
    "revolution, whose\n"
    "vectors have the hoop gradient u_x/x as well. Gauss rules have p + 3 points per direction (3D: 4) for "
    "elements of degree p.\n"
    "`error.H1`, `error.H1_semi` and `error.energy` are not available with `incompatible: true`.\n"
    "\n"
    "A check that every result passes is refused (E116): a constant quantity or one that cancels (`x - x`, "
    "`0 * x`, `x / x`;\n"
    "determined by evaluation for 16 sets of values), `rtol` of 1 or more, `atol` above any value (from "
    "1e150), and\n"
    "`iterations` with a tolerance that covers 0 to `solver.max_iterations`.\n"
    "\n";

static const char messages[] =
    "## Messages\n"
    "\n"
    "`deck.yaml:14:5: error E101: unknown key 'methud' in 'solver'; did you mean 'method'? valid: method, "
    "...`, followed\n"
    "by the line with a caret. With `--errors=json` every line on stderr is a JSON object; unknown values "
    "are `null`:\n"
    "\n"
    "```json\n"
    "{\"severity\": \"error\", \"code\": \"E101\", \"file\": \"deck.yaml\", \"line\": 14, \"column\": 5, "
    "\"text\": \"unknown key ...\"}\n"
    "```\n"
    "\n"
    "| code | meaning |\n"
    "|---|---|\n"
    "| E100 | unreadable file, invalid YAML, or an unsupported feature of YAML |\n"
    "| E101 | unknown key |\n"
    "| E102 | a required key is missing |\n"
    "| E103 | wrong type: a number, word, list or map was expected |\n"
    "| E104 | a key is given twice |\n"
    "| E105 | out of range, or not a valid word |\n"
    "| E106 | two keys or entries contradict each other |\n"
    "| E107 | not available in this version, or not with this physics or type |\n"
    "| E108 | a quantity refers to a name that is not in the deck |\n"
    "| E109 | a file of `include` cannot be read, is named twice or includes itself |\n"
    "| E110 | invalid formula or quantity, with the column in it |\n"
    "| E111 | a probe outside the mesh, or a check that cannot be evaluated |\n"
    "| E112 | a check failed (exit status 6) |\n"
    "| E113 | invalid table, with line and column of its file; W113: values outside a table |\n"
    "| E116 | a check that cannot fail |\n"
    "| E2xx | the mesh: file, groups, elements; E221 to E229 a matrix of `bandfem solve` |\n"
    "| E3xx | the model: supports, materials (E303: Poisson's ratio), conflicting conditions, a method that "
    "is not applicable to the matrix (E305), a moment that points on a line cannot carry (E318), a formula "
    "or table whose value is not finite (E319) |\n"
    "| E4xx | the device, or memory |\n"
    "| E5xx | the solver: no convergence; E505: modes; E509: flexibility matrix; W510: no levels for "
    "`output.levels` |\n"
    "| E6xx | a result file |\n"
    "\n"
    "## Exit status\n"
    "\n"
    "| status | meaning |\n"
    "|---|---|\n"
    "| 0 | solved, all checks passed |\n"
    "| 1 | wrong command line, or an internal error |\n"
    "| 2 | error in the deck |\n"
    "| 3 | error in the mesh or the model |\n"
    "| 4 | device error or not enough memory |\n"
    "| 5 | the solver did not converge |\n"
    "| 6 | a check failed |\n"
    "| 7 | a result could not be written |\n"
    "| 130 | interrupted by Ctrl-C (SIGINT); during an iterative solve the iterate is written, marked NOT "
    "CONVERGED |\n"
    "| 143 | terminated by SIGTERM; as above |\n";

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
  case BF_KEY_FORMULA: return "number, formula, table or field";
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

/* 1: the words of this key have their own table. */
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
    if (k[i].type == BF_KEY_ENTRIES && section[0]) continue; /* of a case: as those of the deck */
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
  fputs(bf_reference_axes, out);
  fputs(bf_reference_cases, out);
  fputs(command_line, out);
  put_section(out, "", "Keys of the deck");
  put_choices(out, "");
  put_below(out, "");
  bf_units_reference(out);
  fputs(quantities, out);
  fputs(quantity_rules, out);
  fputs(messages, out);
  BF_CHECK(!ferror(out), BF_E_FILE, "the reference page could not be written");
  return BF_OK;
}
