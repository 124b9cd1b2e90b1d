/* assembly/assemble/mass_lumped.c - the mass of every element distributed to its nodes in proportion to the
 * diagonal of its matrix
 *
 *     d_a += M_aa^e m_e / sum_b M_bb^e,   m_e = sum_ab M_ab^e
 *
 * Element matrices of one direction and their shares are computed on the backend chunk by chunk, the sums on
 * the host, element after element. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/mass_batches.h"
#include "base/memory.h"

static bf_err lump_batch(const bf_numbering *num, bf_backend *be, const bf_model_batch *B, double *d)
{
  bf_err                  err = BF_OK;
  const bf_element_batch *E   = &B->E;
  const size_t            nen = (size_t)E->nen;
  void                   *Me = NULL, *share = NULL;
  double                 *host = NULL;
  bf_int                  chunk;
  if (E->ne == 0) return BF_OK;
  BF_GO(bf_batch_chunk(be, E, nen * (nen + 1) * sizeof(double), &chunk));
  BF_GO(be->ops.alloc(be, (size_t)chunk * nen * nen * sizeof(double), &Me));
  BF_GO(be->ops.alloc(be, (size_t)chunk * nen * sizeof(double), &share));
  BF_GO(BF_NEW_ARRAY(host, (size_t)chunk * nen));
  for (bf_int e0 = 0; e0 < E->ne; e0 += chunk) {
    const bf_int  n    = E->ne - e0 < chunk ? E->ne - e0 : chunk;
    const bf_int *node = B->node + (size_t)e0 * nen;
    BF_GO(BF_OP(be, element.matrix, E, e0, e0 + n, Me));
    BF_GO(BF_OP(be, element.lump, n, E->nen, Me, share));
    BF_GO(be->ops.copy(be, host, share, (size_t)n * nen * sizeof(double), BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    for (size_t i = 0; i < (size_t)n * nen; i++) d[num->row[node[i]]] += host[i];
    if (e0 + n == E->ne) break;
  }
done:
  be->ops.release(be, Me);
  be->ops.release(be, share);
  bf_host_free(host);
  return err;
}

bf_err bf_mass_lump(const bf_model *m, const bf_numbering *num, bf_backend *be, double *d, bf_phases *phases)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  BF_GO(bf_mass_batches_create(m, num, be, 1, phases, &bs));
  for (int i = 0; i < bs->n; i++) BF_GO(lump_batch(num, be, &bs->batch[i], d));
done:
  bf_batches_destroy(&bs);
  return err;
}
