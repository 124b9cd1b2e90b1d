/* inputs/schema.h - the language of decks as data: one row for a key, one row for a word
 *
 * A new key is a new row of schema.c, a new word of a choice a new row of schema_words.c; reader, messages
 * and reference page use it. A row marked later is reserved and reported with E107.
 *
 * Sections are named by their path: "" is the deck, "solver" a map, "materials.<name>" each map below the
 * free names of `materials`, "boundary[]" each entry of the list `boundary`, and "boundary[]:traction" the
 * additional keys of an entry with `type` traction.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_SCHEMA_H
#define BF_SCHEMA_H
#include <stddef.h>

enum { BF_ON_HEAT = 1, BF_ON_ELASTICITY = 2, BF_ON_WAVES = 3, BF_ON_ADVECTION = 4, BF_ON_ALL = 7 };

typedef enum bf_key_type {
  BF_KEY_TEXT,     /* any text */
  BF_KEY_NAME,     /* a name: not empty, one line */
  BF_KEY_INT,      /* a whole number, or a word of the set */
  BF_KEY_NUMBER,   /* a number, or a word of the set */
  BF_KEY_FORMULA,  /* a number or a formula of x, y, z */
  BF_KEY_CHOICE,   /* a word of the set */
  BF_KEY_QUANTITY, /* the language of checks, inputs/quantity.h */
  BF_KEY_VECTORS,  /* a map of free names, each with a list of numbers */
  BF_KEY_MAP,      /* a section */
  BF_KEY_NAMED,    /* a map of free names, each a section */
  BF_KEY_ENTRIES   /* a list of sections; their `type` chooses further keys */
} bf_key_type;

typedef struct bf_key {
  const char *section, *name;
  bf_key_type type;
  int         least, most; /* values in a list; most = 0: one value and no list */
  int         one;         /* of a list: a single value may be given without brackets */
  int         rows;        /* of a list of lists: their largest number; 0 = a list of values */
  int         physics;     /* BF_ON_..., 0 = all */
  int         required, later;
  const char *set;   /* word set of a choice; the set of `type` words for entries */
  const char *range; /* of numbers: "[0,inf)", "(0,1]"; NULL = any */
  int         code;  /* of a number out of range; 0 = 105 */
  const char *unit;
  const char
      *preset;      /* default as it would be written, "{}" for a section that is always there; NULL = none */
  const char *hint; /* added to the message when the value is out of range */
  const char *text; /* meaning, for the reference page */
} bf_key;

typedef struct bf_word {
  const char *set, *word;
  int         physics; /* BF_ON_..., 0 = all */
  int         later;
  int         ncomp; /* of a result field: 1, 3 (x y z) or 6 (xx yy zz xy yz xz); else 0 */
  const char *text;  /* meaning */
} bf_word;

/* The tables; *count rows. */
const bf_key  *bf_schema_keys(int *count);
const bf_word *bf_schema_words(int *count);

/* Row of a key or word that fits the physics (a mask of BF_ON_...); otherwise any row of that name; or NULL.
 */
const bf_key  *bf_schema_key(const char *section, const char *name, int physics);
const bf_word *bf_schema_word(const char *set, const char *word, int physics);
int            bf_schema_fits(int row_physics, int physics);

/* Name of a physics mask in words: "heat", "elasticity", "heat and elasticity", "advection_diffusion". */
const char *bf_schema_physics(int mask);

/* Path of the section below a key: "solver", "materials.<name>", "boundary[]". */
enum { BF_SECTION_MAX = 96 };
const char *bf_schema_below(const bf_key *key, char path[BF_SECTION_MAX]);

/* Range text into its ends; open ends are 1. */
typedef struct bf_range {
  double low, high;
  int    low_open, high_open;
} bf_range;
bf_range bf_schema_range(const char *range);
#endif
