/* inputs/axes.c - rules of the section axes: names, and the entries and checks that use them */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include <string.h>

static const char *const polar[]  = {"r", "t", "z"};
static const char *const global[] = {"x", "y", "z"};

static const bf_item *axes_named(const bf_item *root, const char *name)
{
  const bf_item *list = bf_rules_sound(root, "axes");
  for (int i = 0; i < bf_item_count(list); i++)
    if (bf_item_is(bf_item_child(list->child[i], "name"), name)) return list->child[i];
  return NULL;
}

/* E108 for a name that does not exist; the axes of an entry. */
static const bf_item *known(bf_checker *c, const bf_item *root, bf_item *entry)
{
  const bf_item *list = bf_rules_sound(root, "axes");
  bf_item       *name = bf_rules_sound(entry, "axes");
  const char    *names[64];
  char           text[BF_LIST_MAX];
  int            n = 0;
  if (!name) return NULL;
  const bf_item *of = axes_named(root, name->text);
  for (int i = 0; i < bf_item_count(list) && n < 64; i++) {
    const bf_item *one = bf_rules_sound(list->child[i], "name");
    if (one) names[n++] = one->text;
  }
  bf_list_names(names, n, text);
  if (!of && n == 0)
    BF_FAULT(c, name, 108, name->where,
             "there are no axes '%.60s'; define them: axes: [{name: %.60s, type: cylindrical, origin: [..], "
             "axis: [..]}]",
             name->text, name->text);
  else if (!of)
    BF_FAULT(c, name, 108, name->where, "there are no axes '%.60s'; the deck has: %s", name->text, text);
  return of;
}

static int is_cylindrical(const bf_item *of)
{
  return bf_item_is(bf_item_child(of, "type"), "cylindrical");
}

/* Components x y z or r t z, by the axes of a displacement. */
static void components_fit(bf_checker *c, const bf_item *root, bf_item *entry)
{
  const bf_item     *of       = known(c, root, entry);
  const int          cylinder = is_cylindrical(of), named = bf_item_child(entry, "axes") != NULL;
  const char *const *right = cylinder ? polar : global, *const *wrong = cylinder ? global : polar;
  int                given = 0;
  if (named && !of) return;
  for (int k = 0; k < 3; k++) given |= bf_item_child(entry, right[k]) != NULL;
  for (int k = 0; k < 2; k++) {
    const bf_item *odd = bf_item_child(entry, wrong[k]);
    if (!odd) continue;
    given = 1;
    BF_FAULT(c, entry, 106, odd->key_where,
             cylinder ? "'%s' and cylindrical axes exclude each other: their components are r, t, z"
                      : "'%s' is a component in cylindrical axes: name them by 'axes'",
             odd->key);
  }
  if (!given)
    BF_FAULT(c, entry, 102, entry->where, "type displacement needs at least one of '%s', '%s', '%s'",
             right[0], right[1], right[2]);
}

static void names_are_plain(bf_checker *c, const bf_item *list)
{
  const char *ok = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (int i = 0; list && i < bf_item_count(list); i++) {
    bf_item *name = bf_rules_sound(list->child[i], "name");
    if (!name) continue;
    const size_t n = strlen(name->text);
    if (n > 40 || strspn(name->text, ok) != n || strchr("0123456789", name->text[0]))
      BF_FAULT(c, name, 105, name->where,
               "axes '%.60s': a name consists of at most 40 letters, digits and _ and begins with a letter",
               name->text);
    for (int k = 0; k < i; k++)
      if (bf_item_is(bf_item_child(list->child[k], "name"), name->text))
        BF_FAULT(c, name, 104, name->where, "axes '%.60s' are defined twice", name->text);
  }
}

/* W117: axes that nothing names. */
static int used(const bf_item *root, const char *name)
{
  const char *const where[] = {"boundary", "loads"};
  int               any     = bf_item_is(bf_item_child(bf_item_child(root, "output"), "axes"), name);
  for (int k = 0; k < 2; k++) {
    const bf_item *list = bf_item_child(root, where[k]);
    for (int i = 0; i < bf_item_count(list); i++)
      any |= bf_item_is(bf_item_child(list->child[i], "axes"), name);
  }
  return any;
}

void bf_rules_axes(bf_checker *c, const bf_item *root)
{
  const bf_item *list = bf_item_child(root, "axes"), *boundary = bf_rules_sound(root, "boundary"),
                *loads = bf_rules_sound(root, "loads");
  bf_item *output      = bf_rules_sound(root, "output");
  if (list && bf_rules_is_revolved(root))
    bf_diag_add(
        c->diags, BF_ERROR, 106, list->key_where,
        "'axes' and 'space: axisymmetric' exclude each other: x is the radius there and y the axis, so that "
        "stresses xx, yy, zz are radial, axial and hoop stress");
  names_are_plain(c, list);
  for (int i = 0; list && i < bf_item_count(list); i++) {
    const bf_item *name = bf_rules_sound(list->child[i], "name");
    if (name && !used(root, name->text))
      bf_diag_add(c->diags, BF_WARNING, 117, name->where, "no entry uses the axes '%.60s'", name->text);
  }
  for (int i = 0; i < bf_item_count(boundary); i++) {
    bf_item *entry = boundary->child[i];
    if (!(c->physics & BF_ON_ELASTICITY) || entry->kind != BF_ITEM_MAP) continue;
    if (bf_item_is(bf_item_child(entry, "type"), "displacement"))
      components_fit(c, root, entry);
    else
      known(c, root, entry);
  }
  for (int i = 0; i < bf_item_count(loads); i++) known(c, root, loads->child[i]);
  if (output) known(c, root, output);
}

/* Fields in axes: output.axes, and components of its kind. */
bf_err bf_rules_axes_quantity(const bf_item *root, const bf_qref *ref)
{
  const size_t   n = strlen(ref->field), tail = strlen("_axes");
  const bf_item *output = bf_rules_sound(root, "output"), *name = bf_item_child(output, "axes");
  const bf_item *of = name ? axes_named(root, name->text) : NULL;
  if (n <= tail || strcmp(ref->field + n - tail, "_axes") != 0) return BF_OK;
  BF_CHECK(name, BF_E_INPUT, "field '%s' and components r, t need 'output.axes', the name of axes",
           ref->field);
  if (!of || ref->component < 0) return BF_OK;
  BF_CHECK(is_cylindrical(of) || !ref->polar, BF_E_INPUT,
           "axes '%.60s' are rectangular: components of '%s' are x, y, z or xx, yy, zz, xy, yz, xz",
           name->text, ref->field);
  BF_CHECK(!is_cylindrical(of) || ref->polar || ref->component == 2, BF_E_INPUT,
           "axes '%.60s' are cylindrical: components of '%s' are r, t, z or rr, tt, zz, rt, tz, rz",
           name->text, ref->field);
  return BF_OK;
}
