/* inputs/validate.h - a tree against the schema: types, ranges, unknown and missing keys, defaults */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_VALIDATE_H
#define BF_VALIDATE_H
#include "base/units.h"
#include "inputs/quantity.h"
#include "inputs/schema.h"
#include "inputs/tree.h"

typedef struct bf_checker {
  bf_diags   *diags;   /* borrowed */
  bf_deck    *deck;    /* borrowed: keeps the tables */
  const char *path;    /* borrowed: the deck's path, whose name is the default of output.dir */
  bf_units    units;   /* of the deck, for words */
  int         physics; /* BF_ON_... of the deck; BF_ON_ALL while it is not known */
} bf_checker;

/* validate.c: the whole tree; adds the defaults.  Adds errors to the diagnostics and marks items faulty. */
bf_err bf_deck_validate(bf_checker *c, bf_item *root);

/* value.c: one value or list of values against its key; sets number and formula. */
bf_err bf_value_check(bf_checker *c, bf_item *it, const bf_key *key);

/* table_value.c: a map instead of a formula; reads the table. */
bf_err bf_table_check(bf_checker *c, bf_item *it, const bf_key *key);

/* rules.c: rules between keys; replaces `group` by `groups`. */
bf_err bf_rules_check(bf_checker *c, bf_item *root);

/* Child of a map without reported errors, or NULL. */
bf_item *bf_rules_sound(const bf_item *map, const char *key);
/* Keys {name, default} of `map` that belong to one word of `chosen`, the value of `choice`: with that word a
 * missing key gets its default, or E102 where that is NULL; without it a key is E106.  own ends with {NULL}.
 */
bf_err bf_rules_keys(bf_checker *c, bf_item *map, const bf_item *chosen, const char *choice, const char *word,
                     const char *const own[][2]);
/* validate.c: a default of the map as if it were written ("a, b" for lists, {} for sections, which are
 * completed). */
bf_err bf_default_add(bf_checker *c, bf_item *map, const bf_key *key);
/* 1: a body of revolution. */
int bf_rules_is_revolved(const bf_item *root);

/* rules_checks.c: rules of the section checks, E111, E116. */
void bf_rules_checks(bf_checker *c, const bf_item *root);

/* rules_modal.c: rules of analysis: modal; E106 for its keys and methods in other analyses. */
bf_err bf_rules_modal(bf_checker *c, bf_item *root);
/* BF_E_INPUT for a quantity that modal does not have, or that only modal has; *modal = 1: a valid one of
 * modal. */
bf_err bf_rules_modal_quantity(const bf_item *root, const bf_qref *ref, int *modal);
int    bf_rules_mode_field(const char *field); /* of modal: mode_shape, modal_strain_energy */
/* axes.c: rules of named axes; BF_E_INPUT for a field in axes that the deck does not have */
void   bf_rules_axes(bf_checker *c, const bf_item *root);
bf_err bf_rules_axes_quantity(const bf_item *root, const bf_qref *ref);
/* cases.c: rules of load cases */
void bf_rules_cases(bf_checker *c, const bf_item *root);
/* rules_waves.c: rules of analysis: dispersion; E107 for its keys in other analyses. */
bf_err bf_rules_waves(bf_checker *c, bf_item *root);
/* BF_E_INPUT for a quantity that dispersion does not have, or that only dispersion has, or of a missing band
 * or point; *waves = 1: a valid one of dispersion. */
bf_err bf_rules_wave_quantity(const bf_item *root, const bf_qref *ref, int *waves);

/* units.c: warnings about values that are plausible only in the other system of units. */
void     bf_units_check(bf_checker *c, const bf_item *root);
bf_units bf_units_of(const bf_item *root);
void     bf_units_reference(FILE *out); /* their thresholds, for docs/deck.md */

/* Reports at a location and marks the item. */
#define BF_FAULT(c, it, code, where_, ...)                                                                   \
  do {                                                                                                       \
    (it)->faulty = 1;                                                                                        \
    bf_diag_add((c)->diags, BF_ERROR, (code), (where_), __VA_ARGS__);                                        \
  } while (0)

/* reference_files.c: prose of docs/deck.md. */
extern const char bf_reference_files[];
extern const char bf_reference_cases[]; /* reference_cases.c */
extern const char bf_reference_axes[];

/* "a, b, c" of names, truncated with "..." if too long. */
enum { BF_LIST_MAX = 480 };
void bf_list_names(const char *const *names, int count, char text[BF_LIST_MAX]);
#endif
