/* assembly/recover/nodal_forces.c - nodal forces of a solution with isoparametric elements
 *
 *     f_int = sum_e Ke u_e  (conduction or elasticity),     f_robin = the same over convection or spring
 * faces held = f_int + f_robin - f_ext  at prescribed unknowns, 0 elsewhere
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/static_condensation.h"
#include "assembly/model/frames.h"
#include "assembly/recover/recover.h"
#include "base/memory.h"

bf_err bf_recover_add_forces(bf_backend *be, const bf_model_batch *b, bf_int nrows, const double *u,
                             double *f)
{
  bf_err                  err = BF_OK;
  const bf_element_batch *E   = &b->E;
  const size_t            nen = (size_t)E->nen, nd = nen * (size_t)E->ncomp;
  const size_t            matrix = E->dN0 ? bf_condense_bytes(b, 0) : 0;
  const size_t            each   = nd * sizeof(double) + nen * sizeof(bf_int) + matrix;
  void                   *fe = NULL, *ptr = NULL, *item = NULL, *Ke = NULL;
  bf_condenser            condenser = {0};
  bf_int                  chunk     = 1;
  BF_GO(bf_batch_chunk(be, E, each, &chunk));
  if (chunk > E->ne) chunk = E->ne;
  BF_GO(BF_OP(be, alloc, (size_t)chunk * nd * sizeof(double), &fe));
  BF_GO(BF_OP(be, alloc, (size_t)chunk * nen * sizeof(bf_int), &item));
  BF_GO(BF_OP(be, alloc, ((size_t)nrows + 1) * sizeof(bf_int), &ptr));
  if (matrix) {
    BF_GO(BF_OP(be, alloc, (size_t)chunk * matrix, &Ke));
    BF_GO(bf_condense_create(be, b, chunk, 0, &condenser));
  }
  for (bf_int e0 = 0; e0 < E->ne; e0 += chunk) {
    const bf_int e1 = E->ne - e0 < chunk ? E->ne : e0 + chunk;
    BF_GO(BF_OP(be, element.incidence, e1 - e0, E->nen, E->conn + (size_t)e0 * nen, nrows, ptr, item));
    BF_GO(matrix ? bf_condense_force(b, be, e0, e1, Ke, u, &condenser, fe)
                 : BF_OP(be, element.force, E, e0, e1, u, fe));
    BF_GO(BF_OP(be, vector.scatter, nrows, E->ncomp, ptr, item, E->nen, fe, f));
  }
  BF_GO(be->ops.sync(be));
done:
  bf_condense_release(be, &condenser);
  be->ops.release(be, Ke);
  be->ops.release(be, fe);
  be->ops.release(be, item);
  be->ops.release(be, ptr);
  return err;
}

/* Forces of the batches first .. last-1 as a host vector by node. */
static bf_err nodal(const bf_model *m, const bf_numbering *num, const bf_batches *bs, int first, int last,
                    const double *u, double *row, double *out)
{
  bf_err       err = BF_OK;
  void        *f   = NULL;
  const size_t D = (size_t)m->ncomp, bytes = (size_t)num->nrows * D * sizeof(double);
  BF_GO(BF_OP(bs->be, alloc, bytes, &f));
  BF_GO(BF_OP(bs->be, zero, f, bytes));
  for (int b = first; b < last; b++)
    if (bs->batch[b].E.ne > 0) BF_GO(bf_recover_add_forces(bs->be, &bs->batch[b], num->nrows, u, f));
  BF_GO(BF_OP(bs->be, copy, row, f, bytes, BF_TO_HOST));
#pragma omp parallel for
  for (bf_int i = 0; i < m->mesh->nnodes; i++)
    for (size_t c = 0; num->row[i] >= 0 && c < D; c++)
      out[(size_t)i * D + c] = row[(size_t)num->row[i] * D + c];
done:
  bs->be->ops.release(bs->be, f);
  return err;
}

bf_err bf_fem_nodal_forces(const bf_model *m, const bf_numbering *num, bf_backend *be, const bf_batches *bs,
                           const double *u, bf_phases *phases, bf_nodal_forces *f)
{
  bf_err       err = BF_OK;
  void        *ub  = NULL;
  double      *row = NULL;
  const size_t n = (size_t)num->nrows * (size_t)m->ncomp, all = (size_t)m->mesh->nnodes * (size_t)m->ncomp;
  BF_GO(BF_NEW_ARRAY(f->inside, all));
  BF_GO(BF_NEW_ARRAY(f->reaction, all));
  BF_GO(BF_NEW_ARRAY(row, n));
  const double t0 = bf_seconds();
  BF_GO(BF_OP(be, alloc, n * sizeof *u, &ub));
  BF_GO(BF_OP(be, copy, ub, u, n * sizeof *u, BF_TO_DEVICE));
  BF_GO(nodal(m, num, bs, 0, m->nblocks, ub, row, f->inside));
  if (bs->n > m->nblocks) {
    BF_GO(BF_NEW_ARRAY(f->robin, all));
    BF_GO(nodal(m, num, bs, m->nblocks, bs->n, ub, row, f->robin));
  }
#pragma omp parallel for
  for (size_t i = 0; i < all; i++)
    f->reaction[i] = f->inside[i] + (f->robin ? f->robin[i] : 0.0) - m->f_ext[i];
  bf_frames_held(m, f->reaction);
  bf_phase_add(phases, "recover: reactions", bf_seconds() - t0, 0.0, 0.0);
done:
  be->ops.release(be, ub);
  bf_host_free(row);
  return err;
}
