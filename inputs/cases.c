/* inputs/cases.c - `cases:` load cases: their entries in the tree, and the rules between cases
 *
 * A case names conditions and loads of its own.  They move to `boundary` and `loads` of the deck, each with
 * the key `case`; entries without that key act in every case.  So all other rules see one list.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "inputs/validate.h"
#include <stdio.h>
#include <string.h>

/* `case: name` in an entry; E106 where it has one. */
static bf_err mark(bf_item *entry, const bf_item *of, bf_diags *diags)
{
  bf_err         err   = BF_OK;
  bf_item       *name  = NULL;
  const bf_item *given = bf_item_child(entry, "case");
  if (entry->kind != BF_ITEM_MAP) return BF_OK; /* E103 follows */
  if (given) {
    bf_diag_add(diags, BF_ERROR, 106, given->key_where, "'case' in an entry of case '%.60s'", of->key);
    return BF_OK;
  }
  BF_GO(bf_item_create(BF_ITEM_VALUE, "case", of->key, entry->where, &name));
  name->given = 1;
  BF_GO(bf_item_append_take(entry, &name));
done:
  bf_item_destroy(&name);
  return err;
}

/* Moves the entries of one list of a case to that of the deck. */
static bf_err move(bf_item *root, bf_item *of, const char *key, bf_diags *diags)
{
  bf_err   err  = BF_OK;
  bf_item *from = bf_item_child(of, key), *to = bf_item_child(root, key), *made = NULL;
  if (!from || from->kind != BF_ITEM_LIST || (to && to->kind != BF_ITEM_LIST)) return BF_OK; /* E103 */
  if (bf_item_child(of, "sum"))
    bf_diag_add(diags, BF_ERROR, 106, from->key_where,
                "case '%.60s' is a sum of other cases and has no '%s' of its own", of->key, key);
  if (!to) {
    BF_GO(bf_item_create(BF_ITEM_LIST, key, NULL, from->where, &made));
    made->given = 1;
    to          = made;
    BF_GO(bf_item_append_take(root, &made));
  }
  for (int i = 0; i < from->count; i++) {
    BF_GO(mark(from->child[i], of, diags));
    BF_GO(bf_item_append_take(to, &from->child[i]));
  }
  from->count = 0;
  bf_item_remove(of, from);
done:
  bf_item_destroy(&made);
  return err;
}

bf_err bf_deck_cases(bf_deck *deck, bf_diags *diags)
{
  bf_item *cases = deck->root->kind == BF_ITEM_MAP ? bf_item_child(deck->root, "cases") : NULL;
  if (!cases || cases->kind != BF_ITEM_MAP) return BF_OK;
  for (int i = 0; i < cases->count; i++) {
    if (cases->child[i]->kind != BF_ITEM_MAP) continue;
    BF_TRY(move(deck->root, cases->child[i], "boundary", diags));
    BF_TRY(move(deck->root, cases->child[i], "loads", diags));
  }
  return BF_OK;
}

/* ---- rules ---- */

static int is_sum(const bf_item *of)
{
  return bf_item_child(of, "sum") != NULL;
}

/* E108 for a name that is not a case; loads: and not a sum. */
static void known(bf_checker *c, const bf_item *cases, bf_item *name, int loads)
{
  const char    *names[64];
  char           list[BF_LIST_MAX];
  const bf_item *of = bf_item_child(cases, name->text);
  int            n  = 0;
  for (int i = 0; i < bf_item_count(cases) && n < 64; i++)
    if (!loads || !is_sum(cases->child[i])) names[n++] = cases->child[i]->key;
  bf_list_names(names, n, list);
  if (!cases)
    BF_FAULT(c, name, 108, name->where, "the deck has no 'cases', so there is no case '%.60s'", name->text);
  else if (!of)
    BF_FAULT(c, name, 108, name->where, "there is no case '%.60s'; the deck has: %s", name->text, list);
  else if (loads && is_sum(of))
    BF_FAULT(c, name, 106, name->where, "case '%.60s' is a sum and has no conditions or loads; valid: %s",
             name->text, list);
}

/* The `case` of the entries of a list. */
static void entries_name_cases(bf_checker *c, const bf_item *cases, const bf_item *list, int loads)
{
  for (int i = 0; i < bf_item_count(list); i++) {
    bf_item *of = bf_rules_sound(list->child[i], "case");
    if (!of) continue;
    for (int k = 0; k < of->count; k++) known(c, cases, of->child[k], loads);
    if (of->kind == BF_ITEM_VALUE) known(c, cases, of, loads);
  }
}

/* All cases have one matrix. */
static void conditions_keep_the_matrix(bf_checker *c, const bf_item *boundary)
{
  static const char *const fixed[] = {"spring", "convection", "insulated", "outflow", "bloch"};
  for (int i = 0; i < bf_item_count(boundary); i++) {
    bf_item       *entry = boundary->child[i];
    const bf_item *of = bf_rules_sound(entry, "case"), *type = bf_rules_sound(entry, "type");
    for (int k = 0; of && k < 5; k++)
      if (bf_item_is(type, fixed[k]))
        BF_FAULT(c, entry, 106, type->where,
                 "'%s' cannot belong to a case: it %s; remove 'case', or write it in 'boundary' of the deck",
                 fixed[k], k < 2 ? "is part of the matrix, which all cases share" : "has no value");
  }
}

static void sums_name_cases(bf_checker *c, const bf_item *cases)
{
  int loaded = 0;
  for (int i = 0; i < cases->count; i++) {
    bf_item *of = cases->child[i], *sum = bf_rules_sound(of, "sum");
    loaded += !is_sum(of);
    for (int k = 0; k < bf_item_count(sum); k++) {
      bf_item       *part  = sum->child[k];
      const bf_item *other = bf_item_child(cases, part->key);
      if (!other)
        BF_FAULT(c, part, 108, part->key_where, "there is no case '%.60s'", part->key);
      else if (is_sum(other))
        BF_FAULT(c, part, 106, part->key_where, "'%.60s' is a sum itself; name the cases it consists of",
                 part->key);
    }
    if (sum && sum->count == 0) BF_FAULT(c, of, 102, sum->where, "the sum '%.60s' names no case", of->key);
  }
  if (cases->count > 0 && loaded == 0)
    bf_diag_add(c->diags, BF_ERROR, 102, cases->where,
                "'cases' has sums only; a case without 'sum' is needed");
}

static void names_are_plain(bf_checker *c, const bf_item *cases)
{
  const char *ok = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (int i = 0; i < cases->count; i++) {
    bf_item     *it = cases->child[i];
    const size_t n  = strlen(it->key);
    if (n == 0 || n > 60 || strspn(it->key, ok) != n || strchr("0123456789", it->key[0]))
      BF_FAULT(c, it, 105, it->key_where,
               "case '%.60s': a name consists of letters, digits and _ and begins with a letter", it->key);
  }
}

/* What does not go with several cases in this version. */
static void cases_have_limits(bf_checker *c, const bf_item *root, bf_item *cases)
{
  const bf_item *discretization = bf_rules_sound(root, "discretization");
  const bf_item *type           = bf_rules_sound(bf_item_child(root, "analysis"), "type");
  const bf_item *refine         = bf_rules_sound(bf_item_child(root, "output"), "refine");
  if (type && !bf_item_is(type, "static"))
    BF_FAULT(c, cases, 106, cases->key_where, "'cases' requires analysis type static, but it is %s",
             type->text);
  if (bf_item_is(bf_rules_sound(discretization, "method"), "gfem"))
    BF_FAULT(
        c, cases, 107, cases->key_where,
        "'cases' is not available with method gfem in this version: the right-hand sides of the second and "
        "later cases are integrated with isoparametric shape functions only; use method: fem, or one deck "
        "for "
        "each case");
  if (bf_item_is(bf_rules_sound(discretization, "condense"), "on"))
    BF_FAULT(c, cases, 106, cases->key_where,
             "'cases' and 'condense: on' exclude each other: condensation keeps the loads of the eliminated "
             "nodes of one right-hand side; use condense: auto, the solution is the same");
  if (refine && refine->number >= 2.0)
    BF_FAULT(c, cases, 107, cases->key_where,
             "'cases' is not available with 'refine': refined.vtk is one step, and each case is a step; run "
             "the case of interest alone, or use a finer mesh");
  if (cases->count == 0) bf_diag_add(c->diags, BF_ERROR, 102, cases->where, "'cases' is empty");
  if (cases->count > BF_CASES_MAX)
    bf_diag_add(c->diags, BF_ERROR, 105, cases->where, "more than %d cases and sums", BF_CASES_MAX);
}

void bf_rules_cases(bf_checker *c, const bf_item *root)
{
  bf_item *cases = bf_rules_sound(root, "cases");
  if (bf_item_child(root, "cases") && !cases) return;
  entries_name_cases(c, cases, bf_rules_sound(root, "boundary"), 1);
  entries_name_cases(c, cases, bf_rules_sound(root, "loads"), 1);
  entries_name_cases(c, cases, bf_rules_sound(root, "checks"), 0);
  conditions_keep_the_matrix(c, bf_rules_sound(root, "boundary"));
  if (!cases) return;
  names_are_plain(c, cases);
  sums_name_cases(c, cases);
  cases_have_limits(c, root, cases);
}
