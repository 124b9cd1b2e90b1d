/* assembly/model.c - creates and destroys a model: the checks in order, and simple queries; see model.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/model.h"
#include "assembly/constraints/constraint_check.h"
#include "assembly/model/internal.h"
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>

static const bf_physics_def *physics_of(bf_physics physics)
{
  switch (physics) {
  case BF_HEAT: return &bf_physics_heat;
  case BF_ELASTICITY: return &bf_physics_elasticity;
  case BF_ADVECTION: break;
  }
  return &bf_physics_advection;
}

const bf_physics_words *bf_physics_words_of(bf_physics physics)
{
  return &physics_of(physics)->words;
}

static const char *space_name(bf_space space)
{
  static const char *const name[] = {"auto", "3d", "plane_stress", "plane_strain", "axisymmetric", "2d"};
  return name[space];
}

/* Space, sizes and thickness; E307 where the space does not fit the mesh or is missing. */
static void resolve_space(bf_model *m, bf_diags *diags)
{
  const bf_problem *p     = m->problem;
  const int         solid = p->physics == BF_ELASTICITY,
            plane         = p->space == BF_SPACE_PLANE_STRESS || p->space == BF_SPACE_PLANE_STRAIN,
            axial         = p->space == BF_SPACE_AXISYMMETRIC;
  m->space                = p->space;
  if (m->mesh->dim < 2)
    bf_diag_add(
        diags, BF_ERROR, 307, p->space_where,
        "the mesh has elements of dimension %d only; %s needs triangles, quadrilaterals, tetrahedra or "
        "hexahedra (save the surface or volume mesh, not only its lines)",
        m->mesh->dim, m->physics->words.name);
  else if (m->sdim == 3 && p->space != BF_SPACE_AUTO && p->space != BF_SPACE_3D)
    bf_diag_add(diags, BF_ERROR, 307, p->space_where, "space '%s' does not fit a 3-D mesh",
                space_name(p->space));
  else if (m->sdim == 2 && solid && !plane && !axial)
    bf_diag_add(
        diags, BF_ERROR, 307, p->space_where,
        "elasticity on a 2-D mesh requires discretization.space: 'plane_stress' (thin, free faces), "
        "'plane_strain' (long, no strain normal to the plane) or 'axisymmetric' (x the radius, y the axis)");
  else if (m->sdim == 2 && !solid && !axial && p->space != BF_SPACE_AUTO && p->space != BF_SPACE_2D)
    bf_diag_add(diags, BF_ERROR, 307, p->space_where,
                "space '%s' does not fit %s on a 2-D mesh: remove it, or use 'axisymmetric'",
                space_name(p->space), m->physics->words.name);
  if (m->sdim == 3)
    m->space = BF_SPACE_3D;
  else if (!solid && !axial)
    m->space = BF_SPACE_2D;
  else if (!plane && !axial)
    m->space = BF_SPACE_PLANE_STRAIN; /* the error is reported; continue to find others */
  m->thickness = m->sdim == 3 || axial ? 1.0 : p->thickness;
  if (m->sdim == 2 && !axial && !(p->thickness > 0.0 && isfinite(p->thickness)))
    bf_diag_add(diags, BF_ERROR, 303, p->space_where, "thickness %g must be positive", p->thickness);
}

static bf_err take_blocks(bf_model *m)
{
  const bf_mesh *mesh = m->mesh;
  bf_int         unused;
  BF_TRY(BF_NEW_ARRAY(m->block, mesh->nblocks));
  for (int b = 0; b < mesh->nblocks; b++)
    if (bf_elem(mesh->block[b].type)->dim == m->sdim) m->block[m->nblocks++].block = &mesh->block[b];
  BF_TRY(BF_NEW_ARRAY(m->region, mesh->nelem));
#pragma omp parallel for
  for (bf_int e = 0; e < mesh->nelem; e++) m->region[e] = -1;
  BF_TRY(BF_NEW_ARRAY(m->used, mesh->nnodes));
  bf_mesh_used_nodes(mesh, m->sdim, m->used, &unused);
  return BF_OK;
}

static bf_err take_unknowns(bf_model *m)
{
  const size_t n = (size_t)m->mesh->nnodes * (size_t)m->ncomp;
  BF_TRY(BF_NEW_ARRAY(m->fixed, n));
  BF_TRY(BF_NEW_ARRAY(m->value, n));
  BF_TRY(BF_NEW_ARRAY(m->fixed_by, n));
#pragma omp parallel for
  for (size_t i = 0; i < n; i++) m->fixed_by[i] = -1;
  return BF_OK;
}

/* draft: the model is returned although it has errors. */
static bf_err create(const bf_mesh *mesh, const bf_problem *problem, int draft, bf_diags *diags,
                     bf_model **out)
{
  bf_err    err = BF_OK;
  bf_model *m   = NULL;
  BF_CHECK(mesh && problem && diags && out, BF_E_ARG, "null argument");
  *out             = NULL;
  const int before = diags->errors;
  BF_GO(BF_NEW(m));
  m->mesh    = mesh;
  m->problem = problem;
  m->diags   = diags;
  m->physics = physics_of(problem->physics);
  m->basis   = problem->order > 1 ? &bf_basis_gfem : &bf_basis_fem;
  m->sdim    = mesh->dim;
  m->ncomp   = m->physics->ncomp(m->sdim);
  resolve_space(m, diags);
  m->nv = m->physics->nv(m->space);
  m->nC = m->physics->form == BF_FORM_TRANSPORT ? m->nv : m->nv * m->nv;
  if (mesh->dim >= 2) { /* nothing else can be checked for a mesh of lines */
    BF_GO(BF_NEW_ARRAY(m->C, (size_t)problem->nmaterials * (size_t)m->nC));
    BF_GO(take_blocks(m));
    BF_GO(take_unknowns(m));
    bf_model_check_axis(m, diags);
    bf_model_check_modes(m, diags);
    bf_model_check_spectra(m, diags);
    BF_GO(bf_model_resolve_materials(m, diags));
    BF_GO(bf_model_check_steps(m, diags));
    BF_GO(bf_model_prepare_blocks(m, diags));
    BF_GO(bf_model_resolve_conditions(m, diags));
    bf_model_hold_axis(m, diags);
    BF_GO(bf_model_check_condense(m, diags));
    BF_GO(bf_model_resolve_faces(m, diags));
    BF_GO(bf_model_resolve_points(m, diags));
    BF_GO(bf_model_resolve_forces(m, diags));
    if (problem->analysis != BF_STATIC) BF_GO(bf_model_check_free(m, diags));
    BF_GO(bf_model_resolve_bloch(m, diags));
    if (diags->errors == before) BF_GO(bf_model_resolve_thermal(m, diags));
    m->sound = diags->errors == before;
    if (m->sound && m->physics->form == BF_FORM_TRANSPORT) BF_GO(bf_flow_check(m, diags));
    if (m->sound) BF_GO(bf_rigid_check(m, diags)); /* incomplete conditions would give misleading messages */
    if (diags->errors == before && m->basis->create) BF_GO(m->basis->create(m, diags));
  }
  if (diags->errors > before) {
    if (draft && mesh->dim >= 2) {
      *out = m;
      m    = NULL;
    }
    err = bf_diags_status(diags);
    BF_NEED(0, err == BF_OK ? BF_E_MODEL : err, "%d error%s in the model", diags->errors - before,
            diags->errors - before == 1 ? "" : "s");
  }
  *out = m;
  m    = NULL;
done:
  bf_model_destroy(&m);
  return err;
}

bf_err bf_model_create(const bf_mesh *mesh, const bf_problem *problem, bf_diags *diags, bf_model **out)
{
  return create(mesh, problem, 0, diags, out);
}

bf_err bf_model_draft(const bf_mesh *mesh, const bf_problem *problem, bf_diags *diags, bf_model **out)
{
  return create(mesh, problem, 1, diags, out);
}

void bf_model_destroy(bf_model **model)
{
  if (!model || !*model) return;
  bf_model *m = *model;
  for (int i = 0; i < m->nblocks; i++) {
    bf_host_free(m->block[i].factor);
    bf_host_free(m->block[i].flow);
    bf_host_free(m->block[i].expansion);
  }
  for (int i = 0; i < m->nsets; i++) bf_face_set_clear(&m->set[i]);
  for (int i = 0; i < m->nouter; i++) bf_face_set_clear(&m->outer[i]);
  if (m->basis && m->basis->destroy) m->basis->destroy(m);
  bf_periodic_destroy(&m->periodic);
  bf_host_free(m->block);
  bf_host_free(m->set);
  bf_host_free(m->outer);
  bf_host_free(m->point);
  bf_host_free(m->total);
  bf_host_free(m->region);
  bf_host_free(m->used);
  bf_host_free(m->C);
  bf_host_free(m->fixed);
  bf_host_free(m->value);
  bf_host_free(m->fixed_by);
  bf_host_free(m->frame);
  bf_host_free(m->T);
  bf_host_free(m->f_ext);
  bf_host_free(m->inverse);
  bf_host_free(m);
  *model = NULL;
}

const bf_mesh *bf_model_mesh(const bf_model *m)
{
  return m->mesh;
}

int bf_model_ncomp(const bf_model *m)
{
  return m->ncomp;
}

int bf_model_prescribed(const bf_model *m, bf_int node, int component)
{
  return m->fixed[(size_t)node * (size_t)m->ncomp + (size_t)component];
}

int bf_model_symmetric(const bf_model *m)
{
  return m->physics->form != BF_FORM_TRANSPORT;
}

const bf_int *bf_model_region(const bf_model *m)
{
  return m->region;
}

bf_err bf_model_pattern(const bf_model *m, const bf_numbering *num, bf_graph **out)
{
  return m->basis->pattern(m, num, out);
}

bf_err bf_model_widen(const bf_model *m, bf_numbering *num)
{
  return m->basis->widen ? m->basis->widen(m, num) : BF_OK;
}

void bf_model_log(const bf_model *m, const bf_log *log)
{
  if (m->basis->log) m->basis->log(m, log);
}

int bf_model_own_matrices(const bf_model *m)
{
  return m->basis->own_matrices;
}

int bf_model_on_backend(const bf_model *m, const bf_backend *be)
{
  return m->basis->on_backend ? m->basis->on_backend(m, be) : 1;
}
