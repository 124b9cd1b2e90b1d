/* inputs/value.c - checks one value of the deck against its key */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression.h"
#include "inputs/parameters.h"
#include "inputs/quantity.h"
#include "inputs/validate.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY_NUMBERS = 10000 }; /* `parameters` itself, whose values are known before */
enum { NAMES_MAX = 64, NAME_LENGTH_MAX = 200, MANY_VECTORS = 10000 };

static int digit(char c)
{
  return c >= '0' && c <= '9';
}

/* "1,5": a number with a decimal comma */
static int decimal_comma(const char *text)
{
  int          whole;
  const size_t n = bf_number_length(text, &whole);
  if (n == 0 || !whole || text[n] != ',' || !digit(text[n + 1])) return 0;
  const size_t m = bf_number_length(text + n + 1, &whole);
  return text[n + 1 + m] == '\0';
}

void bf_list_names(const char *const *names, int count, char text[BF_LIST_MAX])
{
  size_t n = 0;
  text[0]  = '\0';
  for (int i = 0; i < count; i++) {
    if (n + strlen(names[i]) + 8 > BF_LIST_MAX) {
      snprintf(text + n, BF_LIST_MAX - n, ", ...");
      return;
    }
    n += (size_t)snprintf(text + n, BF_LIST_MAX - n, "%s%s", n ? ", " : "", names[i]);
  }
}

static const char *wanted(const bf_key *key)
{
  switch (key->type) {
  case BF_KEY_TEXT: return "a text";
  case BF_KEY_NAME: return "a name";
  case BF_KEY_INT: return "a whole number";
  case BF_KEY_NUMBER: return "a number";
  case BF_KEY_FORMULA: return "a number, a formula in quotes or {table: file.csv}";
  case BF_KEY_CHOICE: return "a word";
  case BF_KEY_QUANTITY: return "a quantity";
  case BF_KEY_VECTORS:
    return key->most == 0 ? "a map of names, each with a number"
                          : "a map of names, each with a list of numbers";
  case BF_KEY_ENTRIES: return "a list of entries (lines that begin with '- ')";
  case BF_KEY_MAP:
  case BF_KEY_NAMED: break;
  }
  return "a map of keys and values";
}

/* The kind of the given item, for messages. */
static const char *found(const bf_item *it, char text[80])
{
  if (it->kind == BF_ITEM_LIST)
    snprintf(text, 80, "a list");
  else if (it->kind == BF_ITEM_MAP)
    snprintf(text, 80, "a map");
  else if (!it->text[0])
    snprintf(text, 80, "nothing");
  else
    snprintf(text, 80, "'%.60s'", it->text);
  return text;
}

static void type_fault(bf_checker *c, bf_item *it, const bf_key *key, const char *hint)
{
  char      text[80];
  const int number = key->type == BF_KEY_VECTORS && it->parent &&
                     (it->parent->kind == BF_ITEM_LIST || (key->most == 0 && it->kind == BF_ITEM_VALUE));
  BF_FAULT(c, it, 103, it->where, "'%s': expected %s%s, got %s%s", key->name,
           number ? "a number" : wanted(key), key->type == BF_KEY_INT && key->set ? " or auto" : "",
           found(it, text), hint);
}

/* Words of a set: those of this version that fit the physics. */
static int words_of(const char *set, int physics, const char *names[NAMES_MAX])
{
  int            count, n = 0;
  const bf_word *w = bf_schema_words(&count);
  for (int i = 0; i < count && n < NAMES_MAX; i++)
    if (strcmp(w[i].set, set) == 0 && !w[i].later && bf_schema_fits(w[i].physics, physics))
      names[n++] = w[i].word;
  return n;
}

static void check_word(bf_checker *c, bf_item *it, const bf_key *key)
{
  const bf_word *w = bf_schema_word(key->set, it->text, c->physics);
  const char    *names[NAMES_MAX];
  char           list[BF_LIST_MAX];
  const int      n = words_of(key->set, c->physics, names);
  bf_list_names(names, n, list);
  const int   load  = strcmp(key->set, "load type") == 0;
  const char *other = load ? "boundary type" : strcmp(key->set, "boundary type") == 0 ? "load type" : NULL;
  if (!w && other && bf_schema_word(other, it->text, c->physics)) {
    BF_FAULT(c, it, 105, it->where, "'%s: %s' belongs to '%s', not to '%s'; valid here: %s", key->name,
             it->text, load ? "boundary" : "loads", load ? "loads" : "boundary", list);
  } else if (!w) {
    const char *near = bf_nearest(it->text, names, n);
    BF_FAULT(c, it, strcmp(key->set, "boolean") == 0 ? 103 : 105, it->where,
             "'%s': unknown value '%.60s'%s%s%s valid: %s", key->name, it->text,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";", list);
  } else if (w->later) {
    BF_FAULT(c, it, 107, it->where, "'%s: %s' is not available in this version; available: %s", key->name,
             it->text, list);
  } else if (!bf_schema_fits(w->physics, c->physics)) {
    BF_FAULT(c, it, 107, it->where, "'%s: %s' requires physics %s, but physics is %s; valid: %s", key->name,
             it->text, bf_schema_physics(w->physics), bf_schema_physics(c->physics), list);
  }
}

static void check_range(bf_checker *c, bf_item *it, const bf_key *key)
{
  const bf_range r     = bf_schema_range(key->range);
  const double   v     = it->number;
  const int      above = v > r.low || (!r.low_open && v == r.low),
            below      = v < r.high || (!r.high_open && v == r.high);
  if (above && below) return;
  BF_FAULT(c, it, key->code ? key->code : 105, it->where, "'%s' is %.40s, outside %s%s%s", key->name,
           it->text, key->range, key->hint ? "; " : "", key->hint ? key->hint : "");
}

static void check_number(bf_checker *c, bf_item *it, const bf_key *key)
{
  int whole;
  if (key->set && bf_schema_word(key->set, it->text, c->physics)) return; /* "auto" */
  bf_number_length(it->text, &whole);
  const int bad = bf_text_number(it->text, &it->number);
  if (bad == 2)
    BF_FAULT(c, it, 105, it->where, "'%s': %.40s is too large for a number", key->name, it->text);
  else if (bad || (key->type == BF_KEY_INT && !whole))
    type_fault(c, it, key, decimal_comma(it->text) ? "; the decimal point is '.'" : "");
  else if (key->type == BF_KEY_INT && fabs(it->number) > 2147483647.0)
    BF_FAULT(c, it, 105, it->where, "'%s': %.40s is too large for a whole number", key->name, it->text);
  else
    check_range(c, it, key);
}

/* Reports an error inside a text at its column; at its column in the file if the text is unchanged there. */
static void text_fault(bf_checker *c, bf_item *it, const bf_key *key, int column, const char *message)
{
  bf_where where = it->where;
  if (it->text_column) {
    where.column = it->text_column + column - 1;
    BF_FAULT(c, it, 110, where, "'%s': %s", key->name, message);
  } else {
    BF_FAULT(c, it, 110, where, "'%s', character %d of its text: %s", key->name, column, message);
  }
}

static int only_t(const char *text, int column)
{
  const char *s = text + column - 1;
  return s[0] == 't' && !digit(s[1]) && !strchr("_(", s[1] ? s[1] : ' ') &&
         !((s[1] >= 'a' && s[1] <= 'z') || (s[1] >= 'A' && s[1] <= 'Z'));
}

static bf_err check_formula(bf_checker *c, bf_item *it, const bf_key *key)
{
  bf_expression *e = NULL;
  int            column;
  if (bf_text_number(it->text, &it->number) != 1) {
    check_number(c, it, key);
    return BF_OK;
  }
  if (!it->text[0] || decimal_comma(it->text)) {
    type_fault(c, it, key, it->text[0] ? "; the decimal point is '.'" : "");
    return BF_OK;
  }
  const bf_err err = bf_expression_create(it->text, &column, &e);
  bf_expression_destroy(&e);
  it->formula = 1;
  it->number  = NAN;
  if (err == BF_OK) return BF_OK;
  BF_CHECK(err == BF_E_ARG, err, "formula '%.60s'", it->text);
  if (only_t(it->text, column))
    text_fault(c, it, key, column, "time t is not available in a static analysis");
  else if (!it->quoted && !strpbrk(it->text, "+*/^()<>?,"))
    type_fault(c, it, key, "");
  else
    text_fault(c, it, key, column, bf_err_message());
  return BF_OK;
}

static bf_err check_one(bf_checker *c, bf_item *it, const bf_key *key)
{
  if (it->kind == BF_ITEM_MAP && key->type == BF_KEY_FORMULA) return bf_table_check(c, it, key);
  if (it->kind != BF_ITEM_VALUE) {
    type_fault(c, it, key, "");
    return BF_OK;
  }
  int column;
  if (key->type == BF_KEY_FORMULA || key->type == BF_KEY_QUANTITY || key->type == BF_KEY_INT ||
      key->type == BF_KEY_NUMBER || (key->type == BF_KEY_VECTORS && key->most != MANY_NUMBERS))
    BF_TRY(bf_parameters_apply(c->deck, it,
                               key->type == BF_KEY_FORMULA    ? BF_PARAMETERS_FORMULA
                               : key->type == BF_KEY_QUANTITY ? BF_PARAMETERS_QUANTITY
                                                              : BF_PARAMETERS_NUMBER));
  switch (key->type) {
  case BF_KEY_TEXT: break;
  case BF_KEY_NAME:
    if (!it->text[0] || strpbrk(it->text, "\n\t"))
      type_fault(c, it, key, "");
    else if (strlen(it->text) > NAME_LENGTH_MAX)
      BF_FAULT(c, it, 105, it->where, "'%s': more than %d characters", key->name, NAME_LENGTH_MAX);
    break;
  case BF_KEY_INT:
  case BF_KEY_NUMBER:
  case BF_KEY_VECTORS: check_number(c, it, key); break;
  case BF_KEY_FORMULA: return check_formula(c, it, key);
  case BF_KEY_CHOICE: check_word(c, it, key); break;
  case BF_KEY_QUANTITY:
    if (bf_quantity_check(it->text, NULL, NULL, &column) != BF_OK)
      text_fault(c, it, key, column, bf_err_message());
    break;
  case BF_KEY_MAP:
  case BF_KEY_NAMED:
  case BF_KEY_ENTRIES: break;
  }
  return BF_OK;
}

static const char *const example[] = {"", "[a]", "[a, b]", "[a, b, c]"};

static void check_count(bf_checker *c, bf_item *it, const bf_key *key)
{
  char count[40];
  if (it->count >= key->least && it->count <= key->most) return;
  if (key->least == key->most)
    snprintf(count, sizeof count, "%d values", key->least);
  else if (it->count < key->least && key->least == 1)
    snprintf(count, sizeof count, "at least one value");
  else
    snprintf(count, sizeof count, key->most == key->least + 1 ? "%d or %d values" : "%d to %d values",
             key->least, key->most);
  BF_FAULT(c, it, 103, it->where, "'%s': expected %s%s%s, got %d", key->name, count,
           key->most <= 3 ? ", " : "", key->most <= 3 ? example[key->most] : "", it->count);
}

static bf_err check_list(bf_checker *c, bf_item *it, const bf_key *key)
{
  if (it->kind != BF_ITEM_LIST) {
    char text[80];
    BF_FAULT(c, it, 103, it->where, "'%s': expected a list such as %s, got %s", key->name,
             example[key->most <= 3 ? key->most : 2], found(it, text));
    return BF_OK;
  }
  check_count(c, it, key);
  for (int i = 0; i < it->count; i++) {
    BF_TRY(check_one(c, it->child[i], key));
    it->faulty |= it->child[i]->faulty;
  }
  return BF_OK;
}

/* A list of lists, or a map of them. */
static bf_err check_lists(bf_checker *c, bf_item *it, const bf_key *key)
{
  const int named = key->type == BF_KEY_VECTORS;
  if (it->kind != (named ? BF_ITEM_MAP : BF_ITEM_LIST)) {
    char text[80];
    if (named)
      type_fault(c, it, key, "");
    else
      BF_FAULT(c, it, 103, it->where, "'%s': expected a list of lists such as [%s], got %s", key->name,
               example[key->most <= 3 ? key->most : 2], found(it, text));
    return BF_OK;
  }
  if (it->count == 0 || (!named && it->count > key->rows))
    BF_FAULT(c, it, 103, it->where, "'%s': expected 1 to %d lists, got %d", key->name,
             named ? MANY_VECTORS : key->rows, it->count);
  for (int i = 0; i < it->count; i++) {
    const int one = named && (key->most == 0 || (key->one && it->child[i]->kind == BF_ITEM_VALUE));
    BF_TRY(one ? check_one(c, it->child[i], key) : check_list(c, it->child[i], key));
    it->faulty |= it->child[i]->faulty;
  }
  return BF_OK;
}

bf_err bf_value_check(bf_checker *c, bf_item *it, const bf_key *key)
{
  if (key->type >= BF_KEY_MAP) {
    const bf_item_kind kind = key->type == BF_KEY_ENTRIES ? BF_ITEM_LIST : BF_ITEM_MAP;
    if (it->kind != kind) type_fault(c, it, key, "");
    return BF_OK;
  }
  if (key->rows || key->type == BF_KEY_VECTORS) return check_lists(c, it, key);
  if (key->most == 0) return check_one(c, it, key);
  if (it->kind == BF_ITEM_VALUE && key->one) return check_one(c, it, key);
  return check_list(c, it, key);
}
