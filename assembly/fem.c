/* assembly/fem.c - the basis of isoparametric elements: table of operations
 *
 *     psi_a = N_a(xi) on the elements of node a, x(xi) = sum_a N_a(xi) x_a
 * Source: T. J. R. Hughes, The Finite Element Method (1987), chapter 3.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/stiffness.h"
#include "assembly/basis/shape.h"
#include "assembly/recover/recover.h"

static int64_t bytes(const bf_model *m, int64_t *matrices)
{
  (void)m;
  *matrices = 0;
  return 0;
}

static int support(const bf_model *m, bf_int elem, const bf_int **node)
{
  int n;
  *node = bf_mesh_elem_nodes(m->mesh, elem, &n);
  return n;
}

static int support_max(const bf_model *m)
{
  int most = 0;
  for (int b = 0; b < m->nblocks; b++) {
    const int n = bf_elem(m->block[b].block->type)->nnodes;
    most        = n > most ? n : most;
  }
  return most;
}

static bf_err pattern(const bf_model *m, const bf_numbering *num, bf_graph **out)
{
  return bf_numbering_pattern(m->mesh, num, out);
}

static int points(const bf_problem *p, bf_elem_type type)
{
  (void)type;
  return p->quadrature;
}

static double shape(const bf_model *m, bf_int elem, const double xi[3], double *psi, double *d, double x[3])
{
  const bf_elem_type type = bf_mesh_block_of(m->mesh, elem)->type;
  double             dN[BF_NEN_MAX][3], g[BF_NEN_MAX][3], X[BF_NEN_MAX][3];
  int                n;
  const bf_int      *node = bf_mesh_elem_nodes(m->mesh, elem, &n);
  bf_shape(type, xi, psi, dN);
  for (int i = 0; i < 3; i++) {
    x[i] = 0.0;
    for (int a = 0; a < n; a++) {
      X[a][i] = m->mesh->x[3 * (size_t)node[a] + (size_t)i];
      x[i] += psi[a] * X[a][i];
    }
  }
  const double det = bf_shape_gradient(type, (const double(*)[3])X, (const double(*)[3])dN, g);
  for (int i = 0; i < m->sdim; i++)
    for (int a = 0; a < n; a++) d[i * n + a] = g[a][i];
  return det;
}

const bf_basis_ops bf_basis_fem = {.name           = "fem",
                                   .local          = 1,
                                   .patch_recovery = 1,
                                   .bytes          = bytes,
                                   .support        = support,
                                   .support_max    = support_max,
                                   .pattern        = pattern,
                                   .points         = points,
                                   .shape          = shape,
                                   .field_create   = bf_fem_field_create,
                                   .assemble       = bf_fem_assemble,
                                   .batches        = bf_batches_create,
                                   .nodal_forces   = bf_fem_nodal_forces,
                                   .element_fields = bf_fem_element_fields};
