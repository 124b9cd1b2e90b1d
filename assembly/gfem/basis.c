/* assembly/gfem/basis.c - the basis of generalised finite elements: table of operations; see gfem.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/gfem/device.h"
#include "assembly/gfem/gfem.h"
#include "base/memory.h"
#include <stdio.h>

static void destroy(bf_model *m)
{
  bf_gfem *g = bf_gfem_of(m);
  bf_gfem_destroy(&g);
  m->basis_data = NULL;
}

static int64_t bytes(const bf_model *m, int64_t *matrices)
{
  const bf_gfem *g = bf_gfem_of(m);
  *matrices        = 0;
  if (!g) return 0;
  const int64_t n = g->at.n, ne = m->mesh->nelem, nnodes = m->mesh->nnodes, inside = g->patch.ptr[n];
  const int64_t limit = (int64_t)BF_CHUNK_MIB_HOST << 20, nd = (int64_t)g->most * m->ncomp;
  *matrices = ne * nd * nd * 8 < limit ? ne * nd * nd * 8 : limit;
  return n * 17 + nnodes * (5 + 4 * BF_GFEM_SIDES) + ne * (4 * BF_GFEM_CORNERS + 16) + (n + 1) * 8 +
         g->at.near->ptr[n] * 4 + inside * 4 + (int64_t)g->nb * (inside + n) * 8 + g->eptr[ne] * 4 +
         g->lptr[ne] * 4;
}

static int support(const bf_model *m, bf_int elem, const bf_int **node)
{
  return bf_gfem_nodes(bf_gfem_of(m), elem, node);
}

static int support_max(const bf_model *m)
{
  return bf_gfem_of(m)->most;
}

static bf_err pattern(const bf_model *m, const bf_numbering *num, bf_graph **out)
{
  bf_err         err = BF_OK;
  const bf_gfem *g   = bf_gfem_of(m);
  int64_t       *ptr = NULL;
  bf_int        *row = NULL, n = 0;
  const bf_int   ne = m->mesh->nelem;
  BF_GO(BF_NEW_ARRAY(ptr, (size_t)ne + (size_t)num->nrows + 1));
  BF_GO(BF_NEW_ARRAY(row, (size_t)g->eptr[ne] + (size_t)num->nrows));
  for (int64_t i = 0; i < g->eptr[ne]; i++) row[i] = num->row[g->enode[i]];
  for (bf_int e = 0; e < ne; e++) ptr[e + 1] = g->eptr[e + 1];
  for (bf_int r = 0; r < num->nrows; r++) /* a phantom row is its own item */
    if (num->node[r] < 0) {
      row[ptr[ne + n]] = r;
      ptr[ne + n + 1]  = ptr[ne + n] + 1;
      n++;
    }
  BF_GO(bf_graph_from_items(num->nrows, ne + n, ptr, row, 1, out));
done:
  bf_host_free(ptr);
  bf_host_free(row);
  return err;
}

static bf_err widen(const bf_model *m, bf_numbering *num)
{
  bf_err    err = BF_OK;
  bf_graph *G   = NULL;
  char      name[40];
  BF_GO(pattern(m, num, &G));
  snprintf(name, sizeof name, "chosen, couplings of order %d", bf_gfem_of(m)->order);
  BF_GO(bf_numbering_widen(num, G, name));
done:
  bf_graph_destroy(&G);
  return err;
}

static void lines(const bf_model *m, const bf_log *log)
{
  const bf_gfem *g     = bf_gfem_of(m);
  int64_t        least = INT64_MAX, most = 0;
  for (bf_int q = 0; q < g->at.n; q++) {
    const int64_t n = g->patch.ptr[q + 1] - g->patch.ptr[q] + 1;
    least           = n < least ? n : least;
    most            = n > most ? n : most;
  }
  bf_log_line(log, "gfem      order %d: %d patches of %lld to %lld nodes, %d polynomials each", g->order,
              g->at.n, (long long)least, (long long)most, g->nb);
  if (g->face.ncurved > 0)
    bf_log_line(log,
                "          %d faces under a prescribed value lie on curved sides: Nitsche's method, gamma %g",
                g->face.ncurved, m->problem->nitsche_gamma);
}

static int points(const bf_problem *p, bf_elem_type type)
{
  return bf_elem(type)->order == 1 ? bf_gfem_points(p, type) : p->quadrature;
}

static double shape(const bf_model *m, bf_int elem, const double xi[3], double *psi, double *d, double x[3])
{
  return bf_gfem_shape(m->mesh, bf_gfem_of(m), elem, xi, psi, d, x);
}

const bf_basis_ops bf_basis_gfem = {
    .name = "gfem",
    .no_mass =
        "generalised finite elements have no mass matrix here; use method: fem with quadratic elements",
    .no_spectrum =
        "elements of method gfem have no spectra of their own: their shape functions reach over the "
        "nodes of their neighbours; leave the field out, or use method fem",
    .own_matrices   = 1,
    .create         = bf_gfem_create,
    .destroy        = destroy,
    .bytes          = bytes,
    .device_bytes   = bf_gfem_device_bytes,
    .on_backend     = bf_gfem_on_device,
    .log            = lines,
    .support        = support,
    .support_max    = support_max,
    .pattern        = pattern,
    .widen          = widen,
    .points         = points,
    .shape          = shape,
    .field_create   = bf_gfem_field_create,
    .assemble       = bf_gfem_assemble,
    .nodal_forces   = bf_gfem_nodal_forces,
    .weak_reaction  = bf_gfem_weak_reaction,
    .element_fields = bf_gfem_fields};
