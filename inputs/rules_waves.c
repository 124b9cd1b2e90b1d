/* inputs/rules_waves.c - rules between several keys for analysis: dispersion, one function per rule */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/validate.h"
#include <string.h>

static bf_item *sound(const bf_item *map, const char *key)
{
  return bf_rules_sound(map, key);
}

/* A section that this analysis does not use: its defaults are removed, since they would appear as values of
 * the run; a given one is E107. */
static void leave_out(bf_checker *c, bf_item *map, const char *key, const char *analysis, const char *instead)
{
  bf_item *it = bf_item_child(map, key);
  if (!it) return;
  if (it->given)
    BF_FAULT(c, it, 107, it->key_where, "'%s' is not used in analysis %s%s", key, analysis, instead);
  else
    bf_item_remove(map, it);
}

static int is_dispersion(const bf_item *root)
{
  return bf_item_is(sound(bf_item_child(root, "analysis"), "type"),
                    "dispersion"); /* independent of other errors */
}

static const bf_item *point(const bf_item *root, const char *name)
{
  return bf_item_child(sound(sound(root, "analysis"), "points"), name);
}

/* Every name of a list is one of analysis.points; E108 with the nearest. */
static void names_are_points(bf_checker *c, const bf_item *root, bf_item *list, const char *what)
{
  const bf_item *points = sound(sound(root, "analysis"), "points");
  const char    *names[64];
  char           text[BF_LIST_MAX];
  int            n = 0;
  for (int i = 0; i < bf_item_count(points) && n < 64; i++) names[n++] = points->child[i]->key;
  bf_list_names(names, n, text);
  for (int i = 0; points && i < bf_item_count(list); i++) {
    const bf_item *name = list->child[i];
    if (name->faulty || point(root, name->text)) continue;
    const char *near = bf_nearest(name->text, names, n);
    BF_FAULT(c, list, 108, name->where,
             "'%s' names '%.60s', which is not in 'analysis.points'%s%s%s it has: %s", what, name->text,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ";", text);
  }
}

/* Points have as many numbers as there are lattice vectors, or as a vector has. */
static void points_fit_the_lattice(bf_checker *c, const bf_item *root)
{
  const bf_item *analysis = sound(root, "analysis"), *lattice = sound(analysis, "lattice");
  const bf_item *points = sound(analysis, "points");
  const int      whole  = bf_item_is(sound(analysis, "k_units"), "rad_per_length");
  if (!lattice || !points || bf_item_count(lattice) == 0) return;
  const int width = bf_item_count(lattice->child[0]), n = whole ? width : bf_item_count(lattice);
  for (int i = 0; i < lattice->count; i++)
    if (lattice->child[i]->count != width)
      BF_FAULT(c, lattice->child[i], 103, lattice->child[i]->where,
               "'lattice': vector %d has %d components, the first %d", i + 1, lattice->child[i]->count,
               width);
  if (lattice->count > width)
    BF_FAULT(c, lattice->child[width], 106, lattice->child[width]->where,
             "'lattice': %d vectors of %d components depend on each other", lattice->count, width);
  for (int i = 0; i < points->count; i++)
    if (points->child[i]->count != n)
      BF_FAULT(c, points->child[i], 103, points->child[i]->where, "point '%.60s' has %d numbers, %s %d",
               points->child[i]->key, points->child[i]->count,
               whole ? "a lattice vector" : "this lattice has vectors:", n);
}

/* Method direct has no reduction of the interior. */
static void modes_belong_to_a_reduction(bf_checker *c, bf_item *solver)
{
  bf_item *modes = solver ? bf_item_child(solver, "interior_modes") : NULL;
  if (!modes || !bf_item_is(sound(solver, "method"), "direct")) return;
  if (modes->given)
    BF_FAULT(c, modes, 106, modes->key_where,
             "'interior_modes' requires method craig_bampton or auto; direct uses all unknowns");
  else
    bf_item_remove(solver, modes);
}

/* Letters, digits and _: names are used in quantities and tables. */
static void points_have_plain_names(bf_checker *c, const bf_item *points)
{
  static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (int i = 0; i < bf_item_count(points); i++) {
    bf_item     *it = points->child[i];
    const size_t n  = strlen(it->key);
    if (n == 0 || n > 60 || strspn(it->key, ok) != n || strchr("0123456789", it->key[0]))
      BF_FAULT(c, it, 105, it->key_where,
               "point '%.60s': a name consists of letters, digits and _ and begins with a letter", it->key);
  }
}

static void a_path_has_legs(bf_checker *c, const bf_item *path)
{
  for (int i = 1; i < bf_item_count(path); i++)
    if (bf_item_is(path->child[i], path->child[i - 1]->text))
      BF_FAULT(c, path->child[i], 106, path->child[i]->where,
               "'path': the segment from '%.60s' to itself has no length", path->child[i]->text);
}

static void pairs_name_two_groups(bf_checker *c, const bf_item *root)
{
  const bf_item *boundary = sound(root, "boundary");
  for (int i = 0; i < bf_item_count(boundary); i++) {
    bf_item       *entry = boundary->child[i];
    const bf_item *pairs = sound(entry, "pairs");
    if (!bf_item_is(bf_item_child(entry, "type"), "bloch")) continue;
    const bf_item *groups = bf_item_child(entry, "groups");
    if (groups) BF_FAULT(c, entry, 106, groups->key_where, "type bloch names its groups in 'pairs'");
    for (int k = 0; k < bf_item_count(pairs); k++)
      if (bf_item_is(pairs->child[k]->child[0], pairs->child[k]->child[1]->text))
        BF_FAULT(c, entry, 106, pairs->child[k]->where, "'pairs': '%.60s' is paired with itself",
                 pairs->child[k]->child[0]->text);
  }
}

/* The fields of this analysis, with its own default. */
static bf_err fields_are_shapes(bf_checker *c, const bf_item *root)
{
  bf_err   err    = BF_OK;
  bf_item *output = sound(root, "output"), *fields = sound(output, "fields"), *list = NULL, *word = NULL;
  if (!output || (bf_item_child(output, "fields") && !fields)) return BF_OK;
  for (int i = 0; fields && fields->given && i < fields->count; i++)
    if (!bf_item_is(fields->child[i], "mode_shape") && !bf_item_is(fields->child[i], "material_id"))
      BF_FAULT(c, fields, 107, fields->child[i]->where,
               "field '%s' is not available in analysis dispersion, which has mode_shape",
               fields->child[i]->text);
  if (fields && fields->given) return BF_OK;
  if (fields) bf_item_remove(output, fields);
  BF_GO(bf_item_create(BF_ITEM_LIST, "fields", NULL, output->where, &list));
  BF_GO(bf_item_create(BF_ITEM_VALUE, NULL, "mode_shape", output->where, &word));
  BF_GO(bf_item_append_take(list, &word));
  BF_GO(bf_item_append_take(output, &list));
done:
  bf_item_destroy(&word);
  bf_item_destroy(&list);
  return err;
}

static void saved_bands_are_computed(bf_checker *c, const bf_item *root)
{
  bf_item       *save  = sound(sound(root, "output"), "save_modes");
  const bf_item *bands = sound(save, "bands"), *most = sound(sound(root, "analysis"), "bands");
  if (!save) return;
  names_are_points(c, root, sound(save, "at"), "at");
  for (int i = 0; most && i < bf_item_count(bands); i++)
    if (bands->child[i]->number > most->number)
      BF_FAULT(c, save, 108, bands->child[i]->where, "band %s is not among the %s of 'analysis.bands'",
               bands->child[i]->text, most->text);
}

static int of_waves(const bf_qref *ref)
{
  return ref->kind == BF_Q_BAND || ref->kind == BF_Q_GAP || strncmp(ref->field, "band.", 5) == 0 ||
         strcmp(ref->field, "hermitian_defect") == 0;
}

bf_err bf_rules_wave_quantity(const bf_item *root, const bf_qref *ref, int *waves)
{
  const bf_item *analysis = sound(root, "analysis"), *bands = sound(analysis, "bands"),
                *path = sound(analysis, "path");
  const int here = is_dispersion(root), own = of_waves(ref);
  *waves = own || (here && ref->kind == BF_Q_UNKNOWNS);
  BF_CHECK(here || !own, BF_E_INPUT, "this quantity requires analysis dispersion");
  BF_CHECK(!here || *waves, BF_E_INPUT,
           "analysis dispersion has no such quantity; it has band, gap, max(hermitian_defect), "
           "max(band.residual), max(band.truncation), unknowns");
  if (!own || !bands) return BF_OK;
  BF_CHECK(ref->field[0] == 0 || ref->kind == BF_Q_MAX, BF_E_INPUT, "only max(%s) is available", ref->field);
  BF_CHECK(ref->component < 0 && !ref->group[0], BF_E_INPUT, "'%s' has neither components nor groups",
           ref->field);
  if (ref->field[0]) return BF_OK;
  const int last = (int)bands->number - (ref->kind == BF_Q_GAP);
  BF_CHECK(ref->number >= 1 && ref->number <= last, BF_E_INPUT,
           "%s(%d) does not exist: %d bands are computed", ref->kind == BF_Q_GAP ? "gap" : "band",
           ref->number, (int)bands->number);
  if (ref->kind == BF_Q_GAP || !path) return BF_OK;
  for (int i = 0; i < path->count; i++)
    if (bf_item_is(path->child[i], ref->name)) return BF_OK;
  return BF_FAIL(BF_E_INPUT, "the path does not contain a point '%.60s'", ref->name);
}

/* Keys of this analysis are not used in others. */
static void elsewhere(bf_checker *c, bf_item *root, const bf_item *type)
{
  bf_item       *output = sound(root, "output");
  const bf_item *fields = sound(output, "fields");
  if (bf_item_is(type, "static")) leave_out(c, root, "eigensolver", "static", "; see 'solver'");
  for (int i = 0; bf_item_is(type, "static") && i < bf_item_count(fields); i++)
    if (bf_rules_mode_field(fields->child[i]->text))
      bf_diag_add(c->diags, BF_ERROR, 107, fields->child[i]->where,
                  "field '%s' is not available in analysis static", fields->child[i]->text);
  if (output) leave_out(c, output, "save_modes", type->text, "");
}

bf_err bf_rules_waves(bf_checker *c, bf_item *root)
{
  static const char *const own[][2]     = {{"bands", NULL}, {"lattice", NULL}, {"points", NULL},
                                           {"path", NULL},  {"samples", "20"}, {"k_units", "reciprocal"},
                                           {NULL, NULL}};
  static const char *const reduced[][2] = {{"interior_modes", "40"}, {"batch", "auto"}, {NULL, NULL}};
  bf_item                 *analysis = bf_item_child(root, "analysis"), *output = sound(root, "output");
  bf_item                 *solver = sound(root, "eigensolver");
  const bf_item           *type   = sound(analysis, "type");
  if (!type || c->physics == BF_ON_ALL) return BF_OK;
  if (c->physics == BF_ON_ADVECTION && !is_dispersion(root)) return BF_OK;
  BF_TRY(bf_rules_keys(c, analysis, type, "analysis type", "dispersion", own));
  if (!bf_item_is(type, "static"))
    BF_TRY(bf_rules_keys(c, solver, type, "analysis type", "dispersion", reduced));
  pairs_name_two_groups(c, root);
  if (!is_dispersion(root)) {
    elsewhere(c, root, type);
    return BF_OK;
  }
  leave_out(c, root, "solver", "dispersion", "; see 'eigensolver'");
  modes_belong_to_a_reduction(c, solver);
  leave_out(c, root, "matrix", "dispersion", ", whose matrices are small and dense");
  if (output) leave_out(c, output, "probes", "dispersion", "");
  if (output) leave_out(c, output, "refine", "dispersion", "");
  if (output) leave_out(c, output, "flexibility", "dispersion", "");
  if (output) leave_out(c, output, "levels", "dispersion", "");
  points_have_plain_names(c, sound(analysis, "points"));
  points_fit_the_lattice(c, root);
  names_are_points(c, root, sound(analysis, "path"), "path");
  a_path_has_legs(c, sound(analysis, "path"));
  saved_bands_are_computed(c, root);
  return fields_are_shapes(c, root);
}
