/* inputs/deck.h - the input deck: YAML text checked against the schema, then read by path
 *
 * One table (inputs/schema.c) defines every key with type, unit, range and default; reader, error messages
 * and the reference page docs/deck.md use it. A deck that was read is complete: defaults are added, numbers
 * are converted, formulas compile. The deck owns all texts that it returns.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_DECK_H
#define BF_DECK_H
#include "base/diag.h"
#include "base/table.h"

enum { BF_CASES_MAX = 100 }; /* load cases and their sums */

typedef struct bf_deck bf_deck; /* opaque */
typedef struct bf_item bf_item; /* a node of the checked tree: map, list or value */

/* Reads and checks.  All errors are added to diags (E1xx with line and column, nearest key and the list of
 * valid ones), in the order of the file; then BF_E_INPUT (BF_E_MODEL if the first is E303) and *out = NULL.
 * E107 for keys and values marked (later) or of other physics.  Limits: 1 MiB, 16 levels, 20000 keys and
 * values. Thread-safe for different decks. */
bf_err bf_deck_read(const char *path, bf_diags *diags, bf_deck **out);
bf_err bf_deck_read_text(const char *name, const char *text, size_t length, bf_diags *diags, bf_deck **out);

/* Files named by `include` (relative to the folder of the including file) are read as well; the limits apply
 * to the sum; every location names its file.
 *
 * The same with n overrides "key=value" of the command line: the key is a dotted path of maps
 * ("solver.rtol"), the value is written as in a deck ("1.0e-6", "[1, 2]", "'1 + x'").  A later one overrides
 * an earlier one and the text. Errors in them are reported at "command line: -s key" without a line.
 */
bf_err bf_deck_read_with(const char *path, const char *const *overrides, int n, bf_diags *diags,
                         bf_deck **out);
bf_err bf_deck_read_text_with(const char *name, const char *text, size_t length, const char *const *overrides,
                              int n, bf_diags *diags, bf_deck **out);
void   bf_deck_destroy(bf_deck **d);

const bf_item *bf_deck_root(const bf_deck *d);
const char    *bf_deck_path(const bf_deck *d);                 /* as given */
const char    *bf_deck_text(const bf_deck *d, size_t *length); /* the file's bytes */

/* Every accessor accepts NULL: no text, NaN, 0 entries, 0. Maps keep the order of the deck, followed by
 * defaults; `group` is replaced by the list `groups`.
 *
 * Item below `from` by dotted path ("solver.rtol"), or NULL if it is neither given nor has a default. */
const bf_item *bf_item_get(const bf_item *from, const char *path);
/* The path of the file that an item names: relative paths refer to the folder of the file with the item,
 * those of the command line to the folder of the deck. The caller frees *path (bf_host_free). */
bf_err bf_deck_beside(const bf_deck *d, const bf_item *it, char **path);

int            bf_item_given(const bf_item *it); /* 1: written in the deck, 0: a default */
bf_where       bf_item_where(const bf_item *it); /* of the value; of the section for defaults */
int            bf_item_count(const bf_item *it); /* entries of a map or list; 0 for a value */
const bf_item *bf_item_at(const bf_item *it, int i);
const char    *bf_item_key(const bf_item *it);  /* key in its map, NULL in a list */
const char    *bf_item_text(const bf_item *it); /* a word, a name, a path, a formula; raw text of numbers */
const char    *bf_item_written(const bf_item *it);    /* the same before parameters were replaced */
double         bf_item_number(const bf_item *it);     /* number; NaN for a formula */
int            bf_item_is_formula(const bf_item *it); /* a formula or a table */
bf_table      *bf_item_table(const bf_item *it);      /* of {table: file.csv}; NULL for anything else */
int            bf_item_is(const bf_item *it, const char *word); /* text equal to word; 0 for NULL */
int            bf_item_true(const bf_item *it);                 /* boolean */

/* The tables of the deck, one for each item that names one; *n of them. */
typedef struct bf_deck_table {
  const bf_item *file;  /* the value that names it */
  const char    *path;  /* relative to the working directory; owned by the deck */
  bf_table      *table; /* owned by the deck; the same for all items with this path */
  int            first; /* 1: the first item with this path */
} bf_deck_table;
const bf_deck_table *bf_deck_tables(const bf_deck *d, int *n);

enum { BF_SWEPT_MAX = 16, BF_PARAMETERS_MAX = 100 }; /* parameters with several values; in all */

typedef struct bf_parameter { /* a name for a number */
  const char *name;
  bf_where    where;
  double      value;   /* of this deck: the first of its values */
  int         n, list; /* values; list: they are written as a list */
  double     *values;  /* [n], owned by the deck */
  int         used;
} bf_parameter;
const bf_parameter *bf_deck_parameters(const bf_deck *d, int *n);
/* Runs of a sweep: 1 without a parameter of several values. */
int bf_deck_runs(const bf_deck *d);
int bf_deck_zips(const bf_deck *d); /* sweep: zip */

/* The fields of other results that the deck names by {file: case.hdf, field: temperature}. */
typedef struct bf_deck_source {
  const bf_item *file; /* the value that names the file */
  const char    *path; /* relative to the working directory; owned by the deck */
  const char    *field;
  int            component; /* 0 .. 5; -1 none */
  int            step;      /* from 1; 0 none */
  void          *loaded;    /* of the program, NULL before */
} bf_deck_source;
bf_deck_source *bf_deck_sources(bf_deck *d, int *n);
/* loaded of the source of an item, or NULL */
void *bf_item_source(const bf_item *it);

/* The checked deck as YAML, with every default; n values are replaced by other texts. Reading it gives the
 * same tree. The caller frees *out (bf_host_free). */
typedef struct bf_deck_instead {
  const bf_item *item; /* a value of the deck */
  const char    *text;
} bf_deck_instead;
bf_err bf_deck_resolved(const bf_deck *d, const bf_deck_instead *instead, int n, char **out);

/* The reference page in Markdown, from the schema. */
bf_err bf_schema_markdown(FILE *out);

/* The language as a JSON schema, draft 2020-12: keys, types, ranges and words, without rules between keys. */
bf_err bf_schema_json(FILE *out);
#endif
