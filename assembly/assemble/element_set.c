/* assembly/assemble/element_set.c - the matrices of all elements, for preconditioners that work
 * on parts of the body; see model.h
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/static_condensation.h"
#include "base/memory.h"

typedef struct host_lists { /* owned */
  int64_t *ptr, *at;
  bf_int  *node;
  double  *coefficient;
} host_lists;

static void release(host_lists *h)
{
  bf_host_free(h->ptr);
  bf_host_free(h->at);
  bf_host_free(h->node);
  bf_host_free(h->coefficient);
}

/* Mean coefficient of element k of a block. */
static double coefficient_of(const bf_model *m, const bf_model_block *B, bf_int k)
{
  const int     nq     = B->stiffness.n;
  const double *factor = B->factor ? B->factor + (int64_t)k * nq : NULL;
  double        mean   = factor ? 0.0 : 1.0;
  for (int q = 0; factor && q < nq; q++) mean += factor[q] / nq;
  return mean * m->C[(int64_t)m->region[B->block->first + k] * m->nC];
}

/* The elements of the blocks: node rows of the numbering, coefficients; *numbers of their matrices. */
static bf_err list(const bf_model *m, const bf_numbering *num, const bf_batches *bs, bf_model_elements *out,
                   host_lists *h, int64_t *numbers)
{
  bf_int at = 0;
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B     = &bs->batch[i];
    const bf_int          order = B->E.nen * m->ncomp;
    if (!B->block) continue;
    out->ne += B->E.ne;
    out->nodes += (int64_t)B->E.ne * B->E.nen;
    out->most = B->E.ne > 0 && order > out->most ? order : out->most;
  }
  BF_TRY(BF_NEW_ARRAY(h->ptr, (size_t)out->ne + 1));
  BF_TRY(BF_NEW_ARRAY(h->at, (size_t)out->ne + 1));
  BF_TRY(BF_NEW_ARRAY(h->node, (size_t)out->nodes));
  BF_TRY(BF_NEW_ARRAY(h->coefficient, (size_t)out->ne));
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B   = &bs->batch[i];
    const int64_t         nen = B->E.nen, one = nen * m->ncomp * nen * m->ncomp;
    if (!B->block) continue;
    const int64_t p0 = h->ptr[at], a0 = h->at[at];
#pragma omp parallel for schedule(static) if (B->E.ne > 4096)
    for (bf_int k = 0; k < B->E.ne; k++) {
      h->coefficient[at + k] = coefficient_of(m, B->block, k);
      h->ptr[at + k + 1]     = p0 + (k + 1) * nen;
      h->at[at + k + 1]      = a0 + (k + 1) * one;
      for (int64_t a = 0; a < nen; a++) h->node[p0 + k * nen + a] = num->row[B->node[k * nen + a]];
    }
    at += B->E.ne;
  }
  *numbers = h->at[out->ne];
  return BF_OK;
}

/* A copy of `bytes` of the host in backend memory. */
static bf_err upload(bf_backend *be, const void *host, size_t bytes, void **p)
{
  *p = NULL;
  BF_TRY(be->ops.alloc(be, bytes, p));
  return be->ops.copy(be, *p, host, bytes, BF_TO_DEVICE);
}

static bf_err reserve(bf_backend *be, const host_lists *h, int64_t numbers, bf_model_elements *out)
{
  const size_t ne = (size_t)out->ne;
  void        *p;
  BF_TRY(upload(be, h->ptr, (ne + 1) * sizeof *h->ptr, &p));
  out->ptr = p;
  BF_TRY(upload(be, h->at, (ne + 1) * sizeof *h->at, &p));
  out->at = p;
  BF_TRY(upload(be, h->node, (size_t)out->nodes * sizeof *h->node, &p));
  out->node = p;
  BF_TRY(upload(be, h->coefficient, ne * sizeof *h->coefficient, &p));
  out->coefficient = p;
  BF_TRY(be->ops.alloc(be, (size_t)numbers * sizeof *out->K, &p));
  out->K = p;
  return be->ops.sync(be);
}

/* Matrices of one batch to K, chunk by chunk. */
static bf_err copy_batch(bf_model *m, bf_backend *be, const bf_model_batch *B, const bf_node_frames *F,
                         double *K)
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
    if (F->frame)
      BF_GO(BF_OP(be, element.rotate, e1 - e0, B->E.nen, F, B->E.conn + (int64_t)e0 * B->E.nen,
                  B->ni ? condenser.S : Ke));
    BF_GO(be->ops.copy(be, K + e0 * one, B->ni ? condenser.S : Ke, (size_t)((e1 - e0) * one) * sizeof *K,
                       BF_WITHIN));
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
  host_lists  h   = {.ptr = NULL};
  int64_t     at  = 0, numbers;
  *out            = (bf_model_elements){.ne = 0};
  if (m->ninner || bf_model_own_matrices(m) || !bf_model_symmetric(m)) return BF_OK;
  BF_GO(bf_batches_create(m, num, be, NULL, NULL, &bs));
  BF_GO(list(m, num, bs, out, &h, &numbers));
  BF_GO(reserve(be, &h, numbers, out));
  for (int i = 0; i < bs->n; i++) {
    const bf_model_batch *B = &bs->batch[i];
    if (!B->block) continue;
    BF_GO(copy_batch(m, be, B, &bs->frames, out->K + at));
    at += (int64_t)B->E.ne * B->E.nen * m->ncomp * B->E.nen * m->ncomp;
  }
done:
  bf_batches_destroy(&bs);
  release(&h);
  if (err != BF_OK) bf_model_elements_clear(be, out);
  return err;
}

void bf_model_elements_clear(bf_backend *be, bf_model_elements *e)
{
  be->ops.release(be, e->ptr);
  be->ops.release(be, e->at);
  be->ops.release(be, e->node);
  be->ops.release(be, e->K);
  be->ops.release(be, e->coefficient);
  *e = (bf_model_elements){.ne = 0};
}
