/* inputs/validate.c - checks the tree against the schema: unknown keys, missing keys, defaults
 *
 * A key is searched in its section and, for an entry of a list, among the keys of its type. Reserved keys and
 * keys of other physics have messages that differ from those of unknown keys.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include "inputs/parameters.h"
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 64 };

typedef struct section {               /* position in the tree */
  const char *path;                    /* "boundary[]" */
  char        variant[BF_SECTION_MAX]; /* "boundary[]:traction", or "" */
} section;

static bf_err walk(bf_checker *c, bf_item *map, const char *path, const char *type_set);

static int belongs(const bf_key *key, const section *s)
{
  return strcmp(key->section, s->path) == 0 || (s->variant[0] && strcmp(key->section, s->variant) == 0);
}

/* Valid keys of the section: n names. */
static int valid_keys(const bf_checker *c, const section *s, const char *names[NAMES_MAX])
{
  int           count, n = 0;
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count && n < NAMES_MAX; i++) {
    if (!belongs(&k[i], s) || k[i].later || !bf_schema_fits(k[i].physics, c->physics)) continue;
    int known = 0; /* a key may have a row for each physics */
    for (int j = 0; j < n; j++) known |= strcmp(names[j], k[i].name) == 0;
    if (!known) names[n++] = k[i].name;
  }
  return n;
}

/* Row of the same name in another variant of the section ("boundary[]:flux"), or NULL. */
static const bf_key *in_other_variant(const section *s, const char *name)
{
  int           count;
  const size_t  n = strlen(s->path);
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count; i++)
    if (strncmp(k[i].section, s->path, n) == 0 && k[i].section[n] == ':' && strcmp(k[i].name, name) == 0)
      return &k[i];
  return NULL;
}

static const bf_key *key_of(const bf_checker *c, const section *s, const char *name)
{
  const bf_key *k = bf_schema_key(s->path, name, c->physics);
  return k || !s->variant[0] ? k : bf_schema_key(s->variant, name, c->physics);
}

static int index_of(const bf_item *it)
{
  for (int i = 0; i < it->parent->count; i++)
    if (it->parent->child[i] == it) return i;
  return 0;
}

/* 1: the key before it in the map has a whole number as value. */
static int after_a_number(const bf_item *it)
{
  const int      i     = index_of(it);
  const bf_item *last  = i > 0 ? it->parent->child[i - 1] : NULL;
  int            whole = 0;
  return last && last->kind == BF_ITEM_VALUE && last->text[0] &&
         bf_number_length(last->text, &whole) == strlen(last->text) && whole;
}

/* A total force is no force per area. */
static const char *hint_of_force(const section *s, const char *key)
{
  static const char *const words[] = {"pressure", "area", "traction", "stress", "per_area", "F", "total"};
  if (strcmp(s->variant, "boundary[]:force") != 0) return "";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(key, words[i]) == 0)
      return "; 'value' of type force is the total force in N, whose area is that of the groups; a force per "
             "area "
             "is type traction, one normal to the surface type pressure";
  return "";
}

/* Reports a key that is not valid here. typed: the type of the entry is known. */
static void refuse_key(bf_checker *c, bf_item *it, const section *s, const bf_key *key, int typed)
{
  char          place[BF_PLACE_MAX], list[BF_LIST_MAX];
  const char   *names[NAMES_MAX];
  const int     n     = valid_keys(c, s, names);
  const bf_key *other = key ? NULL : in_other_variant(s, it->key);
  const char   *where = bf_item_place(it->parent, place);
  bf_list_names(names, n, list);
  if (other && !typed) return; /* the type of the entry was reported */
  if (key && key->later)
    BF_FAULT(c, it, 107, it->key_where, "key '%s' in %s is not available in this version", it->key, where);
  else if (key)
    BF_FAULT(c, it, 107, it->key_where, "key '%s' in %s requires physics %s, but physics is %s", it->key,
             where, bf_schema_physics(key->physics), bf_schema_physics(c->physics));
  else if (other)
    BF_FAULT(c, it, 107, it->key_where, "key '%s' in %s does not belong to type %s; valid: %s", it->key,
             where, strchr(s->variant, ':') + 1, list);
  else {
    const char *near  = bf_nearest(it->key, names, n);
    const int   empty = it->kind == BF_ITEM_VALUE && !it->text[0];
    const int   split = strchr(it->key, ' ') && empty; /* {note: a, b c} */
    double      value;
    const int   comma = empty && bf_text_number(it->key, &value) == 0; /* {k: 1,5}, {E: 2,1e11} */
    if (comma && after_a_number(it)) {
      const bf_item *whole = it->parent->child[index_of(it) - 1];
      BF_FAULT(c, it, 101, it->key_where,
               "'%.60s: %.40s,%.40s' in %s: the decimal point is '.', the comma begins another key; write "
               "%.40s.%.40s",
               whole->key, whole->text, it->key, where, whole->text, it->key);
      return;
    }
    BF_FAULT(c, it, 101, it->key_where, "unknown key '%.60s' in %s%s%s%s%s%s valid: %s", it->key, where,
             hint_of_force(s, it->key),
             split   ? "; a text with a comma needs quotes"
             : comma ? "; the decimal point is '.'"
                     : "",
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";", list);
  }
}

/* A section below a key. */
static bf_err descend(bf_checker *c, bf_item *it, const bf_key *key)
{
  char path[BF_SECTION_MAX];
  bf_schema_below(key, path);
  if (key->type == BF_KEY_MAP) return walk(c, it, path, NULL);
  for (int i = 0; i < it->count; i++) {
    bf_item *entry = it->child[i];
    if (entry->kind == BF_ITEM_MAP) {
      BF_TRY(walk(c, entry, path, key->type == BF_KEY_ENTRIES ? key->set : NULL));
      continue;
    }
    char place[BF_PLACE_MAX];
    BF_FAULT(c, entry, 103, entry->where, "%s: expected a map of keys and values",
             bf_item_place(entry, place));
  }
  return BF_OK;
}

bf_err bf_default_add(bf_checker *c, bf_item *map, const bf_key *key)
{
  bf_err      err = BF_OK;
  bf_item    *it = NULL, *value = NULL;
  const char *p    = key->preset;
  const int   list = key->most > 0, section_ = key->type == BF_KEY_MAP;
  char        text[256];
  if (strcmp(p, "out/<deck name>") == 0) {
    const char *name = strrchr(c->path, '/') ? strrchr(c->path, '/') + 1 : c->path;
    const char *dot  = strrchr(name, '.');
    snprintf(text, sizeof text, "out/%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
    p = text;
  }
  BF_GO(bf_item_create(section_ ? BF_ITEM_MAP
                       : list   ? BF_ITEM_LIST
                                : BF_ITEM_VALUE,
                       key->name, section_ || list ? NULL : p, map->where, &it));
  while (list && *p) {
    char         word[64];
    const size_t n = strcspn(p, ",");
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    BF_GO(bf_item_create(BF_ITEM_VALUE, NULL, word, map->where, &value));
    BF_GO(bf_item_append_take(it, &value));
    p += n + strspn(p + n, ", ");
  }
  if (!section_) BF_GO(bf_value_check(c, it, key));
  bf_item *added = it;
  BF_GO(bf_item_append_take(map, &it));
  if (section_) BF_GO(descend(c, added, key));
done:
  bf_item_destroy(&value);
  bf_item_destroy(&it);
  return err;
}

/* Required keys that are missing, defaults of the others. */
static bf_err complete(bf_checker *c, bf_item *map, const section *s)
{
  int           count;
  const bf_key *k = bf_schema_keys(&count);
  for (int i = 0; i < count; i++) {
    if (!belongs(&k[i], s) || !bf_schema_fits(k[i].physics, c->physics) || bf_item_child(map, k[i].name))
      continue;
    if (k[i].required && !(c->physics == BF_ON_ALL && k[i].physics)) {
      char place[BF_PLACE_MAX];
      BF_FAULT(c, map, 102, map->where, "key '%s' is missing in %s%s%s%s: %s", k[i].name,
               bf_item_place(map, place), k[i].unit ? " (" : "",
               k[i].unit ? bf_unit_in(c->units, k[i].unit) : "", k[i].unit ? ")" : "", k[i].text);
    } else if (k[i].preset) {
      BF_TRY(bf_default_add(c, map, &k[i]));
    }
  }
  return BF_OK;
}

/* One map against its section; the entries' further keys are chosen by `type`, a word of type_set. */
static bf_err walk(bf_checker *c, bf_item *map, const char *path, const char *type_set)
{
  section        s    = {.path = path};
  const bf_item *type = type_set ? bf_item_child(map, "type") : NULL;
  const bf_word *w =
      type && type->kind == BF_ITEM_VALUE ? bf_schema_word(type_set, type->text, c->physics) : NULL;
  const int known = w && !w->later && bf_schema_fits(w->physics, c->physics);
  if (w) snprintf(s.variant, sizeof s.variant, "%s:%s", path, w->word);
  for (int i = 0; i < map->count; i++) {
    bf_item      *it  = map->child[i];
    const bf_key *key = key_of(c, &s, it->key);
    if (key && !known && strcmp(key->section, path) != 0) continue; /* invalid type */
    if (!key || key->later || !bf_schema_fits(key->physics, c->physics)) {
      refuse_key(c, it, &s, key, known);
      continue;
    }
    BF_TRY(bf_value_check(c, it, key));
    if (!it->faulty && key->type >= BF_KEY_MAP) BF_TRY(descend(c, it, key));
  }
  return type_set && !known && type ? BF_OK : complete(c, map, &s);
}

/* The physics of the deck; BF_ON_ALL while it is not known. */
static int physics_of(const bf_item *root)
{
  const bf_item *it = bf_item_child(root, "physics");
  if (bf_item_is(it, "heat")) return BF_ON_HEAT;
  if (bf_item_is(it, "elasticity")) return BF_ON_ELASTICITY;
  if (bf_item_is(it, "advection_diffusion")) return BF_ON_ADVECTION;
  return BF_ON_ALL;
}

bf_err bf_deck_validate(bf_checker *c, bf_item *root)
{
  const int errors = c->diags->errors;
  if (root->kind != BF_ITEM_MAP) {
    BF_FAULT(c, root, 103, root->where, "a deck is a map of keys and values, beginning with 'deck: 1'");
    return BF_OK;
  }
  c->physics           = physics_of(root);
  c->units             = bf_units_of(root);
  const bf_item *first = bf_item_child(root, "deck");
  if (first && root->child[0] != first)
    bf_diag_add(c->diags, BF_ERROR, 102, first->key_where, "'deck' must be the first key of the deck");
  BF_TRY(walk(c, root, "", NULL));
  BF_TRY(bf_rules_check(c, root));
  if (c->diags->errors == errors) bf_units_check(c, root);
  if (c->diags->errors == errors) bf_parameters_check_use(c->deck, c->diags);
  return BF_OK;
}
