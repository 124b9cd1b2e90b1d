/* assembly/model/not_finite.c - E319: a formula or table of the deck gives a value that is not finite */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/basis/field_source.h"
#include "assembly/basis/locate_point.h"
#include "assembly/model/internal.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WHAT_MAX = 160 };

static void of_materials(const bf_problem *p, const bf_quantity *q, char what[WHAT_MAX])
{
  for (int i = 0; i < p->nmaterials; i++) {
    const bf_material *mat = &p->material[i];
    const struct {
      const char        *name;
      const bf_quantity *quantity;
    } of[] = {{"E", &mat->E},
              {"k", &mat->k},
              {"diffusivity", &mat->diffusivity},
              {"reaction", &mat->reaction},
              {"velocity x", &mat->velocity[0]},
              {"velocity y", &mat->velocity[1]},
              {"velocity z", &mat->velocity[2]}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
      if (of[k].quantity == q) snprintf(what, WHAT_MAX, "%s of material '%.100s'", of[k].name, mat->name);
  }
}

/* Description of a quantity, from its address: "E of material 'steel'", "h of convection", "value of
 * traction". */
static void name_of(const bf_problem *p, const bf_quantity *q, char what[WHAT_MAX])
{
  snprintf(what, WHAT_MAX, "a value");
  of_materials(p, q, what);
  for (int i = 0; i < p->nboundaries; i++) {
    const bf_boundary *bc   = &p->boundary[i];
    const int          mine = q >= bc->value && q < bc->value + 3;
    if (mine || q == &bc->h || q == &bc->ambient)
      snprintf(what, WHAT_MAX, "%s of %s",
               mine          ? "value"
               : q == &bc->h ? "h"
                             : "ambient",
               bf_bc_name(bc->type));
  }
  for (int i = 0; i < p->nloads; i++)
    if (q >= p->load[i].value && q < p->load[i].value + 3)
      snprintf(what, WHAT_MAX, "value of %s", bf_load_name(p->load[i].type));
}

static int64_t element_tag(const bf_mesh *mesh, bf_int elem)
{
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_block *block = &mesh->block[b];
    if (elem >= block->first && elem < block->first + block->n) return block->tag[elem - block->first];
  }
  return 0;
}

/* "node 12", or "element 7": the first at the point; "" if neither is found. */
static void place_of(const bf_model *m, const double at[3], char text[48])
{
  bf_view    *view  = NULL;
  bf_location place = {.cell = -1};
  text[0]           = '\0';
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    if (memcmp(m->mesh->x + 3 * (size_t)i, at, 3 * sizeof *at) == 0) {
      snprintf(text, 48, " (node %lld)", (long long)m->mesh->node_tag[i]);
      return;
    }
  if (bf_view_create(m->mesh, NULL, &view) == BF_OK && bf_locate_point(m->mesh, view, at, &place) == BF_OK &&
      place.cell >= 0)
    snprintf(text, 48, " (element %lld)", (long long)element_tag(m->mesh, view->elem[place.cell]));
  bf_view_destroy(&view);
}

/* A formula is evaluated in several steps: only the first value that is not finite is reported. */
static int is_reported(const bf_diags *d, bf_where where)
{
  for (int i = 0; i < d->count; i++)
    if (d->item[i].code == 319 && d->item[i].line == where.line && d->item[i].column == where.column &&
        (d->item[i].file && where.file ? strcmp(d->item[i].file, where.file) == 0
                                       : !d->item[i].file && !where.file))
      return 1;
  return 0;
}

static bf_err report(const bf_model *m, const bf_quantity *q, const double at[3], double value)
{
  char what[WHAT_MAX], place[48];
  if (!is_reported(m->diags, q->where)) {
    name_of(m->problem, q, what);
    place_of(m, at, place);
    if (q->source) {
      const bf_field_source *s = q->source;
      bf_diag_add(
          m->diags, BF_ERROR, 319, q->where,
          "%s: %s has no value at %lld points outside its mesh, the farthest is (%g, %g, %g), %.3g away; "
          "up to %g of the size of an element the nearest value is used. Both meshes must be of one body, "
          "in the same units and position",
          what, s->name, (long long)s->lost, s->lost_at[0], s->lost_at[1], s->lost_at[2], s->lost_distance,
          BF_SOURCE_OUTSIDE);
      return BF_FAIL(BF_E_MODEL, "points outside the mesh of %s", s->name);
    }
    bf_diag_add(m->diags, BF_ERROR, 319, q->where, "%s: %s '%s' is %s at (%g, %g, %g)%s; it must be finite",
                what, q->table ? "table" : "formula", q->formula,
                isnan(value) ? "nan"
                : value > 0  ? "inf"
                             : "-inf",
                at[0], at[1], at[2], place);
  }
  return BF_FAIL(BF_E_MODEL, "'%s' is not finite at (%g, %g, %g)", q->formula, at[0], at[1], at[2]);
}

bf_err bf_quantity_need(const bf_model *m, const bf_quantity *q, int64_t n, const double *x,
                        const uint8_t *use, int per, double *f)
{
  const bf_err err = bf_quantity_eval(q, n, x, f);
  if (err == BF_E_INPUT || (err == BF_E_MODEL && !q->formula)) { /* it does not compile; a number */
    char what[WHAT_MAX];
    name_of(m->problem, q, what);
    bf_diag_add(m->diags, BF_ERROR, 319, q->where, "%s: %s", what, bf_err_message());
    return BF_E_MODEL;
  }
  if (err != BF_E_MODEL) return err;
  for (int64_t i = 0; i < n; i++) {
    if (isfinite(f[i])) continue;
    if (!use || use[i / per]) return report(m, q, x + 3 * i, f[i]);
    f[i] = 0.0;
  }
  return BF_OK;
}
