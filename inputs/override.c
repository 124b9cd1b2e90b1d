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
#include <stdlib.h>
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
    bf_diag_add(diags, BF_ERROR, 103, (bf_where){.file = place}, "%s is not a map of keys and values%s",
                bf_item_place(*out, name),
                (*out)->kind == BF_ITEM_LIST ? "; choose an entry: [1] is the first, [group=NAME]" : "");
    *out = NULL;
    return BF_OK;
  }
  if (*out) return BF_OK;
  BF_TRY(bf_item_create(BF_ITEM_MAP, key, NULL, (bf_where){.file = place}, &made));
  made->given = 1;
  *out        = made;
  return bf_item_append_take(map, &made);
}

/* 1: the entry has this key with this value, or a list that contains it; `group` also finds `groups`. */
static int matches(const bf_item *entry, const char *key, const char *value)
{
  const bf_item *it = bf_item_child(entry, key);
  if (!it && strcmp(key, "group") == 0) it = bf_item_child(entry, "groups");
  if (!it) return 0;
  if (it->kind == BF_ITEM_VALUE) return strcmp(it->text, value) == 0;
  for (int i = 0; i < it->count; i++)
    if (it->child[i]->kind == BF_ITEM_VALUE && strcmp(it->child[i]->text, value) == 0) return 1;
  return 0;
}

/* Text of a selection: without quotes around it. */
static char *unquoted(char *text)
{
  const size_t n = strlen(text);
  if (n < 2 || (text[0] != '"' && text[0] != '\'') || text[n - 1] != text[0]) return text;
  text[n - 1] = '\0';
  return text + 1;
}

/* The entry of a list by "2", from 1 as in messages, or "group=top"; NULL after a message. */
static bf_item *entry_of(bf_item *list, char *which, const char *place, bf_diags *diags)
{
  char     name[BF_PLACE_MAX];
  char    *value = strchr(which, '=');
  bf_item *found = NULL;
  int      n     = 0;
  bf_item_place(list, name);
  if (list->kind != BF_ITEM_LIST) {
    bf_diag_add(diags, BF_ERROR, 103, (bf_where){.file = place}, "%s is not a list", name);
  } else if (!value) {
    const size_t digits = strspn(which, "0123456789");
    const long   i      = digits > 0 && digits < 9 && !which[digits] ? strtol(which, NULL, 10) : -1;
    if (i >= 1 && i <= list->count) return list->child[i - 1];
    bf_diag_add(diags, BF_ERROR, 105, (bf_where){.file = place},
                "%s has no entry [%.60s]: expected 1 to %d, or [key=value]", name, which, list->count);
  } else {
    *value++ = '\0';
    value    = unquoted(value);
    for (int i = 0; i < list->count; i++)
      if (list->child[i]->kind == BF_ITEM_MAP && matches(list->child[i], which, value)) {
        found = list->child[i];
        n++;
      }
    if (n == 1) return found;
    bf_diag_add(diags, BF_ERROR, 105, (bf_where){.file = place},
                n == 0 ? "%s has no entry with %.60s %.60s"
                       : "%s has several entries with %.60s %.60s; use their number",
                name, which, value);
  }
  return NULL;
}

/* One step of a path: "key", "key[2]", "key[group=top]", "key[1][0]". */
typedef struct step {
  char *key, *which[2]; /* NULL past the last selection */
} step;

/* Splits the text at `*rest` up to the next dot outside brackets; 0: the brackets are wrong. */
static int next_step(char **rest, step *s)
{
  char *at = *rest;
  int   n  = 0;
  *s       = (step){at, {NULL, NULL}};
  while (*at && *at != '.' && *at != '[') at++;
  while (*at == '[') {
    char *end = strchr(at, ']');
    if (!end || n == 2) return 0;
    *at           = '\0';
    *end          = '\0';
    s->which[n++] = at + 1;
    at            = end + 1;
  }
  if (*at && *at != '.') return 0;
  *rest = *at ? at + 1 : NULL;
  *at   = '\0';
  return s->key[0] != '\0';
}

/* Replaces an entry of a list by the value. */
static void replace(bf_item *entry, bf_item **value)
{
  bf_item *list = entry->parent;
  for (int i = 0; i < list->count; i++) {
    if (list->child[i] != entry) continue;
    (*value)->parent = list;
    bf_item_destroy(&list->child[i]);
    list->child[i] = *value;
    *value         = NULL;
    return;
  }
}

/* Inserts the value at the end of a path: under a key of `map`, or for an entry of a list. */
static bf_err put_last(bf_item *map, const step *s, const char *place, bf_diags *diags, bf_item **value)
{
  char name[BF_PLACE_MAX];
  if (!s->which[0]) {
    (*value)->key = bf_host_strdup(s->key);
    BF_CHECK((*value)->key, BF_E_MEMORY, "no memory for the deck");
    return put(map, value);
  }
  bf_item *it = bf_item_child(map, s->key);
  if (!it)
    bf_diag_add(diags, BF_ERROR, 105, (bf_where){.file = place}, "%s has no list '%.60s'",
                bf_item_place(map, name), s->key);
  for (int i = 0; i < 2 && it && s->which[i]; i++) it = entry_of(it, s->which[i], place, diags);
  if (it) replace(it, value);
  return BF_OK;
}

/* Follows "a.b[2].c" from the root (the text is split) and inserts the value. */
static bf_err put_at(bf_item *root, char *keys, const char *place, bf_diags *diags, bf_item **value)
{
  bf_item *map  = root;
  char    *rest = keys;
  char     name[BF_PLACE_MAX];
  for (int depth = 1; map; depth++) {
    step s;
    if (depth == BF_DECK_DEPTH_MAX || !next_step(&rest, &s)) {
      bf_diag_add(diags, BF_ERROR, 100, (bf_where){.file = place},
                  depth == BF_DECK_DEPTH_MAX ? "nested deeper than 16 levels"
                                             : "a key is empty, or brackets do not match");
      return BF_OK;
    }
    if (!rest) return put_last(map, &s, place, diags, value);
    if (!s.which[0]) {
      BF_TRY(below(map, s.key, place, diags, &map));
      continue;
    }
    bf_item *it = bf_item_child(map, s.key);
    if (!it)
      bf_diag_add(diags, BF_ERROR, 105, (bf_where){.file = place}, "%s has no list '%.60s'",
                  bf_item_place(map, name), s.key);
    for (int i = 0; i < 2 && it && s.which[i]; i++) it = entry_of(it, s.which[i], place, diags);
    if (it && it->kind != BF_ITEM_MAP)
      bf_diag_add(diags, BF_ERROR, 103, (bf_where){.file = place}, "%s is not a map of keys and values",
                  bf_item_place(it, name));
    map = it && it->kind == BF_ITEM_MAP ? it : NULL;
  }
  return BF_OK;
}

/* Length of the key: up to the first '=' outside brackets. */
static size_t key_length(const char *text)
{
  size_t n = 0;
  for (int inside = 0; text[n] && (inside || text[n] != '='); n++) {
    if (text[n] == '[') inside = 1;
    if (text[n] == ']') inside = 0;
  }
  return n;
}

static bf_err override_one(bf_deck *deck, const char *text, bf_diags *diags)
{
  bf_err       err   = BF_OK;
  bf_item     *value = NULL;
  char        *keys  = NULL;
  const char  *place = NULL;
  const size_t n     = key_length(text);
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
