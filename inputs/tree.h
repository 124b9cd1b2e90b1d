/* inputs/tree.h - the tree of bf_item and its construction from YAML text; private to inputs/
 *
 * A deck is a tree of maps, lists and values.  yaml_tree.c builds it from the text without the schema;
 * validate.c checks every node against the schema and adds the defaults; rules.c checks rules between keys.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TREE_H
#define BF_TREE_H
#include "base/number.h"
#include "inputs/deck.h"

enum { BF_DECK_BYTES_MAX = 1 << 20, BF_DECK_DEPTH_MAX = 16, BF_DECK_ITEMS_MAX = 20000 };

typedef enum bf_item_kind { BF_ITEM_VALUE, BF_ITEM_LIST, BF_ITEM_MAP } bf_item_kind;

struct bf_item {
  bf_item_kind            kind;
  int                     given;      /* written in the deck, not a default */
  int                     quoted;     /* value in quotes or as a block of text */
  int                     formula;    /* value is a formula: number is NaN */
  int                     faulty;     /* an error was reported: no further checks */
  char                   *key, *text; /* owned; NULL in a list; NULL unless a value */
  char                   *written;    /* owned: the text of the deck where a parameter changed it, or NULL */
  struct bf_deck_source **sources;    /* borrowed: the deck's list, of a map {file: case.hdf, ...} */
  int                     source;     /* its number there */
  bf_table               *table;      /* borrowed: the deck's; of a map {table: file.csv} */
  bf_where                key_where, where;
  int       text_column; /* file column of the text's first character; 0 = text is not as in the file */
  double    number;
  bf_item  *parent; /* borrowed */
  bf_item **child;  /* owned [capacity], count used */
  int       count, capacity;
};

struct bf_deck {
  char           *path, *text; /* owned; text has `length` bytes and a zero */
  size_t          length;
  bf_item        *root;  /* owned */
  char          **place; /* owned [nplaces]: names of included files and of the overrides' places */
  int             nplaces;
  bf_deck_table  *table; /* owned [ntables]; `first` ones own their bf_table */
  int             ntables;
  bf_deck_source *source; /* owned [nsources] */
  int             nsources;
  bf_parameter   *parameter; /* owned [nparameters], with values */
  int             nparameters;
};

/* New node; key and text are copied and may be NULL. */
bf_err bf_item_create(bf_item_kind kind, const char *key, const char *text, bf_where where, bf_item **out);
void   bf_item_destroy(bf_item **it); /* with everything below */

/* Appends *child to `parent`, which takes ownership (*child = NULL), also on failure. */
bf_err bf_item_append_take(bf_item *parent, bf_item **child);
void   bf_item_remove(bf_item *parent, const bf_item *child);

/* Child of a map by key without dots, or NULL. */
bf_item *bf_item_child(const bf_item *map, const char *key);

/* Place of a node in words: "'solver'", "'boundary', entry 2", "the deck". */
enum { BF_PLACE_MAX = 160 };
const char *bf_item_place(const bf_item *it, char text[BF_PLACE_MAX]);

/* Tree of a YAML text.  Text that is not YAML, or unsupported YAML (anchors, tags, several documents), is
 * E100; repeated keys are E104 and dropped.  *root = NULL after E100.  `name` is borrowed by every bf_where
 * in the tree; *items is incremented, the limit applies to the sum.  The return value is BF_OK unless memory
 * ran out. */
bf_err bf_yaml_tree(const char *name, const char *text, size_t length, int *items, bf_diags *diags,
                    bf_item **root);

/* Reads the file, at most one byte more than the limit of a deck. *why = NULL, or the reason of a failure,
 * then *text is empty.  Pipes are read only through /dev/stdin or /dev/fd: opening a named one could block.
 */
bf_err bf_deck_slurp(const char *path, char **text, size_t *length, const char **why);

/* A copy of a file or location name, owned by the deck, for bf_where to borrow. */
bf_err bf_deck_keep_name(bf_deck *deck, const char *text, const char **name);

/* include.c: merges included files into the tree; `items`: number of items so far. E109, and conflicts
 * between files. */
bf_err bf_deck_include(bf_deck *deck, int items, bf_diags *diags);

/* cases.c: the entries of load cases move to `boundary` and `loads`, with the key `case`; E106. */
bf_err bf_deck_cases(bf_deck *deck, bf_diags *diags);

/* override.c: n texts "key=value" inserted into the tree; the schema checks keys and values; E100 and E103
 * for values that cannot be inserted. */
bf_err bf_deck_override(bf_deck *deck, const char *const *text, int n, bf_diags *diags);
#endif
