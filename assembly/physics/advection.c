/* assembly/physics/advection.c - advection, diffusion and reaction: the definition of the physics
 *
 *     v . grad c - div(D grad c) + r c = f;     D dc/dn = 0 without a condition
 *
 * in the form TRANSPORT of kernels/elements.h, stabilised along the streamlines (SUPG).  Its coefficients are
 * D, r and v; where one of a block's materials has a formula, all of them are kept at the integration points.
 * Source: A. N. Brooks, T. J. R. Hughes, Streamline upwind/Petrov-Galerkin formulations for convection
 * dominated flows, Comput. Methods Appl. Mech. Eng. 32 (1982) 199, doi 10.1016/0045-7825(82)90071-8;
 * docs/theory/advection.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/physics/flow.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { SLAB = 65536 }; /* elements per slab */

static int advection_ncomp(int sdim)
{
  (void)sdim;
  return 1;
}

static int advection_nv(bf_space space)
{
  return space == BF_SPACE_3D ? 5 : 4;
}

static const bf_quantity *advection_quantity(const bf_material *mat)
{
  return &mat->diffusivity;
}

/* Coefficient i of C: D, r, v_1 .. */
static const bf_quantity *coefficient(const bf_material *mat, int i)
{
  return i == 0 ? &mat->diffusivity : i == 1 ? &mat->reaction : &mat->velocity[i - 2];
}

static void advection_matrix(const bf_material *mat, bf_space space, double *C)
{
  for (int i = 0; i < advection_nv(space); i++) {
    const bf_quantity *q = coefficient(mat, i);
    C[i]                 = q->formula ? 0.0 : q->value;
  }
}

const bf_physics_def bf_physics_advection = {.words       = {.name       = "advection_diffusion",
                                                             .field      = "concentration",
                                                             .field_unit = "kg/m3",
                                                             .force_unit = "kg/s",
                                                             .flux       = "flux",
                                                             .flux_nodal = "flux_nodal",
                                                             .flux_unit  = "kg/m2/s",
                                                             .load       = "source",
                                                             .load_unit  = "kg/m3/s",
                                                             .side       = "flux",
                                                             .side_unit  = "kg/m2/s",
                                                             .film_unit  = "m/s",
                                                             .substance  = "substance",
                                                             .balance    = "mass",
                                                             .level      = "value or convection",
                                                             .phase      = "recover: flux"},
                                             .coefficient = "diffusivity",
                                             .form        = BF_FORM_TRANSPORT,
                                             .ncomp       = advection_ncomp,
                                             .nv          = advection_nv,
                                             .quantity    = advection_quantity,
                                             .matrix      = advection_matrix};

static int has_formula(const bf_model *m, const bf_material *mat)
{
  int any = 0;
  for (int i = 0; i < m->nv; i++) any |= coefficient(mat, i)->formula != NULL;
  return any;
}

/* Coefficient i of the n*nq points x into flow[..][nv]; the formula's value in f[n*nq]. */
static bf_err evaluate(const bf_model *m, int k, int i, int64_t np, const double *x, double *f,
                       bf_diags *diags)
{
  const bf_material *mat = &m->problem->material[k];
  const bf_quantity *q   = coefficient(mat, i);
  const bf_err       err = bf_quantity_need(m, q, np, x, NULL, 1, f);
  if (err != BF_OK) return err == BF_E_MODEL ? BF_OK : err; /* E319 */
  for (int64_t s = 0; s < np && i == 0; s++) {
    if (f[s] > 0.0) continue;
    bf_diag_add(diags, BF_ERROR, 303, q->where,
                "diffusivity = '%s' of material '%s' is %g at (%g, %g, %g); it must be positive",
                q->formula ? q->formula : "", mat->name, f[s], x[3 * s], x[3 * s + 1], x[3 * s + 2]);
    break;
  }
  return BF_OK;
}

typedef struct bf_slab_work { /* memory for one slab */
  bf_int *elem, *node;
  double *x, *f;
} bf_slab_work;

/* Elements [e0, e1) of the block whose material is k. */
static bf_err fill_slab(const bf_model *m, bf_model_block *b, bf_int k, bf_int e0, bf_int e1, bf_slab_work *w,
                        bf_diags *diags)
{
  const size_t nen = (size_t)bf_elem(b->block->type)->nnodes, nq = (size_t)b->stiffness.n, nv = (size_t)m->nv;
  const bf_int *region = m->region + b->block->first;
  const int     before = diags->errors;
  bf_int        n      = 0;
  for (bf_int e = e0; e < e1; e++) {
    if (region[e] != k) continue;
    memcpy(w->node + (size_t)n * nen, b->block->node + (size_t)e * nen, nen * sizeof *w->node);
    w->elem[n++] = e;
  }
  if (n == 0) return BF_OK;
  bf_model_points(m->mesh, b->block->type, w->node, 0, n, &b->stiffness, w->x);
  for (size_t i = 0; i < nv; i++) {
    BF_TRY(evaluate(m, k, (int)i, (int64_t)n * (int64_t)nq, w->x, w->f, diags));
    if (diags->errors > before) return BF_OK;
#pragma omp parallel for schedule(static) if (n > 1024)
    for (bf_int j = 0; j < n; j++)
      for (size_t q = 0; q < nq; q++)
        b->flow[((size_t)w->elem[j] * nq + q) * nv + i] = w->f[(size_t)j * nq + q];
  }
  return BF_OK;
}

bf_err bf_flow_fill(const bf_model *m, bf_model_block *b, bf_diags *diags)
{
  bf_err       err = BF_OK;
  bf_slab_work w   = {0};
  const bf_int n = b->block->n, slab = n < SLAB ? n : SLAB, *region = m->region + b->block->first;
  const size_t nq     = (size_t)b->stiffness.n;
  const int    before = diags->errors;
  int          any    = 0;
  for (bf_int e = 0; e < n && !any; e++)
    any = region[e] >= 0 && has_formula(m, &m->problem->material[region[e]]);
  if (!any) return BF_OK;
  BF_GO(BF_NEW_ARRAY(b->flow, (size_t)n * nq * (size_t)m->nv));
  BF_GO(BF_NEW_ARRAY(w.elem, slab));
  BF_GO(BF_NEW_ARRAY(w.node, (size_t)slab * (size_t)bf_elem(b->block->type)->nnodes));
  BF_GO(BF_NEW_ARRAY(w.x, (size_t)slab * nq * 3));
  BF_GO(BF_NEW_ARRAY(w.f, (size_t)slab * nq));
  for (bf_int k = 0; k < m->problem->nmaterials; k++)
    for (bf_int e0 = 0; e0 < n && diags->errors == before; e0 += slab) {
      BF_GO(fill_slab(m, b, k, e0, n - e0 < slab ? n : e0 + slab, &w, diags));
      if (n - e0 <= slab) break;
    }
done:
  bf_host_free(w.elem);
  bf_host_free(w.node);
  bf_host_free(w.x);
  bf_host_free(w.f);
  return err;
}
