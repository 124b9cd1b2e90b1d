/* inputs/json_schema.c - the deck language as JSON schema (draft 2020-12), from the table of schema.c
 *
 * One definition for each physics, chosen by the deck's `physics`; in lists of entries one for each `type`.
 * A deck with `include` is not checked, as included files may complete it. Numbers may be quoted in a deck,
 * so texts of this form are accepted. Rules between keys, formulas and quantities are checked by `bandfem
 * check` only.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include <math.h>
#include <string.h>

enum { WITH_NAMES = 64 }; /* beside a physics: the deck has parameters */

static void put_section(FILE *out, const char *section, const char *variant, int physics);

static void put_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; text++) fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc('"', out);
}

static int usable(const bf_key *k, const char *section, int physics)
{
  return !k->later && strcmp(k->section, section) == 0 && bf_schema_fits(k->physics, physics);
}

static int word_usable(const bf_word *w, const char *set, int physics)
{
  return !w->later && strcmp(w->set, set) == 0 && bf_schema_fits(w->physics, physics);
}

/* {"enum": [...]}; true, false and numbers are also JSON's; on and off are booleans to readers of YAML 1.1.
 */
static void put_words(FILE *out, const char *set, int physics)
{
  int            count, n = 0;
  double         number;
  const bf_word *w = bf_schema_words(&count);
  fputs("\"enum\": [", out);
  for (int i = 0; i < count; i++) {
    if (!word_usable(&w[i], set, physics)) continue;
    fputs(n++ ? ", " : "", out);
    put_text(out, w[i].word);
    if (strcmp(w[i].word, "true") == 0 || strcmp(w[i].word, "false") == 0 ||
        bf_text_number(w[i].word, &number) == 0)
      fprintf(out, ", %s", w[i].word);
    if (strcmp(w[i].word, "on") == 0 || strcmp(w[i].word, "off") == 0)
      fputs(w[i].word[1] == 'n' ? ", true" : ", false", out);
  }
  fputc(']', out);
}

static void put_range(FILE *out, const char *range)
{
  const bf_range r = bf_schema_range(range);
  if (isfinite(r.low)) fprintf(out, ", \"%s\": %.15g", r.low_open ? "exclusiveMinimum" : "minimum", r.low);
  if (isfinite(r.high)) fprintf(out, ", \"%s\": %.15g", r.high_open ? "exclusiveMaximum" : "maximum", r.high);
}

/* Schema of one value, without the braces. */
static void put_type(FILE *out, const bf_key *k, int physics)
{
  switch (k->type) {
  case BF_KEY_TEXT: fputs("\"type\": [\"string\", \"number\", \"boolean\", \"null\"]", out); break;
  case BF_KEY_NAME:
    fputs("\"type\": [\"string\", \"number\", \"boolean\"], \"minLength\": 1, \"maxLength\": 200", out);
    break;
  case BF_KEY_QUANTITY: fputs("\"type\": [\"string\", \"number\"], \"minLength\": 1", out); break;
  case BF_KEY_CHOICE: put_words(out, k->set, physics); break;
  case BF_KEY_INT:
  case BF_KEY_NUMBER:
  case BF_KEY_VECTORS:
  case BF_KEY_FORMULA:
    fprintf(out, "\"anyOf\": [{\"type\": \"%s\"", k->type == BF_KEY_INT ? "integer" : "number");
    put_range(out, k->range);
    fputs("}, {\"type\": \"string\", ", out);
    if (k->type == BF_KEY_FORMULA)
      fputs("\"minLength\": 1}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": "
            "[\"table\"], "
            "\"properties\": {\"table\": {\"type\": \"string\", \"minLength\": 1}}}, "
            "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"file\", \"field\"], "
            "\"properties\": {\"file\": {\"type\": \"string\", \"minLength\": 1}, \"field\": {\"type\": "
            "\"string\"}, "
            "\"component\": {\"type\": \"string\"}, \"step\": {\"type\": \"integer\", \"minimum\": 1}}}",
            out);
    else
      fprintf(out, "\"pattern\": \"%s\"}",
              physics & WITH_NAMES    ? "[0-9A-Za-z]"
              : k->type == BF_KEY_INT ? "^[-+]?[0-9]+$"
                                      : "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$");
    if (k->set) {
      fputs(", {", out);
      put_words(out, k->set, physics);
      fputc('}', out);
    }
    fputc(']', out);
    break;
  case BF_KEY_MAP:
  case BF_KEY_NAMED:
  case BF_KEY_ENTRIES: break;
  }
}

/* Entries of a list distinguished by `type`: one definition per word. */
static void put_entries(FILE *out, const bf_key *k, const char *path, int physics)
{
  int            count, n = 0;
  const bf_word *w = bf_schema_words(&count);
  if (!k->set) {
    put_section(out, path, NULL, physics);
    return;
  }
  fputs("\"type\": \"object\", \"required\": [\"type\"], \"properties\": {\"type\": {", out);
  put_words(out, k->set, physics);
  fputs("}}, \"allOf\": [", out);
  for (int i = 0; i < count; i++) {
    char variant[2 * BF_SECTION_MAX];
    if (!word_usable(&w[i], k->set, physics)) continue;
    snprintf(variant, sizeof variant, "%s:%s", path, w[i].word);
    fprintf(out,
            "%s\n{\"if\": {\"required\": [\"type\"], \"properties\": {\"type\": {\"const\": \"%s\"}}}, "
            "\"then\": {",
            n++ ? "," : "", w[i].word);
    put_section(out, path, variant, physics);
    fputs("}}", out);
  }
  fputc(']', out);
}

static void put_default(FILE *out, const bf_key *k)
{
  double number;
  if (!k->preset || k->type >= BF_KEY_MAP || k->most || strchr(k->preset, '<')) return;
  fputs(", \"default\": ", out);
  if (bf_text_number(k->preset, &number) == 0)
    fprintf(out, "%.15g", number);
  else if (strcmp(k->preset, "true") == 0 || strcmp(k->preset, "false") == 0)
    fputs(k->preset, out);
  else
    put_text(out, k->preset);
}

static void put_key(FILE *out, const bf_key *k, int physics)
{
  char path[BF_SECTION_MAX], text[512];
  snprintf(text, sizeof text, "%s%s%s%s", k->text, k->unit ? " (" : "", k->unit ? k->unit : "",
           k->unit ? ")" : "");
  put_text(out, k->name);
  fputs(": {\"description\": ", out);
  put_text(out, text);
  fputs(", ", out);
  bf_schema_below(k, path);
  if (k->type == BF_KEY_MAP) {
    put_section(out, path, NULL, physics);
  } else if (k->type == BF_KEY_NAMED) {
    fprintf(out, "\"type\": \"object\"%s, \"additionalProperties\": {",
            k->required ? ", \"minProperties\": 1" : "");
    put_section(out, path, NULL, physics);
    fputc('}', out);
  } else if (k->type == BF_KEY_ENTRIES) {
    fputs("\"type\": \"array\", \"items\": {", out);
    put_entries(out, k, path, physics);
    fputc('}', out);
  } else if (k->type == BF_KEY_VECTORS && k->most == 0) {
    fputs("\"type\": \"object\", \"additionalProperties\": {", out);
    put_type(out, k, physics);
    fputc('}', out);
  } else if (k->type == BF_KEY_VECTORS && k->one) {
    fputs("\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", \"string\", "
          "\"array\"]}",
          out);
  } else if (k->most > 0) {
    if (k->one) {
      fputs("\"anyOf\": [{", out);
      put_type(out, k, physics);
      fputs("}, {", out);
    }
    if (k->rows)
      fprintf(out, "\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d, \"items\": {", k->rows);
    if (k->type == BF_KEY_VECTORS)
      fputs("\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": {", out);
    fprintf(out, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {", k->least, k->most);
    put_type(out, k, physics);
    fputs(k->one || k->rows || k->type == BF_KEY_VECTORS ? "}}" : "}", out);
    if (k->one) fputs("]", out);
  } else {
    put_type(out, k, physics);
  }
  put_default(out, k);
  fputc('}', out);
}

/* The map of a section and, unless NULL, of the entry's type: at most four levels. */
static void put_section(FILE *out, const char *section, const char *variant, int physics)
{
  int           count, n = 0, required = 0;
  const bf_key *k = bf_schema_keys(&count);
  fputs("\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", out);
  for (int i = 0; i < count; i++) {
    if (!usable(&k[i], section, physics) && !(variant && usable(&k[i], variant, physics))) continue;
    fputs(n++ ? ",\n" : "\n", out);
    put_key(out, &k[i], physics);
  }
  fputs("}, \"required\": [", out);
  for (int i = 0; i < count; i++) {
    if (!usable(&k[i], section, physics) && !(variant && usable(&k[i], variant, physics))) continue;
    if (!k[i].required) continue;
    fputs(required++ ? ", " : "", out);
    put_text(out, k[i].name);
  }
  fputc(']', out);
}

bf_err bf_schema_json(FILE *out)
{
  static const int  physics[] = {BF_ON_HEAT, BF_ON_ELASTICITY, BF_ON_ADVECTION};
  static const char named[]   = "_with_parameters"; /* numbers may be formulas of parameters */
  BF_CHECK(out, BF_E_ARG, "null argument");
  fputs("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "\"title\": \"bandfem deck\",\n"
        "\"type\": \"object\", \"required\": [\"deck\"], \"properties\": {\"physics\": {",
        out);
  put_words(out, "physics", BF_ON_ALL);
  fputs("}},\n\"if\": {\"not\": {\"required\": [\"include\"]}},\n"
        "\"then\": {\"required\": [\"physics\"], \"allOf\": [",
        out);
  for (int i = 0; i < 6; i++)
    fprintf(out,
            "%s\n{\"if\": {\"required\": [\"physics\"], \"properties\": {\"physics\": {\"const\": \"%s\"}}, "
            "%s{\"required\": [\"parameters\"]}%s}, \"then\": {\"$ref\": \"#/$defs/%s%s\"}}",
            i ? "," : "", bf_schema_physics(physics[i % 3]), i < 3 ? "\"not\": " : "\"allOf\": [",
            i < 3 ? "" : "]", bf_schema_physics(physics[i % 3]), i < 3 ? "" : named);
  fputs("]},\n\"$defs\": {", out);
  for (int i = 0; i < 6; i++) {
    fprintf(out, "%s\n\"%s%s\": {", i ? "," : "", bf_schema_physics(physics[i % 3]), i < 3 ? "" : named);
    put_section(out, "", NULL, i < 3 ? physics[i] : physics[i - 3] | WITH_NAMES);
    fputc('}', out);
  }
  fputs("}}\n", out);
  BF_CHECK(!ferror(out), BF_E_FILE, "the schema could not be written");
  return BF_OK;
}
