/* inputs/rules.c - rules between several keys of a deck, one function per rule */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/depends.h"
#include "inputs/validate.h"
#include <string.h>

bf_item *bf_rules_sound(const bf_item *map, const char *key)
{
  bf_item *it = bf_item_child(map, key);
  return it && !it->faulty ? it : NULL;
}

static bf_item *sound(const bf_item *map, const char *key)
{
  return bf_rules_sound(map, key);
}

/* Exactly one of two keys. */
static void one_of(bf_checker *c, bf_item *map, const char *a, const char *b)
{
  char           place[BF_PLACE_MAX];
  const bf_item *first = bf_item_child(map, a), *second = bf_item_child(map, b);
  if (first && second)
    BF_FAULT(c, map, 106, second->key_where, "'%s' and '%s' exclude each other in %s", a, b,
             bf_item_place(map, place));
  if (!first && !second)
    BF_FAULT(c, map, 102, map->where, "%s needs '%s' or '%s'", bf_item_place(map, place), a, b);
}

static void mesh_has_one_source(bf_checker *c, const bf_item *root)
{
  bf_item *mesh = sound(root, "mesh");
  if (!mesh) return;
  one_of(c, mesh, "file", "generate");
  bf_item *generate = sound(mesh, "generate");
  if (generate) one_of(c, generate, "box", "rectangle");
}

/* `group: a` becomes `groups: [a]`. */
static bf_err into_list(bf_item *entry, bf_item *group)
{
  bf_err   err  = BF_OK;
  bf_item *list = NULL, *name = NULL;
  BF_GO(bf_item_create(BF_ITEM_LIST, "groups", NULL, group->where, &list));
  BF_GO(bf_item_create(BF_ITEM_VALUE, NULL, group->text, group->where, &name));
  list->given = name->given = 1;
  list->key_where           = group->key_where;
  name->text_column         = group->text_column;
  BF_GO(bf_item_append_take(list, &name));
  BF_GO(bf_item_append_take(entry, &list));
  bf_item_remove(entry, group);
done:
  bf_item_destroy(&name);
  bf_item_destroy(&list);
  return err;
}

static void check_names(bf_checker *c, bf_item *list, const char *no_all)
{
  for (int i = 0; i < list->count; i++) {
    bf_item *name = list->child[i];
    for (int j = 0; j < i; j++)
      if (bf_item_is(list->child[j], name->text)) {
        BF_FAULT(c, list, 104, name->where, "group '%.60s' is listed twice", name->text);
        break;
      }
    if (!bf_item_is(name, "all")) continue;
    if (no_all)
      BF_FAULT(c, list, 106, name->where,
               "'all' is reserved and means the whole body; a %s needs the names of its groups", no_all);
    else if (list->count > 1)
      BF_FAULT(c, list, 106, name->where, "'all' excludes other groups");
  }
}

/* no_all: the kind of entry for which `all` is not permitted, else NULL. */
static bf_err groups_of(bf_checker *c, bf_item *entry, int required, const char *no_all)
{
  char     place[BF_PLACE_MAX];
  bf_item *group = bf_item_child(entry, "group"), *groups = bf_item_child(entry, "groups");
  if (entry->kind != BF_ITEM_MAP) return BF_OK;
  if (bf_item_child(entry, "type") && !sound(entry, "type")) return BF_OK; /* unknown type */
  if (group && groups) {
    BF_FAULT(c, entry, 106, groups->key_where, "'group' and 'groups' exclude each other in %s",
             bf_item_place(entry, place));
    return BF_OK;
  }
  if (group && !group->faulty) {
    BF_TRY(into_list(entry, group));
    groups = bf_item_child(entry, "groups");
  }
  if (groups && !groups->faulty) check_names(c, groups, no_all);
  if (!group && !groups && required)
    BF_FAULT(c, entry, 102, entry->where, "%s needs 'group' or 'groups'", bf_item_place(entry, place));
  return BF_OK;
}

static int is_point_force(const bf_item *entry)
{
  return bf_item_is(bf_item_child(entry, "type"), "point_force");
}

static bf_err groups_are_lists(bf_checker *c, const bf_item *root)
{
  const bf_item *materials = sound(root, "materials"), *boundary = sound(root, "boundary"),
                *loads = sound(root, "loads"), *groups = sound(sound(root, "output"), "flexibility");
  if (groups) check_names(c, (bf_item *)groups, "flexibility");
  for (int i = 0; i < bf_item_count(materials); i++) BF_TRY(groups_of(c, materials->child[i], 1, NULL));
  for (int i = 0; i < bf_item_count(boundary); i++)
    BF_TRY(groups_of(c, boundary->child[i], !bf_item_is(bf_item_child(boundary->child[i], "type"), "bloch"),
                     "boundary"));
  for (int i = 0; i < bf_item_count(loads); i++)
    BF_TRY(groups_of(c, loads->child[i], 0, is_point_force(loads->child[i]) ? "point_force" : NULL));
  return BF_OK;
}

/* The material before `last` with this group, or NULL. */
static const bf_item *owner_of(const bf_item *materials, int last, const char *group, const bf_item **place)
{
  for (int i = 0; i < last; i++) {
    const bf_item *groups = sound(materials->child[i], "groups");
    for (int j = 0; j < bf_item_count(groups); j++)
      if (bf_item_is(groups->child[j], group)) {
        *place = groups->child[j];
        return materials->child[i];
      }
  }
  return NULL;
}

static void a_group_has_one_material(bf_checker *c, const bf_item *root)
{
  const bf_item *materials = sound(root, "materials"), *place;
  if (materials && materials->count == 0)
    bf_diag_add(c->diags, BF_ERROR, 102, materials->where, "'materials' is empty");
  for (int i = 0; i < bf_item_count(materials); i++) {
    bf_item *groups = sound(materials->child[i], "groups");
    for (int j = 0; j < bf_item_count(groups); j++) {
      const bf_item *name  = groups->child[j];
      const bf_item *owner = owner_of(materials, i, name->text, &place);
      char           at[BF_WHERE_TEXT];
      if (owner)
        BF_FAULT(c, groups, 106, name->where, "group '%.60s' already has material '%.60s' (%s)", name->text,
                 owner->key, bf_where_text(place->where, name->where, at));
    }
  }
}

static void a_displacement_has_a_component(bf_checker *c, const bf_item *root)
{
  const bf_item *boundary = sound(root, "boundary");
  for (int i = 0; i < bf_item_count(boundary); i++) {
    bf_item *entry = boundary->child[i];
    if (!bf_item_is(bf_item_child(entry, "type"), "displacement") || !(c->physics & BF_ON_ELASTICITY))
      continue;
    if (!bf_item_child(entry, "x") && !bf_item_child(entry, "y") && !bf_item_child(entry, "z"))
      BF_FAULT(c, entry, 102, entry->where, "type displacement needs at least one of 'x', 'y', 'z'");
  }
}

/* `about` is the place of `value` and `moment`. */
static void a_force_has_a_value(bf_checker *c, const bf_item *root)
{
  const bf_item *boundary = sound(root, "boundary");
  for (int i = 0; i < bf_item_count(boundary); i++) {
    bf_item *entry = boundary->child[i], *moment = bf_item_child(entry, "moment"),
            *about = bf_item_child(entry, "about");
    if (!bf_item_is(bf_item_child(entry, "type"), "force") || !(c->physics & BF_ON_ELASTICITY)) continue;
    if (!bf_item_child(entry, "value") && !moment)
      BF_FAULT(c, entry, 102, entry->where, "type force needs 'value' (N), 'moment' (N m) or both");
    const bf_item *odd = moment ? moment : about;
    if (odd && bf_item_is(sound(sound(root, "discretization"), "space"), "axisymmetric"))
      BF_FAULT(c, entry, 106, odd->key_where,
               "'%s' and 'space: axisymmetric' exclude each other: the force acts on the whole ring, where "
               "moments cancel",
               odd->key);
  }
}

/* `group` has been replaced by `groups`. */
static void a_point_force_has_one_place(bf_checker *c, const bf_item *root)
{
  const bf_item *loads = sound(root, "loads");
  for (int i = 0; i < bf_item_count(loads); i++) {
    bf_item *entry = loads->child[i];
    if (!is_point_force(entry) || !(c->physics & BF_ON_ELASTICITY)) continue;
    if (!bf_item_child(entry, "group"))
      one_of(c, entry, "groups", "at"); /* else an error of its group was reported */
  }
}

static int is_revolved(const bf_item *root)
{
  return bf_item_is(sound(sound(root, "discretization"), "space"), "axisymmetric");
}

/* A body of revolution has no thickness: removes the default, which would appear as a value of the run. */
static void a_body_of_revolution_has_no_thickness(bf_checker *c, const bf_item *root)
{
  bf_item *discretization = sound(root, "discretization"), *thickness = sound(discretization, "thickness");
  if (!thickness || !is_revolved(root)) return;
  if (thickness->given)
    BF_FAULT(c, thickness, 106, thickness->key_where,
             "'thickness' and 'space: axisymmetric' exclude each other: the body is the full revolution");
  else
    bf_item_remove(discretization, thickness);
}

static void probes_have_plain_names(bf_checker *c, const bf_item *root)
{
  bf_item *probes = sound(sound(root, "output"), "probes");
  for (int i = 0; i < bf_item_count(probes); i++) {
    bf_item     *it = probes->child[i];
    const char  *ok = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t n  = strlen(it->key);
    if (n == 0 || n > 60 || strspn(it->key, ok) != n || strchr("0123456789", it->key[0]))
      BF_FAULT(c, it, 105, it->key_where,
               "probe '%.60s': a name consists of letters, digits and _ and begins with a letter", it->key);
  }
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
    BF_CHECK(strcmp(ref->name, "moment") != 0 || !is_revolved(l->root), BF_E_INPUT,
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
           field->ncomp == 1   ? "no components"
           : field->ncomp == 3 ? "components x, y, z"
                               : "components xx, yy, zz, xy, yz, xz");
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
    BF_FAULT(c, check, 106, rtol->key_where, "'rtol' of an expected 0 allows no error at all; use 'atol'");
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

/* W115: a preconditioner that the deck names; E106: values that a factorisation would not use. */
static void a_closed_method_has_no_preconditioner(bf_checker *c, const bf_item *root)
{
  const bf_item *solver = sound(root, "solver"), *matrix = sound(root, "matrix");
  const bf_item *precond = solver ? sound(solver, "preconditioner") : NULL;
  bf_item       *values  = matrix ? sound(matrix, "values") : NULL;
  const bf_item *method  = solver ? sound(solver, "method") : NULL;
  const int      direct  = bf_item_is(method, "direct");
  if (!direct && !bf_item_is(method, "inverse")) return;
  if (precond && precond->given && !bf_item_is(precond, "none"))
    bf_diag_add(c->diags, BF_WARNING, 115, precond->where, "method: %s uses no preconditioner", method->text);
  if (direct && values && bf_item_is(values, "fp32"))
    BF_FAULT(c, values, 106, values->where,
             "method: direct factors in double precision; values: fp32 would have no effect");
}

bf_err bf_rules_keys(bf_checker *c, bf_item *map, const bf_item *chosen, const char *choice, const char *word,
                     const char *const own[][2])
{
  bf_err   err = BF_OK;
  bf_item *it  = NULL;
  char     place[BF_PLACE_MAX];
  for (int k = 0; map && chosen && own[k][0]; k++) {
    const bf_item *given = bf_item_child(map, own[k][0]);
    if (given && !bf_item_is(chosen, word))
      BF_FAULT(c, map, 106, given->key_where, "'%s' requires %s %s, but it is %s", own[k][0], choice, word,
               chosen->text);
    if (given || !bf_item_is(chosen, word)) continue;
    const bf_key *key = bf_schema_key(map->key, own[k][0], c->physics);
    if (!own[k][1]) {
      BF_FAULT(c, map, 102, map->where, "key '%s' is missing in %s: %s", own[k][0], bf_item_place(map, place),
               key->text);
      continue;
    }
    BF_GO(bf_item_create(BF_ITEM_VALUE, own[k][0], own[k][1], map->where, &it));
    BF_GO(bf_value_check(c, it, key));
    BF_GO(bf_item_append_take(map, &it));
  }
done:
  bf_item_destroy(&it);
  return err;
}

static bf_err choices_have_keys_of_their_own(bf_checker *c, const bf_item *root)
{
  static const char *const gfem[][2] = {
      {"order", "2"}, {"patch", "auto"}, {"extra_rings", "0"}, {"nitsche_gamma", "30"}, {NULL, NULL}};
  static const char *const blocks[][2] = {
      {"block_size", "64"}, {"block_parts", "couplings"}, {"block_values", "fp32"}, {NULL, NULL}};
  bf_item *map = sound(root, "discretization"), *solver = sound(root, "solver");
  BF_TRY(bf_rules_keys(c, map, sound(map, "method"), "method", "gfem", gfem));
  BF_TRY(bf_rules_keys(c, solver, sound(solver, "preconditioner"), "preconditioner", "block_jacobi", blocks));
  const bf_item *levels = sound(solver, "multigrid"), *precond = sound(solver, "preconditioner");
  if (levels && precond && !bf_item_is(precond, "multigrid"))
    BF_FAULT(c, solver, 106, levels->key_where,
             "'multigrid' belongs to preconditioner multigrid, here it is %s", precond->text);
  const bf_item *rings = sound(map, "extra_rings");
  if (rings && rings->number > 0.0 && bf_item_is(sound(map, "patch"), "compact"))
    BF_FAULT(c, map, 106, rings->key_where, "'extra_rings' requires patches of rings");
  return BF_OK;
}

/* Advection: options that require a symmetric matrix. */
static void an_unsymmetric_matrix_has_its_methods(bf_checker *c, const bf_item *root)
{
  const bf_item *method  = sound(sound(root, "solver"), "method");
  bf_item       *storage = sound(sound(root, "matrix"), "storage");
  if (c->physics != BF_ON_ADVECTION) return;
  if (bf_item_is(method, "cg") || bf_item_is(method, "inverse"))
    bf_diag_add(c->diags, BF_ERROR, 305, method->where,
                "method %s requires a symmetric matrix; that of advection_diffusion is not symmetric; use "
                "bicgstab or auto",
                method->text);
  if (bf_item_is(storage, "symmetric"))
    BF_FAULT(c, storage, 106, storage->where,
             "the matrix of advection_diffusion is not symmetric and has no symmetric storage; use storage: "
             "auto or full");
}

static void a_sweep_has_a_limit(bf_checker *c, bf_item *root)
{
  const bf_item *sweep = sound(root, "sweep"), *map = sound(root, "parameters");
  const bf_item *first = NULL;
  double         runs  = 1.0;
  for (int i = 0; i < bf_item_count(map); i++) {
    const bf_item *list = map->child[i];
    if (list->count < 2) continue;
    runs *= list->count;
    if (bf_item_is(sweep, "zip") && first && first->count != list->count)
      BF_FAULT(c, root, 106, list->where, "sweep: zip: '%.60s' has %d values and '%.60s' has %d", first->key,
               first->count, list->key, list->count);
    if (!first) first = list;
  }
  if (bf_item_is(sweep, "zip")) runs = first ? first->count : 1;
  int swept = 0;
  for (int i = 0; i < bf_item_count(map); i++) swept += map->child[i]->count > 1;
  if (swept > BF_SWEPT_MAX || bf_item_count(map) > BF_PARAMETERS_MAX)
    BF_FAULT(c, root, 105, map->where, "at most %d parameters, %d of them with several values",
             BF_PARAMETERS_MAX, BF_SWEPT_MAX);
  if (runs > 1000.0)
    BF_FAULT(c, root, 105, map->where, "the parameters give %.0f runs, more than 1000", runs);
}

bf_err bf_rules_check(bf_checker *c, bf_item *root)
{
  mesh_has_one_source(c, root);
  BF_TRY(groups_are_lists(c, root));
  a_group_has_one_material(c, root);
  a_displacement_has_a_component(c, root);
  BF_TRY(choices_have_keys_of_their_own(c, root));
  a_force_has_a_value(c, root);
  a_point_force_has_one_place(c, root);
  a_body_of_revolution_has_no_thickness(c, root);
  a_closed_method_has_no_preconditioner(c, root);
  an_unsymmetric_matrix_has_its_methods(c, root);
  a_sweep_has_a_limit(c, root);
  bf_rules_cases(c, root);
  BF_TRY(bf_rules_waves(c, root));
  BF_TRY(bf_rules_modal(c, root));
  probes_have_plain_names(c, root);
  const bf_item *checks = sound(root, "checks");
  for (int i = 0; i < bf_item_count(checks); i++) {
    if (checks->child[i]->kind != BF_ITEM_MAP) continue;
    quantity_exists(c, root, checks->child[i]);
    a_check_says_what_it_expects(c, checks->child[i]);
    a_check_can_fail(c, root, checks->child[i]);
  }
  return BF_OK;
}
