/* inputs/rules_checks.c - rules of the section checks: quantities exist, a check says what it expects and can
 * fail
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/depends.h"
#include "inputs/validate.h"
#include <string.h>

static bf_item *sound(const bf_item *map, const char *key)
{
  return bf_rules_sound(map, key);
}

typedef struct looker { /* context of known_quantity */
  const bf_checker *c;
  const bf_item    *root;
  char              text[BF_LIST_MAX + 200]; /* what is wrong */
} looker;

/* 1: values are prescribed on the group or springs support it, so that it has a reaction. */
static int is_held(const bf_item *root, const char *group)
{
  static const char *const held[]   = {"fixed", "displacement", "symmetry", "spring", "temperature", "value"};
  const bf_item           *boundary = bf_item_child(root, "boundary");
  for (int i = 0; i < bf_item_count(boundary); i++) {
    const bf_item *type   = bf_item_child(boundary->child[i], "type"),
                  *groups = bf_item_child(boundary->child[i], "groups");
    int holds             = 0;
    for (int k = 0; k < 6; k++) holds |= bf_item_is(type, held[k]);
    for (int j = 0; holds && j < bf_item_count(groups); j++)
      if (bf_item_is(groups->child[j], group)) return 1;
  }
  return 0;
}

/* An error norm of the solution with a formula for each component; their number depends on the mesh too. */
static bf_err known_norm(int physics, const bf_qref *ref)
{
  const char *field = physics == BF_ON_HEAT         ? "temperature"
                      : physics == BF_ON_ELASTICITY ? "displacement"
                                                    : "concentration";
  const int   one   = physics != BF_ON_ELASTICITY || ref->component >= 0;
  if (physics == BF_ON_ALL) return BF_OK; /* not known */
  BF_CHECK(strcmp(ref->field, field) == 0, BF_E_INPUT,
           "error norms are those of the solution '%s', not of '%s'", field, ref->field);
  BF_CHECK(strcmp(ref->name, "energy") != 0 || (physics & BF_ON_WAVES), BF_E_INPUT,
           "error.energy requires physics %s", bf_schema_physics(BF_ON_WAVES));
  BF_CHECK(strcmp(ref->name, "energy") != 0 || ref->component < 0, BF_E_INPUT,
           "error.energy needs all components: error.energy(%s, [...])", field);
  BF_CHECK(one ? ref->nformulas == 1 : ref->nformulas >= 2, BF_E_INPUT,
           one ? "one formula is needed, not %d"
               : "a vector needs a formula for each component: [\"..\", \"..\"], not %d",
           ref->nformulas);
  return BF_OK;
}

/* Every quantity of a check exists in this deck. */
static bf_err known_quantity(void *context, const bf_qref *ref, double *value)
{
  looker        *l      = context;
  const bf_item *probes = sound(sound(l->root, "output"), "probes");
  int            waves, modal;
  *value = 1.0;
  BF_TRY(bf_rules_wave_quantity(l->root, ref, &waves));
  if (waves) return BF_OK;
  BF_TRY(bf_rules_modal_quantity(l->root, ref, &modal));
  if (modal) return BF_OK;
  if (ref->kind == BF_Q_BALANCE) {
    const int of = strcmp(ref->name, "energy") == 0 ? BF_ON_HEAT
                   : strcmp(ref->name, "mass") == 0 ? BF_ON_ADVECTION
                                                    : BF_ON_ELASTICITY;
    BF_CHECK(l->c->physics & of, BF_E_INPUT, "balance.%s requires physics %s", ref->name,
             bf_schema_physics(of));
  }
  if (ref->kind == BF_Q_BALANCE)
    BF_CHECK(strcmp(ref->name, "moment") != 0 || !bf_rules_is_revolved(l->root), BF_E_INPUT,
             "balance.moment does not exist in a body of revolution, where moments cancel");
  BF_CHECK(ref->kind != BF_Q_FLEXIBILITY || bf_item_child(sound(l->root, "output"), "flexibility"),
           BF_E_INPUT, "there is no 'output.flexibility', which names the groups of the matrix");
  BF_CHECK(ref->kind != BF_Q_ERROR || (l->c->physics & (BF_ON_WAVES)), BF_E_INPUT,
           "error_estimate requires physics %s", bf_schema_physics(BF_ON_WAVES));
  if (ref->kind == BF_Q_REACTION)
    BF_CHECK(is_held(l->root, ref->group), BF_E_INPUT,
             "no values are prescribed on group '%.60s'%s, so it has no reaction", ref->group,
             l->c->physics & BF_ON_ELASTICITY ? " and no spring supports it" : "");
  if (ref->kind == BF_Q_REACTION)
    BF_CHECK(ref->component < 0 || (l->c->physics & BF_ON_ELASTICITY), BF_E_INPUT,
             "a reaction of %s is one number, without a component", bf_schema_physics(l->c->physics));
  if (!ref->field[0]) return BF_OK;
  const int      known = l->c->physics != BF_ON_ALL;
  char           base[BF_Q_NAME_MAX + 1];
  const int      envelope = bf_envelope_base(ref->field, base);
  const bf_word *field    = bf_schema_word("field", base, l->c->physics);
  BF_TRY(bf_rules_axes_quantity(l->root, ref));
  BF_CHECK(!envelope || bf_item_child(l->root, "cases"), BF_E_INPUT, "field '%s' needs 'cases'", ref->field);
  BF_CHECK(field && !field->later && bf_schema_fits(field->physics, l->c->physics), BF_E_INPUT,
           "%s%s has no field '%.60s'", known ? "physics " : "this version",
           known ? bf_schema_physics(l->c->physics) : "", ref->field);
  if (envelope) {
    BF_CHECK(ref->kind != BF_Q_PROBE, BF_E_INPUT, "a probe does not record '%s'", ref->field);
    BF_CHECK(bf_envelope_has(base), BF_E_INPUT, "'%s' has no envelope", base);
    BF_CHECK(ref->component < 0, BF_E_INPUT, "field '%s' has no components", ref->field);
    return BF_OK;
  }
  BF_CHECK(ref->component < 0 || field->ncomp == (ref->tensor ? 6 : 3), BF_E_INPUT, "field '%s' has %s",
           ref->field,
           field->ncomp == 1 ? "no components"
           : field->ncomp == 3
               ? "components x, y, z (in cylindrical axes r, t, z)"
               : "components xx, yy, zz, xy, yz, xz (in cylindrical axes rr, tt, zz, rt, tz, rz)");
  if (ref->kind == BF_Q_NORM) return known_norm(l->c->physics, ref);
  BF_CHECK(ref->component >= 0 || field->ncomp != 6, BF_E_INPUT,
           "name a component of '%s': xx, yy, zz, xy, yz, xz", ref->field);
  BF_CHECK(ref->component >= 0 || ref->kind != BF_Q_INTEGRAL || field->ncomp == 1, BF_E_INPUT,
           "name the component of '%s' to integrate", ref->field);
  if (ref->kind != BF_Q_PROBE) return BF_OK;
  const bf_item *probe = bf_item_child(probes, ref->name), *fields = bf_item_child(probe, "fields");
  BF_CHECK(probe, BF_E_INPUT, "there is no probe '%.60s' in 'output.probes'", ref->name);
  for (int i = 0; i < bf_item_count(fields); i++)
    if (bf_item_is(fields->child[i], ref->field)) return BF_OK;
  BF_CHECK(!fields || fields->faulty, BF_E_INPUT, "probe '%s' does not record '%s'; add it to its 'fields'",
           ref->name, ref->field);
  return BF_OK;
}

static void quantity_exists(bf_checker *c, const bf_item *root, const bf_item *check)
{
  bf_item *it = sound(check, "quantity");
  looker   l  = {.c = c, .root = root};
  int      column;
  if (!it) return;
  if (bf_quantity_check(it->text, known_quantity, &l, &column) == BF_OK) return;
  bf_where where = it->where;
  if (it->text_column) where.column = it->text_column + column - 1;
  BF_FAULT(c, it, 108, where, "%s", bf_err_message());
}

static void a_check_says_what_it_expects(bf_checker *c, bf_item *check)
{
  const bf_item *expect = bf_item_child(check, "expect"), *rtol = bf_item_child(check, "rtol"),
                *atol = bf_item_child(check, "atol"), *report = sound(check, "report");
  const bf_item *numbers[] = {expect, rtol, atol};
  if (bf_item_child(check, "report") && !report) return;
  if (bf_item_true(report)) {
    for (int i = 0; i < 3; i++)
      if (numbers[i])
        BF_FAULT(c, check, 106, numbers[i]->key_where, "'%s' and 'report: true' exclude each other",
                 numbers[i]->key);
    return;
  }
  if (!expect)
    BF_FAULT(c, check, 102, check->where, "a check needs 'expect' with 'rtol' or 'atol', or 'report: true'");
  if (!expect) return;
  if (!rtol && !atol) BF_FAULT(c, check, 102, expect->key_where, "'expect' needs 'rtol' or 'atol'");
  if (rtol && atol)
    BF_FAULT(c, check, 106, atol->key_where, "'rtol' and 'atol' exclude each other in a check");
  if (rtol && expect->number == 0.0)
    BF_FAULT(c, check, 106, rtol->key_where,
             "'rtol' with an expected value of 0 allows no error; use 'atol'");
}

/* The whole text of a quantity is this word. */
static int is_word(const char *text, const char *word)
{
  const size_t n = strlen(word);
  text += strspn(text, " \t\r\n");
  return strncmp(text, word, n) == 0 && text[n + strspn(text + n, " \t\r\n")] == '\0';
}

/* Largest number of iterations of an iterative solver of a static analysis, else -1. */
static double iterations_most(const bf_item *root)
{
  const bf_item *solver = sound(root, "solver"), *most = sound(solver, "max_iterations");
  const int      here   = bf_item_is(sound(sound(root, "analysis"), "type"), "static");
  const bf_item *method = sound(solver, "method");
  if (bf_item_is(method, "direct") || bf_item_is(method, "inverse")) return -1.0;
  return here && most ? most->number : -1.0;
}

/* E116: a check that every result passes. */
static void a_check_can_fail(bf_checker *c, const bf_item *root, bf_item *check)
{
  const double   huge   = 1e150; /* larger norms overflow when squared: the solver reports NaN */
  const bf_item *expect = sound(check, "expect"), *atol = sound(check, "atol");
  bf_item       *it = sound(check, "quantity");
  bf_qdepends    on;
  if (!it || !expect || bf_quantity_depends(it->text, &on) != BF_OK) return;
  if (on.quantities == 0)
    BF_FAULT(c, it, 116, it->where,
             "'%s' is a constant: the check does not depend on the result; name a quantity", it->text);
  else if (!on.varies)
    BF_FAULT(c, it, 116, it->where,
             "the value of '%s' does not change with its quantities (they cancel, or are lost in rounding): "
             "the check does not depend on the result",
             it->text);
  if (!atol) return;
  const double low = expect->number - atol->number, high = expect->number + atol->number;
  const double most = iterations_most(root);
  if (low <= -huge && high >= huge)
    BF_FAULT(c, check, 116, atol->where, "atol: %s is above any value: the check cannot fail", atol->text);
  else if (is_word(it->text, "iterations") && low <= 0.0 && most >= 0.0 && high >= most)
    BF_FAULT(c, check, 116, atol->where,
             "atol: %s accepts 0 to %g iterations, and max_iterations is %g: the check cannot fail",
             atol->text, high, most);
}

void bf_rules_checks(bf_checker *c, const bf_item *root)
{
  const bf_item *checks = sound(root, "checks");
  for (int i = 0; i < bf_item_count(checks); i++) {
    if (checks->child[i]->kind != BF_ITEM_MAP) continue;
    quantity_exists(c, root, checks->child[i]);
    a_check_says_what_it_expects(c, checks->child[i]);
    a_check_can_fail(c, root, checks->child[i]);
  }
}
