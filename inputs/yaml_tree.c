/* inputs/yaml_tree.c - YAML text to a tree of items, with the line and column of every key and value
 *
 * Uses the events of libyaml, so that errors have locations and limits apply while reading. Anchors, aliases,
 * tags and several documents are not supported; the schema, not YAML, decides the meaning of a scalar
 * (number, word, formula).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/tree.h"
#include <string.h>
#include <yaml.h>

typedef struct builder {
  yaml_parser_t parser;
  const char   *name; /* borrowed: the deck's path */
  const char   *text; /* borrowed */
  size_t        length;
  bf_diags     *diags;
  bf_item      *root, *open; /* owned root; innermost open container (borrowed) */
  char         *key;         /* owned: key without a value yet */
  bf_where      key_where;
  int           depth, documents;
  int          *items;            /* of all files so far */
  int           refused, stopped; /* the tree is invalid; the rest cannot be read */
} builder;

static bf_where place(const builder *b, yaml_mark_t m)
{
  return (bf_where){b->name, (int64_t)m.line + 1, (int)m.column + 1};
}

static void stop(builder *b, yaml_mark_t m, const char *what)
{
  bf_diag_add(b->diags, BF_ERROR, 100, place(b, m), "%s", what);
  b->stopped = 1;
}

/* Line of byte `offset`, from 1. */
static int64_t line_at(const builder *b, size_t offset)
{
  int64_t line = 1;
  for (size_t i = 0; i < offset && i < b->length; i++) line += b->text[i] == '\n';
  return line;
}

/* 1: the character at a position of the text is a tab. */
static int tab_at(const builder *b, yaml_mark_t m)
{
  size_t i = 0;
  for (size_t line = 0; line < m.line && i < b->length; i++) line += b->text[i] == '\n';
  for (size_t c = 0; c < m.column && i < b->length; i++)
    c += i + 1 >= b->length || ((unsigned char)b->text[i + 1] & 0xC0) != 0x80;
  return i < b->length && b->text[i] == '\t';
}

static bf_err not_yaml(builder *b)
{
  const yaml_parser_t *p = &b->parser;
  BF_CHECK(p->error != YAML_MEMORY_ERROR, BF_E_MEMORY, "no memory for the deck");
  b->stopped = 1;
  if (p->error == YAML_READER_ERROR)
    bf_diag_add(b->diags, BF_ERROR, 100, (bf_where){b->name, line_at(b, p->problem_offset), 0},
                "not readable text (byte %zu): %s; a deck is UTF-8", p->problem_offset,
                p->problem ? p->problem : "?");
  else if (tab_at(b, p->problem_mark))
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, p->problem_mark),
                "a tab cannot indent YAML; use spaces instead");
  else if (p->context && p->context_mark.line != p->problem_mark.line)
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, p->problem_mark),
                "not YAML: %s, %s that begins on line %zu", p->problem, p->context, p->context_mark.line + 1);
  else
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, p->problem_mark), "not YAML: %s%s%s", p->problem,
                p->context ? ", " : "", p->context ? p->context : "");
  return BF_OK;
}

/* Reports anchors and tags. */
static void refuse(builder *b, yaml_mark_t m, const yaml_char_t *anchor, const yaml_char_t *tag)
{
  if (anchor)
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, m),
                "anchors (&%.40s) are not supported in decks; write the value where it is needed",
                (const char *)anchor);
  if (tag)
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, m),
                "tags (%.40s) are not supported in decks; the key decides the type", (const char *)tag);
  if (anchor || tag) b->refused = 1;
}

/* Inserts a new item at the position of the reader: under the pending key, in the list, or as the root. */
static bf_err put(builder *b, bf_item_kind kind, const char *text, yaml_mark_t m, bf_item **placed)
{
  bf_err   err = BF_OK;
  bf_item *it  = NULL;
  *placed      = NULL;
  if (++*b->items > BF_DECK_ITEMS_MAX) {
    stop(b, m, "more than 20000 keys and values: this is not a deck");
    return BF_OK;
  }
  BF_GO(bf_item_create(kind, b->key, text, place(b, m), &it));
  it->given = 1;
  if (b->key) {
    it->key_where = b->key_where;
    bf_host_free(b->key);
    b->key = NULL;
  }
  *placed = it;
  if (b->open) {
    BF_GO(bf_item_append_take(b->open, &it));
  } else {
    b->root = it;
    it      = NULL;
  }
done:
  if (err != BF_OK) *placed = NULL;
  bf_item_destroy(&it);
  return err;
}

static bf_err open_container(builder *b, bf_item_kind kind, yaml_mark_t m)
{
  bf_item *it = NULL;
  if (b->open && b->open->kind == BF_ITEM_MAP && !b->key) {
    stop(b, m, "a key must be a word, not a map or list (unquoted braces?)");
    return BF_OK;
  }
  if (b->depth == BF_DECK_DEPTH_MAX) {
    stop(b, m, "nested deeper than 16 levels");
    return BF_OK;
  }
  BF_TRY(put(b, kind, NULL, m, &it));
  if (!it) return BF_OK;
  b->open = it;
  b->depth++;
  return BF_OK;
}

static int printable(const char *s, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    const unsigned char c = (unsigned char)s[i];
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F) return 0;
    if (c == 0xC2 && i + 1 < length && (unsigned char)s[i + 1] < 0xA0) return 0; /* U+0080 .. U+009F */
  }
  return 1;
}

/* Characters (not bytes) of a UTF-8 text. */
static size_t characters(const char *s)
{
  size_t n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

static bf_err take_scalar(builder *b, const yaml_event_t *ev)
{
  const char *text   = (const char *)ev->data.scalar.value;
  const int   quoted = ev->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  bf_item    *it     = NULL;
  refuse(b, ev->start_mark, ev->data.scalar.anchor, ev->data.scalar.tag);
  if (!printable(text, ev->data.scalar.length)) {
    stop(b, ev->start_mark, "a control character in a text");
    return BF_OK;
  }
  if (b->open && b->open->kind == BF_ITEM_MAP && !b->key) {
    b->key       = bf_host_strdup(text);
    b->key_where = place(b, ev->start_mark);
    BF_CHECK(b->key, BF_E_MEMORY, "no memory for the deck");
    return BF_OK;
  }
  BF_TRY(put(b, BF_ITEM_VALUE, text, ev->start_mark, &it));
  if (!it) return BF_OK;
  it->quoted        = quoted;
  const size_t span = ev->end_mark.column - ev->start_mark.column;
  if (ev->start_mark.line == ev->end_mark.line && span == characters(text) + (quoted ? 2 : 0))
    it->text_column = it->where.column + quoted;
  return BF_OK;
}

/* Reports and drops keys that repeat an earlier one of a finished map. */
static void drop_twice_given(builder *b, bf_item *map)
{
  for (int i = 1; i < map->count; i++) {
    const bf_item *it = map->child[i], *first = bf_item_child(map, it->key);
    if (first == it) continue;
    bf_diag_add(b->diags, BF_ERROR, 104, it->key_where, "key '%.60s' given twice; first on line %lld",
                it->key, (long long)first->key_where.line);
    bf_item_remove(map, it);
    i--;
  }
}

static bf_err take(builder *b, const yaml_event_t *ev)
{
  switch (ev->type) {
  case YAML_STREAM_START_EVENT:
    if (ev->data.stream_start.encoding != YAML_UTF8_ENCODING)
      stop(b, ev->start_mark, "the text is UTF-16; save the deck as UTF-8");
    break;
  case YAML_DOCUMENT_START_EVENT:
    if (b->documents++) stop(b, ev->start_mark, "a second document ('---'): a deck is one document");
    if (ev->data.document_start.tag_directives.start != ev->data.document_start.tag_directives.end)
      stop(b, ev->start_mark, "%TAG is not supported in decks");
    break;
  case YAML_ALIAS_EVENT:
    bf_diag_add(b->diags, BF_ERROR, 100, place(b, ev->start_mark),
                "aliases (*%.40s) are not supported in decks; write the value where it is needed, in quotes "
                "if it is a formula",
                (const char *)ev->data.alias.anchor);
    b->stopped = 1;
    break;
  case YAML_SCALAR_EVENT: return take_scalar(b, ev);
  case YAML_SEQUENCE_START_EVENT:
    refuse(b, ev->start_mark, ev->data.sequence_start.anchor, ev->data.sequence_start.tag);
    return open_container(b, BF_ITEM_LIST, ev->start_mark);
  case YAML_MAPPING_START_EVENT:
    refuse(b, ev->start_mark, ev->data.mapping_start.anchor, ev->data.mapping_start.tag);
    return open_container(b, BF_ITEM_MAP, ev->start_mark);
  case YAML_MAPPING_END_EVENT: drop_twice_given(b, b->open); /* fall through */
  case YAML_SEQUENCE_END_EVENT:
    b->open = b->open->parent;
    b->depth--;
    break;
  case YAML_STREAM_END_EVENT:
  case YAML_NO_EVENT:
  case YAML_DOCUMENT_END_EVENT: break;
  }
  return BF_OK;
}

bf_err bf_yaml_tree(const char *name, const char *text, size_t length, int *items, bf_diags *diags,
                    bf_item **root)
{
  bf_err       err   = BF_OK;
  builder      b     = {.name = name, .text = text, .length = length, .items = items, .diags = diags};
  const int    start = diags->errors;
  yaml_event_t ev;
  int          last = 0;
  *root             = NULL;
  BF_CHECK(yaml_parser_initialize(&b.parser), BF_E_MEMORY, "no memory for the deck");
  yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
  while (!last && !b.stopped) {
    if (!yaml_parser_parse(&b.parser, &ev)) {
      BF_GO(not_yaml(&b));
      break;
    }
    last = ev.type == YAML_STREAM_END_EVENT;
    err  = take(&b, &ev);
    yaml_event_delete(&ev);
    BF_GO(err);
  }
  if (!b.refused && !b.stopped && diags->errors == start &&
      (!b.root || (b.root->kind == BF_ITEM_VALUE && !b.root->text[0]))) {
    bf_diag_add(diags, BF_ERROR, 100, (bf_where){name, 1, 1}, "the file is empty");
    b.refused = 1;
  }
  if (!b.refused && !b.stopped) {
    *root  = b.root;
    b.root = NULL;
  }
done:
  yaml_parser_delete(&b.parser);
  bf_item_destroy(&b.root);
  bf_host_free(b.key);
  return err;
}
