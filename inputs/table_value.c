/* inputs/table_value.c - `{table: file.csv}` instead of a formula: the file is read with the deck */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/validate.h"
#include <string.h>

/* The table of a file, read once per deck; NULL after diagnostics. */
static bf_err table_of(bf_checker *c, const bf_item *file, bf_table **table)
{
  bf_err         err   = BF_OK;
  bf_deck       *d     = c->deck;
  char          *path  = NULL;
  bf_deck_table *grown = bf_host_realloc(d->table, (size_t)d->ntables + 1, sizeof *grown), *now;
  BF_NEED(grown, BF_E_MEMORY, "no memory for the deck");
  d->table = grown;
  now      = &d->table[d->ntables];
  *now     = (bf_deck_table){.file = file};
  BF_GO(bf_deck_beside(d, file, &path));
  d->ntables++;
  for (int i = 0; i < d->ntables - 1 && !now->path; i++)
    if (strcmp(d->table[i].path, path) == 0) {
      now->path  = d->table[i].path;
      now->table = d->table[i].table;
    }
  if (!now->path) {
    now->path = ""; /* valid for the comparisons if memory runs out */
    BF_GO(bf_deck_keep_name(d, path, &now->path));
    BF_GO(bf_table_read(now->path, file->where, c->diags, &now->table));
    now->first = 1;
  }
  *table = now->table;
done:
  bf_host_free(path);
  return err;
}

/* Interpolated values lie between the minimum and the maximum of the table, so these two are checked. */
static void check_range(bf_checker *c, bf_item *it, const bf_key *key)
{
  const bf_table *t     = it->table;
  const bf_range  r     = bf_schema_range(key->range);
  const int       above = t->least > r.low || (!r.low_open && t->least == r.low);
  const int       below = t->most < r.high || (!r.high_open && t->most == r.high);
  if (above && below) return;
  BF_FAULT(c, it, key->code ? key->code : 105, ((bf_where){t->name, above ? t->most_line : t->least_line, 1}),
           "'%s' is %.9g in the table, outside %s%s%s", key->name, above ? t->most : t->least, key->range,
           key->hint ? "; " : "", key->hint ? key->hint : "");
}

/* x y z of a vector, xx yy zz xy yz xz of a tensor: 0 ..; -1 for another word */
static int component_of(const char *text)
{
  static const char *const name[2][6] = {{"x", "y", "z", "", "", ""}, {"xx", "yy", "zz", "xy", "yz", "xz"}};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 6; i++)
      if (name[k][i][0] && strcmp(text, name[k][i]) == 0) return i;
  return -1;
}

/* {file: case.hdf, field: temperature}: the program reads the file. */
static bf_err source_check(bf_checker *c, bf_item *it, const bf_key *key)
{
  const bf_item *file = bf_item_child(it, "file"), *field = bf_item_child(it, "field"),
                *component = bf_item_child(it, "component"), *step = bf_item_child(it, "step");
  bf_deck *d    = c->deck;
  char    *path = NULL;
  double   n    = 0.0;
  for (int i = 0; i < it->count; i++)
    if (it->child[i] != file && it->child[i] != field && it->child[i] != component && it->child[i] != step)
      BF_FAULT(c, it, 101, it->child[i]->key_where,
               "unknown key '%.60s' in '%s'; valid: file, field, component, step", it->child[i]->key,
               key->name);
  if (!field)
    BF_FAULT(c, it, 102, it->where, "'%s': 'file' needs 'field', the name of the field in the result",
             key->name);
  for (int i = 0; i < it->count; i++)
    if (it->child[i]->kind != BF_ITEM_VALUE || !it->child[i]->text[0])
      BF_FAULT(c, it, 103, it->child[i]->where, "'%s': expected one value", it->child[i]->key);
  if (it->faulty) return BF_OK;
  if (component && component_of(component->text) < 0)
    BF_FAULT(c, it, 105, component->where,
             "'component': unknown value '%.60s'; valid: x, y, z, xx, yy, zz, xy, yz, xz", component->text);
  if (step && (bf_text_number(step->text, &n) != 0 || n < 1.0 || n > 1e6 || n != (double)(int)n))
    BF_FAULT(c, it, 103, step->where, "'step': expected a whole number from 1, got '%.60s'", step->text);
  if (it->faulty) return BF_OK;
  bf_deck_source *grown = bf_host_realloc(d->source, (size_t)d->nsources + 1, sizeof *grown);
  BF_CHECK(grown, BF_E_MEMORY, "no memory for the deck");
  d->source          = grown;
  grown[d->nsources] = (bf_deck_source){.file      = file,
                                        .field     = field->text,
                                        .component = component ? component_of(component->text) : -1,
                                        .step      = (int)n};
  BF_TRY(bf_deck_beside(d, file, &path));
  const bf_err err = bf_deck_keep_name(d, path, &grown[d->nsources].path);
  bf_host_free(path);
  BF_TRY(err);
  it->formula = 1;
  it->sources = &d->source;
  it->source  = d->nsources++;
  return BF_OK;
}

bf_err bf_table_check(bf_checker *c, bf_item *it, const bf_key *key)
{
  const bf_item *file = bf_item_child(it, "table");
  if (bf_item_child(it, "file") || bf_item_child(it, "field")) return source_check(c, it, key);
  for (int i = 0; i < it->count; i++)
    if (it->child[i] != file)
      BF_FAULT(c, it, 101, it->child[i]->key_where, "unknown key '%.60s' in '%s'; valid: table",
               it->child[i]->key, key->name);
  if (!file && !it->faulty)
    BF_FAULT(
        c, it, 103, it->where,
        "'%s': expected a number, a formula in quotes, {table: file.csv} or {file: case.hdf, field: name}",
        key->name);
  else if (file && (file->kind != BF_ITEM_VALUE || !file->text[0]))
    BF_FAULT(c, it, 103, file->where, "'table': expected the name of a CSV file");
  if (it->faulty) return BF_OK;
  it->formula = 1;
  BF_TRY(table_of(c, file, &it->table));
  if (it->table)
    check_range(c, it, key);
  else
    it->faulty = 1; /* reported */
  return BF_OK;
}
