/* inputs/resolved.c - writes the checked deck with every default
 *
 * Block maps, lists of values on one line.  Ambiguous texts are quoted, numbers are written as in the deck:
 * reading the text gives the same tree.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/tree.h"
#include <stdio.h>
#include <string.h>

typedef struct text {
  char  *s; /* owned, ends with a zero */
  size_t used, room;
  int    failed; /* no memory */
} text;

static void put(text *t, const char *s, size_t n)
{
  if (t->failed) return;
  if (t->used + n + 1 > t->room) {
    const size_t room  = 2 * (t->used + n + 1);
    char        *grown = bf_host_realloc(t->s, room, 1);
    t->failed          = !grown;
    if (!grown) return;
    t->s    = grown;
    t->room = room;
  }
  memcpy(t->s + t->used, s, n);
  t->used += n;
  t->s[t->used] = '\0';
}

static void puts_(text *t, const char *s)
{
  put(t, s, strlen(s));
}

static void indent(text *t, int depth)
{
  for (int i = 0; i < depth; i++) puts_(t, "  ");
}

/* 1: needs no quotes: a number, or a plain word that begins with a letter. */
static int plain(const char *s)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  static const char others[]  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  double            number;
  if (bf_text_number(s, &number) == 0) return 1;
  return s[0] && strchr(letters, s[0]) && s[strspn(s, others)] == '\0';
}

/* A text in double quotes: YAML's escapes; line separators are escaped, since readers fold them. */
static void quoted(text *t, const char *s)
{
  puts_(t, "\"");
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') {
      puts_(t, "\\");
      put(t, s, 1);
    } else if (*s == '\n') {
      puts_(t, "\\n");
    } else if (*s == '\t') {
      puts_(t, "\\t");
    } else if (strncmp(s, "\xE2\x80\xA8", 3) == 0 || strncmp(s, "\xE2\x80\xA9", 3) == 0) {
      puts_(t, s[2] == '\xA8' ? "\\L" : "\\P");
      s += 2;
    } else if (strncmp(s, "\xEF\xBB\xBF", 3) == 0) {
      puts_(t, "\\uFEFF");
      s += 2;
    } else {
      put(t, s, 1);
    }
  }
  puts_(t, "\"");
}

static void put_word(text *t, const char *s, int formula)
{
  if (formula || !plain(s))
    quoted(t, s);
  else
    puts_(t, s);
}

static void put_value(text *t, const bf_item *it, const bf_deck_instead *instead, int n)
{
  const char *s = it->text;
  for (int i = 0; i < n; i++)
    if (instead[i].item == it) s = instead[i].text;
  put_word(t, s, it->formula);
}

static int has_containers(const bf_item *it)
{
  for (int i = 0; i < it->count; i++)
    if (it->child[i]->kind != BF_ITEM_VALUE) return 1;
  return 0;
}

/* Writes the value after "key:" or "-" and the end of the line; at most 16 levels. */
static void put_item(text *t, const bf_item *it, int depth, const bf_deck_instead *instead, int n)
{
  const int map = it->kind == BF_ITEM_MAP;
  if (it->kind == BF_ITEM_VALUE) {
    puts_(t, " ");
    put_value(t, it, instead, n);
    puts_(t, "\n");
  } else if (it->count == 0) {
    puts_(t, map ? " {}\n" : " []\n");
  } else if (!map && !has_containers(it)) {
    for (int i = 0; i < it->count; i++) {
      puts_(t, i ? ", " : " [");
      put_value(t, it->child[i], instead, n);
    }
    puts_(t, "]\n");
  } else {
    const int in_list = it->key == NULL && map; /* the first key is on the line of the dash */
    if (it->parent && !in_list) puts_(t, "\n");
    for (int i = 0; i < it->count; i++) {
      if (in_list && i == 0 && it->parent)
        puts_(t, " ");
      else
        indent(t, depth);
      if (map) put_word(t, it->child[i]->key, 0);
      puts_(t, map ? ":" : "-");
      put_item(t, it->child[i], depth + 1, instead, n);
    }
  }
}

bf_err bf_deck_resolved(const bf_deck *d, const bf_deck_instead *instead, int n, char **out)
{
  text t = {0};
  BF_CHECK(d && out && n >= 0 && (instead || n == 0), BF_E_ARG, "null argument");
  *out = NULL;
  puts_(&t, "# every key of the deck as it was used, defaults filled in\n");
  put_item(&t, d->root, 0, instead, n);
  if (t.failed) bf_host_free(t.s);
  BF_CHECK(!t.failed, BF_E_MEMORY, "no memory for the deck with its defaults");
  *out = t.s;
  return BF_OK;
}
