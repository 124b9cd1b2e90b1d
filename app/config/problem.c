/* app/config/problem.c - fills the configuration from the deck: the problem (physics, materials, conditions,
 * loads)
 *
 * The schema has checked keys and ranges.  Texts belong to the deck.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/config/internal.h"
#include "assembly/basis/field_source.h"
#include "assembly/setup/memory_estimate.h"
#include <math.h>
#include <string.h>

static bf_quantity quantity(const bf_item *it)
{
  if (!it) return (bf_quantity){0};
  bf_table               *table  = bf_item_table(it);
  struct bf_field_source *source = bf_item_source(it);
  if (source)
    return (bf_quantity){
        .value = bf_item_number(it), .formula = source->name, .source = source, .where = bf_item_where(it)};
  return (bf_quantity){.value   = bf_item_number(it),
                       .formula = table                    ? table->name
                                  : bf_item_is_formula(it) ? bf_item_text(it)
                                                           : NULL,
                       .table   = table,
                       .where   = bf_item_where(it)};
}

/* A scalar or a vector into v[3]. */
static void quantities(const bf_item *it, bf_quantity v[3])
{
  const int n = bf_item_table(it) || bf_item_source(it) ? 0 : bf_item_count(it);
  if (it && n == 0) v[0] = quantity(it);
  for (int c = 0; c < n && c < 3; c++) v[c] = quantity(bf_item_at(it, c));
}

static bf_err groups(bf_run_config *config, const bf_item *entry, int *ngroups, const bf_name **names)
{
  return bf_config_names(config, bf_item_get(entry, "groups"), ngroups, names);
}

static bf_err materials(bf_run_config *config, const bf_item *map)
{
  bf_problem *p     = &config->problem;
  void       *store = NULL;
  p->nmaterials     = bf_item_count(map);
  BF_TRY(bf_config_array(config, p->nmaterials, sizeof(bf_material), &store));
  bf_material *m = store;
  p->material    = m;
  for (int i = 0; i < p->nmaterials; i++, m++) {
    const bf_item *it = bf_item_at(map, i), *nu = bf_item_get(it, "nu"), *rho = bf_item_get(it, "rho");
    const bf_item *alpha = bf_item_get(it, "alpha");
    m->name              = bf_item_key(it);
    m->where             = bf_item_where(it);
    m->E                 = quantity(bf_item_get(it, "E"));
    m->k                 = quantity(bf_item_get(it, "k"));
    m->diffusivity       = quantity(bf_item_get(it, "diffusivity"));
    m->reaction          = quantity(bf_item_get(it, "reaction"));
    quantities(bf_item_get(it, "velocity"), m->velocity);
    m->nu        = nu ? bf_item_number(nu) : 0.0;
    m->rho       = rho ? bf_item_number(rho) : 0.0;
    m->has_rho   = rho != NULL;
    m->alpha     = alpha ? bf_item_number(alpha) : 0.0;
    m->has_alpha = alpha != NULL;
    if (nu) m->nu_where = bf_item_where(nu);
    if (rho) m->rho_where = bf_item_where(rho);
    if (alpha) m->alpha_where = bf_item_where(alpha);
    BF_TRY(groups(config, it, &m->ngroups, &m->group));
  }
  return BF_OK;
}

/* The groups of opposite sides, two and two. */
static bf_err pairs(bf_run_config *config, const bf_item *entry, bf_boundary *b)
{
  const bf_item *list = bf_item_get(entry, "pairs");
  void          *p    = NULL;
  b->tolerance        = bf_item_number(bf_item_get(entry, "tolerance"));
  b->ngroups          = 2 * bf_item_count(list);
  BF_TRY(bf_config_array(config, b->ngroups, sizeof(bf_name), &p));
  bf_name *name = p;
  for (int i = 0; i < b->ngroups; i++) {
    const bf_item *it = bf_item_at(bf_item_at(list, i / 2), i % 2);
    name[i]           = (bf_name){bf_item_text(it), bf_item_where(it)};
  }
  b->group = name;
  return BF_OK;
}

static int numbers(const bf_item *it, double v[3], bf_where *where)
{
  const int n = !it ? 0 : bf_item_count(it) > 0 ? bf_item_count(it) : 1;
  if (it) *where = bf_item_where(it);
  for (int c = 0; c < n && c < 3; c++) v[c] = bf_item_number(bf_item_count(it) > 0 ? bf_item_at(it, c) : it);
  return n;
}

/* Moment and place of a force. */
static void total_force(const bf_item *it, bf_boundary *b)
{
  if (b->type != BF_BC_FORCE) return;
  b->nmoment = numbers(bf_item_get(it, "moment"), b->moment, &b->moment_where);
  b->nabout  = numbers(bf_item_get(it, "about"), b->about, &b->about_where);
}

static bf_err boundaries(bf_run_config *config, const bf_item *list)
{
  static const struct {
    const char *word;
    bf_bc_type  type;
  } types[]                           = {{"spring", BF_BC_SPRING},
                                         {"fixed", BF_BC_FIXED},
                                         {"displacement", BF_BC_DISPLACEMENT},
                                         {"symmetry", BF_BC_SYMMETRY},
                                         {"traction", BF_BC_TRACTION},
                                         {"pressure", BF_BC_PRESSURE},
                                         {"force", BF_BC_FORCE},
                                         {"temperature", BF_BC_TEMPERATURE},
                                         {"flux", BF_BC_FLUX},
                                         {"convection", BF_BC_CONVECTION},
                                         {"insulated", BF_BC_INSULATED},
                                         {"value", BF_BC_VALUE},
                                         {"outflow", BF_BC_OUTFLOW},
                                         {"bloch", BF_BC_BLOCH}};
  static const char *const axis[2][3] = {{"x", "y", "z"}, {"r", "t", "z"}};
  bf_problem              *p          = &config->problem;
  void                    *store      = NULL;
  p->nboundaries                      = list ? bf_item_count(list) : 0;
  BF_TRY(bf_config_array(config, p->nboundaries, sizeof(bf_boundary), &store));
  bf_boundary *b = store;
  p->boundary    = b;
  for (int i = 0; i < p->nboundaries; i++, b++) {
    const bf_item *it = bf_item_at(list, i);
    b->where          = bf_item_where(it);
    size_t t          = 0;
    while (t < sizeof types / sizeof *types && !bf_item_is(bf_item_get(it, "type"), types[t].word)) t++;
    BF_CHECK(t < sizeof types / sizeof *types, BF_E_INTERNAL,
             "boundary type passed the schema and is unknown");
    b->type = types[t].type;
    b->axes = bf_config_axes_of(config, it, &b->axes_where);
    if (b->type == BF_BC_DISPLACEMENT) {
      const int polar = b->axes && b->axes->type == BF_AXES_CYLINDRICAL;
      for (int c = 0; c < 3; c++) {
        const bf_item *value = bf_item_get(it, axis[polar][c]);
        b->given[c]          = value != NULL;
        b->value[c]          = quantity(value);
      }
    } else {
      const bf_item *value = bf_item_get(it, "value");
      quantities(value, b->value);
      for (int c = 0; value && c < bf_item_count(value); c++) b->given[c] = 1;
    }
    total_force(it, b);
    b->h       = quantity(bf_item_get(it, "h"));
    b->ambient = quantity(bf_item_get(it, "ambient"));
    if (b->type == BF_BC_BLOCH)
      BF_TRY(pairs(config, it, b));
    else
      BF_TRY(groups(config, it, &b->ngroups, &b->group));
  }
  return BF_OK;
}

static bf_err load_type(const bf_item *type, bf_load_type *out)
{
  static const struct {
    const char  *word;
    bf_load_type type;
  } types[] = {{"gravity", BF_LOAD_GRAVITY},         {"body_force", BF_LOAD_BODY_FORCE},
               {"point_force", BF_LOAD_POINT_FORCE}, {"thermal", BF_LOAD_THERMAL},
               {"heat_source", BF_LOAD_HEAT_SOURCE}, {"source", BF_LOAD_SOURCE}};
  size_t t  = 0;
  while (t < sizeof types / sizeof *types && !bf_item_is(type, types[t].word)) t++;
  BF_CHECK(t < sizeof types / sizeof *types, BF_E_INTERNAL, "load type passed the schema and is unknown");
  *out = types[t].type;
  return BF_OK;
}

static bf_err loads(bf_run_config *config, const bf_item *list)
{
  bf_problem *p     = &config->problem;
  void       *store = NULL;
  p->nloads         = list ? bf_item_count(list) : 0;
  BF_TRY(bf_config_array(config, p->nloads, sizeof(bf_load), &store));
  bf_load *l = store;
  p->load    = l;
  for (int i = 0; i < p->nloads; i++, l++) {
    const bf_item *it = bf_item_at(list, i), *at = bf_item_get(it, "at");
    const bf_item *reference = bf_item_get(it, "reference");
    l->where                 = bf_item_where(it);
    BF_TRY(load_type(bf_item_get(it, "type"), &l->type));
    quantities(bf_item_get(it, l->type == BF_LOAD_GRAVITY ? "g" : "value"), l->value);
    l->axes      = bf_config_axes_of(config, it, &l->axes_where);
    l->reference = reference ? bf_item_number(reference) : 0.0;
    l->nat       = at ? bf_item_count(at) : 0;
    if (at) l->at_where = bf_item_where(at);
    for (int c = 0; c < l->nat && c < 3; c++) l->at[c] = bf_item_number(bf_item_at(at, c));
    BF_TRY(groups(config, it, &l->ngroups, &l->group));
  }
  return BF_OK;
}

static bf_space space_of(const bf_item *it)
{
  return bf_item_is(it, "3d")             ? BF_SPACE_3D
         : bf_item_is(it, "plane_stress") ? BF_SPACE_PLANE_STRESS
         : bf_item_is(it, "plane_strain") ? BF_SPACE_PLANE_STRAIN
         : bf_item_is(it, "axisymmetric") ? BF_SPACE_AXISYMMETRIC
                                          : BF_SPACE_AUTO;
}

/* Method fem is order 1. */
static void method_of(const bf_item *d, bf_problem *p)
{
  const bf_item *order = bf_item_get(d, "order"), *patch = bf_item_get(d, "patch");
  const bf_item *rings = bf_item_get(d, "extra_rings"), *gamma = bf_item_get(d, "nitsche_gamma");
  p->order         = order ? (int)bf_item_number(order) : 1;
  p->order_where   = bf_item_where(order && bf_item_given(order) ? order : bf_item_get(d, "method"));
  p->patch         = bf_item_is(patch, "compact") ? BF_PATCH_COMPACT
                     : bf_item_is(patch, "rings") ? BF_PATCH_RINGS
                                                  : BF_PATCH_AUTO;
  p->extra_rings   = rings ? (int)bf_item_number(rings) : 0;
  p->nitsche_gamma = gamma ? bf_item_number(gamma) : 0.0;
}

static void analysis_of(const bf_item *analysis, bf_problem *p)
{
  const bf_item *type = bf_item_get(analysis, "type"), *lattice = bf_item_get(analysis, "lattice");
  p->analysis       = bf_item_is(type, "modal")        ? BF_MODAL
                      : bf_item_is(type, "dispersion") ? BF_DISPERSION
                                                       : BF_STATIC;
  p->analysis_where = bf_item_where(type);
  p->modes          = p->analysis == BF_MODAL ? (int)bf_item_number(bf_item_get(analysis, "modes")) : 0;
  p->lattice_where  = bf_item_where(lattice);
  p->nlattice       = bf_item_count(lattice);
  for (int i = 0; i < p->nlattice && i < 3; i++)
    for (int d = 0; d < 3 && d < bf_item_count(bf_item_at(lattice, i)); d++)
      p->lattice[i][d] = bf_item_number(bf_item_at(bf_item_at(lattice, i), d));
}

bf_err bf_config_problem(const bf_item *root, bf_run_config *config)
{
  const bf_item *space     = bf_item_get(root, "discretization.space");
  const bf_item *thickness = bf_item_get(root, "discretization.thickness");
  const bf_item *points    = bf_item_get(root, "discretization.quadrature");
  bf_problem    *p         = &config->problem;
  const bf_item *physics   = bf_item_get(root, "physics");
  const bf_item *stable    = bf_item_get(root, "discretization.stabilization");
  p->physics               = bf_item_is(physics, "heat")         ? BF_HEAT
                             : bf_item_is(physics, "elasticity") ? BF_ELASTICITY
                                                                 : BF_ADVECTION;
  p->stabilized            = bf_item_is(stable, "supg");
  p->stabilization_where   = bf_item_where(stable ? stable : physics);
  p->units       = bf_item_is(bf_item_get(root, "units.system"), "mm-N-MPa-t") ? BF_UNITS_MM : BF_UNITS_SI;
  p->space       = space_of(space);
  p->space_where = bf_item_where(space ? space : bf_item_get(root, "physics"));
  p->thickness   = thickness ? bf_item_number(thickness) : 1.0;
  p->quadrature  = points && !bf_item_is(points, "auto") ? (int)bf_item_number(points) : 0;
  const bf_item *modes    = bf_item_get(root, "discretization.incompatible");
  p->incompatible         = modes && bf_item_true(modes);
  p->incompatible_where   = modes ? bf_item_where(modes) : p->space_where;
  const bf_item *condense = bf_item_get(root, "discretization.condense");
  p->condense             = bf_item_is(condense, "on")    ? BF_CONDENSE_ON
                            : bf_item_is(condense, "off") ? BF_CONDENSE_OFF
                                                          : BF_CONDENSE_AUTO;
  p->condense_where       = bf_item_where(condense ? condense : physics);
  const bf_item *fields   = bf_item_get(root, "output.fields");
  for (int i = bf_item_count(fields) - 1; i >= 0; i--) {
    const bf_item *word = bf_item_at(fields, i);
    if (!bf_field_is_spectral(bf_item_text(word))) continue;
    p->spectrum       = 1;
    p->spectrum_where = bf_item_where(word);
    p->time_step |= bf_item_is(word, "critical_time_step");
  }
  method_of(bf_item_get(root, "discretization"), p);
  analysis_of(bf_item_get(root, "analysis"), p);
  BF_TRY(materials(config, bf_item_get(root, "materials")));
  BF_TRY(boundaries(config, bf_item_get(root, "boundary")));
  BF_TRY(loads(config, bf_item_get(root, "loads")));
  return BF_OK;
}
