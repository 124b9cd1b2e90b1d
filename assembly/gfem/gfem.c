/* assembly/gfem/gfem.c - creates and destroys the generalised finite elements of a model; checks what they
 * lack; see gfem.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* E107: elements, conditions and loads that have no integral with these shape functions. */
static void refuse(const bf_model *m, bf_diags *diags)
{
  const bf_problem *p = m->problem;
  for (int i = 0; i < m->nblocks; i++) {
    const bf_elem_type type = m->block[i].block->type;
    if (type != BF_TRI3 && type != BF_QUAD4)
      bf_diag_add(diags, BF_ERROR, 107, p->order_where,
                  "gfem of order %d works on tri3 and quad4 elements in this version; the mesh has %s",
                  p->order, bf_elem(type)->name);
  }
  if (m->space != BF_SPACE_2D && m->space != BF_SPACE_PLANE_STRESS && m->space != BF_SPACE_PLANE_STRAIN &&
      m->sdim == 2)
    bf_diag_add(diags, BF_ERROR, 107, p->space_where,
                "this space is not available with gfem of order %d in this version", p->order);
  if (p->incompatible)
    bf_diag_add(diags, BF_ERROR, 106, p->incompatible_where,
                "'incompatible' and gfem of order %d exclude each other", p->order);
  if (p->physics == BF_ADVECTION) {
    bf_diag_add(
        diags, BF_ERROR, 107, p->order_where,
        "gfem of order %d is for heat and elasticity in this version; advection_diffusion: method fem, "
        "or order 1",
        p->order);
    return;
  }
  for (int i = 0; i < p->nboundaries; i++) {
    const bf_bc_type t = p->boundary[i].type;
    if (!bf_model_prescribes(t) && t != BF_BC_TRACTION && t != BF_BC_PRESSURE && t != BF_BC_FORCE &&
        t != BF_BC_FLUX && t != BF_BC_CONVECTION && t != BF_BC_INSULATED && t != BF_BC_BLOCH)
      bf_diag_add(diags, BF_ERROR, 107, p->boundary[i].where,
                  "boundary '%s' is not available with gfem of order %d in this version", bf_bc_name(t),
                  p->order);
  }
  for (int i = 0; i < m->npoints; i++)
    if (m->point[i].load < 0 && (i == 0 || m->point[i].load != m->point[i - 1].load))
      bf_diag_add(diags, BF_ERROR, 107, p->boundary[BF_POINTS_OF_BOUNDARY(m->point[i].load)].where,
                  "boundary 'force' on points is not available with gfem of order %d in this version",
                  p->order);
  for (int i = 0; i < p->nloads; i++) {
    const bf_load_type t = p->load[i].type;
    if (t != BF_LOAD_GRAVITY && t != BF_LOAD_BODY_FORCE && t != BF_LOAD_HEAT_SOURCE)
      bf_diag_add(diags, BF_ERROR, 107, p->load[i].where,
                  "load '%s' is not available with gfem of order %d in this version", bf_load_name(t),
                  p->order);
  }
}

static int ascending(const void *a, const void *b)
{
  const bf_int p = *(const bf_int *)a, q = *(const bf_int *)b;
  return (p > q) - (p < q);
}

/* Nodes of all patches of an element's corners into all[], the distinct ones ascending into node[]. */
static int gather(const bf_gfem *g, int corners, bf_int elem, bf_int *all, bf_int *node)
{
  int n = 0, k = 0;
  for (int a = 0; a < corners; a++) {
    const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)elem + (size_t)a];
    for (int64_t j = g->patch.ptr[q]; j < g->patch.ptr[q + 1]; j++) all[n++] = g->at.node[g->patch.entry[j]];
    all[n++] = g->at.node[q];
  }
  for (int i = 0; i < n; i++) node[i] = all[i];
  qsort(node, (size_t)n, sizeof *node, ascending);
  for (int i = 0; i < n; i++)
    if (k == 0 || node[k - 1] != node[i]) node[k++] = node[i];
  return k;
}

/* eptr, enode, lptr, local. */
static bf_err couple(const bf_model *m, bf_gfem *g)
{
  bf_err       err  = BF_OK;
  const bf_int ne   = m->mesh->nelem;
  int64_t      most = 0;
  bf_int      *work = NULL;
  BF_GO(BF_NEW_ARRAY(g->eptr, (size_t)ne + 1));
  BF_GO(BF_NEW_ARRAY(g->lptr, (size_t)ne + 1));
  for (bf_int e = 0; e < ne; e++) {
    int64_t n = 0;
    for (int a = 0; a < BF_GFEM_CORNERS; a++) {
      const bf_int q = g->at.corner[BF_GFEM_CORNERS * (size_t)e + (size_t)a];
      n += q >= 0 ? g->patch.ptr[q + 1] - g->patch.ptr[q] + 1 : 0;
    }
    g->lptr[e + 1] = g->lptr[e] + n;
    most           = n > most ? n : most;
  }
  BF_GO(BF_NEW_ARRAY(g->local, g->lptr[ne]));
  BF_GO(BF_NEW_ARRAY(work, 2 * (size_t)most * (size_t)omp_get_max_threads()));
  for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for schedule(static)
    for (bf_int e = 0; e < ne; e++) {
      bf_int *all = work + 2 * most * omp_get_thread_num(), *node = all + most;
      int     corners = 0;
      while (corners < BF_GFEM_CORNERS && g->at.corner[BF_GFEM_CORNERS * (size_t)e + (size_t)corners] >= 0)
        corners++;
      const int k = gather(g, corners, e, all, node);
      if (pass == 0) {
        g->eptr[e + 1] = k;
        continue;
      }
      for (int i = 0; i < k; i++) g->enode[g->eptr[e] + i] = node[i];
      for (int64_t i = 0; i < g->lptr[e + 1] - g->lptr[e]; i++) {
        const bf_int *at         = bsearch(&all[i], node, (size_t)k, sizeof *node, ascending);
        g->local[g->lptr[e] + i] = (bf_int)(at - node);
      }
    }
    if (pass == 1) break;
    for (bf_int e = 0; e < ne; e++) {
      g->most = g->eptr[e + 1] > g->most ? (int)g->eptr[e + 1] : g->most;
      g->eptr[e + 1] += g->eptr[e];
    }
    BF_GO(BF_NEW_ARRAY(g->enode, g->eptr[ne]));
  }
done:
  bf_host_free(work);
  return err;
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
                "an interface of materials is not straight: there gfem of order %d converges more slowly (a "
                "rate of about 1.5)",
                p->order);
}

bf_err bf_gfem_create(bf_model *m, bf_diags *diags)
{
  bf_err      err    = BF_OK;
  bf_gfem    *g      = NULL;
  bf_backend *be     = NULL; /* fits are computed on the host for every backend of the matrix */
  const int   before = diags->errors;
  BF_CHECK(m->problem->order <= BF_GFEM_ORDER_MAX, BF_E_ARG, "gfem of order %d", m->problem->order);
  refuse(m, diags);
  if (diags->errors > before) return BF_OK;
  BF_GO(BF_NEW(g));
  g->order = m->problem->order;
  g->nb    = bf_gfem_terms(g->order);
  BF_GO(bf_backend_create("cpu", NULL, &be));
  BF_GO(bf_gfem_entries_create(m, &g->at));
  BF_GO(bf_gfem_faces_create(m, &g->at, &g->face, diags));
  if (diags->errors > before) goto done;
  BF_GO(bf_gfem_patches_create(m, g, be, &g->patch));
  BF_GO(bf_gfem_fit(m, g, be));
  BF_GO(couple(m, g));
  say(m, g, diags);
  m->basis_data = g;
  g             = NULL;
done:
  bf_gfem_destroy(&g);
  bf_backend_destroy(&be);
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
