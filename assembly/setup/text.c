/* assembly/setup/text.c - materials, conditions and loads as text in terms of the deck; see setup.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model/axes.h"
#include "assembly/model/robin.h"
#include "assembly/setup/steps.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(char text[BF_SETUP_TEXT], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void append(char text[BF_SETUP_TEXT], const char *fmt, ...)
{
  const size_t at = strlen(text);
  va_list      args;
  va_start(args, fmt);
  vsnprintf(text + at, BF_SETUP_TEXT - at, fmt, args);
  va_end(args);
}

/* 1.5, or the formula in quotes, truncated if it is long. */
static void quantity(char text[BF_SETUP_TEXT], const bf_quantity *q)
{
  if (!q->formula)
    append(text, "%g", q->value);
  else
    append(text, "\"%.40s%s\"", q->formula, strlen(q->formula) > 40 ? "..." : "");
}

static void vector(char text[BF_SETUP_TEXT], const bf_quantity v[3], int n)
{
  append(text, " [");
  for (int c = 0; c < n; c++) {
    if (c) append(text, ", ");
    quantity(text, &v[c]);
  }
  append(text, "]");
}

static void place(char text[BF_SETUP_TEXT], const double *at, int n)
{
  append(text, " at (");
  for (int d = 0; d < n; d++) append(text, "%s%g", d ? ", " : "", at[d]);
  append(text, ")");
}

static void numbers(char text[BF_SETUP_TEXT], const double *v, int n)
{
  append(text, "%s", n > 1 ? "[" : "");
  for (int d = 0; d < n; d++) append(text, "%s%g", d ? ", " : "", v[d]);
  append(text, "%s", n > 1 ? "]" : "");
}

static void total_force(char text[BF_SETUP_TEXT], const bf_boundary *bc, int ncomp)
{
  vector(text, bc->value, ncomp);
  if (bc->nmoment > 0) append(text, ", moment ");
  if (bc->nmoment > 0) numbers(text, bc->moment, bc->nmoment);
  if (bc->nabout > 0) place(text, bc->about, bc->nabout);
}

static void in_axes(char text[BF_SETUP_TEXT], const bf_axes *a, int n)
{
  if (!a) return;
  append(text, " (");
  for (int k = 0; k < n; k++) append(text, "%s%s", k ? ", " : "", bf_axes_component(a, k));
  append(text, " of axes %s)", a->name);
}

static void groups(char text[BF_SETUP_TEXT], int n, const bf_name *name)
{
  append(text, n == 0 ? " on the whole body" : " on ");
  for (int i = 0; i < n; i++) {
    if (strlen(text) > BF_SETUP_TEXT - 120) {
      append(text, " and %d more", n - i);
      return;
    }
    append(text, "%s%.80s", i ? ", " : "", name[i].name);
  }
}

void bf_setup_condition_text(const bf_model *m, int i, char text[BF_SETUP_TEXT])
{
  const bf_boundary *bc = &m->problem->boundary[i];
  snprintf(text, BF_SETUP_TEXT, "%s", bf_bc_name(bc->type));
  if (bc->type == BF_BC_TRACTION)
    vector(text, bc->value, m->ncomp);
  else if (bc->type == BF_BC_FORCE)
    total_force(text, bc, m->ncomp);
  else if (bc->type == BF_BC_PRESSURE || bc->type == BF_BC_TEMPERATURE || bc->type == BF_BC_VALUE ||
           bc->type == BF_BC_FLUX) {
    append(text, " ");
    quantity(text, &bc->value[0]);
  } else if (bc->type == BF_BC_CONVECTION) {
    append(text, " h ");
    quantity(text, &bc->h);
    append(text, ", ambient ");
    quantity(text, &bc->ambient);
  } else if (bc->type == BF_BC_SPRING && bf_robin_is_uniform(bc)) {
    append(text, " ");
    quantity(text, &bc->value[0]);
  } else if (bc->type == BF_BC_SPRING) {
    vector(text, bc->value, m->ncomp);
  } else if (bc->type == BF_BC_DISPLACEMENT) {
    int said = 0;
    for (int c = 0; c < m->ncomp; c++) {
      if (!bc->given[c]) continue;
      append(text, "%s%s ", said++ ? ", " : " ", bf_axes_component(bc->axes, c));
      quantity(text, &bc->value[c]);
    }
    if (bc->axes) append(text, " of axes %s", bc->axes->name);
  }
  if (bc->type != BF_BC_DISPLACEMENT) in_axes(text, bc->axes, m->ncomp);
  groups(text, bc->ngroups, bc->group);
}

void bf_setup_load_text(const bf_model *m, int i, char text[BF_SETUP_TEXT])
{
  const bf_load *load = &m->problem->load[i];
  snprintf(text, BF_SETUP_TEXT, "%s", bf_load_name(load->type));
  if (m->ncomp > 1 && load->type != BF_LOAD_THERMAL)
    vector(text, load->value, m->ncomp), in_axes(text, load->axes, m->ncomp);
  else {
    append(text, " ");
    quantity(text, &load->value[0]);
  }
  if (load->type == BF_LOAD_THERMAL) append(text, ", reference %g,", load->reference);
  if (load->nat > 0)
    place(text, load->at, load->nat);
  else
    groups(text, load->ngroups, load->group);
}

void bf_setup_material_text(const bf_model *m, int i, char text[BF_SETUP_TEXT])
{
  const bf_material *mat = &m->problem->material[i];
  snprintf(text, BF_SETUP_TEXT, "%.80s: %s ", mat->name, m->physics->coefficient);
  quantity(text, m->physics->quantity(mat));
  if (m->problem->physics == BF_ELASTICITY) append(text, ", nu %g", mat->nu);
  if (m->problem->physics == BF_ADVECTION) {
    append(text, ", velocity");
    vector(text, mat->velocity, m->sdim);
    if (!bf_quantity_is_zero(&mat->reaction)) append(text, ", reaction ");
    if (!bf_quantity_is_zero(&mat->reaction)) quantity(text, &mat->reaction);
  }
  if (mat->has_rho) append(text, ", rho %g", mat->rho);
  if (mat->has_alpha) append(text, ", alpha %g", mat->alpha);
  groups(text, mat->ngroups, mat->group);
}
