/* inputs/rules_analysis.c - what a kind of analysis asks of the deck: its keys, its solver, its fields
 *
 * static solves equations by `solver`, modal finds modes by `eigensolver`: neither takes the other's section
 * or fields.
 */
#include "inputs/validate.h"
#include <string.h>

const char *bf_analysis_of(const bf_item *root)
{
  const bf_item *type = bf_sound(bf_item_child(root, "analysis"), "type");
  return type ? type->text : "static";
}

/* A section that the analysis has no use for: a mistake where it is written, else its defaults go. */
static void has_no_part(bf_checker *c, bf_item *root, const char *section, const char *instead)
{
  bf_item *map = bf_item_child(root, section);
  if (map && map->given)
    BF_FAULT(c, map, 106, map->key_where, "'%s' has no part in analysis type %s%s", section,
             bf_analysis_of(root), instead);
  else if (map)
    bf_item_remove(root, map);
}

/* A section without a default in the schema, made where it is missing. */
static bf_err with_defaults(bf_checker *c, bf_item *map, const char *section, const char *name,
                            const char *preset)
{
  const bf_item *there = bf_item_child(map, name);
  bf_key         key   = *bf_schema_key(section, name, c->physics);
  key.preset           = preset;
  return there ? BF_OK : bf_default_add(c, map, &key);
}

/* The other analyses' words of eigensolver.method. */
static void method_of_the_analysis(bf_checker *c, const bf_item *root)
{
  static const char *const own[] = {"auto", "lobpcg", "shift_invert"};
  bf_item                 *it    = bf_sound(bf_sound(root, "eigensolver"), "method");
  for (int i = 0; i < 3; i++)
    if (bf_item_is(it, own[i])) return;
  if (it)
    BF_FAULT(c, it, 106, it->where,
             "method %s does not find modes of analysis type modal; use auto, lobpcg or shift_invert",
             it->text);
}

/* Only factors find modes in the middle of the spectrum. */
static void a_shift_needs_factors(bf_checker *c, const bf_item *root)
{
  bf_item *shift = bf_sound(bf_sound(root, "analysis"), "shift");
  if (shift && shift->number > 0.0 && bf_item_is(bf_sound(bf_sound(root, "eigensolver"), "method"), "lobpcg"))
    BF_FAULT(c, shift, 106, shift->where,
             "method lobpcg finds the lowest modes; a 'shift' needs shift_invert, or auto");
}

static int of_modes(const char *field)
{
  return strcmp(field, "mode_shape") == 0 || strcmp(field, "modal_strain_energy") == 0;
}

/* Fields of modes belong to modal, the others, but material_id, to static. */
static void fields_of_the_analysis(bf_checker *c, const bf_item *root)
{
  bf_item  *fields = bf_sound(bf_sound(root, "output"), "fields");
  const int modal  = strcmp(bf_analysis_of(root), "modal") == 0;
  for (int i = 0; fields && fields->given && i < fields->count; i++) {
    const bf_item *name = fields->child[i];
    if (of_modes(name->text) == modal || bf_item_is(name, "material_id")) continue;
    BF_FAULT(c, fields, 107, name->where, "field '%s' belongs to analysis type %s, this deck says %s",
             name->text, modal ? "static" : "modal", bf_analysis_of(root));
  }
}

static bf_err fields_of_modes(bf_checker *c, const bf_item *root)
{
  bf_item *output = bf_sound(root, "output"), *fields = bf_sound(output, "fields");
  if (!output || (fields && fields->given)) return BF_OK;
  if (fields) bf_item_remove(output, fields);
  return with_defaults(c, output, "output", "fields", "mode_shape, modal_strain_energy");
}

/* What looks at one solution has nothing to look at. */
static void modes_have_no_probes(bf_checker *c, const bf_item *root)
{
  bf_item *output = bf_sound(root, "output"), *probes = bf_sound(output, "probes"),
          *refine = bf_sound(output, "refine");
  if (probes)
    BF_FAULT(c, probes, 107, probes->key_where,
             "'probes' belongs to analysis type static, this deck says modal");
  if (refine && refine->number >= 2.0)
    BF_FAULT(c, refine, 107, refine->key_where,
             "'refine' belongs to analysis type static, this deck says modal");
}

static bf_err modal(bf_checker *c, bf_item *root)
{
  bf_item *values = bf_sound(bf_sound(root, "matrix"), "values");
  has_no_part(c, root, "solver", ": modes are found by 'eigensolver'");
  BF_TRY(with_defaults(c, root, "", "eigensolver", "{}"));
  bf_item *solver = bf_sound(root, "eigensolver");
  if (solver) BF_TRY(with_defaults(c, solver, "eigensolver", "max_iterations", "500"));
  method_of_the_analysis(c, root);
  a_shift_needs_factors(c, root);
  if (bf_item_is(values, "fp32"))
    BF_FAULT(c, values, 106, values->where,
             "modes are found in double precision; values: fp32 would only be stored");
  modes_have_no_probes(c, root);
  return fields_of_modes(c, root);
}

bf_err bf_quantity_of_analysis(const bf_item *root, const bf_qref *ref)
{
  const char    *type  = bf_analysis_of(root);
  const bf_item *modes = bf_sound(bf_sound(root, "analysis"), "modes");
  const int      modal = strcmp(type, "modal") == 0;
  const bf_item *word  = bf_item_get(root, "analysis.type");
  if (ref->kind == BF_Q_ITERATIONS || ref->kind == BF_Q_UNKNOWNS || (word && word->faulty)) return BF_OK;
  BF_CHECK((ref->kind == BF_Q_MODE) == modal, BF_E_INPUT,
           "this quantity belongs to analysis type %s, this deck says %s", modal ? "static" : "modal", type);
  BF_CHECK(!modes || ref->index <= modes->number, BF_E_INPUT, "mode(%d): 'analysis.modes' asks for %d",
           ref->index, (int)modes->number);
  return BF_OK;
}

bf_err bf_rules_analysis(bf_checker *c, bf_item *root)
{
  static const char *const keys[][2] = {
      {"modes", NULL}, {"shift", "0.0"}, {"mass", "consistent"}, {"normalization", "mass"}, {NULL, NULL}};
  if (!(c->physics & BF_ON_WAVES)) return BF_OK;
  BF_TRY(bf_keys_of_a_word(c, root, "analysis", "type", "modal", keys));
  fields_of_the_analysis(c, root);
  if (strcmp(bf_analysis_of(root), "modal") == 0)
    BF_TRY(modal(c, root));
  else if (strcmp(bf_analysis_of(root), "static") == 0)
    has_no_part(c, root, "eigensolver", ": 'solver' solves the equations");
  return BF_OK;
}
