/* assembly/recover/condensed_nodes.c - solution at the nodes that static condensation eliminated
 *
 *     u_i = Kii^-1 (fi - Kib u_b)
 *
 * b: the nodes an element shares, i: its center node.  Kii^-1 was kept by the assembly; fi - Kib u_b
 * is the residual force at the node for u_i = 0.  Method and source: assemble/static_condensation.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/recover/recover.h"
#include "base/memory.h"
#include <string.h>

bf_err bf_recover_inner(const bf_model *m, const bf_numbering *num, const bf_batches *bs, bf_int first,
                        double *u)
{
  bf_err       err = BF_OK;
  bf_backend  *be  = bs->be;
  const size_t nc = (size_t)m->ncomp, n = (size_t)m->ninner, at = (size_t)first * nc;
  const size_t bytes = (size_t)num->nrows * nc * sizeof(double);
  void        *ub = NULL, *fb = NULL, *load = NULL, *inverse = NULL;
  double      *f = NULL;
  BF_CHECK(m->inverse, BF_E_ARG,
           "the model is not assembled: the inverses of its condensed nodes are missing");
  BF_GO(be->ops.alloc(be, bytes, &ub));
  BF_GO(be->ops.copy(be, ub, u, bytes, BF_TO_DEVICE));
  BF_GO(be->ops.alloc(be, bytes, &fb));
  BF_GO(be->ops.zero(be, fb, bytes));
  for (int b = 0; b < m->nblocks; b++) /* Kib u_b */
    if (bs->batch[b].kept) BF_GO(bf_recover_add_forces(be, &bs->batch[b], num->nrows, ub, fb));
  BF_GO(BF_NEW_ARRAY(f, n * nc));
  for (size_t i = 0; i < n; i++)
    memcpy(f + i * nc, m->f_ext + (size_t)num->node[(size_t)first + i] * nc, nc * sizeof *f);
  BF_GO(bf_upload(be, f, n * nc * sizeof *f, &load, NULL));
  BF_GO(bf_upload(be, m->inverse, n * nc * nc * sizeof *f, &inverse, NULL));
  BF_GO(BF_OP(be, vector.axpby, (bf_int)(n * nc), -1.0, (double *)fb + at, 1.0, load)); /* fi - Kib u_b */
  const bf_batch        A = {.type   = BF_D, /* stored row by row: the transpose */
                             .n      = m->ncomp,
                             .ld     = m->ncomp,
                             .count  = m->ninner,
                             .stride = (int64_t)(nc * nc),
                             .a      = inverse};
  const bf_batch_vector x = {BF_D, load, (int64_t)nc, NULL}, y = {BF_D, (double *)ub + at, (int64_t)nc, NULL};
  BF_GO(bf_gemv_batch(be, BF_TRANS, 1.0, &A, &x, 0.0, &y));
  BF_GO(be->ops.copy(be, u + at, (double *)ub + at, n * nc * sizeof *u, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
done:
  be->ops.release(be, ub);
  be->ops.release(be, fb);
  be->ops.release(be, load);
  be->ops.release(be, inverse);
  bf_host_free(f);
  return err;
}
