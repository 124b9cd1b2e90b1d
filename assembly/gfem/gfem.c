/* assembly/gfem/gfem.c - creates and destroys the generalised finite elements of a model; checks what they
 * lack; see gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>

/* E107: elements, conditions and loads that have no integral with these shape functions. */
static void refuse(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  for (int i = 0; i < m->nblocks; i++) {
    const bf_elem_type type = m->block[i].block->type;
    if (bf_elem(type)->order > 1)
      bf_diag_add(
          diags, BF_ERROR, 107, p->order_where,
          "gfem of order %d raises the order of linear elements: tri3, quad4, tet4 and hex8; the mesh "
          "has %s",
          p->order, bf_elem(type)->name);
  }
  if (m->space != BF_SPACE_2D && m->space != BF_SPACE_PLANE_STRESS && m->space != BF_SPACE_PLANE_STRAIN &&
      m->sdim == 2)
    bf_diag_add(
        diags, BF_ERROR, 107, p->space_where,
        "a body of revolution is not available with gfem of order %d: the hoop strain u/r is not among "
        "its integrals in this version; use method: fem with quadratic elements",
        p->order);
  if (p->incompatible)
    bf_diag_add(diags, BF_ERROR, 106, p->incompatible_where,
                "'incompatible' and gfem of order %d exclude each other", p->order);
  if (p->physics == BF_ADVECTION) {
    bf_diag_add(
        diags, BF_ERROR, 107, p->order_where,
        "gfem of order %d is for heat and elasticity: streamline upwinding needs second derivatives of the "
        "shape functions, which it does not have in this version; use method: fem, or order 1",
        p->order);
    return;
  }
  for (int i = 0; i < p->nboundaries; i++) {
    const bf_bc_type t = p->boundary[i].type;
    if (!bf_model_prescribes(t) && t != BF_BC_TRACTION && t != BF_BC_PRESSURE && t != BF_BC_FORCE &&
        t != BF_BC_FLUX && t != BF_BC_CONVECTION && t != BF_BC_SPRING && t != BF_BC_INSULATED &&
        t != BF_BC_BLOCH)
      bf_diag_add(diags, BF_ERROR, 107, p->boundary[i].where,
                  "boundary '%s' is not available with gfem of order %d in this version", bf_bc_name(t),
                  p->order);
  }
  for (int i = 0; i < p->nloads; i++) {
    const bf_load_type t = p->load[i].type;
    if (t == BF_LOAD_SOURCE)
      bf_diag_add(diags, BF_ERROR, 107, p->load[i].where,
                  "load '%s' is not available with gfem of order %d in this version", bf_load_name(t),
                  p->order);
  }
}

static void say(const bf_model *m, bf_gfem *g, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  for (bf_int q = 0; q < g->at.n; q++) g->npoor += g->patch.poor[q];
  if (g->npoor > 0)
    bf_diag_add(
        diags, BF_WARNING, 330, p->order_where,
        "order %d: %d of %d patches have too few nodes in reach; there the order is lower. Use a finer "
        "mesh (%d elements across and more) or order %d",
        p->order, g->npoor, g->at.n, 2 * p->order + 2, p->order - 1);
  if (g->face.bent)
    bf_diag_add(diags, BF_WARNING, 331, p->order_where,
                "an interface of materials is not flat: there gfem of order %d converges more slowly (a "
                "rate of about 1.5)",
                p->order);
}

bf_err bf_gfem_create(bf_model *m, bf_diags *diags)
{
  bf_err    err    = BF_OK;
  bf_gfem  *g      = NULL;
  const int before = diags->errors;
  BF_CHECK(m->problem->order <= BF_GFEM_ORDER_MAX, BF_E_ARG, "gfem of order %d", m->problem->order);
  refuse(m, diags);
  if (diags->errors > before) return BF_OK;
  BF_GO(BF_NEW(g));
  g->order = m->problem->order;
  g->dim   = m->sdim;
  g->nb    = bf_gfem_terms(g->dim, g->order);
  BF_GO(bf_gfem_entries_create(m, &g->at));
  BF_GO(bf_gfem_faces_create(m, &g->at, &g->face, diags));
  if (diags->errors > before) goto done;
  BF_GO(bf_gfem_patches_create(m, g, &g->patch));
  BF_GO(bf_gfem_fit(m, g));
  BF_GO(bf_gfem_couple(m, g));
  say(m, g, diags);
  m->basis_data = g;
  g             = NULL;
done:
  bf_gfem_destroy(&g);
  return err;
}

void bf_gfem_destroy(bf_gfem **gfem)
{
  if (!gfem || !*gfem) return;
  bf_gfem *g = *gfem;
  bf_host_free(g->at.node);
  bf_host_free(g->at.region);
  bf_host_free(g->at.first);
  bf_host_free(g->at.corner);
  bf_graph_destroy(&g->at.near);
  for (int s = 0; s < g->face.nsets; s++) {
    bf_face_set_clear(&g->face.set[s]);
    if (g->face.weak) bf_host_free(g->face.weak[s]);
  }
  bf_host_free(g->face.set);
  bf_host_free(g->face.weak);
  bf_host_free(g->face.flat);
  bf_host_free(g->face.chain);
  bf_host_free(g->face.count);
  bf_host_free(g->patch.ptr);
  bf_host_free(g->patch.entry);
  bf_host_free(g->patch.poor);
  bf_host_free(g->h);
  bf_host_free(g->C);
  bf_host_free(g->eptr);
  bf_host_free(g->enode);
  bf_host_free(g->lptr);
  bf_host_free(g->local);
  bf_host_free(g);
  *gfem = NULL;
}
