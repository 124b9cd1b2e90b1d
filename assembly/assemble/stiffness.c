/* assembly/assemble/stiffness.c - element matrices and loads of isoparametric elements into the matrix and
 * the right-hand side
 *
 *     A += K + (convection, springs),  b += f
 *
 * Chunk by chunk: element matrices, the list of elements of every row (incidence), then each row adds its own
 * entries.  Where nodes are condensed (static_condensation.c), loads are summed over all nodes first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/assemble/stiffness.h"
#include "assembly/assemble/static_condensation.h"
#include "base/memory.h"

typedef struct bf_scratch { /* backend memory of one batch */
  void        *Ke, *ptr, *item;
  bf_condenser condenser; /* where its elements are condensed */
  bf_int       chunk;
} bf_scratch;

static bf_err scratch_create(bf_backend *be, const bf_model_batch *B, bf_int nrows, bf_scratch *s)
{
  const bf_element_batch *E  = &B->E;
  const size_t            ke = bf_condense_bytes(B, 0);
  BF_TRY(bf_batch_chunk(be, E, bf_condense_bytes(B, B->ni > 0), &s->chunk));
  if (B->ni) BF_TRY(bf_condense_create(be, B, s->chunk, 1, &s->condenser));
  BF_TRY(be->ops.alloc(be, (size_t)s->chunk * ke, &s->Ke));
  BF_TRY(be->ops.alloc(be, ((size_t)nrows + 1) * sizeof(bf_int), &s->ptr));
  BF_TRY(be->ops.alloc(be, (size_t)s->chunk * (size_t)E->nen * sizeof(bf_int), &s->item));
  return BF_OK;
}

static void scratch_release(bf_backend *be, bf_scratch *s)
{
  be->ops.release(be, s->Ke);
  be->ops.release(be, s->ptr);
  be->ops.release(be, s->item);
  bf_condense_release(be, &s->condenser);
}

/* A += element matrices of one batch; condensed ones also add to b; f: loads of the eliminated nodes. */
static bf_err add_batch(bf_model *m, bf_matrix *A, bf_int nrows, const bf_model_batch *B,
                        const bf_node_frames *F, const double *f, double *b, bf_phases *phases)
{
  bf_err                  err   = BF_OK;
  bf_backend             *be    = A->be;
  const bf_element_batch *E     = &B->E;
  bf_scratch              s     = {0};
  double                  since = bf_seconds();
  const double            nd    = (double)bf_element_order(E);
  const int               nen   = B->kept ? E->nen - 1 : E->nen;
  if (E->ne == 0) return BF_OK;
  BF_GO(scratch_create(be, B, nrows, &s));
  for (bf_int e0 = 0; e0 < E->ne; e0 += s.chunk) {
    const bf_int  e1   = E->ne - e0 < s.chunk ? E->ne : e0 + s.chunk;
    const bf_int *conn = (B->kept ? (const bf_int *)B->kept : E->conn) + (size_t)e0 * (size_t)nen;
    const double  ke   = (double)(e1 - e0) * nd * nd * 8.0;
    BF_GO(BF_OP(be, element.matrix, E, e0, e1, s.Ke));
    BF_GO(bf_phase_end(be, phases, "assembly: element matrices", &since, ke));
    if (B->ni) {
      BF_GO(bf_condense_chunk(m, be, B, e0, e1, nrows, s.Ke, f, &s.condenser));
      BF_GO(bf_phase_end(be, phases, "assembly: condensation", &since, 2.0 * ke));
    }
    double *K = B->ni ? s.condenser.S : s.Ke;
    if (F->frame) BF_GO(BF_OP(be, element.rotate, e1 - e0, nen, F, conn, K));
    BF_GO(BF_OP(be, element.incidence, e1 - e0, nen, conn, nrows, s.ptr, s.item));
    BF_GO(bf_matrix_scatter(A, s.ptr, s.item, nen, conn, K));
    if (B->kept) BF_GO(BF_OP(be, vector.scatter, nrows, E->ncomp, s.ptr, s.item, nen, s.condenser.g, b));
    BF_GO(bf_phase_end(be, phases, "assembly: scatter", &since, ke + 2.0 * (double)bf_matrix_bytes(A)));
    bf_phase_done(phases, e1 - e0);
    if (e1 == E->ne) break;
  }
done:
  scratch_release(be, &s);
  return err;
}

bf_err bf_model_add_batch(bf_matrix *A, bf_int nrows, const bf_model_batch *B, const bf_node_frames *F,
                          bf_phases *phases)
{
  return add_batch(NULL, A, nrows, B, F, NULL, NULL, phases);
}

bf_err bf_fem_assemble(bf_model *m, const bf_numbering *num, bf_matrix *A, double *b, bf_phases *phases)
{
  bf_err        err    = BF_OK;
  bf_backend   *be     = A->be;
  bf_batches   *bs     = NULL;
  bf_numbering *whole  = NULL;
  void         *all    = NULL; /* loads of every node */
  const char   *tables = be->ops.on_device ? "assembly: tables to the device" : "assembly: tables";
  const size_t  nc = (size_t)m->ncomp, n = (size_t)num->nrows * nc;
  double       *f = b;
  if (m->ninner) {
    BF_GO(bf_numbering_whole(m->mesh, num, &whole));
    BF_NEED(whole->nrows - num->nrows == m->ninner, BF_E_ARG, "the numbering is not condensed");
    const size_t bytes = (size_t)whole->nrows * nc * sizeof(double);
    BF_GO(be->ops.alloc(be, bytes, &all));
    BF_GO(be->ops.zero(be, all, bytes));
    if (!m->inverse) BF_GO(BF_NEW_ARRAY(m->inverse, (size_t)m->ninner * nc * nc));
    f = all;
  }
  const bf_numbering *rows = whole ? whole : num;
  BF_GO(bf_batches_create(m, rows, be, tables, phases, &bs));
  BF_GO(bf_model_add_loads(m, rows, bs, f, phases));
  BF_GO(bf_model_keep_loads(m, rows, be, f, phases));
  if (all) BF_GO(BF_OP(be, vector.axpby, (bf_int)n, 1.0, all, 1.0, b));
  double elements = 0.0;
  for (int i = 0; i < bs->n; i++) elements += bs->batch[i].E.ne;
  bf_phase_work(phases, elements);
  for (int i = 0; i < bs->n; i++)
    BF_GO(add_batch(m, A, num->nrows, &bs->batch[i], &bs->frames, f + n, b, phases));
done:
  be->ops.release(be, all);
  bf_batches_destroy(&bs);
  bf_numbering_destroy(&whole);
  return err;
}
