/* inputs/include.c - `include:`: merges included files into the tree of a deck
 *
 * An included file is a map like a deck, read by the same reader, and may include others. Rules of the merge:
 *   maps                      key by key
 *   boundary, loads, checks   one list: the entries of the included files in their order, then those of the
 * file every other key           the including file overrides included ones; different values in two files
 * included by one file are E104 units.system, physics     must be the same wherever they are given (E106) The
 * schema checks the merged tree; every item keeps its location.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/tree.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 100, LEVELS_MAX = 8 };

typedef struct part { /* a file that was read */
  const char *name;   /* borrowed: the deck's */
  dev_t       dev;
  ino_t       ino;
  bf_where    named; /* by its includer */
} part;

typedef struct includer {
  bf_deck  *deck;
  bf_diags *diags;
  part      file[FILES_MAX];                     /* file[0] is the deck */
  int       nfiles, open[LEVELS_MAX + 1], level; /* files being read, outermost first */
  int       items;
  size_t    bytes;
} includer;

/* 1: two trees are equal. */
static int same(const bf_item *a, const bf_item *b)
{
  if (a->kind != b->kind || a->count != b->count) return 0;
  if (a->kind == BF_ITEM_VALUE) return strcmp(a->text, b->text) == 0;
  for (int i = 0; i < a->count; i++) {
    if (a->child[i]->key && strcmp(a->child[i]->key, b->child[i]->key) != 0) return 0;
    if (!same(a->child[i], b->child[i])) return 0; /* at most 16 levels */
  }
  return 1;
}

/* boundary, loads, checks of the deck */
static int joined(const bf_item *it)
{
  return !it->parent->parent && (strcmp(it->key, "boundary") == 0 || strcmp(it->key, "loads") == 0 ||
                                 strcmp(it->key, "checks") == 0);
}

static int must_agree(const bf_item *it)
{
  const bf_item *up = it->parent;
  if (it->kind != BF_ITEM_VALUE) return 0;
  if (!up->parent) return strcmp(it->key, "physics") == 0;
  return !up->parent->parent && up->key && strcmp(up->key, "units") == 0 && strcmp(it->key, "system") == 0;
}

static const char *words_for(bf_item_kind kind)
{
  return kind == BF_ITEM_MAP ? "a map" : kind == BF_ITEM_LIST ? "a list" : "a value";
}

/* Moves the entries of `lower` before or after those of `upper`. */
static bf_err join(bf_item *upper, bf_item *lower, int before)
{
  bf_item *first = before ? lower : upper, *second = before ? upper : lower;
  for (int i = 0; i < second->count; i++) BF_TRY(bf_item_append_take(first, &second->child[i]));
  second->count = 0;
  if (first == upper) return BF_OK;
  bf_item **child    = upper->child;
  const int capacity = upper->capacity;
  upper->child       = lower->child;
  upper->count       = lower->count;
  upper->capacity    = lower->capacity;
  lower->child       = child;
  lower->count       = 0;
  lower->capacity    = capacity;
  for (int i = 0; i < upper->count; i++) upper->child[i]->parent = upper;
  return BF_OK;
}

/* Merges `lower` into `upper`. beside: both are included by one file, neither overrides the other. */
static bf_err merge(bf_diags *diags, bf_item *upper, bf_item *lower, int beside)
{
  char at[BF_WHERE_TEXT], place[BF_PLACE_MAX];
  for (int i = 0; i < lower->count; i++) {
    bf_item *low = lower->child[i], *up = bf_item_child(upper, low->key);
    if (!up) {
      BF_TRY(bf_item_append_take(upper, &lower->child[i]));
      continue;
    }
    const bf_item *late  = beside ? low : up,
                  *early = beside ? up : low; /* reported at the later file, or the including one */
    bf_where_text(early->key_where, late->key_where, at);
    if (up->kind == BF_ITEM_MAP && low->kind == BF_ITEM_MAP)
      BF_TRY(merge(diags, up, low, beside));
    else if (joined(up) && up->kind == BF_ITEM_LIST && low->kind == BF_ITEM_LIST)
      BF_TRY(join(up, low, !beside));
    else if (up->kind != low->kind && (up->kind == BF_ITEM_MAP || low->kind == BF_ITEM_MAP || joined(up)))
      bf_diag_add(diags, BF_ERROR, 103, late->key_where, "%s is %s here and %s at %s",
                  bf_item_place(up, place), words_for(late->kind), words_for(early->kind), at);
    else if (same(up, low))
      continue;
    else if (must_agree(up))
      bf_diag_add(diags, BF_ERROR, 106, late->key_where, "%s is '%.60s' here and '%.60s' at %s",
                  bf_item_place(up, place), late->text ? late->text : "", early->text ? early->text : "", at);
    else if (beside)
      bf_diag_add(diags, BF_ERROR, 104, low->key_where,
                  "%s is given by two included files, with another value at %s; give it in the file that "
                  "includes both",
                  bf_item_place(up, place), at);
  }
  return BF_OK;
}

/* E109 for a file that is being read or was read. */
static int is_new(includer *in, const char *name, bf_where named, const struct stat *st)
{
  char at[BF_WHERE_TEXT];
  int  known = -1, open = 0;
  for (int i = 0; i < in->nfiles && known < 0; i++)
    if (in->file[i].dev == st->st_dev && in->file[i].ino == st->st_ino) known = i;
  for (int i = 0; i <= in->level; i++) open |= in->open[i] == known;
  if (known >= 0 && open)
    bf_diag_add(in->diags, BF_ERROR, 109, named, "'%s' includes itself%s%s", name,
                known == in->open[in->level] ? "" : " through ",
                known == in->open[in->level] ? "" : in->file[in->open[in->level]].name);
  else if (known >= 0)
    bf_diag_add(in->diags, BF_ERROR, 109, named, "'%s' is included twice; first at %s", name,
                bf_where_text(in->file[known].named, named, at));
  else if (in->nfiles == FILES_MAX)
    bf_diag_add(in->diags, BF_ERROR, 109, named, "more than %d files", FILES_MAX);
  else if (in->level == LEVELS_MAX)
    bf_diag_add(in->diags, BF_ERROR, 109, named, "files include each other deeper than %d levels",
                LEVELS_MAX);
  else
    return 1;
  return 0;
}

static bf_err expand(includer *in, bf_item *root);

/* Reads a file and the files it includes; adds it to `all`. */
static bf_err add_part(includer *in, const bf_item *it, bf_item *all)
{
  bf_err      err  = BF_OK;
  char       *text = NULL, *path = NULL;
  const char *name = NULL;
  bf_item    *root = NULL;
  size_t      length;
  const char *why = NULL;
  struct stat st;
  BF_GO(bf_deck_beside(in->deck, it, &path));
  BF_GO(bf_deck_keep_name(in->deck, path, &name));
  if (stat(path, &st) != 0)
    why = strerror(errno);
  else if (!S_ISREG(st.st_mode))
    why = S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file";
  else if (!is_new(in, name, it->where, &st))
    goto done;
  if (!why) BF_GO(bf_deck_slurp(path, &text, &length, &why));
  if (why) {
    bf_diag_add(in->diags, BF_ERROR, 109, it->where, "cannot read '%s': %s", name, why);
    goto done;
  }
  in->bytes += length;
  if (in->bytes > BF_DECK_BYTES_MAX) {
    bf_diag_add(in->diags, BF_ERROR, 109, it->where, "with '%s' the deck is larger than 1 MiB", name);
    goto done;
  }
  BF_GO(bf_yaml_tree(name, text, length, &in->items, in->diags, &root));
  if (!root) goto done;
  if (root->kind != BF_ITEM_MAP) {
    bf_diag_add(in->diags, BF_ERROR, 103, root->where, "an included file must be a map of keys and values");
    goto done;
  }
  in->open[++in->level]  = in->nfiles;
  in->file[in->nfiles++] = (part){name, st.st_dev, st.st_ino, it->where};
  BF_GO(expand(in, root));
  in->level--;
  const bf_item *deck = bf_item_child(root, "deck");
  double         version;
  if (deck && (deck->kind != BF_ITEM_VALUE || bf_text_number(deck->text, &version) != 0 || version != 1.0))
    bf_diag_add(in->diags, BF_ERROR, 105, deck->where, "'deck' of an included file must be 1");
  if (deck) bf_item_remove(root, deck);
  BF_GO(merge(in->diags, all, root, 1));
done:
  bf_item_destroy(&root);
  bf_host_free(text);
  bf_host_free(path);
  return err;
}

static int is_name(const bf_item *it)
{
  return it->kind == BF_ITEM_VALUE && it->text[0];
}

/* Replaces `include` of a file by the contents of the files. */
static bf_err expand(includer *in, bf_item *root)
{
  bf_err         err  = BF_OK;
  bf_item       *all  = NULL;
  const bf_item *list = bf_item_child(root, "include");
  if (!list) return BF_OK;
  int sound = is_name(list) || (list->kind == BF_ITEM_LIST && list->count > 0);
  for (int i = 0; i < list->count; i++) sound &= is_name(list->child[i]);
  if (sound) {
    BF_GO(bf_item_create(BF_ITEM_MAP, NULL, NULL, list->where, &all));
    for (int i = 0; i < list->count; i++) BF_GO(add_part(in, list->child[i], all));
    if (list->kind == BF_ITEM_VALUE) BF_GO(add_part(in, list, all));
    BF_GO(merge(in->diags, root, all, 0));
  } else {
    bf_diag_add(in->diags, BF_ERROR, 103, list->where,
                "'include': expected the name of a file, or a list of them such as [a.yaml, b.yaml]");
  }
  bf_item_remove(root, list);
done:
  bf_item_destroy(&all);
  return err;
}

bf_err bf_deck_include(bf_deck *deck, int items, bf_diags *diags)
{
  includer    in = {.deck = deck, .diags = diags, .nfiles = 1, .items = items, .bytes = deck->length};
  struct stat st;
  if (deck->root->kind != BF_ITEM_MAP) return BF_OK; /* refused for that */
  in.file[0] = (part){.name = deck->path};
  if (stat(deck->path, &st) == 0) {
    in.file[0].dev = st.st_dev;
    in.file[0].ino = st.st_ino;
  }
  return expand(&in, deck->root);
}
