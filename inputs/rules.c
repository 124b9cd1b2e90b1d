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

int bf_rules_is_revolved(const bf_item *root)
{
  return bf_item_is(sound(sound(root, "discretization"), "space"), "axisymmetric");
}

/* A body of revolution has no thickness: removes the default, which would appear as a value of the run. */
static void a_body_of_revolution_has_no_thickness(bf_checker *c, const bf_item *root)
{
  bf_item *discretization = sound(root, "discretization"), *thickness = sound(discretization, "thickness");
  if (!thickness || !bf_rules_is_revolved(root)) return;
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
  bf_rules_axes(c, root);
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
  bf_rules_checks(c, root);
  return BF_OK;
}
