/* assembly/assemble/element_set.c - the matrices of all elements on the host, for preconditioners that work
 * on parts of the body; see model.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/static_condensation.h"
#include "base/memory.h"

/* Room for the blocks' elements; node: rows of the numbering; coefficients. */
static bf_err reserve(const bf_model *m, const bf_numbering *num, const bf_batches *bs,
                      bf_model_elements *out)
{
  int64_t nodes = 0, numbers = 0;
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B  = &bs->batch[i];
    const int64_t         nb = (int64_t)B->E.nen * m->ncomp;
    if (!B->block) continue;
    out->ne += B->E.ne;
    nodes += (int64_t)B->E.ne * B->E.nen;
    numbers += B->E.ne * nb * nb;
  }
  BF_TRY(BF_NEW_ARRAY(out->ptr, (size_t)out->ne + 1));
  BF_TRY(BF_NEW_ARRAY(out->at, (size_t)out->ne + 1));
  BF_TRY(BF_NEW_ARRAY(out->node, (size_t)nodes));
  BF_TRY(BF_NEW_ARRAY(out->coefficient, (size_t)out->ne));
  BF_TRY(BF_NEW_ARRAY(out->K, (size_t)numbers));
  bf_int e = 0;
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B  = &bs->batch[i];
    const int64_t         nb = (int64_t)B->E.nen * m->ncomp;
    for (bf_int k = 0; B->block && k < B->E.ne; k++, e++) {
      const double *factor = B->block->factor ? B->block->factor + (int64_t)k * B->E.nq : NULL;
      double        mean   = factor ? 0.0 : 1.0;
      for (int q = 0; factor && q < B->E.nq; q++) mean += factor[q] / B->E.nq;
      out->coefficient[e] = mean * m->C[(int64_t)m->region[B->block->block->first + k] * m->nC];
      out->ptr[e + 1]     = out->ptr[e] + B->E.nen;
      out->at[e + 1]      = out->at[e] + nb * nb;
      for (int a = 0; a < B->E.nen; a++)
        out->node[out->ptr[e] + a] = num->row[B->node[(int64_t)k * B->E.nen + a]];
    }
  }
  return BF_OK;
}

/* Matrices of one batch to K, chunk by chunk. */
static bf_err copy_batch(bf_model *m, bf_backend *be, const bf_model_batch *B, double *K)
{
  bf_err        err = BF_OK;
  const int64_t nb = (int64_t)B->E.nen * m->ncomp, one = nb * nb;
  bf_condenser  condenser = {0};
  void         *Ke        = NULL;
  bf_int        chunk;
  if (B->E.ne == 0) return BF_OK;
  BF_GO(bf_batch_chunk(be, &B->E, bf_condense_bytes(B, B->ni > 0), &chunk));
  if (B->ni) BF_GO(bf_condense_create(be, B, chunk, 1, &condenser));
  BF_GO(be->ops.alloc(be, (size_t)chunk * bf_condense_bytes(B, 0), &Ke));
  for (bf_int e0 = 0; e0 < B->E.ne; e0 += chunk) {
    const bf_int e1 = B->E.ne - e0 < chunk ? B->E.ne : e0 + chunk;
    BF_GO(BF_OP(be, element.matrix, &B->E, e0, e1, Ke));
    if (B->ni) BF_GO(bf_condense_chunk(m, be, B, e0, e1, 0, Ke, NULL, &condenser));
    BF_GO(be->ops.copy(be, K + e0 * one, B->ni ? condenser.S : Ke, (size_t)((e1 - e0) * one) * sizeof *K,
                       BF_TO_HOST));
    BF_GO(be->ops.sync(be));
    if (e1 == B->E.ne) break;
  }
done:
  be->ops.release(be, Ke);
  bf_condense_release(be, &condenser);
  return err;
}

bf_err bf_model_elements_create(bf_model *m, const bf_numbering *num, bf_backend *be, bf_model_elements *out)
{
  bf_err      err = BF_OK;
  bf_batches *bs  = NULL;
  int64_t     at  = 0;
  *out            = (bf_model_elements){.ne = 0};
  if (m->ninner || bf_model_on_host(m) || !bf_model_symmetric(m)) return BF_OK;
  BF_GO(bf_batches_create(m, num, be, NULL, NULL, &bs));
  BF_GO(reserve(m, num, bs, out));
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B = &bs->batch[i];
    if (!B->block) continue;
    BF_GO(copy_batch(m, be, B, out->K + at));
    at += (int64_t)B->E.ne * B->E.nen * m->ncomp * B->E.nen * m->ncomp;
  }
done:
  bf_batches_destroy(&bs);
  if (err != BF_OK) bf_model_elements_clear(out);
  return err;
}

void bf_model_elements_clear(bf_model_elements *e)
{
  bf_host_free(e->ptr);
  bf_host_free(e->at);
  bf_host_free(e->node);
  bf_host_free(e->K);
  bf_host_free(e->coefficient);
  *e = (bf_model_elements){.ne = 0};
}
