/* inputs/tree.c - nodes of the deck's tree, and the accessors of deck.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/tree.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bf_err bf_item_create(bf_item_kind kind, const char *key, const char *text, bf_where where, bf_item **out)
{
  bf_err   err = BF_OK;
  bf_item *it  = NULL;
  *out         = NULL;
  BF_GO(BF_NEW(it));
  it->kind      = kind;
  it->number    = NAN;
  it->where     = where;
  it->key_where = where;
  if (key) {
    it->key = bf_host_strdup(key);
    BF_NEED(it->key, BF_E_MEMORY, "no memory for the deck");
  }
  if (text) {
    it->text = bf_host_strdup(text);
    BF_NEED(it->text, BF_E_MEMORY, "no memory for the deck");
  }
  *out = it;
  it   = NULL;
done:
  bf_item_destroy(&it);
  return err;
}

void bf_item_destroy(bf_item **it)
{
  if (!it || !*it) return;
  for (int i = 0; i < (*it)->count; i++) bf_item_destroy(&(*it)->child[i]); /* at most 16 levels */
  bf_host_free((*it)->child);
  bf_host_free((*it)->key);
  bf_host_free((*it)->text);
  bf_host_free((*it)->written);
  bf_host_free(*it);
  *it = NULL;
}

bf_err bf_item_append_take(bf_item *parent, bf_item **child)
{
  bf_err err = BF_OK;
  if (parent->count == parent->capacity) {
    const int capacity = parent->capacity ? 2 * parent->capacity : 4;
    bf_item **grown    = bf_host_realloc(parent->child, (size_t)capacity, sizeof *grown);
    BF_NEED(grown, BF_E_MEMORY, "no memory for the deck");
    parent->child    = grown;
    parent->capacity = capacity;
  }
  (*child)->parent               = parent;
  parent->child[parent->count++] = *child;
  *child                         = NULL;
done:
  bf_item_destroy(child);
  return err;
}

void bf_item_remove(bf_item *parent, const bf_item *child)
{
  int kept = 0;
  for (int i = 0; i < parent->count; i++) {
    if (parent->child[i] == child)
      bf_item_destroy(&parent->child[i]);
    else
      parent->child[kept++] = parent->child[i];
  }
  parent->count = kept;
}

bf_item *bf_item_child(const bf_item *map, const char *key)
{
  for (int i = 0; map && map->kind == BF_ITEM_MAP && i < map->count; i++)
    if (strcmp(map->child[i]->key, key) == 0) return map->child[i];
  return NULL;
}

static int index_of(const bf_item *it)
{
  int i = 0;
  while (it->parent->child[i] != it) i++;
  return i;
}

/* Appends to text, truncated at its size. */
static void add(char text[BF_PLACE_MAX], const char *part)
{
  const size_t n = strlen(text);
  snprintf(text + n, BF_PLACE_MAX - n, "%.60s", part);
}

/* Keys from the root down, "a.b, entry 2.c". */
static void place_below_root(const bf_item *it, char text[BF_PLACE_MAX])
{
  if (!it->parent) return;
  place_below_root(it->parent, text);
  if (it->key) {
    if (text[0]) add(text, ".");
    add(text, it->key);
  } else {
    char number[32];
    snprintf(number, sizeof number, "[entry %d]", index_of(it) + 1);
    add(text, number);
  }
}

const char *bf_item_place(const bf_item *it, char text[BF_PLACE_MAX])
{
  text[0] = '\0';
  if (!it->parent) {
    add(text, "the deck");
    return text;
  }
  add(text, "'");
  char keys[BF_PLACE_MAX] = "";
  place_below_root(it, keys);
  const size_t n = strlen(text);
  snprintf(text + n, BF_PLACE_MAX - n, "%.*s'", BF_PLACE_MAX - 4, keys);
  return text;
}

const bf_item *bf_item_get(const bf_item *from, const char *path)
{
  const bf_item *it = from;
  while (it && *path) {
    const size_t   n    = strcspn(path, ".");
    const bf_item *next = NULL;
    for (int i = 0; it->kind == BF_ITEM_MAP && i < it->count && !next; i++) {
      const char *key = it->child[i]->key;
      if (strncmp(key, path, n) == 0 && key[n] == '\0') next = it->child[i];
    }
    it = next;
    path += n + (path[n] == '.');
  }
  return it;
}

int bf_item_given(const bf_item *it)
{
  return it ? it->given : 0;
}
bf_where bf_item_where(const bf_item *it)
{
  return it ? it->where : (bf_where){0};
}
int bf_item_count(const bf_item *it)
{
  return it ? it->count : 0;
}
const bf_item *bf_item_at(const bf_item *it, int i)
{
  return it && i >= 0 && i < it->count ? it->child[i] : NULL;
}
const char *bf_item_key(const bf_item *it)
{
  return it ? it->key : NULL;
}
void *bf_item_source(const bf_item *it)
{
  return it && it->sources ? (*it->sources)[it->source].loaded : NULL;
}

const char *bf_item_written(const bf_item *it)
{
  return it && it->written ? it->written : bf_item_text(it);
}

const char *bf_item_text(const bf_item *it)
{
  return it ? it->text : NULL;
}
double bf_item_number(const bf_item *it)
{
  return it ? it->number : NAN;
}
int bf_item_is_formula(const bf_item *it)
{
  return it ? it->formula : 0;
}
bf_table *bf_item_table(const bf_item *it)
{
  return it ? it->table : NULL;
}
int bf_item_is(const bf_item *it, const char *word)
{
  return it && it->text && strcmp(it->text, word) == 0;
}
int bf_item_true(const bf_item *it)
{
  return bf_item_is(it, "true");
}
