/* inputs/rules_modal.c - rules between several keys for analysis: modal, one function per rule
 *
 * static uses `solver`, modal and dispersion use `eigensolver`; each analysis has its own methods, fields and
 * quantities.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include <string.h>

static bf_item *sound(const bf_item *map, const char *key)
{
  return bf_rules_sound(map, key);
}

/* The word of analysis.type; NULL if unknown. The section may have other errors. */
static const bf_item *type_of(const bf_item *root)
{
  return sound(bf_item_child(root, "analysis"), "type");
}

int bf_rules_mode_field(const char *field)
{
  return strcmp(field, "mode_shape") == 0 || strcmp(field, "mode_shape_axes") == 0 ||
         strcmp(field, "modal_strain_energy") == 0;
}

/* A section or key that is not used: an error if it is given, else its defaults are removed. */
static void leave_out(bf_checker *c, bf_item *map, const char *key, const char *instead)
{
  bf_item *it = map ? bf_item_child(map, key) : NULL;
  if (it && it->given)
    BF_FAULT(c, it, 107, it->key_where, "'%s' is not used in analysis modal%s", key, instead);
  else if (it)
    bf_item_remove(map, it);
}

/* The methods of modal and of dispersion. */
static void a_method_belongs_to_its_analysis(bf_checker *c, const bf_item *root, const bf_item *type)
{
  static const char *const own[][2] = {{"lobpcg", "modal"},
                                       {"shift_invert", "modal"},
                                       {"direct", "dispersion"},
                                       {"craig_bampton", "dispersion"}};
  bf_item                 *it       = sound(bf_item_child(root, "eigensolver"), "method");
  for (int i = 0; i < 4; i++)
    if (bf_item_is(it, own[i][0]) && !bf_item_is(type, own[i][1]) && !bf_item_is(type, "static"))
      BF_FAULT(c, it, 106, it->where, "method %s requires analysis type %s, but it is %s", it->text,
               own[i][1], type->text);
}

/* Modes inside the spectrum require a factorisation. */
static void a_shift_needs_factors(bf_checker *c, const bf_item *root)
{
  bf_item *shift = sound(bf_item_child(root, "analysis"), "shift");
  if (shift && shift->number > 0.0 &&
      bf_item_is(sound(bf_item_child(root, "eigensolver"), "method"), "lobpcg"))
    BF_FAULT(c, shift, 106, shift->where,
             "method lobpcg finds the lowest modes; a 'shift' needs shift_invert, or auto");
}

static void values_are_doubles(bf_checker *c, const bf_item *root)
{
  bf_item *values = sound(sound(root, "matrix"), "values");
  if (bf_item_is(values, "fp32"))
    BF_FAULT(c, values, 106, values->where,
             "modes are computed in double precision; values: fp32 would have no effect");
}

/* Fields of modes; by default both, instead of those of a static analysis. */
static bf_err fields_are_of_modes(bf_checker *c, const bf_item *root)
{
  bf_item *output = sound(root, "output"), *fields = sound(output, "fields");
  if (!output || (bf_item_child(output, "fields") && !fields)) return BF_OK;
  for (int i = 0; fields && fields->given && i < fields->count; i++)
    if (!bf_rules_mode_field(fields->child[i]->text) && !bf_item_is(fields->child[i], "material_id"))
      BF_FAULT(c, fields, 107, fields->child[i]->where,
               "field '%s' is not available in analysis modal, which has mode_shape and modal_strain_energy",
               fields->child[i]->text);
  if (fields && fields->given) return BF_OK;
  if (fields) bf_item_remove(output, fields);
  bf_key key = *bf_schema_key("output", "fields", c->physics);
  key.preset = "mode_shape, modal_strain_energy";
  return bf_default_add(c, output, &key);
}

bf_err bf_rules_modal(bf_checker *c, bf_item *root)
{
  static const char *const keys[][2] = {
      {"modes", NULL}, {"shift", "0.0"}, {"mass", "consistent"}, {"normalization", "mass"}, {NULL, NULL}};
  static const char *const steps[][2] = {{"max_iterations", "500"}, {NULL, NULL}};
  static const char *const help[][2]  = {{"preconditioner", "auto"}, {NULL, NULL}};
  static const char *const size[][2]  = {{"block_size", "192"}, {NULL, NULL}};
  const bf_item           *type       = type_of(root);
  bf_item                 *output = sound(root, "output"), *solver = sound(root, "eigensolver");
  if (!type || !(c->physics & BF_ON_WAVES) || c->physics == BF_ON_ALL) return BF_OK;
  BF_TRY(bf_rules_keys(c, bf_item_child(root, "analysis"), type, "analysis type", "modal", keys));
  if (!bf_item_is(type, "static")) {
    BF_TRY(bf_rules_keys(c, solver, type, "analysis type", "modal", steps));
    BF_TRY(bf_rules_keys(c, solver, sound(solver, "method"), "method", "lobpcg", help));
    BF_TRY(bf_rules_keys(c, solver, sound(solver, "preconditioner"), "preconditioner", "block_jacobi", size));
  }
  a_method_belongs_to_its_analysis(c, root, type);
  if (!bf_item_is(type, "modal")) return BF_OK;
  leave_out(c, root, "solver", "; see 'eigensolver'");
  leave_out(c, output, "probes", "");
  leave_out(c, output, "refine", "");
  leave_out(c, output, "flexibility", "");
  leave_out(c, output, "levels", "");
  a_shift_needs_factors(c, root);
  values_are_doubles(c, root);
  return fields_are_of_modes(c, root);
}

bf_err bf_rules_modal_quantity(const bf_item *root, const bf_qref *ref, int *modal)
{
  const bf_item *type = type_of(root), *modes = sound(bf_item_child(root, "analysis"), "modes");
  const int      here = bf_item_is(type, "modal"), own = ref->kind == BF_Q_MODE;
  *modal = own || (here && (ref->kind == BF_Q_ITERATIONS || ref->kind == BF_Q_UNKNOWNS));
  BF_CHECK(here || !own || !type, BF_E_INPUT, "this quantity requires analysis modal");
  BF_CHECK(
      !here || *modal, BF_E_INPUT,
      "analysis modal has no such quantity; it has mode, min, max and sum of modes, iterations, unknowns");
  BF_CHECK(!own || !modes || ref->number <= modes->number, BF_E_INPUT,
           "mode(%d) does not exist: analysis.modes is %d", ref->number, (int)modes->number);
  return BF_OK;
}
