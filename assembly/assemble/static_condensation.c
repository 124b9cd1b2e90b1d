/* assembly/assemble/static_condensation.c - eliminates the unknowns of the center nodes of quad9 and hex27,
 * and of incompatible modes, element by element
 *
 *     S = Kbb - Kbi Kii^-1 Kib,   g = fb - Kbi Kii^-1 fi        assembled in place of Ke and fe
 *     u_i = Kii^-1 (fi - Kib u_b)                               from the solution u_b
 *
 * b: the nodes an element shares, i: its center node, which belongs to no other element. Exact for every
 * problem: Kii is inverted by LU with pivoting, all elements of a chunk in one batch. The inverses are kept
 * (ncomp^2 numbers per element), so that u_i needs no second element matrix: fi - Kib u_b is the residual
 * force at the node for u_i = 0.  Matrix and right-hand side go by the rows of the condensed numbering,
 * everything else by those of bf_numbering_whole.  Modes have no rows and no loads. From the solution:
 * recover/condensed_nodes.c, recover/incompatible_amplitudes.c. Source: R. J. Guyan, Reduction of stiffness
 * and mass matrices, AIAA J. 3 (1965) 380, doi 10.2514/3.2874 (exact in statics).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/static_condensation.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* Counts the center nodes; why: NULL, or the reason that prevents their elimination. */
static bf_err find_inner(const bf_model *m, bf_int *count, const char **why)
{
  bf_err   err  = BF_OK;
  uint8_t *seen = NULL;
  *count        = 0;
  *why          = NULL;
  BF_GO(BF_NEW_ARRAY(seen, m->mesh->nnodes));
  for (int b = 0; b < m->nblocks; b++) {
    const bf_block     *block = m->block[b].block;
    const bf_elem_info *info  = bf_elem(block->type);
    for (int64_t e = 0; e < block->n; e++)
      for (int a = 0; a < info->nnodes; a++) {
        const bf_int node  = block->node[e * info->nnodes + a];
        const int    inner = a >= info->nnodes - info->inner;
        *count += inner;
        if (inner ? seen[node] : seen[node] == 2)
          *why = "a center node of an element belongs to another element too";
        seen[node] = inner ? 2 : 1;
        for (int c = 0; c < m->ncomp && inner; c++)
          if (m->fixed[(size_t)node * (size_t)m->ncomp + (size_t)c])
            *why = "a value is prescribed at a center node";
      }
  }
  if (*count && m->problem->quadrature == 1) *why = "with 'quadrature: 1' the center node has no stiffness";
done:
  bf_host_free(seen);
  return err;
}

bf_err bf_model_check_condense(bf_model *m, bf_diags *diags)
{
  const bf_problem *p   = m->problem;
  const char       *why = NULL;
  bf_int            n   = 0;
  if (p->condense == BF_CONDENSE_OFF) return BF_OK;
  BF_TRY(find_inner(m, &n, &why));
  if (n == 0) why = "no element has a center node: use quad9 or hex27";
  if (p->analysis != BF_STATIC) why = "center nodes have mass and take part in vibrations";
  if (why && p->condense == BF_CONDENSE_ON)
    bf_diag_add(diags, BF_ERROR, 315, p->condense_where, "condense: on: %s; remove it", why);
  m->ninner = why ? 0 : n;
  return BF_OK;
}

bf_int bf_model_condensed(const bf_model *m)
{
  return m->ninner;
}

/* Measured for cubes and squares fixed on one side: 4.5 for every node along an edge in heat, 12 in
 * elasticity. */
double bf_condense_iterations(const bf_mesh *mesh, bf_physics physics)
{
  int inner = 0;
  for (int b = 0; b < mesh->nblocks; b++) {
    const bf_elem_info *info = bf_elem(mesh->block[b].type);
    inner |= info->dim == mesh->dim && info->inner > 0 && mesh->block[b].n > 0;
  }
  return inner ? (physics == BF_ELASTICITY ? 12.0 : 4.5) * pow(mesh->nnodes, 1.0 / mesh->dim) : 0.0;
}

size_t bf_condense_bytes(const bf_model_batch *B, int condensed)
{
  const size_t nd = (size_t)bf_element_order(&B->E), ni = (size_t)B->ni, nb = nd - ni;
  return (nd * nd + (condensed ? nb * nb + nb + ni * ni : 0)) * sizeof(double) + (ni ? sizeof(bf_int) : 0);
}

/* The blocks at the end of n element matrices. */
static bf_batch inner_blocks(const bf_model_batch *B, bf_int n, double *Ke)
{
  const int nd = bf_element_order(&B->E), nb = nd - B->ni;
  return (bf_batch){.type   = BF_D,
                    .n      = B->ni,
                    .ld     = nd,
                    .count  = n,
                    .stride = (int64_t)nd * nd,
                    .a      = Ke ? Ke + nb * nd + nb : NULL};
}

bf_err bf_condense_create(bf_backend *be, const bf_model_batch *B, bf_int chunk, int matrices,
                          bf_condenser *s)
{
  const size_t   n = (size_t)chunk, ni = (size_t)B->ni, nb = (size_t)bf_element_order(&B->E) - ni;
  const bf_batch A = inner_blocks(B, chunk, NULL);
  size_t         work;
  if (matrices) {
    BF_TRY(be->ops.alloc(be, n * nb * nb * sizeof(double), &s->S));
    BF_TRY(be->ops.alloc(be, n * nb * sizeof(double), &s->g));
    BF_TRY(be->ops.alloc(be, n * ni * ni * sizeof(double), &s->inverse));
  }
  BF_TRY(be->ops.alloc(be, n * sizeof(bf_int), &s->info));
  BF_TRY(bf_batch_work(be, BF_INVERSE, &A, &work));
  BF_TRY(be->ops.alloc(be, work, &s->work));
  BF_TRY(BF_NEW_ARRAY(s->host_info, chunk));
  return BF_OK;
}

void bf_condense_release(bf_backend *be, bf_condenser *s)
{
  void *const owned[] = {s->S, s->g, s->inverse, s->info, s->work};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) be->ops.release(be, owned[i]);
  bf_host_free(s->host_info);
}

/* Inverts the blocks in place. */
static bf_err invert(bf_backend *be, const bf_model_batch *B, bf_int e0, bf_int n, double *Ke,
                     bf_condenser *s)
{
  const bf_batch A = inner_blocks(B, n, Ke);
  BF_TRY(bf_inverse_batch(be, &A, s->info, s->work));
  BF_TRY(be->ops.copy(be, s->host_info, s->info, (size_t)n * sizeof(bf_int), BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  for (bf_int e = 0; e < n; e++)
    BF_CHECK(s->host_info[e] == 0, BF_E_MODEL, "element %lld: %s have no stiffness and cannot be eliminated",
             (long long)B->block->block->tag[e0 + e],
             B->inner < 0 ? "its incompatible modes" : "the unknowns of its center node");
  return BF_OK;
}

bf_err bf_condense_chunk(bf_model *m, bf_backend *be, const bf_model_batch *B, bf_int e0, bf_int e1,
                         bf_int nrows, double *Ke, const double *f, bf_condenser *s)
{
  const bf_int   n = e1 - e0, first = B->inner - nrows + e0; /* among all condensed nodes */
  const int      nodes = B->inner >= 0;
  const size_t   ni    = (size_t)B->ni;
  const bf_schur C     = {.ne        = n,
                          .nd        = bf_element_order(&B->E),
                          .ni        = B->ni,
                          .symmetric = bf_model_symmetric(m),
                          .K         = Ke,
                          .f         = nodes ? f + (size_t)first * ni : NULL,
                          .S         = s->S,
                          .g         = s->g,
                          .inverse   = nodes ? s->inverse : NULL};
  BF_TRY(invert(be, B, e0, n, Ke, s));
  BF_TRY(BF_OP(be, element.schur, &C));
  if (!nodes) return BF_OK;
  BF_TRY(be->ops.copy(be, m->inverse + (size_t)first * ni * ni, s->inverse,
                      (size_t)n * ni * ni * sizeof(double), BF_TO_HOST));
  return be->ops.sync(be);
}

bf_err bf_condense_force(const bf_model_batch *B, bf_backend *be, bf_int e0, bf_int e1, double *Ke,
                         const double *u, bf_condenser *s, double *fe)
{
  const bf_schur C = {
      .ne = e1 - e0, .nd = bf_element_order(&B->E), .ni = B->ni, .symmetric = 1, .K = Ke, .S = NULL};
  BF_TRY(BF_OP(be, element.matrix, &B->E, e0, e1, Ke));
  BF_TRY(invert(be, B, e0, e1 - e0, Ke, s));
  return BF_OP(be, element.schur_force, &C, B->E.conn + (size_t)e0 * (size_t)B->E.nen, B->E.ncomp, u, fe);
}
