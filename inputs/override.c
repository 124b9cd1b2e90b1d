/* inputs/override.c - `-s key=value`: values of the command line in the tree of the deck
 *
 * The value is parsed like a value in the file (lists, quotes). The schema is not used here: an unknown key
 * is inserted, and validate.c reports it like a key of the file. Locations are "command line: -s key",
 * without lines.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/tree.h"
#include <stdio.h>
#include <string.h>

/* "command line: -s key"; the locations below it borrow it. */
static bf_err place_of(bf_deck *deck, const char *text, size_t n, const char **place)
{
  static const char before[] = "command line: -s ";
  char             *name     = bf_host_alloc(sizeof before + n, 1);
  BF_CHECK(name, BF_E_MEMORY, "no memory for the deck");
  snprintf(name, sizeof before + n, "%s%.*s", before, (int)n, text);
  const bf_err err = bf_deck_keep_name(deck, name, place);
  bf_host_free(name);
  return err;
}

/* Sets the location of an item and everything below it. */
static void move_to(bf_item *it, const char *place)
{
  it->where = it->key_where = (bf_where){.file = place};
  it->text_column           = 0;
  for (int i = 0; i < it->count; i++) move_to(it->child[i], place);
}

/* Value of "v: value"; NULL after a diagnostic. */
static bf_err read_value(const char *place, const char *value, bf_diags *diags, bf_item **out)
{
  bf_err       err   = BF_OK;
  char        *text  = NULL;
  bf_item     *root  = NULL;
  const size_t n     = strlen(value);
  const int    first = diags->count;
  int          items = 0;
  BF_GO(BF_NEW_ARRAY(text, n + 5));
  snprintf(text, n + 5, "v: %s\n", value);
  BF_GO(bf_yaml_tree(place, text, n + 4, &items, diags, &root));
  for (int i = first; i < diags->count; i++) diags->item[i].line = diags->item[i].column = 0;
  if (!root) goto done;
  if (root->count != 1) {
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){.file = place}, "more than one value");
    goto done;
  }
  *out           = root->child[0];
  root->child[0] = NULL;
  root->count    = 0;
  (*out)->parent = NULL;
  move_to(*out, place);
done:
  bf_item_destroy(&root);
  bf_host_free(text);
  return err;
}

/* Inserts *it under its key; replaces an existing value. */
static bf_err put(bf_item *map, bf_item **it)
{
  for (int i = 0; i < map->count; i++) {
    if (strcmp(map->child[i]->key, (*it)->key) != 0) continue;
    bf_item_destroy(&map->child[i]);
    (*it)->parent = map;
    map->child[i] = *it;
    *it           = NULL;
    return BF_OK;
  }
  return bf_item_append_take(map, it);
}

/* The map below `map`, created if missing; NULL if the name is used by another kind of item. */
static bf_err below(bf_item *map, const char *key, const char *place, bf_diags *diags, bf_item **out)
{
  bf_item *made = NULL;
  char     name[BF_PLACE_MAX];
  *out = bf_item_child(map, key);
  if (*out && (*out)->kind != BF_ITEM_MAP) {
    bf_diag_add(diags, BF_ERROR, 103, (bf_where){.file = place}, "%s is not a map of keys and values",
                bf_item_place(*out, name));
    *out = NULL;
    return BF_OK;
  }
  if (*out) return BF_OK;
  BF_TRY(bf_item_create(BF_ITEM_MAP, key, NULL, (bf_where){.file = place}, &made));
  made->given = 1;
  *out        = made;
  return bf_item_append_take(map, &made);
}

/* Follows "a.b.c" from the root (the text is split) and inserts the value. */
static bf_err put_at(bf_item *root, char *keys, const char *place, bf_diags *diags, bf_item **value)
{
  bf_item *map   = root;
  int      depth = 1;
  for (char *dot; map && (dot = strchr(keys, '.')) != NULL; keys = dot + 1, depth++) {
    *dot = '\0';
    if (!keys[0] || depth == BF_DECK_DEPTH_MAX) break;
    BF_TRY(below(map, keys, place, diags, &map));
  }
  if (!map) return BF_OK;
  if (!keys[0] || depth == BF_DECK_DEPTH_MAX) {
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){.file = place},
                keys[0] ? "nested deeper than 16 levels" : "a key is empty");
    return BF_OK;
  }
  (*value)->key = bf_host_strdup(keys);
  BF_CHECK((*value)->key, BF_E_MEMORY, "no memory for the deck");
  return put(map, value);
}

static bf_err override_one(bf_deck *deck, const char *text, bf_diags *diags)
{
  bf_err       err   = BF_OK;
  bf_item     *value = NULL;
  char        *keys  = NULL;
  const char  *place = NULL;
  const size_t n     = strcspn(text, "=");
  BF_GO(place_of(deck, text, n, &place));
  if (!text[n] || n == 0 || strlen(text) > BF_DECK_BYTES_MAX) {
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){.file = place}, "expected key=value");
    goto done;
  }
  if (n == strlen("include") && strncmp(text, "include", n) == 0) {
    bf_diag_add(diags, BF_ERROR, 109, (bf_where){.file = place},
                "a deck includes files, the command line does not");
    goto done;
  }
  BF_GO(read_value(place, text + n + 1, diags, &value));
  if (!value) goto done;
  bf_host_free(value->key);
  value->key = NULL;
  keys       = bf_host_strdup(text);
  BF_NEED(keys, BF_E_MEMORY, "no memory for the deck");
  keys[n] = '\0';
  BF_GO(put_at(deck->root, keys, place, diags, &value));
done:
  bf_item_destroy(&value);
  bf_host_free(keys);
  return err;
}

bf_err bf_deck_override(bf_deck *deck, const char *const *text, int n, bf_diags *diags)
{
  if (deck->root->kind != BF_ITEM_MAP) return BF_OK; /* refused for that */
  for (int i = 0; i < n; i++) BF_TRY(override_one(deck, text[i], diags));
  return BF_OK;
}
